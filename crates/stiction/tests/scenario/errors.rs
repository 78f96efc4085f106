//! What is wrong with a scenario is found where it stands, in the file or in an assignment on top of it.
use std::path::Path;
use stiction::scenario::{Scenario, Template, embedded};
use stiction::sim::Probe;
use stiction::{Error, Position};

fn parse(text: &str) -> Result<Scenario, Error> {
    let none: [&str; 0] = [];
    Scenario::parse(text, Path::new("test.toml"), &none)
}

/// A block on a table, pulled by a hand; line 1 is `[run]`.
const PULL: &str = "[run]
end = 5
[body.block]
mass = 1
[motion.hand]
position = { ramp = { slope = 0.1 } }
[spring.pull]
between = ['hand', 'block']
stiffness = 2
[contact.table]
between = ['block', 'ground']
law = 'lugre'
fs = 2
";

/// What is wrong with a text: place and words of the error with its hint.
fn wrong(text: &str) -> (usize, usize, String) {
    let scenario = parse(text);
    let error = scenario.and_then(|scenario| scenario.simulation().map(drop)).expect_err(text);
    let hint = error.hint().unwrap_or_else(|| panic!("no hint for {error}"));
    let Error::At { position: Position { line, column, .. }, .. } = &error else { panic!("{error} has no place") };
    (*line, *column, format!("{error}; {hint}"))
}

/// The same for [`PULL`] with one line replaced by others.
fn changed(old: &str, new: &str) -> (usize, usize, String) {
    assert!(PULL.contains(old), "{old}");
    wrong(&PULL.replace(old, new))
}

