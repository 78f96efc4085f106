"""Laws and scenarios as files for other simulators: functional mock-up units, joints of robots, plugins; and as live pages."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import _native
from ._arrays import as_number
from ._errors import Error, unknown_name
from ._law import Law
from ._result import as_list
from ._scenario import Scenario

Files = tuple[_native.Analysis, list[tuple[str, bytes]]]

ROBOTS = ("mjcf", "urdf", "sdf", "usd")
# What each target takes beside the law.
_JOINT = ("joint", "into", "speeds", "loads", "turns", "mass")
OPTIONS: dict[str, tuple[str, ...]] = {
    "fmu": ("fmi", "unit", "mass", "binary", "library"),
    "mjcf": (*_JOINT, "lugre"),
    "urdf": _JOINT,
    "sdf": _JOINT,
    "usd": _JOINT,
    "mujoco-plugin": ("mass",),
    "page": (),
}


def model_files(law: Law | None, scenario: Scenario | None, label: str, target: str, options: Mapping[str, Any]) -> Files:
    """The files of a target in `OPTIONS`, with what is known of them."""
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in OPTIONS[target]:
            raise unknown_name(f"option of {target}", key, OPTIONS[target])
    mass = as_number("mass", given["mass"]) if "mass" in given else None
    if scenario is not None:
        if target != "fmu":
            raise Error(f"a scenario cannot be written as {target}", "give a law, or write the scenario as fmu")
        unsuitable = [key for key in given if key not in ("fmi", "library")]
        if unsuitable:
            raise Error(f"{unsuitable[0]} is for units of laws", "change values of the scenario: Scenario.replace")
        library = given.get("library")
        return _native.scenario_unit(scenario._core, _fmi(given), None if library is None else os.fspath(library))
    assert law is not None
    if target == "fmu":
        if "library" in given:
            raise Error("library is for units of scenarios", "leave it out")
        unit = given.get("unit", "body")
        if unit not in ("body", "law"):
            raise Error(f"unit = {unit!r}", "'body' or 'law'")
        return _native.law_unit(law._core, _fmi(given), unit == "body", mass, given.get("binary"))
    if target == "mujoco-plugin":
        return _native.mujoco_plugin(law._core, mass)
    if target == "page":
        page = _native.live_page(law._core, label).encode()
        about = json.dumps({"law": law.name, "bytes": len(page)})
        text = f"{law.name} as a live page, {len(page)} bytes\n"
        return _native.Analysis.of(([], about, text, [])), [(f"{law.name}.html", page)]
    return _native.joint_friction(law._core, target, _joint(given, mass))


def _fmi(given: Mapping[str, Any]) -> int:
    fmi = given.get("fmi", 2)
    if fmi not in (2, 3):
        raise Error(f"fmi = {fmi!r}", "2 or 3")
    return int(fmi)


def _joint(given: Mapping[str, Any], mass: float | None) -> dict[str, Any]:
    joint, into = given.get("joint", ()), given.get("into")
    speeds = as_list("speeds", given["speeds"]) if "speeds" in given else None
    if speeds is not None and len(speeds) != 2:
        raise Error(f"speeds = {given['speeds']}", "the slowest and the fastest speed of the fit")
    return {
        "joints": [joint] if isinstance(joint, str) else list(joint),
        "into": None if into is None else os.fspath(into),
        "speeds": speeds,
        "loads": as_list("loads", given.get("loads")),
        "turns": None if given.get("turns") is None else bool(given["turns"]),
        "mass": mass,
        "lugre": bool(given.get("lugre", False)),
    }
