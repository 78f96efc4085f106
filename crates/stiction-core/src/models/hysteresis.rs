use crate::{Friction, Input, Real, StateVector, curve, model::shape, params};

/// Reversals remembered.
const DEPTH: usize = 16;
/// Share of the speed over which the force goes from one sliding curve to the other: far above rounding in single precision, 6e-8,
/// and usual tolerances, 1e-6; far below what records of friction resolve.
const WIDTH: f64 = 1e-3;
/// State layout: nine numbers, then positions and forces of the reversals, outermost first.
const X: usize = 0;
const F: usize = 1;
const DIR: usize = 2;
const SLIP: usize = 3;
const COUNT: usize = 4;
const LOW: usize = 5;
const HIGH: usize = 6;
const TREND: usize = 7;
const ORIGIN: usize = 8;
const AT: usize = 9;
const FORCE: usize = AT + DEPTH;
const LEN: usize = FORCE + DEPTH;

params! {
    /// Hysteresis: nonlocal memory in presliding, separate sliding curves for rising and falling speed.
    ///
    /// ```text
    /// from a reversal (xb, Fb):  F = Fb +- Fd(|x - xb|);    from the virgin state:  F = +-Fd(2|x|)/2
    /// Fd(z) = k1 z + f1 (1 - exp(-(k0 - k1) z/f1))  z < z2,    k2 z + f2  beyond, continuous at z2
    /// passing an earlier reversal closes a loop and forgets it; |F| = Fs breaks away and forgets all
    /// sliding, speed rising:   F1 = (Fc1 + (Fs - Fc1) exp(-(|v|/vs)^exponent)) sgn v + fv1 v
    /// sliding, speed falling:  F2 = Fc2 sgn v + fv2 v
    /// sliding, in between:     F = q F1 + (1 - q) F2,   q = (|v| - low)/(high - low),   low = 0.999 high
    /// ```
    /// When sliding stops, presliding goes on from the last sliding force. Sixteen nested reversals are remembered
    /// exactly; beyond that the innermost loop counts as closed. Sliding begins on the curve of rising speed, which is also
    /// the steady curve. The paper says which curve holds for rising and which for falling speed, but not how the force
    /// goes from one to the other. Here a band of speeds, low to high, is carried along with the speed like a pointer with
    /// play: rising speed pushes its upper end, falling speed its lower end. After a maximum of the speed the force
    /// therefore falls from the upper to the lower curve while the speed falls by a thousandth, and after a minimum it rises
    /// again in the same way. A switch on the sign of the acceleration alone would have no solution for a body under an
    /// applied force between the two curves: on the upper one its speed would fall, on the lower one it would rise. Here it
    /// has exactly one: the body slides on at constant speed, to a thousandth, and the force within the band balances the
    /// applied one. If the curve of falling speed lies above, the solution is unique as well: the body leaves the band at
    /// the end towards which its acceleration leads.
    /// The width of the band is part of this reading of the paper and no parameter, because no record tells it: a speed that
    /// swings like a sine passes the band within √0.002 = 0.045 rad of its phase after an extremum. It is wide enough to be
    /// resolved by usual tolerances and by single precision.
    pub struct Hysteresis = "hysteresis";
    cite ["Nouri2004", "Mayergoyz1991"];
    shows ["presliding displacement", "plastic residual", "hysteresis in position", "nonlocal memory", "rate independence",
        "break-away above Coulomb", "Stribeck effect", "viscous friction", "frictional lag"];
    states {
        x: "m", f: "N", dir: "-", slip: "-", count: "-", low: "m/s", high: "m/s", trend: "-", origin: "-",
        xr1: "m", xr2: "m", xr3: "m", xr4: "m", xr5: "m", xr6: "m", xr7: "m", xr8: "m",
        xr9: "m", xr10: "m", xr11: "m", xr12: "m", xr13: "m", xr14: "m", xr15: "m", xr16: "m",
        fr1: "N", fr2: "N", fr3: "N", fr4: "N", fr5: "N", fr6: "N", fr7: "N", fr8: "N",
        fr9: "N", fr10: "N", fr11: "N", fr12: "N", fr13: "N", fr14: "N", fr15: "N", fr16: "N",
    }
    require {
        "k0 > k1" |p| p.k0 > p.k1,
        "k1 >= k2" |p| p.k1 >= p.k2,
        "fs >= fc1" |p| p.fs >= p.fc1,
        "fs >= fc2" |p| p.fs >= p.fc2,
    }
    params {
        /// Stiffness right after a reversal.
        k0: "N/m" = 1.3e6 in 1e-3..=1e12,
        /// Stiffness after the first bend.
        k1: "N/m" = 1e5 in 1e-6..=1e12,
        /// Stiffness beyond z2, until break-away.
        k2: "N/m" = 4e4 in 1e-6..=1e12,
        /// Force of the first bend.
        f1: "N" = 80.0 in 1e-9..=1e9,
        /// Travel from a reversal after which the branch is straight.
        z2: "m" = 4e-4 in 1e-12..=1.0,
        /// Break-away level Fs.
        fs: "N" = 80.0 in 1e-9..=1e9,
        /// Coulomb level for rising speed.
        fc1: "N" = 50.0 in 0.0..=1e9,
        /// Coulomb level for falling speed.
        fc2: "N" = 45.0 in 0.0..=1e9,
        /// Stribeck velocity vs.
        vs: "m/s" = 0.2 in 1e-9..=1e3,
        /// Stribeck exponent.
        exponent: "-" = 2.5 in 0.1..=10.0,
        /// Viscous coefficient for rising speed.
        fv1: "N·s/m" = 20.0 in 0.0..=1e9,
        /// Viscous coefficient for falling speed.
        fv2: "N·s/m" = 20.0 in 0.0..=1e9,
    }
}

