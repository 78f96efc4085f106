//! The equations of a law file as programs.
use super::compile::{Compiler, Kind, Meaning, Name, Quantity};
use super::compiled_law::CompiledLaw;
use super::dimension::Dimension;
use super::source::Expression;
use crate::Error;
use crate::error::LawFileError;
use std::collections::BTreeSet;
use stiction_core::program::{Builder, LawEquations, OperationId, Program, inputs};
use stiction_io::expression::Node;

/// In `hold`: the jump of the force where motion begins.
const JUMP: &str = "jump";

impl CompiledLaw<'_> {
    pub(super) fn equations(mut self) -> Result<LawEquations, Error> {
        if let Some(table) = &self.source.table {
            return Ok(self.table_equations(table));
        }
        let source = self.source;
        let mut of = self.states();
        for curve in &source.curves {
            if self.evaluate(&curve.input, &mut of)?.kind == Kind::Condition {
                return Err(curve.input.at.error(LawFileError::Condition));
            }
            let input = Compiler::parse(&curve.input.text).map_err(|error| curve.input.error(error))?;
            let meaning = Meaning::Curve { input, curve: curve.curve.clone(), dimension: curve.dimension };
            self.compiler.names.push(Name { name: curve.name.clone(), meaning });
        }
        for (name, expression) in &source.definitions {
            let parts = Compiler::parse(&expression.text).map_err(|error| expression.error(error))?;
            if let Some(part) = parts.iter().find(|part| matches!(&part.node, Node::Name(own) if own == name)) {
                return Err(expression.error((part.position, LawFileError::OfItself { name: name.clone() })));
            }
            // checked here, where its position is known
            self.evaluate(expression, &mut of)?;
            if let Some(known) = self.compiler.names.iter_mut().find(|known| known.name == *name) {
                known.meaning = Meaning::Equation(parts);
            }
        }
        // beginning anew, so that only what force and rates depend on leaves kinks and divisors
        self.compiler.kinks.clear();
        self.compiler.divisors.clear();
        let mut of = self.states();
        let mut flow = vec![0];
        let set_by_jumps: BTreeSet<usize> =
            source.whens.iter().flat_map(|when| when.set.iter().map(|(i, _)| *i)).collect();
        let mut flows = Vec::new();
        for (i, (state, rate)) in source.states.iter().zip(&source.rates).enumerate() {
            flows.push(rate.is_some());
            flow.push(match rate {
                Some(rate) => {
                    let name = format!("rate.{}", state.name);
                    self.number(&name, rate, state.dimension.over(self.time), &mut of)?
                }
                None if set_by_jumps.contains(&i) => self.compiler.builder.number(0.0),
                None => {
                    let example = format!("rate.{} = \"v\", or a [[when]] that sets it", state.name);
                    return Err(state.at.error(LawFileError::Missing { key: format!("rate.{}", state.name), example }));
                }
            });
        }
        // force and hold may use the rates
        for (state, rate) in source.states.iter().zip(&source.rates) {
            if let Some(rate) = rate {
                let parts = Compiler::parse(&rate.text).map_err(|error| rate.error(error))?;
                self.compiler
                    .names
                    .push(Name { name: format!("rate.{}", state.name), meaning: Meaning::Equation(parts) });
            }
        }
        let Some(force) = &source.force else { return Err(source.head.error(LawFileError::Number)) };
        flow[0] = self.number("force", force, self.force, &mut of)?;
        let hold = match &source.hold {
            Some(hold) => Some(self.with_name("dir", inputs::DIR, Dimension::NONE, |law| {
                let mut of = law.states();
                if !Compiler::names_in(&hold.text).iter().any(|name| name == JUMP) {
                    return law.number("hold", hold, law.force, &mut of);
                }
                law.name_jump(force)?;
                let value = law.number("hold", hold, law.force, &mut of);
                law.compiler.names.pop();
                value
            })?),
            None => None,
        };
        let band = match &source.band {
            Some(band) => Some(self.number("band", band, self.velocity, &mut of)?),
            None => None,
        }
        // "0" says that there is none
        .filter(|id| !is_zero(&self.compiler.builder, *id));
        let (jump, modal) = self.jump()?;
        let changes = self.each_change()?;
        let guards = self.guards(&modal, band, &flows);
        let settled = self.assignments("settled", &source.settled, false)?;
        let step = self.assignments("step", &source.step, true)?;
        let program = |law: &Self, outputs: &[OperationId]| law.compiler.builder.program(law.inputs, outputs);
        let equations = LawEquations {
            states: source.states.len(),
            params: source.params.len(),
            signed_load: source.signed_load,
            flows,
            position: source.position,
            flow: program(&self, &flow),
            // "0" says that there is no set at rest
            hold: hold.filter(|id| !is_zero(&self.compiler.builder, *id)).map(|hold| program(&self, &[hold])),
            band: band.map(|band| program(&self, &[band])),
            guards: program(&self, &guards),
            jump: jump.map(|jump| program(&self, &jump)),
            changes: changes.iter().map(|change| program(&self, change)).collect(),
            settled: settled.map(|settled| program(&self, &settled)),
            step: step.map(|step| program(&self, &step)),
        };
        self.check_at_rest(&equations)?;
        Ok(equations)
    }
    /// Gives `hold` the name `jump`: by how much the force grows from rest to the beginning of motion in direction `dir`, with the memory as it
    /// is. A steep slope is no jump: that becomes smaller with the speed.
    fn name_jump(&mut self, force: &Expression) -> Result<(), Error> {
        let (kinks, divisors) = (self.compiler.kinks.clone(), self.compiler.divisors.clone());
        let dir = self.compiler.builder.input(inputs::DIR);
        // the first name is that of the velocity
        let velocity = std::mem::replace(&mut self.compiler.names[0].meaning, Meaning::Later);
        let mut at = |speed: f64| {
            let speed = self.compiler.builder.number(speed);
            let id = self.compiler.builder.multiply(dir, speed);
            self.compiler.names[0].meaning = Meaning::Value(Quantity { id, kind: Kind::Number(self.velocity) });
            let mut of = self.states();
            self.number("force", force, self.force, &mut of)
        };
        // speeds that have only a sign
        let values = [at(0.0), at(1e-200), at(1e-220)];
        self.compiler.names[0].meaning = velocity;
        (self.compiler.kinks, self.compiler.divisors) = (kinks, divisors);
        let [rest, begun, slower] = values;
        let builder = &mut self.compiler.builder;
        let rest = rest?;
        let [begun, slower] = [begun?, slower?].map(|force| {
            let difference = builder.subtract(force, rest);
            builder.multiply(dir, difference)
        });
        let (half, zero) = (builder.number(0.5), builder.number(0.0));
        let enough = builder.multiply(half, begun);
        let stays = builder.less(enough, slower);
        let jump = builder.select(stays, begun, zero);
        let id = builder.max(jump, zero);
        let meaning = Meaning::Value(Quantity { id, kind: Kind::Number(self.force) });
        self.compiler.names.push(Name { name: JUMP.to_owned(), meaning });
        Ok(())
    }
    /// New values of all states, if they are given.
    fn assignments(
        &mut self,
        what: &str,
        list: &[Option<Expression>],
        with_dt: bool,
    ) -> Result<Option<Vec<OperationId>>, Error> {
        if list.iter().all(Option::is_none) {
            return Ok(None);
        }
        let source = self.source;
        let run = |law: &mut Self| {
            let mut of = law.states();
            let mut out = Vec::new();
            for (state, expression) in source.states.iter().zip(list) {
                if let Some(expression) = expression {
                    let name = format!("{what}.{}", state.name);
                    out.push(law.number(&name, expression, state.dimension, &mut of)?);
                }
            }
            Ok(Some(out))
        };
        if with_dt { self.with_name("dt", inputs::DT, self.time, run) } else { run(self) }
    }
    /// A law that is a measured table.
    fn table_equations(&mut self, table: &super::table::MeasuredTable) -> LawEquations {
        let builder = &mut self.compiler.builder;
        let (v, load, dir) = (builder.input(inputs::V), builder.input(inputs::LOAD), builder.input(inputs::DIR));
        let (speed, zero) = (builder.abs(v), builder.number(0.0));
        let level = |builder: &mut Builder, speed, direction| {
            let (forward, reverse) =
                (table.level(builder, speed, load, false), table.level(builder, speed, load, true));
            let back = builder.less(direction, zero);
            builder.select(back, reverse, forward)
        };
        let (level_now, level_at_rest) = (level(builder, speed, v), level(builder, zero, dir));
        let sign = builder.sign(v);
        let force = builder.multiply(level_now, sign);
        let program = |outputs: &[OperationId]| -> Program { self.compiler.builder.program(self.inputs, outputs) };
        LawEquations {
            states: 0,
            params: 0,
            signed_load: self.source.signed_load,
            flows: Vec::new(),
            position: None,
            flow: program(&[force]),
            hold: Some(program(&[level_at_rest])),
            band: None,
            guards: program(&[]),
            jump: None,
            changes: Vec::new(),
            settled: None,
            step: None,
        }
    }
}

fn is_zero(builder: &Builder, id: OperationId) -> bool {
    builder.literal(id).is_some_and(|value| value.as_number() == 0.0)
}
