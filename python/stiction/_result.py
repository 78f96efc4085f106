"""What analyses have in common: their arguments, and what they give back."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, Numbers, as_floats, read_only
from ._errors import Error
from ._frozen import Frozen, frozen
from ._law import Law
from ._scenario import Scenario

if TYPE_CHECKING:
    from ._system import System

Complexes = npt.NDArray[np.complex128]
Changes = Mapping[str, Any]


def as_law(law: str | os.PathLike[str] | Law) -> Law:
    """A law by its name, file, or itself."""
    return law if isinstance(law, Law) else Law(law)


def as_scenario(
    scenario: str | os.PathLike[str] | Scenario | System, changed: Changes | None, values: Mapping[str, Any]
) -> Scenario:
    """A scenario by its name, file, system, or itself, with changes."""
    if isinstance(scenario, Scenario):
        return scenario.replace(changed, **values) if changed or values else scenario
    return Scenario(scenario, changed, **values)


def as_list(name: str, values: Numbers | None) -> list[float]:
    """Finite numbers: one, several or none."""
    if values is None:
        return []
    array = np.atleast_1d(as_floats(name, values))
    if array.ndim != 1 or not np.all(np.isfinite(array)):
        raise Error(f"{name} is not a list of finite numbers")
    if array.size == 0:
        raise Error(f"{name} is empty", "leave it out, or give numbers")
    return [float(x) for x in array]


def write_files(folder: str | os.PathLike[str], files: Mapping[str, bytes]) -> None:
    """Writes files to a folder, each whole or not at all."""
    for name, content in files.items():
        path = os.path.join(folder, name)
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        except OSError as error:
            raise Error(f"cannot make the folder '{os.path.dirname(path)}': {error.strerror}", "choose another") from None
        _native.write_file(path, content)


def complexes(pairs: Iterable[Sequence[float]]) -> Complexes:
    """Complex numbers from their parts."""
    return read_only(np.array([complex(re, im) for re, im in pairs], dtype=np.complex128))


def floats(values: Iterable[float | None]) -> Floats:
    """An array, with NaN where there is no value."""
    return read_only(np.array([np.nan if x is None else x for x in values], dtype=np.float64))


class Result(Frozen):
    """What an analysis found. `print` shows it as the program does; in a notebook there are its pictures, too.

    `data` has everything as lists, dicts and numbers, with the names of `stiction ... --json`. It does not change, and pickles.
    """

    __slots__ = ("_core", "data")
    _core: _native.Analysis
    data: dict[str, Any]

    def __init__(self, core: _native.Analysis) -> None:
        self._set(_core=core, data=frozen(json.loads(core.json())))

    @property
    def figures(self) -> dict[str, str]:
        """The pictures as SVG, by name."""
        return dict(self._core.figures())

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the results as JSON and the pictures as SVG to a folder."""
        text = json.dumps({"stiction": _native.__version__, **self.data}, indent=2, ensure_ascii=False) + "\n"
        files = {"summary.json": text, **{f"{name}.svg": svg for name, svg in self.figures.items()}}
        write_files(folder, {name: content.encode() for name, content in files.items()})

    def __str__(self) -> str:
        return self._core.text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>\n{self._core.text()}"

    def _repr_html_(self) -> str:
        return "".join(self.figures.values()) + f"<pre>{html.escape(self._core.text())}</pre>"
