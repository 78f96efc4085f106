//! A law while its equations are compiled: names and their meanings, and expressions as operations.
use super::compile::{Compiler, Environment, Kind, Meaning, Name, Quantity};
use super::dimension::Dimension;
use super::nonnegative::NonNegative;
use super::source::{Expression, LawSource};
use crate::Error;
use crate::error::LawFileError;
use std::collections::BTreeSet;
use stiction_core::program::{Builder, OperationId, Precision, inputs};

/// Most operations of a law.
const MAX_OPERATIONS: usize = 20_000;

/// A law that is being compiled.
pub(super) struct CompiledLaw<'a> {
    pub(super) source: &'a LawSource,
    pub(super) compiler: Compiler,
    pub(super) inputs: u32,
    pub(super) first_param: u32,
    pub(super) force: Dimension,
    pub(super) velocity: Dimension,
    pub(super) time: Dimension,
}

impl<'a> CompiledLaw<'a> {
    pub(super) fn new(source: &'a LawSource) -> Self {
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
    pub(super) fn states(&mut self) -> Environment {
        let count = self.source.states.len() as u32;
        Environment::new((0..count).map(|i| self.compiler.builder.input(inputs::STATES + i)).collect())
    }
    pub(super) fn evaluate(&mut self, expression: &Expression, of: &mut Environment) -> Result<Quantity, Error> {
        let value = Compiler::parse(&expression.text).and_then(|parts| self.compiler.evaluate(&parts, of));
        let value = value.map_err(|error| expression.error(error))?;
        if self.compiler.builder.len() > MAX_OPERATIONS {
            let what = format!("more than {MAX_OPERATIONS} operations");
            return Err(expression.at.error(LawFileError::TooLarge { what }));
        }
        Ok(value)
    }
    /// The value of an equation of this dimension.
    pub(super) fn number(
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
    pub(super) fn condition(&mut self, expression: &Expression) -> Result<OperationId, Error> {
        let mut of = self.states();
        self.condition_in(expression, &mut of)
    }
    pub(super) fn condition_in(&mut self, expression: &Expression, of: &mut Environment) -> Result<OperationId, Error> {
        let value = self.evaluate(expression, of)?;
        if value.kind == Kind::Condition { Ok(value.id) } else { Err(expression.at.error(LawFileError::Number)) }
    }
    /// With names that only some equations know.
    pub(super) fn with_name<T>(
        &mut self,
        name: &str,
        input: u32,
        dimension: Dimension,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.compiler.names.push(Name { name: name.to_owned(), meaning: Meaning::Input { input, dimension } });
        let out = run(self);
        self.compiler.names.pop();
        out
    }
}
