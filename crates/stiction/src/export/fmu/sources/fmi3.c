/* The interface of FMI 3.0, for model exchange and co-simulation. */
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

#define PASTED(a, b) a##b
#define PASTE(a, b) PASTED(a, b)
#if defined(FMI3_OVERRIDE_FUNCTION_PREFIX)
#if defined(FMI3_ACTUAL_FUNCTION_PREFIX)
#define NAME(function) PASTE(FMI3_ACTUAL_FUNCTION_PREFIX, function)
#else
#define NAME(function) function
#endif
#elif defined(FMI3_FUNCTION_PREFIX)
#define NAME(function) PASTE(FMI3_FUNCTION_PREFIX, function)
#else
#define NAME(function) function
#endif
#if defined(_WIN32)
#define API __declspec(dllexport)
#elif defined(__GNUC__)
#define API __attribute__((visibility("default")))
#else
#define API
#endif

static fmi3Status refuse(Unit *unit, const char *text) {
    fmi3LogMessageCallback logger;
    if (unit != NULL && unit->logger != NULL) {
        memcpy(&logger, unit->logger, sizeof logger);
        logger(unit->environment, fmi3Error, "logStatusError", text);
    }
    return fmi3Error;
}

API const char *NAME(fmi3GetVersion)(void);
API const char *NAME(fmi3GetVersion)(void) {
    return "3.0";
}

#define FUNCTION(name, arguments) \
    API fmi3Status NAME(name) arguments; \
    API fmi3Status NAME(name) arguments

FUNCTION(fmi3SetDebugLogging, (fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[])) {
    (void)count;
    (void)categories;
    ((Unit *)c)->logs = on;
    return fmi3OK;
}
static Unit *instantiate(fmi3String name, fmi3String token, fmi3Boolean on, fmi3InstanceEnvironment environment,
                         fmi3LogMessageCallback log) {
    Unit *unit = new_unit(name, token);
    if (unit == NULL) {
        if (log != NULL) {
            log(environment, fmi3Error, "logStatusError", "the instantiation token is not that of the model description, or there is no memory");
        }
        return NULL;
    }
    unit->logs = on;
    unit->environment = environment;
    if (log != NULL) {
        unit->logger = malloc(sizeof log);
        if (unit->logger != NULL) {
            memcpy(unit->logger, &log, sizeof log);
        }
    }
    return unit;
}
API fmi3Instance NAME(fmi3InstantiateModelExchange)(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                    fmi3Boolean on, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log);
API fmi3Instance NAME(fmi3InstantiateModelExchange)(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                    fmi3Boolean on, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    (void)resources;
    (void)visible;
    return instantiate(name, token, on, environment, log);
}
API fmi3Instance NAME(fmi3InstantiateCoSimulation)(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                   fmi3Boolean on, fmi3Boolean event_mode, fmi3Boolean early_return,
                                                   const fmi3ValueReference intermediate[], size_t count,
                                                   fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                   fmi3IntermediateUpdateCallback update);
