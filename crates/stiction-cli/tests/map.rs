//! `stiction map`: the table of a sweep as a picture.
mod common;
use common::{Folder, json, ok, refused, run};
use serde_json::Value;
use std::fs;

const SLIDE: &str = "title = \"A block slides\"\n[run]\nend = 3\n[body.block]\nmass = 1\nv = 1\n[contact.table]\n\
                     between = [\"block\", \"ground\"]\nlaw = \"coulomb\"\nfc = 1\n";

/// A sweep with this number of axes, in a file.
fn swept(folder: &Folder, name: &str, more: &[&str]) -> String {
    let (scenario, out) = (folder.file("slide.toml", SLIDE), folder.path(name));
    let args = [&["sweep", &scenario, "--measure", "block.x.final,events", "-o", &out][..], more].concat();
    // 1: points failed
    assert!(matches!(run(&args).code, Some(0 | 1)));
    out
}

const TWO: [&str; 4] = ["--vary", "mass=1:2:5", "--vary", "fc=log:1:10:6"];

#[test]
fn a_grid_is_drawn_with_units_and_scales() {
    let folder = Folder::new("map_grid");
    for name in ["out.parquet", "out.csv"] {
        let (file, svg) = (swept(&folder, name, &TWO), folder.path("map.svg"));
        // m v²/(2 fc)
        let found = json(&["map", &file, "--x", "mass", "--y", "fc", "--color", "x.final", "-o", &svg, "--json"]);
        let [min, max] = ["min", "max"].map(|key| found[key].as_f64().unwrap());
        // m v²/(2 fc), which the solver's steps give to rounding; here and below
        assert!((min - 1.0 / 20.0).abs() < 1e-12 && (max - 1.0).abs() < 1e-12);
        assert_eq!((found["points"].as_u64(), &found["grid"]), (Some(30), &true.into()));
        // the scale is given in the file, or follows from equal factors
        assert_eq!((&found["x"]["log"], &found["y"]["log"]), (&false.into(), &true.into()));
        let text = fs::read_to_string(&svg).unwrap();
        for label in ["mass [kg]", "fc [N]", "block.x.final [m]"] {
            assert!(text.contains(label), "{name}: {label}");
        }
        assert!(text.contains("A block slides"), "{name}");
        // the columns that were varied first, and the first measure, need not be named
        let bare = folder.path("bare.svg");
        ok(&["map", &file, "-o", &bare]);
        assert_eq!(fs::read_to_string(&bare).unwrap(), text);
        // an expression: the energy that friction took over the length is fc
        let found = json(&["map", &file, "--color", "0.5*mass/{block.x.final}", "--json"]);
        assert!((found["max"].as_f64().unwrap() - 10.0).abs() < 1e-11);
        assert!(ok(&["map", &file]).out.contains("mass [kg]"));
    }
}

#[test]
fn a_slice_of_three_axes_is_chosen() {
    let folder = Folder::new("map_slice");
    let file = swept(&folder, "out.parquet", &[&TWO[..], &["--vary", "v=0.5,1"]].concat());
    let said = refused(&["map", &file, "--x", "mass", "--y", "fc"]);
    assert!(said.contains("'v' has 2 values") && said.contains("--at v=VALUE: 0.5, 1"), "{said}");
    // the nearest: half the speed, a quarter as far
    let found = json(&["map", &file, "--x", "mass", "--y", "fc", "--at", "v=0.6", "--json"]);
    assert!((found["max"].as_f64().unwrap() - 0.25).abs() < 1e-12);
    assert_eq!(found["points"], 30);
}

#[test]
fn a_single_axis_gives_a_curve() {
    let folder = Folder::new("map_curve");
    let (file, svg) = (swept(&folder, "out.parquet", &["--vary", "fc=log:1:100:9"]), folder.path("curve.svg"));
    ok(&["map", &file, "--log", "-o", &svg]);
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.contains("fc [N]") && text.contains("block.x.final [m]"));
    assert!(ok(&["map", &file]).out.contains("fc [N]"));
    // a CSV file does not say what was varied; one or two measures, up or down
    for (name, more) in [("two.csv", &["--vary", "fc=1:4:4"][..]), ("down.csv", &["--vary", "fc=4,3,2,1"])] {
        let found = json(&["map", &swept(&folder, name, more), "--json"]);
        assert_eq!((&found["y"]["label"], &found["color"]), (&"block.x.final [m]".into(), &Value::Null), "{found}");
        // m v²/(2 fc)
        let curve: Vec<[f64; 2]> = serde_json::from_value(found["curve"].clone()).unwrap();
        assert!(curve.len() == 4 && curve.iter().all(|[fc, x]| (x * fc - 0.5).abs() < 1e-12), "{curve:?}");
    }
    let one = folder.path("one.csv");
    ok(&["sweep", &folder.path("slide.toml"), "--measure", "events", "--vary", "fc=1:4:4", "-o", &one]);
    assert_eq!(json(&["map", &one, "--json"])["curve"].as_array().unwrap().len(), 4);
    // a measured column as y is the value of the curve, not an axis of a map
    let named = json(&["map", &one, "--x", "fc", "--y", "events", "--json"]);
    assert_eq!(named, json(&["map", &one, "--json"]));
    let both = refused(&["map", &one, "--x", "fc", "--y", "events", "--color", "events"]);
    assert!(both.contains("events was measured, not varied") && both.contains("draws a curve"), "{both}");
}

#[test]
fn what_failed_is_hatched_and_random_points_fill_the_map() {
    let folder = Folder::new("map_failed");
    let svg = folder.path("map.svg");
    let file = swept(&folder, "fails.parquet", &["--vary", "mass=-1,1,2", "--vary", "fc=1:3:3"]);
    assert_eq!(json(&["map", &file, "-o", &svg, "--json"])["failed"], 3);
    assert!(fs::read_to_string(&svg).unwrap().contains("hatched: 3 of 9 points failed"));
    let file = swept(&folder, "random.parquet", &["--vary", "mass=1:2", "--vary", "fc=1:3", "--random", "64"]);
    let found = json(&["map", &file, "-o", &svg, "--json"]);
    assert_eq!((&found["grid"], &found["points"]), (&false.into(), &64.into()));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = Folder::new("map_bad");
    let file = swept(&folder, "out.parquet", &TWO);
    assert!(refused(&["map", &file, "--x", "mas"]).contains("'mass'"));
    assert!(refused(&["map", &file, "--color", "v.max"]).contains("there is no column 'v.max'"));
    assert!(refused(&["map", &file, "--color", "mass*"]).contains("expected"));
    assert!(refused(&["map", &file, "--x", "mass", "--y", "mass"]).contains("both"));
    assert!(refused(&["map", &file, "-o", "map.jpg"]).contains("SVG or a PNG"));
    assert!(refused(&["map", &file, "--contour", "a"]).contains("--contour"));
    refused(&["map", &folder.path("nothing.parquet")]);
    let other = folder.file("other.csv", "a,b\n1,2\n");
    assert!(refused(&["map", &other]).contains("not the result of a sweep"));
    let broken = folder.file("broken.parquet", "PAR1");
    refused(&["map", &broken]);
}
