"""Laws compared on the same records."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from . import _native
from ._errors import Error
from ._fit import Fit
from ._frozen import Frozen
from ._identify_arguments import as_request
from ._law import Law


class LawScore(NamedTuple):
    """A law in a comparison: how many values it has, and its errors [N] on the halves of records that it was not fitted to."""

    name: str
    parameters: int
    rms: float
    sliding: float


class LawComparison(Frozen):
    """Laws compared on the same records. Each was fitted to the first half of every record and predicted the second.

    `scores` has the best prediction first; `choice` is the law to take, the one with fewest parameters that predicts no worse than the best
    within what chance explains; `fits[name]` is a law's fit to the whole records, and `failed` says why laws could not be fitted.
    """

    __slots__ = ("choice", "failed", "fits", "scores")
    scores: list[LawScore]
    choice: str
    fits: dict[str, Fit]
    failed: dict[str, str]

    def __init__(
        self, scores: list[LawScore], choice: str, fits: dict[str, Fit], failed: dict[str, str]
    ) -> None:
        self._set(scores=scores, choice=choice, fits=fits, failed=failed)

    @property
    def fit(self) -> Fit:
        """The fit of the law to take."""
        return self.fits[self.choice]

    def _rows(self) -> list[tuple[str, str, str, str]]:
        rows = [(one.name, str(one.parameters), f"{one.rms:.4g}", f"{one.sliding:.4g}") for one in self.scores]
        return [("law", "parameters", "rms [N]", "sliding [N]"), *rows]

    def __repr__(self) -> str:
        lines = [f"{a:<20}{b:>11}{c:>12}{d:>12}" for a, b, c, d in self._rows()]
        lines += [f"{name}: {why}" for name, why in self.failed.items()]
        return "\n".join([*lines, f"take {self.choice}"])

    def _repr_html_(self) -> str:
        rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in self._rows()]
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table><p>take <b>{html.escape(self.choice)}</b></p>"


def compare(
    laws: str | os.PathLike[str] | Law | Sequence[str | os.PathLike[str] | Law],
    data: Any = None,
    *,
    time: Any = None,
    position: Any = None,
    velocity: Any = None,
    acceleration: Any = None,
    force: Any = None,
    load: Any = None,
    known: Any = None,
    mass: float | Sequence[float] | None = None,
    constants: Mapping[str, float] | None = None,
    filter: str = "auto",
    drop: tuple[int, int] = (0, 0),
    rate: float | None = None,
    delay: float = 0.0,
    terms: Mapping[str, str] | None = None,
    mean: int = 1,
    offset: bool = True,
    skip: int = 0,
    delimiter: str | None = None,
    decimal: Literal["point", "comma"] | None = None,
    topic: str | None = None,
    episode: int | None = None,
) -> LawComparison:
    """Which law for these data? Fits each to the first half of every record and lets it predict the second.

    The arguments are those of `identify`.
    """
    several = [laws] if isinstance(laws, str | os.PathLike | Law) else laws
    known_laws = [law if isinstance(law, Law) else Law(law) for law in several]
    if not known_laws:
        raise Error("there are no laws to compare", "compare(['stribeck', 'dahl', 'gms'], 'log.csv')")
    names = [law.name for law in known_laws]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Error(f"'{twice[0]}' is there twice", "give each law once")
    values = {name: value for name, value in locals().items() if name not in ("laws", "several", "known_laws", "names", "twice")}
    silent: dict[str, Any] = {
        **dict.fromkeys(("weight", "find", "decimate", "rest", "robust", "set", "free", "bounds", "window", "trend")),
        **dict.fromkeys(("asymmetric", "white", "profile"), False),
        "model": "auto",
        "leave": "records",
        "load_name": "load",
        "load_unit": "",
        "forget": 0.0,
        "steps": (),
    }
    files, columns, arguments, _ = as_request({**silent, **values})
    rows, report, choice, failed = _native.compare_models(files, columns, [law._core for law in known_laws], arguments)
    scores = [LawScore(*row) for row in rows]
    if choice is None:
        name, why = failed[0]
        raise Error(f"no law could be fitted; {name}: {why}", "look at the record, or choose other laws")
    fits = {score.name: Fit(report, index) for index, score in enumerate(scores)}
    return LawComparison(scores, scores[choice].name, fits, dict(failed))
