//! URDF: `<dynamics friction damping>` of a joint.
use super::joint::{Joint, choose};
use super::xml_edit::{Edits, attributes, parse};
use super::{FreshJoint, JointValues, RobotFile, WrittenJoint};
use crate::error::RobotError;
use crate::number::short;
use roxmltree::Node;

fn of_joint(values: &JointValues) -> Vec<(&'static str, String)> {
    vec![("damping", short(values.friction.viscous)), ("friction", short(values.friction.coulomb))]
}

/// Whether a joint of this type turns; none if it has not one degree of freedom.
pub(super) fn turns(kind: &str) -> Option<bool> {
    match kind {
        "revolute" | "continuous" => Some(true),
        "prismatic" => Some(false),
        _ => None,
    }
}

/// A robot of one joint.
pub(super) fn fresh(joint: &FreshJoint<'_>, values: &JointValues) -> RobotFile {
    let kind = if joint.turns { "continuous" } else { "prismatic" };
    let (name, inertia) = (joint.name, short(joint.mass));
    let mass = if joint.turns { "1".to_owned() } else { inertia.clone() };
    // a prismatic joint has limits; these are beyond all motion
    let limit = if joint.turns {
        ""
    } else {
        "\n    <limit lower=\"-1000\" upper=\"1000\" effort=\"1000000\" velocity=\"1000000\"/>"
    };
    let text = format!(
        "<?xml version=\"1.0\"?>\n<!-- {} -->\n<robot name=\"friction\">\n  <link name=\"base\"/>\n  <link name=\"{name}_link\">\n    <inertial>\n      <mass value=\"{mass}\"/>\n      <inertia ixx=\"{inertia}\" ixy=\"0\" ixz=\"0\" iyy=\"{inertia}\" iyz=\"0\" izz=\"{inertia}\"/>\n    </inertial>\n  </link>\n  <joint name=\"{name}\" type=\"{kind}\">\n    <parent link=\"base\"/>\n    <child link=\"{name}_link\"/>\n    <axis xyz=\"1 0 0\"/>{limit}\n    <dynamics{}/>\n  </joint>\n</robot>\n",
        values.origin,
        attributes(&of_joint(values)),
    );
    let joints =
        vec![WrittenJoint { name: name.to_owned(), kind: kind.to_owned(), turns: joint.turns, copies: Vec::new() }];
    RobotFile { text, joints, settings: Vec::new(), notes: Vec::new() }
}

/// The file with this friction in its joints.
///
/// # Errors
/// [`RobotError`] for a file that is not URDF, and for joints that are not there.
pub(super) fn edit(text: &str, names: &[String], values: &JointValues) -> Result<RobotFile, RobotError> {
    let document = parse(text)?;
    let root = document.root_element();
    super::expect_root(root, "URDF", &["robot"])?;
    // transmissions and controllers name joints without a type
    let one = |node: Node<'_, '_>| {
        let (name, kind) = (node.attribute("name")?.to_owned(), node.attribute("type")?.to_owned());
        Some(Joint { scoped: name.clone(), name, turns: turns(&kind), kind, node: node.id() })
    };
    let all: Vec<_> = root.descendants().filter(|node| node.has_tag_name("joint")).filter_map(one).collect();
    let chosen = choose(&all, names)?;
    let mut edits = Edits::new(text);
    let mut notes = Vec::new();
    for node in chosen.iter().filter_map(|joint| document.get_node(joint.node)) {
        notes.extend(contradictions(node, values));
        match node.children().find(|child| child.has_tag_name("dynamics")) {
            Some(dynamics) => edits.set(dynamics, &of_joint(values)),
            None => edits.append(node, &[format!("<dynamics{}/>", attributes(&of_joint(values)))]),
        }
    }
    Ok(RobotFile { text: edits.apply(), joints: super::written(&chosen, &all), settings: Vec::new(), notes })
}

/// What else the file says of a joint that does not go with this friction.
fn contradictions(joint: Node<'_, '_>, values: &JointValues) -> Vec<String> {
    let name = joint.attribute("name").unwrap_or_default();
    let child = |tag: &str| joint.children().find(|child| child.has_tag_name(tag));
    let limit = |key: &str| child("limit")?.attribute(key)?.trim().parse::<f64>().ok();
    let mut notes = Vec::new();
    let level = values.friction.coulomb;
    if let Some(effort) = limit("effort").filter(|effort| *effort <= level) {
        let (effort, level) = (short(effort), short(level));
        notes.push(format!(
            "{name}: its limit of effort, {effort}, is not above its friction of {level}: its motor cannot move it"
        ));
    }
    if let Some(velocity) = limit("velocity").filter(|velocity| *velocity > 0.0 && *velocity < values.fastest) {
        let (velocity, fastest) = (short(velocity), short(values.fastest));
        notes.push(format!("{name}: its limit of velocity is {velocity}, and the friction was fitted up to {fastest}; --speeds 0:{velocity} fits it where the joint moves"));
    }
    if child("mimic").is_some() {
        notes.push(format!(
            "{name}: it follows another joint (<mimic>); whether its own friction acts depends on the reader"
        ));
    }
    notes
}
