"""Arrays of every kind: no crash, no copy where none is needed, and the same numbers."""

import subprocess
import sys
import threading
import unittest

import numpy as np
import stiction as st
from stiction._arrays import as_floats


def kinds(v):
    """The same numbers in other arrays."""
    padded = np.zeros((v.size, 3))
    padded[:, 1] = v
    record = np.zeros(v.size, dtype=[("a", "i1"), ("v", "f8")])
    record["v"] = v
    frozen = v.copy()
    frozen.flags.writeable = False
    return {
        "list": v.tolist(),
        "tuple": tuple(v.tolist()),
        "objects": v.astype(object),
        "strided": padded[:, 1],
        "backwards": v[::-1].copy()[::-1],
        "unaligned": record["v"],
        "other byte order": v.astype(v.dtype.newbyteorder()),
        "read-only": frozen,
        "Fortran": np.asfortranarray(v),
    }


class Arrays(unittest.TestCase):
    def test_every_kind_gives_the_same(self):
        law, v = st.Law("lugre"), 1e-3 * np.sin(np.arange(500.0))
        force, z = law.along(v, dt=1e-3)
        for name, other in kinds(v).items():
            found, states = law.along(other, dt=1e-3)
            np.testing.assert_array_equal(found, force, err_msg=name)
            np.testing.assert_array_equal(states, z, err_msg=name)
            np.testing.assert_array_equal(law.steady(other), law.steady(v), err_msg=name)
        for dtype in ("f4", "f2", "i4", "u1", "?"):
            whole = np.array([0, 1, 1, 0], dtype=dtype)
            np.testing.assert_array_equal(law.steady(whole), law.steady(whole.astype(float)), err_msg=dtype)

    def test_contiguous_arrays_are_not_copied(self):
        v = np.zeros(10)
        self.assertIs(as_floats("v", v), v)
        frozen = np.zeros(10)
        frozen.flags.writeable = False
        self.assertTrue(np.shares_memory(as_floats("v", frozen), frozen))

    def test_inputs_stay_as_they_are(self):
        v = np.linspace(-1, 1, 100)
        before = v.copy()
        st.Law("lugre").along(v, dt=1e-3)
        np.testing.assert_array_equal(v, before)

    def test_what_is_not_a_number_is_refused(self):
        law = st.Law("lugre")
        wrong = [
            np.array([1.0, np.nan]),
            np.array([np.inf]),
            np.array([1e300]),
            np.array([1j]),
            np.array(["1"]),
            np.array([b"1"]),
            np.array(["2020-01-01"], dtype="M8[s]"),
            np.array([object()]),
            [[1.0], [1.0, 2.0]],
            np.ma.masked_array([1.0, 2.0], [False, True]),
            None,
            {},
        ]
        for v in wrong:
            with self.assertRaises(ValueError, msg=repr(v)):
                law.steady(v)
        for v in [*wrong, np.zeros((2, 2)), 1.0]:
            with self.assertRaises(ValueError, msg=repr(v)):
                law.along(v, dt=1e-3)
        for more in (
            dict(dt=-1.0),
            dict(dt=np.nan),
            dict(dt=[1.0, 2.0]),
            dict(dt=[]),
            dict(dt=1.0, load=[1.0]*4),
            dict(dt=1.0, load=np.inf),
            # beyond the loads that laws compute with, 1e12
            dict(dt=1.0, load=1e13),
            dict(dt=1.0, load=[1.0, 1e13, 1.0]),
            dict(dt=1.0, state=[]),
            dict(dt=1.0, state=[np.nan]),
            dict(dt=1.0, state=[np.inf]),
            dict(dt=1.0, state=[0.0, 0.0]),
            dict(dt=1.0, state=[[0.0]]),
        ):
            with self.assertRaises(ValueError, msg=repr(more)):
                law.along([0.1, 0.2, 0.3], **more)
        for z in ([], [0.0, 0.0], 1.0, [[0.0]], ["z"], [np.nan]):
            with self.assertRaises(ValueError, msg=repr(z)):
                law.flow(0.1, z)

    def test_inputs_that_laws_would_clip_are_refused(self):
        law = st.Law("lugre")
        for call in (
            lambda: law.flow(1e16, [0.0]),
            lambda: law.flow(0.1, [0.0], load=1e13),
            lambda: law.settled(1e16),
            lambda: law.at_rest(load=1e13),
        ):
            with self.assertRaises(st.Error):
                call()

    @unittest.skipUnless(sys.platform == "linux", "limits of memory as Linux has them")
    def test_too_little_memory_is_an_error(self):
        # an abort would end the interpreter
        code = (
            "import resource, numpy as np, stiction as st\n"
            "law, scenario, v = st.Law('gms'), st.Scenario('g5'), np.zeros(2_000_000)\n"
            "scenario.run()\n"
            "pages = int(open('/proc/self/statm').read().split()[0])\n"
            "limit = pages * resource.getpagesize() + 30_000_000\n"
            "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
            # 16 MB of force, and as much for every state; runs of 35 million rows
            "for call in (lambda: law.along(v, dt=1e-3), lambda: law.steady(np.zeros(10_000_000)), lambda: scenario.run(end=3.5, sample=1e-7)):\n"
            "    try:\n"
            "        call()\n"
            "    except MemoryError:\n"
            "        print('MemoryError')\n"
        )
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
        self.assertEqual((found.stdout, found.returncode), ("MemoryError\n" * 3, 0), found.stderr)

    def test_empty_arrays_are_fine(self):
        law = st.Law("lugre")
        force, z = law.along([], dt=1e-3)
        self.assertEqual((force.shape, z.shape, law.steady([]).shape), ((0,), (0, 1), (0,)))
        self.assertEqual(st.Law("coulomb").along([], dt=1e-3)[1].shape, (0, 0))

    def test_random_calls_raise_or_compute(self):
        rng = np.random.default_rng(7)
        names = st.laws()
        specials = np.array([0.0, -0.0, 5e-324, 1e-308, 1e-9, 1.0, 1e9, 1e200, np.inf, -np.inf, np.nan])
        for _ in range(300):
            law = st.Law(str(rng.choice(names)))
            n = int(rng.integers(0, 5))
            v, load = rng.choice(specials, n), rng.choice(specials, int(rng.integers(0, 5)))
            try:
                force, _ = law.along(v, dt=rng.choice(specials), load=load)
            except st.Error:
                continue
            self.assertEqual(force.size, n)
            self.assertFalse(np.isnan(force).any(), (law, v, load))

    def test_threads_run_at_the_same_time(self):
        law, v = st.Law("lugre"), 1e-3 * np.sin(np.arange(200_000.0))
        alone, _ = law.along(v, dt=1e-4)
        found = [np.empty(0)] * 4

        def work(k):
            found[k] = law.along(v, dt=1e-4)[0]

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        [thread.start() for thread in threads]
        count = 0
        # this thread counts only while the others do not hold the interpreter's lock
        while any(thread.is_alive() for thread in threads):
            count += 1
        [thread.join() for thread in threads]
        for force in found:
            np.testing.assert_array_equal(force, alone)
        self.assertGreater(count, 100)


if __name__ == "__main__":
    unittest.main()
