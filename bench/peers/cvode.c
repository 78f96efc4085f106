/* SUNDIALS CVODE on every problem: `cvode REFERENCE_DIR [PROBLEM]` prints rows problem,solver,rtol,atol,error,seconds,steps.
 *
 * Tuned for the peer: the state of a bristle is its force, not its deflection, so that one atol suits all states; the Jacobian is
 * analytic; memory is allocated once and only re-initialised inside the clock; atol is swept beside rtol; BDF and Adams, each with
 * |v| and sat left to the step control and (`-events`) with every kink located by CVodeRootInit and the run restarted there.
 */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <time.h>

enum { O5, A7, A12, B5, B4, G5, LUGRE1995, PROBLEMS };
static const char *name[] = {"o5", "a7", "a12", "b5", "b4", "g5", "lugre1995"};
static const double span[] = {25, 20, 100, 3, 10, 20, 30};
static const int states[] = {4, 3, 4, 3, 2, 2, 3}, roots[] = {2, 1, 1, 1, 0, 1, 1};
enum { SAMPLES = 200, MOST_STEPS = 300000 };

/* What the events have settled. turn: sign of v (g5: 0 is stick); sat: side on which the spring of o5 is saturated. */
static struct { int problem, events, turn, sat; } now;
#define Y(i) NV_Ith_S(y, i)
#define D(i) NV_Ith_S(d, i)
#define J(i, j) SM_ELEMENT_D(jac, i, j)

static inline double side(double v) { return now.events ? now.turn : (v > 0) - (v < 0); }
static inline double spring(double w, double v) { return w + 1100 * v; } /* o5: w = ks z */
static inline int saturated(double f) { return now.events ? now.sat : (f > 1.5) - (f < -1.5); }

/* LuGre with the bristle force w = s0 z: dw/dt and F, and on demand their derivatives. */
typedef struct { double fc, fs, vs, s0, ratio, s2; int delta; } lugre; /* ratio = s1/s0 */
#define ROOT1000 31.622776601683793
static const lugre slides = {3, 6, 0.1, 1e3, 2 * ROOT1000 / 1e3, 0, 1}, canudas = {1, 1.5, 1e-3, 1e5, ROOT1000 / 1e4, 0.4, 2};

static inline double bristle(const lugre *p, double v, double w, double *dw) {
    double a = side(v) * v, r = a / p->vs, g = p->fc + (p->fs - p->fc) * exp(p->delta == 1 ? -r : -r * r);
    *dw = p->s0 * (v - a * w / g);
    return w + p->ratio * *dw + p->s2 * v;
}
static inline void slopes(const lugre *p, double v, double w, double *wv, double *ww, double *fv, double *fw) {
    double s = side(v), a = s * v, r = a / p->vs, e = (p->fs - p->fc) * exp(p->delta == 1 ? -r : -r * r), g = p->fc + e;
    double dg = -s * e / p->vs * (p->delta == 1 ? 1 : 2 * r);
    *wv = p->s0 * (1 - s * w / g + a * w * dg / (g * g));
    *ww = -p->s0 * a / g;
    *fv = p->ratio * *wv + p->s2;
    *fw = 1 + p->ratio * *ww;
}

