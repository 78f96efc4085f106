/* The interface of FMI 3.0, for model exchange and co-simulation. */
#include "exported.h"

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef _Bool fmi3Boolean;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef _Bool fmi3Clock;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef int fmi3DependencyKind;
typedef int fmi3IntervalQualifier;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean *, fmi3Float64 *);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

#if defined(FMI3_OVERRIDE_FUNCTION_PREFIX)
#if defined(FMI3_ACTUAL_FUNCTION_PREFIX)
#define FMI3(function) PASTE(FMI3_ACTUAL_FUNCTION_PREFIX, function)
#else
#define FMI3(function) function
#endif
#elif defined(FMI3_FUNCTION_PREFIX)
#define FMI3(function) PASTE(FMI3_FUNCTION_PREFIX, function)
#else
#define FMI3(function) function
#endif
#define FUNCTION3(name, arguments) EXPORTED(fmi3Status, FMI3(name), arguments)
#define REFERENCES3 const fmi3ValueReference reference[], size_t count
#define INSTANTIATE3 fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean on

static void tell_3(const Unit *unit, const char *text) {
    ((fmi3LogMessageCallback)unit->logger)(unit->environment, fmi3Error, "logStatusError", text);
}

EXPORTED(const char *, FMI3(fmi3GetVersion), (void)) {
    return "3.0";
}
FUNCTION3(fmi3SetDebugLogging, (fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[])) {
    /* errors are all that there is to be told */
    (void)on;
    (void)count;
    (void)categories;
    return c == NULL ? fmi3Error : fmi3OK;
}
static Unit *instantiate_3(fmi3String name, fmi3String token, fmi3String resources, fmi3InstanceEnvironment environment,
                           fmi3LogMessageCallback log) {
    const char *reason = "";
    Unit *unit = new_unit(name, token, resources, &reason);
    if (unit == NULL) {
        if (log != NULL) {
            log(environment, fmi3Error, "logStatusError", reason);
        }
        return NULL;
    }
    unit->tell = tell_3;
    unit->logger = (void (*)(void))log;
    unit->environment = environment;
    return unit;
}
EXPORTED(fmi3Instance, FMI3(fmi3InstantiateModelExchange),
         (INSTANTIATE3, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)) {
    (void)visible;
    (void)on;
    return instantiate_3(name, token, resources, environment, log);
}
EXPORTED(fmi3Instance, FMI3(fmi3InstantiateCoSimulation),
         (INSTANTIATE3, fmi3Boolean event_mode, fmi3Boolean early_return, const fmi3ValueReference intermediate[], size_t count,
          fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)) {
    Unit *unit = instantiate_3(name, token, resources, environment, log);
    (void)visible;
    (void)on;
    (void)intermediate;
    (void)count;
    (void)update;
    if (unit != NULL) {
        unit->is_cosimulation = 1;
        unit->event_mode = event_mode;
        unit->early_return = early_return;
    }
    return unit;
}
EXPORTED(fmi3Instance, FMI3(fmi3InstantiateScheduledExecution),
         (INSTANTIATE3, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
          fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)) {
    (void)name;
    (void)token;
    (void)resources;
    (void)visible;
    (void)on;
    (void)update;
    (void)lock;
    (void)unlock;
    if (log != NULL) {
        log(environment, fmi3Error, "logStatusError", "this unit has no scheduled execution");
    }
    return NULL;
}
EXPORTED(void, FMI3(fmi3FreeInstance), (fmi3Instance c)) {
    free_unit(c);
}
FUNCTION3(fmi3EnterInitializationMode,
          (fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_end, fmi3Float64 end)) {
    const int status = set_up(c, has_tolerance, tolerance, start, "fmi3EnterInitializationMode");
    (void)has_end;
    (void)end;
    return status != CALL_OK ? status : enter(c, INSTANTIATED, INITIALISING, "fmi3EnterInitializationMode");
}
FUNCTION3(fmi3ExitInitializationMode, (fmi3Instance c)) {
    return exit_initialisation(c, "fmi3ExitInitializationMode");
}
FUNCTION3(fmi3EnterEventMode, (fmi3Instance c)) {
    const Unit *unit = c;
    if (unit != NULL && unit->is_cosimulation && !unit->event_mode) {
        return refuse(unit, "the unit was instantiated without event mode");
    }
    return enter(c, CONTINUOUS | STEPPING, EVENTS, "fmi3EnterEventMode");
}
FUNCTION3(fmi3Terminate, (fmi3Instance c)) {
    return enter(c, INITIALISED, ENDED, "fmi3Terminate");
}
FUNCTION3(fmi3Reset, (fmi3Instance c)) {
    return reset_unit(c);
}
FUNCTION3(fmi3GetFloat64, (fmi3Instance c, REFERENCES3, fmi3Float64 value[], size_t values)) {
    return get_numbers(c, reference, count, value, values);
}
FUNCTION3(fmi3SetFloat64, (fmi3Instance c, REFERENCES3, const fmi3Float64 value[], size_t values)) {
    return set_numbers(c, reference, count, value, values, "fmi3SetFloat64");
}
FUNCTION3(fmi3GetBoolean, (fmi3Instance c, REFERENCES3, fmi3Boolean value[], size_t values)) {
    const int stuck = values == count ? get_stuck(c, reference, count) : -1;
    size_t i;
    for (i = 0; i < count && stuck >= 0; i++) {
        value[i] = stuck != 0;
    }
    return stuck < 0 ? fmi3Error : fmi3OK;
}

