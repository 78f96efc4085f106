/* Runs a unit of FMI 2.0 as an importer does: driver cs|me|motion|limit|calls|ramp STEP END. See driver.h for what it reads. Prints the time and the outputs
   after every step. Model exchange integrates by the classical Runge-Kutta method in steps of a tenth of a millisecond at most, and locates sign
   changes of the event indicators by bisection. It links with the binary of the unit. */
#include "driver.h"

typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} Callbacks;
typedef struct {
    int again, terminate, nominals_changed, values_changed, has_next;
    double next;
} EventInfo;

void *fmi2Instantiate(const char *, int, const char *, const char *, const Callbacks *, int, int);
void fmi2FreeInstance(void *);
int fmi2SetupExperiment(void *, int, double, double, int, double);
int fmi2EnterInitializationMode(void *);
int fmi2ExitInitializationMode(void *);
int fmi2Terminate(void *);
int fmi2Reset(void *);
int fmi2GetReal(void *, const unsigned *, size_t, double *);
int fmi2SetReal(void *, const unsigned *, size_t, const double *);
int fmi2GetInteger(void *, const unsigned *, size_t, int *);
int fmi2GetBoolean(void *, const unsigned *, size_t, int *);
int fmi2GetFMUstate(void *, void **);
int fmi2SetFMUstate(void *, void *);
int fmi2FreeFMUstate(void *, void **);
int fmi2SerializedFMUstateSize(void *, void *, size_t *);
int fmi2SerializeFMUstate(void *, void *, char *, size_t);
int fmi2DeSerializeFMUstate(void *, const char *, size_t, void **);
int fmi2GetDirectionalDerivative(void *, const unsigned *, size_t, const unsigned *, size_t, const double *, double *);
int fmi2EnterEventMode(void *);
int fmi2NewDiscreteStates(void *, EventInfo *);
int fmi2EnterContinuousTimeMode(void *);
int fmi2CompletedIntegratorStep(void *, int, int *, int *);
int fmi2SetTime(void *, double);
int fmi2SetContinuousStates(void *, const double *, size_t);
int fmi2GetContinuousStates(void *, double *, size_t);
int fmi2GetNominalsOfContinuousStates(void *, double *, size_t);
int fmi2GetDerivatives(void *, double *, size_t);
int fmi2GetEventIndicators(void *, double *, size_t);
int fmi2SetRealInputDerivatives(void *, const unsigned *, size_t, const int *, const double *);
int fmi2DoStep(void *, double, double, int);

static int messages;

static void logger(void *environment, const char *name, int status, const char *category, const char *text, ...) {
    va_list list;
    (void)environment;
    (void)name;
    (void)status;
    (void)category;
    messages++;
    va_start(list, text);
    vfprintf(stderr, text, list);
    va_end(list);
    fputc('\n', stderr);
}

static double get(void *unit, unsigned reference) {
    double value;
    NEED(fmi2GetReal(unit, &reference, 1, &value));
    return value;
}

static void set(void *unit, unsigned reference, double value) {
    NEED(fmi2SetReal(unit, &reference, 1, &value));
}

static int is_stuck(void *unit) {
    int value;
    NEED(fmi2GetBoolean(unit, &stuck, 1, &value));
    return value;
}

static void print(void *unit, double time) {
    printf("%.17g", time);
    if (stuck != 0) {
        printf(" %.17g %.17g", get(unit, FIRST_STATE), get(unit, FIRST_STATE + 1));
    }
    printf(" %.17g", get(unit, friction));
    if (stuck != 0) {
        printf(" %d", is_stuck(unit));
    }
    putchar('\n');
}

