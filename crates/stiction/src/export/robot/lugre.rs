//! LuGre as MuJoCo's `dcmotor` has it.
use crate::error::RobotError;
use crate::{Error, ParameterGroup, Spec};

/// The parameters of MuJoCo's LuGre friction: `dz/dt = v − σ0·|v|/g(v)·z`, `g(v) = Fc + (Fs − Fc)·exp(−(v/vs)²)`,
/// `F = σ0·z + σ1·dz/dt + σ2·v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristles {
    /// Bristle stiffness σ0.
    pub sigma0: f64,
    /// Bristle damping σ1.
    pub sigma1: f64,
    /// Viscous coefficient σ2.
    pub sigma2: f64,
    /// Coulomb level Fc.
    pub fc: f64,
    /// Break-away level Fs.
    pub fs: f64,
    /// Stribeck velocity vs.
    pub vs: f64,
}

impl Bristles {
    /// Those of a law under a load.
    ///
    /// # Errors
    /// [`RobotError::NotLuGre`] for a law whose equations are others.
    pub fn new(spec: &Spec, load: f64) -> Result<Self, Error> {
        let other = |why: &'static str| Error::from(RobotError::NotLuGre { why });
        if spec.law().name != "lugre" || spec.law().program().is_some() {
            return Err(other("its equations are others"));
        }
        if spec.has(ParameterGroup::Reverse) || spec.has(ParameterGroup::Noise) {
            return Err(other("it has no parameters for reverse motion and no noise"));
        }
        let value = |name: &str| spec.get(name).map_err(Error::from);
        let (fc, fs) = (value("fc")?, value("fs")?);
        if value("exponent")? != 2.0 && fs != fc {
            return Err(other("its Stribeck exponent is 2"));
        }
        if value("gamma")? != 1.0 && value("sigma2")? != 0.0 {
            return Err(other("its viscous friction is proportional to the speed, gamma = 1"));
        }
        // the largest speed keeps the damping constant
        let largest = spec.law().params.iter().find(|p| p.name == "vd").map(|p| p.max);
        if Some(value("vd")?) != largest && value("sigma1")? != 0.0 {
            return Err(other("its bristle damping does not fade with the speed"));
        }
        // dry forces are proportional to the load, stiffness and damping of the bristles too
        let factor = spec.load_factor(load).max(0.0);
        let dry = |name: &str| value(name).map(|x| x * factor);
        Ok(Self {
            sigma0: dry("sigma0")?,
            sigma1: dry("sigma1")?,
            sigma2: value("sigma2")?,
            fc: fc * factor,
            fs: fs * factor,
            vs: value("vs")?,
        })
    }
}
