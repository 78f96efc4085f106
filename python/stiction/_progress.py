"""Progress of long computations."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


PARALLEL_TASKS = 4
"""Shares for each thread of a cluster, so that a slow one does not hold all others up."""


class Bar:
    """Progress: of tqdm if it is there, else a line on a terminal."""

    def __init__(self, count: int, wanted: bool | Callable[[int], object], unit: str = "point") -> None:
        self.count = count
        self.unit = unit
        self.call: Callable[[int], object] | None = None
        self.bar: Any = None
        if callable(wanted):
            self.call = wanted
        elif wanted and sys.stderr is not None and sys.stderr.isatty():
            try:
                from tqdm.auto import tqdm

                self.bar = tqdm(total=count, unit=unit)
            except ImportError:
                self.call = self.line

    def line(self, done: int) -> None:
        """Writes how far it is."""
        print(f"\r{done} of {self.count} {self.unit}s", end="", file=sys.stderr, flush=True)

    def __call__(self, done: int) -> None:
        if self.call is not None:
            self.call(done)
        elif self.bar is not None:
            self.bar.update(done - self.bar.n)

    def __enter__(self) -> Bar | None:
        return self if self.call is not None or self.bar is not None else None

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.call == self.line:
            print(file=sys.stderr)
