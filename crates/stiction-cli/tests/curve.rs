//! `stiction curve`.
mod common;
use common::{Folder, json, numbers, ok, refused};
use stiction::core::models::ALL;

/// Andersson's curve parameters, as far as `law` has them.
fn andersson<'a>(law: &'a str, at: &'a str) -> Vec<&'a str> {
    let mut args = vec!["curve", law, "--json", "--at", at];
    let entry = ALL.iter().find(|entry| entry.name == law).unwrap();
    for set in ["fc=1", "fs=1.5", "vs=0.1", "exponent=1", "fv=0.4", "ksat=1000", "ktanh=1000"] {
        let name = set.split('=').next().unwrap();
        if entry.params.iter().any(|p| p.name == name) {
            args.extend(["--set", set]);
        }
    }
    args
}

/// Andersson 2007, equations (8) to (12), at v = -0.2, 0.0005 and 0.01 m/s, evaluated with mpmath 1.3.0 to 30 digits
/// from the equations as printed, with the bracket that (11) lacks, independently of this code.
#[test]
fn andersson_equations_8_to_12() {
    let expected = [
        ("coulomb-sat", [-1.0, 0.5, 1.0]),
        ("coulomb-tanh", [-1.0, 0.462_117_157_260_009_76, 0.999_999_995_877_692_8]),
        ("stribeck", [-1.147_667_641_618_306_3, 1.497_706_239_596_341_2, 1.456_418_709_017_979_8]),
        ("stribeck-sat", [-1.147_667_641_618_306_3, 0.748_953_119_798_170_6, 1.456_418_709_017_979_8]),
        ("stribeck-tanh", [-1.147_667_641_618_306_3, 0.692_223_326_421_388_2, 1.456_418_703_030_663_6]),
    ];
    for (law, forces) in expected {
        let curve = json(&andersson(law, "-0.2,0.0005,0.01"));
        assert_eq!(numbers(&curve["v"]), [-0.2, 0.0005, 0.01]);
        for (force, expected) in numbers(&curve["force"]).into_iter().zip(forces) {
            // a few roundings of a double
            assert!((force / expected - 1.0).abs() < 1e-15 * 4.0, "{law}: {force} is not {expected}");
        }
    }
}

#[test]
fn the_curve_of_the_readme() {
    let force = numbers(&json(&andersson("stribeck", "0.2"))["force"]);
    // mpmath, as above
    assert!((force[0] - 1.147_667_641_618_306_3).abs() < 1e-14);
}

#[test]
fn every_law_has_a_curve() {
    for law in ALL {
        let curve = json(&["curve", law.name, "--range", "-1:1:21", "--json"]);
        let (v, force) = (numbers(&curve["v"]), numbers(&curve["force"]));
        assert_eq!((v.len(), force.len()), (21, 21));
        // friction takes power out of the motion
        assert!(v.iter().zip(&force).all(|(v, force)| v * force >= 0.0), "{}", law.name);
    }
}

#[test]
fn text_csv_and_json_say_the_same() {
    let folder = Folder::new("curve-same");
    let path = folder.path("curve.csv");
    let args = ["curve", "lugre", "--range", "-0.01:0.01:7"];
    let text = ok(&args).out;
    let curve = json(&[&args[..], &["--json"]].concat());
    let written = ok(&[&args[..], &["-o", &path]].concat());
    assert_eq!(written.out, "");
    assert!(written.err.contains("curve.csv"));
    let csv = std::fs::read_to_string(&path).unwrap();
    assert_eq!(csv.lines().next(), Some("v [m/s],force [N]"));
    let head: Vec<_> =
        text.lines().next().unwrap().split("  ").map(str::trim).filter(|head| !head.is_empty()).collect();
    assert_eq!(head, ["v [m/s]", "force [N]"]);
    for (row, (line, csv)) in text.lines().skip(1).zip(csv.lines().skip(1)).enumerate() {
        let read = |x: &str| x.parse::<f64>().unwrap();
        let words: Vec<f64> = line.split_whitespace().map(read).collect();
        assert_eq!(words, csv.split(',').map(read).collect::<Vec<_>>());
        assert_eq!(words, [numbers(&curve["v"])[row], numbers(&curve["force"])[row]]);
    }
    assert_eq!((text.lines().count(), csv.lines().count()), (8, 8));
}

