/* Runs a unit of FMI 2.0 as an importer does: driver cs|memory|me|motion|limit|rounding|calls|ramp|far STEP END. See driver.h for what it reads. Prints the time and the outputs
   after every step; exchange.h says how it integrates in model exchange. It links with the binary of the unit. */
#include "driver.h"

#include "exchange.h"

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
static char last_message[500];

static void logger(void *environment, const char *name, int status, const char *category, const char *text, ...) {
    va_list list;
    (void)environment;
    (void)name;
    (void)status;
    (void)category;
    messages++;
    va_start(list, text);
    vsnprintf(last_message, sizeof last_message, text, list);
    va_end(list);
    fprintf(stderr, "%s\n", last_message);
}

static double get(void *unit, unsigned reference) {
    double value;
    NEED(fmi2GetReal(unit, &reference, 1, &value));
    return value;
}

static int try_set(void *unit, unsigned reference, double value) {
    return fmi2SetReal(unit, &reference, 1, &value);
}

static void set(void *unit, unsigned reference, double value) {
    NEED(try_set(unit, reference, value));
}

static int is_stuck(void *unit) {
    int value;
    NEED(fmi2GetBoolean(unit, &stuck, 1, &value));
    return value;
}

static void set_point(void *unit, double time, const double *x) {
    NEED(fmi2SetTime(unit, time));
    NEED(fmi2SetContinuousStates(unit, x, states));
}

static void get_states(void *unit, double *x) {
    NEED(fmi2GetContinuousStates(unit, x, states));
}

static void get_nominals(void *unit, double *x) {
    NEED(fmi2GetNominalsOfContinuousStates(unit, x, states));
}

static void get_rates(void *unit, double *dx) {
    NEED(fmi2GetDerivatives(unit, dx, states));
}

static void get_indicators(void *unit, double *g) {
    NEED(fmi2GetEventIndicators(unit, g, indicators));
}

static int completed(void *unit) {
    int enter, terminate;
    NEED(fmi2CompletedIntegratorStep(unit, 1, &enter, &terminate));
    CHECK(!terminate);
    return enter;
}

static void enter_events(void *unit) {
    NEED(fmi2EnterEventMode(unit));
}

static int update_discrete(void *unit, int *again) {
    EventInfo info;
    const int status = fmi2NewDiscreteStates(unit, &info);
    *again = info.again;
    return status;
}

static void leave_events(void *unit) {
    NEED(fmi2EnterContinuousTimeMode(unit));
}

static void get_slopes(void *unit, const unsigned *unknown, unsigned count, unsigned known, double *slope) {
    const double one = 1.0;
    NEED(fmi2GetDirectionalDerivative(unit, unknown, count, &known, 1, &one, slope));
}

static void keep(void *unit, void **kept) {
    NEED(fmi2GetFMUstate(unit, kept));
}

static void restore(void *unit, void *kept) {
    NEED(fmi2SetFMUstate(unit, kept));
}

