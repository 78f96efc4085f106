"""Analyses of scenarios: periodic motions, equilibria, hunting."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, as_count, as_number, read_only
from ._errors import Error
from ._frozen import Frozen
from ._result import Changes, Complexes, Result, as_list, as_scenario, complexes, floats
from ._scenario import Scenario

if TYPE_CHECKING:
    from ._system import System


class Range(NamedTuple):
    """The smallest and the largest value of a column."""

    min: float
    max: float
    unit: str


class StickSlip(NamedTuple):
    """How long a contact sticks and slips in a period [s], and how often it sticks."""

    stick: float
    slip: float
    sticks: int


class CycleValues:
    """A periodic motion: its period, its stability, its size."""

    __slots__ = ()
    data: dict[str, Any]

    @property
    def period(self) -> float:
        """The period [s]."""
        return float(self.data["period"])

    @property
    def stable(self) -> bool:
        """Whether all multipliers are within the unit circle."""
        return bool(self.data["stable"])

    @property
    def multipliers(self) -> Complexes:
        """Floquet multipliers, the largest first, without the one along the cycle."""
        return complexes(self.data["multipliers"])

    @property
    def ranges(self) -> dict[str, Range]:
        """The range of each column; positions are relative to the steady motion."""
        return {name: Range(**one) for name, one in self.data["range"].items()}

    @property
    def contacts(self) -> dict[str, StickSlip]:
        """How each contact sticks and slips."""
        return {name: StickSlip(**one) for name, one in self.data["contacts"].items()}


class Cycle(Result, CycleValues):
    """The periodic motion that a scenario leads to."""

    __slots__ = ()


class CyclePoint(Frozen, CycleValues):
    """A periodic motion on a curve of them."""

    __slots__ = ("data",)

    def __init__(self, data: dict[str, Any]) -> None:
        self._set(data=data)


class Bifurcation(NamedTuple):
    """A change of the cycles over a parameter: fold, flip or torus."""

    value: float
    period: float
    what: str


class CycleBranch(Result):
    """The cycles of a scenario over one of its values."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The value that was changed."""
        return str(self.data["path"])

    @property
    def values(self) -> Floats:
        """Its value at each point."""
        return floats(point["value"] for point in self.data["points"])

    @property
    def points(self) -> list[CyclePoint]:
        """The cycle at each point."""
        return [CyclePoint(point) for point in self.data["points"]]

    @property
    def periods(self) -> Floats:
        """The period at each point [s]."""
        return floats(point["period"] for point in self.data["points"])

    @property
    def stable(self) -> npt.NDArray[np.bool_]:
        """Whether the cycle at each point is stable."""
        return read_only(np.array([point["stable"] for point in self.data["points"]], dtype=np.bool_))

    @property
    def bifurcations(self) -> list[Bifurcation]:
        """Folds, flips and torus bifurcations on the curve."""
        return [Bifurcation(one["value"], one["period"], one["what"]) for one in self.data["changes"]]

    @property
    def restick(self) -> dict[float, bool]:
        """Values beyond which a motion from rest never sticks again: whether it sticks below them."""
        return {one["value"]: one["returns_below"] for one in self.data["restick"]}


class Equilibrium(Frozen):
    """A state in which a system stays, sliding steadily or at rest."""

    __slots__ = ("data",)
    data: dict[str, Any]

    def __init__(self, data: dict[str, Any]) -> None:
        self._set(data=data)

    @property
    def kind(self) -> str:
        """'sliding' or 'rest'."""
        return str(self.data["kind"])

    @property
    def stable(self) -> bool | None:
        """Whether it is stable; None if the linear system cannot tell."""
        return None if self.data["undecided"] else bool(self.data["stable"])

    @property
    def state(self) -> dict[str, float]:
        """The states of the system."""
        return dict(self.data["state"])

    @property
    def extent(self) -> dict[str, tuple[float, float]]:
        """How far coordinates may be from it while contacts stick; empty if it is a single point."""
        return {name: (lo, hi) for name, (lo, hi) in self.data["set"].items()}

    @property
    def eigenvalues(self) -> Complexes:
        """The eigenvalues of its linearisations: for a contact at rest there is one for each direction."""
        return complexes(pair for one in self.data["linear"] for pair in one["eigenvalues"])

    @property
    def jacobians(self) -> list[Floats]:
        """The matrices of its linearisations; `data["linear"]` names their states."""
        return [read_only(np.array(one["matrix"], dtype=np.float64)) for one in self.data["linear"]]

    def __repr__(self) -> str:
        verdict = {None: "neutral", True: "stable", False: "not stable"}[self.stable]
        return f"<Equilibrium: {self.kind}, {verdict}>"


