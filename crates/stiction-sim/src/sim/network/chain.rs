//! The Burridge–Knopoff chain, the classical model of an earthquake fault.
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
/// The unit of time is the period of a block on its plate spring over 2π, the unit of length the stretch of that spring at
/// break-away. The ends are free. Friction is `φ = (1 − σ)/(1 + 2αv/(1 − σ))`, at rest up to 1: the law `carlson-langer` of
/// the registry. The stress drop σ was added later (Carlson1991): without it the smallest slip events depend on the plate
/// speed and vanish with it. The numerical damping of waves must be small compared with α, the growth rate of slip: it is up
/// to `h·(4l² + 1)/2` at θ = 1, and zero at θ = ½.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BurridgeKnopoffChain {
    /// Number of blocks.
    pub blocks: usize,
    /// Speed of sound `l` [blocks per unit of time]: square root of the coupling stiffness over the plate spring stiffness.
    pub wave_speed: f64,
    /// Half the slope at which friction falls with speed, at rest.
    pub alpha: f64,
    /// Stress drop σ: relative loss of friction of a block at break-away.
    pub stress_drop: f64,
    /// Speed of the plate, ν.
    pub plate_speed: f64,
    /// Largest initial displacement; the blocks start at random positions.
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
    /// Moment of the smallest slip event: one block slips while its neighbours stick. As long as it is slow, friction falls
    /// linearly with speed, and `x'' = σ − ω²x + 2αx'` with `ω² = 2l² + 1` comes to rest after half a period.
    pub fn smallest_moment(&self) -> f64 {
        let (square, alpha) = (2.0 * self.wave_speed * self.wave_speed + 1.0, self.alpha);
        let half = std::f64::consts::PI / (square - alpha * alpha).sqrt();
        self.stress_drop / square * (1.0 + (alpha * half).exp())
    }
    /// Moment above which slip events run away, `2l/α` (Carlson1991).
    pub fn runaway_moment(&self) -> f64 {
        2.0 * self.wave_speed / self.alpha
    }
    /// The chain: bodies `b0`, `b1`, …, contacts `f0`, …, plate springs `p0`, …, and springs `c1`, … to the previous block.
    ///
    /// # Errors
    /// [`SimError::System`] or [`SimError::Law`] for invalid parameters.
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
