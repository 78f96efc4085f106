"""Reference values for tests/published.rs and tests/published_dynamic.rs, from the equations, in 50 digits. Needs mpmath."""
from mpmath import *

mp.dps = 50


def show(name, value):
    print(f"{name:28} {nstr(value, 15)}")


# Olsson and Astrom 1993, fig. 1: steady curve of the slip-variable model, eqs (4), (5)
fs, fc, fv, ks, ds, tr, vs = map(mpf, ("1.5", "1", "0.6", "1e4", "1100", "1e-3", "0.04"))
f = lambda v: -expm1(-((v / vs) ** 2))
stick = lambda v: min(fs, ks * tr * v * (1 - f(v)) / f(v) + ds * v)
O1 = lambda v: f(v) * (fc + fv * v) + (1 - f(v)) * stick(v)
for v in ("0.001", "0.01", "0.04", "0.1", "0.5"):
    show(f"O1 F({v})", O1(mpf(v)))
vm = findroot(lambda v: diff(lambda w: f(w) * (fc + fv * w) + (1 - f(w)) * fs, v), (mpf("0.06"), mpf("0.12")), solver="anderson")
show("O1 v_min", vm)
show("O1 F_min", O1(vm))

# Astrom: Dahl loop, sigma 1e4, Fc 1, +-3e-4 m. On a branch F = 1 - (1 - F0) e^(-s); closed: F(6e-4) = -F(0)
q = exp(-mpf(6))
turn = (1 - q) / (1 + q)
show("A1 F_turn", turn)
up = quad(lambda x: 1 - (1 + turn) * exp(-mpf("1e4") * (x + mpf("3e-4"))), [mpf("-3e-4"), mpf("3e-4")])
show("A1 area", 2 * up)
for i in ("0.5", "1.5", "2.0"):  # dF/dx = (1 - F)^i by numerical quadrature of its inverse
    i = mpf(i)
    show(f"A1 virgin {nstr(i, 3)}", findroot(lambda F: quad(lambda g: (1 - g) ** (-i), [0, F]) - 1, mpf("0.6")))

# Bliman-Sorine: f1 1.8, f2 0.8, eta 0.25, eps 1e-3, moved through 0, 2, -2, 2, 1, 2 mm
x1 = x2 = mpf(0)
at = mpf(0)
for n, to in enumerate((2, -2, 2, 1, 2), 1):
    d, s = sign(to - at), abs(mpf(to) - at)
    x1 = d * mpf("1.8") + (x1 - d * mpf("1.8")) * exp(-4 * s)
    x2 = -d * mpf("0.8") + (x2 + d * mpf("0.8")) * exp(-s)
    at = mpf(to)
    show(f"A2 path_{n}", x1 + x2)

# Ruina-Rice: mu0 .6, A .01, B .015, v0 1e-6, theta0 .01, d0 1e-5; step 1e-6 -> 1e-5 m/s
mu = lambda v, th: mpf("0.6") + mpf("0.01") * log(1 + v / mpf("1e-6")) + mpf("0.015") * log(1 + th / mpf("0.01"))
for v in ("1e-8", "1e-6", "1e-4"):
    show(f"A3 mu({v})", mu(mpf(v), mpf("1e-5") / mpf(v)))
theta = odefun(lambda t, y: [1 - y[0]], 0, [mpf(10)])  # |v|/d0 = 1 per second after the step
for t in ("0.1", "1", "5"):
    show(f"A3 step_{t}", mu(mpf("1e-5"), theta(mpf(t))[0]))
show("A3 step_peak", mu(mpf("1e-5"), mpf(10)))

# Nouri: branch function with the set k0 1.3e6, k1 1e5, k2 4e4, f1 80, z2 4e-4, Fs 80
k0, k1, k2, f1, z2, Fs = map(mpf, ("1.3e6", "1e5", "4e4", "80", "4e-4", "80"))
low = lambda z: k1 * z + f1 * (1 - exp(-(k0 - k1) / f1 * z))
Fd = lambda z: low(z) if z < z2 else low(z2) + k2 * (z - z2)
inv = lambda F: findroot(lambda z: Fd(z) - F, (mpf(0), mpf("3e-3")), solver="anderson", tol=mpf(10) ** -40)
for z in ("5e-5", "1e-4", "2e-4", "1e-3"):
    show(f"N1 Fd({z})", Fd(mpf(z)))
