"""Independent values for the simulated figures: python figures.py [--csv FILE] [EXPERIMENT ...]

Closed forms where they exist; else scipy's DOP853 at rtol 1e-12, restarted at every kink of the law (v = 0, saturation,
branch of the hysteresis). Nothing here is taken from the library under test. Needs numpy and scipy. A minute or two.
"""

import csv
import sys
from math import asin, asinh, atanh, cos, exp, expm1, inf, log, log1p, pi, sin, sinh, sqrt, tanh

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq, minimize_scalar

RTOL, ATOL, METHOD = 1e-12, 1e-14, "DOP853"


class Trace:
    """What run() saw: smooth segments, switchings (time, guard, state), and zeros of the watched functions."""

    def __init__(self, watched):
        self.segments, self.switches, self.hits = [], [], [[] for _ in range(watched)]

    def state(self, t):
        return next(sol(t) for a, b, sol, _ in self.segments if a <= t <= b)

    def extreme(self, value, sign, start=-inf, end=inf, points=40):
        """Largest (sign 1) or smallest (sign -1) value(t, y, mode) in [start, end], one-sided limits at switchings included."""
        best = -inf
        for a, b, sol, mode in self.segments:
            knots = sol.ts[(sol.ts > max(a, start)) & (sol.ts < min(b, end))]
            a, b = max(a, start), min(b, end)
            if a >= b:
                continue
            knots = np.unique(np.concatenate(([a], knots, np.linspace(a, b, points), [b])))
            f = lambda t: sign * value(t, sol(t).tolist(), mode)
            values = [f(t) for t in knots]
            i = int(np.argmax(values))
            lo, hi = knots[max(i - 1, 0)], knots[min(i + 1, len(knots) - 1)]
            fine = minimize_scalar(lambda t: -f(t), bounds=(lo, hi), method="bounded", options={"xatol": 1e-13})
            best = max(best, values[i], -fine.fun)
        return sign * best


def run(rhs, y, end, mode=(), guards=(), watch=(), after=None):
    """Integrate rhs(t, y, mode). mode[i] is the sign of guards[i](t, y); when a guard changes sign, the sign flips and the
    integration starts anew. after(t, y, mode, i) may amend the state there; None: at rest from there on."""
    trace, t, mode, y = Trace(len(watch)), 0.0, list(mode), np.array(y, float)
    while t < end:
        events = []
        for i, guard in enumerate(guards):
            event = lambda t, y, guard=guard: guard(t, y)
            event.terminal, event.direction = True, -mode[i]
            events.append(event)
        for function in watch:
            event = lambda t, y, function=function, m=tuple(mode): function(t, y, m)
            event.terminal, event.direction = False, getattr(function, "direction", 0)
            events.append(event)
        m = tuple(mode)
        sol = solve_ivp(lambda t, y: rhs(t, y.tolist(), m), (t, end), y, METHOD, rtol=RTOL, atol=ATOL,
                        events=events or None, dense_output=True)
        assert sol.success, sol.message
        trace.segments.append((t, sol.t[-1], sol.sol, m))
        for j in range(len(watch)):
            k = len(guards) + j
            trace.hits[j] += list(zip(sol.t_events[k], sol.y_events[k]))
        t, y = sol.t[-1], sol.y[:, -1].copy()
        if sol.status == 1:
            i = next(i for i in range(len(guards)) if len(sol.t_events[i]))
            mode[i] = -mode[i]
            new = after(t, y, tuple(mode), i) if after else y
            trace.switches.append((t, i, y.copy()))
            if new is None:
                break
            y = new
    trace.end = y
    return trace


def towards(function, direction):
    function.direction = direction
    return function


FIGURES = {}


def figure(function):
    FIGURES[function.__name__] = function
    return function


# --- Olsson and Astrom: slip variable ---------------------------------------------------------------------------------

FS0, FC0, FV0, KS, DS, TDEL, TR, VS = 1.5, 1.0, 0.6, 1e4, 1100.0, 0.01, 0.001, 0.04


def slip_guards(velocity, bristle):
    w = lambda t, y: KS * bristle(y) + DS * velocity(t, y)
    return [velocity, lambda t, y: w(t, y) - FS0, lambda t, y: w(t, y) + FS0]


def slip_force(v, x, s, mode):
    """mode: sign of v, of w - Fs0, of w + Fs0, where w = ks x + ds v."""
    sticking = FS0 if mode[1] > 0 else -FS0 if mode[2] < 0 else KS * x + DS * v
    return (1 - s) * sticking + s * FC0 * mode[0] + s * FV0 * v


def slip_rates(v, x, s):
    return (1 - s) * v - s * x / TR, (-s - expm1(-((v / VS) ** 2))) / TDEL


