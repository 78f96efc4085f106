//! `model.h`: what the unit is, as constants for the sources that are the same for every law.
use super::{FmuPlan, MASS_BOUNDS, UnitKind};
use crate::export::language_c::{C, comment, to_ascii};
use crate::export::source_text::Syntax;
use stiction_core::program::Precision;
use stiction_sim::sim::rodas5p;

fn number(x: f64) -> String {
    C("").number(Precision::Double, x)
}

/// An array; C has none without elements, so each has one more.
fn array(kind: &str, name: &str, values: impl IntoIterator<Item = String>) -> String {
    let values: Vec<String> = values.into_iter().chain(["0".to_owned()]).collect();
    format!("static const {kind} {name}[] = {{{}}};\n", values.join(", "))
}

fn table<const M: usize, const N: usize>(name: &str, rows: &[[f64; N]; M]) -> String {
    let row = |row: &[f64; N]| format!("    {{{}}},\n", row.map(number).join(", "));
    format!("static const double {name}[{M}][{N}] = {{\n{}}};\n", rows.iter().map(row).collect::<String>())
}

/// The file.
pub(super) fn text(plan: &FmuPlan, token: &str) -> String {
    let (law, programs, is_body) = (plan.law, &plan.programs, plan.kind == UnitKind::Body);
    let what = match plan.kind {
        UnitKind::Law => format!("The friction law {} as a unit: velocity and load in, friction out.", law.name),
        UnitKind::Body => {
            format!("A body on the friction law {} as a unit: force and load in, motion and friction out.", law.name)
        }
    };
    let made = format!("Made by stiction {}; generate it again instead of editing it.", env!("CARGO_PKG_VERSION"));
    let mut out = comment(&[what, made, "Compile unit.c, which includes all other files.".to_owned()]);
    out += &format!("#define UNIT_TOKEN \"{token}\"\n");
    let flags = [
        ("IS_BODY", usize::from(is_body)),
        ("MEMORY", programs.states),
        ("LAW_PARAMETERS", programs.params),
        ("LAW_GUARDS", programs.guards.outputs.len()),
        ("HAS_SET", usize::from(programs.hold.is_some())),
        ("HAS_BAND", usize::from(programs.band.is_some())),
        ("HAS_EXTREMUM", usize::from(programs.extremum.is_some())),
        ("HAS_JUMP", usize::from(programs.jump.is_some())),
    ];
    flags.iter().for_each(|(name, value)| out += &format!("#define {name} {value}\n"));
    let mass = is_body.then_some(());
    let column = |of_mass: f64, of: fn(&stiction_core::Param) -> f64| {
        mass.map(|()| of_mass).into_iter().chain(plan.params.iter().map(of)).map(number).collect::<Vec<_>>()
    };
    out += "\n/* Parameters: the mass of a body, then those of the law. */\n";
    out += &array("double", "start_values", column(plan.mass, |p| p.default));
    out += &array("double", "least_values", column(MASS_BOUNDS.0, |p| p.min));
    out += &array("double", "largest_values", column(MASS_BOUNDS.1, |p| p.max));
    let names = mass.map(|()| "mass").into_iter().chain(plan.params.iter().map(|p| p.name));
    out += &array("char *const", "parameter_names", names.map(|name| format!("\"{}\"", to_ascii(name))));
    out += "\n/* States: position and velocity of a body, then the memory of the law. */\n";
    let states = if is_body { 2 } else { 0 } + programs.states;
    out += &array("double", "start_states", vec![number(0.0); states]);
    let flows = vec![true; if is_body { 2 } else { 0 }].into_iter().chain(programs.flows.iter().copied());
    out += &array("char", "state_flows", flows.map(|flows| u8::from(flows).to_string()));
    let nominals = plan.variables().into_iter().filter_map(|variable| variable.nominal);
    out += &array("double", "state_nominals", nominals.map(number));
    out += "/* The size of each number of memory while the law slides. */\n";
    out += &array("double", "memory_range", plan.ranges.iter().copied().map(number));
    out += &conditions(plan);
    out += "\n/* The coefficients of Rodas5P. */\n";
    out += &format!("#define RODAS_GAMMA {}\n", number(rodas5p::GAMMA));
    out += &table("RODAS_A", &rodas5p::A);
    out += &table("RODAS_C", &rodas5p::C);
    out += &table("RODAS_H", &rodas5p::H);
    out += &format!("static const double RODAS_NODES[8] = {{{}}};\n", rodas5p::NODES.map(number).join(", "));
    out + &format!("static const double RODAS_D[8] = {{{}}};\n", rodas5p::D.map(number).join(", "))
}

/// The conditions between parameters that are sums compared with each other, such as `fs >= fc`, or alternatives of these.
fn conditions(plan: &FmuPlan) -> String {
    let mut out = "\n/* A condition between parameters that does not hold; none if all do. */\n".to_owned();
    out += "static const char *broken_condition(const double *p) {\n    (void)p;\n";
    for relation in plan.law.relations {
        let alternatives: Option<Vec<String>> =
            relation.text.split(" or ").map(|text| comparison(plan, text)).collect();
        if let Some(alternatives) = alternatives {
            let text = to_ascii(relation.text);
            out += &format!("    if (!({})) return \"{text} does not hold\";\n", alternatives.join(" || "));
        }
    }
    out + "    return NULL;\n}\n"
}

/// Two sums that are compared, in C.
fn comparison(plan: &FmuPlan, text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_comparison = |word: &str| matches!(word, "<" | "<=" | ">" | ">=" | "=");
    let is_operator = |word: &str| matches!(word, "+" | "-" | "*") || is_comparison(word);
    let compares = words.iter().filter(|word| is_comparison(word)).count() == 1;
    let alternates =
        words.len() % 2 == 1 && words.iter().enumerate().all(|(i, word)| (i % 2 == 1) == is_operator(word));
    let term = |word: &&str| match (plan.params.iter().position(|p| p.name == *word), word.parse::<f64>()) {
        _ if *word == "=" => Some("==".to_owned()),
        _ if is_operator(word) => Some((*word).to_owned()),
        (Some(i), _) => Some(format!("p[{i}]")),
        (None, Ok(x)) if x.is_finite() => Some(number(x)),
        _ => None,
    };
    let terms: Option<Vec<String>> = words.iter().map(term).collect();
    terms.filter(|_| compares && alternates).map(|terms| terms.join(" "))
}