#[test]
fn every_mistake_has_a_place_and_a_hint() {
    for (old, new, line, column, words) in [
        // the run
        ("end = 5", "ennd = 5", 2, 1, "no key 'ennd' here; did you mean 'end'"),
        ("end = 5", "", 1, 2, "[run] lacks end"),
        ("end = 5", "end = 5\nstart = 7", 2, 7, "end = 5 must be after the start"),
        ("end = 5", "end = 5\nrtol = 0", 3, 8, "rtol = 0 must be positive"),
        ("end = 5", "end = 5\nrtol = 1", 3, 8, "rtol = 1 must be between 1e-13 and 0.1"),
        ("end = 5", "end = 5\nrtol = 1e-14", 3, 8, "rtol = 1e-14 must be between 1e-13 and 0.1"),
        ("end = 5", "end = 5\natol = 10", 3, 8, "atol = 10 must be between 0 and 1"),
        ("end = 5", "end = 5\nsample = 1e-9", 3, 10, "sample = 1e-9 must be at least a billionth of the run"),
        ("end = 5", "end = 5\natol = -1", 3, 8, "atol = -1 must be positive"),
        ("end = 5", "end = 5\nmax_step = 0", 3, 12, "max_step = 0 must be positive"),
        ("end = 5", "end = nan", 2, 7, "end = NaN must be finite"),
        ("end = 5", "end = '5'", 2, 7, "must be a number, found string; write end = 2, without quotes"),
        ("end = 5", "end = 5\nrecord = ['block.y']", 3, 11, "no column 'block.y'; did you mean 'block.x'"),
        // bodies
        ("mass = 1", "mass = 0", 4, 8, "mass = 0 must be positive"),
        ("mass = 1", "mass = -2", 4, 8, "mass = -2 must be positive"),
        ("mass = 1", "inertia = -2", 4, 11, "inertia = -2 must be positive"),
        ("mass = 1", "", 3, 7, "[body.block] needs mass or inertia"),
        ("mass = 1", "mass = 1\ninertia = 2", 5, 11, "has mass and inertia: only one of them is allowed"),
        ("mass = 1", "mas = 1", 4, 1, "did you mean 'mass'"),
        ("[body.block]", "[bdy.block]", 3, 2, "no key 'bdy' here; did you mean 'body'"),
        ("[body.block]", "[body.'a b']\nmass = 1\n[body.block]", 3, 7, "not a valid name; use letters, digits"),
        // what is joined
        ("'hand', 'block'", "'hand', 'blok'", 8, 20, "no body 'blok'; did you mean 'block'"),
        ("'hand', 'block'", "'hand', 'xyzzy'", 8, 20, "choose one of ground, block, hand"),
        ("'hand', 'block'", "'hand'", 8, 11, "must be a pair of names"),
        ("'hand', 'block'", "'block', 'block'", 8, 11, "both ends are fixed, or the same body"),
        ("'block', 'ground'", "'ground', 'ground'", 11, 11, "both ends are fixed, or the same body"),
        (
            "mass = 1",
            "mass = 1\n[body.wheel]\ninertia = 1\n[spring.s]\nbetween = ['wheel', 'block']\nstiffness = 1",
            8,
            11,
            "'block' translates but 'wheel' rotates; connect them by a gear",
        ),
        ("stiffness = 2", "stiffness = inf", 9, 13, "must be finite"),
        ("stiffness = 2", "stiffness = 2\nrest = 1\npreload = 2", 11, 11, "has rest and preload"),
        ("stiffness = 2", "stiffness = 2\ndamping = -1", 10, 11, "damping = -1 must be zero or more"),
        ("[spring.pull]", "[spring.block]", 7, 9, "another component has this name"),
        // signals
        ("{ slope = 0.1 }", "{ slop = 0.1 }", 6, 23, "no key 'slop' here; did you mean 'slope'"),
        ("{ slope = 0.1 }", "{ start = 1 }", 6, 21, "[position.ramp] lacks slope"),
        ("{ ramp = { slope = 0.1 } }", "{ rmp = 1 }", 6, 14, "did you mean 'ramp'"),
        ("{ ramp = { slope = 0.1 } }", "{}", 6, 12, "[position] needs ramp or step"),
        ("{ ramp = { slope = 0.1 } }", "'fast'", 6, 12, "must be a signal"),
        (
            "{ ramp = { slope = 0.1 } }",
            "{ table = { points = [[0, 0], [2, 1], [1, 2]] } }",
            6,
            50,
            "the table is not sorted: 1 in row 3 is not greater than 2; sort the rows",
        ),
        ("{ ramp = { slope = 0.1 } }", "{ table = { points = [[0, 0]] } }", 6, 33, "at least two points"),
        ("{ ramp = { slope = 0.1 } }", "{ table = { points = [[0, 0], [1]] } }", 6, 42, "must be a pair"),
        (
            "{ ramp = { slope = 0.1 } }",
            "{ table = { points = [[0, 0], [1, nan]] } }",
            6,
            42,
            "row 2 of the table has NaN",
        ),
        (
            "{ ramp = { slope = 0.1 } }",
            "{ table = { points = [[0, 0], [1, 1]], interpolation = 'cubik' } }",
            6,
            67,
            "no interpolation 'cubik'; did you mean 'cubic'",
        ),
        ("{ ramp = { slope = 0.1 } }", "{ sine = { amplitude = 1 } }", 6, 21, "needs omega or frequency"),
        (
            "position = { ramp = { slope = 0.1 } }",
            "velocity = { chirp = { amplitude = 1, omega = 1, rate = 1 } }",
            6,
            12,
            "has no integral",
        ),
        ("{ ramp = { slope = 0.1 } }", "{ pulses = { width = 1, period = 0.5 } }", 6, 45, "must be the width or more"),
        ("{ ramp = { slope = 0.1 } }", "{ pulses = { width = 1, count = 2 } }", 6, 44, "'count' needs a period"),
        ("{ ramp = { slope = 0.1 } }", "{ pulses = { start = 1 } }", 6, 23, "lacks width"),
        ("{ ramp = { slope = 0.1 } }", "{ noise = { deviation = 1, interval = 0 } }", 6, 50, "must be above 0"),
        (
            "{ ramp = { slope = 0.1 } }",
            "{ noise = { deviation = 1, interval = 1, seed = 0.5 } }",
            6,
            60,
            "a whole number from 0 to",
        ),
        (
            "{ ramp = { slope = 0.1 } }",
            "{ table = { points = [[0, 0], [1, 1], [1, 2], [1, 3], [2, 0]] } }",
            6,
            58,
            "1 in row 4 is not greater than 1",
        ),
        ("stiffness = 2", "stiffness = 2\ngap = [1, 0]", 10, 7, "must be a pair of displacements that rise"),
        ("stiffness = 2", "stiffness = 2\ngap = [0]", 10, 7, "must be a pair of displacements that rise"),
        ("stiffness = 2", "stiffness = 2\ngap = [0, 1]\npreload = 1", 11, 11, "is for springs without a gap"),
        (
            "stiffness = 2",
            "table = { points = [[0, 0], [1, 1]] }\ngap = [0, 1]",
            10,
            7,
            "needs a stiffness: a table has its own",
        ),
        (
            "fs = 2",
            "[body.wheel]\nmass = 1\n[gear.g]\nbetween = ['block', 'wheel']\nratio = 2\nbacklash = 0.1",
            18,
            12,
            "needs a stiffness",
        ),
        (
            "fs = 2",
            "[freewheel.wheel]\nbetween = ['hand', 'block']\nenable = { sine = { amplitude = 1, omega = 1 } }",
            15,
            10,
            "must be constant between its jumps",
        ),
        ("fs = 2", "[freewheel.wheel]\nbetween = ['hand', 'ground']", 14, 11, "both ends are fixed"),
        // switches
        ("fs = 2", "enable = 0.5", 13, 10, "enable = 0.5 must be 1, which is on, or 0, which is off"),
        ("fs = 2", "enable = { step = { at = 1, before = 1, after = 2 } }", 13, 10, "enable = 2 must be 1"),
        ("fs = 2", "enable = { ramp = { slope = 1 } }", 13, 10, "enable must be constant between its jumps"),
        (
            "stiffness = 2",
            "stiffness = 2\nenable = { sine = { amplitude = 1, omega = 1 } }",
            10,
            10,
            "constant between",
        ),
        (
            "fs = 2",
            "[body.wheel]\nmass = 1\n[gear.g]\nbetween = ['block', 'wheel']\nratio = 2\nenable = 0.5",
            18,
            10,
            "enable = 0.5 must be 1, which is on, or 0, which is off",
        ),
        (
            "fs = 2",
            "[body.wheel]\nmass = 1\n[gear.g]\nbetween = ['ground', 'wheel']\nratio = 2\nenable = 0",
            16,
            11,
            "cannot be coupled by a rigid gear",
        ),
        (
            "fs = 2",
            "[body.w]\nmass = 1\nv = 2\n[body.u]\nmass = 1\nv = 3\n[gear.g]\nbetween = ['w', 'u']\nratio = 2\nenable = { step = { at = 1, before = 1, after = 0 } }",
            19,
            7,
            "requires an initial velocity of 6, not 2",
        ),
        (
            "fs = 2",
            "[body.w]\nmass = 1\n[body.u]\nmass = 1\n[gear.g]\nbetween = ['w', 'u']\nratio = 2\nefficiency = 0.8\nenable = { step = { at = 1, after = 1 } }\n[stop.s]\nbetween = ['w', 'ground']\nhi = 1",
            22,
            7,
            "cannot be attached to a place of a gear with an efficiency",
        ),
        ("fs = 2", "enable = 'key'", 13, 10, "'enable' must be a signal"),
        ("{ ramp = { slope = 0.1 } }", "{ product = [] }", 6, 24, "must be a list of signals, not empty"),
        // laws
        ("law = 'lugre'", "law = 'lurge'", 12, 7, "did you mean 'lugre'"),
        ("fs = 2", "fz = 2", 13, 1, "no key 'fz' here; did you mean 'fc' or 'fs'"),
        ("fs = 2", "betwen = 2", 13, 1, "did you mean 'between'"),
        ("fs = 2", "fs = 0.5", 13, 6, "requires that fs >= fc"),
        ("fs = 2", "fs = -1", 13, 6, "outside 1e-9 to 1e9 [N]"),
        ("fs = 2", "reverse = { fz = 2 }", 13, 13, "no parameter 'reverse.fz'"),
        ("fs = 2", "from = { masss = 1 }", 13, 8, "did you mean 'mass'"),
        ("fs = 2", "memory = [1, 2]", 13, 10, "2 initial states for a law with 1"),
        ("fs = 2", "load = { spring = 'pul' }", 13, 8, "its load refers to 'pul', which is not a spring or controller"),
        ("fs = 2", "load = { control = 'x', gain = 2 }", 13, 32, "'gain' needs a spring"),
        // measures and pictures
        (
            "fs = 2",
            "[measure]\na = { max = 'block.w' }",
            14,
            13,
            "no column 'block.w'; did you mean 'block.x' or 'block.v'",
        ),
        (
            "fs = 2",
            "[measure]\na = { event = 'tabel.slip' }",
            14,
            15,
            "gear with an efficiency or component that a signal switches 'tabel'; did you mean 'table'",
        ),
        ("fs = 2", "[measure]\na = { event = 'table.slop' }", 14, 15, "no event 'slop'; did you mean 'slip'"),
        (
            "fs = 2",
            "[measure]\na = { at = -1, column = 'block.x' }",
            14,
            12,
            "measure.a.at = -1 s is before the start of the run, run.start = 0 s; change measure.a.at, or run.start",
        ),
        ("fs = 2", "[measure]\na = { at = 1 }", 14, 1, "[measure.a] lacks column"),
        ("fs = 2", "[measure]\na = { max = 'block.v', nth = 2 }", 14, 30, "'nth' does not go with"),
        ("fs = 2", "[measure]\na = { event = 'table.slip', nth = 0 }", 14, 35, "nth = 0 must be"),
        ("fs = 2", "[[plot]]\ny = ['block.q']", 14, 6, "no column 'block.q'"),
        ("fs = 2", "[[plot]]\nx = 't'", 13, 1, "lacks y"),
        ("fs = 2", "[[plot]]\ny = ['block.x - block.q']", 14, 6, "block.q"),
        ("fs = 2", "[[plot]]\ny = ['block.x +']", 14, 6, "block.x +"),
        ("fs = 2", "[[plot]]\ny = ['block.x [N]']", 14, 6, "'block.x' is in m, which 'N' does not measure"),
        ("fs = 2", "[[plot]]\ny = ['block.x']\nfrom = 2\nto = 2", 16, 6, "later than from"),
        ("fs = 2", "[[plot]]\ny = ['block.x']\ny_limits = [2, 1]", 15, 12, "the lower first"),
        ("fs = 2", "[[plot]]\ny = ['block.x']\ny_limits = [[0, 1], []]", 15, 12, "one for each panel"),
        ("fs = 2", "[[plot]]\ny = ['block.x']\nwidth = 3", 15, 9, "from 240 to 20000"),
        ("fs = 2", "[[plot]]\ny = ['block.x']\nfont_size = 0", 15, 13, "from 4 to 100"),
        ("fs = 2", "[[plot]]\ny = ['block.x']\nx_log = 1", 15, 9, "x_log"),
        ("fs = 2", "[[plot]]\nname = '../x'\ny = ['t']", 14, 8, "must be of letters"),
    ] {
        let (l, c, text) = changed(old, new);
        assert!(text.contains(words), "{new}: {text}");
        assert_eq!((l, c), (line, column), "{new}: {text}");
    }
}

