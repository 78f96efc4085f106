/* The trajectories of an ensemble. Every thread runs one trajectory from its beginning to its end, and then takes the next that nobody
   has taken: slow ones do not hold fast ones up. A result depends on the numbers of its own point alone.

   rows     numbers of the points, ROW_LENGTH for each
   results  RESULTS for each point: the measures; not a number where what was asked for did not happen
   samples  SAMPLES for each point and sampled column, or a null pointer
   status   of each point: 0, or why it ended early: 1 the step became too short, 2 numbers were no longer finite, 3 too many steps
   next     the first point that nobody has taken; zero before the first call */

/* Speed at which a law is evaluated instead of zero. */
#define TINY 1e-200

/* What happens at a contact. */
#define NOTHING 0
#define STICK 1
#define SLIP_UP 2
#define SLIP_DOWN 3
#define REVERSE_UP 4
#define REVERSE_DOWN 5
/* guard k, from 0, has become negative; after it, that it has become positive */
#define GUARD_DOWN(k) (6 + 2 * (k))

typedef struct Step {
    double t, h;
    /* where the step ends, as a fraction of its length */
    double theta;
    double start[STATES], end[STATES], dense[3 * STATES];
} Step;

#define LARGER(a, b) ((a) < (b) ? (b) : (a))
#define SMALLER(a, b) ((b) < (a) ? (b) : (a))

/* Dense output: a quartic in the fraction of the step. */
STICTION_FUNCTION double within(double theta, double start, double end, double d0, double d1, double d2) {
    const double rest = 1.0 - theta;
    return rest * start + theta * (end + rest * (d0 + theta * (d1 + theta * d2)));
}

/* Takes the left or the right half of a quartic in Bernstein form. */
STICTION_FUNCTION void halve(double *b, int right) {
    double c[5];
    int i, j;
    for (i = 0; i < 5; i++) c[i] = b[i];
    for (j = 1; j < 5; j++) {
        if (right) {
            for (i = 0; i < 5 - j; i++) c[i] = 0.5 * (c[i] + c[i + 1]);
        } else {
            for (i = 4; i >= j; i--) c[i] = 0.5 * (c[i] + c[i - 1]);
        }
    }
    for (i = 0; i < 5; i++) b[i] = c[i];
}

/* The only zero of a quartic that falls through zero once, by Newton's iteration within a bracket. */
STICTION_FUNCTION double single_zero(const double *b) {
    /* powers of the fraction */
    const double c1 = 4.0 * (b[1] - b[0]), c2 = 6.0 * (b[0] - 2.0 * b[1] + b[2]);
    const double c3 = 4.0 * (b[3] - b[0] + 3.0 * (b[1] - b[2])), c4 = b[0] - 4.0 * b[1] + 6.0 * b[2] - 4.0 * b[3] + b[4];
    double low = 0.0, high = 1.0, x = b[0] / (b[0] - b[4]);
    int i;
    for (i = 0; i < 40; i++) {
        double value = b[0] + x * (c1 + x * (c2 + x * (c3 + x * c4)));
        const double slope = c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4)));
        double next;
        if (value > 0.0) low = x; else high = x;
        /* a few digits of the slope are enough */
        next = x - value * (double)STICTION_QUOTIENT(1.0f, (float)slope);
        /* beyond a bracket that is as narrow as the last digits of the slope it is the end that is meant */
        if (!(next >= low && next <= high)) next = high - low > 1e-6 * x ? 0.5 * (low + high) : next < low ? low : high;
        value = next - x;
        x = next;
        /* the next correction would be this one times its own size, or times the rounding of the slope */
        if (fabs(value) <= 1e-7 * x) break;
    }
    return x;
}

/* The first fraction of a step at which a quartic, positive at the start, falls below zero; 2 if it does not. Its Bernstein coefficients
   have one sign where it has no zero, so that none is missed; otherwise the step is halved until a zero is single. */
