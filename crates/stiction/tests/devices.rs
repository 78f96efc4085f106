//! Every device of the library: a readable file with its sources, and values that agree with what it says about them.
use std::path::Path;
use stiction::device_record::CONDITIONS;
use stiction::{ParameterFile, device};

const REFERENCES: &str = include_str!("../../../docs/references.bib");

#[test]
fn every_device_is_complete() {
    assert!(device::ALL.len() > 10);
    for device in device::ALL {
        let name = device.name;
        let file = ParameterFile::of_device(device).unwrap_or_else(|error| panic!("{name}: {error}"));
        let spec = &file.spec;
        // units and bounds are those of the law, which reading has checked; the law can be built
        spec.build().unwrap_or_else(|error| panic!("{name}: {error}"));
        let about = file.device.as_ref().unwrap_or_else(|| panic!("{name} has no [device]"));
        assert!(!about.cite.is_empty(), "{name} cites nothing");
        for key in &about.cite {
            assert!(REFERENCES.contains(&format!("{{{key},")), "{name}: {key} is not in docs/references.bib");
        }
        for condition in CONDITIONS {
            assert!(about.conditions.iter().any(|(key, _)| key == condition), "{name} does not state its {condition}");
        }
        // else a law of a slide would go into a joint that turns, and N would be taken for N·m
        assert!(file.turns().is_some(), "{name} does not say whether its motion turns");
        let speeds = file.identified.as_ref().map(|found| found.fastest);
        assert!(speeds != Some(None), "{name} does not say up to which speed it was identified");
        assert!(!about.not_known.is_empty(), "{name}: something is not known of every device");
        assert_eq!(about.published.is_some(), file.identified.is_none(), "{name} is published, or else identified");
        // what is written reads back
        let again =
            ParameterFile::parse(&file.to_toml(), Path::new(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again, file, "{name}");
        let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(name.chars().all(lower), "{name}: a name has small letters, digits and '-'");
        assert!(stiction::Spec::new(name).is_err(), "{name} is the name of a law");
    }
}

#[test]
fn identified_values_agree_with_their_record() {
    for device in device::ALL {
        let name = device.name;
        let file = ParameterFile::of_device(device).expect("a device");
        let Some(found) = &file.identified else { continue };
        assert!(found.command.starts_with("stiction identify "), "{name}: {}", found.command);
        assert!(!found.files.is_empty() && found.files.len() == found.sha256.len(), "{name}");
        for (record, digest) in found.files.iter().zip(&found.sha256) {
            assert!(found.command.contains(record.as_str()), "{name}: the command does not name {record}");
            assert!(digest.len() == 64, "{name}: {digest}");
            // a path of the machine on which it was made means nothing elsewhere
            assert!(!Path::new(record).is_absolute(), "{name}: {record}");
        }
        for forbidden in [" -o ", "/tmp", "/home"] {
            assert!(!found.command.contains(forbidden), "{name}: {}", found.command);
        }
        let mut judged = 0;
        for (key, [low, high]) in &found.interval {
            let value = file.spec.get(key).ok().or(found.plant(key));
            let value = value.unwrap_or_else(|| panic!("{name}: {key} has an interval and no value"));
            assert!((*low..=*high).contains(&value), "{name}: {key} = {value} is outside of {low} to {high}");
            judged += 1;
        }
        assert!(judged > 0, "{name} has no interval");
        for key in &found.unknown {
            assert!(file.spec.get(key).is_ok() || found.plant(key).is_some(), "{name}: {key} is unknown and not there");
        }
    }
}

#[test]
fn a_device_is_found_where_a_law_is() {
    let axis = ParameterFile::find("emps-axis").expect("a device");
    // published by others from the same record: Fc = 20.3935 N, Fv = 203.5034 N s/m, to their digits
    assert!((axis.spec.get("fc").expect("a level") - 20.3935).abs() < 5e-5);
    assert!((axis.spec.get("fv").expect("a coefficient") - 203.5034).abs() < 5e-5);
    let error = ParameterFile::find("emps-axes").expect_err("no such law");
    assert!(error.hint().is_some_and(|hint| hint.contains("emps-axis")), "{error}");
}

/// The published formula of the Panda's joints, computed by itself.
#[test]
fn the_joints_of_the_panda_have_their_published_friction() {
    let published = [
        [0.54615, 5.1181, 0.039533],
        [0.87224, 9.0657, 0.025882],
        [0.64068, 10.136, -0.04607],
        [1.2794, 5.5903, 0.036194],
        [0.83904, 8.3469, 0.026226],
        [0.30301, 17.133, -0.021047],
        [0.56489, 10.336, 0.0035526],
    ];
    for (k, [height, steepness, shift]) in published.into_iter().enumerate() {
        let joint = ParameterFile::find(&format!("franka-joint-{}", k + 1)).expect("a device");
        let law = joint.spec.build().expect("a law");
        let sigmoid = |v: f64| height / (1.0 + (-steepness * v).exp());
        for v in [-1.0, -0.1, 0.0, 0.02, 0.5] {
            let wanted = sigmoid(v + shift) - sigmoid(shift);
            let got = law.steady(&stiction::core::Input::at(v));
            // some roundings of numbers of the size of the height
            assert!((got - wanted).abs() < 1e-14, "joint {}, v = {v}: {got}, {wanted}", k + 1);
        }
    }
}
