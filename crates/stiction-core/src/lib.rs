//! Friction laws, written once over any number: `no_std`, no allocation, no panic, no unsafe.
//!
//! A law is a struct of parameters over a [`Real`] that implements [`Friction`]. The same source gives the
//! force in `f32` and `f64`, its exact derivatives in [`Dual`], and `N` contacts side by side in [`Lanes`].
//!
//! ```
//! use stiction_core::{Friction, Input, Params, models::LuGre};
//!
//! let law = LuGre::<f64>::nominal();
//! let u = Input::at(2e-3);                       // 2 mm/s at nominal load
//! let mut z = [0.0];
//! for _ in 0..1000 {
//!     z = law.step(&z, &u, 1e-3);                // one sample of 1 ms, exact at constant v
//! }
//! assert!((law.force(&z, &u) - law.steady(&u)).abs() < 1e-12);
//! ```
//!
//! | to | see |
//! |---|---|
//! | take a law, or see which there are | [`models`]; by name [`models::find`] (feature `alloc`) |
//! | know what a law is, or write one | [`model`], [`params`](mod@params), [`curve`](mod@curve), [`step`](mod@step) |
//! | wrap a law: parameters per direction, load, noise | [`wrap`] |
//! | step a body against a law, with true stick | [`contact`] |
//! | control a servo with friction, on a controller | [`control`] |
//! | have a law as data, or write one in a file | [`program`] (feature `alloc`) |
//! | compute with other numbers | [`real`], [`dual`], [`lanes`], [`math`] |
//!
//! Names, files and simulations are in the crate `stiction`, which builds on this one.
#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#[cfg(feature = "alloc")]
extern crate alloc;

pub mod contact;
pub mod control;
pub mod curve;
pub mod dual;
mod float_bits;
pub mod lanes;
pub mod math;
pub mod model;
pub mod models;
pub mod params;
#[cfg(feature = "alloc")]
pub mod program;
pub mod real;
#[cfg(feature = "alloc")]
pub mod registry;
pub mod rodas5p;
pub mod step;
pub mod wrap;

pub use dual::Dual;
pub use lanes::{LaneMask, Lanes};
pub use model::{Friction, Input, Law, StateVector};
pub use params::{Param, ParamError, Params, Recipe, Relation, StateInfo};
pub use real::{Mask, Real};
