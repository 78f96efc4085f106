//! Another law in a contact of a scenario, by `--set`.
use super::law;
use stiction::scenario::Scenario;

/// Values of the scenario for the law before were an error at a line of an embedded scenario, which no user can change.
#[test]
fn a_law_of_the_command_line_leaves_out_what_is_not_its_own() {
    let set = |assignments: &[&str]| Scenario::find("a7", assignments);
    let dahl = set(&["law=dahl"]).expect("a scenario");
    let told = "contact.table: from, vs, exponent, sigma2 of the scenario left out: 'dahl' has no such parameters";
    assert!(dahl.notes.iter().any(|note| note == told), "{:?}", dahl.notes);
    // what both laws have stays, and is not told
    let stribeck = set(&["law=stribeck"]).expect("a scenario");
    let told: Vec<&String> = stribeck.notes.iter().filter(|note| note.contains("left out")).collect();
    assert!(told.len() == 1 && told[0].contains("sigma2") && !told[0].contains("vs"), "{told:?}");
    // what the command line gives must be a parameter
    assert!(set(&["law=dahl", "contact.table.exponent=2"]).is_err());
    assert!(set(&["law=dahl", "contact.table.from.normal=2"]).is_err());
    assert!(set(&["law=lugre"]).expect("a scenario").notes.iter().all(|note| !note.contains("left out")));
}

/// A law file takes the values that it has parameters for.
#[test]
fn a_law_file_takes_the_place_of_a_law() {
    let text = "name = \"exchanged\"\n[params]\nfc = { unit = \"N\", default = 1.0 }\nvs = { unit = \"m/s\", default = 0.5, min = 1e-9 }\n\
                [equations]\nforce = \"load*fc*(1 + exp(-(v/vs)^2))*sign(v)\"\nhold = \"2*load*fc\"\n";
    let name = law(text).law().name;
    let scenario = Scenario::find("a7", &[format!("contact.table.law={name}")]).expect("a scenario");
    assert!(
        scenario.notes.iter().any(|note| note.contains("from, exponent, sigma2 of the scenario left out: 'exchanged'")),
        "{:?}",
        scenario.notes
    );
}
