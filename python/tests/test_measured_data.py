"""Files of measured data: read, examined, converted; their columns go into a fit."""

import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import stiction as st


class Logs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text: str, name: str = "log.csv") -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_columns_come_as_arrays_with_their_quality(self):
        log = st.data(self.write("t [s];q [mm]\n0;0,5\n0,01;0,75\n0,02;\n0,03;1\n"))
        np.testing.assert_array_equal(log["q"], [0.5, 0.75, np.nan, 1.0])
        self.assertEqual((log.columns, log.units, log.time, len(log)), (["t", "q"], {"t": "s", "q": "mm"}, "t", 4))
        self.assertFalse(log["q"].flags.writeable)
        self.assertAlmostEqual(log.data["time"]["step"]["median"], 0.01)
        self.assertEqual(log.data["signals"][0]["missing"]["count"], 1)
        self.assertIn("missing", str(log))
        self.assertIn("<svg", log._repr_html_())
        again = pickle.loads(pickle.dumps(log))
        self.assertEqual(again, log)
        with self.assertRaises(st.UnknownName):
            log["p"]

    def test_expressions_are_converted_to_other_files(self):
        path = self.write("t,i\n0,1\n1,2\n2,4\n")
        log = st.data(path, {"force [N]": "kt*i", "big": "i>=2"}, constants=dict(kt=42.0))
        self.assertEqual(log.columns, ["t", "force", "big"])
        np.testing.assert_array_equal(log["big"], [0.0, 1.0, 1.0])
        for name in ("force.csv", "force.parquet"):
            log.save(self.folder / name)
            other = st.data(self.folder / name)
            np.testing.assert_array_equal(other["force"], [42.0, 84.0, 168.0])
            self.assertEqual(other.units["force"], "N")
        with self.assertRaises(st.Error) as refused:
            log.save(self.folder / "force.txt")
        self.assertIn(".parquet", refused.exception.hint)
        with self.assertRaises(st.Error) as unknown:
            st.data(path, "current")
        self.assertEqual(unknown.exception.message.count("current"), 1)

    def test_text_that_is_not_recognised_can_be_described(self):
        path = self.write("made by a rig\n1 5,5\n2 6,5\n3 7,5\n", "old.txt")
        log = st.data(path, skip=1, delimiter="blank", decimal="comma", time="1")
        np.testing.assert_array_equal(log[log.columns[1]], [5.5, 6.5, 7.5])
        for wrong in (dict(decimal="dot"), dict(delimiter="::"), dict(skip=-1)):
            with self.subTest(wrong), self.assertRaises(st.Error) as refused:
                st.data(path, **wrong)
            self.assertTrue(refused.exception.hint)

    def test_a_delay_is_found(self):
        a = np.random.default_rng(1).standard_normal(400)
        rows = "".join(f"{k},{a[k]},{a[max(k - 3, 0)]}\n" for k in range(400))
        log = st.data(self.write("t,a,b\n" + rows), delay=("a", "b"))
        # white noise correlates at one lag alone; the parabola through three values moves it by a part of a sample
        self.assertAlmostEqual(log.data["delay"]["samples"], 3.0, delta=0.1)
        self.assertIn("b lags behind a", str(log))

    def test_bad_times_are_a_note(self):
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            log = st.data(self.write("t,x\n0,1\n1,2\n0.5,3\n0.2,3\n0.1,3\n2,4\n"))
        self.assertTrue(any(issubclass(note.category, st.Note) for note in notes), [str(note.message) for note in notes])
        self.assertEqual(log.data["time"]["backwards"]["count"], 3)

    def test_a_log_is_a_record_of_a_fit_with_its_units(self):
        t = np.arange(2000) * 5e-3
        x, v = -0.1 * np.cos(t), 0.1 * np.sin(t)
        force = 0.2 * np.cos(t) + 3.0 * np.sign(v) + 5.0 * v
        rows = "".join(f"{a!r},{b!r},{c!r}\n" for a, b, c in zip(t.tolist(), (1e3 * x).tolist(), force.tolist(), strict=True))
        path = self.write("t [s],q [mm],f [N]\n" + rows)
        options = dict(position="q", force="f", model="stiction")
        of_log, of_file = (st.identify(source, **options) for source in (st.data(path), path))
        self.assertEqual(of_log.estimates, of_file.estimates)
        # 2 kg, and millimetres by the unit of the column
        self.assertAlmostEqual(of_log["mass"].value, 2.0, delta=0.01)


if __name__ == "__main__":
    unittest.main()
