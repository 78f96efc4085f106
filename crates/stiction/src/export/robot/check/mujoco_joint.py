import mujoco

# MuJoCo's solver ends at a tolerance of its own
ACCURACY = 1e-6


def friction(joint):
    model = mujoco.MjModel.from_xml_path(FILE)
    # this joint alone: no weight, no contacts, no stops
    model.opt.gravity[:] = 0
    for flag in ("CONTACT", "LIMIT", "EQUALITY", "ACTUATION"):
        model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))
    data = mujoco.MjData(model)
    dof = model.joint(joint).dofadr[0]
    largest = max(abs(force) for _, _, force in POINTS)

    def force(v):
        mujoco.mj_resetData(model, data)
        data.qvel[dof] = v
        # pushed along, so that it slides on
        data.qfrc_applied[dof] = 10 * largest * (1 if v > 0 else -1)
        mujoco.mj_forward(model, data)
        dry = mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF
        rows = [k for k in range(data.nefc) if data.efc_type[k] == dry and data.efc_id[k] == dof]
        return -data.qfrc_damper[dof] - sum(data.efc_force[k] for k in rows)

    return force


# creep is told where the solver misses the force that holds a joint by more than this part of its friction
CREEP = 1e-6


def rest():
    """Whether the joints creep, with the solver of the file: all that have friction held at 0.9 of it, without weight and contacts."""
    model = mujoco.MjModel.from_xml_path(FILE)
    model.opt.gravity[:] = 0
    for flag in ("CONTACT", "LIMIT", "EQUALITY", "ACTUATION"):
        model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))
    model.jnt_stiffness[:] = 0
    data = mujoco.MjData(model)
    data.qfrc_applied[:] = 0.9 * model.dof_frictionloss
    mujoco.mj_step(model, data, 200)
    for joint in JOINTS:
        dof = model.joint(joint).dofadr[0]
        creep, level = abs(data.qvel[dof]), model.dof_frictionloss[dof]
        missing = creep / (level * model.dof_invweight0[dof] * model.opt.timestep) if level > 0 else 0
        if missing > CREEP:
            own = f"noslip_iterations is {model.opt.noslip_iterations} and noslip_tolerance {model.opt.noslip_tolerance:g}"
            print(
                f"{joint}: creeps with {creep:.2g} where friction should hold it, because the solver misses the force that holds it by {missing:.2g} of the friction; {own}: raise the first and set the second to 0"
            )
