# mass, Coulomb level and viscous friction with their intervals of 95 %, from columns t, x and force of a log
import numpy as np
from scipy.signal import savgol_filter
from scipy.stats import t as student

log = np.genfromtxt("log.csv", delimiter=",", names=True)
dt = np.mean(np.diff(log["t"]))
v = savgol_filter(log["x"], 31, 3, deriv=1, delta=dt)
a = savgol_filter(log["x"], 31, 3, deriv=2, delta=dt)
moves = np.abs(v) > 0.02 * np.abs(v).max()
matrix = np.column_stack([a, np.sign(v), v, np.ones_like(v)])[moves]
values, *_ = np.linalg.lstsq(matrix, log["force"][moves], rcond=None)
residual = log["force"][moves] - matrix @ values
freedom = residual.size - values.size
covariance = residual @ residual / freedom * np.linalg.inv(matrix.T @ matrix)
half = student.ppf(0.975, freedom) * np.sqrt(np.diag(covariance))
result = {name: (values[k] - half[k], values[k] + half[k]) for k, name in enumerate(("mass", "fc", "fv"))}
