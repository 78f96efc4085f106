"""Analyses of laws and scenarios."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, Numbers, as_column, as_count, as_floats, as_number
from ._errors import Error, unknown_name, warn
from ._frozen import Frozen, frozen
from ._law import Law
from ._scenario import Scenario

Complexes = npt.NDArray[np.complex128]
Changes = Mapping[str, Any]


def as_law(law: str | os.PathLike[str] | Law) -> Law:
    """A law by its name, file, or itself."""
    return law if isinstance(law, Law) else Law(law)


def as_scenario(
    scenario: str | os.PathLike[str] | Scenario, changed: Changes | None, values: Mapping[str, Any]
) -> Scenario:
    """A scenario by its name, file, or itself, with changes."""
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
    return np.array([complex(re, im) for re, im in pairs], dtype=np.complex128)


def floats(values: Iterable[float | None]) -> Floats:
    """An array, with NaN where there is no value."""
    return np.array([np.nan if x is None else x for x in values], dtype=np.float64)


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
        return np.array([point["stable"] for point in self.data["points"]], dtype=np.bool_)

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
        return [np.array(one["matrix"], dtype=np.float64) for one in self.data["linear"]]

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


class Method(NamedTuple):
    """A method of compensation: errors in m or rad; None where the run failed."""

    rms: float | None
    peak: float | None
    settling: float | None
    hunts: bool
    chatters: bool | None
    worst: float | None
    stable: bool


class Comparison(Result, Mapping[str, Method]):
    """Methods of compensation on one servo: `found["feedforward"].rms`."""

    __slots__ = ()

    def __getitem__(self, method: str) -> Method:
        for one in self.data["methods"]:
            if one["method"] == method:
                worst = one["worst"]
                return Method(
                    one["rms"],
                    one["peak"],
                    one["settling"],
                    one["hunting"] is not None,
                    one["chatters"],
                    None if worst is None else worst["rms"],
                    all(condition["holds"] for condition in one["stability"]),
                )
        raise unknown_name("method in this result", method, self)

    def __iter__(self) -> Any:
        return iter([one["method"] for one in self.data["methods"]])

    def __len__(self) -> int:
        return len(self.data["methods"])

    @property
    def best(self) -> str:
        """The method with the smallest rms error."""
        rms = [(float(one["rms"]), str(one["method"])) for one in self.data["methods"] if one["rms"] is not None]
        if not rms:
            raise Error("every method failed", "print the comparison, which says why")
        return min(rms)[1]


class Code(Result, Mapping[str, bytes]):
    """Source code: files by name, as bytes; `code.text` is the main one."""

    __slots__ = ("_files",)
    _files: dict[str, bytes]

    def __init__(self, core: _native.Analysis, files: list[tuple[str, bytes]]) -> None:
        super().__init__(core)
        self._set(_files=dict(files))

    def __getitem__(self, name: str) -> bytes:
        if name not in self._files:
            raise unknown_name("file", name, self._files)
        return self._files[name]

    def __iter__(self) -> Any:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    @property
    def text(self) -> str:
        """The first file that is text."""
        for name, content in self._files.items():
            if not name.endswith(".wasm"):
                return content.decode()
        raise Error("there is no text", "code[name] has the bytes of each file")

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the files to a folder."""
        write_files(folder, self._files)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._core.text())}</pre>"


def cycle(scenario: str | os.PathLike[str] | Scenario, changed: Changes | None = None, /, **values: Any) -> Cycle:
    """The periodic motion that a scenario leads to, to the accuracy of the solver.

    >>> cycle("a7").stable
    True
    """
    return Cycle(_native.cycle(as_scenario(scenario, changed, values)._core))


