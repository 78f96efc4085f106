"""Fits of whole scenarios: known truth from a closed form, against the records that they were fitted to and others."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import stiction as st

# a mass on Coulomb and viscous friction, pushed by a force that the log holds
BLOCK = """
[run]
end = 4
[body.block]
mass = 2
[contact.floor]
between = ["block", "ground"]
law = "stiction"
fc = 1
fs = 1
fv = 1
[force.push]
on = "block"
force = 0
[identify.free]
level = [0, 10]
fv = [0, 10]
[identify.set]
"contact.floor.fc" = "level"
"contact.floor.fs" = "level"
"contact.floor.fv" = "fv"
[identify.input]
"force.push.force" = "u"
[identify.match]
"block.x" = "x"
"""

NOISE = 1e-3


def log(u, seed):
    """Pushed one way from rest against 3 N and 4 N·s/m: m dv/dt = u - fc - fv v, so that v approaches (u - fc)/fv."""
    m, fc, fv = 2.0, 3.0, 4.0
    t = 0.02 * np.arange(200)
    end, rate = (u - fc) / fv, fv / m
    x = end * (t - (1.0 - np.exp(-rate * t)) / rate)
    return {"t": t, "u": np.full(t.size, u), "x": x + NOISE * np.random.default_rng(seed).standard_normal(t.size)}


class Plants(unittest.TestCase):
    def setUp(self):
        self.block = st.Scenario.parse(BLOCK, "block.toml")

    def test_a_fitted_scenario_predicts_other_records(self):
        fit = st.identify([log(9.0, 1), log(5.0, 2)], scenario=self.block, judge=log(20.0, 3))
        for name, truth in (("level", 3.0), ("fv", 4.0)):
            low, high = fit[name].interval
            # two widths: beyond chance
            self.assertLess(abs(fit[name].value - truth), 2.0 * (high - low), repr(fit[name]))
            self.assertLess(high - low, 0.1 * truth, repr(fit[name]))
        self.assertEqual((fit.key, fit.unidentified), ("plant", []))
        names, covariance = fit.covariance
        self.assertEqual(names, ["level", "fv"])
        for k, name in enumerate(names):
            self.assertAlmostEqual(np.sqrt(covariance[k, k]), fit[name].error, delta=1e-12)
        # the noise alone has a mean absolute value of 0.8 mm; the way is 15 m
        self.assertLess(fit.scores["judged"], 0.02)
        self.assertAlmostEqual(fit.law.steady(1.0), fit["level"].value + fit["fv"].value, places=9)
        self.assertEqual(len(fit.residuals), 2)
        # the fitted scenario has the values, and begins a further fit with them
        fitted = fit.scenario
        self.assertIn(f"{fit['fv'].value!r}"[:8], fitted.text)
        run = fitted.replace({"force.push.force": 20.0}).run()
        x = np.interp(log(20.0, 3)["t"], run.t, run["block.x"])
        self.assertLess(np.mean(np.abs(x - log(20.0, 3)["x"])), 0.02)
        with tempfile.TemporaryDirectory() as folder:
            fit.report(Path(folder) / "report.html")
            self.assertIn("Validation records", (Path(folder) / "report.html").read_text(encoding="utf-8"))

    def test_files_held_values_and_prior_knowledge(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "block.toml"
            path.write_text(BLOCK, encoding="utf-8")
            record = log(9.0, 1)
            table = Path(folder) / "log.csv"
            np.savetxt(table, np.column_stack(list(record.values())), delimiter=",", header="t,u,x", comments="", fmt="%.17g")
            held = st.identify(table, scenario=path, set=dict(fv=4.0))
            self.assertEqual((held["fv"].value, held["fv"].known), (4.0, "given"))
            self.assertEqual(held.covariance[0], ["level"])
            # the same from memory
            self.assertEqual(st.identify(record, scenario=path, set=dict(fv=4.0))["level"].value, held["level"].value)
            # another mass of the scenario, which is no free parameter: 4 kg need other friction
            heavy = st.identify(record, scenario=path, set={"body.block.mass": 4.0}, bounds=dict(fv=(0.0, 40.0)))
            self.assertGreater(abs(heavy["level"].value - held["level"].value), 0.5)
            # far surer than the record is: the estimate stays there, which is told
            with self.assertWarnsRegex(st.Note, "level"):
                known = st.identify(record, scenario=path, priors=dict(level=(4.0, 1e-6)))
            self.assertLess(abs(known["level"].value - 4.0), 1e-4)

    def test_mistakes(self):
        record = log(9.0, 1)
        for wrong, text in (
            (dict(data=record, model="dahl"), "model has no effect"),
            (dict(data=record, mass=1.0), "mass has no effect"),
            (dict(data=record, offset=False), "offset has no effect"),
            (dict(data=record, set={"contact.floor.fc": 1.0}), "computes it"),
            (dict(data=record, free=["levl"]), "levl"),
            (dict(data=record, priors=dict(level=(3.0, 0.0))), "priors"),
            (dict(data=record, priors=dict(level=3.0)), "priors"),
            (dict(data=record, robust="very"), "robust"),
            (dict(data={"t": record["t"], "x": record["x"]}), "u"),
            (dict(), "no data"),
        ):
            with self.assertRaisesRegex(st.Error, text, msg=str(wrong)[:60]):
                st.identify(scenario=self.block, **wrong)
        with self.assertRaisesRegex(st.Error, "identify"):
            st.identify(record, scenario="a7")
        with self.assertRaisesRegex(st.Error, "judge"):
            st.identify(record, judge=record)
        with self.assertRaisesRegex(st.Error, "no scenario"):
            t = 5e-3 * np.arange(2000)
            _ = st.identify(time=t, position=np.sin(t), force=np.sign(np.cos(t)) + np.cos(t), model="stiction", mass=0.0).scenario


if __name__ == "__main__":
    unittest.main()
