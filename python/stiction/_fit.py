"""What an identification found: estimates, residuals, the law."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, as_count, as_number, read_only
from ._errors import Error, in_python, unknown_name, warn
from ._frozen import Frozen
from ._law import Law
from ._scenario import Scenario

if TYPE_CHECKING:
    from anywidget import AnyWidget


@dataclass(frozen=True)
class Estimate:
    """A quantity with its standard error and its confidence interval of 95 %.

    `known` is empty for a well determined quantity, else "loosely known", "not identifiable", "at a bound", "given", or "held" at the
    law's own value.
    """

    name: str
    unit: str
    value: float
    error: float
    interval: tuple[float, float]
    known: str

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        low, high = self.interval
        known = f", {self.known}" if self.known else ""
        return f"{self.name} = {self.value:.6g} [{self.unit}] ({low:.6g} to {high:.6g}{known})"


@dataclass(frozen=True)
class Residuals:
    """What was measured in a record, and what the law says: arrays."""

    name: str
    t: Floats
    measured: Floats
    model: Floats


class Fit(Frozen):
    """What was identified: `fit["fc"].value`, `fit["fc"].interval`, `fit.law`, and what the data do not tell, `fit.unidentified`.

    The first result is the recommended one; `fit.others` has those that it was compared with.
    """

    __slots__ = ("_core", "_index", "_refits", "_scenario")
    _core: _native.Report
    _index: int
    _refits: dict[str, Floats] | None
    _scenario: str

    def __init__(
        self, core: _native.Report, index: int = 0, scenario: str = "", refits: dict[str, Floats] | None = None
    ) -> None:
        self._set(_core=core, _index=index, _scenario=scenario, _refits=refits)

    @property
    def key(self) -> str:
        """The procedure: sliding, dynamic, presliding, breakaway, ..."""
        return self._core.title(self._index)[0]

    @property
    def title(self) -> str:
        """What it is."""
        return self._core.title(self._index)[1]

    @property
    def estimates(self) -> dict[str, Estimate]:
        """All quantities, estimated or given, by name."""
        return {row[0]: Estimate(*row) for row in self._core.estimates(self._index)}

    def __getitem__(self, name: str) -> Estimate:
        estimates = self.estimates
        if name not in estimates:
            raise unknown_name("estimate of", name, estimates)
        return estimates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    @property
    def unidentified(self) -> list[str]:
        """Names of quantities that the data do not determine, or that ended at a bound."""
        return [e.name for e in self.estimates.values() if e.known in ("not identifiable", "at a bound")]

    @property
    def covariance(self) -> tuple[list[str], Floats]:
        """Names and covariance matrix of the estimates."""
        found = self._core.covariance(self._index)
        if found is None:
            raise Error("this procedure gives no covariance", "use the intervals of the estimates")
        return found[0], read_only(found[1])

    def draws(self, count: int, seed: int | None = None) -> dict[str, Floats]:
        """Random values of the estimates as uncertain as they are, for propagation: normal with their covariance.

        Quantities that the data do not determine keep their value, which a note tells. Draws that the law does not admit are rejected and
        drawn again: values beyond the bounds of a parameter, or against a condition between parameters such as fs >= fc; so are masses that are
        not above zero. Near such a bound the draws are therefore on one side, and their mean is shifted.
        """
        count = as_count("count", count)
        names, covariance = self.covariance
        values = np.array([self[name].value for name in names])
        loose = [self[name].known in ("not identifiable", "at a bound", "given", "held") for name in names]
        kept = np.where(np.asarray(loose, dtype=bool))[0]
        if kept.size:
            warn([f"{', '.join(names[k] for k in kept)}: not determined by the data, the same in all draws"])
        covariance = covariance.copy()
        covariance[kept, :] = 0.0
        covariance[:, kept] = 0.0
        law = self._core.law(self._index)
        mass = np.array([name == "mass" and x > 0.0 for name, x in zip(names, values, strict=True)])

        def wrong(rows: Floats) -> npt.NDArray[np.bool_]:
            refused: npt.NDArray[np.bool_] = np.any(rows[:, mass] <= 0.0, axis=1)
            return refused if law is None else refused | ~np.array(law.admits(names, rows), dtype=np.bool_)

        random = np.random.default_rng(seed)
        drawn = random.multivariate_normal(values, covariance, size=count, method="eigh")
        for _ in range(100):
            again = np.flatnonzero(wrong(drawn))
            if not again.size:
                break
            drawn[again] = random.multivariate_normal(values, covariance, size=again.size, method="eigh")
        else:
            raise Error("the estimates are too uncertain to draw from", "their intervals say how far they may be off")
        return {name: drawn[:, k].copy() for k, name in enumerate(names)}

    @property
    def bootstrap(self) -> dict[str, Floats]:
        """The values of each refit of the bootstrap, by name: `identify(..., bootstrap=200)`."""
        if self._refits is None:
            raise Error("there was no bootstrap", "identify(..., bootstrap=200)")
        return dict(self._refits)

    def bootstrap_interval(self, name: str, level: float = 0.95) -> tuple[float, float]:
        """The interval of an estimate by the bootstrap: quantiles of the refits, reflected at the estimate, which corrects bias."""
        refits = self.bootstrap
        if name not in refits:
            raise unknown_name("refitted estimate", name, refits)
        if not 0.0 < as_number("level", level) < 1.0:
            raise Error(f"level = {level}", "between 0 and 1, as 0.95")
        found = _native.bootstrap_interval(refits[name], self[name].value, level)
        if found is None:
            raise Error("fewer than two refits succeeded", "give more, or look at the remarks of the fit")
        return (found[0], found[1])

    @property
    def law(self) -> Law:
        """The identified law; `law.save(...)` writes it with its uncertainty and where it comes from."""
        core = self._core.law(self._index)
        if core is None:
            raise Error("no law was identified", "fit.remarks says why")
        return Law._of(core)

    @property
    def scenario(self) -> Scenario:
        """The scenario with the values that were found, if one was fitted."""
        text = self._core.scenario
        if text is None:
            raise Error("no scenario was fitted", 'identify("log.csv", scenario=...)')
        return Scenario.parse(text, self._scenario)

    @property
    def scores(self) -> dict[str, float]:
        """Measures of the fit, such as `rms` and `nrmse`."""
        return {key: value for key, _, value, _ in self._core.scores(self._index)}

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """Remarks on the data and the fit: severity (info, good, warning, critical) and text."""
        return [(severity, in_python(text)) for severity, text in self._core.remarks(self._index)]

    def _warned(self) -> Fit:
        """Itself, after its warnings have been given as notes."""
        warn([text for severity, text in self.remarks if severity in ("warning", "critical")], stacklevel=4)
        return self

    @property
    def residuals(self) -> list[Residuals]:
        """Measured values and those of the law, for each record."""
        found = self._core.residuals(self._index)
        return [Residuals(name, table["t"], table["measured"], table["model"]) for name, table in found]

    @property
    def others(self) -> list[Fit]:
        """The results that this one was compared with."""
        return [Fit(self._core, index) for index in range(len(self._core)) if index != self._index]

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes a page of HTML with estimates, figures and remarks."""
        _native.write_file(os.fspath(path), self._core.html().encode())

    def widget(self) -> AnyWidget:
        """In a notebook: the identified law with sliders, and the mass that was identified with it. Needs `anywidget`."""
        mass = self.estimates.get("mass")
        return self.law.widget(mass=mass.value if mass is not None and mass.value > 0.0 else None)

    def __repr__(self) -> str:
        lines = [self.title, *(f"  {estimate!r}" for estimate in self.estimates.values())]
        lines += [f"  {severity}: {text}" for severity, text in self.remarks if severity in ("warning", "critical")]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{html.escape(e.name)}</td><td>{e.value:.6g}</td><td>{html.escape(e.unit)}</td>"
            f"<td>{e.interval[0]:.6g} to {e.interval[1]:.6g}</td><td>{html.escape(e.known)}</td></tr>"
            for e in self.estimates.values()
        )
        head = "<tr><th></th><th>value</th><th>unit</th><th>95 %</th><th></th></tr>"
        notes = "".join(f"<li>{html.escape(text)}</li>" for kind, text in self.remarks if kind in ("warning", "critical"))
        figures = "".join(f"<div style='max-width:40em'>{svg}</div>" for svg in self._core.figures(self._index)[:1])
        return f"<p><b>{html.escape(self.title)}</b></p><table>{head}{cells}</table><ul>{notes}</ul>{figures}"
