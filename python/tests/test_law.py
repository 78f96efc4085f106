"""Laws: parameters, steady curves, sampled motions; against closed forms and SciPy."""

import doctest
import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import stiction as st
from stiction import _law, _scenario

try:
    from scipy.integrate import solve_ivp
except ImportError:
    solve_ivp = None


class Parameters(unittest.TestCase):
    def test_values_units_and_groups(self):
        law = st.Law("lugre", fc=1.2, fs=1.8, reverse=dict(fc=1.0))
        self.assertEqual((law["fc"].value, law["fc"].unit, law["reverse.fc"].value), (1.2, "N", 1.0))
        self.assertEqual((law["fc"].default, float(law["fs"])), (1.0, 1.8))
        self.assertEqual([state.name for state in law.states], ["z"])
        self.assertIn("LuGre", law.summary)
        self.assertTrue(any("dz/dt" in line for line in law.equations))
        self.assertEqual(repr(law), "Law('lugre', fc=1.2, fs=1.8, reverse=dict(fc=1))")
        self.assertIn("<svg", law._repr_html_())
        exact = st.Law("lugre", fc=1 / 3, fs=1.8, sigma0=123456.789, reverse=dict(fc=0.1 + 0.2))
        self.assertEqual(eval(repr(exact), {"Law": st.Law, "dict": dict}), exact)

    def test_a_device_keeps_its_name(self):
        axis = st.Law("emps-axis")
        self.assertEqual((repr(axis), axis.name, axis.device), ("Law('emps-axis')", "stiction", "emps-axis"))
        self.assertEqual(repr(axis.replace(fv=200.0)), "Law('emps-axis', fv=200)")
        self.assertIsNone(st.Law("lugre").device)

    def test_a_law_does_not_change(self):
        law = st.Law("coulomb")
        with self.assertRaises(AttributeError):
            law.fc = 2.0
        other = law.replace(fc=2.0)
        self.assertEqual((law["fc"].value, other["fc"].value), (1.0, 2.0))

    def test_every_law_is_there_and_computes(self):
        self.assertGreaterEqual(len(st.laws()), 28)
        for name in st.laws():
            law = st.Law(name)
            self.assertTrue(np.isfinite(law.steady(0.1)), name)
            force, states = law.along([1e-3, -1e-3], dt=1e-3)
            self.assertEqual((force.shape, states.shape), ((2,), (2, len(law.states))), name)
            self.assertEqual(eval(repr(law), {"Law": st.Law, "dict": dict}).name, name)

    def test_pickles_and_files_read_back_bit_for_bit(self):
        law = st.Law("lugre", fc=1 / 3, reverse=dict(fc=0.1))
        self.assertEqual(pickle.loads(pickle.dumps(law)), law)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "axis.toml"
            law.save(path)
            self.assertEqual(st.Law(path), law)
            self.assertEqual(st.Law(str(path), fc=1.25)["fc"].value, 1.25)

    def test_law_files_are_laws(self):
        text = """
        name = "square"
        summary = "Grows with the square of the speed."
        [params]
        c = { unit = "N*s^2/m^2", default = 2.0, min = 1e-9, max = 1e6, doc = "Factor" }
        [equations]
        force = "c*v*abs(v)"
        """
        law = st.Law.parse(text)
        self.assertEqual((law.name, law.steady(3.0), law.steady(-3.0)), ("square", 18.0, -18.0))
        self.assertEqual(pickle.loads(pickle.dumps(law.replace(c=1.0))).steady(2.0), 4.0)

    def test_a_device_says_where_its_values_are_from(self):
        law = st.Law("emps-axis")
        self.assertIn("stiction identify emps/DATA_EMPS.csv", law.provenance)
        self.assertIn("workshop on nonlinear system identification benchmarks", law.provenance)
        self.assertIn("Janot2019", law.sources)
        self.assertIsNone(st.Law("lugre").provenance)
        device = st.device("emps-axis")
        low, high = device.intervals["fc"]
        self.assertTrue(low < device.law["fc"].value < high)
        self.assertEqual(device.title, st.devices()["emps-axis"])
        self.assertEqual(set(device.conditions), {"temperature", "load", "speed"})
        self.assertTrue(device.not_known and device.source and device.licence)
        self.assertIn("95 % interval", str(device))
        self.assertEqual(pickle.loads(pickle.dumps(device)), device)
        with self.assertRaisesRegex(st.UnknownName, "emps"):
            st.device("emps")

    def test_devices_are_laws_with_values(self):
        self.assertIn("emps-axis", st.devices())
        for name, title in st.devices().items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                law = st.Law(name)
            self.assertTrue(title and np.isfinite(law.steady(0.1)), name)

    def test_options_of_the_program_are_arguments_here(self):
        error = st.Error("--vary mass=1 is odd", "name it with --force NAME, or take --robust tukey")
        self.assertEqual(error.message, "vary={'mass': 1} is odd")
        self.assertEqual(error.hint, "name it with force=..., or take robust='tukey'")

    def test_errors_carry_hints(self):
        with self.assertRaises(st.Error) as raised:
            st.Law("lurge")
        self.assertEqual(raised.exception.hint, "did you mean 'lugre'?")
        self.assertIsInstance(raised.exception, ValueError)
        for wrong in (dict(fx=1.0), dict(fc=-1.0), dict(fc=[1, 2]), dict(fc="much"), dict(reverse=dict(fx=1)), dict(fc=3.0)):
            with self.assertRaises(st.Error, msg=str(wrong)):
                st.Law("lugre", **wrong)

    def test_errors_in_files_have_a_position(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bad.toml"
            path.write_text('[model]\nname = "lugre"\nfx = 1\n')
            with self.assertRaises(st.Error) as raised:
                st.Law(path)
            self.assertEqual((raised.exception.line, raised.exception.column), (3, 1))
            self.assertEqual(raised.exception.file, str(path))

    def test_assumed_values_are_noted(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            st.Law("lugre", known=dict(lc=1e-3))
        self.assertTrue(any(issubclass(w.category, st.Note) and w.filename == __file__ for w in caught), caught)

    def test_examples_in_documentation(self):
        for module in (st, _law, _scenario):
            failed, tried = doctest.testmod(module)
            self.assertEqual(failed, 0)


class Forces(unittest.TestCase):
    def test_steady_keeps_the_shape(self):
        law = st.Law("coulomb")
        self.assertIsInstance(law.steady(0.1), float)
        v = np.array([[1.0, -1.0], [2.0, -2.0]])
        np.testing.assert_array_equal(law.steady(v), np.sign(v))
        self.assertEqual(law.steady(np.empty((0, 3))).shape, (0, 3))
        self.assertEqual(law.steady(1.0, load=2.0), 2.0)

    def test_lugre_at_constant_speed_follows_its_closed_form(self):
        fc, fs, vs, s0, s1, s2, v, dt = 1.0, 1.5, 1e-3, 1e5, 300.0, 0.4, 4e-4, 1e-4
        law = st.Law("lugre", fc=fc, fs=fs, vs=vs, exponent=2, sigma0=s0, sigma1=s1, sigma2=s2)
        force, z = law.along(np.full(300, v), dt=dt)
        g = fc + (fs - fc) * np.exp(-((v / vs) ** 2))
        t = dt * np.arange(1, 301)
        exact = g / s0 * (1 - np.exp(-s0 * v / g * t))
        # the law's step is exact: rounding of 300 steps alone
        np.testing.assert_allclose(z[:, 0], exact, rtol=1e-12)
        np.testing.assert_allclose(force, s0 * exact + s1 * (v - s0 * v / g * exact) + s2 * v, rtol=1e-9)

    def test_pieces_are_the_whole(self):
        rng = np.random.default_rng(1)
        law, v, load = st.Law("gms"), 1e-3 * rng.standard_normal(1000), rng.uniform(0.5, 1.5, 1000)
        force, z = law.along(v, dt=1e-3, load=load)
        first, between = law.along(v[:400], dt=1e-3, load=load[:400])
        second, _ = law.along(v[400:], dt=np.full(600, 1e-3), load=load[400:], state=between[-1])
        np.testing.assert_array_equal(np.concatenate([first, second]), force)

    def test_settled_is_steady(self):
        law = st.Law("lugre")
        force, rate = law.flow(0.01, law.settled(0.01))
        self.assertAlmostEqual(force, law.steady(0.01), places=12)
        # the scale of the rate is the velocity
        self.assertLess(abs(rate[0]), 1e-15)
        low, high = st.Law("stribeck").at_rest()
        self.assertEqual((low, high), (-1.5, 1.5))

    @unittest.skipIf(solve_ivp is None, "SciPy is not there")
    def test_scipy_integrates_the_flow_as_the_simulator_does(self):
        # the contact of the scenario a7, with parameters of our own
        law = st.Law("lugre", fc=3.0, fs=6.0, vs=0.1, exponent=1, sigma0=1000.0, sigma1=60.0, sigma2=0.0)
        run = st.Scenario("a7").run(table=law, rtol=1e-10, end=12.0)

        def rates(t, y):
            force, rate = law.flow(y[1], y[2:])
            return [y[1], 2.0 * (2.0 * t - y[0]) - force, rate[0]]

        found = solve_ivp(rates, (0.0, 12.0), [0.0, 0.0, 0.0], method="LSODA", rtol=1e-9, atol=1e-12)
        # SciPy's own error over two releases of a stiff contact: 3e-6 m at this tolerance, 3e-5 at a ten times larger one
        self.assertLess(abs(found.y[0, -1] - run["block.x"][-1]), 2e-5)
        self.assertGreater(len(run.events), 2)


if __name__ == "__main__":
    unittest.main()