show("N1 z_full", inv(2 * Fs))
show("N breakaway", inv(2 * Fs) / 2)
for F in (20, 40, 60, 75):  # virgin loading x = inv(2F)/2, then the branch back to zero: x - inv(F)
    load = inv(mpf(2 * F)) / 2
    show(f"N2 F{F}.loaded", load)
    show(f"N2 F{F}.residual", load - inv(mpf(F)))
zt = inv(mpf(120))
show("N2 energy", 2 * quad(lambda z: Fd(z) - 60, [0, z2, zt]))


# Nouri: a path of reversals. An independent memory: the Preisach-like rule on the whole history of turning points,
# re-evaluated from scratch at every point instead of kept on a stack.
def trace(points):
    out, history = [], [(mpf(0), mpf(0))]  # (x, F) turning points; the first is the virgin origin
    slid, x0, F0, before = False, mpf(0), mpf(0), 0
    for x in points:
        x, (xp, Fp) = mpf(x), (x0, F0)
        if x == xp:
            out.append(Fp)
            continue
        d = sign(x - xp)
        if before == -d:
            history.append((xp, Fp))
        before = d
        # the branch that governs x: walk outwards while the loop it belongs to is closed
        while True:
            virgin = len(history) == 1 and not slid
            if virgin:
                F = sign(x) * Fd(2 * abs(x)) / 2
                break
            xb, Fb = history[-1]
            if not slid and len(history) == 2 and d * x > -d * xb:  # mirror of the virgin turning point
                history = history[:1]
                continue
            if len(history) >= 3 and d * x > d * history[-2][0]:
                history = history[:-2]
                continue
            F = Fb + d * Fd(d * (x - xb))
            break
        if d * F >= Fs:  # break-away: forget all; a reversal starts at Fs, its opposite at -Fs
            F, slid = d * Fs, True
            history = [(x - d * inv(2 * Fs), -d * Fs)]
        x0, F0 = x, F
        out.append(F)
    return out


for n, F in enumerate(trace([mpf(x) / 1000 for x in ("0.5 -0.4 0.3 -0.2 0.1 -0.05 0.1 -0.2 0.3 -0.4 0.5 0.6").split()]), 1):
    show(f"N3 seq_{n}", F)
walk = trace([mpf("2e-3") * sin(mpf("0.7") * k * k + mpf("0.3") * k + mpf("0.2")) for k in range(1, 41)])
for k in (1, 10, 20, 40):
    show(f"N3 random_{k}", walk[k - 1])

show("N3 random sum", fsum(walk))
show("N3 random 5", walk[4])
show("N3 random 28", walk[27])

# Andersson fig. 3, 5: eqs (8)-(12) with Fc 1, Fs 1.5, vs .1, exponent 1, kv .4, ksat = ktanh = 1000
sat = lambda x: max(mpf(-1), min(mpf(1), x))
level = lambda v: 1 + mpf("0.5") * exp(-abs(v) / mpf("0.1"))
for v in ("-0.2", "0.0005", "0.01", "0.2"):
    w = mpf(v)
    show(f"B12 eq8({v})", sat(1000 * w))
    show(f"B12 eq9({v})", tanh(1000 * w))
    show(f"B12 eq10({v})", level(w) * sign(w) + mpf("0.4") * w)
    show(f"B12 eq11({v})", level(w) * sat(1000 * w) + mpf("0.4") * w)
    show(f"B12 eq12({v})", level(w) * tanh(1000 * w) + mpf("0.4") * w)

