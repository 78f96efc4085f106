//! USD with the joint friction of PhysX, for Isaac Sim: `PhysxJointAxisAPI` with static and dynamic effort and a viscous coefficient.
//!
//! A robot is not edited: the new file is a layer over it, which has the friction and nothing else. So binary files are extended, too.
use super::joint::{Joint, choose};
use super::relative_path::relative;
use super::usd_text::{StageSetting, UsdFile, read};
use super::{FreshJoint, IntoFile, JointValues, RobotFile, WrittenJoint};
use crate::error::RobotError;
use crate::number::short;
use std::f64::consts::PI;

/// The metres in a unit of length of a stage that does not say.
const DEFAULT_METRES: f64 = 0.01;

/// The units of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StageUnits {
    metres: f64,
    kilograms: f64,
}

/// The attributes of a joint with this friction, in the units of the stage; angles are in degrees.
fn of_joint(values: &JointValues, turns: bool, units: StageUnits) -> Vec<(String, String)> {
    let StageUnits { metres, kilograms } = units;
    // N is kg·m/s², N·m is kg·m²/s²
    let (axis, effort, viscous) = if turns {
        let torque = 1.0 / (kilograms * metres * metres);
        ("angular", torque, torque * PI / 180.0)
    } else {
        ("linear", 1.0 / (kilograms * metres), 1.0 / kilograms)
    };
    let friction = values.friction;
    let row = |name: &str, x: f64| (format!("physxJointAxis:{axis}:{name}"), short(x));
    vec![
        row("staticFrictionEffort", friction.breakaway * effort),
        row("dynamicFrictionEffort", friction.coulomb * effort),
        row("viscousFrictionCoefficient", friction.viscous * viscous),
    ]
}

/// A prim of a joint: its head, and the friction within.
fn prim(head: &str, values: &JointValues, turns: bool, units: StageUnits, more: &[String]) -> Vec<String> {
    let axis = if turns { "angular" } else { "linear" };
    let mut out = vec![
        format!("{head} ("),
        format!("    prepend apiSchemas = [\"PhysxJointAxisAPI:{axis}\"]"),
        ")".to_owned(),
        "{".to_owned(),
    ];
    out.extend(more.iter().map(|line| format!("    {line}")));
    out.extend(of_joint(values, turns, units).iter().map(|(name, value)| format!("    float {name} = {value}")));
    out.push("}".to_owned());
    out
}

/// A string of USD.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The head of a file, with the settings of the stage.
fn head(values: &JointValues, stage: &[StageSetting], below: Option<&str>) -> String {
    let mut out = format!("#usda 1.0\n(\n    doc = {}\n", quoted(&values.origin));
    for StageSetting { name, value, .. } in stage {
        out += &format!("    {name} = {value}\n");
    }
    if let Some(below) = below {
        out += &format!("    subLayers = [\n        {below}\n    ]\n");
    }
    out + ")\n\n"
}

fn setting(name: &str, value: String) -> StageSetting {
    StageSetting { name: name.to_owned(), value, names_files: false }
}