#[test]
fn speeds_may_be_negative_listed_ranged_or_logarithmic() {
    let v = |args: &[&str]| numbers(&json(&[&["curve", "viscous", "--json"], args].concat())["v"]);
    assert_eq!(v(&["--at", "-0.2,0.1", "--at=-3"]), [-0.2, 0.1, -3.0]);
    assert_eq!(v(&["--range", "-1:1:101"]).len(), 101);
    assert_eq!(v(&["--range", "1:-1:3"]), [1.0, 0.0, -1.0]);
    assert_eq!(v(&["--range", "5:6:1"]), [5.0]);
    assert_eq!(v(&["--range", "log:1e-6:1:50"])[49], 1.0);
}

#[test]
fn wrappers_and_load_act() {
    let force =
        |args: &[&str]| numbers(&json(&[&["curve", "coulomb", "--json", "--at", "-1,1"], args].concat())["force"]);
    assert_eq!(force(&[]), [-1.0, 1.0]);
    assert_eq!(force(&["--load", "2"]), [-2.0, 2.0]);
    // a contact that is pulled apart has no friction
    assert_eq!(force(&["--load", "-2"]), [0.0, 0.0]);
    assert_eq!(force(&["--set", "reverse.fc=1.5"]), [-1.5, 1.0]);
    assert_eq!(force(&["--set", "load.base=1", "--set", "load.slope=0.5", "--load", "4"]), [-3.0, 3.0]);
    // the steady curve is the mean force: the mean of the noise is zero
    assert_eq!(force(&["--set", "noise.amplitude=5", "--set", "noise.frequency=9"]), [-1.0, 1.0]);
}

#[test]
fn a_law_for_rotation_has_its_own_units() {
    assert!(ok(&["curve", "gear", "--at", "1"]).out.starts_with("v [rad/s]  force [N·m]"));
}

#[test]
fn rest_with_stiction_is_noted() {
    let run = ok(&["curve", "stribeck", "--set", "fs=2", "--set", "reverse.fs=3", "--at", "0", "--json"]);
    assert!(run.err.contains("from -3 to 2 [N]"), "{}", run.err);
    assert_eq!(ok(&["curve", "viscous", "--at", "0"]).err, "");
    let third = ok(&["curve", "coulomb", "--set", "fc=0.3333333333", "--at", "0"]).err;
    assert!(third.contains("from -0.333333 to 0.333333 [N]"), "{third}");
}

#[test]
fn a_jump_at_rest_is_noted_on_both_sides_however_small() {
    let err = |args: &[&str]| ok(&[&["curve"], args, &["--at", "0"]].concat()).err;
    for law in ["lugre", "slip-variable"] {
        assert_eq!(err(&[law]), "note: at v = 0 the steady curve jumps from -1.5 to 1.5 [N]\n");
    }
    assert!(err(&["dahl", "--set", "fc=1e-8", "--set", "reverse.fc=2e-8"]).contains("jumps from -2e-8 to 1e-8 [N]"));
    // steep, but without a jump
    for law in ["dieterich", "ruina", "coulomb-tanh", "stribeck-sat"] {
        assert_eq!(err(&[law]), "", "{law}");
    }
}

#[test]
fn a_load_that_the_law_would_limit_is_not_hidden() {
    let load = |law, load| ["curve", law, "--at", "1", "--load", load];
    for (law, beyond) in [("coulomb", "1e13"), ("gear", "-1e13"), ("coulomb", "-1e308")] {
        assert!(refused(&load(law, beyond)).contains("outside ±1e12"));
    }
    assert!(refused(&[&load("coulomb", "1e10")[..], &["--set", "load.slope=1000"]].concat()).contains("1e13"));
    assert_eq!(ok(&load("coulomb", "1e12")).err, "");
    assert!(ok(&load("coulomb", "-1")).err.contains("load factor is -1: a load factor below 0 counts as 0"));
    // the torque of a gear has a sign
    assert_eq!(ok(&load("gear", "-1")).err, "");
    let args = [&load("coulomb", "4")[..], &["--set", "load.base=1", "--set", "load.slope=-0.5"]].concat();
    assert!(ok(&args).err.contains("load factor is -1"));
}

#[test]
fn noise_left_out_of_the_curve_is_noted() {
    let err = ok(&["curve", "coulomb", "--at", "1", "--set", "noise.amplitude=1", "--set", "noise.wave=1"]).err;
    assert_eq!(err, "note: the steady curve is the mean force, without the law's noise\n");
}

#[test]
fn a_wrapper_is_not_a_law() {
    for name in ["stochastic", "noise"] {
        let err = refused(&["curve", name, "--at", "1"]);
        assert!(err.contains("is a wrapper around a law") && err.contains("--set noise.amplitude=0.1"), "{err}");
    }
}

