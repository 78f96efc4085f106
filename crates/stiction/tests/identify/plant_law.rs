//! What a fitted scenario says of the law of its contact, and how it is compared with records that it was not fitted to.
use crate::plant::{NONE, SLIDE, record, slide};
use std::path::Path;
use stiction::ParameterFile;
use stiction::identify::dynamic::plant::{PlantOptions, check, fit};
use stiction::identify::report::IdentificationReport;
use stiction::identify::{FreeParameter, GlobalSearch, Identifiability};
use stiction::scenario::Template;

fn local() -> PlantOptions {
    PlantOptions { search: GlobalSearch::None, ..PlantOptions::default() }
}

#[test]
fn the_law_of_the_contact_has_the_intervals_of_what_it_is_computed_from() {
    let logs = [record("slow", 1.3, 3.0, 2e-4), record("fast", 1.1, 7.0, 2e-4)];
    let found = fit(&slide(), &logs, &local(), &mut |_| true).expect("a fit");
    let law = found.result.law.clone().expect("a law");
    assert_eq!(law.law().name, "stribeck");
    let fc = found.result.estimate("fc").expect("an estimate").clone();
    let of = |name: &str| found.result.law_estimates.iter().find(|e| e.name == name);
    let own = of("fc").expect("a parameter of the law");
    assert_eq!((own.value, own.interval), (fc.value, fc.interval));
    // fs = excess·fc with the first record's excess of 1.3: so are error and interval; a difference quotient of a product rounds
    let fs = of("fs").expect("a parameter of the law");
    assert!((fs.error / (1.3 * fc.error) - 1.0).abs() < 1e-6, "{fs:?}");
    assert!((fs.interval[1] / (1.3 * fc.interval[1]) - 1.0).abs() < 1e-12, "{fs:?}");
    assert!(of("vs").is_none(), "the Stribeck velocity was not fitted");
    // the parameter file has both, and reads back
    let report = IdentificationReport { rotational: Some(found.result.rotational), ..IdentificationReport::default() };
    let file = report.parameter_file(&found.result).expect("a file");
    let again = ParameterFile::parse(&file.to_toml(), Path::new("model.toml")).expect("a parameter file");
    assert_eq!(again, file);
    let identified = again.identified.as_ref().expect("an origin");
    assert_eq!(identified.turns, Some(false));
    let mass = found.result.estimate("mass").expect("an estimate").value;
    assert_eq!(again.fitted_value("mass"), Some(mass));
    assert_eq!(again.fitted_value("fc"), Some(fc.value));
    assert!(identified.interval.iter().any(|(name, _)| name == "fs"), "{identified:?}");
}

/// A fitted parameter that is called as one of the law and is another quantity: the excess of the break-away level.
#[test]
fn names_of_fitted_and_law_parameters_are_kept_apart() {
    let text = SLIDE.replace("\"excess*fc\"", "\"fc + fs\"").replace("fv = [0, 200]", "fv = [0, 200]\nfs = [0, 20]");
    let template = Template::parse(&text, "slide.toml".as_ref(), NONE).expect("a scenario");
    let logs = [record("slow", 1.3, 3.0, 2e-4), record("fast", 1.3, 7.0, 2e-4)];
    let found = fit(&template, &logs, &local(), &mut |_| true).expect("a fit");
    let (fc, excess) = (found.result.estimate("fc").expect("fc").value, found.result.estimate("fs").expect("fs").value);
    let fs = found.result.law_estimates.iter().find(|e| e.name == "fs").expect("fs of the law");
    assert_eq!(fs.value, fc + excess);
    let sum = found.fit.covariance.at(1, 1) + 2.0 * found.fit.covariance.at(1, 3) + found.fit.covariance.at(3, 3);
    // the variance of a sum, from difference quotients of a sum: rounding over a step of 1e-6
    assert!((fs.error / sum.sqrt() - 1.0).abs() < 1e-6, "{} {}", fs.error, sum.sqrt());
    let file = IdentificationReport::default().parameter_file(&found.result).expect("a file");
    assert_eq!(file.spec.get("fs").expect("a level"), fc + excess);
    assert_eq!(file.fitted_value("fs"), Some(excess));
}

#[test]
fn a_level_at_its_bound_is_marked_as_not_known_in_the_law() {
    let logs = [record("slow", 1.1, 3.0, 2e-4)];
    let bounds = vec![FreeParameter::new("fv").within(0.0, 20.0)];
    let found = fit(&slide(), &logs, &PlantOptions { bounds, ..local() }, &mut |_| true).expect("a fit");
    let fv = found.result.law_estimates.iter().find(|e| e.name == "fv").expect("fv");
    assert_eq!((fv.value, fv.identifiability), (20.0, Identifiability::AtBound));
    let file = IdentificationReport::default().parameter_file(&found.result).expect("a file");
    assert!(file.note().is_some_and(|note| note.contains("fv = 20")), "{:?}", file.note());
}

#[test]
fn a_fitted_scenario_is_compared_with_other_records() {
    let logs = [record("slow", 1.3, 3.0, 2e-4)];
    let found = fit(&slide(), &logs, &local(), &mut |_| true).expect("a fit");
    let other = [record("fast", 1.1, 7.0, 2e-4)];
    let fitted = Template::parse(&found.scenario.text(), "fitted.toml".as_ref(), NONE).expect("a scenario");
    let free = fitted.build().expect("a scenario").identify.expect("a task").free;
    let values: Vec<f64> = free.iter().map(|p| p.start).collect();
    // the file holds what was found, to the last digit
    assert_eq!(values, found.fit.values);
    let options = PlantOptions::default();
    let judged = check(&fitted, &other, &values, &options).expect("runs");
    // the constants of a record take precedence over those of the fitted file
    let original = check(&slide(), &other, &values, &options).expect("runs");
    assert_eq!(judged.score("mae"), original.score("mae"));
    // noise of 0.2 mm, whose mean size is 0.8 of its deviation, and a law that is known to some parts in a hundred
    let mae = judged.score("mae").expect("a score");
    assert!((1.4e-4..3e-4).contains(&mae), "{mae}");
    assert!(judged.score("relative").expect("a score") < 0.05);
    // with a tenth of the mass it is another machine
    let wrong = check(&slide(), &other, &[0.1 * values[0], values[1], values[2]], &options).expect("runs");
    assert!(wrong.score("mae").expect("a score") > 3.0 * mae, "{:?}", wrong.scores);
    let error = check(&slide(), &other, &values[..2], &options).expect_err("a value is missing").to_string();
    assert!(error.contains("values of free parameters"), "{error}");
}
