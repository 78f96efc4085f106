//! The kernel of each law, by its name.
use super::Solo;
use super::lap::Lap;
#[cfg(not(target_arch = "x86_64"))]
use crate::dispatch::Baseline as Fastest;
#[cfg(target_arch = "x86_64")]
use crate::dispatch::Fma as Fastest;
use crate::dispatch::Set;
use stiction_core::Params;
use stiction_core::models::{
    BlimanSorine, CoulombTanh, Dahl, Dankowicz, Dieterich, LuGre, Ruina, Simscape, SlipVariable, StribeckDankowicz,
    StribeckTanh, Viscous,
};

/// The kernel of the law called `name`, if it has one and this machine fuses products and sums. Laws do whose whole memory
/// flows and is short, and that only jump where they turn; they are listed because each takes time to compile.
pub(super) fn kernel(name: &str) -> Option<fn(&mut Solo)> {
    macro_rules! find {
        ($($Law:ident)*) => {
            $(if <$Law<f64> as Params<f64>>::NAME == name {
                return Fastest::job::<Lap<$Law<f64>>, _>();
            })*
        };
    }
    find! {
        BlimanSorine CoulombTanh Dahl Dankowicz Dieterich LuGre Ruina Simscape SlipVariable StribeckDankowicz StribeckTanh
        Viscous
    }
    None
}
