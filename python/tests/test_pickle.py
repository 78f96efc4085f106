"""Results do not change, and pickle: what comes back is equal, as joblib, Dask and copy need it."""

import copy
import os
import pickle
import sys
import tempfile
import unittest
import warnings

import numpy as np
import stiction as st

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_plant import BLOCK, log  # noqa: E402


def both(x):
    """What pickle and copy give."""
    return pickle.loads(pickle.dumps(x)), copy.deepcopy(x)


class Pickled(unittest.TestCase):
    def test_runs(self):
        run = st.Scenario("g5").run(end=3.5)
        for other in both(run):
            self.assertEqual(other, run)
            self.assertEqual(hash(other), hash(run))
            self.assertEqual(other.columns, run.columns)
            for name in run:
                np.testing.assert_array_equal(other[name], run[name])
                self.assertFalse(other[name].flags.writeable)
            self.assertEqual(list(other.events), list(run.events))
            for name in ("name", "title", "scenario", "units", "measures", "energy", "effort", "notes", "complete"):
                self.assertEqual(getattr(other, name), getattr(run, name), name)
            self.assertEqual(repr(other), repr(run))
            self.assertEqual(pickle.loads(pickle.dumps(run.events)), run.events)
        self.assertNotEqual(run, st.Scenario("g5").run(end=3.0))
        scenario = st.Scenario("g5", mass=2)
        self.assertEqual(both(scenario), (scenario, scenario))
        self.assertNotEqual(scenario, st.Scenario("g5"))

    def test_fits(self):
        t = np.arange(2000) * 5e-3
        x, v = -0.1 * np.cos(t), 0.1 * np.sin(t)
        force = 0.2 * np.cos(t) + 3.0 * np.sign(v) + 5.0 * v + 0.01 * np.random.default_rng(3).standard_normal(t.size)
        block = st.Scenario.parse(BLOCK, "block.toml")
        fits = [st.identify(time=t, position=x, force=force, model="stiction"), st.identify(log(9.0, 1), scenario=block)]
        for fit in fits:
            for other in both(fit):
                self.assertEqual(other, fit)
                self.assertEqual(other.estimates, fit.estimates)
                self.assertEqual(other.covariance[0], fit.covariance[0])
                np.testing.assert_array_equal(other.covariance[1], fit.covariance[1])
                self.assertEqual(other.law, fit.law)
                self.assertEqual(other.scores, fit.scores)
                self.assertEqual(other.remarks, fit.remarks)
                for one, two in zip(other.residuals, fit.residuals, strict=True):
                    np.testing.assert_array_equal(one.model, two.model)
                self.assertEqual(other._repr_html_(), fit._repr_html_())
                self.assertEqual(other._core.html(), fit._core.html())
                drawn = other.draws(10, seed=1)
                np.testing.assert_array_equal(drawn[next(iter(drawn))], fit.draws(10, seed=1)[next(iter(drawn))])
        self.assertEqual(both(fits[1])[0].scenario.text, fits[1].scenario.text)

    def test_analyses(self):
        found = [
            st.cycle("a7"),
            st.equilibrium("a11"),
            st.breakaway("stribeck", rate=[1, 10]),
            st.hysteresis("dahl", amplitude=3e-4),
            st.describe("coulomb", amplitude=1e-3, omega=[1, 10]),
            st.check("dahl"),
            st.export("coulomb", "c"),
        ]
        for result in found:
            for other in both(result):
                self.assertIs(type(other), type(result))
                self.assertEqual(other.data, result.data)
                self.assertEqual(str(other), str(result))
                self.assertEqual(other.figures, result.figures)
        self.assertEqual(dict(both(found[-1])[0]), dict(found[-1]))
        np.testing.assert_array_equal(both(found[0])[0].multipliers, found[0].multipliers)
        equilibrium = found[1][0]
        self.assertEqual(both(equilibrium)[0].data, equilibrium.data)

    def test_laws_scenarios_systems_and_tables(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            law = st.Law("lugre", fc=1.2, fs=1.8, reverse=dict(fc=1.0))
            device = st.Law("emps-axis")
        for one in (law, device):
            for other in both(one):
                self.assertEqual(other, one)
                self.assertEqual(repr(other), repr(one))
        scenario = st.Scenario("a7", k=3.0, table=law)
        for other in both(scenario):
            self.assertEqual((other.text, other.name), (scenario.text, scenario.name))
        system = st.System("pull", end=2).body("block", mass=1).contact("table", body="block", law=law).force("push", on="block", force=2)
        for other in both(system):
            self.assertEqual(other.toml, system.toml)
        with tempfile.TemporaryDirectory() as folder:
            table = st.Sweep("g5", vary={"mass": [1.0, 2.0]}, measure="v.max").run(f"{folder}/g5.parquet", progress=False)
            for other in both(table):
                self.assertEqual((list(other), other.varied, other.units, other.path), (list(table), table.varied, table.units, table.path))
                for name in table:
                    np.testing.assert_array_equal(other[name], table[name])
                self.assertEqual(other.errors, table.errors)
        try:
            st.Scenario("g5").run(max_steps=3)
        except st.Error as error:
            other = pickle.loads(pickle.dumps(error))
            self.assertEqual((str(other), other.hint), (str(error), error.hint))
            np.testing.assert_array_equal(other.run.t, error.run.t)
        else:
            self.fail("three steps are not enough")

    def test_results_do_not_change(self):
        found = st.breakaway("stribeck", rate=[1, 10])
        for change in (
            lambda: found.data.update(tests=[]),
            lambda: found.data.__setitem__("tests", []),
            lambda: found.data["tests"].append({}),
            lambda: found.data["tests"][0].pop("force"),
            lambda: found.data["tests"].sort(),
        ):
            with self.assertRaisesRegex(TypeError, "does not change"):
                change()
        self.assertEqual(dict(found.data) | {"more": 1}, {**found.data, "more": 1})
        run = st.Scenario("g5").run(end=1.0)
        for result, name in ((found, "data"), (run, "name"), (run, "t"), (run.events, "_core")):
            with self.assertRaises(AttributeError):
                setattr(result, name, None)
            with self.assertRaises(AttributeError):
                delattr(result, name)

    def test_a_wrong_name_is_told(self):
        run = st.Scenario("g5").run(end=1.0)
        wrong = {
            lambda: run["block.vv"]: "did you mean",
            lambda: st.Law("lugre")["fx"]: "did you mean",
            lambda: st.Law("lugre")["stiffness"]: "there is: ",
            lambda: st.export("coulomb", "c")["coulomb.cpp"]: "did you mean",
        }
        for look, hint in wrong.items():
            with self.assertRaises(KeyError) as raised:
                look()
            self.assertIsInstance(raised.exception, st.Error)
            self.assertIn(hint, raised.exception.hint)
            self.assertNotIn("\\n", str(raised.exception))
        self.assertIsNone(st.phenomena("coulomb").get("lugre"))
        self.assertNotIn("block.vv", run)


if __name__ == "__main__":
    unittest.main()
