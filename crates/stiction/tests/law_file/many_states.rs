//! Laws of more states than a step has room for one by one: their stages and their elimination are loops.
use super::law;
use std::fmt::Write;
use stiction::analysis::law_check::{LawCheck, Verdict};
use stiction::core::Input;
use stiction::core::registry::DynLaw;
use stiction::{LawFile, Spec};

/// Which states act on each other.
#[derive(Clone, Copy, Debug)]
enum Coupling {
    Neighbours,
    All,
}

/// Bristles whose lengths go from a micrometre to a tenth of a millimetre, not linear, and each weakened by the stretch of others.
fn bristles(states: usize, coupling: Coupling) -> Spec {
    let mut text = format!(
        "name = \"bristles-{states}-{}\"\n[params]\nk = {{ unit = \"N/m\", default = 1e4 }}\nl = {{ unit = \"m\", default = 1e-4, min = 1e-9 }}\n[states]\n",
        format!("{coupling:?}").to_lowercase()
    );
    (0..states).for_each(|i| writeln!(text, "z{i} = \"m\"").unwrap());
    text += "[equations]\n";
    for i in 0..states {
        let size = 10f64.powf(-2.0 * i as f64 / (states - 1) as f64);
        let others: Vec<usize> = match coupling {
            Coupling::Neighbours => {
                [i.checked_sub(1), (i + 1 < states).then_some(i + 1)].into_iter().flatten().collect()
            }
            Coupling::All => (0..states).filter(|j| *j != i).collect(),
        };
        let sum: Vec<String> = others.iter().map(|j| format!("z{j}")).collect();
        writeln!(
            text,
            "way{i} = \"({:.4}*z{i} + {:.6}*({}))/l\"",
            1.0 / size,
            0.3 / others.len() as f64,
            sum.join(" + ")
        )
        .unwrap();
        writeln!(text, "rate.z{i} = \"v - abs(v)*way{i}*(0.5 + 0.5*way{i}^2)\"").unwrap();
    }
    let force: Vec<String> = (0..states).map(|i| format!("z{i}")).collect();
    writeln!(text, "force = \"load*k*({})\"", force.join(" + ")).unwrap();
    law(&text)
}

const ALL: [(usize, Coupling); 8] = [
    (9, Coupling::Neighbours),
    (12, Coupling::Neighbours),
    (20, Coupling::Neighbours),
    (40, Coupling::Neighbours),
    (9, Coupling::All),
    (12, Coupling::All),
    (20, Coupling::All),
    (40, Coupling::All),
];

/// The memory after a time, by the classical Runge-Kutta method with steps far below the shortest time constant.
fn slowly(law: &dyn DynLaw, u: &Input<f64>, time: f64, steps: u32) -> Vec<f64> {
    let (mut z, h) = (vec![0.0; law.len()], time / f64::from(steps));
    let rate = |z: &[f64]| {
        let mut out = vec![0.0; z.len()];
        law.rate(z, u, &mut out);
        out
    };
    let ahead = |z: &[f64], k: &[f64], h: f64| z.iter().zip(k).map(|(z, k)| z + h * k).collect::<Vec<_>>();
    for _ in 0..steps {
        let a = rate(&z);
        let b = rate(&ahead(&z, &a, 0.5 * h));
        let c = rate(&ahead(&z, &b, 0.5 * h));
        let d = rate(&ahead(&z, &c, h));
        for i in 0..z.len() {
            z[i] += h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]);
        }
    }
    z
}

/// With more than eight states a sample was a single step of second order, whatever its length.
#[test]
fn a_sample_of_many_states_is_right_at_any_length() {
    for (states, coupling) in ALL {
        let law = bristles(states, coupling).build().expect("a law");
        for (v, way) in [(1e-3, 1e-8), (-0.02, 3e-7), (0.5, 2e-6), (1e-4, 1e-5), (-1.0, 6e-5)] {
            let (u, dt) = (Input::at(v), way / f64::abs(v));
            // the shortest way of relaxation is a third of a micrometre: steps of a fiftieth of it
            let want = slowly(&*law, &u, dt, 60 + (way / 6e-9) as u32);
            let mut z = vec![0.0; states];
            law.step(&mut z, &u, dt);
            for (got, want) in z.iter().zip(&want) {
                // an allowed error of 1e-4 in each step is in truth some hundred times less
                assert!((got / want - 1.0).abs() < 3e-5, "{got} for {want}: {states} states, {coupling:?}, {way} m");
            }
        }
    }
}

#[test]
fn a_long_sample_of_many_states_lands_on_the_settled_memory() {
    for (states, coupling) in ALL {
        let law = bristles(states, coupling).build().expect("a law");
        assert!(law.settles());
        for v in [1e-3, -2.0] {
            let (mut limit, mut z, u) = (vec![0.0; states], vec![0.0; states], Input::at(v));
            law.settled(&u, &mut limit);
            law.step(&mut z, &u, 1e3);
            for (z, limit) in z.iter().zip(&limit) {
                assert!((z / limit - 1.0).abs() < 1e-11, "{z} for {limit}: {states} states, {coupling:?}");
            }
        }
    }
}

/// What a user is told of it.
#[test]
fn the_check_finds_the_samples_of_many_states_right() {
    for (states, coupling) in [(9, Coupling::All), (12, Coupling::Neighbours)] {
        let check = LawCheck::new(&bristles(states, coupling)).expect("a check");
        let samples = check.properties.iter().find(|property| property.name == "samples").expect("computed samples");
        assert_eq!(samples.verdict, Verdict::Holds, "{}", samples.found);
    }
}

/// Sixty elements of which each slips by itself, the comparisons included, and one state too many.
#[test]
fn a_law_has_up_to_62_states() {
    let text = |states: usize| {
        let mut text = format!(
            "name = \"elements-{states}\"\n[params]\nk = {{ unit = \"N/m\", default = 1e4 }}\nl = {{ unit = \"m\", default = 1e-4, min = 1e-9 }}\n[states]\n"
        );
        (0..states).for_each(|i| writeln!(text, "z{i} = \"m\"").unwrap());
        text += "[equations]\n";
        (0..states).for_each(|i| writeln!(text, "rate.z{i} = \"where(z{i}*sign(v) >= {}*l, 0, v)\"", 1 + i).unwrap());
        let sum: Vec<String> = (0..states).map(|i| format!("z{i}")).collect();
        writeln!(text, "force = \"load*k*({})\"", sum.join(" + ")).unwrap();
        text
    };
    let law = law(&text(62)).build().expect("a law");
    let (mut z, u) = (vec![0.0; 62], Input::at(0.01));
    // 5.05 mm: fifty elements slip, each at its own stretch
    law.step(&mut z, &u, 0.505);
    for (i, z) in z.iter().enumerate().take(50) {
        assert!((z - 1e-4 * (1 + i) as f64).abs() < 1e-12, "{i}: {z}");
    }
    assert!(z[51..].iter().all(|z| (z - 5.05e-3).abs() < 1e-12), "{z:?}");
    let error = LawFile::parse(&text(63), std::path::Path::new("law.toml")).expect_err("one too many");
    assert!(error.to_string().contains("63 states, more than 62"), "{error}");
}
