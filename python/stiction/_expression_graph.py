"""Expressions as a graph of operations, and their text in the language of law files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

# How tightly an operation binds, as the parser of law files reads it.
EITHER, BOTH, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER, OPERAND = range(1, 10)

# Sign, how tightly it binds, and how tightly its two operands must bind to stand without parentheses.
INFIX: dict[str, tuple[str, int, int, int]] = {
    "or": (" or ", EITHER, EITHER, BOTH),
    "and": (" and ", BOTH, BOTH, NOT),
    "lt": (" < ", COMPARISON, SUM, SUM),
    "le": (" <= ", COMPARISON, SUM, SUM),
    "gt": (" > ", COMPARISON, SUM, SUM),
    "ge": (" >= ", COMPARISON, SUM, SUM),
    "eq": (" == ", COMPARISON, SUM, SUM),
    "ne": (" != ", COMPARISON, SUM, SUM),
    "add": (" + ", SUM, SUM, PRODUCT),
    "sub": (" - ", SUM, SUM, PRODUCT),
    "mul": ("*", PRODUCT, PRODUCT, POWER),
    "div": ("/", PRODUCT, PRODUCT, POWER),
    "pow": ("^", POWER, OPERAND, OPERAND),
}
# Sign before an operand, how tightly it binds, and how tightly the operand must.
PREFIX: dict[str, tuple[str, int, int]] = {"neg": ("-", SIGN, POWER), "not": ("not ", NOT, OPERAND)}
CALLS = ("abs", "sign", "sqrt", "exp", "ln", "tanh", "min", "max", "where")
CONDITIONS = frozenset({"or", "and", "not", "lt", "le", "gt", "ge", "eq", "ne"})

# Names that equations have a meaning for, so that no quantity may have them.
TAKEN = frozenset(
    "v load dir dt pi rate force hold band settled step jump set and or not name summary doc cite require "
    "exp ln log log10 tanh sqrt abs sign min max pow clip where sin cos tan".split()
)
# An equation is divided where its text or its nesting passes these; the parser takes 4096 characters and 64 levels.
LONG = 600
DEEP = 24
# A shared operation on leaves of at most this length is written again rather than named.
SHORT = 24

# A text, or a node that is to be written and how tightly it must bind to stand without parentheses.
Piece = tuple[str | None, int, int]


def number_text(x: float) -> str:
    """A number that reads back bit for bit."""
    if x == int(x) and abs(x) < 1e15:
        return ("-" if str(x).startswith("-") else "") + str(abs(int(x)))
    return repr(x)


def user_place() -> tuple[str, int]:
    """File and line of the code outside this package and NumPy that runs now."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] not in ("stiction", "numpy"):
            break
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class Graph:
    """Operations in the order in which they were made, operands first; equal ones are kept once."""

    __slots__ = ("operands", "operations", "places", "_numbers")

    def __init__(self) -> None:
        # what each node is: an operation, "number" with a value, "name" with a name
        self.operations: list[tuple[str, float | str | None]] = []
        self.operands: list[tuple[int, ...]] = []
        self.places: list[tuple[str, int]] = []
        self._numbers: dict[tuple[str, str | None, tuple[int, ...]], int] = {}

    def _add(self, operation: str, value: float | str | None, operands: tuple[int, ...]) -> int:
        # by text, so that zeros of both signs stay apart
        key = (operation, None if value is None else repr(value), operands)
        found = self._numbers.get(key)
        if found is None:
            found = len(self.operations)
            self._numbers[key] = found
            self.operations.append((operation, value))
            self.operands.append(operands)
            self.places.append(user_place())
        return found

    def number(self, x: float) -> int:
        """The node of a number."""
        return self._add("number", x, ())

    def name(self, name: str) -> int:
        """The node of a quantity."""
        return self._add("name", name, ())

    def operation(self, operation: str, *operands: int) -> int:
        """The node of an operation."""
        return self._add(operation, None, operands)

    def is_condition(self, node: int) -> bool:
        """Whether it is true or false rather than a number."""
        return self.operations[node][0] in CONDITIONS

    def is_leaf(self, node: int) -> bool:
        """Whether it is a number or a name."""
        return not self.operands[node]

    def reachable(self, roots: Sequence[int]) -> list[int]:
        """The nodes that these depend on, operands first."""
        needed = set(roots)
        for node in range(max(roots, default=-1), -1, -1):
            if node in needed:
                needed.update(self.operands[node])
        return sorted(needed)

    def depend_on(self, names: frozenset[str]) -> set[int]:
        """The nodes that depend on one of these quantities."""
        found: set[int] = set()
        for node, (operation, value) in enumerate(self.operations):
            if (operation == "name" and value in names) or not found.isdisjoint(self.operands[node]):
                found.add(node)
        return found

    def tokens(self, root: int, named: Mapping[int, str]) -> Iterator[tuple[str, int]]:
        """The text of a node in pieces, each with the node that it belongs to. Nodes in `named` are written by their names."""
        stack: list[Piece] = [(None, root, 0)]
        while stack:
            text, node, least = stack.pop()
            if text is not None:
                yield text, node
                continue
            operation, value = self.operations[node]
            operands = self.operands[node]
            if node in named:
                yield named[node], node
            elif operation == "name":
                yield str(value), node
            elif operation == "number":
                assert isinstance(value, float)
                text = number_text(value)
                yield (f"({text})" if text.startswith("-") and least > SUM else text), node
            elif operation in INFIX:
                sign, binds, left, right = INFIX[operation]
                parts: list[Piece] = [(None, operands[0], left), (sign, node, 0), (None, operands[1], right)]
                stack.extend(reversed(parenthesised(parts, binds < least, node)))
            elif operation in PREFIX:
                sign, binds, inner = PREFIX[operation]
                stack.extend(reversed(parenthesised([(sign, node, 0), (None, operands[0], inner)], binds < least, node)))
            else:
                parts = [(f"{operation}(", node, 0)]
                for k, operand in enumerate(operands):
                    parts.extend([(", ", node, 0)] if k else [])
                    parts.append((None, operand, 0))
                stack.extend(reversed([*parts, (")", node, 0)]))

    def text(self, root: int, named: Mapping[int, str]) -> str:
        """The text of a node."""
        return "".join(text for text, _ in self.tokens(root, named))

    def excerpt(self, root: int, length: int = 50) -> str:
        """The beginning of the text of a node."""
        out = ""
        for text, _ in self.tokens(root, {}):
            out += text
            if len(out) > length:
                return f"{out[:length]}..."
        return out

    def name_shared(self, roots: Sequence[int], wanted: Mapping[str, int], taken: set[str]) -> dict[int, str]:
        """Names for nodes that become equations of their own, so that the text of all does not grow beyond the graph.

        These are the nodes that are used more than once, those that the user has given a name (`wanted`), and some within long
        texts. What depends on `dir` or `dt` cannot be an equation.
        """
        nodes = self.reachable(roots)
        bound = self.depend_on(frozenset({"dir", "dt"}))
        uses = dict.fromkeys(nodes, 0)
        for node in [*roots, *(operand for node in nodes for operand in self.operands[node])]:
            uses[node] += 1
        named: dict[int, str] = {}
        used = set(taken) | TAKEN
        for name, node in wanted.items():
            fits = name.isascii() and name.isidentifier() and len(name) <= 64 and name not in used and name.lower() not in TAKEN
            if fits and node in uses and not self.is_leaf(node) and node not in named and node not in bound:
                named[node] = name
                used.add(name)
        length: dict[int, int] = {}
        depth: dict[int, int] = {}
        count = 0
        for node in nodes:
            operands = self.operands[node]
            size = len(self.text(node, {})) if not operands else sum(length[x] for x in operands) + 8
            level = 1 + max((depth[x] for x in operands), default=0)
            small = all(self.is_leaf(x) for x in operands) and size <= SHORT + 8
            shared = uses[node] > 1 and not small
            if operands and node not in named and node not in bound and (shared or size > LONG or level > DEEP):
                count += 1
                while f"e{count}" in used:
                    count += 1
                named[node] = f"e{count}"
            length[node], depth[node] = (len(named[node]), 1) if node in named else (size, level)
        return named


def parenthesised(parts: list[Piece], needed: bool, node: int) -> list[Piece]:
    """The parts, in parentheses if these are needed."""
    return [("(", node, 0), *parts, (")", node, 0)] if needed else parts
