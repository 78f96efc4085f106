//! Signals made of lines: forces and motions from a record, pulses.
use super::{Case, agrees, agrees_within};

/// A block under a force from a table, pulled by a spring whose other end follows a table, with this law.
fn fed(name: &str, interpolation: &str, law: &str) -> Case {
    let text = format!(
        r#"
[run]
end = 3
rtol = 1e-8
[body.block]
mass = 1
[motion.hand]
position = {{ table = {{ points = [[0, 0], [0.7, 0.6], [1.5, 0.2], [2.2, 1.1], [3, 1.0]] }} }}
[spring.pull]
between = ["hand", "block"]
stiffness = 4
damping = 0.3
[force.push]
on = "block"
force = {{ table = {{ points = [[0, 0], [0.4, 2], [0.9, -1], [1.3, 3], [1.31, -2], [2, 0], [2.5, 2.5], [3, 0]]{interpolation} }} }}
[contact.table]
between = ["block", "ground"]
{law}
[measure]
v_max = {{ max = "block.v", from = 0.5 }}
v_min = {{ min = "block.v", to = 2.4 }}
x_mean = {{ mean = "block.x" }}
pull_rms = {{ rms = "pull.force" }}
pull_end = {{ final = "pull.stretch" }}
F_max = {{ max = "table.force" }}
push = {{ mean = "push.force" }}
x = {{ final = "block.x" }}
"#
    );
    let points = [[4.0, 1.0], [30.0, 0.6], [9.0, 2.0]].map(|point| point.to_vec()).to_vec();
    Case { name: name.to_owned(), text, paths: vec!["spring.pull.stiffness", "body.block.mass"], points }
}

const LUGRE: &str = "law = \"lugre\"\nfc = 0.6\nfs = 1\nvs = 0.1\nsigma0 = 300\nsigma1 = 10\nsigma2 = 0.1";

#[test]
fn tables_agree_with_the_simulator() {
    agrees(&fed("table-linear", "", LUGRE));
    // the force jumps
    agrees(&fed("table-held", ", interpolation = \"hold\"", LUGRE));
}

/// A body that sticks is set free where the force bends or jumps.
#[test]
fn tables_agree_where_a_contact_sticks() {
    let law = "law = \"stribeck\"\nfc = 0.6\nfs = 1\nvs = 0.1\nfv = 0.1";
    agrees_within(&fed("table-sticks", "", law), 1e-5);
    agrees_within(&fed("table-sticks-held", ", interpolation = \"hold\"", law), 1e-5);
}

#[test]
fn a_spline_and_a_surface_on_a_table_are_refused() {
    let spline = fed("spline", ", interpolation = \"cubic\"", LUGRE);
    let scenario = spline.scenario(&spline.points[0]);
    let ensemble = stiction::sim::batch::Ensemble::new(&scenario.system, &scenario.options).unwrap().unwrap();
    let mut numbers = Vec::new();
    ensemble.read(&scenario.system, &mut numbers).unwrap();
    assert!(ensemble.coefficients(&numbers).unwrap_err().to_string().contains("bends or jumps"));
    let mut moved = fed("moved", "", LUGRE);
    moved.text = moved.text.replace("between = [\"block\", \"ground\"]", "between = [\"block\", \"hand\"]");
    assert!(moved.refusal().contains("surface"), "{}", moved.refusal());
}
