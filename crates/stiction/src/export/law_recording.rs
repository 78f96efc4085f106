//! Records a law, whether it is written in Rust or made of programs.
use super::recorder::{RecordedNumber, record_at_most};
use std::marker::PhantomData;
use stiction_core::models::{self, LawVisitor};
use stiction_core::program::{Program, ProgramLaw};
use stiction_core::registry::LawEntry;
use stiction_core::{Friction, Law, StateVector};

/// A number in the program being recorded.
pub(super) type N = RecordedNumber;

/// Operations that a function of a law may have. A C compiler takes half a minute for so many, JAX far longer, and nobody reads them; the
/// built-in laws stay below a tenth. Recording ends there, so that no law makes a user wait.
pub(super) const MOST_OPERATIONS: usize = 100_000;

/// What is recorded of a law, as the outputs of one program. Its inputs are some of its own, then the memory, then the parameters.
pub(super) trait LawRecording: Sized {
    /// Inputs before the memory.
    const INPUTS: usize;
    /// The outputs for a law that is written in Rust.
    fn compiled<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N>;
    /// The outputs for a law of programs.
    fn of_programs(law: &ProgramLaw<'_, N>, x: &[N]) -> Vec<N>;
    /// The program; none if it is too long.
    fn record(law: &LawEntry) -> Option<Program> {
        let (states, params) = (law.states.len(), law.params.len());
        let Some(program) = law.program() else {
            let mut find = Find::<Self> { name: law.name, found: None, how: PhantomData };
            models::for_each(&mut find);
            // every law that is not made of programs is in the list
            return find.found;
        };
        record_at_most(MOST_OPERATIONS, (Self::INPUTS + states + params) as u32, |x| {
            Self::of_programs(&ProgramLaw::new(program, x[Self::INPUTS + states..].to_vec()), x)
        })
    }
}

/// Finds a law by name among those that are written in Rust.
struct Find<R> {
    name: &'static str,
    found: Option<Program>,
    how: PhantomData<R>,
}

impl<R: LawRecording> LawVisitor for Find<R> {
    fn visit<M: Law<f64>>(&mut self) {
        if M::NAME != self.name {
            return;
        }
        let states = M::State::LEN;
        self.found = record_at_most(MOST_OPERATIONS, (R::INPUTS + states + M::PARAMS.len()) as u32, |x| {
            let mut next = R::INPUTS + states;
            let law = M::nominal().cast(|_| {
                next += 1;
                x[next - 1]
            });
            R::compiled(&law, x)
        });
    }
}

/// The memory among the inputs of a program, of which `first` come before it.
pub(super) fn memory<F: Friction<N>>(x: &[N], first: usize) -> F::State {
    let mut z = F::State::zero();
    (0..F::State::LEN).for_each(|i| z.set(i, x[first + i]));
    z
}
