/* Events: the guards, and what happens where one of them becomes negative. */

/* The velocity at which jumps and guards of the law are evaluated. */
static double law_velocity(const State *s, double time, const double *x) {
    if (!IS_BODY) {
        return input_at(s, 0, time);
    }
    return is_held(s) ? 0.0 : one_sided(s->mode, VELOCITY(x));
}

/* What the rounding of the states leaves unknown of the excess of the applied force over F(0): F has the slope dF/dz by each number z of the
   memory, so it is known to epsilon sum |z dF/dz|. Each term has gone through some eight roundings: the products and sums of a step, of its
   dense output, and of the law. */
static double unknown_excess(const State *s, double time, const double *x) {
    const double load = input_at(s, 1, time), no_parameters[MOST_PARAMETERS] = {0.0};
    double sum = fabs(input_at(s, 0, time));
    int i;
    for (i = 0; i < MEMORY; i++) {
        double along[MOST_MEMORY] = {0.0}, slopes[1 + MOST_MEMORY], term;
        along[i] = MEMORY_OF(x)[i];
        law_flow_along(s, MEMORY_OF(x), 0.0, load, along, 0.0, 0.0, no_parameters, slopes);
        term = fabs(slopes[0]);
        sum += term <= DBL_MAX ? term : 0.0;
    }
    return 8.0 * DBL_EPSILON * sum;
}

/* How far the applied force is from the end of the set of forces at rest in a direction: F(0) + dir hold - applied, times dir. A force within
   the rounding of the end is within the set: where the set shrinks below this rounding, a body at rest would else start and stop for ever. */
static double room(const State *s, double time, const double *x, int dir) {
    const double load = input_at(s, 1, time), applied = input_at(s, 0, time);
    double out[1 + MOST_MEMORY];
    law_flow(s, MEMORY_OF(x), 0.0, load, out);
    return law_hold(s, MEMORY_OF(x), load, dir) + unknown_excess(s, time, x) - dir * (applied - out[0]);
}

/* The guards of the law; of a unit whose velocity is an input, the velocity before them. */
static void law_guards_at(const State *s, double time, const double *x, double *g) {
    const double v = law_velocity(s, time, x);
    if (!IS_BODY) {
        g[0] = v;
    }
    if (LAW_GUARDS > 0) {
        law_guards(s, MEMORY_OF(x), v, input_at(s, 1, time), g + !IS_BODY);
    }
}

/* The kind of an extremum of the speed that changes the memory next, 1 a maximum, -1 a minimum, and the acceleration against
   which it is one; 0 if there is none. */
static int awaited_extremum(const State *s, double time, const double *x, double *acceleration) {
    double dx[MOST_STATES];
    int kind;
    if (!IS_BODY || !HAS_EXTREMUM || s->mode == 0) {
        return 0;
    }
    kind = sign_of(law_extremum(s, MEMORY_OF(x)));
    if (kind != 0) {
        (void)derivatives(s, time, x, dx);
        *acceleration = kind * s->mode * dx[1];
    }
    return kind;
}

/* All guards. Those of the law have their own sign. */
static void guards_at(const State *s, double time, const double *x, double *g) {
    if (IS_BODY) {
        const double v = VELOCITY(x);
        if (is_held(s)) {
            g[0] = room(s, time, x, 1);
            g[1] = room(s, time, x, -1);
        } else if (HAS_SET) {
            g[0] = s->mode * v;
            g[1] = 1.0;
        } else {
            /* a reversal by less than the tolerance of the speed is not known to happen */
            g[0] = speed_tolerance(s) + (s->mode == 0 ? -fabs(v) : s->mode * v);
        }
        if (HAS_BAND) {
            g[BAND_GUARD] = s->mode == 0 ? 1.0 : s->outside * (fabs(v) - law_band(s, v, input_at(s, 1, time)));
        }
        if (HAS_EXTREMUM && awaited_extremum(s, time, x, &g[EXTREMUM_GUARD]) == 0) {
            g[EXTREMUM_GUARD] = 1.0;
        }
    }
    law_guards_at(s, time, x, g + FIRST_LAW_GUARD);
}

