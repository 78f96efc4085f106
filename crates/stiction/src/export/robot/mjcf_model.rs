//! What a model of MuJoCo says elsewhere that acts on the friction of a joint: defaults, actuators, plugins, flags and included files.
use super::JointValues;
use crate::error::RobotError;
use roxmltree::Node;

/// The elements of actuators; all of them share one set of defaults.
const ACTUATORS: [&str; 10] =
    ["general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor"];
/// Defaults of actuators that do not change the friction of a motor: it sets them itself, or has no input that they act on.
const HARMLESS: [&str; 6] = ["gear", "damping", "armature", "ctrlrange", "ctrllimited", "group"];

fn is_default(node: &Node<'_, '_>) -> bool {
    node.has_tag_name("default")
}

/// An attribute of a joint, which it may have from a class of defaults.
pub(super) fn of_joint_or_class<'a>(root: Node<'a, '_>, joint: Node<'a, '_>, name: &str) -> Option<&'a str> {
    of_element_or_class(root, joint, "joint", name)
}

/// An attribute of an element, which it may have from the defaults of elements of this kind.
fn of_element_or_class<'a>(root: Node<'a, '_>, element: Node<'a, '_>, kind: &str, name: &str) -> Option<&'a str> {
    if let Some(own) = element.attribute(name) {
        return Some(own);
    }
    let inherited = || element.ancestors().skip(1).find_map(|around| around.attribute("childclass"));
    let class = element.attribute("class").or_else(inherited);
    let of_class = |node: &Node<'_, '_>| match class {
        Some(class) => node.attribute("class") == Some(class),
        None => node.parent_element() == Some(root),
    };
    let mut at = root.descendants().filter(is_default).find(of_class);
    while let Some(node) = at.filter(is_default) {
        let mut here = node.children().filter(|child| child.has_tag_name(kind));
        if let Some(found) = here.find_map(|defaults| defaults.attribute(name)) {
            return Some(found);
        }
        at = node.parent_element();
    }
    None
}

/// Whether a class of defaults has damping that is a polynomial of the speed, of which a single number replaces the first coefficient alone.
pub(super) fn has_damping_polynomial(root: Node<'_, '_>) -> bool {
    let defaults = root.descendants().filter(is_default).flat_map(|node| node.children());
    let mut damping = defaults.filter(|node| node.has_tag_name("joint")).filter_map(|node| node.attribute("damping"));
    damping.any(|text| text.split_whitespace().count() > 1)
}

/// Whether a list of numbers has one that is not zero.
fn is_nonzero(text: &str) -> bool {
    text.split_whitespace().any(|x| x.parse::<f64>().is_ok_and(|x| x != 0.0))
}

/// The friction of a tendon: the attribute and its value; none if it has none.
fn of_tendon<'a>(root: Node<'a, '_>, tendon: Node<'a, '_>) -> Option<(&'static str, &'a str)> {
    ["frictionloss", "damping"].into_iter().find_map(|name| {
        let value = of_element_or_class(root, tendon, "tendon", name)?;
        is_nonzero(value).then_some((name, value))
    })
}

/// The tendons of a kind, `fixed` to joints or `spatial`.
fn tendons<'a, 'i>(root: Node<'a, 'i>, kind: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    let sections = root.children().filter(|node| node.has_tag_name("tendon"));
    sections.flat_map(|node| node.children()).filter(move |node| node.has_tag_name(kind))
}

fn own_name<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("name").unwrap_or("without a name")
}

