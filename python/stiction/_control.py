"""Compensation of friction in a control loop, and laws and controllers as code."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from . import _native
from ._arrays import Numbers, as_count, as_number
from ._errors import Error, unknown_name, warn
from ._law import Law
from ._model_files import OPTIONS, model_files
from ._result import Changes, Result, as_law, as_list, as_scenario, write_files
from ._scenario import Scenario

if TYPE_CHECKING:
    from ._system import System


class Method(NamedTuple):
    """A method of compensation: errors in m or rad; None where the run failed."""

    rms: float | None
    peak: float | None
    settling: float | None
    hunts: bool
    chatters: bool | None
    worst: float | None
    stable: bool


class Comparison(Result, Mapping[str, Method]):
    """Methods of compensation on one servo: `found["feedforward"].rms`."""

    __slots__ = ()

    def __getitem__(self, method: str) -> Method:
        for one in self.data["methods"]:
            if one["method"] == method:
                worst = one["worst"]
                return Method(
                    one["rms"],
                    one["peak"],
                    one["settling"],
                    one["hunting"] is not None,
                    one["chatters"],
                    None if worst is None else worst["rms"],
                    all(condition["holds"] for condition in one["stability"]),
                )
        raise unknown_name("method in this result", method, self)

    def __iter__(self) -> Any:
        return iter([one["method"] for one in self.data["methods"]])

    def __len__(self) -> int:
        return len(self.data["methods"])

    @property
    def best(self) -> str | None:
        """The method of the verdict: the least rms error without chattering or hunting, all stability conditions met; None if there is none."""
        found = self.data["best"]
        return None if found is None else str(found)


class Code(Result, Mapping[str, bytes]):
    """Source code: files by name, as bytes; `code.text` is the main one."""

    __slots__ = ("_files",)
    _files: dict[str, bytes]

    def __init__(self, core: _native.Analysis, files: list[tuple[str, bytes]]) -> None:
        super().__init__(core)
        self._set(_files=dict(files))

    def __getitem__(self, name: str) -> bytes:
        if name not in self._files:
            raise unknown_name("file", name, self._files)
        return self._files[name]

    def __iter__(self) -> Any:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    @property
    def text(self) -> str:
        """The first file that is text."""
        for name, content in self._files.items():
            if not name.endswith((".wasm", ".fmu")):
                return content.decode()
        raise Error("there is no text", "code[name] has the bytes of each file")

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the files to a folder."""
        write_files(folder, self._files)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._core.text())}</pre>"


def compensate(
    scenario: str | os.PathLike[str] | Scenario | System,
    /,
    methods: str | Iterable[str] = ("none", "feedforward", "observer", "adaptive", "dither", "acceleration", "dob"),
    changed: Changes | None = None,
    *,
    model: str | os.PathLike[str] | Law | None = None,
    controller: str | None = None,
    contact: str | None = None,
    mass: float | None = None,
    gains: Mapping[str, float] | None = None,
    until: float | None = None,
    since: float | None = None,
    band: float | None = None,
    factors: Numbers = (0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5),
    exact: bool = False,
    tune: bool | int = False,
    weight: float | None = None,
    **values: Any,
) -> Comparison:
    """Methods of friction compensation on the servo of a scenario, side by side, also with wrong models (`factors`).

    `model` is the law that the methods know; without it they know that of the contact. `gains` are values of parts,
    `{"dob.cutoff": 30}`. `exact` skips the runs with wrong models, which take most of the time. Errors are evaluated from `since` to `until` [s]. `tune` gives each method its best gains first, with
    that many runs if it is a number.
    """
    parts = []
    for path, value in (gains or {}).items():
        part, dot, name = path.partition(".")
        if not dot:
            raise Error(f"{path!r} does not name the part of a gain", "write 'dob.cutoff'")
        parts.append((part, name, as_number(path, value)))
    names = [methods] if isinstance(methods, str) else list(methods)
    if not names or len(set(names)) < len(names):
        raise Error(f"methods = {names}", "name each method once: 'none', 'feedforward', 'observer', 'dob', ...")
    evaluations = (40 if tune is True else as_count("tune", tune, 1)) if tune else None
    if weight is not None and evaluations is None:
        raise Error("weight is for tune", "give tune=True")
    study: dict[str, Any] = {
        "methods": names,
        "controller": controller,
        "contact": contact,
        "mass": None if mass is None else as_number("mass", mass),
        "gains": parts,
        "end": None if until is None else as_number("until", until),
        "from_time": None if since is None else as_number("since", since),
        "band": None if band is None else as_number("band", band),
        "factors": [] if exact else as_list("factors", factors),
        "evaluations": evaluations,
        "weight": weight,
    }
    known = None if model is None else as_law(model)._core
    return Comparison(_native.compensate(as_scenario(scenario, changed, values)._core, known, study))


