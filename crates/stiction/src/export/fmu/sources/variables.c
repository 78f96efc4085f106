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

/* A unit in use. */
typedef struct Unit {
    State state;
    Model *model;
    int is_cosimulation;
    /* whether the importer takes part in events, and allows a step to end early */
    int event_mode;
    int early_return;
    /* how the importer is told of errors: a function of the version of its interface */
    void (*tell)(const struct Unit *unit, const char *text);
    void (*logger)(void);
    void *environment;
    char *name;
} Unit;

/* The mode follows what has been set: at the start everything may be set again, and in co-simulation an input may end a hold at once. */
static void refresh(Unit *unit) {
    State *s = &unit->state;
    if (s->phase == INSTANTIATED || s->phase == INITIALISING || s->is_placed) {
        initial_mode(s);
    } else if (s->phase == STEPPING && IS_BODY && HAS_SET && is_zero(VELOCITY(s->x))) {
        decide_at_rest(s);
    }
}

/* Whether there is such a number. */
static int get_number(Unit *unit, unsigned reference, double *value) {
    const State *s = &unit->state;
    double dx[MOST_STATES], g[MOST_GUARDS];
    if (reference == TIME_REFERENCE) {
        *value = s->time;
    } else if (IS_IN(reference, FIRST_INPUT, 2)) {
        *value = input_at(s, (int)reference - FIRST_INPUT, s->time);
    } else if (IS_IN(reference, FIRST_STATE, STATES)) {
        *value = s->x[reference - FIRST_STATE];
    } else if (IS_IN(reference, FIRST_DERIVATIVE, STATES)) {
        refresh(unit);
        (void)derivatives(s, s->time, s->x, dx);
        *value = dx[reference - (unsigned)(FIRST_DERIVATIVE)];
    } else if (reference == (unsigned)(FRICTION_REFERENCE)) {
        refresh(unit);
        *value = derivatives(s, s->time, s->x, dx);
    } else if (IS_IN(reference, FIRST_PARAMETER, PARAMETERS)) {
        *value = s->p[reference - (unsigned)(FIRST_PARAMETER)];
    } else if (IS_BODY && reference == (unsigned)(STUCK_REFERENCE)) {
        /* for importers that know numbers only, such as CasADi */
        refresh(unit);
        *value = is_held(s);
    } else if (IS_IN(reference, FIRST_INDICATOR, GUARDS)) {
        refresh(unit);
        indicators_at(s, s->time, s->x, g);
        *value = g[reference - (unsigned)(FIRST_INDICATOR)];
    } else {
        return 0;
    }
    return 1;
}

/* Whether there is such a number that may be set now: an input always; a state before co-simulation begins, and in model exchange; a parameter where
   no step is under way, which an importer without event mode does not tell. In continuous-time mode the standard allows inputs alone, but CasADi sets
   states and parameters there, too. */
static int is_settable(const Unit *unit, unsigned reference) {
    const State *s = &unit->state;
    if (IS_IN(reference, FIRST_STATE, STATES)) {
        return !unit->is_cosimulation || s->phase == INSTANTIATED || s->phase == INITIALISING;
    }
    if (IS_IN(reference, FIRST_PARAMETER, PARAMETERS)) {
        return !(unit->event_mode && s->phase == STEPPING);
    }
    return IS_IN(reference, FIRST_INPUT, 2);
}

/* Sets a number that may be set now. */
static void set_number(Unit *unit, unsigned reference, double value) {
    State *s = &unit->state;
    if (IS_IN(reference, FIRST_INPUT, 2)) {
        if (!is_zero(s->slope[0]) || !is_zero(s->slope[1])) {
            hold_inputs(s);
        }
        s->input[reference - FIRST_INPUT] = value;
        s->slope[reference - FIRST_INPUT] = 0.0;
        s->input_time = s->time;
    } else if (IS_IN(reference, FIRST_STATE, STATES)) {
        s->x[reference - FIRST_STATE] = value;
        s->is_placed = s->phase == EVENTS || s->phase == CONTINUOUS;
    } else {
        s->p[reference - (unsigned)(FIRST_PARAMETER)] = value;
    }
}

/* The derivatives of unknowns along a change of knowns; 0 if one of them has none. */
static int along(Unit *unit, const unsigned *unknown, size_t unknowns, const unsigned *known, size_t knowns, const double *seed,
                 double *result) {
    const State *s = &unit->state;
    double by_x[MOST_STATES] = {0.0}, by_input[2] = {0.0, 0.0}, by_p[MOST_PARAMETERS] = {0.0}, out[MOST_STATES], by_force;
    size_t i;
    for (i = 0; i < knowns; i++) {
        if (IS_IN(known[i], FIRST_INPUT, 2)) {
            by_input[known[i] - FIRST_INPUT] = seed[i];
        } else if (IS_IN(known[i], FIRST_STATE, STATES)) {
            by_x[known[i] - FIRST_STATE] = seed[i];
        } else if (IS_IN(known[i], FIRST_PARAMETER, PARAMETERS)) {
            by_p[known[i] - (unsigned)(FIRST_PARAMETER)] = seed[i];
        } else {
            return 0;
        }
    }
    refresh(unit);
    by_force = derivatives_along(s, s->time, s->x, by_x, by_input, by_p, out);
    for (i = 0; i < unknowns; i++) {
        if (IS_IN(unknown[i], FIRST_DERIVATIVE, STATES)) {
            result[i] = out[unknown[i] - (unsigned)(FIRST_DERIVATIVE)];
        } else if (IS_IN(unknown[i], FIRST_STATE, STATES)) {
            result[i] = by_x[unknown[i] - FIRST_STATE];
        } else if (unknown[i] == (unsigned)(FRICTION_REFERENCE)) {
            result[i] = by_force;
        } else if (IS_BODY && unknown[i] == (unsigned)(STUCK_REFERENCE)) {
            result[i] = 0.0;
        } else {
            return 0;
        }
    }
    return 1;
}
