#!/usr/bin/env python3
"""Coulomb, viscous and Stribeck friction with mass and offset by SciPy: identify.py COLUMNS.bin CUTOFF

COLUMNS.bin has time, position and force as doubles, one column after another. The way most users go: a Butterworth filter run
both ways at the given cut-off [Hz], central differences, curve_fit on all samples that move, from a start near the truth and
with its derivatives by differences, or given to it. Prints what was done and the seconds it took; estimates go to stderr.
"""
import sys
import time

import numpy as np
from scipy.optimize import curve_fit
from scipy.signal import butter, filtfilt

t, x, force = np.fromfile(sys.argv[1]).reshape(3, -1)
cutoff = float(sys.argv[2])
step = t[1] - t[0]

start = time.perf_counter()
b, a = butter(4, cutoff, fs=1 / step)
v = np.gradient(filtfilt(b, a, x), step)
acc = np.gradient(v, step)
filtered = time.perf_counter() - start


def model(z, mass, offset, fc, fs, vs, fv):
    v, a = z
    return mass * a + offset + (fc + (fs - fc) * np.exp(-((v / vs) ** 2))) * np.sign(v) + fv * v


def slopes(z, mass, offset, fc, fs, vs, fv):
    v, a = z
    s, w = np.sign(v), np.exp(-((v / vs) ** 2))
    by_vs = (fs - fc) * w * 2 * v**2 / vs**3 * s
    return np.stack([a, np.ones_like(v), (1 - w) * s, w * s, by_vs, v], axis=1)


moves = np.abs(v) > 1e-3
z, y, guess = np.stack([v[moves], acc[moves]]), force[moves], [1, 0, 8, 12, 0.02, 40]
print(f"filter,{filtered}")
for name, jac in [("differences", None), ("derivatives given", slopes)]:
    start = time.perf_counter()
    values, covariance = curve_fit(model, z, y, guess, jac=jac)
    fitted = time.perf_counter() - start
    print(f"fit ({name}),{fitted}")
    print(f"filter and fit ({name}),{filtered + fitted}")
    print(name, values, np.sqrt(np.diag(covariance)), file=sys.stderr)
