//! Samples and settled memories that nobody wrote an equation for.
use super::law;
use stiction::core::Input;

/// A state whose rate is nonlinear in it, with a closed form: dz/dt = v (1 − (z/z0)²), z = z0 tanh(v t/z0).
const TANH: &str = r#"
name = "tanh-bristle"
[params]
z0 = { unit = "m", default = 1e-3, min = 1e-9, max = 1.0 }
k = { unit = "N/m", default = 1e3, min = 0.0, max = 1e9 }
[states]
z = "m"
[equations]
rate.z = "v - abs(v)*sign(v)*(z/z0)^2"
force = "load*k*z"
"#;

/// One sample of any length against the closed form: from rest, from the opposite limit, and from close to the settled memory that is unstable.
#[test]
fn a_sample_follows_the_closed_form_where_the_rate_is_not_linear() {
    let law = law(TANH).build().expect("a law");
    let (v, z0) = (0.02, 1e-3_f64);
    for (start, allowed) in [(0.0, 1e-4), (-0.9e-3, 1e-4), (0.5e-3, 1e-4), (-0.999e-3, 2e-3)] {
        for tenth in -90..=30 {
            let dt = 10f64.powf(0.1 * f64::from(tenth));
            let mut z = [start];
            law.step(&mut z, &Input::at(v), dt);
            let want = z0 * (v * dt / z0 + (start / z0).atanh()).tanh();
            // 1e-4 is the tolerance of a step. A step's true error is about a hundredth of that; near the unstable memory, a thousandth of z0 away, it
            // grows as the distance does, by a factor of 2000
            assert!((z[0] - want).abs() <= allowed * z0, "{start}: {} for {want} after {dt} s", z[0]);
        }
    }
}

/// A bristle and a slow state that act on each other, both nonlinear; the time constants are 1e-6 s to 0.1 s.
pub const COUPLED: &str = r#"
name = "coupled"
[params]
fc = { unit = "N", default = 1.0, min = 1e-9, max = 1e9 }
sigma = { unit = "N/m", default = 1e5, min = 1e-3, max = 1e12 }
vs = { unit = "m/s", default = 0.01, min = 1e-9, max = 1e3 }
tau = { unit = "s", default = 0.1, min = 1e-6, max = 1e3 }
[states]
z = "m"
q = "-"
[equations]
g = "fc*(1 + 0.5*exp(-q))"
rate.z = "v - sigma*abs(v)*z/g"
rate.q = "(abs(v)/vs*(1 + (sigma*z/fc)^2) - q)/tau"
force = "load*sigma*z"
"#;

/// A bristle whose level fades with its own heat. Heat below zero does not count, and it begins at zero, where it does not grow yet.
const FADING: &str = r#"
name = "fading"
[params]
fc = { unit = "N", default = 50.0, min = 1e-6, max = 1e6 }
sigma = { unit = "N/m", default = 1e6, min = 1e-6, max = 1e9 }
c = { unit = "J/K", default = 2.0, min = 1e-6, max = 1e6 }
h = { unit = "W/K", default = 0.1, min = 0.0, max = 1e6 }
tf = { unit = "K", default = 100.0, min = 1e-3, max = 1e6 }
[states]
z = "m"
heat = "K"
[equations]
g = "fc/(1 + max(heat, 0)/tf)"
rate.z = "v - sigma*abs(v)*z/g"
rate.heat = "(sigma*z*v - h*heat)/c"
force = "load*sigma*z"
"#;

/// Both sides of the surface `heat = 0` have the same flow, and it runs along the surface at the beginning. It was taken for one that holds the memory, and samples from rest
/// longer than a millisecond left all of the memory at zero.
#[test]
fn a_memory_that_begins_on_a_surface_and_is_not_held_there_moves() {
    let law = law(FADING).build().expect("a law");
    for (v, dt) in [(1e-4, 0.1), (1e-2, 1e-3), (1e-2, 1e-2), (-1.0, 1e-4), (-1.0, 1e-2), (-1.0, 1.0)] {
        let mut z = [0.0; 2];
        law.step(&mut z, &Input::at(v), dt);
        // a thousandth of the relaxation time or less in each step, at an error of its fourth power
        let want = slowly(&*law, &Input::at(v), dt, 200_000);
        for (z, want) in z.iter().zip(want) {
            // some times the estimated error of a step, 1e-4, over a hundred
            assert!((z - want).abs() <= 1e-5 * want.abs(), "{z} for {want} after {dt} s at {v} m/s");
        }
    }
}

