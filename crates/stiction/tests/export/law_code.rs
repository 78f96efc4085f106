//! The functions of every law as programs: what the law itself gives, in a bounded number of operations.
use stiction::core::program::{Replay, derivative};
use stiction::core::{Dual, models};
use stiction::export::Program;
use stiction::export::law::{LawCode, TestPoint};

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
