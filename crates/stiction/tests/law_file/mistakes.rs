//! Mistakes are told with line, column and a hint.
use std::path::Path;
use stiction::{Error, LawFile};

const SOUND: &str = "name = \"my-law\"
[params]
fc = { unit = \"N\", default = 1.0, min = 0.0, max = 1e9 }
vs = { unit = \"m/s\", default = 0.01, min = 1e-9, max = 1e3 }
[states]
z = \"m\"
[equations]
g = \"fc*exp(-(v/vs)^2)\"
rate.z = \"v\"
force = \"load*g*sign(v)\"
";

fn error(text: &str) -> (String, String, [usize; 2]) {
    let Err(Error::At { position, error }) = LawFile::parse(text, Path::new("law.toml")) else {
        panic!("no error with a position: {text}")
    };
    (error.to_string(), error.hint().unwrap_or_default(), [position.line, position.column])
}

#[test]
fn mistakes_have_a_position_and_a_hint() {
    assert!(LawFile::parse(SOUND, Path::new("law.toml")).is_ok());
    for (from, to, what, hint, position) in [
        ("fc*exp", "fx*exp", "there is no 'fx' here", "did you mean 'fc'", [8, 6]),
        ("(v/vs)", "(v/fc)", "must have no unit", "divide by a parameter", [8, 9]),
        ("rate.z = \"v\"", "rate.z = \"fc\"", "rate.z must be in m/s", "units of the parameters", [9, 10]),
        (
            "load*g*sign(v)",
            "load*g*sign(v) + v",
            "a sum of different units: N and m/s",
            "parameter with a unit",
            [10, 25],
        ),
        ("rate.z = \"v\"\n", "", "rate.z is missing", "rate.z = ", [6, 1]),
        ("force = \"load*g*sign(v)\"\n", "", "force is missing", "force = ", [7, 2]),
        ("sign(v)", "sgn(v)", "there is no function 'sgn'", "did you mean 'sign'?", [10, 17]),
        ("g*sign(v)", "g*v/abs(v)", "divides by zero", "max(abs(v), v0)", [10, 18]),
        ("unit = \"N\"", "unit = \"mN\"", "'mN' is not a unit", "without prefixes", [3, 15]),
        ("default = 1.0", "default = nan", "default of 'fc' is not a number", "default = 1.0", [3, 1]),
        ("unit = \"N\"", "unit = \"N·m\"", "force must be in N, but is in N·m", "N·m·s/rad", [10, 9]),
        ("min = 0.0, max = 1e9", "min = 2.0, max = 0.5", "min = 2 of 'fc' is above max = 0.5", "exchange", [3, 1]),
        ("sign(v)", "foo(v)", "there is no function 'foo'", "choose one of exp, ln", [10, 17]),
        ("default = 1.0", "default = -1.0", "outside", "default, min or max", [3, 1]),
        ("name = \"my-law\"", "name = \"lugre\"", "built-in", "my-lugre", [1, 8]),
        ("name = \"my-law\"", "name = \"My Law\"", "not a name for a law", "small letters", [1, 8]),
        ("g = ", "vs = ", "already the name of a parameter", "another name", [8, 1]),
        ("g = ", "exp = ", "not a name for a", "meaning of its own", [8, 1]),
        ("g = \"fc", "g = \"h*fc", "there is no 'h'", "", [8, 6]),
        ("g = \"fc*exp(-(v/vs)^2)\"", "g = \"h*fc\"\nh = \"1\"", "defined further down", "move it above", [8, 6]),
        ("g = \"fc", "g = \"g*fc", "'g' is defined by itself", "a state with a rate", [8, 6]),
        (
            "rate.z = \"v\"\nforce = \"load*g*sign(v)\"\n",
            "rate.z = \"v\"\nforce = \"load*g*sign(v)\"\n[[when]]\nguard = \"z > 0\"\nset.z = \"0\"\n",
            "a condition as a guard",
            "write the condition as if",
            [12, 9],
        ),
        ("sign(v)", "sin(v/vs)", "'sin' cannot be used in a law", "use exp", [10, 17]),
        ("load*g*sign(v)", "v > 0", "a condition where a number", "where(", [10, 9]),
        ("load*g*sign(v)", "where(v, g, -g)", "a number where a condition", "comparison", [10, 10]),
        ("[states]\nz", "[states]\nq", "there is no key 'z'", "q", [9, 6]),
        ("load*g*sign(v)", "load*g*", "found the end", "", [10, 17]),
        ("load*g*sign(v)", "load*(g*sign(v)", "found the end", "close it", [10, 25]),
        ("[states]", "require = [\"fc > 0\"]\n[states]", "key of the whole law", "above the first [table]", [5, 1]),
        ("vs = {", "reverse = {", "not a name for a parameter", "parameter files", [4, 1]),
        ("name = ", "nam = ", "there is no key 'nam'", "did you mean 'name'", [1, 1]),
    ] {
        assert!(SOUND.contains(from), "{from}");
        let (told, advice, at) = error(&SOUND.replacen(from, to, 1));
        assert!(told.contains(what), "{to}: {told}");
        assert!(advice.contains(hint), "{to}: {told}: {advice}");
        assert_eq!(at, position, "{to}: {told}");
    }
}

/// A name that means the same in every law cannot be given to something else, and is told with its meaning; where it has no value, with where it has one.
#[test]
fn reserved_names_are_told_with_their_meaning() {
    let reserved = ["v", "load", "dir", "dt", "pi", "rate", "force", "hold", "jump", "band", "settled", "step", "set"];
    for name in reserved {
        let own = "choose another name; taken are v, load, dir";
        let param = SOUND.replace("fc = {", &format!("{name} = {{"));
        let state = SOUND.replace("z = \"m\"", &format!("{name} = \"m\""));
        for (text, position) in [(param, [3, 1]), (state, [6, 1])] {
            let (told, advice, at) = error(&text);
            assert!(told.starts_with(&format!("'{name}' has a meaning of its own in every law: ")), "{name}: {told}");
            assert!(advice.contains(own), "{name}: {advice}");
            assert_eq!(at, position, "{name}: {told}");
        }
    }
    let dir = error(&SOUND.replace("fc = {", "dir = {"));
    assert!(dir.0.ends_with("the direction ±1 of impending motion"), "{}", dir.0);
    for (name, hint) in [
        ("dir", "it stands in hold alone; elsewhere the direction of motion is sign(v)"),
        ("dt", "it stands in step.NAME alone"),
        ("jump", "it stands in hold alone"),
        ("hold", "give the expression a name of its own"),
        ("rate.q", "force and hold alone"),
    ] {
        let (told, advice, at) = error(&SOUND.replace("g = \"fc", &format!("g = \"{name}*fc")));
        assert!(told.starts_with(&format!("'{name}' has no value here: it is ")), "{name}: {told}");
        assert!(advice.contains(hint), "{name}: {advice}");
        assert_eq!(at, [8, 6], "{name}: {told}");
    }
}

#[test]
fn huge_files_end_with_an_error() {
    let deep = format!("{}v{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(error(&SOUND.replace("load*g*sign(v)", &deep)).0.contains("longer than"));
    let nested = format!("{}v{}", "abs(".repeat(500), ")".repeat(500));
    assert!(error(&SOUND.replace("load*g*sign(v)", &nested)).0.contains("nested deeper"));
    let rows: Vec<String> = (0..40_000).map(|k| format!("[{k}.0, {}.0]", 1 + k % 2)).collect();
    let table = format!("name = \"long\"\n[table]\nrows = [{}]\n", rows.join(","));
    assert!(error(&table).0.contains("points"));
    let bad = "name = \"bad\"\n[table]\nrows = [[0.0, 1.0], [0.1, nan]]\n";
    assert!(error(bad).0.contains("not finite"));
    for (rows, what) in
        [("[]", "fewer than two"), ("[[0.0, 1.0, -1.0], [0.1, 1.0, -1.0]]", "load that is not above zero")]
    {
        assert!(error(&format!("name = \"bad\"\n[table]\nrows = {rows}\n")).0.contains(what), "{rows}");
    }
    // each doubles the last: 2^60 operations if they were written out, sixty if equal ones are kept once
    let mut chain = String::from("a0 = \"v/vs\"\n");
    (1..60).for_each(|k| chain += &format!("a{k} = \"a{0} + a{0}\"\n", k - 1));
    let text = SOUND.replace("g = ", &format!("{chain}g = "));
    assert!(LawFile::parse(&text, Path::new("law.toml")).is_ok());
}

#[test]
fn long_chains_of_equations_are_compiled_and_too_many_are_told() {
    let chain = |count: usize| {
        let equations: String = (1..count).map(|k| format!("e{k} = \"0.5*e{} + fc\"\n", k - 1)).collect();
        let last = count - 1;
        SOUND.replace("g = \"fc*exp(-(v/vs)^2)\"\n", &format!("e0 = \"fc\"\n{equations}g = \"e{last}\"\n"))
    };
    let law = LawFile::parse(&chain(511), Path::new("law.toml")).expect("a law").spec().build().expect("builds");
    // the limit of e = e/2 + fc is 2 fc
    assert!((law.steady(&stiction::core::Input::at(0.1)) - 2.0).abs() < 1e-12);
    let (what, hint, _) = error(&chain(512));
    assert!(what.contains("513 equations, more than 512") && hint.contains("shorten"), "{what}: {hint}");
}

/// A mistake in a table is told with the row it is in.
#[test]
fn mistakes_in_tables_point_at_their_row() {
    for (rows, what, position) in [
        ("[0.1, 1.0],\n  [0.2, 1.2, 3.0],", "has 3 numbers in this row, and 2 in the first one", [5, 3]),
        ("[0.1, 1.0],\n  [0.2],", "not velocity, force and", [5, 3]),
        ("[0.1, 1.0],\n  [0.2, nan],", "not finite in row 2", [5, 3]),
        ("[0.1, 1.0], [0.2, 1.2],\n  [-0.1, 1.0],", "drives the motion in row 3", [5, 3]),
        ("[0.1, 1.0],\n  [0.1, 1.2], [0.2, 1.0],", "has the velocity of row 1 again in row 2", [5, 3]),
    ] {
        let (told, advice, at) = error(&format!("name = \"bad\"\n[table]\nrows = [\n  {rows}\n]\n"));
        assert!(told.contains(what) && advice.contains("each velocity once"), "{rows}: {told}: {advice}");
        assert_eq!(at, position, "{rows}: {told}");
    }
    let curve = |rows: &str| {
        let head =
            "name = \"bad\"\n[params]\nfc = { unit = \"N\", default = 1.0 }\n[curve.g]\ninput = \"v\"\nunit = \"N\"\n";
        error(&format!("{head}rows = [\n  {rows}\n]\n[equations]\nforce = \"g\"\n"))
    };
    for (rows, what) in [
        ("[0.0, 1.0],\n  [0.1, 1.0, 1.0],", "not an argument and a value"),
        ("[0.0, 1.0],\n  [0.1, inf],", "not finite"),
        ("[0.0, 1.0],\n  [0.0, 2.0],", "does not rise"),
    ] {
        let (told, _, at) = curve(rows);
        assert!(told.contains(what), "{rows}: {told}");
        assert_eq!(at, [9, 3], "{rows}: {told}");
    }
}

/// The hint for a force that jumps at rest names force and hold so that the set reaches from one direction's force to the other's, also if
/// the force at rest is that of one direction.
#[test]
fn the_set_at_rest_is_named_by_force_and_hold() {
    let head = "name = \"jumps\"\n[params]\nfc = { unit = \"N\", default = 4.0 }\n[equations]\n";
    let spec = super::law(&format!("{head}force = \"load*fc*where(v > 0, 1, -1)\"\n"));
    let refused = stiction::system::Contact::new(&spec).err().expect("a jump at rest");
    assert!(refused.hint().expect("a hint").contains("as force 0 with hold 4 does"), "{:?}", refused.hint());
}

/// A law whose force jumps at rest without `hold` is refused where a body is to rest on it, and only there.
#[test]
fn a_force_that_jumps_at_rest_needs_hold_in_a_contact() {
    let with = |equations: &str| {
        let text = format!(
            "name = \"jumps\"\n[params]\nfc = {{ unit = \"N\", default = 1.0, min = 1e-3, max = 1e3 }}\n\
             k = {{ unit = \"N/m\", default = 1e4, min = 1.0, max = 1e9 }}\n\
             fv = {{ unit = \"N·s/m\", default = 1e4, min = 0.0, max = 1e9 }}\n{equations}\n"
        );
        super::law(&text)
    };
    let z = "[states]\nz = \"m\"\n[equations]\nrate.z = \"v - k*abs(v)*z/fc\"\n";
    for (equations, found) in [
        // however small beside the viscous force
        (
            "[equations]\nforce = \"load*fc*sign(v) + fv*v\"".to_owned(),
            Some("jumps by 1 when motion begins, but hold is 0"),
        ),
        ("[equations]\nforce = \"load*where(v >= 0, fc, -fc)\"".to_owned(), Some("jumps by 2 when motion begins")),
        ("[equations]\nforce = \"load*fc*sign(v)\"\nhold = \"load*fc/2\"".to_owned(), Some("but hold is 0.5")),
        (format!("{z}force = \"load*k*abs(z)*sign(v)\""), Some("after sliding at 0.001 m/s, but hold is 0")),
        ("[equations]\nforce = \"load*fc*sign(v)\"\nhold = \"load*fc\"".to_owned(), None),
        ("[equations]\nforce = \"load*fc*clip(v*fv/fc, -1, 1)\"".to_owned(), None),
        (format!("{z}force = \"load*k*z + fv*max(v, 0)\""), None),
    ] {
        let spec = with(&equations);
        assert!(spec.build().is_ok());
        match (stiction::system::Contact::new(&spec), found) {
            (Ok(_), None) => {}
            (Err(error), Some(found)) => {
                assert!(error.to_string().contains(found), "{error}");
                assert!(error.hint().expect("a hint").contains("hold = \"load*fc\""));
            }
            (got, _) => panic!("{equations}: {:?} instead of {found:?}", got.err()),
        }
    }
}

/// Hints say what can be done.
#[test]
fn tables_have_hints_of_their_own() {
    let table = |rows: &str| format!("name = \"my-table\"\n[table]\nrows = [{rows}]\n");
    let rows: Vec<String> = (0..600).map(|k| format!("[{}, 1.{}]", 1e-3 * f64::from(k), k % 2)).collect();
    let (told, advice, _) = error(&table(&rows.join(", ")));
    assert!(told.contains("has 600 points") && advice.contains("at most 256"), "{told}; {advice}");
    let file = LawFile::parse(&table("[0.0, 1.0], [0.1, 1.2]"), Path::new("law.toml")).expect("a law");
    let error = file.spec().set("fc", 2.0).map(|_| ()).expect_err("it has no parameters");
    assert_eq!(Error::from(error).hint().as_deref(), Some("it has no parameters"));
}

/// Tables that make no law, as they are met: without rows, with a text in a row, with the rows of a whole record.
#[test]
fn a_mistake_in_a_table_is_told_as_one_of_the_table() {
    let told = |rows: &str| error(&format!("name = \"t\"\n[table]\nrows = {rows}\n"));
    assert_eq!(told("[]").0, "the table has no rows, fewer than two");
    let (what, hint, at) = told("[[0.1, 1.0], [0.2, \"a\"]]");
    assert!(
        what.contains("text where a number belongs") && hint.contains("velocity and force") && at == [3, 27],
        "{what} {hint} {at:?}"
    );
    let rows: Vec<String> = (1..=600).map(|k| format!("[{}, 1.{}]", 1e-3 * f64::from(k), k % 2)).collect();
    let (what, hint, _) = told(&format!("[{}]", rows.join(", ")));
    // rows of 1.0 and 1.1 in turn: a curve through some of them is off by the difference, but for what its way between them leans to others
    let (begin, rest) = what.split_once(" leaves others off by ").unwrap();
    let (off, allowed) = rest.split_once(", more than a thousandth of the largest value, ").unwrap();
    assert_eq!(
        (begin, allowed),
        ("the forward motion of the table has 600 points; a curve through 256 of them", "0.0011")
    );
    let off: f64 = off.parse().unwrap();
    assert!(off > 0.05 && off <= 0.1, "{what}");
    // 600 rows are three times too many
    assert!(hint.contains("means of 3 neighbours"), "{hint}");
}

/// Rows whose columns are exchanged, or each with a load of its own, make hundreds of loads, of which each would be a curve of the program.
#[test]
fn a_table_of_too_many_loads_tells_the_order_of_its_columns() {
    let table = |rows: Vec<[f64; 3]>| {
        let rows: Vec<String> = rows.iter().map(|[a, b, c]| format!("[{a}, {b}, {c}]")).collect();
        format!("name = \"loads\"\n[table]\nrows = [{}]\n", rows.join(", "))
    };
    let points =
        |loads: u32| (0..3 * loads).map(|k| (f64::from(k % 3 + 1) * 1e-3, 1.0 + f64::from(k), f64::from(k / 3 + 1)));
    let right = |loads: u32| table(points(loads).map(|(v, force, load)| [v, force, load]).collect());
    let exchanged = table(points(100).map(|(v, force, load)| [v, load, force]).collect());
    for (text, count) in [(right(2000), 2000), (exchanged, 300)] {
        let (told, advice, at) = error(&text);
        assert_eq!((told.as_str(), at), (format!("the table has {count} loads, more than 256").as_str(), [2, 1]));
        assert!(advice.contains("velocity, force and load, in this order"), "{advice}");
    }
    assert!(LawFile::parse(&right(256), Path::new("law.toml")).is_ok());
}

/// Without a check of units a parameter needs none.
#[test]
fn an_unchecked_law_needs_no_units_of_parameters() {
    let text =
        "name = \"plain\"\nunits = \"unchecked\"\n[params]\nfc = { default = 1.0 }\n[equations]\nforce = \"fc*v\"\n";
    let law = LawFile::parse(text, Path::new("law.toml")).expect("a law");
    assert_eq!(law.entry().params[0].unit, "-");
    let (what, ..) = error(&text.replace("unchecked", "checked"));
    assert_eq!(what, "unit of 'fc' is missing");
}
