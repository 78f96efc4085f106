//! MJCF, the format of MuJoCo: `frictionloss` and `damping` of a joint, or the LuGre friction of a passive `dcmotor`.
//!
//! A held joint creeps with MuJoCo's defaults: its dry friction is a soft constraint. Two things stop it. `solreffriction` of two steps
//! and `solimpfriction` at its bound make the constraint as stiff as the step allows, so that a joint stops within one step; `noslip_iterations`
//! then solves it without softness.
use super::joint::{Joint, choose};
use super::lugre::Bristles;
use super::mjcf_model::{check_joint, has_damping_polynomial, notes, of_joint_or_class};
use super::xml_edit::{Edits, attributes, parse};
use super::{FreshJoint, JointValues, RobotFile, WrittenJoint};
use crate::error::RobotError;
use crate::number::short;
use roxmltree::Node;

/// The most sweeps of the solver without softness. A joint by itself needs one; of joints that act on each other each sweep leaves a part, so that long
/// chains need many. Those that have converged end at the tolerance, and cost nothing more.
const NOSLIP_ITERATIONS: &str = "100";
/// The improvement at which they end: then a two-link arm held at 0.9 of its friction creeps by 2e-9 rad/s (`bench/peers/rest.py`), which is a force missed
/// by less than the 1e-6 of the friction that the plugin and the check tell. MuJoCo's own tolerance of 1e-6 ends them before the arm rests.
const NOSLIP_TOLERANCE: &str = "1e-12";
/// The largest impedance that MuJoCo takes, constant.
const IMPEDANCE: &str = "0.9999 0.9999 0.001";
/// MuJoCo's time step where a file has none \[s\].
const DEFAULT_STEP: f64 = 0.002;
/// The time step of a new file \[s\].
const STEP: f64 = 0.001;

/// The attributes of a joint with this friction, for a time step; its damping as a polynomial of the speed, if need be.
fn of_joint(values: &JointValues, step: f64, polynomial: bool) -> Vec<(&'static str, String)> {
    // older versions of MuJoCo read one number only
    let damping = |x: f64| if polynomial { format!("{} 0 0", short(x)) } else { short(x) };
    let friction = match values.bristles {
        // the friction is that of the motor
        Some(_) => return vec![("frictionloss", "0".to_owned()), ("damping", damping(0.0))],
        None => values.friction,
    };
    let mut out = vec![("frictionloss", short(friction.coulomb)), ("damping", damping(friction.viscous))];
    if friction.coulomb > 0.0 {
        out.push(("solreffriction", format!("{} 1", short(2.0 * step))));
        out.push(("solimpfriction", IMPEDANCE.to_owned()));
    }
    out
}

/// The solver's settings that keep a joint at rest.
fn of_solver() -> Vec<(&'static str, String)> {
    vec![("noslip_iterations", NOSLIP_ITERATIONS.to_owned()), ("noslip_tolerance", NOSLIP_TOLERANCE.to_owned())]
}

/// A motor without inputs that has nothing but the friction of LuGre.
fn motor(joint: &str, b: &Bristles) -> String {
    let lugre = [b.sigma0, b.sigma1, b.fc, b.fs, b.vs].map(short).join(" ");
    let list = [
        ("name", format!("{joint}_friction")),
        ("joint", joint.to_owned()),
        ("input", "none".to_owned()),
        ("motorconst", "0".to_owned()),
        ("resistance", "1".to_owned()),
        ("lugre", lugre),
        // these have defaults of the file else; the damping of motors is a polynomial of the speed
        ("damping", format!("{} 0 0", short(b.sigma2))),
        ("gear", "1".to_owned()),
        ("armature", "0".to_owned()),
    ];
    format!("<dcmotor{}/>", attributes(&list))
}

/// A model of one joint, pushed by a motor.
pub(super) fn fresh(joint: &FreshJoint<'_>, values: &JointValues) -> RobotFile {
    let kind = if joint.turns { "hinge" } else { "slide" };
    let (name, mass) = (joint.name, short(joint.mass));
    // a sphere of this mass, or of mass 1 and this moment of inertia
    let inertial = if joint.turns {
        format!("<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"{mass} {mass} {mass}\"/>")
    } else {
        format!("<inertial pos=\"0 0 0\" mass=\"{mass}\" diaginertia=\"{mass} {mass} {mass}\"/>")
    };
    let mut of = vec![("name", name.to_owned()), ("type", kind.to_owned()), ("axis", "1 0 0".to_owned())];
    of.extend(of_joint(values, STEP, false));
    let mut option = vec![("timestep", short(STEP)), ("gravity", "0 0 0".to_owned())];
    let settings = if sticks(values) { of_solver() } else { Vec::new() };
    option.extend(settings.clone());
    let friction = values.bristles.map(|b| format!("    {}\n", motor(name, &b))).unwrap_or_default();
    let text = format!(
        "<mujoco model=\"friction\">\n  <!-- {} -->\n  <option{}/>\n  <worldbody>\n    <body name=\"{name}_body\">\n      <joint{}/>\n      {inertial}\n    </body>\n  </worldbody>\n  <actuator>\n    <motor{}/>\n{friction}  </actuator>\n</mujoco>\n",
        values.origin,
        attributes(&option),
        attributes(&of),
        attributes(&[("name", format!("{name}_motor")), ("joint", name.to_owned())]),
    );
    let joints =
        vec![WrittenJoint { name: name.to_owned(), kind: kind.to_owned(), turns: joint.turns, copies: Vec::new() }];
    RobotFile { text, joints, settings: shown(settings), notes: Vec::new() }
}

