/* The variables of the unit by their value references, in the order of modelDescription.xml. */
#define TIME_REFERENCE 0
#define FIRST_INPUT 1
#define FIRST_STATE 3
#define FIRST_DERIVATIVE (FIRST_STATE + STATES)
#define FRICTION_REFERENCE (FIRST_DERIVATIVE + STATES)
#define FIRST_PARAMETER (FRICTION_REFERENCE + 1)
#define STUCK_REFERENCE (FIRST_PARAMETER + PARAMETERS)
#define FIRST_INDICATOR (STUCK_REFERENCE + 1)

#define IS_IN(reference, first, count) ((reference) >= (unsigned)(first) && (reference) < (unsigned)((first) + (count)))

typedef enum Phase { INSTANTIATED, INITIALISING, EVENTS, CONTINUOUS, STEPPING, ENDED } Phase;

/* A unit in use. */
typedef struct Unit {
    State state;
    Phase phase;
    int is_cosimulation;
    /* whether the importer takes part in events, and allows a step to end early */
    int event_mode;
    int early_return;
    int logs;
    void *logger;
    void *environment;
    char *name;
} Unit;

static int unit_is_stuck(const Unit *unit) {
#if IS_BODY && HAS_SET
    return unit->state.mode == 0;
#else
    (void)unit;
    return 0;
#endif
}

/* In co-simulation an input that has just been set may end a hold at once. */
static void refresh(Unit *unit) {
#if IS_BODY && HAS_SET
    State *s = &unit->state;
    if (unit->phase == INITIALISING || (unit->is_cosimulation && unit->phase == STEPPING)) {
        if (VELOCITY(s->x) <= 0.0 && VELOCITY(s->x) >= 0.0) {
            decide_at_rest(s);
        } else if (s->mode == 0) {
            s->mode = sign_of(VELOCITY(s->x));
        }
    }
#else
    (void)unit;
#endif
}

/* Whether there is such a number. */
static int get_number(Unit *unit, unsigned reference, double *value) {
    const State *s = &unit->state;
    double dx[STATES + 1];
    if (reference == TIME_REFERENCE) {
        *value = s->time;
    } else if (IS_IN(reference, FIRST_INPUT, 2)) {
        *value = input_at(s, (int)reference - FIRST_INPUT, s->time);
    } else if (IS_IN(reference, FIRST_STATE, STATES)) {
        *value = s->x[reference - FIRST_STATE];
    } else if (IS_IN(reference, FIRST_DERIVATIVE, STATES)) {
        refresh(unit);
        (void)derivatives(s, s->time, s->x, dx);
        *value = dx[reference - FIRST_DERIVATIVE];
    } else if (reference == FRICTION_REFERENCE) {
        refresh(unit);
        *value = derivatives(s, s->time, s->x, dx);
    } else if (IS_IN(reference, FIRST_PARAMETER, PARAMETERS)) {
        *value = s->p[reference - FIRST_PARAMETER];
    } else if (IS_IN(reference, FIRST_INDICATOR, GUARDS)) {
        double g[GUARDS + 1];
        indicators_at(s, s->time, s->x, g);
        *value = g[reference - FIRST_INDICATOR];
    } else {
        return 0;
    }
    return 1;
}

/* Whether there is such a number that may be set. */
static int set_number(Unit *unit, unsigned reference, double value) {
    State *s = &unit->state;
    if (IS_IN(reference, FIRST_INPUT, 2)) {
        if (s->slope[0] < 0.0 || s->slope[0] > 0.0 || s->slope[1] < 0.0 || s->slope[1] > 0.0) {
            hold_inputs(s);
        }
        s->input[reference - FIRST_INPUT] = value;
        s->slope[reference - FIRST_INPUT] = 0.0;
        s->input_time = s->time;
    } else if (IS_IN(reference, FIRST_STATE, STATES)) {
        s->x[reference - FIRST_STATE] = value;
    } else if (IS_IN(reference, FIRST_PARAMETER, PARAMETERS)) {
        s->p[reference - FIRST_PARAMETER] = value;
    } else {
        return 0;
    }
    return 1;
}

