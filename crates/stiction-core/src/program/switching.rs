//! Comparisons of states within rates: the flow in each mode, and the surfaces between the modes.
//!
//! A rate such as `where(k*z >= fc, 0, v)` is smooth but for the surface `g(z) = k z − fc = 0`. With the signs `s` of all such
//! functions as inputs of their own it is `f(z; s)`, which is smooth in `z`: the flow of one mode, continued beyond its surfaces. A step
//! computes with that, and asks the functions `g` where the mode ends. A rate with `x·|x|` has a continuous slope, and stays as it is.
//!
//! Beyond its surface `|x|` is negative, and then `|x|^p`, `√|x|` and `ln|x|` have no value. Powers and roots are continued there as odd
//! functions, which keeps them monotonic and a step's equation solvable, and the logarithm as the even one.
use super::builder::Builder;
use super::derivative::derivative;
use super::elimination::SparsityPattern;
use super::law::{LawEquations, inputs};
use super::operation::{Function, Operation, OperationId};
use super::replay::Replay;
use super::smooth_products::smooth_absolute_values;
use super::straight_line::Program;
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

/// Most comparisons whose surfaces a sample looks for; those beyond are taken as they are.
pub(super) const SWITCHES_MAX: usize = 32;

/// The rates of a law that compares its states.
#[derive(Clone, Debug)]
pub(super) struct Switching {
    /// The guard of each comparison.
    pub guards: Vec<usize>,
    /// Rates in a mode. The inputs are those of the law, then a sign for each comparison.
    pub rates: Replay,
    /// The same with their derivatives by the states.
    pub newton: Replay,
    /// Whether each rate is linear in its own state and depends on no other while the mode lasts.
    pub is_decoupled: bool,
    /// The state that each comparison is about, where it is about one alone and decides about the rate of that one alone: then its
    /// surface is a value of that state, and nothing else depends on the side. None if some comparison is not like that.
    pub own_states: Option<Vec<usize>>,
    /// Which rate depends on which state; beyond the states come the multipliers of the surfaces.
    pub coupling: SparsityPattern,
}

impl Switching {
    /// None if no rate compares a state that flows. `slopes` has the guards, then their derivatives by each state.
    ///
    /// # Errors
    /// A program that is too long.
    pub fn new(equations: &LawEquations, slopes: &Program) -> Option<Option<Self>> {
        let (states, count) = (equations.states, equations.guards.outputs.len());
        let rates = equations.flow.with_outputs(&(1..=states).collect::<Vec<_>>());
        let first = inputs::STATES + (states + equations.params) as u32;
        let Some((rates, guards)) = Freeze::new(equations, first).run(&rates) else { return Some(None) };
        if guards.is_empty() {
            return Some(None);
        }
        let by: Vec<u32> = (0..states as u32).map(|i| inputs::STATES + i).collect();
        let newton = derivative(&rates, &by)?;
        let slope = |i: usize, j: usize| !newton.is_zero(states * (1 + j) + i);
        let gradient = |switch: usize, j: usize| !slopes.is_zero(count * (1 + j) + guards[switch]);
        let acts = |switch: usize, i: usize| rates.inputs_of(i).contains(&(first + switch as u32));
        let own = |switch: usize| {
            let mut about = (0..states).filter(|j| gradient(switch, *j));
            match (about.next(), about.next()) {
                (Some(state), None) => (0..states).all(|i| i == state || !acts(switch, i)).then_some(state),
                _ => None,
            }
        };
        let own_states = (0..guards.len()).map(own).collect();
        let acting: Vec<Vec<bool>> =
            (0..guards.len()).map(|switch| (0..states).map(|i| acts(switch, i)).collect()).collect();
        let coupling = SparsityPattern::new(states + guards.len(), |i, j| match (i < states, j < states) {
            (true, true) => slope(i, j),
            (true, false) => acting[j - states][i],
            (false, true) => gradient(i - states, j),
            (false, false) => false,
        });
        Some(Some(Self {
            is_decoupled: super::law::is_decoupled(&newton, equations),
            rates: Replay::new(&rates)?,
            newton: Replay::new(&newton)?,
            guards,
            own_states,
            coupling,
        }))
    }
}

/// Copies a program, its comparisons of states replaced by the sides of guards.
struct Freeze<'a> {
    equations: &'a LawEquations,
    builder: Builder,
    /// The guards in the copy.
    guards: Vec<OperationId>,
    /// The input that has the side of the first comparison.
    first: u32,
    /// The guards of the comparisons found so far.
    found: Vec<usize>,
}

