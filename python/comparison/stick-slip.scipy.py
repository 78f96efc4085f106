# the period of stick-slip: a block of 1 kg on LuGre friction, pulled through a spring at 2 m/s
import numpy as np
from scipy.integrate import solve_ivp

mass, stiffness, speed = 1.0, 2.0, 2.0
fc, fs, vs, sigma0 = 3.0, 6.0, 0.1, 1000.0
sigma1 = 2.0 * np.sqrt(sigma0 * mass)


def rates(t, y):
    x, v, z = y
    level = fc + (fs - fc) * np.exp(-abs(v / vs))
    dz = v - sigma0 * abs(v) * z / level
    return [v, (stiffness * (speed * t - x) - sigma0 * z - sigma1 * dz) / mass, dz]


def backwards(t, y):
    return y[1]


backwards.direction = -1.0
run = solve_ivp(rates, (0.0, 60.0), [0.0, 0.0, 0.0], "LSODA", events=backwards, rtol=1e-9, atol=1e-12)
times = run.t_events[0]
slips = times[np.append(True, np.diff(times) > 1.0)]
result = slips[-1] - slips[-2]
