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

#[test]
fn a_sample_is_of_second_order_where_the_rate_is_not_linear() {
    let law = law(TANH).build().expect("a law");
    let error = |steps: u32| {
        let (u, dt) = (Input::at(1e-2), 0.1 / f64::from(steps));
        let mut z = [0.0];
        (0..steps).for_each(|_| law.step(&mut z, &u, dt));
        (z[0] - 1e-3 * (1e-2 * 0.1 / 1e-3_f64).tanh()).abs()
    };
    let order = (error(64) / error(128)).log2();
    // the next term of the error is one order higher: a few percent at these steps
    assert!((order - 2.0).abs() < 0.1, "{order}");
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
