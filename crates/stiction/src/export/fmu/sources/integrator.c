/* The motion between two instants: steps with error control that end at events. */

/* A step in which a guard is found beyond its zero in this range is repeated, so that it ends just beyond: the dense output within a
   step is less accurate than its end. */
#define RETAKE_FROM 1e-3
#define RETAKE_TO 0.99
#define RETAKE_OVERSHOOT 1.005
/* Steps after which a motion counts as not followed: some seconds of computing, nine for the longest law, `hysteresis`, interpreted. */
#define MOST_STEPS 500000L
/* Events within which the time does not advance. */
#define MOST_EVENTS 1000

/* A guard at a fraction of the step, positive before its event. */
static double guard_within(const State *s, const Step *step, int which, int side, double theta) {
    double x[MOST_STATES], g[MOST_GUARDS];
    within_step(step, theta, x);
    guards_at(s, step->time + theta * step->length, x, g);
    return side * g[which];
}

/* What the error that a step may have makes of a guard of the law at the fraction theta. A law may follow its kink, and the sign of
   such a guard is then that of the error; a crossing by less is not known to happen. Where the memory jumps, only rounding counts. */
static double guard_noise(const State *s, const Step *step, int which, double theta) {
    double x[MOST_STATES], g[MOST_GUARDS], moved[MOST_GUARDS], after[MOST_MEMORY], noise;
    const double time = step->time + theta * step->length;
    int i;
    within_step(step, theta, x);
    guards_at(s, time, x, g);
    noise = 1e-13 * fabs(g[which]);
    if (jumped(s, time, MEMORY_OF(x), law_velocity(s, time, x), after)) {
        return noise;
    }
    for (i = IS_BODY; i < STATES; i++) {
        const double kept = x[i];
        if (state_flows[i]) {
            x[i] += sqrt((double)STATES) * allowed_error(s, i, kept);
            guards_at(s, time, x, moved);
            noise += fabs(moved[which] - g[which]);
            x[i] = kept;
        }
    }
    return noise;
}

/* The first event in a step: its fraction of the step, and its guard; 2 if there is none. */
static double first_event(const State *s, const Step *step, int *fired) {
    enum { NODES = 8 };
    double g[NODES + 1][MOST_GUARDS], x[MOST_STATES], first = 2.0;
    int node, k;
    for (node = 0; node <= NODES; node++) {
        const double theta = (double)node / NODES;
        within_step(step, theta, x);
        guards_at(s, step->time + theta * step->length, x, g[node]);
    }
    for (k = 0; k < GUARDS; k++) {
        int side = 1;
        double noise, most = 0.0;
        if (k >= FIRST_LAW_GUARD) {
            side = s->side[k - FIRST_LAW_GUARD];
            /* a guard that starts at zero is on the side to which it goes */
            for (node = 1; node <= NODES && side == 0; node++) {
                side = sign_of(g[node][k]);
            }
        }
        for (node = 0; node <= NODES; node++) {
            most = fabs(g[node][k]) > most ? fabs(g[node][k]) : most;
        }
        noise = 1e-13 * most;
        if (IS_BODY && k == 0 && s->mode != 0 && HAS_SET && !(fabs(g[0][k]) > 0.0)) {
            /* just released, perhaps with hardly any acceleration: rounding must not stop it again */
            noise = 1e-6 * most;
        } else if (IS_BODY && HAS_EXTREMUM && k == EXTREMUM_GUARD) {
            /* an acceleration that changes the speed by less than its tolerance within the step is not resolved */
            noise = speed_tolerance(s) / step->length;
        }
        for (node = 1; node <= NODES; node++) {
            if (side * g[node][k] < -noise) {
                double low = (double)(node - 1) / NODES, high = (double)node / NODES;
                double at_low = side * g[node - 1][k], at_high = side * g[node][k];
                int turn;
                if (k >= FIRST_LAW_GUARD && !(side * g[node][k] < -guard_noise(s, step, k, high))) {
                    continue;
                }
                if (low >= first) {
                    break;
                }
                at_low = at_low > 0.0 ? at_low : 0.0;
                /* false position, with a bisection in every third turn, to the last digits */
                for (turn = 0; turn < 200; turn++) {
                    const double middle = 0.5 * (low + high), guess = low + (high - low) * at_low / (at_low - at_high);
                    const double theta = turn % 3 == 2 || !(guess > low && guess < high) ? middle : guess;
                    double value;
                    if (!(middle > low && middle < high) || high - low < 4.0 * DBL_EPSILON * high) {
                        break;
                    }
                    value = guard_within(s, step, k, side, theta);
                    if (value < 0.0) {
                        high = theta;
                        at_high = value;
                    } else {
                        low = theta;
                        at_low = value;
                    }
                }
                if (high < first) {
                    first = high;
                    *fired = k;
                }
                break;
            }
        }
    }
    return first;
}