API fmi3Instance NAME(fmi3InstantiateCoSimulation)(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                   fmi3Boolean on, fmi3Boolean event_mode, fmi3Boolean early_return,
                                                   const fmi3ValueReference intermediate[], size_t count,
                                                   fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                   fmi3IntermediateUpdateCallback update) {
    Unit *unit = instantiate(name, token, on, environment, log);
    (void)resources;
    (void)visible;
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
API fmi3Instance NAME(fmi3InstantiateScheduledExecution)(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                         fmi3Boolean on, fmi3InstanceEnvironment environment,
                                                         fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
                                                         fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock);
API fmi3Instance NAME(fmi3InstantiateScheduledExecution)(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                         fmi3Boolean on, fmi3InstanceEnvironment environment,
                                                         fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
                                                         fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock) {
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
API void NAME(fmi3FreeInstance)(fmi3Instance c);
API void NAME(fmi3FreeInstance)(fmi3Instance c) {
    if (c != NULL) {
        free(((Unit *)c)->logger);
    }
    free_unit(c);
}
FUNCTION(fmi3EnterInitializationMode,
         (fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_end, fmi3Float64 end)) {
    (void)has_end;
    (void)end;
    begin(c, has_tolerance, tolerance, start);
    ((Unit *)c)->phase = INITIALISING;
    return fmi3OK;
}
FUNCTION(fmi3ExitInitializationMode, (fmi3Instance c)) {
    Unit *unit = c;
    const char *wrong = wrong_parameter(&unit->state);
    if (wrong != NULL) {
        return refuse(unit, wrong);
    }
    if (unit->is_cosimulation && !unit->event_mode) {
        (void)transition(&unit->state, UNKNOWN);
        unit->phase = STEPPING;
    } else {
        unit->phase = EVENTS;
    }
    return fmi3OK;
}
FUNCTION(fmi3EnterEventMode, (fmi3Instance c)) {
    ((Unit *)c)->phase = EVENTS;
    return fmi3OK;
}
FUNCTION(fmi3Terminate, (fmi3Instance c)) {
    ((Unit *)c)->phase = ENDED;
    return fmi3OK;
}
FUNCTION(fmi3Reset, (fmi3Instance c)) {
    reset_state(&((Unit *)c)->state);
    ((Unit *)c)->phase = INSTANTIATED;
    return fmi3OK;
}
FUNCTION(fmi3GetFloat64, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, fmi3Float64 value[], size_t values)) {
    size_t i;
    if (values != count) {
        return refuse(c, "every variable is a single number");
    }
    for (i = 0; i < count; i++) {
        if (!get_number(c, reference[i], &value[i])) {
            return refuse(c, "no number has this value reference");
        }
    }
    return fmi3OK;
}
FUNCTION(fmi3SetFloat64, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, const fmi3Float64 value[], size_t values)) {
    size_t i;
    if (values != count) {
        return refuse(c, "every variable is a single number");
    }
    for (i = 0; i < count; i++) {
        if (!set_number(c, reference[i], value[i])) {
            return refuse(c, "no number with this value reference may be set");
        }
    }
    return fmi3OK;
}
FUNCTION(fmi3GetBoolean, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, fmi3Boolean value[], size_t values)) {
    size_t i;
    for (i = 0; i < count && i < values; i++) {
        if (!IS_BODY || reference[i] != STUCK_REFERENCE) {
            return refuse(c, "no boolean has this value reference");
        }
        refresh(c);
        value[i] = unit_is_stuck(c) != 0;
    }
    return fmi3OK;
}

/* Types that no variable has. */
#define NO_VARIABLE(type, value_type) \
    FUNCTION(fmi3Get##type, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, value_type value[], size_t values)) { \
        (void)reference; \
        (void)value; \
        (void)values; \
        return count == 0 ? fmi3OK : refuse(c, "no variable has this type"); \
    } \
    FUNCTION(fmi3Set##type, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, const value_type value[], size_t values)) { \
        (void)reference; \
        (void)value; \
        (void)values; \
        return count == 0 ? fmi3OK : refuse(c, "no variable has this type"); \
    }
NO_VARIABLE(Float32, fmi3Float32)
NO_VARIABLE(Int8, fmi3Int8)
NO_VARIABLE(UInt8, fmi3UInt8)
NO_VARIABLE(Int16, fmi3Int16)
NO_VARIABLE(UInt16, fmi3UInt16)
NO_VARIABLE(Int32, fmi3Int32)
NO_VARIABLE(UInt32, fmi3UInt32)
NO_VARIABLE(Int64, fmi3Int64)
NO_VARIABLE(UInt64, fmi3UInt64)
NO_VARIABLE(String, fmi3String)
FUNCTION(fmi3SetBoolean, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, const fmi3Boolean value[], size_t values)) {
    (void)reference;
    (void)value;
    (void)values;
    return count == 0 ? fmi3OK : refuse(c, "no boolean may be set");
}
FUNCTION(fmi3GetBinary,
         (fmi3Instance c, const fmi3ValueReference reference[], size_t count, size_t sizes[], fmi3Binary value[], size_t values)) {
    (void)reference;
    (void)sizes;
    (void)value;
    (void)values;
    return count == 0 ? fmi3OK : refuse(c, "no variable has this type");
}
FUNCTION(fmi3SetBinary,
         (fmi3Instance c, const fmi3ValueReference reference[], size_t count, const size_t sizes[], const fmi3Binary value[], size_t values)) {
    (void)reference;
    (void)sizes;
    (void)value;
    (void)values;
    return count == 0 ? fmi3OK : refuse(c, "no variable has this type");
}

/* There are no clocks. */
#define NO_CLOCK(name, first, second) \
    FUNCTION(name, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, first a[], second b[])) { \
        (void)reference; \
        (void)a; \
        (void)b; \
        return count == 0 ? fmi3OK : refuse(c, "there are no clocks"); \
    }
#define NO_CLOCK_VALUE(name, type) \
    FUNCTION(name, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, type value[])) { \
        (void)reference; \
        (void)value; \
        return count == 0 ? fmi3OK : refuse(c, "there are no clocks"); \
    }
