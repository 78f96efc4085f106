/* Events: the guards, and what happens where one of them becomes negative. */

#if HAS_JUMP || LAW_GUARDS_HERE > 0
/* The velocity at which jumps and guards of the law are evaluated. */
static double law_velocity(const State *s, double time, const double *x) {
#if IS_BODY
    (void)time;
#if HAS_SET
    if (s->mode == 0) {
        return 0.0;
    }
#endif
    return one_sided(s->mode, VELOCITY(x));
#else
    (void)x;
    return input_at(s, 0, time);
#endif
}
#endif

#if IS_BODY && HAS_SET
/* How far the applied force is from the end of the set of forces at rest in a direction: F(0) + dir hold - applied, times dir. */
static double room(const State *s, double time, const double *x, int dir) {
    const double load = input_at(s, 1, time), applied = input_at(s, 0, time);
    double out[1 + MEMORY];
    law_flow(MEMORY_OF(x), 0.0, load, LAW_PARAMETERS_OF(s), out);
    return law_hold(MEMORY_OF(x), load, dir, LAW_PARAMETERS_OF(s)) - dir * (applied - out[0]);
}
#endif

#if LAW_GUARDS_HERE > 0
/* The guards of the law; of a unit whose velocity is an input, the velocity before them. */
static void law_guards_at(const State *s, double time, const double *x, double *g) {
    const double load = input_at(s, 1, time), v = law_velocity(s, time, x);
#if !IS_BODY
    g[0] = v;
#endif
#if LAW_GUARDS > 0
    law_guards(MEMORY_OF(x), v, load, LAW_PARAMETERS_OF(s), g + !IS_BODY);
#endif
    (void)load;
}
#endif

/* All guards. Those of the law have their own sign. */
static void guards_at(const State *s, double time, const double *x, double *g) {
#if IS_BODY
#if HAS_SET
    if (s->mode == 0) {
        g[0] = room(s, time, x, 1);
        g[1] = room(s, time, x, -1);
    } else {
        g[0] = s->mode * VELOCITY(x);
        g[1] = 1.0;
    }
#else
    /* a reversal by less than the tolerance of the speed is not known to happen */
    g[0] = speed_tolerance(s) + (s->mode == 0 ? -fabs(VELOCITY(x)) : s->mode * VELOCITY(x));
#endif
#if HAS_BAND
    g[BAND_GUARD] = 1.0;
    if (s->mode != 0) {
        const double v = VELOCITY(x);
        g[BAND_GUARD] = s->outside * (fabs(v) - law_band(v, input_at(s, 1, time), LAW_PARAMETERS_OF(s)));
    }
#endif
#if HAS_EXTREMUM
    g[EXTREMUM_GUARD] = 1.0;
    if (s->mode != 0) {
        const double kind = law_extremum(MEMORY_OF(x), LAW_PARAMETERS_OF(s));
        if (kind > 0.0 || kind < 0.0) {
            double dx[STATES + 1];
            derivatives(s, time, x, dx);
            g[EXTREMUM_GUARD] = kind * s->mode * dx[1];
        }
    }
#endif
#endif
#if LAW_GUARDS_HERE > 0
    law_guards_at(s, time, x, g + FIRST_LAW_GUARD);
#endif
    (void)s;
    (void)time;
    (void)x;
    (void)g;
}

#if IS_BODY && HAS_SET
/* An importer finds the zero of an indicator to rounding, on either side of it, and then a body whose force is just within the set would
   stay held, with an indicator that has passed its zero. So the indicators of a held body are zero only when the force is beyond the
   set by this much: far more than rounding, far less than any force is known. */
static double event_margin(const State *s, double time, const double *g) {
    return 1e-12 * (fabs(input_at(s, 0, time)) + fabs(g[0] + g[1]));
}
#endif

/* The event indicators: the guards, for an importer that locates their zeros. */
static void indicators_at(const State *s, double time, const double *x, double *g) {
    guards_at(s, time, x, g);
#if IS_BODY && HAS_SET
    if (s->mode == 0) {
        const double margin = event_margin(s, time, g);
        g[0] += margin;
        g[1] += margin;
    }
#endif
}

/* Whether a held body is pushed beyond its set of forces at rest: the importer has stepped over the zero of an indicator. */
static int is_pushed_beyond(const State *s) {
#if IS_BODY && HAS_SET
    double g[GUARDS + 1];
    if (s->mode != 0) {
        return 0;
    }
    indicators_at(s, s->time, s->x, g);
    return g[0] < 0.0 || g[1] < 0.0;
#else
    (void)s;
    return 0;
#endif
}

#if HAS_JUMP
/* The memory after a jump at velocity `v`; whether it differs. */
static int jumped(const State *s, double time, const double *memory, double v, double *after) {
    int i, differs = 0;
    law_jump(memory, v, input_at(s, 1, time), LAW_PARAMETERS_OF(s), after);
    for (i = 0; i < MEMORY; i++) {
        differs |= after[i] < memory[i] || after[i] > memory[i];
    }
    return differs;
}
static int jump(State *s, double v) {
    double after[MEMORY + 1];
    const int changed = jumped(s, s->time, MEMORY_OF(s->x), v, after);
    if (changed) {
        memcpy(MEMORY_OF(s->x), after, MEMORY * sizeof(double));
    }
    return changed;
}
#endif

