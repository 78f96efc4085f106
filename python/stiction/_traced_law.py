"""Laws from Python functions: the function is called once with symbols, and what it computes becomes a law file."""

from __future__ import annotations

import functools
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast, overload

import numpy as np

from . import _native
from ._errors import Error
from ._expression_graph import Graph
from ._law import Law
from ._law_parameters import Parameters, as_quantity, check_name
from ._symbols import Symbol, as_condition, as_node
from ._toml import literal
from ._unit_inference import infer

PARTS = ("force", "rate", "hold", "band", "settled", "step", "when")
WHEN = ("if", "guard", "direction", "set")


class Tracing:
    """A law's function on its way to a law file."""

    def __init__(self, function: Callable[..., Any], states: Mapping[str, str | None], params: Mapping[str, Any]) -> None:
        self.function = function
        self.graph = Graph()
        self.states = dict(states)
        for state in self.states:
            check_name(state, "state")
        self.params = {name: as_quantity(name, given) for name, given in params.items()}
        for name in self.params:
            if name in self.states:
                raise Error(f"'{name}' is a state and a parameter", "every quantity has a name of its own")
        self.symbols = {
            name: Symbol(self.graph, self.graph.name(name))
            for name in ["v", "load", "dir", "dt", *self.states, *self.params]
        }
        self.p = Parameters({name: self.symbols[name] for name in self.params})

    def error(self, message: str, hint: str | None = None) -> Error:
        """An error of the function as a whole."""
        code = getattr(innermost(self.function), "__code__", None)
        return Error(message, hint, *((code.co_filename, code.co_firstlineno) if code is not None else ()))

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """What the function is called with: quantities by the names of its arguments, `p` with all parameters."""
        positional: list[Any] = []
        named: dict[str, Any] = {}
        arguments = inspect.signature(self.function).parameters
        for name, argument in arguments.items():
            known = self.p if name == "p" else self.symbols.get(name)
            if argument.kind is argument.VAR_POSITIONAL:
                positional.extend(self.symbols[state] for state in self.states if state not in arguments)
            elif argument.kind is argument.VAR_KEYWORD:
                raise self.error(f"**{name} in the function of a law", "p has all parameters")
            elif known is None and argument.default is not argument.empty:
                continue
            elif known is None:
                near = _native.similar(name, ["p", *self.symbols])
                hint = f"did you mean '{near[0]}'?" if near else f"there are p, {', '.join(self.symbols)}"
                raise self.error(f"the law has no quantity '{name}', an argument of its function", hint)
            elif argument.kind is argument.KEYWORD_ONLY:
                named[name] = known
            else:
                positional.append(known)
        return positional, named

    def call(self) -> tuple[Any, dict[str, int]]:
        """What the function returns, and its variables that are quantities."""
        positional, named = self.arguments()
        code = getattr(innermost(self.function), "__code__", None)
        variables: dict[str, Any] = {}

        def at_return(frame: Any, event: str, _: Any) -> None:
            if event == "return" and frame.f_code is code:
                variables.clear()
                variables.update(frame.f_locals)

        before = sys.getprofile()
        sys.setprofile(at_return)
        try:
            returned = self.function(*positional, **named)
        except TypeError as error:
            # NumPy's own words for an array in which some elements are quantities and others numbers
            found = re.search(r"no callable (\w+) method", str(error))
            if found is None:
                raise
            where = inspect.getinnerframes(cast("Any", error.__traceback__))[-1]
            message = f"np.{found[1]} of an array of quantities and numbers"
            hint = f"one by one: [np.{found[1]}(x) for x in items], or np.{found[1]} of a quantity times the numbers"
            raise Error(message, hint, where.filename, where.lineno) from None
        finally:
            sys.setprofile(before)
        own = {name: x for name, x in variables.items() if isinstance(x, Symbol) and x._graph is self.graph}
        return returned, {name: symbol._node for name, symbol in own.items()}

    def parts(self, returned: Any) -> dict[str, Any]:
        """What the function returns as a mapping: force, rates by state, and the rest."""
        if isinstance(returned, Mapping):
            for key in returned:
                if key not in PARTS:
                    near = _native.similar(str(key), list(PARTS))
                    hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(PARTS)}"
                    raise self.error(f"the function returns '{key}', which is no part of a law", hint)
            if "force" not in returned:
                raise self.error("the function returns no force", "return dict(force=..., rate=...)")
            return dict(returned)
        if returned is None:
            raise self.error("the function returns nothing", "return the force, and the rates of the states if it has some")
        values = list(flat(returned))
        expected = ["force", *(f"rate of {state}" for state in self.states)]
        if len(values) != len(expected):
            found = "1 value" if len(values) == 1 else f"{len(values)} values"
            raise self.error(f"the function returns {found} instead of {len(expected)}", f"return {', '.join(expected)}")
        rates = {state: rate for state, rate in zip(self.states, values[1:], strict=True) if rate is not None}
        return {"force": values[0], "rate": rates}

    def by_state(self, part: str, given: Any) -> dict[str, int]:
        """Nodes by state, from a mapping, a sequence, or one value for the only state."""
        if not isinstance(given, Mapping):
            values = list(flat(given))
            if len(values) != len(self.states):
                count = "1 value" if len(values) == 1 else f"{len(values)} values"
                raise self.error(f"'{part}' has {count} for {len(self.states)} states", f"{part}=dict(z=...), one for each state")
            given = {state: value for state, value in zip(self.states, values, strict=True) if value is not None}
        for state in given:
            if state not in self.states:
                near = _native.similar(str(state), list(self.states))
                hint = f"did you mean '{near[0]}'?" if near else f"states: {', '.join(self.states) or 'none'}"
                raise self.error(f"'{part}' of '{state}', which is no state of the law", hint)
        return {state: as_node(self.graph, value) for state, value in given.items()}


