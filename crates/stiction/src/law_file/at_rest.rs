//! Whether force, rates and hold are numbers at rest, and which division is not.
use super::compile::{Compiler, Meaning};
use super::compiled_law::CompiledLaw;
use super::dimension::Dimension;
use super::source::Expression;
use crate::Error;
use crate::error::LawFileError;
use stiction_core::program::{LawEquations, OperationId, inputs};

impl CompiledLaw<'_> {
    /// Force, rates and hold are finite at rest with zero memory, and just beside it; if not, the division by zero is told.
    pub(super) fn check_at_rest(&self, equations: &LawEquations) -> Result<(), Error> {
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
        let mut law = CompiledLaw::new(self.source);
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
}
