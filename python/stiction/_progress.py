"""Progress of long computations."""

from __future__ import annotations

import sys
import time
import warnings
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


DELAY = 1.0
"""Seconds after which progress is shown: what is done sooner needs none."""


class Bar:
    """Progress on a terminal or in a notebook: of tqdm if it is there, else a line; both are gone at the end.

    It tells only what has changed, and that all is done.
    """

    def __init__(self, count: int, wanted: bool | Callable[[int], object], unit: str = "point") -> None:
        self.count = count
        self.unit = unit
        self.told: int | None = None
        self.call: Callable[[int], object] | None = None
        self.bar: Any = None
        self.shown = 0
        self.next = time.monotonic() + DELAY
        if callable(wanted):
            self.call = wanted
        elif wanted and is_watched():
            try:
                with warnings.catch_warnings():
                    # that a notebook has no widgets, so that a line of text is shown
                    warnings.simplefilter("ignore")
                    from tqdm.auto import tqdm

                    self.bar = tqdm(total=count, unit=unit, delay=DELAY, leave=False)
            except ImportError:
                self.call = self.line

    def line(self, done: int) -> None:
        """Writes how far it is, once in a second."""
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + 1.0
        text = f"{done} of {self.count} {self.unit}s"
        print(f"\r{text:<{self.shown}}", end="", file=sys.stderr, flush=True)
        self.shown = len(text)

    def __call__(self, done: int) -> None:
        if done == self.told:
            return
        self.told = done
        if self.call is not None:
            self.call(done)
        elif self.bar is not None:
            self.bar.update(done - self.bar.n)

    def __enter__(self) -> Bar | None:
        return self if self.call is not None or self.bar is not None else None

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self(self.count)
        if self.bar is not None:
            self.bar.close()
        elif self.shown:
            print("\r" + " " * self.shown + "\r", end="", file=sys.stderr, flush=True)
