/* What the importer asks of a unit, for every version of the interface: each call with the phases in which it is allowed. A call that is not
   allowed, or has wrong arguments, changes nothing and ends with an error. */

/* How a call ended; the same numbers in all versions of the interface. */
enum { CALL_OK = 0, CALL_ERROR = 3 };

/* Sets of phases. */
enum {
    AT_START = INSTANTIATED | INITIALISING,
    EXCHANGING = EVENTS | CONTINUOUS,
    INITIALISED = EXCHANGING | STEPPING,
    ALIVE = AT_START | INITIALISED,
    ANY_PHASE = ALIVE | ENDED
};

static int refuse(const Unit *unit, const char *text) {
    if (unit != NULL && unit->tell != NULL && unit->logger != NULL) {
        unit->tell(unit, text);
    }
    return CALL_ERROR;
}

static const char *phase_name(Phase phase) {
    switch (phase) {
    case INSTANTIATED:
        return "before the initialisation";
    case INITIALISING:
        return "in initialisation mode";
    case EVENTS:
        return "in event mode";
    case CONTINUOUS:
        return "in continuous-time mode";
    case STEPPING:
        return "between steps of co-simulation";
    default:
        return "after the end";
    }
}

/* Whether there is a unit, and the importer may make this call now. */
static int allowed(const Unit *unit, int phases, const char *call) {
    char text[160];
    if (unit == NULL) {
        return 0;
    }
    if ((unit->state.phase & phases) == 0) {
        snprintf(text, sizeof text, "%s is not allowed %s", call, phase_name(unit->state.phase));
        (void)refuse(unit, text);
        return 0;
    }
    return 1;
}

/* A parameter out of its bounds is refused. */
static int check_bounds(const Unit *unit, int i, double value) {
    const State *s = &unit->state;
    char text[256];
    (void)s;
    if (!(value >= least_values[i] && value <= largest_values[i])) {
        snprintf(text, sizeof text, "%s = %g is not within %g to %g", parameter_names[i], value, least_values[i], largest_values[i]);
        return refuse(unit, text);
    }
    return CALL_OK;
}

/* The first condition between parameters that does not hold is refused. The parameters are set one by one, so that it is known only when all are. */
static int check_conditions(const Unit *unit) {
    const State *s = &unit->state;
    double holds[MOST_CONDITIONS];
    char text[256];
    int i;
    law_conditions(s, holds);
    for (i = 0; i < CONDITIONS; i++) {
        if (!(holds[i] > 0.0)) {
            snprintf(text, sizeof text, "%s does not hold", condition_texts[i]);
            return refuse(unit, text);
        }
    }
    return CALL_OK;
}

static Unit *new_unit(const char *name, const char *token, const char *resources, const char **reason) {
    Model *model = load_model(resources, reason);
    Unit *unit;
    if (model == NULL) {
        return NULL;
    }
    if (token == NULL || strcmp(token, model_token(model)) != 0) {
        *reason = "the GUID or instantiation token is not that of the model description";
        free_model(model);
        return NULL;
    }
    name = name == NULL ? "" : name;
    unit = calloc(1, sizeof *unit);
    if (unit != NULL) {
        unit->name = malloc(strlen(name) + 1);
    }
    if (unit == NULL || unit->name == NULL) {
        *reason = "there is no memory for another unit";
        free(unit);
        free_model(model);
        return NULL;
    }
    strcpy(unit->name, name);
    unit->model = model;
    reset_state(&unit->state, model);
    return unit;
}

static void free_unit(Unit *unit) {
    if (unit != NULL) {
        free_model(unit->model);
        free(unit->name);
        free(unit);
    }
}

static int set_up(Unit *unit, int has_tolerance, double tolerance, double start, const char *call) {
    State *s = &unit->state;
    if (!allowed(unit, INSTANTIATED, call)) {
        return CALL_ERROR;
    }
    if (!(fabs(start) <= DBL_MAX) || (has_tolerance && !(tolerance > 0.0 && tolerance <= DBL_MAX))) {
        return refuse(unit, "a start time is a finite number, and a tolerance a positive one");
    }
    s->start = start;
    s->time = start;
    s->input_time = start;
    if (has_tolerance) {
        s->relative_tolerance = tolerance < 1e-12 ? 1e-12 : (tolerance > 1e-3 ? 1e-3 : tolerance);
    }
    return CALL_OK;
}

static int exit_initialisation(Unit *unit, const char *call) {
    if (!allowed(unit, INITIALISING, call) || check_conditions(unit) != CALL_OK) {
        return CALL_ERROR;
    }
    initial_mode(&unit->state);
    if (unit->is_cosimulation && !unit->event_mode) {
        (void)transition(&unit->state, UNKNOWN);
        unit->state.phase = STEPPING;
    } else {
        unit->state.phase = EVENTS;
    }
    return CALL_OK;
}

