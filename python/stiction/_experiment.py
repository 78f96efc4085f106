"""Design of experiments: the motion that identifies a law best within the limits of an axis."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from . import _native
from ._arrays import Floats, as_count, as_number
from ._errors import Error
from ._frozen import Frozen
from ._law import Law
from ._result import as_law


class PredictedError(NamedTuple):
    """What an experiment will tell of a parameter: its assumed value, the standard error, and that of the best single sine."""

    value: float
    error: float
    sine: float
    unit: str


class Experiment(Frozen):
    """A motion that an axis has to follow, and how well it identifies the law. `polars.DataFrame(experiment)` and others take it."""

    __slots__ = ("_core", "_figures", "efficiency", "errors", "gain", "law", "noise")
    _core: _native.Table
    _figures: list[str]
    errors: dict[str, PredictedError]
    """Predicted standard errors of the parameters."""
    noise: float
    """The standard deviation of the noise of the force that they assume."""
    efficiency: float
    """D-efficiency relative to the bound of the continuous design."""
    gain: float
    """The mean ratio of the errors of the best single sine to those of this experiment."""
    law: Law

    @property
    def t(self) -> Floats:
        """Times [s]."""
        return self["t"]

    @property
    def x(self) -> Floats:
        """Positions to follow [m or rad]."""
        return self["x"]

    @property
    def v(self) -> Floats:
        """Velocities."""
        return self["v"]

    @property
    def a(self) -> Floats:
        """Accelerations."""
        return self["a"]

    @property
    def columns(self) -> list[str]:
        """Names of the columns: t, x, v, a, and the predicted friction."""
        return self._core.names

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column."""
        return dict(zip(self._core.names, self._core.units, strict=True))

    def __getitem__(self, name: str) -> Floats:
        return cast(Floats, self._core[name])

    def __len__(self) -> int:
        return len(self._core)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes t, x, v and a as CSV, or as Parquet if the path ends so, as `stiction excite -o` does."""
        names = ["t", "x", "v", "a"]
        _native.write_columns(os.fspath(path), [(name, self.units[name]) for name in names], [self[name] for name in names])

    def __repr__(self) -> str:
        rows = [f"  {name} = {one.value:.6g} ± {one.error:.3g} {one.unit}" for name, one in self.errors.items()]
        return "\n".join([f"<Experiment: {self.t[-1]:.4g} s for {self.law.name}, {len(self)} samples>", *rows])

    def _repr_html_(self) -> str:
        return "".join(self._figures) + f"<pre>{html.escape(repr(self))}</pre>"


def excite(
    law: str | os.PathLike[str] | Law,
    *,
    stroke: float,
    speed: float,
    acceleration: float | None = None,
    force: float | None = None,
    mass: float | None = None,
    frequency: float | None = None,
    resolution: float | None = None,
    duration: float = 60.0,
    rate: float = 1000.0,
    noise: float | None = None,
    free: Iterable[str] = (),
    seek_mass: bool = False,
    offset: bool = True,
    seed: int = 1,
) -> Experiment:
    """The motion that identifies a law best within the limits of an axis. The parameters of the law are a guess; the design is best near them.

    Positions lie between 0 and `stroke`; `speed`, `acceleration`, `force` of the drive (with the `mass`) and `frequency` [Hz] are the largest,
    `resolution` the smallest useful displacement. `noise` is the standard deviation of the force; without it, 1 % of the largest friction. `free` names the
    parameters to be identified, `seek_mass` the mass, too, and `offset` a constant force.
    """
    if acceleration is None and force is None:
        raise Error("nothing limits the acceleration", "give acceleration, or force and mass")
    if force is not None and mass is None:
        raise Error("force without mass", "give the moving mass as well")

    def given(name: str, value: float | None, otherwise: float) -> float:
        return otherwise if value is None else as_number(name, value)

    arguments: dict[str, Any] = {
        "stroke": as_number("stroke", stroke),
        "speed": as_number("speed", speed),
        "acceleration": given("acceleration", acceleration, math.inf),
        "force": given("force", force, math.inf),
        "mass": given("mass", mass, 0.0),
        "frequency": given("frequency", frequency, math.inf),
        "resolution": given("resolution", resolution, 0.0),
        "duration": as_number("duration", duration),
        "rate": as_number("rate", rate),
        "noise": None if noise is None else as_number("noise", noise),
        "free": [free] if isinstance(free, str) else list(free),
        "seek_mass": seek_mass,
        "offset": offset,
        "seed": as_count("seed", seed, 0, 2**32 - 1),
    }
    guess = as_law(law)
    core, predicted, (deviation, efficiency, gain), figures = _native.design_experiment(guess._core, arguments)
    errors = {name: PredictedError(value, error, sine, unit) for name, unit, value, error, sine in predicted}
    made = Experiment.__new__(Experiment)
    made._set(_core=core, _figures=figures, errors=errors, noise=deviation, efficiency=efficiency, gain=gain, law=guess)
    return made
