//! What `stiction check` says of laws.
use super::{REWRITTEN, law};
use stiction::Spec;
use stiction::analysis::law_check::{LawCheck, Verdict};
use stiction::core::models;
use stiction::export::law::{FunctionKind, LawCode};
use stiction::sim::StopFlag;

#[test]
fn built_in_laws_and_their_rewritten_forms_are_sound() {
    let files = REWRITTEN.into_iter().map(|(_, text)| law(text));
    for spec in models::ALL.iter().map(Spec::of).chain(files) {
        let check = LawCheck::new(&spec).expect("a law");
        assert!(check.is_sound(), "{}: {:?}", spec.law().name, check.properties);
    }
}

/// Each of these laws has one mistake, and the check names it.
#[test]
fn a_mistake_in_a_law_is_named() {
    let with = |name: &str, states: &str, equations: &str| {
        format!(
            "name = \"{name}\"\n[params]\nfc = {{ unit = \"N\", default = 1.0, min = 1e-3, max = 1e3 }}\n\
             k = {{ unit = \"N/m\", default = 1e4, min = 1.0, max = 1e9 }}\n\
             tau = {{ unit = \"s\", default = 0.1, min = 1e-6, max = 1e3 }}\n{states}\n[equations]\n{equations}\n"
        )
    };
    let z = "[states]\nz = \"m\"";
    for (text, broken) in [
        (with("no-hold", "", "force = \"load*fc*sign(v)\""), "rest"),
        // continuous for a contact that has never moved, but not after sliding
        (with("jumps-later", z, "rate.z = \"v - k*abs(v)*z/fc\"\nforce = \"load*k*abs(z)*sign(v)\""), "rest"),
        (with("drives", "", "force = \"-load*k*tau*v\""), "dissipates"),
        (with("unstable", z, "rate.z = \"v + z/tau\"\nforce = \"load*k*z\""), "finite"),
        (
            with("not-finite", z, "rate.z = \"v - abs(v)*k*z/(fc - 0.5*fc)\"\nforce = \"load*k*z*ln(fc*2/fc - 1)/0\""),
            "finite",
        ),
        (
            with(
                "unsettled",
                z,
                "rate.z = \"v - k*abs(v)*z/fc\"\nforce = \"load*k*z\"\nsettled.z = \"2*fc/k*sign(v)\"",
            ),
            "settles",
        ),
        (
            with(
                "wrong-step",
                z,
                "rate.z = \"v - k*abs(v)*z/fc\"\nforce = \"load*k*z\"\nstep.z = \"clip(z + 2*v*dt, -fc/k, fc/k)\"",
            ),
            "step",
        ),
        (
            with("flips", "[states]\nz = \"m\"\nm = \"-\"", "rate.z = \"v - k*abs(v)*z/fc\"\nforce = \"load*k*z\"")
                + "[[when]]\nif = \"v != 0\"\nset.m = \"1 - m\"\n",
            "jumps",
        ),
    ] {
        let Ok(file) = stiction::LawFile::parse(&text, std::path::Path::new("law.toml")) else {
            // refused while it is read, which is as good
            assert!(text.contains("not-finite"), "{text}");
            continue;
        };
        let check = LawCheck::new(&file.spec()).expect("a law");
        let found: Vec<&str> =
            check.properties.iter().filter(|p| p.verdict == Verdict::Broken).map(|p| p.name).collect();
        assert!(found.contains(&broken), "{broken} is not found: {:?}", check.properties);
    }
}

/// A bristle that rests on a level which moves itself: its rate leads to a surface, and a sample ends there. That is no mistake.
#[test]
fn a_memory_on_a_surface_follows_its_rate() {
    let text = r#"
        name = "dwell"
        [params]
        fc = { unit = "N", default = 1.0, min = 1e-3, max = 1e4 }
        fs = { unit = "N", default = 1.5, min = 1e-3, max = 1e4 }
        k = { unit = "N/m", default = 1e4, min = 1.0, max = 1e9 }
        vs = { unit = "m/s", default = 1e-3, min = 1e-6, max = 1.0 }
        tau = { unit = "s", default = 2.0, min = 1e-4, max = 1e4 }
        [states]
        z = "m"
        dwell = "-"
        [equations]
        rate.dwell = "(exp(-(v/vs)^2) - dwell)/tau"
        level = "fc + (fs - fc)*dwell"
        rate.z = "where(k*z*sign(v) > level, -abs(v)*z*k/level, v)"
        force = "load*k*z"
        "#;
    let check = LawCheck::new(&law(text)).expect("a law");
    let found = check.properties.iter().find(|p| p.name == "step").expect("a law with memory");
    assert_eq!(found.verdict, Verdict::Holds, "{found:?}");
}

