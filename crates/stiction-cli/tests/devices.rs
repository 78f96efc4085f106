//! `stiction devices`, and devices in place of laws.
mod common;
#[path = "../../../tests/common/published.rs"]
mod published;
use common::skip;
use common::{Folder, command, json, ok, refused};
use published::data;
use std::fs;
use std::path::Path;
use stiction::{ParameterFile, device};

#[test]
fn lists_and_shows_devices() {
    let list = ok(&["devices"]).out;
    for device in device::ALL {
        assert!(list.contains(device.name), "{list}");
    }
    let shown = ok(&["devices", "emps-axis"]).out;
    let says = ["20.3935", "Identified by", "--position qm", "Janot2019", "Not known", "temperature", "mass"];
    for text in says {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let shown = ok(&["devices", "franka-joint-1"]).out;
    assert!(shown.contains("Published as") && shown.contains("for a rotation") && shown.contains("s/rad"), "{shown}");
    let value = json(&["devices", "xl330", "--json"]);
    assert_eq!((&value["law"], &value["turns"]), (&"stiction".into(), &true.into()));
    assert_eq!(json(&["devices", "--json"]).as_array().map(Vec::len), Some(device::ALL.len()));
    assert!(refused(&["devices", "xl33"]).contains("xl330"));
}

#[test]
fn a_device_goes_where_a_law_goes() {
    let dir = Folder::new("devices-as-laws");
    let axis = "emps-axis";
    assert!(ok(&["curve", axis, "--at", "0.1"]).out.contains("40.74"), "20.3935 + 0.1*203.5034");
    assert!(ok(&["models", axis]).out.contains("20.39"));
    let file = dir.path("axis.toml");
    ok(&["params", axis, "-o", &file]);
    assert!(fs::read_to_string(&file).expect("a file").contains("[device]"));
    assert_eq!(ok(&["curve", &file, "--at", "0.1"]).out, ok(&["curve", axis, "--at", "0.1"]).out);
    ok(&["breakaway", axis, "--rate", "10"]);
    ok(&["export", "law", axis, "--target", "c", "-o", &dir.path("c")]);
    let slide = "[run]\nend = 2\n[body.block]\nmass = 95\nv = 0.1\n[contact.rail]\nbetween = [\"block\", \"ground\"]\nlaw = \"emps-axis\"\n[measure]\nway = { final = \"block.x\" }\n";
    let found = json(&["run", &dir.file("slide.toml", slide), "--json"]);
    // m dv/dt = -fc - fv v from v0: x = (m/fv) (v0 - (fc/fv) ln(1 + fv v0/fc))
    let (m, v0, fc, fv) = (95.0, 0.1, 20.393_452_779_238_224, 203.503_438_769_733_8);
    let way: f64 = m / fv * (v0 - fc / fv * f64::ln_1p(fv * v0 / fc));
    let measured = found["measures"]["way"].as_f64().unwrap_or_else(|| panic!("{found}"));
    // the tolerance of a run is 1e-6 of its values
    assert!((measured - way).abs() < 1e-6, "{measured}, {way}");
    assert!(refused(&["curve", "emps-axes", "--at", "1"]).contains("emps-axis"));
}

/// The words of a command; single quotes are the only syntax in it.
fn words(line: &str) -> Vec<String> {
    let (mut out, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => out.push(String::new()),
            c => out.last_mut().into_iter().for_each(|word| word.push(c)),
        }
    }
    out
}

/// What the command in the file of a device, run again, gives otherwise than the file says; nothing where its records are not at hand.
fn differences(device: &device::Device) -> Vec<String> {
    let name = device.name;
    let file = ParameterFile::of_device(device).expect("a device");
    let Some(found) = &file.identified else { return vec![] };
    let Some(first) = found.files.first().and_then(|record| data(record)) else { return vec![] };
    let depth = Path::new(&found.files[0]).components().count();
    let folder = first.ancestors().nth(depth).expect("the folder of the records");
    let dir = Folder::new(&format!("devices-{name}"));
    let out = dir.path("found");
    let mut arguments = words(&found.command);
    arguments.remove(0);
    arguments.extend(["-o".to_owned(), out.clone()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let status = command(&arguments).current_dir(folder).output().expect("it runs");
    if !status.status.success() {
        return vec![format!("{name}: {}", String::from_utf8_lossy(&status.stderr))];
    }
    let again = ParameterFile::read(&Path::new(&out).join("model.toml")).expect("a parameter file");
    if again.spec.law().name != file.spec.law().name {
        return vec![format!("{name}: {}, in the file {}", again.spec.law().name, file.spec.law().name)];
    }
    let identified = again.identified.expect("identified");
    assert_eq!(identified.sha256, found.sha256, "{name}");
    let fixed = |key: &str| found.unknown.iter().any(|unknown| unknown == key);
    // a search ends within a small part of the standard error, another processor rounds differently
    let error = |key: &str| found.error.iter().find(|(name, _)| *name == key).map_or(0.0, |(_, error)| *error);
    let differs = |key: &str, now: f64, value: f64| {
        let tolerance = 0.01 * error(key) + 1e-6 * value.abs();
        (!fixed(key) && (now - value).abs() > tolerance).then(|| format!("{name}: {key} = {now}, in the file {value}"))
    };
    stiction::ParameterGroup::ALL
        .into_iter()
        .flat_map(|part| file.spec.rows(part).into_iter().map(move |(param, value)| (part.key(param.name), value)))
        .filter_map(|(key, value)| differs(&key, again.spec.get(&key).expect("a value"), value))
        .collect()
}

/// The command in each file, run again, gives the values in the file.
#[test]
#[cfg_attr(debug_assertions, ignore = "fits of long records: in release builds only")]
fn commands_give_the_values_in_the_files() {
    let found: Vec<String> = device::ALL.iter().flat_map(differences).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
