//! The Python program that checks a file: the joint's friction, as the simulator's own reader gives it, against the law.
use super::{RobotExport, RobotFile, RobotFormat, WrittenJoint};
use crate::number::short;

/// Points of the fit between two that the program looks at where MuJoCo moves the bristles of LuGre at each.
const LUGRE_STRIDE: usize = 10;

/// A string of Python.
fn quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out += &format!("\\x{:02x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

/// The program, for a file at a path from its own folder.
pub(super) fn text(export: &RobotExport, path: Option<String>, file: &RobotFile) -> String {
    let format = export.request.format;
    let (reader, package) = match format {
        RobotFormat::Mjcf if export.values.bristles.is_some() => (include_str!("check/mujoco_lugre.py"), "mujoco"),
        RobotFormat::Mjcf => (include_str!("check/mujoco_joint.py"), "mujoco"),
        RobotFormat::Urdf => (include_str!("check/urdf.py"), "yourdfpy"),
        RobotFormat::Sdf => (include_str!("check/sdf.py"), ""),
        RobotFormat::Usd => (include_str!("check/usd.py"), "usd-core"),
    };
    let needs = if package.is_empty() { String::new() } else { format!(" Needs: pip install {package}") };
    let exact = export.values.bristles.is_some();
    let rows: String = export
        .fit
        .points
        .iter()
        .step_by(if exact { LUGRE_STRIDE } else { 1 })
        .map(|p| [p.v, p.law, if exact { p.law } else { p.joint }].map(short).join(", "))
        .map(|row| format!("    ({row}),\n"))
        .collect();
    let one = |joint: &WrittenJoint| match joint.copies[..] {
        [] => vec![joint.name.clone()],
        _ => joint.copies.clone(),
    };
    let names: Vec<String> = file.joints.iter().flat_map(one).map(|name| quoted(&name)).collect();
    // of these simulators MuJoCo's solver alone is at hand to say whether a held joint creeps
    let rests = format == RobotFormat::Mjcf && !exact;
    let compare = include_str!("check/compare.py").replace("    {rest}\n", if rests { "    rest()\n" } else { "" });
    let bristles = export.values.bristles.map_or(0.0, |b| b.fs / b.sigma0);
    let otherwise = match path {
        Some(path) => format!("os.path.join(os.path.dirname(os.path.abspath(__file__)), {})", quoted(&path)),
        None => "sys.exit(\"write the file's name: python check.py FILE\")".to_owned(),
    };
    format!(
        "#!/usr/bin/env python3\n\"\"\"Compares the friction of joints with the law that it was fitted to.{needs}\n\nPrints the difference; exit code 1 if the file does not have the friction that was fitted.\n\"\"\"\nimport os\nimport sys\n\nFILE = sys.argv[1] if len(sys.argv) > 1 else {otherwise}\nJOINTS = [{}]\n# the slip over which the bristles of LuGre settle\nSLIP = {}\n# velocity, steady force of the law, force of the joint as it was fitted\nPOINTS = [\n{rows}]\n\n\n{reader}\n\n{compare}",
        names.join(", "),
        short(bristles),
    )
}