/// A robot of one joint.
pub(super) fn fresh(joint: &FreshJoint<'_>, values: &JointValues) -> RobotFile {
    let units = StageUnits { metres: 1.0, kilograms: 1.0 };
    let stage = [("defaultPrim", "\"robot\""), ("kilogramsPerUnit", "1"), ("metersPerUnit", "1"), ("upAxis", "\"Z\"")]
        .map(|(name, value)| setting(name, value.to_owned()));
    let kind = if joint.turns { "PhysicsRevoluteJoint" } else { "PhysicsPrismaticJoint" };
    let inertia = short(joint.mass);
    let mass = if joint.turns { "1".to_owned() } else { inertia.clone() };
    let body = |name: &str, more: &[String]| {
        let mut out = vec![
            format!("def Xform \"{name}\" ("),
            "    prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]".to_owned(),
            ")".to_owned(),
            "{".to_owned(),
        ];
        out.extend(more.iter().map(|line| format!("    {line}")));
        out.push("}".to_owned());
        out
    };
    let inertial = [
        format!("float physics:mass = {mass}"),
        format!("float3 physics:diagonalInertia = ({inertia}, {inertia}, {inertia})"),
    ];
    let ends = [
        "uniform token physics:axis = \"X\"".to_owned(),
        "rel physics:body0 = </robot/base>".to_owned(),
        "rel physics:body1 = </robot/link>".to_owned(),
    ];
    let fixed = [
        "def PhysicsFixedJoint \"world\"".to_owned(),
        "{".to_owned(),
        "    rel physics:body1 = </robot/base>".to_owned(),
        "}".to_owned(),
    ];
    let path = format!("/robot/{}", joint.name);
    let mut inside = fixed.to_vec();
    inside.extend(body("base", &["float physics:mass = 1".to_owned()]));
    inside.extend(body("link", &inertial));
    inside.extend(prim(&format!("def {kind} \"{}\"", joint.name), values, joint.turns, units, &ends));
    let mut text = head(values, &stage, None);
    text += "def Xform \"robot\" (\n    prepend apiSchemas = [\"PhysicsArticulationRootAPI\"]\n)\n{\n";
    inside.iter().for_each(|line| text += &format!("    {line}\n"));
    text += "}\n";
    let joints = vec![WrittenJoint { name: path, kind: kind.to_owned(), turns: joint.turns, copies: Vec::new() }];
    RobotFile { text, joints, settings: Vec::new(), notes: Vec::new() }
}

/// The name of the first file of a zip archive, from its header.
fn first_of_zip(bytes: &[u8]) -> Option<&[u8]> {
    const NAME: usize = 30;
    let length = bytes.starts_with(b"PK\x03\x04").then(|| bytes.get(26..28)).flatten()?;
    bytes.get(NAME..NAME + usize::from(u16::from_le_bytes([length[0], length[1]])))
}