@figure
def O1():
    """Above a millimetre a second the spring of stiction is saturated (ds v > 1 N and more from ks x)."""
    f = lambda v: -expm1(-((v / VS) ** 2))
    sat = lambda v: min(FS0, KS * TR * v * (1 - f(v)) / f(v) + DS * v)
    force = lambda v: f(v) * (FC0 + FV0 * v) + (1 - f(v)) * sat(v)
    for v in 0.001, 0.01, 0.04, 0.1, 0.5:
        yield f"F({v})", force(v)
    slope = lambda v: 2 * v / VS**2 * (1 - f(v)) * (FC0 + FV0 * v - FS0) + f(v) * FV0
    v = brentq(slope, VS, 0.5, xtol=1e-16)
    yield "v_min", v
    yield "F_min", force(v)


@figure
def O2():
    """v > 0.02: the stiction spring is saturated all the time (ds v > 22 N), so only s moves: a linear filter of f(v)."""
    for w in 4, 20:
        n = 512
        t = np.arange(n) * 2 * pi / w / n
        v, vdot = 0.06 + 0.04 * np.sin(w * t), 0.04 * w * np.cos(w * t)
        k = np.fft.fftfreq(n, 1 / n)
        modes = np.fft.fft(-np.expm1(-((v / VS) ** 2))) / (1 + 1j * w * k * TDEL)
        s = np.fft.ifft(modes).real
        force = (1 - s) * FS0 + s * FC0 + s * FV0 * v

        def at(t):
            s = (modes * np.exp(1j * k * w * t)).sum().real / n
            return (1 - s) * FS0 + s * (FC0 + FV0 * (0.06 + 0.04 * sin(w * t)))

        def extreme(sign):
            i, h = int(np.argmax(sign * force)), t[1]
            return sign * -minimize_scalar(lambda t: -sign * at(t), bounds=(t[i] - h, t[i] + h), method="bounded",
                                           options={"xatol": 1e-14}).fun

        yield f"w{w}.area", (force * vdot).sum() * t[1]
        yield f"w{w}.F_max", extreme(1)
        yield f"w{w}.F_min", extreme(-1)
        yield f"w{w}.width", at(0) - at(pi / w)


@figure
def O3():
    velocity = lambda t: 0.1 * sin(25 * t)

    def rhs(t, y, mode):
        x, s, _ = y
        v = velocity(t)
        return [*slip_rates(v, x, s), slip_force(v, x, s, mode) * v]

    period, n = 2 * pi / 25, 4
    guards = slip_guards(lambda t, y: velocity(t), lambda y: y[0])
    trace = run(rhs, [0, 0, 0], n * period + 0.6 * period, (1, -1, 1), guards)
    at = lambda t: trace.state(t)[2]
    yield "energy", at(n * period) - at((n - 1) * period)
    t = (n + 0.5) * period
    (_, b, sol, before), (_, _, _, after) = next(
        pair for pair in zip(trace.segments, trace.segments[1:]) if abs(pair[0][1] - t) < 1e-9)
    x, s, _ = sol(b)
    assert before[0] == 1 and after[0] == -1
    yield "F_before_reversal", slip_force(0, x, s, before)
    yield "F_after_reversal", slip_force(0, x, s, after)
    yield "s_at_reversal", s


def slip_mass(applied, end):
    """Unit mass, y = (position, v, bristle, s)."""

    def rhs(t, y, mode):
        p, v, x, s = y
        return [v, applied(t, p) - slip_force(v, x, s, mode), *slip_rates(v, x, s)]

    def after(t, y, mode, i):
        if i == 0:
            y[1] = 0.0
            assert rhs(t, y.tolist(), mode)[1] * mode[0] > 0, "sliding mode along v = 0"
        return y

    guards = slip_guards(lambda t, y: y[1], lambda y: y[2])
    return run(rhs, [0, 0, 0, 0], end, (1, -1, 1), guards, after=after)


@figure
def O4():
    trace = slip_mass(lambda t, p: 1.4 * sin(8 * t), 1.0)
    (t1, _, y1), (_, _, y2) = [switch for switch in trace.switches if switch[1] == 0][:2]
    yield "x_first_turn", y1[0]
    yield "t_first_turn", t1
    yield "x_second_turn", y2[0]


