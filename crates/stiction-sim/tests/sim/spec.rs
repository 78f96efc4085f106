//! Laws by name: values, wrappers, recipes, and what is refused.
use stiction_core::{Friction, Input, Params, models};
use stiction_sim::{LawError, ParameterGroup, Spec};

#[test]
fn every_law_builds_with_its_defaults() {
    for law in models::ALL {
        let spec = Spec::new(law.name).unwrap();
        assert_eq!(spec.values(ParameterGroup::Law), law.params.iter().map(|p| p.default).collect::<Vec<_>>());
        assert_eq!(spec.build().unwrap().len(), law.states.len(), "{}", law.name);
    }
}

#[test]
fn values_reach_the_law() {
    let spec = Spec::new("lugre").unwrap().set("fc", 2.0).unwrap().set("fs", 3.0).unwrap().clone();
    let law = models::LuGre { fc: 2.0, fs: 3.0, ..models::LuGre::nominal() };
    let u = Input { v: 0.01, load: 0.7 };
    assert_eq!(spec.build().unwrap().steady(&u), law.steady(&u));
}

#[test]
fn reverse_goes_on_top_of_forward_in_any_order() {
    let mut early = Spec::new("stribeck").unwrap();
    early.set("reverse.fc", 1.2).unwrap().set("fs", 2.0).unwrap();
    let mut late = Spec::new("stribeck").unwrap();
    late.set("fs", 2.0).unwrap().set("reverse.fc", 1.2).unwrap();
    assert_eq!(early, late);
    assert_eq!((early.get("fc").unwrap(), early.get("reverse.fc").unwrap()), (1.0, 1.2));
    assert_eq!(early.get("reverse.fs").unwrap(), 2.0);

    // the law for v < 0 is the forward law with the reverse values
    let mut mirror = Spec::new("stribeck").unwrap();
    mirror.set("fs", 2.0).unwrap().set("fc", 1.2).unwrap();
    let (law, mirror) = (early.build().unwrap(), mirror.build().unwrap());
    for v in [-1e-4, -0.3] {
        assert_eq!(law.steady(&Input::at(v)), mirror.steady(&Input::at(v)));
    }
    assert_ne!(law.steady(&Input::at(0.3)), mirror.steady(&Input::at(0.3)));
}

#[test]
fn load_and_noise_are_worn_when_given() {
    let mut spec = Spec::new("coulomb").unwrap();
    let plain = spec.build().unwrap();
    spec.set("load.base", 1.0).unwrap().set("load.slope", 0.03).unwrap();
    let at = |load| Input { v: 1.0, load };
    // Nouri's seal: 3 % per bar
    // one rounding
    assert!((spec.build().unwrap().steady(&at(10.0)) - 1.3 * plain.steady(&at(1.0))).abs() < 1e-15);

    spec.set("noise.amplitude", 0.1).unwrap().set("noise.frequency", 50.0).unwrap();
    let law = spec.build().unwrap();
    let mut z = vec![0.0; law.len()];
    let forces: Vec<f64> = (0..100)
        .map(|_| {
            law.step(&mut z, &at(0.0), 1e-3);
            law.force(&z, &at(0.0))
        })
        .collect();
    assert!(forces.windows(2).any(|pair| pair[0] != pair[1]));
}

#[test]
fn unknown_names_come_with_near_ones() {
    let Err(LawError::UnknownLaw { near, .. }) = Spec::new("lurge") else { panic!() };
    assert_eq!(near, ["lugre"]);
    let mut spec = Spec::new("lugre").unwrap();
    for (wrong, right) in [
        ("sigma", "sigma0"),
        ("reverse.sgma0", "reverse.sigma0"),
        ("load.slop", "load.slope"),
        ("noise.amplitud", "noise.amplitude"),
        ("revers.fc", "reverse.fc"),
    ] {
        let Err(LawError::UnknownParam { near, name, .. }) = spec.set(wrong, 1.0) else { panic!("{wrong}") };
        assert_eq!((name.as_str(), near[0].as_str()), (wrong, right));
    }
    // after the dot a short name is not made long by its prefix
    let hint = |spec: &mut Spec, key: &str| spec.set(key, 1.0).unwrap_err().hint().unwrap();
    assert_eq!(hint(&mut spec, "reverse.FC"), "did you mean 'reverse.fc'?");
    assert_eq!(hint(&mut spec, "FS"), "did you mean 'fs'?");
    assert_eq!(
        hint(&mut spec, "noise.xyz"),
        "its parameters are: noise.amplitude, noise.frequency, noise.wave, noise.seed"
    );
    for wrong in ["", ".", ".fc", "reverse.", "reverse", "load.base.x", "law.fc"] {
        assert!(matches!(spec.set(wrong, 1.0), Err(LawError::UnknownParam { .. })), "{wrong}");
    }
    assert!(Spec::new("").is_err());
}