/* From one of these phases to another one. */
static int enter(Unit *unit, int from, Phase to, const char *call) {
    if (!allowed(unit, from, call)) {
        return CALL_ERROR;
    }
    unit->state.phase = to;
    return CALL_OK;
}

/* To steps of co-simulation, or of an importer that integrates. */
static int leave_events(Unit *unit, Phase to, const char *call) {
    if (!allowed(unit, EVENTS, call)) {
        return CALL_ERROR;
    }
    if (unit->is_cosimulation != (to == STEPPING)) {
        return refuse(unit, unit->is_cosimulation ? "continuous-time mode is one of model exchange" : "step mode is one of co-simulation");
    }
    return enter(unit, EVENTS, to, call);
}

static int is_finite(double x) {
    return fabs(x) <= DBL_MAX;
}

static int reset_unit(Unit *unit) {
    if (unit == NULL) {
        return CALL_ERROR;
    }
    reset_state(&unit->state, unit->model);
    return CALL_OK;
}

static int get_numbers(Unit *unit, const unsigned *reference, size_t count, double *value, size_t values) {
    size_t i;
    if (unit == NULL || values != count || (count > 0 && (reference == NULL || value == NULL))) {
        return refuse(unit, "every variable is a single number");
    }
    for (i = 0; i < count; i++) {
        if (!get_number(unit, reference[i], &value[i])) {
            return refuse(unit, "no number has this value reference");
        }
    }
    return CALL_OK;
}

static int set_numbers(Unit *unit, const unsigned *reference, size_t count, const double *value, size_t values, const char *call) {
    const State *s;
    size_t i;
    if (!allowed(unit, ALIVE, call)) {
        return CALL_ERROR;
    }
    if (values != count || (count > 0 && (reference == NULL || value == NULL))) {
        return refuse(unit, "every variable is a single number");
    }
    s = &unit->state;
    (void)s;
    for (i = 0; i < count; i++) {
        if (!is_settable(unit, reference[i])) {
            return refuse(unit, "no number with this value reference may be set now");
        }
        if (IS_IN(reference[i], FIRST_PARAMETER, PARAMETERS) &&
            check_bounds(unit, (int)(reference[i] - (unsigned)(FIRST_PARAMETER)), value[i]) != CALL_OK) {
            return CALL_ERROR;
        }
    }
    for (i = 0; i < count; i++) {
        set_number(unit, reference[i], value[i]);
    }
    return CALL_OK;
}

/* Whether friction holds the body, for the one boolean; -1 if one of these references is not that of a boolean. */
static int get_stuck(Unit *unit, const unsigned *reference, size_t count) {
    const State *s = &unit->state;
    size_t i;
    if (unit == NULL || (count > 0 && reference == NULL)) {
        return -1;
    }
    for (i = 0; i < count; i++) {
        if (!IS_BODY || reference[i] != (unsigned)(STUCK_REFERENCE)) {
            (void)refuse(unit, "no boolean has this value reference");
            return -1;
        }
    }
    refresh(unit);
    return is_held(s);
}

/* Variables of a type that the unit does not have. */
static int none_of(const Unit *unit, size_t count, const char *text) {
    return unit != NULL && count == 0 ? CALL_OK : refuse(unit, text);
}

static int get_derivatives(Unit *unit, const unsigned *unknown, size_t unknowns, const unsigned *known, size_t knowns,
                           const double *seed, double *result, const char *call) {
    if (!allowed(unit, ANY_PHASE & ~INSTANTIATED, call)) {
        return CALL_ERROR;
    }
    return along(unit, unknown, unknowns, known, knowns, seed, result) ? CALL_OK : refuse(unit, "one of these variables has no derivative");
}

/* What a unit is used for; a state is one of the same use. */
static int use_of(const Unit *unit) {
    return unit->is_cosimulation + (unit->is_cosimulation && unit->event_mode);
}

/* A copy of the state, in memory of its own or in that of an earlier copy. */
static int keep_state(Unit *unit, void **kept) {
    if (unit == NULL || kept == NULL) {
        return CALL_ERROR;
    }
    if (*kept == NULL) {
        *kept = malloc(sizeof(State));
    }
    if (*kept == NULL) {
        return refuse(unit, "there is no memory for the state");
    }
    memcpy(*kept, &unit->state, sizeof(State));
    ((State *)*kept)->use = use_of(unit);
    return CALL_OK;
}

static int restore_state(Unit *unit, const void *kept) {
    if (unit == NULL || kept == NULL) {
        return refuse(unit, "there is no state to be set");
    }
    if (((const State *)kept)->use != use_of(unit)) {
        return refuse(unit, "this is a state of a unit in another use: model exchange, co-simulation, or co-simulation with event mode");
    }
    memcpy(&unit->state, kept, sizeof(State));
    unit->state.model = unit->model;
    return CALL_OK;
}