/// The memory after a time, by the classical Runge-Kutta method with steps far below the shortest time constant.
fn slowly(law: &dyn stiction::core::registry::DynLaw, u: &Input<f64>, time: f64, steps: u32) -> [f64; 2] {
    let (mut z, h) = ([0.0; 2], time / f64::from(steps));
    let rate = |z: [f64; 2]| {
        let mut out = [0.0; 2];
        law.rate(&z, u, &mut out);
        out
    };
    let ahead = |z: [f64; 2], k: [f64; 2], h: f64| [z[0] + h * k[0], z[1] + h * k[1]];
    for _ in 0..steps {
        let a = rate(z);
        let b = rate(ahead(z, a, 0.5 * h));
        let c = rate(ahead(z, b, 0.5 * h));
        let d = rate(ahead(z, c, h));
        for i in 0..2 {
            z[i] += h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]);
        }
    }
    z
}

/// A sample of coupled nonlinear states was a single step of second order: 8 % wrong at 3 mm/s and 10 ms, 14 % at 50 mm/s and 1 ms.
#[test]
fn a_sample_of_coupled_states_is_right_at_any_length() {
    let law = law(COUPLED).build().expect("a law");
    for (v, dt, want) in [
        // SciPy's Radau at rtol 1e-11, to the digits given
        (0.003, 1e-2, 1.2867),
        (0.05, 1e-3, 1.4137),
        (-0.02, 0.1, -1.0310),
        (0.01, 10.0, 1.05982),
    ] {
        let mut z = [0.0; 2];
        law.step(&mut z, &Input::at(v), dt);
        assert!((1e5 * z[0] / want - 1.0).abs() < 4e-5, "{} for {want} at {v} m/s, {dt} s", 1e5 * z[0]);
    }
    // the time constant of the bristle is g/(sigma |v|), at least 1e-5 m/|v|: steps of a fiftieth have an error below 1e-8
    for v in [1e-4_f64, -3e-3, 0.03] {
        for decade in -9..=0 {
            let (u, dt) = (Input::at(v), 10f64.powi(decade));
            let constants = dt * v.abs() / 1e-5;
            if constants > 1e4 {
                continue;
            }
            let want = slowly(&*law, &u, dt, 100 + (50.0 * constants) as u32);
            let mut z = [0.0; 2];
            law.step(&mut z, &u, dt);
            for i in 0..2 {
                assert!((z[i] / want[i] - 1.0).abs() < 1e-5, "{z:?} for {want:?} at {v} m/s, {dt} s");
            }
        }
    }
}

/// Samples much longer than every time constant land on the settled memory, at any speed.
#[test]
fn a_long_sample_of_coupled_states_lands_on_the_settled_memory() {
    let law = law(COUPLED).build().expect("a law");
    for v in [1e-4, 1e-3, -1e-2, 0.1, 1.0, -10.0] {
        let (mut limit, u) = ([0.0; 2], Input::at(v));
        law.settled(&u, &mut limit);
        for start in [[0.0; 2], [-1e-5, 3.0]] {
            let mut z = start;
            law.step(&mut z, &u, 1e3);
            for i in 0..2 {
                // 1e4 time constants: nothing is left but rounding
                assert!((z[i] / limit[i] - 1.0).abs() < 1e-12, "{z:?} for {limit:?} at {v} m/s from {start:?}");
            }
        }
    }
}

