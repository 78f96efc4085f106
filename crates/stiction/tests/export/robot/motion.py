"""Moves a joint in MuJoCo: motion.py MODEL JOINT END SAMPLE [PLUGIN]

Standard input has lines of time and force, each held until the next. Prints time, position and velocity after every SAMPLE seconds.
"""
import sys

import mujoco

path, joint, end, sample = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
if len(sys.argv) > 5:
    mujoco.mj_loadPluginLibrary(sys.argv[5])
forces = [tuple(map(float, line.split())) for line in sys.stdin]
model = mujoco.MjModel.from_xml_path(path)
data = mujoco.MjData(model)
adr, dof = model.joint(joint).qposadr[0], model.joint(joint).dofadr[0]
step = model.opt.timestep
every = round(sample / step)
for k in range(round(end / step)):
    # the middle of the step, so that rounding does not decide which force acts
    t = (k + 0.5) * step
    data.qfrc_applied[dof] = [force for start, force in forces if start <= t][-1]
    mujoco.mj_step(model, data)
    if (k + 1) % every == 0:
        print(f"{(k + 1) * step:.6f} {data.qpos[adr]!r} {data.qvel[dof]!r}".replace("np.float64(", "").replace(")", ""))