/// Refuses a joint whose friction would not be the one that is written.
pub(super) fn check_joint(
    root: Node<'_, '_>,
    joint: Node<'_, '_>,
    name: &str,
    values: &JointValues,
) -> Result<(), RobotError> {
    let refused = |why: String, hint: &'static str| Err(RobotError::OtherFriction { name: name.to_owned(), why, hint });
    let spring = of_joint_or_class(root, joint, "springdamper").unwrap_or_default();
    if is_nonzero(spring) {
        return refused(
            format!("springdamper = \"{spring}\" sets its damping"),
            "write the joint's stiffness in place of springdamper; the damping is that of the law",
        );
    }
    let limit = of_joint_or_class(root, joint, "actuatorfrcrange");
    let is_limited = of_joint_or_class(root, joint, "actuatorfrclimited") != Some("false");
    if let (Some(range), true, Some(_)) = (limit, is_limited, values.bristles) {
        return refused(
            format!(
                "actuatorfrcrange = \"{range}\" limits the sum of motor and friction, so that friction is lost where the motor reaches it"
            ),
            "limit the motor instead, by forcerange of its actuator; or leave --lugre out",
        );
    }
    if values.bristles.is_some() && joint.ancestors().any(|node| node.has_tag_name("replicate")) {
        return refused(
            "it is within replicate, which gives each copy a name of its own, and the motor acts in one joint"
                .to_owned(),
            "leave --lugre out, or write the copies out",
        );
    }
    let in_sections = |section: &'static str| {
        root.children().filter(move |node| node.has_tag_name(section)).flat_map(|node| node.descendants())
    };
    let motor = format!("{name}_friction");
    let acts = |node: &Node<'_, '_>| {
        let named = node.attribute("name") == Some(&motor);
        named || (node.attribute("joint") == Some(name) && node.has_attribute("lugre"))
    };
    if let Some(actuator) = in_sections("actuator").find(acts) {
        return refused(
            format!("the file has friction in it by the actuator {}", own_name(actuator)),
            "remove that actuator, or take the file as it was before",
        );
    }
    let pulls = |tendon: &Node<'_, '_>| {
        let of_joint = |node: Node<'_, '_>| node.has_tag_name("joint") && node.attribute("joint") == Some(name);
        tendon.children().any(of_joint)
    };
    let mut with_friction =
        tendons(root, "fixed").filter(pulls).filter_map(|tendon| Some((tendon, of_tendon(root, tendon)?)));
    if let Some((tendon, (attribute, value))) = with_friction.next() {
        return refused(
            format!("the file has {attribute} = \"{value}\" of the tendon {} on it", own_name(tendon)),
            "set the tendon's frictionloss and damping to 0, if the law is all of the joint's friction",
        );
    }
    let is_joint = |node: &Node<'_, '_>| {
        node.has_tag_name("config") && node.attribute("key") == Some("joint") && node.attribute("value") == Some(name)
    };
    let is_ours = |node: Node<'_, '_>| node.attribute("plugin").is_some_and(|plugin| plugin.starts_with("stiction."));
    if in_sections("extension").filter(is_joint).any(|node| node.ancestors().any(is_ours)) {
        return refused(
            "the file has friction in it by a plugin".to_owned(),
            "remove the instance of the plugin for this joint",
        );
    }
    let main = root.children().filter(is_default).flat_map(|node| node.children());
    let mut of_actuators = main.filter(|node| ACTUATORS.contains(&node.tag_name().name()));
    let other = of_actuators.find_map(|node| node.attributes().find(|a| !HARMLESS.contains(&a.name())));
    match other.filter(|_| values.bristles.is_some()) {
        Some(attribute) => refused(
            format!("the file's default {} of all actuators would act on its friction", attribute.name()),
            "move the defaults of actuators into a class of their own, and give the actuators that class",
        ),
        None => Ok(()),
    }
}

/// What the file disables of the friction that is written, and what of it is not seen.
pub(super) fn notes(root: Node<'_, '_>, values: &JointValues) -> Vec<String> {
    let flags = root.children().filter(|node| node.has_tag_name("option")).flat_map(|node| node.children());
    let flags: Vec<_> = flags.filter(|node| node.has_tag_name("flag")).collect();
    let disables = |name: &str| flags.iter().rev().find_map(|flag| flag.attribute(name)) == Some("disable");
    let (dry, viscous) = (values.friction.coulomb > 0.0, values.friction.viscous > 0.0);
    let acting: &[(&str, bool)] = match values.bristles {
        Some(_) => &[("actuation", true)],
        None => &[("frictionloss", dry), ("constraint", dry), ("damper", viscous), ("passive", viscous)],
    };
    let mut out = Vec::new();
    for (flag, _) in acting.iter().filter(|(flag, acts)| *acts && disables(flag)) {
        out.push(format!("the file has <flag {flag}=\"disable\"/>, with which this friction does not act; remove it"));
    }
    for tendon in tendons(root, "spatial") {
        if let Some((attribute, value)) = of_tendon(root, tendon) {
            let own = own_name(tendon);
            out.push(format!("the spatial tendon {own} has {attribute} = \"{value}\", which acts in the joints that it crosses besides this friction"));
        }
    }
    if root.descendants().any(|node| node.has_tag_name("include")) {
        out.push(
            "the file includes others: their defaults, options and actuators were not seen, and act on the joint"
                .to_owned(),
        );
    }
    out
}
