/* An ensemble of LuGre stick-slip with SUNDIALS CVODE, as a compiled loop over points.
 *
 * `sweep POINTS PROCESSES ORDER RTOL ATOL SAMPLES`: POINTS is a file of lines `stiffness pull`; each of the processes takes every n-th
 * point. Prints the seconds by the clock and of the processors, then for each point x at SAMPLES even times of 20 s, if any.
 *
 * As in cvode.c the state of a bristle is its force, the Jacobian is analytic, and memory is allocated once. |v| is left to the step
 * control: locating its kink costs CVODE more than it saves at these errors.
 */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define END 20.0
#define FC 3.0
#define FS 6.0
#define VS 0.1
#define S0 1e3
#define RATIO (2 * 31.622776601683793 / S0)
static double stiffness, pull;
#define Y(i) NV_Ith_S(y, i)
#define D(i) NV_Ith_S(d, i)
#define J(i, j) SM_ELEMENT_D(jac, i, j)

static int rhs(sunrealtype t, N_Vector y, N_Vector d, void *user) {
    (void)user;
    double v = Y(1), a = fabs(v), g = FC + (FS - FC) * exp(-a / VS);
    D(0) = v;
    D(2) = S0 * (v - a * Y(2) / g);
    D(1) = stiffness * (pull * t - Y(0)) - (Y(2) + RATIO * D(2));
    return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector d, SUNMatrix jac, void *user, N_Vector p, N_Vector q, N_Vector r) {
    (void)t, (void)d, (void)user, (void)p, (void)q, (void)r;
    double v = Y(1), w = Y(2), s = (v > 0) - (v < 0), a = s * v, e = (FS - FC) * exp(-a / VS), g = FC + e;
    J(0, 1) = 1;
    J(2, 1) = S0 * (1 - s * w / g - a * w * s * e / VS / (g * g));
    J(2, 2) = -S0 * a / g;
    J(1, 0) = -stiffness, J(1, 1) = -RATIO * J(2, 1), J(1, 2) = -1 - RATIO * J(2, 2);
    return 0;
}

static double seconds(void) {
    struct timespec c;
    clock_gettime(CLOCK_MONOTONIC, &c);
    return c.tv_sec + 1e-9 * c.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 7) return fprintf(stderr, "usage: sweep POINTS PROCESSES ORDER RTOL ATOL SAMPLES\n"), 2;
    int processes = atoi(argv[2]), samples = atoi(argv[6]), rows = samples > 0 ? samples : 1;
    FILE *in = fopen(argv[1], "r");
    if (!in) return perror(argv[1]), 1;
    size_t count = 0, room = 1024;
    double(*point)[2] = malloc(room * sizeof *point);
    while (fscanf(in, "%lf %lf", &point[count][0], &point[count][1]) == 2)
        if (++count == room) point = realloc(point, (room *= 2) * sizeof *point);
    fclose(in);
    double *x = mmap(NULL, count * rows * sizeof *x, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (x == MAP_FAILED) return perror("mmap"), 1;
    double start = seconds();
    for (int me = 0; me < processes; me++) {
        if (fork()) continue;
        SUNContext ctx;
#if SUNDIALS_VERSION_MAJOR >= 7
        SUNContext_Create(SUN_COMM_NULL, &ctx);
        SUNContext_ClearErrHandlers(ctx);
#else
        SUNContext_Create(NULL, &ctx);
#endif
        void *mem = CVodeCreate(CV_BDF, ctx);
        N_Vector y = N_VNew_Serial(3, ctx);
        N_VConst(0, y);
        CVodeInit(mem, rhs, 0, y);
        SUNMatrix jac = SUNDenseMatrix(3, 3, ctx);
        CVodeSetLinearSolver(mem, SUNLinSol_Dense(y, jac, ctx), jac);
        CVodeSetJacFn(mem, jacobian);
        CVodeSetMaxOrd(mem, atoi(argv[3]));
        CVodeSetMaxNumSteps(mem, 1000000), CVodeSetMaxErrTestFails(mem, 50), CVodeSetMaxConvFails(mem, 50);
        CVodeSStolerances(mem, atof(argv[4]), atof(argv[5]));
        for (size_t i = me; i < count; i += processes) {
            double t = 0;
            stiffness = point[i][0], pull = point[i][1];
            N_VConst(0, y);
            CVodeReInit(mem, 0, y);
            for (int s = 0; s < rows; s++) {
                int flag = CVode(mem, END * (s + 1) / rows, y, &t, CV_NORMAL);
                x[i * rows + s] = flag < 0 ? NAN : Y(0);
            }
        }
        _exit(0);
    }
    while (wait(NULL) > 0);
    struct rusage used;
    double wall = seconds() - start;
    getrusage(RUSAGE_CHILDREN, &used);
    printf("%.9f %.9f\n", wall, used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1e-6 * (used.ru_utime.tv_usec + used.ru_stime.tv_usec));
    for (size_t i = 0; i < count * samples; i++) printf("%.17g\n", x[i]);
}
