#!/usr/bin/env python3
"""Break-away of a LuGre mass under a force that rises evenly: the slide of Astrom's stick-slip, m 1, mu 0.3, g 10,
lc 0.003, ls 2 lc, vs 0.1, exponent 1, sigma1 = 2 sqrt(m sigma0), sigma2 0. The first maximum of the friction force is where
its derivative, written out by hand, falls through zero. Needs SciPy.
"""
import numpy as np
from scipy.integrate import solve_ivp

M, LC, VS = 1.0, 0.003, 0.1
FC = 0.3 * M * 10
FS = 2 * FC
S0 = FC / LC
S1 = 2 * np.sqrt(M * S0)


def level(v):
    return FC + (FS - FC) * np.exp(-abs(v) / VS)


def bristle(v, z):
    return v - S0 * abs(v) / level(v) * z


def run(rate):
    def acceleration(t, v, z):
        return (rate * t - S0 * z - S1 * bristle(v, z)) / M

    def rhs(t, y):
        _, v, z = y
        return [v, acceleration(t, v, z), bristle(v, z)]

    def slope(t, y):
        _, v, z = y
        d, a, g = bristle(v, z), acceleration(t, v, z), level(v)
        dg = -(FS - FC) / VS * np.exp(-abs(v) / VS) * np.sign(v)
        h, dh = S0 * abs(v) / g, S0 * np.sign(v) / g - S0 * abs(v) * dg / g**2
        return S0 * d + S1 * (a - dh * a * z - h * d)

    slope.direction, slope.terminal = -1, True
    end = solve_ivp(rhs, [0, 8 / rate], [0, 0, 0], method="Radau", rtol=1e-11, atol=1e-14, events=slope)
    t, (x, v, z) = end.t_events[0][-1], end.y_events[0][-1]
    return t, S0 * z + S1 * bristle(v, z), x


print("rate, time, force, distance")
for rate in [0.1, 1, 4, 10, 50]:
    print(rate, *(f"{value:.12g}" for value in run(rate)))
