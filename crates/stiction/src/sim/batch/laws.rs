//! The kernels of each law, by its name.
use super::attempt::Small;
use super::block::Block;
use super::touch::{Answer, AnswerSlopes, Contact};
use crate::dispatch::Set;
use stiction_core::models::LuGre;
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

fn kernels_of<M: Law<f64>, S: Set, const N: usize>() -> Option<Kernels<N>> {
    Some(Kernels {
        small: S::job::<Small<M>, _>()?,
        flow: S::job::<Answer<M>, _>()?,
        slopes: S::job::<AnswerSlopes<M>, _>()?,
    })
}

/// The kernels of the law called `name`, if it has any. Laws without stick, without modes and with a short memory do; they
/// are listed because each takes time to compile. A test compares the list with what the laws say of themselves.
pub(super) fn kernels<S: Set, const N: usize>(name: &str) -> Option<Kernels<N>> {
    macro_rules! find {
        ($($Law:ident)*) => {
            $(if <$Law<f64> as Params<f64>>::NAME == name {
                return kernels_of::<$Law<f64>, S, N>();
            })*
        };
    }
    find! {
        LuGre
    }
    None
}