fn is_usd_name(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    [b".usd".as_slice(), b".usda", b".usdc"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file is one of the binary kinds.
fn is_binary(bytes: &[u8]) -> bool {
    // a crate file, or a zipped one, whose first file is the robot
    bytes.starts_with(b"PXR-USDC") || first_of_zip(bytes).is_some_and(is_usd_name)
}

/// A path between the signs that a file reference has.
fn reference(path: &str) -> Result<String, RobotError> {
    if path.contains("@@@") || path.ends_with('@') || path.contains(char::is_control) {
        return Err(RobotError::UsdPath { path: path.to_owned() });
    }
    let sign = if path.contains('@') { "@@@" } else { "@" };
    Ok(format!("{sign}{path}{sign}"))
}

/// A unit of the stage, in SI.
fn unit(file: &UsdFile, name: &'static str, default: f64) -> Result<f64, RobotError> {
    let value = file.number(name).unwrap_or(default);
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(RobotError::StageUnit { name, value }) }
}

/// A layer over the file with this friction in its joints. `turns` and `meters` are asked for where the file is binary.
///
/// # Errors
/// [`RobotError`] for text that is not USD, and for joints that are not there.
pub(super) fn layer(
    into: &IntoFile<'_>,
    names: &[String],
    turns: Option<bool>,
    meters: Option<f64>,
    values: &JointValues,
) -> Result<RobotFile, RobotError> {
    let mut notes = Vec::new();
    let (file, chosen) = if is_binary(into.bytes) {
        let whole =
            |name: &String| name.len() > 1 && name.starts_with('/') && name.split('/').skip(1).all(is_identifier);
        if names.is_empty() || !names.iter().all(whole) {
            return Err(RobotError::BinaryUsd);
        }
        let turns = turns.ok_or(RobotError::BinaryMotion)?;
        let meters = meters.ok_or(RobotError::BinaryUnit)?;
        notes.push(
            "the file is binary: whether it has these joints, and metersPerUnit, was not checked; its unit of mass was taken as 1 kg (with another kilogramsPerUnit, convert it: usdcat)"
                .to_owned(),
        );
        notes.push(
            "a stage takes its settings from its first layer, and those of a binary file are not seen: the new file has no defaultPrim, upAxis and time codes; write them into its head, as in upAxis = \"Z\", or convert the robot: usdcat robot.usd -o robot.usda"
                .to_owned(),
        );
        let stage = vec![setting("metersPerUnit", short(meters))];
        let kind = if turns { "turns" } else { "slides" };
        let joints: Vec<WrittenJoint> = names
            .iter()
            .map(|name| WrittenJoint { name: name.clone(), kind: kind.to_owned(), turns, copies: Vec::new() })
            .collect();
        (UsdFile { joints: Vec::new(), stage }, joints)
    } else {
        let text = std::str::from_utf8(into.bytes).ok().filter(|text| text.trim_start().starts_with("#usda"));
        let Some(text) = text else {
            return Err(RobotError::UsdText { message: "it does not begin with #usda", line: 1 });
        };
        let mut file = read(text)?;
        // a path within a setting begins at the robot's folder
        let lost = |setting: &StageSetting| setting.names_files && into.changes_folder();
        for setting in file.stage.iter().filter(|setting| lost(setting)) {
            let name = &setting.name;
            notes.push(format!("{name} of the stage names files beside the robot, and is not in the new file, which is in another folder: copy it with the paths from there"));
        }
        file.stage.retain(|setting| !lost(setting));
        if meters.is_some() {
            let own = short(file.number("metersPerUnit").unwrap_or(DEFAULT_METRES));
            notes.push(format!("the file is text: its own metersPerUnit = {own} counts"));
        }
        let joints: Vec<Joint<()>> = file.joints.iter().map(of_file).collect();
        let chosen = choose(&joints, names)?;
        let variable = |joint: &&&Joint<()>| file.joints.iter().any(|j| j.in_variant && j.path == joint.scoped);
        if let Some(joint) = chosen.iter().find(variable) {
            return Err(RobotError::Variant { name: joint.scoped.clone() });
        }
        let written = chosen.iter().map(|joint| WrittenJoint {
            name: joint.scoped.clone(),
            kind: joint.kind.clone(),
            turns: joint.turns.unwrap_or(false),
            copies: Vec::new(),
        });
        let written = written.collect();
        (file, written)
    };
    let units = StageUnits {
        metres: unit(&file, "metersPerUnit", DEFAULT_METRES)?,
        kilograms: unit(&file, "kilogramsPerUnit", 1.0)?,
    };
    let mut text = head(values, &file.stage, Some(&reference(&relative(into.output, into.path))?));
    let paths: Vec<(Vec<&str>, bool)> =
        chosen.iter().map(|joint| (joint.name.split('/').skip(1).collect(), joint.turns)).collect();
    let paths: Vec<(&[&str], bool)> = paths.iter().map(|(path, turns)| (&path[..], *turns)).collect();
    overs(&paths, values, units).iter().for_each(|line| text += &format!("{line}\n"));
    notes.push("PhysX applies this friction to joints of an articulation only".to_owned());
    Ok(RobotFile { text, joints: chosen, settings: Vec::new(), notes })
}

/// The prims on the way to these joints, each once, with the friction in the joints.
fn overs(joints: &[(&[&str], bool)], values: &JointValues, units: StageUnits) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for (path, _) in joints {
        names.extend(path.first().filter(|name| !names.contains(*name)));
    }
    let mut out = Vec::new();
    for name in names {
        let within: Vec<_> =
            joints.iter().filter(|(path, _)| path[0] == name).map(|(path, turns)| (&path[1..], *turns)).collect();
        let deeper: Vec<_> = within.iter().filter(|(path, _)| !path.is_empty()).copied().collect();
        let inside = overs(&deeper, values, units);
        match within.iter().find(|(path, _)| path.is_empty()) {
            Some((_, turns)) => out.extend(prim(&format!("over \"{name}\""), values, *turns, units, &inside)),
            None => {
                out.extend([format!("over \"{name}\""), "{".to_owned()]);
                out.extend(inside.iter().map(|line| format!("    {line}")));
                out.push("}".to_owned());
            }
        }
    }
    out
}

/// Whether a name is one that USD allows.
pub(super) fn is_identifier(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn of_file(joint: &super::usd_text::UsdJoint) -> Joint<()> {
    let turns = match joint.kind.as_str() {
        "PhysicsRevoluteJoint" => Some(true),
        "PhysicsPrismaticJoint" => Some(false),
        _ => None,
    };
    let name = joint.path.rsplit('/').next().unwrap_or_default().to_owned();
    Joint { name, scoped: joint.path.clone(), kind: joint.kind.clone(), turns, node: () }
}
