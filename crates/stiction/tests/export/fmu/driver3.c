/* Runs a unit of FMI 3.0 as an importer does: driver cs|events|me|rise|limit|calls STEP END. See driver.h for what it reads. `events`: co-simulation with event
   mode and early return; each step is taken again after the event that ended it. `me`: model exchange, as exchange.h says; `rise`: with an input that
   rises continuously. Prints the time and the outputs after every step; then a line "event" with the time of each. It links with the binary of the
   unit. */
#include "driver.h"

#include "exchange.h"

void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, _Bool, _Bool, _Bool, _Bool, const uint32_t *, size_t, void *,
                                  void (*)(void *, int, const char *, const char *), void *);
void *fmi3InstantiateModelExchange(const char *, const char *, const char *, _Bool, _Bool, void *, void (*)(void *, int, const char *, const char *));
void fmi3FreeInstance(void *);
int fmi3EnterInitializationMode(void *, _Bool, double, double, _Bool, double);
int fmi3ExitInitializationMode(void *);
int fmi3EnterEventMode(void *);
int fmi3EnterStepMode(void *);
int fmi3EnterContinuousTimeMode(void *);
int fmi3UpdateDiscreteStates(void *, _Bool *, _Bool *, _Bool *, _Bool *, _Bool *, double *);
int fmi3GetFloat64(void *, const uint32_t *, size_t, double *, size_t);
int fmi3SetFloat64(void *, const uint32_t *, size_t, const double *, size_t);
int fmi3GetBoolean(void *, const uint32_t *, size_t, _Bool *, size_t);
int fmi3GetDirectionalDerivative(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t, double *, size_t);
int fmi3GetAdjointDerivative(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t, double *, size_t);
int fmi3DoStep(void *, double, double, _Bool, _Bool *, _Bool *, _Bool *, double *);
int fmi3Terminate(void *);
int fmi3Reset(void *);
int fmi3CompletedIntegratorStep(void *, _Bool, _Bool *, _Bool *);
int fmi3SetTime(void *, double);
int fmi3SetContinuousStates(void *, const double *, size_t);
int fmi3GetContinuousStates(void *, double *, size_t);
int fmi3GetContinuousStateDerivatives(void *, double *, size_t);
int fmi3GetEventIndicators(void *, double *, size_t);
int fmi3GetNominalsOfContinuousStates(void *, double *, size_t);
int fmi3GetNumberOfEventIndicators(void *, size_t *);
int fmi3GetNumberOfContinuousStates(void *, size_t *);
int fmi3GetFMUState(void *, void **);
int fmi3SetFMUState(void *, void *);
int fmi3FreeFMUState(void *, void **);

static int messages;

static void logger(void *environment, int status, const char *category, const char *text) {
    (void)environment;
    (void)status;
    (void)category;
    messages++;
    fprintf(stderr, "%s\n", text);
}

static double get(void *unit, uint32_t reference) {
    double value;
    NEED(fmi3GetFloat64(unit, &reference, 1, &value, 1));
    return value;
}

static int try_set(void *unit, unsigned reference, double value) {
    return fmi3SetFloat64(unit, &reference, 1, &value, 1);
}

static void set(void *unit, unsigned reference, double value) {
    NEED(try_set(unit, reference, value));
}

static int is_stuck(void *unit) {
    _Bool value;
    NEED(fmi3GetBoolean(unit, &stuck, 1, &value, 1));
    return value;
}

static void set_point(void *unit, double time, const double *x) {
    NEED(fmi3SetTime(unit, time));
    NEED(fmi3SetContinuousStates(unit, x, states));
}

static void get_states(void *unit, double *x) {
    NEED(fmi3GetContinuousStates(unit, x, states));
}

static void get_nominals(void *unit, double *x) {
    NEED(fmi3GetNominalsOfContinuousStates(unit, x, states));
}

static void get_rates(void *unit, double *dx) {
    NEED(fmi3GetContinuousStateDerivatives(unit, dx, states));
}

static void get_indicators(void *unit, double *g) {
    NEED(fmi3GetEventIndicators(unit, g, indicators));
}

static int completed(void *unit) {
    _Bool enter, terminate;
    NEED(fmi3CompletedIntegratorStep(unit, 1, &enter, &terminate));
    CHECK(!terminate);
    return enter;
}

static void enter_events(void *unit) {
    NEED(fmi3EnterEventMode(unit));
}

