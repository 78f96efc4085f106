"""Exported controllers: compiled, they close a loop of python-control around a plant that SciPy integrates, with the simulator's motion."""

import ctypes
import shutil
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import stiction as st

try:
    import control
except ImportError:
    control = None
try:
    from scipy.integrate import solve_ivp
except ImportError:
    solve_ivp = None

PERIOD = 2e-3
AMPLITUDE, OMEGA = 0.05, 6.0


def servo() -> st.Scenario:
    """A mass on LuGre friction that follows a sine, with feedback, a Kalman filter and feed-forward of friction."""
    system = (
        st.System("A servo with friction", end=1.0, sample=PERIOD, rtol=1e-10)
        .body("slide", mass=2)
        .contact("rail", body="slide", law="lugre", fc=3, fs=4, vs=0.01, sigma0=2e3, sigma1=20, sigma2=5)
        .controller(
            "servo",
            {
                "kalman": {"accel": 10, "noise": 1e-6},
                "state-feedback": {"kx": 400, "kv": 40, "ki": 800, "mass": 2},
                "feedforward": {"law": {"law": "lugre", "fc": 2.5, "fs": 3.5, "vs": 0.01, "sigma0": 2e3, "sigma1": 20, "sigma2": 4}},
            },
            on="slide",
            period=PERIOD,
            reference={"sine": {"amplitude": AMPLITUDE, "omega": OMEGA}},
            limit=50,
        )
    )
    return system.scenario()


class Firmware:
    """The exported C, compiled as a library."""

    def __init__(self, code: st.Code, folder: str) -> None:
        code.save(folder)
        name = code.data["name"]
        library = Path(folder) / "controller.so"
        subprocess.run(["cc", "-std=c99", "-O2", "-shared", "-fPIC", f"{name}.c", "-o", library], cwd=folder, check=True)

        def struct(fields: list[str], last: object = None) -> type[ctypes.Structure]:
            rows = [(field, ctypes.c_double) for field in fields] + ([last] if last else [])
            return type("Struct", (ctypes.Structure,), {"_fields_": rows})

        self.input = struct([field["name"] for field in code.data["input"]])
        state = struct([field["name"] for field in code.data["state"]])
        output = struct(["command"], ("fault", ctypes.c_int))
        loaded = ctypes.CDLL(str(library))
        self.step = getattr(loaded, f"{name}_step")
        self.step.restype = output
        self.step.argtypes = [ctypes.POINTER(state), ctypes.POINTER(self.input)]
        self.initial = state()
        getattr(loaded, f"{name}_init")(ctypes.byref(self.initial))
        self.state = state

    def sample(self, memory: np.ndarray, values: np.ndarray) -> tuple[float, np.ndarray]:
        """The command, and the memory after it."""
        state = self.state(*memory)
        output = self.step(ctypes.byref(state), ctypes.byref(self.input(*values)))
        if output.fault:
            raise AssertionError("the sample is no fault")
        return output.command, np.array([getattr(state, name) for name, _ in state._fields_])

    def memory(self) -> np.ndarray:
        return np.array([getattr(self.initial, name) for name, _ in self.initial._fields_])


