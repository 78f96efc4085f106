#!/usr/bin/env python3
"""What other tools do where friction holds: rest.py [OUT.csv]

Creep: a slide joint of 1 kg with a friction loss of 1.5 N in MuJoCo, default solver, step 1 ms, pushed with 0.5 and 1.35 N; its mean
velocity over 100 s, after 10 s. Held truly it is 0 (`stiction run hold`: 1.35 N against 1.5 N, 10 000 s).

Stop: x'' = -sign(x'), from x' = 1, for 2 s, by SciPy's solvers at rtol 1e-6, atol 1e-9: whether they pass the stop at t = 1, and the
evaluations they need, at most 300 000.

Needs `pip install mujoco scipy`; what is not installed is named and left out.
"""
import sys
import warnings

MODEL = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <body><joint name="x" type="slide" axis="1 0 0" frictionloss="1.5"/><geom type="sphere" size="0.1" mass="1"/></body>
  </worldbody>
  <actuator><motor joint="x"/></actuator>
</mujoco>
"""
MOST = 300_000


def creep():
    import mujoco

    for force in (0.5, 1.35):
        model = mujoco.MjModel.from_xml_string(MODEL)
        data = mujoco.MjData(model)
        data.ctrl[0] = force
        while data.time < 10:
            mujoco.mj_step(model, data)
        t, x = data.time, data.qpos[0]
        while data.time < 110:
            mujoco.mj_step(model, data)
        yield f"mujoco {mujoco.__version__}", f"creep at {force} N of 1.5 N [m/s]", f"{(data.qpos[0] - x) / (data.time - t):.3e}"


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


if __name__ == "__main__":
    lines = ["tool,what,value"]
    for part in (creep, stop):
        try:
            lines += [",".join(row) for row in part()]
        except ImportError as missing:
            print(f"skipped {part.__name__}: {missing}", file=sys.stderr)
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as out:
            out.write(text)
