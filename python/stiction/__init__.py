"""Friction: model it, simulate it, analyse it, identify it, compensate it.

>>> import stiction as st
>>> law = st.Law("lugre", fc=1.2, fs=1.8, reverse=dict(fc=1.0))
>>> round(law.steady(0.5), 6)
1.4

`st.laws()` and `st.scenarios()` list what there is. Numbers are in SI units; a positive friction force opposes a positive velocity.
"""

from ._control import Code, Comparison, compensate, export
from ._device import Device, device
from ._errors import Error, Note, UnknownName
from ._experiment import Experiment, PredictedError, excite
from ._fit import Estimate, Fit, Residuals
from ._identify import identify
from ._installation import Installation, doctor
from ._law import Law, Parameter, State, devices, laws
from ._law_analysis import (
    Breakaway,
    Check,
    DescribingFunction,
    Hysteresis,
    Passivity,
    Phenomena,
    breakaway,
    check,
    describe,
    hysteresis,
    passivity,
    phenomena,
)
from ._law_comparison import LawComparison, LawScore, compare
from ._law_parameters import Param
from ._measured_data import Log, data
from ._native import __version__
from ._paper_figures import PaperExperiment, PaperFigures, experiments, figures
from ._scenario import Energy, Event, Events, Run, Scenario, scenarios
from ._scenario_analysis import (
    Cycle,
    CycleBranch,
    Equilibria,
    Equilibrium,
    Hunting,
    cycle,
    equilibrium,
    follow,
    hunting,
)
from ._sweep import Sweep, SweepTable
from ._sweep_map import Map, map
from ._system import System
from ._traced_law import law

__all__ = [
    "Breakaway",
    "Check",
    "Code",
    "Comparison",
    "Cycle",
    "CycleBranch",
    "DescribingFunction",
    "Device",
    "Energy",
    "Equilibria",
    "Equilibrium",
    "Error",
    "Estimate",
    "Event",
    "Events",
    "Experiment",
    "Fit",
    "Hunting",
    "Hysteresis",
    "Installation",
    "Law",
    "LawComparison",
    "LawScore",
    "Log",
    "Map",
    "Note",
    "PaperExperiment",
    "PaperFigures",
    "Param",
    "Parameter",
    "Passivity",
    "Phenomena",
    "PredictedError",
    "Residuals",
    "Run",
    "Scenario",
    "State",
    "Sweep",
    "SweepTable",
    "System",
    "UnknownName",
    "__version__",
    "breakaway",
    "check",
    "compare",
    "compensate",
    "cycle",
    "data",
    "describe",
    "device",
    "devices",
    "doctor",
    "equilibrium",
    "excite",
    "experiments",
    "export",
    "figures",
    "follow",
    "hunting",
    "hysteresis",
    "identify",
    "law",
    "laws",
    "map",
    "passivity",
    "phenomena",
    "scenarios",
]
