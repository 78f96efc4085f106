"""Options of fits: how files are read, masses and loads of several records, laws that are checked and not fitted."""

import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import stiction as st


def motion(mass: float, noise: float = 0.01) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time, position and force of a body moved to and fro against 3 N and 5 N·s/m."""
    t = np.arange(2000) * 5e-3
    x, v = -0.1 * np.cos(t), 0.1 * np.sin(t)
    shaken = noise * np.random.default_rng(3).standard_normal(t.size)
    return t, x, 0.1 * mass * np.cos(t) + 3.0 * np.sign(v) + 5.0 * v + shaken


def record(mass: float) -> dict[str, np.ndarray]:
    return dict(zip(("t", "x", "force"), motion(mass), strict=True))


class Options(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        warnings.simplefilter("ignore", st.Note)

    def test_files_are_read_as_described(self):
        rows = "".join(f"{a!r} {b!r} {c!r}\n" for a, b, c in zip(*(x.tolist() for x in motion(2.0)), strict=True))
        path = self.folder / "old.txt"
        path.write_text("made by\na rig of 1999\n" + rows.replace(".", ","), encoding="utf-8")
        fit = st.identify(path, time="1", position="2", force="3", model="stiction", skip=2, delimiter="blank", decimal="comma")
        of_arrays = st.identify(record(2.0), model="stiction")
        self.assertEqual(fit["fc"].value, of_arrays["fc"].value)
        compared = st.compare(["coulomb"], path, time="1", position="2", force="3", skip=2, delimiter="blank", decimal="comma")
        self.assertEqual(compared.choice, "coulomb")
        with self.assertRaises(st.Error):
            st.identify(path, decimal="dot")

    def test_a_mass_for_each_record(self):
        records = [record(2.0), record(4.0)]
        right = st.identify(records, model="stiction", mass=[2.0, 4.0])
        # both bodies meet the same friction
        self.assertAlmostEqual(right["fc"].value, 3.0, delta=0.01)
        self.assertLess(right.scores["rms"], st.identify(records, model="stiction", mass=3.0).scores["rms"])
        with self.assertRaises(st.Error) as refused:
            st.identify(records, model="stiction", mass=[1.0, 2.0, 3.0])
        self.assertIn("each record", refused.exception.hint)
        with self.assertRaises(st.Error):
            st.identify(records, model="stiction", mass=-1.0)

    def test_loads_of_records_have_a_name(self):
        records = []
        for load in (1.0, 2.0, 3.0):
            t, x, _ = motion(1.0)
            v = 0.1 * np.sin(t)
            records.append({"t": t, "x": x, "force": 0.5 * load * np.sign(v) + 0.01 * np.random.default_rng(1).standard_normal(t.size)})
        fit = st.identify(records, find="load", mass=0, load=[1.0, 2.0, 3.0], load_name="preload", load_unit="bar")
        self.assertIn("preload", fit._core.html())
        self.assertIn("bar", fit._core.html())

    def test_cross_validation_by_intervals(self):
        few, many = (st.identify(record(2.0), model="stiction", leave=count) for count in (2, 20))
        # the fit is the same, what was left out is not
        self.assertEqual(few.estimates, many.estimates)
        self.assertNotEqual(few.scores["validation"], many.scores["validation"])
        for wrong in (1, 101, "rows"):
            with self.subTest(wrong), self.assertRaises(st.Error):
                st.identify(record(2.0), model="stiction", leave=wrong)

    def test_a_law_is_checked_on_other_records(self):
        fit = st.identify(record(2.0), model="stiction")
        path = self.folder / "found.toml"
        fit.law.save(path)
        for law in (fit.law, path):
            check = st.identify(record(2.0), check=law)
            # the noise of the record alone is left
            self.assertAlmostEqual(check.scores["rms"], 0.01, delta=0.002)
        other = st.identify(record(2.0), check=fit.law.replace(fc=2.0, fs=2.0))
        self.assertAlmostEqual(other.scores["rms"], 1.0, delta=0.05)
        with self.assertRaises(st.Error) as no_mass:
            st.identify(record(2.0), check=st.Law("coulomb"))
        self.assertIn("mass", no_mass.exception.hint)
        with self.assertRaises(st.Error) as unused:
            st.identify(record(2.0), check=fit.law, robust="huber")
        self.assertIn("robust", unused.exception.message)

    def test_a_scenario_is_checked_on_other_records(self):
        block = (
            st.System("A pushed block", end=4)
            .body("block", mass=2)
            .contact("floor", body="block", law="stiction", fc=1, fs=1, fv=1)
            .force("push", on="block", force=0)
            .identify(free={"level": [0, 10]}, set={"contact.floor.fc": "level", "contact.floor.fs": "level"},
                      input={"force.push.force": "u"}, match={"block.x": "x"})
        ).scenario()
        t = 0.02 * np.arange(200)
        log = {"t": t, "u": np.full(200, 6.0), "x": 3 * (t - 2 * (1 - np.exp(-t / 2)))}
        fit = st.identify(log, scenario=block)
        self.assertLess(st.identify(log, check=fit.scenario).scores["mae"], 1e-3)
        held = st.identify(log, check=fit.scenario, set={"level": 1.0})
        self.assertGreater(held.scores["mae"], 0.1)


if __name__ == "__main__":
    unittest.main()