STICTION_FUNCTION double first_zero(const double *quartic) {
    unsigned place = 0, level = 0;
    for (;;) {
        double b[5];
        unsigned k;
        int i, changes = 0, falls;
        for (i = 0; i < 5; i++) b[i] = quartic[i];
        for (k = level; k > 0; k--) halve(b, (int)(place >> (k - 1) & 1u));
        /* at its start the quartic counts as positive */
        if (!(b[0] > 0.0)) b[0] = 0.0;
        for (i = 1; i < 5; i++) changes += IS_NEGATIVE(b[i]) != (i > 1 && IS_NEGATIVE(b[i - 1]));
        falls = IS_NEGATIVE(b[4]);
        if (changes == 1 && falls) return ((double)place + (b[0] > 0.0 ? single_zero(b) : 0.0)) / (double)(1u << level);
        if (changes > 1 && level < 20) {
            place *= 2;
            level++;
            continue;
        }
        if (falls) return (double)(place + 1) / (double)(1u << level);
        /* on to the next interval */
        place++;
        while (level > 0 && (place & 1u) == 0) {
            place /= 2;
            level--;
        }
        if (level == 0) return 2.0;
    }
}

/* The fraction of a step at which a sliding speed has a minimum that the ends of the step do not show; 2 if there is none. A step knows the
   law at its ends, within the factor 0.9 of the speed, as in the simulator. */
STICTION_FUNCTION double unseen_minimum(const double *b) {
    const double seen = 0.9 * SMALLER(b[0], b[4]);
    const double c1 = 4.0 * (b[1] - b[0]), c2 = 6.0 * (b[0] - 2.0 * b[1] + b[2]);
    const double c3 = 4.0 * (b[3] - b[0] + 3.0 * (b[1] - b[2])), c4 = b[0] - 4.0 * b[1] + 6.0 * b[2] - 4.0 * b[3] + b[4];
    double low = 0.0, high = 1.0, x = 0.5, lowest;
    int i;
    /* it falls at the start and rises at the end; the coefficients bound it from below */
    if (!(b[1] < b[0] && b[3] < b[4] && SMALLER(b[1], SMALLER(b[2], b[3])) < seen)) return 2.0;
    for (i = 0; i < 24; i++) {
        const double slope = c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4)));
        if (slope < 0.0) low = x; else high = x;
        x = 0.5 * (low + high);
    }
    lowest = b[0] + x * (c1 + x * (c2 + x * (c3 + x * c4)));
    return lowest < seen ? x : 2.0;
}

/* The largest value of a quartic c0 + ... + c4 x^4 between 0 and x: of the ends, or of what Newton's iteration finds from the best of
   three places between them. */
STICTION_FUNCTION double peak(double c0, double c1, double c2, double c3, double c4, double x, double best) {
    /* the Bernstein coefficients of the whole step are an upper bound */
    const double b1 = c0 + 0.25 * c1, b2 = c0 + 0.5 * c1 + (1.0 / 6.0) * c2, b3 = c0 + 0.75 * c1 + 0.5 * c2 + 0.25 * c3;
    const double end = c0 + c1 + c2 + c3 + c4;
    if (best < c0 || best < b1 || best < b2 || best < b3 || best < end) {
        double u = 0.5 * x, highest, value;
        int i;
        highest = c0 + u * (c1 + u * (c2 + u * (c3 + u * c4)));
        best = LARGER(best, highest);
        for (i = 1; i < 4; i += 2) {
            const double place = 0.25 * i * x;
            value = c0 + place * (c1 + place * (c2 + place * (c3 + place * c4)));
            best = LARGER(best, value);
            u = highest < value ? place : u;
            highest = LARGER(highest, value);
        }
        for (i = 0; i < 3; i++) {
            const double slope = c1 + u * (2.0 * c2 + u * (3.0 * c3 + u * (4.0 * c4))), bend = 2.0 * c2 + u * (6.0 * c3 + u * (12.0 * c4));
            /* a few digits of the correction are enough */
            const double next = u - (double)STICTION_QUOTIENT((float)slope, (float)bend);
            if (bend < 0.0) u = next < 0.0 ? 0.0 : x < next ? x : next;
        }
        value = c0 + u * (c1 + u * (c2 + u * (c3 + u * c4)));
        best = LARGER(best, value);
        value = c0 + x * (c1 + x * (c2 + x * (c3 + x * c4)));
        best = LARGER(LARGER(best, c0), value);
    }
    return best;
}

