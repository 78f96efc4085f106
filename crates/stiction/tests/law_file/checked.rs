//! What `stiction check` says of laws.
use super::{REWRITTEN, law};
use stiction::Spec;
use stiction::analysis::law_check::{LawCheck, Verdict};
use stiction::core::models;

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