/* What the errors that velocity and memory may have make of each guard of the law. */
static void law_guard_margins(const State *s, double time, const double *x, double *margin) {
    double g[1 + MOST_LAW_GUARDS], other[1 + MOST_LAW_GUARDS], moved[MOST_STATES];
    int i, k;
    law_guards_at(s, time, x, g);
    for (k = 0; k < LAW_GUARDS_HERE; k++) {
        margin[k] = 0.0;
    }
    for (i = IS_BODY; i < STATES; i++) {
        if (state_flows[i]) {
            memcpy(moved, x, sizeof moved);
            moved[i] += allowed_error(s, i, x[i]);
            law_guards_at(s, time, moved, other);
            for (k = 0; k < LAW_GUARDS_HERE; k++) {
                margin[k] += fabs(other[k] - g[k]);
            }
        }
    }
    if (!IS_BODY) {
        const double v = input_at(s, 0, time) + speed_tolerance(s);
        other[0] = v;
        if (LAW_GUARDS > 0) {
            law_guards(s, MEMORY_OF(x), v, input_at(s, 1, time), other + 1);
        }
        for (k = 0; k < LAW_GUARDS_HERE; k++) {
            margin[k] += fabs(other[k] - g[k]);
        }
    }
}

/* The event indicators: the guards, for an importer that locates their zeros. It finds the zero of an indicator to rounding, on either side of
   it, and then a body whose force is just within the set would stay held, with an indicator that has passed its zero. So the indicators of a
   held body are zero only when the force is beyond the set by a margin that is far more than rounding, and far less than any force is known;
   likewise all others when velocity and memory are beyond the zero by what they may be wrong. */
static void indicators_at(const State *s, double time, const double *x, double *g) {
    double margins[1 + MOST_LAW_GUARDS];
    int k;
    guards_at(s, time, x, g);
    law_guard_margins(s, time, x, margins);
    for (k = 0; k < LAW_GUARDS_HERE; k++) {
        g[FIRST_LAW_GUARD + k] += s->side[k] * margins[k];
    }
    if (is_held(s)) {
        const double margin = 1e-12 * (fabs(input_at(s, 0, time)) + fabs(g[0] + g[1]));
        g[0] += margin;
        g[1] += margin;
    } else if (IS_BODY && HAS_SET) {
        g[0] += speed_tolerance(s);
        if (HAS_BAND) {
            const double half = 0.5 * law_band(s, VELOCITY(x), input_at(s, 1, time));
            g[BAND_GUARD] += half < speed_tolerance(s) ? half : speed_tolerance(s);
        }
    }
}

/* Whether a held body is pushed beyond its set of forces at rest: the importer has stepped over the zero of an indicator. */
static int is_pushed_beyond(const State *s) {
    double g[MOST_GUARDS];
    if (!is_held(s)) {
        return 0;
    }
    indicators_at(s, s->time, s->x, g);
    return g[0] < 0.0 || g[1] < 0.0;
}

/* The memory after a jump at velocity `v`; whether it differs. */
static int jumped(const State *s, double time, const double *memory, double v, double *after) {
    int i, differs = 0;
    if (!HAS_JUMP) {
        return 0;
    }
    law_jump(s, memory, v, input_at(s, 1, time), after);
    for (i = 0; i < MEMORY; i++) {
        differs |= after[i] < memory[i] || after[i] > memory[i];
    }
    return differs;
}

static int jump(State *s, double v) {
    double after[MOST_MEMORY];
    const int changed = jumped(s, s->time, MEMORY_OF(s->x), v, after);
    if (changed) {
        memcpy(MEMORY_OF(s->x), after, (size_t)(MEMORY) * sizeof(double));
    }
    return changed;
}

/* Whether the memory is not what it is after a jump. */
static int needs_jump(const State *s) {
    double after[MOST_MEMORY];
    return jumped(s, s->time, MEMORY_OF(s->x), law_velocity(s, s->time, s->x), after);
}

/* A body without velocity is held if the set of forces at rest contains the applied force, else it starts in the direction of the excess. */
static void decide_at_rest(State *s) {
    const double applied = input_at(s, 0, s->time);
    double out[1 + MOST_MEMORY];
    int dir;
    law_flow(s, MEMORY_OF(s->x), 0.0, input_at(s, 1, s->time), out);
    dir = applied < out[0] ? -1 : 1;
    s->mode = room(s, s->time, s->x, dir) < 0.0 ? dir : 0;
    s->outside = -1;
}

