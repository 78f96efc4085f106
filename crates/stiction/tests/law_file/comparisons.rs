//! Rates that compare their own states, without `[[when]]`: a sample is cut where a comparison changes its side.
use super::law;
use stiction::Spec;
use stiction::core::program::ProgramLaw;
use stiction::core::{Dual, Input, Lanes, Real};

/// Sample times from a nanosecond to a quarter of an hour.
fn times() -> impl Iterator<Item = f64> {
    (-9..=3).flat_map(|decade| [1.0, 2.5].map(|x| x * 10f64.powi(decade)))
}

fn text(states: &str, equations: &str) -> String {
    format!(
        "name = \"compared\"\n[params]\n\
         fc = {{ unit = \"N\", default = 1.5, min = 1e-9, max = 1e9 }}\n\
         k = {{ unit = \"N/m\", default = 1e4, min = 1e-3, max = 1e12 }}\n\
         r = {{ unit = \"m/s\", default = 0.02, min = 0.0, max = 1e3 }}\n\
         z0 = {{ unit = \"m\", default = 1e-4, min = 1e-9, max = 1.0 }}\n\
         z1 = {{ unit = \"m\", default = 3e-4, min = 1e-9, max = 1.0 }}\n\
         [states]\n{states}\n[equations]\n{equations}\n"
    )
}

/// A law with one state, and the state after a time from another in closed form, with the parameters above.
struct Case {
    name: &'static str,
    rate: &'static str,
    exact: fn(z: f64, v: f64, t: f64) -> f64,
    /// Whether a sample is exact to rounding; otherwise it is of second order.
    closed: bool,
    /// Whether a long sample ends on the surface; otherwise the rate vanishes there, and the sample comes near.
    reaches: bool,
}

const LIMIT: f64 = 1.5 / 1e4;

const CASES: [Case; 9] = [
    Case { name: "where", rate: "where(k*z*sign(v) >= fc, 0, v)", exact: spring, closed: true, reaches: true },
    Case { name: "strictly", rate: "where(k*z*sign(v) > fc, 0, v)", exact: spring, closed: true, reaches: true },
    Case { name: "sign", rate: "v*(1 - sign(k*z*sign(v) - fc))/2", exact: spring, closed: true, reaches: true },
    // both flows point to z0, at r from above
    Case { name: "both", rate: "where(z < z0, v, -r)", exact: both_sides, closed: true, reaches: true },
    Case {
        name: "exponential",
        rate: "v - where(abs(z) > z0 and v*z > 0, abs(v)*(z - z0*sign(z))/z1, 0)",
        exact: elasto_plastic,
        closed: true,
        reaches: true,
    },
    Case {
        name: "max",
        rate: "v - abs(v)*(max(z - z0, 0) + min(z + z0, 0))/z1",
        exact: dead_zone,
        closed: true,
        reaches: true,
    },
    Case {
        name: "slowing",
        rate: "where(k*z*sign(v) >= fc, 0, v*(1 - 0.5*(z/z1)^2))",
        exact: slowing,
        closed: false,
        reaches: true,
    },
    // beyond the surface the base of the power would be negative
    Case { name: "power", rate: DAHL_POWER, exact: dahl_power, closed: false, reaches: false },
    Case {
        name: "positive part",
        rate: "v*max(1 - k*z*sign(v)/fc, 0)^1.5",
        exact: dahl_positive,
        closed: false,
        reaches: false,
    },
];

const DAHL_POWER: &str = "v*abs(1 - k*z*sign(v)/fc)^1.5*sign(1 - k*z*sign(v)/fc)";
const DAHL_ROOT: &str = "v*sqrt(abs(1 - k*z*sign(v)/fc))*sign(1 - k*z*sign(v)/fc)";

/// Dahl's law with an exponent: u = 1 − z/L falls with the way s as du/ds = −u^i/L, so u^(1−i) grows by (i − 1) s/L.
fn dahl(z: f64, v: f64, t: f64, i: f64) -> f64 {
    let u = 1.0 - z * v.signum() / LIMIT;
    let power = u.abs().powf(1.0 - i) + (i - 1.0) * v.abs() * t / LIMIT;
    let left = if u == 0.0 || power <= 0.0 { 0.0 } else { power.powf(1.0 / (1.0 - i)) };
    v.signum() * LIMIT * (1.0 - u.signum() * left)
}
fn dahl_power(z: f64, v: f64, t: f64) -> f64 {
    dahl(z, v, t, 1.5)
}
fn dahl_positive(z: f64, v: f64, t: f64) -> f64 {
    if z * v.signum() >= LIMIT { z } else { dahl(z, v, t, 1.5) }
}

