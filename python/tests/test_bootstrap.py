"""Bootstraps and several starts of fits: against standard errors, and the same numbers on a cluster whose worker is killed."""

import os
import signal
import sys
import threading
import time
import unittest
from types import SimpleNamespace

import numpy as np
import stiction as st
from stiction import _native
from stiction._fit_request import best_start

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_plant import BLOCK, log  # noqa: E402

try:
    import distributed
except ImportError:
    distributed = None

NOISE = 0.05
COUNT = 400 if _native.optimised else 40
"""Refits: each takes a tenth of a second without optimisation."""


def record():
    """Friction of 2 N that is rounded off within a few mm/s, with white noise."""
    t = np.arange(1000 if _native.optimised else 300) * 1e-2
    v = 0.02 * np.sin(3.0 * t)
    force = st.Law("coulomb-tanh", fc=2.0, ktanh=300.0).steady(v)
    force = force + NOISE * np.random.default_rng(5).standard_normal(t.size)
    return dict(time=t, velocity=v, force=force, model="coulomb-tanh", mass=0.0, offset=False, filter="none", free=["fc", "ktanh"])


class Bootstraps(unittest.TestCase):
    def test_refits_scatter_as_the_standard_errors_say(self):
        fit = st.identify(**record(), bootstrap=COUNT, seed=3)
        for name, truth in (("fc", 2.0), ("ktanh", 300.0)):
            values = fit.bootstrap[name]
            self.assertEqual(values.shape, (COUNT,))
            # three times the error of a standard deviation, 1/sqrt(2 n), and a tenth: those of the fit allow for correlation that is not there
            slack = 0.1 + 3.0 / np.sqrt(2.0 * COUNT)
            self.assertLess(abs(values.std(ddof=1) / fit[name].error - 1.0), slack, name)
            self.assertLess(abs(values.mean() - fit[name].value), 5.0 * fit[name].error / np.sqrt(COUNT))
            low, high = fit.bootstrap_interval(name)
            self.assertTrue(low < fit[name].value < high)
            # quantiles in the tails are known half as well as the deviation
            self.assertLess(abs((high - low) / np.diff(fit[name].interval)[0] - 1.0), 2.0 * slack)
            self.assertLess(abs(fit[name].value - truth), 4.0 * fit[name].error)

    def test_a_refit_depends_on_seed_and_number_alone(self):
        few, more, other = (st.identify(**record(), bootstrap=n, seed=s).bootstrap for n, s in ((4, 1), (9, 1), (4, 2)))
        for name in few:
            np.testing.assert_array_equal(few[name], more[name][:4])
            self.assertGreater(np.abs(few[name] - other[name]).min(), 0.0)

    @unittest.skipUnless(_native.optimised, "takes minutes without optimisation")
    def test_scenarios(self):
        block = st.Scenario.parse(BLOCK, "block.toml")
        fit = st.identify([log(9.0, 1), log(5.0, 2)], scenario=block, white=True, bootstrap=12)
        for name in ("level", "fv"):
            # the standard deviation of 12 draws is known to 20 %; the white errors may be raised by those between records
            ratio = fit.bootstrap[name].std(ddof=1) / fit[name].error
            self.assertTrue(0.2 < ratio < 2.0, (name, ratio))

    @unittest.skipUnless(_native.optimised, "takes minutes without optimisation")
    def test_the_best_of_several_starts(self):
        one, best = st.identify(**record()), st.identify(**record(), starts=3, seed=4)
        # the same minimum, to the tolerance of the fit
        np.testing.assert_allclose(best["ktanh"].value, one["ktanh"].value, rtol=1e-6)
        self.assertLessEqual(best.scores["rms"], one.scores["rms"] * (1.0 + 1e-9))

    def test_every_start_searches_with_another_seed(self):
        class Request:
            searches = []

            def fit(self, search, progress):
                self.searches.append(search)
                return SimpleNamespace(scores={"rms": 1.0})

        for seed, wanted in ((0, [1, 2, 3]), (4, [5, 6, 7])):
            Request.searches.clear()
            best_start(Request(), 3, seed, None, False)
            self.assertEqual(Request.searches, wanted)

    def test_mistakes(self):
        data = record()
        with self.assertRaisesRegex(st.Error, "no bootstrap"):
            _ = st.identify(**data).bootstrap
        for options, text in (
            (dict(bootstrap=-1), "bootstrap"),
            (dict(starts=0), "starts"),
            (dict(model="coulomb", bootstrap=3), "along the motion"),
            # fitted to velocity steps
            (dict(model="ruina", bootstrap=3), "along the motion"),
            (dict(model="ruina", starts=3), "along the motion"),
            (dict(delay="auto", bootstrap=3), "delay"),
            (dict(client=object()), "nothing for the client"),
        ):
            arguments = {**data, **options}
            if "model" in options:
                arguments.pop("free")
            with self.assertRaisesRegex(st.Error, text, msg=str(options)):
                st.identify(**arguments)
        fit = st.identify(**data, bootstrap=2)
        with self.assertRaises(st.UnknownName):
            fit.bootstrap_interval("fs")
        with self.assertRaisesRegex(st.Error, "level"):
            fit.bootstrap_interval("fc", 95)

    def test_progress_is_told(self):
        told = []
        t = np.arange(5000) * 1e-3
        v = 2e-3 * np.cos(5.0 * t)
        friction, _ = st.Law("dahl").along(v, dt=1e-3)
        st.identify(time=t, velocity=v, force=friction, model="dahl", mass=0.0, filter="none", progress=told.append)
        self.assertEqual(told, sorted(told))
        self.assertTrue(told and 0 <= told[0] and told[-1] <= 1000, told)


@unittest.skipIf(distributed is None, "dask.distributed is not there")
class Cluster(unittest.TestCase):
    @unittest.skipUnless(_native.optimised, "takes minutes without optimisation")
    def test_a_killed_worker_costs_its_share_only(self):
        alone = st.identify(**record(), bootstrap=COUNT, seed=7)
        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            started = st.identify(**record(), starts=3, seed=4, client=client)
            self.assertEqual(started.estimates, st.identify(**record(), starts=3, seed=4).estimates)
            pid = next(iter(client.run(os.getpid).values()))

            def kill():
                time.sleep(0.3)
                os.kill(pid, signal.SIGKILL)

            killer = threading.Thread(target=kill)
            killer.start()
            spread = st.identify(**record(), bootstrap=COUNT, seed=7, client=client)
            killer.join()
        self.assertEqual(spread.estimates, alone.estimates)
        for name, values in alone.bootstrap.items():
            np.testing.assert_array_equal(spread.bootstrap[name], values)


if __name__ == "__main__":
    unittest.main()