/// Samples stay on a surface to which the rates of both sides lead; a simulation would not come forward on it, and the check says so. A
/// level that does not move, and is only reached, is no such surface.
#[test]
fn a_surface_that_the_memory_moves_along_is_told() {
    let text = |rate: &str| {
        format!(
            "name = \"surface\"\n[params]\nfc = {{ unit = \"N\", default = 1.0, min = 1e-3, max = 1e3 }}\n\
             k = {{ unit = \"N/m\", default = 1e4, min = 1.0, max = 1e9 }}\n\
             vs = {{ unit = \"m/s\", default = 1e-2, min = 1e-4, max = 1e3 }}\n[states]\nz = \"m\"\n[equations]\n\
             g = \"fc*(1 + exp(-(v/vs)^2))\"\nrate.z = \"{rate}\"\nforce = \"load*k*z\"\n"
        )
    };
    for (rate, want) in [
        ("where(k*z*sign(v) >= fc, 0, v)", Verdict::Holds),
        ("where(k*z*sign(v) >= fc, -0.5*v, v)", Verdict::Broken),
        ("where(k*z*sign(v) >= g, 0, v)", Verdict::Broken),
        ("v - max(k*z*sign(v) - 0.5*fc, 0)*v/fc", Verdict::Holds),
    ] {
        let check = LawCheck::new(&law(&text(rate))).expect("a law");
        let found = check.properties.iter().find(|p| p.name == "surfaces").expect("a law with guards");
        assert_eq!(found.verdict, want, "{rate}: {found:?}");
    }
}

/// What the check finds about one property.
fn found(spec: &Spec, name: &str) -> (Verdict, String) {
    let check = LawCheck::new(spec).expect("a law");
    let property = check.properties.into_iter().find(|p| p.name == name).expect("a property");
    (property.verdict, property.found)
}

/// A law with these parameters besides fc, k and tau.
fn with_params(params: &str, states: &str, equations: &str) -> String {
    format!(
        "name = \"my-law\"\n[params]\nfc = {{ unit = \"N\", default = 1.0, min = 1e-3, max = 1e3 }}\n\
         k = {{ unit = \"N/m\", default = 1e4, min = 1.0, max = 1e9 }}\n\
         tau = {{ unit = \"s\", default = 0.1, min = 1e-3, max = 1e3 }}\n{params}\n[states]\n{states}\n[equations]\n{equations}\n"
    )
}

/// A comparison with NaN is false: none of them may count as a property that holds.
#[test]
fn what_is_not_a_number_fails() {
    let text = with_params("", "z = \"m\"", "rate.z = \"v - abs(v)*z*k/(load*fc)\"\nforce = \"load*k*z\"");
    let (verdict, text) = found(&law(&text), "load");
    assert_eq!(verdict, Verdict::Broken, "{text}");
    assert!(text.contains("max(load"), "{text}");
    // the logarithm of a negative number, at speeds beyond 0.1 m/s
    let vs = "vs = { unit = \"m/s\", default = 0.1, min = 0.01, max = 1.0 }";
    let text = with_params(vs, "", "force = \"load*fc*tanh(v/vs) + 0*fc*ln(1 - (v/vs)^2)\"").replace("[states]\n", "");
    for property in ["dissipates", "odd"] {
        assert_eq!(found(&law(&text), property).0, Verdict::Broken, "{property}");
    }
}

/// With a base below zero and an exponent that is not whole, a rate is not a number; samples must not hide it.
#[test]
fn a_rate_that_is_not_a_number_is_told() {
    let params = "n = { unit = \"-\", default = 2.5, min = 2.5, max = 2.5 }";
    let text =
        with_params(params, "z = \"m\"", "rate.z = \"v*(1 - (z*k/fc)^n*where(z*v > 0, 1, 0))\"\nforce = \"load*k*z\"");
    let spec = law(&text);
    let (verdict, text) = found(&spec, "finite");
    assert_eq!(verdict, Verdict::Broken, "{text}");
    let law = spec.build().expect("a law");
    assert!(law.steady(&stiction::core::Input::at(-1e-3)).is_nan());
}

/// An oscillation of two states that grows with e^(t/2 s): a long implicit sample lets it decay, its eigenvalues do not.
#[test]
fn an_unstable_memory_does_not_settle() {
    let text = |damping: &str| {
        with_params(
            "w = { unit = \"1/s\", default = 100.0, min = 100.0, max = 100.0 }\n\
             d = { unit = \"1/s\", default = 1.0, min = 1.0, max = 1.0 }\n\
             vs = { unit = \"m/s\", default = 1e-3, min = 1e-3, max = 1e-3 }",
            "a = \"m\"\nb = \"m\"",
            &format!("rate.a = \"v + w*b {damping} d*a\"\nrate.b = \"-w*a\"\nforce = \"load*(fc*tanh(v/vs) + k*a)\""),
        )
    };
    let (verdict, told) = found(&law(&text("+")), "settles");
    assert_eq!(verdict, Verdict::Broken, "{told}");
    assert!(told.contains("factor of e in 2 s") && told.contains("15.92 Hz"), "{told}");
    let (verdict, told) = found(&law(&text("-")), "settles");
    assert_eq!(verdict, Verdict::Holds, "{told}");
}

