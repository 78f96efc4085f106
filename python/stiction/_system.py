"""Systems that are built in Python: scenarios without a file."""

from __future__ import annotations

import copy
import html
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._component_methods import Components
from ._components import COMPONENTS, METHODS
from ._errors import Error
from ._law import Law
from ._scenario import RUN_KEYS, Run, Scenario
from ._toml import literal

if TYPE_CHECKING:
    from typing_extensions import Self


class UnknownComponent(Error, AttributeError):
    """A kind of component that there is not."""


class System(Components):
    """A system that is built component by component, and its runs.

    >>> system = System("A block is pulled over a table", end=10)
    >>> system = system.body("block", mass=1).motion("hand", position={"ramp": {"slope": 0.1}})
    >>> system = system.spring("pull", between=["hand", "block"], stiffness=2)
    >>> system = system.contact("table", body="block", law=Law("stribeck", fc=1, fs=1.5, vs=0.01))
    >>> run = system.measure("t_break", event="table.slip").run()
    >>> round(run.measures["t_break"], 3)
    7.5

    Every component of a scenario file has its method, with the keys of its table as arguments; `body="block"` is short for
    `between=["block", "ground"]`, `from_` is the key `from`, and a dict before the arguments takes keys that are no Python names.
    A method adds to the system and returns it. A law is a name, a file, or a `Law`.
    """

    __slots__ = ("_about", "_run", "_tables", "_title")

    def __init__(self, title: str = "", *, about: str = "", **run: Any) -> None:
        self._title = title
        self._about = about
        self._run = run_table(run)
        # kind, name, keys
        self._tables: list[tuple[str, str | None, dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        near = _native.similar(name, [component.name for component in METHODS])
        known = ", ".join(component.name for component in METHODS)
        hint = f"did you mean {' or '.join(repr(one) for one in near)}?" if near else f"components: {known}"
        raise UnknownComponent(f"a system has no component '{name}'", hint)

    def add(
        self, kind: str, name: str | None = None, values: Mapping[str, Any] | None = None, /, **keys: Any
    ) -> Self:
        """Adds a component by the name of its kind: `add("body", "block", mass=1)`."""
        component = COMPONENTS.get(kind)
        if component not in METHODS or component is None:
            # with the same error as a method that there is not
            getattr(self, kind.lstrip("_") or "component")
            raise UnknownComponent(f"a system has no component '{kind}'")
        if component.is_named and not isinstance(name, str):
            raise Error(f"a {kind} needs a name", f'{kind}("name", ...)')
        if any(other == kind and (own == name) and not component.is_list for other, own, _ in self._tables):
            what = f"{kind} '{name}'" if component.is_named else f"'{kind}'"
            hint = "every component has a name of its own; system.copy() begins another system"
            raise Error(f"there is already a {what}", hint)
        table: dict[str, Any] = {}
        for argument, value in [*(values or {}).items(), *keys.items()]:
            if value is None:
                continue
            if argument == "body" and component.is_against_ground:
                argument, value = "between", [value, "ground"]
            key = component.key(argument)
            if key in table:
                raise Error(f"'{key}' of {kind} '{name}' is given twice")
            table[key] = value
        if component.has_law and isinstance(table.get("law"), Law):
            table = with_law(f"{kind} '{name}'", table, [key.name for key in component.keys])
        self._tables.append((kind, name, {key: plain(value) for key, value in table.items()}))
        return self

    def copy(self) -> System:
        """Another system with the same components, to which others can be added."""
        return copy.deepcopy(self)

    @property
    def title(self) -> str:
        """Its title."""
        return self._title

    @property
    def toml(self) -> str:
        """The system as the text of a scenario file."""
        return self._text(self._run)

    def _text(self, run: Mapping[str, Any]) -> str:
        top = {"title": self._title, "about": self._about}
        out = "".join(line(key, value) for key, value in top.items() if value)
        out += section("[run]", run)
        measures = {str(name): table for kind, name, table in self._tables if kind == "measure"}
        for kind, name, table in self._tables:
            if kind != "measure":
                out += section(COMPONENTS[kind].form.replace("NAME", key_text(name or "")), table)
            elif name == next(iter(measures)):
                # all in one table, where the first is
                out += section("[measure]", measures)
        return out

    def scenario(self, **run: Any) -> Scenario:
        """The system as a scenario; `end`, `rtol` and other keys of [run] may be given here."""
        return Scenario.parse(self._text({**self._run, **run_table(run)}), "system.toml")

    def run(self, changed: Mapping[str, Any] | None = None, /, *, peaks: bool = False, **values: Any) -> Run:
        """Simulates it, as `Scenario.run` does: `run(end=10)`, with other values if some are given."""
        own = {key: value for key, value in values.items() if key in RUN_KEYS}
        others = {key: value for key, value in values.items() if key not in RUN_KEYS}
        return self.scenario(**own).run(changed, peaks=peaks, **others)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a scenario file, whole or not at all; a system with a mistake is not written."""
        text = self.toml
        Scenario.parse(text, os.fspath(path))
        _native.write_file(os.fspath(path), text.encode())

    def __repr__(self) -> str:
        parts = [f"{kind} {name}" if name else kind for kind, name, _ in self._tables]
        return f"<System {self._title!r}: {', '.join(parts) or 'empty'}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.toml)}</pre>"


def run_table(given: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of [run] and their values."""
    return {COMPONENTS["run"].key(key): value for key, value in given.items() if value is not None}


def with_law(what: str, table: Mapping[str, Any], own: Sequence[str]) -> dict[str, Any]:
    """The keys of a component whose law is a `Law`: its name, its text if it is not of the library, and all its values."""
    others = {key: value for key, value in table.items() if key in own and key not in ("law", "from", "reverse", "noise")}
    values = {key: value for key, value in table.items() if key not in others and key not in ("law", "from")}
    law: Law = table["law"]
    changed = law.replace(known=table.get("from"), **values) if values or "from" in table else law
    if any(name.startswith("load.") for name in changed.parameters):
        raise Error(f"the law of {what} has a map of its load", "give the load of the contact instead: load=dict(...)")
    return {**others, **law_table(changed)}


def law_table(law: Law) -> dict[str, Any]:
    """A law as a table of a scenario."""
    out: dict[str, Any] = {"law": law.name}
    if law.definition is not None:
        out["definition"] = law.definition
    for name, parameter in law.parameters.items():
        group, dot, key = name.partition(".")
        if dot:
            out.setdefault(group, {})[key] = parameter.value
        else:
            out[name] = parameter.value
    return out


def plain(value: Any) -> Any:
    """A value with laws in it as tables; a copy, so that later changes of it have no effect."""
    if isinstance(value, Law):
        return law_table(value)
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return copy.copy(value)


def key_text(name: str) -> str:
    """A key of TOML, in quotes if it needs them."""
    bare = name != "" and all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if bare else literal("name", name)


def line(key: str, value: Any) -> str:
    """A key and its value."""
    lines = value.split("\n") if isinstance(value, str) else []
    # as it is, if it has several lines and nothing that must be escaped
    if len(lines) > 1 and "'''" not in value and lines[-1] == "" and all(x.isprintable() for x in lines):
        return f"{key_text(key)} = '''\n{value}'''\n"
    return f"{key_text(key)} = {literal(key, value)}\n"


def section(head: str, table: Mapping[str, Any]) -> str:
    """A table of a file."""
    return f"\n{head}\n" + "".join(line(key, value) for key, value in table.items())
