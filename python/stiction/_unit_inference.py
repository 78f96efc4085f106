"""Units that the user has not given, from the equations: what is added has the same unit, and a force is a force.

The exponents of a product are sums of exponents, so that every rule is a linear equation in the exponents that are looked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from . import _native
from ._arrays import Floats
from ._expression_graph import Graph

BASES = ("m", "s", "kg", "K", "A")
# Exponents that differ by less are the same: they come from roots and powers.
SAME = 1e-9


class Rules:
    """Linear equations in the exponents of unknown units, solved as they come; one that contradicts those before is left out.

    A vector has the five known exponents, then how often each unknown unit is in the product.
    """

    def __init__(self, unknown: Sequence[str]) -> None:
        self.unknown = list(unknown)
        self._rows: list[tuple[int, Floats]] = []

    def given(self, unit: str) -> Floats:
        """The vector of a known unit."""
        return np.concatenate([_native.unit_of(unit)[0], np.zeros(len(self.unknown))])

    def looked_for(self, name: str) -> Floats:
        """The vector of an unknown unit."""
        vector = np.zeros(len(BASES) + len(self.unknown))
        vector[len(BASES) + self.unknown.index(name)] = 1.0
        return vector

    def equal(self, a: Floats | None, b: Floats | None) -> None:
        """Both are the same unit; zero, which is None, has every unit."""
        if a is None or b is None:
            return
        row = a - b
        for pivot, known in self._rows:
            row = row - row[pivot] * known
        rest = np.abs(row[len(BASES) :])
        if rest.size == 0 or rest.max() <= SAME:
            return
        pivot = len(BASES) + int(rest.argmax())
        row = row / row[pivot]
        self._rows = [(place, known - known[pivot] * row) for place, known in self._rows]
        self._rows.append((pivot, row))

    def solution(self) -> dict[str, str]:
        """The units that follow, by name."""
        out = {}
        for pivot, row in self._rows:
            others = row[len(BASES) :].copy()
            others[pivot - len(BASES)] = 0.0
            if np.abs(others).max() <= SAME:
                # pivot + known exponents = 0
                out[self.unknown[pivot - len(BASES)]] = unit_text(-row[: len(BASES)])
        return out


def unit_text(exponents: Floats) -> str:
    """A unit in its usual form."""
    rounded = [round(float(x), 6) for x in exponents]
    parts = [f"{base}^{power:g}" for base, power in zip(BASES, rounded, strict=True) if power != 0]
    return _native.unit_of("*".join(parts))[1]


def infer(
    graph: Graph,
    quantities: Mapping[str, str | None],
    results: Sequence[tuple[int, str | tuple[str, str] | None]],
) -> dict[str, str]:
    """The units of the quantities that have none, as far as they follow from the equations.

    `results` are nodes and what they must be: a unit, a quantity and a unit it is divided by, or nothing.
    """
    rules = Rules([name for name, unit in quantities.items() if unit is None])
    of = {name: rules.given(unit) if unit is not None else rules.looked_for(name) for name, unit in quantities.items()}
    none = rules.given("-")
    vectors: dict[int, Floats | None] = {}
    for node in graph.reachable([node for node, _ in results]):
        vectors[node] = vector(graph, node, vectors, of, rules, none)
    for node, expected in results:
        if isinstance(expected, tuple):
            rules.equal(vectors[node], of[expected[0]] - rules.given(expected[1]))
        elif expected is not None:
            rules.equal(vectors[node], rules.given(expected))
    return rules.solution()


def vector(
    graph: Graph,
    node: int,
    vectors: Mapping[int, Floats | None],
    of: Mapping[str, Floats],
    rules: Rules,
    none: Floats,
) -> Floats | None:
    """The unit of a node; None for zero, which has every unit, and for conditions."""
    operation, value = graph.operations[node]
    operands = graph.operands[node]
    inner = [vectors[x] for x in operands]
    if operation == "name":
        return of[str(value)]
    if operation == "number":
        return None if value == 0 else none
    if operation in ("add", "sub", "min", "max", "where", "lt", "le", "gt", "ge", "eq", "ne"):
        a, b = inner[-2:]
        rules.equal(a, b)
        known = a if a is not None else b
        return known if operation in ("add", "sub", "min", "max", "where") else None
    if operation in ("neg", "abs"):
        return inner[0]
    if operation in ("mul", "div"):
        a, b = inner
        if a is None or (b is None and operation == "mul"):
            return None
        right = none if b is None else b
        return a + right if operation == "mul" else a - right
    if operation == "sqrt":
        return None if inner[0] is None else 0.5 * inner[0]
    if operation == "pow":
        rules.equal(inner[1], none)
        exponent = graph.operations[operands[1]]
        base = none if inner[0] is None else inner[0]
        if exponent[0] == "number":
            assert isinstance(exponent[1], float)
            return base * exponent[1]
        rules.equal(base, none)
        return none
    if operation in ("exp", "ln", "tanh"):
        rules.equal(inner[0], none)
    return none