type Memory<R> = [R; LEN];

impl<R: Real> Hysteresis<R> {
    /// The branch function Fd at travel `z ≥ 0` from a reversal, and its slope.
    #[inline(always)]
    pub fn branch(&self, z: R) -> (R, R) {
        let bend = (self.k0 - self.k1) / self.f1;
        let knee = z.min(self.z2);
        let e = (-(bend * knee)).exp_m1();
        let f = self.k1 * knee - self.f1 * e + self.k2 * (z - knee);
        (f, R::select(z.lt(self.z2), self.k1 + self.f1 * bend * (e + R::lit(1.0)), self.k2))
    }
    /// The travel at which a branch has risen by `f ≥ 0`. The branch is concave, so Newton from the left never overshoots.
    #[inline(always)]
    fn travel(&self, f: R) -> R {
        let [z] = R::repeat(12, [f / self.k0], |[z]| {
            let (value, slope) = self.branch(z);
            let further = ((f - value) / slope).max(R::lit(0.0));
            // never done: after the last change of the number, its derivatives need one more turn
            ([z + further], further.lt(further))
        });
        z
    }
    /// Entry `i` of a stack whose index is itself a number.
    #[inline(always)]
    fn look(z: &Memory<R>, base: usize, i: R) -> R {
        let mut out = R::lit(0.0);
        for k in 0..DEPTH {
            let here = (i - R::lit(k as f64)).abs().lt(R::lit(0.5));
            out = R::select(here, z[base + k], out);
        }
        out
    }
    /// Adds a reversal at the present place. A full memory first forgets its innermost loop.
    #[inline(always)]
    fn push(z: &Memory<R>) -> Memory<R> {
        let mut out = *z;
        let full = !(z[COUNT].lt(R::lit(DEPTH as f64)));
        let n = R::select(full, z[COUNT] - R::lit(2.0), z[COUNT]);
        for k in 0..DEPTH {
            let here = (n - R::lit(k as f64)).abs().lt(R::lit(0.5));
            out[AT + k] = R::select(here, z[X], z[AT + k]);
            out[FORCE + k] = R::select(here, z[F], z[FORCE + k]);
        }
        out[COUNT] = n + R::lit(1.0);
        out
    }
    /// Presliding force at place `z[X]` on the branch the memory describes, moving in direction `dir`.
    #[inline(always)]
    fn presliding(&self, z: &Memory<R>) -> (R, R) {
        let virgin = z[COUNT].lt(R::lit(0.5));
        let last = z[COUNT] - R::lit(1.0);
        let (xb, fb) = (Self::look(z, AT, last), Self::look(z, FORCE, last));
        let one = R::lit(1.0);
        let gain = R::select(virgin, R::lit(2.0), one);
        let away = R::select(virgin, z[X], z[X] - xb);
        let side = R::select(virgin, z[X].sign(), z[DIR]);
        let (rise, slope) = self.branch((away * side).max(R::lit(0.0)) * gain);
        (R::select(virgin, R::lit(0.0), fb) + side * rise / gain, slope)
    }
    /// Place of the speed in its band: 0 at the lower end, 1 at the upper one. A band without width has no places.
    #[inline(always)]
    fn place(z: &Memory<R>, speed: R) -> R {
        let width = z[HIGH] - z[LOW];
        (speed - z[LOW]) / R::select(R::lit(0.0).lt(width), width, R::lit(1.0))
    }
    /// Carries the band of speeds along with the speed, and notes which of its ends is pushed.
    #[inline(always)]
    fn carry_band(z: &mut Memory<R>, speed: R) {
        let (rises, falls) = (!speed.lt(z[HIGH]), !z[LOW].lt(speed));
        let keep = R::lit(1.0 - WIDTH);
        let (low, high) = (R::select(falls, speed, z[LOW]), R::select(falls, speed / keep, z[HIGH]));
        z[LOW] = R::select(rises, speed * keep, low);
        z[HIGH] = R::select(rises, speed, high);
        z[TREND] = R::select(rises, R::lit(1.0), R::select(falls, -R::lit(1.0), R::lit(0.0)));
    }
    /// Magnitude of the sliding force: dry part and viscous part. Within the band it goes on smoothly beyond both ends, so
    /// that a step to just beyond an end sees no kink.
    #[inline(always)]
    fn sliding(&self, z: &Memory<R>, speed: R) -> (R, R) {
        let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
        let stribeck = curve::StribeckCurve { fc: self.fc1, fs: self.fs, vs: self.vs, exponent: self.exponent };
        // bounded, for trial steps far beyond the band
        let between = half + (Self::place(z, speed) - half).clip(R::lit(1.5));
        let share = R::select(zero.lt(z[TREND]), one, R::select(z[TREND].lt(zero), zero, between));
        let mix = |rising: R, falling: R| share * rising + (one - share) * falling;
        (mix(stribeck.level(speed), self.fc2), mix(self.fv1, self.fv2) * speed)
    }
    /// Sliding has stopped: presliding starts at the last sliding force, as if pulled there from the opposite
    /// break-away.
    #[inline(always)]
    fn stop(&self, z: &Memory<R>, stops: R::Mask) -> Memory<R> {
        let side = z[SLIP];
        let level = (z[F] * side).min(self.fs);
        let back = R::select_lazy(stops, || self.travel(level + self.fs), R::lit(0.0));
        let mut out = [R::lit(0.0); LEN];
        out[F] = level * side;
        out[DIR] = side;
        out[COUNT] = R::lit(1.0);
        out[AT] = -back * side;
        out[FORCE] = -self.fs * side;
        out[ORIGIN] = R::lit(1.0);
        out
    }
    /// Reversal, loop closure and break-away for a move by `dx` at input `u`.
    #[inline(always)]
    fn advance(&self, z: &Memory<R>, u: &Input<R>, dx: R) -> Memory<R> {
        let (zero, half) = (R::lit(0.0), R::lit(0.5));
        let (dir, speed) = (u.slip().sign(), u.slip().abs());
        let moves = zero.lt(speed);
        let mut z = *z;
        // sliding that stopped or turned
        let stops = zero.lt(z[SLIP].abs()) & !(zero.lt(z[SLIP] * dir));
        let stopped = self.stop(&z, stops);
        z = StateVector::select(stops, &stopped, &z);
        // at rest nothing else changes: which way the contact will move, and by which law if that differs, is open
        let resting = z;
        // a reversal in presliding
        let slides = zero.lt(z[SLIP].abs());
        let turns = (z[DIR] * dir).lt(zero) & !slides;
        let pushed = Self::push(&z);
        z = StateVector::select(turns, &pushed, &z);
        z[DIR] = dir;
        // move, and close every loop whose reversal is passed; reversals of one kind alternate and are nested,
        // so the outermost one passed says how many remain
        z[X] = R::select(slides, z[X], z[X] + dx);
        let count = z[COUNT];
        let odd = count - R::lit(2.0) * (count * half).floor();
        let mut left = count;
        for k in (0..DEPTH).rev() {
            let like = if k % 2 == 0 { odd.lt(half) } else { half.lt(odd) };
            let below = R::lit(k as f64 + 1.5).lt(count);
            // reached is passed: a simulator stops exactly there
            let passed = !(z[X] * z[DIR]).lt(z[AT + k] * z[DIR]);
            left = R::select(like & below & passed, R::lit(k as f64), left);
        }
        // a lone virgin reversal also closes at its mirror image
        let lone = half.lt(left) & left.lt(R::lit(1.5)) & z[ORIGIN].lt(half);
        let mirrored = !(z[X] * z[DIR]).lt(-z[AT] * z[DIR]);
        z[COUNT] = R::select(lone & mirrored, zero, left);
        // after a slide the outermost reversal lies at the opposite break-away: passing it is breaking away
        let through = z[COUNT].lt(half) & half.lt(z[ORIGIN]);
        let force = self.presliding(&z).0;
        // limited in the direction of motion alone: behind it the force may be one that a law for the other direction has left
        let limited = R::select(self.fs.lt(force * z[DIR]), self.fs * z[DIR], force);
        z[F] = R::select(slides, z[F], limited);
        let breaks = !slides & (through | !((force * z[DIR]).lt(self.fs)));
        // break-away forgets everything but the direction
        let mut broken = [zero; LEN];
        for i in [F, DIR] {
            broken[i] = z[i];
        }
        broken[SLIP] = z[DIR];
        z = StateVector::select(breaks, &broken, &z);
        let slides = zero.lt(z[SLIP].abs());
        // from no band at all the first speed counts as rising: sliding begins on the curve that starts at Fs
        let mut sliding = z;
        Self::carry_band(&mut sliding, speed);
        // without the viscous part, which is gone when sliding stops
        sliding[F] = self.sliding(&sliding, speed).0 * z[SLIP];
        StateVector::select(moves, &StateVector::select(slides, &sliding, &z), &resting)
    }
}

