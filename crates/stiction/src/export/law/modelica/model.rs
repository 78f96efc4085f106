//! The model of a contact between two flanges.
//!
//! There are three kinds. A force that is one number for each velocity and memory: the memory are states, integrated by the tool. A set of
//! forces at rest: in addition the model is a `PartialFriction` of the Modelica library, whose events find stick and slip, so that a body is
//! held exactly. A memory that jumps: it is advanced by `step` at a fixed period, because its jumps are defined by
//! that function.
use super::{Package, html, quoted, unit_modifier};

/// What differs between bodies that slide and bodies that turn.
struct Mechanics {
    library: &'static str,
    velocity: &'static str,
    force: &'static str,
    unit_velocity: &'static str,
    unit_force: &'static str,
    /// The velocity and the unit of force as the base class of friction names them.
    surface: &'static str,
    unit: &'static str,
    icon: &'static str,
}

const SLIDES: Mechanics = Mechanics {
    library: "Modelica.Mechanics.Translational",
    velocity: "v_rel",
    force: "f",
    unit_velocity: "m/s",
    unit_force: "N",
    surface: "v_relfric",
    unit: "unitForce",
    icon: "Line(points={{-90,0},{-40,0}}), Line(points={{40,0},{90,0}}), Rectangle(extent={{-40,20},{40,0}}), Rectangle(extent={{-60,0},{60,-20}})",
};
const TURNS: Mechanics = Mechanics {
    library: "Modelica.Mechanics.Rotational",
    velocity: "w_rel",
    force: "tau",
    unit_velocity: "rad/s",
    unit_force: "N.m",
    surface: "w_relfric",
    unit: "unitTorque",
    icon: "Line(points={{-90,0},{-20,0}}), Line(points={{20,0},{90,0}}), Rectangle(extent={{-20,60},{0,-60}}), Rectangle(extent={{0,60},{20,-60}})",
};

/// What the law needs of a model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One force for each velocity and memory.
    Single,
    /// A set of forces at rest.
    SetAtRest,
    /// A memory that jumps.
    Jumps,
}

fn kind(package: &Package) -> Kind {
    let law = package.code.law;
    let defaults: Vec<f64> = law.params.iter().map(|p| p.default).collect();
    let jumps = match law.program() {
        Some(program) => program.jumps(),
        None => law.build(&defaults).is_ok_and(|built| (0..built.len()).any(|i| !built.flows(i))),
    };
    match (jumps, &package.hold) {
        (true, _) => Kind::Jumps,
        (false, Some(_)) => Kind::SetAtRest,
        (false, None) => Kind::Single,
    }
}

/// The model `Friction`.
pub(super) fn text(package: &Package) -> String {
    let mechanics = if package.turns() { &TURNS } else { &SLIDES };
    let kind = kind(package);
    let mut out = format!(
        "\n  model Friction {}\n    extends {}.Interfaces.PartialCompliantWithRelativeStates;\n",
        quoted(&format!("The law {} between two flanges", package.code.law.name)),
        mechanics.library
    );
    if kind == Kind::SetAtRest {
        out += &format!("    extends {}.Interfaces.PartialFriction;\n", mechanics.library);
    }
    out += "    parameter Parameters p \"Parameters of the law\";\n";
    let (what, load) = if package.code.maps_load() {
        ("load", "Normal load in its own unit")
    } else {
        ("load factor", "Normal load over its nominal value")
    };
    out += &format!(
        "    parameter Boolean useLoad = false \"true: the {what} is an input, else it is 1\" annotation (Evaluate=true);\n"
    );
    if kind == Kind::Jumps {
        out += "    parameter Real period(unit=\"s\", min=1e-9) = 1e-4 \"Sample period with which the memory is advanced\";\n";
    }
    out += &format!(
        "    Modelica.Blocks.Interfaces.RealInput load if useLoad \"{load}\" annotation (Placement(transformation(extent={{{{-20,-20}},{{20,20}}}}, rotation=-90, origin={{0,110}})));\n"
    );
    let discrete = if kind == Kind::Jumps { "discrete " } else { "" };
    for (state, name) in package.code.law.states.iter().zip(&package.states) {
        let modifier = unit_modifier(state.unit);
        let unit = modifier.trim_start_matches('(').trim_end_matches(')');
        let unit = if unit.is_empty() { String::new() } else { format!("{unit}, ") };
        out += &format!("    {discrete}Real {name}({unit}start=0, fixed=true) \"Memory\";\n");
    }
    out += &match kind {
        Kind::Single => single(package, mechanics),
        Kind::SetAtRest => set_at_rest(package, mechanics),
        Kind::Jumps => jumps(package, mechanics),
    };
    out += &format!(
        "    annotation (\n      Icon(graphics={{{}, Text(extent={{{{-150,-40}},{{150,-80}}}}, textString=\"%name\")}}),\n      Documentation(info={}));\n  end Friction;\n",
        mechanics.icon,
        quoted(&documentation(package, kind))
    );
    out
}

