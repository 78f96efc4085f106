//! The pictures on the page of a law: its steady curve, and its hysteresis loops.
use crate::error::CommandError;
use stiction::Spec;
use stiction::analysis::characteristic_scales::CharacteristicScales;
use stiction::analysis::hysteresis::{HarmonicMotion, drive_harmonic};
use stiction::analysis::steady_curve::{AtRest, SteadyCurve};
use stiction::analysis::test_rig::TestRig;
use stiction::number::{round, short};
use stiction::plot::{Axis, Figure, Panel};
use stiction::units::LawUnits;

/// Amplitudes of loops in characteristic lengths of the law: within presliding, about break-away, and sliding.
const AMPLITUDES: [f64; 3] = [0.5, 1.5, 5.0];
/// Largest speed of loops in characteristic speeds of the law: slow.
pub const SPEED: f64 = 0.01;
/// Number of cycles after which a loop is drawn even if it is not periodic.
pub const CYCLES: u32 = 5;
/// Range of the steady curve in characteristic speeds of the law, and number of steps in each direction.
const LINEAR_RANGE: (f64, i32) = (8.0, 100);
/// Range of the logarithmic curve in decades below and above the characteristic speed, and steps in each decade.
const LOGARITHMIC_RANGE: (i32, i32, i32) = (-4, 2, 10);

/// A law to draw: its name in the picture, the law, and the load on it.
pub struct DrawnLaw {
    /// Name in the picture.
    pub name: String,
    /// The law.
    pub spec: Spec,
    /// Load.
    pub load: f64,
}

/// The steady curves on a linear and on a logarithmic scale of speed.
pub fn curve(title: &str, cases: &[DrawnLaw], scales: &CharacteristicScales) -> Result<Figure, CommandError> {
    let units = LawUnits::of(cases[0].spec.law());
    let [x, y] = [format!("v [{}]", units.speed), format!("F [{}]", units.force)];
    let mut through = Panel::new(Axis::linear(x.as_str()), Axis::linear(y.as_str()));
    let mut decades = Panel::new(Axis::log(x.as_str()), Axis::linear(y.as_str()));
    let (reach, n) = LINEAR_RANGE;
    let (down, up, each) = LOGARITHMIC_RANGE;
    for case in cases {
        let model = case.spec.build()?;
        let near = (-n..=n).map(|k| reach * scales.speed * f64::from(k) / f64::from(n)).collect();
        let far = (down * each..=up * each).map(|k| scales.speed * 10_f64.powf(f64::from(k) / f64::from(each)));
        let at_rest = AtRest::new(model.as_ref(), case.load);
        through = through.line(&case.name, SteadyCurve::new(model.as_ref(), near, case.load)?.through_rest(&at_rest));
        decades = decades
            .line(&case.name, SteadyCurve::new(model.as_ref(), far.collect(), case.load)?.through_rest(&at_rest));
    }
    Ok(Figure::new(format!("{title}: steady curve")).panel(through).beside(decades))
}

/// The loops, the largest first, so that small ones lie on top.
pub fn loops(title: &str, cases: &[DrawnLaw], scales: &CharacteristicScales) -> Result<Figure, CommandError> {
    let units = LawUnits::of(cases[0].spec.law());
    let mut panel =
        Panel::new(Axis::linear(format!("x [{}]", units.displacement)), Axis::linear(format!("F [{}]", units.force)));
    for case in cases {
        let several = if cases.len() > 1 { format!("{}, ", case.name) } else { String::new() };
        for part in AMPLITUDES.iter().rev() {
            let amplitude = round(part * scales.length, 2);
            let omega = Some(SPEED * scales.speed / amplitude);
            let motion = HarmonicMotion { omega, cycles: CYCLES, ..HarmonicMotion::new(amplitude) };
            let driven = drive_harmonic(&TestRig::new(&case.spec).with_load(case.load), &motion)?;
            panel = panel.line(format!("{several}X = {}", short(amplitude)), driven.points());
        }
    }
    Ok(Figure::new(format!("{title}: loops")).panel(panel))
}
