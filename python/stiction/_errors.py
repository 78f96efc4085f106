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


def in_python(text: str) -> str:
    """A message of the library with the options of the program as arguments: `--force NAME` as `force=...`.

    What stands behind `cargo` is a command of its own, and stays as it is.
    """
    text, cargo, command = text.partition("cargo ")
    text = re.sub(r"--([a-z]+(?:-[a-z]+)*)[ =][A-Z]+(?:=[A-Z]+)?", lambda found: f"{found[1].replace('-', '_')}=...", text)
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda found: found[1].replace("-", "_"), text) + cargo + command


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
