"""Friction laws."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, as_column, as_floats, as_number
from ._errors import Error, unknown_name, warn
from ._widget import law_widget

if TYPE_CHECKING:
    from anywidget import AnyWidget
    from matplotlib.axes import Axes

Scalar = float | int | np.floating[Any] | np.integer[Any]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a law: its value, and what the law says of it."""

    name: str
    value: float
    unit: str
    doc: str
    default: float
    minimum: float
    maximum: float

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"{self.name} = {self.value:g} [{self.unit}]  {self.doc}"


@dataclass(frozen=True)
class State:
    """One number of a law's memory."""

    name: str
    unit: str


def laws() -> list[str]:
    """The names of all laws, those of law files that were read included."""
    return _native.law_names()


def devices() -> dict[str, str]:
    """Devices whose friction was measured or published: names, which `Law` and `st.device` take, and titles."""
    return dict(_native.device_names())


def _values(values: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Parameters as pairs of key and number; a mapping is a group, `reverse=dict(fc=1)`."""
    out: list[tuple[str, float]] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            out.extend((f"{key}.{inner}", number) for inner, number in _values(value))
        else:
            array = as_floats(key, value)
            if array.ndim != 0:
                raise Error(f"{key} is {array.size} numbers", "a parameter is one number")
            out.append((key, float(array)))
    return out


def exact(value: float) -> str:
    """A number in as few digits as give it back."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


class Law:
    """A friction law with its parameters. It does not change; `replace` makes another one.

    `name` is a name of `st.laws()` or `st.devices()`, or the path of a parameter file or law file. Parameters are given by name, those for backward
    sliding, of the load and of noise as groups: `reverse=dict(fc=1.0)`, `load=dict(slope=0.1)`, `noise=dict(amplitude=0.01)`.
    `known` gives quantities from which the law computes its parameters.

    >>> law = Law("stribeck", fc=1.0, fs=1.5)
    >>> law["fs"].value, law["fs"].unit
    (1.5, 'N')
    """

    __slots__ = ("_core",)
    _core: _native.Law

    def __init__(
        self, name: str | os.PathLike[str], /, *, known: Mapping[str, float] | None = None, **parameters: Any
    ) -> None:
        core = _native.Law.find(os.fspath(name), _values(parameters), _values(known or {}))
        warn(core.notes)
        object.__setattr__(self, "_core", core)

    @classmethod
    def _of(cls, core: _native.Law) -> Law:
        law = cls.__new__(cls)
        object.__setattr__(law, "_core", core)
        return law

    @classmethod
    def parse(cls, text: str) -> Law:
        """The law of the text of a parameter file or law file."""
        return cls._of(_native.Law.parse(text))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a law does not change: use law.replace(...)")

    def __reduce__(self) -> tuple[Any, ...]:
        return Law.parse, (self.to_toml(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and self.to_toml() == other.to_toml()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def replace(self, *, known: Mapping[str, float] | None = None, **parameters: Any) -> Law:
        """The same law with other parameters."""
        core = self._core.replaced(_values(parameters), _values(known or {}))
        warn(core.notes)
        return Law._of(core)

    @property
    def name(self) -> str:
        """Its name."""
        return self._core.name

    @property
    def summary(self) -> str:
        """What it is, in one sentence."""
        return self._core.documentation[0]

    @property
    def equations(self) -> list[str]:
        """Its equations as plain text, line by line."""
        return self._core.documentation[1]

    @property
    def remarks(self) -> list[str]:
        """What else to know, paragraph by paragraph."""
        return self._core.documentation[2]

    @property
    def sources(self) -> list[str]:
        """Keys of its sources in the list of references of the book, those of a device included."""
        return self._core.cite

    @property
    def shows(self) -> list[str]:
        """Effects that it is known to reproduce."""
        return self._core.shows

    @property
    def provenance(self) -> str | None:
        """Where the values come from: of a parameter file what it says, of a device its record or table."""
        return self._core.provenance

    @property
    def device(self) -> str | None:
        """The name of the device of `st.devices()` that it belongs to."""
        return self._core.device

    @property
    def definition(self) -> str | None:
        """The text of the law file that it is from; None for a law of the library."""
        return self._core.definition

    @property
    def parameters(self) -> dict[str, Parameter]:
        """All parameters by name; those of a group as `reverse.fc`."""
        return {row[0]: Parameter(*row) for row in self._core.parameters}

    def __getitem__(self, name: str) -> Parameter:
        parameters = self.parameters
        if name not in parameters:
            raise unknown_name(f"parameter of '{self.name}'", name, parameters)
        return parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    @property
    def states(self) -> list[State]:
        """The numbers of its memory."""
        return [State(*row) for row in self._core.states]

    def to_toml(self) -> str:
        """The text of a parameter file; every number reads back bit for bit."""
        return self._core.to_toml()

    def save(self, path: str | os.PathLike[str], *, definition: bool = False) -> None:
        """Writes a parameter file, whole or not at all. It needs no other file.

        With `definition` it is the law file: equations and defaults, without the values of this law.
        """
        if not definition:
            self._core.save(os.fspath(path))
        elif self.definition is None:
            raise Error(f"law '{self.name}' is not from a law file", "save a parameter file: without definition=True")
        else:
            _native.write_file(os.fspath(path), self.definition.encode())

    @overload
    def steady(self, v: Scalar, load: float = 1.0) -> float: ...

    @overload
    def steady(self, v: npt.NDArray[Any] | Sequence[Any], load: float = 1.0) -> Floats: ...

    @overload
    def steady(self, v: npt.ArrayLike, load: float = 1.0) -> Floats | float: ...

    def steady(self, v: npt.ArrayLike, load: float = 1.0) -> Floats | float:
        """The force after sliding for long at velocity `v`: a number, or an array of the shape of `v`.

        `load` is the normal load as a multiple of the nominal one, or in the unit of `load.slope` if that is given.
        """
        speeds = as_floats("v", v)
        force = self._core.steady(speeds.reshape(-1), as_number("load", load))
        return float(force[0]) if speeds.ndim == 0 else force.reshape(speeds.shape)

    def along(
        self,
        v: npt.ArrayLike,
        *,
        dt: npt.ArrayLike,
        load: npt.ArrayLike = 1.0,
        state: npt.ArrayLike | None = None,
    ) -> tuple[Floats, Floats]:
        """Force and states along a sampled motion.

        Velocity and load are constant over each sample, `dt` long; `dt` and `load` are one number, or one for each sample. `state` is
        the memory at the beginning: `law.settled(v[0])`, or, if it is left out, that of a contact that has never moved. Returns the
        force at the end of each sample, and the states there, one row for each sample. Other threads run meanwhile.

        So force[k] belongs to the time (k + 1) dt. To make a record of a motion v(t) for `st.identify`, give the velocity in the middle of each sample,
        `along(v(t + dt / 2), dt=dt)`, and take velocity and force at the end: `identify(time=t + dt, velocity=v(t + dt), force=force)`.
        """
        begin = np.zeros(len(self._core.states)) if state is None else as_column("state", state)
        steps, loads = as_floats("dt", dt), as_floats("load", load)
        return self._core.along(
            as_column("v", v), steps.reshape(-1), loads.reshape(-1), [float(x) for x in begin]
        )

    def flow(self, v: float, z: npt.ArrayLike, load: float = 1.0) -> tuple[float, Floats]:
        """Force and rates of the states at one instant, for a solver of your own.

        >>> law = Law("lugre")
        >>> force, rate = law.flow(0.1, [0.0])
        >>> float(rate[0])
        0.1
        """
        return self._core.flow(as_number("v", v), as_column("z", z), as_number("load", load))

    def settled(self, v: float, load: float = 1.0) -> Floats:
        """The states after sliding for long at velocity `v`."""
        return self._core.settled(as_number("v", v), as_number("load", load))

    def at_rest(self, load: float = 1.0) -> tuple[float, float]:
        """The smallest and the largest force that it holds at rest; equal if it does not stick."""
        return self._core.at_rest(as_number("load", load))

    def plot(self, reach: float | None = None, *, load: float = 1.0, ax: Axes | None = None) -> Axes:
        """Draws the steady curve up to the speed `reach` with matplotlib."""
        v, force = self._core.curve(None if reach is None else as_number("reach", reach), as_number("load", load))
        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots()
        _, speed, unit = self._core.units
        ax.plot(v, force, label=self.name)
        ax.set_xlabel(f"v [{speed}]")
        ax.set_ylabel(f"F [{unit}]")
        return ax

    def widget(self, *, mass: float | None = None) -> AnyWidget:
        """In a notebook: sliders for the parameters; the steady curve, loops, break-away and stick-slip follow them. Needs `anywidget`.

        `widget.law` is the law with the values of the sliders, and `widget.replace(fc=2.0)` moves them. `mass` is that of the body; if it is left
        out, that which was identified with the law, or one that suits its scales.
        """
        return law_widget(self, None if mass is None else as_number("mass", mass))

    def __repr__(self) -> str:
        device = self._core.device
        usual = {p.name: p.default for p in self.parameters.values()}
        if device is not None:
            usual = {row[0]: row[1] for row in _native.Law.find(device, [], []).parameters}
        groups: dict[str, list[str]] = {}
        words = [repr(device or self.name)]
        for p in self.parameters.values():
            group, dot, key = p.name.partition(".")
            if dot:
                groups.setdefault(group, []).append(f"{key}={exact(p.value)}")
            elif p.value != usual.get(p.name):
                words.append(f"{p.name}={exact(p.value)}")
        words += [f"{group}=dict({', '.join(keys)})" for group, keys in groups.items()]
        return f"Law({', '.join(words)})"

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{html.escape(p.name)}</td><td>{p.value:g}</td><td>{html.escape(p.unit)}</td>"
            f"<td style='text-align:left'>{html.escape(p.doc)}</td></tr>"
            for p in self.parameters.values()
        )
        head = "<tr><th>parameter</th><th>value</th><th>unit</th><th>meaning</th></tr>"
        return (
            f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.summary)}</p><table>{head}{cells}</table>"
            f"<div style='max-width:40em'>{self._core.svg()}</div>"
        )
