//! The chain of Burridge and Knopoff, the classic model of an earthquake fault.
use crate::system::{Body, Contact, GROUND, Signal, Spring, System};
use crate::{Error, Spec};
use stiction_core::Real;

/// A chain of blocks on a rough floor, each pulled through a spring by a plate that moves slowly, with friction that
/// falls with speed (Burridge1967), in the non-dimensional form of (Carlson1989):
///
/// ```text
/// d²xⱼ/dt² = l² (xⱼ₊₁ − 2xⱼ + xⱼ₋₁) − xⱼ + νt − φ(dxⱼ/dt)
/// ```
///
/// Time is in periods of a block on its plate spring over 2π, length in stretches of that spring at which friction gives
/// way. The ends are free. Theirs is `φ = 1/(1 + 2αv)`; here it is the registry's `stribeck` with `fs = 1`, `fc = floor`,
/// `exponent = 1` and `vs = (1 − floor)/(2α)`: the same strength and, from rest, the same fall `2α`, which is what lets
/// slip grow. Fast slip meets the floor, where theirs goes on to fall; at α = 4 and a speed of one theirs is 0.11.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// Number of blocks.
    pub blocks: usize,
    /// Speed of sound [blocks per unit of time]: the root of the chain's stiffness over that of the plate springs.
    pub l: f64,
    /// Half the fall of friction with speed, at rest.
    pub alpha: f64,
    /// Friction of fast slip, over that at rest.
    pub floor: f64,
    /// Speed of the plate ν.
    pub drive: f64,
    /// Largest displacement at the beginning, where blocks lie at random.
    pub rough: f64,
    /// Seed of the random displacements.
    pub seed: u32,
}
impl Default for Chain {
    fn default() -> Self {
        Self { blocks: 200, l: 10.0, alpha: 3.0, floor: 0.1, drive: 0.01, rough: 1e-3, seed: 1 }
    }
}

impl Chain {
    /// The chain: bodies `b0`, `b1`, …, contacts `f0`, …, plate springs `p0`, …, and springs `c1`, … to the block before.
    ///
    /// # Errors
    /// [`Error::System`] or [`Error::Value`] for parameters that are not possible.
    pub fn system(&self) -> Result<System, Error> {
        let mut law = Spec::new("stribeck")?;
        law.set("fs", 1.0)?.set("fc", self.floor)?.set("exponent", 1.0)?.set("fv", 0.0)?;
        law.set("vs", 0.5 * (1.0 - self.floor) / self.alpha)?;
        let mut system = System::new();
        let plate = Signal::Ramp { offset: 0.0, slope: self.drive, start: 0.0, end: f64::INFINITY };
        let plate = system.motion("plate", plate, false)?;
        let mut before = None;
        for i in 0..self.blocks {
            let x = self.rough * (2.0 * f64::uniform(f64::from(self.seed), i as f64) - 1.0);
            let node = system.body(&format!("b{i}"), Body { x, ..Body::default() })?;
            system.spring(&format!("p{i}"), node, plate, Spring::linear(1.0))?;
            system.contact(&format!("f{i}"), node, GROUND, Contact::new(&law)?)?;
            if let Some(before) = before.replace(node) {
                system.spring(&format!("c{i}"), before, node, Spring::linear(self.l * self.l))?;
            }
        }
        Ok(system)
    }
}
