//! A law as a JAX module.
use super::LawCode;
use super::python::{Library, ModuleText, differentiable, module_files};
use crate::export::SourceFile;

const ABOUT: [&str; 4] = [
    "The functions can be compiled (jax.jit), mapped (jax.vmap) and differentiated (jax.grad, jax.jacfwd, jax.jacrev, jax.jvp). They need double precision: before arrays are made, jax.config.update('jax_enable_x64', True).",
    "Numbers and arrays may be mixed: the arguments of a function are broadcast against each other, as are the parameters. The memory is an array whose first axis runs over STATES. Compile what you call often: without jax.jit every operation is a call of its own. Long laws take long to compile; XLA_FLAGS=--xla_disable_hlo_passes=fusion in the environment makes that a fifth.",
    "The derivatives are those of the branch that is taken; at a kink, those of one side. JAX's own rules would give no number where a branch that is not taken has an infinite slope, as many laws have at rest.",
    "Iterations are loops that end when all elements are done. First derivatives only.",
];

const IMPORTS: &str = r#"
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_derivatives import SymbolicZero

if not jax.config.jax_enable_x64:
    raise ImportError(
        f"{__name__} needs double precision\n"
        "hint: call jax.config.update('jax_enable_x64', True) before the import"
    )


"#;

const HELPERS: &str = r#"

def _run(kernel, given):
    # the results of a kernel, which is for single numbers, broadcast over the arguments
    return jnp.vectorize(kernel)(*_numbers(given))


def _numbers(values):
    return tuple(jnp.asarray(x, dtype=jnp.float64) for x in values)


def _differentiable(values, slopes):
    # The kernel `values` with its derivatives. `slopes` gives the values and their change along one direction; it is run along
    # each input that changes. The result is linear in the changes without any branch, which reverse mode needs.
    kernel = jax.custom_jvp(lambda *x: _numbers(values(*x)))

    def rule(x, dx):
        moved = [i for i, d in enumerate(dx) if not isinstance(d, SymbolicZero)]

        def along(direction):
            both = _numbers(slopes(*x, *direction))
            return both[: len(both) // 2], both[len(both) // 2 :]

        out, by = jax.vmap(along, out_axes=(None, 0))(np.eye(len(x))[moved])
        change = (sum(slope * dx[i] for slope, i in zip(row, moved)) for row in by)
        return out, _numbers(change)

    kernel.defjvp(rule, symbolic_zeros=True)
    return kernel
"#;

const LOOP: &str = r#"

def _repeat(count, start, turn):
    # an iteration of at most so many turns
    def more(state):
        k, done, _ = state
        return (k < count) & ~done

    def once(state):
        k, _, now = state
        after, done = turn(*now)
        return k + 1, jnp.asarray(done), _numbers(after)

    return lax.while_loop(more, once, (0, jnp.asarray(False), _numbers(start)))[2]
"#;

/// The module and its test.
pub(super) fn files(code: &LawCode) -> Vec<SourceFile> {
    let text = ModuleText { about: &ABOUT, imports: IMPORTS, helpers: HELPERS, repeat: LOOP, kernel: differentiable };
    module_files(Library::Jax, code, &text)
}