static void rates(void *unit, double time, const double *x, double *dx) {
    NEED(fmi2SetTime(unit, time));
    NEED(fmi2SetContinuousStates(unit, x, states));
    NEED(fmi2GetDerivatives(unit, dx, states));
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

static void look(void *unit, double time, const double *x, double *g) {
    NEED(fmi2SetTime(unit, time));
    NEED(fmi2SetContinuousStates(unit, x, states));
    NEED(fmi2GetEventIndicators(unit, g, indicators));
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
    EventInfo info;
    NEED(fmi2EnterEventMode(unit));
    do {
        NEED(fmi2NewDiscreteStates(unit, &info));
    } while (info.again);
    NEED(fmi2EnterContinuousTimeMode(unit));
    NEED(fmi2GetContinuousStates(unit, x, states));
}

static void exchange(void *unit, double step, double end) {
    double x[MOST_NUMBERS], next[MOST_NUMBERS], before[MOST_NUMBERS], after[MOST_NUMBERS], time = 0.0;
    long k, steps = (long)(end / step + 0.5);
    event(unit, x);
    for (k = 0; k < steps; k++) {
        const double stop = (double)(k + 1) * step;
        set(unit, FIRST_INPUT, input(time));
        event(unit, x);
        while (time < stop) {
            const double h = stop - time < 1e-4 ? stop - time : 1e-4;
            int enter, terminate;
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
                runge_kutta(unit, time, high, x, next);
                look(unit, time + high, next, after);
                time = high >= h && lands ? stop : time + high;
                memcpy(x, next, sizeof x);
                event(unit, x);
                continue;
            }
            time = lands ? stop : time + h;
            memcpy(x, next, sizeof x);
            NEED(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
            if (enter) {
                event(unit, x);
            }
        }
        print(unit, time);
    }
}

static void cosimulate(void *unit, double step, double end) {
    long k, steps = (long)(end / step + 0.5);
    for (k = 0; k < steps; k++) {
        const double time = (double)k * step;
        void *kept = NULL, *read = NULL;
        size_t size;
        char *bytes;
        set(unit, FIRST_INPUT, input(time));
        /* every step is taken twice, from the state and from the state that was serialised */
        NEED(fmi2GetFMUstate(unit, &kept));
        NEED(fmi2SerializedFMUstateSize(unit, kept, &size));
        bytes = malloc(size);
        NEED(fmi2SerializeFMUstate(unit, kept, bytes, size));
        NEED(fmi2DoStep(unit, time, step, 0));
        NEED(fmi2DeSerializeFMUstate(unit, bytes, size, &read));
        NEED(fmi2SetFMUstate(unit, read));
        NEED(fmi2DoStep(unit, time, step, 1));
        bytes[0] ^= 1;
        REFUSED(fmi2DeSerializeFMUstate(unit, bytes, size, &read));
        NEED(fmi2FreeFMUstate(unit, &kept));
        NEED(fmi2FreeFMUstate(unit, &read));
        free(bytes);
        print(unit, time + step);
    }
}

/* The input changes linearly within each step of co-simulation: the importer gives its derivative. */
static void ramp(void *unit, double step, double end) {
    const unsigned reference = FIRST_INPUT;
    const int order = 1, second = 2;
    const double slope = values[1];
    long k, steps = (long)(end / step + 0.5);
    REFUSED(fmi2SetRealInputDerivatives(unit, &reference, 1, &second, &slope));
    REFUSED(fmi2SetRealInputDerivatives(unit, &friction, 1, &order, &slope));
    for (k = 0; k < steps; k++) {
        const double time = (double)k * step;
        set(unit, FIRST_INPUT, values[0] + slope * time);
        NEED(fmi2SetRealInputDerivatives(unit, &reference, 1, &order, &slope));
        NEED(fmi2DoStep(unit, time, step, 0));
        print(unit, time + step);
    }
}

/* Steps that cannot be taken are refused, and leave the unit as it was. */
static void check_refusals(void *unit, double time) {
    const double before = get(unit, FIRST_INPUT), value = get(unit, parameter), where = states > 0 ? get(unit, FIRST_STATE) : 0.0;
    set(unit, FIRST_INPUT, NAN);
    REFUSED(fmi2DoStep(unit, time, 0.1, 0));
    set(unit, FIRST_INPUT, before);
    REFUSED(fmi2DoStep(unit, NAN, 0.1, 0));
    REFUSED(fmi2DoStep(unit, time, INFINITY, 0));
    /* a step that does not follow the last one; the importer's rounding is no other time */
    REFUSED(fmi2DoStep(unit, time + 0.1, 0.1, 0));
    REFUSED(fmi2DoStep(unit, time - 0.1, 0.1, 0));
    REFUSED(fmi2DoStep(unit, time * (1.0 + 20.0 * DBL_EPSILON), 0.1, 0));
    NEED(fmi2DoStep(unit, time * (1.0 + 4.0 * DBL_EPSILON), 0.0, 0));
    /* the mass of a body, a parameter of a law: none may be below zero in the laws that are driven here */
    set(unit, parameter, -1.0);
    REFUSED(fmi2DoStep(unit, time, 0.1, 0));
    set(unit, parameter, value);
    NEED(fmi2DoStep(unit, time, 0.0, 0));
    CHECK(states == 0 || get(unit, FIRST_STATE) == where);
}

/* In model exchange an event ends with an error while a parameter is out of its bounds. */
static void check_parameters(void *unit) {
    const double value = get(unit, parameter);
    EventInfo info;
    NEED(fmi2EnterEventMode(unit));
    set(unit, parameter, -1.0);
    REFUSED(fmi2NewDiscreteStates(unit, &info));
    set(unit, parameter, value);
    NEED(fmi2NewDiscreteStates(unit, &info));
    NEED(fmi2EnterContinuousTimeMode(unit));
}

/* Sets a state as one that integrates does, or an input. */
static void move_to(void *unit, unsigned reference, double value) {
    double x[MOST_NUMBERS];
    if (reference < FIRST_STATE) {
        set(unit, reference, value);
        return;
    }
    NEED(fmi2GetContinuousStates(unit, x, states));
    x[reference - FIRST_STATE] = value;
    NEED(fmi2SetContinuousStates(unit, x, states));
}

/* Derivatives along each state and input against difference quotients. */
static void check_derivatives(void *unit) {
    double low[MOST_NUMBERS], high[MOST_NUMBERS], nominal[MOST_NUMBERS];
    unsigned unknown[MOST_NUMBERS], i, j;
    void *kept = NULL;
    NEED(fmi2GetNominalsOfContinuousStates(unit, nominal, states));
    for (i = 0; i < states; i++) {
        unknown[i] = FIRST_STATE + states + i;
    }
    NEED(fmi2GetFMUstate(unit, &kept));
    for (j = 0; j < states + 2; j++) {
        const unsigned known = j < states ? FIRST_STATE + j : FIRST_INPUT + j - states;
        const double one = 1.0, h = 1e-5 * (j < states ? nominal[j] : 1.0), value = get(unit, known);
        double got[MOST_NUMBERS];
        NEED(fmi2GetDirectionalDerivative(unit, unknown, states, &known, 1, &one, got));
        move_to(unit, known, value + h);
        NEED(fmi2GetReal(unit, unknown, states, high));
        move_to(unit, known, value - h);
        NEED(fmi2GetReal(unit, unknown, states, low));
        NEED(fmi2SetFMUstate(unit, kept));
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
    NEED(fmi2FreeFMUstate(unit, &kept));
}

/* A force that rises continuously, as a solver meets it: an event just at the limit keeps the body held, with indicators that have
   not passed their zero; a step that ends beyond the limit leads to an event that lets it go. */
static void check_limit(void *unit, double limit) {
    double x[MOST_NUMBERS], g[MOST_NUMBERS];
    int enter, terminate;
    set(unit, FIRST_INPUT, limit);
    event(unit, x);
    NEED(fmi2GetEventIndicators(unit, g, indicators));
    NEED(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
    CHECK(is_stuck(unit) && g[0] > 0.0 && g[1] > 0.0 && !enter);
    set(unit, FIRST_INPUT, limit * (1.0 + 1e-9));
    NEED(fmi2GetEventIndicators(unit, g, indicators));
    NEED(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
    CHECK(g[0] < 0.0 && enter);
    event(unit, x);
    CHECK(!is_stuck(unit) && get(unit, FIRST_STATE + states + 1) > 0.0);
}

/* Calls in an order that the standard does not allow end with an error and a message. `limit` is the break-away force of a body with mass 1. */
static void check_calls(void *unit, int exchanges, double limit) {
    const unsigned velocity = FIRST_STATE + 1, acceleration = FIRST_STATE + states + 1, force = FIRST_INPUT, none = 100000;
    const double one = 1.0;
    double x[MOST_NUMBERS], value;
    int integer, enter, terminate;
    EventInfo info;
    REFUSED(fmi2DoStep(unit, 0.0, 0.1, 0));
    REFUSED(fmi2ExitInitializationMode(unit));
    REFUSED(fmi2NewDiscreteStates(unit, &info));
    REFUSED(fmi2EnterContinuousTimeMode(unit));
    REFUSED(fmi2GetDerivatives(unit, x, states));
    REFUSED(fmi2Terminate(unit));
    REFUSED(fmi2SetupExperiment(unit, 0, 0.0, NAN, 0, 0.0));
    REFUSED(fmi2DoStep(NULL, 0.0, 0.1, 0));
    REFUSED(fmi2GetReal(NULL, &force, 1, &value));
    CHECK(messages >= 7);
    NEED(fmi2SetupExperiment(unit, 1, 1e-9, 0.0, 0, 0.0));
    NEED(fmi2EnterInitializationMode(unit));
    REFUSED(fmi2EnterInitializationMode(unit));
    REFUSED(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0));
    REFUSED(fmi2GetReal(unit, &none, 1, &value));
    REFUSED(fmi2SetReal(unit, &acceleration, 1, &one));
    REFUSED(fmi2GetInteger(unit, &force, 1, &integer));
    /* the last of several start velocities counts, whatever was read in between */
    set(unit, velocity, 0.5);
    CHECK(get(unit, friction) > 0.0 && !is_stuck(unit));
    set(unit, velocity, -0.25);
    CHECK(get(unit, friction) < 0.0 && !is_stuck(unit));
    set(unit, velocity, 0.0);
    set(unit, force, 0.5 * limit);
    CHECK(is_stuck(unit) && get(unit, friction) == 0.5 * limit);
    NEED(fmi2GetDirectionalDerivative(unit, &acceleration, 1, &force, 1, &one, &value));
    CHECK(value == 0.0);
    /* and the derivatives are those of what has been set */
    set(unit, force, 2.0 * limit);
    NEED(fmi2GetDirectionalDerivative(unit, &acceleration, 1, &force, 1, &one, &value));
    CHECK(value == 1.0);
    set(unit, velocity, 0.25);
    set(unit, velocity, -0.25);
    NEED(fmi2ExitInitializationMode(unit));
    CHECK(get(unit, velocity) == -0.25 && get(unit, friction) < 0.0);
    REFUSED(fmi2ExitInitializationMode(unit));
    if (exchanges) {
        REFUSED(fmi2DoStep(unit, 0.0, 0.1, 0));
        REFUSED(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
        event(unit, x);
        CHECK(x[1] == -0.25);
        REFUSED(fmi2NewDiscreteStates(unit, &info));
        /* an importer that evaluates the equations anywhere sets states as variables; one that integrates sets them all */
        set(unit, velocity, 0.5);
        CHECK(get(unit, friction) > 0.0 && !is_stuck(unit));
        set(unit, velocity, 0.0);
        set(unit, force, 0.5 * limit);
        CHECK(is_stuck(unit) && get(unit, acceleration) == 0.0);
        set(unit, velocity, -0.25);
        NEED(fmi2SetContinuousStates(unit, x, states));
        REFUSED(fmi2SetContinuousStates(unit, x, states + 1));
        REFUSED(fmi2GetEventIndicators(unit, x, indicators + 1));
        REFUSED(fmi2SetTime(unit, INFINITY));
    } else {
        REFUSED(fmi2SetReal(unit, &velocity, 1, &one));
        REFUSED(fmi2SetTime(unit, 1.0));
        REFUSED(fmi2SetContinuousStates(unit, x, states));
        REFUSED(fmi2EnterEventMode(unit));
        REFUSED(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
        NEED(fmi2DoStep(unit, 0.0, 0.001, 0));
        CHECK(get(unit, velocity) > -0.25 && get(unit, velocity) < 0.0);
    }
    NEED(fmi2Terminate(unit));
    REFUSED(fmi2SetReal(unit, &force, 1, &one));
    REFUSED(fmi2DoStep(unit, 0.1, 0.1, 0));
    NEED(fmi2Reset(unit));
    CHECK(get(unit, velocity) == 0.0 && get(unit, force) == 0.0);
    NEED(fmi2EnterInitializationMode(unit));
    NEED(fmi2ExitInitializationMode(unit));
    NEED(fmi2Terminate(unit));
}

int main(int arguments, char **argument) {
    static const Callbacks functions = {logger, calloc, free, NULL, NULL};
    const char *what = arguments > 3 ? argument[1] : "";
    const int exchanges = strcmp(what, "me") == 0 || strcmp(what, "motion") == 0 || strcmp(what, "limit") == 0;
    double step, end;
    void *unit;
    if (arguments < 4) {
        return 2;
    }
    step = atof(argument[2]);
    end = atof(argument[3]);
    read_task();
    CHECK(fmi2Instantiate("unit", 1, "another", resources, NULL, 0, 0) == NULL);
    CHECK(fmi2Instantiate("unit", 1, NULL, resources, &functions, 0, 0) == NULL);
    if (strcmp(what, "calls") == 0) {
        int type;
        for (type = 0; type < 2; type++) {
            messages = 0;
            unit = fmi2Instantiate("unit", type, token, resources, &functions, 0, 0);
            CHECK(unit != NULL);
            check_calls(unit, type == 0, input(0.0));
            fmi2FreeInstance(unit);
        }
        fmi2FreeInstance(NULL);
        return 0;
    }
    unit = fmi2Instantiate("unit", exchanges ? 0 : 1, token, resources, &functions, 0, 0);
    CHECK(unit != NULL);
    NEED(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0));
    NEED(fmi2EnterInitializationMode(unit));
    set(unit, FIRST_INPUT, input(0.0));
    NEED(fmi2ExitInitializationMode(unit));
    if (strcmp(what, "limit") == 0) {
        check_limit(unit, input(0.0));
    } else if (strcmp(what, "ramp") == 0) {
        ramp(unit, step, end);
    } else if (exchanges) {
        exchange(unit, step, end);
        /* "motion" leaves out what has no meaning for a memory that counts, whose numbers cannot be moved by a little */
        if (strcmp(what, "me") == 0) {
            check_derivatives(unit);
        }
        check_parameters(unit);
    } else {
        cosimulate(unit, step, end);
        check_refusals(unit, end);
    }
    NEED(fmi2Terminate(unit));
    fmi2FreeInstance(unit);
    return 0;
}
