"""Errors and notes."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    from ._scenario import Run


# Commands, which stay as they are: in quotes, or up to the next comma.
_COMMAND = re.compile(r"'(?:stiction|cargo) [^']*'|`[^`]*`|\b(?:cargo|usdcat|octave-cli) [^,;]*")
# An option of the program stands by itself: "my--log.csv" and "runs/--old.csv" are names of files.
_OPTION = re.compile(
    r"(?<![^\s(])--(?P<name>[a-z]+(?:-[a-z]+)*)(?![\w-]|[./\\]\w)"
    r"(?:[ =](?P<value>'[^']*'|(?P<key>[A-Za-z][\w.]*)=(?P<of_key>[^\s,;)]+)|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w:/]|\.\w)"
    r"|\d+/\d+(?![\w./])|[A-Z]+(?::[A-Z]+)?\b|(?:auto|body|compiled|cuda|false|latin|law|none|sliding|spline|tukey)\b))?"
)
_RENAMED = {"constant": "constants", "gain": "gains", "term": "terms", "with": "methods"}
_GROUPS = ("constants", "gains", "set", "terms", "vary", "at")
"""Arguments that are values by name."""


def _argument(found: re.Match[str]) -> str:
    """An option of the program as an argument: `--force NAME` as `force=...`, `--rate 1000` as `rate=1000`."""
    name, value = found["name"].replace("-", "_"), found["value"]
    if name.startswith("no_"):
        return f"{name[3:]}=False" + ("" if value is None else found[0][len(found["name"]) + 2 :])
    name = _RENAMED.get(name, name)
    if value is None:
        return name
    if found["key"] is not None:
        inner = "..." if found["of_key"].isupper() else _value(found["of_key"])
        if name not in _GROUPS:
            return f"{name}={found['key']}={inner}"
        key = "..." if found["key"].isupper() else repr(found["key"])
        group = f"{{{key}: {inner}}}"
        if name == "constants" and found["key"].isidentifier():
            return f"{name}=dict({found['key']}={inner})"
        # a path of a scenario, whose values are changed by a dict
        return group if name == "set" and "." in found["key"] else f"{name}={group}"
    if value.replace(":", "").isupper():
        return f"{name}=..."
    return f"{name}={{...: {value}}}" if name in _GROUPS else f"{name}={_value(value)}"


def _value(text: str) -> str:
    """A value of an option, as Python writes it."""
    if re.fullmatch(r"'.*'|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text):
        return text
    part = re.fullmatch(r"(\d+)/(\d+)", text)
    return f"({part[1]}, {part[2]})" if part else "False" if text == "false" else repr(text)


def in_python(text: str) -> str:
    """A message of the library with the options of the program as arguments. Commands and paths stay as they are."""
    out, at = "", 0
    for command in _COMMAND.finditer(text):
        out += _OPTION.sub(_argument, text[at : command.start()]) + command[0]
        at = command.end()
    return out + _OPTION.sub(_argument, text[at:])


class Error(ValueError):
    """What is wrong, and in `hint` what to do about it.

    A mistake in a file also has `file`, `line` and `column`. The error of a run that could not go on has what there is up to then
    as `run`.
    """

    message: str
    hint: str | None
    file: str | None
    line: int | None
    column: int | None
    run: Run | None

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        file: str | os.PathLike[str] | None = None,
        line: int | None = None,
        column: int | None = None,
        run: Run | None = None,
    ) -> None:
        message = in_python(message)
        hint = None if hint is None else in_python(hint)
        super().__init__(message, hint, file, line, column, run)
        self.message = message
        self.hint = hint
        self.file = None if file is None else os.fspath(file)
        self.line = line
        self.column = column
        self.run = run

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class UnknownName(Error, KeyError):
    """A name that a table, a law or a result does not have; also a `KeyError`."""


def unknown_name(what: str, name: object, known: Iterable[str]) -> UnknownName:
    """The error for a name that is not among the known ones, with those that are meant or that there are."""
    names = list(known)
    near = _native.similar(str(name), names)
    either = "' or '".join(near)
    hint = f"did you mean '{either}'?" if near else f"there is: {', '.join(names)}"
    return UnknownName(f"there is no {what} '{name}'", hint)


class Note(UserWarning):
    """What the user should know, though nothing is wrong: a value that was assumed, a path that was completed."""


def warn(notes: Iterable[str], stacklevel: int = 3) -> None:
    """Gives notes as warnings at the line of the user's call."""
    for note in notes:
        warnings.warn(in_python(note), Note, stacklevel=stacklevel)
