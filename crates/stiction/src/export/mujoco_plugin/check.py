#!/usr/bin/env python3
"""Compiles the plugin and compares the friction of example.xml with the law. Needs: pip install mujoco, and a C compiler (CC, or cc).

    python check.py

Exit code 1 if they differ. The library stays beside this file: load it with mujoco.mj_loadPluginLibrary.
"""
import os
import pathlib
import subprocess
import sys

import mujoco

# velocity, steady force of the law
POINTS = [
{rows}]
# The largest forces that the law holds, forwards and backwards.
LIMITS = {limits}
HAS_MEMORY = {memory}

HERE = pathlib.Path(__file__).resolve().parent


def build():
    headers = pathlib.Path(mujoco.HEADERS_DIR).parent
    package = headers.parent
    (library,) = [*package.glob("libmujoco.so*"), *package.glob("libmujoco.*.dylib")][:1]
    target = HERE / "lib{file}.so"
    flags = ["-O2", "-shared", "-fPIC", f"-I{headers}"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, HERE / "{file}.c", library, "-o", target, "-lm"], check=True)
    return target


def model_and_data():
    model = mujoco.MjModel.from_xml_path(str(HERE / "example.xml"))
    return model, mujoco.MjData(model)


def sliding(v, force):
    """The friction at a constant velocity, after long sliding."""
    model, data = model_and_data()
    # so heavy that friction changes the velocity by 1e-9 of it within a step: a memory of rising and falling speeds sees a constant one
    model.dof_armature[0] = 1e9 * abs(force) * model.opt.timestep / abs(v)
    mujoco.mj_setConst(model, data)
    for _ in range(20_000 if HAS_MEMORY else 1):
        data.qvel[0] = v
        mujoco.mj_step(model, data)
    data.qvel[0] = v
    mujoco.mj_forward(model, data)
    return -data.qfrc_passive[0] - data.qfrc_constraint[0]


def speed_under(force):
    """The largest speed within a second under a constant force, from rest."""
    model, data = model_and_data()
    data.qfrc_applied[0] = force
    speed = 0
    while data.time < 1:
        mujoco.mj_step(model, data)
        speed = max(speed, abs(data.qvel[0]))
    return speed


def main():
    mujoco.mj_loadPluginLibrary(str(build()))
    size = max(abs(force) for _, force in POINTS)
    off = max(abs(sliding(v, force) - force) for v, force in POINTS)
    print(f"sliding: {off / size:.2g} from the law")
    # memory settles over some distance, which slow motion does not reach
    failed = not off <= 1e-3 * size
    for limit in LIMITS:
        held, free = speed_under(0.999 * limit), speed_under(1.01 * limit)
        print(f"rest: {held:.2g} at 0.999 of the limit {limit:.6g}, {free:.2g} at 1.01 of it")
        failed |= not (held < 1e-12 and free > 1e-6)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