/// From a nanosecond to a quarter of an hour, one sample neither leaves the range of the memory nor misses its limit.
#[test]
fn any_sample_time_is_stable() {
    let law = law(TANH).build().expect("a law");
    for decade in -9..=3 {
        let dt = 10f64.powi(decade);
        let mut z = [0.0];
        for _ in 0..60 {
            law.step(&mut z, &Input::at(0.02), dt);
            assert!((-1e-12..=1e-3 * (1.0 + 1e-9)).contains(&z[0]), "{z:?} after samples of {dt} s");
        }
        // sixty samples of a second and more slide a thousand times z0
        if decade >= 0 {
            assert!((z[0] - 1e-3).abs() < 1e-12, "{z:?} at {dt}");
        }
    }
    let mut z = [0.0];
    law.settled(&Input::at(-0.3), &mut z);
    // Newton's iteration ends within a few units in the last place of z0 = 1e-3; a millionth of a millionth of a metre is far above
    assert!((z[0] + 1e-3).abs() < 1e-12, "{z:?}");
}

/// The equation of an implicit step has two solutions here, z0 apart and more: the one in the direction of the rate is the step's.
#[test]
fn a_sample_moves_in_the_direction_of_its_rate() {
    let law = law(TANH).build().expect("a law");
    for decade in -9..=3 {
        for start in [-0.999e-3, -0.5e-3, 0.0, 0.7e-3] {
            let mut z = [start];
            for _ in 0..10 {
                let before = z[0];
                law.step(&mut z, &Input::at(0.02), 10f64.powi(decade));
                assert!(z[0] >= before && z[0] <= 1e-3 * (1.0 + 1e-9), "{before} to {z:?} in samples of 1e{decade} s");
            }
            assert!(decade < 1 || (z[0] - 1e-3).abs() < 1e-9, "{z:?} after samples of 1e{decade} s");
        }
    }
}

/// Two states that act on each other: a bristle on a creeping base. The settled memory is the solution of a linear system.
#[test]
fn coupled_states_settle() {
    let law = law(r#"
        name = "creeping-base"
        [params]
        k = { unit = "N/m", default = 1e5, min = 0.0, max = 1e9 }
        d0 = { unit = "m", default = 1e-5, min = 1e-9, max = 1.0 }
        tau = { unit = "s", default = 0.1, min = 1e-9, max = 1e9 }
        [states]
        z = "m"
        base = "m"
        [equations]
        rate.z = "v - abs(v)*(z - base)/d0"
        rate.base = "(z - 2*base)/tau"
        force = "load*k*(z - base)"
        "#);
    let law = law.build().expect("a law");
    let mut z = [0.0; 2];
    law.settled(&Input::at(0.01), &mut z);
    // z − base = d0 and z = 2 base, to rounding
    assert!((z[0] - 2e-5).abs() < 1e-15 && (z[1] - 1e-5).abs() < 1e-15, "{z:?}");
    assert!(law.settles());
}

#[test]
fn a_law_without_a_limit_says_so() {
    let text = r#"
        name = "wear-in"
        [params]
        fc = { unit = "N", default = 1.0, min = 0.0, max = 1e9 }
        l = { unit = "m", default = 1.0, min = 1e-9, max = 1e9 }
        [states]
        way = "m"
        [equations]
        rate.way = "abs(v)"
        force = "load*fc*(1 + way/l)*sign(v)"
        hold = "load*fc*(1 + way/l)"
    "#;
    assert!(!law(text).build().expect("a law").settles());
}

/// A pulse: the second state follows the first while that grows, and decays to zero in steady sliding. Its limit is approached for ever.
#[test]
fn a_state_whose_limit_is_zero_settles() {
    let text = r#"
        name = "pulse"
        [params]
        k = { unit = "N/m", default = 1e5, min = 0.0, max = 1e9 }
        l = { unit = "m", default = 1e-4, min = 1e-9, max = 1.0 }
        tau = { unit = "s", default = 0.1, min = 1e-9, max = 1e9 }
        [states]
        z = "m"
        heat = "m"
        [equations]
        rate.z = "v - abs(v)*z/l"
        rate.heat = "v - abs(v)*z/l - heat/tau"
        force = "load*k*(z + heat)"
        "#;
    let law = law(text).build().expect("a law");
    assert!(law.settles());
    let mut z = [0.0; 2];
    law.settled(&Input::at(0.01), &mut z);
    // sliding over 1e24 m leaves nothing of the pulse of some 1e-4 m
    assert!((z[0] - 1e-4).abs() < 1e-15 && z[1].abs() < 1e-15, "{z:?}");
}
