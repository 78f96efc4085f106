"""Sweeps: a scenario at many values of its parameters, here or on a cluster."""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np

from . import _native
from ._arrays import Floats, as_count, as_floats, as_number
from ._errors import Error, UnknownName, warn
from ._frozen import Frozen, FrozenDict
from ._html import SHOWN_ROWS, html_table
from ._progress import PARALLEL_TASKS, Bar, wait_for
from ._scenario import Scenario

if TYPE_CHECKING:
    from pandas import DataFrame

    from ._system import System



def values_text(name: str, values: Any) -> str:
    """What is varied, as `path=values`."""
    if isinstance(values, str):
        return f"{name}={values}"
    if isinstance(values, tuple) and len(values) in (2, 3) and isinstance(values[0], str):
        return f"{name}={':'.join(str(x) for x in values)}"
    numbers = np.atleast_1d(as_floats(name, values))
    if numbers.ndim != 1 or numbers.size == 0 or not np.all(np.isfinite(numbers)):
        raise Error(f"{name} has no list of finite numbers", "a list, an array, 'lo:hi:n' or 'log:lo:hi:n'")
    return f"{name}={','.join(repr(float(x)) for x in numbers)}"


class SweepTable(Frozen, Mapping[str, Floats]):
    """The results of a sweep: a row for each point, with what was varied and what was measured.

    A measure of an event that did not happen is NaN, and so are all of a point that failed; `errors` says why. `polars.DataFrame(table)` and
    `pyarrow.table(table)` take the columns without copying them.
    """

    __slots__ = ("_axes", "_core", "_facts", "path")
    _axes: int
    _core: _native.Table
    _facts: dict[str, str]
    path: str | None

    def __init__(self, core: _native.Table, axes: int, path: str | None, facts: Iterable[tuple[str, str]] = ()) -> None:
        # which shard it was is not part of the sweep
        own = FrozenDict({name: value for name, value in facts if name != "shard"})
        self._set(_core=core, _axes=axes, path=path, _facts=own)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> SweepTable:
        """The table of a sweep that was run earlier: a file, or an address that fsspec knows, as 's3://...'."""
        place = os.fspath(path)
        with Place(place).local(place) as here:
            return cls(*_native.sweep_table(here), place, _native.sweep_facts(here))

    @overload
    @classmethod
    def merge(
        cls, parts: Iterable[str | os.PathLike[str]], path: str | os.PathLike[str], *, read: Literal[True] = True
    ) -> SweepTable: ...

    @overload
    @classmethod
    def merge(
        cls, parts: Iterable[str | os.PathLike[str]], path: str | os.PathLike[str], *, read: bool
    ) -> SweepTable | None: ...

    @classmethod
    def merge(
        cls, parts: Iterable[str | os.PathLike[str]], path: str | os.PathLike[str], *, read: bool = True
    ) -> SweepTable | None:
        """Puts all shards of a sweep together into the file that one process would have written.

        With `read=False` there is only the file, whose size memory does not limit.
        """
        files = [os.fspath(part) for part in parts]
        if not files:
            raise Error("there is nothing to merge", "give the files that Sweep.run(..., shard=(i, n)) wrote")
        place = os.fspath(path)
        with contextlib.ExitStack() as stack:
            here = [stack.enter_context(Place(file).local(file)) for file in files]
            whole = stack.enter_context(Place(place).writing(place))
            note_failures(*_native.merge_sweep(here, whole))
        return cls.read(path) if read else None

    def at(self, path: str | None) -> SweepTable:
        """The same table, kept in another place."""
        return SweepTable(self._core, self._axes, path, self._facts.items())

    def __getitem__(self, column: str) -> Floats:
        if column == "error":
            raise UnknownName("there is no column 'error' of numbers", "`errors` has the texts by the numbers of points")
        return cast(Floats, self._core[column])

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.names[:-1])

    def __len__(self) -> int:
        return len(self._core.names) - 1

    @property
    def points(self) -> int:
        """The number of points."""
        return len(self._core)

    @property
    def varied(self) -> list[str]:
        """The columns that were varied; a CSV file without its manifest does not say which."""
        return self._core.names[1 : 1 + self._axes]

    @property
    def measures(self) -> list[str]:
        """The columns that were measured."""
        return self._core.names[1 + self._axes : -1]

    @property
    def units(self) -> dict[str, str]:
        """The units of the columns."""
        return dict(zip(self._core.names, self._core.units, strict=True))

    @property
    def errors(self) -> dict[int, str]:
        """Why points failed, by their number."""
        texts = cast("list[str]", self._core["error"])
        return {int(index): text for index, text in zip(self["index"], texts, strict=True) if text}

    def grid(self, column: str) -> Floats:
        """A measure over a grid: one dimension for each value that was varied, in their order."""
        if not self.varied:
            raise Error(
                "a CSV file without its manifest does not say what was varied", "keep NAME.csv.manifest.toml beside it, or write .parquet"
            )
        shape = tuple(len(np.unique(self[name])) for name in self.varied)
        if self._facts.get("design") != "grid" or int(np.prod(shape)) != self.points:
            raise Error("the points are not a grid", "grids are sweeps without random, of different values")
        return self[column].reshape(shape)

    def __arrow_c_schema__(self) -> object:
        return self._core.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> DataFrame:
        """The columns as a pandas DataFrame; units are in `attrs`."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in self}).set_index("index")
        frame.attrs["units"] = self.units
        return frame

    def __repr__(self) -> str:
        failed = len(self.errors)
        trouble = f", {failed} failed" if failed else ""
        return f"<SweepTable: {self.points} points over {', '.join(self.varied)}{trouble}; {', '.join(self.measures)}>"


    def _repr_html_(self) -> str:
        units, errors = self.units, self.errors
        head = [f"{name} [{units[name]}]" if units[name] else name for name in self]
        columns = [self[name][:SHOWN_ROWS] for name in self]
        rows = [[f"{x:.6g}" for x in row] for row in zip(*columns, strict=True)]
        if errors:
            head.append("error")
            rows = [[*row, errors.get(int(index), "")] for row, index in zip(rows, self["index"], strict=False)]
        return f"<p>{html.escape(repr(self))}</p>{html_table(head, rows, self.points)}"


class Sweep:
    """A scenario at many values of its parameters.

    `vary` maps numbers of the scenario, by their paths or the unique ends of them, to arrays, or to texts 'lo:hi:n', 'log:lo:hi:n', and in random
    sweeps 'lo:hi' and 'normal:mean:deviation'. Without `random` all combinations run, else that many points. `measure` names measures of the
    scenario, statistics of columns (`v.max`), energies, `sticks`, `cycle.period` or expressions of them; `choices` lists them.

    >>> table = Sweep("g5", vary={"mass": [1.0, 2.0]}, measure="v.max").run()
    >>> table.points
    2
    """

    __slots__ = ("_arguments", "_core", "scenario")
    scenario: Scenario

    def __init__(
        self,
        scenario: str | os.PathLike[str] | Scenario | System,
        vary: Mapping[str, Any],
        measure: str | Iterable[str],
        *,
        random: int | None = None,
        design: str = "sobol",
        seed: int = 0,
        since: float | None = None,
    ) -> None:
        self.scenario = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
        if not isinstance(vary, Mapping):
            raise Error(f"vary is a {type(vary).__name__}", "vary={'k': np.linspace(0.5, 8, 40)}")
        texts = [values_text(name, values) for name, values in vary.items()]
        if not texts:
            raise Error("a sweep varies nothing", "vary={'k': np.linspace(0.5, 8, 40)}; st.Sweep.choices(...) lists what can be")
        measures = [measure] if isinstance(measure, str) else list(measure)
        if not measures:
            raise Error("a sweep measures nothing", "measure=['period', 'v.max']; st.Sweep.choices(...) lists what can be")
        if random is None and (design != "sobol" or seed != 0):
            raise Error("design and seed are for random sweeps", "give random=1000")
        drawn = None if random is None else (design, as_count("random", random, 1), as_count("seed", seed))
        since = None if since is None else as_number("since", since)
        self._arguments = (texts, drawn, measures, since)
        self._core = _native.Sweep(self.scenario._core, *self._arguments)

    @classmethod
    def _restored(cls, scenario: Scenario, arguments: tuple[Any, ...]) -> Sweep:
        sweep = cls.__new__(cls)
        sweep.scenario = scenario
        sweep._arguments = cast("Any", arguments)
        sweep._core = _native.Sweep(scenario._core, *arguments)
        return sweep

    def __reduce__(self) -> tuple[Any, ...]:
        return Sweep._restored, (self.scenario, self._arguments)

    @staticmethod
    def choices(scenario: str | os.PathLike[str] | Scenario | System) -> tuple[dict[str, float], dict[str, str]]:
        """What can be varied in a scenario, with its value, and what can be measured, with its unit."""
        chosen = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
        numbers, measures = _native.sweep_choices(chosen._core)
        return {path: value for path, value, _ in numbers}, dict(measures)

    def __len__(self) -> int:
        return self._core.count

    def values(self, point: int) -> dict[str, float]:
        """The varied values of a point, by its number."""
        names = (name for name, _, _ in self._core.axes)
        return dict(zip(names, self._core.values(as_count("point", point)), strict=True))

    @property
    def digest(self) -> str:
        """A fingerprint of everything that the results depend on."""
        return hashlib.sha256(json.dumps(self._core.facts).encode()).hexdigest()

    @property
    def one_by_one(self) -> str | None:
        """Why points run one by one and not several at once; None if they do not."""
        return self._core.scalar_reason

    @overload
    def run(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        client: Any = None,
        shards: int | None = None,
        shard: tuple[int, int] | None = None,
        threads: int | None = None,
        chunk: int | None = None,
        device: str = "cpu",
        resume: bool = True,
        progress: bool | Callable[[int], object] = True,
        read: Literal[True] = True,
    ) -> SweepTable: ...

    @overload
    def run(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        client: Any = None,
        shards: int | None = None,
        shard: tuple[int, int] | None = None,
        threads: int | None = None,
        chunk: int | None = None,
        device: str = "cpu",
        resume: bool = True,
        progress: bool | Callable[[int], object] = True,
        read: bool,
    ) -> SweepTable | None: ...

    def run(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        client: Any = None,
        shards: int | None = None,
        shard: tuple[int, int] | None = None,
        threads: int | None = None,
        chunk: int | None = None,
        device: str = "cpu",
        resume: bool = True,
        progress: bool | Callable[[int], object] = True,
        read: bool = True,
    ) -> SweepTable | None:
        """Runs the points that are not done yet and writes the table, .parquet or .csv; without a path it stays in memory.

        Finished points are kept beside the file until the end: a sweep that was killed goes on where it was, and what is there already is not run
        again, unless `resume` is False. Bytes do not depend on threads, interruptions or machines.

        With `device="cuda"` a GPU runs the points, if they are such as also run in vector lanes. Results agree with those of the processor within
        the tolerances of the run; what a file already has from another device is not mixed with them.

        With `client`, a Dask client, shards run on its workers, which must see the path: a common folder, or a place that fsspec knows, as
        's3://...'. A worker that dies costs what its shards had not finished.

        With `shard=(i, n)`, i from 1 to n, only that part of the points runs, to a file of its own: for a scheduler that starts processes.
        `SweepTable.merge` puts the parts together; one can also be of `stiction sweep --shard i/n`.

        The table that comes back is in memory, 8 bytes for each column of each point; with `read=False` there is only the file.
        """
        threads = None if threads is None else as_count("threads", threads, 1, 4096)
        chunk = None if chunk is None else as_count("chunk", chunk, 1, 1_048_576)
        if device not in ("cpu", "cuda"):
            raise Error(f"there is no device '{device}'", "device='cpu' or device='cuda'")
        if path is None:
            if not read:
                raise Error("a sweep without a file that is not read leaves nothing", "give a path, or leave read out")
            with tempfile.TemporaryDirectory() as folder:
                place = os.path.join(folder, "sweep.parquet")
                table = self.run(
                    place,
                    client=client,
                    shards=shards,
                    shard=shard,
                    threads=threads,
                    chunk=chunk,
                    device=device,
                    progress=progress,
                )
                return table.at(None)
        place = os.fspath(path)
        if not place.lower().endswith((".parquet", ".csv")):
            raise Error(f"'{place}' is not a table", "name the file .parquet or .csv")
        part = self._part(shard)
        if client is not None:
            if shard is not None:
                raise Error("a cluster runs all shards", "leave out client, or shard; shards=n says how many")
            if threads is not None:
                raise Error("threads are not for clusters", "each shard runs in one thread of a worker")
            if device != "cpu":
                raise Error("on a cluster the processors run the points", "leave out client, or device")
            if not hasattr(client, "submit"):
                example = f"Client({client!r})" if isinstance(client, str) else "Client(...)"
                raise Error(f"client = {client!r} is no Dask client", f"client={example}, of dask.distributed")
            # workers may have another working directory
            there = place if "://" in place else os.path.abspath(place)
            found = self._run_on(client, there, shards, chunk, resume, progress, read)
            return None if found is None else found.at(place)
        if shards is not None:
            raise Error("shards are for clusters", "give client=Client(...), or leave shards out; shard=(i, n) runs one here")
        if "://" in place:
            raise Error(f"'{place}' is not on this machine", "give a path here, or client=Client(...)")
        manifest = os.path.realpath(place) + ".manifest.toml"
        if resume and place.lower().endswith(".csv") and os.path.exists(place) and not os.path.exists(manifest):
            raise Error(f"'{place}' is there already", "without its manifest it does not say what it is of: resume=False replaces it")
        with Bar(len(self), progress) as bar:
            points, failed, reasons = self._core.run(place, part, (threads, chunk, resume, device == "cuda"), bar)
        note_failures(points, failed, reasons)
        return self._table(place) if read else None

    def _part(self, shard: tuple[int, int] | None) -> tuple[int, int]:
        """The part of the points to run: number, counted from one, of how many."""
        if shard is None:
            return 1, 1
        if not isinstance(shard, tuple) or len(shard) != 2:
            raise Error(f"shard = {shard!r} is not a part", "shard=(i, n) is part i, from 1 to n, of n")
        i, n = (as_count("shard", number, 1, len(self)) for number in shard)
        if i > n:
            raise Error(f"there is no shard {i} of {n}", "shard=(i, n) is part i, from 1 to n, of n")
        return i, n

    def _table(self, path: str) -> SweepTable:
        """The results in a file of this sweep, which a CSV file does not know."""
        core, _ = _native.sweep_table(path)
        return SweepTable(core, len(self._core.axes), path, self._core.facts)

    def _run_on(
        self,
        client: Any,
        place: str,
        shards: int | None,
        chunk: int | None,
        resume: bool,
        progress: bool | Callable[[int], object],
        read: bool,
    ) -> SweepTable | None:
        store = Place(place)
        if not place.endswith(".parquet"):
            raise Error(f"'{place}' is not a Parquet file", "on a cluster, name the file .parquet")
        if resume and store.exists(place):
            with store.local(place) as path:
                facts = [fact for fact in _native.sweep_facts(path) if fact[0] != "shard"]
                if facts != self._core.facts:
                    raise Error(f"'{place}' is of another sweep", "choose another file, or resume=False to replace it")
                return self._table(path).at(place) if read else None
        if shards is None:
            threads = sum(client.nthreads().values()) or 1
            shards = max(1, min(len(self), PARALLEL_TASKS * threads))
        shards = as_count("shards", shards, 1, len(self))
        folder = f"{place}.shards"
        manifest = f"{folder}/manifest.json"
        wanted: dict[str, Any] = {"digest": self.digest, "shards": shards}
        if store.exists(manifest):
            known = manifest_of(store, manifest, resume)
            if resume and known["digest"] != self.digest:
                raise Error(f"'{folder}' has shards of another sweep", "choose another file, or resume=False to replace them")
            if resume:
                wanted = known
            else:
                store.remove(folder)
        store.write(manifest, json.dumps(wanted).encode())
        count = int(wanted["shards"])
        parts = [f"{folder}/part-{i}.parquet" for i in range(1, count + 1)]
        # Dask runs tasks of one key once: the same shard for another file is another task
        key = f"stiction-{hashlib.sha256(f'{self.digest} {place}'.encode()).hexdigest()[:16]}"
        tasks = [
            client.submit(run_shard, self, place, parts[i], i + 1, count, chunk, key=f"{key}-{i + 1}-{count}")
            for i in range(count)
            if not store.exists(parts[i])
        ]
        with Bar(len(self), progress) as bar:
            earlier = count - len(tasks)
            # shards differ by at most one point
            wait_for(client, tasks, lambda done: None if bar is None else bar(len(self) * (earlier + done) // count))
        with store.merged(parts, place) as path:
            table = self._table(path).at(place) if read else None
        store.remove(folder)
        return table

    def slurm(self, path: str | os.PathLike[str], shards: int, *, threads: int | None = None) -> str:
        """A job array for the batch system Slurm, which runs each shard by the program, as `stiction sweep --slurm` prints it.

        Write it to a file and submit that with `sbatch`; the script says how to merge the shards. The scenario must be one of `st.scenarios()` or a
        file, without changes.
        """
        place = os.fspath(path)
        if not place.lower().endswith((".parquet", ".csv")):
            raise Error(f"'{place}' is not a table", "name the file .parquet or .csv")
        try:
            same = Scenario(self.scenario.name).text == self.scenario.text
        except Error:
            same = False
        if not same:
            hint = "write the text of the scenario, `sweep.scenario.text`, to a file, and sweep that"
            raise Error("the jobs of a batch system do not see a scenario that is not in a file", hint)
        vary, drawn, measures, since = self._arguments
        words = ["sweep", self.scenario.name, *(word for text in vary for word in ("--vary", text))]
        words += [word for text in measures for word in ("--measure", text)]
        if drawn is not None:
            words += ["--random", str(drawn[1]), "--design", drawn[0], "--seed", str(drawn[2])]
        if since is not None:
            words += ["--from", repr(since)]
        if threads is not None:
            words += ["--threads", str(as_count("threads", threads, 1, 4096))]
        return _native.job_array(words, place, as_count("shards", shards, 1, min(len(self), 1_000_000)), threads)

    def __repr__(self) -> str:
        axes = ", ".join(name for name, _, _ in self._core.axes)
        return f"<Sweep of {self.scenario.name}: {len(self)} points over {axes}>"


def manifest_of(store: Place, path: str, needed: bool) -> dict[str, Any]:
    """The manifest of shards; one that is damaged says nothing, which is an error if it is needed."""
    try:
        known = json.loads(store.read(path))
        count = as_count("shards", known["shards"], 1)
        return {"digest": str(known["digest"]), "shards": count}
    except (ValueError, KeyError, TypeError):
        if needed:
            hint = "resume=False runs all points again, and replaces what is there"
            raise Error(f"'{path}' is damaged: it does not say of which sweep the shards beside it are", hint) from None
        return {"digest": "", "shards": 1}


def run_shard(sweep: Sweep, place: str, part: str, i: int, n: int, chunk: int | None) -> tuple[int, int]:
    """Runs a shard in a worker of a cluster and puts its table at `part`."""
    store = Place(place)
    with store.writing(part) as path:
        points, failed, _ = sweep._core.run(path, (i, n), (1, chunk, True, False), None)
    return points, failed


def note_failures(points: int, failed: int, reasons: list[tuple[str, int]]) -> None:
    """Tells of points that failed."""
    if failed:
        most = max(reasons, key=lambda reason: reason[1], default=("", 0))
        warn([f"{failed} of {points} points failed; {most[1]} of them: {most[0]}; the table's `errors` has all"])


class Place:
    """Where the files of a sweep on a cluster are: a folder that all see, or what fsspec knows."""

    def __init__(self, place: str) -> None:
        self.fs: Any = None
        if "://" in place:
            try:
                import fsspec
            except ImportError:
                raise Error(f"'{place}' needs the package fsspec", "pip install fsspec, or give a path") from None
            try:
                self.fs = fsspec.core.url_to_fs(place)[0]
            except (ImportError, ValueError) as error:
                kinds = "a path, or a place that fsspec knows, as 's3://...' with the package s3fs"
                raise Error(f"'{place}' cannot be used: {error}", kinds) from None

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return bool(self.fs.exists(path)) if self.fs else os.path.exists(path)

    def read(self, path: str) -> bytes:
        """The content of a small file."""
        if self.fs:
            return cast(bytes, self.fs.cat_file(path))
        with open(path, "rb") as file:
            return file.read()

    def write(self, path: str, content: bytes) -> None:
        """Writes a small file, whole."""
        if self.fs:
            self.fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
            self.fs.pipe_file(path, content)
            return
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        _native.write_file(path, content)

    def remove(self, folder: str) -> None:
        """Removes a folder of shards."""
        if self.fs:
            self.fs.rm(folder, recursive=True)
            return
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.is_dir():
                self.remove(entry.path)
            else:
                os.remove(entry.path)
        os.rmdir(folder)

    def local(self, path: str) -> Local:
        """A path on this machine to read the file from."""
        return Local(self.fs, path, get=True)

    def writing(self, path: str) -> Local:
        """A path on this machine to write the file to, which is put in its place at the end."""
        return Local(self.fs, path, put=True)

    @contextlib.contextmanager
    def merged(self, parts: list[str], to: str) -> Iterator[str]:
        """Puts shards together; a path on this machine to read the result from."""
        if not self.fs:
            note_failures(*_native.merge_sweep(parts, to))
            yield to
            return
        with tempfile.TemporaryDirectory() as folder:
            here = [os.path.join(folder, f"part-{k}.parquet") for k in range(len(parts))]
            for there, path in zip(parts, here, strict=True):
                self.fs.get_file(there, path)
            whole = os.path.join(folder, "whole.parquet")
            note_failures(*_native.merge_sweep(here, whole))
            put_whole(self.fs, whole, to)
            yield whole


def put_whole(fs: Any, here: str, there: str) -> None:
    """Copies a file to a store so that no reader sees a part of it."""
    unfinished = f"{there}.unfinished"
    fs.put_file(here, unfinished)
    fs.mv(unfinished, there)


class Local:
    """A file on this machine for one of a store, or the file itself."""

    def __init__(self, fs: Any, path: str, *, get: bool = False, put: bool = False) -> None:
        self.fs, self.path, self.get, self.put = fs, path, get, put
        self.folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> str:
        if not self.fs:
            return self.path
        self.folder = tempfile.TemporaryDirectory()
        here = os.path.join(self.folder.name, "table.parquet")
        if self.get:
            self.fs.get_file(self.path, here)
        return here

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self.folder is None:
            return
        try:
            if kind is None and self.put:
                put_whole(self.fs, os.path.join(self.folder.name, "table.parquet"), self.path)
        finally:
            self.folder.cleanup()