# LuGre of Canudas de Wit 1995 at constant speed from rest, by Taylor integration of the differential equation
g = lambda v: 1 + mpf("0.5") * exp(-((v / mpf("1e-3")) ** 2))
v = mpf("5e-4")
z = odefun(lambda t, y: [v - mpf("1e5") * v / g(v) * y[0]], 0, [mpf(0)])(mpf("0.02"))[0]
show("LuGre F(20 ms, 0.5 mm/s)", mpf("1e5") * z + sqrt(mpf("1e5")) * (v - mpf("1e5") * v / g(v) * z) + mpf("0.4") * v)


# ---- tests/published_dynamic.rs: every parameter off its neutral value, load 1.7 ------------------------------------
mp.dps = 30
LOAD = mpf("1.7")


def row(name, values):
    print(f"{name:28} " + ", ".join(nstr(v, 15) for v in values))


def legs(text):  # "v t, v t, ...": constant velocity v for the time t
    return [tuple(map(mpf, leg.split())) for leg in text.split(",")]


def flow(f, y, t):  # dy/dt = f(y) by Taylor integration
    return odefun(lambda _, y: f(y), 0, y)(t)


def travel(phi, y, rest, s, kinks=()):
    """y after the travel s of dy/ds = phi(y), attracted to rest: the travel as an integral over y, then its root.
    With y = rest - (rest - y0) e^-q the integrand stays bounded up to the rest."""
    gap = rest - y
    if abs(gap) < mpf(10) ** -25:
        return rest
    at = lambda q: rest - gap * exp(-q)
    slow = lambda q: gap * exp(-q) / phi(at(q))
    breaks = sorted(log(gap / (rest - k)) for k in kinks if 0 < (k - y) / gap < 1)
    length = lambda q: quad(slow, [mpf(0)] + [b for b in breaks if b < q] + [q])
    hi = mpf(1)
    while length(hi) < s:
        hi *= 2
    return at(findroot(lambda q: length(q) - s, (mpf(0), hi), solver="anderson", tol=mpf(10) ** -50))


SHORT = legs("1.1e-3 0.017, 5.3e-3 0.002, -2.9e-3 0.0075, 1.7e-3 0.002, -6e-4 0.013")
SPEEDS = [mpf("1.3e-3"), mpf("-4.7e-3")]
fc, fs, vs, expo, fv = map(mpf, ("0.9", "1.6", "2.3e-3", "1.4", "0.37"))
g = lambda v: fc + (fs - fc) * exp(-((abs(v) / vs) ** expo))

# static laws
row("stiction", [LOAD * fc * sign(v) + fv * v for v in SPEEDS])
row("stribeck, karnopp", [LOAD * g(v) * sign(v) + fv * v for v in SPEEDS])
row("hold, karnopp's band", [LOAD * fs])
row("viscous 0.8", [fv * abs(v) ** mpf("0.8") * sign(v) for v in SPEEDS])
row("coulomb", [LOAD * fc * sign(v) for v in SPEEDS])
near = [mpf("1.1e-4"), *SPEEDS]
row("coulomb-sat 600", [LOAD * fc * sat(600 * v) for v in near])
row("coulomb-tanh 600", [LOAD * fc * tanh(600 * v) for v in near])
row("stribeck-sat 600", [LOAD * g(v) * sat(600 * v) + fv * v for v in near])
row("stribeck-tanh 600", [LOAD * g(v) * tanh(600 * v) + fv * v for v in near])
vst, vc = sqrt(2) * vs, vs / 10
bump = lambda v: sqrt(2 * e) * (fs - fc) * exp(-((v / vst) ** 2)) * v / vst
row("simscape", [LOAD * (bump(v) + fc * tanh(v / vc)) + fv * v for v in near])
for load in ("1.7", "-0.6"):
    T = mpf(load) * mpf("1.9")
    loss = lambda d: abs(T) * mpf("0.12" if T * d > 0 else "0.045")
    level = lambda v: mpf("0.011") + mpf("0.012") * exp(-((abs(v) / mpf("0.13")) ** expo))
    row(f"gear {load}", [(level(v) + loss(v)) * sign(v) + mpf("0.017") * v for v in (mpf("0.09"), mpf("-0.31"))])
    row(f"gear {load} hold", [mpf("0.023") + loss(d) for d in (1, -1)])

