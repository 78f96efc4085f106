"""Friction: model it, simulate it, analyse it, identify it, compensate it.

>>> import stiction as st
>>> law = st.Law("lugre", fc=1.2, fs=1.8, reverse=dict(fc=1.0))
>>> round(law.steady(0.5), 6)
1.4

`st.laws()` and `st.scenarios()` list what there is. Numbers are in SI units; a positive friction force opposes a positive velocity.
"""

from ._errors import Error, Note
from ._identify import Estimate, Fit, Residuals, identify
from ._law import Law, Parameter, State, devices, laws
from ._native import __version__
from ._scenario import Energy, Event, Events, Run, Scenario, scenarios

__all__ = [
    "Energy",
    "Error",
    "Estimate",
    "Event",
    "Events",
    "Fit",
    "Law",
    "Note",
    "Parameter",
    "Residuals",
    "Run",
    "Scenario",
    "State",
    "__version__",
    "devices",
    "identify",
    "laws",
    "scenarios",
]