#[test]
fn a_parameter_file_and_values_on_top() {
    let folder = Folder::new("curve-file");
    let path = folder.file("set.toml", "[model]\nname = 'coulomb'\nfc = 3\n");
    assert_eq!(numbers(&json(&["curve", &path, "--at", "1", "--json"])["force"]), [3.0]);
    assert_eq!(numbers(&json(&["curve", &path, "--set", "fc=4", "--at", "1", "--json"])["force"]), [4.0]);
}

#[test]
fn bad_speeds_are_refused() {
    for at in ["", "x", "1,", "NaN", "inf", "-inf", "1e999", "--json"] {
        refused(&["curve", "coulomb", "--at", at]);
    }
    for range in ["", "1", "1:2", "0:1:0", "0:1:-3", "0:1:2.5", "nan:1:3", "0:inf:3", "log:0:1:3", "0:1:x", "1:2:3:4"] {
        refused(&["curve", "coulomb", "--range", range]);
    }
    assert!(refused(&["curve", "coulomb", "--range", "0:1:1e8"]).contains("10000000"));
    // a loop that hardens has no steady curve
    let harder = ["curve", "bouc-wen", "--at", "0.1", "--set", "gamma=0.8", "--set", "delta=-1.1"];
    assert!(refused(&harder).contains("no limit"));
    for huge in ["1e300", "-1e300"] {
        assert!(refused(&["curve", "viscous", "--at", huge]).contains("too large"));
    }
    refused(&["curve", "viscous", "--range", "1e308:1.7e308:3"]);
    for load in ["x", "nan", "inf", ""] {
        refused(&["curve", "coulomb", "--at", "1", "--load", load]);
    }
    refused(&["curve", "coulomb"]);
    refused(&["curve", "coulomb", "--at", "1", "--range", "0:1:2"]);
}

