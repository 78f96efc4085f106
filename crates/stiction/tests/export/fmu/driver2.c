/* Runs a unit of FMI 2.0 as an importer does: driver cs|me STEP END < INPUTS, where INPUTS are lines "time value" of the first input, held until
   the next. Prints the time and the outputs after every step. Model exchange integrates by the classical Runge-Kutta method in
   steps of a tenth of a millisecond at most, and locates sign changes of the event indicators by bisection. */
#include "unit.c"

enum { MOST = 1000 };
static double times[MOST], values[MOST];
static int count;

static void logger(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String text, ...) {
    va_list list;
    (void)environment;
    (void)name;
    (void)status;
    (void)category;
    va_start(list, text);
    vfprintf(stderr, text, list);
    va_end(list);
    fputc('\n', stderr);
}

static double input(double time) {
    int k = 0;
    while (k + 1 < count && times[k + 1] <= time + 1e-9) {
        k++;
    }
    return values[k];
}

static void need(int status) {
    if (status != fmi2OK) {
        exit(1);
    }
}

static void print(void *unit, double time) {
    const unsigned friction = FRICTION_REFERENCE;
    double out;
    int i;
    printf("%.17g", time);
    for (i = 0; i < 2 * IS_BODY; i++) {
        const unsigned reference = (unsigned)(FIRST_STATE + i);
        need(fmi2GetReal(unit, &reference, 1, &out));
        printf(" %.17g", out);
    }
    need(fmi2GetReal(unit, &friction, 1, &out));
    printf(" %.17g", out);
#if IS_BODY
    {
        const unsigned reference = STUCK_REFERENCE;
        int stuck;
        need(fmi2GetBoolean(unit, &reference, 1, &stuck));
        printf(" %d", stuck);
    }
#endif
    putchar('\n');
}

static void rates(void *unit, double time, const double *x, double *dx) {
    need(fmi2SetTime(unit, time));
    need(fmi2SetContinuousStates(unit, x, STATES));
    need(fmi2GetDerivatives(unit, dx, STATES));
}

static void runge_kutta(void *unit, double time, double h, const double *x, double *end) {
    double k[4][STATES + 1], at[STATES + 1];
    const double part[4] = {0.0, 0.5, 0.5, 1.0};
    int i, n;
    for (i = 0; i < 4; i++) {
        for (n = 0; n < STATES; n++) {
            at[n] = x[n] + (i > 0 ? part[i] * h * k[i - 1][n] : 0.0);
        }
        rates(unit, time + part[i] * h, at, k[i]);
    }
    for (n = 0; n < STATES; n++) {
        end[n] = x[n] + h / 6.0 * (k[0][n] + 2.0 * k[1][n] + 2.0 * k[2][n] + k[3][n]);
    }
}

static void indicators(void *unit, double time, const double *x, double *g) {
    need(fmi2SetTime(unit, time));
    need(fmi2SetContinuousStates(unit, x, STATES));
    need(fmi2GetEventIndicators(unit, g, GUARDS));
}

static int changes(const double *before, const double *after) {
    int k;
    for (k = 0; k < GUARDS; k++) {
        if ((before[k] > 0.0) != (after[k] > 0.0)) {
            return 1;
        }
    }
    return 0;
}

static void event(void *unit, double *x) {
    fmi2EventInfo info;
    need(fmi2EnterEventMode(unit));
    do {
        need(fmi2NewDiscreteStates(unit, &info));
    } while (info.newDiscreteStatesNeeded);
    need(fmi2EnterContinuousTimeMode(unit));
    need(fmi2GetContinuousStates(unit, x, STATES));
}

