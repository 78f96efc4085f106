//! Laws with many states that act on one another, and laws that diverge.
use std::fmt::Write;
use std::path::Path;
use stiction::LawFile;
use stiction::export::law::{FunctionKind, LawCode, LawCodeError};

/// A law of so many states; `also` gives the states that act on state `i`.
fn coupled(name: &str, states: usize, also: impl Fn(usize) -> Vec<usize>) -> LawFile {
    let mut text = format!(
        "name = \"{name}\"\n[params]\nk = {{ unit = \"N/m\", default = 1e4 }}\nl = {{ unit = \"m\", default = 1e-4, min = 1e-9 }}\n[states]\n"
    );
    (0..states).for_each(|i| writeln!(text, "z{i} = \"m\"").unwrap());
    text += "[equations]\n";
    for i in 0..states {
        let sum: String = also(i).iter().map(|j| format!(" + 0.1*z{j}")).collect();
        writeln!(text, "rate.z{i} = \"v - abs(v)*((z{i}{sum})/l)^3\"").unwrap();
    }
    text += "force = \"load*k*z0\"\n";
    LawFile::parse(&text, Path::new("law.toml")).unwrap()
}

#[test]
fn states_that_do_not_act_on_each_other_take_no_part_in_the_elimination() {
    let length = |law: LawFile| {
        let code = LawCode::new(law.entry()).unwrap();
        code.function(FunctionKind::Contact).unwrap().program.len()
    };
    // an elimination of 32 unknowns with all entries takes 44 thousand operations
    let (alone, ring) = (
        length(coupled("alone", 32, |_| Vec::new())),
        length(coupled("ring", 32, |i| vec![(i + 1) % 32, (i + 31) % 32])),
    );
    assert!(alone < 30_000 && ring < 80_000, "{alone} {ring}");
}

#[test]
fn a_law_too_long_for_code_is_refused() {
    let law = coupled("mean-field", 62, |_| (0..62).collect());
    let error = LawCode::new(law.entry()).unwrap_err();
    assert!(matches!(error, LawCodeError::TooLong { law: "mean-field", .. }), "{error}");
}

/// Stages and eliminations of many states are loops in exported code, which has the bits of the law.
#[test]
fn code_of_many_states_has_the_bits_of_the_law() {
    for (name, law) in [
        ("nine", coupled("nine-of-all", 9, |i| (0..9).filter(|j| *j != i).collect())),
        // with its step written out, its 'contact' would have more operations than a function may have
        ("twenty", coupled("twenty-of-all", 20, |i| (0..20).filter(|j| *j != i).collect())),
        ("forty", coupled("forty-in-a-row", 40, |i| (0..40).filter(|j| i.abs_diff(*j) == 1).collect())),
    ] {
        let code = LawCode::new(law.entry()).unwrap();
        for function in &code.functions {
            for point in code.test_points(function.kind).iter().step_by(8) {
                let got = function.program.evaluate(&point.inputs);
                let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&got), bits(&point.outputs), "{name}, {:?}", function.kind);
            }
        }
    }
}

/// The second state grows for ever, and the force exponentially with it. The code is compared with the law where that gives a number.
#[test]
fn points_at_which_a_law_diverges_are_no_test() {
    let text = r#"
        name = "diverging"
        [params]
        fc = { unit = "N", default = 1.0, min = 0.0 }
        l = { unit = "m", default = 1e-4, min = 1e-9 }
        [states]
        z = "m"
        grows = "m"
        [equations]
        rate.z = "v - abs(v)*z/l"
        rate.grows = "tanh(z/l)*abs(v)"
        force = "load*fc*exp(grows/l)*tanh(z/l)"
        "#;
    let law = LawFile::parse(text, Path::new("law.toml")).unwrap();
    let code = LawCode::new(law.entry()).unwrap();
    for function in &code.functions {
        for point in code.test_points(function.kind) {
            let got = function.program.evaluate(&point.inputs);
            let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert!(point.outputs.iter().all(|x| x.is_finite()));
            assert_eq!(bits(&got), bits(&point.outputs), "{:?} at {:?}", function.kind, point.inputs);
        }
    }
    let count = |kind| code.test_points(kind).len();
    assert!(count(FunctionKind::Rate) > 3 && count(FunctionKind::Steady) < 64, "{}", count(FunctionKind::Steady));
}
