# the largest error of a servo that follows a sine against friction, after a second
import control
import numpy as np

mass, fc, fs, vs, sigma0, sigma1, sigma2 = 2.0, 3.0, 4.0, 0.01, 2e3, 20.0, 5.0


def rates(t, x, u, params):
    level = fc + (fs - fc) * np.exp(-((x[1] / vs) ** 2))
    dz = x[1] - sigma0 * abs(x[1]) * x[2] / level
    friction = sigma0 * x[2] + sigma1 * dz + sigma2 * x[1]
    return [x[1], (u[0] - friction) / mass, dz]


plant = control.NonlinearIOSystem(rates, lambda t, x, u, params: x[:2], inputs=["u"], outputs=["x", "v"], states=3, name="plant")
servo = control.NonlinearIOSystem(
    None, lambda t, x, u, params: [800.0 * (u[0] - u[1]) - 80.0 * u[2]], inputs=["r", "x", "v"], outputs=["u"], name="servo"
)
loop = control.interconnect([plant, servo], inputs=["r"], outputs=["x"])
t = np.linspace(0.0, 3.0, 3001)
wanted = 0.05 * np.sin(6.0 * t)
run = control.input_output_response(
    loop, t, wanted, [0.0, 0.0, 0.0], solve_ivp_method="LSODA", solve_ivp_kwargs={"rtol": 1e-8, "atol": 1e-11, "max_step": 1e-2}
)
result = np.abs(np.ravel(run.outputs) - wanted)[t > 1.0].max()