class StabilityChange(NamedTuple):
    """A speed above which sliding is 'stable', 'unstable', or the steady curve of a contact 'rises' or 'falls'."""

    v: float
    above: str
    contact: str | None


class Equilibria(Result, Sequence[Equilibrium]):
    """The equilibria of a scenario."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.data["equilibria"])

    def __getitem__(self, index: Any) -> Any:
        found = self.data["equilibria"][index]
        return [Equilibrium(one) for one in found] if isinstance(index, slice) else Equilibrium(found)

    @property
    def changes(self) -> list[StabilityChange]:
        """Speeds of what drives the system at which the stability of sliding changes."""
        return [StabilityChange(**one) for one in self.data["changes"]]


class Oscillation(NamedTuple):
    """An oscillation that harmonic balance predicts."""

    amplitude: float
    omega: float
    period: float
    stable: bool


class Hunting(Result):
    """The hunting of a loop, predicted by harmonic balance and simulated."""

    __slots__ = ()

    @property
    def predictions(self) -> list[Oscillation]:
        """The oscillations that harmonic balance predicts."""
        return [Oscillation(**{key: one[key] for key in Oscillation._fields}) for one in self.data["predictions"]]

    @property
    def simulated_period(self) -> float | None:
        """The period of the cycle that the simulation reaches [s]; None if it comes to rest."""
        found = self.data["simulated"]
        return None if found is None else float(found["period"])


def cycle(scenario: str | os.PathLike[str] | Scenario | System, changed: Changes | None = None, /, **values: Any) -> Cycle:
    """The periodic motion that a scenario leads to, to the accuracy of the solver.

    >>> cycle("a7").stable
    True
    """
    return Cycle(_native.cycle(as_scenario(scenario, changed, values)._core))


def follow(
    scenario: str | os.PathLike[str] | Scenario | System,
    path: str,
    lo: float,
    hi: float,
    changed: Changes | None = None,
    /,
    *,
    points: int = 60,
    **values: Any,
) -> CycleBranch:
    """The periodic motions of a scenario over its value `path` from `lo` to `hi`, also around folds."""
    low, high = as_number("lo", lo), as_number("hi", hi)
    if not low < high:
        raise Error(f"lo = {lo} is not below hi = {hi}")
    points = as_count("points", points, 1, 10_000)
    return CycleBranch(_native.cycle_branch(as_scenario(scenario, changed, values)._core, path, (low, high), points))


def equilibrium(
    scenario: str | os.PathLike[str] | Scenario | System,
    changed: Changes | None = None,
    /,
    *,
    speeds: tuple[float, float] = (1e-4, 100.0),
    **values: Any,
) -> Equilibria:
    """The equilibria of a scenario, and the driving speeds within `speeds` at which the stability of sliding changes."""
    limits = as_list("speeds", speeds)
    low, high = limits if len(limits) == 2 else (0.0, 0.0)
    if not 0.0 < low < high:
        raise Error(f"speeds = {speeds} are not two positive numbers, the first below the second")
    return Equilibria(_native.equilibrium(as_scenario(scenario, changed, values)._core, [low, high]))


def hunting(scenario: str | os.PathLike[str] | Scenario | System, changed: Changes | None = None, /, **values: Any) -> Hunting:
    """The hunting of a scenario with one contact in a linear loop, by harmonic balance, and the cycle that it reaches."""
    return Hunting(_native.hunting(as_scenario(scenario, changed, values)._core))