# lugre: sigma0 7.1e4, sigma1 210, gamma 0.8, vd 3.1e-3
s0, s1, vd = mpf("7.1e4"), mpf(210), mpf("3.1e-3")
rub = lambda v: fv * abs(v) ** mpf("0.8") * sign(v)
row("lugre steady", [LOAD * g(v) * sign(v) + rub(v) for v in SPEEDS])
z, out = mpf(0), []
for v, t in SHORT:
    dz = lambda z: v - s0 * abs(v) / g(v) * z
    (z,) = flow(lambda y: [dz(y[0])], [z], t)
    out.append(LOAD * (s0 * z + s1 * exp(-((v / vd) ** 2)) * dz(z)) + rub(v))
row("lugre path", out)

# dahl: fc 1.3, sigma 9e4. A shape below 1 reaches Fc at a finite travel.
for shape in ("1.4", "1", "0.7"):
    F, out = mpf(0), []
    for v, t in SHORT:
        d, s = sign(v), abs(v) * t
        grow = lambda y: mpf("9e4") * (1 - y / mpf("1.3")) ** mpf(shape)  # y = F sgn v
        ends = shape == "0.7" and quad(lambda y: 1 / grow(y), [d * F, mpf("1.3")]) <= s
        F = d * (mpf("1.3") if ends else travel(grow, d * F, mpf("1.3"), s))
        out.append(LOAD * F)
    row(f"dahl {shape} path", out)
row("dahl steady", [LOAD * mpf("1.3")])

# stribeck-dankowicz (delta 1.2e-5) and dankowicz (fmax 1.3)
z, out, out0, delta = mpf(0), [], [], mpf("1.2e-5")
for v, t in SHORT:
    (z,) = flow(lambda y: [v * (1 - y[0] / delta * sign(v))], [z], t)
    out.append(LOAD * g(v) * z / delta + fv * v)
    out0.append(LOAD * mpf("1.3") * z / delta)
row("stribeck-dankowicz steady", [LOAD * g(v) * sign(v) + fv * v for v in SPEEDS])
row("stribeck-dankowicz path", out)
row("dankowicz path", out0)

# bliman-sorine: f1 2.1, f2 0.7, eta 0.3, eps 1.9e-5, as the matrix equation dx/ds = A x + B sgn v
f1, f2, eta, eps = map(mpf, ("2.1", "0.7", "0.3", "1.9e-5"))
A, B = diag([-1 / (eta * eps), -1 / eps]), matrix([f1 / (eta * eps), -f2 / eps])
x, out = matrix([0, 0]), []
for v, t in SHORT:
    s = abs(v) * t
    x = expm(A * s) * x + A**-1 * (expm(A * s) - eye(2)) * B * sign(v)
    out.append(LOAD * (x[0] + x[1]))
row("bliman-sorine steady", [LOAD * (f1 - f2)])
row("bliman-sorine path", out)

# elasto-plastic: as lugre, sigma2 0.37 v, stick 0.4
zba = mpf("0.4") * fc / s0
z, out = mpf(0), []
for v, t in SHORT:
    d, zmax = sign(v), g(v) / s0

    def alpha(z):
        if abs(z) <= zba or z * v < 0:
            return mpf(0)
        if abs(z) >= zmax:
            return mpf(1)
        return (1 + sin(pi * (abs(z) - (zmax + zba) / 2) / (zmax - zba))) / 2

    dyds = lambda y: 1 - alpha(d * y) * y / zmax  # y = z sgn v
    y, s = d * z, abs(v) * t
    free = max(mpf(0), min(zba - y, s))
    z = d * (travel(dyds, y + free, zmax, s - free) if s > free else y + free)
    out.append(LOAD * (s0 * z + s1 * v * dyds(d * z)) + fv * v)
row("elasto-plastic steady", [LOAD * g(v) * sign(v) + fv * v for v in SPEEDS])
row("elasto-plastic path", out)

