"""Identification of friction from measured data."""

from __future__ import annotations

import glob
import html
import inspect
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from . import _native
from ._arrays import Floats, as_column, as_count, as_number
from ._errors import Error, in_python, unknown_name, warn
from ._frozen import Frozen
from ._law import Law, _values
from ._scenario import Scenario

ROLES = ("time", "position", "velocity", "acceleration", "force", "load", "known", "weight")
PLANT_OPTIONS = ("data", "scenario", "judge", "priors", "free", "bounds", "set", "constants", "robust", "white", "profile")
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

    __slots__ = ("_core", "_index", "_scenario")
    _core: _native.Report
    _index: int
    _scenario: str

    def __init__(self, core: _native.Report, index: int = 0, scenario: str = "") -> None:
        self._set(_core=core, _index=index, _scenario=scenario)

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

        Quantities that the data do not determine keep their value, which a note tells. A level or a stiffness that would be negative where the
        estimate is not is drawn again.
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
        parameters = set(self.law) if self._core.law(self._index) is not None else set()
        # offset, delay and other forces may have either sign
        positive = np.array([x > 0.0 and name in (*parameters, "mass") for name, x in zip(names, values, strict=True)])
        random = np.random.default_rng(seed)
        drawn = random.multivariate_normal(values, covariance, size=count, method="eigh")
        for _ in range(100):
            wrong = np.any(drawn[:, positive] <= 0.0, axis=1)
            if not np.any(wrong):
                break
            drawn[wrong] = random.multivariate_normal(values, covariance, size=int(wrong.sum()), method="eigh")
        else:
            raise Error("the estimates are too uncertain to draw from", "their intervals say how far they may be off")
        return {name: drawn[:, k].copy() for k, name in enumerate(names)}

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
    """
    if scenario is not None:
        return _identify_plant(locals())
    if priors is not None or judge is not None:
        raise Error("priors and judge have no effect here", "leave them out, or give the scenario that is fitted")
    files, columns, arguments, command = _request(locals())
    law = model._core if isinstance(model, Law) else None
    return Fit(_native.identify(files, columns, law, arguments, command))._warned()


def _identify_plant(options: Mapping[str, Any]) -> Fit:
    """Fits a scenario through its simulation."""
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
    }
    data = _source(options["data"])
    judged: tuple[list[str], list[tuple[str, list[tuple[str, Floats]]]]] = ([], [])
    if options["judge"] is not None:
        judged = _source(options["judge"])
    command = f"stiction.identify({data[0]!r}, scenario={scenario.name!r})"
    core = _native.identify_plant(scenario._core, data, judged, arguments, command)
    return Fit(core, 0, scenario.name)._warned()


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
    taken = ("mass", "offset", "delay", "lag", "fc", "fs", "fv", "vs", "exponent")
    for name, text in (options["terms"] or {}).items():
        if not name.isidentifier() or name in taken or not isinstance(text, str):
            raise Error(f"terms has {name!r}: {text!r}", "a name that no other estimate has, and an expression: terms={'gravity': 'sin(q)'}")
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
