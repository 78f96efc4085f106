//! Recipes: parameters of a law from quantities that engineers know, such as friction coefficient and normal load.
//!
//! ```
//! use stiction_sim::Spec;
//!
//! let mut law = Spec::new("lugre")?;
//! let open = law.apply_recipe(&[("mu", 0.3), ("normal", 10.0), ("lc", 0.003), ("mass", 1.0)])?;
//! assert_eq!(law.get("fc")?, 3.0);                                     // 0.3 · 10 N
//! assert_eq!(open[0].param.name, "ls_over_lc");                        // not given: assumed
//! # Ok::<(), stiction_sim::LawError>(())
//! ```
use crate::{LawError, ParameterGroup, Spec, spec::check_value};
use stiction_core::{Param, Recipe};
use stiction_io::similar_names::similar;

/// A quantity of a recipe that was not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssumedInput {
    /// The quantity.
    pub param: &'static Param,
    /// The assumed value.
    pub value: f64,
    /// Whether it is the present value of the law, rather than the default of the recipe.
    pub own: bool,
}

impl Spec {
    /// Sets the parameters that follow from the quantities in `known`, by the recipe of the law that uses all of them and
    /// has the fewest further inputs. A further input that is a parameter of the law has its present value; any other has
    /// its default. These are returned as assumptions.
    ///
    /// # Errors
    /// [`LawError::UnknownInput`], [`LawError::NoRecipe`], or [`LawError::Value`] for a quantity or a result out of bounds.
    pub fn apply_recipe(&mut self, known: &[(&str, f64)]) -> Result<Vec<AssumedInput>, LawError> {
        let recipe = self.choose(known)?;
        let (mut inputs, mut open) = (Vec::new(), Vec::new());
        for input in recipe.inputs {
            // the last value counts, as in `set`
            let given = known.iter().rev().find(|(name, _)| *name == input.name).map(|&(_, value)| value);
            let value = given.unwrap_or_else(|| {
                let own = self.get(input.name).ok();
                let value = own.unwrap_or(input.default);
                open.push(AssumedInput { param: input, value, own: own.is_some() });
                value
            });
            check_value(ParameterGroup::Law, input, value)?;
            inputs.push(value);
        }
        let mut outputs = vec![0.0; recipe.outputs.len()];
        (recipe.make)(&inputs, &mut outputs);
        for (name, value) in recipe.outputs.iter().zip(outputs) {
            self.set(name, value)?;
        }
        Ok(open)
    }

    fn choose(&self, known: &[(&str, f64)]) -> Result<&'static Recipe, LawError> {
        let (law, recipes) = (self.law().name, self.law().recipes);
        let has = |recipe: &Recipe, name: &str| recipe.inputs.iter().any(|p| p.name == name);
        if let Some((name, value)) = known.iter().find(|(name, _)| !recipes.iter().any(|recipe| has(recipe, name))) {
            let mut names: Vec<_> = recipes.iter().flat_map(|recipe| recipe.inputs).map(|p| p.name).collect();
            names.sort_unstable();
            names.dedup();
            return Err(LawError::UnknownInput {
                law,
                name: (*name).to_owned(),
                value: *value,
                near: similar(name, names),
            });
        }
        let fitting = recipes.iter().filter(|recipe| known.iter().all(|(name, _)| has(recipe, name)));
        fitting
            .min_by_key(|recipe| recipe.inputs.len())
            .ok_or_else(|| LawError::NoRecipe { law, given: known.iter().map(|&(name, _)| name.to_owned()).collect() })
    }
}