#[test]
fn other_components_are_checked_too() {
    let base = "[run]\nend = 1\n[body.a]\ninertia = 1\n[body.b]\ninertia = 1\n";
    for (more, line, words) in [
        ("[gear.g]\nbetween = ['a', 'b']\nratio = 0", 9, "ratio = 0 must be other than zero"),
        ("[gear.g]\nbetween = ['a', 'ground']\nratio = 2", 8, "cannot be coupled by a rigid gear"),
        ("[gear.g]\nbetween = ['a', 'b']\nratio = 2\nloss = 'gear'", 10, "'loss' needs a stiffness"),
        ("[stop.s]\nbetween = ['a', 'b']", 7, "needs lo or hi"),
        ("[stop.s]\nbetween = ['a', 'b']\nlo = 1", 9, "displacement at the start, 0, is outside the stop"),
        ("[stop.s]\nbetween = ['a', 'b']\nlo = -1\nhi = -2", 10, "must be above lo"),
        ("[stop.s]\nbetween = ['a', 'b']\nlo = -1\nrestitution = 2", 10, "from 0 to 1"),
        ("[clutch.c]\nbetween = ['a', 'b']\nlaw = 'coulomb'", 7, "lacks command"),
        ("[brake.c]\non = 'c'\nlaw = 'coulomb'\ncommand = 1", 8, "no body 'c'"),
        ("[force.f]\non = 'ground'\nforce = 1", 8, "both ends are fixed"),
        ("[control.c]\non = 'a'\nmeasure = ['a.x', 'a.v']\ngains = [1]", 10, "1 gains for 2 measurements"),
        ("[control.c]\non = 'a'\nmeasure = ['a.y']\ngains = [1]", 9, "no measurement 'a.y'"),
        ("[control.c]\non = 'a'\nmeasure = ['a.x']\ngains = [1]\nfriction = 'lugre'", 11, "needs a velocity"),
        ("[control.c]\non = 'a'\nmeasure = ['a.x']\ngains = [1]\nperiod = 0", 11, "period = 0 must be positive"),
        ("[plant.p]\nkind = 'pendulm'\nmass = 1\nlength = 1", 8, "did you mean 'pendulum'"),
        ("[plant.p]\nkind = 'pendulum'\nmass = 1\nlength = 1\narm = 1", 11, "belongs to another kind"),
        ("[plant.p]\nkind = 'pendulum'\nmass = 1\nlength = 0", 10, "length = 0 must be positive"),
        ("[chain.c]\ncount = 0\nmass = 1\nstiffness = 1\nlaw = 'coulomb'", 8, "count = 0 must be a whole number"),
        (
            "[spring.s]\nbetween = ['a', 'b']\ntable = { points = [[0, 0], [1, 1]] }\npreload = 1",
            10,
            "'preload' needs a stiffness",
        ),
        (
            "[motion.m]\nposition = { step = { at = 1, after = 1 } }\nturns = true\n[contact.c]\nbetween = ['a', 'm']\nlaw = 'coulomb'",
            11,
            "the motion 'm' jumps",
        ),
    ] {
        let (l, _, text) = wrong(&format!("{base}{more}\n"));
        assert!(text.contains(words), "{more}: {text}");
        assert_eq!(l, line, "{more}: {text}");
    }
    assert!(wrong("").2.contains("the scenario lacks [run]"));
    assert!(wrong("[run]\nend = 1").2.contains("the system has no body"));
    assert!(wrong("[run]\nend = = 1").2.contains("not valid TOML"));
}

