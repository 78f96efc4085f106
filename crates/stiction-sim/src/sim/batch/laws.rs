//! The kernels of each law, by its name.
use super::attempt::{SingleBody, SingleBodyShared};
use super::block::Block;
use super::contact_law::{Contact, FlowKernel, ProgramFlowKernel, ProgramSlopesKernel, SlopesKernel};
use crate::dispatch::InstructionSet;
use stiction_core::models::{
    BlimanSorine, CoulombTanh, Dahl, Dankowicz, Dieterich, LuGre, Ruina, Simscape, StribeckDankowicz, StribeckTanh,
    Viscous,
};
use stiction_core::registry::LawEntry;
use stiction_core::{Law, Params};

/// What the engine does with a law, for one set of vector instructions.
#[derive(Clone, Copy)]
pub(super) struct Kernels<const N: usize> {
    /// An attempt at a step of one body with one contact.
    pub small: fn(&mut Block<N>),
    /// Rates and force of a contact, without and with their derivatives.
    pub flow: fn(&mut Contact<N>),
    pub slopes: fn(&mut Contact<N>),
}

fn kernels_of<M: Law<f64>, S: InstructionSet, const N: usize>() -> Option<Kernels<N>> {
    Some(Kernels {
        // law and step compiled together, unless the instructions are those of a few old machines only
        small: if S::IS_RARE { shared::<S, N>(M::STATES.len())? } else { S::job::<SingleBody<M>, _>()? },
        flow: S::job::<FlowKernel<M>, _>()?,
        slopes: S::job::<SlopesKernel<M>, _>()?,
    })
}

/// An attempt at a step of one body with one contact that calls the law, which has `count` numbers of memory.
fn shared<S: InstructionSet, const N: usize>(count: usize) -> Option<fn(&mut Block<N>)> {
    match count {
        0 => S::job::<SingleBodyShared<0>, _>(),
        1 => S::job::<SingleBodyShared<1>, _>(),
        _ => S::job::<SingleBodyShared<2>, _>(),
    }
}

/// The kernels of a law, if it has any. Laws without stick, without modes and with a short memory do; they
/// are listed because each takes time to compile. A test compares the list with what the laws say of themselves. Laws of
/// programs share one set of kernels.
pub(super) fn kernels<S: InstructionSet, const N: usize>(law: &LawEntry) -> Option<Kernels<N>> {
    if law.program().is_some() {
        return Some(Kernels {
            small: shared::<S, N>(law.states.len())?,
            flow: S::job::<ProgramFlowKernel, _>()?,
            slopes: S::job::<ProgramSlopesKernel, _>()?,
        });
    }
    let name = law.name;
    macro_rules! find {
        ($($Law:ident)*) => {
            $(if <$Law<f64> as Params<f64>>::NAME == name {
                return kernels_of::<$Law<f64>, S, N>();
            })*
        };
    }
    find! {
        BlimanSorine CoulombTanh Dahl Dankowicz Dieterich LuGre Ruina Simscape StribeckDankowicz StribeckTanh Viscous
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::block::MEMORY;
    use super::kernels;
    use crate::dispatch::Baseline;
    use stiction_core::Input;

    #[test]
    fn the_list_has_every_law_that_says_it_fits() {
        for entry in stiction_core::models::ALL {
            let values: Vec<f64> = entry.params.iter().map(|param| param.default).collect();
            let law = entry.build(&values).expect("defaults are sound");
            let z = vec![0.0; law.len()];
            let single = [-1.0, 1.0].iter().all(|dir| law.hold(&z, &Input::at(0.0), *dir) == 0.0);
            let plain = law.guard_count() == 1 && (0..law.len()).all(|i| law.flows(i)) && law.len() <= MEMORY;
            assert_eq!(kernels::<Baseline, 1>(entry).is_some(), single && plain, "{}", entry.name);
        }
    }
}
