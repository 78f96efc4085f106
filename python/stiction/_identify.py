"""Identification of laws and scenarios from records."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _native
from ._arrays import Floats, as_column, as_count
from ._errors import Error
from ._fit import Fit
from ._fit_request import MotionRequest, PlantRequest, best_start, with_refits
from ._identify_arguments import LAYOUT, as_freed, as_ranges, as_request, as_source
from ._law import Law, _values
from ._measured_data import layout_arguments
from ._scenario import Scenario

if TYPE_CHECKING:
    from ._system import System

PLANT_OPTIONS = (
    *("data", "scenario", "judge", "priors", "free", "bounds", "set", "constants", "robust", "white", "profile"),
    *("bootstrap", "starts", "seed", "client", "progress"),
    *LAYOUT,
)
"""Those that the fit of a scenario takes."""


def identify(
    data: Any = None,
    *,
    time: Any = None,
    position: Any = None,
    velocity: Any = None,
    acceleration: Any = None,
    force: Any = None,
    load: Any = None,
    known: Any = None,
    weight: Any = None,
    model: str | Law = "auto",
    find: str | None = None,
    check: str | os.PathLike[str] | Law | Scenario | System | None = None,
    mass: float | Sequence[float] | None = None,
    constants: Mapping[str, float] | None = None,
    filter: str = "auto",
    drop: tuple[int, int] = (0, 0),
    rate: float | None = None,
    delay: float | Literal["auto"] | None = None,
    terms: Mapping[str, str] | None = None,
    mean: int = 1,
    offset: bool = True,
    asymmetric: bool = False,
    decimate: int | None = None,
    rest: float | None = None,
    robust: str | None = None,
    white: bool = False,
    leave: Literal["records"] | int = "records",
    load_name: str = "load",
    load_unit: str = "",
    skip: int = 0,
    delimiter: str | None = None,
    decimal: Literal["point", "comma"] | None = None,
    topic: str | None = None,
    episode: int | None = None,
    set: Mapping[str, float] | None = None,
    free: Sequence[str] | Mapping[str, tuple[float, float] | None] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    forget: float = 0.0,
    profile: bool = False,
    steps: Sequence[float] = (),
    window: tuple[float | None, float | None] | None = None,
    trend: Literal["travel", "time", "none"] | None = None,
    scenario: str | os.PathLike[str] | Scenario | System | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    judge: Any = None,
    bootstrap: int = 0,
    starts: int = 1,
    seed: int = 0,
    client: Any = None,
    progress: bool | Callable[[int], object] = True,
) -> Fit:
    """Identifies friction from measured data: a law, its parameters, and how sure they are.

    `data` is the path of a log of any format that `stiction data` reads (also with * for several), a dict of arrays, a data frame, or a
    list of these, one record each; times as dates or time differences, also as the index of a frame or a coordinate of an xarray Dataset, are seconds
    from the first. The quantities are names of columns or expressions over them, `position="q*1e-3"`; those that are
    not given are guessed from the names of columns. Without `data` they are arrays: `identify(time=t, position=x, force=f)`.

    A record has all quantities at the same instants. The force that `law.along(v, dt=dt)` returns is that at the end of each sample: force[k] belongs to
    the time (k + 1) dt.

    The force drives the body; friction is the force less `mass` times acceleration and less `known`. With `mass=0` the force is friction itself;
    without a mass it is identified, too. `mass` and `load` as numbers are those of all records; a list beside `data` has one for each. `load_name` and
    `load_unit` are for reports.

    `check` fits nothing: it tests how well a law that was identified elsewhere, `fit.law` or its file, predicts the data, with the mass, the constant force
    and the delay that were found with it; `fit.scores` and `fit.residuals` tell. A fitted scenario, `check=fit.scenario`, is simulated.

    `model`: "auto" for the best of several (of rate and state, if the record is a velocity step), "coulomb", "stiction" (Coulomb and viscous), "stribeck", "stribeck:2" for sliding; any other law,
    by name, file or as a `Law`, is fitted along the motion, with `set`, `free` and `bounds` for its parameters. `find`: "presliding",
    "breakaway" or "load" instead. `delay="auto"` estimates the delay of the force, `terms={"gravity": "sin(q)"}` the size of other forces.

    "dieterich", "ruina", "prz" and "nagata", also with ":2" for two states, are laws of rate and state for velocity steps: friction as `force` and the
    velocity or displacement of the load point; `steps` are the times of steps, `window` a part of the record, `trend` that of friction. `skip`,
    `delimiter`, `decimal`, `topic` and `episode` say how files are read, as in `st.data`; `leave` is what cross-validation leaves out, whole records or
    a number of intervals of time. The other options are those of `stiction identify`; joints of a robot are fits of their own:
    `{j: identify("robot.csv", position=f"q{j}", force=f"tau{j}") for j in range(1, 7)}`.

    `scenario` fits the numbers that a scenario marks as free in its table [identify], by simulating it; the scenario says which columns it takes
    and which it has to repeat. `free`, `bounds` and `set` are for these numbers, `priors={"fc": (0.02, 0.005)}` is what is known of them before:
    value and standard deviation. `judge` are other records, given as `data` is, on which the fit is validated. `fit.scenario` has what was found.

    Laws along the motion and scenarios: `bootstrap=200` refits 200 times to residuals that are drawn anew in blocks, `fit.bootstrap` has the values;
    `starts=8` searches from eight sets of places and keeps the best fit. Both depend on `seed` alone: with `client`, a Dask client, they run on its
    workers, with the same numbers; a worker that dies costs its share. `progress` is shown on a terminal or in a notebook,
    or given to a function in thousandths, of the fit and then of the refits.
    """
    request: MotionRequest | PlantRequest
    if check is not None:
        return _checked(locals())
    if scenario is not None:
        request = _plant_request(locals())
    else:
        if priors is not None or judge is not None:
            raise Error("priors and judge have no effect here", "leave them out, or give the scenario that is fitted")
        files, columns, arguments, command = as_request(locals())
        request = MotionRequest(files, columns, model if isinstance(model, Law) else None, arguments, command)
    refits = as_count("bootstrap", bootstrap, 0, 1_000_000)
    searches = as_count("starts", starts, 1, 10_000)
    seed = as_count("seed", seed, 0, 2**31)
    if (refits or searches > 1) and not request.searches():
        raise Error("bootstrap and starts are for laws along the motion and for scenarios", "name a law as model, or give scenario")
    if client is not None and not refits and searches == 1:
        raise Error("there is nothing for the client", "give bootstrap=200 or starts=8, or leave it out")
    fit = best_start(request, searches, seed, client, progress)
    return (with_refits(fit, request, refits, seed, client, progress) if refits else fit)._warned()


def _checked(options: Mapping[str, Any]) -> Fit:
    """How well what was identified elsewhere predicts the data."""
    usual = {parameter.name: parameter.default for parameter in inspect.signature(identify).parameters.values()}
    fitted = ("model", "find", "asymmetric", "decimate", "robust", "white", "free", "bounds", "forget", "profile", "steps", "window", "trend", "weight")
    others = ("leave", "scenario", "priors", "judge", "bootstrap", "starts", "client")
    for name in (*fitted, *others):
        if options[name] is not usual[name] and options[name] != usual[name]:
            raise Error(f"{name} has no effect on a check", "leave it out: nothing is fitted")
    given = options["check"]
    named = isinstance(given, str | os.PathLike)
    if (named and _native.is_scenario(os.fspath(given))) or not (named or isinstance(given, Law | Scenario)):
        given = Scenario(given)
    if isinstance(given, Scenario):
        plant = _plant_request({**options, "scenario": given, "check": None})
        core = _native.check_plant_on_records(given._core, plant.data, plant.arguments, f"{plant.command[:-1]}, check=True)")
        return Fit(core, 0, given.name)._warned()
    law = given if isinstance(given, Law) else Law(given)
    if options["set"]:
        raise Error("set has no effect on a check of a law", "change the law: check=law.replace(...)")
    files, columns, arguments, command = as_request(options)
    core = _native.check_on_records(files, columns, law._core, arguments, f"{command[:-1]}, check={law.name!r})")
    return Fit(core)._warned()


def _plant_request(options: Mapping[str, Any]) -> PlantRequest:
    """What the fit of a scenario needs."""
    usual = {parameter.name: parameter.default for parameter in inspect.signature(identify).parameters.values()}
    for name, value in options.items():
        if name not in PLANT_OPTIONS and not (value is usual[name] or (isinstance(value, type(usual[name])) and value == usual[name])):
            raise Error(f"{name} has no effect on the fit of a scenario", "leave it out: a scenario names its columns and its laws itself")
    if options["data"] is None:
        raise Error("there are no data", 'identify("log.csv", scenario=...), or a dict of arrays')
    given = options["scenario"]
    scenario = given if isinstance(given, Scenario) else Scenario(given)
    priors = []
    for name, known in (options["priors"] or {}).items():
        pair = as_column(f"priors[{name!r}]", known)
        if pair.size != 2 or not np.all(np.isfinite(pair)) or pair[1] <= 0.0:
            raise Error(f"priors[{name!r}] = {known!r}", "give the expected value and its standard deviation, which is above zero")
        priors.append((name, float(pair[0]), float(pair[1])))
    arguments = {
        "constants": _values(options["constants"] or {}),
        "set": _values(options["set"] or {}),
        "free": as_freed(options["free"]),
        "bounds": as_ranges("bounds", options["bounds"]),
        "priors": priors,
        **{name: options[name] for name in ("robust", "white", "profile")},
        "search": None,
        "layout": layout_arguments(*(options[name] for name in LAYOUT)),
    }
    data = as_source(options["data"], [scenario.text])
    judged: tuple[list[str], list[tuple[str, list[tuple[str, Floats]]]]] = ([], [])
    if options["judge"] is not None:
        judged = as_source(options["judge"], [scenario.text])
    command = f"stiction.identify({data[0]!r}, scenario={scenario.name!r})"
    return PlantRequest(scenario, data, judged, arguments, command)
