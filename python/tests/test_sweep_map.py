"""Maps of sweeps: of tables and of files, as grids, sections and curves."""

import os
import pickle
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import stiction as st

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_sweep import slide  # noqa: E402


class Maps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        vary = {"fc": [2.0, 3.0, 4.0], "block.v": [0.5, 1.0], "mass": [1.0, 2.0]}
        cls.table = st.Sweep(slide(), vary=vary, measure=["x.final", "v.max"]).run(cls.folder / "slide.parquet")

    def test_a_table_and_its_file_are_drawn_alike(self):
        maps = [st.map(source, at={"mass": 1.1}) for source in (self.table, self.table.path, self.table.at(None))]
        for one in maps:
            # a block of 1 kg stops after v²/(2 fc)
            np.testing.assert_allclose(one.values, one.y**2 / (2.0 * one.x), rtol=1e-9)
            self.assertEqual((len(one.x), bool(one.failed.any()), one.data["grid"]), (6, False, True))
            self.assertEqual(one.data["color"]["label"], "x.final [m]")
            self.assertIn("<svg", one._repr_html_())
            self.assertEqual(one, maps[0])
            self.assertEqual(pickle.loads(pickle.dumps(one)), one)

    def test_expressions_lines_and_levels(self):
        options = dict(x="mass", y="fc", at={"block.v": 1.0})
        plain = st.map(self.table, color="x.final*fc/mass", contours=(), **options)
        # v²/2 for every point
        np.testing.assert_allclose(plain.values, 0.5, rtol=1e-9)
        lined = st.map(self.table, color="x.final", lines={"border": ([1.0, 2.0], [2.0, 4.0])}, log=True, **options)
        self.assertIn("border", lined.figures["map"])
        self.assertNotIn("border", plain.figures["map"])

    def test_one_varied_value_is_a_curve(self):
        curve = st.map(st.Sweep(slide(), vary={"fc": [4.0, 2.0, 3.0]}, measure="x.final").run())
        np.testing.assert_allclose(curve.y, 0.5 / curve.x, rtol=1e-9)
        self.assertEqual([x for x, _ in curve.data["curve"]], [2.0, 3.0, 4.0])

    def test_arrays_that_are_spaced_by_equal_factors_have_a_logarithmic_axis(self):
        for values, log in ((np.geomspace(2.0, 8.0, 5), True), (np.linspace(2.0, 8.0, 5), False), ("log:2:8:5", True)):
            with self.subTest(values):
                found = st.map(st.Sweep(slide(), vary={"fc": values, "block.v": [0.5, 1.0]}, measure="x.final").run())
                self.assertEqual(found.data["x"]["log"], log)

    def test_mistakes_have_hints(self):
        for wrong, hint in [
            (dict(), "at"),
            (dict(x="fcc"), "did you mean 'fc'"),
            (dict(at={"mass": 1}, lines={"a": ([1.0], [1.0, 2.0])}), "as many"),
        ]:
            with self.subTest(wrong), self.assertRaises(st.Error) as refused:
                st.map(self.table, **wrong)
            self.assertIn(hint, refused.exception.hint)


if __name__ == "__main__":
    unittest.main()
