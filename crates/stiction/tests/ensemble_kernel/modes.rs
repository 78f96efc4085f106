//! Laws with modes: guards within steps, and memory that jumps.
use crate::{Case, agrees_within, pulled};

/// Parameters that show the modes in a few seconds.
const GMS: &str =
    "law = \"gms\"\nfc = 0.6\nfs = 1\nvs = 0.05\nsigma2 = 0.1\nc = 10\nk1 = 200\nk2 = 100\nk3 = 50\nk4 = 25";

fn points() -> Vec<Vec<f64>> {
    [[4.0, 0.5], [30.0, 0.2], [9.0, 1.1], [1.0, 0.05]].map(|point| point.to_vec()).to_vec()
}

fn case(name: &str, text: String) -> Case {
    let paths = vec!["spring.pull.stiffness", "motion.hand.position.ramp.slope"];
    Case { name: name.to_owned(), text, paths, points: points() }
}

#[test]
fn elements_that_stick_and_slip_agree_with_the_simulator() {
    let text = pulled(GMS).replace(
        "turns =",
        "slips = { count = \"table.guard1+\" }\nlast = { event = \"table.guard4\", nth = -1 }\nturns =",
    );
    for rtol in [1e-4, 1e-7, 1e-10] {
        let case = case(&format!("gms-{rtol:e}"), text.replace("rtol = 1e-8", &format!("rtol = {rtol:e}")));
        // some hundred steps, and each of the twenty to eighty events multiplies what came before
        agrees_within(&case, 300.0 * rtol);
    }
}

/// A swinging force turns the elements round again and again.
#[test]
fn elements_turn_round_under_a_sine() {
    let text = pulled(GMS).replace(
        "[spring.pull]",
        "[force.push]\non = \"block\"\nforce = { sine = { amplitude = 2, omega = 5 } }\n[spring.pull]",
    );
    agrees_within(&case("gms-sine", text), 1e-5);
}

/// The memory that only jumps is a column as any other, and the period of a motion asks for it.
#[test]
fn a_motion_of_elements_repeats() {
    let text = pulled(GMS).replace("end = 4", "end = 30").replace(
        "turns =",
        "share = { mean = \"table.slip1\", from = 5 }\nback = { min = \"table.slip4\" }\nlast = { final = \"table.slip2\" }\nturns =",
    );
    let case = case("gms-period", text);
    agrees_within(&case, 1e-5);
    let period = case.scenario(&case.points[0]).options.probes.len() - 4;
    let Some(all) = case.run_kernel() else { return };
    assert!(all.iter().any(|printed| printed[1 + period] > 0.0), "{all:?}");
}

/// A mean speed and a time of rest do not change their sign with the direction: `armstrong` came out wrong by 2e-4.
#[test]
fn other_laws_with_modes_agree_with_the_simulator() {
    for law in ["armstrong", "bouc-wen"] {
        agrees_within(&case(law, pulled(&format!("law = \"{law}\""))), 1e-5);
    }
}

#[test]
fn a_law_that_a_kernel_cannot_follow_is_named() {
    let case = case("hysteresis", pulled("law = \"hysteresis\""));
    let why = case.refusal();
    assert!(why.contains("'hysteresis'"), "{why}");
}
