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
//! ```
//! [`fit()`] finds `a`, `b_i`, `dc_i`, `k` and `mu0` from friction over time at a given velocity of the load point. The
//! equations are stiff just after a step; they are integrated by the Rosenbrock method of the simulator over dual numbers,
//! which gives exact derivatives by all parameters.
mod fit;
mod rosenbrock;
mod spring_slider;
mod summary;

pub use fit::{RateStateOptions, VelocitySteps, fit, simulate};
pub use spring_slider::{SpringSlider, StateEvolution};
