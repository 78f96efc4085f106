"""The arguments of an identification: records, columns, ranges and options."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._arrays import Floats, as_column, as_count, as_floats, as_number
from ._errors import Error
from ._law import Law, _values
from ._measured_data import Log, layout_arguments

ROLES = ("time", "position", "velocity", "acceleration", "force", "load", "known", "weight")

LAYOUT = ("skip", "delimiter", "decimal", "topic", "episode")
"""How files are read."""


def as_ranges(name: str, given: Mapping[str, Any] | None) -> list[tuple[str, tuple[float, float]]]:
    """Ranges by name."""
    out = []
    for key, value in (given or {}).items():
        limits = as_column(f"{name}[{key!r}]", value)
        if limits.size != 2:
            raise Error(f"{name}[{key!r}] has {limits.size} numbers", "give the smallest and the largest value")
        low, high = (float(limit) for limit in limits)
        if not low < high:
            raise Error(f"{name}[{key!r}] = ({low:g}, {high:g})", "the lower bound comes first, and is below the upper one")
        out.append((key, (low, high)))
    return out


def _is_data_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "__getitem__")


def _table(data: Any) -> list[tuple[str, Floats]]:
    """The columns of a log, a dict of arrays, a data frame or an Arrow table; also the index of a frame that is a time."""
    if isinstance(data, Log):
        # the heads of a file have the units, by which its numbers are converted
        return [(f"{name} [{unit}]" if unit else name, data[name]) for name, unit in data.units.items()]
    # the columns of an Arrow table are arrays
    names = list(data) if isinstance(data, Mapping) else list(getattr(data, "column_names", data.columns))
    columns = [(str(name), as_column(str(name), data[name])) for name in names]
    index = getattr(data, "index", None)
    label = getattr(index, "name", None)
    if isinstance(label, str) and label.lower() in ("t", "time") and label not in names:
        columns.insert(0, (label, as_column(label, index)))
    return columns


def as_source(data: Any) -> tuple[list[str], list[tuple[str, list[tuple[str, Floats]]]]]:
    """Files, and columns in memory, of what the user gives."""
    if isinstance(data, str | os.PathLike):
        path = os.fspath(data)
        found = sorted(glob.glob(path)) if any(c in path for c in "*?[") and not os.path.exists(path) else [path]
        if not found:
            raise Error(f"no file matches '{path}'")
        return found, []
    if isinstance(data, Mapping) or _is_data_frame(data):
        columns = _table(data)
        lengths = {values.size for _, values in columns}
        if not columns or lengths == {0}:
            raise Error("the record is empty", "a record has one value of each column for each sample")
        if len(lengths) != 1:
            raise Error(f"columns of {len(lengths)} lengths", "a record has one value of each column for each sample")
        return [], [("data", columns)]
    if isinstance(data, Sequence):
        if not data:
            raise Error("there are no records", "give a path, a dict of arrays, a data frame, or a list of these")
        files: list[str] = []
        tables: list[tuple[str, list[tuple[str, Floats]]]] = []
        for k, one in enumerate(data):
            more, found_tables = as_source(one)
            files.extend(more)
            tables.extend((f"data {k + 1}", inner) for _, inner in found_tables)
        return files, tables
    raise Error(f"data is a {type(data).__name__}", "give a path, a dict of arrays, a data frame, or a list of these")


def as_freed(free: Any) -> list[tuple[str, tuple[float, float] | None]]:
    """Parameters that are fitted, with their bounds where these are given."""
    if not isinstance(free, Mapping):
        return [(name, None) for name in free or ()]
    bounded = as_ranges("free", {name: limits for name, limits in free.items() if limits is not None})
    limits = dict(bounded)
    return [(name, limits.get(name)) for name in free]


def as_request(
    given_arguments: Mapping[str, Any],
) -> tuple[list[str], list[tuple[str, list[tuple[str, Floats]]]], dict[str, Any], str]:
    """Files, columns, arguments and the command of the native functions."""
    options = dict(given_arguments)
    data, load, model = options.pop("data"), options["load"], options["model"]
    given = {role: options[role] for role in ROLES}
    fixed_load: list[float] = []
    # beside data, numbers are the loads of records
    if isinstance(load, int | float | np.floating | np.integer) and not isinstance(load, bool):
        fixed_load, given["load"] = [float(load)], None
    elif data is not None and load is not None and not isinstance(load, str):
        fixed_load, given["load"] = as_column("load", load).tolist(), None
    if data is None:
        arrays = {role: values for role, values in given.items() if values is not None and not isinstance(values, str)}
        if not arrays:
            raise Error("there are no data", 'identify("log.csv"), or identify(time=t, position=x, force=f)')
        data = arrays
        given = {role: role if role in arrays else values for role, values in given.items()}
    for role, values in given.items():
        if values is not None and not isinstance(values, str):
            raise Error(f"{role} is a {type(values).__name__}", "beside data, name a column or write an expression")
    files, columns = as_source(data)
    delay = options["delay"]
    for name, text in (options["terms"] or {}).items():
        if not isinstance(text, str):
            raise Error(f"terms has {name!r}: {text!r}", "a name and an expression: terms={'gravity': 'sin(q)'}")
    if isinstance(delay, str) and delay != "auto":
        raise Error(f"delay = {delay!r}", "seconds, or 'auto' to estimate it")
    plain = ("find", "filter", "drop", "rate", "mean", "offset", "asymmetric", "decimate", "rest", "robust", "white", "forget")
    options["drop"] = tuple(as_count("drop", x) for x in options["drop"])
    options["mean"] = as_count("mean", options["mean"], 1)
    options["decimate"] = None if options["decimate"] is None else as_count("decimate", options["decimate"], 1)
    for name in ("rate", "rest"):
        if options[name] is not None:
            options[name] = as_number(name, options[name])
    mass: list[float] = [] if options["mass"] is None else np.ravel(as_floats("mass", options["mass"])).tolist()
    if any(not np.isfinite(m) or m < 0.0 for m in mass):
        raise Error(f"mass = {options['mass']!r}", "kilograms, 0 if the force is friction; one number, or one for each record")
    leave = options["leave"]
    window = options["window"]
    arguments = {
        **given,
        **{name: options[name] for name in (*plain, "profile", "trend", "load_name", "load_unit")},
        "window": None if window is None else tuple(limit if x is None else float(x) for x, limit in zip(window, (-np.inf, np.inf), strict=True)),
        "mass": mass,
        "leave": None if leave == "records" else as_count("leave", leave, 2, 100),
        "layout": layout_arguments(*(options[name] for name in LAYOUT)),
        "constants": _values(options["constants"] or {}),
        "model": model.name if isinstance(model, Law) else model,
        "fixed_load": fixed_load,
        "delay": None if delay is None or delay == "auto" else as_number("delay", delay),
        "fit_delay": delay == "auto",
        "terms": list((options["terms"] or {}).items()),
        "steps": [float(t) for t in options["steps"]],
        "set": _values(options["set"] or {}),
        "free": as_freed(options["free"]),
        "bounds": as_ranges("bounds", options["bounds"]),
        "search": None,
    }
    named = {key: value for key, value in given.items() if value is not None}
    words = [repr(files), *(f"{key}={value!r}" for key, value in named.items())]
    return files, columns, arguments, f"stiction.identify({', '.join(words)}, model={arguments['model']!r})"
