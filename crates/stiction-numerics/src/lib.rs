//! Numerical methods behind the identification and analysis of friction: [linear algebra](dense), [least squares](fit) with
//! their errors, [signal processing](signal), and work on [several processors](parallel).
pub mod dense;
pub mod fit;
pub mod flaw;
pub mod parallel;
pub mod signal;