/* The powers of the quartic through five values that are equally far apart. */
STICTION_FUNCTION void quartic_of_values(const double *v, double *c) {
    c[0] = v[0];
    c[1] = (-25.0 * v[0] + 48.0 * v[1] - 36.0 * v[2] + 16.0 * v[3] - 3.0 * v[4]) * (1.0 / 3.0);
    c[2] = (35.0 * v[0] - 104.0 * v[1] + 114.0 * v[2] - 56.0 * v[3] + 11.0 * v[4]) * (2.0 / 3.0);
    c[3] = (-5.0 * v[0] + 18.0 * v[1] - 24.0 * v[2] + 14.0 * v[3] - 3.0 * v[4]) * (16.0 / 3.0);
    c[4] = (v[0] - 4.0 * v[1] + 6.0 * v[2] - 4.0 * v[3] + v[4]) * (32.0 / 3.0);
}

/* The quartic of five values that are equally far apart along a step, and its largest value. */
STICTION_FUNCTION double peak_of_values(const double *v, double sign, double best) {
    double c[5];
    quartic_of_values(v, c);
    return peak(sign * c[0], sign * c[1], sign * c[2], sign * c[3], sign * c[4], 1.0, best);
}

/* The mean over a step by Boole's rule, of the values or of their squares. */
STICTION_FUNCTION double mean_value(const double *v) {
    return (7.0 * (v[0] + v[4]) + 32.0 * (v[1] + v[3]) + 12.0 * v[2]) * (1.0 / 90.0);
}
STICTION_FUNCTION double mean_square(const double *v) {
    return (7.0 * (v[0] * v[0] + v[4] * v[4]) + 32.0 * (v[1] * v[1] + v[3] * v[3]) + 12.0 * v[2] * v[2]) * (1.0 / 90.0);
}
@EQUATIONS@
@MODES@@REST@/* Where steps end: where measures begin and end, where a signal bends or jumps, and the end of the run. */
@TABLES@
#if SIGNALS
/* The signals that are made of lines, up to a stop: behind the numbers of the point. */
STICTION_FUNCTION void follow_signals(double *p, int at_stop) {
    int k;
    for (k = 0; k < 2 * SIGNALS; k++) p[VARIED + k] = lines[at_stop * 2 * SIGNALS + k];
}
#endif

