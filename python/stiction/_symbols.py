"""Quantities without a value, with which a law's function is called once to find its equations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from ._errors import Error
from ._expression_graph import Graph, user_place

AVAILABLE = (
    "in a law: + - * / **, comparisons, & | ~, np.where, np.select, np.exp, np.log, np.sqrt, np.tanh, np.abs, np.sign, "
    "np.minimum, np.maximum, np.clip, np.power"
)


def fail(message: str, hint: str | None = None) -> NoReturn:
    """Raises an error at the user's line."""
    file, line = user_place()
    raise Error(message, hint, file, line)


class Symbol:
    """A quantity of a law while its function is traced: it has no value, and what is computed with it becomes an equation."""

    __slots__ = ("_graph", "_node")
    _graph: Graph
    _node: int

    def __init__(self, graph: Graph, node: int) -> None:
        self._graph = graph
        self._node = node

    def __repr__(self) -> str:
        return f"<{self._graph.excerpt(self._node)}>"

    # by identity: equality is a condition of the law
    __hash__ = object.__hash__

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__
        if options.get("out") is not None:
            fail(
                f"np.{name} writes into an array of numbers, which cannot hold a quantity of a law",
                "make a new one: a = a + v in place of a += v, and lists in place of arrays that are filled",
            )
        if method != "__call__" or options:
            what = f"np.{name}.{method}" if method != "__call__" else f"np.{name} with {', '.join(options)}"
            fail(f"{what} has no counterpart in a law", AVAILABLE)
        if name not in UFUNCS:
            fail(f"np.{name} has no counterpart in a law", AVAILABLE)
        return each(UFUNCS[name], *inputs)

    def __array_function__(
        self, function: Callable[..., Any], types: Sequence[type], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Any:
        if function.__name__ not in FUNCTIONS:
            fail(f"np.{function.__name__} has no counterpart in a law", AVAILABLE)
        try:
            return FUNCTIONS[function.__name__](*args, **kwargs)
        except TypeError as error:
            fail(f"np.{function.__name__} in a law: {error}", AVAILABLE)

    def __bool__(self) -> bool:
        fail(
            f"'{self._graph.excerpt(self._node)}' has no value while the law is traced: 'if', 'while', 'and', 'or', 'not', "
            "'min', 'max' and a < b < c cannot decide on it",
            "np.where(condition, yes, no) in place of if; & | ~ with parentheses in place of and, or, not; "
            "(a < v) & (v < b) in place of a < v < b; np.minimum and np.maximum in place of min and max; of arrays of quantities, "
            "whose elements NumPy compares itself, one by one: [np.maximum(a, b) for a, b in zip(x, y)]",
        )

    def __float__(self) -> float:
        fail(
            f"'{self._graph.excerpt(self._node)}' is not a number while the law is traced",
            "NumPy's functions in place of those of math, np.exp(v); no float(v); lists in place of arrays that are filled",
        )

    __complex__ = __int__ = __trunc__ = __round__ = __floor__ = __ceil__ = __float__

    def __index__(self) -> int:
        fail(
            f"'{self._graph.excerpt(self._node)}' is not a whole number while the law is traced",
            "a loop in a law has a fixed count, and a list a fixed index",
        )

    def __iter__(self) -> Any:
        fail(
            f"'{self._graph.excerpt(self._node)}' is one number: there is nothing to loop over",
            "a law has one argument for each state; *z takes all states",
        )

    def __setitem__(self, key: object, value: object) -> None:
        fail(f"'{self._graph.excerpt(self._node)}' does not change", "compute a new quantity")

    def __floordiv__(self, other: object) -> Any:
        fail("// has no counterpart in a law", AVAILABLE)

    __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __matmul__ = __rmatmul__ = __floordiv__

    def __and__(self, other: Any) -> Any:
        return each(both, self, other)

    def __or__(self, other: Any) -> Any:
        return each(either, self, other)

    def __xor__(self, other: Any) -> Any:
        return each(one_of, self, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> Symbol:
        return opposite(self)

    def __neg__(self) -> Symbol:
        return apply("neg", self)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return apply("abs", self)

    def __add__(self, other: Any) -> Any:
        return each(binary("add"), self, other)

    def __radd__(self, other: Any) -> Any:
        return each(binary("add"), other, self)

    def __sub__(self, other: Any) -> Any:
        return each(binary("sub"), self, other)

    def __rsub__(self, other: Any) -> Any:
        return each(binary("sub"), other, self)

    def __mul__(self, other: Any) -> Any:
        return each(binary("mul"), self, other)

    def __rmul__(self, other: Any) -> Any:
        return each(binary("mul"), other, self)

    def __truediv__(self, other: Any) -> Any:
        return each(binary("div"), self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return each(binary("div"), other, self)

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if modulo is not None:
            fail("pow of three numbers has no counterpart in a law", AVAILABLE)
        return each(binary("pow"), self, other)

    def __rpow__(self, other: Any) -> Any:
        return each(binary("pow"), other, self)

    def __lt__(self, other: Any) -> Any:
        return each(binary("lt"), self, other)

    def __le__(self, other: Any) -> Any:
        return each(binary("le"), self, other)

    def __gt__(self, other: Any) -> Any:
        return each(binary("gt"), self, other)

    def __ge__(self, other: Any) -> Any:
        return each(binary("ge"), self, other)

    def __eq__(self, other: Any) -> Any:
        return each(binary("eq"), self, other)

    def __ne__(self, other: Any) -> Any:
        return each(binary("ne"), self, other)

    # NumPy calls these for the elements of an array of symbols

    def exp(self) -> Symbol:
        """As np.exp."""
        return apply("exp", self)

    def log(self) -> Symbol:
        """As np.log."""
        return apply("ln", self)

    def sqrt(self) -> Symbol:
        """As np.sqrt."""
        return apply("sqrt", self)

    def tanh(self) -> Symbol:
        """As np.tanh."""
        return apply("tanh", self)


def each(function: Callable[..., Any], *inputs: Any) -> Any:
    """The function of symbols and numbers; of arrays, element by element."""
    if not any(isinstance(x, np.ndarray) and x.ndim > 0 for x in inputs):
        return function(*inputs)
    items = []
    for x in inputs:
        item = np.empty(np.shape(x) if isinstance(x, np.ndarray) else (), dtype=object)
        item[...] = x if isinstance(x, np.ndarray) else None
        if not isinstance(x, np.ndarray):
            item[()] = x
        items.append(item)
    across = np.broadcast(*items)
    out = np.empty(across.shape, dtype=object)
    out.reshape(-1)[:] = [function(*elements) for elements in across]
    return out


def graph_of(values: Sequence[Any]) -> Graph:
    """The one graph of all symbols among these."""
    graphs = [x._graph for x in values if isinstance(x, Symbol)]
    if any(graph is not graphs[0] for graph in graphs):
        fail("a quantity of another law", "keep nothing from one call of a law's function for another")
    return graphs[0]


def as_node(graph: Graph, value: Any) -> int:
    """The node of a number; a condition is 1 where it holds, else 0."""
    if isinstance(value, np.ndarray | np.generic) and value.ndim == 0:
        value = value.item()
    if isinstance(value, Symbol):
        if value._graph is not graph:
            fail("a quantity of another law", "keep nothing from one call of a law's function for another")
        if graph.is_condition(value._node):
            return graph.operation("where", value._node, graph.number(1.0), graph.number(0.0))
        return value._node
    if isinstance(value, bool | int | float | Fraction | Decimal):
        try:
            number = float(value)
        except OverflowError:
            fail(f"a number of {len(str(abs(int(value))))} digits in an equation of a law", "numbers of a law are below 1.8e308")
        if not math.isfinite(number):
            fail(f"{number} in an equation of a law", "every number of a law is finite")
        return graph.number(number)
    kind = f"np.{value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
    fail(f"a {kind} in an equation of a law", "numbers, quantities of the law, and arrays of these")


def as_condition(graph: Graph, value: Any) -> int:
    """The node of a condition; a number is true unless it is zero."""
    if isinstance(value, Symbol) and value._graph is graph and graph.is_condition(value._node):
        return value._node
    return graph.operation("ne", as_node(graph, value), graph.number(0.0))


def apply(operation: str, *values: Any) -> Symbol:
    """The operation on numbers."""
    graph = graph_of(values)
    return Symbol(graph, graph.operation(operation, *(as_node(graph, x) for x in values)))


def binary(operation: str) -> Callable[[Any, Any], Symbol]:
    """An operation on two numbers."""
    return lambda a, b: apply(operation, a, b)


def unary(operation: str) -> Callable[[Any], Symbol]:
    """An operation on one number."""
    return lambda a: apply(operation, a)


def combine(operation: str, a: Any, b: Any) -> Symbol:
    """The operation on two conditions."""
    graph = graph_of((a, b))
    return Symbol(graph, graph.operation(operation, as_condition(graph, a), as_condition(graph, b)))


def both(a: Any, b: Any) -> Symbol:
    """Where both conditions hold."""
    return combine("and", a, b)


def either(a: Any, b: Any) -> Symbol:
    """Where one condition holds, or both."""
    return combine("or", a, b)


def opposite(a: Symbol) -> Symbol:
    """Where a condition does not hold."""
    return Symbol(a._graph, a._graph.operation("not", as_condition(a._graph, a)))


def one_of(a: Any, b: Any) -> Symbol:
    """Where exactly one condition holds."""
    graph = graph_of((a, b))
    first, second = Symbol(graph, as_condition(graph, a)), Symbol(graph, as_condition(graph, b))
    return either(both(first, opposite(second)), both(opposite(first), second))


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, else `no`."""
    if not isinstance(condition, Symbol):
        # known already, as in the last line of np.select
        return yes if condition else no
    graph = graph_of((condition, yes, no))
    held = as_condition(graph, condition)
    if all(isinstance(x, Symbol) and graph.is_condition(x._node) for x in (yes, no)):
        holds = Symbol(graph, held)
        return either(both(holds, yes), both(opposite(holds), no))
    return Symbol(graph, graph.operation("where", held, as_node(graph, yes), as_node(graph, no)))


def where(condition: Any, *sides: Any) -> Any:
    """As np.where."""
    if len(sides) != 2:
        fail("np.where with a condition alone", "np.where(condition, yes, no)")
    return each(choose, condition, *sides)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """As np.select."""
    if len(condlist) != len(choicelist):
        fail(f"np.select with {len(condlist)} conditions and {len(choicelist)} values", "one value for each condition")
    out = default
    for condition, value in reversed(list(zip(condlist, choicelist, strict=True))):
        out = where(condition, value, out)
    return out


def clip(a: Any, a_min: Any = None, a_max: Any = None, **limits: Any) -> Any:
    """As np.clip."""
    low, high = limits.pop("min", a_min), limits.pop("max", a_max)
    if limits:
        fail(f"np.clip with {', '.join(limits)} in a law", "np.clip(x, low, high)")
    out = a if high is None else each(binary("min"), a, high)
    return out if low is None else each(binary("max"), low, out)


def polyval(p: Any, x: Any) -> Any:
    """As np.polyval."""
    out: Any = 0.0
    for k, factor in enumerate(p):
        out = factor if k == 0 else out * x + factor
    return out


def copysign(a: Any, b: Any) -> Any:
    """As np.copysign for other numbers than a negative zero."""
    size = abs(a)
    return choose(b < 0, -size, size)


def heaviside(x: Any, at_zero: Any) -> Any:
    """As np.heaviside."""
    return choose(x < 0, 0.0, choose(x == 0, at_zero, 1.0))


UFUNCS: dict[str, Callable[..., Any]] = {
    **{name: binary(operation) for name, operation in {
        "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "power": "pow",
        "float_power": "pow", "minimum": "min", "maximum": "max", "fmin": "min", "fmax": "max", "less": "lt",
        "less_equal": "le", "greater": "gt", "greater_equal": "ge", "equal": "eq", "not_equal": "ne",
    }.items()},
    **{name: unary(operation) for name, operation in {
        "negative": "neg", "absolute": "abs", "fabs": "abs", "sign": "sign", "sqrt": "sqrt", "exp": "exp", "log": "ln",
        "tanh": "tanh",
    }.items()},
    "positive": lambda x: x,
    "square": lambda x: x**2,
    "reciprocal": lambda x: 1 / x,
    "exp2": lambda x: 2**x,
    "log2": lambda x: apply("ln", x) / math.log(2),
    "log10": lambda x: apply("ln", x) / math.log(10),
    "cosh": lambda x: 0.5 * (apply("exp", x) + apply("exp", -x)),
    "hypot": lambda a, b: apply("sqrt", a**2 + b**2),
    "copysign": copysign,
    "heaviside": heaviside,
    "logical_and": both,
    "logical_or": either,
    "logical_xor": one_of,
    "logical_not": opposite,
    "bitwise_and": both,
    "bitwise_or": either,
    "bitwise_xor": one_of,
    "invert": opposite,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"where": where, "select": select, "clip": clip, "polyval": polyval}