/* Types that no variable has, or that may not be set. */
#define NO_VARIABLE3(name, type) \
    FUNCTION3(name, (fmi3Instance c, REFERENCES3, type value[], size_t values)) { \
        (void)reference; \
        (void)value; \
        (void)values; \
        return none_of(c, count, "no variable of this type may be got or set"); \
    }
#define NO_TYPE3(name) NO_VARIABLE3(fmi3Get##name, fmi3##name) NO_VARIABLE3(fmi3Set##name, const fmi3##name)
NO_VARIABLE3(fmi3SetBoolean, const fmi3Boolean)
NO_TYPE3(Float32)
NO_TYPE3(Int8)
NO_TYPE3(UInt8)
NO_TYPE3(Int16)
NO_TYPE3(UInt16)
NO_TYPE3(Int32)
NO_TYPE3(UInt32)
NO_TYPE3(Int64)
NO_TYPE3(UInt64)
NO_TYPE3(String)
#define NO_BINARY3(name, size_type, type) \
    FUNCTION3(name, (fmi3Instance c, REFERENCES3, size_type sizes[], type value[], size_t values)) { \
        (void)reference; \
        (void)sizes; \
        (void)value; \
        (void)values; \
        return none_of(c, count, "no variable of this type may be got or set"); \
    }
NO_BINARY3(fmi3GetBinary, size_t, fmi3Binary)
NO_BINARY3(fmi3SetBinary, const size_t, const fmi3Binary)

#define NO_CLOCKS "there are no clocks"
#define NO_CLOCK(name, first, second) \
    FUNCTION3(name, (fmi3Instance c, REFERENCES3, first a[], second b[])) { \
        (void)reference; \
        (void)a; \
        (void)b; \
        return none_of(c, count, NO_CLOCKS); \
    }
#define NO_CLOCK_VALUE(name, type) \
    FUNCTION3(name, (fmi3Instance c, REFERENCES3, type value[])) { \
        (void)reference; \
        (void)value; \
        return none_of(c, count, NO_CLOCKS); \
    }
NO_CLOCK_VALUE(fmi3GetClock, fmi3Clock)
NO_CLOCK_VALUE(fmi3SetClock, const fmi3Clock)
NO_CLOCK(fmi3GetIntervalDecimal, fmi3Float64, fmi3IntervalQualifier)
FUNCTION3(fmi3GetIntervalFraction,
          (fmi3Instance c, REFERENCES3, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])) {
    (void)reference;
    (void)counters;
    (void)resolutions;
    (void)qualifiers;
    return none_of(c, count, NO_CLOCKS);
}
NO_CLOCK_VALUE(fmi3GetShiftDecimal, fmi3Float64)
NO_CLOCK(fmi3GetShiftFraction, fmi3UInt64, fmi3UInt64)
NO_CLOCK_VALUE(fmi3SetIntervalDecimal, const fmi3Float64)
NO_CLOCK(fmi3SetIntervalFraction, const fmi3UInt64, const fmi3UInt64)
NO_CLOCK_VALUE(fmi3SetShiftDecimal, const fmi3Float64)
NO_CLOCK(fmi3SetShiftFraction, const fmi3UInt64, const fmi3UInt64)
FUNCTION3(fmi3ActivateModelPartition, (fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)) {
    (void)clock;
    (void)time;
    return refuse(c, NO_CLOCKS);
}

