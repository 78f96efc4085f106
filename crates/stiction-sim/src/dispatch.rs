//! The same code for the widest registers of the machine it runs on.
//!
//! A [`Kernel`] over [`Lanes`](stiction_core::Lanes) is compiled once per [`Level`] and chosen when the program runs. No
//! level changes a result: the compiler may widen loops but neither reorders nor fuses floating-point operations.
//!
//! ```
//! use stiction_core::{Lanes, Real};
//! use stiction_sim::dispatch::{Kernel, Level, dispatch, dispatch_at};
//!
//! struct Sum<'a>(&'a [Lanes<8>]);
//! impl Kernel for Sum<'_> {
//!     type Out = Lanes<8>;
//!     #[inline(always)]
//!     fn run(self) -> Lanes<8> {
//!         self.0.iter().fold(Lanes::lit(0.0), |sum, x| sum + x.exp())
//!     }
//! }
//! let numbers = [Lanes([0.1; 8]), Lanes([0.2; 8])];
//! let wide = dispatch(Sum(&numbers));                                  // AVX-512, AVX2, SSE2 or NEON: what there is
//! assert_eq!(wide.0, dispatch_at(Level::Baseline, Sum(&numbers)).0);   // the same bits
//! ```

/// Work that gains from wide registers. Mark `run` `#[inline(always)]`, else it is not compiled anew.
pub trait Kernel {
    /// What the work gives.
    type Out;
    /// Does the work.
    fn run(self) -> Self::Out;
}

/// A set of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What every machine of the target has: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    /// AVX2: four doubles at once.
    Avx2,
    /// AVX-512 F, DQ, VL, BW: eight doubles at once.
    Avx512,
}

impl Level {
    /// Every level, narrow to wide.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Whether this machine has it.
    pub fn available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }
    /// The widest level of this machine.
    pub fn best() -> Self {
        Self::ALL.into_iter().rfind(|level| level.available()).unwrap_or(Self::Baseline)
    }
    /// Name, for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// Work on data in place that is repeated often: the instruction set is chosen once, before the first call.
pub trait InPlaceKernel<T: ?Sized> {
    /// Does the work. Mark it `#[inline(always)]`, else it is not compiled anew.
    fn run(on: &mut T);
}

/// A [`Level`] as a type: a job is compiled only for the levels that are named.
pub trait InstructionSet {
    /// Which.
    const LEVEL: Level;
    /// Whether hardly any machine runs at this level, so that speed there is not worth the time of compiling for it.
    const IS_RARE: bool = false;
    /// The job with these instructions; none if this machine does not have them.
    fn job<J: InPlaceKernel<T>, T: ?Sized>() -> Option<fn(&mut T)>;
    /// The response with these instructions; none if this machine does not have them.
    fn response<E: Response<T, O>, T, O>() -> Option<ResponseFn<T, O>>;
}

/// Two numbers as a function of three; further results are written to the last argument. For calls that a long chain of
/// computation waits for: arguments and first results stay in registers.
pub type ResponseFn<T, O> = fn(&T, f64, f64, f64, &mut O) -> (f64, f64);

/// See [`ResponseFn`].
pub trait Response<T, O> {
    /// Evaluates it. Mark it `#[inline(always)]`, else it is not compiled anew.
    fn evaluate(of: &T, x: f64, y: f64, z: f64, others: &mut O) -> (f64, f64);
}

/// See [`Level::Baseline`].
#[derive(Clone, Copy, Debug)]
pub struct Baseline;
impl InstructionSet for Baseline {
    const LEVEL: Level = Level::Baseline;
    // processors before 2013
    const IS_RARE: bool = cfg!(target_arch = "x86_64");
    fn job<J: InPlaceKernel<T>, T: ?Sized>() -> Option<fn(&mut T)> {
        Some(J::run)
    }
    fn response<E: Response<T, O>, T, O>() -> Option<ResponseFn<T, O>> {
        Some(E::evaluate)
    }
}

macro_rules! set {
    ($(#[$doc:meta])* $Name:ident, $Level:ident, $features:literal $(, $more:tt)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Name;
        impl InstructionSet for $Name {
            const LEVEL: Level = Level::$Level;
            #[cfg(target_arch = "x86_64")]
            fn job<J: InPlaceKernel<T>, T: ?Sized>() -> Option<fn(&mut T)> {
                #[target_feature(enable = $features)]
                fn wide<J: InPlaceKernel<T>, T: ?Sized>(on: &mut T) {
                    J::run(on);
                }
                // SAFETY: handed out only if `available` finds the instructions on this machine.
                #[allow(unsafe_code)]
                (Self::LEVEL.available() $(&& is_x86_feature_detected!($more))?).then_some(|on| unsafe { wide::<J, T>(on) })
            }
            #[cfg(target_arch = "x86_64")]
            fn response<E: Response<T, O>, T, O>() -> Option<ResponseFn<T, O>> {
                #[target_feature(enable = $features)]
                fn wide<E: Response<T, O>, T, O>(of: &T, x: f64, y: f64, z: f64, others: &mut O) -> (f64, f64) {
                    E::evaluate(of, x, y, z, others)
                }
                // SAFETY: handed out only if `available` finds the instructions on this machine.
                #[allow(unsafe_code)]
                (Self::LEVEL.available() $(&& is_x86_feature_detected!($more))?)
                    .then_some(|of, x, y, z, others| unsafe { wide::<E, T, O>(of, x, y, z, others) })
            }
            #[cfg(not(target_arch = "x86_64"))]
            fn job<J: InPlaceKernel<T>, T: ?Sized>() -> Option<fn(&mut T)> {
                None
            }
            #[cfg(not(target_arch = "x86_64"))]
            fn response<E: Response<T, O>, T, O>() -> Option<ResponseFn<T, O>> {
                None
            }
        }
    };
}
set!(
    /// See [`Level::Avx2`].
    Avx2, Avx2, "avx2"
);
set!(
    /// See [`Level::Avx512`].
    Avx512, Avx512, "avx512f,avx512dq,avx512vl,avx512bw"
);
set!(
    /// [`Level::Avx2`] where products and sums can be fused, for jobs that ask for it.
    Fma, Avx2, "avx2,fma", "fma"
);

/// Runs `kernel` at the widest level of this machine.
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Out {
    dispatch_at(Level::best(), kernel)
}

/// The level that [`dispatch`] chooses, by name.
pub fn instruction_set_name() -> &'static str {
    Level::best().name()
}

/// Runs `kernel` at `level`, or at the baseline if this machine does not have it.
pub fn dispatch_at<K: Kernel>(level: Level, kernel: K) -> K::Out {
    let run: unsafe fn(K) -> K::Out = match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 if level.available() => avx512::<K>,
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 if level.available() => avx2::<K>,
        _ => K::run,
    };
    // SAFETY: each function needs only the instructions that `available` has just found on this machine.
    #[allow(unsafe_code)]
    unsafe {
        run(kernel)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw")]
fn avx512<K: Kernel>(kernel: K) -> K::Out {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<K: Kernel>(kernel: K) -> K::Out {
    kernel.run()
}
