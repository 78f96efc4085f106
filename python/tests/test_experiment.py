"""Designed experiments keep to the limits of the axis, and identify what they promise."""

import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np
import stiction as st


class Experiments(unittest.TestCase):
    def design(self) -> st.Experiment:
        return st.excite(st.Law("coulomb", fc=2.0), stroke=0.1, speed=0.2, acceleration=5.0, duration=4.0, rate=200.0)

    def test_the_motion_keeps_to_the_limits(self) -> None:
        test = self.design()
        # the largest values are those of the commands, to rounding
        self.assertLessEqual(np.abs(test.v).max(), 0.2 * (1 + 1e-12))
        self.assertLessEqual(np.abs(test.a).max(), 5.0 * (1 + 1e-12))
        self.assertGreaterEqual(test.x.min(), -1e-12)
        self.assertLessEqual(test.x.max(), 0.1 * (1 + 1e-12))
        self.assertLessEqual(test.t[-1], 4.0)
        self.assertEqual(test.units, {"t": "s", "x": "m", "v": "m/s", "a": "m/s²", "friction": "N"})
        # 1 % of the largest friction
        self.assertAlmostEqual(test.noise, 0.02)
        self.assertEqual(test.errors["fc"].value, 2.0)
        # at best as many independent samples as there are
        self.assertGreater(test.errors["fc"].error, 0.5 * test.noise / np.sqrt(len(test)))

    def test_it_is_written_as_the_program_does_and_pickles(self) -> None:
        test = self.design()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "test.csv"
            test.save(path)
            self.assertEqual(path.read_text(encoding="utf-8").splitlines()[0], "t [s],x [m],v [m/s],a [m/s²]")
            self.assertTrue(np.array_equal(np.loadtxt(path, delimiter=",", skiprows=1)[:, 1], test.x))
        again = pickle.loads(pickle.dumps(test))
        self.assertTrue(np.array_equal(again.x, test.x))
        self.assertEqual(again.errors, test.errors)

    def test_limits_that_are_missing(self) -> None:
        with self.assertRaisesRegex(st.Error, "nothing limits the acceleration"):
            st.excite("coulomb", stroke=0.1, speed=0.2)
        with self.assertRaisesRegex(st.Error, "force without mass"):
            st.excite("coulomb", stroke=0.1, speed=0.2, force=20.0)


if __name__ == "__main__":
    unittest.main()
