/* A law with modes: its guards are followed along each step; where one is crossed the memory jumps. The guards and the memory of all contacts
   stand one after the other. */

/* Rounding of a guard, as a fraction of its largest magnitude in a step, as in the simulator; and what is as small as nothing. */
#define GUARD_ROUNDING 1e-13
#define NEGLIGIBLE 1e-150

/* The state at a fraction of a step. */
STICTION_FUNCTION void state_within(const Step *s, double theta, double *y) {
    int x;
    for (x = 0; x < STATES; x++) y[x] = within(theta, s->start[x], s->end[x], s->dense[x], s->dense[STATES + x], s->dense[2 * STATES + x]);
}

/* The signs of the guards after a transition. `fired` is the guard that was crossed, or none is: its sign has changed, unless the memory has
   jumped. */
STICTION_FUNCTION void guard_signs(const double *p, double t, const double *y, const double *side, int fired, int jumped, double *sign) {
    double now[GUARDS];
    int k;
    guards(p, t, y, side, now);
    for (k = 0; k < GUARDS; k++) {
        if (k == fired && (!jumped || now[k] == 0.0)) sign[k] = -sign[k];
        else if (fabs(now[k]) > NEGLIGIBLE) sign[k] = IS_NEGATIVE(now[k]) ? -1.0 : 1.0;
    }
}

/* The fraction of a step at which the first guard is crossed, and which; more than 1 if none is. */
STICTION_FUNCTION double first_guard(const double *p, const Step *s, const double *side, const double *sign, int *which) {
    double values[5][GUARDS], first = 2.0;
    int i, k;
    for (i = 0; i < 5; i++) {
        double y[STATES];
        state_within(s, 0.25 * i, y);
        guards(p, s->t + 0.25 * i * s->h, y, side, values[i]);
    }
    for (k = 0; k < GUARDS; k++) {
        double v[5], c[5], b[5], most = 0.0, noise, theta;
        for (i = 0; i < 5; i++) {
            v[i] = sign[k] * values[i][k];
            most = fmax(most, fabs(v[i]));
        }
        noise = GUARD_ROUNDING * most + NEGLIGIBLE;
        quartic_of_values(v, c);
        b[0] = c[0] + noise;
        b[1] = b[0] + 0.25 * c[1];
        b[2] = b[0] + 0.5 * c[1] + (1.0 / 6.0) * c[2];
        b[3] = b[0] + 0.75 * c[1] + 0.5 * c[2] + 0.25 * c[3];
        b[4] = b[0] + c[1] + c[2] + c[3] + c[4];
        if (!(IS_NEGATIVE(b[1]) || IS_NEGATIVE(b[2]) || IS_NEGATIVE(b[3]) || IS_NEGATIVE(b[4]))) continue;
        theta = first_zero(b);
        if (!(theta < first)) continue;
        /* on the guard itself, with the slope of the quartic; then on until it is crossed */
        for (i = 0; i < 24; i++) {
            const double slope = c[1] + theta * (2.0 * c[2] + theta * (3.0 * c[3] + theta * (4.0 * c[4])));
            double y[STATES], now[GUARDS], value = 0.0, next;
            int j;
            state_within(s, theta, y);
            guards(p, s->t + theta * s->h, y, side, now);
            for (j = 0; j < GUARDS; j++)
                if (j == k) value = sign[k] * now[j] + noise;
            if (i >= 4) {
                if (value < noise && value <= 0.5 * noise) break;
                next = theta + 1e-14 * (double)(1 << (i - 4)) * (double)(1 << (i - 4));
            } else {
                next = slope < 0.0 ? theta - value / slope : theta;
            }
            theta = next < 0.0 ? 0.0 : next > 1.0 ? 1.0 : next;
        }
        if (theta < first) {
            first = theta;
            *which = k;
        }
    }
    return first;
}