#[test]
fn a_curve_never_replaces_its_parameter_file() {
    let folder = Folder::new("curve-over");
    let text = "[model]\nname = 'coulomb'\n";
    let path = folder.file("axis.toml", text);
    for output in [path.clone(), folder.path("./axis.toml"), folder.path("../curve-over/axis.toml")] {
        assert!(refused(&["curve", &path, "--at", "1", "-o", &output]).contains("would replace"));
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn one_point_is_counted_and_a_dash_is_stdout() {
    let folder = Folder::new("curve-dash");
    let path = folder.path("curve.csv");
    assert!(ok(&["curve", "viscous", "--range", "5:6:1", "-o", &path]).err.ends_with("(1 point)\n"));
    let run = ok(&["curve", "viscous", "--range", "5:6:1", "-o", "-"]);
    assert_eq!((run.out, run.err), (std::fs::read_to_string(&path).unwrap(), String::new()));
}

#[test]
fn an_output_that_cannot_be_written_leaves_nothing() {
    let folder = Folder::new("curve-refused");
    let missing = folder.path("no/such/curve.csv");
    assert!(refused(&["curve", "coulomb", "--at", "1", "-o", &missing, "--json"]).contains("no/such/curve.csv"));
    // bad input is found before a file is touched
    let path = folder.path("curve.csv");
    refused(&["curve", "coulomb", "--set", "fc=-1", "--at", "1", "-o", &path]);
    assert!(folder.is_empty());
}

#[test]
fn a_picture_shows_the_set_at_rest() {
    let folder = Folder::new("curve-svg");
    let path = folder.path("c.svg");
    let run = ok(&["curve", "stribeck", "--range", "-1:1:21", "-o", &path]);
    assert!(run.out.is_empty() && run.err.contains("21 points"));
    let svg = std::fs::read_to_string(&path).unwrap();
    assert!(svg.contains("v [m/s]") && svg.contains("force [N]") && svg.contains("stribeck"));
    let points = |svg: &str| -> Vec<Vec<f64>> {
        let line = svg.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        line.split(' ').map(|p| p.split(',').map(|x| x.parse().unwrap()).collect()).collect()
    };
    // the height of vertical lines in pixels; pixels count downwards
    let upright = |points: &[Vec<f64>]| -> f64 {
        points.windows(2).filter(|w| (w[0][0] - w[1][0]).abs() < 0.01).map(|w| w[0][1] - w[1][1]).sum()
    };
    let all = points(&svg);
    let (low, high) = all.iter().fold((0.0_f64, f64::MAX), |(low, high), p| (low.max(p[1]), high.min(p[1])));
    // the interval of forces at rest is as high as the whole curve, because break-away is its maximum
    assert!((upright(&all) - (low - high)).abs() < 0.2, "{all:?}");
    // one side only: nothing is drawn at rest
    ok(&["curve", "stribeck", "--range", "log:1e-6:1:21", "-o", &path]);
    assert_eq!(upright(&points(&std::fs::read_to_string(&path).unwrap())), 0.0);
}

/// Several laws in one table, one picture and one object; each takes the values that it has.
#[test]
fn several_laws_stand_side_by_side() {
    let folder = Folder::new("curve-several");
    let args = ["curve", "coulomb", "stribeck", "viscous", "--set", "fc=1.2", "--at", "-0.1,0.2"];
    let all = json(&[&args[..], &["--json"]].concat());
    assert_eq!(numbers(&all["v"]), [-0.1, 0.2]);
    for (k, name) in ["coulomb", "stribeck", "viscous"].into_iter().enumerate() {
        let set: &[&str] = if name == "viscous" { &[] } else { &["--set", "fc=1.2"] };
        let alone = json(&[&["curve", name, "--at", "-0.1,0.2", "--json"], set].concat());
        assert_eq!((&all["laws"][k]["law"], &all["laws"][k]["force"]), (&name.into(), &alone["force"]));
    }
    let csv = ok(&[&args[..], &["-o", "-"]].concat()).out;
    assert!(csv.starts_with("v [m/s],coulomb [N],stribeck [N],viscous [N]\n-0.1,-1.2,"), "{csv}");
    assert!(ok(&args).out.starts_with("v [m/s]  coulomb [N]  stribeck [N]"), "{}", ok(&args).out);
    let picture = folder.path("laws.svg");
    ok(&["curve", "coulomb", "stribeck", "--range", "-0.01:0.01:41", "-o", &picture]);
    let svg = std::fs::read_to_string(picture).unwrap();
    assert!(svg.contains(">coulomb<") && svg.contains(">stribeck<"), "{svg}");
    // a value that none of them has, and laws of different units
    assert!(refused(&["curve", "coulomb", "viscous", "--set", "sigma0=1", "--at", "1"]).contains("sigma0"));
    assert!(refused(&["curve", "coulomb", "gear", "--at", "1"]).contains("torque"));
}

/// The loops of several laws are those of each by itself.
#[test]
fn several_laws_have_their_loops_in_one_table() {
    let folder = Folder::new("hysteresis-several");
    let motion = ["--amplitude", "1e-4", "--no-checks"];
    let all = json(&[&["hysteresis", "dahl", "lugre", "--json", "--set", "sigma0=2e5"], &motion[..]].concat());
    let alone = json(&[&["hysteresis", "lugre", "--json", "--set", "sigma0=2e5"], &motion[..]].concat());
    assert_eq!((&all["laws"][0]["law"], &all["laws"][1]["law"]), (&"dahl".into(), &"lugre".into()));
    assert_eq!(all["laws"][1]["loops"], alone["loops"]);
    let out = folder.path("out");
    let text = ok(&[&["hysteresis", "dahl", "lugre", "-o", &out], &motion[..]].concat()).out;
    assert!(text.starts_with("Loops of 2 laws") && text.contains("dahl") && text.contains("lugre"), "{text}");
    let points = std::fs::read_to_string(folder.0.join("out/points.csv")).unwrap();
    assert!(points.starts_with("law,loop,x [m],force [N]\n1,1,"), "{}", &points[..60]);
    assert!(points.lines().last().unwrap().starts_with("2,1,"));
    assert!(refused(&["hysteresis", "dahl", "trace.csv", "--amplitude", "1e-4"]).contains("trace"));
}

/// A law that was identified for a joint had N and m/s.
#[test]
fn a_joint_has_the_units_of_a_rotation() {
    let folder = Folder::new("curve-joint");
    let law = "[model]\nname = \"coulomb\"\nfc = 0.5\n";
    let turns = folder.file("turns.toml", &format!("{law}[identified]\nturns = true\n"));
    let slides = folder.file("slides.toml", &format!("{law}[identified]\nturns = false\n"));
    for name in [turns.as_str(), "franka-joint-1"] {
        let text = ok(&["curve", name, "--at", "0.1"]).out;
        assert!(text.starts_with("v [rad/s]  force [N·m]"), "{text}");
    }
    assert!(ok(&["curve", &turns, "--at", "0"]).err.contains("[N·m]"));
    let text = ok(&["curve", &slides, "--at", "0.1"]).out;
    assert!(text.starts_with("v [m/s]  force [N]"), "{text}");
}
