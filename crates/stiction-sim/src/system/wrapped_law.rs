//! A law around another: what it does not change is that of the law within.
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Declares the methods of a law once, for [`LawWrapper`] and [`WrappedLaw`].
macro_rules! methods {
    ($(fn $name:ident(&self $(, $arg:ident: $type:ty)*) $(-> $out:ty)?;)*) => {
        /// The changes of a wrapper: the methods of [`DynLaw`], each that of the law within unless it is written anew.
        pub(super) trait LawWrapper: Send + Sync {
            /// The law within.
            fn inner(&self) -> &dyn DynLaw;
            $(fn $name(&self $(, $arg: $type)*) $(-> $out)? {
                self.inner().$name($($arg),*)
            })*
        }

        impl<W: LawWrapper> DynLaw for WrappedLaw<W> {
            $(fn $name(&self $(, $arg: $type)*) $(-> $out)? {
                self.0.$name($($arg),*)
            })*
        }
    };
}

/// A law with the changes of a wrapper.
pub(super) struct WrappedLaw<W>(pub W);

methods! {
    fn len(&self) -> usize;
    fn is_linear(&self) -> bool;
    fn settles(&self) -> bool;
    fn guard_count(&self) -> usize;
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64;
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]);
    fn flows(&self, i: usize) -> bool;
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64;
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]);
    fn settled(&self, u: &Input<f64>, out: &mut [f64]);
    fn steady(&self, u: &Input<f64>) -> f64;
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64);
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64;
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2];
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64;
    fn band(&self, u: &Input<f64>) -> f64;
    fn guards(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]);
    fn extremum(&self, z: &[f64]) -> f64;
    fn slides(&self, z: &[f64]) -> f64;
    fn jump(&self, z: &mut [f64], u: &Input<f64>);
    fn jump_along(&self, z: &[f64], dz: &mut [f64], u: &Input<f64>, du: &Input<f64>, by: &[f64]);
    fn flow_by_parameters(&self, z: &[f64], u: &Input<f64>, by: &[f64], rate: &mut [f64]) -> f64;
    fn parameters(&self, out: &mut [f64]) -> usize;
}
