//! The test of a Python module: the points of every function, and a program that compares.
use super::Library;
use crate::export::SourceFile;
use crate::export::law::{LawCode, LawFunction, TestPoint};
use crate::export::source_text::decimal;
use stiction_core::program::{Precision, Replay, directional_derivative};

/// The points at which derivatives are compared; 7 and 15 are at rest.
const GRADIENT_POINTS: [usize; 6] = [3, 7, 15, 20, 34, 50];

const COMPARE: &str = r#"

def call(name, x):
    """The results of a function, one after the other; x has its inputs along the first axis."""
    signals, states, results = FUNCTIONS[name]
    memory = [x[signals : signals + states]] if states else []
    out = getattr(law, name)(*x[:signals], *memory, law.Params(*x[signals + states :]))
    out = out if isinstance(out, tuple) else (out,)
    return [*out[:results], *(row for memory in out[results:] for row in memory)]


def compare(name, got, want, columns, tolerance):
    """The largest error of numbers, a row for each point. An error above the tolerance ends the program.

    Libraries differ in the last bits of exp and the like, and the difference of nearly equal numbers makes more of that: an error
    is divided by the largest value in the column if that is larger than the value itself.
    """
    worst = 0.0
    for k, (label, least) in enumerate(columns):
        scale = max(largest([row for _, row in want], k), least)
        for a, (point, b) in zip(got, want):
            a, b = float(a[k]), b[k]
            if a == b or (math.isnan(a) and math.isnan(b)):
                continue
            error = abs(a - b) / max(abs(b), scale, sys.float_info.min)
            if not error <= tolerance:
                print(f"{law.__name__}.{name}, point {point}: {label} is {a!r} instead of {b!r}, error {error:.1e}")
                print(f"  inputs: {POINTS[name][point][0]}")
                sys.exit(1)
            worst = max(worst, error)
    return worst


def largest(rows, k):
    """The largest absolute value in a column."""
    return max((abs(row[k]) for row in rows if math.isfinite(row[k])), default=0.0)


def values(name):
    """Outputs of all points, numbered, and for each its name and the least scale of its errors."""
    return list(enumerate(outputs for _, outputs in POINTS[name])), [(y, 0.0) for y in OUTPUTS[name]]
"#;

/// For libraries with derivatives.
const COMPARE_GRADIENTS: &str = r#"

def gradients(name):
    """Derivatives at some points, a row for each, and for each its name and the least scale of its errors.

    A derivative may be the difference of large terms: its error is compared with that of an output for a change of the input,
    both as large as they are at some point.
    """
    inputs, outputs = zip(*POINTS[name])
    columns = []
    for j, y in enumerate(OUTPUTS[name]):
        for i, x in enumerate(INPUTS[name]):
            size = largest(inputs, i)
            columns.append((f"d {y} / d {x}", largest(outputs, j) / size if size > 0.0 else 0.0))
    return GRADIENTS[name], columns
"#;

const JAX_IMPORTS: &str = r#"import math
import os
import sys
import time
from math import inf, nan

# without fusion XLA compiles in a fifth of the time, and a test runs once
os.environ.setdefault("XLA_FLAGS", "--xla_disable_hlo_passes=fusion")

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

"#;

const NUMPY: &str = r#"

def main():
    warnings.simplefilter("error")
    worst, count = 0.0, 0
    for name, points in POINTS.items():
        want, columns = values(name)
        x = np.array([inputs for inputs, _ in points])
        got = np.array(call(name, x.T)).T.tolist()
        worst = max(worst, compare(name, got, want, columns, 1e-12))
        # numbers instead of arrays
        for i in range(0, len(points), 7):
            got[i] = call(name, points[i][0])
        worst = max(worst, compare(name, got, want, columns, 1e-12))
        count += len(points)
    print(f"{LAW}: {len(POINTS)} functions, {count} points agree (largest relative error {worst:.1e})")
"#;

const JAX: &str = r#"

def main():
    worst, steep, slowest, count = 0.0, 0.0, (0.0, ""), 0
    for name, points in POINTS.items():
        want, columns = values(name)
        x = np.array([inputs for inputs, _ in points])

        def flat(x, name=name):
            return jnp.stack(call(name, x))

        begin = time.monotonic()
        got = np.asarray(jax.jit(flat)(x.T)).T
        slowest = max(slowest, (time.monotonic() - begin, name))
        worst = max(worst, compare(name, got, want, columns, 1e-12))
        want, columns = gradients(name)
        chosen = x[[point for point, _ in want]]
        # the step of a body compiles longest, so only once; both ways use the same rule
        ways = [("reverse", jax.jacrev), ("forward", jax.jacfwd)][: 1 if name == "contact" else 2]
        for how, jacobian in ways:
            begin = time.monotonic()
            got = np.asarray(jax.jit(jax.vmap(jacobian(flat)))(chosen)).reshape(len(want), -1)
            slowest = max(slowest, (time.monotonic() - begin, f"{name}, {how} derivatives"))
            steep = max(steep, compare(name, got, want, columns, 1e-10))
        count += len(points)
    print(
        f"{LAW}: {len(POINTS)} functions, {count} points agree (largest relative error {worst:.1e}), "
        f"and their derivatives ({steep:.1e}); longest compilation {slowest[0]:.1f} s ({slowest[1]})"
    )
"#;

const PYTORCH: &str = r#"

