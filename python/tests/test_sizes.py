"""Large arrays and plans: memory is that of inputs and outputs, and of nothing that grows with the points."""

import subprocess
import sys
import unittest

from stiction import _native

try:
    import resource
except ImportError:
    resource = None

SAMPLES = 100_000_000 if _native.optimised else 2_000_000
"""A sample takes a microsecond without optimisation."""
NEEDED = 4 * 8 * SAMPLES
"""Bytes: velocities, forces and one state, and as much again for the machine."""


def measured(program):
    """The numbers that a program in a process of its own prints: its memory has no history."""
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return [int(word) for word in found.stdout.split()]


def available():
    """Bytes of memory that programs can have."""
    with open("/proc/meminfo", encoding="ascii") as file:
        found = next(line for line in file if line.startswith("MemAvailable"))
    return 1024 * int(found.split()[1])


@unittest.skipIf(resource is None or sys.platform != "linux", "peaks of memory of Linux")
class Sizes(unittest.TestCase):
    def test_a_long_motion_needs_its_inputs_and_outputs_alone(self):
        if _native.optimised and available() < NEEDED:
            self.skipTest(f"needs {NEEDED / 2**30:.1f} GiB of free memory")
        grown, outputs = measured(
            "import resource, numpy as np, stiction as st\n"
            "def peak(): return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
            "law = st.Law('dahl')\n"
            "law.along(np.zeros(1000), dt=1e-4)\n"
            f"v = np.full({SAMPLES}, 1e-3)\n"
            "before = peak()\n"
            "force, states = law.along(v, dt=1e-4)\n"
            "print(peak() - before, force.nbytes + states.nbytes)\n"
        )
        # beyond the outputs: what the allocator rounds up, far below one more column
        self.assertLess(grown - outputs, 2 * 2**20)

    def test_a_plan_does_not_grow_with_its_points(self):
        grown = measured(
            "import resource, stiction as st\n"
            "def peak(): return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
            "def plan(n): return st.Sweep('g5', vary={'mass': '1:2', 'sine.amplitude': '1:2'}, measure='v.max', random=n)\n"
            "plan(10).values(9)\n"
            "before = peak()\n"
            "for n in (10**7, 10**9):\n"
            "    sweep = plan(n)\n"
            "    assert len(sweep) == n and 1.0 <= sweep.values(n - 1)['mass'] <= 2.0\n"
            "    print(peak() - before)\n"
        )
        # one number for each of 10^7 points would be 80 MB
        self.assertLess(max(grown), 4 * 2**20)


if __name__ == "__main__":
    unittest.main()