#[test]
fn values_out_of_bounds_are_refused_and_change_nothing() {
    let mut spec = Spec::new("lugre").unwrap();
    for value in [-1.0, 0.0, 1e10, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = spec.set("fc", value).unwrap_err();
        assert!(matches!(error, LawError::Value { .. }));
        let text = error.to_string();
        assert!(text.contains("'fc'") && text.contains("1e-9 to 1e9 [N]"), "{text}");
        assert!(error.hint().unwrap().contains("Coulomb level"), "{:?}", error.hint());
    }
    assert!(spec.set("noise.amplitude", -1.0).unwrap_err().to_string().contains("'noise.amplitude' = -1"));
    assert_eq!(spec, Spec::new("lugre").unwrap());
}

#[test]
fn relations_are_checked_forwards_and_in_reverse() {
    let mut spec = Spec::new("stribeck").unwrap();
    spec.set("fc", 2.0).unwrap();
    let error = spec.check().unwrap_err();
    assert_eq!(error.to_string(), "law 'stribeck' requires that fs >= fc, but fc = 2 [N], fs = 1.5 [N]");
    assert_eq!(error.hint().unwrap(), "set fs, too; the default does not meet the condition");
    assert!(spec.build().is_err());

    spec.set("fs", 3.0).unwrap().set("reverse.fs", 1.0).unwrap();
    let error = spec.check().unwrap_err();
    assert_eq!(
        error.to_string(),
        "law 'stribeck' in reverse requires that fs >= fc, but fc = 2 [N], reverse.fs = 1 [N]"
    );
    assert_eq!(error.hint().unwrap(), "change fc or reverse.fs");
}

#[test]
fn a_relation_of_the_noise_is_not_blamed_on_the_law() {
    let mut spec = Spec::new("lugre").unwrap();
    spec.set("noise.seed", 1.5).unwrap();
    let error = spec.check().unwrap_err();
    assert_eq!(error.to_string(), "noise requires that seed is a whole number, but noise.seed = 1.5 [-]");
    assert_eq!(error.hint().unwrap(), "change noise.seed");
}

#[test]
fn lugre_from_coefficient_load_micro_slip_and_mass() {
    let mut spec = Spec::new("lugre").unwrap();
    let known = [("mu", 0.3), ("normal", 10.0), ("lc", 0.003), ("mass", 1.0)];
    let assumed = spec.apply_recipe(&known).unwrap();
    // by hand: Fc = 3 N, sigma0 = 3/0.003, sigma1 = 2 sqrt(1000) = 63.245553203...; within rounding
    for (key, value) in [("fc", 3.0), ("sigma0", 1000.0), ("sigma1", 63.245_553_203_367_59)] {
        assert!((spec.get(key).unwrap() / value - 1.0).abs() < 1e-15, "{key}");
    }
    assert_eq!(assumed.iter().map(|open| (open.param.name, open.own)).collect::<Vec<_>>(), [("ls_over_lc", false)]);
    spec.check().unwrap();
}

#[test]
fn stiffness_from_break_away_and_distance() {
    // 1.5 N over 10 um
    for (law, key) in [("lugre", "sigma0"), ("slip-variable", "ks"), ("armstrong", "sigma0")] {
        let mut spec = Spec::new(law).unwrap();
        assert!(spec.apply_recipe(&[("fs", 1.5), ("delta", 1e-5)]).unwrap().is_empty());
        // one rounding of 1.5e5
        assert!((spec.get(key).unwrap() - 1.5e5).abs() < 1e-9, "{law}");
    }
}

#[test]
fn a_recipe_takes_what_the_law_already_knows() {
    let mut spec = Spec::new("lugre").unwrap();
    spec.set("fs", 2.0).unwrap();
    let open = spec.apply_recipe(&[("delta", 1e-5)]).unwrap();
    assert_eq!(
        open.iter().map(|open| (open.param.name, open.value, open.own)).collect::<Vec<_>>(),
        [("fs", 2.0, true)]
    );
    assert_eq!((spec.get("fs").unwrap(), spec.get("sigma0").unwrap()), (2.0, 2.0 / 1e-5));
}

#[test]
fn wrong_recipes_are_refused() {
    let mut spec = Spec::new("lugre").unwrap();
    let Err(LawError::UnknownInput { near, .. }) = spec.apply_recipe(&[("masss", 1.0)]) else { panic!() };
    assert_eq!(near, ["mass"]);
    let error = spec.apply_recipe(&[("mu", 0.3), ("delta", 1e-5)]).unwrap_err();
    assert!(matches!(error, LawError::NoRecipe { .. }));
    assert_eq!(error.hint().unwrap(), "it can be computed from mu, normal, lc, mass, ls_over_lc; or from fs, delta");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(spec.apply_recipe(&[("mu", bad)]), Err(LawError::Value { .. })));
    }
    let error = Spec::new("coulomb").unwrap().apply_recipe(&[("mu", 0.3)]).unwrap_err();
    assert_eq!(error.hint().unwrap(), "law 'coulomb' has no recipe; give its own parameters");
    assert_eq!(spec, Spec::new("lugre").unwrap());
}

#[test]
fn the_load_factor_is_what_the_law_sees() {
    let mut spec = Spec::new("coulomb").unwrap();
    assert_eq!(spec.load_factor(3.0), 3.0);
    spec.set("load.base", 1.0).unwrap().set("load.slope", -0.5).unwrap();
    assert_eq!(spec.load_factor(4.0), -1.0);
}
