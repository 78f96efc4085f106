//! The chain of Burridge and Knopoff, the classic model of an earthquake fault.
use crate::system::{Body, Contact, GROUND, Signal, Spring, System};
use crate::{SimError, Spec};
use stiction_core::Real;

/// A chain of blocks on a rough floor, each pulled through a spring by a plate that moves slowly, with friction that
/// falls with speed (Burridge1967), in the non-dimensional form of (Carlson1989):
///
/// ```text
/// d²xⱼ/dt² = l² (xⱼ₊₁ − 2xⱼ + xⱼ₋₁) − xⱼ + νt − φ(dxⱼ/dt)
/// ```
///
/// Time is in periods of a block on its plate spring over 2π, length in stretches of that spring at which friction gives
/// way. The ends are free. Friction is `φ = (1 − σ)/(1 + 2αv/(1 − σ))`, at rest up to 1: the registry's `carlson-langer`.
/// The drop σ came later (Carlson1991): without it the smallest quakes are as small as the drive is slow, and nothing is
/// left of them in its limit. What a step takes from waves must be little beside α, at which slip grows: it damps them at
/// rates up to `h·(4l² + 1)/2` at θ = 1, and not at all at θ = ½.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BurridgeKnopoffChain {
    /// Number of blocks.
    pub blocks: usize,
    /// Speed of sound [blocks per unit of time]: the root of the chain's stiffness over that of the plate springs.
    pub wave_speed: f64,
    /// Half the fall of friction with speed, at rest.
    pub alpha: f64,
    /// How much of its friction σ a block loses as it lets go.
    pub stress_drop: f64,
    /// Speed of the plate ν.
    pub plate_speed: f64,
    /// Largest displacement at the beginning, where blocks lie at random.
    pub roughness: f64,
    /// Seed of the random displacements.
    pub seed: u32,
}
impl Default for BurridgeKnopoffChain {
    fn default() -> Self {
        Self {
            blocks: 200,
            wave_speed: 10.0,
            alpha: 3.0,
            stress_drop: 0.01,
            plate_speed: 0.01,
            roughness: 1e-3,
            seed: 1,
        }
    }
}

impl BurridgeKnopoffChain {
    /// ControllerInput of the least quake: one block slips while its neighbours hold. As long as it is slow, friction falls in
    /// a straight line, and `x'' = σ − ω²x + 2αx'` with `ω² = 2l² + 1` comes to rest after half a swing.
    pub fn smallest_moment(&self) -> f64 {
        let (square, alpha) = (2.0 * self.wave_speed * self.wave_speed + 1.0, self.alpha);
        let half = std::f64::consts::PI / (square - alpha * alpha).sqrt();
        self.stress_drop / square * (1.0 + (alpha * half).exp())
    }
    /// ControllerInput from which on quakes run away, `2l/α` (Carlson1991).
    pub fn runaway_moment(&self) -> f64 {
        2.0 * self.wave_speed / self.alpha
    }
    /// The chain: bodies `b0`, `b1`, …, contacts `f0`, …, plate springs `p0`, …, and springs `c1`, … to the block before.
    ///
    /// # Errors
    /// [`SimError::System`] or [`SimError::Law`] for parameters that are not possible.
    pub fn system(&self) -> Result<System, SimError> {
        let mut law = Spec::new("carlson-langer")?;
        law.set("fs", 1.0)?
            .set("fc", 1.0 - self.stress_drop)?
            .set("vs", 0.5 * (1.0 - self.stress_drop) / self.alpha)?;
        let mut system = System::new();
        let plate = Signal::Ramp { offset: 0.0, slope: self.plate_speed, start: 0.0, end: f64::INFINITY };
        let plate = system.motion("plate", plate, false)?;
        let mut before = None;
        for i in 0..self.blocks {
            let x = self.roughness * (2.0 * f64::uniform(f64::from(self.seed), i as f64) - 1.0);
            let node = system.body(&format!("b{i}"), Body { x, ..Body::default() })?;
            system.spring(&format!("p{i}"), node, plate, Spring::linear(1.0))?;
            system.contact(&format!("f{i}"), node, GROUND, Contact::new(&law)?)?;
            if let Some(before) = before.replace(node) {
                system.spring(&format!("c{i}"), before, node, Spring::linear(self.wave_speed * self.wave_speed))?;
            }
        }
        Ok(system)
    }
}
