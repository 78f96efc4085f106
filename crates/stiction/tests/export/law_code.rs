//! The functions of every law as programs: what the law itself gives, in a bounded number of operations.
use stiction::Spec;
use stiction::core::program::{Replay, derivative};
use stiction::core::{Dual, Input, models};
use stiction::export::Program;
use stiction::export::law::{FunctionKind, LawCode, LawCodeError, TestPoint};

#[test]
fn every_function_of_every_law_has_the_bits_of_the_law() {
    let mut longest = (0, String::new());
    for law in models::ALL {
        let code = LawCode::new(law).unwrap();
        for function in &code.functions {
            let what = format!("{} of {}", function.kind.name(), law.name);
            let points = code.test_points(function.kind);
            assert_eq!(points.len(), 64, "{what}");
            let replay = Replay::new(&function.program);
            for point in &points {
                let got = function.program.evaluate(&point.inputs);
                let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&got), bits(&point.outputs), "{what}: {got:?} at {point:?}");
                if let Some(replay) = &replay {
                    let mut got = vec![0.0; point.outputs.len()];
                    replay.run(|i| point.inputs[i], &mut got);
                    assert_eq!(bits(&got), bits(&point.outputs), "{what}, replayed, at {point:?}");
                }
            }
            slopes_agree(&function.program, &points[..16], &what);
            let read: Program = function.program.to_string().parse().expect("a program");
            assert_eq!(read, function.program, "{what}");
            longest = longest.max((function.program.len(), what));
        }
    }
    println!("the longest is {} with {} operations", longest.1, longest.0);
    // the longest unrolled had 431 thousand
    assert!(longest.0 < 12_000, "{longest:?}");
}

/// A law with its own parameters in each direction and a load in its own unit: its functions give what the wrapped law gives. Noise of no
/// amplitude, which a wrapped law adds, may turn the sign of a zero.
#[test]
fn every_function_of_a_wrapped_law_has_the_numbers_of_the_law() {
    for law in models::ALL {
        for load in [false, true] {
            let mut spec = Spec::of(law);
            for p in law.params {
                // stays within the bounds and keeps every relation that a common factor keeps
                let _ = spec.set(&format!("reverse.{}", p.name), (1.25 * p.default).clamp(p.min, p.max));
            }
            if load {
                spec.set("load.base", 0.25).unwrap().set("load.slope", 0.75).unwrap();
            }
            if spec.check().is_err() {
                spec = Spec::of(law);
                spec.set(&format!("reverse.{}", law.params[0].name), law.params[0].default).unwrap();
            }
            let code = LawCode::of(&spec).unwrap();
            assert!(code.is_wrapped() && code.params.len() > law.params.len(), "{}", law.name);
            for function in &code.functions {
                let what = format!("{} of {} in two directions", function.kind.name(), law.name);
                let points = code.test_points(function.kind);
                assert!(points.len() >= 60, "{what}: {}", points.len());
                for point in &points {
                    assert_eq!(function.program.evaluate(&point.inputs), point.outputs, "{what} at {point:?}");
                }
            }
        }
    }
}

/// The parameters of the wrappers come after those of the law, and one that reverse motion does not have follows the forward value.
#[test]
fn a_wrapped_law_has_the_parameters_that_were_given() {
    let mut spec = Spec::new("stribeck").unwrap();
    spec.set("reverse.fc", 0.5).unwrap().set("load.base", 0.0).unwrap().set("load.slope", 0.1).unwrap();
    let code = LawCode::of(&spec).unwrap();
    let count = spec.law().params.len();
    assert_eq!(code.keys()[count..], ["reverse.fc", "load.base", "load.slope"]);
    let names: Vec<&str> = code.params[count..].iter().map(|p| p.name).collect();
    assert_eq!(names, ["reverse_fc", "load_base", "load_slope"]);
    assert_eq!(code.params[count].default, 0.5);
    let steady = code.function(FunctionKind::Steady).unwrap();
    let mut inputs = vec![-1e3, 20.0];
    inputs.extend(code.params.iter().map(|p| p.default));
    let law = spec.build().unwrap();
    let want = law.steady(&Input { v: -1e3, load: 20.0 });
    assert_eq!(steady.program.evaluate(&inputs), [want]);
    // twice the load factor of 1, times the reverse level
    let viscous = 1e3 * spec.get("fv").unwrap();
    assert!((want + viscous + 2.0 * 0.5).abs() < 1e-9, "{want}");
    spec.set("noise.amplitude", 0.1).unwrap();
    assert_eq!(LawCode::of(&spec).unwrap_err(), LawCodeError::Noise);
}

/// A level of its own in each direction makes no set of forces at rest, a stiffness of its own does; and the program has the half-width of the law.
#[test]
fn a_set_at_rest_comes_from_what_turns_memory_into_force() {
    let hold = |law: &str, key: &str, factor: f64| {
        let mut spec = Spec::new(law).unwrap();
        let value = factor * spec.get(key).unwrap();
        spec.set(&format!("reverse.{key}"), value).unwrap();
        let code = LawCode::of(&spec).unwrap();
        let program = code.hold()?;
        let values: Vec<f64> = code.params.iter().map(|p| p.default).collect();
        let built = code.build(&values).unwrap();
        for point in code.test_points(FunctionKind::Force) {
            let (load, memory) = (point.inputs[1], &point.inputs[2..2 + spec.law().states.len()]);
            // the law has room for the memory of a noise
            let wide = [memory, &[0.0, 0.0]].concat();
            for dir in [-1.0, 1.0] {
                let got = program.evaluate(&[&[load, dir], memory, &values].concat());
                assert_eq!(got, [built.hold(&wide, &Input { v: 0.0, load }, dir)], "{law}, {key}");
            }
        }
        Some(())
    };
    for (law, key) in
        [("lugre", "fc"), ("lugre", "sigma1"), ("dahl", "fc"), ("gms", "k1"), ("armstrong", "fs"), ("simscape", "fc")]
    {
        assert_eq!(hold(law, key, 1.1), None, "{law}, {key}");
    }
    for (law, key) in
        [("lugre", "sigma0"), ("dahl", "sigma"), ("armstrong", "sigma0"), ("coulomb", "fc"), ("karnopp", "fs")]
    {
        assert_eq!(hold(law, key, 1.1), Some(()), "{law}, {key}");
        // the same value in both directions
        assert_eq!(hold(law, key, 1.0).is_some(), ["coulomb", "karnopp"].contains(&law), "{law}, {key}");
    }
}

/// The derivative program by the velocity against dual numbers through the program itself, loops included.
fn slopes_agree(program: &Program, points: &[TestPoint], what: &str) {
    type One = Dual<f64, 1>;
    let Some(replay) = Replay::new(program) else { return };
    let slopes = derivative(program, &[0]).expect("no operations on bits");
    for point in points {
        let mut dual = vec![One::constant(0.0); point.outputs.len()];
        replay.run(|i| if i == 0 { One::var(point.inputs[0], 0) } else { One::constant(point.inputs[i]) }, &mut dual);
        let got = slopes.evaluate(&point.inputs);
        for (i, want) in dual.iter().enumerate() {
            let (got, want) = (got[point.outputs.len() + i], want.eps[0]);
            // a dual number multiplies every zero, and zero times infinity is not a number
            let same = (got - want).abs() <= 1e-12 * want.abs() || got.to_bits() == want.to_bits() || want.is_nan();
            assert!(same, "{what}, output {i} by the velocity: {got} instead of {want} at {point:?}");
        }
    }
}
