"""Joints with plugins in MuJoCo: plugin.py FOLDER

FOLDER has the libraries of the plugins of coulomb and of stribeck. Prints lines of a name and a value: a text, numbers, or rows of numbers.
"""
import sys

import mujoco
import numpy as np

folder = sys.argv[1]
warnings = []
mujoco.set_mju_user_warning(warnings.append)
for law in ("coulomb", "stribeck"):
    mujoco.mj_loadPluginLibrary(f"{folder}/libstiction_{law}.so")
STILL = 'noslip_iterations="100" noslip_tolerance="0"'


def instances(law, joints):
    """The declaration of a law in joints, with values of its parameters for each."""
    config = lambda values: "".join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())
    each = "".join(f'<instance name="{joint}"><config key="joint" value="{joint}"/>{config(v)}</instance>' for joint, v in joints.items())
    return f'<extension><plugin plugin="stiction.{law}">{each}</plugin></extension>'


def slide(law="stribeck", values={}, options=STILL, joint='frictionloss="1"', step=0.001, more=""):
    return f"""<mujoco>{instances(law, {"x": values})}<option gravity="0 0 0" timestep="{step}" {options}/><worldbody>{more}
<body><joint name="x" type="slide" axis="1 0 0" {joint}/><geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>"""


def load(text):
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model)


def hold(force, seconds=10):
    model, data = load(slide())
    data.qfrc_applied[0] = force
    while data.time < seconds:
        mujoco.mj_step(model, data)
    return [abs(data.qpos[0]), abs(data.qvel[0])]


def refused(text):
    warnings.clear()
    try:
        load(text)
    except ValueError as error:
        return str(error)
    return "accepted"


def warned(text, seconds=0, force=0):
    warnings.clear()
    model, data = load(text)
    data.qfrc_applied[0] = force
    while data.time < seconds:
        mujoco.mj_step(model, data)
    return warnings[-1] if warnings else ""


def creep_of_arm(iterations):
    """What is told of an arm held at 0.9 of its limits, and how fast the first joint creeps."""
    text = arm([torque / 0.9 for torque in TORQUES], True, f'noslip_iterations="{iterations}" noslip_tolerance="0"')
    return f"{abs(run_arm(text, 1).qvel[0]):.17g} {warned(text, 1)}"


def stick_slip(stiffness, speed, end, sample, step):
    """Pulled by a spring whose other end moves: position and velocity over time."""
    model, data = load(slide(values={"vs": 0.05}, step=step))
    rows, every = [], round(sample / step)
    for k in range(round(end / step)):
        data.qfrc_applied[0] = stiffness * (speed * (k + 0.5) * step - data.qpos[0])
        mujoco.mj_step(model, data)
        if (k + 1) % every == 0:
            rows.append([(k + 1) * step, data.qpos[0], data.qvel[0]])
    return rows


# two links of 1 kg and 0.5 m, stretched out: their weight turns the first joint with 9.81 N·m and the second with a quarter of it
TORQUES = (9.81, 9.81 / 4)


def arm(levels, plugin, options=STILL, table=""):
    law = instances("coulomb", {"a": {"fc": levels[0]}, "b": {"fc": levels[1]}}) if plugin else ""
    row = lambda k: f'frictionloss="{1 if plugin else levels[k]}" solreffriction="0.002 1" solimpfriction="0.9999 0.9999 0.001"'
    link = '<geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/>'
    return f"""<mujoco>{law}<option timestep="0.001" {options}/><worldbody>{table}<body><joint name="a" axis="0 1 0" {row(0)}/>{link}
<body pos="0.5 0 0"><joint name="b" axis="0 1 0" {row(1)}/>{link}</body></body></worldbody></mujoco>"""


def run_arm(text, seconds):
    model, data = load(text)
    while data.time < seconds:
        mujoco.mj_step(model, data)
    return data


def held_arm(ratio):
    data = run_arm(arm([torque / ratio for torque in TORQUES], True), 5)
    return [float(np.abs(data.qpos).max()), float(np.abs(data.qvel).max())]


