"""Identification of friction from measured data."""

from __future__ import annotations

import glob
import html
import inspect
import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, as_column, as_count, as_number
from ._errors import Error, in_python, unknown_name, warn
from ._frozen import Frozen
from ._law import Law, _values
from ._progress import PARALLEL_TASKS, Bar
from ._scenario import Scenario

ROLES = ("time", "position", "velocity", "acceleration", "force", "load", "known", "weight")
FIRST_SEARCH = 1
"""The seed of a global search that none was given for."""
PLANT_OPTIONS = (
    *("data", "scenario", "judge", "priors", "free", "bounds", "set", "constants", "robust", "white", "profile"),
    *("bootstrap", "starts", "seed", "client", "progress"),
)
"""Those that the fit of a scenario takes."""


@dataclass(frozen=True)
class Estimate:
    """A quantity with its standard error and its confidence interval of 95 %.

    `known` is empty for a well determined quantity, else "loosely known", "not identifiable", "given" or "at a bound".
    """

    name: str
    unit: str
    value: float
    error: float
    interval: tuple[float, float]
    known: str

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        low, high = self.interval
        known = f", {self.known}" if self.known else ""
        return f"{self.name} = {self.value:.6g} [{self.unit}] ({low:.6g} to {high:.6g}{known})"


@dataclass(frozen=True)
class Residuals:
    """What was measured in a record, and what the law says: arrays."""

    name: str
    t: Floats
    measured: Floats
    model: Floats


