"""Derivatives of runs by values of their scenarios: closed forms, differences of runs, times of events."""

import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np
import stiction as st

SLIDE = """
[run]
end = 1
rtol = 1e-10
atol = 1e-13
[body.block]
mass = 2
v = 1
[contact.table]
between = ["block", "ground"]
law = "coulomb"
fc = 4
"""


class Derivatives(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scenario = st.Scenario.parse(SLIDE, "slide.toml")
        cls.run_ = cls.scenario.run(sensitivity=["fc", "mass"])

    def test_a_block_that_stops_has_closed_forms(self):
        run = self.run_
        self.assertEqual(run.differentiated, ["contact.table.fc", "body.block.mass"])
        # it stops after t = m v/fc = 0.5 s and x = m v²/(2 fc); relative 1e-6: the changes by which right-hand sides are differenced
        np.testing.assert_allclose(run.derivative("block.x", "fc")[-1], -2.0 / (2.0 * 4.0**2), rtol=1e-6)
        np.testing.assert_allclose(run.derivative("block.x", "mass")[-1], 1.0 / (2.0 * 4.0), rtol=1e-6)
        stop = [event.kind for event in run.events].index("stick")
        np.testing.assert_allclose(run.event_derivative("fc")[stop], -2.0 / 4.0**2, rtol=1e-6)
        np.testing.assert_allclose(run.event_derivative("body.block.mass")[stop], 1.0 / 4.0, rtol=1e-6)
        self.assertEqual(len(run.event_derivative("fc")), len(run.events))
        self.assertIn("d block.v / d contact.table.fc", run.derivatives)
        self.assertEqual(run.derivative("block.v", "fc").shape, run.t.shape)

    def test_the_run_is_the_same_and_so_is_what_comes_back(self):
        plain = self.scenario.run()
        for name in plain:
            np.testing.assert_array_equal(self.run_[name], plain[name])
        again = pickle.loads(pickle.dumps(self.run_))
        self.assertEqual(again, self.run_)
        self.assertNotEqual(again, plain)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("run.csv", "run.parquet"):
                self.run_.save(Path(folder) / name)
                log = st.data(Path(folder) / name, ["t", "block.x", "{d block.x / d contact.table.fc}"])
                np.testing.assert_array_equal(log["block.x"], plain["block.x"])
                np.testing.assert_array_equal(log[log.columns[2]], self.run_.derivative("block.x", "fc"))
            with self.assertRaises(st.Error):
                plain.save(Path(folder) / "run.txt")

    def test_stick_slip_agrees_with_differences_of_runs(self):
        change = 1e-5
        low, high = (st.Scenario("a7").run(k=2.0 + by, rtol=1e-10, end=8.0)["block.x"][-1] for by in (-change, change))
        found = st.Scenario("a7").run(k=2.0, rtol=1e-10, end=8.0, sensitivity="k").derivative("block.x", "k")[-1]
        # the difference of two runs has an error of the order of the change squared, and of the tolerance over the change
        np.testing.assert_allclose(found, (high - low) / (2.0 * change), rtol=1e-4)

    def test_mistakes_have_hints(self):
        with self.assertRaises(st.Error) as none:
            self.scenario.run().derivative("block.x", "fc")
        self.assertIn("sensitivity", none.exception.hint)
        with self.assertRaises(st.UnknownName):
            self.run_.derivative("block.y", "fc")
        with self.assertRaises(st.UnknownName):
            self.run_.event_derivative("fs")
        for wrong in ("fcc", "end"):
            with self.subTest(wrong), self.assertRaises(st.Error):
                self.scenario.run(sensitivity=wrong)


if __name__ == "__main__":
    unittest.main()
