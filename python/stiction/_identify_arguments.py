"""The arguments of an identification: records, columns, ranges and options."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._arrays import Floats, as_column, as_count, as_floats, as_number
from ._errors import Error
from ._law import Law, _values
from ._measured_data import Log, layout_arguments

ROLES = ("time", "position", "velocity", "acceleration", "force", "load", "known", "weight")

TIMES = ("t", "time", "timestamp")
"""Names of an index, or of a coordinate, that is a time."""

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


def as_samples(name: str, values: Any) -> Floats:
    """One number for each sample; dates and time differences are seconds from the first."""
    # pandas gives dates with a time zone as objects
    zoned = getattr(getattr(values, "dtype", None), "tz", None) is not None
    array = np.asarray(values, dtype="datetime64[ns]") if zoned else np.asarray(values)
    if array.dtype.kind in "mM" and array.ndim == 1:
        there = array[~np.isnat(array)]
        array = (array - there[0]) / np.timedelta64(1, "s") if there.size else np.full(array.shape, np.nan)
        return as_column(name, array)
    return as_column(name, values)


def _is_mentioned(name: str, texts: Sequence[str]) -> bool:
    """Whether an expression may use a column."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in texts)


def _items(data: Any, texts: Sequence[str]) -> list[tuple[str, Any]]:
    """Names and values of the columns of a dict of arrays, a data frame, an Arrow table or an xarray Dataset, with the index that is a time."""
    # the columns of an Arrow table are arrays
    names = list(data) if isinstance(data, Mapping) else list(getattr(data, "column_names", getattr(data, "columns", ())))
    items = [(str(name), data[name]) for name in names]
    known = {name for name, _ in items}
    coordinates = getattr(data, "coords", None)
    if isinstance(coordinates, Mapping):
        # what has other axes than time is no column of this record
        times = [name for name in coordinates if str(name).lower() in TIMES or coordinates[name].dtype.kind in "mM"]
        along = [coordinates[name].dims for name in times if coordinates[name].ndim == 1][:1]
        items = [(name, values) for name, values in items if not along or values.dims == along[0]]
        more = [(str(name), values) for name, values in coordinates.items() if values.ndim == 1 and (not along or values.dims == along[0])]
        return [*more, *items]
    index = getattr(data, "index", None)
    label = getattr(index, "name", None)
    is_time = isinstance(label, str) and label.lower() in TIMES
    if is_time or getattr(getattr(index, "dtype", None), "kind", "") in ("m", "M"):
        name = str(label) if is_time or (isinstance(label, str) and _is_mentioned(label, texts)) else "time"
        if name not in known:
            items.insert(0, (name, index))
    return items


def _table(data: Any, texts: Sequence[str]) -> list[tuple[str, Floats]]:
    """The columns of numbers; one of something else is left out, unless one of the texts uses it."""
    if isinstance(data, Log):
        # the heads of a file have the units, by which its numbers are converted
        return [(f"{name} [{unit}]" if unit else name, data[name]) for name, unit in data.units.items()]
    columns = []
    for name, values in _items(data, texts):
        try:
            columns.append((name, as_samples(name, values)))
        except Error:
            if _is_mentioned(name, texts) or not _is_text(values):
                raise
    return columns


def _is_text(values: Any) -> bool:
    """Whether a column holds texts, or other things that are no numbers."""
    array = np.asarray(values)
    return array.ndim == 1 and (array.dtype.kind not in "biufOc" or any(isinstance(x, str | bytes) for x in array))


def as_source(data: Any, texts: Sequence[str] = ()) -> tuple[list[str], list[tuple[str, list[tuple[str, Floats]]]]]:
    """Files, and columns in memory, of what the user gives; `texts` are expressions that use columns."""
    if isinstance(data, str | os.PathLike):
        path = os.fspath(data)
        found = sorted(glob.glob(path)) if any(c in path for c in "*?[") and not os.path.exists(path) else [path]
        if not found:
            raise Error(f"no file matches '{path}'")
        return found, []
    if isinstance(data, Mapping) or _is_data_frame(data):
        columns = _table(data, texts)
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
            more, found_tables = as_source(one, texts)
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
    texts = [text for text in (*given.values(), *(options["terms"] or {}).values()) if isinstance(text, str)]
    files, columns = as_source(data, texts)
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
