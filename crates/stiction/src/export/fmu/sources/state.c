/* What a unit remembers. It is plain data: getting, setting and serialising it is copying it. */

/* Continuous states: position and velocity of a body, then the memory of the law. */
#define STATES (2 * IS_BODY + MEMORY)
#define MOST_STATES (2 + MOST_MEMORY)
/* Parameters: the mass of a body, then those of the law. */
#define PARAMETERS (IS_BODY + LAW_PARAMETERS)
#define MOST_PARAMETERS (1 + MOST_LAW_PARAMETERS)
/* Guards, functions that are positive as long as nothing happens: the velocity of a body, or its distance from break-away in both directions
   while it is held; Karnopp's band of speeds; an extremum of the speed that the law remembers; the guards of the law, the velocity first if
   it is an input. */
#define VELOCITY_GUARDS (IS_BODY * (1 + HAS_SET))
#define BAND_GUARD VELOCITY_GUARDS
#define EXTREMUM_GUARD (BAND_GUARD + IS_BODY * HAS_BAND)
#define FIRST_LAW_GUARD (EXTREMUM_GUARD + IS_BODY * HAS_EXTREMUM)
#define LAW_GUARDS_HERE (LAW_GUARDS + !IS_BODY)
#define GUARDS (FIRST_LAW_GUARD + LAW_GUARDS_HERE)
#define MOST_GUARDS (5 + MOST_LAW_GUARDS)

/* What the importer may do next. */
typedef enum Phase { INSTANTIATED = 1, INITIALISING = 2, EVENTS = 4, CONTINUOUS = 8, STEPPING = 16, ENDED = 32 } Phase;

typedef struct State {
    /* the law and the numbers of everything; the same as long as the unit lives */
    const Model *model;
    double start;
    double time;
    double x[MOST_STATES];
    /* force on the body, or velocity; load. As of a time, with their derivatives. */
    double input[2];
    double slope[2];
    double input_time;
    double p[MOST_PARAMETERS];
    /* length of the next step of the integrator; 0: not known */
    double step;
    double relative_tolerance;
    Phase phase;
    /* of a copy: what its unit is used for */
    int use;
    /* a body with a set of forces at rest: 0 held, 1 slides forwards, -1 backwards. Else: the direction of motion, 0 if it is not known to move */
    int mode;
    /* whether a state of model exchange was set as a variable, by an importer that evaluates the equations at any point, such as CasADi: the mode is
       then decided as at the start */
    int is_placed;
    /* whether the speed is outside Karnopp's band: 1 or -1 */
    int outside;
    /* the sign of each guard of the law; 0 if not yet known */
    int side[1 + MOST_LAW_GUARDS];
} State;

/* Of a body only. */
#define MASS(s) ((s)->p[0])
#define VELOCITY(x) ((x)[1])
#define MEMORY_OF(x) ((x) + 2 * IS_BODY)
#define LAW_PARAMETERS_OF(s) ((s)->p + IS_BODY)

static double input_at(const State *s, int which, double time) {
    return s->input[which] + s->slope[which] * (time - s->input_time);
}

/* The inputs keep their values at the present time. */
static void hold_inputs(State *s) {
    int i;
    for (i = 0; i < 2; i++) {
        s->input[i] = input_at(s, i, s->time);
    }
    s->input_time = s->time;
}

/* The absolute error that a step may have. */
static double absolute_tolerance(const State *s, int i) {
    const double base = 1e-3 * s->relative_tolerance;
    return i < 2 * IS_BODY ? base : base * memory_range[i - 2 * IS_BODY];
}

static double allowed_error(const State *s, int i, double x) {
    return absolute_tolerance(s, i) + s->relative_tolerance * fabs(x);
}

/* Speeds up to this one are not told from rest where the force is continuous across rest. */
static double speed_tolerance(const State *s) {
    return 1e-2 * s->relative_tolerance;
}

static int sign_of(double x) {
    return (x > 0.0) - (x < 0.0);
}

static int is_zero(double x) {
    return x <= 0.0 && x >= 0.0;
}

static void reset_state(State *s, const Model *model) {
    int i;
    memset(s, 0, sizeof *s);
    s->model = model;
    s->phase = INSTANTIATED;
    s->relative_tolerance = 1e-9;
    s->input[1] = 1.0;
    for (i = 0; i < PARAMETERS; i++) {
        s->p[i] = start_values[i];
    }
    s->outside = -1;
}
