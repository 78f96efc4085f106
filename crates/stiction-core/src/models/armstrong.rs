use crate::{Friction, Input, Real, curve::presliding, model::shape, params, step::relax};

params! {
    /// Armstrong's seven parameters: presliding spring, Stribeck friction that lags, break-away that grows with dwell time.
    ///
    /// ```text
    /// stuck:    F = sigma0 z,  dz/dt = v,  until |F| = Fc + e,   e = ea + (Fs - Fc - ea) t/(t + tau_dwell)
    /// sliding:  F = (Fc + e/(1 + (w/vs)^2)) sgn v + Fv v,        tau_lag dw/dt = |v| - w
    /// ```
    /// t is the time since sticking and ea the excess e/(1 + (w/vs)^2) it began with; e keeps its value during a
    /// slide. Sticking leaves the dry force as it is: z = (Fc + ea)/sigma0. The lag is of first order where the original has a pure delay. The memory holds Fs - Fc less e
    /// at the instant of sticking, so that zero is a contact that has rested for ever.
    pub struct Armstrong = "armstrong";
    cite ["Armstrong1994"];
    shows ["presliding displacement", "break-away above Coulomb", "Stribeck effect", "viscous friction",
        "frictional lag", "break-away growing with dwell time"];
    states { z: "m", w: "m/s", lack: "N", dwell: "s", slip: "-" }
    require { "fs >= fc" |p| p.fs >= p.fc }
    recipes [presliding("stiffness from break-away force and presliding distance: sigma0 = fs/delta", &["fs", "sigma0"])];
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 1e-9..=1e9,
        /// Break-away level after a long rest Fs.
        fs: "N" = 1.5 in 1e-9..=1e9,
        /// Stribeck velocity vs.
        vs: "m/s" = 1e-3 in 1e-9..=1e3,
        /// Viscous coefficient Fv.
        fv: "N·s/m" = 0.4 in 0.0..=1e9,
        /// Presliding stiffness.
        sigma0: "N/m" = 1e5 in 1e-3..=1e12,
        /// Frictional memory.
        tau_lag: "s" = 5e-3 in 1e-6..=1e3,
        /// Dwell time after which half of the lost stiction is back.
        tau_dwell: "s" = 0.1 in 1e-6..=1e9,
    }
}

impl<R: Real> Armstrong<R> {
    /// What the contact lacks of its full excess Fs − Fc, after its dwell time.
    #[inline(always)]
    fn lack(&self, z: &[R; 5]) -> R {
        z[2] * self.tau_dwell / (z[3] + self.tau_dwell)
    }
    /// Excess over the Coulomb level in sliding.
    #[inline(always)]
    fn excess(&self, z: &[R; 5]) -> R {
        let r = z[1] / self.vs;
        (self.fs - self.fc - self.lack(z)) / (R::lit(1.0) + r * r)
    }
    /// Whether the contact slides.
    #[inline(always)]
    fn slips(z: &[R; 5]) -> R::Mask {
        R::lit(0.0).lt(z[4].abs())
    }
}

// slip is the direction of sliding, 0 when stuck
impl<R: Real> Friction<R> for Armstrong<R> {
    shape!(Armstrong, 5, 2);

    #[inline(always)]
    fn force(&self, z: &[R; 5], u: &Input<R>) -> R {
        let (slips, sliding) = (Self::slips(z), (self.fc + self.excess(z)) * z[4]);
        R::select(slips, sliding, self.sigma0 * z[0]) * u.pressed() + R::select(slips, self.fv * u.slip(), R::lit(0.0))
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 5], u: &Input<R>) -> [R; 5] {
        let (zero, slips) = (R::lit(0.0), Self::slips(z));
        let stuck = |x| R::select(slips, zero, x);
        [stuck(u.slip()), (u.slip().abs() - z[1]) / self.tau_lag, zero, stuck(R::lit(1.0)), zero]
    }
    #[inline(always)]
    fn flows(i: usize) -> bool {
        matches!(i, 0 | 1 | 3)
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 5] {
        let zero = R::lit(0.0);
        [zero, u.slip().abs(), zero, zero, u.slip().sign()]
    }
    // A stuck contact breaks when force F + A T meets the level Fs - lack tau/T, with T = dwell + tau and A = sigma0 |v|:
    // at the larger root of A T^2 + (F - Fs) T + lack tau, the smaller being where the level overtakes the force.
    #[inline(always)]
    fn step(&self, z: &[R; 5], u: &Input<R>, dt: R) -> [R; 5] {
        let z = self.jump(z, u);
        let (zero, dir, slips) = (R::lit(0.0), u.slip().sign(), Self::slips(&z));
        let gain = (self.sigma0 * u.slip().abs()).min(R::lit(1e15));
        let begin = z[3] + self.tau_dwell;
        let reserve = self.fs - (self.sigma0 * z[0] * dir - gain * begin);
        let under = (reserve * reserve - R::lit(4.0) * gain * z[2] * self.tau_dwell).max(zero);
        let root = (reserve + under.sqrt()) / (R::lit(2.0) * R::select(zero.lt(gain), gain, R::lit(1.0)));
        let breaks = !slips & zero.lt(gain) & !((begin + dt).lt(root));
        let root = root.max(begin);
        // stays stuck, or slides on
        let stretched = (z[0] + u.slip() * dt).clip(R::lit(1e3) * self.fs / self.sigma0);
        let rested = (z[3] + dt).min(R::lit(1e20));
        [
            R::select(breaks, zero, R::select(slips, z[0], stretched)),
            relax(z[1], u.slip().abs(), dt / self.tau_lag),
            R::select(breaks, z[2] * self.tau_dwell / root, z[2]),
            R::select(breaks | slips, zero, rested),
            R::select(breaks, dir, z[4]),
        ]
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 5], u: &Input<R>) -> [R; 2] {
        let room = self.sigma0 * z[0] * u.slip().sign() - (self.fs - self.lack(z));
        [u.slip(), R::select(Self::slips(z), -R::lit(1.0), room)]
    }
    #[inline(always)]
    fn slides(&self, z: &[R; 5]) -> R {
        z[4]
    }
    #[inline(always)]
    fn jump(&self, z: &[R; 5], u: &Input<R>) -> [R; 5] {
        let (zero, dir, slips) = (R::lit(0.0), u.slip().sign(), Self::slips(z));
        // at sticking, the remaining Stribeck excess becomes the initial excess, so the force is continuous
        let stops = slips & !(zero.lt(z[4] * dir));
        let left = self.excess(z);
        let spring = R::select(stops, (self.fc + left) / self.sigma0 * z[4], z[0]);
        // breaking away, once the spring pulls with the level of the moment and gains on it
        let (pull, level) = (self.sigma0 * z[0] * dir, self.fs - self.lack(z));
        let gains = !(self.sigma0 * u.slip().abs()).lt(self.lack(z) / (z[3] + self.tau_dwell));
        let above = (level * R::lit(1.0 + 1e-9)).lt(pull);
        let starts = !slips & zero.lt(dir.abs()) & (above | (gains & !pull.lt(level)));
        let lack = R::select(stops, self.fs - self.fc - left, R::select(starts, self.lack(z), z[2]));
        [
            R::select(starts, zero, spring),
            z[1],
            lack,
            R::select(starts | stops, zero, z[3]),
            R::select(starts, dir, R::select(stops, zero, z[4])),
        ]
    }
}
