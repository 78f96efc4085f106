//! SDF, the format of Gazebo: `<friction>` and `<damping>` of the dynamics of a joint's axis.
use super::joint::{Joint, choose};
use super::urdf::turns;
use super::xml_edit::{Edits, parse};
use super::{FreshJoint, JointValues, RobotFile, WrittenJoint};
use crate::error::RobotError;
use crate::number::short;
use roxmltree::Node;

fn of_joint(values: &JointValues) -> [(&'static str, String); 2] {
    [("damping", short(values.friction.viscous)), ("friction", short(values.friction.coulomb))]
}

/// The dynamics as lines.
fn dynamics(values: &JointValues) -> Vec<String> {
    let inside = of_joint(values).map(|(name, value)| format!("  <{name}>{value}</{name}>"));
    ["<dynamics>".to_owned()].into_iter().chain(inside).chain(["</dynamics>".to_owned()]).collect()
}

/// A model of one joint.
pub(super) fn fresh(joint: &FreshJoint<'_>, values: &JointValues) -> RobotFile {
    let kind = if joint.turns { "revolute" } else { "prismatic" };
    let (name, inertia) = (joint.name, short(joint.mass));
    let mass = if joint.turns { "1".to_owned() } else { inertia.clone() };
    let lines: String = dynamics(values).iter().map(|line| format!("        {line}\n")).collect();
    let text = format!(
        "<?xml version=\"1.0\"?>\n<!-- {} -->\n<sdf version=\"1.9\">\n  <model name=\"friction\">\n    <link name=\"{name}_link\">\n      <inertial>\n        <mass>{mass}</mass>\n        <inertia>\n          <ixx>{inertia}</ixx>\n          <iyy>{inertia}</iyy>\n          <izz>{inertia}</izz>\n        </inertia>\n      </inertial>\n    </link>\n    <joint name=\"{name}\" type=\"{kind}\">\n      <parent>world</parent>\n      <child>{name}_link</child>\n      <axis>\n        <xyz>1 0 0</xyz>\n{lines}      </axis>\n    </joint>\n  </model>\n</sdf>\n",
        values.origin,
    );
    let joints =
        vec![WrittenJoint { name: name.to_owned(), kind: kind.to_owned(), turns: joint.turns, copies: Vec::new() }];
    RobotFile { text, joints, settings: Vec::new(), notes: Vec::new() }
}

/// The names of the models around a joint, and its own.
fn scoped(node: Node<'_, '_>, name: &str) -> String {
    let is_model = |node: &Node<'_, '_>| node.has_tag_name("model");
    let mut names: Vec<&str> = node.ancestors().filter(is_model).filter_map(|model| model.attribute("name")).collect();
    names.reverse();
    names.push(name);
    names.join("::")
}

/// The file with this friction in its joints.
///
/// # Errors
/// [`RobotError`] for a file that is not SDF, and for joints that are not there.
pub(super) fn edit(text: &str, names: &[String], values: &JointValues) -> Result<RobotFile, RobotError> {
    let document = parse(text)?;
    let root = document.root_element();
    super::expect_root(root, "SDF", &["sdf", "gazebo"])?;
    let one = |node: Node<'_, '_>| {
        let (name, kind) = (node.attribute("name")?.to_owned(), node.attribute("type")?.to_owned());
        Some(Joint { scoped: scoped(node, &name), name, turns: turns(&kind), kind, node: node.id() })
    };
    let all: Vec<_> = root.descendants().filter(|node| node.has_tag_name("joint")).filter_map(one).collect();
    let chosen = choose(&all, names)?;
    let mut edits = Edits::new(text);
    let child =
        |node: Node<'_, '_>, name: &str| node.children().find(|child| child.has_tag_name(name)).map(|child| child.id());
    for node in chosen.iter().filter_map(|joint| document.get_node(joint.node)) {
        let Some(axis) = child(node, "axis").and_then(|id| document.get_node(id)) else {
            let inside = dynamics(values).into_iter().map(|line| format!("  {line}"));
            let lines: Vec<String> =
                ["<axis>".to_owned()].into_iter().chain(inside).chain(["</axis>".to_owned()]).collect();
            edits.append(node, &lines);
            continue;
        };
        let Some(found) = child(axis, "dynamics").and_then(|id| document.get_node(id)) else {
            edits.append(axis, &dynamics(values));
            continue;
        };
        let mut missing = Vec::new();
        for (name, value) in of_joint(values) {
            match child(found, name).and_then(|id| document.get_node(id)) {
                Some(element) => edits.set_text(element, &value),
                None => missing.push(format!("<{name}>{value}</{name}>")),
            }
        }
        if !missing.is_empty() {
            edits.append(found, &missing);
        }
    }
    Ok(RobotFile {
        text: edits.apply(),
        joints: super::written(&chosen, &all),
        settings: Vec::new(),
        notes: Vec::new(),
    })
}
