/* The interface of FMI 2.0, for model exchange and co-simulation. */
typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;
typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
    fmi2CallbackLogger logger;
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

#define PASTED(a, b) a##b
#define PASTE(a, b) PASTED(a, b)
#if defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#if defined(FMI2_ACTUAL_FUNCTION_PREFIX)
#define NAME(function) PASTE(FMI2_ACTUAL_FUNCTION_PREFIX, function)
#else
#define NAME(function) function
#endif
#elif defined(FMI2_FUNCTION_PREFIX)
#define NAME(function) PASTE(FMI2_FUNCTION_PREFIX, function)
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

static fmi2Status refuse(Unit *unit, const char *text) {
    fmi2CallbackLogger logger;
    if (unit != NULL && unit->logger != NULL) {
        memcpy(&logger, unit->logger, sizeof logger);
        logger(unit->environment, unit->name, fmi2Error, "logStatusError", "%s", text);
    }
    return fmi2Error;
}

API const char *NAME(fmi2GetTypesPlatform)(void);
API const char *NAME(fmi2GetTypesPlatform)(void) {
    return "default";
}
API const char *NAME(fmi2GetVersion)(void);
API const char *NAME(fmi2GetVersion)(void) {
    return "2.0";
}

#define FUNCTION(name, arguments) \
    API fmi2Status NAME(name) arguments; \
    API fmi2Status NAME(name) arguments

