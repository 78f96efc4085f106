/* The equations of one mode, and their derivatives. */

/* A speed far below all others: on which side of rest a law is evaluated. */
#define TINY 1e-200

/* The velocity at which a law is evaluated on its side of rest. */
static double one_sided(int side, double v) {
    if (side == 0 || v * side > 0.0) {
        return v;
    }
    return side * TINY;
}

/* The velocity at which the law of a body is evaluated in its mode: on its side of rest, and on its side of the speed that counts as rest,
   where the force may jump. Beyond it the force goes on as it is there, so that a step beyond the event sees no jump. */
static double velocity_in_mode(const State *s, double v, double load) {
    v = one_sided(s->mode, v);
    if (HAS_BAND && s->mode != 0) {
        const double band = law_band(s, v, load);
        if (!(band > TINY)) {
            return v;
        }
        if (s->outside < 0 && fabs(v) >= band) {
            return s->mode * band * (1.0 - DBL_EPSILON);
        }
        if (s->outside > 0 && fabs(v) < band) {
            return s->mode * band;
        }
    }
    return v;
}

static int is_held(const State *s) {
    return IS_BODY && HAS_SET && s->mode == 0;
}

/* Whether the velocity of a body is beyond the reversal that ends the mode. */
static int is_beyond_reversal(const State *s, double v) {
    return IS_BODY && s->mode != 0 && v * s->mode < 0.0;
}

/* The memory as far below (-1) or above (1) itself as it may be wrong. */
static void displaced(const State *s, const double *memory, int side, double *out) {
    int i;
    for (i = 0; i < MEMORY; i++) {
        out[i] = memory[i] + side * allowed_error(s, 2 * IS_BODY + i, memory[i]);
    }
}

/* Force and rates of the law. A power of the memory may have a slope without bound where its base is zero, and sliding may lead right there: no step
   is short enough for it. Such a law is taken as the mean of its values as far below and above the memory as this may be wrong, which has a bounded
   slope; where the slope is bounded anyway, it differs by the square of the tolerance. */
static void smooth_flow(const State *s, const double *memory, double v, double load, double *out) {
    if (HAS_POWER_OF_MEMORY) {
        double moved[MOST_MEMORY], above[1 + MOST_MEMORY];
        int i;
        displaced(s, memory, -1, moved);
        law_flow(s, moved, v, load, out);
        displaced(s, memory, 1, moved);
        law_flow(s, moved, v, load, above);
        for (i = 0; i <= MEMORY; i++) {
            out[i] = 0.5 * (out[i] + above[i]);
        }
    } else {
        law_flow(s, memory, v, load, out);
    }
}

/* The derivatives of these along a change of memory, velocity, load and parameters. */
static void smooth_flow_along(const State *s, const double *memory, double v, double load, const double *by_memory, double by_v, double by_load,
                              const double *by_p, double *out) {
    if (HAS_POWER_OF_MEMORY) {
        double moved[MOST_MEMORY], above[1 + MOST_MEMORY];
        int i;
        displaced(s, memory, -1, moved);
        law_flow_along(s, moved, v, load, by_memory, by_v, by_load, by_p, out);
        displaced(s, memory, 1, moved);
        law_flow_along(s, moved, v, load, by_memory, by_v, by_load, by_p, above);
        for (i = 0; i <= MEMORY; i++) {
            out[i] = 0.5 * (out[i] + above[i]);
        }
    } else {
        law_flow_along(s, memory, v, load, by_memory, by_v, by_load, by_p, out);
    }
}

/* Friction force and rates of the memory at a velocity. Beyond rest the law of the present direction is continued: reflected about
   its value at rest, so that a step beyond a reversal sees no kink. */
static double force_and_rates(const State *s, const double *memory, double v, double load, double *rates) {
    double out[1 + MOST_MEMORY];
    int i;
    if (is_beyond_reversal(s, v)) {
        double mirrored[1 + MOST_MEMORY];
        smooth_flow(s, memory, s->mode * TINY, load, out);
        smooth_flow(s, memory, -v, load, mirrored);
        for (i = 0; i <= MEMORY; i++) {
            out[i] = 2.0 * out[i] - mirrored[i];
        }
    } else {
        smooth_flow(s, memory, IS_BODY ? velocity_in_mode(s, v, load) : v, load, out);
    }
    for (i = 0; i < MEMORY; i++) {
        rates[i] = out[1 + i];
    }
    return out[0];
}

/* Derivatives of the states; returns the friction force.
   A body:  dx/dt = v,  m dv/dt = applied - F,  dz/dt = f(z, v);  held: dv/dt = 0 and F = applied.  A law: dz/dt = f(z, v). */
static double derivatives(const State *s, double time, const double *x, double *dx) {
    const double first = input_at(s, 0, time), load = input_at(s, 1, time);
    double force;
    if (!IS_BODY) {
        return force_and_rates(s, x, first, load, dx);
    }
    dx[0] = VELOCITY(x);
    if (is_held(s)) {
        (void)force_and_rates(s, MEMORY_OF(x), 0.0, load, dx + 2);
        dx[1] = 0.0;
        return first;
    }
    force = force_and_rates(s, MEMORY_OF(x), VELOCITY(x), load, dx + 2);
    dx[1] = (first - force) / MASS(s);
    return force;
}

/* The derivative of `derivatives` along a change of states, inputs and parameters; returns that of the friction force. */
static double derivatives_along(const State *s, double time, const double *x, const double *by_x, const double *by_input,
                                const double *by_p, double *out) {
    const double load = input_at(s, 1, time);
    double slopes[1 + MOST_MEMORY], by_force;
    int i;
    if (!IS_BODY) {
        smooth_flow_along(s, x, input_at(s, 0, time), load, by_x, by_input[0], by_input[1], by_p, slopes);
        by_force = slopes[0];
    } else if (is_held(s)) {
        smooth_flow_along(s, MEMORY_OF(x), 0.0, load, MEMORY_OF(by_x), 0.0, by_input[1], by_p + 1, slopes);
        out[0] = VELOCITY(by_x);
        out[1] = 0.0;
        by_force = by_input[0];
    } else {
        const double by_v = VELOCITY(by_x), v = VELOCITY(x);
        const int reflected = is_beyond_reversal(s, v);
        const double at = reflected ? -v : velocity_in_mode(s, v, load);
        /* beyond the speed that counts as rest the force does not follow the velocity */
        const int follows = reflected || is_zero(at - one_sided(s->mode, v));
        double dx[MOST_STATES];
        smooth_flow_along(s, MEMORY_OF(x), at, load, MEMORY_OF(by_x), follows ? by_v : 0.0, by_input[1], by_p + 1, slopes);
        (void)derivatives(s, time, x, dx);
        out[0] = by_v;
        out[1] = (by_input[0] - slopes[0] - dx[1] * by_p[0]) / MASS(s);
        by_force = slopes[0];
    }
    for (i = 0; i < MEMORY; i++) {
        out[2 * IS_BODY + i] = slopes[1 + i];
    }
    return by_force;
}
