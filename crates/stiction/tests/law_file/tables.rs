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

/// A measured curve of more rows than a curve has points: those are kept that the others are near, and both are told.
#[test]
fn a_table_of_thousands_of_rows_is_a_law() {
    let force = |v: f64| v.signum() * (1.0 + 0.5 * (-(v.abs() / 0.01).powf(0.7)).exp() + 0.4 * v.abs());
    // even in the speed, as a slow sweep gives them; rounded to a tenth of a millinewton, as a logger does
    let speeds = (-4000..=4000).filter(|k| *k != 0).map(|k| 5e-5 * f64::from(k));
    let rows: Vec<[f64; 2]> = speeds.map(|v| [v, (1e4 * force(v)).round() * 1e-4]).collect();
    let text: Vec<String> = rows.iter().map(|[v, force]| format!("[{v:e}, {force:.4}]")).collect();
    let law = law(&format!("name = \"sweep\"\n[table]\nrows = [{}]\n", text.join(", ")));
    let built = law.build().expect("a law");
    let worst = rows.iter().map(|[v, force]| (built.steady(&Input::at(*v)) - force).abs()).fold(0.0, f64::max);
    // a thousandth of the largest force is the most that is allowed
    assert!(worst < 1.5e-3, "{worst}");
    let kept = stiction::LawFile::of(law.law()).expect("from a file").kept_rows().expect("a sentence");
    assert!(
        kept.len() == 1 && kept[0].starts_with("Of the 8000 rows of the table the curve goes through "),
        "{kept:?}"
    );
    assert!(law.law().doc.contains(&kept[0]), "{}", law.law().doc);
    let told: f64 = kept[0]
        .split("than ")
        .nth(1)
        .and_then(|rest| rest.split(" N").next())
        .expect("a number")
        .parse()
        .expect("a number");
    assert!((told / worst - 1.0).abs() < 0.05, "{told} for {worst}");
}

/// A curve that is a quantity says so, too; one of few rows keeps all of them.
#[test]
fn a_long_curve_tells_what_it_keeps() {
    let text = |count: u32| {
        let rows: Vec<String> =
            (0..count).map(|k| format!("[{}, {}]", 1e-3 * f64::from(k), 1.0 / (1.0 + 1e-2 * f64::from(k)))).collect();
        format!(
            "name = \"long-curve-{count}\"\n[curve.level]\ninput = \"abs(v)\"\nunit = \"N\"\nrows = [{}]\n[equations]\nforce = \"load*level*sign(v)\"\nhold = \"load*level\"\n",
            rows.join(", ")
        )
    };
    let kept = |count: u32| {
        stiction::LawFile::of(law(&text(count)).law()).expect("from a file").kept_rows().expect("a sentence")
    };
    assert!(kept(256).is_empty());
    assert!(kept(3000)[0].starts_with("Of the 3000 rows of 'level' the curve goes through "), "{:?}", kept(3000));
}