class Controllers(unittest.TestCase):
    @unittest.skipIf(shutil.which("cc") is None, "there is no C compiler")
    def test_the_code_of_a_law_and_of_a_scenario_passes_its_test(self) -> None:
        gains = {"kp": 100, "ki": 10, "kd": 10, "accel": 10, "quantum": 1e-6, "noise": 1e-6}
        for source, options in ((st.Law("lugre"), dict(method="pid+observer", sample=1e-3, limit=10, gains=gains)), ("a12-encoder", {})):
            with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                code = st.export(source, "c", **options)
                code.save(folder)
                name = code.data["name"]
                self.assertEqual(sorted(code), [f"{name}.c", f"{name}.h", f"{name}_test.c"])
                subprocess.run(f"cc -std=c99 {name}.c {name}_test.c -o test && ./test", shell=True, cwd=folder, check=True, capture_output=True)
        self.assertIn("state-feedback", [part["part"] for part in code.data["parts"]])

    def test_mistakes_and_notes(self) -> None:
        with self.assertWarnsRegex(st.Note, "limit of the drive"):
            code = st.export("lugre", "rust", method="feedforward", sample=1e-3)
        self.assertIn("#![no_std]", code["src/lib.rs"].decode())
        for wrong, text in (
            (dict(source="lugre", target="c", method="feedforward"), "sample time"),
            (dict(source="lugre", target="c", mass=1.0), "for controllers"),
            (dict(source="lugre", target="c", precision="f32"), "for controllers"),
            (dict(source="lugre", target="jax", method="pid", sample=1e-3), "jax"),
            (dict(source="lugre", target="c", method="pdi", sample=1e-3), "pdi"),
            (dict(source="lugre", target="c", method="pid", sample=1e-3, gains={"kq": 1.0}), "kq"),
            (dict(source="lugre", target="c", method="pid", sample=1e-3, name="Axis"), "valid name"),
            (dict(source="lugre", target="c", method="dob", sample=1e-3, mass=-1.0), "above 0"),
            (dict(source="lugre", target="c", method="pid", sample=1e-3, controller="servo"), "scenarios"),
            (dict(source="a12-encoder", target="c", estimator="kalman"), "laws"),
            (dict(source="a12-encoder", target="c", precision="f16"), "precision"),
            (dict(source="a7", target="c"), "controller"),
        ):
            with self.assertRaisesRegex(st.Error, text, msg=str(wrong)), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                st.export(**wrong)  # type: ignore[arg-type]

    @unittest.skipIf(shutil.which("cc") is None, "there is no C compiler")
    @unittest.skipIf(control is None, "python-control is not there")
    @unittest.skipIf(solve_ivp is None, "SciPy is not there")
    def test_a_loop_of_python_control(self) -> None:
        scenario = servo()
        run = scenario.run()
        law, mass = st.Law("lugre", fc=3, fs=4, vs=0.01, sigma0=2e3, sigma1=20, sigma2=5), 2.0
        with tempfile.TemporaryDirectory() as folder:
            firmware = Firmware(st.export(scenario, "c"), folder)

            # the plant over a sample, by SciPy: position, velocity and the bristle
            def plant_update(t, x, u, params):
                def rates(_, y):
                    force, rate = law.flow(y[1], y[2:])
                    return [y[1], (u[0] - force) / mass, rate[0]]

                return solve_ivp(rates, (0.0, PERIOD), x, "LSODA", rtol=1e-10, atol=1e-13).y[:, -1]

            plant = control.NonlinearIOSystem(
                plant_update, lambda t, x, u, params: x[:1], inputs=["force"], outputs=["position"], states=3, dt=PERIOD, name="plant"
            )
            inputs = ["wanted_x", "wanted_v", "wanted_a", "position"]
            controller = control.NonlinearIOSystem(
                lambda t, x, u, params: firmware.sample(x, u)[1],
                lambda t, x, u, params: [firmware.sample(x, u)[0]],
                inputs=inputs,
                outputs=["force"],
                states=firmware.memory().size,
                dt=PERIOD,
                name="controller",
            )
            loop = control.interconnect([plant, controller], inputs=inputs[:3], outputs=["position", "force"])
            t = PERIOD * np.arange(501)
            wanted = AMPLITUDE * np.array([np.sin(OMEGA * t), OMEGA * np.cos(OMEGA * t), -(OMEGA**2) * np.sin(OMEGA * t)])
            found = control.input_output_response(loop, t, wanted, np.concatenate([np.zeros(3), firmware.memory()]))
        rows = np.searchsorted(run.t, t * (1.0 + 1e-12), side="right") - 1
        np.testing.assert_allclose(run.t[rows], t, atol=1e-12)
        self.assertGreater(np.ptp(run["slide.x"]), 1.5 * AMPLITUDE)
        # Both solvers keep a relative error of 1e-10 a step over some tens of steps a sample; a stable loop forgets it in some 10 ms. The motion is
        # 0.1 m: 1e-9 m. The command takes position errors times kx m = 800 N/m and, through the filter, some hundred times as much: 1e-5 N.
        np.testing.assert_allclose(found.outputs[0], run["slide.x"][rows], rtol=0.0, atol=1e-9)
        # the simulator's row at the instant of a sample has the command that was held up to then
        np.testing.assert_allclose(found.outputs[1][:-1], run["servo.u"][rows][1:], rtol=0.0, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