# bouc-wen: alpha 9e4, beta 7e4, gamma 0.6, fv 0.37; dz/dx from the definition, kink at z = 0
for nu, delta in (("1", "-0.15"), ("1.7", "0.25")):
    nu, delta, z, out = mpf(nu), mpf(delta), mpf(0), []
    full = findroot(lambda z: mpf("9e4") - mpf("7e4") * (mpf("0.6") + delta) * z**nu, mpf(2))
    for v, t in SHORT:
        d = sign(v)
        dzdt = lambda z: mpf("9e4") * v - mpf("7e4") * (
            mpf("0.6") * abs(v) * abs(z) ** nu * sign(z) + delta * v * abs(z) ** nu
        )
        z = d * travel(lambda y: dzdt(d * y) / v, d * z, full, abs(v) * t, kinks=[mpf(0)])
        out.append(LOAD * z + fv * v)
    row(f"bouc-wen {nstr(nu, 3)} steady", [LOAD * full * sign(v) + fv * v for v in SPEEDS])
    row(f"bouc-wen {nstr(nu, 3)} path", out)

# reset-integrator: sigma0 6.1e4, sigma1 170, z0 1.4e-5, a 0.35, fv 0.37
k, c, z0, a = map(mpf, ("6.1e4", "170", "1.4e-5", "0.35"))
z, slides, out = mpf(0), 0, []
for v, t in legs("1.1e-3 0.009, 5.3e-3 0.002, -2.9e-3 0.0075, 1.7e-3 0.002, -6e-4 0.013, -2.9e-3 0.004"):
    if slides * v < 0:
        slides = 0
    if not slides:
        t_end = (z0 - sign(v) * z) / abs(v)  # when |z| = z0 ahead
        z, slides = (z + v * t, 0) if t < t_end else (z0 * sign(v), sign(v))
    out.append(LOAD * (k * z if slides else (1 + a) * k * z + c * v) + fv * v)
row("reset-integrator steady", [LOAD * k * z0 * sign(v) + fv * v for v in SPEEDS])
row("reset-integrator path", out)

# gms: C 130, sigma2 0.37, element by element with its own events
C, out = mpf(130), []
ks = list(map(mpf, ("9e4", "6e4", "2.6e4", "1.1e4")))
als = list(map(mpf, ("1.3", "0.7", "1.9", "0.4")))
elements = [[mpf(0), False, 0] for _ in ks]  # force, slipping, direction of slip
for v, t in SHORT:
    for el, k, al in zip(elements, ks, als):
        limit, left = al / fsum(als) * g(v), t
        if el[1] and el[2] != sign(v):
            el[1] = False
        if not el[1]:
            wait = (limit - el[0] * sign(v)) / (k * abs(v))  # until the limit ahead; negative: passed already
            if wait > left:
                el[0] += k * v * left
                continue
            wait = max(wait, mpf(0))
            el[0] += k * v * wait
            left -= wait
            el[1], el[2] = True, sign(v)
        (el[0],) = flow(lambda y: [C * (al / fsum(als) * sign(v) - y[0] / g(v))], [el[0]], left)
    out.append(LOAD * fsum(el[0] for el in elements) + fv * v)
row("gms steady", [LOAD * g(v) * sign(v) + fv * v for v in SPEEDS])
row("gms path", out)

# armstrong: sigma0 7.1e4, tau_lag 6e-3, tau_dwell 0.03; begins rested for ever: e = Fs - Fc
lag, rest = mpf("6e-3"), mpf("0.03")
w, F, stuck, ea, t0, ex, now, out = mpf(0), mpf(0), True, fs - fc, mpf(0), None, mpf(0), []  # F: of the stuck spring
way = 0
grown = lambda t: ea + (fs - fc - ea) * t / (t + rest)
fades = lambda ex, w: ex / (1 + (w / vs) ** 2)
for v, t in legs("1.1e-3 0.031, 5.3e-3 0.004, 0 0.02, 1.7e-3 0.009, -2.9e-3 0.019, 6e-4 0.01, -1.1e-3 0.014"):
    if not stuck and sign(v) != way:  # it sticks with the excess of the moment, the force goes on
        stuck, ea, t0 = True, fades(ex, w), now
        F = way * (fc + ea)
    if stuck:
        room = lambda dt: fc + grown(now - t0 + dt) - sign(v) * (F + s0 * v * dt)
        if v != 0 and room(t) <= 0:  # breaks away within the leg: level minus pull is concave, so it crosses once
            dt = findroot(room, (mpf(0), t), solver="anderson", tol=mpf(10) ** -50)
            stuck, ex, way = False, grown(now - t0 + dt), sign(v)
        else:
            F += s0 * v * t
    (w,) = flow(lambda y: [(abs(v) - y[0]) / lag], [w], t)
    now += t
    out.append(LOAD * F if stuck else LOAD * way * (fc + fades(ex, w)) + fv * v)
