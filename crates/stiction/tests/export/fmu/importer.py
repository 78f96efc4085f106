"""Validates units and runs them as FMPy does: importer.py JOBS.json. A job has a file, its interface version, what it is, the importer's step, its
inputs and what the simulator gives after every step. Prints a line for each; exit code 1 if one differs by more than the accuracy."""
import json
import sys
import zipfile
from pathlib import Path

import fmpy.sundials
import numpy as np
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu
from lxml import etree

# files of a unit, and the schemas of the standard that FMPy brings along
SCHEMAS = {
    "2.0": {"modelDescription.xml": "fmi2/fmi2ModelDescription.xsd"},
    "3.0": {
        "modelDescription.xml": "fmi3/fmi3ModelDescription.xsd",
        "sources/buildDescription.xml": "fmi3/fmi3BuildDescription.xsd",
        "terminalsAndIcons/terminalsAndIcons.xml": "fmi3/fmi3TerminalsAndIcons.xsd",
    },
}


class LimitedSolver(fmpy.sundials.CVodeSolver):
    """FMPy limits steps to a fiftieth of the run. A Stribeck curve 1 mm/s wide is passed in a third of a millisecond: a solver that steps over
    it does not see it."""

    def __init__(self, *args, **options):
        super().__init__(*args, **{**options, "maxStep": 1e-4})


fmpy.sundials.CVodeSolver = LimitedSolver


def signal(job):
    """Each input held until the next."""
    points = job["inputs"]
    if not points:
        return None
    # a scenario has loads of its own
    load = [] if job["kind"] == "scenario" else [1.0]
    rows = []
    for (t, x), (after, _) in zip(points, points[1:] + [[job["end"], 0.0]]):
        if t < job["end"]:
            rows += [(t, x, *load), (min(after, job["end"]), x, *load)]
    return np.array(rows, dtype=[("time", "f8"), (job["input"], "f8"), *[("load", "f8") for _ in load]])


def differences(job, interface):
    result = simulate_fmu(
        job["file"], fmi_type=interface, stop_time=job["end"], step_size=job["step"], output_interval=job["step"] / 10,
        input=signal(job), output=job["outputs"], relative_tolerance=2e-12 if interface == "ModelExchange" else 1e-9,
    )
    want = np.array(job["rows"])
    size = np.abs(want).max(axis=0)
    assert all(np.isfinite(result[name]).all() for name in job["outputs"]), job["file"]
    assert (size[1:] > 0).all(), job["file"]
    worst = np.zeros(len(job["outputs"]))
    for row in want:
        # of several rows at an instant the first, before what happens there
        found = result[np.argmin(np.abs(result["time"] - row[0]))]
        assert abs(found["time"] - row[0]) < 1e-9, (job["file"], row[0])
        for i, name in enumerate(job["outputs"]):
            worst[i] = max(worst[i], abs(found[name] - row[1 + i]) / size[1 + i])
    return worst


def schema_errors(job):
    """What the schemas refuse in the XML of a unit, and variables of terminals that do not exist."""
    errors = []
    folder = Path(fmpy.__file__).parent / "schema"
    with zipfile.ZipFile(job["file"]) as unit:
        for name, schema in SCHEMAS[job["version"]].items():
            # a scenario has neither sources nor terminals
            if job["kind"] == "scenario" and name != "modelDescription.xml":
                continue
            document = etree.fromstring(unit.read(name))
            schema = etree.XMLSchema(file=str(folder / schema))
            if not schema.validate(document):
                errors += [f"{name}: {error.message}" for error in schema.error_log]
            for member in document.iter("TerminalMemberVariable"):
                known = [variable.name for variable in read_model_description(job["file"]).modelVariables]
                if member.get("variableName") not in known:
                    errors.append(f"{name}: there is no {member.get('variableName')}")
    return errors


def main():
    bad = 0
    for job in json.load(open(sys.argv[1])):
        problems = validate_fmu(job["file"]) + schema_errors(job)
        assert read_model_description(job["file"]).fmiVersion.startswith(job["version"])
        line = f"{job['law']} {job['kind']} FMI {job['version']}: problems {problems}"
        # a scenario is for co-simulation only
        for interface in ["CoSimulation"] if job["kind"] == "scenario" else ["CoSimulation", "ModelExchange"]:
            worst = differences(job, interface)
            line += f", {interface} {worst.max():.1e}"
            bad += not worst.max() < job["accuracy"]
        bad += len(problems)
        print(line, flush=True)
    sys.exit(1 if bad else 0)


main()
