//! Parameters: declared once, and used by files, command line, fitting and documentation.
//!
//! ```
//! use stiction_core::{Params, models::LuGre};
//!
//! let fc = &<LuGre<f64> as Params<f64>>::PARAMS[0];
//! assert_eq!((fc.name, fc.unit, fc.default), ("fc", "N", 1.0));
//! assert!(<LuGre<f64> as Params<f64>>::check(&[-1.0]).is_err());               // too few, and one out of bounds
//! ```
use crate::Real;

/// Name, unit, default and bounds of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Field name, also the key in files and on the command line.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// One line of documentation.
    pub doc: &'static str,
    /// Default value.
    pub default: f64,
    /// Smallest admissible value.
    pub min: f64,
    /// Largest admissible value.
    pub max: f64,
}

/// Name and unit of one number of a law's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateInfo {
    /// Name.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
}

/// A condition between parameters, such as `fs >= fc`.
#[derive(Clone, Copy)]
pub struct Relation {
    /// The condition as text.
    pub text: &'static str,
    /// Whether it holds for these values, in parameter order.
    pub holds: &'static (dyn Fn(&[f64]) -> bool + Send + Sync),
}
impl core::fmt::Debug for Relation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Relation").field(&self.text).finish()
    }
}

/// A way to compute parameters from what an engineer knows.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// One line of documentation, with the formula.
    pub doc: &'static str,
    /// The quantities to be known.
    pub inputs: &'static [Param],
    /// Names of the parameters it gives.
    pub outputs: &'static [&'static str],
    /// Computes the outputs from the inputs, each in the order above.
    pub make: fn(&[f64], &mut [f64]),
}

/// Why a set of values was refused.
#[derive(Clone, Copy, Debug)]
pub enum ParamError {
    /// A value outside its bounds, or not a number.
    Value {
        /// The parameter.
        param: &'static Param,
        /// The value given.
        value: f64,
    },
    /// A condition between parameters that does not hold.
    Relation {
        /// The condition.
        relation: &'static Relation,
    },
    /// Too few or too many values.
    Count {
        /// How many the law has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
}

impl core::fmt::Display for ParamError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Value { param: p, value } => {
                write!(f, "parameter '{}' = {value} is outside [{}, {}] {}", p.name, p.min, p.max, p.unit)
            }
            Self::Relation { relation } => write!(f, "the parameters do not satisfy {}", relation.text),
            Self::Count { expected, given } => write!(f, "{expected} parameter values expected, {given} given"),
        }
    }
}
impl core::error::Error for ParamError {}

/// A struct of parameters with its table. Written by [`params!`](crate::params!), never by hand.
pub trait Params<R: Real>: Copy + Send + Sync + 'static {
    /// Name on the command line, in files and in every other front end.
    const NAME: &'static str;
    /// First paragraph: what it is. The rest: equations and remarks, in plain text.
    const DOC: &'static str;
    /// Keys into `docs/references.bib`.
    const CITE: &'static [&'static str];
    /// Effects that it is known to reproduce, in words.
    const SHOWS: &'static [&'static str];
    /// The parameters, in order.
    const PARAMS: &'static [Param];
    /// The memory, in order.
    const STATES: &'static [StateInfo];
    /// Conditions between parameters.
    const RELATIONS: &'static [Relation];
    /// Ways to compute parameters from other quantities.
    const RECIPES: &'static [Recipe];

    /// Makes the struct from one value per parameter, requested in order.
    fn build(value: impl FnMut(usize, &'static Param) -> R) -> Self;
    /// All defaults.
    fn nominal() -> Self {
        Self::build(|_, p| R::lit(p.default))
    }
    /// Makes the struct from values in parameter order; missing ones take their default.
    #[inline]
    fn from_slice(values: &[f64]) -> Self {
        Self::build(|i, p| R::lit(values.get(i).copied().unwrap_or(p.default)))
    }
    /// Checks count, bounds and relations.
    ///
    /// # Errors
    /// The first thing found wrong.
    fn check(values: &[f64]) -> Result<(), ParamError> {
        check(Self::PARAMS, Self::RELATIONS, values)
    }
}

/// Checks count, bounds and relations of values.
pub(crate) fn check(
    params: &'static [Param],
    relations: &'static [Relation],
    values: &[f64],
) -> Result<(), ParamError> {
    if values.len() != params.len() {
        return Err(ParamError::Count { expected: params.len(), given: values.len() });
    }
    for (param, &value) in params.iter().zip(values) {
        if !(param.min <= value && value <= param.max) {
            return Err(ParamError::Value { param, value });
        }
    }
    match relations.iter().find(|relation| !(relation.holds)(values)) {
        Some(relation) => Err(ParamError::Relation { relation }),
        None => Ok(()),
    }
}

/// Declares a parameter struct `Name<R>` with its tables. See `models/coulomb.rs` for the shortest example.
#[macro_export]
macro_rules! params {
    (
        $(#[doc = $sdoc:literal])*
        pub struct $Name:ident = $name:literal;
        cite [$($cite:literal),* $(,)?];
        shows [$($shows:literal),* $(,)?];
        $(states { $($state:ident: $sunit:literal),* $(,)? })?
        $(require { $($rtext:literal |$rp:ident| $rexpr:expr),* $(,)? })?
        $(recipes [$($recipe:expr),* $(,)?];)?
        params {
            $($(#[doc = $doc:literal])* $f:ident: $unit:literal = $def:literal in $lo:literal ..= $hi:literal,)*
        }
    ) => {
        $(#[doc = $sdoc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Name<R> { $(
            $(#[doc = $doc])*
            #[doc = concat!(" Unit `", $unit, "`, ", stringify!($lo), " to ", stringify!($hi), ", default ", stringify!($def), ".")]
            pub $f: R,
        )* }

        impl<R: $crate::Real> $Name<R> {
            /// The same parameters over another number, converted in order.
            #[inline(always)]
            pub fn map<S: $crate::Real>(&self, mut f: impl FnMut(R) -> S) -> $Name<S> {
                $Name { $($f: f(self.$f),)* }
            }
        }
        impl<R: $crate::Real> $crate::Params<R> for $Name<R> {
            const NAME: &'static str = $name;
            const DOC: &'static str = concat!($($sdoc, "\n"),*);
            const CITE: &'static [&'static str] = &[$($cite),*];
            const SHOWS: &'static [&'static str] = &[$($shows),*];
            const PARAMS: &'static [$crate::Param] = &[$($crate::Param {
                name: stringify!($f), unit: $unit, doc: concat!($($doc),*), default: $def, min: $lo, max: $hi,
            },)*];
            const STATES: &'static [$crate::StateInfo] = &[$($($crate::StateInfo {
                name: stringify!($state), unit: $sunit,
            },)*)?];
            const RELATIONS: &'static [$crate::Relation] = &[$($($crate::Relation {
                text: $rtext,
                holds: &|values: &[f64]| {
                    let $rp = &<$Name<f64> as $crate::Params<f64>>::from_slice(values);
                    $rexpr
                },
            },)*)?];
            const RECIPES: &'static [$crate::Recipe] = &[$($($recipe,)*)?];
            #[inline]
            fn build(mut value: impl FnMut(usize, &'static $crate::Param) -> R) -> Self {
                let mut index = 0;
                $(
                    const { assert!($lo <= $def && $def <= $hi, "default outside bounds") };
                    let $f = value(index, &$crate::Param {
                        name: stringify!($f), unit: $unit, doc: concat!($($doc),*), default: $def, min: $lo, max: $hi,
                    });
                    index += 1;
                )*
                let _ = index;
                Self { $($f,)* }
            }
        }
    };
}
