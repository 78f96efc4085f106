"""The book's table of lines of code: every program runs, programs for one task agree, and the table has their numbers of lines."""

import contextlib
import io
import os
import re
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "comparison"
CHAPTER = ROOT.parent / "docs" / "python.md"
TOOLS = {"stiction": "stiction", "scipy": "SciPy", "control": "python-control", "mujoco": "MuJoCo sysid"}


def write_log(folder):
    """2 kg moved to and fro against 3 N and 5 N·s/m, with a little noise, as log.csv."""
    t = np.arange(2000) * 5e-3
    noise = 0.01 * np.random.default_rng(3).standard_normal(t.size)
    v = 0.1 * np.sin(t)
    columns = [t, -0.1 * np.cos(t), 0.2 * np.cos(t) + 3.0 * np.sign(v) + 5.0 * v + noise]
    np.savetxt(Path(folder) / "log.csv", np.column_stack(columns), "%.17g", ",", header="t,x,force", comments="")


def lines(program):
    """Lines that are neither empty nor comments."""
    text = program.read_text(encoding="utf-8")
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("#"))


class Comparison(unittest.TestCase):
    def run_all(self, task):
        """The results of the programs whose libraries are there."""
        results = {}
        for tool in TOOLS:
            program = PROGRAMS / f"{task}.{tool}.py"
            if not program.exists():
                continue
            names = {}
            before = os.getcwd()
            with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                write_log(folder)
                os.chdir(folder)
                try:
                    exec(compile(program.read_text(encoding="utf-8"), str(program), "exec"), names)
                except ImportError as error:
                    with self.subTest(tool):
                        self.skipTest(f"{error.name} is not there")
                    continue
                finally:
                    os.chdir(before)
            results[tool] = names["result"]
        return results

    def test_stick_slip(self):
        found = self.run_all("stick-slip")
        if "scipy" not in found:
            return
        # SciPy's run keeps a relative error of 1e-9 a step over some thousand steps
        self.assertAlmostEqual(found["scipy"], found["stiction"], delta=1e-6 * found["stiction"])

    def test_identify(self):
        for tool, found in self.run_all("identify").items():
            for name, truth in (("mass", 2.0), ("fc", 3.0), ("fv", 5.0)):
                low, high = found[name]
                error = abs(0.5 * (low + high) - truth)
                if tool == "mujoco":
                    # The force jumps by 6 N where the motion turns. It simulates with a force that is linear over the 5 ms between samples, an impulse of up to
                    # 6 N · 2.5 ms of a momentum of 0.2 N·s; its intervals, which are those of white noise on the position, do not know that.
                    self.assertLess(error, 0.075 * truth, name)
                else:
                    # three half-widths about the middle: beyond chance
                    self.assertLess(error, 1.5 * (high - low), f"{tool}: {name}")

    def test_servo(self):
        found = self.run_all("servo")
        if "control" not in found:
            return
        # the error is sampled every millisecond: half a sample from its peak, (3 rad/s · 1 ms)²/2 of it are missing, 5e-6, and more where friction
        # bends it
        self.assertAlmostEqual(found["control"], found["stiction"], delta=1e-4 * found["stiction"])

    def test_firmware(self):
        self.assertIn("_step", self.run_all("firmware")["stiction"])

    @unittest.skipUnless(CHAPTER.exists(), "the book is not there")
    def test_the_table_counts_these_programs(self):
        rows = re.findall(r"^\| [^|]*\| `([a-z-]+)` \|(.*)\|$", CHAPTER.read_text(encoding="utf-8"), re.MULTILINE)
        tasks = {task: [cell.strip() for cell in cells.split("|")] for task, cells in rows}
        self.assertEqual(sorted(tasks), sorted({path.name.split(".")[0] for path in PROGRAMS.glob("*.py")}))
        for task, cells in tasks.items():
            for tool, cell in zip(TOOLS, cells, strict=True):
                program = PROGRAMS / f"{task}.{tool}.py"
                if program.exists():
                    self.assertEqual(cell, str(lines(program)), program.name)
                else:
                    self.assertFalse(cell.isdigit(), f"there is no program for {task} with {tool}")


if __name__ == "__main__":
    unittest.main()
