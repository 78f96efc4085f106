"""Imports units of FMI 2.0 with CasADi: casadi_importer.py JOBS.json. A job has a file, the values at which its friction is known, and that friction.
Prints a line for each; exit code 1 if friction, rates or Jacobians differ."""
import json
import sys
import tempfile
import zipfile

import casadi
import numpy as np


def start(unit, names):
    return np.array([float(np.ravel(unit.start(name))[0]) for name in names])


def jacobian_error(function, jacobian, x, u, p):
    """The largest difference of a Jacobian by the states from central differences, over its size; at the best of several steps, because a step
    is too long for some laws and too short for the rounding of others."""
    got = np.array(jacobian(x, u, p))
    errors = []
    for size in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8]:
        want = np.zeros_like(got)
        for j in range(len(x)):
            h = size * max(1e-6, abs(x[j]))
            step = h * np.eye(len(x))[j]
            want[:, j] = np.ravel(np.array(function(x + step, u, p)[0] - function(x - step, u, p)[0])) / (2 * h)
        errors.append(np.abs(got - want).max() / (1 + np.abs(want).max()))
    return min(errors)


def main():
    bad = 0
    for job in json.load(open(sys.argv[1])):
        folder = tempfile.mkdtemp(dir=sys.argv[2])
        zipfile.ZipFile(job["file"]).extractall(folder)
        unit = casadi.DaeBuilder(job["law"], folder)
        function = unit.create("rates", ["x", "u", "p"], ["ode", "y"])
        jacobian = function.factory("jacobian", ["x", "u", "p"], ["jac:ode:x"])
        is_body = "force" in unit.u()
        x, p, place = start(unit, unit.x()), start(unit, unit.p()), unit.y().index("friction")
        worst = slopes = 0.0
        for v, load, friction, *memory in job["points"]:
            x[2 if is_body else 0:] = memory
            if is_body:
                x[1] = v
            u = np.array([0.7 if is_body else v, load])
            rates, outputs = function(x, u, p)
            worst = max(worst, abs(float(outputs[place]) - friction) / (1 + abs(friction)))
            if is_body:
                # dx/dt = v, m dv/dt = force - friction
                mass = p[unit.p().index("mass")]
                worst = max(worst, abs(float(rates[0]) - v), abs(float(rates[1]) * mass - u[0] + friction) / (1 + abs(friction)))
            slopes = max(slopes, jacobian_error(function, jacobian, x, u, p)) if len(x) else 0.0
        print(f"{job['law']}: friction and rates {worst:.1e}, Jacobian {slopes:.1e}", flush=True)
        # the same program of the law; a central difference at its best has about half of the digits
        bad += not worst < 1e-14 or not slopes < 1e-6
    sys.exit(1 if bad else 0)


main()
