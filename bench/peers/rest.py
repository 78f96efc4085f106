#!/usr/bin/env python3
"""What other tools do where friction holds: rest.py [OUT.csv]

Creep of one joint: a slide joint of 1 kg with a friction loss of 1.5 N in MuJoCo, step 1 ms, pushed with 0.5 and 1.35 N; its mean
velocity over 100 s, after 10 s. Held truly it is 0 (`stiction run hold`: 1.35 N against 1.5 N, 10 000 s).

Creep of an arm: two links of 1 kg and 0.5 m, stretched out, whose joints have friction losses of 1/0.9 of what their weight asks for; the mean
speed of the faster joint from 1 s to 2 s.

Both with MuJoCo's default settings, with its solver against slip (noslip_iterations = 10), and with what `stiction export mjcf` writes. The speed of
each is that of the held joints, the fastest of 30 runs of 10 000 steps in turn, in time of the processor.

Stop: x'' = -sign(x'), from x' = 1, for 2 s, by SciPy's solvers at rtol 1e-6, atol 1e-9: whether they pass the stop at t = 1, and the
evaluations they need, at most 300 000.

Needs `pip install mujoco scipy`; what is not installed is named and left out.
"""
import platform
import sys
import time
import warnings

JOINT = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0" {solver}/>
  <worldbody>
    <body><joint name="x" type="slide" axis="1 0 0" frictionloss="1.5" {joint}/><geom type="sphere" size="0.1" mass="1"/></body>
  </worldbody>
</mujoco>
"""
# the weight of the links turns the first joint with 9.81 N m, the second with a quarter of it
ARM = """
<mujoco>
  <option timestep="0.001" {solver}/>
  <worldbody>
    <body>
      <joint name="a" axis="0 1 0" frictionloss="10.9" {joint}/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/>
      <body pos="0.5 0 0">
        <joint name="b" axis="0 1 0" frictionloss="2.725" {joint}/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
STIFF = 'solreffriction="0.002 1" solimpfriction="0.9999 0.9999 0.001"'
SETTINGS = {
    "default": {"solver": "", "joint": ""},
    "noslip 10": {"solver": 'noslip_iterations="10"', "joint": ""},
    "export mjcf": {"solver": 'noslip_iterations="100" noslip_tolerance="1e-12"', "joint": STIFF},
}
MOST = 300_000


def creep():
    import mujoco
    import numpy as np

    tool = f"mujoco {mujoco.__version__}"

    def load(text, settings):
        model = mujoco.MjModel.from_xml_string(text.format(**settings))
        return model, mujoco.MjData(model)

    def mean_speed(model, data, begin, end):
        steps = lambda seconds: round(seconds / model.opt.timestep)
        mujoco.mj_step(model, data, steps(begin))
        q = data.qpos.copy()
        mujoco.mj_step(model, data, steps(end - begin))
        return np.abs(data.qpos - q).max() / (end - begin)

    timed = []
    for name, settings in SETTINGS.items():
        for force in (0.5, 1.35):
            model, data = load(JOINT, settings)
            data.qfrc_applied[0] = force
            yield tool, f"creep at {force} N of 1.5 N, {name} [m/s]", f"{mean_speed(model, data, 10, 110):.3e}"
        timed.append((f"held joint, {name}", model, data))
        model, data = load(ARM, settings)
        yield tool, f"creep of an arm at 0.9 of its friction, {name} [rad/s]", f"{mean_speed(model, data, 1, 2):.3e}"
        timed.append((f"arm, {name}", *load(ARM, settings)))
    count, best = 10_000, [0.0] * len(timed)
    # in turn, so that what else the machine does is the same for all
    for _ in range(30):
        for k, (_, model, data) in enumerate(timed):
            begin = time.process_time()
            mujoco.mj_step(model, data, count)
            best[k] = max(best[k], count / (time.process_time() - begin))
    for (what, _, _), speed in zip(timed, best):
        yield tool, f"{what} [steps/s]", f"{speed:.3g}"


def stop():
    import numpy as np
    import scipy
    from scipy.integrate import solve_ivp

    warnings.simplefilter("ignore")
    for method in ("RK45", "DOP853", "Radau", "BDF", "LSODA"):
        count = 0

        def rate(_, y):
            nonlocal count
            count += 1
            if count > MOST:
                raise RuntimeError
            return [y[1], -np.sign(y[1])]

        try:
            found = solve_ivp(rate, (0, 2), [0, 1.0], method=method, rtol=1e-6, atol=1e-9)
            said = "passes" if found.status == 0 else f"fails at t = {found.t[-1]:.6g}"
        except RuntimeError:
            said = "gives no end"
        yield f"scipy {scipy.__version__} {method}", "stop", f"{said} after {min(count, MOST)} evaluations"


def processor():
    """The name of the processor, for what is said of speeds."""
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


if __name__ == "__main__":
    lines = ["tool,what,value"]
    lines.append(f"machine,processor,{processor()}")
    for part in (creep, stop):
        try:
            lines += [",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in part()]
        except ImportError as missing:
            print(f"skipped {part.__name__}: {missing}", file=sys.stderr)
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as out:
            out.write(text)