impl<R: Real> Friction<R> for Hysteresis<R> {
    shape!(Hysteresis, LEN, 5);

    #[inline(always)]
    fn force(&self, z: &Memory<R>, u: &Input<R>) -> R {
        let (dry, wet) = self.sliding(z, u.slip().abs());
        let slides = R::lit(0.0).lt(z[SLIP].abs());
        let dry = R::select(slides, dry * z[SLIP], self.presliding(z).0);
        dry * u.pressed() + R::select(slides, wet * z[SLIP], R::lit(0.0))
    }
    #[inline(always)]
    fn rate(&self, z: &Memory<R>, u: &Input<R>) -> Memory<R> {
        let slides = R::lit(0.0).lt(z[SLIP].abs());
        let mut d = [R::lit(0.0); LEN];
        d[X] = R::select(slides, R::lit(0.0), u.slip());
        d[F] = R::select(slides, R::lit(0.0), u.slip() * self.presliding(z).1);
        d
    }
    #[inline(always)]
    fn flows(i: usize) -> bool {
        i == X || i == F
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> Memory<R> {
        let (speed, dir) = (u.slip().abs(), u.slip().sign());
        let mut z = [R::lit(0.0); LEN];
        z[DIR] = dir;
        z[SLIP] = dir;
        Self::carry_band(&mut z, speed);
        z[F] = self.sliding(&z, speed).0 * dir;
        z
    }
    #[inline(always)]
    fn step(&self, z: &Memory<R>, u: &Input<R>, dt: R) -> Memory<R> {
        self.advance(z, u, (u.slip() * dt).clip(R::lit(1e6)))
    }
    #[inline(always)]
    fn guards(&self, z: &Memory<R>, u: &Input<R>) -> [R; 5] {
        let slides = R::lit(0.0).lt(z[SLIP].abs());
        let last = Self::look(z, AT, z[COUNT] - R::lit(2.0));
        // a lone virgin reversal closes at its mirror image
        let lone = z[COUNT].lt(R::lit(1.5)) & R::lit(0.5).lt(z[COUNT]) & z[ORIGIN].lt(R::lit(0.5));
        let close = R::select(lone, -z[AT], last);
        let none = slides | (z[COUNT].lt(R::lit(1.5)) & !lone);
        let closing = R::select(none, -R::lit(1.0), (z[X] - close) * z[DIR]);
        // break-away is ahead only in the direction of motion
        let room = R::select(slides, -R::lit(1.0), self.presliding(z).0 * z[DIR] - self.fs);
        // the speed leaves its band at the lower or at the upper end; two guards, so that each changes sign once
        let (place, pushed) = (Self::place(z, u.slip().abs()), R::lit(0.0).lt(z[TREND].abs()));
        let leaves = |beyond: R| R::select(slides & !pushed, beyond, -R::lit(1.0));
        [u.slip(), closing, room, leaves(-place), leaves(place - R::lit(1.0))]
    }
    #[inline(always)]
    fn extremum(&self, z: &Memory<R>) -> R {
        R::select(R::lit(0.0).lt(z[SLIP].abs()), z[TREND], R::lit(0.0))
    }
    #[inline(always)]
    fn slides(&self, z: &Memory<R>) -> R {
        z[SLIP]
    }
    #[inline(always)]
    fn jump(&self, z: &Memory<R>, u: &Input<R>) -> Memory<R> {
        self.advance(z, u, R::lit(0.0))
    }
}
