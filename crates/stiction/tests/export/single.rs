//! Single precision whose functions are rounded from double, as the export has them: another way to the same bits.
use std::ops::{Add, Div, Mul, Neg, Sub};
use stiction::core::Real;

#[derive(Clone, Copy, Debug)]
pub struct Single(pub f32);

macro_rules! binary {
    ($($tr:ident $f:ident)*) => {$(impl $tr for Single {
        type Output = Self;
        fn $f(self, o: Self) -> Self { Self($tr::$f(self.0, o.0)) }
    })*};
}
binary! { Add add Sub sub Mul mul Div div }
impl Neg for Single {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

macro_rules! rounded {
    ($($f:ident)*) => {$(fn $f(self) -> Self { Self(Real::$f(f64::from(self.0)) as f32) })*};
}
impl stiction::core::control::registry::CompensatorNumber for Single {}
impl Real for Single {
    type Mask = bool;
    fn lit(x: f64) -> Self {
        Self(x as f32)
    }
    fn lt(self, rhs: Self) -> bool {
        self.0 < rhs.0
    }
    fn select(m: bool, yes: Self, no: Self) -> Self {
        if m { yes } else { no }
    }
    rounded! { abs exp exp_m1 ln ln_1p tanh sqrt floor }
    fn powf(self, y: Self) -> Self {
        match y.0 {
            2.0 => Self(self.0 * self.0),
            y => Self(Real::powf(f64::from(self.0), f64::from(y)) as f32),
        }
    }
    fn uniform(seed: Self, k: Self) -> Self {
        Self(f64::uniform(f64::from(seed.0), f64::from(k.0)) as f32)
    }
}