@figure
def O5():
    trace = slip_mass(lambda t, p: 2 * (0.1 * t - p), 25.0)
    sat = [(t, y) for t, i, y in trace.switches if i == 1]
    breaks, sticks = sat[0::2], sat[1::2]
    for n in 1, 2, 3:
        yield f"t_break_{n}", breaks[n - 1][0]
    for n in 1, 2:
        yield f"t_stick_{n}", sticks[n - 1][0]
    force = lambda t, y, mode: slip_force(y[1], y[2], y[3], mode)
    stick = sticks[1][0]
    yield "v_max", trace.extreme(lambda t, y, m: y[1], 1)
    yield "F_restick", trace.extreme(force, 1, stick - 0.2, stick + 0.2)
    yield "F_undershoot", trace.extreme(force, -1, stick, stick + 0.5)
    yield "slip_distance", sticks[1][1][0] - breaks[1][1][0]
    yield "x(25)", trace.end[0]


# --- Dahl, rate and state: closed forms -------------------------------------------------------------------------------


def dahl_walk(u, distance, exponent):
    """Reduced force u = F/Fc after sliding forward by distance (in Fc/sigma), and the integral of u over it."""
    w = 1 - u
    if exponent == 1:
        return 1 - w * exp(-distance), distance + w * expm1(-distance)
    q = 1 - exponent  # w^q falls by q per unit of distance
    end = max(w**q - q * distance, 0.0)
    w_end = end ** (1 / q) if end > 0 else 0.0
    # integral of w ds = integral of w^(1-i) dw
    area = log(w / w_end) if exponent == 2 else (w ** (2 - exponent) - w_end ** (2 - exponent)) / (2 - exponent)
    return 1 - w_end, distance - area


def dahl_loop(amplitude, exponent):
    """Stationary loop between +-amplitude (in Fc/sigma): force at the turn, and area, both reduced."""
    turn = lambda u: dahl_walk(-u, 2 * amplitude, exponent)[0] - u
    u = 1.0 if turn(1.0) >= 0 else brentq(turn, 0, 1, xtol=1e-16, rtol=1e-15)
    return u, 2 * dahl_walk(-u, 2 * amplitude, exponent)[1]


@figure
def A1():
    fc, sigma = 1.0, 1e4
    turn, area = dahl_loop(3e-4 * sigma / fc, 1)
    yield "F_turn", fc * turn
    yield "area", fc * fc / sigma * area
    yield "F_turn_fast", fc * turn
    for i in 0.5, 1.5, 2.0:
        yield f"virgin_{i}", fc * dahl_walk(0, 1e-4 * sigma / fc, i)[0]


@figure
def A2():
    f1, f2, eta, eps = 1.8, 0.8, 0.25, 1e-3
    s = eta * eps / (1 - eta) * log(f1 / (eta * f2))
    yield "s_peak", s
    yield "F_peak", -f1 * expm1(-s / (eta * eps)) + f2 * expm1(-s / eps)
    a = b = x = 0.0
    for n, target in enumerate([2e-3, -2e-3, 2e-3, 1e-3, 2e-3], 1):
        sign, s = (1 if target > x else -1), abs(target - x)
        a = sign * f1 + (a - sign * f1) * exp(-s / (eta * eps))
        b = -sign * f2 + (b + sign * f2) * exp(-s / eps)
        x = target
        yield f"path_{n}", a + b


@figure
def A3():
    mu = lambda v, theta: 0.6 + 0.01 * log1p(v / 1e-6) + 0.015 * log1p(theta / 0.01)
    v, d0 = 1e-5, 1e-5
    theta = lambda t: d0 / v + (d0 / 1e-6 - d0 / v) * exp(-v * t / d0)
    for t in 0.1, 1.0, 5.0:
        yield f"step_{t}", mu(v, theta(t))
    yield "step_peak", mu(v, theta(0))
    for v in 1e-8, 1e-6, 1e-4:
        yield f"mu({v})", mu(v, d0 / v)


# --- LuGre ------------------------------------------------------------------------------------------------------------


class LuGre:
    def __init__(self, fc, fs, vs, sigma0, sigma1, sigma2, exponent):
        self.fc, self.fs, self.vs, self.sigma = fc, fs, vs, (sigma0, sigma1, sigma2)
        self.exponent = exponent

    @classmethod
    def slides(cls, sigma2=0.0, gravity=10.0):
        fc = 0.3 * gravity
        sigma0 = fc / 0.003
        return cls(fc, 2 * fc, 0.1, sigma0, 2 * sqrt(sigma0), sigma2, 1)

    def g(self, v, sign):
        r = sign * v / self.vs
        return self.fc + (self.fs - self.fc) * exp(-(r if self.exponent == 1 else r * r))

    def rate(self, v, z, sign):
        return v * (1 - sign * self.sigma[0] * z / self.g(v, sign))

    def force(self, v, z, sign):
        s0, s1, s2 = self.sigma
        return s0 * z + s1 * self.rate(v, z, sign) + s2 * v

    def force_rate(self, v, z, sign, a):
        """dF/dt for dv/dt = a."""
        s0, s1, s2 = self.sigma
        r, g, dz = sign * v / self.vs, self.g(v, sign), self.rate(v, z, sign)
        dg = -(self.fs - self.fc) * exp(-(r**self.exponent)) * self.exponent * r ** (self.exponent - 1) * sign / self.vs * a
        ddz = a * (1 - sign * s0 * z / g) - sign * v * s0 * (dz / g - z * dg / g**2)
        return s0 * dz + s1 * ddz + s2 * a


