/* Reference solutions for every problem: `reference DIR` writes DIR/<problem>.csv (columns t,x; 200 rows).
 *
 * Independent of all peers: extrapolated midpoint rule of order 16 in long double (or, with -DQUAD, in __float128 at a tighter
 * tolerance: the difference of the two is the error). Every kink is an event: the step is bisected to it, then the sign is switched,
 * so that the right-hand side is smooth within each step. g5 is in closed form between its events.
 * The peers use scaled states and their own right-hand sides: a slip in either would show.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef QUAD
#include <quadmath.h>
typedef __float128 real;
#define F(f) f##q
#define R(c) c##Q
#define TOL 1e-22Q
#define BISECT 110
#else
typedef long double real;
#define F(f) f##l
#define R(c) c##L
#define TOL 1e-17L
#define BISECT 62
#endif

enum { O5, A7, A12, B5, B4, G5, LUGRE1995, PROBLEMS };
static const char *name[] = {"o5", "a7", "a12", "b5", "b4", "g5", "lugre1995"};
static const int span[] = {25, 20, 100, 3, 10, 20, 30}, states[] = {4, 3, 4, 3, 2, 2, 3};
static int what, n, turn, sat; /* turn: sign of v within this step; sat: 0 or the side on which the spring of o5 is saturated */

static real lugre(real v, real z, real *dz, real fc, real fs, real vs, int delta, real s0, real s1, real s2) {
    real r = turn * v / vs, g = fc + (fs - fc) * F(exp)(delta == 1 ? -r : -r * r);
    *dz = v - s0 * turn * v / g * z;
    return s0 * z + s1 * *dz + s2 * v;
}

/* y = x, v, then the states of the law, then those of the controller */
static void rhs(real t, const real *y, real *dy) {
    real x = y[0], v = y[1], f, r;
    dy[0] = v;
    switch (what) {
    case O5:
        r = v / R(0.04);
        dy[2] = (-F(expm1)(-r * r) - y[2]) / R(0.01);
        dy[3] = (1 - y[2]) * v - y[2] * y[3] / R(0.001);
        f = (1 - y[2]) * (sat ? sat * R(1.5) : 10000 * y[3] + 1100 * v) + y[2] * (turn + R(0.6) * v);
        dy[1] = 2 * (R(0.1) * t - x) - f;
        break;
    case A7: dy[1] = 2 * (2 * t - x) - lugre(v, y[2], dy + 2, 3, 6, R(0.1), 1, 1000, 2 * F(sqrt)((real)1000), 0); break;
    case A12:
        f = lugre(v, y[2], dy + 2, 1, R(1.5), R(0.001), 2, 100000, F(sqrt)((real)100000), R(0.4));
        dy[1] = 3 * (1 - x) - 6 * v + 4 * y[3] - f;
        dy[3] = 1 - x;
        break;
    case B5:
        dy[1] = 100 * (R(0.1) - x) - R(0.981) / R(1e-5) * y[2];
        dy[2] = v * (1 - y[2] / R(1e-5) * turn);
        break;
    case B4: dy[1] = 100 * (R(0.1) - x) - R(0.981) * F(tanh)(1000 * v); break;
    case LUGRE1995:
        dy[1] = 2 * (R(0.1) * t - x) - lugre(v, y[2], dy + 2, 1, R(1.5), R(0.001), 2, 100000, F(sqrt)((real)100000), R(0.4));
    }
}

/* Bit 0: v has left its sign; bit 1: the spring of o5 has left its side of saturation. */
static int crossed(const real *y) {
    real w = 10000 * y[3] + 1100 * y[1];
    return (what != B4 && turn * y[1] < 0) | (what == O5 && (sat ? sat * w < R(1.5) : F(fabs)(w) > R(1.5))) << 1;
}

/* One extrapolated step from y to z; returns the error estimate over the tolerance. */
static real step(real t, real h, const real *y, real *z) {
    enum { K = 8 };
    real T[K][K][4], d0[4], err = 0;
    rhs(t, y, d0);
    for (int j = 0; j < K; j++) {
        int m = 2 * (j + 1);
        real a[4], b[4], d[4], g = h / m;
        for (int i = 0; i < n; i++) a[i] = y[i], b[i] = y[i] + g * d0[i];
        for (int k = 1; k < m; k++) {
            rhs(t + k * g, b, d);
            for (int i = 0; i < n; i++) { real c = a[i] + 2 * g * d[i]; a[i] = b[i]; b[i] = c; }
        }
        for (int i = 0; i < n; i++) { /* Aitken-Neville in g^2 */
            T[j][0][i] = b[i];
            for (int k = 1; k <= j; k++) {
                real q = (real)(j + 1) / (j + 1 - k), p = T[j][k - 1][i];
                T[j][k][i] = p + (p - T[j - 1][k - 1][i]) / (q * q - 1);
            }
        }
    }
    for (int i = 0; i < n; i++) {
        real e = F(fabs)(T[K - 1][K - 1][i] - T[K - 1][K - 2][i]) / (TOL * (F(fabs)(y[i]) + R(1e-3)));
        if (!(e <= err)) err = e;
        z[i] = T[K - 1][K - 1][i];
    }
    return err;
}

