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

/* A guard with its sign along a step, from its values at five places: the powers of a quartic, and its Bernstein coefficients, raised by the
   rounding that is returned. */
STICTION_FUNCTION double guard_quartic(double values[5][GUARDS], int k, double *c, double *b) {
    double v[5], most = 0.0, noise;
    int i;
    for (i = 0; i < 5; i++) {
        v[i] = values[i][k];
        most = fmax(most, fabs(v[i]));
    }
    noise = GUARD_ROUNDING * most + NEGLIGIBLE;
    quartic_of_values(v, c);
    b[0] = c[0] + noise;
    b[1] = b[0] + 0.25 * c[1];
    b[2] = b[0] + 0.5 * c[1] + (1.0 / 6.0) * c[2];
    b[3] = b[0] + 0.75 * c[1] + 0.5 * c[2] + 0.25 * c[3];
    b[4] = b[0] + c[1] + c[2] + c[3] + c[4];
    return noise;
}

/* The guard whose quartic is the first to fall below zero, and the fraction of the step; more than 1 if none does. Each thread of a device
   looks at its own next guard, so that they do so together. */
STICTION_FUNCTION double first_quartic(double values[5][GUARDS], int *which) {
    double c[5], b[5], first = 2.0;
    int falls[GUARDS + 1], k, count = 0;
    STICTION_ROLLED
    for (k = 0; k < GUARDS; k++) {
        guard_quartic(values, k, c, b);
        falls[count] = k;
        count += IS_NEGATIVE(b[1]) || IS_NEGATIVE(b[2]) || IS_NEGATIVE(b[3]) || IS_NEGATIVE(b[4]);
    }
    STICTION_ROLLED
    for (k = 0; k < count; k++) {
        double theta;
        guard_quartic(values, falls[k], c, b);
        theta = first_zero(b);
        if (theta < first) {
            first = theta;
            *which = falls[k];
        }
    }
    return first;
}

/* The fraction of a step at which the first guard is crossed, and which; more than 1 if none is. One loop evaluates the guards, at five
   places and then on the guard that is found, so that their program stands here once. */
STICTION_FUNCTION double first_guard(const double *p, const Step *s, const double *side, const double *sign, int *which) {
    double values[5][GUARDS], c[5] = {0.0, 0.0, 0.0, 0.0, 0.0}, b[5], first = 2.0, noise = 0.0;
    int place = 0, tries = 0, found = 0, rounds = 0;
    STICTION_ROLLED
    while (!found) {
        const double theta = place < 5 ? 0.25 * place : first;
        double y[STATES], now[GUARDS];
        int k;
        state_within(s, theta, y);
        guards(p, s->t + theta * s->h, y, side, now);
        for (k = 0; k < GUARDS; k++) now[k] *= sign[k];
        if (place < 5) {
            for (k = 0; k < GUARDS; k++) values[place][k] = now[k];
            place++;
            if (place == 5) {
                first = first_quartic(values, which);
                found = first > 1.0;
                if (!found) noise = guard_quartic(values, *which, c, b);
            }
        } else {
            const double slope = c[1] + first * (2.0 * c[2] + first * (3.0 * c[3] + first * (4.0 * c[4])));
            double value = 0.0, next;
            int other = -1;
            for (k = 0; k < GUARDS; k++)
                if (k == *which) value = now[k] + noise;
            /* on the guard itself, with the slope of the quartic; then on until it is crossed */
            if (tries < 4) next = slope < 0.0 ? first - value / slope : first;
            else next = first + 1e-14 * (double)(1 << (tries - 4)) * (double)(1 << (tries - 4));
            found = tries >= 24 || (tries >= 4 && value < noise && value <= 0.5 * noise);
            if (!found) first = next < 0.0 ? 0.0 : next > 1.0 ? 1.0 : next;
            tries++;
            /* another that is crossed there already, though its quartic is not, is the one that counts */
            for (k = 0; k < GUARDS; k++)
                if (found && rounds < GUARDS && k != *which && now[k] < -GUARD_ROUNDING * (fabs(values[0][k]) + fabs(values[4][k])) - NEGLIGIBLE) other = k;
            if (other >= 0) {
                *which = other;
                noise = guard_quartic(values, other, c, b);
                tries = found = 0;
                rounds++;
            }
        }
    }
    return first;
}
