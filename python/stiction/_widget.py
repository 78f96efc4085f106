"""Live parts of pages in the cells of a notebook, by anywidget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import Error

if TYPE_CHECKING:
    from anywidget import AnyWidget

    from ._law import Law


def _anywidget() -> tuple[Any, Any]:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise Error("widgets of notebooks need the package anywidget", "pip install anywidget") from None
    return anywidget, traitlets


_classes: dict[str, Any] = {}
"""The classes of widgets, each made once, where anywidget is there."""


def _law_widget() -> Any:
    return _classes.get("law") or _classes.setdefault("law", _new_law_widget())


def _new_law_widget() -> Any:
    anywidget, traitlets = _anywidget()
    script, style = _native.live_cell()

    base: Any = anywidget.AnyWidget

    class LawWidget(base):  # type: ignore[misc]
        """Sliders for the parameters of a law, and what it does. `values` follows the sliders, and they follow it; `law` is the law with them."""

        _esm = script
        _style = traitlets.Unicode(style).tag(sync=True)
        _markup = traitlets.Unicode().tag(sync=True)
        values = traitlets.Dict().tag(sync=True)

        def __init__(self, law: Law, markup: str) -> None:
            self._given = law
            values = {name: parameter.value for name, parameter in law.parameters.items()}
            super().__init__(_markup=markup, values=values)

        @property
        def law(self) -> Law:
            """The law with the values of the sliders."""
            return self._given.replace(**self.values)

        def replace(self, **parameters: Any) -> None:
            """Moves sliders: other values of parameters, which the law must admit."""
            changed = self.law.replace(**parameters)
            self.values = {name: parameter.value for name, parameter in changed.parameters.items()}

    return LawWidget


def _motion_widget() -> Any:
    return _classes.get("motion") or _classes.setdefault("motion", _new_motion_widget())


def _new_motion_widget() -> Any:
    anywidget, traitlets = _anywidget()
    script, style, markup = _native.motion_cell()

    base: Any = anywidget.AnyWidget

    class MotionWidget(base):  # type: ignore[misc]
        """The moving picture of a run."""

        _esm = script
        _style = traitlets.Unicode(style).tag(sync=True)
        _markup = traitlets.Unicode(markup).tag(sync=True)
        _data = traitlets.Unicode().tag(sync=True)

    return MotionWidget


def law_widget(law: Law, mass: float | None) -> AnyWidget:
    """A law with sliders."""
    kind = _law_widget()
    source = law.device or law.name
    usual = {row[0]: row[1] for row in _native.Law.find(source, [], []).parameters}
    words = [source, *(f"--set {p.name}={p.value!r}" for p in law.parameters.values() if p.value != usual.get(p.name))]
    widget: AnyWidget = kind(law, law._core.live_part(" ".join(words), mass))
    return widget


def motion_widget(data: str) -> AnyWidget:
    """A run in motion."""
    widget: AnyWidget = _motion_widget()(_data=data)
    return widget
