"""Scenarios and their runs."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

from . import _native
from ._arrays import Floats
from ._errors import Error, unknown_name
from ._frozen import Frozen
from ._html import SHOWN_ROWS, html_table
from ._toml import changes
from ._widget import motion_widget

if TYPE_CHECKING:
    from anywidget import AnyWidget
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from xarray import Dataset

    from ._system import System

RUN_KEYS = tuple(_native.run_keys())


def scenarios() -> dict[str, str]:
    """The scenarios that come with the package: names and titles."""
    return dict(_native.scenario_names())


class Event(NamedTuple):
    """Something that happened at an instant: a contact stuck, slipped or reversed, a stop was hit, ..."""

    t: float
    part: str
    kind: str


class Events(Frozen, Sequence[Event]):
    """The events of a run in order of time. `t`, `part` and `kind` are columns; `polars.DataFrame(events)` and others take them."""

    __slots__ = ("_core",)
    _core: _native.Table

    def __init__(self, core: _native.Table) -> None:
        self._set(_core=core)

    @property
    def t(self) -> Floats:
        """Times [s]."""
        return cast(Floats, self._core["t"])

    @property
    def part(self) -> list[str]:
        """Names of contacts and stops."""
        return list(cast("list[str]", self._core["part"]))

    @property
    def kind(self) -> list[str]:
        """What happened: stick, slip+, slip-, reverse+, reverse-, impact, ..."""
        return list(cast("list[str]", self._core["kind"]))

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...

    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        t, part, kind = (self._core[name] for name in ("t", "part", "kind"))
        if isinstance(index, slice):
            return [Event(float(a), b, c) for a, b, c in zip(t[index], part[index], kind[index], strict=True)]
        return Event(float(t[index]), part[index], kind[index])

    def __iter__(self) -> Iterator[Event]:
        return iter(self[:])

    def __repr__(self) -> str:
        few = ", ".join(f"{e.part} {e.kind} at {e.t:.6g} s" for e in self[:3])
        return f"<{len(self)} events{': ' if few else ''}{few}{', ...' if len(self) > 3 else ''}>"

    def _repr_html_(self) -> str:
        if not len(self):
            return "<p>no events</p>"
        rows = ([f"{event.t:.6g}", event.part, event.kind] for event in self[:SHOWN_ROWS])
        return html_table(("t [s]", "part", "kind"), rows, len(self))

    def __arrow_c_schema__(self) -> object:
        return self._core.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)


@dataclass(frozen=True)
class Energy:
    """The energy balance of a run [J]."""

    work: float
    friction: float
    damping: float
    impact: float
    switching: float
    before: float
    after: float
    error: float
    size: float


class Run(Frozen):
    """The result of a run: columns over time, events, measures, energy. It does not change; its arrays are read-only.

    `polars.DataFrame(run)` and `pyarrow.table(run)` take the columns without copying them.
    """

    __slots__ = ("_core", "name")
    _core: _native.RunResult
    name: str

    def __init__(self, core: _native.RunResult, name: str) -> None:
        self._set(_core=core, name=name)

    def __getitem__(self, column: str) -> Floats:
        return cast(Floats, self._core.trace[column])

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def keys(self) -> list[str]:
        """The names of the columns."""
        return self.columns

    def __len__(self) -> int:
        return len(self._core.trace)

    @property
    def t(self) -> Floats:
        """Time [s]."""
        return self["t"]

    @property
    def columns(self) -> list[str]:
        """The names of the columns: `t`, `block.x`, `table.force`, ..."""
        return self._core.trace.names

    @property
    def units(self) -> dict[str, str]:
        """The units of the columns."""
        return dict(zip(self._core.trace.names, self._core.trace.units, strict=True))

    @property
    def title(self) -> str:
        """The title of the scenario."""
        return self._core.title

    @property
    def scenario(self) -> str:
        """The scenario that was run, with all changes, as TOML."""
        return self._core.text

    @property
    def events(self) -> Events:
        """What happened, in order of time."""
        return Events(self._core.events)

    @property
    def measures(self) -> dict[str, float | None]:
        """The scenario's measures; None where there was nothing to measure."""
        return dict(self._core.measures)

    @property
    def energy(self) -> Energy:
        """The energy balance; `energy.error` is what the solver lost or won."""
        return Energy(*self._core.energy)

    @property
    def effort(self) -> dict[str, int]:
        """Steps, rejected steps, evaluations and Jacobians."""
        return dict(zip(("steps", "rejected", "evaluations", "jacobians"), self._core.effort, strict=True))

    @property
    def notes(self) -> list[str]:
        """What to know of it: measures that begin after its end, parameters that replace those of a file."""
        return self._core.notes

    @property
    def complete(self) -> bool:
        """Whether it reached its end."""
        return self._core.complete

    @property
    def differentiated(self) -> list[str]:
        """The paths of the values by which it was differentiated: `run(sensitivity=["k"])`."""
        return [path for _, path in self._core.varied]

    def derivative(self, column: str, by: str) -> Floats:
        """The derivative of a column by a value of the scenario, over `t`; NaN where it does not exist.

        >>> run = Scenario("g5").run(sensitivity="mass")
        >>> run.derivative("block.v", "mass").shape == run.t.shape
        True
        """
        path = self._path(by)
        if column not in self.columns[1:]:
            raise unknown_name("column that has a derivative", column, self.columns[1:])
        return cast(Floats, self._core.derivatives[f"d {column} / d {path}"])

    def event_derivative(self, by: str) -> Floats:
        """The derivative of the time of each event by a value of the scenario; NaN where there is none."""
        return cast(Floats, self._core.event_derivatives[self._path(by)])

    @property
    def derivatives(self) -> dict[str, Floats]:
        """All derivatives by name, as in the files of `stiction run --sensitivity`: `d block.x / d spring.pull.stiffness`."""
        return {name: cast(Floats, self._core.derivatives[name]) for name in self._core.derivatives.names}

    def _path(self, by: str) -> str:
        """The full path of a value by which the run was differentiated."""
        varied = self._core.varied
        if not varied:
            raise Error("the run was not differentiated", f"run(sensitivity=[{by!r}])")
        paths = {path for name, path in varied if by in (name, path)} or {path for _, path in varied if path.endswith(f".{by}")}
        if len(paths) != 1:
            raise unknown_name("derivative by", by, [path for _, path in varied])
        return paths.pop()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the columns, and the derivatives if there are some, as CSV, or as Parquet if the path ends so."""
        place = os.fspath(path)
        if not place.lower().endswith((".csv", ".parquet")):
            raise Error(f"'{place}' is not a table", "name the file .csv or .parquet")
        tables = (self._core.trace, self._core.derivatives)
        heads = [head for table in tables for head in zip(table.names, table.units, strict=True)]
        _native.write_columns(place, heads, [table[name] for table in tables for name in table.names])

    def __arrow_c_schema__(self) -> object:
        return self._core.trace.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._core.trace.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> DataFrame:
        """The columns as a pandas DataFrame; units are in `attrs`."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in self.columns if name != "t"}, index=self.t)
        frame.index.name = "t"
        frame.attrs["units"] = self.units
        return frame

    def to_xarray(self) -> Dataset:
        """The columns as an xarray Dataset over `t`, with their units."""
        import xarray

        units = self.units
        data = {name: ("t", self[name], {"units": units[name]}) for name in self.columns if name != "t"}
        return xarray.Dataset(data, coords={"t": ("t", self.t, {"units": "s"})}, attrs={"title": self.title})

    def plot(self) -> Figure:
        """Draws the scenario's first picture with matplotlib, or positions, velocities, forces and controls over time."""
        import matplotlib.pyplot as plt

        (title, x, panels), (begin, end), (x_limits, y_limits), (x_log, y_log) = self._core.plots[0]
        shown = (self.t >= begin) & (self.t <= end)

        def quantity(text: str) -> tuple[str, str, Floats]:
            """Name, unit in brackets, and values of a column or a formula."""
            table = self._core.trace if text in self.columns else self._core.formulas
            unit = dict(zip(table.names, table.units, strict=True))[text]
            name = text.removesuffix(f"[{unit}]").strip() if unit else text
            return name, f"[{unit}]" if unit else "", table[text][shown]

        def finite(limits: tuple[float, float]) -> tuple[float | None, float | None]:
            low, high = (limit if math.isfinite(limit) else None for limit in limits)
            return low, high

        figure, axes = plt.subplots(len(panels), sharex=True, squeeze=False, layout="constrained")
        x_name, x_unit, along = quantity(x)
        for k, (ax, texts) in enumerate(zip(axes[:, 0], panels, strict=True)):
            lines = [quantity(text) for text in texts]
            one_unit = len({unit for _, unit, _ in lines}) == 1
            for name, unit, values in lines:
                ax.plot(along, values, label=name if one_unit else f"{name} {unit}")
            label = (lines[0][1] if one_unit else "") if len(lines) > 1 else " ".join(lines[0][:2])
            ax.set_ylabel(label.strip())
            if len(lines) > 1:
                ax.legend()
            if y_log:
                ax.set_yscale("log")
            if k < len(y_limits):
                ax.set_ylim(*finite(y_limits[k]))
        if x_log:
            axes[-1, 0].set_xscale("log")
        axes[-1, 0].set_xlim(*finite(x_limits))
        axes[-1, 0].set_xlabel(f"{x_name} {x_unit}".strip())
        figure.suptitle(title or self.title or self.name)
        return figure

    def animate(self, path: str | os.PathLike[str] | None = None) -> AnyWidget | None:
        """The bodies in motion: a widget of the notebook, which needs `anywidget`; with a path, a page of HTML that is written there."""
        page, data = self._core.motion()
        if path is None:
            return motion_widget(data)
        if not os.fspath(path).lower().endswith(".html"):
            raise Error(f"'{os.fspath(path)}' is not the name of a page", 'name a file that ends in .html, as "run.html"')
        _native.write_file(os.fspath(path), page.encode())
        return None

    def __repr__(self) -> str:
        end = float(self.t[-1]) if len(self) else float("nan")
        state = "" if self.complete else ", incomplete"
        return (
            f"<Run of {self.name}: {len(self)} rows of {len(self.columns)} columns up to {end:g} s, "
            f"{len(self.events)} events{state}>"
        )

    def _repr_html_(self) -> str:
        measures = html_table(
            ("measure", "value"), ([name, "none" if x is None else f"{x:.6g}"] for name, x in self.measures.items())
        )
        units = self.units
        last = html_table(
            ("column", "last value"),
            ([f"{name} [{units[name]}]", f"{float(self[name][-1]):.6g}"] for name in self.columns if len(self)),
        )
        share = abs(self.energy.error) / self.energy.size if self.energy.size > 0 else 0.0
        picture = self._core.svg()
        return (
            f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.title)}<br>{html.escape(repr(self))}<br>"
            f"error of the energy balance: {share:.1e} of {self.energy.size:.4g} J</p>{measures}"
            f"<div style='max-width:48em'>{picture}</div>"
            f"<details><summary>last values</summary>{last}</details>"
        )


