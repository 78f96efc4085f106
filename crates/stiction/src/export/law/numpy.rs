//! A law as a NumPy module.
use super::LawCode;
use super::python::{Library, ModuleText, module_files, values};
use crate::export::SourceFile;

const ABOUT: [&str; 3] = [
    "Numbers and arrays may be mixed: the arguments of a function are broadcast against each other, as are the parameters, and every element is computed in double precision.",
    "The memory is an array whose first axis runs over STATES, as the integrators of SciPy want it; a tuple of arrays will do.",
    "All branches are computed and the right one is selected, so warnings of NumPy about divisions by zero and the like are off within the functions.",
];

const HELPERS: &str = r#"

def _run(kernel, given):
    # the results of a kernel, all with the shape of the arguments broadcast together
    given = [np.asarray(x, dtype=np.float64) for x in given]
    # a branch that is not selected may divide by zero or overflow
    with np.errstate(all="ignore"):
        results = kernel(*given)
    shape = np.broadcast_shapes(*(x.shape for x in given))
    # a copy, because a broadcast array cannot be written to; [()] makes a number of an array without axes
    return [np.array(np.broadcast_to(x, shape))[()] for x in results]
"#;

const LOOP: &str = r#"

def _repeat(count, start, turn):
    # an iteration of at most so many turns; elements that are done change no more
    now, done = start, np.False_
    for _ in range(count):
        after, last = turn(*now)
        now = tuple(np.where(done, a, b) for a, b in zip(now, after)) if np.any(done) else after
        done = done | last
        if np.all(done):
            break
    return now
"#;

/// The module and its test.
pub(super) fn files(code: &LawCode) -> Vec<SourceFile> {
    let text = ModuleText {
        about: &ABOUT,
        imports: "\nfrom typing import NamedTuple\n\nimport numpy as np\n\n\n",
        helpers: HELPERS,
        repeat: LOOP,
        kernel: |library, code, function| values(library, code, function, ""),
    };
    module_files(Library::NumPy, code, &text)
}