static void exchange(void *unit, double step, double end) {
    const unsigned reference = FIRST_INPUT;
    double x[STATES + 1], next[STATES + 1], before[GUARDS + 1], after[GUARDS + 1], time = 0.0;
    long k, steps = (long)(end / step + 0.5);
    event(unit, x);
    for (k = 0; k < steps; k++) {
        const double u = input(time), stop = (double)(k + 1) * step;
        need(fmi2SetReal(unit, &reference, 1, &u));
        event(unit, x);
        while (time < stop) {
            double h = stop - time < 1e-4 ? stop - time : 1e-4;
            int enter, terminate;
            const int lands = time + h >= stop;
            indicators(unit, time, x, before);
            runge_kutta(unit, time, h, x, next);
            indicators(unit, time + h, next, after);
            if (changes(before, after)) {
                double low = 0.0, high = h;
                int turn;
                for (turn = 0; turn < 60 && high - low > 1e-15 * (1.0 + time); turn++) {
                    const double middle = 0.5 * (low + high);
                    runge_kutta(unit, time, middle, x, next);
                    indicators(unit, time + middle, next, after);
                    if (changes(before, after)) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                runge_kutta(unit, time, high, x, next);
                indicators(unit, time + high, next, after);
                time = high >= h && lands ? stop : time + high;
                memcpy(x, next, sizeof x);
                event(unit, x);
                continue;
            }
            time = lands ? stop : time + h;
            memcpy(x, next, sizeof x);
            need(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
            if (enter) {
                event(unit, x);
            }
        }
        print(unit, time);
    }
}

static void cosimulate(void *unit, double step, double end) {
    const unsigned reference = FIRST_INPUT;
    long k, steps = (long)(end / step + 0.5);
    for (k = 0; k < steps; k++) {
        const double time = (double)k * step, u = input(time);
        fmi2FMUstate kept = NULL, read = NULL;
        size_t size;
        char *bytes;
        need(fmi2SetReal(unit, &reference, 1, &u));
        /* every step is taken twice, from the state and from the state that was serialised */
        need(fmi2GetFMUstate(unit, &kept));
        need(fmi2SerializedFMUstateSize(unit, kept, &size));
        bytes = malloc(size);
        need(fmi2SerializeFMUstate(unit, kept, bytes, size));
        need(fmi2DoStep(unit, time, step, 0));
        need(fmi2DeSerializeFMUstate(unit, bytes, size, &read));
        need(fmi2SetFMUstate(unit, read));
        need(fmi2DoStep(unit, time, step, 1));
        need(fmi2FreeFMUstate(unit, &kept));
        need(fmi2FreeFMUstate(unit, &read));
        free(bytes);
        print(unit, time + step);
    }
}

/* Steps that cannot be taken are refused, and leave the unit as it was. */
static void check_refusals(void *unit) {
    const unsigned force = FIRST_INPUT, first = FIRST_PARAMETER;
    const double none = NAN, before = ((Unit *)unit)->state.input[0], value = ((Unit *)unit)->state.p[0], wrong = -1.0;
    const double time = ((Unit *)unit)->state.time;
    need(fmi2SetReal(unit, &force, 1, &none));
    if (fmi2DoStep(unit, time, 0.1, 0) != fmi2Error) {
        exit(8);
    }
    need(fmi2SetReal(unit, &force, 1, &before));
    if (fmi2DoStep(unit, NAN, 0.1, 0) != fmi2Error || fmi2DoStep(unit, time, INFINITY, 0) != fmi2Error) {
        exit(9);
    }
    /* the mass of a body, a parameter of a law: none may be below zero in the laws that are driven here */
    need(fmi2SetReal(unit, &first, 1, &wrong));
    if (fmi2DoStep(unit, time, 0.1, 0) != fmi2Error) {
        exit(10);
    }
    need(fmi2SetReal(unit, &first, 1, &value));
    need(fmi2DoStep(unit, time, 0.0, 0));
}

/* Derivatives along each state and input against difference quotients. */
static void check_derivatives(void *unit) {
    double x[STATES + 1], low[STATES + 1], high[STATES + 1];
    unsigned unknown[STATES + 1];
    int i, j;
    const State kept = ((Unit *)unit)->state;
    for (i = 0; i < STATES; i++) {
        unknown[i] = (unsigned)(FIRST_DERIVATIVE + i);
    }
    memcpy(x, kept.x, sizeof x);
    for (j = 0; j < STATES + 2; j++) {
        const int is_state = j < STATES;
        const unsigned known = (unsigned)(is_state ? FIRST_STATE + j : FIRST_INPUT + j - STATES);
        const double one = 1.0, size = is_state ? state_nominals[j] : 1.0, h = 1e-5 * size;
        double got[STATES + 1], value;
        if (is_state && !state_flows[j]) {
            continue;
        }
        need(fmi2GetReal(unit, &known, 1, &value));
        need(fmi2GetDirectionalDerivative(unit, unknown, STATES, &known, 1, &one, got));
        value += h;
        need(fmi2SetReal(unit, &known, 1, &value));
        need(fmi2GetReal(unit, unknown, STATES, high));
        value -= 2.0 * h;
        need(fmi2SetReal(unit, &known, 1, &value));
        need(fmi2GetReal(unit, unknown, STATES, low));
        ((Unit *)unit)->state = kept;
        for (i = 0; i < STATES; i++) {
            const double want = (high[i] - low[i]) / (2.0 * h);
            /* the error of a central difference: h squared, and rounding over h */
            const double tolerance = 1e-4 * fabs(want) + 1e-9 * (fabs(high[i]) + fabs(low[i])) / h + 1e-9;
            if (!(fabs(got[i] - want) <= tolerance)) {
                fprintf(stderr, "derivative %d by %d: %g instead of %g\n", i, j, got[i], want);
                exit(1);
            }
        }
    }
}

#if IS_BODY && HAS_SET
/* A force that rises continuously, as a solver meets it: an event just at the limit keeps the body held, with indicators that have
   not passed their zero; a step that ends beyond the limit leads to an event that lets it go. */
static void check_limit(void *unit, double limit) {
    const unsigned reference = FIRST_INPUT;
    const double beyond = limit * (1.0 + 1e-9);
    double x[STATES + 1], g[GUARDS + 1];
    int enter, terminate;
    need(fmi2SetReal(unit, &reference, 1, &limit));
    event(unit, x);
    need(fmi2GetEventIndicators(unit, g, GUARDS));
    need(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
    if (((Unit *)unit)->state.mode != 0 || !(g[0] > 0.0 && g[1] > 0.0) || enter) {
        exit(5);
    }
    need(fmi2SetReal(unit, &reference, 1, &beyond));
    need(fmi2GetEventIndicators(unit, g, GUARDS));
    need(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
    if (!(g[0] < 0.0) || !enter) {
        exit(6);
    }
    event(unit, x);
    if (((Unit *)unit)->state.mode != 1) {
        exit(7);
    }
}
#endif

int main(int arguments, char **argument) {
    static const fmi2CallbackFunctions functions = {logger, calloc, free, NULL, NULL};
    const int exchanges = arguments > 1 && strcmp(argument[1], "cs") != 0;
    const unsigned reference = FIRST_INPUT;
    double start;
    void *unit;
    if (arguments < 4) {
        return 2;
    }
    while (count < MOST && scanf("%lf %lf", &times[count], &values[count]) == 2) {
        count++;
    }
    if (fmi2Instantiate("unit", fmi2CoSimulation, "another", "", NULL, 0, 0) != NULL) {
        return 3;
    }
    unit = fmi2Instantiate("unit", exchanges ? fmi2ModelExchange : fmi2CoSimulation, UNIT_TOKEN, "", &functions, 0, 0);
    if (unit == NULL) {
        return 4;
    }
    start = input(0.0);
    need(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0));
    need(fmi2EnterInitializationMode(unit));
    need(fmi2SetReal(unit, &reference, 1, &start));
    need(fmi2ExitInitializationMode(unit));
#if IS_BODY && HAS_SET
    if (strcmp(argument[1], "limit") == 0) {
        check_limit(unit, start);
        return 0;
    }
#endif
    if (exchanges) {
        exchange(unit, atof(argument[2]), atof(argument[3]));
        check_derivatives(unit);
    } else {
        cosimulate(unit, atof(argument[2]), atof(argument[3]));
        check_refusals(unit);
    }
    need(fmi2Terminate(unit));
    fmi2FreeInstance(unit);
    return 0;
}
