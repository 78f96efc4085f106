/* One step of Rodas5P (Steinebach 2023): an L-stable, stiffly accurate Rosenbrock method of order 5 with an error estimate and dense
   output of order 4. Its stages solve
       (1/(h gamma) - J) k_i = f(t + c_i h, x + sum a_ij k_j) + sum C_ij k_j / h + h d_i df/dt. */

/* Below this speed the slopes are those at it: where the slope at rest has no bound, it describes none of the speeds within a step. */
#define SLOPE_SPEED 1e-12

typedef struct Step {
    double start[MOST_STATES];
    double end[MOST_STATES];
    double dense[3][MOST_STATES];
    double time;
    double length;
    int states;
    const char *flows;
} Step;

/* A = L U with row exchanges; 0 if it is singular. */
static int factorise(double a[][MOST_STATES], int n, int *pivot) {
    int i, j, k;
    for (k = 0; k < n; k++) {
        int best = k;
        for (i = k + 1; i < n; i++) {
            if (fabs(a[i][k]) > fabs(a[best][k])) {
                best = i;
            }
        }
        pivot[k] = best;
        if (!(fabs(a[best][k]) > 0.0)) {
            return 0;
        }
        for (j = 0; best != k && j < n; j++) {
            const double kept = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        for (i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (j = k + 1; j < n; j++) {
                a[i][j] -= a[i][k] * a[k][j];
            }
        }
    }
    return 1;
}

static void solve(double a[][MOST_STATES], int n, const int *pivot, double *b) {
    int i, j;
    for (i = 0; i < n; i++) {
        const double kept = b[pivot[i]];
        b[pivot[i]] = b[i];
        b[i] = kept;
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            b[i] -= a[i][j] * b[j];
        }
    }
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++) {
            b[i] -= a[i][j] * b[j];
        }
        b[i] /= a[i][i];
    }
}

/* Takes a step of length h from the present state. Returns the error relative to the tolerance; not a number if the step cannot be taken. */
static double take_step(const State *s, double h, Step *step) {
    double w[MOST_STATES][MOST_STATES], k[8][MOST_STATES], x[MOST_STATES], rates[MOST_STATES], by_time[MOST_STATES];
    const double no_input[2] = {0.0, 0.0}, no_parameters[MOST_PARAMETERS] = {0.0};
    double sum = 0.0;
    /* the states that flow: the others are constant within the step, and no unknowns of it */
    int which[MOST_STATES], pivot[MOST_STATES], i, j, n, r, flowing = 0;
    memcpy(step->start, s->x, sizeof step->start);
    memcpy(step->end, s->x, sizeof step->end);
    step->time = s->time;
    step->length = h;
    step->states = STATES;
    step->flows = state_flows;
    for (n = 0; n < STATES; n++) {
        if (state_flows[n]) {
            which[flowing++] = n;
        }
    }
    memcpy(x, s->x, sizeof x);
    if (IS_BODY && s->mode != 0 && fabs(VELOCITY(x)) < SLOPE_SPEED) {
        VELOCITY(x) = s->mode * SLOPE_SPEED;
    }
    /* the Jacobian, column by column */
    for (j = 0; j < flowing; j++) {
        double unit[MOST_STATES] = {0.0}, column[MOST_STATES] = {0.0};
        unit[which[j]] = 1.0;
        (void)derivatives_along(s, s->time, x, unit, no_input, no_parameters, column);
        for (i = 0; i < flowing; i++) {
            w[i][j] = (i == j ? 1.0 / (h * RODAS_GAMMA) : 0.0) - column[which[i]];
        }
    }
    {
        const double unmoved[MOST_STATES] = {0.0};
        (void)derivatives_along(s, s->time, x, unmoved, s->slope, no_parameters, by_time);
    }
    if (!factorise(w, flowing, pivot)) {
        return NAN;
    }
    memcpy(x, s->x, sizeof x);
    for (i = 0; i < 8; i++) {
        if (i < 6) {
            memcpy(x, s->x, sizeof x);
            for (j = 0; j < i; j++) {
                for (n = 0; n < flowing; n++) {
                    x[which[n]] += RODAS_A[i][j] * k[j][n];
                }
            }
        } else {
            /* the last two stages start where the one before ends */
            for (n = 0; n < flowing; n++) {
                x[which[n]] += k[i - 1][n];
            }
        }
        (void)derivatives(s, s->time + RODAS_NODES[i] * h, x, rates);
        for (n = 0; n < flowing; n++) {
            double earlier = 0.0;
            for (j = 0; j < i; j++) {
                earlier += RODAS_C[i][j] * k[j][n];
            }
            k[i][n] = rates[which[n]] + (earlier / h + h * RODAS_D[i] * by_time[which[n]]);
        }
        solve(w, flowing, pivot, k[i]);
    }
    for (n = 0; n < flowing; n++) {
        r = which[n];
        step->end[r] = x[r] + k[7][n];
        for (j = 0; j < 3; j++) {
            step->dense[j][r] = 0.0;
            for (i = 0; i < 8; i++) {
                step->dense[j][r] += RODAS_H[j][i] * k[i][n];
            }
        }
        {
            const double larger = fabs(step->end[r]) > fabs(s->x[r]) ? step->end[r] : s->x[r];
            const double error = k[7][n] / allowed_error(s, r, larger);
            sum += error * error;
        }
    }
    return flowing > 0 ? sqrt(sum / flowing) : 0.0;
}

/* The states at a fraction of the step. Those that do not flow keep every bit: a count that is off by rounding has another parity. */
static void within_step(const Step *step, double theta, double *x) {
    int n;
    for (n = 0; n < step->states; n++) {
        const double rest = 1.0 - theta;
        double inner;
        if (!step->flows[n] || !(theta < 1.0)) {
            x[n] = step->end[n];
            continue;
        }
        inner = step->dense[0][n] + theta * (step->dense[1][n] + theta * step->dense[2][n]);
        x[n] = rest * step->start[n] + theta * (step->end[n] + rest * inner);
    }
}
