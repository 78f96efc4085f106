/* The functions of the law, by its programs. The inputs of a program: velocity, load and direction, the memory, the parameters; then, of a
   derivative, the changes of all of these. */
#define SIGNALS 3
#define MOST_INPUTS (SIGNALS + MOST_MEMORY + MOST_LAW_PARAMETERS)

/* The inputs; returns their number. */
static int take_inputs(const State *s, double *to, const double *z, double v, double load, double dir, const double *p) {
    to[0] = v;
    to[1] = load;
    to[2] = dir;
    if (z != NULL) {
        memcpy(to + SIGNALS, z, (size_t)(MEMORY) * sizeof(double));
    }
    memcpy(to + SIGNALS + MEMORY, p, (size_t)(LAW_PARAMETERS) * sizeof(double));
    return SIGNALS + MEMORY + LAW_PARAMETERS;
}

static void run_law(const State *s, int program, const double *z, double v, double load, double dir, double *out) {
    double input[MOST_INPUTS];
    (void)take_inputs(s, input, z, v, load, dir, LAW_PARAMETERS_OF(s));
    run_program(&s->model->programs[program], input, out);
}

static void law_flow(const State *s, const double *z, double v, double load, double *out) {
    run_law(s, FLOW, z, v, load, 0.0, out);
}

static void law_flow_along(const State *s, const double *z, double v, double load, const double *by_z, double by_v, double by_load,
                           const double *by_p, double *out) {
    double input[2 * MOST_INPUTS];
    const int count = take_inputs(s, input, z, v, load, 0.0, LAW_PARAMETERS_OF(s));
    (void)take_inputs(s, input + count, by_z, by_v, by_load, 0.0, by_p);
    run_program(&s->model->programs[FLOW_ALONG], input, out);
}

static double law_hold(const State *s, const double *z, double load, double dir) {
    double out = 0.0;
    run_law(s, HOLD, z, 0.0, load, dir, &out);
    return out;
}

static double law_band(const State *s, double v, double load) {
    double out = 0.0;
    run_law(s, BAND, NULL, v, load, 0.0, &out);
    return out;
}

static double law_extremum(const State *s, const double *z) {
    double out = 0.0;
    run_law(s, EXTREMUM, z, 0.0, 0.0, 0.0, &out);
    return out;
}

static void law_guards(const State *s, const double *z, double v, double load, double *out) {
    run_law(s, LAW_GUARD, z, v, load, 0.0, out);
}

static void law_jump(const State *s, const double *z, double v, double load, double *out) {
    run_law(s, JUMP, z, v, load, 0.0, out);
}

static void law_conditions(const State *s, double *out) {
    run_law(s, CONDITION, NULL, 0.0, 0.0, 0.0, out);
}