def stop_dead(index):
    def after(t, y, mode, i):
        if i == 0:
            y[index] = 0.0
        return y

    return after


@figure
def A5():
    law = LuGre.slides()
    velocity = lambda t: 0.5 * sin(3 * t) + 0.2 * sin(7.3 * t + 1)

    def rhs(t, y, mode):
        v, z = velocity(t), y[0]
        return [law.rate(v, z, mode[0]), z * v, mode[0] * v * z * z * law.sigma[0] / law.g(v, mode[0])]

    z, zv, dissipated = run(rhs, [0.0054, 0, 0], 20.0, (1,), [lambda t, y: velocity(t)]).end
    assert abs(zv - dissipated - (z * z - 0.0054**2) / 2) < 1e-11
    yield "z_end", z
    yield "int_zv", zv
    yield "dissipated", dissipated


def lugre_mass(law, applied, end, watch=()):
    """Unit mass from rest, y = (x, v, z)."""

    def rhs(t, y, mode):
        x, v, z = y
        return [v, applied(t, x) - law.force(v, z, mode[0]), law.rate(v, z, mode[0])]

    def after(t, y, mode, i):
        y[1] = 0.0
        return None if abs(rhs(t, y.tolist(), mode)[1]) < 1e-8 else y  # the ringing has died

    return run(rhs, [0, 0, 0], end, (1,), [lambda t, y: y[1]], watch, after=after)


@figure
def A6():
    law = LuGre.slides()
    for f in 2.0, 4.0, 5.0, 7.0:
        yield f"x_{f}", lugre_mass(law, lambda t, x: f, 1.0).end[0]
    for slope, end in (0.1, 65.0), (1.0, 7.0), (10.0, 1.2), (50.0, 0.4):
        top = lambda t, y, m: law.force_rate(y[1], y[2], m[0], slope * t - law.force(y[1], y[2], m[0])) if t else 1.0
        trace = lugre_mass(law, lambda t, x: slope * t, end, [towards(top, -1)])
        t, (x, v, z) = trace.hits[0][0]
        yield f"breakaway_{slope}", law.force(v, z, 1)
    yield "F_critical", edge(lambda f: lugre_mass(law, lambda t, x: f, 10.0).end[1] > 1, 4.0, 5.0)


def edge(yes, lo, hi):
    """Where yes(x) turns true between lo, where it is not, and hi, where it is."""
    while hi - lo > 1e-10:
        middle = (lo + hi) / 2
        lo, hi = (lo, middle) if yes(middle) else (middle, hi)
    return (lo + hi) / 2


def stick_slip(k=2.0, pull=2.0, sigma2=0.0, gravity=10.0, end=40.0):
    """The limit cycle of the slides, y = (l, v, z); a cycle starts where v rises through the pulling velocity."""
    law = LuGre.slides(sigma2, gravity)

    def rhs(t, y, mode):
        l, v, z = y
        return [pull - v, k * l - law.force(v, z, mode[0]), law.rate(v, z, mode[0])]

    force = lambda t, y, mode: law.force(y[1], y[2], mode[0])
    top = lambda t, y, m: law.force_rate(y[1], y[2], m[0], k * y[0] - law.force(y[1], y[2], m[0])) if t else 1.0
    trace = run(rhs, [0, 0, 0], end, (1,), [lambda t, y: y[1]],
                [towards(lambda t, y, m: y[1] - pull, 1), towards(top, -1)], after=stop_dead(1))
    starts = [t for t, _ in trace.hits[0]]
    assert len(starts) >= 4, starts
    a, b = starts[-2], starts[-1]
    assert abs((b - a) - (a - starts[-3])) < 1e-8, np.diff(starts)
    return dict(
        period=b - a,
        v_max=trace.extreme(lambda t, y, m: y[1], 1, a, b),
        v_min=trace.extreme(lambda t, y, m: y[1], -1, a, b),
        l_max=trace.extreme(lambda t, y, m: y[0], 1, a, b),
        l_min=trace.extreme(lambda t, y, m: y[0], -1, a, b),
        F_break=trace.extreme(force, 1, a, b),
        t_break_1=trace.hits[1][0][0],
    )


