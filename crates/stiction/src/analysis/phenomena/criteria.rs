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
    pub phenomenon: Phenomenon,
    /// Its name, `no-drift`.
    pub key: &'static str,
    /// The same in five letters.
    pub short_name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Definition of the measured value.
    pub value: &'static str,
    /// Threshold of the value.
    pub threshold: f64,
    /// Whether the value must be at most the threshold, instead of at least.
    pub below: bool,
    /// Reason for the threshold.
    pub why: &'static str,
}

impl Criterion {
    /// Whether a value meets the criterion.
    pub fn is_met(&self, value: f64) -> bool {
        if self.below { value <= self.threshold } else { value >= self.threshold }
    }
}

const fn kind(phenomenon: Phenomenon, names: [&'static str; 2], title: &'static str, value: &'static str) -> Criterion {
    Criterion { phenomenon, key: names[0], short_name: names[1], title, value, threshold: 0.0, below: false, why: "" }
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
                "share of the force that builds up over a displacement",
            ),
            0.5,
            "if most of the force acts at once, there is no presliding stiffness",
        ),
        from(
            kind(
                Plastic,
                ["plastic", "plast"],
                "plastic residual",
                "residual displacement after loading to 90 % of break-away and unloading, relative to the displacement under load",
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
                "closure error of an inner loop, relative to the range of the force",
            ),
            1e-3,
            "laws with local memory have errors of percents, laws with nonlocal memory only that of the simulation",
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
                "peak-to-peak velocity relative to the driving speed, if sustained and with sticking",
            ),
            0.5,
            "half the driving speed; a decaying oscillation counts as zero",
        ),
        from(
            kind(
                Hunting,
                ["hunting", "hunt"],
                "hunting of a PID servo",
                "peak-to-peak position relative to the step, if sustained",
            ),
            1e-3,
            "a thousandth of the step; a decaying oscillation counts as zero",
        ),
        from(
            kind(
                Passive,
                ["passive", "pass"],
                "passive",
                "smallest dissipated energy per period, relative to largest force times distance",
            ),
            -1e-5,
            "the error of the simulation; without a proof the verdict is open",
        ),
        to(
            kind(
                Smooth,
                ["smooth", "smoo"],
                "one force for each state",
                "jump of the force through v = 0 over the peak",
            ),
            1e-3,
            "a thousandth: below this, a solver without event location is not affected",
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
            assert_eq!(kind.phenomenon.criterion(), kind);
            assert!(kind.short_name.len() <= 5 && !kind.why.is_empty(), "{kind:?}");
        }
    }
}