impl<'a> Freeze<'a> {
    fn new(equations: &'a LawEquations, first: u32) -> Self {
        let mut builder = Builder::new(equations.flow.precision);
        let mut copied: Vec<OperationId> = Vec::new();
        for operation in &equations.guards.operations {
            copied.push(builder.push(operation.clone().renumber(|id| copied[id as usize])));
        }
        let guards = equations.guards.outputs.iter().map(|id| copied[*id as usize]).collect();
        Self { equations, builder, guards, first, found: Vec::new() }
    }
    /// The rates in a mode, and the guards whose sides are their new inputs; none if they have loops.
    fn run(mut self, rates: &Program) -> Option<(Program, Vec<usize>)> {
        // as they are, and in a mode
        let (mut live, mut frozen): (Vec<OperationId>, Vec<OperationId>) = (Vec::new(), Vec::new());
        let smooth = smooth_absolute_values(rates);
        for (id, operation) in rates.operations.iter().enumerate() {
            if matches!(operation, Operation::Repeat(_) | Operation::Carried(..)) {
                return None;
            }
            let is_smooth = smooth.contains(&(id as OperationId));
            let in_mode = if is_smooth { None } else { self.switch(operation, &live, &frozen) };
            let in_mode = in_mode.or_else(|| self.continue_function(operation, &live, &frozen));
            let in_mode = match in_mode {
                Some(id) => id,
                None => self.builder.push(operation.clone().renumber(|id| frozen[id as usize])),
            };
            live.push(self.builder.push(operation.clone().renumber(|id| live[id as usize])));
            frozen.push(in_mode);
        }
        let outputs: Vec<OperationId> = rates.outputs.iter().map(|id| frozen[*id as usize]).collect();
        let program = self.builder.program(self.first + self.found.len() as u32, &outputs);
        // a comparison within another one decides about nothing itself
        let used = program.used_inputs();
        let kept: Vec<u32> = (0..self.found.len() as u32).filter(|k| used.contains(&(self.first + k))).collect();
        let place = |i: u32| match i.checked_sub(self.first) {
            Some(k) => self.first + kept.iter().position(|old| *old == k).unwrap_or(0) as u32,
            None => i,
        };
        let guards = kept.iter().map(|k| self.found[*k as usize]).collect();
        Some((program.renumber_inputs(self.first + kept.len() as u32, place), guards))
    }
    /// An operation that depends on the side of a guard, by that side.
    fn switch(&mut self, operation: &Operation, live: &[OperationId], frozen: &[OperationId]) -> Option<OperationId> {
        let zero = self.builder.number(0.0);
        match *operation {
            Operation::Less(a, b) => {
                let (side, mirrored) = self.side(live[a as usize], live[b as usize])?;
                Some(if mirrored { self.builder.less(zero, side) } else { self.builder.less(side, zero) })
            }
            Operation::Equal(a, b) => {
                let (side, _) = self.side(live[a as usize], live[b as usize])?;
                Some(self.builder.equal(side, zero))
            }
            Operation::Abs(a) => {
                let (side, mirrored) = self.side(live[a as usize], zero)?;
                let below = if mirrored { self.builder.less(zero, side) } else { self.builder.less(side, zero) };
                let x = frozen[a as usize];
                let negative = self.builder.negate(x);
                Some(self.builder.select(below, negative, x))
            }
            _ => None,
        }
    }
    /// A power, root or logarithm of a number that is another one in a mode, continued to where it has no value.
    fn continue_function(
        &mut self,
        operation: &Operation,
        live: &[OperationId],
        frozen: &[OperationId],
    ) -> Option<OperationId> {
        let Operation::Call(function @ (Function::Pow | Function::Sqrt | Function::Ln), x, y) = *operation else {
            return None;
        };
        if frozen[x as usize] == live[x as usize] {
            return None;
        }
        let (x, y) = (frozen[x as usize], frozen[y as usize]);
        let builder = &mut self.builder;
        let magnitude = builder.abs(x);
        let (value, beyond) = match function {
            Function::Pow => (builder.power(x, y), builder.power(magnitude, y)),
            _ => (builder.call(function, x), builder.call(function, magnitude)),
        };
        let beyond = if function == Function::Ln { beyond } else { builder.negate(beyond) };
        // whole powers of negative numbers have a value, and keep it
        let (zero, has_no_value) = (builder.number(0.0), builder.push(Operation::IsNan(value)));
        let negative = builder.less(x, zero);
        let is_continued = builder.and(negative, has_no_value);
        Some(builder.select(is_continued, beyond, value))
    }
    /// The side of the guard that is `a − b`, or whether it is `b − a`; none if that does not change while the memory flows, or is no
    /// guard, as in a smooth curve through points.
    fn side(&mut self, a: OperationId, b: OperationId) -> Option<(OperationId, bool)> {
        let zero = self.builder.number(0.0);
        let (difference, reverse) = (self.builder.subtract(a, b), self.builder.subtract(b, a));
        let (minus_a, minus_b) = (self.builder.negate(a), self.builder.negate(b));
        let forms = [
            (Some(difference), false),
            (Some(reverse), true),
            ((b == zero).then_some(a), false),
            ((b == zero).then_some(minus_a), true),
            ((a == zero).then_some(minus_b), false),
            ((a == zero).then_some(b), true),
        ];
        let (guard, mirrored) = forms
            .into_iter()
            .find_map(|(id, mirrored)| Some((self.guards.iter().position(|guard| Some(*guard) == id)?, mirrored)))?;
        if !self.flows(self.guards[guard]) {
            return None;
        }
        let place = match self.found.iter().position(|known| *known == guard) {
            Some(place) => place,
            None if self.found.len() == SWITCHES_MAX => return None,
            None => {
                self.found.push(guard);
                self.found.len() - 1
            }
        };
        Some((self.builder.input(self.first + place as u32), mirrored))
    }
    /// Whether a number depends on a state that flows, not only on comparisons of it, which have surfaces of their own.
    fn flows(&self, id: OperationId) -> bool {
        let (mut stack, mut seen) = (vec![id], BTreeSet::new());
        while let Some(id) = stack.pop() {
            let Some(operation) = self.builder.operation(id) else { continue };
            if !seen.insert(id) || operation.is_boolean() {
                continue;
            }
            if let Operation::Input(input) = operation {
                let state = input.checked_sub(inputs::STATES).map(|i| i as usize);
                if state.is_some_and(|i| self.equations.flows.get(i) == Some(&true)) {
                    return true;
                }
            }
            stack.extend(operation.operands());
        }
        false
    }
}