/// Whether the friction is a constraint that holds the joint.
fn sticks(values: &JointValues) -> bool {
    values.bristles.is_none() && values.friction.coulomb > 0.0
}

fn shown(settings: Vec<(&'static str, String)>) -> Vec<(String, String)> {
    settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Elements that stand between a body and its joints without being a body.
const TRANSPARENT: [&str; 2] = ["frame", "replicate"];

/// The names that MuJoCo gives the copies of a joint within `replicate`: its own with a number for each replicate around it, from the inside, with as
/// many digits as the count has.
fn copies(joint: Node<'_, '_>, name: &str) -> Vec<String> {
    let around: Vec<_> = joint.ancestors().filter(|node| node.has_tag_name("replicate")).collect();
    if around.is_empty() {
        return Vec::new();
    }
    around.iter().fold(vec![name.to_owned()], |names, replicate| {
        let count = replicate.attribute("count").unwrap_or_default().trim();
        let (width, sep) = (count.len(), replicate.attribute("sep").unwrap_or_default());
        let all = 0..count.parse::<usize>().unwrap_or(0);
        all.flat_map(|k| names.iter().map(move |name| format!("{name}{sep}{k:0width$}"))).collect()
    })
}

/// The joints of a model. Elements called joint stand in other places, too; those of bodies are joints.
fn joints<'a, 'i>(root: Node<'a, 'i>) -> Vec<Joint<Node<'a, 'i>>> {
    let is_joint = |node: &Node<'_, '_>| {
        let mut above = node.ancestors().skip(1).filter(|node| !TRANSPARENT.contains(&node.tag_name().name()));
        node.has_tag_name("joint") && above.next().is_some_and(|above| above.has_tag_name("body"))
    };
    let one = |node: Node<'a, 'i>| {
        let name = node.attribute("name")?.to_owned();
        let kind = of_joint_or_class(root, node, "type").unwrap_or("hinge").to_owned();
        let turns = match kind.as_str() {
            "hinge" => Some(true),
            "slide" => Some(false),
            _ => None,
        };
        Some(Joint { scoped: name.clone(), name, kind, turns, node })
    };
    root.descendants().filter(is_joint).filter_map(one).collect()
}

/// The file with this friction in its joints.
///
/// # Errors
/// [`RobotError`] for a file that is not MJCF, and for joints that are not there.
pub(super) fn edit(text: &str, names: &[String], values: &JointValues) -> Result<RobotFile, RobotError> {
    let document = parse(text)?;
    let root = document.root_element();
    super::expect_root(root, "MJCF", &["mujoco", "mujocoinclude"])?;
    let all = joints(root);
    let chosen = choose(&all, names)?;
    let options: Vec<_> = root.children().filter(|node| node.has_tag_name("option")).collect();
    let given = |name: &str| options.iter().rev().find_map(|option| option.attribute(name));
    let step = given("timestep").and_then(|text| text.trim().parse().ok()).filter(|step: &f64| *step > 0.0);
    for joint in &chosen {
        check_joint(root, joint.node, &joint.name, values)?;
    }
    let mut notes = notes(root, values);
    if step.is_none() && sticks(values) {
        let own = match given("timestep") {
            Some(text) => format!("the file's timestep = \"{text}\" is not a positive number"),
            None => "the file has no timestep".to_owned(),
        };
        notes.push(format!("{own}: took MuJoCo's {} s for solreffriction", short(DEFAULT_STEP)));
    }
    if given("integrator") == Some("RK4") && sticks(values) {
        notes.push("with integrator=\"RK4\" the joint does not rest exactly: Euler and implicitfast solve for the end of a step".to_owned());
    }
    if given("integrator").is_some_and(|name| name.starts_with("implicit")) && values.bristles.is_some() {
        notes.push(
            "MuJoCo's implicit integrators slow down a joint with LuGre friction; use integrator=\"Euler\"".to_owned(),
        );
    }
    let mut edits = Edits::new(text);
    let in_joint = of_joint(values, step.unwrap_or(DEFAULT_STEP), has_damping_polynomial(root));
    for joint in &chosen {
        edits.set(joint.node, &in_joint);
    }
    let mut settings = Vec::new();
    let own: u32 = given("noslip_iterations").and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    if sticks(values) && own > 0 {
        notes.push(format!("the file has noslip_iterations = {own}, which is kept; joints that act on each other creep while held if so many sweeps do not converge: the check measures it"));
    } else if sticks(values) && root.has_tag_name("mujocoinclude") {
        let wanted = attributes(&of_solver());
        notes.push(format!("this file is included by another one; that one needs <option{wanted}/>"));
    } else if sticks(values) {
        settings = of_solver();
        match options.last() {
            Some(option) => edits.set(*option, &settings),
            None => edits.prepend(root, &[format!("<option{}/>", attributes(&settings))]),
        }
    }
    if let Some(bristles) = values.bristles {
        let motors: Vec<String> = chosen.iter().map(|joint| motor(&joint.name, &bristles)).collect();
        match root.children().rfind(|node| node.has_tag_name("actuator")) {
            Some(actuator) => edits.append(actuator, &motors),
            None => {
                let indented = motors.iter().map(|line| format!("  {line}"));
                let lines: Vec<String> =
                    ["<actuator>".to_owned()].into_iter().chain(indented).chain(["</actuator>".to_owned()]).collect();
                edits.append(root, &lines);
            }
        }
    }
    let mut written = super::written(&chosen, &all);
    for (written, joint) in written.iter_mut().zip(&chosen) {
        written.copies = copies(joint.node, &joint.name);
    }
    Ok(RobotFile { text: edits.apply(), joints: written, settings: shown(settings), notes })
}
