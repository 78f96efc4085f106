"""Values for tests/numerics/fit from statsmodels and SciPy: python3 fits.py > fits.csv (statsmodels 0.15, SciPy 1.17)."""
import numpy as np
import statsmodels.api as sm
from scipy import stats
from scipy.optimize import least_squares

N = 300
k = np.arange(N)
# what the test computes, too: whole numbers that look random, and noise that remembers
u = ((k * k * 7919 + 31 * k) % 1009) / 1009 - 0.5
e = np.zeros(N)
for i in range(N):
    e[i] = u[i] + (0.6 * e[i - 1] if i else 0)
v = np.sin(0.05 * k)
X = np.c_[np.cos(0.05 * k), v, np.sign(v), np.ones(N)]
y = X @ [2.0, 1.5, 3.0, -0.5] + e
wild = y + np.where(k % 17 == 3, 8.0, 0.0)
w = 1 + (k % 4)


def out(case, values):
    for i, x in enumerate(np.ravel(values)):
        print(f"{case},{i},{float(x)!r}")


print("case,at,value")
ols = sm.OLS(y, X).fit()
out("ols", np.r_[ols.params, ols.bse])
out("ols condition", np.linalg.cond(X))
out("ols interval", ols.conf_int(0.05))
wls = sm.WLS(y, X, w).fit()
out("wls", np.r_[wls.params, wls.bse])
for lag in (0, 1, 5, 20):
    hac = ols.get_robustcov_results("HAC", maxlags=lag, use_correction=True)
    out(f"hac {lag}", hac.bse)
for name, norm in (("huber", sm.robust.norms.HuberT()), ("tukey", sm.robust.norms.TukeyBiweight())):
    rlm = sm.RLM(wild, X, norm).fit(maxiter=500, tol=1e-13, conv="coefs")
    out(f"rlm {name}", np.r_[rlm.params, rlm.bse, rlm.scale])
out("student", [stats.t.ppf(p, f) for p in (0.6, 0.9, 0.975, 0.9999) for f in (1, 3, 7.5, 40, 1e4)])

# Stribeck's curve, F = Fc + (Fs − Fc)·exp(−(v/vs)²) + fv·v
s = 0.002 * 1.02 ** k
F = 1.0 + 0.5 * np.exp(-((s / 0.01) ** 2)) + 0.4 * s + 0.02 * u


def residual(p):
    return p[0] + (p[1] - p[0]) * np.exp(-((s / p[2]) ** 2)) + p[3] * s - F


start, scale = [0.8, 1.2, 0.02, 0.1], [1, 1, 0.01, 1]
tight = dict(xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale=scale, jac="3-point", max_nfev=10000)
plain = least_squares(residual, start, **tight)
J = plain.jac
cov = np.linalg.inv(J.T @ J) * 2 * plain.cost / (N - 4)
out("stribeck", np.r_[plain.x, np.sqrt(np.diag(cov)), plain.cost])
for loss in ("soft_l1", "huber", "cauchy"):
    fit = least_squares(residual, start, loss=loss, f_scale=0.004, **tight)
    out(f"stribeck {loss}", np.r_[fit.x, fit.cost])
# vs may be 0.008 at most, fv 0.3 at least and 0.35 at most
box = least_squares(residual, [0.8, 1.2, 0.006, 0.32], bounds=([0, 0, 1e-4, 0.3], [5, 5, 0.008, 0.35]), **tight)
out("stribeck box", np.r_[box.x, box.cost])