/// The arguments of a function: those given, the memory, the parameters.
fn arguments(package: &Package, first: &str) -> String {
    let memory: String = package.states.iter().map(|name| format!(", {name}")).collect();
    format!("{first}{memory}, p")
}

/// The load within the model.
const LOAD: &str = "    connect(load, appliedLoad);\n    if not useLoad then\n      appliedLoad = 1;\n    end if;\n";
const LOAD_DECLARED: &str = "    Modelica.Blocks.Interfaces.RealInput appliedLoad \"Load, given or 1\";\n";

/// The rates of the memory.
fn rates(package: &Package, velocity: &str) -> String {
    let call = format!("rate({})", arguments(package, &format!("{velocity}, appliedLoad")));
    match &package.states[..] {
        [] => String::new(),
        [one] => format!("    der({one}) = {call};\n"),
        all => {
            let names: Vec<String> = all.iter().map(|name| format!("der_{name}")).collect();
            let mut out = format!("    ({}) = {call};\n", names.join(", "));
            all.iter().zip(&names).for_each(|(state, rate)| out += &format!("    der({state}) = {rate};\n"));
            out
        }
    }
}

/// Variables for the rates, if there are several.
fn rates_declared(package: &Package) -> String {
    let several = package.states.iter().filter(|_| package.states.len() > 1);
    several.map(|name| format!("    Real der_{name} \"Rate of the memory\";\n")).collect()
}

fn single(package: &Package, mechanics: &Mechanics) -> String {
    let Mechanics { velocity, force, .. } = mechanics;
    let mut out = format!("  protected\n{LOAD_DECLARED}{}  equation\n{LOAD}", rates_declared(package));
    out += &rates(package, velocity);
    out + &format!("    {force} = force({});\n", arguments(package, &format!("{velocity}, appliedLoad")))
}

fn jumps(package: &Package, mechanics: &Mechanics) -> String {
    let Mechanics { velocity, force, unit_force, .. } = mechanics;
    let before: String = package.states.iter().map(|name| format!(", pre({name})")).collect();
    let mut out = format!(
        "  protected\n{LOAD_DECLARED}    discrete Real friction(unit=\"{unit_force}\", start=0, fixed=true) \"Force until the next sample\";\n"
    );
    out += &format!("  equation\n{LOAD}    when sample(0, period) then\n");
    let after = package.states.join(", ");
    out += &format!("      (friction, {after}) = step({velocity}, appliedLoad, period{before}, p);\n    end when;\n");
    out + &format!("    {force} = friction;\n")
}

