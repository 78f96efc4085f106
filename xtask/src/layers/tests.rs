use super::Findings;
use super::table::Layers;
use crate::workspace::CrateSource;

const TABLE: &str = r#"
[crates]
low = []
high = ["low"]
[low]
base = []
[high]
numbers = []
fit = ["numbers"]
report = ["fit"]
"#;

/// Two crates that agree with the table.
fn right() -> Vec<CrateSource> {
    vec![
        CrateSource::in_memory("low", "", &[("lib.rs", "pub mod base;"), ("base.rs", "pub struct Base;")]),
        CrateSource::in_memory(
            "high",
            "low.workspace = true\n",
            &[
                ("lib.rs", "pub mod fit; pub mod numbers; pub mod report; pub use numbers::Matrix;"),
                ("numbers.rs", "use low::base::Base; pub struct Matrix; pub fn norm(_: Base) {}"),
                ("fit/mod.rs", "mod lines; mod curves; pub use lines::{FittedLine, straight};\npub struct Shared;"),
                ("fit/lines.rs", "use crate::{numbers::norm, Matrix};\nuse super::Shared; pub struct FittedLine;"),
                ("fit/curves/mod.rs", "mod spline; use super::FittedLine;"),
                ("fit/curves/spline.rs", "use super::super::lines::FittedLine;"),
                ("report.rs", "pub fn draw() { crate::fit::straight() }"),
            ],
        ),
    ]
}

fn check(layers: &Layers, sources: &[CrateSource]) -> Vec<String> {
    super::check(layers, sources).wrong
}

fn with(path: &str, more: &str) -> Vec<String> {
    let mut sources = right();
    let text = sources[1].files.get_mut(&format!("src/{path}")).unwrap();
    text.push_str(more);
    check(&Layers::parse(TABLE).unwrap(), &sources)
}

#[test]
fn a_tree_in_layers_passes() {
    assert_eq!(with("report.rs", ""), Vec::<String>::new());
}

#[test]
fn a_use_of_a_module_above_fails_with_its_line() {
    for back in ["\nuse crate::report::draw;", "\nfn f() { crate::report::draw() }", "\nuse crate::{\n    report};"] {
        let wrong = with("fit/curves/spline.rs", back);
        assert_eq!(wrong.len(), 1, "{back}: {wrong:?}");
        assert!(wrong[0].starts_with("crates/high/src/fit/curves/spline.rs:"), "{back}: {wrong:?}");
        assert!(wrong[0].contains("fit of high must not use report"), "{wrong:?}");
    }
    let wrong = with("numbers.rs", "\n\nfn f(_: super::fit::FittedLine) {}");
    assert!(wrong[0].starts_with("crates/high/src/numbers.rs:3: "), "{wrong:?}");
}

#[test]
fn what_the_crate_re_exports_counts_where_it_comes_from() {
    // `crate::FittedLine` is `fit::FittedLine`, which `numbers` must not use
    let mut sources = right();
    sources[1].files.get_mut("src/lib.rs").unwrap().push_str("pub use fit::*;");
    sources[1].files.get_mut("src/numbers.rs").unwrap().push_str("use crate::FittedLine as L;");
    let wrong = check(&Layers::parse(TABLE).unwrap(), &sources);
    assert!(wrong.len() == 1 && wrong[0].contains("numbers of high must not use fit"), "{wrong:?}");
}

#[test]
fn comments_text_and_tests_do_not_count() {
    for harmless in [
        "// use crate::report::draw;",
        "/* crate::report::draw /* nested */ */",
        "const A: &str = \"crate::report::draw\";",
        "const B: &str = r#\"use crate::report; \"#;",
        "#[cfg(test)] mod tests { use crate::report::draw; use super::*; }",
        "pub(in crate::report) struct C;",
    ] {
        assert_eq!(with("numbers.rs", harmless), Vec::<String>::new(), "{harmless}");
    }
}

#[test]
fn a_circle_through_a_folder_fails() {
    let wrong = with("fit/lines.rs", "\nuse super::curves::spline;");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("curves, lines use each other in a circle"), "{wrong:?}");
    assert!(wrong[0].contains("crates/high/src/fit/lines.rs:3: lines uses curves"), "{wrong:?}");
}

#[test]
fn crates_may_use_only_crates_below() {
    let mut sources = right();
    sources[0].manifest.push_str("[dev-dependencies]\nhigh.workspace = true\n");
    sources[0].files.get_mut("src/base.rs").unwrap().push_str("use high::fit;");
    let wrong = check(&Layers::parse(TABLE).unwrap(), &sources);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(wrong[0].starts_with("crates/low/Cargo.toml:6: low must not depend on high"), "{wrong:?}");
    assert!(wrong[1].starts_with("crates/low/src/base.rs:1: low must not use high"), "{wrong:?}");
}