class Scenario:
    """A system, how to run it and what to measure: one of `st.scenarios()`, a TOML file, or a `st.System`.

    Values are changed by their path, of which the end is enough if it is unique, and which may be a keyword: `k=2`, `rtol=1e-9`,
    `{"contact.table.sigma2": 0.1}`. A law is put in a contact by the name of the contact: `table=st.Law("dahl")`.

    >>> run = Scenario("g5").run(end=3.5)
    >>> [event.kind for event in run.events]
    ['slip+', 'stick']
    """

    __slots__ = ("_core",)
    _core: _native.Scenario

    def __init__(
        self, name: str | os.PathLike[str] | Scenario | System, changed: Mapping[str, Any] | None = None, /, **values: Any
    ) -> None:
        assignments, laws = changes(changed, values, RUN_KEYS)
        given = [(path, law._core) for path, law in laws]
        if isinstance(name, str | os.PathLike):
            self._core = _native.Scenario.find(os.fspath(name), assignments, given)
            return
        build = getattr(name, "scenario", None)
        if not isinstance(name, Scenario) and not callable(build):
            raise Error(f"a scenario from a {type(name).__name__}", "give a name of st.scenarios(), a path, or a st.System")
        built = name if isinstance(name, Scenario) else name.scenario()
        self._core = built._core.changed(assignments, given)

    @classmethod
    def parse(cls, text: str, name: str = "scenario.toml") -> Scenario:
        """A scenario from the text of a file; `name` is for messages."""
        scenario = cls.__new__(cls)
        scenario._core = _native.Scenario.parse(text, name)
        return scenario

    def __reduce__(self) -> tuple[Any, ...]:
        return Scenario.parse, (self.text, self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and (self.name, self.text) == (other.name, other.text)

    def __hash__(self) -> int:
        return hash((self.name, self.text))

    @property
    def name(self) -> str:
        """Its name or path."""
        return self._core.name

    @property
    def title(self) -> str:
        """Its title."""
        return self._core.about[0]

    @property
    def about(self) -> str:
        """Its description."""
        return self._core.about[1]

    @property
    def text(self) -> str:
        """The scenario with all changes, as TOML."""
        return self._core.text

    @property
    def columns(self) -> dict[str, str]:
        """The columns of its runs, and their units."""
        return dict(self._core.columns)

    def replace(self, changed: Mapping[str, Any] | None = None, /, **values: Any) -> Scenario:
        """The same scenario with other values."""
        assignments, laws = changes(changed, values, RUN_KEYS)
        scenario = Scenario.__new__(Scenario)
        scenario._core = self._core.changed(assignments, [(path, law._core) for path, law in laws])
        return scenario

    def run(
        self,
        changed: Mapping[str, Any] | None = None,
        /,
        *,
        peaks: bool = False,
        sensitivity: str | Sequence[str] = (),
        **values: Any,
    ) -> Run:
        """Simulates it, with other values if some are given. Other threads run meanwhile; Ctrl-C ends it.

        There is a row for every `run.sample` seconds and at every event; with `peaks` also at every peak of a column between them, as in
        the files of `stiction run`, which takes several times as long.

        `sensitivity` names values by which the run is differentiated, `["k", "table.vs"]`: `run.derivative("block.x", "k")` then has the derivative
        over time, exact also across stick and slip, and `run.event_derivative("k")` those of the times of events. The run itself is the same.

        A run that could not go on raises an error that has the results up to then, `error.run`.
        """
        assignments, laws = changes(changed, values, RUN_KEYS)
        by = [sensitivity] if isinstance(sensitivity, str) else list(sensitivity)
        core = self._core.run(assignments, [(path, law._core) for path, law in laws], peaks, by)
        run = Run(core, self.name)
        if core.failure is not None:
            message, hint = core.failure
            raise Error(message, hint, run=run)
        return run

    def __repr__(self) -> str:
        return f"Scenario({self.name!r}): {self.title}"

    def _repr_html_(self) -> str:
        head = f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.title)}</p><p>{html.escape(self.about)}</p>"
        columns = html_table(("column", "unit"), ([name, unit] for name, unit in self.columns.items()))
        return f"{head}<pre>{html.escape(self.text)}</pre><details><summary>columns of its runs</summary>{columns}</details>"