static int free_state(void **kept) {
    if (kept != NULL) {
        free(*kept);
        *kept = NULL;
    }
    return CALL_OK;
}

/* A sum over the bytes of a state (FNV-1a), by which bytes that have been changed are found. */
static uint64_t check_sum(const void *bytes, size_t count) {
    const unsigned char *const byte = bytes;
    uint64_t sum = 14695981039346656037u;
    size_t i;
    for (i = 0; i < count; i++) {
        sum = (sum ^ byte[i]) * 1099511628211u;
    }
    return sum;
}

/* Whether numbers and modes are such as a unit may have. */
static int is_possible(const State *s) {
    int i, possible = is_finite(s->start) && is_finite(s->time) && is_finite(s->input_time) && is_finite(s->step);
    possible = possible && s->relative_tolerance > 0.0 && is_finite(s->relative_tolerance);
    for (i = 0; i < 2; i++) {
        possible = possible && is_finite(s->slope[i]);
    }
    for (i = 0; i < STATES; i++) {
        possible = possible && is_finite(s->x[i]);
    }
    for (i = 0; i < PARAMETERS; i++) {
        possible = possible && s->p[i] >= least_values[i] && s->p[i] <= largest_values[i];
    }
    for (i = 0; i < LAW_GUARDS_HERE; i++) {
        possible = possible && abs(s->side[i]) <= 1;
    }
    return possible && abs(s->mode) <= 1 && abs(s->outside) == 1 && (s->phase & ANY_PHASE) == s->phase;
}

/* Serialised: the token, so that the bytes of another unit are refused, then the state, then its sum. */
static int serialised_size(const Unit *unit, size_t *size) {
    if (unit == NULL || size == NULL) {
        return CALL_ERROR;
    }
    *size = strlen(model_token(unit->model)) + 1 + sizeof(State) + sizeof(uint64_t);
    return CALL_OK;
}

static int serialise(const Unit *unit, const void *kept, void *bytes, size_t room_for) {
    size_t size, token;
    uint64_t sum;
    if (serialised_size(unit, &size) != CALL_OK || kept == NULL || bytes == NULL || room_for < size) {
        return refuse(unit, "the state does not fit into so few bytes");
    }
    token = size - sizeof(State) - sizeof sum;
    memcpy(bytes, model_token(unit->model), token);
    memcpy((char *)bytes + token, kept, sizeof(State));
    sum = check_sum((const char *)bytes + token, sizeof(State));
    memcpy((char *)bytes + token + sizeof(State), &sum, sizeof sum);
    return CALL_OK;
}

static int deserialise(Unit *unit, const void *bytes, size_t given, void **kept) {
    size_t size, token;
    State read;
    uint64_t sum;
    if (serialised_size(unit, &size) != CALL_OK || kept == NULL || bytes == NULL || given != size) {
        return refuse(unit, "so many bytes are not a state of this unit");
    }
    token = size - sizeof(State) - sizeof sum;
    if (memcmp(bytes, model_token(unit->model), token) != 0) {
        return refuse(unit, "these bytes are the state of another unit");
    }
    memcpy(&read, (const char *)bytes + token, sizeof read);
    memcpy(&sum, (const char *)bytes + token + sizeof read, sizeof sum);
    read.model = unit->model;
    if (sum != check_sum((const char *)bytes + token, sizeof read) || !is_possible(&read)) {
        return refuse(unit, "these bytes are not those of a state: they have been changed");
    }
    if (read.use != use_of(unit)) {
        return refuse(unit, "this is a state of a unit in another use: model exchange, co-simulation, or co-simulation with event mode");
    }
    if (keep_state(unit, kept) != CALL_OK) {
        return CALL_ERROR;
    }
    memcpy(*kept, &read, sizeof read);
    return CALL_OK;
}

/* An event: the discrete states anew; whether continuous states have changed with them. Parameters may have been changed before. */
static int new_discrete_states(Unit *unit, int *changed, const char *call) {
    if (!allowed(unit, EVENTS, call) || check_conditions(unit) != CALL_OK) {
        return CALL_ERROR;
    }
    refresh(unit);
    unit->state.is_placed = 0;
    *changed = transition(&unit->state, UNKNOWN);
    return CALL_OK;
}

static int completed_step(Unit *unit, int *event, const char *call) {
    if (!allowed(unit, CONTINUOUS, call)) {
        return CALL_ERROR;
    }
    *event = needs_jump(&unit->state) || is_pushed_beyond(&unit->state);
    return CALL_OK;
}

static int set_time(Unit *unit, double time, const char *call) {
    State *s = &unit->state;
    if (!allowed(unit, EXCHANGING, call)) {
        return CALL_ERROR;
    }
    if (!(fabs(time) <= DBL_MAX)) {
        return refuse(unit, "a time is a finite number");
    }
    hold_inputs(s);
    s->time = time;
    s->input_time = time;
    return CALL_OK;
}

