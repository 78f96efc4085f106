/* The interface of FMI 2.0, for model exchange and co-simulation. */
#include "exported.h"

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

#if defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#if defined(FMI2_ACTUAL_FUNCTION_PREFIX)
#define FMI2(function) PASTE(FMI2_ACTUAL_FUNCTION_PREFIX, function)
#else
#define FMI2(function) function
#endif
#elif defined(FMI2_FUNCTION_PREFIX)
#define FMI2(function) PASTE(FMI2_FUNCTION_PREFIX, function)
#else
#define FMI2(function) function
#endif
#define FUNCTION2(name, arguments) EXPORTED(fmi2Status, FMI2(name), arguments)
#define REFERENCES2 const fmi2ValueReference reference[], size_t count

static void tell_2(const Unit *unit, const char *text) {
    ((fmi2CallbackLogger)unit->logger)(unit->environment, unit->name, fmi2Error, "logStatusError", "%s", text);
}

EXPORTED(const char *, FMI2(fmi2GetTypesPlatform), (void)) {
    return "default";
}
EXPORTED(const char *, FMI2(fmi2GetVersion), (void)) {
    return "2.0";
}
FUNCTION2(fmi2SetDebugLogging, (fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])) {
    /* errors are all that there is to be told */
    (void)on;
    (void)count;
    (void)categories;
    return c == NULL ? fmi2Error : fmi2OK;
}
EXPORTED(fmi2Component, FMI2(fmi2Instantiate),
         (fmi2String name, fmi2Type type, fmi2String token, fmi2String resources, const fmi2CallbackFunctions *functions, fmi2Boolean visible,
          fmi2Boolean on)) {
    const char *reason = "";
    Unit *unit = new_unit(name, token, resources, &reason);
    (void)visible;
    (void)on;
    if (unit == NULL) {
        if (functions != NULL && functions->logger != NULL) {
            functions->logger(functions->componentEnvironment, name == NULL ? "" : name, fmi2Error, "logStatusError", "%s", reason);
        }
        return NULL;
    }
    unit->is_cosimulation = type == fmi2CoSimulation;
    if (functions != NULL) {
        unit->tell = tell_2;
        unit->logger = (void (*)(void))functions->logger;
        unit->environment = functions->componentEnvironment;
    }
    return unit;
}
EXPORTED(void, FMI2(fmi2FreeInstance), (fmi2Component c)) {
    free_unit(c);
}
FUNCTION2(fmi2SetupExperiment,
          (fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start, fmi2Boolean has_end, fmi2Real end)) {
    (void)has_end;
    (void)end;
    return set_up(c, has_tolerance, tolerance, start, "fmi2SetupExperiment");
}
FUNCTION2(fmi2EnterInitializationMode, (fmi2Component c)) {
    return enter(c, INSTANTIATED, INITIALISING, "fmi2EnterInitializationMode");
}
FUNCTION2(fmi2ExitInitializationMode, (fmi2Component c)) {
    return exit_initialisation(c, "fmi2ExitInitializationMode");
}
FUNCTION2(fmi2Terminate, (fmi2Component c)) {
    return enter(c, INITIALISED, ENDED, "fmi2Terminate");
}
FUNCTION2(fmi2Reset, (fmi2Component c)) {
    return reset_unit(c);
}
FUNCTION2(fmi2GetReal, (fmi2Component c, REFERENCES2, fmi2Real value[])) {
    return get_numbers(c, reference, count, value, count);
}
FUNCTION2(fmi2SetReal, (fmi2Component c, REFERENCES2, const fmi2Real value[])) {
    return set_numbers(c, reference, count, value, count, "fmi2SetReal");
}
FUNCTION2(fmi2GetBoolean, (fmi2Component c, REFERENCES2, fmi2Boolean value[])) {
    const int stuck = get_stuck(c, reference, count);
    size_t i;
    for (i = 0; i < count && stuck >= 0; i++) {
        value[i] = stuck;
    }
    return stuck < 0 ? fmi2Error : fmi2OK;
}
/* Types that no variable has, or that may not be set. */
#define NO_VARIABLE2(name, type) \
    FUNCTION2(name, (fmi2Component c, REFERENCES2, type value[])) { \
        (void)reference; \
        (void)value; \
        return none_of(c, count, "no variable of this type may be got or set"); \
    }