/// A spring that stops stretching at fc/k, and shrinks again at once.
fn spring(z: f64, v: f64, t: f64) -> f64 {
    let z = z * v.signum();
    v.signum() * if z >= LIMIT { z } else { (z + v.abs() * t).min(LIMIT) }
}

fn both_sides(z: f64, v: f64, t: f64) -> f64 {
    let (z0, r) = (1e-4, 0.02);
    if z < z0 {
        (z + v * t).min(z0)
    } else {
        let fall = (z - z0) / r;
        if t < fall { z - r * t } else { z0 + v.min(0.0) * (t - fall) }
    }
}

/// Above z0 the stretch beyond it approaches z1 exponentially over the way; within, and on the way back, it follows the motion.
fn elasto_plastic(z: f64, v: f64, t: f64) -> f64 {
    let (z0, z1) = (1e-4, 3e-4);
    let (z, way) = (z * v.signum(), v.abs() * t);
    let free = (z0 - z).max(0.0);
    let out = if way <= free { z + way } else { z0 + z1 + ((z - z0).max(0.0) - z1) * (-(way - free) / z1).exp() };
    v.signum() * out
}

/// The same, but the stretch beyond z0 relaxes on the way back as well.
fn dead_zone(z: f64, v: f64, t: f64) -> f64 {
    let (z0, z1) = (1e-4, 3e-4);
    let (mut z, mut way) = (z * v.signum(), v.abs() * t);
    if z < -z0 {
        // d(−z − z0)/ds = −1 − (−z − z0)/z1 ... backwards beyond: u = z + z0 < 0, du/ds = 1 − u/z1
        let back = z1 * (1.0 - (z + z0) / z1).ln();
        if way < back {
            return v.signum() * (-z0 + z1 + (z + z0 - z1) * (-way / z1).exp());
        }
        (z, way) = (-z0, way - back);
    }
    let free = (z0 - z).max(0.0);
    let out = if way <= free { z + way } else { z0 + z1 + ((z - z0).max(0.0) - z1) * (-(way - free) / z1).exp() };
    v.signum() * out
}

/// dz/ds = 1 − z²/l², l = z1 √2
fn slowing(z: f64, v: f64, t: f64) -> f64 {
    let l = 3e-4 * 2f64.sqrt();
    let z = z * v.signum();
    v.signum() * if z >= LIMIT { z } else { (l * ((z / l).atanh() + v.abs() * t / l).tanh()).min(LIMIT) }
}

fn spec(case: &Case) -> Spec {
    law(&text("z = \"m\"", &format!("rate.z = \"{}\"\nforce = \"load*k*z\"", case.rate)))
}

#[test]
fn a_sample_is_the_closed_form_for_every_length() {
    for case in &CASES {
        let law = spec(case).build().expect("a law");
        for v in [1e-6, 1e-3, -2e-2, 1.0] {
            for start in [0.0, 4e-5, 1e-4, -1e-4, LIMIT, -LIMIT, 1.8e-4, -2.2e-4] {
                for dt in times() {
                    let mut z = [start];
                    law.step(&mut z, &Input::at(v), dt);
                    let exact = (case.exact)(start, v, dt);
                    // rounding of the way to the surface, some units in the last place of the states on it; of second order, the
                    // error of a step that ends within the mode, and none where it ends on the surface: at most that of one step of
                    // implicit Euler, u + h u^i = u0, which for i = 1.5 is 0.243 of the way, for h = 1.95
                    let on_limit = case.reaches && (exact.abs() - LIMIT).abs() < 1e-15;
                    let allowed = if case.closed || on_limit { 1e-12 } else { 0.243 };
                    let moved = (exact - start).abs();
                    assert!(
                        (z[0] - exact).abs() <= allowed * moved + 1e-18,
                        "{}: from {start} at {v} m/s for {dt} s: {} instead of {exact}",
                        case.name,
                        z[0]
                    );
                }
            }
        }
    }
}

/// A root of what is left to the surface, whose slope there is infinite: a sample of any length is a number between the beginning and where the
/// flow ends, and of second order while it does not come near the surface.
#[test]
fn a_root_is_sampled_towards_its_surface() {
    let case =
        Case { name: "root", rate: DAHL_ROOT, exact: |z, v, t| dahl(z, v, t, 0.5), closed: false, reaches: false };
    let law = spec(&case).build().expect("a law");
    for v in [1e-6, 1e-3, -2e-2, 1.0] {
        for start in [0.0, 4e-5, 1e-4, -1e-4, LIMIT, -LIMIT, 1.8e-4, -2.2e-4] {
            for dt in times() {
                let mut z = [start];
                law.step(&mut z, &Input::at(v), dt);
                let exact = (case.exact)(start, v, dt);
                let left = (1.0 - start * v.signum() / LIMIT).abs();
                // a tenth of the way to the surface, 2 √u: the error of second order is below its square
                let is_short = v.abs() * dt < 0.2 * left.sqrt() * LIMIT;
                let allowed = if is_short { 1e-2 } else { 1.0 };
                let error = (z[0] - exact).abs();
                assert!(
                    error <= allowed * (exact - start).abs() + 1e-18,
                    "from {start} at {v} m/s for {dt} s: {} instead of {exact}",
                    z[0]
                );
            }
        }
    }
}