FUNCTION(fmi2SetDebugLogging, (fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])) {
    (void)count;
    (void)categories;
    ((Unit *)c)->logs = on;
    return fmi2OK;
}
API fmi2Component NAME(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                                        const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean on);
API fmi2Component NAME(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                                        const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean on) {
    Unit *unit = new_unit(name, token);
    (void)resources;
    (void)visible;
    if (unit == NULL) {
        if (functions != NULL && functions->logger != NULL) {
            functions->logger(functions->componentEnvironment, name == NULL ? "" : name, fmi2Error, "logStatusError",
                              "the GUID is not that of the model description, or there is no memory");
        }
        return NULL;
    }
    unit->is_cosimulation = type == fmi2CoSimulation;
    unit->logs = on;
    if (functions != NULL && functions->logger != NULL) {
        unit->logger = malloc(sizeof functions->logger);
        if (unit->logger != NULL) {
            memcpy(unit->logger, &functions->logger, sizeof functions->logger);
        }
        unit->environment = functions->componentEnvironment;
    }
    return unit;
}
API void NAME(fmi2FreeInstance)(fmi2Component c);
API void NAME(fmi2FreeInstance)(fmi2Component c) {
    if (c != NULL) {
        free(((Unit *)c)->logger);
    }
    free_unit(c);
}
FUNCTION(fmi2SetupExperiment,
         (fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start, fmi2Boolean has_end, fmi2Real end)) {
    (void)has_end;
    (void)end;
    begin(c, has_tolerance, tolerance, start);
    return fmi2OK;
}
FUNCTION(fmi2EnterInitializationMode, (fmi2Component c)) {
    ((Unit *)c)->phase = INITIALISING;
    return fmi2OK;
}
FUNCTION(fmi2ExitInitializationMode, (fmi2Component c)) {
    Unit *unit = c;
    const char *wrong = wrong_parameter(&unit->state);
    if (wrong != NULL) {
        return refuse(unit, wrong);
    }
    if (unit->is_cosimulation) {
        (void)transition(&unit->state, UNKNOWN);
    }
    unit->phase = unit->is_cosimulation ? STEPPING : EVENTS;
    return fmi2OK;
}
FUNCTION(fmi2Terminate, (fmi2Component c)) {
    ((Unit *)c)->phase = ENDED;
    return fmi2OK;
}
FUNCTION(fmi2Reset, (fmi2Component c)) {
    reset_state(&((Unit *)c)->state);
    ((Unit *)c)->phase = INSTANTIATED;
    return fmi2OK;
}
FUNCTION(fmi2GetReal, (fmi2Component c, const fmi2ValueReference reference[], size_t count, fmi2Real value[])) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (!get_number(c, reference[i], &value[i])) {
            return refuse(c, "no number has this value reference");
        }
    }
    return fmi2OK;
}
FUNCTION(fmi2SetReal, (fmi2Component c, const fmi2ValueReference reference[], size_t count, const fmi2Real value[])) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (!set_number(c, reference[i], value[i])) {
            return refuse(c, "no number with this value reference may be set");
        }
    }
    return fmi2OK;
}
FUNCTION(fmi2GetInteger, (fmi2Component c, const fmi2ValueReference reference[], size_t count, fmi2Integer value[])) {
    (void)reference;
    (void)value;
    return count == 0 ? fmi2OK : refuse(c, "there are no integers");
}
FUNCTION(fmi2SetInteger, (fmi2Component c, const fmi2ValueReference reference[], size_t count, const fmi2Integer value[])) {
    (void)reference;
    (void)value;
    return count == 0 ? fmi2OK : refuse(c, "there are no integers");
}
FUNCTION(fmi2GetBoolean, (fmi2Component c, const fmi2ValueReference reference[], size_t count, fmi2Boolean value[])) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (!IS_BODY || reference[i] != STUCK_REFERENCE) {
            return refuse(c, "no boolean has this value reference");
        }
        refresh(c);
        value[i] = unit_is_stuck(c);
    }
    return fmi2OK;
}
FUNCTION(fmi2SetBoolean, (fmi2Component c, const fmi2ValueReference reference[], size_t count, const fmi2Boolean value[])) {
    (void)reference;
    (void)value;
    return count == 0 ? fmi2OK : refuse(c, "no boolean may be set");
}
FUNCTION(fmi2GetString, (fmi2Component c, const fmi2ValueReference reference[], size_t count, fmi2String value[])) {
    (void)reference;
    (void)value;
    return count == 0 ? fmi2OK : refuse(c, "there are no strings");
}
FUNCTION(fmi2SetString, (fmi2Component c, const fmi2ValueReference reference[], size_t count, const fmi2String value[])) {
    (void)reference;
    (void)value;
    return count == 0 ? fmi2OK : refuse(c, "there are no strings");
}
FUNCTION(fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate *state)) {
    State *kept = *state != NULL ? *state : kept_state(&((Unit *)c)->state);
    if (kept == NULL) {
        return refuse(c, "there is no memory for the state");
    }
    memcpy(kept, &((Unit *)c)->state, sizeof *kept);
    *state = kept;
    return fmi2OK;
}
FUNCTION(fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state)) {
    if (state == NULL) {
        return refuse(c, "there is no state to be set");
    }
    memcpy(&((Unit *)c)->state, state, sizeof(State));
    return fmi2OK;
}
FUNCTION(fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate *state)) {
    (void)c;
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return fmi2OK;
}
FUNCTION(fmi2SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate state, size_t *size)) {
    (void)c;
    (void)state;
    *size = SERIALISED_SIZE;
    return fmi2OK;
}
FUNCTION(fmi2SerializeFMUstate, (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)) {
    return serialise(state, (unsigned char *)bytes, size) ? fmi2OK : refuse(c, "the state does not fit into so few bytes");
}
FUNCTION(fmi2DeSerializeFMUstate, (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)) {
    State *found = deserialised((const unsigned char *)bytes, size);
    if (found == NULL) {
        return refuse(c, "these bytes are not a state of this unit");
    }
    free(*state);
    *state = found;
    return fmi2OK;
}
FUNCTION(fmi2GetDirectionalDerivative,
         (fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns, const fmi2ValueReference known[], size_t knowns,
          const fmi2Real seed[], fmi2Real result[])) {
    return along(c, unknown, unknowns, known, knowns, seed, result) ? fmi2OK
                                                                    : refuse(c, "one of these variables has no derivative");
}
FUNCTION(fmi2EnterEventMode, (fmi2Component c)) {
    ((Unit *)c)->phase = EVENTS;
    return fmi2OK;
}
FUNCTION(fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo *info)) {
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = transition(&((Unit *)c)->state, UNKNOWN);
    return fmi2OK;
}
FUNCTION(fmi2EnterContinuousTimeMode, (fmi2Component c)) {
    ((Unit *)c)->phase = CONTINUOUS;
    return fmi2OK;
}
FUNCTION(fmi2CompletedIntegratorStep,
         (fmi2Component c, fmi2Boolean is_final, fmi2Boolean *enter_event_mode, fmi2Boolean *terminate)) {
    (void)is_final;
    *enter_event_mode = needs_jump(&((Unit *)c)->state) || is_pushed_beyond(&((Unit *)c)->state);
    *terminate = 0;
    return fmi2OK;
}
FUNCTION(fmi2SetTime, (fmi2Component c, fmi2Real time)) {
    State *s = &((Unit *)c)->state;
    hold_inputs(s);
    s->time = time;
    s->input_time = time;
    return fmi2OK;
}
FUNCTION(fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t count)) {
    memcpy(((Unit *)c)->state.x, x, smaller(count, STATES) * sizeof(double));
    return count == STATES ? fmi2OK : refuse(c, "another number of states was expected");
}
FUNCTION(fmi2GetDerivatives, (fmi2Component c, fmi2Real out[], size_t count)) {
    const State *s = &((Unit *)c)->state;
    double dx[STATES + 1];
    (void)derivatives(s, s->time, s->x, dx);
    memcpy(out, dx, smaller(count, STATES) * sizeof(double));
    return count == STATES ? fmi2OK : refuse(c, "another number of states was expected");
}
FUNCTION(fmi2GetEventIndicators, (fmi2Component c, fmi2Real out[], size_t count)) {
    const State *s = &((Unit *)c)->state;
    double g[GUARDS + 1];
    indicators_at(s, s->time, s->x, g);
    memcpy(out, g, smaller(count, GUARDS) * sizeof(double));
    return count == GUARDS ? fmi2OK : refuse(c, "another number of event indicators was expected");
}
FUNCTION(fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t count)) {
    memcpy(x, ((Unit *)c)->state.x, smaller(count, STATES) * sizeof(double));
    return count == STATES ? fmi2OK : refuse(c, "another number of states was expected");
}
FUNCTION(fmi2GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real out[], size_t count)) {
    memcpy(out, state_nominals, smaller(count, STATES) * sizeof(double));
    return count == STATES ? fmi2OK : refuse(c, "another number of states was expected");
}
FUNCTION(fmi2SetRealInputDerivatives,
         (fmi2Component c, const fmi2ValueReference reference[], size_t count, const fmi2Integer order[], const fmi2Real value[])) {
    State *s = &((Unit *)c)->state;
    size_t i;
    for (i = 0; i < count; i++) {
        if (!IS_IN(reference[i], FIRST_INPUT, 2) || order[i] != 1) {
            return refuse(c, "only first derivatives of the inputs may be set");
        }
        hold_inputs(s);
        s->slope[reference[i] - FIRST_INPUT] = value[i];
    }
    return fmi2OK;
}
FUNCTION(fmi2GetRealOutputDerivatives,
         (fmi2Component c, const fmi2ValueReference reference[], size_t count, const fmi2Integer order[], fmi2Real value[])) {
    (void)reference;
    (void)order;
    (void)value;
    return count == 0 ? fmi2OK : refuse(c, "derivatives of the outputs are not given");
}
FUNCTION(fmi2DoStep, (fmi2Component c, fmi2Real time, fmi2Real length, fmi2Boolean is_final)) {
    Unit *unit = c;
    const char *wrong = wrong_step(&unit->state, time, length);
    (void)is_final;
    if (wrong != NULL) {
        return refuse(unit, wrong);
    }
    unit->state.time = time;
    if (integrate(&unit->state, time + length, 0) < 0) {
        return refuse(unit, "the motion cannot be followed: an input or a parameter is not a number, or the friction is too stiff for this mass");
    }
    return fmi2OK;
}
FUNCTION(fmi2CancelStep, (fmi2Component c)) {
    return refuse(c, "steps are not asynchronous");
}
FUNCTION(fmi2GetStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)) {
    (void)kind;
    (void)value;
    return refuse(c, "steps are not asynchronous");
}
FUNCTION(fmi2GetRealStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)) {
    if (kind == fmi2LastSuccessfulTime) {
        *value = ((Unit *)c)->state.time;
        return fmi2OK;
    }
    return refuse(c, "steps are not asynchronous");
}
FUNCTION(fmi2GetIntegerStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)) {
    (void)kind;
    (void)value;
    return refuse(c, "steps are not asynchronous");
}
FUNCTION(fmi2GetBooleanStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)) {
    if (kind == fmi2Terminated) {
        *value = 0;
        return fmi2OK;
    }
    return refuse(c, "steps are not asynchronous");
}
FUNCTION(fmi2GetStringStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2String *value)) {
    (void)kind;
    (void)value;
    return refuse(c, "steps are not asynchronous");
}