/* Whether the memory is what it is after a jump. */
static int needs_jump(const State *s) {
#if HAS_JUMP
    double after[MEMORY + 1];
    return jumped(s, s->time, MEMORY_OF(s->x), law_velocity(s, s->time, s->x), after);
#else
    (void)s;
    return 0;
#endif
}

#if IS_BODY && HAS_SET
/* A body without velocity is held if the set of forces at rest contains the applied force, else it starts in the direction of the excess. */
static void decide_at_rest(State *s) {
    const double applied = input_at(s, 0, s->time);
    double out[1 + MEMORY];
    int dir;
    law_flow(MEMORY_OF(s->x), 0.0, input_at(s, 1, s->time), LAW_PARAMETERS_OF(s), out);
    dir = applied < out[0] ? -1 : 1;
    s->mode = room(s, s->time, s->x, dir) < 0.0 ? dir : 0;
    s->outside = -1;
}
#endif

/* No guard has become negative; or it is not known which. */
#define NONE (-1)
#define UNKNOWN (-2)

/* The discrete states after an event; `fired` is its guard. Called once more it changes nothing. Returns whether a
   continuous state has changed. */
static int transition(State *s, int fired) {
    int changed = 0;
#if IS_BODY
#if HAS_SET
    int rests = s->mode != 0 && s->mode * VELOCITY(s->x) <= 0.0;
#if HAS_BAND
    const double band = law_band(VELOCITY(s->x), input_at(s, 1, s->time), LAW_PARAMETERS_OF(s));
    const double speed = fabs(VELOCITY(s->x)), margin = fired == UNKNOWN ? 0.0 : 1e-9;
    const int crosses = fired == BAND_GUARD && s->mode != 0;
    if (s->outside > 0 && (crosses || speed <= band * (1.0 - margin))) {
        rests |= s->mode != 0;
        s->outside = -1;
    } else if (s->outside < 0 && (crosses || speed > band * (1.0 + margin))) {
        s->outside = 1;
    }
#endif
    if (s->mode == 0 && fired >= 0 && fired < VELOCITY_GUARDS) {
        s->mode = fired == 0 ? 1 : -1;
    } else if (rests || (s->mode == 0 && VELOCITY(s->x) <= 0.0 && VELOCITY(s->x) >= 0.0)) {
        changed = VELOCITY(s->x) < 0.0 || VELOCITY(s->x) > 0.0;
        VELOCITY(s->x) = 0.0;
#if HAS_JUMP
        changed |= jump(s, 0.0);
#endif
        decide_at_rest(s);
    } else if (s->mode == 0) {
        s->mode = sign_of(VELOCITY(s->x));
    }
#else
    /* an importer may stop just before the zero of an indicator */
    const double v = VELOCITY(s->x), least = (fired == UNKNOWN ? 0.5 : 1.0) * speed_tolerance(s);
    if (fired == 0 || fabs(v) > least) {
        s->mode = sign_of(v);
    }
#endif
#if HAS_EXTREMUM
    if (s->mode != 0) {
        const double kind = law_extremum(MEMORY_OF(s->x), LAW_PARAMETERS_OF(s));
        if (kind > 0.0 || kind < 0.0) {
            double dx[STATES + 1];
            derivatives(s, s->time, s->x, dx);
            if (fired == EXTREMUM_GUARD || (fired == UNKNOWN && kind * s->mode * dx[1] < 0.0)) {
                /* at the extreme speed, and a few units in the last place beyond it */
                const double extreme = law_velocity(s, s->time, s->x);
                changed |= jump(s, extreme);
                changed |= jump(s, extreme * (1.0 - kind * 4.0 * DBL_EPSILON));
            }
        }
    }
#endif
#endif
#if HAS_JUMP
    {
        const int own = jump(s, law_velocity(s, s->time, s->x));
        changed |= own;
#if IS_BODY && HAS_SET
        if (own && s->mode == 0) {
            decide_at_rest(s);
        }
#endif
    }
#endif
#if LAW_GUARDS_HERE > 0
    {
        double g[LAW_GUARDS_HERE];
        int k;
        law_guards_at(s, s->time, s->x, g);
        for (k = 0; k < LAW_GUARDS_HERE; k++) {
            if (fired == FIRST_LAW_GUARD + k && (!changed || sign_of(g[k]) == 0)) {
                /* a kink: the guard goes on to its other sign */
                s->side[k] = -s->side[k];
            } else if (fired != FIRST_LAW_GUARD + k || changed) {
                s->side[k] = sign_of(g[k]);
            }
        }
    }
#endif
    (void)fired;
    return changed;
}