static int update_discrete(void *unit, int *again) {
    _Bool wanted, terminate, nominals, changed, has_next;
    double next;
    const int status = fmi3UpdateDiscreteStates(unit, &wanted, &terminate, &nominals, &changed, &has_next, &next);
    CHECK(!terminate && !has_next);
    *again = wanted;
    return status;
}

static void leave_events(void *unit) {
    REFUSED(fmi3EnterStepMode(unit));
    NEED(fmi3EnterContinuousTimeMode(unit));
}

static void get_slopes(void *unit, const unsigned *unknown, unsigned count, unsigned known, double *slope) {
    const double one = 1.0;
    NEED(fmi3GetDirectionalDerivative(unit, unknown, count, &known, 1, &one, 1, slope, count));
}

static void keep(void *unit, void **kept) {
    NEED(fmi3GetFMUState(unit, kept));
}

static void restore(void *unit, void *kept) {
    NEED(fmi3SetFMUState(unit, kept));
}

static void release(void *unit, void **kept) {
    NEED(fmi3FreeFMUState(unit, kept));
}

/* Event mode of co-simulation. */
static void update(void *unit) {
    int again;
    do {
        NEED(update_discrete(unit, &again));
    } while (again);
    REFUSED(fmi3EnterContinuousTimeMode(unit));
    NEED(fmi3EnterStepMode(unit));
}

/* The adjoint derivative is the transposed of the directional one. */
static void check_adjoint(void *unit) {
    const uint32_t known[2] = {FIRST_INPUT, FIRST_INPUT + 1};
    const double ones[2] = {1.0, 1.0}, one = 1.0;
    double along, adjoint[2];
    NEED(fmi3GetDirectionalDerivative(unit, &friction, 1, known, 2, ones, 2, &along, 1));
    NEED(fmi3GetAdjointDerivative(unit, &friction, 1, known, 2, &one, 1, adjoint, 2));
    CHECK(fabs(along - adjoint[0] - adjoint[1]) <= 1e-14 * (fabs(along) + fabs(adjoint[0])));
}

/* Co-simulation. */
static void cosimulate(void *unit, double step, double end, int events) {
    const long steps = (long)(end / step + 0.5);
    _Bool needed, terminate, early;
    double last;
    long k;
    for (k = 0; k < steps; k++) {
        const double stop = (double)(k + 1) * step;
        double time = (double)k * step;
        set(unit, FIRST_INPUT, input(time));
        while (time < stop) {
            NEED(fmi3DoStep(unit, time, stop - time, 0, &needed, &terminate, &early, &last));
            CHECK(early == needed && last > time && (early ? last < stop : last >= stop) && (events || !early));
            time = early ? last : stop;
            if (early) {
                if (events_found < MOST) {
                    event_times[events_found++] = last;
                }
                /* parameters change at events */
                REFUSED(try_set(unit, parameter, get(unit, parameter)));
                enter_events(unit);
                set(unit, parameter, get(unit, parameter));
                update(unit);
            }
        }
        print(unit, stop);
    }
    check_adjoint(unit);
    REFUSED(fmi3DoStep(unit, end + step, step, 0, &needed, &terminate, &early, &last));
    CHECK(last < end + 0.5 * step);
}