/* The mode of a body that has this velocity at the start, whatever it was before. */
static void initial_mode(State *s) {
    if (IS_BODY && HAS_SET) {
        s->mode = sign_of(VELOCITY(s->x));
        if (s->mode == 0) {
            decide_at_rest(s);
        } else if (HAS_BAND) {
            s->outside = fabs(VELOCITY(s->x)) > law_band(s, VELOCITY(s->x), input_at(s, 1, s->time)) ? 1 : -1;
        }
    }
}

/* No guard has become negative; or it is not known which. */
#define NONE (-1)
#define UNKNOWN (-2)

/* Rest and sliding of a body with a set of forces at rest. Returns whether a continuous state has changed. */
static int stick_or_slide(State *s, int fired) {
    int changed = 0, rests = s->mode != 0 && s->mode * VELOCITY(s->x) <= 0.0;
    if (HAS_BAND) {
        const double band = law_band(s, VELOCITY(s->x), input_at(s, 1, s->time));
        const double speed = fabs(VELOCITY(s->x)), margin = fired == UNKNOWN ? 0.0 : 1e-9;
        const int crosses = fired == BAND_GUARD && s->mode != 0;
        if (s->outside > 0 && (crosses || speed <= band * (1.0 - margin))) {
            rests |= s->mode != 0;
            s->outside = -1;
        } else if (s->outside < 0 && (crosses || speed > band * (1.0 + margin))) {
            s->outside = 1;
        }
    }
    if (s->mode == 0 && fired >= 0 && fired < VELOCITY_GUARDS) {
        s->mode = fired == 0 ? 1 : -1;
    } else if (rests || (s->mode == 0 && is_zero(VELOCITY(s->x)))) {
        changed = !is_zero(VELOCITY(s->x));
        VELOCITY(s->x) = 0.0;
        changed |= jump(s, 0.0);
        decide_at_rest(s);
    } else if (s->mode == 0) {
        s->mode = sign_of(VELOCITY(s->x));
    }
    return changed;
}

/* The jump of the memory at an extremum of the speed. */
static int pass_extremum(State *s, int fired) {
    double acceleration;
    const int kind = awaited_extremum(s, s->time, s->x, &acceleration);
    int changed = 0;
    if (kind != 0 && (fired == EXTREMUM_GUARD || (fired == UNKNOWN && acceleration < 0.0))) {
        /* at the extreme speed, and a few units in the last place beyond it; the body goes on from there, because at the extreme speed itself
           the memory is again what it was before the extremum */
        const double extreme = law_velocity(s, s->time, s->x), beyond = extreme * (1.0 - kind * 4.0 * DBL_EPSILON);
        (void)jump(s, extreme);
        (void)jump(s, beyond);
        VELOCITY(s->x) = beyond;
        changed = 1;
    }
    return changed;
}

/* The discrete states after an event; `fired` is its guard. Called once more it changes nothing. Returns whether a
   continuous state has changed. */
static int transition(State *s, int fired) {
    double g[1 + MOST_LAW_GUARDS];
    int changed = 0, own, k;
    if (IS_BODY && HAS_SET) {
        changed |= stick_or_slide(s, fired);
    } else if (IS_BODY) {
        /* an importer may stop just before the zero of an indicator */
        const double v = VELOCITY(s->x), least = (fired == UNKNOWN ? 0.5 : 1.0) * speed_tolerance(s);
        if (fired == 0 || fabs(v) > least) {
            s->mode = sign_of(v);
        }
    }
    if (HAS_EXTREMUM) {
        changed |= pass_extremum(s, fired);
    }
    own = jump(s, law_velocity(s, s->time, s->x));
    changed |= own;
    if (own && is_held(s)) {
        decide_at_rest(s);
    }
    law_guards_at(s, s->time, s->x, g);
    for (k = 0; k < LAW_GUARDS_HERE; k++) {
        if (fired == FIRST_LAW_GUARD + k && (!changed || sign_of(g[k]) == 0)) {
            /* a kink: the guard goes on to its other sign */
            s->side[k] = -s->side[k];
        } else if (fired != FIRST_LAW_GUARD + k || changed) {
            s->side[k] = sign_of(g[k]);
        }
    }
    return changed;
}
