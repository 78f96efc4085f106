"""Progress of long computations."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


PARALLEL_TASKS = 4
"""Shares for each thread of a cluster, so that a slow one does not hold all others up."""


def is_watched() -> bool:
    """Whether somebody sees what goes to stderr: a terminal, or a notebook, whose stderr is none."""
    if sys.stderr is not None and sys.stderr.isatty():
        return True
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def wait_for(client: Any, futures: list[Any], tell: Callable[[int], object]) -> None:
    """Waits for the futures of a Dask client, and tells how many are done; all are cancelled if one fails."""
    import distributed

    as_completed: Any = distributed.as_completed
    try:
        for done, future in enumerate(as_completed(futures), 1):
            future.result()
            tell(done)
    except BaseException:
        client.cancel(futures)
        raise


class Bar:
    """Progress on a terminal or in a notebook: of tqdm if it is there, else a line."""

    def __init__(self, count: int, wanted: bool | Callable[[int], object], unit: str = "point") -> None:
        self.count = count
        self.unit = unit
        self.call: Callable[[int], object] | None = None
        self.bar: Any = None
        if callable(wanted):
            self.call = wanted
        elif wanted and is_watched():
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
