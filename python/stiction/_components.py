"""The components of a scenario as methods, made from the library's own table of components and keys.

`stub()` is the text of `_component_methods.pyi`.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from . import _native
from ._errors import Error

# What a value is, and how Python types it.
TYPES = {
    "number": "float",
    "true or false": "bool",
    "string": "str",
    "list of numbers": "Sequence[float]",
    "place": "str",
    "two places": "Sequence[str]",
    "list of columns": "str | Sequence[str]",
    "signal": "float | Mapping[str, Any]",
    "law": "str | Law | Mapping[str, Any]",
    "table": "Mapping[str, Any]",
}


@dataclass(frozen=True)
class Key:
    """A key of a component."""

    name: str
    kind: str
    unit: str
    default: str
    doc: str

    @property
    def argument(self) -> str:
        """Its name as that of an argument: `from_` for `from`, `state_feedback` for `state-feedback`."""
        name = self.name.replace("-", "_")
        return f"{name}_" if keyword.iskeyword(name) else name

    @property
    def type(self) -> str:
        """Its type in Python."""
        return "str | Law" if self.name == "law" else TYPES.get(self.kind, "Any")


@dataclass(frozen=True)
class Component:
    """A component of a scenario: a kind of table and its keys."""

    name: str
    form: str
    doc: str
    has_law: bool
    keys: tuple[Key, ...]

    @property
    def is_table(self) -> bool:
        """Whether it is a table of the file rather than a value within one."""
        return self.form.startswith("[")

    @property
    def is_list(self) -> bool:
        """Whether there may be several without names."""
        return self.form.startswith("[[")

    @property
    def is_named(self) -> bool:
        """Whether each has a name; measures stand under theirs in one table."""
        return self.form.endswith(".NAME]") or self.name == "measure"

    @property
    def is_against_ground(self) -> bool:
        """Whether `body` may be given in place of the two places."""
        return any(key.name == "between" for key in self.keys)

    def key(self, argument: str) -> str:
        """The key that an argument means; a component with a law may have others, which are parameters of the law."""
        for key in self.keys:
            if argument in (key.name, key.argument):
                return key.name
        if self.has_law:
            return argument
        names = [key.name for key in self.keys]
        near = _native.similar(argument, [*names, *(["body"] if self.is_against_ground else [])])
        hint = f"did you mean {' or '.join(repr(name) for name in near)}?" if near else f"keys: {', '.join(names)}"
        raise Error(f"a {self.name} has no key '{argument}'" if self.is_named else f"'{self.name}' has no key '{argument}'", hint)

    @property
    def documentation(self) -> str:
        """What it is and its keys, as help for the method."""
        lines = [self.doc, ""]
        if self.is_against_ground:
            lines.append("body: The place that is connected to the ground, in place of between.")
        for key in self.keys:
            unit = f" [{key.unit}]" if key.unit else ""
            default = f" ({key.default})" if key.default else ""
            lines.append(fill(f"{key.argument}: {key.doc}{unit}{default}", 120, subsequent_indent="    "))
        return "\n".join(lines)


COMPONENTS = {
    name: Component(name, form, doc, law, tuple(Key(*key) for key in keys))
    for name, form, doc, law, keys in _native.components()
}


def signature(component: Component) -> inspect.Signature:
    """The arguments of the method of a component."""
    parameter = inspect.Parameter
    arguments = [parameter("self", parameter.POSITIONAL_ONLY)]
    if component.is_named:
        arguments.append(parameter("name", parameter.POSITIONAL_ONLY))
    arguments.append(parameter("values", parameter.POSITIONAL_ONLY, default=None))
    if component.is_against_ground:
        arguments.append(parameter("body", parameter.KEYWORD_ONLY, default=None))
    arguments.extend(parameter(key.argument, parameter.KEYWORD_ONLY, default=None) for key in component.keys)
    if component.has_law:
        arguments.append(parameter("parameters", parameter.VAR_KEYWORD))
    return inspect.Signature(arguments)


def method(component: Component) -> Callable[..., Any]:
    """The method that adds a component."""

    def named(self: Any, name: str, values: Mapping[str, Any] | None = None, /, **keys: Any) -> Any:
        return self.add(component.name, name, values, **keys)

    def unnamed(self: Any, values: Mapping[str, Any] | None = None, /, **keys: Any) -> Any:
        return self.add(component.name, None, values, **keys)

    function: Callable[..., Any] = named if component.is_named else unnamed
    function.__name__ = component.name
    function.__qualname__ = f"Components.{component.name}"
    function.__doc__ = component.documentation
    function.__signature__ = signature(component)  # type: ignore[attr-defined]
    return function


# [run] is not a component of the system: its keys are arguments of System and of its run
METHODS = [component for component in COMPONENTS.values() if component.is_table and component.name != "run"]


def stub() -> str:
    """The stub of the module with the methods."""
    out = '"""Made by `stiction._components.stub()` from the table of components in the library."""\n\n'
    out += "from collections.abc import Mapping, Sequence\nfrom typing import Any\n\n"
    out += "from typing_extensions import Self\n\nfrom ._law import Law\n\n"
    out += "class Components:\n"
    for component in METHODS:
        out += f"    def {component.name}(\n        self,\n"
        out += "        name: str,\n" if component.is_named else ""
        out += "        values: Mapping[str, Any] | None = None,\n        /,\n        *,\n"
        out += "        body: str | None = None,\n" if component.is_against_ground else ""
        for key in component.keys:
            kind = key.type if key.type == "Any" else f"{key.type} | None"
            out += f"        {key.argument}: {kind} = None,\n"
        out += "        **parameters: Any,\n" if component.has_law else ""
        out += "    ) -> Self: ...\n"
    return out

