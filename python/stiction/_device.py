"""Devices whose friction was measured or published."""

from __future__ import annotations

from . import _native
from ._law import Law
from ._result import Result


class Device(Result):
    """What is known of a device: values with their intervals, conditions and sources; `print` shows it as `stiction devices NAME` does."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.data["name"])

    @property
    def title(self) -> str:
        """What it is."""
        return str(self.data["title"])

    @property
    def law(self) -> Law:
        """Its law, with the values."""
        return Law(self.name)

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % intervals of the values that were identified."""
        return {name: (float(low), float(high)) for name, (low, high) in self.data["interval"].items()}

    @property
    def conditions(self) -> dict[str, str]:
        """The conditions of the measurement: temperature, load, speed."""
        return dict(self.data["conditions"])

    @property
    def not_known(self) -> list[str]:
        """What the values do not tell."""
        return list(self.data["not_known"])

    @property
    def source(self) -> str:
        """Where record or table are to be had."""
        return str(self.data["source"])

    @property
    def licence(self) -> str:
        """The licence of record or table."""
        return str(self.data["licence"])


def device(name: str) -> Device:
    """What is known of a device of `st.devices()`.

    >>> device("emps-axis").conditions["load"]
    'the axis alone'
    """
    return Device(_native.device_report(name))
