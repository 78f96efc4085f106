#!/usr/bin/env python3
"""An ensemble of LuGre stick-slip with numbalsoda, as a compiled loop: sweep.py POINTS PROCESSES RTOL:ATOL[,...] SAMPLES

As sweep.c, for several tolerances at once: for each it prints the seconds by the clock and of the processors, then x at SAMPLES even times of every point. The loop over
points is compiled by numba too; processes are forked after everything is compiled.
"""
import math
import mmap
import os
import resource
import sys
import time

import numba as nb
import numpy as np
from numbalsoda import lsoda, lsoda_sig

END = 20.0


@nb.cfunc(lsoda_sig)
def rhs(t, u, d, p):
    v, w = u[1], u[2]
    a = abs(v)
    dw = 1e3 * (v - a * w / (3.0 + 3.0 * math.exp(-a / 0.1)))
    d[0] = v
    d[2] = dw
    d[1] = p[0] * (p[1] * t - u[0]) - (w + 2 * math.sqrt(1e3) / 1e3 * dw)


POINTER = rhs.address


@nb.njit
def loop(points, first, step, times, rtol, atol, out):
    u0 = np.zeros(3)
    for i in range(first, points.shape[0], step):
        u, ok = lsoda(POINTER, u0, times, points[i], rtol, atol)
        for s in range(1, times.size):
            out[i, s - 1] = u[s, 0] if ok else np.nan


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    points = np.loadtxt(sys.argv[1], ndmin=2)
    processes, samples = int(sys.argv[2]), int(sys.argv[4])
    rows = max(samples, 1)
    times = np.linspace(0, END, rows + 1)
    loop(points[:1], 0, 1, times, 1e-4, 1e-4, np.empty((1, rows)))
    for pair in sys.argv[3].split(","):
        rtol, atol = map(float, pair.split(":"))
        x = np.frombuffer(mmap.mmap(-1, 8 * points.shape[0] * rows), dtype=float).reshape(points.shape[0], rows)
        before, start = spent(), time.perf_counter()
        children = []
        for me in range(processes):
            pid = os.fork()
            if pid == 0:
                loop(points, me, processes, times, rtol, atol, x)
                os._exit(0)
            children.append(pid)
        for pid in children:
            os.waitpid(pid, 0)
        print(f"{time.perf_counter() - start:.9f} {spent() - before:.9f}")
        if samples:
            print("\n".join(f"{v:.17g}" for v in x.ravel()))


main()