#[test]
fn assignments_go_on_top() {
    let set = |set: &[&str]| Scenario::parse(PULL, Path::new("test.toml"), set);
    assert_eq!(set(&["run.end=7", "run.end = 8"]).unwrap().options.end, 8.0);
    // a key that is not there yet, in a table that is
    assert_eq!(set(&["run.rtol=1e-4"]).unwrap().options.rtol, 1e-4);
    let with = set(&["measure.\"x(3)\"={at=3,column='block.x'}"]).unwrap();
    assert_eq!(with.options.probes, [Probe::At { column: "block.x".into(), t: 3.0 }]);
    // text needs no quotes, since the shell takes them
    assert_eq!(set(&["title=two words"]).unwrap().title, "two words");
    set(&["contact.table.law=dahl", "contact.table.fs=1"]).err().expect("dahl has no fs");
    set(&["spring.pull.between.1=ground", "contact.table.reverse.fc=1.5"]).unwrap();
    for (text, words) in [
        ("run.ennd=5", "--set run.ennd=5: there is no key 'ennd' here"),
        ("run.rtol=0.9", "--set run.rtol=0.9: 'run': rtol = 0.9 must be between 1e-13 and 0.1"),
        ("rum.end=5", "no part of a scenario 'rum'"),
        ("contact.tabel.fc=2", "no contact 'tabel'"),
        ("contact.table.fz=2", "no key 'fz' here"),
        ("contact.table.fc=-2", "parameter 'fc' = -2 is outside"),
        ("contact.table.law.fc=2", "'contact.table.law' must be a table, found string"),
        ("body.block.mass=heavy", "'mass' must be a number, found string"),
        ("body.block.mass=0", "mass = 0 must be positive"),
        ("spring.pull.between.3=ground", "no item '3'"),
        ("run.end", "is not PATH=VALUE"),
        ("run.end=", "is not PATH=VALUE"),
        ("=5", "is not PATH=VALUE"),
        ("run..end=5", "is not PATH=VALUE"),
    ] {
        let error = set(&[text]).err().unwrap_or_else(|| panic!("{text} is taken"));
        assert!(error.to_string().contains(words), "{text}: {error}");
        assert!(error.hint().is_some(), "{text}");
    }
    let error = set(&["contact.tabel.fc=2"]).err().unwrap();
    assert_eq!(error.hint().as_deref(), Some("did you mean 'table'?"));
}

