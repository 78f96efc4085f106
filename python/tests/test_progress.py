"""Progress: only what changes, only of what takes long, and nothing of it is left."""

import io
import sys
import types
import unittest
import unittest.mock

from stiction import _progress
from stiction._progress import Bar


class Progress(unittest.TestCase):
    def test_a_function_is_told_what_changes_and_the_end(self):
        told = []
        with Bar(10, told.append) as bar:
            for done in (0, 0, 3, 3, 3, 7):
                bar(done)
        self.assertEqual(told, [0, 3, 7, 10])
        told.clear()
        with self.assertRaises(KeyError), Bar(10, told.append) as bar:
            bar(3)
            raise KeyError
        self.assertEqual(told, [3], "what failed is not finished")

    def line(self, times):
        """What is written by a line whose calls come at these times."""
        out, clock = io.StringIO(), iter(times)
        with (
            unittest.mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}),
            unittest.mock.patch.object(_progress, "is_watched", lambda: True),
            unittest.mock.patch.object(_progress.time, "monotonic", lambda: next(clock)),
            unittest.mock.patch("sys.stderr", out),
            Bar(1000, True, "thousandth") as bar,
        ):
            for done in range(len(times) - 2):
                bar(100 * done)
        return out.getvalue()

    def test_a_line_comes_after_a_second_and_goes_at_the_end(self):
        # the first time is that of the beginning, the last that of the end
        self.assertEqual(self.line([0.0, 0.1, 0.4, 0.9, 0.95]), "")
        text = self.line([0.0, 0.5, 1.1, 1.2, 1.5, 1.9, 2.2, 2.3])
        self.assertEqual(text.count("of 1000"), 2)
        self.assertEqual(text.rpartition("\r")[2], "", "the line is empty")
        self.assertNotIn("\n", text)

    def test_tqdm_waits_and_leaves_nothing(self):
        made = []

        class Shown:
            n = 0

            def __init__(self, **options):
                made.append((self, options))

            def update(self, more):
                self.n += more

            def close(self):
                self.closed = True

        tqdm = types.ModuleType("tqdm.auto")
        tqdm.tqdm = Shown
        with (
            unittest.mock.patch.dict(sys.modules, {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": tqdm}),
            unittest.mock.patch.object(_progress, "is_watched", lambda: True),
            Bar(10, True) as bar,
        ):
            bar(4)
        shown, options = made[0]
        self.assertEqual((options["delay"], options["leave"], shown.n, shown.closed), (1.0, False, 10, True))


if __name__ == "__main__":
    unittest.main()