def main():
    worst, steep, count = 0.0, 0.0, 0
    for name, points in POINTS.items():
        want, columns = values(name)
        x = torch.tensor([inputs for inputs, _ in points], dtype=torch.float64)
        got = torch.stack(call(name, x.T)).T.tolist()
        worst = max(worst, compare(name, got, want, columns, 1e-12))
        # numbers instead of tensors
        got[3] = call(name, points[3][0])
        worst = max(worst, compare(name, got, want, columns, 1e-12))
        want, columns = gradients(name)
        # a copy of the points for each output, so that one pass backwards gives all derivatives
        chosen = x[[point for point, _ in want]].T[:, None, :]
        copies = chosen.repeat(1, len(OUTPUTS[name]), 1).requires_grad_()
        sum(y[k].sum() for k, y in enumerate(call(name, copies))).backward()
        got = copies.grad.permute(2, 1, 0).reshape(len(want), -1).tolist()
        steep = max(steep, compare(name, got, want, columns, 1e-10))
        count += len(points)
    print(
        f"{LAW}: {len(POINTS)} functions, {count} points agree (largest relative error {worst:.1e}), "
        f"and their derivatives ({steep:.1e})"
    )
"#;

/// The test of a module.
pub(in crate::export::law) fn file(library: Library, code: &LawCode) -> SourceFile {
    let module = library.module(code);
    let mut text = format!("\"\"\"Compares {module} with what the law itself gives: python {module}_test.py\"\"\"\n\n");
    text += match library {
        Library::NumPy => {
            "import math\nimport sys\nimport warnings\nfrom math import inf, nan\n\nimport numpy as np\n\n"
        }
        Library::Jax => JAX_IMPORTS,
        Library::PyTorch => "import math\nimport sys\nfrom math import inf, nan\n\nimport torch\n\n",
    };
    text += &format!("import {module} as law\n\nLAW = \"{}\"\n", code.law.name);
    text += &tables(code);
    if library != Library::NumPy {
        text += &gradients(code);
    }
    text += COMPARE;
    if library != Library::NumPy {
        text += COMPARE_GRADIENTS;
    }
    text += match library {
        Library::NumPy => NUMPY,
        Library::Jax => JAX,
        Library::PyTorch => PYTORCH,
    };
    text += "\n\nif __name__ == \"__main__\":\n    main()\n";
    SourceFile { path: format!("{module}_test.py"), text }
}

/// A list of numbers.
fn list(numbers: &[f64]) -> String {
    let number = |x: &f64| if x.is_finite() { decimal(Precision::Double, *x) } else { x.to_string().to_lowercase() };
    format!("[{}]", numbers.iter().map(number).collect::<Vec<_>>().join(", "))
}

/// A dictionary with a row for each function.
fn dictionary(name: &str, code: &LawCode, row: impl Fn(&LawFunction) -> String) -> String {
    let rows = code.functions.iter().map(|function| format!("    \"{}\": {},\n", function.kind.name(), row(function)));
    format!("{name} = {{\n{}}}\n", rows.collect::<String>())
}

/// The names and the points of all functions.
fn tables(code: &LawCode) -> String {
    let shape = |function: &LawFunction| {
        let kind = function.kind;
        let states = if kind.takes_memory() { code.law.states.len() } else { 0 };
        format!("({}, {states}, {})", kind.signals().len(), kind.results().len())
    };
    let names =
        |names: &[&str]| format!("[{}]", names.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", "));
    let mut out = "# how many signals and numbers of the memory a function takes, and its results besides the memory\n"
        .to_owned();
    out += &dictionary("FUNCTIONS", code, shape);
    out += "# the names of inputs and outputs\n";
    out += &dictionary("INPUTS", code, |function| names(&code.inputs(function.kind)));
    out += &dictionary("OUTPUTS", code, |function| names(&code.outputs(function.kind)));
    out += "# inputs and outputs at every point\n";
    out += &dictionary("POINTS", code, |function| {
        let row = |point: &TestPoint| format!("        ({}, {}),\n", list(&point.inputs), list(&point.outputs));
        format!("[\n{}    ]", code.test_points(function.kind).iter().map(row).collect::<String>())
    });
    out
}

/// The derivatives of every output by every input at some points.
fn gradients(code: &LawCode) -> String {
    let mut out =
        "# the number of a point, and there the derivatives of each output by all inputs, computed along with the law\n".to_owned();
    out += &dictionary("GRADIENTS", code, |function| {
        let points = code.test_points(function.kind);
        let chosen = GRADIENT_POINTS.iter().filter_map(|k| Some((*k, points.get(*k)?)));
        let row = |(k, point): (usize, &TestPoint)| format!("        ({k}, {}),\n", list(&jacobian(function, point)));
        format!("[\n{}    ]", chosen.map(row).collect::<String>())
    });
    out
}

/// The derivatives of the first output by all inputs, then those of the second, and so on.
fn jacobian(function: &LawFunction, point: &TestPoint) -> Vec<f64> {
    let program = directional_derivative(&function.program);
    let Some(replay) = program.and_then(|program| Replay::new(&program)) else { return Vec::new() };
    let (inputs, outputs) = (point.inputs.len(), point.outputs.len());
    let mut out = vec![f64::NAN; inputs * outputs];
    for i in 0..inputs {
        let along = |k: usize| if k < inputs { point.inputs[k] } else { f64::from(u8::from(k == inputs + i)) };
        let mut both = vec![0.0; 2 * outputs];
        replay.run(along, &mut both);
        (0..outputs).for_each(|j| out[j * inputs + i] = both[outputs + j]);
    }
    out
}
