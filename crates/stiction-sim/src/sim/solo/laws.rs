//! The kernel of each law, by its name.
use super::Solo;
use super::lap::Lap;
#[cfg(target_arch = "aarch64")]
use crate::dispatch::Baseline as Fastest;
#[cfg(not(target_arch = "aarch64"))]
use crate::dispatch::Fma as Fastest;
use crate::dispatch::Set;
use stiction_core::Params;
use stiction_core::models::{
    BlimanSorine, BoucWen, CarlsonLanger, Coulomb, CoulombSat, CoulombTanh, Dahl, Dankowicz, Dieterich, ElastoPlastic,
    Gear, Karnopp, LuGre, RateState, Ruina, Simscape, SlipVariable, Stiction, Stribeck, StribeckDankowicz, StribeckSat,
    StribeckTanh, Viscous,
};

/// The kernel of the law called `name`, if it has one and this machine fuses products and sums. Laws do that are short,
/// whose whole memory flows, and that do not jump.
pub(super) fn kernel(name: &str) -> Option<fn(&mut Solo)> {
    macro_rules! find {
        ($($Law:ident)*) => {
            $(if <$Law<f64> as Params<f64>>::NAME == name {
                return Fastest::job::<Lap<$Law<f64>>, _>();
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
    use super::super::{GUARDS, VALUES, WIDE};
    use super::kernel;
    use stiction_core::Input;

    /// Whether a law is what its kernel takes it for: short, all of its memory flows, and it does not jump.
    fn fits(entry: &stiction_core::registry::Entry) -> bool {
        let values: Vec<f64> = entry.params.iter().map(|param| param.default).collect();
        let law = entry.build(&values).expect("defaults are sound");
        let short = law.len() <= WIDE - 2 && values.len() <= VALUES && law.guard_count() <= GUARDS + 1;
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
        if kernel("lugre").is_none() {
            eprintln!("skipped: this machine does not fuse products and sums");
            return;
        }
        for entry in stiction_core::models::ALL {
            assert_eq!(fits(entry), kernel(entry.name).is_some(), "{}", entry.name);
        }
    }
}