/// `--set` takes as much of the end of a path as singles one out, as `--vary` does.
#[test]
fn the_end_of_a_path_is_enough() {
    let text = |set: &str| Scenario::parse(PULL, Path::new("test.toml"), &[set]).map(|scenario| scenario.text);
    for (short, whole) in [
        ("mass=2", "body.block.mass=2"),
        ("k=3", "spring.pull.stiffness=3"),
        ("hand.v=0.2", "motion.hand.position.ramp.slope=0.2"),
        ("law=stribeck", "contact.table.law=stribeck"),
        // a key that is not written yet, of a component that is
        ("table.fc=0.5", "contact.table.fc=0.5"),
        // a parameter that is not written, of the only law that has it
        ("fc=0.5", "contact.table.fc=0.5"),
    ] {
        assert_eq!(text(short).unwrap(), text(whole).unwrap(), "{short}");
    }
    let error = text("1=ground").unwrap_err();
    assert!(error.to_string().contains("'1' is ambiguous: it matches more than one value"), "{error}");
    assert_eq!(error.hint().as_deref(), Some("write one of: spring.pull.between.1, contact.table.between.1"));
    let error = text("quux=2").unwrap_err();
    assert!(
        format!("{error}; {}", error.hint().unwrap())
            .contains("no value 'quux'; choose one of run.end, body.block.mass")
    );
    assert_eq!(text("pull.stifness=2").unwrap_err().hint().as_deref(), Some("did you mean 'stiffness'?"));
}