def lowest(sigma2, k=2.0, pull=2.0):
    """The smallest velocity after the first slip from rest. The law of v > 0 is continued a little below zero, so that
    this is a smooth function near its zero, where the block just fails to come to rest. That happens at the end of the
    second slip: near there the first ends at a crawl."""
    law = LuGre.slides(sigma2)

    def rhs(t, y):
        l, v, z = y
        return [pull - v, k * l - law.force(v, z, 1), law.rate(v, z, 1)]

    turns, below = lambda t, y: rhs(t, y)[1], lambda t, y: y[1] + 1e-3
    turns.direction, below.terminal = 1, True
    sol = solve_ivp(rhs, (0, 20), np.zeros(3), METHOD, rtol=RTOL, atol=ATOL, events=[turns, below])
    return min([y[1] for t, y in zip(sol.t_events[0], sol.y_events[0]) if t > 3] + [sol.y[1, -1]])


@figure
def A7():
    yield from stick_slip().items()
    yield "g9.81.period", stick_slip(gravity=9.81)["period"]


@figure
def A8():
    for k, end in (0.5, 120.0), (5, 20.0), (8, 20.0):
        cycle = stick_slip(k=k, end=end)
        yield f"k{k}.period", cycle["period"]
        yield f"k{k}.v_max", cycle["v_max"]


@figure
def A9():
    for sigma2 in 0.05, 0.1, 0.15:
        yield f"s{sigma2}.period", stick_slip(sigma2=sigma2)["period"]
    yield "sigma2_critical", brentq(lowest, 0.1898, 0.191, xtol=1e-14)


@figure
def A10():
    for pull, end in (0.5, 80.0), (1, 50.0), (5, 40.0):
        yield f"v{pull}.period", stick_slip(pull=pull, end=end)["period"]
    yield "pull_critical", brentq(lambda pull: lowest(0.2, pull=pull), 1.93, 1.95, xtol=1e-14)
    yield "k_critical", brentq(lambda k: lowest(0.2, k=k), 1.505, 1.52, xtol=1e-14)


@figure
def A11():
    """The slide's matrix, with g in metres: f = v/g, z = g, 1 - z f' = v g'/g."""
    m, k, lc, ls, vs, s2 = 1.0, 1.0, 0.001, 0.002, 0.1, 0.2
    s0 = 0.3 * m * 10 / lc
    s1 = 2 * sqrt(m * s0)
    g = lambda v: lc + (ls - lc) * exp(-v / vs)
    give = lambda v: -v * (ls - lc) / vs * exp(-v / vs) / g(v)
    yield "v_slope_zero", vs * log(s0 * (ls - lc) / (vs * s2))

    def routh(v):
        f, w = v / g(v), give(v)
        return ((s1 * w + s2) / m + f) * (s0 * w + s2 * f + k) / m - k * f / m

    yield "v_routh_zero", brentq(routh, 0.4, 0.6, xtol=1e-16)
    for v in 0.1, 0.5, 1.0:
        f, w = v / g(v), give(v)
        a = np.array([[0, -1, 0], [k / m, -(s1 * w + s2) / m, -(s0 - s1 * f) / m], [0, w, -f]])
        yield f"v{v}.max_real", np.linalg.eigvals(a).real.max()


SERVO = LuGre(1.0, 1.5, 1e-3, 1e5, sqrt(1e5), 0.4, 2)


@figure
def A12():
    """y = (x, v, z, integral of the error)."""

    def rhs(t, y, mode):
        x, v, z, e = y
        return [v, 3 * (1 - x) - 6 * v + 4 * e - SERVO.force(v, z, mode[0]), SERVO.rate(v, z, mode[0]), 1 - x]

    trace = run(rhs, [0, 0, 0, 0], 400.0, (1,), [lambda t, y: y[1]], [towards(lambda t, y, m: y[0] - 1, 1)],
                after=stop_dead(1))
    yield "overshoot", trace.switches[0][2][0]
    starts = [t for t, _ in trace.hits[0]]
    a, b = starts[-2:]
    assert abs((b - a) - (a - starts[-3])) < 1e-6, np.diff(starts)[-4:]
    yield "period", b - a
    turns = [y[0] for t, i, y in trace.switches if a <= t <= b]
    yield "amplitude", (max(turns) - min(turns)) / 2


@figure
def A13():
    """The compensation cancels the friction: a linear system, x, v, integral of the error, 1."""
    m = np.array([[0, 1, 0, 0], [-3, -6, 4, 3], [-1, 0, 0, 1], [0, 0, 0, 0]], float)
    for t in 1, 5, 10, 20:
        yield f"x({t})", (expm(m * t) @ [0, 0, 0, 1])[0]


# --- Gros -------------------------------------------------------------------------------------------------------------


