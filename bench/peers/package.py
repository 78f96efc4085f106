"""Tasks of the Python package `stiction`, each done once for every line of standard input that names it; `cargo x bench python` asks.

Answers with the nanoseconds that the task took, and with a number of its result, so that both sides are known to have done the same.
"""

import sys
import time

import numpy as np
import stiction as st

SAMPLES = 1_000_000
SPEEDS = 1_000_000

# Made of whole numbers and one division, so that it is the same to the last bit in every language.
v = (np.arange(SAMPLES) % 2001 - 1000) / 1e6
speeds = (np.arange(SPEEDS) + 1) / 1e6
law, scenario = st.Law("lugre"), st.Scenario("a7")


def along():
    force, state = law.along(v, dt=1e-3)
    return force, state, force[-1]


def run():
    done = scenario.run()
    return done, done["block.x"][-1]


def steady():
    force = law.steady(speeds)
    return force, force[-1]


TASKS = {"along": along, "run": run, "steady": steady}
print(st.__version__, flush=True)
for line in sys.stdin:
    task = TASKS[line.strip()]
    start = time.perf_counter_ns()
    result = task()
    spent = time.perf_counter_ns() - start
    print(spent, repr(float(result[-1])), flush=True)
    del result
