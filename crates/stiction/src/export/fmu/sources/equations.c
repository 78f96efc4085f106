/* The equations of one mode, and their derivatives. */

/* A speed far below all others: on which side of rest a law is evaluated. */
#define TINY 1e-200

#if IS_BODY
/* The velocity at which a law is evaluated on its side of rest. */
static double one_sided(int side, double v) {
    if (side == 0 || v * side > 0.0) {
        return v;
    }
    return side * TINY;
}
#endif

/* Friction force and rates of the memory at a velocity. Beyond rest the law of the present direction is continued: reflected about
   its value at rest, so that a step beyond a reversal sees no kink. */
static double force_and_rates(const State *s, const double *memory, double v, double load, double *rates) {
    double out[1 + MEMORY];
    int i;
#if IS_BODY
    const int side = s->mode;
    if (side != 0 && v * side < 0.0) {
        double mirrored[1 + MEMORY];
        law_flow(memory, side * TINY, load, LAW_PARAMETERS_OF(s), out);
        law_flow(memory, -v, load, LAW_PARAMETERS_OF(s), mirrored);
        for (i = 0; i <= MEMORY; i++) {
            out[i] = 2.0 * out[i] - mirrored[i];
        }
    } else {
        law_flow(memory, one_sided(side, v), load, LAW_PARAMETERS_OF(s), out);
    }
#else
    law_flow(memory, v, load, LAW_PARAMETERS_OF(s), out);
#endif
    for (i = 0; i < MEMORY; i++) {
        rates[i] = out[1 + i];
    }
    return out[0];
}

/* Derivatives of the states; returns the friction force.
   A body:  dx/dt = v,  m dv/dt = applied - F,  dz/dt = f(z, v);  held: dv/dt = 0 and F = applied.  A law: dz/dt = f(z, v). */
static double derivatives(const State *s, double time, const double *x, double *dx) {
    const double load = input_at(s, 1, time);
#if IS_BODY
    const double applied = input_at(s, 0, time), v = VELOCITY(x);
    double force;
#if HAS_SET
    if (s->mode == 0) {
        (void)force_and_rates(s, MEMORY_OF(x), 0.0, load, dx + 2);
        dx[0] = v;
        dx[1] = 0.0;
        return applied;
    }
#endif
    force = force_and_rates(s, MEMORY_OF(x), v, load, dx + 2);
    dx[0] = v;
    dx[1] = (applied - force) / MASS(s);
    return force;
#else
    return force_and_rates(s, MEMORY_OF(x), input_at(s, 0, time), load, dx);
#endif
}

/* The derivative of `derivatives` along a change of states, inputs and parameters; returns that of the friction force. */
static double derivatives_along(const State *s, double time, const double *x, const double *by_x, const double *by_input,
                                const double *by_p, double *out) {
    const double load = input_at(s, 1, time);
    double slopes[1 + MEMORY];
    int i;
#if IS_BODY
    const double by_v = VELOCITY(by_x);
    double v = VELOCITY(x), dx[STATES + 1], force;
    out[0] = by_v;
#if HAS_SET
    if (s->mode == 0) {
        law_flow_along(MEMORY_OF(x), 0.0, load, LAW_PARAMETERS_OF(s), MEMORY_OF(by_x), 0.0, by_input[1], by_p + 1, slopes);
        out[1] = 0.0;
        for (i = 0; i < MEMORY; i++) {
            out[2 + i] = slopes[1 + i];
        }
        return by_input[0];
    }
#endif
    v = s->mode != 0 && v * s->mode < 0.0 ? -v : one_sided(s->mode, v);
    law_flow_along(MEMORY_OF(x), v, load, LAW_PARAMETERS_OF(s), MEMORY_OF(by_x), by_v, by_input[1], by_p + 1, slopes);
    force = derivatives(s, time, x, dx);
    (void)force;
    out[1] = (by_input[0] - slopes[0] - dx[1] * by_p[0]) / MASS(s);
    for (i = 0; i < MEMORY; i++) {
        out[2 + i] = slopes[1 + i];
    }
#else
    law_flow_along(x, input_at(s, 0, time), load, LAW_PARAMETERS_OF(s), by_x, by_input[0], by_input[1], by_p, slopes);
    for (i = 0; i < MEMORY; i++) {
        out[i] = slopes[1 + i];
    }
#endif
    return slopes[0];
}
