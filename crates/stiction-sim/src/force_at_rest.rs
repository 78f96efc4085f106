//! Whether the force of a law jumps where motion begins, beyond the set of forces that holds a body at rest.
//!
//! With the memory fixed, the force just above and just below `v = 0` has to lie within `force(v = 0) ± hold`. Otherwise a body that is
//! pushed with a force in between neither rests nor moves: a simulation would switch between the directions without end.
//!
//! ```
//! use stiction_sim::{Spec, force_at_rest::JumpAtRest};
//!
//! let law = Spec::new("stribeck")?.build()?;
//! assert_eq!(JumpAtRest::find(&*law), None);
//! # Ok::<(), stiction_sim::LawError>(())
//! ```
use stiction_core::Input;
use stiction_core::program::{LawProgram, Operation, inputs};
use stiction_core::registry::DynLaw;

/// A jump of the force at rest that nothing covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JumpAtRest {
    /// By how much the force jumps when motion begins \[N\].
    pub jump: f64,
    /// The half-width of the forces at rest \[N\].
    pub hold: f64,
    /// The forces with which motion begins, backwards and forwards \[N\].
    pub begun: [f64; 2],
    /// At which velocity the body had been sliding before; none if it has never moved \[m/s\].
    pub before: Option<f64>,
}

impl JumpAtRest {
    /// Looks for one: for a contact that has never moved, and after sliding for ever, with the memory decayed by half or not at all.
    pub fn find(law: &dyn DynLaw) -> Option<Self> {
        let never_moved = vec![0.0; law.len()];
        Self::at(law, &never_moved, None).or_else(|| {
            let slides = [1e-3, 0.1, -1e-3, -0.1].into_iter().filter(|_| !law.is_empty());
            slides.flat_map(|v| [1.0, 0.5].map(|part| (v, part))).find_map(|(v, part)| {
                let mut z = vec![0.0; law.len()];
                law.settled(&Input::at(v), &mut z);
                z.iter_mut().enumerate().filter(|(i, _)| law.flows(*i)).for_each(|(_, x)| *x *= part);
                law.jump(&mut z, &Input::at(0.0));
                if z.iter().all(|x| x.is_finite()) { Self::at(law, &z, Some(v)) } else { None }
            })
        })
    }
    fn at(law: &dyn DynLaw, z: &[f64], before: Option<f64>) -> Option<Self> {
        let rest = Input::at(0.0);
        let middle = law.force(z, &rest);
        // the force at a speed that has only a sign, or at the end of the band that counts as rest
        let begun = |dir: f64, speed: f64| {
            let mut moved = z.to_vec();
            let u = Input::at(dir * speed.max(1.01 * law.band(&rest)));
            law.jump(&mut moved, &u);
            law.force(&moved, &u)
        };
        [1.0, -1.0].into_iter().find_map(|dir: f64| {
            let force = begun(dir, 1e-200);
            let (jump, hold) = (dir * (force - middle), law.hold(z, &rest, dir));
            // a jump does not become smaller with the speed, as a steep slope does
            let stays = dir * (begun(dir, 1e-220) - middle) > 0.5 * jump;
            // beyond the band a law is at another speed than at its end, by a hundredth
            let allowed = 1e-3 * force.abs().max(middle.abs()).max(hold.abs());
            (stays && jump > hold + allowed).then(|| Self {
                jump,
                hold,
                begun: [begun(-1.0, 1e-200), begun(1.0, 1e-200)],
                before,
            })
        })
    }
}

/// Whether the force of a law of programs can jump at rest at all: it compares the velocity, or a mode changes.
pub(crate) fn can_jump(program: &LawProgram) -> bool {
    if program.jumps() {
        return true;
    }
    let force = program.equations.flow.with_outputs(&[0]);
    let mut depends = vec![false; force.operations.len()];
    force.operations.iter().enumerate().any(|(i, operation)| {
        depends[i] =
            matches!(operation, Operation::Input(inputs::V)) || operation.operands().any(|id| depends[id as usize]);
        depends[i] && matches!(operation, Operation::Less(..) | Operation::Equal(..))
    })
}