@figure
def G1():
    yield "t_stop", 0.05
    yield "x_stop", 0.05**2 / 2


@figure
def G2():
    """Explicit Euler in whole thousandths, so that it is exact: v falls by h until it is below zero, then alternates."""
    for h in 30, 7:
        v = 50
        for _ in range(1000):
            v -= h * (v > 0) - h * (v < 0)
        after = v - h * (v > 0) + h * (v < 0)
        yield f"h{h / 1000}.drift", (v + after) / 2000
        yield f"h{h / 1000}.band", abs(v - after) / 1000


@figure
def G4():
    """v' = -tanh(gamma v): sinh(gamma v) falls as exp(-gamma t)."""
    for gamma in 100, 1000:
        late = lambda v: 2 * v / expm1(2 * gamma * v) if v else 1 / gamma  # v (coth(gamma v) - 1)
        yield f"gamma{gamma}.x_error", sum(quad(late, n / gamma, (n + 1) / gamma, epsabs=0, epsrel=1e-13)[0]
                                            for n in range(int(0.05 * gamma)))
        yield f"gamma{gamma}.v_stop", asinh(sinh(gamma * 0.05) * exp(-gamma * 0.05)) / gamma
        yield f"gamma{gamma}.creep", atanh(0.5) / gamma


@figure
def G5():
    slip = asin(1 / 1.5)
    stick = brentq(lambda t: 1.5 * (cos(slip) - cos(t)) - (t - slip), pi / 2, 2 * pi, xtol=1e-15)
    # where it stops, the force may already be large enough to pull it back
    again = stick if -1.5 * sin(stick) > 1 else pi + slip
    assert 1.5 * sin(stick) < 1
    back = brentq(lambda t: 1.5 * (cos(again) - cos(t)) + (t - again), again + 1, again + 5, xtol=1e-15)
    yield "slip_1", slip
    yield "stick_1", stick
    yield "slip_2", again
    yield "stick_2", back


@figure
def G6():
    yield "sqrt.t_stop", 2 * sqrt(0.05)
    yield "sqrt.x_stop", 2 / 3 * 0.05**1.5
    yield "linear.x(1)", -0.05 * expm1(-1)


# --- Nouri: hysteresis ------------------------------------------------------------------------------------------------

NFS, K0, K1, K2, NF1, Z2 = 80.0, 1.3e6, 1e5, 4e4, 80.0, 4e-4
BETA = (K0 - K1) / NF1


def branch(z):
    near = lambda z: K1 * z - NF1 * expm1(-BETA * z)
    return near(z) if z < Z2 else near(Z2) + K2 * (z - Z2)


def travel(force):
    """The inverse of branch."""
    return brentq(lambda z: branch(z) - force, 0, 1e-2, xtol=1e-18, rtol=1e-15)


@figure
def N1():
    for z in 5e-05, 0.0002, 0.001:
        yield f"Fd({z:g})", branch(z)
    yield "z_full", travel(2 * NFS)


@figure
def N2():
    for f in 20, 40, 75:
        loaded = travel(2 * f) / 2
        yield f"F{f}.loaded", loaded
        yield f"F{f}.residual", loaded - travel(f)
    span = travel(120)
    inside = quad(branch, 0, min(span, Z2), epsrel=1e-13)[0] + (quad(branch, Z2, span, epsrel=1e-13)[0] if span > Z2 else 0)
    yield "energy", 2 * inside - 120 * span


class Sliders:
    """The same hysteresis without a memory of reversals: springs in parallel, each behind a slider that yields at a stretch
    r of its own (Iwan). Their stiffness per dr is minus the second derivative of the virgin curve branch(2 x)/2; where that
    has a kink, and at break-away, stand whole springs. Springs at the ends of straight pieces of stretch over r, so that
    Gauss' rule between them is exact to rounding."""

    def __init__(self, path):
        places = [0.0, *path]
        top = travel(2 * NFS) / 2
        ends = {0.0, Z2 / 2, *(abs(a - b) / 2 for a in places for b in places), *(abs(a) for a in places)}
        ends = sorted({r for r in ends if r <= Z2 / 2})
        # the density falls by e over 1/(2 beta): pieces no longer than that
        cuts = [a + (b - a) * k / n for a, b in zip(ends, ends[1:]) for n in [max(1, int((b - a) * 4 * BETA))]
                for k in range(n)] + [Z2 / 2]
        nodes, weights = np.polynomial.legendre.leggauss(12)
        a, b = np.array(cuts[:-1])[:, None], np.array(cuts[1:])[:, None]
        r = ((a + b) / 2 + (b - a) / 2 * nodes).ravel()
        stiff = ((b - a) / 2 * weights).ravel() * 2 * NF1 * BETA**2 * np.exp(-2 * BETA * r)
        self.r = np.concatenate((r, [Z2 / 2, top]))
        self.stiff = np.concatenate((stiff, [K1 + NF1 * BETA * exp(-BETA * Z2) - K2, K2]))
        self.stretch, self.x = np.zeros_like(self.r), 0.0

    def move(self, x):
        self.stretch = np.clip(self.stretch + (x - self.x), -self.r, self.r)
        self.x = x
        return float(self.stiff @ self.stretch)


