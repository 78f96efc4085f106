"""Identification of friction from measured data."""

from __future__ import annotations

import glob
import html
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._arrays import Floats, as_column
from ._errors import Error
from ._law import Law, _values

ROLES = ("time", "position", "velocity", "acceleration", "force", "load", "known", "weight")


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


class Fit:
    """What was identified: `fit["fc"].value`, `fit["fc"].interval`, `fit.law`, and what the data do not tell, `fit.unidentified`.

    The first result is the recommended one; `fit.others` has those that it was compared with.
    """

    __slots__ = ("_core", "_index")

    def __init__(self, core: _native.Report, index: int = 0) -> None:
        self._core = core
        self._index = index

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
            raise KeyError(f"there is no estimate of '{name}', but of {', '.join(estimates)}")
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

    @property
    def law(self) -> Law:
        """The identified law; `law.save(...)` writes it with its uncertainty and where it comes from."""
        core = self._core.law(self._index)
        if core is None:
            raise Error("no law was identified", "fit.remarks says why")
        return Law._of(core)

    @property
    def scores(self) -> dict[str, float]:
        """Measures of the fit, such as `rms` and `nrmse`."""
        return {key: value for key, _, value, _ in self._core.scores(self._index)}

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """Remarks on the data and the fit: severity (info, good, warning, critical) and text."""
        return self._core.remarks(self._index)

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
        Path(path).write_text(self._core.html(), encoding="utf-8")

    def __repr__(self) -> str:
        return f"<{self.title}: {', '.join(repr(e) for e in self.estimates.values())}>"

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
        low, high = as_column(f"{name}[{key!r}]", value)[:2]
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
    delay: float = 0.0,
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
) -> Fit:
    """Identifies friction from measured data: a law, its parameters, and how sure they are.

    `data` is the path of a log of any format that `stiction data` reads (also with * for several), a dict of arrays, a data frame, or a
    list of these, one record each. The quantities are names of columns or expressions over them, `position="q*1e-3"`; those that are
    not given are guessed from the names of columns. Without `data` they are arrays: `identify(time=t, position=x, force=f)`.

    The force drives the body; friction is the force less `mass` times acceleration and less `known`. With `mass=0` the force is friction itself;
    without a mass it is identified, too. `load` as a number is the load of all records.

    `model`: "auto" for the best of several, "coulomb", "stiction" (Coulomb and viscous), "stribeck", "stribeck:2" for sliding; any other law,
    by name, file or as a `Law`, is fitted along the motion, with `set`, `free` and `bounds` for its parameters. `find`: "presliding",
    "breakaway" or "load" instead. The other options are those of `stiction identify`.
    """
    given = dict(zip(ROLES, (time, position, velocity, acceleration, force, load, known, weight), strict=True))
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
    freed = list(free.items()) if isinstance(free, Mapping) else [(name, None) for name in free or ()]
    arguments = {
        **given,
        "constants": _values(constants or {}),
        "model": model.name if isinstance(model, Law) else model,
        "find": find,
        "mass": mass,
        "fixed_load": fixed_load,
        "filter": filter,
        "drop": drop,
        "rate": rate,
        "delay": delay,
        "mean": mean,
        "offset": offset,
        "asymmetric": asymmetric,
        "decimate": decimate,
        "rest": rest,
        "robust": robust,
        "white": white,
        "set": _values(set or {}),
        "free": freed,
        "bounds": _pairs("bounds", bounds),
        "forget": forget,
        "profile": profile,
    }
    named = {key: value for key, value in given.items() if value is not None}
    command = f"stiction.identify({', '.join([repr(files), *(f'{key}={value!r}' for key, value in named.items())])}, model={arguments['model']!r})"
    law = model._core if isinstance(model, Law) else None
    return Fit(_native.identify(files, columns, law, arguments, command))
