//! The steady curve of a law: the force after sliding for long at each speed.
//!
//! ```
//! use stiction::Spec;
//! use stiction::analysis::steady_curve::SteadyCurve;
//!
//! let law = Spec::new("coulomb")?.build()?;
//! let curve = SteadyCurve::new(law.as_ref(), vec![-0.1, 0.1], 1.0)?;
//! assert_eq!(curve.force, [-1.0, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
use crate::Spec;
use stiction_core::Input;
use stiction_core::registry::DynLaw;
use stiction_io::number::short;

/// Forces of steady sliding.
#[derive(Clone, Debug, PartialEq)]
pub struct SteadyCurve {
    /// Speeds.
    pub v: Vec<f64>,
    /// The force at each.
    pub force: Vec<f64>,
}

/// An input outside the range that laws accept.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InputLimitError {
    /// A speed that is not a number.
    #[error("a speed is not a number")]
    NotANumber,
    /// A speed beyond all laws.
    #[error("v = {} is too large to compute with", short(*v))]
    Speed {
        /// The speed.
        v: f64,
    },
    /// A speed at which the law itself gives no number.
    #[error("the steady force at v = {} is not a number", short(*v))]
    NoForce {
        /// The speed.
        v: f64,
    },
    /// A law whose memory has no limit in long sliding.
    #[error("with these parameters the force has no limit in long sliding: there is no steady force at v = {}", short(*v))]
    NoLimit {
        /// The speed.
        v: f64,
    },
    /// A load beyond all laws.
    #[error("the load factor {} is beyond {}", short(*factor), short(*max))]
    Load {
        /// Load over nominal load.
        factor: f64,
        /// The largest one.
        max: f64,
    },
}

impl InputLimitError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotANumber => "leave it out",
            Self::Speed { .. } => "use a smaller speed",
            Self::NoForce { .. } => {
                "use a smaller speed; for a law of yours, 'stiction check FILE.toml' says where it breaks down"
            }
            Self::NoLimit { .. } => {
                "look at its loops instead: 'stiction hysteresis'; 'stiction models NAME' says what its parameters mean"
            }
            Self::Load { .. } => {
                "the load is a multiple of the nominal load; to give it in newtons, set load.slope to 1/(nominal load)"
            }
        }
    }
}

impl SteadyCurve {
    /// At these speeds, under a load factor.
    ///
    /// # Errors
    /// [`InputLimitError::Speed`] if a speed is beyond what laws compute with, [`InputLimitError::NoForce`] if the law gives no
    /// number there.
    pub fn new(model: &dyn DynLaw, v: Vec<f64>, load: f64) -> Result<Self, InputLimitError> {
        let mut force = Vec::with_capacity(v.len());
        steady_forces(model, &v, load, &mut force)?;
        Ok(Self { v, force })
    }
    /// The curve in order of speed; where it passes through rest, with the forces there, from below to above.
    pub fn through_rest(&self, rest: &AtRest) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = self.v.iter().copied().zip(self.force.iter().copied()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (below, above): (Vec<_>, Vec<_>) = points.into_iter().filter(|p| p.0 != 0.0).partition(|p| p.0 < 0.0);
        let both = !below.is_empty() && !above.is_empty();
        let [low, high] = rest.held;
        let through = [rest.below, low, high, rest.above].map(|force| (0.0, force)).into_iter().filter(|_| both);
        below.into_iter().chain(through).chain(above).collect()
    }
}

/// More than any machine has \[N\]. Laws without a limit give 1e30 times the load, or not a number.
const UNLIMITED_FORCE: f64 = 1e20;

/// Appends the steady force at each of these speeds.
///
/// # Errors
/// As [`SteadyCurve::new`]; `out` then has the forces before that speed.
pub fn steady_forces(model: &dyn DynLaw, v: &[f64], load: f64, out: &mut Vec<f64>) -> Result<(), InputLimitError> {
    for &v in v {
        let u = Input { v, load };
        let force = model.steady(&u);
        match (u.slip() == v, force.is_finite()) {
            (false, _) if v.is_nan() => return Err(InputLimitError::NotANumber),
            (false, _) => return Err(InputLimitError::Speed { v }),
            (true, _) if !model.settles() && (force.is_nan() || force.abs() > UNLIMITED_FORCE) => {
                return Err(InputLimitError::NoLimit { v });
            }
            (true, false) => return Err(InputLimitError::NoForce { v }),
            // a zero without a sign
            (true, true) => out.push(force + 0.0),
        }
    }
    Ok(())
}

/// The forces of a law about rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtRest {
    /// At the slowest speed backwards.
    pub below: f64,
    /// The interval of forces that it holds at rest; a single force without stiction.
    pub held: [f64; 2],
    /// At the slowest speed forwards.
    pub above: f64,
}

/// A speed so small that only its sign matters, whose square is still a number.
const TINY_SPEED: f64 = 1e-100;

impl AtRest {
    /// Of a law whose bristles have settled.
    pub fn new(model: &dyn DynLaw, load: f64) -> Self {
        let u = Input { v: 0.0, load };
        let mut z = vec![0.0; model.len()];
        model.settled(&u, &mut z);
        let [below, above] = [-TINY_SPEED, TINY_SPEED].map(|v| model.steady(&u.with_v(v)));
        let centre = model.force(&z, &u);
        Self { below, held: [centre - model.hold(&z, &u, -1.0), centre + model.hold(&z, &u, 1.0)], above }
    }
    /// Whether it holds a whole interval of forces.
    pub fn holds(&self) -> bool {
        self.held[0] < self.held[1]
    }
    /// The forces between which the steady curve of a law without stiction jumps at rest, if it does.
    pub fn jump(model: &dyn DynLaw, load: f64) -> Option<[f64; 2]> {
        // a jump is there however slow; a steep curve falls with the speed
        let jump = |v: f64| {
            let [near, far] = [v, v * 1e10].map(|v| model.steady(&Input { v, load }));
            if near.abs() > 0.5 * far.abs() { near } else { 0.0 }
        };
        let ends = [-TINY_SPEED, TINY_SPEED].map(jump);
        (ends != [0.0; 2]).then_some(ends)
    }
}

/// The load factor of a law under a load in the unit of its `load.slope`.
///
/// # Errors
/// [`InputLimitError::Load`] if it is beyond what laws compute with.
pub fn load_factor(spec: &Spec, load: f64) -> Result<f64, InputLimitError> {
    let factor = spec.load_factor(load);
    let pressed = |load| Input { v: 0.0, load }.pressed();
    if pressed(factor.abs()) == factor.abs() {
        Ok(factor)
    } else {
        Err(InputLimitError::Load { factor, max: pressed(f64::MAX) })
    }
}