/// The middle and the half-width of the set of forces at rest are those of the base class; its path parameter `sa` is the force beyond the
/// middle.
fn set_at_rest(package: &Package, mechanics: &Mechanics) -> String {
    let Mechanics { velocity: v, force: f, unit_velocity, unit_force, surface, unit, .. } = mechanics;
    let at = |v: &str| format!("force({})", arguments(package, &format!("{v}, appliedLoad")));
    let hold = |dir: &str| format!("hold({})", arguments(package, &format!("appliedLoad, {dir}")));
    let mut out = String::new();
    for (name, doc) in [
        ("upper", "Largest force that friction holds at rest, against forward motion"),
        ("lower", "Lowest force that friction holds at rest, against backward motion"),
        ("middle", "Middle of the forces at rest"),
    ] {
        out += &format!("    Real {f}_{name}(unit=\"{unit_force}\") {};\n", quoted(doc));
    }
    out += &format!("  protected\n{LOAD_DECLARED}{}", rates_declared(package));
    out += &format!(
        "    constant Real v_tiny(unit=\"{unit_velocity}\") = 1e-60 \"In place of zero, with a direction\";\n"
    );
    out += &format!("  equation\n{LOAD}{}", rates(package, v));
    out += "    // never less than what sliding begins with\n";
    out += &format!("    {f}_upper = noEvent(max({}, {} + {}));\n", at("v_tiny"), at("0"), hold("1"));
    out += &format!("    {f}_lower = noEvent(min({}, {} - {}));\n", at("-v_tiny"), at("0"), hold("-1"));
    out += &format!("    {f}_middle = ({f}_upper + {f}_lower)/2;\n");
    out += &format!("    {f}0_max = ({f}_upper - {f}_lower)/2;\n");
    out += &format!("    {f}0 = noEvent(min({} - {f}_middle, {f}_middle - {}));\n", at("v_tiny"), at("-v_tiny"));
    out += &format!("    {surface} = {v};\n    a_relfric = der({v});\n    free = false;\n");
    out += "    // beyond zero velocity the force of a direction goes on as it is there, until the event\n";
    out += &format!(
        "    {f} = if locked then {f}_middle + sa*{unit}\n      elseif startForward or not startBackward and pre(mode) == Forward then {}\n      else {};\n",
        at(&format!("noEvent(max({v}, v_tiny))")),
        at(&format!("noEvent(min({v}, -v_tiny))")),
    );
    out
}

/// What the model covers and what it does not.
fn documentation(package: &Package, kind: Kind) -> String {
    let law = package.code.law;
    let mut parts = vec![html(law.doc.lines().next().unwrap_or_default().trim())];
    parts.push(
        "The friction acts between the flanges; connect one of them to a fixed part for friction against a support."
            .to_owned(),
    );
    parts.push(
        match kind {
            Kind::Single if package.states.is_empty() => {
                "The force is one number for each velocity, so the contact creeps under a load and does not stick."
            }
            Kind::Single => {
                "The memory are continuous states. Kinks at zero velocity are inside the functions and make no events; the steps of the solver resolve them, and for stiff bristles a stiff solver with a small tolerance is right."
            }
            Kind::SetAtRest => {
                "At rest the force is whatever holds the body, within the forces of the set at rest; PartialFriction of the Modelica library finds stick and slip by events. The memory, if any, goes on while the body is held."
            }
            Kind::Jumps => {
                "The memory jumps between modes, so it is advanced by the function step at the sample period, with the velocity of the sample, and the force is constant in between. The period must be short against the oscillation of the body on the stiffest spring of the law, or the motion is wrong or unstable."
            }
        }
        .to_owned(),
    );
    if kind == Kind::Jumps && package.hold.is_some() {
        parts.push(
            "Not covered: the set of forces at rest. The model has the force in its middle there, so a body may creep."
                .to_owned(),
        );
    }
    let built = law.build(&law.params.iter().map(|p| p.default).collect::<Vec<_>>());
    if built.is_ok_and(|built| built.band(&stiction_core::Input::at(0.0)) > 0.0) {
        parts.push("Not covered: the band of speeds that counts as rest. The model finds the rest itself, by an event at zero velocity.".to_owned());
    }
    let text: String = parts.iter().map(|part| format!("<p>{part}</p>")).collect();
    format!("<html>{text}</html>")
}