/// What is wrong after a change of something else names what was changed.
#[test]
fn errors_name_what_was_changed() {
    let set = |name: &str, set: &str| {
        let error = Scenario::named(name, &[set]).and_then(|s| s.simulation().map(drop)).unwrap_err();
        format!("{error}; {}", error.hint().unwrap())
    };
    let said = set("chain-network", "chain.fault.count=100");
    assert!(said.contains("there is no 'fault-1000-rub': the chain 'fault' has 100 blocks"), "{said}");
    // a line of the scenario is at fault, and named
    assert!(said.starts_with("chain-network.toml:36:19: "), "{said}");
    // what only the law before has is left out, and told
    let hold = Scenario::named("hold", &["contact.table.law=coulomb"]).unwrap();
    assert!(hold.notes.iter().any(|note| note.contains("fs, vs, fv of the scenario left out")), "{:?}", hold.notes);
    let column = PULL.to_owned()
        + "[chain.row]\ncount = 3\nmass = 1\nstiffness = 1\nlaw = 'coulomb'\n[measure]\ntop = { max = 'row-4.v' }\n";
    let (_, _, said) = wrong(&column);
    assert!(said.contains("the chain 'row' has 3 blocks"), "{said}");
}

/// Every embedded scenario without each of its lines, and with each of its numbers turned into something else: built or
/// refused with a hint, but no panic.
#[test]
fn a_damaged_scenario_is_built_or_refused() {
    let (mut built, mut refused) = (0, 0);
    for entry in embedded::ALL {
        let lines: Vec<&str> = entry.text.lines().collect();
        for i in 0..lines.len() {
            let key = lines[i].split_once(" = ").map_or("", |(key, _)| key);
            for damage in ["", "= 0", "= -1e300", "= nan", "= [[]]", "= {}", "= ''", "= [1, 'a']", "[a.b]"] {
                let line =
                    if damage.starts_with('=') && !key.is_empty() { format!("{key} {damage}") } else { damage.into() };
                let text = [&lines[..i], &[line.as_str()], &lines[i + 1..]].concat().join("\n");
                match parse(&text).and_then(|scenario| scenario.simulation().map(drop)) {
                    Ok(()) => built += 1,
                    Err(error) => {
                        assert!(error.hint().is_some(), "{error}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(built > 1000 && refused > 1000, "{built} {refused}");
}

#[test]
fn a_measure_after_a_shortened_run_is_null_with_a_note() {
    let run = |name: &str, set: &str| {
        let scenario = Scenario::named(name, &[set]).unwrap();
        let probes =
            scenario.simulation().unwrap().run(&scenario.options, &mut stiction::sim::Trace::default()).unwrap().probes;
        let empty = scenario.measures.iter().zip(&probes).filter(|(_, value)| value.is_none());
        (empty.map(|(name, _)| name.clone()).collect::<Vec<_>>(), scenario.notes)
    };
    let (empty, notes) = run("a7", "run.end=10");
    assert!(empty.contains(&"v_max".to_owned()), "{empty:?}");
    assert!(
        notes.contains(
            &"measure.v_max has no value: from = 30 s is not before the end of the run, run.end = 10 s".to_owned()
        ),
        "{notes:?}"
    );
    let (empty, notes) = run("a12-encoder", "run.end=5");
    assert!(empty.contains(&"x(20)".to_owned()) && notes.iter().any(|note| note.contains("at = 20 s")), "{notes:?}");
}

/// A hint says what to write in this place.
#[test]
fn hints_of_lists_and_paths_fit() {
    let gap = "[run]\nend = 1\n[body.b]\nmass = 1\n[spring.s]\nbetween = [\"b\", \"ground\"]\nstiffness = 10\n";
    let hint = |text: &str, set: &[&str]| {
        let error = Scenario::parse(text, "hint.toml".as_ref(), set).err().expect("an error");
        error.hint().expect("a hint")
    };
    for wrong in ["[0.1, -0.1]", "[0.1]", "[1, 2, 3]"] {
        let hint = hint(&format!("{gap}gap = {wrong}\n"), &[]);
        assert_eq!(hint, "write gap = [NUMBER, NUMBER], a pair of displacements that rise");
    }
    assert!(hint(&format!("{gap}gap = [-1, 1]\n"), &["spring.s.gap[1]=2"]).contains("spring.jaw.gap.2=0.001"));
    assert!(
        hint("[run]\nend = 1\n[plane]\ntilt = 0.1\n", &[]).starts_with("add a body on the plane: [plane_body.NAME]")
    );
    let none: [&str; 0] = [];
    let template = Template::parse(&format!("{gap}gap = [-1, 1]\n"), "hint.toml".as_ref(), &none).expect("a template");
    let error = template.vary("spring.s.gap[1]").err().expect("an error");
    assert_eq!(error.to_string(), "'spring.s.gap[1]' is not the path of a value");
    assert!(error.hint().expect("a hint").contains("counted from 1"));
    assert_eq!(template.vary("spring.s.gap.1").expect("a value").value, -1.0);
}
