//! From a law file to the programs of a law and its tables.
use super::compile::{Compiler, Environment, Kind, Meaning, Name, Quantity};
use super::dimension::Dimension;
use super::nonnegative::NonNegative;
use super::read::{Expression, LawSource, WhenSource};
use crate::Error;
use crate::error::LawFileError;
use std::collections::BTreeSet;
use stiction_core::program::{
    Builder, LawEquations, LawProgram, LawProgramError, Operation, OperationId, Precision, Program, ProgramLaw, inputs,
};
use stiction_core::registry::{LawEntry, LawTables};
use stiction_core::{Input, Param, Relation, StateInfo};

/// Most operations of a law.
const MAX_OPERATIONS: usize = 20_000;
/// In `hold`: the jump of the force where motion begins.
const JUMP: &str = "jump";

/// The law as an entry of the registry. It lives as long as the program.
pub(super) fn entry(source: &LawSource) -> Result<LawEntry, Error> {
    let equations = Law::new(source).equations()?;
    let mut program = LawProgram::new(equations).map_err(|error| {
        let what = match error {
            LawProgramError::States => format!("{} states", source.states.len()),
            LawProgramError::TooLong(name) => format!("the program of {name}"),
        };
        source.top.error(LawFileError::TooLarge { what })
    })?;
    program.settles = settles(&program, source);
    let program: &'static LawProgram = Box::leak(Box::new(program));
    Ok(LawEntry::of_program(tables(source)?, program))
}

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn leak_all<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

fn tables(source: &LawSource) -> Result<LawTables, Error> {
    let param = |p: &super::read::ParamSource| Param {
        name: leak(&p.name),
        unit: leak(&p.unit),
        doc: leak(&p.doc),
        default: p.default,
        min: p.min,
        max: p.max,
    };
    let state = |s: &super::read::StateSource| StateInfo { name: leak(&s.name), unit: leak(&s.unit) };
    Ok(LawTables {
        name: leak(&source.name),
        doc: leak(&documentation(source)),
        cite: leak_all(source.cite.iter().map(|key| leak(key)).collect()),
        params: leak_all(source.params.iter().map(param).collect()),
        states: leak_all(source.states.iter().map(state).collect()),
        relations: leak_all(relations(source)?),
    })
}

/// The text that describes the law, in the form of those in the program: a summary, equations, remarks.
fn documentation(source: &LawSource) -> String {
    let summary =
        if source.summary.is_empty() { format!("{}: a law from a file.", source.name) } else { source.summary.clone() };
    let mut out = format!("{summary}\n\n```text\n");
    for (name, expression) in &source.definitions {
        out += &format!("{name} = {}\n", expression.text);
    }
    for (state, rate) in source.states.iter().zip(&source.rates) {
        if let Some(rate) = rate {
            out += &format!("d{}/dt = {}\n", state.name, rate.text);
        }
    }
    for (name, expression) in [("F", &source.force), ("hold", &source.hold), ("band", &source.band)] {
        if let Some(expression) = expression {
            out += &format!("{name} = {}\n", expression.text);
        }
    }
    for when in &source.whens {
        let mut conditions: Vec<String> = Vec::new();
        conditions.extend(when.condition.as_ref().map(|condition| condition.text.clone()));
        conditions
            .extend(when.guard.as_ref().map(|g| format!("{} {} 0", g.text, if when.falling { "<=" } else { ">=" })));
        let set = when.set.iter().map(|(i, to)| format!("{} := {}", source.states[*i].name, to.text));
        out += &format!("when {}: {}\n", conditions.join(" and "), set.collect::<Vec<_>>().join(", "));
    }
    if let Some(table) = &source.table {
        out += &format!("F: interpolated in a table of {} points\n", table.len());
    }
    out += "```\n";
    if !source.doc.is_empty() {
        out += &format!("{}\n", source.doc);
    }
    out
}

/// Conditions between parameters.
fn relations(source: &LawSource) -> Result<Vec<Relation>, Error> {
    let mut out = Vec::new();
    for require in &source.require {
        let mut law = Law::new(source);
        law.compiler
            .names
            .retain(|name| matches!(&name.meaning, Meaning::Input { input, .. } if *input >= law.first_param));
        let holds = law.condition(require)?;
        let (one, zero) = (law.compiler.builder.number(1.0), law.compiler.builder.number(0.0));
        let value = law.compiler.builder.select(holds, one, zero);
        let program = law.compiler.builder.program(law.inputs, &[value]);
        let first = law.first_param as usize;
        let holds = move |values: &[f64]| {
            let mut all = vec![0.0; first];
            all.extend(values);
            program.evaluate(&all).first() == Some(&1.0)
        };
        let defaults: Vec<f64> = source.params.iter().map(|param| param.default).collect();
        if !holds(&defaults) {
            return Err(require.at.error(LawFileError::Require { text: require.text.clone() }));
        }
        out.push(Relation { text: leak(&require.text), holds: Box::leak(Box::new(holds)) });
    }
    Ok(out)
}

