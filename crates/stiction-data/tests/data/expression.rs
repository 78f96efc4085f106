//! Expressions over columns: against an evaluator that walks a tree, and as users get them wrong.
use proptest::prelude::*;
use stiction_data::DataError;
use stiction_data::expression::{Expression, SymbolTable};
use stiction_data::log::{ColumnSelection, ContentError, DataFile, ReadOptions};

/// An expression as a tree.
#[derive(Clone, Debug)]
enum Tree {
    Number(f64),
    Column(usize),
    Minus(Box<Tree>),
    Two(char, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
}

const COLUMNS: [&str; 3] = ["t", "x", "slider.v"];

impl Tree {
    /// With all parentheses.
    fn text(&self) -> String {
        match self {
            Self::Number(x) => format!("{x:?}"),
            Self::Column(k) => COLUMNS[*k].to_owned(),
            Self::Minus(a) => format!("(-{})", a.text()),
            Self::Two(sign, a, b) => format!("({} {sign} {})", a.text(), b.text()),
            Self::Call(name, list) => {
                format!("{name}({})", list.iter().map(Self::text).collect::<Vec<_>>().join(", "))
            }
        }
    }
    fn value(&self, row: [f64; 3]) -> f64 {
        // a missing number stays missing
        let pick = |a: f64, b: f64, first: bool| {
            if a.is_nan() || b.is_nan() {
                f64::NAN
            } else if first {
                a
            } else {
                b
            }
        };
        match self {
            Self::Number(x) => *x,
            Self::Column(k) => row[*k],
            Self::Minus(a) => -a.value(row),
            Self::Two(sign, a, b) => {
                let (a, b) = (a.value(row), b.value(row));
                match sign {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a / b,
                    _ => a.powf(b),
                }
            }
            Self::Call(name, list) => {
                let all: Vec<f64> = list.iter().map(|tree| tree.value(row)).collect();
                match *name {
                    "sin" => all[0].sin(),
                    "exp" => all[0].exp(),
                    "log" => all[0].ln(),
                    "sqrt" => all[0].sqrt(),
                    "abs" => all[0].abs(),
                    "min" => all.into_iter().reduce(|a, b| pick(a, b, a < b)).expect("two"),
                    "max" => all.into_iter().reduce(|a, b| pick(a, b, a > b)).expect("two"),
                    _ => {
                        let upper = pick(all[0], all[2], all[0] < all[2]);
                        pick(all[1], upper, all[1] > upper)
                    }
                }
            }
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![(0.0..1e3).prop_map(Tree::Number), (0..3_usize).prop_map(Tree::Column)];
    leaf.prop_recursive(6, 48, 3, |inner| {
        let one = prop::sample::select(vec!["sin", "exp", "log", "sqrt", "abs"]);
        let sign = prop::sample::select(vec!['+', '-', '*', '/', '^']);
        prop_oneof![
            inner.clone().prop_map(|a| Tree::Minus(Box::new(a))),
            (sign, inner.clone(), inner.clone()).prop_map(|(s, a, b)| Tree::Two(s, Box::new(a), Box::new(b))),
            (one, inner.clone()).prop_map(|(name, a)| Tree::Call(name, vec![a])),
            (prop::sample::select(vec!["min", "max"]), prop::collection::vec(inner.clone(), 2..4))
                .prop_map(|(name, list)| Tree::Call(name, list)),
            prop::collection::vec(inner, 3).prop_map(|list| Tree::Call("clip", list)),
        ]
    })
}

proptest! {
    #[test]
    fn a_program_computes_what_the_tree_says(tree in tree(), rows in prop::collection::vec(any::<[f64; 3]>(), 1..300)) {
        let text = tree.text();
        prop_assume!(text.len() < 4000);
        let names = SymbolTable { columns: COLUMNS.to_vec(), constants: Vec::new(), units: Vec::new() };
        let program = Expression::parse(&text, &names).expect("an expression");
        let columns: Vec<Vec<f64>> = program.columns.iter().map(|&k| rows.iter().map(|row| row[k]).collect()).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let mut out = Vec::new();
        program.evaluate(&columns, &mut out);
        // one of no columns has one row
        let wanted: Vec<f64> = rows.iter().map(|row| tree.value(*row)).take(out.len()).collect();
        prop_assert_eq!(out.len(), if columns.is_empty() { 1 } else { rows.len() });
        for (got, wanted) in out.iter().zip(wanted) {
            prop_assert!(got.to_bits() == wanted.to_bits() || got.is_nan() && wanted.is_nan(), "{} {} {}", text, got, wanted);
        }
    }
    #[test]
    fn no_text_does_harm(text in "[a-z0-9+*/^() ,.$\\-{}eπ]{0,60}") {
        let names = SymbolTable { columns: COLUMNS.to_vec(), constants: vec![("k", 2.0)], units: Vec::new() };
        if let Err(error) = Expression::parse(&text, &names) {
            prop_assert!(error.position >= 1 && error.position <= text.chars().count() + 1);
            prop_assert!(!error.hint().is_empty());
        }
    }
}

fn value(text: &str) -> f64 {
    let names =
        SymbolTable { columns: vec!["q", "goal position", "Vir"], constants: vec![("gtau", 35.0)], units: Vec::new() };
    let program = Expression::parse(text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
    let row = [2.0, 3.0, 5.0];
    let columns: Vec<[f64; 1]> = program.columns.iter().map(|&k| [row[k]]).collect();
    let columns: Vec<&[f64]> = columns.iter().map(|x| &x[..]).collect();
    let mut out = Vec::new();
    program.evaluate(&columns, &mut out);
    out[0]
}

#[test]
fn order_of_operations() {
    let cases = [
        ("1 + 2*3", 7.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("8/4/2", 1.0),
        ("10 - 4 - 3", 3.0),
        ("--3", 3.0),
        ("+q", 2.0),
        ("gtau*vir", 175.0),
        ("{goal position} - $1", 1.0),
        ("1.5e-3*q", 3e-3),
        ("clip(q, -1, 1)", 1.0),
        ("sign(-q) + sign(0)", -1.0),
        ("min(q, vir, 7) + MAX(q, vir)", 7.0),
        ("2 \u{b7} 3 \u{2212} 1", 5.0),
    ];
    for (text, wanted) in cases {
        assert_eq!(value(text), wanted, "{text}");
    }
    assert_eq!(value("pi"), std::f64::consts::PI);
}

#[test]
fn mistakes_have_a_place_and_a_hint() {
    let names =
        SymbolTable { columns: vec!["position", "velocity"], constants: vec![("mass", 1.0)], units: Vec::new() };
    let cases = [
        ("2*", 3, "found the end"),
        ("2*)", 3, "found ')'"),
        ("(1 + 2", 7, "')'"),
        ("positon*2", 1, "'positon'"),
        ("2 + veloctiy", 5, "'veloctiy'"),
        ("sinn(1)", 1, "function 'sinn'"),
        ("clip(1, 2)", 1, "takes 3, 2 given"),
        ("min(1)", 1, "takes 2 or more"),
        ("2x", 1, "'2x' is not a number"),
        ("1 2", 3, "found '2'"),
        ("a; b", 2, "';'"),
        ("", 1, "found the end"),
        ("$9", 1, "'$9'"),
        ("1e999", 1, "not a number"),
        ("{position", 10, "'}'"),
    ];
    for (text, at, says) in cases {
        let error = Expression::parse(text, &names).expect_err(text);
        assert_eq!(error.position, at, "{text}: {error}");
        assert!(error.to_string().contains(says) && !error.hint().is_empty(), "{text}: {error}");
    }
    let near = Expression::parse("2*positon", &names).expect_err("a name");
    assert_eq!(near.hint(), "did you mean 'position'?");
}

#[test]
fn length_and_depth_are_bounded() {
    let names = SymbolTable::default();
    let deep = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
    assert!(Expression::parse(&deep(60), &names).is_ok());
    for text in [deep(500), "-".repeat(2000) + "1", "2^".repeat(500) + "2", "sin(".repeat(300)] {
        let error = Expression::parse(&text, &names).expect_err("too deep").to_string();
        assert!(error.contains("deeper"), "{error}");
    }
    let error = Expression::parse(&"1+".repeat(1 << 20), &names).expect_err("too long").to_string();
    assert!(error.contains("longer"), "{error}");
}

#[test]
fn a_division_by_zero_is_found_with_its_row() {
    let table = DataFile::from_bytes("log", b"t,v\n\n0,2\n# remark\n1,0\n", &ReadOptions::default()).expect("a table");
    let plan = ColumnSelection::new(&table).with("", "t/v", &[]).expect("a plan");
    let problem = match plan.read() {
        Err(DataError::Content { error, .. }) => *error,
        other => panic!("{other:?}"),
    };
    let ContentError::NotFinite { row, line, inputs, .. } = problem else { panic!("{problem}") };
    assert_eq!((row, line), (2, Some(5)));
    assert_eq!(inputs, [("t".to_owned(), 1.0), ("v".to_owned(), 0.0)]);
    // a missing number is not the expression's fault
    let table = DataFile::from_bytes("log", b"t,v\n0,2\n1,\n", &ReadOptions::default()).expect("a table");
    let record = ColumnSelection::new(&table).with("a [m]", "t/v", &[]).expect("a plan").read().expect("a record");
    assert!(record.columns[0].values[1].is_nan());
    assert_eq!((record.columns[0].name.as_str(), record.columns[0].unit.as_deref()), ("a", Some("m")));
}

#[test]
fn constants_are_as_long_as_the_file() {
    let table = DataFile::from_bytes("log", b"t,v\n0,2\n1,4\n", &ReadOptions::default()).expect("a table");
    let record =
        ColumnSelection::new(&table).with("g", "k*2", &[("k", 4.5)]).expect("a plan").read().expect("a record");
    assert_eq!(record.columns[0].values, [9.0, 9.0]);
}

/// A sine of degrees was computed as if they were radians.
#[test]
fn a_sine_takes_radians() {
    let symbols = SymbolTable {
        columns: vec!["q", "w", "turns", "arm angle", "free"],
        constants: vec![("ratio", 51.0), ("per_degree", 0.017_453)],
        units: vec![Some("deg"), Some("rad"), Some("rev"), Some("\u{b0}")],
    };
    let refused = [
        ("sin(q)", 1, "sin(q*pi/180)"),
        ("2*cos(-q)", 3, "cos(q*pi/180)"),
        ("tan(q + 30)", 1, "tan(q*pi/180)"),
        ("sin(2*q)", 1, "pi/180"),
        ("sin(q/ratio)", 1, "pi/180"),
        ("sin(q/180)", 1, "pi/180"),
        ("sin($1)", 1, "pi/180"),
        ("sin(w - q)", 1, "pi/180"),
        ("sin(abs(q))", 1, "pi/180"),
        ("sin(where(w > 0, q, 0))", 1, "pi/180"),
        ("cos({arm angle})", 1, "cos({arm angle}*pi/180)"),
        ("sin(turns)", 1, "sin(turns*6.28"),
    ];
    for (text, position, hint) in refused {
        let error = Expression::parse(text, &symbols).expect_err(text);
        assert_eq!(error.position, position, "{text}");
        assert!(error.to_string().contains("takes radians") && error.hint().contains(hint), "{text}: {}", error.hint());
    }
    let accepted = [
        "sin(w)",
        "sin(free)",
        "sin(q*pi/180)",
        "sin(q/180*pi)",
        "sin(2*pi*q/360)",
        "sin(6.2832*q/360)",
        "sin(pi/180*(q - 30) + 0.1)",
        "sin(q/57.3)",
        "sin(0.0175*q/ratio)",
        "sin(per_degree*q)",
        "sin(2*pi*turns)",
        "sin(q*w)",
        "tanh(q)",
        "q + sin(w)",
        "sin(w)*q",
    ];
    for text in accepted {
        Expression::parse(text, &symbols).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}
