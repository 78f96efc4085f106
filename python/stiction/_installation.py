"""Whether this installation works."""

from __future__ import annotations

import platform
from importlib import metadata

import numpy as np

from . import _native
from ._result import Result

OPTIONAL = ("matplotlib", "pandas", "polars", "pyarrow", "xarray", "anywidget", "tqdm", "dask", "fsspec")
"""Packages that are used if they are there."""


class Installation(Result):
    """This installation: the build, the machine, the packages, and computations with known results."""

    __slots__ = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; else `print` says what, and how to fix it."""
        return bool(self.data["ok"])


def doctor() -> Installation:
    """Checks this installation, as `stiction doctor` does; to be sent with a report of something that went wrong."""
    there = []
    for name in OPTIONAL:
        try:
            there.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return Installation(_native.installation([platform.python_version(), np.__version__, ", ".join(there) or "none"]))