static void release(void *unit, void **kept) {
    NEED(fmi2FreeFMUstate(unit, kept));
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
    const double slope = values[1], not_finite[3] = {100.0, NAN, INFINITY};
    const unsigned inputs[2] = {FIRST_INPUT, FIRST_INPUT + 1};
    const int orders[2] = {1, 1};
    long k, steps = (long)(end / step + 0.5);
    REFUSED(fmi2SetRealInputDerivatives(unit, &reference, 1, &second, &slope));
    REFUSED(fmi2SetRealInputDerivatives(unit, &friction, 1, &order, &slope));
    /* of several derivatives none is taken if one is no number */
    REFUSED(fmi2SetRealInputDerivatives(unit, inputs, 2, orders, not_finite));
    REFUSED(fmi2SetRealInputDerivatives(unit, inputs, 2, orders, not_finite + 1));
    NEED(fmi2DoStep(unit, 0.0, 0.0, 0));
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
    REFUSED(try_set(unit, parameter, -1.0));
    CHECK(get(unit, parameter) == value);
    NEED(fmi2DoStep(unit, time, 0.0, 0));
    CHECK(states == 0 || get(unit, FIRST_STATE) == where);
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
        /* after the initialisation the unit is in event mode, which FMI 2.0 allows to be entered again */
        NEED(fmi2EnterEventMode(unit));
        NEED(fmi2NewDiscreteStates(unit, &info));
        NEED(fmi2EnterContinuousTimeMode(unit));
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

/* A state is one of a unit in the same use, with every byte as it was. */
static void check_states(void *exchanging, void *stepping) {
    void *kept = NULL, *read = NULL;
    size_t size, i;
    char *bytes;
    NEED(fmi2GetFMUstate(exchanging, &kept));
    REFUSED(fmi2SetFMUstate(stepping, kept));
    NEED(fmi2SetFMUstate(exchanging, kept));
    NEED(fmi2SerializedFMUstateSize(exchanging, kept, &size));
    bytes = malloc(size);
    NEED(fmi2SerializeFMUstate(exchanging, kept, bytes, size));
    REFUSED(fmi2DeSerializeFMUstate(stepping, bytes, size, &read));
    REFUSED(fmi2DeSerializeFMUstate(exchanging, bytes, size - 1, &read));
    for (i = 0; i < size; i++) {
        bytes[i] ^= 64;
        REFUSED(fmi2DeSerializeFMUstate(exchanging, bytes, size, &read));
        bytes[i] ^= 64;
    }
    NEED(fmi2DeSerializeFMUstate(exchanging, bytes, size, &read));
    NEED(fmi2FreeFMUstate(exchanging, &read));
    NEED(fmi2FreeFMUstate(exchanging, &kept));
    free(bytes);
}

/* The count of reversals in the memory of `hysteresis`: an importer gives it back as it was, but for the rounding of an interpolation. */
static void check_rounding(void *unit) {
    enum { COUNT = 6 };
    double x[MOST_NUMBERS];
    get_states(unit, x);
    x[COUNT] = 3.0;
    set_point(unit, 0.0, x);
    x[COUNT] = 3.0 * (1.0 - 2.0 * DBL_EPSILON);
    set_point(unit, 0.0, x);
    CHECK(get(unit, FIRST_STATE + COUNT) == 3.0);
    x[COUNT] = 4.0;
    set_point(unit, 0.0, x);
    CHECK(get(unit, FIRST_STATE + COUNT) == 4.0);
}

/* A step of more steps of the integrator than it takes ends with this reason, and changes nothing. */
static void check_far(void *unit, double step) {
    REFUSED(fmi2DoStep(unit, 0.0, step, 0));
    CHECK(strstr(last_message, "steps of the integrator") != NULL);
    CHECK(get(unit, 0) == 0.0 && get(unit, FIRST_STATE) == 0.0);
    NEED(fmi2DoStep(unit, 0.0, 0.001, 0));
}

int main(int arguments, char **argument) {
    static const Callbacks functions = {logger, calloc, free, NULL, NULL};
    const char *what = arguments > 3 ? argument[1] : "";
    const int is_rounding = strcmp(what, "rounding") == 0;
    const int exchanges = strcmp(what, "me") == 0 || strcmp(what, "motion") == 0 || strcmp(what, "limit") == 0 || is_rounding;
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
        {
            void *exchanging = fmi2Instantiate("unit", 0, token, resources, &functions, 0, 0);
            void *stepping = fmi2Instantiate("unit", 1, token, resources, &functions, 0, 0);
            check_states(exchanging, stepping);
            fmi2FreeInstance(exchanging);
            fmi2FreeInstance(stepping);
        }
        return 0;
    }
    unit = fmi2Instantiate("unit", exchanges ? 0 : 1, token, resources, &functions, 0, 0);
    CHECK(unit != NULL);
    NEED(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0));
    NEED(fmi2EnterInitializationMode(unit));
    set(unit, FIRST_INPUT, input(0.0));
    NEED(fmi2ExitInitializationMode(unit));
    if (exchanges) {
        /* after the initialisation the unit is in event mode */
        int again;
        NEED(update_discrete(unit, &again));
        leave_events(unit);
    }
    prints_states = strcmp(what, "memory") == 0;
    if (is_rounding) {
        check_rounding(unit);
    } else if (strcmp(what, "far") == 0) {
        check_far(unit, step);
    } else if (strcmp(what, "limit") == 0) {
        check_limit(unit, input(0.0));
    } else if (strcmp(what, "ramp") == 0) {
        ramp(unit, step, end);
    } else if (exchanges) {
        exchange(unit, step, end);
        /* "motion" leaves out what has no meaning for a memory that counts, whose numbers cannot be moved by a little */
        if (strcmp(what, "me") == 0) {
            check_derivatives(unit, end);
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