/* Calls of model exchange in an order that the standard does not allow end with an error and a message, and change nothing. */
static void check_calls(void *unit) {
    const uint32_t velocity = FIRST_STATE + 1, acceleration = FIRST_STATE + states + 1, none = 100000;
    const double one = 1.0;
    double x[MOST_NUMBERS], value, last;
    size_t count;
    int again;
    _Bool enter, terminate, needed, early;
    REFUSED(fmi3ExitInitializationMode(unit));
    REFUSED(fmi3EnterEventMode(unit));
    REFUSED(fmi3EnterContinuousTimeMode(unit));
    REFUSED(fmi3SetTime(unit, 0.0));
    REFUSED(fmi3GetContinuousStateDerivatives(unit, x, states));
    REFUSED(fmi3Terminate(unit));
    REFUSED(fmi3EnterInitializationMode(unit, 0, 0.0, NAN, 0, 0.0));
    REFUSED(fmi3EnterInitializationMode(unit, 1, -1.0, 0.0, 0, 0.0));
    CHECK(messages >= 8);
    NEED(fmi3GetNumberOfContinuousStates(unit, &count));
    CHECK(count == states);
    NEED(fmi3GetNumberOfEventIndicators(unit, &count));
    CHECK(count == indicators);
    REFUSED(fmi3GetNumberOfContinuousStates(NULL, &count));
    REFUSED(fmi3GetNumberOfEventIndicators(NULL, &count));
    REFUSED(fmi3GetNumberOfEventIndicators(unit, NULL));
    REFUSED(fmi3SetTime(NULL, 0.0));
    NEED(fmi3EnterInitializationMode(unit, 0, 0.0, 0.0, 0, 0.0));
    set(unit, velocity, -0.25);
    REFUSED(fmi3SetFloat64(unit, &acceleration, 1, &one, 1));
    REFUSED(fmi3GetFloat64(unit, &none, 1, &value, 1));
    REFUSED(fmi3GetFloat64(unit, &velocity, 1, &value, 2));
    NEED(fmi3ExitInitializationMode(unit));
    /* after the initialisation the unit is in event mode */
    REFUSED(fmi3EnterEventMode(unit));
    REFUSED(fmi3CompletedIntegratorStep(unit, 1, &enter, &terminate));
    REFUSED(fmi3DoStep(unit, 0.0, 0.1, 0, &needed, &terminate, &early, &last));
    NEED(update_discrete(unit, &again));
    leave_events(unit);
    REFUSED(update_discrete(unit, &again));
    REFUSED(fmi3EnterContinuousTimeMode(unit));
    REFUSED(fmi3DoStep(unit, 0.0, 0.1, 0, &needed, &terminate, &early, &last));
    get_states(unit, x);
    CHECK(x[1] == -0.25 && get(unit, friction) < 0.0 && !is_stuck(unit));
    REFUSED(fmi3SetContinuousStates(unit, x, states + 1));
    REFUSED(fmi3GetEventIndicators(unit, x, indicators + 1));
    REFUSED(fmi3SetTime(unit, INFINITY));
    NEED(fmi3Terminate(unit));
    REFUSED(fmi3SetFloat64(unit, &velocity, 1, &one, 1));
    REFUSED(fmi3EnterEventMode(unit));
    NEED(fmi3Reset(unit));
    CHECK(get(unit, velocity) == 0.0);
    NEED(fmi3EnterInitializationMode(unit, 0, 0.0, 0.0, 0, 0.0));
    NEED(fmi3ExitInitializationMode(unit));
}

int main(int arguments, char **argument) {
    const char *what = arguments > 3 ? argument[1] : "";
    const int events = strcmp(what, "events") == 0, exchanges = !events && strcmp(what, "cs") != 0;
    double step, end;
    void *unit;
    int i;
    if (arguments < 4) {
        return 2;
    }
    step = atof(argument[2]);
    end = atof(argument[3]);
    is_rising = strcmp(what, "rise") == 0;
    stops_before = strcmp(what, "before") == 0;
    read_task();
    if (exchanges) {
        CHECK(fmi3InstantiateModelExchange("unit", "another", resources, 0, 0, NULL, NULL) == NULL);
        unit = fmi3InstantiateModelExchange("unit", token, resources, 0, 0, NULL, logger);
    } else {
        CHECK(fmi3InstantiateCoSimulation("unit", "another", resources, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL) == NULL);
        unit = fmi3InstantiateCoSimulation("unit", token, resources, 0, 0, events, events, NULL, 0, NULL, logger, NULL);
    }
    CHECK(unit != NULL);
    if (strcmp(what, "calls") == 0) {
        check_calls(unit);
    } else {
        NEED(fmi3EnterInitializationMode(unit, 0, 0.0, 0.0, 0, 0.0));
        set(unit, FIRST_INPUT, values[0]);
        NEED(fmi3ExitInitializationMode(unit));
        if (exchanges) {
            /* after the initialisation the unit is in event mode */
            int again;
            NEED(update_discrete(unit, &again));
            leave_events(unit);
        } else if (events) {
            REFUSED(fmi3EnterContinuousTimeMode(unit));
            update(unit);
        } else {
            REFUSED(fmi3EnterEventMode(unit));
        }
        if (strcmp(what, "limit") == 0) {
            check_limit(unit, values[0]);
        } else if (exchanges) {
            exchange(unit, step, end);
            if (stuck == 0) {
                /* a law has a kink at rest, where the motion ends */
                set(unit, FIRST_INPUT, values[0]);
            }
            check_derivatives(unit, end);
            check_adjoint(unit);
            check_parameters(unit);
        } else {
            cosimulate(unit, step, end, events);
        }
    }
    for (i = 0; i < events_found; i++) {
        printf("event %.17g\n", event_times[i]);
    }
    NEED(fmi3Terminate(unit));
    fmi3FreeInstance(unit);
    return 0;
}
