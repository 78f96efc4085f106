"""The parameters of a law that is written in Python."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _native
from ._errors import Error
from ._symbols import Symbol, fail
from ._toml import literal

# Keywords of st.law that are no parameters.
OPTIONS = ("name", "states", "params", "summary", "doc", "cite", "load", "require")


@dataclass(frozen=True)
class Param:
    """A parameter of a law that is written in Python: `st.Param("1 N", min=0, doc="Coulomb level")`.

    `default` is a text of a number and a unit, or a number alone; its unit is then `unit`, or follows from the equations. A fit holds it at its
    default if `fit` is False, unless it is asked for it.
    """

    default: float | str
    unit: str | None = None
    min: float | None = None
    max: float | None = None
    doc: str = ""
    fit: bool = True


@dataclass
class Quantity:
    """A parameter as a law file has it."""

    name: str
    default: float
    unit: str | None
    min: float | None
    max: float | None
    doc: str
    fit: bool

    def line(self, units: Mapping[str, str | None]) -> str:
        """Its line in the file."""
        fields: dict[str, Any] = {"unit": units[self.name], "default": self.default}
        fields.update({"min": self.min} if self.min is not None else {})
        fields.update({"max": self.max} if self.max is not None else {})
        fields.update({"doc": self.doc} if self.doc else {})
        fields.update({} if self.fit else {"fit": False})
        inner = ", ".join(f"{key} = {literal(self.name, value)}" for key, value in fields.items())
        return f"{self.name} = {{ {inner} }}"


def as_number(name: str, what: str, value: Any) -> float:
    """A number of a parameter."""
    if isinstance(value, np.generic | np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        near = _native.similar(name, list(OPTIONS))
        hint = f"did you mean '{near[0]}'?" if near else f'{name}="1 N", {name}=1.0 or {name}=st.Param("1 N", min=0)'
        raise Error(f"{what} of parameter '{name}' is {value!r}, not a number", hint)
    if not math.isfinite(value):
        raise Error(f"{what} of parameter '{name}' is {value}", "every number of a law is finite")
    return float(value)


def check_name(name: str, what: str) -> None:
    """Raises an error unless equations can have this name; those that they have a meaning for are told by the library."""
    if not (isinstance(name, str) and name.isascii() and name.isidentifier()):
        raise Error(f"{name!r} is not a name for a {what}", "letters, digits and underscores, beginning with a letter, as in sigma0")


def as_quantity(name: str, given: Any) -> Quantity:
    """A parameter from what the user gives for it."""
    check_name(name, "parameter")
    if isinstance(given, Mapping):
        known = ("default", "unit", "min", "max", "doc", "fit")
        for key in given:
            if key not in known:
                near = _native.similar(str(key), list(known))
                raise Error(f"parameter '{name}' has no '{key}'", f"did you mean '{near[0]}'?" if near else ", ".join(known))
        if "default" not in given:
            raise Error(f"parameter '{name}' has no default", f'{name}=dict(default=1.0, unit="N")')
        given = Param(**given)
    if not isinstance(given, Param):
        given = Param(given)
    default, unit = given.default, given.unit
    if isinstance(default, str):
        found = re.fullmatch(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*", default)
        if found is None:
            raise Error(f"parameter '{name}' is {default!r}", f'a number and its unit, {name}="1.5 N"')
        default = float(found[1])
        if found[2]:
            if unit is not None:
                raise Error(f"parameter '{name}' has two units, {found[2]} and {unit}", "give one")
            unit = found[2]
    if unit is not None:
        try:
            _native.unit_of(unit)
        except Error as error:
            raise Error(f"parameter '{name}': {error.message}", error.hint) from None
    low, high = (None if x is None else as_number(name, what, x) for what, x in (("min", given.min), ("max", given.max)))
    value = as_number(name, "the default", default)
    if (low is not None and value < low) or (high is not None and value > high):
        raise Error(f"the default {value:g} of parameter '{name}' is outside its bounds", "change default, min or max")
    if not isinstance(given.fit, bool):
        raise Error(f"fit of parameter '{name}' is {given.fit!r}", "True, or False for a parameter that a fit holds")
    return Quantity(name, value, unit, low, high, given.doc, given.fit)


class Parameters:
    """The parameters of a law while its function is traced: `p.fc`."""

    __slots__ = ("_symbols",)

    def __init__(self, symbols: Mapping[str, Symbol]) -> None:
        object.__setattr__(self, "_symbols", symbols)

    def __getattr__(self, name: str) -> Symbol:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Symbol:
        symbols: Mapping[str, Symbol] = object.__getattribute__(self, "_symbols")
        if name in symbols:
            return symbols[name]
        near = _native.similar(name, list(symbols))
        hint = f"did you mean '{near[0]}'?" if near else f"parameters: {', '.join(symbols) or 'none'}"
        fail(f"the law has no parameter '{name}'", hint)

    def __setattr__(self, name: str, value: object) -> None:
        fail(f"parameter '{name}' does not change", "compute a new quantity, or use law.replace(...)")