/// The slope of x·|x| is continuous, so that a sample need not be cut where x is zero: continued as x² beyond it, the rate would have no
/// equilibrium for a long sample to end in.
#[test]
fn a_product_with_its_own_absolute_value_is_smooth() {
    let text = with_params(
        "k2 = { unit = \"N/m\", default = 1e4, min = 1.0, max = 1e9 }",
        "a = \"m\"\nb = \"m\"",
        "f = \"k*a + k2*b\"\nrate.a = \"v - abs(v)*f*abs(f)/fc^2\"\nrate.b = \"v - abs(v)*k2*b/fc - 0.1*abs(v)*f/fc\"\n\
         force = \"load*f\"",
    );
    let (verdict, told) = found(&law(&text), "stable");
    assert_eq!(verdict, Verdict::Holds, "{told}");
    let code = LawCode::of(&law(&text)).expect("a law as code");
    let step = code.function(FunctionKind::Step).expect("a sample");
    // eight stages and one implicit step; cut into pieces it has all of them several times
    assert!(step.program.len() < 1000, "{}", step.program.len());
}

/// A rate with |v|^p, p < 1, has an infinite slope at rest, which no derivative shows; a rounded power has none, and a jump is another thing.
#[test]
fn an_infinite_slope_of_a_rate_at_rest_is_told() {
    for (power, want) in [
        ("(abs(v)/vb)^(2/3)", Verdict::Differs),
        ("((v/vb)^2 + 1e-12)^(1/3)", Verdict::Holds),
        ("sign(v) + v/vb", Verdict::Holds),
    ] {
        let text = with_params(
            "vb = { unit = \"m/s\", default = 1e-2, min = 1e-3, max = 1.0 }",
            "z = \"m\"\nh = \"-\"",
            &format!(
                "rate.h = \"({power} - h)/tau\"\nrate.z = \"v - abs(v)*k*z/(fc*(1 + abs(h)))\"\nforce = \"load*k*z\""
            ),
        );
        let (verdict, told) = found(&law(&text), "derivatives");
        assert_eq!(verdict, want, "{power}: {told}");
        assert!(want == Verdict::Holds || told.contains("rate.h"), "{told}");
    }
}

/// Two changes of mode that undo each other leave the memory as it was: the whole pass shows nothing, each change does.
#[test]
fn changes_of_mode_that_undo_each_other_are_told() {
    let text = with_params("", "z = \"m\"\nm = \"-\"", "rate.z = \"v - k*abs(v)*z/fc\"\nforce = \"load*k*z\"")
        + "[[when]]\nif = \"m == 0\"\nset.m = \"1\"\n[[when]]\nif = \"m == 1\"\nset.m = \"0\"\n";
    let (verdict, told) = found(&law(&text), "jumps");
    assert_eq!(verdict, Verdict::Broken, "{told}");
    assert!(told.contains("undo each other"), "{told}");
}

/// A sample of 1 s at 10 µm/s is 8.24 time constants of z long. A single implicit step of it led a fifth beyond the limit.
#[test]
fn a_sample_of_some_time_constants_does_not_overshoot() {
    let text = with_params(
        "",
        "z = \"m\"\nh = \"m\"",
        "rate.z = \"v - abs(v)*k*z/fc\"\nrate.h = \"(z - h)/tau\"\nforce = \"load*k*z\"",
    );
    let mut spec = law(&text);
    spec.set("k", 1e6).and_then(|spec| spec.set("fc", 1.2132)).expect("within bounds");
    let built = spec.build().expect("a law");
    let mut z = [0.0; 2];
    built.step(&mut z, &stiction::core::Input::at(1e-5), 1.0);
    let want = 1.2132e-6 * (1.0 - (-10.0 / 1.2132_f64).exp());
    // ten times what is usual for a step
    assert!((z[0] / want - 1.0).abs() < 1e-5, "{z:?} for {want}");
    let (verdict, told) = found(&spec, "stable");
    assert_eq!(verdict, Verdict::Holds, "{told}");
    // an explicit step grows, and its state has a name
    let text = with_params(
        "",
        "z = \"m\"\nh = \"m\"",
        "rate.z = \"v - abs(v)*k*z/fc\"\nrate.h = \"(z - h)/tau\"\nforce = \"load*k*z\"\n\
         step.z = \"z + dt*(v - abs(v)*k*z/fc)\"\nstep.h = \"h + dt*(z - h)/tau\"",
    );
    let (verdict, told) = found(&law(&text), "stable");
    assert!(verdict == Verdict::Broken && !told.contains("state") && told.contains(" drive "), "{told}");
}

