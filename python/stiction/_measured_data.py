"""Files of measured data: what is in them, how they were sampled, and what is wrong with them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from . import _native
from ._arrays import Floats, as_count
from ._errors import Error, warn
from ._frozen import frozen
from ._law import _values
from ._result import Result

if TYPE_CHECKING:
    from pandas import DataFrame


class Log(Result):
    """The columns of a file of measured data, `log["q"]`, and their quality: sampling, gaps, missing values, resolution, saturation.

    `print` shows what is wrong with it, as `stiction data` does; `data` has all of it. `polars.DataFrame(log)` and `pyarrow.table(log)` take
    the columns without copying them; `st.identify` takes it as a record.
    """

    __slots__ = ("_table", "constants", "time")
    _table: _native.Table
    time: str | None
    """The name of the time column; None if no column was recognised as time."""
    constants: dict[str, float]
    """Single numbers in the file beside its columns."""

    def __init__(
        self, core: _native.Analysis, table: _native.Table, time: str | None, constants: list[tuple[str, float]]
    ) -> None:
        super().__init__(core)
        self._set(_table=table, time=time, constants=frozen(dict(constants)))

    def __getitem__(self, column: str) -> Floats:
        return cast(Floats, self._table[column])

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def __len__(self) -> int:
        return len(self._table)

    def keys(self) -> list[str]:
        """The names of the columns."""
        return self.columns

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._table.names

    @property
    def units(self) -> dict[str, str]:
        """The units of the columns; empty where none is known."""
        return dict(zip(self._table.names, self._table.units, strict=True))

    def __arrow_c_schema__(self) -> object:
        return self._table.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> DataFrame:
        """The columns as a pandas DataFrame, over time if that is known; units are in `attrs`."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in self.columns})
        frame.attrs["units"] = self.units
        return frame if self.time is None else frame.set_index(self.time)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the columns as CSV, or as Parquet if the path ends so, with their units."""
        place = os.fspath(path)
        if not place.lower().endswith((".csv", ".parquet")):
            raise Error(f"'{place}' is not a table", "name the file .csv or .parquet")
        _native.write_columns(place, list(self.units.items()), [self[name] for name in self.columns])


def data(
    path: str | os.PathLike[str],
    columns: str | Sequence[str] | Mapping[str, str] = (),
    *,
    time: str | None = None,
    delay: tuple[str, str] | None = None,
    constants: Mapping[str, float] | None = None,
    skip: int = 0,
    delimiter: str | None = None,
    decimal: Literal["point", "comma"] | None = None,
    topic: str | None = None,
    episode: int | None = None,
) -> Log:
    """Reads a file of measured data and examines it: text in columns, JSON, MATLAB, HDF5, Parquet or MCAP, recognised from its content.

    `columns` are names, numbers or expressions, `["q", "35.15*vir"]`, or expressions by name, `{"force [N]": "kt*i"}` with `constants=dict(kt=42)`;
    all columns of numbers without it. `time` names the time column if its name does not say so. `delay=("reference", "position")` finds by how many
    samples the second lags behind the first.

    For text that is not recognised: `skip` lines at the beginning, the `delimiter` (a character, "tab" or "blank"), the `decimal` mark ("point" or
    "comma"). Of an MCAP file the messages of `topic` are the rows, of a Parquet file those of an `episode`.
    """
    texts = (
        [f"{name}={text}" for name, text in columns.items()]
        if isinstance(columns, Mapping)
        else [columns] if isinstance(columns, str) else list(columns)
    )
    found = _native.read_log(
        os.fspath(path), texts, time, delay, _values(constants or {}), layout_arguments(skip, delimiter, decimal, topic, episode)
    )
    log = Log(*found)
    warn(found[0].notes)
    return log


def layout_arguments(
    skip: int, delimiter: str | None, decimal: str | None, topic: str | None, episode: int | None
) -> dict[str, Any]:
    """How to read files, for the native functions."""
    return {
        "skip": as_count("skip", skip),
        "delimiter": delimiter,
        "decimal": decimal,
        "topic": topic,
        "episode": None if episode is None else as_count("episode", episode),
    }
