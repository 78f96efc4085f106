"""The experiments of published papers, simulated anew."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from . import _native
from ._errors import unknown_name
from ._frozen import frozen
from ._html import html_table
from ._result import Result, write_files


class PaperExperiment(NamedTuple):
    """An experiment of a paper: what it is and where it stands, what was given, what was found, and the pictures as SVG."""

    id: str
    title: str
    source: str
    about: str
    given: list[str]
    values: dict[str, float]
    units: dict[str, str]
    figures: dict[str, str]

    def _repr_html_(self) -> str:
        rows = ([name, f"{value:.6g}", self.units[name]] for name, value in self.values.items())
        pictures = "".join(f"<div style='max-width:48em'>{svg}</div>" for svg in self.figures.values())
        head = f"<p><b>{html.escape(self.id)}</b> {html.escape(self.title)}<br>{html.escape(self.source)}</p>"
        return f"{head}<p>{html.escape(self.about)}</p>{pictures}{html_table(('', 'value', 'unit'), rows)}"


class PaperFigures(Result, Mapping[str, PaperExperiment]):
    """Experiments of published papers: `found["A7"].values["period"]`. `save` writes the page that shows them, index.html."""

    __slots__ = ("_experiments", "_files")
    _experiments: dict[str, PaperExperiment]
    _files: dict[str, bytes]

    def __getitem__(self, id: str) -> PaperExperiment:
        found = self._experiments.get(id.upper())
        if found is None:
            raise unknown_name("experiment in this result", id, self._experiments)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._experiments)

    def __len__(self) -> int:
        return len(self._experiments)

    @property
    def figures(self) -> dict[str, str]:
        """The pictures as SVG, by name."""
        return {name: svg for one in self._experiments.values() for name, svg in one.figures.items()}

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the page, its pictures as SVG and PNG, and the values to a folder."""
        write_files(folder, self._files)

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self._experiments.values())


def experiments() -> dict[str, str]:
    """The experiments of published papers that `st.figures` runs: ids and titles."""
    return dict(_native.paper_experiments())


def figures(*ids: str) -> PaperFigures:
    """Simulates experiments of published papers and draws their figures, as `stiction figures` does; without a name all of them.

    `st.experiments()` lists them: O1 to O5 are from Olsson (1993), A1 to A15 from the lectures of Åström, G1 to G6 from Gros (2021), N1 to N5 from
    Nouri (2004), B1 to B12 from Andersson (2007).
    """
    core, rows, files = _native.paper_figures(list(ids))
    content = dict(files)
    found = {}
    for (id, title, source, about), given, values, names in rows:
        found[id] = PaperExperiment(
            id,
            title,
            source,
            about,
            frozen(given),
            frozen({key: value for key, value, _ in values}),
            frozen({key: unit for key, _, unit in values}),
            frozen({name: content[f"{name}.svg"].decode() for name in names}),
        )
    made = PaperFigures(core)
    made._set(_experiments=found, _files=content)
    return made