def follow(
    scenario: str | os.PathLike[str] | Scenario,
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
    scenario: str | os.PathLike[str] | Scenario,
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


def hunting(scenario: str | os.PathLike[str] | Scenario, changed: Changes | None = None, /, **values: Any) -> Hunting:
    """The hunting of a scenario with one contact in a linear loop, by harmonic balance, and the cycle that it reaches."""
    return Hunting(_native.hunting(as_scenario(scenario, changed, values)._core))


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


def compensate(
    scenario: str | os.PathLike[str] | Scenario,
    methods: Iterable[str] = ("none", "feedforward", "observer", "dob"),
    changed: Changes | None = None,
    /,
    *,
    model: str | os.PathLike[str] | Law | None = None,
    controller: str | None = None,
    contact: str | None = None,
    mass: float | None = None,
    gains: Mapping[str, float] | None = None,
    until: float | None = None,
    since: float | None = None,
    band: float | None = None,
    factors: Numbers = (0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5),
    tune: bool | int = False,
    weight: float | None = None,
    **values: Any,
) -> Comparison:
    """Methods of friction compensation on the servo of a scenario, side by side, also with wrong models (`factors`).

    `model` is the law that the methods know; without it they know that of the contact. `gains` are values of parts,
    `{"dob.cutoff": 30}`. Errors are evaluated from `since` to `until` [s]. `tune` gives each method its best gains first, with
    that many runs if it is a number.
    """
    parts = []
    for path, value in (gains or {}).items():
        part, dot, name = path.partition(".")
        if not dot:
            raise Error(f"{path!r} does not name the part of a gain", "write 'dob.cutoff'")
        parts.append((part, name, as_number(path, value)))
    names = [methods] if isinstance(methods, str) else list(methods)
    if not names or len(set(names)) < len(names):
        raise Error(f"methods = {names}", "name each method once: 'none', 'feedforward', 'observer', 'dob', ...")
    evaluations = (40 if tune is True else as_count("tune", tune, 1)) if tune else None
    if weight is not None and evaluations is None:
        raise Error("weight is for tune", "give tune=True")
    study: dict[str, Any] = {
        "methods": names,
        "controller": controller,
        "contact": contact,
        "mass": None if mass is None else as_number("mass", mass),
        "gains": parts,
        "end": None if until is None else as_number("until", until),
        "from_time": None if since is None else as_number("since", since),
        "band": None if band is None else as_number("band", band),
        "factors": as_list("factors", factors),
        "evaluations": evaluations,
        "weight": weight,
    }
    known = None if model is None else as_law(model)._core
    return Comparison(_native.compensate(as_scenario(scenario, changed, values)._core, known, study))


def export(
    source: str | os.PathLike[str] | Law | Scenario,
    target: str,
    *,
    method: str | None = None,
    sample: float | None = None,
    estimator: str | None = None,
    gains: Mapping[str, float] | None = None,
    mass: float | None = None,
    limit: float | None = None,
    jump: float | None = None,
    load: bool = False,
    controller: str | None = None,
    precision: Literal["f64", "f32"] = "f64",
    name: str | None = None,
) -> Code:
    """A law as source code with a test: c, rust, cuda, numpy, jax, pytorch, matlab, modelica, wasm or latex.

    >>> "double coulomb_steady" in export("coulomb", "c").text
    True

    With `method` or `sample`, or from a scenario, it is a controller with friction compensation for firmware, in c or rust, as
    `stiction export controller` writes it. `method` joins parts by '+': a linear loop (pid, state-feedback) and what compensates (feedforward,
    observer, adaptive, dob, ...); `sample` is the sample time [s], `gains` has numbers of the parts, `{"pid.kp": 200}`, `limit` is the largest
    command. `estimator` makes the velocity from the position (kalman, difference, tracker; none if it is measured). A scenario has its own
    sample time, limit and estimator; without `method` its controller is written as it is simulated.

    >>> "axis_step" in export("coulomb", "c", method="pid+feedforward", sample=1e-3, limit=10, name="axis",
    ...                       gains={"kp": 100, "ki": 0, "kd": 10, "accel": 10, "quantum": 1e-6, "noise": 1e-6}).text
    True
    """
    law, scenario = (source, None) if isinstance(source, Law) else (None, source)
    if law is None and not isinstance(scenario, Scenario):
        named = os.fspath(cast("str | os.PathLike[str]", source))
        if _native.is_scenario(named):
            scenario = Scenario(named)
        else:
            law, scenario = Law(named), None
    label = os.fspath(source) if isinstance(source, str | os.PathLike) else source.name
    asked: dict[str, Any] = {"method": method, "estimator": estimator, "controller": controller, "name": name, "load": load}
    for key, value in {"sample": sample, "mass": mass, "limit": limit, "jump": jump}.items():
        asked[key] = None if value is None else as_number(key, value)
    asked["numbers"] = [(key, as_number(key, value)) for key, value in (gains or {}).items()]
    if scenario is None and method is None and sample is None:
        unused = [key for key, value in asked.items() if value] + ([] if precision == "f64" else ["precision"])
        if unused:
            raise Error(f"{unused[0]} is for controllers", "give method and sample as well, or leave it out for the law alone")
        return Code(*_native.law_code(cast(Law, law)._core, target))
    core, files = _native.controller_code(
        label,
        None if law is None else law._core,
        None if scenario is None else cast(Scenario, scenario)._core,
        target,
        {**asked, "precision": precision},
    )
    warn(core.notes)
    return Code(core, files)
