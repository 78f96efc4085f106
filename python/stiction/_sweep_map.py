"""Maps of the results of sweeps: two columns as axes, a third one in colours."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, as_column, as_number, read_only
from ._errors import Error
from ._result import Result, as_list
from ._sweep import Place, SweepTable


class Map(Result):
    """The result of a sweep as a map, or as a curve if one value was varied. In a notebook it is drawn; `figures["map"]` is the SVG."""

    __slots__ = ("_points",)
    _points: _native.Table

    def __init__(self, core: _native.Analysis, points: _native.Table) -> None:
        super().__init__(core)
        self._set(_points=points)

    @property
    def x(self) -> Floats:
        """The horizontal coordinate of each point."""
        return cast(Floats, self._points["x"])

    @property
    def y(self) -> Floats:
        """The vertical coordinate of each point; that of a curve is `values`."""
        return self.values if self.data["curve"] is not None else cast(Floats, self._points["y"])

    @property
    def values(self) -> Floats:
        """What the colours show; NaN where a point failed or there was nothing to measure."""
        return cast(Floats, self._points["value"])

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Whether a point failed."""
        return read_only(cast("npt.NDArray[np.bool_]", self._points["failed"] > 0.0))


def map(
    source: str | os.PathLike[str] | SweepTable,
    *,
    x: str | None = None,
    y: str | None = None,
    color: str | None = None,
    at: Mapping[str, float] | None = None,
    log: bool = False,
    contours: Iterable[float] | None = None,
    lines: Mapping[str, tuple[Any, Any]] | None = None,
) -> Map:
    """The result of a sweep as a map, as `stiction map` draws it: of a table, or of a file, also of a sweep that still runs, or at
    an address that fsspec knows.

    `x` and `y` are varied columns (the first two, unless they are named), `color` a measured one or an expression such as `"v_max/hand.v"`. Other varied
    columns are held `at` a value, the nearest in the table. `log` makes the scale of colours logarithmic; `contours` are the values with lines, `()` for
    none. `lines={"border": (x, y)}` draws curves over it.
    """
    curves = []
    for name, pair in (lines or {}).items():
        if len(pair) != 2:
            raise Error(f"lines[{name!r}] has {len(pair)} arrays", "give x and y")
        across, up = (as_column(f"lines[{name!r}]", values) for values in pair)
        if across.size != up.size:
            raise Error(f"lines[{name!r}] has {across.size} and {up.size} values", "give as many of y as of x")
        curves.append((name, [(float(a), float(b)) for a, b in zip(across, up, strict=True)]))
    levels = None if contours is None else list(contours)
    arguments: dict[str, Any] = {
        "x": x,
        "y": y,
        "color": color,
        "at": [(name, as_number(name, value)) for name, value in (at or {}).items()],
        "log": bool(log),
        "contours": as_list("contours", levels) if levels else levels,
        "lines": curves,
    }
    if isinstance(source, SweepTable):
        return Map(*_native.map_of_table(source._core, source._axes, list(source._facts.items()), arguments))
    place = os.fspath(source)
    with Place(place).local(place) as path:
        return Map(*_native.map_of_file(path, arguments))
