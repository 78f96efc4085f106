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
