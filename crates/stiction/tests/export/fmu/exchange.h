/* Model exchange, the same in both versions: the importer integrates by the classical Runge-Kutta method in steps of a tenth of a millisecond at most,
   and locates sign changes of the event indicators by bisection. The functions that are declared here call the interface of a version. */

static double get(void *unit, unsigned reference);
static void set(void *unit, unsigned reference, double value);
/* The status of setting a number. */
static int try_set(void *unit, unsigned reference, double value);
static int is_stuck(void *unit);
static void set_point(void *unit, double time, const double *x);
static void get_states(void *unit, double *x);
static void get_nominals(void *unit, double *x);
static void get_rates(void *unit, double *dx);
static void get_indicators(void *unit, double *g);
/* Whether the unit asks for an event at the end of a step. */
static int completed(void *unit);
static void enter_events(void *unit);
/* The status of one update of the discrete states; whether it wants another one. */
static int update_discrete(void *unit, int *again);
static void leave_events(void *unit);
static void get_slopes(void *unit, const unsigned *unknown, unsigned count, unsigned known, double *slope);
static void keep(void *unit, void **kept);
static void restore(void *unit, void *kept);
static void release(void *unit, void **kept);

/* The input is input(time), held over a step of the importer; or `values[0] + values[1]*time`, at every instant. */
static int is_rising;
/* Whether the importer stops before the zeros that it has located, not beyond them. */
static int stops_before;
static double event_times[MOST];
static int events_found;

/* Whether the states are printed in place of the outputs. */
static int prints_states;

static void print(void *unit, double time) {
    unsigned i;
    printf("%.17g", time);
    for (i = 0; prints_states && i < states; i++) {
        printf(" %.17g", get(unit, FIRST_STATE + i));
    }
    if (prints_states) {
        putchar('\n');
        return;
    }
    if (stuck != 0) {
        printf(" %.17g %.17g", get(unit, FIRST_STATE), get(unit, FIRST_STATE + 1));
    }
    printf(" %.17g", get(unit, friction));
    if (stuck != 0) {
        printf(" %d", is_stuck(unit));
    }
    putchar('\n');
}

static void move_unit(void *unit, double time, const double *x) {
    set_point(unit, time, x);
    if (is_rising) {
        set(unit, FIRST_INPUT, values[0] + values[1] * time);
    }
}

static void rates(void *unit, double time, const double *x, double *dx) {
    move_unit(unit, time, x);
    get_rates(unit, dx);
}

static void look(void *unit, double time, const double *x, double *g) {
    move_unit(unit, time, x);
    get_indicators(unit, g);
}

static void runge_kutta(void *unit, double time, double h, const double *x, double *end) {
    double k[4][MOST_NUMBERS], at[MOST_NUMBERS];
    const double part[4] = {0.0, 0.5, 0.5, 1.0};
    unsigned i, n;
    for (i = 0; i < 4; i++) {
        for (n = 0; n < states; n++) {
            at[n] = x[n] + (i > 0 ? part[i] * h * k[i - 1][n] : 0.0);
        }
        rates(unit, time + part[i] * h, at, k[i]);
    }
    for (n = 0; n < states; n++) {
        end[n] = x[n] + h / 6.0 * (k[0][n] + 2.0 * k[1][n] + 2.0 * k[2][n] + k[3][n]);
    }
}

static int changes(const double *before, const double *after) {
    unsigned k;
    for (k = 0; k < indicators; k++) {
        if ((before[k] > 0.0) != (after[k] > 0.0)) {
            return 1;
        }
    }
    return 0;
}

static void event(void *unit, double *x) {
    int again = 0;
    enter_events(unit);
    do {
        NEED(update_discrete(unit, &again));
    } while (again);
    leave_events(unit);
    get_states(unit, x);
}