/* The derivatives of unknowns along a change of knowns; 0 if one of them has none. */
static int along(Unit *unit, const unsigned *unknown, size_t unknowns, const unsigned *known, size_t knowns, const double *seed,
                 double *result) {
    const State *s = &unit->state;
    double by_x[STATES + 1] = {0.0}, by_input[2] = {0.0, 0.0}, by_p[PARAMETERS + 1] = {0.0}, out[STATES + 1], by_force;
    size_t i;
    for (i = 0; i < knowns; i++) {
        if (IS_IN(known[i], FIRST_INPUT, 2)) {
            by_input[known[i] - FIRST_INPUT] = seed[i];
        } else if (IS_IN(known[i], FIRST_STATE, STATES)) {
            by_x[known[i] - FIRST_STATE] = seed[i];
        } else if (IS_IN(known[i], FIRST_PARAMETER, PARAMETERS)) {
            by_p[known[i] - FIRST_PARAMETER] = seed[i];
        } else {
            return 0;
        }
    }
    by_force = derivatives_along(s, s->time, s->x, by_x, by_input, by_p, out);
    for (i = 0; i < unknowns; i++) {
        if (IS_IN(unknown[i], FIRST_DERIVATIVE, STATES)) {
            result[i] = out[unknown[i] - FIRST_DERIVATIVE];
        } else if (IS_IN(unknown[i], FIRST_STATE, STATES)) {
            result[i] = by_x[unknown[i] - FIRST_STATE];
        } else if (unknown[i] == FRICTION_REFERENCE) {
            result[i] = by_force;
        } else {
            return 0;
        }
    }
    return 1;
}

/* The first parameter out of its bounds, or the first condition between parameters that does not hold, as a sentence; none if all is well. */
static const char *wrong_parameter(const State *s) {
    static char text[256];
    int i;
    for (i = 0; i < PARAMETERS; i++) {
        if (!(s->p[i] >= least_values[i] && s->p[i] <= largest_values[i])) {
            snprintf(text, sizeof text, "%s = %g is not within %g to %g", parameter_names[i], s->p[i], least_values[i], largest_values[i]);
            return text;
        }
    }
    return broken_condition(LAW_PARAMETERS_OF(s));
}

/* Why a step of co-simulation cannot be taken; none if it can. Parameters may have been changed since the initialisation. */
static const char *wrong_step(const State *s, double time, double length) {
    if (!(fabs(time) <= DBL_MAX) || !(length >= 0.0 && length <= DBL_MAX)) {
        return "a step has a finite time, and a finite length of at least zero";
    }
    if (!(fabs(s->input[0]) <= DBL_MAX && fabs(s->input[1]) <= DBL_MAX)) {
        return "an input is not a finite number";
    }
    return wrong_parameter(s);
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static Unit *new_unit(const char *name, const char *token) {
    Unit *unit;
    if (token == NULL || strcmp(token, UNIT_TOKEN) != 0) {
        return NULL;
    }
    unit = calloc(1, sizeof *unit);
    if (unit == NULL) {
        return NULL;
    }
    unit->name = malloc(strlen(name == NULL ? "" : name) + 1);
    if (unit->name == NULL) {
        free(unit);
        return NULL;
    }
    strcpy(unit->name, name == NULL ? "" : name);
    reset_state(&unit->state);
    return unit;
}

static void free_unit(Unit *unit) {
    if (unit != NULL) {
        free(unit->name);
        free(unit);
    }
}

static void begin(Unit *unit, int has_tolerance, double tolerance, double time) {
    State *s = &unit->state;
    s->time = time;
    s->input_time = time;
    if (has_tolerance && tolerance > 0.0) {
        s->relative_tolerance = tolerance < 1e-12 ? 1e-12 : (tolerance > 1e-3 ? 1e-3 : tolerance);
    }
}

/* A copy of the state; none without memory. */
static State *kept_state(const State *s) {
    State *copy = malloc(sizeof *copy);
    if (copy != NULL) {
        memcpy(copy, s, sizeof *copy);
    }
    return copy;
}

/* Serialised: the size and the token, so that the bytes of another unit are refused, then the state. */
#define SERIALISED_SIZE (sizeof(UNIT_TOKEN) + sizeof(State))

static int serialise(const State *s, unsigned char *bytes, size_t size) {
    if (s == NULL || size < SERIALISED_SIZE) {
        return 0;
    }
    memcpy(bytes, UNIT_TOKEN, sizeof(UNIT_TOKEN));
    memcpy(bytes + sizeof(UNIT_TOKEN), s, sizeof *s);
    return 1;
}

static State *deserialised(const unsigned char *bytes, size_t size) {
    State *s;
    if (size < SERIALISED_SIZE || memcmp(bytes, UNIT_TOKEN, sizeof(UNIT_TOKEN)) != 0) {
        return NULL;
    }
    s = malloc(sizeof *s);
    if (s != NULL) {
        memcpy(s, bytes + sizeof(UNIT_TOKEN), sizeof *s);
    }
    return s;
}