static int rhs(sunrealtype t, N_Vector y, N_Vector d, void *user) {
    double x = Y(0), v = Y(1), r, f;
    (void)user;
    D(0) = v;
    switch (now.problem) {
    case O5:
        r = v / 0.04, f = spring(Y(3), v);
        int c = saturated(f);
        D(2) = (-expm1(-r * r) - Y(2)) / 0.01;
        D(3) = (1 - Y(2)) * 1e4 * v - Y(2) * Y(3) / 0.001;
        D(1) = 2 * (0.1 * t - x) - (1 - Y(2)) * (c ? 1.5 * c : f) - Y(2) * (side(v) + 0.6 * v);
        break;
    case A7: D(1) = 2 * (2 * t - x) - bristle(&slides, v, Y(2), &D(2)); break;
    case A12:
        D(1) = 3 * (1 - x) - 6 * v + 4 * Y(3) - bristle(&canudas, v, Y(2), &D(2));
        D(3) = 1 - x;
        break;
    case B5: /* Y(2) = Fmax z/delta */
        D(1) = 100 * (0.1 - x) - Y(2);
        D(2) = v * (0.981 - Y(2) * side(v)) * 1e5;
        break;
    case B4: D(1) = 100 * (0.1 - x) - 0.981 * tanh(1000 * v); break;
    case G5: D(1) = now.turn ? 1.5 * sin(t) - now.turn : 0; break;
    case LUGRE1995: D(1) = 2 * (0.1 * t - x) - bristle(&canudas, v, Y(2), &D(2));
    }
    return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector d, SUNMatrix jac, void *user, N_Vector a, N_Vector b, N_Vector c) {
    double v = Y(1), r, e, f, fv, fw;
    (void)t, (void)d, (void)user, (void)a, (void)b, (void)c;
    J(0, 1) = 1; /* CVODE has zeroed the rest */
    switch (now.problem) {
    case O5:
        r = v / 0.04, e = exp(-r * r), f = spring(Y(3), v);
        int k = saturated(f);
        J(2, 1) = 2 * r / 0.04 * e / 0.01, J(2, 2) = -1 / 0.01;
        J(3, 1) = (1 - Y(2)) * 1e4, J(3, 2) = -1e4 * v - Y(3) / 0.001, J(3, 3) = -Y(2) / 0.001;
        J(1, 0) = -2, J(1, 1) = -(1 - Y(2)) * (k ? 0 : 1100) - Y(2) * 0.6;
        J(1, 2) = (k ? 1.5 * k : f) - side(v) - 0.6 * v, J(1, 3) = k ? 0 : -(1 - Y(2));
        break;
    case A7:
        slopes(&slides, v, Y(2), &J(2, 1), &J(2, 2), &fv, &fw);
        J(1, 0) = -2, J(1, 1) = -fv, J(1, 2) = -fw;
        break;
    case A12:
        slopes(&canudas, v, Y(2), &J(2, 1), &J(2, 2), &fv, &fw);
        J(1, 0) = -3, J(1, 1) = -6 - fv, J(1, 2) = -fw, J(1, 3) = 4, J(3, 0) = -1;
        break;
    case B5:
        J(1, 0) = -100, J(1, 2) = -1;
        J(2, 1) = (0.981 - Y(2) * side(v)) * 1e5, J(2, 2) = -v * side(v) * 1e5;
        break;
    case B4:
        e = tanh(1000 * v);
        J(1, 0) = -100, J(1, 1) = -981 * (1 - e * e);
        break;
    case LUGRE1995:
        slopes(&canudas, v, Y(2), &J(2, 1), &J(2, 2), &fv, &fw);
        J(1, 0) = -2, J(1, 1) = -fv, J(1, 2) = -fw;
    }
    return 0;
}

/* All fall through zero at an event, so one root direction serves. */
static int guards(sunrealtype t, N_Vector y, sunrealtype *g, void *user) {
    (void)user;
    g[0] = now.problem == G5 && !now.turn ? 1 - fabs(1.5 * sin(t)) : now.turn * Y(1);
    if (now.problem == O5) {
        double f = spring(Y(3), Y(1));
        g[1] = now.sat ? now.sat * f - 1.5 : 1.5 - fabs(f);
    }
    return 0;
}

typedef struct { void *mem; N_Vector y; } solver;

/* At rest nothing limits the step: begin with a long one, but do not leap over |u| = 1 twice. */
static void stick_step(solver *s) {
    double longest = now.turn ? 0 : 0.5; /* 0 is CVODE's own choice */
    CVodeSetInitStep(s->mem, longest), CVodeSetMaxStep(s->mem, longest);
}

static void after_event(solver *s, double t) {
    int hit[2] = {0, 0};
    N_Vector y = s->y;
    CVodeGetRootInfo(s->mem, hit);
    if (hit[1]) now.sat = now.sat ? 0 : spring(Y(3), Y(1)) > 0 ? 1 : -1;
    if (!hit[0]) return;
    if (now.problem != G5) { now.turn = -now.turn; return; }
    double u = 1.5 * sin(t);
    Y(1) = 0;
    /* from stick: |u| = 1 is reached, up to the root's tolerance; from slip: on in the other direction, or stick */
    now.turn = !now.turn || fabs(u) > 1 ? (u > 0) - (u < 0) : 0;
    stick_step(s);
}

/* One run; x at the samples. Returns the steps taken, or -1. */
static long integrate(solver *s, double *x) {
    N_Vector y = s->y;
    long steps = 0, part;
    double t = 0;
    now.turn = now.problem != G5, now.sat = 0;
    N_VConst(0, y);
    CVodeReInit(s->mem, 0, y);
    if (now.problem == G5) stick_step(s);
    for (int i = 0; i < SAMPLES; i++) {
        double end = span[now.problem] * (i + 1) / SAMPLES;
        while (t < end) {
            int flag = CVode(s->mem, end, y, &t, CV_NORMAL);
            if (flag == CV_TOO_CLOSE) break; /* an event has fallen on the sample */
            if (flag < 0) return -1;
            if (flag == CV_ROOT_RETURN) {
                CVodeGetNumSteps(s->mem, &part);
                if ((steps += part) > MOST_STEPS) return -1;
                after_event(s, t);
                CVodeReInit(s->mem, t, y);
            }
        }
        x[i] = Y(0);
    }
    CVodeGetNumSteps(s->mem, &part);
    return steps + part;
}