def innermost(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function that others are around."""
    function = inspect.unwrap(function)
    return innermost(function.func) if isinstance(function, functools.partial) else function


def flat(values: Any) -> Iterable[Any]:
    """The values of nested sequences."""
    if isinstance(values, np.ndarray):
        values = values.tolist() if values.ndim > 0 else [values.item()]
    if isinstance(values, list | tuple):
        for value in values:
            yield from flat(value)
    else:
        yield values


class LawText:
    """The text of a law file, with where each equation comes from."""

    def __init__(self, tracing: Tracing) -> None:
        self.tracing = tracing
        self.lines: list[str] = []
        # node and first column of the equation on a line, from one
        self.equations: dict[int, tuple[int, int]] = {}
        self.named: dict[int, str] = {}

    def write(self, line: str) -> None:
        """Adds a line."""
        self.lines.append(line)

    def equation(self, key: str, node: int, is_definition: bool = False) -> None:
        """Adds an equation; one that defines a name is not written as this name."""
        named = {k: name for k, name in self.named.items() if not (is_definition and k == node)}
        self.write(f'{key} = "{self.tracing.graph.text(node, named)}"')
        self.equations[len(self.lines)] = (node, len(key) + len(' = "') + 1)

    def place(self, line: int | None, column: int | None) -> tuple[str, int] | None:
        """File and line in Python of a position in the text."""
        if line not in self.equations or column is None:
            return None
        node, at = self.equations[line]
        own = self.lines[line - 1].partition(" = ")[0]
        named = {k: name for k, name in self.named.items() if name != own}
        graph = self.tracing.graph
        for text, part in graph.tokens(node, named):
            at += len(text)
            if column < at:
                # a name has no place of its own: it is as old as the law
                found = next((k for k in (part, node) if not graph.is_leaf(k)), None)
                return None if found is None else graph.places[found]
        return None


def trace(
    function: Callable[..., Any],
    name: str | None,
    states: Mapping[str, str | None],
    params: Mapping[str, Any],
    header: Mapping[str, Any],
    require: Sequence[str | Callable[..., Any]],
) -> Law:
    """The law of a function."""
    tracing = Tracing(function, states, params)
    graph = tracing.graph
    returned, variables = tracing.call()
    parts = tracing.parts(returned)
    turns = any("rad" in (param.unit or "") for param in tracing.params.values())
    force_unit, speed_unit = ("N*m", "rad/s") if turns else ("N", "m/s")

    # key of the equation, its node, and what its unit must be
    equations: list[tuple[str, int, str | tuple[str, str] | None]] = []
    for part, divided_by in (("rate", "s"), ("settled", "-"), ("step", "-")):
        given = tracing.by_state(part, parts[part]) if part in parts else {}
        equations.extend((f"{part}.{state}", node, (state, divided_by)) for state, node in given.items())
    for part, expected in (("force", force_unit), ("hold", force_unit), ("band", speed_unit)):
        if part in parts:
            equations.append((part, as_node(graph, parts[part]), expected))
    whens = [changes_of_mode(tracing, item) for item in as_list(parts.get("when", ()))]
    conditions = [requirement(tracing, item) for item in require]

    results = [(node, unit) for _, node, unit in equations]
    results.extend((node, unit) for when in whens for _, node, unit in when[1])
    roots = [node for node, _ in results]
    of_conditions = [node for node in conditions if isinstance(node, int)]
    reached = [graph.operations[node] for node in graph.reachable([*roots, *of_conditions])]
    used = {value for operation, value in reached if operation == "name"}
    for param in tracing.params:
        if param not in used and not any(isinstance(text, str) and param in text for text in conditions):
            raise tracing.error(f"parameter '{param}' is not used", "use it in the function, or leave it out")

    units: dict[str, str | None] = {param.name: param.unit for param in tracing.params.values()}
    units.update(tracing.states)
    if any(unit is None for unit in units.values()):
        quantities = {"v": speed_unit, "load": "-", "dir": "-", "dt": "s", **units}
        units.update(infer(graph, quantities, [*results, *((node, None) for node in of_conditions)]))
    for quantity, unit in units.items():
        if unit is None:
            what = "state" if quantity in tracing.states else "parameter"
            example = f'states=dict({quantity}="m")' if what == "state" else f'{quantity}="1 N"; "1 -" has no unit'
            raise tracing.error(f"the unit of {what} '{quantity}' does not follow from the equations", f"give it: {example}")

    text = LawText(tracing)
    text.named = graph.name_shared(roots, variables, set(units))
    text.write(f"name = {literal('name', name or own_name(tracing))}")
    for key, value in header.items():
        if value:
            text.write(f"{key} = {literal(key, value)}")
    if conditions:
        items = [x if isinstance(x, str) else graph.text(x, {}) for x in conditions]
        text.write(f"require = {literal('require', items)}")
    if tracing.params:
        text.lines.extend(["", "[params]"])
        for parameter in tracing.params.values():
            text.write(parameter.line(units))
    if tracing.states:
        text.lines.extend(["", "[states]"])
        for state in tracing.states:
            text.write(f"{state} = {json.dumps(units[state], ensure_ascii=False)}")
    text.lines.extend(["", "[equations]"])
    for node in sorted(text.named):
        text.equation(text.named[node], node, is_definition=True)
    for key, node, _ in equations:
        text.equation(key, node)
    for others, nodes in whens:
        text.lines.extend(["", "[[when]]", *others])
        for key, node, _ in nodes:
            text.equation(key, node)
    whole = "\n".join([*text.lines, ""])
    try:
        return Law.parse(whole)
    except Error as error:
        message = re.sub(r"^text:\d+:\d+: ", "", error.message)
        place = text.place(error.line, error.column)
        if place is None:
            raise tracing.error(message, error.hint) from None
        raise Error(f"{place[0]}:{place[1]}: {message}", error.hint, *place) from None


def own_name(tracing: Tracing) -> str:
    """The name of the function as that of a law; one that the library has gets 'my-' before it."""
    given = getattr(tracing.function, "__name__", "")
    name = re.sub(r"_+", "-", given.strip("_")).lower()
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise tracing.error(f"'{given}' is no name of a law", 'give one: @st.law(name="my-law", ...)')
    try:
        known = _native.Law.find(name, [], [])
    except Error:
        return name
    return f"my-{name}" if known.definition is None or known.name != name else name


def as_list(given: Any) -> list[Any]:
    """Several, or one, as a list."""
    return list(given) if isinstance(given, list | tuple) else [given]


def changes_of_mode(tracing: Tracing, given: Any) -> tuple[list[str], list[tuple[str, int, str | tuple[str, str] | None]]]:
    """A change of mode: lines of the file, and its equations."""
    if not isinstance(given, Mapping):
        raise tracing.error(f"a change of mode is a {type(given).__name__}", 'when=[{"if": v > 0, "set": {"slip": 1}}]')
    item = {("if" if key == "if_" else str(key)): value for key, value in given.items()}
    for key in item:
        if key not in WHEN:
            near = _native.similar(key, list(WHEN))
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(WHEN)}"
            raise tracing.error(f"a change of mode has no '{key}'", hint)
    graph = tracing.graph
    lines: list[str] = []
    nodes: list[tuple[str, int, str | tuple[str, str] | None]] = []
    if "direction" in item:
        lines.append(f"direction = {literal('direction', item['direction'])}")
    if "if" in item:
        nodes.append(("if", as_condition(graph, item["if"]), None))
    if "guard" in item:
        nodes.append(("guard", as_node(graph, item["guard"]), None))
    values = item.get("set", {})
    if not isinstance(values, Mapping):
        raise tracing.error("'set' of a change of mode is not a mapping", '"set": {"slip": 1}')
    for state, node in tracing.by_state("set", values).items():
        nodes.append((f"set.{state}", node, (state, "-")))
    return lines, nodes


def requirement(tracing: Tracing, given: str | Callable[..., Any]) -> str | int:
    """A condition between parameters: its text, or the node of what a function of `p` returns."""
    if isinstance(given, str):
        return given
    if not callable(given):
        raise tracing.error(f"a condition is a {type(given).__name__}", 'require="fs >= fc" or require=lambda p: p.fs >= p.fc')
    found = given(tracing.p)
    if not (isinstance(found, Symbol) and tracing.graph.is_condition(found._node)):
        raise tracing.error("a function of 'require' returns no condition", "require=lambda p: p.fs >= p.fc")
    return found._node


@overload
def law(function: Callable[..., Any], /) -> Law: ...


@overload
def law(
    function: None = None,
    /,
    *,
    name: str | None = None,
    states: str | Sequence[str] | Mapping[str, str | None] = (),
    params: Mapping[str, Any] | None = None,
    summary: str | None = None,
    doc: str | None = None,
    cite: str | Sequence[str] = (),
    load: str = "pressing",
    require: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    **parameters: Any,
) -> Callable[[Callable[..., Any]], Law]: ...


def law(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    states: str | Sequence[str] | Mapping[str, str | None] = (),
    params: Mapping[str, Any] | None = None,
    summary: str | None = None,
    doc: str | None = None,
    cite: str | Sequence[str] = (),
    load: str = "pressing",
    require: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (),
    **parameters: Any,
) -> Law | Callable[[Callable[..., Any]], Law]:
    """Makes a law of a function: its equations in Python and NumPy.

    >>> import numpy as np
    >>> @law(states=["z"], fc="1 N", sigma="1e5 N/m")
    ... def dahl(v, load, z, p):
    ...     return p.sigma * z * load, v - p.sigma * abs(v) * z / p.fc
    >>> dahl.name, round(dahl.steady(0.1), 9)
    ('my-dahl', 1.0)

    The function is called once, with quantities that have no value. Its arguments are found by their names: `v` the sliding velocity,
    `load` the load factor, the states, `p` with all parameters; also a parameter by its own name, and `*z` for all states. It returns the
    force and then the rate of each state (None for a mode, which has no rate), or a dict with `force`, `rate`, `hold`, `band`,
    `settled`, `step` and `when`, which mean what they mean in a law file: `hold` may use the argument `dir`, and `step` the argument `dt`;
    `when` is a list of dicts with `if`, `guard`, `direction` and `set`.

    A parameter is "1 N", a number and its unit; a number alone, whose unit follows from the equations; or a `Param` with bounds and a
    meaning. `states` are names, or names and units. `params` takes parameters whose names are those of options. `require` gives conditions
    between parameters, "fs >= fc" or `lambda p: p.fs >= p.fc`. `summary` and `doc` are those of the docstring unless given. A name that a
    law of the library has gets "my-" before it.

    The law is like any other: it has no Python in it and runs as fast as a law file, which it is: `law.definition` is its text.
    """
    of_states: dict[str, str | None]
    if isinstance(states, Mapping):
        of_states = dict(states)
    else:
        names = [states] if isinstance(states, str) else list(states)
        of_states = dict.fromkeys(names)
        if len(of_states) < len(names):
            raise Error(f"states = {names}", "every state has a name of its own")
    twice = {**(params or {}), **parameters}
    if len(twice) < len(params or {}) + len(parameters):
        raise Error("a parameter is given twice", "once, by keyword or in params")
    conditions = [require] if isinstance(require, str) or callable(require) else list(require)

    def decorate(function: Callable[..., Any]) -> Law:
        if not callable(function):
            raise Error(f"a law from a {type(function).__name__}", "st.law makes one of a function")
        about, _, rest = inspect.cleandoc(innermost(function).__doc__ or "").partition("\n\n")
        header = {
            "summary": summary or " ".join(about.split()) or "A law that was written in Python.",
            "doc": doc or rest.strip(),
            "cite": [cite] if isinstance(cite, str) else list(cite),
            # the other is what a law file has without saying so
            "load": "" if load == "pressing" else load,
        }
        return trace(function, name, of_states, twice, header, conditions)

    return decorate if function is None else decorate(function)
