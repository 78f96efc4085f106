use crate::{Friction, Input, Params, Real, curve::presliding, model::shape, params, step::{linear, phi1, relax}};

params! {
    /// Slip variable: a lagged variable s blends a saturated spring and damper into Coulomb and viscous friction.
    ///
    /// ```text
    /// tau_lag ds/dt = -s + f(v),    f(v) = 1 - exp(-(v/vs)^2)
    /// dx/dt = (1 - s) v - s x/tau_reset
    /// F = (1 - s) sat(Fs, ks x + ds v) + s (Fc sgn v + Fv v)
    /// ```
    /// At v = 0 the Coulomb part is any value within +-s Fc: the force is a set wherever s > 0.
    pub struct SlipVariable = "slip-variable";
    cite ["Olsson1993"];
    shows ["presliding displacement", "break-away above Coulomb", "Stribeck effect", "viscous friction", "frictional lag"];
    states { s: "-", x: "m" }
    require { "fs >= fc" |p| p.fs >= p.fc }
    recipes [presliding("stiffness from break-away force and presliding distance: ks = fs/delta", &["fs", "ks"])];
    params {
        /// Break-away level Fs0.
        fs: "N" = 1.5 in 1e-9..=1e9,
        /// Coulomb level Fc0.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Viscous coefficient Fv0.
        fv: "N·s/m" = 0.6 in 0.0..=1e9,
        /// Stiffness in stiction.
        ks: "N/m" = 1e4 in 1e-3..=1e12,
        /// Damping in stiction.
        ds: "N·s/m" = 1100.0 in 0.0..=1e9,
        /// Time constant of the slip variable, the frictional lag.
        tau_lag: "s" = 0.01 in 1e-6..=1e3,
        /// Time constant with which slip resets the spring.
        tau_reset: "s" = 1e-3 in 1e-6..=1e3,
        /// Velocity at which slip sets in.
        vs: "m/s" = 0.04 in 1e-9..=1e3,
    }
}

impl<R: Real> SlipVariable<R> {
    /// The defaults with break-away force Fs0 and a spring that reaches it at presliding distance `delta`: ks = Fs0/δ.
    #[inline]
    pub fn presliding(fs: R, delta: R) -> Self {
        Self { fs, ks: fs / delta, ..Self::nominal() }
    }
    /// Where the slip variable settles, by `expm1`: in stick v/vs is 1e-3 and `1 − exp` would lose nine digits.
    #[inline(always)]
    fn slip(&self, v: R) -> R {
        let r = v / self.vs;
        -(-(r * r)).exp_m1()
    }
    /// Spring and damper before saturation.
    #[inline(always)]
    fn spring(&self, x: R, v: R) -> R {
        self.ks * x + self.ds * v
    }
}

impl<R: Real> Friction<R> for SlipVariable<R> {
    shape!(SlipVariable, 2, 2);
    const EXACT: bool = false;

    #[inline(always)]
    fn force(&self, z: &[R; 2], u: &Input<R>) -> R {
        let (s, n) = (z[0], u.pressed());
        let stick = (R::lit(1.0) - s) * self.spring(z[1], u.slip()).clip(self.fs) * n;
        stick + s * (self.fc * n * u.slip().sign() + self.fv * u.slip())
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 2], u: &Input<R>) -> [R; 2] {
        let s = z[0];
        [(self.slip(u.slip()) - s) / self.tau_lag, (R::lit(1.0) - s) * u.slip() - s * z[1] / self.tau_reset]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 2] {
        let s = self.slip(u.slip());
        // x = tau_reset v (1 - s)/s; at v = 0 the spring keeps whatever it has: zero from the start
        let moving = R::lit(0.0).lt(s);
        let x = self.tau_reset * u.slip() * (R::lit(1.0) - s) / R::select(moving, s, R::lit(1.0));
        [s, R::select(moving, x, R::lit(0.0))]
    }
    // s is exact; x is linear in itself, with the mean of s over the sample for s: second order in between,
    // right for short and for long samples.
    #[inline(always)]
    fn step(&self, z: &[R; 2], u: &Input<R>, dt: R) -> [R; 2] {
        let (to, n) = (self.slip(u.slip()), dt / self.tau_lag);
        // mean of to + (s0 − to)·e^{−t}
        let mean = to + (z[0] - to) * phi1(n);
        let x = linear(z[1], (R::lit(1.0) - mean) * u.slip(), mean / self.tau_reset, dt);
        [relax(z[0], to, n), x.clip(R::lit(1e30))]
    }
    #[inline(always)]
    fn hold(&self, z: &[R; 2], u: &Input<R>, _: R) -> R {
        z[0] * self.fc * u.pressed()
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 2], u: &Input<R>) -> [R; 2] {
        [u.slip(), self.spring(z[1], u.slip()).abs() - self.fs]
    }
}