/// Whether periodic motions gain energy: a law with constant damping does, Dahl's law does not, and one that drives the motion is told, too.
#[test]
fn the_search_for_a_gain_of_energy_is_part_of_the_check() {
    let passive = |spec: &Spec| {
        let check =
            LawCheck::new(spec).and_then(|check| check.with_passivity(spec, &StopFlag::default())).expect("a law");
        check.properties.into_iter().find(|p| p.name == "passive").expect("it was searched").verdict
    };
    assert_eq!(passive(&Spec::new("lugre").expect("a law")), Verdict::Differs);
    let dahl = with_params("", "z = \"m\"", "rate.z = \"v - abs(v)*k*z/fc\"\nforce = \"load*k*z\"");
    assert_eq!(passive(&law(&dahl)), Verdict::Holds);
    let drives = with_params("", "", "force = \"-load*k*tau*v\"").replace("[states]\n", "");
    assert_eq!(passive(&law(&drives)), Verdict::Differs);
}

/// A level that grows within half a second of rest, from 4 to 8 N: the forces and rests that are compared must span that time, however long
/// the memory takes to follow a change of speed.
#[test]
fn a_law_with_a_time_of_its_own_shows_rate_and_dwell() {
    use stiction::analysis::phenomena::{Phenomenon, measure};
    let report =
        measure(&law(include_str!("laws/dwell.toml")), &[Phenomenon::Rate, Phenomenon::Dwell]).expect("a report");
    let value = |what: Phenomenon| report.result(what).and_then(|result| result.value).expect("a number");
    // A slow rise meets 8 N. A quick one meets 4 N and what the level grows by until the body has accelerated, in less than half of tau:
    // (8 - 4)/8 exp(-1/2) at least.
    assert!((0.303..=0.5).contains(&value(Phenomenon::Rate)), "{:?}", report.result(Phenomenon::Rate));
    // After sliding at the law's speed the level is between 4 and 8 N, and after a long rest 8 N; at vw it would be 6 N, and a third more.
    assert!((0.1..=1.0).contains(&value(Phenomenon::Dwell)), "{:?}", report.result(Phenomenon::Dwell));
    for what in [Phenomenon::Rate, Phenomenon::Dwell] {
        assert!(report.shows(what), "{:?}", report.result(what));
    }
}

fn property<'a>(check: &'a LawCheck, name: &str) -> (Verdict, &'a str) {
    let property = check.properties.iter().find(|p| p.name == name).expect("a property");
    (property.verdict, &property.found)
}

/// A law with a position was tried at the end of endless sliding, 1e20 m away.
#[test]
fn a_law_with_a_position_is_checked_at_bounded_positions() {
    let text = r#"
        name = "guideway"
        position = "x"
        [params]
        fc = { unit = "N", default = 10.0, min = 1e-9, max = 1e9 }
        k = { unit = "N/m", default = 5.0, min = 0.0, max = 1e9 }
        [equations]
        level = "load*max(fc + k*x, 0)"
        force = "level*sign(v)"
        hold = "level"
        "#;
    let check = LawCheck::new(&law(text)).expect("a law");
    // 0.1 m of 5 N/m in each direction
    assert_eq!(property(&check, "odd"), (Verdict::Differs, "forwards and backwards differ: 10.5 and -9.5 at 1e-6 m/s"));
    assert_eq!(property(&check, "load").1, "without load the friction at 1 mm/s is 0, at nominal load 10.5");
    assert_eq!(property(&check, "dissipates").0, Verdict::Holds);
}

#[test]
fn computed_samples_are_compared_with_shorter_ones() {
    let check = LawCheck::new(&law(super::sampling::COUPLED)).expect("a law");
    assert_eq!(property(&check, "samples").0, Verdict::Holds, "{:?}", check.properties);
}

/// A body cannot be simulated on a law that chatters at rest: the search for energy said that Newton's iteration had an error of inf.
#[test]
fn what_a_broken_law_leaves_open_is_said_in_words() {
    let text = "name = \"no-hold\"\n[params]\nfc = { unit = \"N\", default = 1.0, min = 1e-3, max = 1e3 }\n[equations]\nforce = \"load*fc*sign(v)\"\n";
    let spec = law(text);
    let check = LawCheck::new(&spec).expect("a law").with_passivity(&spec, &StopFlag::default()).expect("a law");
    assert_eq!(property(&check, "passive").1, "not decided: motions cannot be simulated before 'rest' holds");
}
