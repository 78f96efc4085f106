"""Analyses of laws: break-away, hysteresis, describing functions, phenomena, passivity, the conformance check."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from . import _native
from ._arrays import Floats, Numbers, as_column, as_number
from ._errors import Error, unknown_name, warn
from ._law import Law
from ._result import Complexes, Result, as_law, as_list, complexes, floats


class Breakaway(Result):
    """Break-away in several tests, in arrays."""

    __slots__ = ()

    def _column(self, name: str) -> Floats:
        return floats(test[name] for test in self.data["tests"])

    @property
    def rate(self) -> Floats:
        """The rates at which the force rose [N/s]."""
        return self._column("rate")

    @property
    def dwell(self) -> Floats:
        """The times at rest [s]."""
        return self._column("dwell")

    @property
    def force(self) -> Floats:
        """The break-away forces [N]; NaN where there was none."""
        return self._column("force")

    @property
    def distance(self) -> Floats:
        """The displacements at break-away [m]."""
        return self._column("distance")

    @property
    def time(self) -> Floats:
        """The times from the beginning of the load to break-away [s]."""
        return self._column("time")

    @property
    def per_decade(self) -> float | None:
        """The change of the force per decade of what was varied [N]."""
        fit = self.data["fit"]
        return None if fit is None else float(fit["per_decade"])


class Loop(NamedTuple):
    """A hysteresis loop: its area is the energy of a cycle [J]."""

    amplitude: float
    omega: float | None
    area: float
    width: float | None
    damping: float | None
    secant: float


class Hysteresis(Result):
    """Hysteresis loops, and what they say of the memory."""

    __slots__ = ()

    @property
    def loops(self) -> list[Loop]:
        """The loops; `data["loops"]` has more measures of each."""
        return [Loop(**{key: one[key] for key in Loop._fields}) for one in self.data["loops"]]

    @property
    def properties(self) -> dict[str, bool]:
        """Whether properties of the memory hold, at all amplitudes."""
        found: dict[str, bool] = {}
        for one in self.data["properties"]:
            found[one["name"]] = found.get(one["name"], True) and bool(one["holds"])
        return found


class DescribingFunction(Result):
    """The describing function of a law over amplitudes and angular frequencies."""

    __slots__ = ()

    @property
    def amplitudes(self) -> Floats:
        """The amplitudes of the displacement [m or rad]."""
        return floats(self.data["amplitudes"])

    @property
    def omegas(self) -> Floats:
        """The angular frequencies [rad/s]."""
        return floats(self.data["omegas"])

    def _grid(self, name: str) -> Complexes:
        return complexes(one[name] for one in self.data["describing"]).reshape(len(self.amplitudes), len(self.omegas))

    @property
    def on_displacement(self) -> Complexes:
        """Force over displacement [N/m]: a row for each amplitude, a column for each frequency."""
        return self._grid("on_displacement")

    @property
    def on_velocity(self) -> Complexes:
        """Force over velocity [N·s/m], in the same form."""
        return self._grid("on_velocity")


class Phenomenon(NamedTuple):
    """A phenomenon of a law: whether it is shown ('yes', 'no', 'open'), and the measured figure."""

    shown: str
    figure: float | None


class Phenomena(Result, Mapping[str, "dict[str, Phenomenon]"]):
    """What laws show: `found["lugre"]["stick-slip"].shown`."""

    __slots__ = ()

    def _laws(self) -> dict[str, dict[str, Phenomenon]]:
        def cells(law: dict[str, Any]) -> dict[str, Phenomenon]:
            return {key: Phenomenon(one["shown"], one["figure"]) for key, one in law["phenomena"].items()}

        return {law["law"]: cells(law) for law in self.data["laws"]}

    def __getitem__(self, law: str) -> dict[str, Phenomenon]:
        found = self._laws()
        if law not in found:
            raise unknown_name("law in this result", law, found)
        return found[law]

    def __iter__(self) -> Any:
        return iter(self._laws())

    def __len__(self) -> int:
        return len(self.data["laws"])

    @property
    def choice(self) -> str | None:
        """The smallest law that shows all that is needed."""
        choice = self.data["choice"]
        return None if choice is None else cast("str | None", choice["use"])


class Passivity(Result):
    """Whether a law is passive."""

    __slots__ = ()

    @property
    def passive(self) -> bool | None:
        """True if a sufficient condition holds, False if a motion was found that gains energy, else None."""
        return cast("bool | None", self.data["passive"])

    @property
    def worst(self) -> float:
        """The smallest energy dissipated in a period, relative to the largest force times the distance."""
        return float(self.data["worst"]["relative"])


class Check(Result):
    """Whether a law keeps to what it claims."""

    __slots__ = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is broken."""
        return bool(self.data["sound"])

    @property
    def properties(self) -> dict[str, str]:
        """The verdict of each property: 'holds', 'fails' or 'differs'."""
        return {one["name"]: one["verdict"] for one in self.data["properties"]}


