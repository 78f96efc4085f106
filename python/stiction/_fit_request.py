"""Fits that may run elsewhere: what they need, their starts and refits, here or on the workers of a cluster."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from . import _native
from ._arrays import Floats, as_column, read_only
from ._errors import warn
from ._fit import Fit
from ._law import Law
from ._progress import PARALLEL_TASKS, Bar, wait_for
from ._scenario import Scenario

FIRST_SEARCH = 1
"""The seed of a global search that none was given for."""
Tables = list[tuple[str, list[tuple[str, Floats]]]]
"""Columns in memory, under the name of each table."""
Which = tuple[int, int, int]
"""Seed, first number and count of refits."""


def aligned(tables: Tables) -> Tables:
    """The same tables; arrays that a cluster has sent may lie at any byte."""
    return [(name, [(column, as_column(column, values)) for column, values in columns]) for name, columns in tables]


class MotionRequest(NamedTuple):
    """What a fit to records of motion needs; it pickles."""

    files: list[str]
    columns: Tables
    law: Law | None
    arguments: dict[str, Any]
    command: str

    def fit(self, search: int | None, progress: Callable[[int], object] | None) -> Fit:
        """Fits, with a global search of this seed."""
        law = None if self.law is None else self.law._core
        arguments = {**self.arguments, "search": search}
        return Fit(_native.identify(self.files, aligned(self.columns), law, arguments, self.command, progress))

    def searches(self) -> bool:
        """Whether the fit searches the parameters of a law along the motion."""
        return _native.is_along_motion(None if self.law is None else self.law._core, self.arguments)

    def refit(self, values: list[tuple[str, float]], residuals: list[Floats], which: Which) -> tuple[list[int], Floats]:
        """Refits to residuals that are drawn anew."""
        law = None if self.law is None else self.law._core
        columns = aligned(self.columns)
        return _native.refit(self.files, columns, law, self.arguments, values, residuals, which)


class PlantRequest(NamedTuple):
    """What the fit of a scenario needs; it pickles."""

    scenario: Scenario
    data: tuple[list[str], Tables]
    judged: tuple[list[str], Tables]
    arguments: dict[str, Any]
    command: str

    def fit(self, search: int | None, progress: Callable[[int], object] | None) -> Fit:
        """Fits, with a global search of this seed."""
        arguments = {**self.arguments, "search": search}
        data, judged = ((files, aligned(tables)) for files, tables in (self.data, self.judged))
        core = _native.identify_plant(self.scenario._core, data, judged, arguments, self.command, progress)
        return Fit(core, 0, self.scenario.name)

    def searches(self) -> bool:
        """Whether the fit searches the parameters of a law."""
        return True

    def refit(self, values: list[tuple[str, float]], residuals: list[Floats], which: Which) -> tuple[list[int], Floats]:
        """Refits to residuals that are drawn anew."""
        data = (self.data[0], aligned(self.data[1]))
        return _native.refit_plant(self.scenario._core, data, self.arguments, values, residuals, which)


def run_refits(
    request: MotionRequest | PlantRequest, values: list[tuple[str, float]], residuals: list[Floats], which: Which
) -> tuple[list[int], Floats]:
    """Refits, here or in a worker of a cluster."""
    return request.refit(values, [as_column("residuals", series) for series in residuals], which)


def run_start(request: MotionRequest | PlantRequest, search: int | None) -> Fit:
    """A fit, here or in a worker of a cluster."""
    return request.fit(search, None)


def best_start(
    request: MotionRequest | PlantRequest, starts: int, seed: int, client: Any, progress: bool | Callable[[int], object]
) -> Fit:
    """The best of fits whose global searches have different seeds; of equal ones the first."""
    if starts == 1 and client is None:
        with Bar(1000, progress, "thousandth") as bar:
            return request.fit(FIRST_SEARCH + seed if seed else None, bar)
    searches = [FIRST_SEARCH + seed + k for k in range(starts)]
    fits = cast("list[Fit]", spread(client, run_start, [(request, search) for search in searches], progress))
    return min(fits, key=lambda fit: fit.scores["rms"])


def with_refits(
    fit: Fit,
    request: MotionRequest | PlantRequest,
    count: int,
    seed: int,
    client: Any,
    progress: bool | Callable[[int], object],
) -> Fit:
    """The same fit with the values of refits to residuals that are drawn anew."""
    values = [(e.name, e.value) for e in fit.estimates.values() if e.known not in ("given", "held")]
    residuals = [series.measured - series.model for series in fit.residuals]
    parts = shares(count, client)
    tasks = [(request, values, residuals, (seed, first, many)) for first, many in parts]
    found = spread(client, run_refits, tasks, progress)
    rows = np.concatenate([rows for _, rows in found])
    if len(rows) < count:
        warn([f"{count - len(rows)} of {count} refits failed, and are left out"], stacklevel=4)
    return Fit(fit._core, fit._index, fit._scenario, {name: read_only(rows[:, k].copy()) for k, (name, _) in enumerate(values)})


def shares(count: int, client: Any) -> list[tuple[int, int]]:
    """First number and count of each share of refits; one share without a cluster, whose refits run on all threads."""
    parts = 1 if client is None else max(1, min(count, PARALLEL_TASKS * (sum(client.nthreads().values()) or 1)))
    ends = [count * k // parts for k in range(parts + 1)]
    return [(first, last - first) for first, last in itertools.pairwise(ends)]


def spread(
    client: Any, work: Callable[..., Any], tasks: list[tuple[Any, ...]], progress: bool | Callable[[int], object]
) -> list[Any]:
    """Results of work, in order: here, or on the workers of a Dask client, which repeats what a worker that died has not finished."""
    with Bar(1000, progress, "thousandth") as bar:

        def tell(done: int) -> None:
            if bar is not None:
                bar(1000 * done // len(tasks))

        if client is None:
            results = []
            for task in tasks:
                results.append(work(*task))
                tell(len(results))
            return results
        futures = [client.submit(work, *task, pure=False) for task in tasks]
        wait_for(client, futures, tell)
        return [future.result() for future in futures]
