//! Rate and state: velocity steps on a machine with stiffness.
//!
//! A load point pulls a slider through a spring, and friction follows speed and state:
//!
//! ```text
//! mu = mu0 + a ln(v/v0) + sum b_i psi_i,      psi_i = ln(v0 theta_i/dc_i)
//! dmu/dt = k (v_load - v)                     spring, stiffness over normal load
//! dtheta/dt = 1 - v theta/dc                  ageing (Dieterich1979)
//!           = -(v theta/dc) ln(v theta/dc)    slip (Ruina1983)
//!           = 1 - (v theta/(2 dc))^2          Perrin, Rice and Zheng (Perrin1995); psi = ln(v0 theta/(2 dc))
//!           = 1 - v theta/dc - (c/b) theta dmu/dt   Nagata (Nagata2012)
//! ```
//! [`fit()`] finds `a`, `b_i`, `dc_i`, `k` and `mu0` from friction over time at a given motion of the load point, beside a linear
//! trend. The equations are stiff just after a step; they are integrated by the Rosenbrock method of the simulator over dual numbers,
//! which gives exact derivatives by all parameters and by the times of the steps.
//!
//! 1. The load point moves at constant velocities between steps, whose times are found in its noisy displacement; how well they are
//!    known goes into the fit.
//! 2. A global search with `mu0`, `a` and the trend eliminated.
//! 3. Least squares with the noise of the residuals: white noise beside a wander, by restricted maximum likelihood.
//! 4. Intervals by profile likelihood.
mod fit;
mod intervals;
mod load_point;
mod model;
mod noise;
mod record;
mod rosenbrock;
mod search;
mod spring_slider;
mod step_record_set;
mod step_times;
mod summary;
mod thinning;

pub use fit::{RateStateOptions, Trend, fit, select_evolution};
pub use load_point::{LoadPoint, LoadPointOption};
pub use model::simulate;
pub use record::{VelocityStepOptions, VelocitySteps};
pub use spring_slider::{SpringSlider, StateEvolution};
pub use step_record_set::{StepModel, StepRecordSet};
