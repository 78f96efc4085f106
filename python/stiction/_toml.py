"""Values of Python as TOML, for changes of a scenario."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import Error
from ._law import Law


def literal(name: str, value: Any) -> str:
    """`value` as a TOML literal."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inner = ", ".join(f"{json.dumps(str(key))} = {literal(name, x)}" for key, x in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, Sequence):
        return f"[{', '.join(literal(name, x) for x in value)}]"
    raise Error(f"{name} is a {type(value).__name__}", "give a number, a text, a list, a dict or a law")


def changes(
    values: Mapping[str, Any] | None, named: Mapping[str, Any], run_keys: Sequence[str]
) -> tuple[list[str], list[tuple[str, Law]]]:
    """Assignments of a scenario, and laws for its contacts. Names of `named` that are keys of [run] are those."""
    assignments: list[str] = []
    laws: list[tuple[str, Law]] = []
    keywords = {f"run.{key}" if key in run_keys else key: value for key, value in named.items()}
    for path, value in [*(values or {}).items(), *keywords.items()]:
        if isinstance(value, Law):
            laws.append((path, value))
        else:
            assignments.append(f"{path}={literal(path, value)}")
    return assignments, laws