static real h = 1e-6;
/* Integrates y to `end`, stopping at every event on the way. */
static void advance(real t, real end, real *y) {
    real z[4];
    while (t < end) {
        int last = t + h >= end;
        real g = last ? end - t : h, err = step(t, g, y, z), grow = R(0.9) * F(pow)(err + R(1e-9), -R(1.0) / 15);
        if (!(err <= 1)) { h = g * (grow > R(0.2) ? grow : R(0.2)); continue; }
        int now = crossed(z);
        if (now) {
            real lo = 0, hi = g;
            for (int i = 0; i < BISECT; i++) {
                real mid = (lo + hi) / 2;
                step(t, mid, y, z);
                if (crossed(z)) hi = mid; else lo = mid;
            }
            step(t, hi, y, z);
            now = crossed(z);
            g = hi;
            if (now & 2) sat = sat ? 0 : z[3] > 0 ? 1 : -1;
            if (now & 1) {
                real d[4];
                z[1] = 0;
                turn = -turn;
                rhs(t + g, z, d); /* the force of o5 jumps here: it must carry on through, else v = 0 is a sliding mode */
                if (turn * d[1] < 0) fprintf(stderr, "%s: sliding mode at %g\n", name[what], (double)(t + g)), exit(1);
            }
        } else if (!last || h < g * grow) h = g * (grow < 2 ? grow : 2);
        if (h > R(5e-4)) h = R(5e-4); /* so that no event hides inside a step */
        t = last && !now ? end : t + g;
        memcpy(y, z, sizeof z);
    }
}

/* g5: v' = 1.5 sin t - s while sliding. */
static void coulomb(real *xs, int count) {
    real t0 = F(asin)(R(1.0) / R(1.5)), x0 = 0, pi = F(acos)(-(real)1);
    int s = 1, k = 0;
    for (;;) {
        /* at rest until t0, then slide in direction s: v(t) and x(t) */
        for (; k < count && (k + 1) * R(20.0) / count <= t0; k++) xs[k] = x0;
#define V(t) (R(1.5) * (F(cos)(t0) - F(cos)(t)) - s * ((t)-t0))
#define X(t) (x0 + R(1.5) * (F(cos)(t0) * ((t)-t0) - F(sin)(t) + F(sin)(t0)) - s * ((t)-t0) * ((t)-t0) / 2)
        real a = t0 + R(1e-3), b;
        while (s * V(a) > 0) a += R(1e-3);
        b = a, a -= R(1e-3);
        for (int i = 0; i < BISECT; i++) { real m = (a + b) / 2; if (s * V(m) > 0) a = m; else b = m; }
        for (; k < count && (k + 1) * R(20.0) / count <= b; k++) xs[k] = X((k + 1) * R(20.0) / count);
        if (k == count) return;
        x0 = X(b);
        real u = R(1.5) * F(sin)(b);
        if (F(fabs)(u) > 1) { t0 = b; s = u > 0 ? 1 : -1; continue; }
        /* at rest until |u| = 1 and rising: at asin(2/3) + j pi */
        for (t0 = F(asin)(R(1.0) / R(1.5)), s = 1; t0 < b; t0 += pi) s = -s;
    }
}

int main(int argc, char **argv) {
    enum { N = 200 };
    for (what = 0; what < PROBLEMS; what++) {
        char path[4096];
        real y[4] = {0}, xs[N];
        n = states[what], turn = 1, sat = 0, h = R(1e-6);
        if (what == G5) coulomb(xs, N);
        else for (int i = 0; i < N; i++) {
            advance((real)span[what] * i / N, (real)span[what] * (i + 1) / N, y);
            xs[i] = y[0];
        }
        snprintf(path, sizeof path, "%s/%s.csv", argc > 1 ? argv[1] : ".", name[what]);
        FILE *out = fopen(path, "w");
        if (!out) return perror(path), 1;
        fprintf(out, "t,x\n");
        for (int i = 0; i < N; i++) fprintf(out, "%.17g,%.17g\n", (double)span[what] * (i + 1) / N, (double)xs[i]);
        fclose(out);
    }
}