class Fit(Frozen):
    """What was identified: `fit["fc"].value`, `fit["fc"].interval`, `fit.law`, and what the data do not tell, `fit.unidentified`.

    The first result is the recommended one; `fit.others` has those that it was compared with.
    """

    __slots__ = ("_core", "_index", "_refits", "_scenario")
    _core: _native.Report
    _index: int
    _refits: dict[str, Floats] | None
    _scenario: str

    def __init__(
        self, core: _native.Report, index: int = 0, scenario: str = "", refits: dict[str, Floats] | None = None
    ) -> None:
        self._set(_core=core, _index=index, _scenario=scenario, _refits=refits)

    @property
    def key(self) -> str:
        """The procedure: sliding, dynamic, presliding, breakaway, ..."""
        return self._core.title(self._index)[0]

    @property
    def title(self) -> str:
        """What it is."""
        return self._core.title(self._index)[1]

    @property
    def estimates(self) -> dict[str, Estimate]:
        """All quantities, estimated or given, by name."""
        return {row[0]: Estimate(*row) for row in self._core.estimates(self._index)}

    def __getitem__(self, name: str) -> Estimate:
        estimates = self.estimates
        if name not in estimates:
            raise unknown_name("estimate of", name, estimates)
        return estimates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    @property
    def unidentified(self) -> list[str]:
        """Names of quantities that the data do not determine, or that ended at a bound."""
        return [e.name for e in self.estimates.values() if e.known in ("not identifiable", "at a bound")]

    @property
    def covariance(self) -> tuple[list[str], Floats]:
        """Names and covariance matrix of the estimates."""
        found = self._core.covariance(self._index)
        if found is None:
            raise Error("this procedure gives no covariance", "use the intervals of the estimates")
        return found

    def draws(self, count: int, seed: int | None = None) -> dict[str, Floats]:
        """Random values of the estimates as uncertain as they are, for propagation: normal with their covariance.

        Quantities that the data do not determine keep their value, which a note tells. Draws that the law does not admit are rejected and
        drawn again: values beyond the bounds of a parameter, or against a condition between parameters such as fs >= fc; so are masses that are
        not above zero. Near such a bound the draws are therefore on one side, and their mean is shifted.
        """
        count = as_count("count", count)
        names, covariance = self.covariance
        values = np.array([self[name].value for name in names])
        loose = [self[name].known in ("not identifiable", "at a bound", "given") for name in names]
        kept = np.where(np.asarray(loose, dtype=bool))[0]
        if kept.size:
            warn([f"{', '.join(names[k] for k in kept)}: not determined by the data, the same in all draws"])
        covariance = covariance.copy()
        covariance[kept, :] = 0.0
        covariance[:, kept] = 0.0
        law = self._core.law(self._index)
        mass = np.array([name == "mass" and x > 0.0 for name, x in zip(names, values, strict=True)])

        def wrong(rows: Floats) -> npt.NDArray[np.bool_]:
            refused: npt.NDArray[np.bool_] = np.any(rows[:, mass] <= 0.0, axis=1)
            return refused if law is None else refused | ~np.array(law.admits(names, rows), dtype=np.bool_)

        random = np.random.default_rng(seed)
        drawn = random.multivariate_normal(values, covariance, size=count, method="eigh")
        for _ in range(100):
            again = np.flatnonzero(wrong(drawn))
            if not again.size:
                break
            drawn[again] = random.multivariate_normal(values, covariance, size=again.size, method="eigh")
        else:
            raise Error("the estimates are too uncertain to draw from", "their intervals say how far they may be off")
        return {name: drawn[:, k].copy() for k, name in enumerate(names)}

    @property
    def bootstrap(self) -> dict[str, Floats]:
        """The values of each refit of the bootstrap, by name: `identify(..., bootstrap=200)`."""
        if self._refits is None:
            raise Error("there was no bootstrap", "identify(..., bootstrap=200)")
        return dict(self._refits)

    def bootstrap_interval(self, name: str, level: float = 0.95) -> tuple[float, float]:
        """The interval of an estimate by the bootstrap: quantiles of the refits, reflected at the estimate, which corrects bias."""
        refits = self.bootstrap
        if name not in refits:
            raise unknown_name("refitted estimate", name, refits)
        if not 0.0 < as_number("level", level) < 1.0:
            raise Error(f"level = {level}", "between 0 and 1, as 0.95")
        found = _native.bootstrap_interval(refits[name], self[name].value, level)
        if found is None:
            raise Error("fewer than two refits succeeded", "give more, or look at the remarks of the fit")
        return (found[0], found[1])

    def _with_refits(self, request: MotionRequest | PlantRequest, count: int, seed: int, client: Any) -> Fit:
        values = [(e.name, e.value) for e in self.estimates.values() if e.known != "given"]
        residuals = [series.measured - series.model for series in self.residuals]
        parts = shares(count, client)
        found = spread(client, run_refits, [(request, values, residuals, (seed, first, many)) for first, many in parts])
        rows = np.concatenate([rows for _, rows in found])
        if len(rows) < count:
            warn([f"{count - len(rows)} of {count} refits failed, and are left out"], stacklevel=4)
        return Fit(self._core, self._index, self._scenario, {name: rows[:, k].copy() for k, (name, _) in enumerate(values)})

    @property
    def law(self) -> Law:
        """The identified law; `law.save(...)` writes it with its uncertainty and where it comes from."""
        core = self._core.law(self._index)
        if core is None:
            raise Error("no law was identified", "fit.remarks says why")
        return Law._of(core)

    @property
    def scenario(self) -> Scenario:
        """The scenario with the values that were found, if one was fitted."""
        text = self._core.scenario
        if text is None:
            raise Error("no scenario was fitted", 'identify("log.csv", scenario=...)')
        return Scenario.parse(text, self._scenario)

    @property
    def scores(self) -> dict[str, float]:
        """Measures of the fit, such as `rms` and `nrmse`."""
        return {key: value for key, _, value, _ in self._core.scores(self._index)}

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """Remarks on the data and the fit: severity (info, good, warning, critical) and text."""
        return [(severity, in_python(text)) for severity, text in self._core.remarks(self._index)]

    def _warned(self) -> Fit:
        """Itself, after its warnings have been given as notes."""
        warn([text for severity, text in self.remarks if severity in ("warning", "critical")], stacklevel=4)
        return self

    @property
    def residuals(self) -> list[Residuals]:
        """Measured values and those of the law, for each record."""
        found = self._core.residuals(self._index)
        return [Residuals(name, table["t"], table["measured"], table["model"]) for name, table in found]

    @property
    def others(self) -> list[Fit]:
        """The results that this one was compared with."""
        return [Fit(self._core, index) for index in range(len(self._core)) if index != self._index]

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes a page of HTML with estimates, figures and remarks."""
        _native.write_file(os.fspath(path), self._core.html().encode())

    def __repr__(self) -> str:
        lines = [self.title, *(f"  {estimate!r}" for estimate in self.estimates.values())]
        lines += [f"  {severity}: {text}" for severity, text in self.remarks if severity in ("warning", "critical")]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{html.escape(e.name)}</td><td>{e.value:.6g}</td><td>{html.escape(e.unit)}</td>"
            f"<td>{e.interval[0]:.6g} to {e.interval[1]:.6g}</td><td>{html.escape(e.known)}</td></tr>"
            for e in self.estimates.values()
        )
        head = "<tr><th></th><th>value</th><th>unit</th><th>95 %</th><th></th></tr>"
        notes = "".join(f"<li>{html.escape(text)}</li>" for kind, text in self.remarks if kind in ("warning", "critical"))
        figures = "".join(f"<div style='max-width:40em'>{svg}</div>" for svg in self._core.figures(self._index)[:1])
        return f"<p><b>{html.escape(self.title)}</b></p><table>{head}{cells}</table><ul>{notes}</ul>{figures}"


Tables = list[tuple[str, list[tuple[str, Floats]]]]
"""Columns in memory, under the name of each table."""


def aligned(tables: Tables) -> Tables:
    """The same tables; arrays that a cluster has sent may lie at any byte."""
    return [(name, [(column, as_column(column, values)) for column, values in columns]) for name, columns in tables]


class MotionRequest(NamedTuple):
    """What a fit to records of motion needs; it pickles."""

    files: list[str]
    columns: Tables
    law: Law | None
    arguments: dict[str, Any]
    command: str

    def fit(self, search: int | None, progress: Callable[[int], object] | None) -> Fit:
        """Fits, with a global search of this seed."""
        law = None if self.law is None else self.law._core
        arguments = {**self.arguments, "search": search}
        return Fit(_native.identify(self.files, aligned(self.columns), law, arguments, self.command, progress))

    def searches(self) -> bool:
        """Whether the fit searches the parameters of a law along the motion."""
        return _native.is_along_motion(None if self.law is None else self.law._core, self.arguments)

    def refit(self, values: list[tuple[str, float]], residuals: list[Floats], which: Which) -> tuple[list[int], Floats]:
        """Refits to residuals that are drawn anew."""
        law = None if self.law is None else self.law._core
        columns = aligned(self.columns)
        return _native.refit(self.files, columns, law, self.arguments, values, residuals, which)


class PlantRequest(NamedTuple):
    """What the fit of a scenario needs; it pickles."""

    scenario: Scenario
    data: tuple[list[str], Tables]
    judged: tuple[list[str], Tables]
    arguments: dict[str, Any]
    command: str

    def fit(self, search: int | None, progress: Callable[[int], object] | None) -> Fit:
        """Fits, with a global search of this seed."""
        arguments = {**self.arguments, "search": search}
        data, judged = ((files, aligned(tables)) for files, tables in (self.data, self.judged))
        core = _native.identify_plant(self.scenario._core, data, judged, arguments, self.command, progress)
        return Fit(core, 0, self.scenario.name)

    def searches(self) -> bool:
        """Whether the fit searches the parameters of a law."""
        return True

    def refit(self, values: list[tuple[str, float]], residuals: list[Floats], which: Which) -> tuple[list[int], Floats]:
        """Refits to residuals that are drawn anew."""
        data = (self.data[0], aligned(self.data[1]))
        return _native.refit_plant(self.scenario._core, data, self.arguments, values, residuals, which)


Which = tuple[int, int, int]
"""Seed, first number and count of refits."""


def run_refits(
    request: MotionRequest | PlantRequest, values: list[tuple[str, float]], residuals: list[Floats], which: Which
) -> tuple[list[int], Floats]:
    """Refits, here or in a worker of a cluster."""
    return request.refit(values, [as_column("residuals", series) for series in residuals], which)


def run_start(request: MotionRequest | PlantRequest, search: int | None) -> Fit:
    """A fit, here or in a worker of a cluster."""
    return request.fit(search, None)


def best_start(
    request: MotionRequest | PlantRequest, starts: int, seed: int, client: Any, progress: bool | Callable[[int], object]
) -> Fit:
    """The best of fits whose global searches have different seeds; of equal ones the first."""
    if starts == 1 and client is None:
        with Bar(1000, progress, "thousandth") as bar:
            return request.fit(FIRST_SEARCH + seed if seed else None, bar)
    searches = [FIRST_SEARCH + seed + k for k in range(starts)]
    fits = cast("list[Fit]", spread(client, run_start, [(request, search) for search in searches]))
    return min(fits, key=lambda fit: fit.scores["rms"])


def shares(count: int, client: Any) -> list[tuple[int, int]]:
    """First number and count of each share of refits; one share without a cluster, whose refits run on all threads."""
    parts = 1 if client is None else max(1, min(count, PARALLEL_TASKS * (sum(client.nthreads().values()) or 1)))
    ends = [count * k // parts for k in range(parts + 1)]
    return [(first, last - first) for first, last in itertools.pairwise(ends)]


def spread(client: Any, work: Callable[..., Any], tasks: list[tuple[Any, ...]]) -> list[Any]:
    """Results of work, in order: here, or on the workers of a Dask client, which repeats what a worker that died has not finished."""
    if client is None:
        return [work(*task) for task in tasks]
    futures = [client.submit(work, *task, pure=False) for task in tasks]
    try:
        return [future.result() for future in futures]
    except BaseException:
        client.cancel(futures)
        raise


def _pairs(name: str, given: Mapping[str, Any] | None) -> list[tuple[str, tuple[float, float]]]:
    """Ranges by name."""
    out = []
    for key, value in (given or {}).items():
        limits = as_column(f"{name}[{key!r}]", value)
        if limits.size != 2:
            raise Error(f"{name}[{key!r}] has {limits.size} numbers", "give the smallest and the largest value")
        low, high = limits
        out.append((key, (float(low), float(high))))
    return out


def _is_data_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "__getitem__")


def _source(data: Any) -> tuple[list[str], list[tuple[str, list[tuple[str, Floats]]]]]:
    """Files, and columns in memory, of what the user gives."""
    if isinstance(data, str | os.PathLike):
        path = os.fspath(data)
        found = sorted(glob.glob(path)) if any(c in path for c in "*?[") and not os.path.exists(path) else [path]
        if not found:
            raise Error(f"no file matches '{path}'")
        return found, []
    if isinstance(data, Mapping) or _is_data_frame(data):
        names = [str(name) for name in (data if isinstance(data, Mapping) else data.columns)]
        columns = [(name, as_column(name, data[name])) for name in names]
        lengths = {values.size for _, values in columns}
        if len(lengths) != 1:
            raise Error(f"columns of {len(lengths)} lengths", "a record has one value of each column for each sample")
        return [], [("data", columns)]
    if isinstance(data, Sequence):
        files: list[str] = []
        tables: list[tuple[str, list[tuple[str, Floats]]]] = []
        for k, one in enumerate(data):
            more, found_tables = _source(one)
            files.extend(more)
            tables.extend((f"data {k + 1}", inner) for _, inner in found_tables)
        return files, tables
    raise Error(f"data is a {type(data).__name__}", "give a path, a dict of arrays, a data frame, or a list of these")


def identify(
    data: Any = None,
    *,
    time: Any = None,
    position: Any = None,
    velocity: Any = None,
    acceleration: Any = None,
    force: Any = None,
    load: Any = None,
    known: Any = None,
    weight: Any = None,
    model: str | Law = "auto",
    find: str | None = None,
    mass: float | None = None,
    constants: Mapping[str, float] | None = None,
    filter: str = "auto",
    drop: tuple[int, int] = (0, 0),
    rate: float | None = None,
    delay: float | Literal["auto"] = 0.0,
    terms: Mapping[str, str] | None = None,
    mean: int = 1,
    offset: bool = True,
    asymmetric: bool = False,
    decimate: int | None = None,
    rest: float | None = None,
    robust: str | None = None,
    white: bool = False,
    set: Mapping[str, float] | None = None,
    free: Sequence[str] | Mapping[str, tuple[float, float] | None] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    forget: float = 0.0,
    profile: bool = False,
    steps: Sequence[float] = (),
    window: tuple[float, float] | None = None,
    trend: Literal["travel", "time", "none"] | None = None,
    scenario: str | os.PathLike[str] | Scenario | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    judge: Any = None,
    bootstrap: int = 0,
    starts: int = 1,
    seed: int = 0,
    client: Any = None,
    progress: bool | Callable[[int], object] = True,
) -> Fit:
    """Identifies friction from measured data: a law, its parameters, and how sure they are.

    `data` is the path of a log of any format that `stiction data` reads (also with * for several), a dict of arrays, a data frame, or a
    list of these, one record each. The quantities are names of columns or expressions over them, `position="q*1e-3"`; those that are
    not given are guessed from the names of columns. Without `data` they are arrays: `identify(time=t, position=x, force=f)`.

    The force drives the body; friction is the force less `mass` times acceleration and less `known`. With `mass=0` the force is friction itself;
    without a mass it is identified, too. `load` as a number is the load of all records.

    `model`: "auto" for the best of several, "coulomb", "stiction" (Coulomb and viscous), "stribeck", "stribeck:2" for sliding; any other law,
    by name, file or as a `Law`, is fitted along the motion, with `set`, `free` and `bounds` for its parameters. `find`: "presliding",
    "breakaway" or "load" instead. `delay="auto"` estimates the delay of the force, `terms={"gravity": "sin(q)"}` the size of other forces.

    "dieterich", "ruina", "prz" and "nagata", also with ":2" for two states, are laws of rate and state for velocity steps: friction as `force` and the
    velocity or displacement of the load point; `steps` are the times of steps, `window` a part of the record, `trend` that of friction. The other
    options are those of `stiction identify`.

    `scenario` fits the numbers that a scenario marks as free in its table [identify], by simulating it; the scenario says which columns it takes
    and which it has to repeat. `free`, `bounds` and `set` are for these numbers, `priors={"fc": (0.02, 0.005)}` is what is known of them before:
    value and standard deviation. `judge` are other records, given as `data` is, on which the fit is validated. `fit.scenario` has what was found.

    Laws along the motion and scenarios: `bootstrap=200` refits 200 times to residuals that are drawn anew in blocks, `fit.bootstrap` has the values;
    `starts=8` searches from eight sets of places and keeps the best fit. Both depend on `seed` alone: with `client`, a Dask client, they run on its
    workers, with the same numbers; a worker that dies costs its share. `progress` is shown on a terminal, or given to a function in thousandths.
    """
    request: MotionRequest | PlantRequest
    if scenario is not None:
        request = _plant_request(locals())
    else:
        if priors is not None or judge is not None:
            raise Error("priors and judge have no effect here", "leave them out, or give the scenario that is fitted")
        files, columns, arguments, command = _request(locals())
        request = MotionRequest(files, columns, model if isinstance(model, Law) else None, arguments, command)
    refits = as_count("bootstrap", bootstrap, 0, 1_000_000)
    searches = as_count("starts", starts, 1, 10_000)
    seed = as_count("seed", seed, 0, 2**31)
    if (refits or searches > 1) and not request.searches():
        raise Error("bootstrap and starts are for laws along the motion and for scenarios", "name a law as model, or give scenario")
    if client is not None and not refits and searches == 1:
        raise Error("there is nothing for the client", "give bootstrap=200 or starts=8, or leave it out")
    fit = best_start(request, searches, seed, client, progress)
    return (fit._with_refits(request, refits, seed, client) if refits else fit)._warned()


def _plant_request(options: Mapping[str, Any]) -> PlantRequest:
    """What the fit of a scenario needs."""
    usual = {parameter.name: parameter.default for parameter in inspect.signature(identify).parameters.values()}
    for name, value in options.items():
        if name not in PLANT_OPTIONS and not (value is usual[name] or (isinstance(value, type(usual[name])) and value == usual[name])):
            raise Error(f"{name} has no effect on the fit of a scenario", "leave it out: a scenario names its columns and its laws itself")
    if options["data"] is None:
        raise Error("there are no data", 'identify("log.csv", scenario=...), or a dict of arrays')
    given = options["scenario"]
    scenario = given if isinstance(given, Scenario) else Scenario(given)
    priors = []
    for name, known in (options["priors"] or {}).items():
        pair = as_column(f"priors[{name!r}]", known)
        if pair.size != 2 or not np.all(np.isfinite(pair)) or pair[1] <= 0.0:
            raise Error(f"priors[{name!r}] = {known!r}", "give the expected value and its standard deviation, which is above zero")
        priors.append((name, float(pair[0]), float(pair[1])))
    arguments = {
        "constants": _values(options["constants"] or {}),
        "set": _values(options["set"] or {}),
        "free": _freed(options["free"]),
        "bounds": _pairs("bounds", options["bounds"]),
        "priors": priors,
        **{name: options[name] for name in ("robust", "white", "profile")},
        "search": None,
    }
    data = _source(options["data"])
    judged: tuple[list[str], list[tuple[str, list[tuple[str, Floats]]]]] = ([], [])
    if options["judge"] is not None:
        judged = _source(options["judge"])
    command = f"stiction.identify({data[0]!r}, scenario={scenario.name!r})"
    return PlantRequest(scenario, data, judged, arguments, command)


def _freed(free: Any) -> list[tuple[str, tuple[float, float] | None]]:
    """Parameters that are fitted, with their bounds where these are given."""
    if not isinstance(free, Mapping):
        return [(name, None) for name in free or ()]
    bounded = _pairs("free", {name: limits for name, limits in free.items() if limits is not None})
    limits = dict(bounded)
    return [(name, limits.get(name)) for name in free]


def _request(
    given_arguments: Mapping[str, Any],
) -> tuple[list[str], list[tuple[str, list[tuple[str, Floats]]]], dict[str, Any], str]:
    """Files, columns, arguments and the command of the native functions."""
    options = dict(given_arguments)
    data, load, model = options.pop("data"), options["load"], options["model"]
    given = {role: options[role] for role in ROLES}
    fixed_load = None
    if isinstance(load, int | float | np.floating | np.integer) and not isinstance(load, bool):
        fixed_load, given["load"] = float(load), None
    if data is None:
        arrays = {role: values for role, values in given.items() if values is not None and not isinstance(values, str)}
        if not arrays:
            raise Error("there are no data", 'identify("log.csv"), or identify(time=t, position=x, force=f)')
        data = arrays
        given = {role: role if role in arrays else values for role, values in given.items()}
    for role, values in given.items():
        if values is not None and not isinstance(values, str):
            raise Error(f"{role} is a {type(values).__name__}", "beside data, name a column or write an expression")
    files, columns = _source(data)
    delay = options["delay"]
    for name, text in (options["terms"] or {}).items():
        if not isinstance(text, str):
            raise Error(f"terms has {name!r}: {text!r}", "a name and an expression: terms={'gravity': 'sin(q)'}")
    if isinstance(delay, str) and delay != "auto":
        raise Error(f"delay = {delay!r}", "seconds, or 'auto' to estimate it")
    plain = ("find", "mass", "filter", "drop", "rate", "mean", "offset", "asymmetric", "decimate", "rest", "robust", "white", "forget")
    options["drop"] = tuple(as_count("drop", x) for x in options["drop"])
    options["mean"] = as_count("mean", options["mean"], 1)
    options["decimate"] = None if options["decimate"] is None else as_count("decimate", options["decimate"], 1)
    for name in ("mass", "rate", "rest"):
        if options[name] is not None:
            options[name] = as_number(name, options[name])
    arguments = {
        **given,
        **{name: options[name] for name in (*plain, "profile", "window", "trend")},
        "constants": _values(options["constants"] or {}),
        "model": model.name if isinstance(model, Law) else model,
        "fixed_load": fixed_load,
        "delay": 0.0 if delay == "auto" else as_number("delay", delay),
        "fit_delay": delay == "auto",
        "terms": list((options["terms"] or {}).items()),
        "steps": [float(t) for t in options["steps"]],
        "set": _values(options["set"] or {}),
        "free": _freed(options["free"]),
        "bounds": _pairs("bounds", options["bounds"]),
        "search": None,
    }
    named = {key: value for key, value in given.items() if value is not None}
    words = [repr(files), *(f"{key}={value!r}" for key, value in named.items())]
    return files, columns, arguments, f"stiction.identify({', '.join(words)}, model={arguments['model']!r})"


class LawScore(NamedTuple):
    """A law in a comparison: how many values it has, and its errors [N] on the halves of records that it was not fitted to."""

    name: str
    parameters: int
    rms: float
    sliding: float


class LawComparison(Frozen):
    """Laws compared on the same records. Each was fitted to the first half of every record and predicted the second.

    `scores` has the best prediction first; `choice` is the law to take, the one with fewest parameters that predicts no worse than the best
    within what chance explains; `fits[name]` is a law's fit to the whole records, and `failed` says why laws could not be fitted.
    """

    __slots__ = ("choice", "failed", "fits", "scores")
    scores: list[LawScore]
    choice: str
    fits: dict[str, Fit]
    failed: dict[str, str]

    def __init__(
        self, scores: list[LawScore], choice: str, fits: dict[str, Fit], failed: dict[str, str]
    ) -> None:
        self._set(scores=scores, choice=choice, fits=fits, failed=failed)

    @property
    def fit(self) -> Fit:
        """The fit of the law to take."""
        return self.fits[self.choice]

    def _rows(self) -> list[tuple[str, str, str, str]]:
        rows = [(one.name, str(one.parameters), f"{one.rms:.4g}", f"{one.sliding:.4g}") for one in self.scores]
        return [("law", "parameters", "rms [N]", "sliding [N]"), *rows]

    def __repr__(self) -> str:
        lines = [f"{a:<20}{b:>11}{c:>12}{d:>12}" for a, b, c, d in self._rows()]
        lines += [f"{name}: {why}" for name, why in self.failed.items()]
        return "\n".join([*lines, f"take {self.choice}"])

    def _repr_html_(self) -> str:
        rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in self._rows()]
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table><p>take <b>{html.escape(self.choice)}</b></p>"


def compare(
    laws: str | os.PathLike[str] | Law | Sequence[str | os.PathLike[str] | Law],
    data: Any = None,
    *,
    time: Any = None,
    position: Any = None,
    velocity: Any = None,
    acceleration: Any = None,
    force: Any = None,
    load: Any = None,
    known: Any = None,
    mass: float | None = None,
    constants: Mapping[str, float] | None = None,
    filter: str = "auto",
    drop: tuple[int, int] = (0, 0),
    rate: float | None = None,
    delay: float = 0.0,
    terms: Mapping[str, str] | None = None,
    mean: int = 1,
    offset: bool = True,
) -> LawComparison:
    """Which law for these data? Fits each to the first half of every record and lets it predict the second.

    The arguments are those of `identify`.
    """
    several = [laws] if isinstance(laws, str | os.PathLike | Law) else laws
    known_laws = [law if isinstance(law, Law) else Law(law) for law in several]
    if not known_laws:
        raise Error("there are no laws to compare", "compare(['stribeck', 'dahl', 'gms'], 'log.csv')")
    names = [law.name for law in known_laws]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Error(f"'{twice[0]}' is there twice", "give each law once")
    values = {name: value for name, value in locals().items() if name not in ("laws", "several", "known_laws", "names", "twice")}
    silent: dict[str, Any] = {
        **dict.fromkeys(("weight", "find", "decimate", "rest", "robust", "set", "free", "bounds", "window", "trend")),
        **dict.fromkeys(("asymmetric", "white", "profile"), False),
        "model": "auto",
        "forget": 0.0,
        "steps": (),
    }
    files, columns, arguments, _ = _request({**silent, **values})
    rows, report, choice, failed = _native.compare_models(files, columns, [law._core for law in known_laws], arguments)
    scores = [LawScore(*row) for row in rows]
    if choice is None:
        name, why = failed[0]
        raise Error(f"no law could be fitted; {name}: {why}", "look at the record, or choose other laws")
    fits = {score.name: Fit(report, index) for index, score in enumerate(scores)}
    return LawComparison(scores, scores[choice].name, fits, dict(failed))