row("armstrong steady", [LOAD * (fc + (fs - fc) / (1 + (v / vs) ** 2)) * sign(v) + fv * v for v in SPEEDS])
row("armstrong path", out)

# slip-variable: ks 9e3, ds 90, tau_lag 0.013, tau_reset 4e-3, vs 0.03
ks, ds, lag, reset, vs = map(mpf, ("9e3", "90", "0.013", "4e-3", "0.03"))
f = lambda v: 1 - exp(-((v / vs) ** 2))
force = lambda s, x, v: LOAD * ((1 - s) * max(-fs, min(fs, ks * x + ds * v)) + s * fc * sign(v)) + s * fv * v
y, out = [mpf(0), mpf(0)], []
for v, t in legs("4e-3 0.011, 0.05 0.006, -0.011 0.009, 6e-3 0.012"):
    y = flow(lambda y: [(f(v) - y[0]) / lag, (1 - y[0]) * v - y[0] * y[1] / reset], y, t)
    out.append(force(y[0], y[1], v))
at = lambda v: findroot(lambda x: (1 - f(v)) * v - f(v) * x / reset, v * reset)
row("slip-variable steady", [force(f(v), at(v), v) for v in (mpf("0.023"), mpf("-0.05"))])
row("slip-variable path", out)
row("slip-variable hold", [LOAD * y[0] * fc])

# rate and state: mu0 0.55, a 0.012, b 0.017, v0 3e-6, dc 1.3e-5, b2 -0.006, dc2 4.1e-5, N 2.3; theta0 0.02
mu0, a, b, v0, dc, b2, dc2, N, th0 = map(mpf, "0.55 0.012 0.017 3e-6 1.3e-5 -0.006 4.1e-5 2.3 0.02".split())
SLOW, CREEP = legs("2e-6 3, -1.1e-5 0.8, 0 2.5, 7e-6 1.4, -2e-6 0.9"), [mpf("2e-6"), mpf("-4e-5")]
mu = lambda v, th: mu0 + a * log(1 + abs(v) / v0) + b * log(1 + th / th0)
smooth = lambda v, th, th2: LOAD * N * a * asinh(v / (2 * v0) * exp((mu0 + b * log(v0 * th / dc) + b2 * log(v0 * th2 / dc2)) / a))
row("rate-state steady", [LOAD * N * mu(v, dc / abs(v)) * sign(v) for v in CREEP])
row("dieterich, ruina steady", [smooth(v, dc / abs(v), dc2 / abs(v)) for v in CREEP])
th, age, slip = mpf(0), [dc / v0, dc2 / v0], [dc / v0, dc2 / v0]
out, out_age, out_slip = [], [], []
for v, t in SLOW:
    (th,) = flow(lambda y: [1 - y[0] * abs(v) / dc], [th], t)
    age = flow(lambda y: [1 - abs(v) * y[0] / dc, 1 - abs(v) * y[1] / dc2], age, t)
    if v:
        rate = lambda th, d: -(abs(v) * th / d) * log(abs(v) * th / d)
        slip = flow(lambda y: [rate(y[0], dc), rate(y[1], dc2)], slip, t)
    out.append(LOAD * N * mu(v, th) * sign(v))
    out_age.append(smooth(v, *age))
    out_slip.append(smooth(v, *slip))
row("rate-state path", out)
row("rate-state hold", [LOAD * N * mu(mpf(0), th)])
row("dieterich path", out_age)
row("ruina path", out_slip)
