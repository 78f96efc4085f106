//! `model.h`: what the unit is, as constants for the sources that are the same for every law.
use super::tables::Tables;
use super::{FmuPlan, UnitKind};
use crate::export::language_c::{C, comment, to_ascii};
use crate::export::source_text::Syntax;
use stiction_core::program::Precision;

/// An array; C has none without elements, so each has one more.
fn array(kind: &str, name: &str, values: impl IntoIterator<Item = String>) -> String {
    let values: Vec<String> = values.into_iter().chain(["0".to_owned()]).collect();
    format!("static const {kind} {name}[] = {{{}}};\n", values.join(", "))
}

/// The file.
pub(super) fn text(plan: &FmuPlan, token: &str) -> String {
    let law = plan.law.name;
    let what = match plan.kind {
        UnitKind::Law => format!("The friction law {law} as a unit: velocity and load in, friction out."),
        UnitKind::Body => {
            format!("A body on the friction law {law} as a unit: force and load in, motion and friction out.")
        }
    };
    let made = format!("Made by stiction {}; generate it again instead of editing it.", env!("CARGO_PKG_VERSION"));
    let mut out = comment(&[what, made, "Compile unit.c, which includes all other files.".to_owned()]);
    out += &format!("#define UNIT_TOKEN \"{token}\"\n");
    let tables = Tables::of(plan);
    for (name, size) in tables.sizes {
        out += &format!("#define {name} {size}\n");
        // sizes of arrays, of which C has none without elements
        if matches!(name, "MEMORY" | "LAW_PARAMETERS" | "LAW_GUARDS" | "CONDITIONS") {
            out += &format!("#define MOST_{name} {}\n", size.max(1));
        }
    }
    let text = |text: &str| format!("\"{}\"", to_ascii(text));
    out += "\n/* Parameters: the mass of a body, then those of the law. States: position and velocity of a body, then the memory of the law. */\n";
    for (name, values) in &tables.numbers {
        out += &array("double", name, values.iter().map(|x| C("").number(Precision::Double, *x)));
    }
    out += &array("char", "state_flows", tables.flows.iter().map(|flows| u8::from(*flows).to_string()));
    out += &array("char *const", "parameter_names", tables.names.iter().map(|name| text(name)));
    out + &array("char *const", "condition_texts", tables.conditions.iter().map(|condition| text(condition)))
}
