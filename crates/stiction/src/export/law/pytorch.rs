//! A law as a PyTorch module.
use super::LawCode;
use super::python::{Library, ModuleText, differentiable, module_files};
use crate::export::SourceFile;

const ABOUT: [&str; 3] = [
    "Numbers and tensors may be mixed: the arguments of a function are broadcast against each other, as are the parameters, and computed in double precision on the device of the first tensor. The memory is a tensor whose first axis runs over STATES.",
    "The derivatives (torch.autograd, backward) by every argument and parameter are those of the branch that is taken; at a kink, those of one side. PyTorch's own rules would give no number where a branch that is not taken has an infinite slope, as many laws have at rest. First derivatives only.",
    "Iterations are loops that end when all elements are done.",
];

const IMPORTS: &str = r#"
from typing import NamedTuple

import torch
from torch.autograd.function import once_differentiable


"#;

const HELPERS: &str = r#"

def _run(kernel, given):
    # the results of a kernel, all with the shape of the arguments broadcast together
    device = next((x.device for x in given if torch.is_tensor(x)), None)
    given = [torch.as_tensor(x, dtype=torch.float64, device=device) for x in given]
    return kernel(*torch.broadcast_tensors(*given))


def _number(x):
    return x if torch.is_tensor(x) else torch.tensor(x, dtype=torch.float64)


def _where(m, a, b):
    # one of two literals
    return torch.where(m, _number(a).to(m.device), b)


def _differentiable(values, slopes):
    # The kernel `values` with its derivatives. `slopes` gives the values and their change along one direction; it is run along
    # all inputs whose derivatives are wanted at once, on an axis of their own.
    class Kernel(torch.autograd.Function):
        @staticmethod
        def forward(*x):
            return tuple(_number(y).to(x[0].device).broadcast_to(x[0].shape).clone() for y in values(*x))

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        @once_differentiable
        def backward(ctx, *weights):
            x = ctx.saved_tensors
            moved = [i for i, wanted in enumerate(ctx.needs_input_grad) if wanted]
            axis = (len(moved), *(1 for _ in x[0].shape))
            directions = torch.eye(len(x), dtype=torch.float64, device=x[0].device)[moved]
            both = slopes(*x, *(column.reshape(axis) for column in directions.T))
            total = torch.zeros(len(moved), *x[0].shape, dtype=torch.float64, device=x[0].device)
            for weight, slope in zip(weights, both[len(weights) :]):
                # a result that does not matter changes nothing, even with an infinite slope
                total = total + torch.where(weight == 0.0, 0.0, weight * slope)
            grad = [None] * len(x)
            for i, row in zip(moved, total):
                grad[i] = row
            return tuple(grad)

    return Kernel.apply
"#;

const LOOP: &str = r#"

def _repeat(count, start, turn):
    # an iteration of at most so many turns; elements that are done change no more
    now, done = tuple(map(_number, start)), None
    for _ in range(count):
        after, last = turn(*now)
        after = tuple(map(_number, after))
        now = after if done is None else tuple(torch.where(done, a, b) for a, b in zip(now, after))
        if torch.is_tensor(last):
            done = last if done is None else done | last
            if done.all():
                break
    return now
"#;

/// The module and its test.
pub(super) fn files(code: &LawCode) -> Vec<SourceFile> {
    let text = ModuleText { about: &ABOUT, imports: IMPORTS, helpers: HELPERS, repeat: LOOP, kernel: differentiable };
    module_files(Library::PyTorch, code, &text)
}