/// A sample that ends on a surface stays there in the next one, and leaves it when the motion turns.
#[test]
fn samples_follow_one_another_on_a_surface() {
    for case in &CASES {
        let law = spec(case).build().expect("a law");
        for dt in [1e-9, 1e-6, 1e-3, 0.3, 1e3] {
            let (mut z, mut exact) = ([0.0], 0.0);
            for k in 0..200_u32 {
                let draw = |j: u32| f64::uniform(3.0, f64::from(4 * k + j));
                // ways of a tenth to ten times the range of the memory
                let v = 10f64.powf(2.0 * draw(0) - 1.0) * 1e-4 / dt * (draw(1) - 0.4).signum();
                let before = exact;
                exact = (case.exact)(exact, v, dt);
                law.step(&mut z, &Input::at(v), dt);
                if case.closed {
                    // errors of rounding of 200 samples, of states of some 1e-4 m; one of rounding in the place of a surface that is
                    // left slowly and then followed by a fast motion grows by the ratio of the two
                    let allowed = if case.name == "both" { 1e-18 * (v / 0.02).abs() } else { 0.0 };
                    assert!(
                        (z[0] - exact).abs() < 1e-16 + allowed,
                        "{}, sample {k} of {dt} s from {before}: {} {exact}",
                        case.name,
                        z[0]
                    );
                } else {
                    assert!(z[0].abs() <= LIMIT * (1.0 + 1e-12), "{}: {}", case.name, z[0]);
                    exact = z[0];
                }
            }
        }
    }
}

/// The same law with a mode of its own gives the same numbers.
#[test]
fn a_comparison_is_a_change_of_mode() {
    let compared =
        law(&text("z = \"m\"", "rate.z = \"where(z*sign(v) >= z0, 0, v)\"\nforce = \"load*k*z\"")).build().unwrap();
    let modal = text("z = \"m\"\nslip = \"-\"", "rate.z = \"where(slip == 0, v, 0)\"\nforce = \"load*k*z\"")
        + "[[when]]\nif = \"slip*sign(v) < 0\"\nset.slip = \"0\"\n\
           [[when]]\nif = \"slip == 0 and v != 0\"\nguard = \"z*sign(v) - z0\"\nset.slip = \"sign(v)\"\nset.z = \"clip(z, -z0, z0)\"\n";
    let modal = law(&modal).build().unwrap();
    let (mut one, mut other) = ([0.0], [0.0; 2]);
    for k in 0..400_u32 {
        let draw = |j: u32| f64::uniform(5.0, f64::from(4 * k + j));
        let dt = 10f64.powf(-9.0 + 12.0 * draw(0));
        let u = Input::at(10f64.powf(2.0 * draw(1) - 1.0) * 1e-4 / dt * (draw(2) - 0.5).signum());
        let forces = [compared.sample(&mut one, &u, dt), modal.sample(&mut other, &u, dt)];
        // force of 1 N
        assert!((forces[0] - forces[1]).abs() < 1e-12, "sample {k}: {forces:?}");
    }
}

/// Guards of a flow that is no straight line: a bristle that relaxes over the way d, and whose mode changes at half of its limit.
#[test]
fn a_curved_flow_meets_its_guard() {
    let modal =
        text("z = \"m\"\nbroken = \"-\"", "rate.z = \"where(broken == 0, v - abs(v)*z/z1, 0)\"\nforce = \"load*k*z\"")
            + "[[when]]\nif = \"broken == 0\"\nguard = \"abs(z) - z0\"\nset.broken = \"1\"\n";
    let law = law(&modal).build().unwrap();
    for dt in times() {
        let (mut z, v, z0, z1) = ([0.0; 2], 1e-2, 1e-4, 3e-4_f64);
        law.step(&mut z, &Input::at(v), dt);
        let exact = (-z1 * (-v * dt / z1).exp_m1()).min(z0);
        assert!((z[0] - exact).abs() <= 1e-12 * exact, "{dt} s: {} instead of {exact}", z[0]);
    }
}

