"""The notebooks run from top to bottom, and what they assert holds."""

import contextlib
import importlib.util
import io
import json
import os
import tempfile
import unittest
from pathlib import Path

from stiction import _native

FOLDER = Path(__file__).parents[1] / "notebooks"
# Notebooks that take minutes without optimisation, or need SciPy.
SLOW = {"bifurcation-map", "rate-and-state"}
WITH_SCIPY = {"rate-and-state"}


def has(package):
    return importlib.util.find_spec(package) is not None


@unittest.skipUnless(FOLDER.exists(), "the notebooks are not there")
class Notebooks(unittest.TestCase):
    def run_notebook(self, name):
        if name in SLOW and not _native.optimised:
            self.skipTest("takes minutes without optimisation")
        if name in WITH_SCIPY and not has("scipy"):
            self.skipTest("SciPy is not there")
        cells = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        names = {"__name__": "__main__"}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for k, cell in enumerate(cells):
                    plots = "plot" in cell["metadata"].get("tags", ())
                    if cell["cell_type"] != "code" or (plots and not has("matplotlib")):
                        continue
                    self.assertEqual(cell["outputs"], [], "notebooks are kept without outputs")
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(compile("".join(cell["source"]), f"{name}.ipynb, cell {k}", "exec"), names)
            finally:
                os.chdir(before)

    def test_all_are_tried(self):
        self.assertEqual(sorted(path.stem for path in FOLDER.glob("*.ipynb")), sorted(GALLERY))

    def test_asserts_are_there(self):
        for name in GALLERY:
            self.assertGreaterEqual((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8").count("assert "), 3, name)


GALLERY = ("bifurcation-map", "log-to-compensator", "rate-and-state", "stick-slip", "which-law", "your-own-law")
for _name in GALLERY:
    setattr(Notebooks, f"test_{_name.replace('-', '_')}", lambda self, name=_name: self.run_notebook(name))


if __name__ == "__main__":
    unittest.main()