FUNCTION3(fmi3GetNumberOfVariableDependencies, (fmi3Instance c, fmi3ValueReference reference, size_t *count)) {
    (void)reference;
    (void)count;
    return refuse(c, "the dependencies are those of the model description");
}
FUNCTION3(fmi3GetVariableDependencies,
          (fmi3Instance c, fmi3ValueReference dependent, size_t elements[], fmi3ValueReference independents[],
           size_t independent_elements[], fmi3DependencyKind kinds[], size_t count)) {
    (void)dependent;
    (void)elements;
    (void)independents;
    (void)independent_elements;
    (void)kinds;
    (void)count;
    return refuse(c, "the dependencies are those of the model description");
}
FUNCTION3(fmi3GetFMUState, (fmi3Instance c, fmi3FMUState *state)) {
    return keep_state(c, state);
}
FUNCTION3(fmi3SetFMUState, (fmi3Instance c, fmi3FMUState state)) {
    return restore_state(c, state);
}
FUNCTION3(fmi3FreeFMUState, (fmi3Instance c, fmi3FMUState *state)) {
    (void)c;
    return free_state(state);
}
FUNCTION3(fmi3SerializedFMUStateSize, (fmi3Instance c, fmi3FMUState state, size_t *size)) {
    (void)state;
    return serialised_size(c, size);
}
FUNCTION3(fmi3SerializeFMUState, (fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)) {
    return serialise(c, state, bytes, size);
}
FUNCTION3(fmi3DeserializeFMUState, (fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)) {
    return deserialise(c, bytes, size, state);
}
FUNCTION3(fmi3GetDirectionalDerivative,
          (fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns, const fmi3ValueReference known[], size_t knowns,
           const fmi3Float64 seed[], size_t seeds, fmi3Float64 result[], size_t results)) {
    if (seeds != knowns || results != unknowns) {
        return refuse(c, "every variable is a single number");
    }
    return get_derivatives(c, unknown, unknowns, known, knowns, seed, result, "fmi3GetDirectionalDerivative");
}
FUNCTION3(fmi3GetAdjointDerivative,
          (fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns, const fmi3ValueReference known[], size_t knowns,
           const fmi3Float64 seed[], size_t seeds, fmi3Float64 result[], size_t results)) {
    /* the transposed Jacobian, element by element */
    size_t i, j;
    if (seeds != unknowns || results != knowns) {
        return refuse(c, "every variable is a single number");
    }
    for (j = 0; j < knowns; j++) {
        result[j] = 0.0;
        for (i = 0; i < unknowns; i++) {
            const double one = 1.0;
            double slope;
            const int status = get_derivatives(c, &unknown[i], 1, &known[j], 1, &one, &slope, "fmi3GetAdjointDerivative");
            if (status != CALL_OK) {
                return status;
            }
            result[j] += seed[i] * slope;
        }
    }
    return fmi3OK;
}
FUNCTION3(fmi3EnterConfigurationMode, (fmi3Instance c)) {
    return refuse(c, "there are no structural parameters");
}
FUNCTION3(fmi3ExitConfigurationMode, (fmi3Instance c)) {
    return refuse(c, "there are no structural parameters");
}
FUNCTION3(fmi3EvaluateDiscreteStates, (fmi3Instance c)) {
    return allowed(c, INITIALISING | EVENTS, "fmi3EvaluateDiscreteStates") ? fmi3OK : fmi3Error;
}
FUNCTION3(fmi3UpdateDiscreteStates,
          (fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals_changed, fmi3Boolean *values_changed,
           fmi3Boolean *has_next, fmi3Float64 *next)) {
    int changed = 0;
    const int status = new_discrete_states(c, &changed, "fmi3UpdateDiscreteStates");
    *again = 0;
    *terminate = 0;
    *nominals_changed = 0;
    *has_next = 0;
    *next = 0.0;
    *values_changed = changed != 0;
    return status;
}
FUNCTION3(fmi3EnterContinuousTimeMode, (fmi3Instance c)) {
    return leave_events(c, CONTINUOUS, "fmi3EnterContinuousTimeMode");
}
FUNCTION3(fmi3CompletedIntegratorStep,
          (fmi3Instance c, fmi3Boolean is_final, fmi3Boolean *enter_event_mode, fmi3Boolean *terminate)) {
    int event = 0;
    const int status = completed_step(c, &event, "fmi3CompletedIntegratorStep");
    (void)is_final;
    *enter_event_mode = event != 0;
    *terminate = 0;
    return status;
}
FUNCTION3(fmi3SetTime, (fmi3Instance c, fmi3Float64 time)) {
    return set_time(c, time, "fmi3SetTime");
}
FUNCTION3(fmi3SetContinuousStates, (fmi3Instance c, const fmi3Float64 x[], size_t count)) {
    return set_states(c, x, count, "fmi3SetContinuousStates");
}
FUNCTION3(fmi3GetContinuousStates, (fmi3Instance c, fmi3Float64 out[], size_t count)) {
    return get_array(c, STATE_VALUES, out, count, "fmi3GetContinuousStates");
}
FUNCTION3(fmi3GetContinuousStateDerivatives, (fmi3Instance c, fmi3Float64 out[], size_t count)) {
    return get_array(c, STATE_DERIVATIVES, out, count, "fmi3GetContinuousStateDerivatives");
}
FUNCTION3(fmi3GetEventIndicators, (fmi3Instance c, fmi3Float64 out[], size_t count)) {
    return get_array(c, INDICATORS, out, count, "fmi3GetEventIndicators");
}
FUNCTION3(fmi3GetNominalsOfContinuousStates, (fmi3Instance c, fmi3Float64 out[], size_t count)) {
    return get_array(c, STATE_NOMINALS, out, count, "fmi3GetNominalsOfContinuousStates");
}
FUNCTION3(fmi3GetNumberOfEventIndicators, (fmi3Instance c, size_t *count)) {
    const State *s = &((Unit *)c)->state;
    (void)s;
    if (c == NULL || count == NULL) {
        return refuse(c, "the place for a number is missing");
    }
    *count = (size_t)(GUARDS);
    return fmi3OK;
}
FUNCTION3(fmi3GetNumberOfContinuousStates, (fmi3Instance c, size_t *count)) {
    const State *s = &((Unit *)c)->state;
    (void)s;
    if (c == NULL || count == NULL) {
        return refuse(c, "the place for a number is missing");
    }
    *count = (size_t)(STATES);
    return fmi3OK;
}
FUNCTION3(fmi3EnterStepMode, (fmi3Instance c)) {
    return leave_events(c, STEPPING, "fmi3EnterStepMode");
}
FUNCTION3(fmi3GetOutputDerivatives, (fmi3Instance c, REFERENCES3, const fmi3Int32 orders[], fmi3Float64 value[], size_t values)) {
    (void)reference;
    (void)orders;
    (void)value;
    (void)values;
    return none_of(c, count, "derivatives of the outputs are not given");
}
FUNCTION3(fmi3DoStep,
          (fmi3Instance c, fmi3Float64 time, fmi3Float64 length, fmi3Boolean is_final, fmi3Boolean *event_needed, fmi3Boolean *terminate,
           fmi3Boolean *early, fmi3Float64 *last)) {
    int ended_at_event;
    const int status = do_step(c, time, length, &ended_at_event, "fmi3DoStep");
    (void)is_final;
    *event_needed = ended_at_event != 0;
    *early = ended_at_event != 0;
    *terminate = 0;
    *last = c == NULL ? time : ((Unit *)c)->state.time;
    return status;
}
