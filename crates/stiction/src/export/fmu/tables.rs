//! What the runtime knows of a unit beside the programs of its law: sizes, parameters, states. `model.h` and the file for the prebuilt
//! library say the same.
use super::{Causality, FmuPlan, MASS_BOUNDS, UnitKind};
use stiction_core::Param;

/// Sizes and tables of a unit.
pub(super) struct Tables {
    /// Sizes, and what the law has, by name; in the order of the file for the prebuilt library.
    pub sizes: [(&'static str, usize); 10],
    /// Numbers, by name: of each parameter its value at the start and its bounds, of each state its usual size, of each number of memory
    /// its size while the law slides.
    pub numbers: [(&'static str, Vec<f64>); 5],
    /// Whether each state flows; the others change in jumps only.
    pub flows: Vec<bool>,
    /// Names of the parameters, as the importer knows them: the mass of a body, then those of the law.
    pub names: Vec<String>,
    /// The conditions between parameters, as text.
    pub conditions: Vec<String>,
}

impl Tables {
    pub fn of(plan: &FmuPlan) -> Self {
        let (programs, is_body) = (&plan.programs, plan.kind == UnitKind::Body);
        let column = |of_mass: f64, of: fn(&Param) -> f64| {
            is_body.then_some(of_mass).into_iter().chain(plan.params.iter().map(|(_, p)| of(p))).collect::<Vec<f64>>()
        };
        let motion = if is_body { 2 } else { 0 };
        let variables = plan.variables();
        Self {
            sizes: [
                ("IS_BODY", usize::from(is_body)),
                ("MEMORY", programs.states),
                ("LAW_PARAMETERS", programs.params),
                ("LAW_GUARDS", programs.guards.outputs.len()),
                ("CONDITIONS", programs.conditions.texts.len()),
                ("HAS_SET", usize::from(programs.hold.is_some())),
                ("HAS_BAND", usize::from(programs.band.is_some())),
                ("HAS_EXTREMUM", usize::from(programs.extremum.is_some())),
                ("HAS_JUMP", usize::from(programs.jump.is_some())),
                ("HAS_POWER_OF_MEMORY", usize::from(programs.has_power_of_memory())),
            ],
            numbers: [
                ("start_values", column(plan.mass, |p| p.default)),
                ("least_values", column(MASS_BOUNDS.0, |p| p.min)),
                ("largest_values", column(MASS_BOUNDS.1, |p| p.max)),
                ("state_nominals", variables.iter().filter_map(|variable| variable.nominal).collect()),
                ("memory_range", plan.ranges.clone()),
            ],
            flows: vec![true; motion].into_iter().chain(programs.flows.iter().copied()).collect(),
            names: variables
                .into_iter()
                .filter(|variable| variable.causality == Causality::Parameter)
                .map(|variable| variable.name)
                .collect(),
            conditions: programs.conditions.texts.clone(),
        }
    }
}