def export(
    source: str | os.PathLike[str] | Law | Scenario | System,
    target: str,
    *,
    method: str | None = None,
    sample: float | None = None,
    estimator: str | None = None,
    gains: Mapping[str, float] | None = None,
    mass: float | None = None,
    limit: float | None = None,
    jump: float | None = None,
    load: bool = False,
    controller: str | None = None,
    precision: Literal["f64", "f32"] = "f64",
    name: str | None = None,
    **options: Any,
) -> Code:
    """A law as source code with a test: c, rust, cuda, numpy, jax, pytorch, matlab, modelica, wasm or latex.

    >>> "double coulomb_steady" in export("coulomb", "c").text
    True

    With `method` or `sample`, or from a scenario, it is a controller with friction compensation for firmware, in c or rust, as
    `stiction export controller` writes it. `method` joins parts by '+': a linear loop (pid, state-feedback) and what compensates (feedforward,
    observer, adaptive, dob, ...); `sample` is the sample time [s], `gains` has numbers of the parts, `{"pid.kp": 200}`, `limit` is the largest
    command. `estimator` makes the velocity from the position (kalman, difference, tracker; none if it is measured). A scenario has its own
    sample time, limit and estimator; without `method` its controller is written as it is simulated.

    >>> "axis_step" in export("coulomb", "c", method="pid+feedforward", sample=1e-3, limit=10, name="axis",
    ...                       gains={"kp": 100, "ki": 0, "kd": 10, "accel": 10, "quantum": 1e-6, "noise": 1e-6}).text
    True

    For other simulators, with the options of `stiction export`: a functional mock-up unit of a law or a scenario (`fmu`: `fmi`, `unit`, `mass`,
    `binary`, and for a scenario the `library` with the simulator), the friction of a joint (`mjcf`, `urdf`, `sdf`, `usd`: `joint`, `into`, `speeds`,
    `loads`, `turns`, `mass`; `lugre` for mjcf), a `mujoco-plugin` (`mass`), and a live `page`.

    >>> list(export("stribeck", "urdf", speeds=(0, 0.5)))
    ['stribeck.urdf', 'check.py']
    """
    law, scenario = (source, None) if isinstance(source, Law) else (None, source)
    if law is None and not isinstance(source, str | os.PathLike | Law):
        source = scenario = Scenario(source)
    if law is None and not isinstance(scenario, Scenario):
        named = os.fspath(cast("str | os.PathLike[str]", source))
        if _native.is_scenario(named):
            scenario = Scenario(named)
        else:
            law, scenario = Law(named), None
    label = os.fspath(source) if isinstance(source, str | os.PathLike) else source.name
    asked: dict[str, Any] = {"method": method, "estimator": estimator, "controller": controller, "name": name, "load": load}
    for key, value in {"sample": sample, "mass": mass, "limit": limit, "jump": jump}.items():
        asked[key] = None if value is None else as_number(key, value)
    asked["numbers"] = [(key, as_number(key, value)) for key, value in (gains or {}).items()]
    if target in OPTIONS:
        given = {"gains" if key == "numbers" else key: value for key, value in asked.items() if value} | options
        if precision != "f64":
            given["precision"] = precision
        core, files = model_files(law, cast("Scenario | None", scenario), label, target, given)
        warn(core.notes)
        return Code(core, files)
    if options:
        raise unknown_name("option of this target", next(iter(options)), asked)
    if scenario is None and method is None and sample is None:
        unused = [key for key, value in asked.items() if value] + ([] if precision == "f64" else ["precision"])
        if unused:
            raise Error(f"{unused[0]} is for controllers", "give method and sample as well, or leave it out for the law alone")
        targets = [name for name, _ in _native.law_targets()]
        if target not in targets:
            raise unknown_name("target", target, [*targets, *OPTIONS])
        return Code(*_native.law_code(cast(Law, law)._core, target))
    core, files = _native.controller_code(
        label,
        None if law is None else law._core,
        None if scenario is None else cast(Scenario, scenario)._core,
        target,
        {**asked, "precision": precision},
    )
    warn(core.notes)
    return Code(core, files)
