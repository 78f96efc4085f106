//! A law as data: straight-line programs that run over any number.
//!
//! A [`Program`] is a list of operations without branches. It is what a law written in Rust becomes when it is evaluated over a
//! recording number, and what the equations of a law file become when they are read. A [`Replay`] runs it over any
//! [`Real`](crate::Real); [`derivative`] gives the program of its partial derivatives. A [`LawProgram`] is a whole law:
//! programs of its force, rates, guards and jumps, and [`ProgramLaw`] that law with its parameters.
//!
//! ```
//! use stiction_core::program::{Builder, Precision, Replay};
//!
//! let mut builder = Builder::new(Precision::Double);
//! let (x, y) = (builder.input(0), builder.input(1));
//! let product = builder.multiply(x, y);
//! let again = builder.multiply(x, y);                                  // the same operation, kept once
//! let sum = builder.add(product, again);
//! let program = builder.program(2, &[sum]);
//! assert_eq!(program.operations.len(), 4);
//! let mut out = [0.0];
//! Replay::new(&program).unwrap().run(|i| [3.0, 0.5][i], &mut out);
//! assert_eq!(out, [3.0]);
//! ```
mod builder;
mod constant_folding;
mod controlled_step;
mod dead_code;
mod derivative;
mod elimination;
mod elimination_loop;
mod implicit_step;
mod law;
mod operation;
mod replay;
mod rosenbrock_loop;
mod sample_step;
mod smooth_products;
mod straight_line;
mod switching;
mod text;
mod vanishing;

pub use builder::Builder;
pub use derivative::{derivative, directional_derivative};
pub use law::{LawEquations, LawProgram, LawProgramError, PROGRAM_STATES_MAX, ProgramLaw, inputs};
pub use operation::{Arithmetic, Function, Loop, Operation, OperationId, Precision, Value, WordOperator};
pub use replay::Replay;
pub use straight_line::Program;
pub use text::ParseError;
