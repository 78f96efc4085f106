//! Changes of mode, and the guards at which branches and modes change.
use super::compile::{Environment, Kind};
use super::compiled_law::CompiledLaw;
use super::source::WhenSource;
use crate::Error;
use crate::error::LawFileError;
use std::collections::BTreeSet;
use stiction_core::program::{Arithmetic, Operation, OperationId, inputs};

impl CompiledLaw<'_> {
    /// The memory after all changes of mode, in the order of the file, and the guards that are given.
    pub(super) fn jump(&mut self) -> Result<(Option<Vec<OperationId>>, Vec<OperationId>), Error> {
        let source = self.source;
        if source.whens.is_empty() {
            return Ok((None, Vec::new()));
        }
        // guards are watched in the memory as it flows, before any jump, each only while its condition holds
        let mut guards = Vec::new();
        let mut before = self.states();
        for when in &source.whens {
            let (condition, guard) = self.trigger(when, &mut before)?;
            let waits = self.compiler.builder.number(if when.falling { 1.0 } else { -1.0 });
            guards.extend(guard.map(|guard| match condition {
                Some(condition) => self.compiler.builder.select(condition, guard, waits),
                None => guard,
            }));
        }
        let kinks = self.compiler.kinks.clone();
        let mut now = self.states();
        for when in &source.whens {
            now = Environment::new(self.change(when, &mut now)?);
        }
        self.compiler.kinks = kinks;
        Ok((Some(now.states), guards))
    }
    /// The memory after each change of mode alone.
    pub(super) fn each_change(&mut self) -> Result<Vec<Vec<OperationId>>, Error> {
        let (source, kinks) = (self.source, self.compiler.kinks.clone());
        let mut out = Vec::new();
        for when in &source.whens {
            let mut of = self.states();
            out.push(self.change(when, &mut of)?);
        }
        self.compiler.kinks = kinks;
        Ok(out)
    }
    /// The memory after a change of mode.
    fn change(&mut self, when: &WhenSource, now: &mut Environment) -> Result<Vec<OperationId>, Error> {
        let (condition, guard) = self.trigger(when, now)?;
        let builder = &mut self.compiler.builder;
        let reached = guard.map(|guard| {
            let zero = builder.number(0.0);
            let beyond = if when.falling { builder.less(zero, guard) } else { builder.less(guard, zero) };
            builder.not(beyond)
        });
        let active = match (condition, reached) {
            (Some(condition), Some(reached)) => builder.and(condition, reached),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return Ok(now.states.clone()),
        };
        let mut next = now.states.clone();
        for (i, expression) in &when.set {
            let state = &self.source.states[*i];
            let value = self.number(&format!("set.{}", state.name), expression, state.dimension, now)?;
            next[*i] = self.compiler.builder.select(active, value, now.states[*i]);
        }
        Ok(next)
    }
    /// The condition and the guard of a change of mode.
    fn trigger(
        &mut self,
        when: &WhenSource,
        of: &mut Environment,
    ) -> Result<(Option<OperationId>, Option<OperationId>), Error> {
        let condition = when.condition.as_ref().map(|condition| self.condition_in(condition, of)).transpose()?;
        let Some(guard) = &when.guard else { return Ok((condition, None)) };
        let value = self.evaluate(guard, of)?;
        match value.kind {
            Kind::Condition => Err(guard.at.error(LawFileError::GuardCondition)),
            _ => Ok((condition, Some(value.id))),
        }
    }
    /// Given guards; |v| − band, below which a body comes to rest; and differences that decide between branches and change while the
    /// memory flows. Not the velocity, which every law has.
    pub(super) fn guards(
        &mut self,
        modal: &[OperationId],
        band: Option<OperationId>,
        flows: &[bool],
    ) -> Vec<OperationId> {
        let mut out: Vec<OperationId> = Vec::new();
        let kinks: Vec<OperationId> = self.compiler.kinks.iter().copied().collect();
        for id in modal {
            self.add_guard(*id, flows, &mut out);
        }
        if let Some(band) = band {
            let v = self.compiler.builder.input(inputs::V);
            let speed = self.compiler.builder.abs(v);
            let excess = self.compiler.builder.subtract(speed, band);
            // with this sign: only a guard that falls through zero brings to rest
            if !out.contains(&excess) {
                out.push(excess);
            }
        }
        for id in kinks {
            self.add_guard(id, flows, &mut out);
        }
        out
    }
    /// Adds a guard that changes while the memory flows, unless it is there already, with either sign.
    fn add_guard(&mut self, id: OperationId, flows: &[bool], out: &mut Vec<OperationId>) {
        let builder = &mut self.compiler.builder;
        let (v, negative) = (builder.input(inputs::V), builder.negate(id));
        let reversed = match builder.operation(id) {
            Some(&Operation::Arithmetic(Arithmetic::Subtract, a, b)) => builder.subtract(b, a),
            _ => negative,
        };
        let is_known = [id, negative, reversed].iter().any(|id| *id == v || out.contains(id));
        if !is_known && self.changes(id, flows) {
            out.push(id);
        }
    }
    /// Whether a value changes between jumps: it depends on the velocity, the load or a state that flows.
    fn changes(&self, id: OperationId, flows: &[bool]) -> bool {
        let (mut stack, mut seen) = (vec![id], BTreeSet::new());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(operation) = self.compiler.builder.operation(id) else { continue };
            // a comparison is constant until its own sides cross, which is a guard of its own
            if operation.is_boolean() {
                continue;
            }
            if let Operation::Input(input) = operation {
                let state = (*input >= inputs::STATES).then(|| (input - inputs::STATES) as usize);
                let moves = match state {
                    None => *input == inputs::V || *input == inputs::LOAD,
                    Some(i) => flows.get(i) == Some(&true),
                };
                if moves {
                    return true;
                }
            }
            stack.extend(operation.operands());
        }
        false
    }
}
