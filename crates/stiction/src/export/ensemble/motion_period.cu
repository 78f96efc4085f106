
/* The period of a motion, as in the simulator: the time after which it repeats, from one event to another. */
typedef struct Turns {
    /* the event that the motion is to come back to, and ranges since then */
    double t, anchor[PERIOD_COLUMNS], low[PERIOD_COLUMNS], high[PERIOD_COLUMNS];
    /* ranges since the start, or since the middle of the run */
    double from, to, whole_low[PERIOD_COLUMNS], whole_high[PERIOD_COLUMNS];
    /* the last turn */
    double period, turn_low[PERIOD_COLUMNS], turn_high[PERIOD_COLUMNS], difference[PERIOD_COLUMNS];
    unsigned begun, anchored, events, patience, found, since;
} Turns;

STICTION_FUNCTION void turns_begin(Turns *s) {
    int k;
    for (k = 0; k < PERIOD_COLUMNS; k++) {
        s->anchor[k] = s->low[k] = s->high[k] = s->whole_low[k] = s->whole_high[k] = 0.0;
        s->turn_low[k] = s->turn_high[k] = s->difference[k] = 0.0;
    }
    s->begun = s->anchored = s->events = s->found = s->since = 0;
    s->patience = 1;
    s->period = s->from = s->to = s->t = 0.0;
}

/* The largest size among the columns of a group. */
STICTION_FUNCTION double turns_scale(const double *low, const double *high, int group) {
    double scale = 0.0;
    int k;
    for (k = 0; k < PERIOD_COLUMNS; k++) {
        const double size = period_travels[k] ? high[k] - low[k] : fmax(fabs(low[k]), fabs(high[k]));
        if (period_group[k] == group) scale = fmax(scale, size);
    }
    return scale;
}

/* Whether all of the motion took place in a turn of these ranges, and it was back in the end but for these differences. */
STICTION_FUNCTION int turns_closed(const Turns *s, double period, const double *turn_low, const double *turn_high, const double *difference) {
    double low[PERIOD_COLUMNS], high[PERIOD_COLUMNS];
    const double time = fmax(s->to - s->from, period);
    int k;
    /* the turn may be longer than what is left since the middle of the run */
    for (k = 0; k < PERIOD_COLUMNS; k++) {
        low[k] = fmin(s->whole_low[k], turn_low[k]);
        high[k] = fmax(s->whole_high[k], turn_high[k]);
    }
    for (k = 0; k < PERIOD_COLUMNS; k++) {
        const double size = fmax(fabs(low[k]), fabs(high[k])), whole = high[k] - low[k], width = turn_high[k] - turn_low[k];
        double scale;
        if (period_travels[k] || whole <= PERIOD_CONSTANT * size) continue;
        scale = turns_scale(low, high, period_group[k]);
        if (period_lengths[k] >= 0) scale = fmax(scale, turns_scale(low, high, period_lengths[k]) / time);
        if (size <= PERIOD_ROUNDING * scale) continue;
        if (!(width >= PERIOD_WHOLE * whole && fabs(difference[k]) <= PERIOD_CLOSED * width)) return 0;
    }
    return 1;
}

/* An event with the columns just after it. */
STICTION_FUNCTION void turns_event(Turns *s, double t, const double *v, int counts) {
    double difference[PERIOD_COLUMNS];
    const int restarts = !s->begun || (s->from < PERIOD_MIDDLE && t >= PERIOD_MIDDLE);
    int k;
    for (k = 0; k < PERIOD_COLUMNS; k++) {
        s->whole_low[k] = restarts ? v[k] : fmin(s->whole_low[k], v[k]);
        s->whole_high[k] = restarts ? v[k] : fmax(s->whole_high[k], v[k]);
        s->low[k] = s->anchored ? fmin(s->low[k], v[k]) : v[k];
        s->high[k] = s->anchored ? fmax(s->high[k], v[k]) : v[k];
        difference[k] = s->anchored ? v[k] - s->anchor[k] : 0.0;
    }
    if (restarts) s->from = t;
    s->to = t;
    s->begun = 1;
    if (!counts) return;
    s->since++;
    s->events++;
    if (s->anchored && turns_closed(s, t - s->t, s->low, s->high, difference)) {
        s->period = t - s->t;
        for (k = 0; k < PERIOD_COLUMNS; k++) {
            s->turn_low[k] = s->low[k];
            s->turn_high[k] = s->high[k];
            s->difference[k] = difference[k];
        }
        s->found = s->events;
        s->since = 0;
    } else if (s->anchored) {
        if (s->events < s->patience) return;
        s->patience *= 2;
    }
    s->anchored = 1;
    s->events = 0;
    s->t = t;
    for (k = 0; k < PERIOD_COLUMNS; k++) s->anchor[k] = s->low[k] = s->high[k] = v[k];
}

STICTION_FUNCTION double turns_period(const Turns *s) {
    const int recent = s->found > 0 && s->since <= 2 * s->found;
    return recent && turns_closed(s, s->period, s->turn_low, s->turn_high, s->difference) ? s->period : NAN;
}
