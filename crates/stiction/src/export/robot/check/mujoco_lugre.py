import mujoco

# the bristles settle exponentially with the slip, and MuJoCo follows them exactly at constant velocity
ACCURACY = 1e-6


def friction(joint):
    model = mujoco.MjModel.from_xml_path(FILE)
    model.opt.gravity[:] = 0
    for flag in ("CONTACT", "LIMIT", "EQUALITY"):
        model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))
    data = mujoco.MjData(model)
    dof = model.joint(joint).dofadr[0]
    # other motors of the joint may act, too
    motor = model.actuator(f"{joint}_friction").id

    def force(v):
        mujoco.mj_resetData(model, data)
        steps = int(20 * SLIP / (abs(v) * model.opt.timestep)) + 2
        for _ in range(min(steps, 100_000)):
            data.qvel[:] = 0
            data.qvel[dof] = v
            mujoco.mj_step(model, data)
        data.qvel[:] = 0
        data.qvel[dof] = v
        mujoco.mj_forward(model, data)
        return -data.actuator_force[motor] - data.qfrc_damper[dof]

    return force
