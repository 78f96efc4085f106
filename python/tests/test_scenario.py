"""Scenarios and runs."""

import gc
import importlib
import os
import pickle
import signal
import threading
import time
import unittest
import warnings

import numpy as np
import stiction as st


def needs(name):
    """Skips a test where a package is missing."""
    try:
        importlib.import_module(name)
    except ImportError:
        return unittest.skip(f"{name} is not there")
    return lambda test: test


class Runs(unittest.TestCase):
    def test_columns_events_energy_and_measures(self):
        run = st.Scenario("a7").run(k=2, rtol=1e-8)
        self.assertEqual(run.t.shape, run["block.x"].shape)
        self.assertTrue(np.all(np.diff(run.t) >= 0))
        self.assertEqual((run.units["block.v"], run.complete), ("m/s", True))
        # the period of Åström's slides, as the program prints it
        self.assertAlmostEqual(run.measures["period"], 4.638552689, places=7)
        self.assertLess(abs(run.energy.error), 1e-6 * run.energy.size)
        self.assertIn(("table", "reverse-"), [(event.part, event.kind) for event in run.events])
        self.assertEqual(run.events[-1].t, run.events.t[-1])
        self.assertIn("stiffness = 2", run.scenario)
        self.assertEqual((run.notes, len(st.Scenario("a7").run(end=5.0).notes)), ([], 5))
        self.assertIn("a7", repr(run))
        page = run._repr_html_()
        self.assertTrue("period" in page and "<svg" in page)
        self.assertIn("<td>reverse-</td>", run.events._repr_html_())
        self.assertIn("stiffness", st.Scenario("a7")._repr_html_())

    def test_a_block_under_a_sine_slips_and_sticks_at_the_known_instants(self):
        run = st.Scenario("g5").run(end=3.5)
        self.assertEqual(run.events.kind, ["slip+", "stick"])
        # 1.5 sin t = 1
        self.assertAlmostEqual(run.events[0].t, np.arcsin(1 / 1.5), places=9)

    def test_peaks_between_rows_are_rows_if_asked_for(self):
        scenario = st.Scenario("a7", {"run.sample": 0.5})
        coarse, fine = scenario.run(), scenario.run(peaks=True)
        self.assertLess(len(coarse), len(fine))
        # the measure is the maximum of the motion, and the rows have it only with peaks
        late = fine.t > 30.0
        self.assertAlmostEqual(fine["block.v"][late].max(), fine.measures["v_max"], places=4)
        self.assertLess(coarse["block.v"].max(), fine.measures["v_max"] - 1e-4)

    def test_results_are_read_only(self):
        run = st.Scenario("g5").run()
        with self.assertRaises(ValueError):
            run["t"][0] = 1.0
        with self.assertRaises(KeyError) as raised:
            run["block.y"]
        self.assertIn("did you mean", str(raised.exception))

    def test_arrays_of_analyses_are_read_only(self):
        table = st.Sweep("g5", vary={"mass": [1.0, 2.0]}, measure="v.max").run()
        t = np.arange(2000) * 5e-3
        fit = st.identify(time=t, velocity=0.1 * np.sin(t), force=3.0 * np.sign(np.sin(t)), mass=0.0, model="coulomb")
        arrays = {
            "multipliers": st.cycle("a7").multipliers,
            "jacobians": st.equilibrium("a7")[0].jacobians[0],
            "eigenvalues": st.equilibrium("a7")[0].eigenvalues,
            "table": table["v.max"],
            "grid": table.grid("v.max"),
            "map": st.map(table).failed,
            "covariance": fit.covariance[1],
            "residuals": fit.residuals[0].model,
            "force": st.breakaway("lugre", rate=[1.0, 10.0]).force,
        }
        for name, array in arrays.items():
            self.assertFalse(array.flags.writeable, name)

    def test_no_events_are_said(self):
        run = st.Scenario("g5").run(end=0.1)
        self.assertEqual((len(run.events), run.events._repr_html_()), (0, "<p>no events</p>"))

    def test_arrays_outlive_the_run(self):
        run = st.Scenario("g5").run()
        x, copy = run["block.x"], run["block.x"].copy()
        del run
        gc.collect()
        np.testing.assert_array_equal(x, copy)

    def test_changes_by_path_keyword_and_law(self):
        scenario = st.Scenario("a7", {"run.end": 5.0})
        self.assertEqual(scenario.run().t[-1], 5.0)
        self.assertEqual(scenario.replace(end=6).run().t[-1], 6.0)
        self.assertEqual(scenario.run({"body.block.mass": 2}, end=4).t[-1], 4.0)
        run = scenario.run(table=st.Law("stribeck", fc=1.0))
        self.assertNotIn("table.z", run)
        again = st.Scenario.parse(run.scenario).run()
        np.testing.assert_array_equal(again["block.x"], run["block.x"])
        self.assertEqual(pickle.loads(pickle.dumps(scenario)).run().t[-1], 5.0)

    def test_a_law_file_runs_in_a_contact(self):
        law = st.Law.parse(
            'name = "py-viscous"\nsummary = "Viscous."\n[params]\n'
            'c = { unit = "N*s/m", default = 2.0, min = 0, max = 1e6, doc = "Damping" }\n[equations]\nforce = "c*v"\n'
        )
        run = st.Scenario("a7").run(table=law, end=60.0, rtol=1e-9)
        # the block follows the hand at 2 m/s; the transient decays as exp(-t)
        self.assertAlmostEqual(run["table.force"][-1], 4.0, places=6)

    def test_mistakes(self):
        scenario = st.Scenario("a7")
        for wrong in (dict(kk=2), dict(rtol=5.0), dict(end="soon"), dict(tabel=st.Law("dahl")), dict(k=object())):
            with self.assertRaises(st.Error, msg=str(wrong)):
                scenario.run(**wrong)
        with self.assertRaises(st.Error) as raised:
            st.Scenario("a77")
        self.assertIn("a7", str(raised.exception.hint))
        with self.assertRaises(st.Error):
            st.Scenario("no/such/file.toml")

    def test_a_run_that_cannot_go_on_has_what_there_is(self):
        with self.assertRaises(st.Error) as raised:
            st.Scenario("a7").run(max_steps=100)
        run = raised.exception.run
        self.assertFalse(run.complete)
        self.assertGreater(len(run), 1)
        self.assertIn("max_steps", str(raised.exception))

    def test_all_scenarios_are_listed(self):
        self.assertEqual(st.scenarios()["a7"], "LuGre stick-slip")
        self.assertIn("block.x", st.Scenario("a7").columns)

    @unittest.skipIf(os.name == "nt", "signals of POSIX")
    def test_ctrl_c_ends_a_run_and_a_motion(self):
        # a shell may have its jobs ignore it
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        # half a second of work and more in a release build
        law, v = st.Law("lugre"), np.full(20_000_000, 1e-3)
        works = {
            "run": lambda: st.Scenario("a7").run(end=1e6, max_seconds=0.0),
            "along": lambda: law.along(v, dt=1e-4),
            "steady": lambda: law.steady(v),
        }
        for name, work in works.items():
            sent = []

            def interrupt():
                sent.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)

            took = []
            for _ in range(5):
                sent.clear()
                timer = threading.Timer(0.1, interrupt)
                timer.start()
                with self.assertRaises(KeyboardInterrupt, msg=name):
                    work()
                took.append(time.perf_counter() - sent[0])
                timer.join()
                # 30 ms between two questions, of the tenth of a second that is promised; on a machine that is busy with other work the
                # thread may get its turn later, so that the best of five counts
                if took[-1] < 0.1:
                    break
            self.assertLess(min(took), 0.1, (name, took))

    def test_runs_in_threads_are_the_same(self):
        scenario = st.Scenario("a7")
        alone = scenario.run(end=5.0)["block.x"]
        found = []
        threads = [threading.Thread(target=lambda: found.append(scenario.run(end=5.0)["block.x"])) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        for x in found:
            np.testing.assert_array_equal(x, alone)


class Others(unittest.TestCase):
    def setUp(self):
        self.run_ = st.Scenario("a7").run(end=10.0)

    @needs("polars")
    def test_polars_reads_the_capsule(self):
        import polars

        run = self.run_
        frame = polars.DataFrame(run)
        self.assertEqual(frame.columns, run.columns)
        np.testing.assert_array_equal(frame["block.x"].to_numpy(), run["block.x"])
        events = polars.DataFrame(run.events)
        self.assertEqual(events["kind"].to_list(), run.events.kind)

    @needs("pyarrow")
    def test_pyarrow_reads_the_capsule_without_copying(self):
        import pyarrow

        run = self.run_
        table = pyarrow.table(run)
        table.validate(full=True)
        self.assertEqual(table.schema.field("block.v").metadata, {b"unit": b"m/s"})
        column = table["block.x"].chunk(0).to_numpy(zero_copy_only=True)
        self.assertTrue(np.shares_memory(column, run["block.x"]))
        expected = run["block.x"].copy()
        # the table keeps the numbers alive
        del run, column
        self.run_ = None
        gc.collect()
        np.testing.assert_array_equal(table["block.x"].to_numpy(), expected)
        self.assertEqual(pyarrow.table(st.Scenario("a7").run(end=0.1).events).num_rows, 0)

    @needs("pyarrow")
    def test_capsules_that_nobody_reads_are_freed(self):
        import pyarrow

        for _ in range(100):
            self.run_.__arrow_c_stream__()
            self.run_.__arrow_c_schema__()
        schema = pyarrow.schema(self.run_)
        self.assertEqual(schema.names, self.run_.columns)

    @needs("pandas")
    def test_pandas(self):
        frame = self.run_.to_pandas()
        np.testing.assert_array_equal(frame["block.x"], self.run_["block.x"])
        self.assertEqual((frame.index.name, frame.attrs["units"]["block.x"]), ("t", "m"))

    @needs("xarray")
    def test_xarray(self):
        data = self.run_.to_xarray()
        self.assertEqual(data["block.v"].attrs["units"], "m/s")
        np.testing.assert_array_equal(data["t"], self.run_.t)

    @needs("matplotlib")
    def test_plots(self):
        import matplotlib

        matplotlib.use("Agg")
        self.assertEqual(len(self.run_.plot().axes), 3)
        text = self.run_.scenario + """
[[plot]]
x = "block.x [mm]"
y = [["block.v", "2*block.v [m/s]"], ["1000*block.x"]]
from = 1
to = 2
y_limits = [[-3, 4], []]
"""
        own = st.Scenario.parse(text[: text.index("[[plot]]")] + text[text.rindex("[[plot]]") :]).run().plot()
        first, second = own.axes
        self.assertEqual((first.get_ylabel(), first.get_ylim()), ("[m/s]", (-3.0, 4.0)))
        self.assertEqual((second.get_ylabel(), second.get_xlabel()), ("1000*block.x", "block.x [mm]"))
        # a formula of what the axis shows is a straight line
        along, values = second.lines[0].get_data()
        np.testing.assert_allclose(along, values)
        self.assertLess(len(along), len(self.run_.t))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ax = st.Law("stribeck").plot()
        self.assertEqual(ax.get_xlabel(), "v [m/s]")


if __name__ == "__main__":
    unittest.main()