static double seconds(void) {
    struct timespec c;
    clock_gettime(CLOCK_MONOTONIC, &c);
    return c.tv_sec + 1e-9 * c.tv_nsec;
}

int main(int argc, char **argv) {
    static const struct { const char *name; int lmm, fixed_point, events, order; } kinds[] = {
        {"cvode-bdf", CV_BDF, 0, 0, 5},       {"cvode-bdf-events", CV_BDF, 0, 1, 5},
        {"cvode-bdf3", CV_BDF, 0, 0, 3}, /* steps freely where order 5 is held back by its stability: best at loose tolerances */
        {"cvode-adams", CV_ADAMS, 0, 0, 12},  {"cvode-adams-events", CV_ADAMS, 0, 1, 12},
        {"cvode-adams-fixed", CV_ADAMS, 1, 0, 12}, {"cvode-adams-fixed-events", CV_ADAMS, 1, 1, 12},
    };
    SUNContext ctx;
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &ctx);
    SUNContext_ClearErrHandlers(ctx); /* a failed run is a missing row, not a message */
#else
    SUNContext_Create(NULL, &ctx);
#endif
    for (int p = 0; p < PROBLEMS; p++) {
        double t[SAMPLES], ref[SAMPLES], x[SAMPLES], most = 0;
        char path[4096];
        if (argc > 2 && strcmp(argv[2], name[p])) continue;
        snprintf(path, sizeof path, "%s/%s.csv", argc > 1 ? argv[1] : "reference", name[p]);
        FILE *in = fopen(path, "r");
        if (!in || fscanf(in, "t,x") < 0) return perror(path), 1;
        for (int i = 0; i < SAMPLES; i++) {
            if (fscanf(in, "%lf,%lf", t + i, ref + i) != 2) return fprintf(stderr, "%s: row %d\n", path, i), 1;
            most = fmax(most, fabs(ref[i]));
        }
        fclose(in);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (kinds[k].events ? !roots[p] : p == G5) continue; /* b4 has no kink; g5 is nothing without its events */
            now.problem = p, now.events = kinds[k].events, now.turn = 1;
            solver s = {CVodeCreate(kinds[k].lmm, ctx), N_VNew_Serial(states[p], ctx)};
            N_VConst(0, s.y);
            CVodeInit(s.mem, rhs, 0, s.y);
            SUNMatrix jac = NULL;
            SUNLinearSolver lin = NULL;
            SUNNonlinearSolver fix = NULL;
            if (kinds[k].fixed_point) {
                fix = SUNNonlinSol_FixedPoint(s.y, 0, ctx);
                CVodeSetNonlinearSolver(s.mem, fix);
            } else {
                jac = SUNDenseMatrix(states[p], states[p], ctx), lin = SUNLinSol_Dense(s.y, jac, ctx);
                CVodeSetLinearSolver(s.mem, lin, jac);
                CVodeSetJacFn(s.mem, jacobian);
            }
            if (now.events) {
                int falling[2] = {-1, -1};
                CVodeRootInit(s.mem, roots[p], guards);
                CVodeSetRootDirection(s.mem, falling);
                CVodeSetNoInactiveRootWarn(s.mem);
            }
            CVodeSetMaxOrd(s.mem, kinds[k].order);
            CVodeSetMaxNumSteps(s.mem, MOST_STEPS);
            CVodeSetMaxErrTestFails(s.mem, 50), CVodeSetMaxConvFails(s.mem, 50), CVodeSetMaxHnilWarns(s.mem, -1);
            for (int half = 6; half <= 22; half++)
                for (int a = 0; a <= 4; a += 2) {
                    double rtol = pow(10, -half / 2.0), atol = rtol * pow(10, -a), err = 0, best = HUGE_VAL, from = seconds();
                    CVodeSStolerances(s.mem, rtol, atol);
                    long steps = 0;
                    for (int i = 0; i < 3 || (i < 200 && seconds() - from < 0.08); i++) {
                        double start = seconds();
                        steps = integrate(&s, x);
                        best = fmin(best, seconds() - start);
                        if (steps < 0) break;
                    }
                    if (steps < 0) continue;
                    for (int i = 0; i < SAMPLES; i++) err = fmax(err, fabs(x[i] - ref[i]) / most);
                    printf("%s,%s,%.3g,%.3g,%.3e,%.4e,%ld\n", name[p], kinds[k].name, rtol, atol, err, best, steps);
                    fflush(stdout);
                }
            CVodeFree(&s.mem);
            N_VDestroy(s.y);
            if (lin) SUNLinSolFree(lin), SUNMatDestroy(jac);
            if (fix) SUNNonlinSolFree(fix);
        }
    }
    SUNContext_Free(&ctx);
}
