"""Values for tests/numerics/signal.rs from SciPy and NumPy: python3 signals.py > signals.csv (SciPy 1.17)."""
import numpy as np
from scipy import integrate, interpolate, signal

N = 240
k = np.arange(N)
# what the test computes, too: two waves, and whole numbers that look random
x = np.sin(0.07 * k) + 0.5 * np.cos(0.9 * k) + ((k * k * 7919 + 31 * k) % 1009) / 1009 - 0.5
t = 0.01 * k + 0.004 * np.sin(1.3 * k)


def out(case, values, at=None):
    values = np.atleast_1d(np.asarray(values, float))
    places = range(len(values)) if at is None else [i % len(values) for i in at]
    for i in sorted(set(places)):
        print(f"{case},{i},{float(values[i])!r}")


some = [0, 1, 2, 5, 17, 60, 119, 120, 200, 233, -3, -2, -1]
print("case,at,value")
for order in range(1, 13):
    for band in ("low", "high"):
        sos = signal.butter(order, 0.15, band, output="sos")
        out(f"butter {order} {band}", signal.sosfiltfilt(sos, x), some)
        out(f"butter {order} {band} forward", signal.sosfilt(sos, x), some)
        sos = signal.cheby1(order, 0.5, 0.3, band, output="sos")
        out(f"cheby {order} {band}", signal.sosfiltfilt(sos, x), some)
# one long polynomial is accurate at low orders: filtfilt itself, and MATLAB's padding
b, a = signal.butter(4, 0.15)
out("filtfilt", signal.filtfilt(b, a, x), some)
out("filtfilt matlab", signal.filtfilt(b, a, x, padlen=12), some)
out("decimate 5", signal.decimate(x, 5, zero_phase=True))
for window, order, derivative in [(5, 2, 0), (7, 2, 1), (11, 4, 2), (21, 5, 1), (3, 0, 0), (9, 8, 3), (31, 3, 0)]:
    y = signal.savgol_filter(x, window, order, deriv=derivative, delta=0.01, mode="interp")
    out(f"savgol {window} {order} {derivative}", y, some)
out("gradient", np.gradient(x, 0.01), some)
out("gradient at", np.gradient(x, t), some)
out("trapezoid", integrate.cumulative_trapezoid(x, t, initial=0), some)
grid = t[0] + 0.007 * np.arange(int(np.floor((t[-1] - t[0]) / 0.007)) + 1)
out("resample", interpolate.CubicHermiteSpline(t, x, np.gradient(x, t))(grid), some + [len(grid) - 1])
for length in (64, 100, 60):
    for detrend, name in ((False, "none"), ("constant", "mean"), ("linear", "line")):
        f, p = signal.welch(x, 100.0, nperseg=length, detrend=detrend)
        out(f"welch {length} {name}", p, [0, 1, 2, 5, 9, 20, -2, -1])
w = 1 + (k % 3)
for lam in (1e-8, 1e-5, 1e-3, 1.0):
    spline = interpolate.make_smoothing_spline(t, x, w, lam)
    where = np.array([0.0, 0.123, 1.0, 1.111, 2.3, t[-1]])
    for d in (0, 1, 2):
        out(f"spline {lam:g} {d}", spline(where, d))
# cross-validation with the smoothing matrix written out: how each unit vector is smoothed
small, ts = x[:40], t[:40]


def gcv(lam):
    y = interpolate.make_smoothing_spline(ts, small, None, lam)(ts)
    trace = sum(interpolate.make_smoothing_spline(ts, e, None, lam)(ts)[i] for i, e in enumerate(np.eye(40)))
    return 40 * np.sum((small - y) ** 2) / (40 - trace) ** 2, trace


for lam in (1e-7, 1e-5, 1e-3):
    out(f"gcv {lam:g}", gcv(lam))
fine = np.exp(np.linspace(np.log(1e-7), np.log(1), 200))
out("gcv best", min(gcv(lam)[0] for lam in fine))