/* A first length of a step: a small part of the time in which a state changes by its size. */
static double first_length(const State *s, double room) {
    double dx[MOST_STATES], rate = 0.0;
    int i;
    (void)derivatives(s, s->time, s->x, dx);
    for (i = 0; i < STATES; i++) {
        const double size = fabs(s->x[i]) + absolute_tolerance(s, i) / s->relative_tolerance;
        if (state_flows[i] && fabs(dx[i]) / size > rate) {
            rate = fabs(dx[i]) / size;
        }
    }
    return rate * room > 1e-3 ? 1e-3 / rate : room;
}

/* How a motion went on: to its end, to an event, or why not. */
typedef enum Outcome { AT_END, AT_EVENT, NOT_A_NUMBER, TOO_MANY_STEPS, TOO_MANY_EVENTS } Outcome;

/* Goes on to time `end`, or to the first event if `stop_at_event`. */
static Outcome integrate(State *s, double end, int stop_at_event) {
    long steps;
    int events = 0;
    (void)transition(s, NONE);
    for (steps = 0; s->time < end; steps++) {
        const double room_left = end - s->time, shortest = 16.0 * DBL_EPSILON * fabs(s->time) + 1e-300;
        double h, wanted = s->step > 0.0 ? s->step : first_length(s, room_left), error, theta = 2.0;
        int fired = NONE, retaken = 0, rejected = 0, lands;
        Step step;
        if (steps >= MOST_STEPS) {
            return TOO_MANY_STEPS;
        }
        wanted = wanted > shortest ? wanted : shortest;
        lands = wanted >= 0.999999 * room_left;
        /* the last two steps are of equal length, so that no tiny one is left over */
        h = lands ? room_left : (wanted < 0.5 * room_left ? wanted : 0.5 * room_left);
        for (;;) {
            error = take_step(s, h, &step);
            if (!(error <= 1.0) && h > shortest) {
                const double factor = error < 1e30 ? 0.9 * pow(error, -0.2) : 0.1;
                h *= factor < 0.1 ? 0.1 : (factor > 0.9 ? 0.9 : factor);
                rejected = 1;
                lands = 0;
                continue;
            }
            if (!(error < 1e300)) {
                return NOT_A_NUMBER;
            }
            theta = first_event(s, &step, &fired);
            if (theta > RETAKE_FROM && theta < RETAKE_TO && !retaken) {
                h = theta * h * RETAKE_OVERSHOOT;
                h = h > shortest ? h : shortest;
                retaken = 1;
                lands = 0;
                continue;
            }
            break;
        }
        {
            const double factor = error > 1e-10 ? 0.9 * pow(error, -0.2) : 8.0;
            const double most = rejected ? 1.0 : 8.0;
            const double next = h * (factor < 0.2 ? 0.2 : (factor > most ? most : factor));
            /* a step that was cut short says nothing against longer ones */
            if (!((lands || retaken || theta <= 1.0) && next < s->step)) {
                s->step = next;
            }
            if (theta <= 1.0) {
                s->step = s->step < h ? s->step : h;
            }
        }
        if (theta <= 1.0) {
            const double before = s->time;
            within_step(&step, theta, s->x);
            s->time = theta < 1.0 || !lands ? s->time + theta * h : end;
            events = s->time > before + shortest ? 0 : events + 1;
            if (events > MOST_EVENTS) {
                return TOO_MANY_EVENTS;
            }
            (void)transition(s, fired);
            if (stop_at_event && s->time < end) {
                return AT_EVENT;
            }
        } else {
            memcpy(s->x, step.end, sizeof s->x);
            s->time = lands ? end : s->time + h;
            (void)transition(s, NONE);
        }
    }
    return AT_END;
}