STICTION_KERNEL(stiction_ensemble)(const double *STICTION_RESTRICT rows, int points, double *STICTION_RESTRICT results,
                                   double *STICTION_RESTRICT samples, int *STICTION_RESTRICT status, int *next) {
    double p[VARIED + 2 * SIGNALS + 1], y[STATES], side[CONTACTS + MODES], t = 0.0, want = 0.0, stop = 0.0;
    int i = -1, at_stop = 0, may_grow = 1, repeated = 0;
    float size_of[STATES];
    unsigned attempts = 0;
#if STICKS
    /* the next step at rest, the side to which a body at rest slides, and whether it has just begun to slide */
    double want_at_rest = 1e300, released = 0.0;
    int starts = 0;
#endif
#if GUARDS
    double sign[GUARDS];
#endif
@DECLARE@
    for (;;) {
        Step s;
        double error[STATES], turn[CONTACTS], shortest, until = 2.0;
        float squared = 0.0f, size = 0.0f, factor, size_at_end[STATES];
        int k, lands, ok, ended, turns = -1, resting = 0, happened = NOTHING;
#if GUARDS
        int crossed = -1;
        double guard_at = 2.0;
#endif
        STICTION_TOGETHER();
        if (i < 0) {
            i = STICTION_TAKE(next);
            if (i >= points) return;
@BEGIN@
            t = START;
            stop = stops[0];
            at_stop = 0;
#if SIGNALS
            follow_signals(p, 0);
#endif
            may_grow = 1;
            repeated = 0;
            attempts = 0;
#if STICKS
            want_at_rest = 1e300;
            starts = 0;
#endif
#if GUARDS
            for (k = 0; k < GUARDS; k++) sign[k] = 1.0;
            guard_signs(p, t, y, side, -1, 1, sign);
#endif
            for (k = 0; k < STATES; k++) size_of[k] = fabsf((float)y[k]);
        }
        /* the last two steps before a stop are of equal length */
        shortest = 16.0 * 2.220446049250313e-16 * fabs(t);
        s.t = t;
        s.h = want;
#if STICKS
        resting = side[0] == 0.0;
        if (resting) s.h = want_at_rest;
#endif
        s.h = SMALLER(s.h, longest_step(p));
        s.h = LARGER(s.h, shortest);
        lands = s.h >= 0.999999 * (stop - t);
        s.h = lands ? stop - t : resting ? s.h : SMALLER(s.h, 0.5 * (stop - t));
        s.theta = 1.0;
        for (k = 0; k < STATES; k++) s.start[k] = y[k];
        for (k = 0; k < CONTACTS; k++) turn[k] = 2.0;
#if STICKS
        if (resting) {
            for (k = 0; k < STATES; k++) error[k] = 0.0;
            ok = rest_step(p, &s, &turn[0], &released);
        } else
#endif
        {
            step(p, t, s.h, y, side, s.end, error, s.dense);
            ok = 1;
        }
        /* a few digits of the error are enough */
        for (k = 0; k < STATES; k++) {
            const float at_end = fabsf((float)s.end[k]), larger = fmaxf(size_of[k], at_end);
            const float ratio = STICTION_QUOTIENT((float)error[k], tolerance(p, k) + (float)RTOL * larger);
            squared += ratio * ratio;
            size += larger;
            size_at_end[k] = at_end;
        }
        squared *= 1.0f / (float)STATES;
        ok = ok && squared <= 1.0f && size < (float)LARGE;
        factor = squared < 1e30f ? 0.9f * STICTION_POWER(fmaxf(squared, 1e-20f), -0.1f) : 0.1f;
        attempts++;
        ended = 0;
        for (k = 0; k < CONTACTS && ok && !resting; k++) {
            double b[5], theta = 2.0;
            slip_quartic(p, &s, k, side[k], b);
#if STICKS || GUARDS
            {
                /* velocities below the rounding of the step, and far below the tolerance, are zero; what begins to slide does so with
                   almost no acceleration */
                const double most = fmax(fmax(fabs(b[0]), fabs(b[1])), fmax(fabs(b[2]), fmax(fabs(b[3]), fabs(b[4]))));
                const double noise = (STARTS ? 1e-6 : 1e-13) * most + 1e-12 * QUIET + slip_rounding(p, &s);
                int i;
                for (i = 0; i < 5; i++) b[i] += noise;
            }
#else
            if (fmax(fmax(fabs(b[0]), fabs(b[1])), fmax(fabs(b[2]), fmax(fabs(b[3]), fabs(b[4])))) < QUIET) {
                /* too slow for the direction to matter: marked, if it is the other one at the end */
                if (IS_NEGATIVE(b[4])) turn[k] = -1.0;
                continue;
            }
#endif
            if (IS_NEGATIVE(b[1]) || IS_NEGATIVE(b[2]) || IS_NEGATIVE(b[3]) || IS_NEGATIVE(b[4])) turn[k] = first_zero(b);
            if (turn[k] > 1.0) theta = unseen_minimum(b);
            else if (turn[k] >= 1e-3 && turn[k] < 0.99) theta = 1.005 * turn[k];
            until = SMALLER(until, theta);
        }
#if GUARDS
        if (ok) {
            /* the law goes on beyond a guard as before it: the step needs no repetition */
            guard_at = first_guard(p, &s, side, sign, &crossed);
        }
#endif
        /* a step that has not seen its lowest speed, at rest or in between, is repeated once up to there */
        if (ok && !repeated && until < 1.0 && until * s.h > shortest) {
            ok = 0;
            repeated = 1;
        } else {
            until = 2.0;
        }
        if (ok) {
            const double grown = s.h * (double)fmaxf(0.2f, fminf(factor, may_grow ? 8.0f : 1.0f));
            /* a step cut short by a stop says little about the next, and one at rest nothing */
            if (!resting) want = lands ? LARGER(grown, want) : grown;
#if STICKS
            if (resting) want_at_rest = may_grow ? 2.0 * s.h : s.h;
            starts = 0;
#endif
            may_grow = 1;
            repeated = 0;
            for (k = 0; k < CONTACTS; k++) {
                if (turn[k] < 0.0) {
                    side[k] = -side[k];
                } else if (turn[k] < s.theta) {
                    s.theta = turn[k];
                    turns = k;
                }
            }
#if GUARDS
            if (guard_at < s.theta) {
                s.theta = guard_at;
                turns = CONTACTS;
            }
#endif
@LOOK@
            t = s.t + s.theta * s.h;
            if (turns < 0) {
                for (k = 0; k < STATES; k++) {
                    y[k] = s.end[k];
                    size_of[k] = size_at_end[k];
                }
                if (lands) t = stop;
            } else {
                for (k = 0; k < STATES; k++)
                    y[k] = within(s.theta, s.start[k], s.end[k], s.dense[k], s.dense[STATES + k], s.dense[2 * STATES + k]);
                for (k = 0; k < CONTACTS; k++)
                    if (k == turns) {
#if STICKS
                        const double before = side[0];
                        double force, low, high;
                        if (resting) {
                            side[0] = released;
                            starts = 1;
                            happened = released > 0.0 ? SLIP_UP : SLIP_DOWN;
                        } else {
                            rest_forces(p, t, y, &force, &low, &high);
                            side[0] = force > high ? 1.0 : force < low ? -1.0 : 0.0;
                            want_at_rest = 1e300;
                            happened = side[0] == 0.0 ? STICK : side[0] == before ? NOTHING : side[0] > 0.0 ? REVERSE_UP : REVERSE_DOWN;
                        }
#else
                        side[k] = -side[k];
                        happened = t > s.t ? side[k] > 0.0 ? REVERSE_UP : REVERSE_DOWN : NOTHING;
#endif
                        rest(p, t, k, side[k], y);
                    }
                k = turns;
#if GUARDS
                {
                    double before_crossing = 0.0;
                    int jumped;
                    for (k = 0; k < GUARDS; k++)
                        if (k == crossed) before_crossing = sign[k];
                    jumped = jump(p, t, y, side);
                    guard_signs(p, t, y, side, turns < CONTACTS ? -1 : crossed, jumped, sign);
                    k = turns;
                    if (turns == CONTACTS) {
                        k = crossed / (GUARDS / CONTACTS);
                        happened = GUARD_DOWN(crossed % (GUARDS / CONTACTS)) + (before_crossing < 0.0);
                    }
                }
#endif
                if (happened != NOTHING) {
@EVENT@
                }
                for (k = 0; k < STATES; k++) size_of[k] = fabsf((float)y[k]);
                /* a contact that turns at once was on the wrong side: near rest a shorter step tells the sides apart */
                if (s.theta < 0.01 && !resting) want = fmin(want, 0.5 * s.h);
            }
            if (t >= stop) {
                ended = at_stop + 1 >= STOPS;
                at_stop += !ended;
                stop = stops[at_stop];
#if SIGNALS
                if (!ended) follow_signals(p, at_stop);
#endif
            }
            if (attempts >= MAX_ATTEMPTS && !ended) ended = 4;
            if (t <= s.t && s.h <= shortest) ended = 2;
        } else {
            may_grow = 0;
#if STICKS
            if (resting) want_at_rest = 0.5 * s.h;
            else
#endif
            want = s.h * (until < 1.0 ? until : (double)fmaxf(0.1f, fminf(factor, 0.9f)));
            if (s.h <= shortest || attempts >= MAX_ATTEMPTS) ended = attempts >= MAX_ATTEMPTS ? 4 : size < (float)LARGE ? 2 : 3;
        }
        if (ended) {
            status[i] = ended - 1;
@FINISH@
            i = -1;
        }
    }
}
