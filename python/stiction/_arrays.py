"""Arguments as arrays of float64; an array that is one already is not copied."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ._errors import Error

Floats = npt.NDArray[np.float64]
Numbers = npt.ArrayLike


Array = TypeVar("Array", bound=npt.NDArray[Any])


def read_only(array: Array) -> Array:
    """The array, which nobody writes to any more: results do not change."""
    array.setflags(write=False)
    return array


def as_floats(name: str, values: Any) -> Floats:
    """`values` as a contiguous array of float64, of any shape."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise Error(f"{name} has masked values", "fill gaps in measured data first, or cut the record there")
    array = np.asarray(values)
    if array.dtype.kind not in "biufO":
        raise Error(f"{name} has values of type {array.dtype}", "give real numbers")
    try:
        return np.require(array, np.float64, ("C_CONTIGUOUS", "ALIGNED"))
    except (TypeError, ValueError) as error:
        raise Error(f"{name} has values that are not numbers: {error}", "give real numbers") from None


def as_column(name: str, values: Any) -> Floats:
    """`values` as a contiguous array of float64 in one dimension."""
    array = as_floats(name, values)
    if array.ndim != 1:
        raise Error(f"{name} has {array.ndim} dimensions instead of one", f"{name} is one number for each sample")
    return array


def as_number(name: str, value: Any) -> float:
    """`value` as a finite number."""
    array = as_floats(name, value)
    if array.ndim != 0 or not np.isfinite(array):
        raise Error(f"{name} = {value!r} is not a finite number")
    return float(array)


def as_count(name: str, value: Any, low: int = 0, high: int = 2**63 - 1) -> int:
    """`value` as a whole number between `low` and `high`."""
    number = as_number(name, value)
    if number != int(number) or not low <= number <= high:
        limits = f"from {low}" if high == 2**63 - 1 else f"from {low} to {high}"
        raise Error(f"{name} = {value!r}", f"a whole number {limits}")
    return int(value)
