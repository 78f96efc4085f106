//! The kernel of each law, by its name.
use super::SingleContact;
use super::collocation::Collocation;
use super::kernel::Kernel;
use super::law::LawFunctions;
use super::step::Rosenbrock;
#[cfg(target_arch = "aarch64")]
use crate::dispatch::Baseline as Fastest;
#[cfg(not(target_arch = "aarch64"))]
use crate::dispatch::Fma as Fastest;
use crate::dispatch::InstructionSet;
use stiction_core::Params;
use stiction_core::models::{
    BlimanSorine, BoucWen, CarlsonLanger, Coulomb, CoulombSat, CoulombTanh, Dahl, Dankowicz, Dieterich, ElastoPlastic,
    Gear, Karnopp, LuGre, RateState, Ruina, Simscape, SlipVariable, Stiction, Stribeck, StribeckDankowicz, StribeckSat,
    StribeckTanh, Viscous,
};
use stiction_core::registry::LawEntry;

/// A function that takes steps of a system until there is an event to handle.
pub(super) type StepKernel = fn(&mut SingleContact);

/// Whether the stages of a step are computed in lanes: the law has at most one number of memory, and no controller has another one. A law of
/// programs is evaluated one number at a time, so that lanes would gain nothing.
pub(super) fn suits_lanes(law: &LawEntry, has_controllers: bool) -> bool {
    !has_controllers && law.program().is_none() && law.states.len() < 2
}

/// The kernel for a law, with its stages in lanes or not, and the functions of that law, if it has them and this machine fuses products and
/// sums. Laws have them that are short, whose whole memory flows, and that do not jump.
pub(super) fn kernel(law: &LawEntry, in_lanes: bool) -> Option<(StepKernel, LawFunctions)> {
    let run = match (law.states.len(), in_lanes) {
        (0, true) => Fastest::job::<Kernel<Collocation, 0>, _>(),
        (1, true) => Fastest::job::<Kernel<Collocation, 1>, _>(),
        (0, false) => Fastest::job::<Kernel<Rosenbrock, 0>, _>(),
        (1, false) => Fastest::job::<Kernel<Rosenbrock, 1>, _>(),
        _ => Fastest::job::<Kernel<Rosenbrock, 2>, _>(),
    }?;
    if let Some(program) = law.program() {
        return if program.jumps() { None } else { Some((run, LawFunctions::of_program::<Fastest>(program)?)) };
    }
    macro_rules! find {
        ($($Law:ident)*) => {
            $(if <$Law<f64> as Params<f64>>::NAME == law.name {
                return Some((run, LawFunctions::of::<$Law<f64>, Fastest>()?));
            })*
        };
    }
    find! {
        BlimanSorine BoucWen CarlsonLanger Coulomb CoulombSat CoulombTanh Dahl Dankowicz Dieterich ElastoPlastic Gear
        Karnopp LuGre RateState Ruina Simscape SlipVariable Stiction Stribeck StribeckDankowicz StribeckSat StribeckTanh
        Viscous
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{GUARDS_MAX, PARAMS_MAX, STATE_MAX};
    use super::kernel;
    use stiction_core::{Input, models};

    /// Whether a law fits the kernel: it is short, all of its memory flows, and it does not jump.
    fn fits(entry: &stiction_core::registry::LawEntry) -> bool {
        let values: Vec<f64> = entry.params.iter().map(|param| param.default).collect();
        let law = entry.build(&values).expect("defaults are sound");
        let short = law.len() <= STATE_MAX - 2 && values.len() <= PARAMS_MAX && law.guard_count() <= GUARDS_MAX + 1;
        let jumps = |v: f64, z: f64| {
            let before = vec![z; law.len()];
            let mut after = before.clone();
            law.jump(&mut after, &Input::at(v));
            before != after
        };
        let stays = [-0.1, -1e-6, 0.0, 1e-6, 0.1].iter().all(|&v| [-0.3, 0.0, 1e-6, 0.8].iter().all(|&z| !jumps(v, z)));
        short && (0..law.len()).all(|i| law.flows(i)) && stays
    }

    #[test]
    fn the_list_has_every_law_that_fits() {
        if kernel(models::find("lugre").expect("a law"), false).is_none() {
            return crate::skip::skip("this machine does not fuse products and sums");
        }
        for entry in models::ALL {
            assert_eq!(fits(entry), kernel(entry, false).is_some(), "{}", entry.name);
        }
    }
}