#[test]
fn tests_may_use_what_the_section_dev_allows() {
    let mut sources = vec![CrateSource::in_memory("base", "", &[("lib.rs", "")])];
    sources.push(CrateSource::in_memory("tested", "", &[("lib.rs", "")]));
    sources[1].manifest.push_str("[dev-dependencies]\nbase.workspace = true\n");
    let table = "[crates]\nbase = []\ntested = []\n[base]\n[tested]\n";
    let check = |table: &str, sources: &[CrateSource]| check(&Layers::parse(table).unwrap(), sources);
    assert!(check(table, &sources)[0].contains("tested must not depend on base"));
    let dev = format!("{table}[dev]\ntested = [\"base\"]\n");
    assert_eq!(check(&dev, &sources), Vec::<String>::new());
    // the library itself must not use it
    sources[1].files.insert("src/lib.rs".into(), "use base::Base;".into());
    assert!(check(&dev, &sources)[0].contains("tested must not use base"), "{:?}", check(&dev, &sources));
    sources[1].manifest = sources[1].manifest.replace("[dev-dependencies]", "[dependencies]");
    let wrong = check(&dev, &sources);
    assert!(wrong[0].contains("tested must not depend on base"), "{wrong:?}");
    assert!(wrong[1].contains("the tests of tested may use base, but does not"), "{wrong:?}");
}

#[test]
fn the_table_stays_true() {
    let check = |table: &str| check(&Layers::parse(table).unwrap(), &right());
    // an allowed use that nobody makes, a module and a crate that do not exist, one that is not listed
    let wrong = check(&TABLE.replace("report = [\"fit\"]", "report = [\"fit\", \"numbers\"]"));
    assert!(wrong.len() == 1 && wrong[0].contains("report of high may use numbers, but does not"), "{wrong:?}");
    assert_eq!(check(&TABLE.replace("[high]\n", "[high]\nold = []\n")).len(), 1);
    assert_eq!(check(&TABLE.replace("[crates]\n", "[crates]\nold = []\n")).len(), 1);
    assert_eq!(check(&TABLE.replace("base = []\n", "")).len(), 1);
    // a row that names one below it
    let wrong = check(&TABLE.replace("numbers = []", "numbers = [\"report\"]"));
    assert!(wrong[0].contains("names report, which is not in a row above it"), "{wrong:?}");
}

#[test]
fn hidden_uses_fail() {
    assert_eq!(with("fit/lines.rs", "\nuse super::*;").len(), 1);
}

#[test]
fn files_of_a_group_may_use_each_other_but_no_folder_is_in_one() {
    let mut sources = right();
    sources[1].files.insert("src/lapack.rs".into(), "use crate::numbers::norm;".into());
    sources[1].files.get_mut("src/numbers.rs").unwrap().push_str("use crate::lapack;");
    let table = TABLE.replace("numbers = []", "\"numbers + lapack\" = []");
    assert_eq!(check(&Layers::parse(&table).unwrap(), &sources), Vec::<String>::new());
    let table = TABLE.replace("numbers = []\nfit = [\"numbers\"]", "\"fit + numbers\" = []");
    assert!(check(&Layers::parse(&table).unwrap(), &right())[0].contains("fit of high is a folder"));
}

#[test]
fn a_circle_that_is_still_to_be_broken_is_listed() {
    let table = format!("{TABLE}[open]\n\"high::fit\" = \"splines are rewritten\"\n");
    let layers = Layers::parse(&table).unwrap();
    assert!(check(&layers, &right())[0].contains("high::fit has no circle any more"));
    let mut sources = right();
    sources[1].files.get_mut("src/fit/lines.rs").unwrap().push_str("use super::curves::spline;");
    let Findings { wrong, open } = super::check(&layers, &sources);
    assert_eq!(
        (wrong.len(), open),
        (0, vec!["high::fit: a circle of curves, lines: splines are rewritten".to_owned()])
    );
}

#[test]
fn a_table_is_printed_from_the_bottom_up() {
    let names = ["a", "b", "c", "d"].map(str::to_owned);
    let uses = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    let order = super::circles::bottom_up(&names, &uses.into());
    assert_eq!(order, [vec!["d"], vec!["b", "c"], vec!["a"]]);
}
