//! Errors of law names and parameters.
//!
//! ```
//! use stiction_sim::{LawError, Spec};
//!
//! let error = Spec::new("lurge").unwrap_err();
//! assert!(matches!(error, LawError::UnknownLaw { .. }));
//! assert_eq!(error.to_string(), "there is no law 'lurge'");
//! assert_eq!(error.hint().as_deref(), Some("did you mean 'lugre'?"));
//! ```
use crate::force_at_rest::JumpAtRest;
use crate::laws;
use crate::parameter_group::ParameterGroup;
use stiction_core::Param;
use stiction_io::number::{interval, round, short};
use stiction_io::similar_names::did_you_mean;

/// Why a law cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LawError {
    /// No law has this name.
    #[error("there is no law '{name}'")]
    UnknownLaw {
        /// The name.
        name: String,
        /// Similar names, one of which may be meant.
        near: Vec<&'static str>,
    },
    /// The law, or one of its wrappers, has no such parameter.
    #[error("law '{law}' has no parameter '{name}'")]
    UnknownParam {
        /// The law.
        law: &'static str,
        /// The name, with the wrapper before a dot.
        name: String,
        /// Similar names, one of which may be meant.
        near: Vec<String>,
    },
    /// No recipe of the law uses this quantity.
    #[error("law '{law}' cannot be computed from '{name}'")]
    UnknownInput {
        /// The law.
        law: &'static str,
        /// The quantity.
        name: String,
        /// The value it was given.
        value: f64,
        /// Similar names, one of which may be meant.
        near: Vec<&'static str>,
    },
    /// Each quantity is used by a recipe, but no recipe uses all of them.
    #[error("law '{law}' cannot be computed from {} together", given.join(", "))]
    NoRecipe {
        /// The law.
        law: &'static str,
        /// The quantities.
        given: Vec<String>,
    },
    /// A value out of bounds, or not a number.
    #[error("parameter '{name}' = {} is outside {} [{}]", short(*value), interval([param.min, param.max], 17), param.unit)]
    Value {
        /// The name, with the wrapper before a dot.
        name: String,
        /// Its unit and bounds.
        param: &'static Param,
        /// The value.
        value: f64,
    },
    /// A condition between parameters that does not hold.
    #[error("{} requires that {text}, but {}", owner(law, *part), listed(values))]
    Relation {
        /// The law, or the controller.
        law: &'static str,
        /// The group of the parameters.
        part: ParameterGroup,
        /// The condition.
        text: &'static str,
        /// Its parameters, by their full names, and their values.
        values: Vec<(String, &'static Param, f64)>,
        /// Those that were not given.
        assumed: Vec<String>,
    },
    /// Too few or too many values.
    #[error("law '{law}' has {expected} parameters, {given} values were given")]
    Count {
        /// The law.
        law: &'static str,
        /// How many it has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// The force jumps where motion begins, and `hold` does not cover it.
    #[error("the force of law '{law}' jumps by {} when motion begins{}, but hold is {}", brief(jump.jump), sliding(jump.before), brief(jump.hold))]
    JumpsAtRest {
        /// The law.
        law: &'static str,
        /// The jump.
        jump: JumpAtRest,
    },
    /// A law that is not suitable, for example as the model of a controller.
    #[error("'law' {why}")]
    Unsuited {
        /// Why not.
        why: &'static str,
    },
}

impl LawError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownLaw { near, .. } => {
                let laws: Vec<&str> = laws::names().collect();
                did_you_mean(near).or_else(|| Some(format!("the laws are: {}", laws.join(", "))))
            }
            Self::UnknownParam { law, name, near } => did_you_mean(near).or_else(|| params(law, name)),
            Self::UnknownInput { law, near, .. } => did_you_mean(near).or_else(|| recipes(law)),
            Self::NoRecipe { law, .. } => recipes(law),
            Self::Value { param, .. } => {
                let about = param.doc.trim().trim_end_matches('.');
                let about = if about.is_empty() { String::new() } else { format!("{about}; ") };
                Some(format!("{about}the default is {}", short(param.default)))
            }
            Self::Relation { values, assumed, .. } if assumed.is_empty() => {
                let keys: Vec<&str> = values.iter().map(|(key, ..)| key.as_str()).collect();
                Some(format!("change {}", keys.join(" or ")))
            }
            Self::Relation { assumed, .. } => {
                Some(format!("set {}, too; the default does not meet the condition", assumed.join(" and ")))
            }
            Self::Count { .. } => Some("give one value for each parameter".to_owned()),
            Self::JumpsAtRest { jump, .. } => {
                let [backward, forward] = jump.begun;
                Some(format!(
                    "a body at rest would switch between the directions without end: motion begins with {} forwards and {} backwards, and force ± hold at v = 0 must reach both, as force {} with hold {} does; for force = \"load*fc*sign(v)\" it is hold = \"load*fc\"",
                    brief(forward),
                    brief(backward),
                    brief(0.5 * (forward + backward)),
                    brief(0.5 * (forward - backward))
                ))
            }
            Self::Unsuited { .. } => Some("see 'stiction scenarios --keys'".to_owned()),
        }
    }
}

fn brief(x: f64) -> String {
    short(round(x, 4))
}

fn sliding(before: Option<f64>) -> String {
    before.map_or(String::new(), |v| format!(" after sliding at {} m/s", brief(v)))
}

/// The law, controller or wrapper that a condition belongs to.
fn owner(law: &str, part: ParameterGroup) -> String {
    match part {
        ParameterGroup::Law if laws::find(law).is_some() => format!("law '{law}'"),
        ParameterGroup::Law => format!("'{law}'"),
        ParameterGroup::Reverse => format!("law '{law}' in reverse"),
        ParameterGroup::Load | ParameterGroup::Noise => part.prefix().to_owned(),
    }
}

fn listed(values: &[(String, &'static Param, f64)]) -> String {
    let each = values.iter().map(|(key, param, value)| format!("{key} = {} [{}]", short(*value), param.unit));
    each.collect::<Vec<_>>().join(", ")
}

/// The parameters of the group that `name` belongs to.
fn params(law: &str, name: &str) -> Option<String> {
    let part =
        name.split_once('.').and_then(|(prefix, _)| ParameterGroup::wrapper(prefix)).unwrap_or(ParameterGroup::Law);
    let names: Vec<String> = part.params(laws::find(law)?).iter().map(|p| part.key(p.name)).collect();
    if names.is_empty() {
        return Some("it has no parameters".to_owned());
    }
    Some(format!("its parameters are: {}", names.join(", ")))
}

fn recipes(law: &str) -> Option<String> {
    let law = laws::find(law)?;
    let each = law.recipes.iter().map(|recipe| recipe.inputs.iter().map(|p| p.name).collect::<Vec<_>>().join(", "));
    Some(match each.collect::<Vec<_>>().join("; or from ").as_str() {
        "" => format!("law '{}' has no recipe; give its own parameters", law.name),
        each => format!("it can be computed from {each}"),
    })
}
