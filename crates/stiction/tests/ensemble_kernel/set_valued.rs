//! Laws whose force at rest is a set: true stick, break-away, and events within steps.
use crate::{Answers, Case};

/// A mass under a swinging force, as in g5.
fn swung(law: &str, rtol: f64) -> String {
    format!(
        r#"
[run]
end = 20
rtol = {rtol:e}
[body.block]
mass = 1
[force.push]
on = "block"
force = {{ sine = {{ amplitude = 1.5, omega = 1 }} }}
[contact.table]
between = ["block", "ground"]
{law}
{MEASURES}
"#
    )
}

/// A block pulled by a spring, whose other end moves on.
fn pulled(law: &str, rtol: f64) -> String {
    format!(
        r#"
[run]
end = 10
rtol = {rtol:e}
[body.block]
mass = 1
[motion.hand]
position = {{ ramp = {{ slope = 0.5 }} }}
[spring.pull]
between = ["hand", "block"]
stiffness = 4
damping = 0.1
[contact.table]
between = ["block", "ground"]
{law}
{MEASURES}
"#
    )
}

/// A block on a belt, held by a spring.
fn carried(law: &str, rtol: f64) -> String {
    format!(
        r#"
[run]
end = 10
rtol = {rtol:e}
[body.block]
mass = 1
[motion.belt]
position = {{ ramp = {{ slope = 0.5 }} }}
[spring.wall]
between = ["block", "ground"]
stiffness = 4
damping = 0.1
[contact.table]
between = ["block", "belt"]
{law}
{MEASURES}
"#
    )
}

const MEASURES: &str = r#"
[measure]
v_max = { max = "block.v" }
v_final = { final = "block.v" }
F_max = { max = "table.force" }
F_mean = { mean = "table.force" }
slip_1 = { event = "table.slip", nth = 1 }
last = { event = "table.stick", nth = -1 }
x = { final = "block.x" }
sticks = { count = "table.stick" }
slips = { count = "table.slip" }
turns = { count = "table.reverse" }
"#;

/// How many measures there are, and how many of them, the last ones, are numbers of events.
const MEASURED: usize = 10;
const COUNTS: usize = 3;

const LAWS: [(&str, &str); 6] = [
    ("coulomb", "law = \"coulomb\"\nfc = 1"),
    ("stiction", "law = \"stiction\"\nfc = 1\nfs = 1.2\nfv = 0.05"),
    ("stribeck", "law = \"stribeck\"\nfc = 0.6\nfs = 1\nvs = 0.05\nfv = 0.1"),
    ("stribeck-steep", "law = \"stribeck\"\nfc = 0.6\nfs = 1\nvs = 0.001\nfv = 0.1"),
    ("carlson-langer", "law = \"carlson-langer\""),
    ("gear", "law = \"gear\"\nfc = 0.4\nfs = 0.7\ntorque = 1\nmu_drive = 0.3\nmu_back = 0.1"),
];

/// The largest error of the position at the sampled times, and of the other measures, in tolerances; and whether all events were counted alike.
fn error(answers: &Answers, rtol: f64) -> (f64, bool) {
    let Answers { got, want, .. } = answers;
    let measures = MEASURED - COUNTS;
    let alike = |k: usize| (got[k] - want[k]).abs() < 0.5;
    let size = want.iter().skip(MEASURED).fold(0.0_f64, |size, x| size.max(x.abs()));
    let mut most = 0.0_f64;
    for (k, (got, want_k)) in got.iter().zip(want).enumerate().filter(|(k, _)| *k < measures || *k >= MEASURED) {
        // speeds and forces are compared with their largest ones, times with themselves
        let scale = match k {
            0 | 1 => want[0].abs(),
            2 | 3 => want[2].abs(),
            4 | 5 => want_k.abs(),
            _ => size,
        };
        let far = (got - want_k).abs() / (1e-3 * rtol + rtol * scale);
        most = most.max(if got.is_nan() && want_k.is_nan() { 0.0 } else { far });
    }
    (most, (measures..MEASURED).all(alike))
}

/// Each law in each system, with these values of what varies.
fn cases(rtol: f64) -> Vec<Case> {
    let digits = -rtol.log10() as i32;
    let mut out = Vec::new();
    for (name, law) in LAWS {
        let mut case = |kind: &str, text: String, paths: [&'static str; 2], points: &[[f64; 2]]| {
            let points = points.iter().map(|point| point.to_vec()).collect();
            out.push(Case { name: format!("{kind}-{name}-{digits}"), text, paths: paths.to_vec(), points });
        };
        let swing = ["force.push.force.sine.amplitude", "force.push.force.sine.omega"];
        case("swung", swung(law, rtol), swing, &[[1.5, 1.0], [0.5, 1.0], [3.0, 2.0], [1.05, 0.3], [20.0, 7.0]]);
        let pull = ["spring.pull.stiffness", "motion.hand.position.ramp.slope"];
        case("pulled", pulled(law, rtol), pull, &[[4.0, 0.5], [30.0, 0.2], [9.0, 1.1], [1.0, 0.05], [100.0, 0.01]]);
        let belt = ["spring.wall.stiffness", "motion.belt.position.ramp.slope"];
        case("carried", carried(law, rtol), belt, &[[4.0, 0.5], [30.0, 0.2], [9.0, -1.1], [1.0, 0.05], [100.0, 0.01]]);
    }
    out
}

/// Steps keep to their tolerance; over some hundred of them errors add up, and each of up to twenty slips multiplies what came before. The
/// simulator at the same tolerance differs from itself at a tighter one by as much.
const ALLOWED: f64 = 1000.0;

#[test]
fn stick_and_slip_agree_with_the_simulator() {
    // each case is compiled, a third of a second
    for rtol in [1e-4, 1e-10] {
        for case in cases(rtol) {
            let Some(all) = case.run(1e-12) else { return };
            for (point, answers) in case.points.iter().zip(&all) {
                assert_eq!(answers.status, 0, "{} at {point:?}", case.name);
                let (far, alike) = error(answers, rtol);
                let Answers { got, want, .. } = answers;
                assert!(alike, "{} at {point:?}: other events\n{got:?}\n{want:?}", case.name);
                assert!(far < ALLOWED, "{} at {point:?}: {far} tolerances\n{got:?}\n{want:?}", case.name);
            }
        }
    }
}

/// A force just below the limit never moves the body, one just above it does, however little: the largest force lies between two samples.
#[test]
fn a_force_at_the_limit_decides() {
    let text = swung("law = \"coulomb\"\nfc = 1", 1e-8);
    let paths = vec!["force.push.force.sine.amplitude", "force.push.force.sine.omega"];
    let mut points = Vec::new();
    for k in 0..12 {
        let off = 10.0_f64.powi(-3 - k / 2) * if k % 2 == 0 { 1.0 } else { -1.0 };
        points.push(vec![1.0 + off, 0.3 + 0.41 * f64::from(k)]);
    }
    let case = Case { name: "limit".to_owned(), text, paths, points };
    let Some(all) = case.run(1e-12) else { return };
    for (point, Answers { got, want, .. }) in case.points.iter().zip(&all) {
        let slips = got[MEASURED - 2];
        assert_eq!(slips > 0.0, point[0] > 1.0, "{point:?}: {slips}");
        assert_eq!(got[MEASURED - 2..MEASURED], want[MEASURED - 2..MEASURED], "{point:?}");
    }
}