/* Arrays of model exchange: states, their derivatives and nominal values, event indicators. */
typedef enum Array { STATE_VALUES, STATE_DERIVATIVES, STATE_NOMINALS, INDICATORS } Array;

static int get_array(Unit *unit, Array which, double *out, size_t count, const char *call) {
    const State *s = &unit->state;
    if (!allowed(unit, which == STATE_NOMINALS ? ANY_PHASE : ANY_PHASE & ~INSTANTIATED, call)) {
        return CALL_ERROR;
    }
    if (count != (size_t)(which == INDICATORS ? GUARDS : STATES) || (count > 0 && out == NULL)) {
        return refuse(unit, "another number of states or event indicators was expected");
    }
    refresh(unit);
    if (which == INDICATORS) {
        double g[MOST_GUARDS];
        indicators_at(s, s->time, s->x, g);
        memcpy(out, g, count * sizeof(double));
    } else if (which == STATE_DERIVATIVES) {
        double dx[MOST_STATES];
        (void)derivatives(s, s->time, s->x, dx);
        memcpy(out, dx, count * sizeof(double));
    } else if (count > 0) {
        memcpy(out, which == STATE_NOMINALS ? state_nominals : s->x, count * sizeof(double));
    }
    return CALL_OK;
}

static int set_states(Unit *unit, const double *x, size_t count, const char *call) {
    State *s = &unit->state;
    size_t i;
    if (!allowed(unit, EXCHANGING, call)) {
        return CALL_ERROR;
    }
    if (count != (size_t)(STATES) || (count > 0 && x == NULL)) {
        return refuse(unit, "another number of states was expected");
    }
    for (i = 0; i < count; i++) {
        /* what does not flow is changed by events alone: an importer gives it back as it was, but perhaps with the rounding of an interpolation
           between equal values, and a count that is off by rounding has another parity */
        if (state_flows[i] || fabs(x[i] - s->x[i]) > 16.0 * DBL_EPSILON * fabs(s->x[i])) {
            s->x[i] = x[i];
        }
    }
    s->is_placed = 0;
    return CALL_OK;
}

/* Whether a step begins at the time of the unit, but for rounding. The unit takes over the importer's time at every step, so that no errors add
   up: the two differ by the rounding of start + k*length at both ends of the last step (two operations each), of the unit's own sum, and of a
   length that is a difference of times. These are at most eight roundings of half an epsilon, of numbers up to twice the largest time. */
static int is_present(const State *s, double time) {
    const double largest = fmax(fabs(s->start), fmax(fabs(s->time), fabs(time)));
    return fabs(time - s->time) <= 8.0 * DBL_EPSILON * largest;
}

/* A step of co-simulation; `*ended_at_event` if it ended early. A step that fails changes nothing. */
static int do_step(Unit *unit, double time, double length, int *ended_at_event, const char *call) {
    State before;
    char text[200];
    Outcome outcome;
    int i;
    *ended_at_event = 0;
    if (!allowed(unit, STEPPING, call)) {
        return CALL_ERROR;
    }
    if (!(fabs(time) <= DBL_MAX) || !(length >= 0.0 && length <= DBL_MAX)) {
        return refuse(unit, "a step has a finite time, and a finite length of at least zero");
    }
    if (!is_present(&unit->state, time)) {
        snprintf(text, sizeof text, "a step from %.17g s, but the unit is at %.17g s: steps follow each other", time, unit->state.time);
        return refuse(unit, text);
    }
    for (i = 0; i < 2; i++) {
        if (!is_finite(input_at(&unit->state, i, time)) || !is_finite(input_at(&unit->state, i, time + length))) {
            return refuse(unit, "an input is not a finite number");
        }
    }
    if (check_conditions(unit) != CALL_OK) {
        return CALL_ERROR;
    }
    before = unit->state;
    unit->state.time = time;
    outcome = integrate(&unit->state, time + length, unit->event_mode && unit->early_return);
    if (outcome > AT_EVENT) {
        const double reached = unit->state.time;
        unit->state = before;
        if (outcome == TOO_MANY_STEPS) {
            snprintf(text, sizeof text, "%ld steps of the integrator came no further than %.9g s: take shorter communication steps", MOST_STEPS, reached);
        } else if (outcome == TOO_MANY_EVENTS) {
            snprintf(text, sizeof text, "%d events at %.9g s, within which the time does not advance", MOST_EVENTS, reached);
        } else {
            snprintf(text, sizeof text, "the motion is not a finite number after %.9g s, or the friction too stiff for this mass", reached);
        }
        return refuse(unit, text);
    }
    *ended_at_event = outcome == AT_EVENT;
    return CALL_OK;
}
