"""Analyses against closed forms, SciPy, and what they print."""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import stiction as st
from stiction import _native

try:
    from scipy import linalg
except ImportError:
    linalg = None


class Analyses(unittest.TestCase):
    def test_the_cycle_of_stick_slip(self) -> None:
        found = st.cycle("a7")
        # the period of the papers' figure, as the Rust tests have it
        assert abs(found.period - 4.6385527) < 1e-6
        assert found.stable and np.all(np.abs(found.multipliers) < 1.0)
        # bristles creep, so that the contact does not stick exactly; its speed nearly vanishes
        assert found.ranges["block.v"].unit == "m/s" and found.ranges["block.v"].max > 0.5
        assert "period 4.63855" in str(found) and "<svg" in found._repr_html_()
        # a change shifts it as in a run
        other = st.cycle("a7", k=3)
        assert other.period < found.period
        run = st.Scenario("a7").run(k=3)
        period = run.measures["period"]
        assert period is not None and abs(other.period - period) < 1e-5 * period

    @unittest.skipUnless(_native.optimised, "takes minutes without optimisation")
    def test_cycles_over_a_parameter(self) -> None:
        found = st.follow("a7", "k", 1.5, 3.0, points=8)
        assert found.path == "spring.pull.stiffness"
        assert found.values.min() < found.values.max() and len(found.points) == len(found.periods)
        at = st.cycle("a7", k=float(found.values[0]))
        assert abs(found.periods[0] - at.period) < 1e-6
        with self.assertRaisesRegex(st.Error, "not below"):
            st.follow("a7", "k", 3.0, 1.5)
        with self.assertRaisesRegex(st.Error, "stif"):
            st.follow("a7", "stifness", 1.0, 2.0)

    @unittest.skipIf(linalg is None, "SciPy is not there")
    def test_eigenvalues_are_those_of_the_matrices(self) -> None:
        found = st.equilibrium("a11")
        assert len(found) > 0 and len(found[:]) == len(found)
        for one in found:
            # SciPy's eigenvalues of the same matrices; both are accurate to some units of rounding
            expected = np.concatenate([linalg.eigvals(matrix) for matrix in one.jacobians])
            assert np.allclose(np.sort_complex(one.eigenvalues), np.sort_complex(expected), rtol=1e-8, atol=1e-10)
            if one.stable is not None:
                assert one.stable == bool(np.all(expected.real < 0.0))
        with self.assertRaisesRegex(st.Error, "speeds"):
            st.equilibrium("a11", speeds=(1.0, 0.5))

    def test_break_away(self) -> None:
        # Coulomb friction lets go at its level, at any rate
        found = st.breakaway(st.Law("coulomb", fc=2.5), rate=[0.5, 5.0])
        assert np.allclose(found.force, 2.5, rtol=1e-9) and np.allclose(found.time, [5.0, 0.5], rtol=1e-9)
        with self.assertWarnsRegex(st.Note, r"slid at 0\.01"):
            aged = st.breakaway("rate-state", rate=10.0, dwell=[1.0, 10.0, 100.0])
        assert aged.per_decade is not None and aged.per_decade > 0.0 and np.all(np.diff(aged.force) > 0.0)
        with self.assertRaisesRegex(st.Error, "several rates"):
            st.breakaway("rate-state", rate=np.array([1.0, 10.0]), dwell=[1.0])
        with self.assertRaisesRegex(st.Error, "finite"):
            st.breakaway("lugre", rate=[1.0, math.nan])

    def test_loops_of_a_law_and_of_its_own_path(self) -> None:
        sigma, fc, amplitude = 1e4, 2.0, 3e-4
        law = st.Law("dahl", sigma=sigma, fc=fc)
        found = st.hysteresis(law, amplitude=amplitude)
        # Dahl's loop between turning points -x and x in closed form: force from -f to f,
        # F = fc - (fc + f) exp(-sigma (x + X)/fc), with f = fc tanh(sigma X/fc)
        f = fc * math.tanh(sigma * amplitude / fc)
        area = 2.0 * (2.0 * amplitude * fc - (fc + f) * fc / sigma * (1.0 - math.exp(-2.0 * sigma * amplitude / fc)))
        assert abs(found.loops[0].area - area) < 1e-6 * area
        # a transient from rest loses 95 % with every half period: exp(-2 sigma X/fc)
        t = np.linspace(0.0, 16.0 * math.pi, 160_001)
        x = amplitude * np.sin(t)
        force, _ = law.along(np.diff(x) / np.diff(t), dt=np.diff(t))
        measured = st.hysteresis(x=x[1:], force=force, t=t[1:])
        # within the sampling error of the turning points
        assert abs(measured.loops[-1].area - area) < 1e-4 * area
        for wrong in (
            dict(law="dahl"),
            dict(),
            dict(law="dahl", amplitude=1e-4, x=[0.0]),
            dict(x=[0.0, 1.0], force=[1.0]),
            dict(x=[0.0, 1.0], force=[0.0, 1.0]),
            dict(x=[0.0, math.inf, 0.0], force=[0.0, 1.0, 2.0]),
        ):
            with self.assertRaises(st.Error):
                st.hysteresis(**wrong)  # type: ignore[arg-type]

    def test_the_describing_function_of_coulomb_friction(self) -> None:
        found = st.describe(st.Law("coulomb", fc=1.5), amplitude=[1e-3, 2e-3], omega=[1.0, 10.0, 20.0])
        # 4 fc/(pi X), a quarter of a period ahead of the displacement
        expected = 4.0 * 1.5 / (math.pi * found.amplitudes[:, None]) * 1j * np.ones(3)
        assert found.on_displacement.shape == (2, 3)
        assert np.allclose(found.on_displacement, expected, rtol=1e-6)
        assert np.allclose(found.on_velocity, found.on_displacement / (1j * found.omegas), rtol=1e-12)
        with self.assertRaisesRegex(st.Error, "on ="):
            st.describe("coulomb", on="force")  # type: ignore[arg-type]

    def test_hunting(self) -> None:
        found = st.hunting("a12")
        assert found.simulated_period is not None
        assert abs(found.simulated_period - st.cycle("a12").period) < 1e-5 * found.simulated_period

    def test_phenomena(self) -> None:
        found = st.phenomena(["coulomb", "lugre"])
        assert list(found) == ["coulomb", "lugre"] and len(found) == 2
        assert found["coulomb"]["hold"].shown == "yes" and found["lugre"]["presliding"].shown == "yes"
        assert found.choice is None
        asked = st.phenomena(["coulomb", "lugre"], need=["hold"])
        assert asked.choice == "coulomb"
        with self.assertRaisesRegex(st.Error, "phenomenon"):
            st.phenomena("lugre", need="holds")
        with self.assertRaises(KeyError):
            found["dahl"]

    def test_passivity_and_check(self) -> None:
        assert st.passivity("dahl").passive is True
        if _native.optimised:
            found = st.passivity("lugre")
            assert found.passive is False and found.worst < 0.0
        sound = st.check("dahl")
        assert sound.sound and set(sound.properties.values()) <= {"holds", "differs"}

    def test_compensation(self) -> None:
        found = st.compensate("a12-encoder", ["none", "feedforward"], factors=[1.0], until=2.0)
        assert list(found) == ["none", "feedforward"]
        rms = found["none"].rms
        assert rms is not None and rms > 0.0
        # the loop alone chatters, and feedforward misses a stability condition: there is nothing to choose
        assert found["none"].chatters and not found["feedforward"].stable
        assert found.best is None and "no method is sound" in str(found)
        # without names those of the program, and with `exact` no runs with wrong models
        every = st.compensate("a12-encoder", exact=True, until=0.2)
        self.assertEqual(list(every), ["none", "feedforward", "observer", "adaptive", "dither", "acceleration", "dob"])
        self.assertTrue(all(method.worst is None for method in every.values()))
        chosen = st.compensate("servo-slow", methods=["none", "feedforward"], factors=[1.0], until=2.0)
        assert chosen.best == "feedforward" and str(chosen.data["verdict"]).startswith("feedforward: ")
        with self.assertRaises(KeyError):
            found["observer"]
        with self.assertRaisesRegex(st.Error, "feedfoward"):
            st.compensate("a12-encoder", ["feedfoward"])
        with self.assertRaisesRegex(st.Error, "part"):
            st.compensate("a12-encoder", ["dob"], gains={"cutoff": 30.0})
        with self.assertRaisesRegex(st.Error, "weight"):
            st.compensate("a12-encoder", ["dob"], weight=1.0)

    def test_a_law_as_numpy_and_c(self) -> None:
        code = st.export(st.Law("lugre", fc=1.25), "numpy")
        space: dict[str, object] = {}
        exec(code.text, space)
        v = np.array([-0.3, 0.02, 0.5])
        steady = space["steady"]
        assert callable(steady)
        law = st.Law("lugre", fc=1.25)
        assert np.allclose([steady(x, 1.0) for x in v], law.steady(v), rtol=1e-14)
        with self.assertRaisesRegex(st.Error, "target"):
            st.export("lugre", "fortran")
        both = st.Law("lugre", fc=1.25, reverse=dict(fc=1.0))
        exec(st.export(both, "numpy").text, space)
        steady = space["steady"]
        assert callable(steady)
        assert np.allclose([steady(x, 1.0) for x in v], both.steady(v), rtol=1e-14)
        with self.assertRaisesRegex(st.Error, "noise"):
            st.export(st.Law("lugre", noise=dict(amplitude=1.0, frequency=10.0)), "c")
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("there is no C compiler")
        with tempfile.TemporaryDirectory() as folder:
            code = st.export(law, "c")
            code.save(folder)
            subprocess.run(code.data["test"], shell=True, cwd=folder, check=True, capture_output=True)

    @unittest.skipIf(os.name == "nt", "signals of POSIX")
    def test_ctrl_c_ends_the_work(self) -> None:
        # again and again, as some take less than the time to the signal; then the processor time of the two seconds after the exception
        program = (
            "import numpy as np, os, signal, sys, threading, time\n"
            "import stiction as st\n"
            # a shell may have its jobs ignore it
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "try:\n"
            "    while True:\n"
            "        {call}\n"
            "except KeyboardInterrupt:\n"
            "    begin = time.process_time()\n"
            "    time.sleep(2.0)\n"
            "    print(time.process_time() - begin)\n"
            "sys.stdout.flush()\n"
            "os._exit(0)\n"
        )
        calls = (
            "st.phenomena()",
            "st.passivity('bouc-wen')",
            "st.describe('gms', amplitude=np.geomspace(1e-6, 1e-2, 200), omega=np.geomspace(0.1, 100, 50))",
            "st.hysteresis('gms', amplitude=np.geomspace(1e-6, 1e-2, 2000))",
            "st.breakaway('lugre', rate=np.geomspace(1e-3, 1e3, 5000))",
        )
        for call in calls:
            with self.subTest(call):
                found = subprocess.run(
                    [sys.executable, "-c", program.format(call=call)],
                    check=True,
                    capture_output=True,
                    text=True,
                    env={**os.environ, "RAYON_NUM_THREADS": "2"},
                    timeout=120,
                )
                spent = float(found.stdout)
                # 100 ms on two processors; without optimisation what goes on between two questions takes ten times as long
                assert spent < (0.2 if _native.optimised else 2.0), spent

    def test_results_are_saved(self) -> None:
        found = st.breakaway("coulomb", rate=[1.0])
        with tempfile.TemporaryDirectory() as folder:
            found.save(f"{folder}/results")
            with open(f"{folder}/results/summary.json") as file:
                assert json.load(file)["tests"] == found.data["tests"]
            with open(f"{folder}/results/breakaway.svg") as file:
                assert "<svg" in file.read()


if __name__ == "__main__":
    unittest.main()