@figure
def N3():
    """Displacements only; the sliders that all yield carry Fs."""
    path = [x * 1e-3 for x in (0.5, -0.4, 0.3, -0.2, 0.1, -0.05, 0.1, -0.2, 0.3, -0.4, 0.5, 0.6)]
    sliders = Sliders(path)
    for n, x in enumerate(path, 1):
        yield f"seq_{n}", sliders.move(x)
    path = [2e-3 * sin(0.7 * k * k + 0.3 * k + 0.2) for k in range(1, 41)]
    sliders = Sliders(path)
    for k, x in enumerate(path, 1):
        force = sliders.move(x)
        # the first four slide, the others are inside a loop
        if k in (1, 10, 20, 40, 5, 14, 26, 27, 32, 36):
            yield f"random_{k}", force


@figure
def N4():
    """Sliding, eq. (3), at nominal load; and the break-away of 80 N at 7 bar that changes by 3 % a bar."""
    fc1, fc2, vs, delta, sigma = 50.0, 45.0, 0.2, 2.5, 20.0
    rising = lambda v: fc1 + (NFS - fc1) * exp(-((v / vs) ** delta)) + sigma * v
    yield "rising(0.5)", rising(0.5)
    yield "falling(0.5)", fc2 + sigma * 0.5
    low = minimize_scalar(rising, bounds=(0.1, 1), method="bounded", options={"xatol": 1e-12})
    yield "F_min", low.fun
    for bar in range(2, 8):
        yield f"breakaway({bar})", NFS * (1 + 0.03 * (bar - 7))
    yield "breakaway_per_bar", NFS * 0.03


@figure
def N5():
    """Virgin branch, as long as the slide does not turn back (checked). y = (x, v)."""
    kink = branch(Z2)

    def rhs(t, y, mode):
        z = 2 * y[0]
        force = (kink + K2 * (z - Z2) if mode[0] > 0 else K1 * z - NF1 * expm1(-BETA * z)) / 2
        return [y[1], (20 * t - force) / 5]

    x_break = travel(2 * NFS) / 2
    trace = run(rhs, [0, 0], 4.2, (-1,), [lambda t, y: 2 * y[0] - Z2], [lambda t, y, m: y[0] - x_break])
    t = trace.hits[0][0][0]
    assert trace.extreme(lambda t, y, m: y[1], -1, 1e-3, t) > 0, "turned back"
    yield "t_break", t
    yield "x_break", x_break


# --- Andersson: wall step ---------------------------------------------------------------------------------------------

FC, K = 0.981, 100.0


@figure
def B1():
    x, side, turn, step = 0.0, 1, 0, 0.1
    while K * abs(step - x) > FC:
        side = 1 if step > x else -1
        x = 2 * (step - side * FC / K) - x
        turn += 1
        yield f"turn_{turn}", x
    yield "t_stop", turn * pi / sqrt(K)


@figure
def B2():
    for kv in 1, 5, 20:
        m = np.array([[0, 1, 0], [-K, -kv, K], [0, 0, 0]])
        yield f"kv{kv}.x(1)", (expm(m) @ [0, 0, 0.1])[0]


def wall(friction, step, end, guards=(), mode=()):
    rhs = lambda t, y, m: [y[1], K * (step - y[0]) - friction(y[1], m)]
    return run(rhs, [0, 0], end, mode, guards)


@figure
def B3():
    friction = lambda v, m: FC if m[0] > 0 else -FC if m[1] < 0 else FC * 1000 * v
    guards = [lambda t, y: 1000 * y[1] - 1, lambda t, y: 1000 * y[1] + 1]
    trace = wall(friction, 0.1, 50.0, guards, (-1, 1))
    for t in 1, 10, 50:
        yield f"x({t})", trace.state(t)[0]
    small = wall(friction, 0.005, 10.0, guards, (-1, 1))
    yield "small.x(5)", small.state(5)[0]
    yield "small.x(10)", small.end[0]
    # m s^2 + Fc ksat s + k = 0: the slow root, without cancellation
    c = FC * 1000
    yield "small.time_constant", (c + sqrt(c * c - 4 * K)) / (2 * K)