/// Two states share a surface, and both flows point to it: the sum is held, and the parts move against each other at the rates for which
/// the sum rests. Then the second state reaches its own end, and the first stops.
#[test]
fn states_move_along_a_common_surface() {
    let law = law(&text(
        "a = \"m\"\nb = \"m\"",
        "rate.a = \"where(a + b >= z0, -r, v)\"\nrate.b = \"where(b >= z1, 0, v/2)\"\nforce = \"load*k*(a + b)\"",
    ));
    let law = law.build().expect("a law");
    let (v, z0, z1) = (0.01, 1e-4, 3e-4);
    let exact = |t: f64| {
        // on the surface at z0 = 1.5 v t; then da/dt = −v/2 > −r
        let meets = z0 / (1.5 * v);
        let b = (0.5 * v * t).min(z1);
        if t < meets { [v * t, b] } else { [z0 - b, b] }
    };
    for dt in times() {
        let mut z = [0.0; 2];
        law.step(&mut z, &Input::at(v), dt);
        let want = exact(dt);
        for (z, want) in z.iter().zip(want) {
            assert!((z - want).abs() <= 1e-12 * (want.abs() + 1e-16), "{dt} s: {z} {want}");
        }
    }
    // the steady force: the sum is z0
    let force = law.steady(&Input::at(v));
    assert!((force - 1.0).abs() < 1e-12, "{force}");
}

/// The limit of sliding, which was 1e30 where a sample took the side of its beginning for the whole of it.
#[test]
fn the_steady_curve_ends_on_the_surface() {
    for (case, want) in CASES.iter().zip([1.5, 1.5, 1.5, 1.0, 4.0, 4.0, 1.5]) {
        let law = spec(case).build().expect("a law");
        // that with a limit on one side alone does not settle in the other direction
        assert_eq!(law.settles(), case.name != "both", "{}", case.name);
        for v in [1e-6, 1e-3, 1.0] {
            let force = law.steady(&Input::at(v));
            assert!((force - want).abs() < 1e-9, "{}: {force} instead of {want} at {v} m/s", case.name);
        }
    }
}

/// Lanes have the bits of one number, whichever pieces their neighbours have.
#[test]
fn lanes_are_scalars() {
    for case in &CASES {
        let spec = spec(case);
        let program = spec.law().program().expect("a law file");
        let values: Vec<f64> = spec.law().params.iter().map(|param| param.default).collect();
        let one = ProgramLaw::new(program, values.clone());
        let many = ProgramLaw::new(program, values.iter().map(|x| Lanes::<8>::lit(*x)).collect());
        let (mut each, mut all) = ([0.0; 8], [Lanes([0.0; 8])]);
        for k in 0..100_u32 {
            let draw = |lane: usize, j: u32| f64::uniform(9.0, f64::from(32 * k + j) + 4.0 * lane as f64);
            let dt: [f64; 8] = std::array::from_fn(|lane| 10f64.powf(-9.0 + 12.0 * draw(lane, 0)));
            let v: [f64; 8] = std::array::from_fn(|lane| {
                10f64.powf(2.0 * draw(lane, 1) - 1.0) * 1e-4 / dt[lane] * (draw(lane, 2) - 0.5).signum()
            });
            for lane in 0..8 {
                let mut z = [each[lane]];
                one.step(&mut z, &Input::at(v[lane]), dt[lane]);
                each[lane] = z[0];
            }
            many.step(&mut all, &Input { v: Lanes(v), load: Lanes::lit(1.0) }, Lanes(dt));
            assert_eq!(all[0].0.map(f64::to_bits), each.map(f64::to_bits), "{}, sample {k}", case.name);
        }
    }
}

/// Dual numbers know that a sample ends on the surface: the state there is fc/k, whatever the speed and the length of the sample are.
#[test]
fn derivatives_follow_the_surface() {
    // one variable at a time: over this number the library has the law already, and nothing is compiled for the test alone
    type One = Dual<f64, 1>;
    for case in CASES.iter().filter(|case| case.reaches && case.rate.contains("fc")) {
        let spec = spec(case);
        let law = spec.law();
        for (variable, want) in [("fc", 1.0 / 1e4), ("k", -LIMIT / 1e4), ("v", 0.0)] {
            let number = |name: &str, x: f64| if name == variable { One::var(x, 0) } else { One::constant(x) };
            let values = law.params.iter().map(|param| number(param.name, param.default)).collect();
            let law = ProgramLaw::new(law.program().expect("a law file"), values);
            for dt in [0.2, 1.0, 100.0] {
                let mut z = [One::constant(2e-5)];
                law.step(&mut z, &Input { v: number("v", 1e-3), load: One::constant(1.0) }, One::constant(dt));
                let got = z[0].eps[0];
                // a derivative by an iteration on a step of second order ends with its last change, some millionths
                let same = (got - want).abs() <= 1e-6 * (want.abs() + 1e-4);
                assert!(same, "{} by {variable} in {dt} s: {z:?}", case.name);
            }
        }
    }
}
