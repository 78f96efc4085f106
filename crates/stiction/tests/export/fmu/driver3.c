/* Runs a unit of FMI 3.0 in co-simulation: driver cs|events STEP END. See driver.h for what it reads. `events`: with event mode and early return; each
   step is taken again after the event that ended it. Prints the time and the outputs after every step; then, with events, a line "event" with the time
   of each. It links with the binary of the unit. */
#include "driver.h"

void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, _Bool, _Bool, _Bool, _Bool, const uint32_t *, size_t, void *,
                                  void (*)(void *, int, const char *, const char *), void *);
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

static void logger(void *environment, int status, const char *category, const char *text) {
    (void)environment;
    (void)status;
    (void)category;
    fprintf(stderr, "%s\n", text);
}

static double get(void *unit, uint32_t reference) {
    double value;
    NEED(fmi3GetFloat64(unit, &reference, 1, &value, 1));
    return value;
}

static void print(void *unit, double time) {
    printf("%.17g", time);
    if (stuck != 0) {
        printf(" %.17g %.17g", get(unit, FIRST_STATE), get(unit, FIRST_STATE + 1));
    }
    printf(" %.17g", get(unit, friction));
    if (stuck != 0) {
        _Bool value;
        NEED(fmi3GetBoolean(unit, &stuck, 1, &value, 1));
        printf(" %d", value);
    }
    putchar('\n');
}

static void update(void *unit) {
    _Bool again, terminate, nominals, changed, has_next;
    double next;
    do {
        NEED(fmi3UpdateDiscreteStates(unit, &again, &terminate, &nominals, &changed, &has_next, &next));
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

int main(int arguments, char **argument) {
    const uint32_t first = FIRST_INPUT;
    const int events = arguments > 3 && strcmp(argument[1], "events") == 0;
    double step, end, happened[MOST];
    long k, steps;
    int found = 0, i;
    void *unit;
    if (arguments < 4) {
        return 2;
    }
    step = atof(argument[2]);
    end = atof(argument[3]);
    read_task();
    CHECK(fmi3InstantiateCoSimulation("unit", "another", resources, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL) == NULL);
    unit = fmi3InstantiateCoSimulation("unit", token, resources, 0, 0, events, events, NULL, 0, NULL, logger, NULL);
    CHECK(unit != NULL);
    NEED(fmi3EnterInitializationMode(unit, 0, 0.0, 0.0, 0, 0.0));
    NEED(fmi3SetFloat64(unit, &first, 1, &values[0], 1));
    NEED(fmi3ExitInitializationMode(unit));
    if (events) {
        REFUSED(fmi3EnterContinuousTimeMode(unit));
        update(unit);
    } else {
        REFUSED(fmi3EnterEventMode(unit));
    }
    steps = (long)(end / step + 0.5);
    for (k = 0; k < steps; k++) {
        const double stop = (double)(k + 1) * step, u = input((double)k * step);
        double time = (double)k * step;
        NEED(fmi3SetFloat64(unit, &first, 1, &u, 1));
        while (time < stop) {
            _Bool needed, terminate, early;
            double last;
            NEED(fmi3DoStep(unit, time, stop - time, 0, &needed, &terminate, &early, &last));
            CHECK(early == needed && last > time && (early ? last < stop : last >= stop) && (events || !early));
            time = early ? last : stop;
            if (early && found < MOST) {
                happened[found++] = last;
                NEED(fmi3EnterEventMode(unit));
                update(unit);
            }
        }
        print(unit, stop);
    }
    check_adjoint(unit);
    {
        _Bool needed, terminate, early;
        double last;
        REFUSED(fmi3DoStep(unit, end + step, step, 0, &needed, &terminate, &early, &last));
        CHECK(last < end + 0.5 * step);
    }
    for (i = 0; i < found; i++) {
        printf("event %.17g\n", happened[i]);
    }
    NEED(fmi3Terminate(unit));
    fmi3FreeInstance(unit);
    return 0;
}