def swinging_arm():
    """How far the arm with plugins is from one with MuJoCo's own friction of the same level, while it falls and stops."""
    levels = (2.0, 0.5)
    ours, theirs = (run_arm(arm(levels, plugin), 2).qpos for plugin in (True, False))
    return [float(np.abs(ours).max()), float(np.abs(ours - theirs).max())]


def wall():
    """Pushed against a wall, then pushed less: speeds at rest, and what friction has to carry of each push."""
    model, data = load(slide(law="coulomb", values={"fc": 1.5}, more='<geom type="box" size="0.1 1 1" pos="0.25 0 0"/>'))
    out = []
    for force in (3.0, 1.0):
        data.qfrc_applied[0] = force
        end = data.time + 5
        while data.time < end:
            mujoco.mj_step(model, data)
        normal = sum(data.efc_force[k] for k in range(data.nefc) if data.efc_type[k] != mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF)
        row = [k for k in range(data.nefc) if data.efc_type[k] == mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF][0]
        out.append([abs(data.qvel[0]), data.efc_force[row], float(data.ncon), float(normal)])
    return out


def arm_on_table():
    """The arm falls onto a table and comes to rest on it, with contacts and friction in its joints."""
    table = '<geom type="plane" size="2 2 0.1" pos="0 0 -0.1"/>'
    data = run_arm(arm((2.0, 0.5), True, table=table), 10)
    return [float(np.abs(data.qvel).max()), float(data.ncon)]


def copies():
    """A copy of the state, taken while it slides, goes on as the original does."""
    model, data = load(slide())
    data.qvel[0] = 1
    for _ in range(100):
        mujoco.mj_step(model, data)
    other = mujoco.MjData(model)
    mujoco.mj_copyData(other, model, data)
    for each in (data, other):
        for _ in range(1000):
            mujoco.mj_step(model, each)
    return [data.qpos[0] - other.qpos[0], data.qvel[0]]


def islands():
    """Two bodies without contact, of which MuJoCo's default solver makes two islands."""
    text = slide(options="").replace("</worldbody>", '<body pos="0 3 0"><joint name="y" type="slide" axis="1 0 0" frictionloss="1"/><geom size="0.1" mass="1"/></body></worldbody>')
    model, data = load(text)
    data.qfrc_applied[0] = 1.2
    for _ in range(1000):
        mujoco.mj_step(model, data)
    return [data.nisland, abs(data.qvel[0])]


numbers = lambda row: " ".join(repr(float(x)) for x in row)
rows = lambda all_rows: "; ".join(map(numbers, all_rows))
text = lambda said: said.replace("\n", " ")
for name, value in {
    "held": numbers(hold(0.999 * 1.5)),
    "released": numbers(hold(1.001 * 1.5, 1)),
    "held_arm": numbers(held_arm(0.99)),
    "released_arm": numbers(held_arm(1.01)),
    "swinging_arm": numbers(swinging_arm()),
    "wall": rows(wall()),
    "arm_on_table": numbers(arm_on_table()),
    "copies": numbers(copies()),
    "islands": numbers(islands()),
    "stick_slip": rows(stick_slip(20.0, 0.1, 10.0, 0.05, 1e-4)),
    "no_joint": text(refused(slide().replace('value="x"', 'value="z"'))),
    "no_row": text(refused(slide(joint=""))),
    "no_number": text(refused(slide(values={"fc": "many"}))),
    "out_of_bounds": text(refused(slide(values={"fc": -1}))),
    "broken": text(refused(slide(values={"fc": 2.5}))),
    "twice": text(refused(slide().replace("</plugin>", '<instance name="y"><config key="joint" value="x"/></instance></plugin>'))),
    "creeps": text(warned(slide(options=""))),
    "runge_kutta": text(warned(slide(options=STILL + ' integrator="RK4"'))),
    "quiet": text(warned(slide())),
    "one_sweep": text(warned(slide(options='noslip_iterations="1"'), 1, 1.35)),
    "arm_1": text(creep_of_arm(1)),
    "arm_10": text(creep_of_arm(10)),
    "arm_100": text(creep_of_arm(100)),
}.items():
    print(f"{name}: {value}")
