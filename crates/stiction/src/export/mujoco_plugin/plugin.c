
/* An instance acts in one joint. Dry friction that can hold the joint is a constraint of MuJoCo (frictionloss), which is solved together with
   all others; the law gives its level at every step. Friction that is a number is a passive force. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

/* Speeds below this are rest. */
#define REST_SPEED 1e-12
/* The state of an instance: the memory of the law, whether the joint was held in the last step, and the level in it. */
#define HELD LAW_MEMORY
#define LEVEL (LAW_MEMORY + 1)
#define STATES (LAW_MEMORY + 2)

#if LAW_HAS_SET
/* Creep is what a joint moves by while its constraint holds it, because the solver ends before it has converged. If M is the inertia of the joint, creep of
   v in steps of dt is a force that misses the one that holds the joint by M v/dt. It is told where this is more than CREEP of the friction at
   rest, as a mean over CREEP_STEPS steps in which the joint was held. */
#define CREEP 1e-6
#define CREEP_STEPS 100
#endif

typedef struct Instance {
    int dof;
    double load;
    double p[LAW_PARAMETERS + 1];
#if LAW_HAS_SET
    /* steps in which it was held without a break, the sum of the velocities after them, and whether creep has been told */
    int held_steps, has_told_creep;
    double held_speeds;
#endif
} Instance;

static const char *const config_names[] = {"joint", "load", LAW_NAMES};
#define CONFIGS ((int)(sizeof config_names / sizeof config_names[0]))

static Instance *instance_of(const mjData *d, int instance) {
    return (Instance *)d->plugin_data[instance];
}

static mjtNum *state_of(const mjModel *m, const mjData *d, int instance) {
    return d->plugin_state + m->plugin_stateadr[instance];
}

static int plugin_nstate(const mjModel *m, int instance) {
    (void)m;
    (void)instance;
    return STATES;
}

/* A number of the configuration; its default if it is not given. Returns 0 if it is no number within its bounds. */
static int read_number(const mjModel *m, int instance, const char *name, double least, double largest, double *value) {
    const char *text = mj_getPluginConfig(m, instance, name);
    char *end;
    double x;
    if (text == NULL || text[0] == '\0') {
        return 1;
    }
    x = strtod(text, &end);
    while (*end == ' ') {
        end++;
    }
    if (end == text || *end != '\0' || !(x >= least && x <= largest)) {
        mju_warning("%s: %s = \"%s\" is not a number from %g to %g", PLUGIN_NAME, name, text, least, largest);
        return 0;
    }
    *value = x;
    return 1;
}

#if !LAW_HAS_SET
/* The longest time step with which an explicit force of this law is stable, half of the limit of the linearised joint. */
static double longest_step(const Instance *own, double inertia) {
    double z[LAW_MEMORY + 1] = {0}, longest = 1e300;
    const double speed = 1e-9, time = 1e-3;
    const double at_rest = law_force(z, 0.0, own->load, own->p);
    const double damping = (law_force(z, speed, own->load, own->p) - at_rest) / speed;
    double stiffness;
    law_step(z, speed, own->load, time, own->p);
    stiffness = (law_force(z, 0.0, own->load, own->p) - at_rest) / (speed * time);
    if (damping > 0.0) {
        longest = inertia / damping;
    }
    if (stiffness > 0.0 && sqrt(inertia / stiffness) < longest) {
        longest = sqrt(inertia / stiffness);
    }
    return longest;
}
#endif

#if LAW_HAS_SET
/* Measures creep, and tells it once. */
static void watch_creep(const mjModel *m, Instance *own, int held, double level, double v) {
    double mean, missing;
    if (own->has_told_creep) {
        return;
    }
    own->held_steps = held ? own->held_steps + 1 : 0;
    own->held_speeds = held ? own->held_speeds + v : 0.0;
    if (own->held_steps < CREEP_STEPS) {
        return;
    }
    mean = fabs(own->held_speeds) / CREEP_STEPS;
    missing = mean / (level * m->dof_invweight0[own->dof] * m->opt.timestep);
    own->held_steps = 0;
    own->held_speeds = 0.0;
    if (missing > CREEP) {
        const char *joint = mj_id2name(m, mjOBJ_JOINT, m->dof_jntid[own->dof]);
        own->has_told_creep = 1;
        mju_warning("%s: joint '%s' creeps with %.2g where friction should hold it, because the solver misses the force that holds it by %.2g of the friction; noslip_iterations is %d and noslip_tolerance %g: set <option noslip_iterations=\"%d\" noslip_tolerance=\"0\"/>, and in the joint solreffriction=\"%g 1\" solimpfriction=\"0.9999 0.9999 0.001\"", PLUGIN_NAME, joint, mean, missing, m->opt.noslip_iterations, m->opt.noslip_tolerance, m->opt.noslip_iterations < 100 ? 100 : 10 * m->opt.noslip_iterations, 2.0 * m->opt.timestep);
    }
}
#endif