NO_CLOCK_VALUE(fmi3GetClock, fmi3Clock)
NO_CLOCK_VALUE(fmi3SetClock, const fmi3Clock)
NO_CLOCK(fmi3GetIntervalDecimal, fmi3Float64, fmi3IntervalQualifier)
FUNCTION(fmi3GetIntervalFraction, (fmi3Instance c, const fmi3ValueReference reference[], size_t count, fmi3UInt64 counters[],
                                   fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])) {
    (void)reference;
    (void)counters;
    (void)resolutions;
    (void)qualifiers;
    return count == 0 ? fmi3OK : refuse(c, "there are no clocks");
}
NO_CLOCK_VALUE(fmi3GetShiftDecimal, fmi3Float64)
NO_CLOCK(fmi3GetShiftFraction, fmi3UInt64, fmi3UInt64)
NO_CLOCK_VALUE(fmi3SetIntervalDecimal, const fmi3Float64)
NO_CLOCK(fmi3SetIntervalFraction, const fmi3UInt64, const fmi3UInt64)
NO_CLOCK_VALUE(fmi3SetShiftDecimal, const fmi3Float64)
NO_CLOCK(fmi3SetShiftFraction, const fmi3UInt64, const fmi3UInt64)
FUNCTION(fmi3ActivateModelPartition, (fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)) {
    (void)clock;
    (void)time;
    return refuse(c, "there are no clocks");
}

