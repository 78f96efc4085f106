"""Sweeps: closed forms, interruptions, shards; on a cluster whose workers are killed."""

import concurrent.futures
import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
import unittest.mock
from pathlib import Path

import numpy as np
import stiction as st
from stiction._progress import is_watched

try:
    import distributed
except ImportError:
    distributed = None

SLIDE = """
[run]
end = 1
[body.block]
mass = 1
v = 1
[contact.table]
between = ["block", "ground"]
law = "coulomb"
fc = 1
"""


def slide() -> st.Scenario:
    return st.Scenario.parse(SLIDE, "slide.toml")


class Sweeps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_a_grid_follows_its_closed_form(self):
        forces, speeds = np.linspace(2.0, 4.0, 5), np.array([0.5, 1.0])
        sweep = st.Sweep(slide(), vary={"fc": forces, "block.v": speeds}, measure=["x.final", "stops=x.final*2"])
        self.assertEqual(len(sweep), 10)
        self.assertEqual(sweep.values(9), {"fc": 4.0, "block.v": 1.0})
        table = sweep.run()
        # a block of 1 kg stops after v²/(2 fc), here before the end of the run
        expected = speeds[None, :] ** 2 / (2.0 * forces[:, None])
        np.testing.assert_allclose(table.grid("x.final"), expected, rtol=1e-9)
        np.testing.assert_allclose(table["stops"], 2.0 * table["x.final"], rtol=1e-15)
        self.assertEqual((table.varied, table.measures), (["fc", "block.v"], ["x.final", "stops"]))
        self.assertEqual((table.units["fc"], table.errors, table.path), ("N", {}, None))
        # beside a CSV file is what it depends on, and what was varied
        path = self.folder / "grid.csv"
        written = sweep.run(path)
        self.assertEqual((written.varied, written.measures), (table.varied, table.measures))
        np.testing.assert_array_equal(written.grid("x.final"), table.grid("x.final"))
        np.testing.assert_array_equal(st.SweepTable.read(path).grid("x.final"), table.grid("x.final"))
        self.assertEqual(sweep.run(path).points, table.points)
        with self.assertRaisesRegex(st.Error, "another"):
            st.Sweep(slide(), vary={"fc": [1.0]}, measure="x.final").run(path)
        (self.folder / "grid.csv.manifest.toml").unlink()
        with self.assertRaisesRegex(st.Error, "manifest"):
            st.SweepTable.read(path).grid("x.final")
        self.assertIn("<th>fc [N]</th>", table._repr_html_())
        # random points of one axis are as many as their values, and no grid
        with self.assertRaisesRegex(st.Error, "not a grid"):
            st.Sweep(slide(), vary={"fc": "2:4"}, measure="x.final", random=5).run().grid("x.final")

    def test_a_table_need_not_be_read(self):
        sweep = st.Sweep(slide(), vary={"fc": [1.0, 2.0]}, measure="x.final")
        self.assertIsNone(sweep.run(self.folder / "x.parquet", read=False))
        self.assertEqual(st.SweepTable.read(self.folder / "x.parquet").points, 2)
        with self.assertRaisesRegex(st.Error, "path"):
            sweep.run(read=False)

    def test_points_do_not_depend_on_how_they_ran(self):
        sweep = st.Sweep(slide(), vary={"fc": "0.5:8"}, measure=["x.final"], random=300, seed=7)
        bytes_of = lambda name, **options: (sweep.run(self.folder / name, **options), (self.folder / name).read_bytes())[1]
        once = bytes_of("one.parquet", threads=1)
        self.assertEqual(once, bytes_of("two.parquet", threads=2, chunk=16))
        self.assertEqual(once, bytes_of("again.parquet"))
        # another process, from a pickle, and only half of it
        self.assertEqual(pickle.loads(pickle.dumps(sweep)).digest, sweep.digest)
        parts = [self.folder / f"part{i}.parquet" for i in (1, 2)]
        half = sweep.run(parts[0], shard=(1, 2))
        self.assertEqual((half.points, sweep.run(parts[1], shard=(2, 2), read=False)), (150, None))
        merged = st.SweepTable.merge(parts, self.folder / "merged.parquet")
        self.assertEqual((merged.points, (self.folder / "merged.parquet").read_bytes()), (300, once))
        with self.assertRaisesRegex(st.Error, "shard"):
            st.SweepTable.merge(parts[:1], self.folder / "half.parquet")
        self.assertFalse((self.folder / "half.parquet").exists())
        for shard in ((0, 2), (3, 2), (1, 301), (1,), "1/2"):
            with self.subTest(shard), self.assertRaisesRegex(st.Error, "shard"):
                sweep.run(shard=shard)

    def test_merge_need_not_read(self):
        sweep = st.Sweep(slide(), vary={"fc": [1.0, 2.0, 3.0]}, measure="x.final")
        parts = [self.folder / f"part{i}.parquet" for i in (1, 2)]
        for i, part in enumerate(parts, 1):
            sweep.run(part, shard=(i, 2), read=False)
        self.assertIsNone(st.SweepTable.merge(parts, self.folder / "whole.parquet", read=False))
        sweep.run(self.folder / "one.parquet")
        self.assertEqual((self.folder / "whole.parquet").read_bytes(), (self.folder / "one.parquet").read_bytes())

    def test_a_job_array_for_slurm(self):
        sweep = st.Sweep("a7", vary={"k": "0.5:8:40", "hand.v": [0.1, 0.2]}, measure=["period", "v_max"], since=5)
        script = sweep.slurm("out/a7.parquet", 30, threads=2)
        self.assertIn("#SBATCH --array=1-30\n#SBATCH --cpus-per-task=2\n", script)
        command = "exec stiction sweep a7 --vary k=0.5:8:40 --vary hand.v=0.1,0.2 --measure period --measure v_max --from 5.0 --threads 2"
        self.assertIn(f"{command} -o out/a7-", script)

    def test_a_system_is_a_scenario(self):
        system = (
            st.System("A block is pulled over a table", end=30)
            .body("block", mass=1)
            .motion("hand", position={"ramp": {"slope": 0.1}})
            .spring("pull", between=["hand", "block"], stiffness=2)
            .contact("table", body="block", law=st.Law("stribeck", fc=1, fs=1.5, vs=0.01))
            .measure("t_break", event="table.slip")
        )
        table = st.Sweep(system, vary={"stiffness": [2.0, 4.0]}, measure="t_break").run()
        # 1.5 N over the stiffness and 0.1 m/s; the run finds the event to 1e-6 of it
        np.testing.assert_allclose(table["t_break"], [7.5, 3.75], rtol=1e-6)
        self.assertIn("spring.pull.stiffness", st.Sweep.choices(system)[0])
        self.assertEqual(st.Scenario(system, end=5).text, system.scenario(end=5).text)
        self.assertTrue(st.cycle(system).stable)
        self.assertEqual([one.kind for one in st.equilibrium(system)], [one.kind for one in st.equilibrium(system.scenario())])
        with self.assertRaisesRegex(st.Error, "a scenario from a int"):
            st.Scenario(7)

    def test_what_is_there_is_not_run_again(self):
        path = self.folder / "o5.parquet"
        sweep = st.Sweep(slide(), vary={"fc": [1.0, 2.0, 3.0]}, measure="x.final")
        calls = []
        first = sweep.run(path, progress=calls.append)
        stamp = path.stat().st_mtime_ns
        second = sweep.run(path)
        self.assertEqual(path.stat().st_mtime_ns, stamp)
        np.testing.assert_array_equal(first["x.final"], second["x.final"])
        with self.assertRaisesRegex(st.Error, "other"):
            st.Sweep(slide(), vary={"fc": [1.0, 2.0]}, measure="x.final").run(path)
        st.Sweep(slide(), vary={"fc": [1.0, 2.0]}, measure="x.final").run(path, resume=False)
        self.assertEqual(st.SweepTable.read(path).points, 2)

    def test_ctrl_c_keeps_what_is_done(self):
        path = self.folder / "slide.parquet"
        code = (
            "import signal, stiction as st, sys\n"
            # a shell may have its jobs ignore it
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "sweep = st.Sweep(st.Scenario.parse(sys.argv[2]), vary={'fc': '0.5:8:1000000'}, measure='x.final')\n"
            "sweep.run(sys.argv[1], chunk=16)\n"
        )
        child = subprocess.Popen([sys.executable, "-c", code, str(path), SLIDE], stderr=subprocess.PIPE)
        parts = Path(f"{path}.parts")
        deadline = time.monotonic() + 120.0
        while len(list(parts.glob("*.parquet"))) < 2:
            self.assertLess(time.monotonic(), deadline, "no part was finished")
            self.assertIsNone(child.poll())
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, text = child.communicate(timeout=60)
        self.assertIn(b"KeyboardInterrupt", text)
        self.assertFalse(path.exists())
        self.assertGreaterEqual(len(list(parts.glob("*.parquet"))), 2)

    @unittest.skipIf(os.name == "nt", "signals of POSIX")
    def test_a_sweep_runs_again_right_after_ctrl_c(self):
        # in one process: what the interrupted sweep has under way holds its folder for a moment
        code = (
            "import os, signal, sys, threading\n"
            "import numpy as np, stiction as st\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "sweep = st.Sweep('a7', vary={'k': np.linspace(0.5, 8.0, 4000)}, measure='v.max')\n"
            "def tell(done):\n"
            "    if done: os.kill(os.getpid(), signal.SIGINT)\n"
            "for _ in range(2):\n"
            "    try:\n"
            "        sweep.run(sys.argv[1], chunk=1, threads=2, progress=tell)\n"
            "    except KeyboardInterrupt:\n"
            "        print('interrupted', flush=True)\n"
            "os._exit(0)\n"
        )
        found = subprocess.run(
            [sys.executable, "-c", code, str(self.folder / "again.parquet")], capture_output=True, text=True, timeout=120
        )
        self.assertEqual(found.stdout, "interrupted\ninterrupted\n", found.stderr)

    def test_progress_is_shown_in_a_notebook(self):
        # stderr of a notebook's kernel is no terminal
        for shell, shown in ((None, False), (types.SimpleNamespace(), False), (types.SimpleNamespace(kernel=object()), True)):
            ipython = types.SimpleNamespace(get_ipython=lambda shell=shell: shell)
            with unittest.mock.patch.dict(sys.modules, IPython=ipython), unittest.mock.patch("sys.stderr", io.StringIO()):
                self.assertEqual(is_watched(), shown)

    def test_failed_points_are_told(self):
        sweep = st.Sweep(slide(), vary={"mass": [1.0, -1.0]}, measure="x.final")
        with self.assertWarnsRegex(st.Note, "1 of 2 points failed"):
            table = sweep.run()
        self.assertEqual(list(table.errors), [1])
        self.assertTrue(np.isnan(table["x.final"][1]))

    def test_mistakes(self):
        for arguments, words in [
            (dict(vary={}, measure="v.max"), "varies nothing"),
            (dict(vary={"k": [1.0]}, measure=[]), "measures nothing"),
            (dict(vary={"k": []}, measure="v.max"), "finite"),
            (dict(vary={"k": [np.nan]}, measure="v.max"), "finite"),
            (dict(vary={"kk": [1.0]}, measure="v.max"), "kk"),
            (dict(vary={"k": [1.0]}, measure="v.maxx"), "maxx"),
            (dict(vary={"k": [1.0]}, measure="v.max", seed=3), "random"),
            (dict(vary={"k": "0.5:8"}, measure="v.max", random=8, design="halton"), "halton"),
            (dict(vary={"k": "0.5:8"}, measure="v.max"), "k"),
            (dict(vary={"k": [1.0]}, measure="v.max", since=1e9), "the run ends at"),
        ]:
            with self.subTest(arguments), self.assertRaisesRegex(st.Error, words):
                st.Sweep("o5", **arguments)
        sweep = st.Sweep("o5", vary={"k": [1.0]}, measure="v.max")
        own = self.folder / "own.csv"
        own.write_text("my measured data\n")
        with self.assertRaisesRegex(st.Error, "there already"):
            sweep.run(own)
        self.assertEqual(own.read_text(), "my measured data\n")
        for call, words in [
            (lambda: sweep.run(threads=0), "threads"),
            (lambda: sweep.run(chunk=-1), "chunk"),
            (lambda: sweep.run(device="tpu"), "no device 'tpu'"),
            # slip variables have kinks that a kernel does not know; without a GPU that is said first
            (lambda: sweep.run(device="cuda"), "device|CUDA|NVRTC"),
            (lambda: sweep.values(-1), "point"),
            (lambda: st.Sweep("o5", vary={"k": "1:2"}, measure="v.max", random=-1), "random"),
            (lambda: st.Sweep("o5", vary=["k"], measure="v.max"), "vary is a list"),
            (lambda: sweep.run("x.txt"), "parquet"),
            (lambda: sweep.run("s3://bucket/x.parquet"), "this machine"),
            (lambda: sweep.run(self.folder / "x.parquet", shards=2), "cluster"),
            (lambda: sweep.values(1), "no point"),
            (lambda: sweep.run(self.folder / "x.parquet", client="tcp://scheduler:8786"), "no Dask client"),
            (lambda: sweep.slurm("x.txt", 1), "parquet"),
            (lambda: sweep.slurm("x.parquet", 2), "shards"),
            (lambda: st.Sweep(slide(), vary={"fc": [1.0]}, measure="v.max").slurm("x.parquet", 1), "not in a file"),
        ]:
            with self.assertRaisesRegex(st.Error, words):
                call()
        numbers, measures = st.Sweep.choices("o5")
        self.assertIn("spring.pull.stiffness", numbers)
        self.assertTrue(any(name.endswith(".max") for name in measures))