/* Says what of the model would not do as the law says. */
static void warn(const mjModel *m, const char *joint, Instance *own) {
#if LAW_HAS_SET
    /* creep that is told now is not told again */
    own->has_told_creep = m->opt.noslip_iterations <= 0 || m->opt.integrator == mjINT_RK4;
    if (m->opt.noslip_iterations <= 0) {
        mju_warning("%s: noslip_iterations is 0, so that joint '%s' creeps where friction should hold it; set <option noslip_iterations=\"100\" noslip_tolerance=\"0\"/>, and in the joint solreffriction=\"%g 1\" solimpfriction=\"0.9999 0.9999 0.001\"", PLUGIN_NAME, joint, 2.0 * m->opt.timestep);
    }
    if (m->opt.integrator == mjINT_RK4) {
        mju_warning("%s: with integrator RK4 joint '%s' does not come to rest exactly; choose Euler or implicitfast", PLUGIN_NAME, joint);
    }
    if ((m->opt.disableflags & mjDSBL_FRICTIONLOSS) != 0 || (m->opt.disableflags & mjDSBL_CONSTRAINT) != 0) {
        mju_warning("%s: the model disables frictionloss, so that joint '%s' has no friction", PLUGIN_NAME, joint);
    }
#else
    const double longest = longest_step(own, m->dof_M0[own->dof]);
    if (m->opt.timestep > longest * (1.0 + 1e-6)) {
        mju_warning("%s: the time step of %g s is too long for joint '%s'; choose one below %g s", PLUGIN_NAME, m->opt.timestep, joint, longest);
    }
    if (m->dof_frictionloss[own->dof] > 0.0) {
        mju_warning("%s: joint '%s' has frictionloss besides this law, so that friction acts twice", PLUGIN_NAME, joint);
    }
#endif
}

/* Whether an instance before this one acts in the same joint, by this law or another one of these plugins. */
static int has_other(const mjModel *m, int instance, const char *joint) {
    const char *const ours = "stiction.";
    int i;
    for (i = 0; i < instance; i++) {
        const mjpPlugin *plugin = mjp_getPluginAtSlot(m->plugin[i]);
        const char *other;
        if (plugin == NULL || strncmp(plugin->name, ours, strlen(ours)) != 0) {
            continue;
        }
        other = mj_getPluginConfig(m, i, "joint");
        if (other != NULL && strcmp(other, joint) == 0) {
            return 1;
        }
    }
    return 0;
}

static int plugin_init(const mjModel *m, mjData *d, int instance) {
    const char *joint = mj_getPluginConfig(m, instance, "joint");
    const int id = joint == NULL ? -1 : mj_name2id(m, mjOBJ_JOINT, joint);
    Instance *own;
    int i;
    if (id < 0) {
        mju_warning("%s: there is no joint '%s'; write <config key=\"joint\" value=\"NAME\"/>", PLUGIN_NAME, joint == NULL ? "" : joint);
        return -1;
    }
    if (m->jnt_type[id] != mjJNT_HINGE && m->jnt_type[id] != mjJNT_SLIDE) {
        mju_warning("%s: joint '%s' is neither a hinge nor a slide", PLUGIN_NAME, joint);
        return -1;
    }
    if (has_other(m, instance, joint)) {
        mju_warning("%s: two instances act in joint '%s'; a joint has one law", PLUGIN_NAME, joint);
        return -1;
    }
    own = (Instance *)calloc(1, sizeof *own);
    if (own == NULL) {
        return -1;
    }
    own->dof = m->jnt_dofadr[id];
    own->load = 1.0;
    for (i = 0; i < LAW_PARAMETERS; i++) {
        own->p[i] = law_start[i];
    }
    if (!read_number(m, instance, "load", LAW_LEAST_LOAD, 1e12, &own->load)) {
        free(own);
        return -1;
    }
    for (i = 0; i < LAW_PARAMETERS; i++) {
        if (!read_number(m, instance, config_names[2 + i], law_least[i], law_largest[i], &own->p[i])) {
            free(own);
            return -1;
        }
    }
    i = law_broken(own->p);
    if (i >= 0) {
        mju_warning("%s: joint '%s': %s does not hold", PLUGIN_NAME, joint, law_conditions[i]);
        free(own);
        return -1;
    }
#if LAW_HAS_SET
    if (!(m->dof_frictionloss[own->dof] > 0.0)) {
        mju_warning("%s: joint '%s' needs a frictionloss above 0, in whose place the law acts; its value does not matter", PLUGIN_NAME, joint);
        free(own);
        return -1;
    }
#endif
    warn(m, joint, own);
    d->plugin_data[instance] = (uintptr_t)own;
    return 0;
}