/// A law that is being compiled.
struct Law<'a> {
    source: &'a LawSource,
    compiler: Compiler,
    inputs: u32,
    first_param: u32,
    force: Dimension,
    velocity: Dimension,
    time: Dimension,
}

impl<'a> Law<'a> {
    fn new(source: &'a LawSource) -> Self {
        // as `LawUnits` decides it
        let turns = source.params.iter().any(|param| param.unit.contains("rad"));
        let unit = |text: &str| Dimension::parse(text).unwrap_or(Dimension::NONE);
        let (force, velocity) = if turns { ("N·m", "rad/s") } else { ("N", "m/s") };
        let [force, velocity, time] =
            [force, velocity, "s"].map(|text| if source.units_checked { unit(text) } else { Dimension::NONE });
        let first_param = inputs::STATES + source.states.len() as u32;
        let input =
            |name: &str, input, dimension| Name { name: name.to_owned(), meaning: Meaning::Input { input, dimension } };
        let mut names = vec![input("v", inputs::V, velocity), input("load", inputs::LOAD, Dimension::NONE)];
        names
            .extend(source.params.iter().enumerate().map(|(i, p)| input(&p.name, first_param + i as u32, p.dimension)));
        names.extend(source.states.iter().enumerate().map(|(index, s)| Name {
            name: s.name.clone(),
            meaning: Meaning::State { index, dimension: s.dimension },
        }));
        names.extend(source.definitions.iter().map(|(name, _)| Name { name: name.clone(), meaning: Meaning::Later }));
        let parameters = source.params.iter().enumerate().filter(|(_, p)| p.min >= 0.0);
        let mut nonnegative: BTreeSet<u32> = parameters.map(|(i, _)| first_param + i as u32).collect();
        if !source.signed_load {
            nonnegative.insert(inputs::LOAD);
        }
        let compiler = Compiler {
            builder: Builder::new(Precision::Double),
            names,
            kinks: BTreeSet::new(),
            divisors: Vec::new(),
            nonnegative: NonNegative::new(nonnegative),
        };
        Self { source, compiler, inputs: first_param + source.params.len() as u32, first_param, force, velocity, time }
    }
    fn states(&mut self) -> Environment {
        let count = self.source.states.len() as u32;
        Environment::new((0..count).map(|i| self.compiler.builder.input(inputs::STATES + i)).collect())
    }
    fn evaluate(&mut self, expression: &Expression, of: &mut Environment) -> Result<Quantity, Error> {
        let value = Compiler::parse(&expression.text).and_then(|parts| self.compiler.evaluate(&parts, of));
        let value = value.map_err(|error| expression.error(error))?;
        if self.compiler.builder.len() > MAX_OPERATIONS {
            let what = format!("more than {MAX_OPERATIONS} operations");
            return Err(expression.at.error(LawFileError::TooLarge { what }));
        }
        Ok(value)
    }
    /// The value of an equation of this dimension.
    fn number(
        &mut self,
        name: &str,
        expression: &Expression,
        expected: Dimension,
        of: &mut Environment,
    ) -> Result<OperationId, Error> {
        let value = self.evaluate(expression, of)?;
        match value.kind {
            Kind::Number(found) if !found.is(expected) => Err(expression.at.error(LawFileError::WrongUnit {
                name: name.to_owned(),
                expected: expected.to_string(),
                found: found.to_string(),
            })),
            Kind::Condition => Err(expression.at.error(LawFileError::Condition)),
            _ => Ok(value.id),
        }
    }
    fn condition(&mut self, expression: &Expression) -> Result<OperationId, Error> {
        let mut of = self.states();
        self.condition_in(expression, &mut of)
    }
    fn condition_in(&mut self, expression: &Expression, of: &mut Environment) -> Result<OperationId, Error> {
        let value = self.evaluate(expression, of)?;
        if value.kind == Kind::Condition { Ok(value.id) } else { Err(expression.at.error(LawFileError::Number)) }
    }
    /// With names that only some equations know.
    fn with_name<T>(&mut self, name: &str, input: u32, dimension: Dimension, run: impl FnOnce(&mut Self) -> T) -> T {
        self.compiler.names.push(Name { name: name.to_owned(), meaning: Meaning::Input { input, dimension } });
        let out = run(self);
        self.compiler.names.pop();
        out
    }
    fn equations(mut self) -> Result<LawEquations, Error> {
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
        };
        let (jump, modal) = self.jump()?;
        let changes = self.each_change()?;
        let guards = self.guards(&modal, &flows);
        let settled = self.assignments("settled", &source.settled, false)?;
        let step = self.assignments("step", &source.step, true)?;
        let program = |law: &Self, outputs: &[OperationId]| law.compiler.builder.program(law.inputs, outputs);
        let equations = LawEquations {
            states: source.states.len(),
            params: source.params.len(),
            signed_load: source.signed_load,
            flows,
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
    /// The memory after all changes of mode, in the order of the file, and the guards that are given.
    fn jump(&mut self) -> Result<(Option<Vec<OperationId>>, Vec<OperationId>), Error> {
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
    fn each_change(&mut self) -> Result<Vec<Vec<OperationId>>, Error> {
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
            Kind::Condition => Err(guard.at.error(LawFileError::Condition)),
            _ => Ok((condition, Some(value.id))),
        }
    }
    /// Given guards, and differences that decide between branches and change while the memory flows; not the velocity, which
    /// every law has.
    fn guards(&mut self, modal: &[OperationId], flows: &[bool]) -> Vec<OperationId> {
        let v = self.compiler.builder.input(inputs::V);
        let mut out: Vec<OperationId> = Vec::new();
        let kinks: Vec<OperationId> = self.compiler.kinks.iter().copied().collect();
        for id in modal.iter().copied().chain(kinks) {
            let mirrored = self.compiler.builder.negate(id);
            let known = out.contains(&id) || out.contains(&mirrored) || id == v || mirrored == v;
            if !known && self.changes(id, flows) {
                out.push(id);
            }
        }
        out
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
    /// Force, rates and hold are finite at rest with zero memory, and just beside it; if not, the division by zero is told.
    fn check_at_rest(&self, equations: &LawEquations) -> Result<(), Error> {
        let source = self.source;
        let at = |v: f64| {
            let mut all = vec![v, 1.0, 1.0, 0.0];
            all.extend(std::iter::repeat_n(0.0, source.states.len()));
            all.extend(source.params.iter().map(|param| param.default));
            all
        };
        for v in [0.0, 1e-12, -1e-12] {
            let values = at(v);
            let mut all = equations.flow.evaluate(&values);
            all.extend(equations.hold.iter().flat_map(|hold| hold.evaluate(&values)));
            let Some(bad) = all.iter().position(|x| !x.is_finite()) else { continue };
            let expressions = std::iter::once(&source.force).chain(&source.rates).chain([&source.hold]);
            let named = std::iter::once("force".to_owned())
                .chain(source.states.iter().map(|state| format!("rate.{}", state.name)))
                .chain(["hold".to_owned()]);
            let pairs: Vec<(String, &Expression)> =
                named.zip(expressions).filter_map(|(name, expression)| Some((name, expression.as_ref()?))).collect();
            let every =
                pairs.iter().map(|(_, expression)| *expression).chain(source.definitions.iter().map(|(_, e)| e));
            for expression in every {
                if let Some(position) = self.division(expression, &values) {
                    return Err(expression.error((position, LawFileError::DivisionAtRest)));
                }
            }
            let (name, expression) = &pairs[bad.min(pairs.len() - 1)];
            return Err(expression.at.error(LawFileError::NotFinite { name: name.clone() }));
        }
        Ok(())
    }
    /// Where an expression divides by zero at these inputs.
    fn division(&self, expression: &Expression, values: &[f64]) -> Option<usize> {
        let mut law = Law::new(self.source);
        for (name, definition) in &self.source.definitions {
            let parts = Compiler::parse(&definition.text).ok()?;
            law.compiler.names.iter_mut().find(|known| known.name == *name)?.meaning = Meaning::Equation(parts);
        }
        let mut of = law.states();
        law.with_name("dir", inputs::DIR, Dimension::NONE, |law| law.evaluate(expression, &mut of)).ok()?;
        let divisors = std::mem::take(&mut law.compiler.divisors);
        let zero = |id: OperationId| law.compiler.builder.program(law.inputs, &[id]).evaluate(values) == [0.0];
        // the last is of this expression; those of equations within it come first, and are told there
        divisors.into_iter().rev().find(|(id, _)| zero(*id)).map(|(_, position)| position)
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

/// Whether sliding at constant speed leads to a memory that does not change any more: two long times give the same.
fn settles(program: &LawProgram, source: &LawSource) -> bool {
    if program.is_empty() || program.equations.settled.is_some() {
        return true;
    }
    let law = ProgramLaw::new(program, source.params.iter().map(|param| param.default).collect::<Vec<f64>>());
    [-1.0, -1e-3, 1e-3, 1.0].into_iter().all(|v| {
        let u = Input::at(v);
        let mut z = vec![0.0; law.len()];
        let range = law.settle(&u, &mut z);
        let before = z.clone();
        // as long again as a slow law needs, but not so long that an integrator would overflow
        law.step(&mut z, &u, 1e9);
        let force = law.force(&before, &u);
        // a limit of zero is approached for ever: what counts is the change beside the range on the way
        let stays = before.iter().zip(&z).zip(range).all(|((a, b), range)| (a - b).abs() <= 1e-9 * range);
        force.is_finite() && z.iter().all(|x| x.is_finite() && x.abs() < 1e15) && stays
    })
}