@unittest.skipIf(distributed is None, "dask.distributed is not there")
class Cluster(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
        self.addCleanup(self.cluster.close)
        self.client = distributed.Client(self.cluster)
        self.addCleanup(self.client.close)

    def test_a_killed_worker_costs_its_shard_only(self):
        sweep = st.Sweep(slide(), vary={"fc": np.linspace(0.5, 8.0, 2400)}, measure=["x.final"])
        alone = self.folder / "alone.parquet"
        sweep.run(alone)
        path = self.folder / "cluster.parquet"
        pids = list(self.client.run(os.getpid).values())
        code = (
            "import os, signal, sys, time, pathlib\n"
            "folder = pathlib.Path(sys.argv[1])\n"
            "while len(list(folder.glob('part-*.parquet'))) < 2: time.sleep(0.02)\n"
            "os.kill(int(sys.argv[2]), signal.SIGKILL)\n"
        )
        killer = subprocess.Popen([sys.executable, "-c", code, f"{path}.shards", str(pids[0])])
        self.addCleanup(killer.kill)
        table = sweep.run(path, client=self.client, shards=12)
        self.assertEqual(killer.wait(timeout=60), 0)
        self.assertEqual(table.points, 2400)
        self.assertEqual(path.read_bytes(), alone.read_bytes())
        self.assertFalse(Path(f"{path}.shards").exists())
        # all is there: nothing runs again
        stamp = path.stat().st_mtime_ns
        sweep.run(path, client=self.client)
        self.assertEqual(path.stat().st_mtime_ns, stamp)
        with self.assertRaisesRegex(st.Error, "another sweep"):
            st.Sweep(slide(), vary={"fc": [1.0]}, measure="x.final").run(path, client=self.client)

    def test_one_sweep_to_two_files_at_once(self):
        sweep = st.Sweep(slide(), vary={"fc": np.linspace(0.5, 8.0, 200)}, measure=["x.final"])
        paths = [self.folder / name for name in ("one.parquet", "two.parquet")]
        told = [[], []]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            run = lambda k: sweep.run(paths[k], client=self.client, shards=8, progress=told[k].append)
            first, second = pool.map(run, range(2))
        np.testing.assert_array_equal(first["x.final"], second["x.final"])
        self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())
        # a number of points after each of eight shards
        self.assertEqual(told, [[25 * (k + 1) for k in range(8)]] * 2)

    def test_a_relative_path_is_that_of_the_caller(self):
        elsewhere = tempfile.TemporaryDirectory()
        self.addCleanup(elsewhere.cleanup)
        self.client.run(os.chdir, elsewhere.name)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        table = st.Sweep(slide(), vary={"fc": [1.0, 2.0]}, measure="x.final").run("x.parquet", client=self.client)
        self.assertEqual((table.points, table.path), (2, "x.parquet"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["x.parquet"])
        self.assertEqual(os.listdir(elsewhere.name), [])

    def test_mistakes(self):
        sweep = st.Sweep(slide(), vary={"fc": [1.0, 2.0]}, measure="x.final")
        path = self.folder / "x.parquet"
        for shards in (0, 3, 1.5, "two"):
            with self.subTest(shards), self.assertRaisesRegex(st.Error, "shards") as caught:
                sweep.run(path, client=self.client, shards=shards)
            self.assertTrue(caught.exception.hint)
        folder = Path(f"{path}.shards")
        folder.mkdir()
        for text in ("", "{", "[]", '{"digest": "x"}', '{"digest": "x", "shards": "many"}', '{"digest": "x", "shards": 0}'):
            (folder / "manifest.json").write_text(text)
            with self.subTest(text), self.assertRaisesRegex(st.Error, "damaged") as caught:
                sweep.run(path, client=self.client)
            self.assertIn("resume=False", caught.exception.hint)
        self.assertEqual(sweep.run(path, client=self.client, resume=False).points, 2)

    def test_stores_of_fsspec(self):
        sweep = st.Sweep(slide(), vary={"fc": [1.0, 2.0, 3.0]}, measure="x.final")
        here = self.folder / "here.parquet"
        sweep.run(here)
        there = self.folder / "there.parquet"
        table = sweep.run(f"file://{there}", client=self.client, shards=3)
        self.assertEqual(table.points, 3)
        self.assertEqual(there.read_bytes(), here.read_bytes())
        read = st.SweepTable.read(f"file://{there}")
        np.testing.assert_array_equal(read["x.final"], table["x.final"])
        self.assertEqual(st.map(f"file://{there}", color="x.final").data, st.map(table, color="x.final").data)
        with self.assertRaisesRegex(st.Error, "nowhere") as caught:
            sweep.run("nowhere://bucket/x.parquet", client=self.client)
        self.assertIn("fsspec", str(caught.exception.hint))


if __name__ == "__main__":
    unittest.main()
