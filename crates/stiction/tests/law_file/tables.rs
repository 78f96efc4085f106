//! Laws that are measured tables.
use super::law;
use stiction::core::Input;

#[test]
fn a_table_is_a_law_with_true_stick() {
    let law = law(r#"
        name = "measured"
        [table]
        rows = [[0.0, 1.5], [0.001, 1.2], [0.01, 1.0], [0.1, 1.1], [-0.001, -1.4], [-0.1, -1.3]]
        "#);
    let law = law.build().expect("a law");
    let at = |v: f64, load: f64| law.steady(&Input { v, load });
    assert_eq!([at(0.001, 1.0), at(0.1, 2.0), at(-0.001, 1.0), at(-7.0, 1.0)], [1.2, 2.2, -1.4, -1.3]);
    assert_eq!([1.0, -1.0].map(|dir| law.hold(&[], &Input::at(0.0), dir)), [1.5, 1.4]);
    // a row at rest for each direction
    let two =
        super::law("name = \"two-levels\"\n[table]\nrows = [[0.0, 1.5], [0.1, 1.0], [0.0, -1.6], [-0.1, -1.1]]\n");
    let two = two.build().expect("a law");
    assert_eq!([1.0, -1.0].map(|dir| two.hold(&[], &Input::at(0.0), dir)), [1.5, 1.6]);
    // odd without rows for backward motion
    let odd = super::law("name = \"odd\"\n[table]\nrows = [[0.001, 1.2], [0.1, 1.0]]\n").build().expect("a law");
    assert_eq!(odd.steady(&Input::at(-0.1)), -1.0);
}

#[test]
fn a_table_may_depend_on_the_load() {
    let rows = "rows = [[0.01, 1.0, 1.0], [0.1, 2.0, 1.0], [0.01, 1.5, 2.0], [0.1, 2.5, 2.0]]";
    let law = law(&format!("name = \"loaded-table\"\n[table]\n{rows}\n")).build().expect("a law");
    let at = |load: f64| law.steady(&Input { v: 0.01, load });
    // halves below the first load, between the two, and beyond
    assert_eq!([at(0.0), at(0.5), at(1.0), at(1.5), at(2.0), at(4.0)], [0.0, 0.5, 1.0, 1.25, 1.5, 2.5]);
}

/// A measured Stribeck level within a law of bristles.
#[test]
fn a_curve_is_a_quantity_in_equations() {
    let law = law(r#"
        name = "curve-dahl"
        [params]
        sigma = { unit = "N/m", default = 1e4, min = 1e-3, max = 1e12 }
        [states]
        z = "m"
        [curve.level]
        input = "abs(v)"
        unit = "N"
        rows = [[0.0, 1.5], [0.001, 1.2], [0.1, 1.0]]
        [equations]
        rate.z = "v - sigma*abs(v)*z/level"
        force = "load*sigma*z"
        "#);
    let law = law.build().expect("a law");
    // a point of the curve, but for the rounding of sigma z
    assert!((law.steady(&Input::at(0.001)) - 1.2).abs() < 1e-12);
}