static void plugin_destroy(mjData *d, int instance) {
    free(instance_of(d, instance));
    d->plugin_data[instance] = 0;
}

static void plugin_reset(const mjModel *m, mjtNum *plugin_state, void *plugin_data, int instance) {
    int i;
    (void)m;
    (void)plugin_data;
    (void)instance;
    for (i = 0; i < STATES; i++) {
        plugin_state[i] = 0.0;
    }
}

#if LAW_HAS_SET
/* The constraint of dry friction in a joint; -1 if there is none. */
static int friction_row(const mjData *d, int dof) {
    int row;
    for (row = d->ne; row < d->ne + d->nf; row++) {
        if (d->efc_type[row] == mjCNSTR_FRICTION_DOF && d->efc_id[row] == dof) {
            return row;
        }
    }
    return -1;
}
#endif

static void plugin_compute(const mjModel *m, mjData *d, int instance, int capability) {
    const Instance *own = instance_of(d, instance);
    mjtNum *state = state_of(m, d, instance);
    const double v = d->qvel[own->dof];
    (void)capability;
#if LAW_HAS_SET
    {
        const int row = friction_row(d, own->dof);
        int at_rest = state[HELD] > 0.5 || fabs(v) <= REST_SPEED;
        double level, middle;
#if LAW_HAS_BAND
        at_rest = at_rest || fabs(v) <= law_band(state, own->load, v < 0.0 ? -1.0 : 1.0, own->p);
#endif
        if (row < 0) {
            return;
        }
        if (at_rest) {
            /* the set of forces at rest, about its middle */
            const double up = law_hold(state, own->load, 1.0, own->p), down = law_hold(state, own->load, -1.0, own->p);
            middle = law_force(state, 0.0, own->load, own->p) + 0.5 * (up - down);
            level = 0.5 * (up + down);
        } else {
            const double force = law_force(state, v, own->load, own->p);
            /* a force along the motion is not what a constraint of friction can do */
            level = force * v > 0.0 ? fabs(force) : 0.0;
            middle = force * v > 0.0 ? 0.0 : force;
        }
        state[LEVEL] = level;
        d->qfrc_passive[own->dof] -= middle;
        d->efc_frictionloss[row] = level;
        /* the solver of islands has a copy */
        if (d->nisland > 0) {
            d->iefc_frictionloss[d->map_efc2iefc[row]] = level;
        }
        /* the joint is to be at rest at the end of the step, not some time later */
        if (m->opt.integrator != mjINT_RK4) {
            d->efc_KBIP[4 * row + 1] = 1.0 / m->opt.timestep;
        }
    }
#else
    d->qfrc_passive[own->dof] -= law_force(state, v, own->load, own->p);
#endif
}

/* After the step: the memory, and whether the constraint held the joint. */
static void plugin_advance(const mjModel *m, mjData *d, int instance) {
#if LAW_HAS_SET
    Instance *own = instance_of(d, instance);
#else
    const Instance *own = instance_of(d, instance);
#endif
    mjtNum *state = state_of(m, d, instance);
    double v = d->qvel[own->dof];
#if LAW_HAS_SET
    const int row = friction_row(d, own->dof);
    const int held = row >= 0 && fabs(d->efc_force[row]) < state[LEVEL] * (1.0 - 1e-9);
    state[HELD] = held ? 1.0 : 0.0;
    watch_creep(m, own, held, state[LEVEL], v);
    if (held) {
        v = 0.0;
    }
#endif
    law_step(state, v, own->load, m->opt.timestep, own->p);
}

mjPLUGIN_LIB_INIT(stiction) {
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    plugin.name = PLUGIN_NAME;
    plugin.nattribute = CONFIGS;
    plugin.attributes = config_names;
    plugin.capabilityflags |= mjPLUGIN_PASSIVE;
    plugin.nstate = plugin_nstate;
    plugin.init = plugin_init;
    plugin.destroy = plugin_destroy;
    plugin.reset = plugin_reset;
    plugin.compute = plugin_compute;
    plugin.advance = plugin_advance;
    mjp_registerPlugin(&plugin);
}