static void exchange(void *unit, double step, double end) {
    double x[MOST_NUMBERS], next[MOST_NUMBERS], before[MOST_NUMBERS], after[MOST_NUMBERS], time = 0.0;
    long k, steps = (long)(end / step + 0.5);
    event(unit, x);
    for (k = 0; k < steps; k++) {
        const double stop = (double)(k + 1) * step;
        if (!is_rising) {
            set(unit, FIRST_INPUT, input(time));
            event(unit, x);
        }
        while (time < stop) {
            const double h = stop - time < 1e-4 ? stop - time : 1e-4;
            const int lands = time + h >= stop;
            look(unit, time, x, before);
            runge_kutta(unit, time, h, x, next);
            look(unit, time + h, next, after);
            if (changes(before, after)) {
                double low = 0.0, high = h;
                int turn;
                for (turn = 0; turn < 60 && high - low > 1e-15 * (1.0 + time); turn++) {
                    const double middle = 0.5 * (low + high);
                    runge_kutta(unit, time, middle, x, next);
                    look(unit, time + middle, next, after);
                    if (changes(before, after)) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                if (stops_before) {
                    /* an indicator that has just passed its zero, and has not jumped, would be found for ever */
                    NEED(events_found >= 100);
                    high = low;
                }
                runge_kutta(unit, time, high, x, next);
                look(unit, time + high, next, after);
                time = high >= h && lands ? stop : time + high;
                memcpy(x, next, sizeof x);
                if (events_found < MOST) {
                    event_times[events_found++] = time;
                }
                event(unit, x);
                continue;
            }
            time = lands ? stop : time + h;
            memcpy(x, next, sizeof x);
            if (completed(unit)) {
                event(unit, x);
            }
        }
        print(unit, time);
    }
}

/* A parameter out of its bounds is refused, and keeps its value. */
static void check_parameters(void *unit) {
    const double value = get(unit, parameter);
    int again;
    REFUSED(try_set(unit, parameter, -1.0));
    enter_events(unit);
    REFUSED(try_set(unit, parameter, NAN));
    CHECK(get(unit, parameter) == value);
    NEED(update_discrete(unit, &again));
    leave_events(unit);
}

/* Sets a state as one that integrates does, or an input. */
static void move_to(void *unit, double time, unsigned reference, double value) {
    double x[MOST_NUMBERS];
    if (reference < FIRST_STATE) {
        set(unit, reference, value);
        return;
    }
    get_states(unit, x);
    x[reference - FIRST_STATE] = value;
    set_point(unit, time, x);
}

/* Derivatives along each state and input against difference quotients. */
static void check_derivatives(void *unit, double time) {
    double low[MOST_NUMBERS], high[MOST_NUMBERS], nominal[MOST_NUMBERS];
    unsigned unknown[MOST_NUMBERS], i, j;
    void *kept = NULL;
    get_nominals(unit, nominal);
    for (i = 0; i < states; i++) {
        unknown[i] = FIRST_STATE + states + i;
    }
    keep(unit, &kept);
    for (j = 0; j < states + 2; j++) {
        const unsigned known = j < states ? FIRST_STATE + j : FIRST_INPUT + j - states;
        const double h = 1e-5 * (j < states ? nominal[j] : 1.0), value = get(unit, known);
        double got[MOST_NUMBERS];
        get_slopes(unit, unknown, states, known, got);
        move_to(unit, time, known, value + h);
        get_rates(unit, high);
        for (i = 0; i < states; i++) {
            CHECK(get(unit, unknown[i]) == high[i]);
        }
        move_to(unit, time, known, value - h);
        get_rates(unit, low);
        restore(unit, kept);
        for (i = 0; i < states; i++) {
            const double want = (high[i] - low[i]) / (2.0 * h);
            /* the error of a central difference: h squared, and rounding over h */
            const double tolerance = 1e-4 * fabs(want) + 1e-9 * (fabs(high[i]) + fabs(low[i])) / h + 1e-9;
            if (!(fabs(got[i] - want) <= tolerance)) {
                fprintf(stderr, "derivative %u by %u: %g instead of %g\n", i, j, got[i], want);
                exit(1);
            }
        }
    }
    release(unit, &kept);
}

/* A force that rises continuously, as a solver meets it: an event just at the limit keeps the body held, with indicators that have
   not passed their zero; a step that ends beyond the limit leads to an event that lets it go. */
static void check_limit(void *unit, double limit) {
    double x[MOST_NUMBERS], g[MOST_NUMBERS];
    set(unit, FIRST_INPUT, limit);
    event(unit, x);
    get_indicators(unit, g);
    CHECK(is_stuck(unit) && g[0] > 0.0 && g[1] > 0.0 && !completed(unit));
    set(unit, FIRST_INPUT, limit * (1.0 + 1e-9));
    get_indicators(unit, g);
    CHECK(g[0] < 0.0 && completed(unit));
    event(unit, x);
    CHECK(!is_stuck(unit) && get(unit, FIRST_STATE + states + 1) > 0.0);
}
