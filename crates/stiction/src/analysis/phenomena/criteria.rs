//! The phenomena and the criteria by which they are detected.

/// A phenomenon, or a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phenomenon {
    /// Holds a load without motion.
    Hold,
    /// Breaks away above the force of sliding.
    Breakaway,
    /// The steady force falls as the speed rises.
    Stribeck,
    /// The force builds up over a displacement.
    Presliding,
    /// A displacement is left after a load below break-away.
    Plastic,
    /// Loops in presliding.
    Hysteresis,
    /// Loops within loops close.
    Nonlocal,
    /// The force lags behind the speed.
    Lag,
    /// Break-away depends on how fast the force rises.
    Rate,
    /// Break-away depends on how long the contact has rested.
    Dwell,
    /// Does not drift under a vibrating load below break-away.
    NoDrift,
    /// A mass pulled by a spring sticks and slips permanently.
    StickSlip,
    /// A servo with an integrator hunts permanently.
    Hunting,
    /// Supplies no energy under any periodic velocity.
    Passive,
    /// One force for every state, without a jump through v = 0.
    Smooth,
}

/// How a phenomenon is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criterion {
    /// Which.
    pub what: Phenomenon,
    /// Its name, `no-drift`.
    pub key: &'static str,
    /// The same in five letters.
    pub head: &'static str,
    /// What it is.
    pub title: &'static str,
    /// What the figure is.
    pub figure: &'static str,
    /// Threshold of the figure.
    pub threshold: f64,
    /// Whether the figure must be at most the threshold, instead of at least.
    pub below: bool,
    /// Reason for the threshold.
    pub why: &'static str,
}

impl Criterion {
    /// Whether a figure meets the criterion.
    pub fn counts(&self, figure: f64) -> bool {
        if self.below { figure <= self.threshold } else { figure >= self.threshold }
    }
}

const fn kind(what: Phenomenon, names: [&'static str; 2], title: &'static str, figure: &'static str) -> Criterion {
    Criterion { what, key: names[0], head: names[1], title, figure, threshold: 0.0, below: false, why: "" }
}
const fn from(kind: Criterion, threshold: f64, why: &'static str) -> Criterion {
    Criterion { threshold, why, ..kind }
}
const fn to(kind: Criterion, threshold: f64, why: &'static str) -> Criterion {
    Criterion { threshold, why, below: true, ..kind }
}

/// All, in the order of the matrix. Lengths, speeds and forces are in the law's own units, see [`crate::analysis::characteristic_scales`].
pub static ALL: [Criterion; 15] = {
    use Phenomenon::*;
    [
        to(
            kind(Hold, ["hold", "hold"], "holds half its load at rest", "speed of creep over the law's own speed"),
            1e-6,
            "a contact whose own speed is 1 mm/s then creeps a millimetre in twelve days",
        ),
        from(
            kind(
                Breakaway,
                ["breakaway", "break"],
                "break-away above sliding",
                "break-away force over the least force of sliding",
            ),
            1.02,
            "two percent are beyond the repeatability of most measurements, and far beyond the error of the simulation",
        ),
        from(
            kind(Stribeck, ["stribeck", "strib"], "Stribeck effect", "fall of the steady force over its peak"),
            0.02,
            "two percent, as for break-away",
        ),
        from(
            kind(
                Presliding,
                ["presliding", "presl"],
                "presliding stiffness",
                "share of the force that builds up over a way",
            ),
            0.5,
            "a contact that meets most of its force at once has no spring to speak of",
        ),
        from(
            kind(
                Plastic,
                ["plastic", "plast"],
                "plastic residual",
                "way left after 90 % of break-away came and went, over the way under it",
            ),
            0.01,
            "one percent: above what a damper in the test rig leaves",
        ),
        from(
            kind(
                Hysteresis,
                ["hysteresis", "hyst"],
                "hysteresis in presliding",
                "area of a slow loop up to 90 % of break-away over its bounding box",
            ),
            0.01,
            "one percent: a spring has none",
        ),
        to(
            kind(
                Nonlocal,
                ["nonlocal", "nonl"],
                "nonlocal memory",
                "miss of an inner loop where it closes, over the range of the force",
            ),
            1e-3,
            "a law that forgets misses by percents, one that remembers by the error of the simulation",
        ),
        from(
            kind(
                Lag,
                ["lag", "lag"],
                "frictional lag",
                "largest force at rising less force at falling speed, over the peak",
            ),
            0.01,
            "one percent: a law of speed alone has none",
        ),
        from(
            kind(
                Rate,
                ["rate", "rate"],
                "break-away depends on force rate",
                "spread of the break-away force over three decades of rate",
            ),
            0.02,
            "two percent, as for break-away",
        ),
        from(
            kind(
                Dwell,
                ["dwell", "dwell"],
                "break-away grows with dwell time",
                "growth of the break-away force over six decades of rest",
            ),
            0.02,
            "two percent, as for break-away",
        ),
        to(
            kind(
                NoDrift,
                ["no-drift", "nodr"],
                "no drift under vibration",
                "drift in a cycle of 40 % +- 20 % of sliding force, over the law's own length",
            ),
            1e-4,
            "ten thousand cycles of vibration then move it by its own length at most",
        ),
        from(
            kind(
                StickSlip,
                ["stick-slip", "stsl"],
                "stick-slip on a soft spring",
                "swing of the velocity over that of the hand, if it lasts and comes to rest",
            ),
            0.5,
            "half the speed of the hand; a swing that fades counts as none",
        ),
        from(
            kind(
                Hunting,
                ["hunting", "hunt"],
                "hunting of a PID servo",
                "swing of the position over the step, if it lasts",
            ),
            1e-3,
            "a thousandth of the step; a swing that fades counts as none",
        ),
        from(
            kind(
                Passive,
                ["passive", "pass"],
                "passive",
                "least energy taken in a period, over the largest force times the way",
            ),
            -1e-5,
            "the error of the simulation; none found is no proof, so that half a mark is given without one",
        ),
        to(
            kind(
                Smooth,
                ["smooth", "smoo"],
                "one force for each state",
                "jump of the force through v = 0 over the peak",
            ),
            1e-3,
            "a thousandth: a solver without events does not notice",
        ),
    ]
};

/// The kind with this key.
pub fn find(key: &str) -> Option<&'static Criterion> {
    ALL.iter().find(|kind| kind.key == key)
}

impl Phenomenon {
    /// How it is measured.
    pub fn criterion(self) -> &'static Criterion {
        &ALL[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::ALL;

    /// `criterion()` relies on the order.
    #[test]
    fn the_table_is_in_the_order_of_the_names() {
        for kind in &ALL {
            assert_eq!(kind.what.criterion(), kind);
            assert!(kind.head.len() <= 5 && !kind.why.is_empty(), "{kind:?}");
        }
    }
}
