/* A single body on a contact whose force at rest is a set: a hybrid automaton with three modes, kept as side[0].

     side   mode          flow                                   guard, and the mode that it leads to
     +1     slides up     the law on its side                    velocity zero: slides up, down or sticks
     -1     slides down   the law on its side                    velocity zero: slides up, down or sticks
      0     sticks        the velocity of what it rests on       force beyond an end of the set: slides to that side

   Where the velocity is zero the force that would keep the body at rest decides: it sticks if the set has that force, and otherwise slides
   to the side of the end that the force is beyond. A body at rest stays so until that force leaves the set. */

/* Rounding of a balance of forces at rest, relative to these forces, as in the simulator. */
#define LIMIT_ROUNDING 1e-14

/* Room left below the upper end of the set at a fraction of a step at rest, above the lower end, and the size of the forces. */
STICTION_FUNCTION void rest_room(const double *p, const Step *s, double theta, double *up, double *down, double *size) {
    double y[STATES], force, low, high;
    int x;
    for (x = 0; x < STATES; x++) y[x] = within(theta, s->start[x], s->end[x], s->dense[x], s->dense[STATES + x], s->dense[2 * STATES + x]);
    rest_forces(p, s->t + theta * s->h, y, &force, &low, &high);
    *up = high - force;
    *down = force - low;
    *size = fabs(force) + fabs(low) + fabs(high);
}

/* A step at rest, which is exact. Finds the fraction at which the body begins to slide, more than 1 if it does not, and the side. The force
   along the step is a parabola; with waves a quartic interpolates it, and 0 is returned if this is too coarse to decide: a shorter step
   is needed. */
STICTION_FUNCTION int rest_step(const double *p, Step *s, double *theta, double *side) {
    double room[2][5], size = 0.0, noise, coarse = 0.0;
    int i, k;
    s->start[1] = rest_velocity(p, s->t);
    s->end[1] = rest_velocity(p, s->t + s->h);
    s->end[0] = s->start[0] + 0.5 * s->h * (s->start[1] + s->end[1]);
    for (i = 0; i < 3 * STATES; i++) s->dense[i] = 0.0;
    s->dense[0] = 0.5 * s->h * (s->start[1] - s->end[1]);
    for (i = 0; i < 5; i++) {
        double forces;
        rest_room(p, s, 0.25 * i, &room[0][i], &room[1][i], &forces);
        size = LARGER(size, forces);
    }
    noise = LIMIT_ROUNDING * size;
#if WAVES
    /* the quartic misses most in the middle of the first and of the last interval, by a tenth less than at its worst */
    for (i = 1; i < 8; i += 6) {
        double c[5], up, down, forces;
        const double x = 0.125 * i;
        quartic_of_values(room[0], c);
        rest_room(p, s, x, &up, &down, &forces);
        up -= c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
        coarse = LARGER(coarse, 2.0 * fabs(up));
    }
    /* measures of the force interpolate it in the same way */
    if (coarse > (double)RTOL * size && coarse > noise) return 0;
#endif
    *theta = 2.0;
    for (k = 0; k < 2; k++) {
        double b[5], c[5], zero;
        quartic_of_values(room[k], c);
        b[0] = c[0] + noise;
        b[1] = b[0] + 0.25 * c[1];
        b[2] = b[0] + 0.5 * c[1] + (1.0 / 6.0) * c[2];
        b[3] = b[0] + 0.75 * c[1] + 0.5 * c[2] + 0.25 * c[3];
        b[4] = b[0] + c[1] + c[2] + c[3] + c[4];
        if (SMALLER(SMALLER(b[0], b[1]), SMALLER(b[2], SMALLER(b[3], b[4]))) > coarse) continue;
        if (coarse > noise) {
            const double lowest = -peak(-b[0], -c[1], -c[2], -c[3], -c[4], 1.0, -1e300);
            if (lowest > coarse) continue;
            if (lowest > -coarse) return 0;
        }
        zero = first_zero(b);
#if WAVES
        /* on the force itself, with the slope of the quartic */
        for (i = 0; i < 6 && zero <= 1.0; i++) {
            const double slope = c[1] + zero * (2.0 * c[2] + zero * (3.0 * c[3] + zero * (4.0 * c[4])));
            double up, down, forces, next;
            rest_room(p, s, zero, &up, &down, &forces);
            next = slope < 0.0 ? zero - ((k == 0 ? up : down) + noise) / slope : zero;
            next = next < 0.0 ? 0.0 : next > 1.0 ? 1.0 : next;
            forces = fabs(next - zero);
            zero = next;
            if (forces <= 1e-15) break;
        }
#endif
        if (zero < *theta) {
            *theta = zero;
            *side = k == 0 ? 1.0 : -1.0;
        }
    }
    return 1;
}
