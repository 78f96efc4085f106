"""Reference values for tests/published.rs, from the equations in the papers, in 50 digits. Needs mpmath."""
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