@figure
def B4():
    friction = lambda v, m: FC * tanh(1000 * v)
    yield "x(10)", wall(friction, 0.1, 10.0).end[0]
    yield "small.x(20)", wall(friction, 0.005, 20.0).end[0]


def dankowicz_turns(fmax, delta, k, step, count):
    """Between turns z/delta = s (1 - w exp(-r/delta)), r the travel: the energy gives the next turn without an ODE."""
    x, z, turns = 0.0, 0.0, []
    for _ in range(count):
        s = 1 if k * (step - x) - fmax * z > 0 else -1
        w, pull = 1 - s * z, s * k * (step - x)
        # work of spring and friction over the travel r, divided by r so that the root r = 0 is gone
        gain = lambda r: pull - k * r / 2 - fmax * (1 + w * expm1(-r / delta) * delta / r)
        top = 2 * pull / k + 4 * w * delta + abs(2 * fmax / k) + delta
        r = brentq(gain, 1e-12 * delta, top, xtol=1e-18 * top, rtol=1e-15)
        x, z = x + s * r, s * (1 - w * exp(-r / delta))
        turns.append(x)
    return turns


@figure
def B5():
    for n, x in enumerate(dankowicz_turns(FC, 1e-5, K, 0.1, 6), 1):
        yield f"turn_{n}", x
    small = dankowicz_turns(FC, 1e-5, K, 0.005, 100)
    for n in 1, 2, 3, 6, 100:
        yield f"small.turn_{n}", small[n - 1]


@figure
def B6():
    """y = (x, v, z/delta)."""
    for i in 1, 2:

        def rhs(t, y, mode):
            x, v, z = y
            s = mode[0]
            level = 1 + 0.5 * exp(-((s * v / 0.01) ** i))
            return [v, K * (0.1 - x) - FC * level * z, v * (1 - s * z) / 1e-5]

        trace = run(rhs, [0, 0, 0], 1.0, (1,), [lambda t, y: y[1]], after=stop_dead(1))
        for n in 1, 2, 3:
            yield f"i{i}.turn_{n}", trace.switches[n - 1][2][0]


@figure
def B7():
    for c in 1, 10, 100, 1000:
        for ratio in 0.1, 0.5, 5:
            yield f"C{c}.{ratio}.turn_3", dankowicz_turns(c, 1.0, 1.0, ratio * c, 3)[2]


@figure
def B8():
    for c in 1, 10:
        for name, angle, end in ("const", lambda t: 0.5 * t, 60), ("chirp", lambda t: 0.05 * t + 0.01 * t * t, 100):

            def rhs(t, y, mode):
                x, v, z = y
                return [v, 5 * c * sin(angle(t)) - x - c * z, v * (1 - mode[0] * z)]

            yield f"C{c}.{name}.X({end})", run(rhs, [0, 0, 0], float(end), (1,), [lambda t, y: y[1]],
                                               after=stop_dead(1)).end[0]


@figure
def B9():
    for i in 0.5, 1, 2, 3:
        yield f"i{i}.area", FC * FC / 0.981e5 * dahl_loop(3e-5 * 0.981e5 / FC, i)[1]


@figure
def B11():
    law = LuGre(FC, 1.4715, 0.01, 0.981e5, sqrt(0.981e5), 0.0, 2)
    yield "x(3)", lugre_mass(law, lambda t, x: K * (0.1 - x), 3.0).end[0]


@figure
def B12():
    """The static curves, as printed but for the bracket that (11) lacks."""
    fc, fs, vs, kv, ksat = 1.0, 1.5, 0.1, 0.4, 1000.0
    sgn = lambda v: (v > 0) - (v < 0)
    sat = lambda x: max(-1.0, min(1.0, x))
    level = lambda v: fc + (fs - fc) * exp(-abs(v) / vs)
    laws = {
        8: lambda v: fc * sat(ksat * v),
        9: lambda v: fc * tanh(ksat * v),
        10: lambda v: level(v) * sgn(v) + kv * v,
        11: lambda v: level(v) * sat(ksat * v) + kv * v,
        12: lambda v: level(v) * tanh(ksat * v) + kv * v,
    }
    for number, force in laws.items():
        for v in -0.2, 0.0005, 0.01:
            yield f"eq{number}({v})", force(v)


def main():
    arguments, rows = sys.argv[1:], []
    path = arguments.pop(arguments.index("--csv") + 1) if "--csv" in arguments else None
    wanted = [a for a in arguments if a != "--csv"] or FIGURES
    for experiment in wanted:
        for key, value in FIGURES[experiment]():
            rows.append((experiment, key, f"{value:.12g}"))
            print(*rows[-1], sep=",", flush=True)
    if path:
        with open(path, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("experiment", "key", "value"), *rows])


if __name__ == "__main__":
    main()
