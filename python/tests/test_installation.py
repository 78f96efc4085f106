"""The installation checks itself; the experiments of the papers are within reach."""

import pickle
import platform
import tempfile
import unittest
from pathlib import Path

import numpy as np
import stiction as st


class Installed(unittest.TestCase):
    def test_doctor_finds_nothing_wrong(self):
        found = st.doctor()
        self.assertTrue(found.ok, str(found))
        self.assertEqual(found.data["stiction"], st.__version__)
        named = {one["what"]: one["value"] for one in found.data["python"]}
        self.assertEqual((named["version"], named["NumPy"]), (platform.python_version(), np.__version__))
        self.assertIn("Everything is in order", str(found))
        self.assertEqual(pickle.loads(pickle.dumps(found)), found)


class PaperFigures(unittest.TestCase):
    def test_experiments_of_papers(self):
        found = st.figures("b1", "G1")
        self.assertEqual(list(found), ["G1", "B1"])
        spring = found["b1"]
        # it stops after five half swings at 10 rad/s
        self.assertAlmostEqual(spring.values["t_stop"], 0.5 * np.pi, delta=1e-9)
        self.assertEqual((spring.units["t_stop"], spring.title), ("s", st.experiments()["B1"]))
        self.assertIn("Tribology International", spring.source)
        self.assertTrue(found.figures["g1"].startswith("<svg"))
        self.assertIn(spring.title, found._repr_html_())
        self.assertEqual(pickle.loads(pickle.dumps(found)), found)
        with tempfile.TemporaryDirectory() as folder:
            found.save(folder)
            names = {path.name for path in Path(folder).iterdir()}
            self.assertLessEqual({"index.html", "summary.json", "g1.svg", "g1.png", "b1-dark.svg"}, names)
        with self.assertRaises(st.Error) as unknown:
            st.figures("A77")
        self.assertTrue(unknown.exception.hint)


if __name__ == "__main__":
    unittest.main()