def breakaway(
    law: str | os.PathLike[str] | Law,
    rate: Numbers | None = None,
    dwell: Numbers | None = None,
    *,
    mass: float = 1.0,
    load: float = 1.0,
    slid: float | None = None,
) -> Breakaway:
    """Break-away of a mass on a law: against the rate of the force [N/s], or with `dwell` against the time at rest at one rate.

    Without `rate` these are 0.1, 1, 10 and 100 N/s, or 0.1 N/s beside `dwell`.
    """
    if rate is None:
        rate = (0.1, 1.0, 10.0, 100.0) if dwell is None else 0.1
    if dwell is not None and np.size(rate) > 1:
        raise Error("several rates beside dwell", "times at rest are compared at one rate")
    core = _native.breakaway(
        as_law(law)._core,
        as_number("load", load),
        as_number("mass", mass),
        as_list("rate", rate),
        as_list("dwell", dwell),
        None if slid is None else as_number("slid", slid),
    )
    warn(core.notes)
    return Breakaway(core)


def hysteresis(
    law: str | os.PathLike[str] | Law | None = None,
    amplitude: Numbers | None = None,
    omega: Numbers | None = None,
    *,
    mean: float = 0.0,
    load: float = 1.0,
    memory: bool = True,
    x: Numbers | None = None,
    force: Numbers | None = None,
    t: Numbers | None = None,
    noise: float = 1e-6,
    miss: float = 0.01,
    turns: bool = False,
) -> Hysteresis:
    """Hysteresis loops of a law driven to and fro, without `omega` quasi-statically; or those of a measured path `x`, `force`.

    >>> hysteresis("dahl", amplitude=3e-4).properties["Masing"]
    True
    """
    if law is None:
        if x is None or force is None:
            raise Error("neither a law nor a path", "hysteresis('dahl', amplitude=1e-4), or hysteresis(x=..., force=...)")
        if amplitude is not None or omega is not None or (mean, load, memory) != (0.0, 1.0, True):
            raise Error("amplitude, omega, mean, load and memory are for laws, not for measured paths")
        path, forces = as_column("x", x), as_column("force", force)
        times = None if t is None else as_column("t", t)
        if len(path) != len(forces) or (times is not None and len(times) != len(path)):
            raise Error("x, force and t have different lengths")
        return Hysteresis(
            _native.hysteresis_of_path(path, forces, times, as_number("noise", noise), as_number("miss", miss), turns)
        )
    if x is not None or force is not None or t is not None or (noise, miss, turns) != (1e-6, 0.01, False):
        raise Error("x, force, t, noise, miss and turns are for measured paths, not for laws")
    amplitudes = as_list("amplitude", amplitude)
    if not amplitudes:
        raise Error("the amplitude of the motion is missing", "hysteresis('dahl', amplitude=1e-4)")
    core = as_law(law)._core
    omegas = as_list("omega", omega)
    return Hysteresis(
        _native.hysteresis(core, as_number("load", load), amplitudes, omegas, as_number("mean", mean), memory)
    )


def describe(
    law: str | os.PathLike[str] | Law,
    amplitude: Numbers | None = None,
    omega: Numbers | None = None,
    *,
    load: float = 1.0,
    on: Literal["displacement", "velocity"] = "displacement",
) -> DescribingFunction:
    """The describing function of a law; without amplitudes or frequencies around its characteristic length and speed."""
    if on not in ("displacement", "velocity"):
        raise Error(f"on = {on!r}", "'displacement' or 'velocity'")
    core = as_law(law)._core
    lists = as_list("amplitude", amplitude), as_list("omega", omega)
    return DescribingFunction(_native.describing_function(core, as_number("load", load), *lists, on == "velocity"))


def phenomena(laws: str | Law | Iterable[str | os.PathLike[str] | Law] = (), need: Iterable[str] = ()) -> Phenomena:
    """What laws show in experiments; all laws if none is named. `need` asks for the smallest law that shows these."""
    named = [laws] if isinstance(laws, str | Law) else list(laws)
    needs = [need] if isinstance(need, str) else list(need)
    return Phenomena(_native.phenomena([as_law(law)._core for law in named], needs))


def passivity(law: str | os.PathLike[str] | Law) -> Passivity:
    """Whether a law is passive: searches for a periodic motion with which it gains energy."""
    return Passivity(_native.passivity(as_law(law)._core))


def check(law: str | os.PathLike[str] | Law) -> Check:
    """Whether a law, above all one of your own, keeps to what simulations, fits and controllers rely on."""
    return Check(_native.check(as_law(law)._core))