FUNCTION(fmi3GetNumberOfVariableDependencies, (fmi3Instance c, fmi3ValueReference reference, size_t *count)) {
    (void)reference;
    (void)count;
    return refuse(c, "the dependencies are those of the model description");
}
FUNCTION(fmi3GetVariableDependencies,
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
FUNCTION(fmi3GetFMUState, (fmi3Instance c, fmi3FMUState *state)) {
    State *kept = *state != NULL ? *state : kept_state(&((Unit *)c)->state);
    if (kept == NULL) {
        return refuse(c, "there is no memory for the state");
    }
    memcpy(kept, &((Unit *)c)->state, sizeof *kept);
    *state = kept;
    return fmi3OK;
}
FUNCTION(fmi3SetFMUState, (fmi3Instance c, fmi3FMUState state)) {
    if (state == NULL) {
        return refuse(c, "there is no state to be set");
    }
    memcpy(&((Unit *)c)->state, state, sizeof(State));
    return fmi3OK;
}
FUNCTION(fmi3FreeFMUState, (fmi3Instance c, fmi3FMUState *state)) {
    (void)c;
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return fmi3OK;
}
FUNCTION(fmi3SerializedFMUStateSize, (fmi3Instance c, fmi3FMUState state, size_t *size)) {
    (void)c;
    (void)state;
    *size = SERIALISED_SIZE;
    return fmi3OK;
}
FUNCTION(fmi3SerializeFMUState, (fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)) {
    return serialise(state, bytes, size) ? fmi3OK : refuse(c, "the state does not fit into so few bytes");
}
FUNCTION(fmi3DeserializeFMUState, (fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)) {
    State *found = deserialised(bytes, size);
    if (found == NULL) {
        return refuse(c, "these bytes are not a state of this unit");
    }
    free(*state);
    *state = found;
    return fmi3OK;
}
FUNCTION(fmi3GetDirectionalDerivative,
         (fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns, const fmi3ValueReference known[], size_t knowns,
          const fmi3Float64 seed[], size_t seeds, fmi3Float64 result[], size_t results)) {
    if (seeds != knowns || results != unknowns || !along(c, unknown, unknowns, known, knowns, seed, result)) {
        return refuse(c, "one of these variables has no derivative");
    }
    return fmi3OK;
}
FUNCTION(fmi3GetAdjointDerivative,
         (fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns, const fmi3ValueReference known[], size_t knowns,
          const fmi3Float64 seed[], size_t seeds, fmi3Float64 result[], size_t results)) {
    /* the transposed Jacobian, column by column */
    size_t i, j;
    if (seeds != unknowns || results != knowns) {
        return refuse(c, "every variable is a single number");
    }
    for (j = 0; j < knowns; j++) {
        result[j] = 0.0;
        for (i = 0; i < unknowns; i++) {
            const double one = 1.0;
            double slope;
            if (!along(c, &unknown[i], 1, &known[j], 1, &one, &slope)) {
                return refuse(c, "one of these variables has no derivative");
            }
            result[j] += seed[i] * slope;
        }
    }
    return fmi3OK;
}
FUNCTION(fmi3EnterConfigurationMode, (fmi3Instance c)) {
    (void)c;
    return fmi3OK;
}
FUNCTION(fmi3ExitConfigurationMode, (fmi3Instance c)) {
    (void)c;
    return fmi3OK;
}
FUNCTION(fmi3EvaluateDiscreteStates, (fmi3Instance c)) {
    (void)c;
    return fmi3OK;
}
FUNCTION(fmi3UpdateDiscreteStates,
         (fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals_changed, fmi3Boolean *values_changed,
          fmi3Boolean *has_next, fmi3Float64 *next)) {
    *again = 0;
    *terminate = 0;
    *nominals_changed = 0;
    *has_next = 0;
    *next = 0.0;
    *values_changed = transition(&((Unit *)c)->state, UNKNOWN) != 0;
    return fmi3OK;
}
FUNCTION(fmi3EnterContinuousTimeMode, (fmi3Instance c)) {
    ((Unit *)c)->phase = CONTINUOUS;
    return fmi3OK;
}
FUNCTION(fmi3CompletedIntegratorStep,
         (fmi3Instance c, fmi3Boolean is_final, fmi3Boolean *enter_event_mode, fmi3Boolean *terminate)) {
    (void)is_final;
    *enter_event_mode = needs_jump(&((Unit *)c)->state) || is_pushed_beyond(&((Unit *)c)->state);
    *terminate = 0;
    return fmi3OK;
}
FUNCTION(fmi3SetTime, (fmi3Instance c, fmi3Float64 time)) {
    State *s = &((Unit *)c)->state;
    s->time = time;
    s->input_time = time;
    return fmi3OK;
}
FUNCTION(fmi3SetContinuousStates, (fmi3Instance c, const fmi3Float64 x[], size_t count)) {
    memcpy(((Unit *)c)->state.x, x, smaller(count, STATES) * sizeof(double));
    return count == STATES ? fmi3OK : refuse(c, "another number of states was expected");
}
FUNCTION(fmi3GetContinuousStateDerivatives, (fmi3Instance c, fmi3Float64 out[], size_t count)) {
    const State *s = &((Unit *)c)->state;
    double dx[STATES + 1];
    (void)derivatives(s, s->time, s->x, dx);
    memcpy(out, dx, smaller(count, STATES) * sizeof(double));
    return count == STATES ? fmi3OK : refuse(c, "another number of states was expected");
}
FUNCTION(fmi3GetEventIndicators, (fmi3Instance c, fmi3Float64 out[], size_t count)) {
    const State *s = &((Unit *)c)->state;
    double g[GUARDS + 1];
    indicators_at(s, s->time, s->x, g);
    memcpy(out, g, smaller(count, GUARDS) * sizeof(double));
    return count == GUARDS ? fmi3OK : refuse(c, "another number of event indicators was expected");
}
FUNCTION(fmi3GetContinuousStates, (fmi3Instance c, fmi3Float64 x[], size_t count)) {
    memcpy(x, ((Unit *)c)->state.x, smaller(count, STATES) * sizeof(double));
    return count == STATES ? fmi3OK : refuse(c, "another number of states was expected");
}
FUNCTION(fmi3GetNominalsOfContinuousStates, (fmi3Instance c, fmi3Float64 out[], size_t count)) {
    memcpy(out, state_nominals, smaller(count, STATES) * sizeof(double));
    return count == STATES ? fmi3OK : refuse(c, "another number of states was expected");
}
FUNCTION(fmi3GetNumberOfEventIndicators, (fmi3Instance c, size_t *count)) {
    (void)c;
    *count = GUARDS;
    return fmi3OK;
}
FUNCTION(fmi3GetNumberOfContinuousStates, (fmi3Instance c, size_t *count)) {
    (void)c;
    *count = STATES;
    return fmi3OK;
}
FUNCTION(fmi3EnterStepMode, (fmi3Instance c)) {
    ((Unit *)c)->phase = STEPPING;
    return fmi3OK;
}
FUNCTION(fmi3GetOutputDerivatives,
         (fmi3Instance c, const fmi3ValueReference reference[], size_t count, const fmi3Int32 orders[], fmi3Float64 value[], size_t values)) {
    (void)reference;
    (void)orders;
    (void)value;
    (void)values;
    return count == 0 ? fmi3OK : refuse(c, "derivatives of the outputs are not given");
}
FUNCTION(fmi3DoStep,
         (fmi3Instance c, fmi3Float64 time, fmi3Float64 length, fmi3Boolean is_final, fmi3Boolean *event_needed, fmi3Boolean *terminate,
          fmi3Boolean *early, fmi3Float64 *last)) {
    Unit *unit = c;
    const char *wrong = wrong_step(&unit->state, time, length);
    int ended;
    (void)is_final;
    *event_needed = 0;
    *terminate = 0;
    *early = 0;
    if (wrong != NULL) {
        return refuse(unit, wrong);
    }
    unit->state.time = time;
    ended = integrate(&unit->state, time + length, unit->event_mode && unit->early_return);
    *last = unit->state.time;
    if (ended < 0) {
        return refuse(unit, "the motion cannot be followed: an input or a parameter is not a number, or the friction is too stiff for this mass");
    }
    *event_needed = ended == 1;
    *early = ended == 1;
    return fmi3OK;
}
