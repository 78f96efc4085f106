/* The trajectories of an ensemble. Every thread runs one trajectory from its beginning to its end, and then takes the next that nobody
   has taken: slow ones do not hold fast ones up. A result depends on the numbers of its own point alone.

   rows     numbers of the points, ROW_LENGTH for each
   results  RESULTS for each point: the measures; not a number where what was asked for did not happen
   samples  SAMPLES for each point and sampled column, or a null pointer
   status   of each point: 0, or why it ended early: 1 the step became too short, 2 numbers were no longer finite, 3 too many steps
   next     the first point that nobody has taken; zero before the first call */

/* Speed at which a law is evaluated instead of zero. */
#define TINY 1e-200

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
        if (!(next > low && next < high)) next = 0.5 * (low + high);
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

/* The quartic of five values that are equally far apart along a step, and its largest value. */
STICTION_FUNCTION double peak_of_values(const double *v, double sign, double best) {
    const double g0 = sign * v[0], g1 = sign * v[1], g2 = sign * v[2], g3 = sign * v[3], g4 = sign * v[4];
    const double c1 = (-25.0 * g0 + 48.0 * g1 - 36.0 * g2 + 16.0 * g3 - 3.0 * g4) * (1.0 / 3.0);
    const double c2 = (35.0 * g0 - 104.0 * g1 + 114.0 * g2 - 56.0 * g3 + 11.0 * g4) * (2.0 / 3.0);
    const double c3 = (-5.0 * g0 + 18.0 * g1 - 24.0 * g2 + 14.0 * g3 - 3.0 * g4) * (16.0 / 3.0);
    const double c4 = (g0 - 4.0 * g1 + 6.0 * g2 - 4.0 * g3 + g4) * (32.0 / 3.0);
    return peak(g0, c1, c2, c3, c4, 1.0, best);
}

/* The mean over a step by Boole's rule, of the values or of their squares. */
STICTION_FUNCTION double mean_value(const double *v) {
    return (7.0 * (v[0] + v[4]) + 32.0 * (v[1] + v[3]) + 12.0 * v[2]) * (1.0 / 90.0);
}
STICTION_FUNCTION double mean_square(const double *v) {
    return (7.0 * (v[0] * v[0] + v[4] * v[4]) + 32.0 * (v[1] * v[1] + v[3] * v[3]) + 12.0 * v[2] * v[2]) * (1.0 / 90.0);
}
@EQUATIONS@
/* Where steps end: where measures begin and end, and the end of the run. */
static STICTION_CONSTANT const double stops[STOPS] = {@STOPS@};

STICTION_KERNEL(stiction_ensemble)(const double *STICTION_RESTRICT rows, int points, double *STICTION_RESTRICT results,
                                   double *STICTION_RESTRICT samples, int *STICTION_RESTRICT status, int *next) {
    double p[VARIED + 1], y[STATES], side[CONTACTS], t = 0.0, want = 0.0, stop = 0.0;
    int i = -1, at_stop = 0, may_grow = 1, repeated = 0;
    float size_of[STATES];
    unsigned attempts = 0;
@DECLARE@
    for (;;) {
        Step s;
        double error[STATES], turn[CONTACTS], shortest, until = 2.0;
        float squared = 0.0f, size = 0.0f, factor, size_at_end[STATES];
        int k, lands, ok, ended, turns = -1;
        if (i < 0) {
            i = STICTION_TAKE(next);
            if (i >= points) return;
@BEGIN@
            t = START;
            stop = stops[0];
            at_stop = 0;
            may_grow = 1;
            repeated = 0;
            attempts = 0;
            for (k = 0; k < STATES; k++) size_of[k] = fabsf((float)y[k]);
        }
        /* the last two steps before a stop are of equal length */
        shortest = 16.0 * 2.220446049250313e-16 * fabs(t);
        s.t = t;
        s.h = SMALLER(want, MAX_STEP);
        s.h = LARGER(s.h, shortest);
        lands = s.h >= 0.999999 * (stop - t);
        s.h = lands ? stop - t : SMALLER(s.h, 0.5 * (stop - t));
        s.theta = 1.0;
        for (k = 0; k < STATES; k++) s.start[k] = y[k];
        step(p, t, s.h, y, side, s.end, error, s.dense);
        /* a few digits of the error are enough */
        for (k = 0; k < STATES; k++) {
            const float at_end = fabsf((float)s.end[k]), larger = fmaxf(size_of[k], at_end);
            const float ratio = STICTION_QUOTIENT((float)error[k], tolerance(p, k) + (float)RTOL * larger);
            squared += ratio * ratio;
            size += larger;
            size_at_end[k] = at_end;
        }
        squared *= 1.0f / (float)STATES;
        ok = squared <= 1.0f && size < (float)LARGE;
        factor = squared < 1e30f ? 0.9f * STICTION_POWER(fmaxf(squared, 1e-20f), -0.1f) : 0.1f;
        attempts++;
        ended = 0;
        for (k = 0; k < CONTACTS && ok; k++) {
            double b[5], theta = 2.0;
            slip_quartic(p, &s, k, side[k], b);
            turn[k] = 2.0;
            if (fmax(fmax(fabs(b[0]), fabs(b[1])), fmax(fabs(b[2]), fmax(fabs(b[3]), fabs(b[4])))) < QUIET) {
                /* too slow for the direction to matter: marked, if it is the other one at the end */
                if (IS_NEGATIVE(b[4])) turn[k] = -1.0;
                continue;
            }
            if (IS_NEGATIVE(b[1]) || IS_NEGATIVE(b[2]) || IS_NEGATIVE(b[3]) || IS_NEGATIVE(b[4])) turn[k] = first_zero(b);
            if (turn[k] > 1.0) theta = unseen_minimum(b);
            else if (turn[k] >= 1e-3 && turn[k] < 0.99) theta = 1.005 * turn[k];
            until = SMALLER(until, theta);
        }
        /* a step that has not seen its lowest speed, at rest or in between, is repeated once up to there */
        if (ok && !repeated && until < 1.0 && until * s.h > shortest) {
            ok = 0;
            repeated = 1;
        } else {
            until = 2.0;
        }
        if (ok) {
            const double grown = s.h * (double)fmaxf(0.2f, fminf(factor, may_grow ? 8.0f : 1.0f));
            /* a step cut short by a stop says little about the next */
            want = lands ? LARGER(grown, want) : grown;
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
                        side[k] = -side[k];
                        rest(p, t, k, side[k], y);
                        if (t > s.t) {
@EVENT@
                        }
                    }
                for (k = 0; k < STATES; k++) size_of[k] = fabsf((float)y[k]);
                /* a contact that turns at once was on the wrong side: near rest a shorter step tells the sides apart */
                if (s.theta < 0.01) want = fmin(want, 0.5 * s.h);
            }
            if (t >= stop) {
                ended = at_stop + 1 >= STOPS;
                at_stop += !ended;
                stop = stops[at_stop];
            }
            if (attempts >= MAX_ATTEMPTS && !ended) ended = 4;
            if (t <= s.t && s.h <= shortest) ended = 2;
        } else {
            may_grow = 0;
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