NO_VARIABLE2(fmi2SetBoolean, const fmi2Boolean)
NO_VARIABLE2(fmi2GetInteger, fmi2Integer)
NO_VARIABLE2(fmi2SetInteger, const fmi2Integer)
NO_VARIABLE2(fmi2GetString, fmi2String)
NO_VARIABLE2(fmi2SetString, const fmi2String)
FUNCTION2(fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate *state)) {
    return keep_state(c, state);
}
FUNCTION2(fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state)) {
    return restore_state(c, state);
}
FUNCTION2(fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate *state)) {
    (void)c;
    return free_state(state);
}
FUNCTION2(fmi2SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate state, size_t *size)) {
    (void)state;
    return serialised_size(c, size);
}
FUNCTION2(fmi2SerializeFMUstate, (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)) {
    return serialise(c, state, bytes, size);
}
FUNCTION2(fmi2DeSerializeFMUstate, (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)) {
    return deserialise(c, bytes, size, state);
}
FUNCTION2(fmi2GetDirectionalDerivative,
          (fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns, const fmi2ValueReference known[], size_t knowns,
           const fmi2Real seed[], fmi2Real result[])) {
    return get_derivatives(c, unknown, unknowns, known, knowns, seed, result, "fmi2GetDirectionalDerivative");
}
FUNCTION2(fmi2EnterEventMode, (fmi2Component c)) {
    return enter(c, EXCHANGING, EVENTS, "fmi2EnterEventMode");
}
FUNCTION2(fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo *info)) {
    memset(info, 0, sizeof *info);
    return new_discrete_states(c, &info->valuesOfContinuousStatesChanged, "fmi2NewDiscreteStates");
}
FUNCTION2(fmi2EnterContinuousTimeMode, (fmi2Component c)) {
    return leave_events(c, CONTINUOUS, "fmi2EnterContinuousTimeMode");
}
FUNCTION2(fmi2CompletedIntegratorStep,
          (fmi2Component c, fmi2Boolean is_final, fmi2Boolean *enter_event_mode, fmi2Boolean *terminate)) {
    (void)is_final;
    *terminate = 0;
    return completed_step(c, enter_event_mode, "fmi2CompletedIntegratorStep");
}
FUNCTION2(fmi2SetTime, (fmi2Component c, fmi2Real time)) {
    return set_time(c, time, "fmi2SetTime");
}
FUNCTION2(fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t count)) {
    return set_states(c, x, count, "fmi2SetContinuousStates");
}
FUNCTION2(fmi2GetContinuousStates, (fmi2Component c, fmi2Real out[], size_t count)) {
    return get_array(c, STATE_VALUES, out, count, "fmi2GetContinuousStates");
}
FUNCTION2(fmi2GetDerivatives, (fmi2Component c, fmi2Real out[], size_t count)) {
    return get_array(c, STATE_DERIVATIVES, out, count, "fmi2GetDerivatives");
}
FUNCTION2(fmi2GetEventIndicators, (fmi2Component c, fmi2Real out[], size_t count)) {
    return get_array(c, INDICATORS, out, count, "fmi2GetEventIndicators");
}
FUNCTION2(fmi2GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real out[], size_t count)) {
    return get_array(c, STATE_NOMINALS, out, count, "fmi2GetNominalsOfContinuousStates");
}
FUNCTION2(fmi2SetRealInputDerivatives, (fmi2Component c, REFERENCES2, const fmi2Integer order[], const fmi2Real value[])) {
    Unit *unit = c;
    size_t i;
    if (!allowed(unit, AT_START | STEPPING, "fmi2SetRealInputDerivatives")) {
        return fmi2Error;
    }
    for (i = 0; i < count; i++) {
        if (!IS_IN(reference[i], FIRST_INPUT, 2) || order[i] != 1) {
            return refuse(unit, "only first derivatives of the inputs may be set");
        }
        if (!is_finite(value[i])) {
            return refuse(unit, "a derivative of an input is not a finite number");
        }
    }
    for (i = 0; i < count; i++) {
        hold_inputs(&unit->state);
        unit->state.slope[reference[i] - FIRST_INPUT] = value[i];
    }
    return fmi2OK;
}
FUNCTION2(fmi2GetRealOutputDerivatives, (fmi2Component c, REFERENCES2, const fmi2Integer order[], fmi2Real value[])) {
    (void)reference;
    (void)order;
    (void)value;
    return none_of(c, count, "derivatives of the outputs are not given");
}
FUNCTION2(fmi2DoStep, (fmi2Component c, fmi2Real time, fmi2Real length, fmi2Boolean is_final)) {
    int ended_at_event;
    (void)is_final;
    return do_step(c, time, length, &ended_at_event, "fmi2DoStep");
}
/* Steps are done when they return; there is nothing to be asked or cancelled. */
#define NOT_ASYNCHRONOUS(name, type) \
    FUNCTION2(name, (fmi2Component c, const fmi2StatusKind kind, type *value)) { \
        (void)kind; \
        (void)value; \
        return refuse(c, "steps are not asynchronous"); \
    }
FUNCTION2(fmi2CancelStep, (fmi2Component c)) {
    return refuse(c, "steps are not asynchronous");
}
NOT_ASYNCHRONOUS(fmi2GetStatus, fmi2Status)
NOT_ASYNCHRONOUS(fmi2GetIntegerStatus, fmi2Integer)
NOT_ASYNCHRONOUS(fmi2GetStringStatus, fmi2String)
FUNCTION2(fmi2GetRealStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)) {
    if (c == NULL || kind != fmi2LastSuccessfulTime) {
        return refuse(c, "steps are not asynchronous");
    }
    *value = ((Unit *)c)->state.time;
    return fmi2OK;
}
FUNCTION2(fmi2GetBooleanStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)) {
    if (c == NULL || kind != fmi2Terminated) {
        return refuse(c, "steps are not asynchronous");
    }
    *value = 0;
    return fmi2OK;
}
