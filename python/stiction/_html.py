"""Tables of notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

SHOWN_ROWS = 20
"""Rows of a long table that a notebook shows."""


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], count: int | None = None) -> str:
    """A table of texts; `count` is the number of rows that there are, if only the first are given. Nothing without rows."""
    body = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows]
    if not body:
        return ""
    first = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
    more = f"<p>the first {len(body)} of {count} rows</p>" if count is not None and count > len(body) else ""
    return f"<table><tr>{first}</tr>{''.join(f'<tr>{row}</tr>' for row in body)}</table>{more}"
