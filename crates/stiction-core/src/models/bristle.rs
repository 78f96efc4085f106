use crate::{Friction, Input, Real, model::shape, params};

/// Bristles.
const N: usize = 16;
/// Travel in one sample, in units of delta, through which a bristle is followed snap by snap; beyond it has lost its
/// memory. Limiting by travel instead of by snap count keeps the mean force unbiased: bristles that snap often would
/// otherwise be over-represented.
const MEMORY_TRAVEL: f64 = 4.0;
/// Snaps within that travel; more than eight happen once in two hundred times.
const MAX_SNAPS: usize = 8;

params! {
    /// Bristles: sixteen springs that each snap at a stretch delta and seat again at a random place.
    ///
    /// ```text
    /// F = sum sigma (x - b_i),   b_i moves to a place drawn evenly within x +- delta when |x - b_i| > delta
    /// ```
    /// In steady sliding the force fluctuates around 16 sigma delta/3: a bristle that seats evenly in its reach is on
    /// average stretched by delta/3. Randomness is a pure function of seed, bristle and its count of snaps.
    pub struct Bristle = "bristle";
    cite ["Haessig1991", "Olsson1993"];
    shows ["presliding displacement", "break-away above Coulomb", "randomness"];
    states {
        s1: "m", s2: "m", s3: "m", s4: "m", s5: "m", s6: "m", s7: "m", s8: "m",
        s9: "m", s10: "m", s11: "m", s12: "m", s13: "m", s14: "m", s15: "m", s16: "m",
        n1: "-", n2: "-", n3: "-", n4: "-", n5: "-", n6: "-", n7: "-", n8: "-",
        n9: "-", n10: "-", n11: "-", n12: "-", n13: "-", n14: "-", n15: "-", n16: "-",
    }
    require { "seed is a whole number" |p| p.seed == libm::floor(p.seed) }
    params {
        /// Stiffness of one bristle.
        sigma: "N/m" = 1.875e4 in 1e-6..=1e12,
        /// Stretch at which a bristle snaps.
        delta: "m" = 1e-5 in 1e-12..=1.0,
        /// Seed, a whole number.
        seed: "-" = 1.0 in 0.0..=1e6,
        /// Viscous coefficient.
        fv: "N·s/m" = 0.0 in 0.0..=1e9,
    }
}

impl<R: Real> Bristle<R> {
    /// Draw number `k` of bristle `i`, uniform in [0, 1). Counts wrap at 2^18 so that they stay exact in `f32`.
    #[inline(always)]
    fn draw(&self, i: usize, count: R) -> R {
        R::uniform(self.seed, count * R::lit(N as f64) + R::lit(i as f64))
    }
    #[inline(always)]
    fn next(count: R) -> R {
        let n = count + R::lit(1.0);
        R::select(n.lt(R::lit(262_144.0)), n, R::lit(0.0))
    }
    /// Stretch and count of bristle `i`, in the direction of motion, after a further `travel`.
    #[inline(always)]
    fn drag(&self, i: usize, stretch: R, count: R, travel: R) -> (R, R) {
        let (one, two) = (R::lit(1.0), R::lit(2.0));
        let [s, n, left] = R::repeat(MAX_SNAPS, [stretch, count, travel], |[s, n, left]| {
            let room = (self.delta - s).max(R::lit(0.0));
            let snaps = room.lt(left);
            let seat = self.delta * (two * self.draw(i, n) - one);
            let next = [(seat, s), (Self::next(n), n), (left - room, left)];
            (next.map(|(snapped, kept)| R::select(snaps, snapped, kept)), !snaps)
        });
        let room = (self.delta - s).max(R::lit(0.0));
        // still not there: sliding for long, the stretch has density (s + delta)/(2 delta^2), the larger of two draws
        let second = Self::next(n);
        let mixed = self.delta * (two * self.draw(i, n).max(self.draw(i, second)) - one);
        let far = room.lt(left) | (self.delta * R::lit(MEMORY_TRAVEL)).lt(travel);
        (R::select(far, mixed, s + left), R::select(far, Self::next(second), n))
    }
}

impl<R: Real> Friction<R> for Bristle<R> {
    shape!(Bristle, 2 * N, 1 + N);

    #[inline(always)]
    fn force(&self, z: &[R; 2 * N], u: &Input<R>) -> R {
        let mut sum = R::lit(0.0);
        for s in z.iter().take(N) {
            sum = sum + *s;
        }
        self.sigma * sum * u.pressed() + self.fv * u.slip()
    }
    #[inline(always)]
    fn rate(&self, _: &[R; 2 * N], u: &Input<R>) -> [R; 2 * N] {
        let mut d = [R::lit(0.0); 2 * N];
        for d in d.iter_mut().take(N) {
            *d = u.slip();
        }
        d
    }
    #[inline(always)]
    fn settles(&self) -> R::Mask {
        R::lit(0.0).lt(R::lit(0.0))
    }
    #[inline(always)]
    fn flows(i: usize) -> bool {
        i < N
    }
    // the mean over all seatings
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 2 * N] {
        let mut z = [R::lit(0.0); 2 * N];
        for s in z.iter_mut().take(N) {
            *s = self.delta * R::lit(1.0 / 3.0) * u.slip().sign();
        }
        z
    }
    #[inline(always)]
    fn step(&self, z: &[R; 2 * N], u: &Input<R>, dt: R) -> [R; 2 * N] {
        let (dir, travel) = (u.slip().sign(), u.slip().abs() * dt);
        let moves = R::lit(0.0).lt(travel);
        let mut out = *z;
        for i in 0..N {
            let (s, n) = self.drag(i, z[i] * dir, z[N + i], travel);
            out[i] = R::select(moves, s * dir, z[i]);
            out[N + i] = R::select(moves, n, z[N + i]);
        }
        out
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 2 * N], u: &Input<R>) -> [R; 1 + N] {
        let mut g = [u.slip(); 1 + N];
        for i in 0..N {
            g[1 + i] = z[i] * u.slip().sign() - self.delta;
        }
        g
    }
    #[inline(always)]
    // a bond snaps when motion stretches it further: behind the motion, and at rest, its stretch may be one that the other direction allows
    fn jump(&self, z: &[R; 2 * N], u: &Input<R>) -> [R; 2 * N] {
        let (mut out, dir) = (*z, u.slip().sign());
        for i in 0..N {
            let snaps = R::lit(0.0).lt(dir.abs()) & !((z[i] * dir).lt(self.delta));
            let seat = self.delta * (R::lit(2.0) * self.draw(i, z[N + i]) - R::lit(1.0)) * dir;
            out[i] = R::select(snaps, seat, z[i]);
            out[N + i] = R::select(snaps, Self::next(z[N + i]), z[N + i]);
        }
        out
    }
}
