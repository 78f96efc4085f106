//! Friction contacts, clutches and brakes, and the law in them.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::keys::{Component, Key, ValueKind, number, optional, optional_with_default, required};
use super::signal::signal;
use crate::system::{Contact, GROUND, Load, Node};
use crate::toml_tree::{self, TomlValue, unknown};
use crate::{Error, ParameterFile, ParameterGroup, Spec, device, is_file_name, parameter_file};
use stiction_core::models::ALL;

const BETWEEN: Key = required(
    "between",
    ValueKind::Nodes,
    "",
    "The two places in contact; the sliding velocity is that of the first relative to the second.",
);
const NAME: Key = required(
    "law",
    ValueKind::Text,
    "",
    "A law ('stiction models' lists them), or a parameter file or law file beside the scenario, FILE.toml.",
);
pub(super) const DEFINITION: Key = optional(
    "definition",
    ValueKind::Text,
    "",
    "The text of a law file whose law is called as 'law' says, so that no file is needed.",
);
const FROM: Key = optional(
    "from",
    ValueKind::Table,
    "",
    "Quantities to compute parameters from, as 'stiction models NAME' lists them.",
);
const REVERSE: Key = optional("reverse", ValueKind::Table, "", "Parameters for backward sliding, where different.");
const NOISE: Key = optional("noise", ValueKind::Table, "", "A random force: 'stiction models stochastic'.");
const MEMORY: Key =
    optional_with_default("memory", ValueKind::Numbers, "", "never moved", "The law's states at the beginning.");

pub(super) static CONTACT: Component = Component {
    name: "contact",
    form: "[contact.NAME]",
    doc: "A friction contact. The parameters of its law stand beside these keys.",
    keys: &[
        BETWEEN,
        NAME,
        DEFINITION,
        FROM,
        REVERSE,
        NOISE,
        optional_with_default(
            "load",
            ValueKind::Other,
            "-",
            "1",
            "Normal load as a multiple of the nominal load of the law: a signal, or a table 'load'.",
        ),
        MEMORY,
    ],
    law: true,
};
pub(super) static CLUTCH: Component = Component {
    name: "clutch",
    form: "[clutch.NAME]",
    doc: "A friction contact pressed on command. The parameters of its law stand beside these keys; fv, which does not follow the command, is 0 unless given.",
    keys: &[
        BETWEEN,
        NAME,
        DEFINITION,
        FROM,
        REVERSE,
        NOISE,
        required("command", ValueKind::Other, "-", "Pressing force, 0 open, 1 nominal: a signal, or a table 'load'."),
        MEMORY,
    ],
    law: true,
};
pub(super) static BRAKE: Component = Component {
    name: "brake",
    form: "[brake.NAME]",
    doc: "A friction contact against the ground, pressed on command. The parameters of its law stand beside these keys; fv, which does not follow the command, is 0 unless given.",
    keys: &[
        required("on", ValueKind::Node, "", "The place that it brakes."),
        NAME,
        DEFINITION,
        FROM,
        REVERSE,
        NOISE,
        required("command", ValueKind::Other, "-", "Pressing force, 0 open, 1 nominal: a signal, or a table 'load'."),
        MEMORY,
    ],
    law: true,
};
pub(super) static LAW: Component = Component {
    name: "law",
    form: "{ law = \"NAME\", ... }",
    doc: "A law inside another component: its name alone, or a table with its parameters beside these keys.",
    keys: &[NAME, DEFINITION, FROM, REVERSE, NOISE],
    law: true,
};
pub(super) static LOAD: Component = Component {
    name: "load",
    form: "load = { ... }",
    doc: "Where the normal load of a contact comes from, where it is not a signal alone. Give one of signal, spring and control.",
    keys: &[
        optional("signal", ValueKind::Signal, "-", "A function of time."),
        optional("spring", ValueKind::Text, "", "A spring whose force is the normal load."),
        optional(
            "control",
            ValueKind::Text,
            "",
            "A controller whose output is the normal load: one without 'on', or a drive, NAME-drive.",
        ),
        number("gain", "1/N", 1.0, "With spring: load per unit of its force."),
        optional(
            "base",
            ValueKind::Number,
            "-",
            "The load factor is base + slope × the value given above, for example a pressure in bar.",
        ),
        optional("slope", ValueKind::Number, "", "See base."),
    ],
    law: false,
};

/// Adds contacts, clutches and brakes.
pub(super) fn contacts(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&CONTACT)? {
        let ends = build.between(&s)?;
        add(build, &s, ends, "load")?;
    }
    for s in build.each(&CLUTCH)? {
        let ends = build.between(&s)?;
        s.required("command")?;
        add(build, &s, ends, "command")?;
    }
    for s in build.each(&BRAKE)? {
        let on = build.named_node(&s, "on")?;
        s.required("command")?;
        add(build, &s, [on, GROUND], "command")?;
    }
    Ok(())
}

fn add(build: &mut Builder<'_>, s: &ComponentTable<'_>, ends: [Node; 2], key: &'static str) -> Result<(), Error> {
    let mut spec = law(build, s)?;
    if key == "command" && s.table.0.iter().all(|entry| entry.key != "fv") && spec.get("fv").is_ok() {
        // viscous friction does not follow the load: left at a law's default it would drag an open clutch
        spec.set("fv", 0.0).map_err(|error| s.head.error(error))?;
    }
    let load = s.get(key).map(|node| load(build, key, node, &mut spec)).transpose()?;
    let mut contact = Contact::new(&spec).map_err(|error| s.head.error(error))?;
    if let Some(load) = load {
        contact = contact.with_load(load);
    }
    contact.memory = s.numbers("memory")?;
    build.system.contact(s.name(), ends[0], ends[1], contact).map_err(|error| s.at_key(error))
}

fn load(build: &Builder<'_>, key: &str, node: &toml_tree::TomlNode, spec: &mut Spec) -> Result<Load, Error> {
    let own = |table: &toml_tree::TomlTable| table.0.iter().any(|entry| LOAD.key(&entry.key).is_some());
    if !matches!(&node.value, TomlValue::Table(table) if own(table)) {
        return Ok(Load::Signal(signal(key, node, build.folder)?));
    }
    let s = ComponentTable::of(key, node, &LOAD)?;
    for name in ["base", "slope"] {
        if let Some(x) = s.optional_number(name)? {
            let at = s.get(name).map_or(s.head, |node| &node.at);
            spec.set(&ParameterGroup::Load.key(name), x).map_err(|error| at.error(error))?;
        }
    }
    let (kind, inner) = s.exactly_one(&["signal", "spring", "control"])?;
    if let Some(node) = s.get("gain").filter(|_| kind != "spring") {
        return Err(node.at.error(Error::Conflict { key: "gain", why: "needs a spring" }));
    }
    Ok(match kind {
        "signal" => Load::Signal(signal(key, inner, build.folder)?),
        "spring" => Load::Spring { name: inner.text("spring")?.to_owned(), gain: s.number("gain")? },
        _ => Load::Control(inner.text("control")?.to_owned()),
    })
}

/// The law named in a section, with the parameters beside it.
pub(super) fn law(build: &mut Builder<'_>, s: &ComponentTable<'_>) -> Result<Spec, Error> {
    let name = s.required("law")?;
    let mut spec = match s.get(DEFINITION.name) {
        Some(definition) => parameter_file::defined_law(definition, name, "law")?,
        None => find(build, name)?,
    };
    let original = spec.clone();
    for entry in &s.table.0 {
        if s.component.key(&entry.key).is_none() && spec.get(&entry.key).is_err() {
            let laws: Vec<&str> =
                ALL.iter().filter(|law| law.params.iter().any(|p| p.name == entry.key)).map(|law| law.name).collect();
            if !laws.is_empty() {
                let (law, name) = (spec.law().name, entry.key.clone());
                return Err(entry.at.error(Error::ForeignParameter { law, name, laws }));
            }
            let params = spec.law().params.iter().map(|p| p.name.to_owned());
            return Err(entry.at.error(unknown(&entry.key, s.names().into_iter().chain(params).collect())));
        }
    }
    if let Some(node) = s.get("from") {
        let mut known = Vec::new();
        for entry in &node.table("from")?.0 {
            known.push((entry.key.as_str(), entry.node.number(&entry.key)?));
        }
        let open = spec.apply_recipe(&known).map_err(|error| node.at.error(error))?;
        build.assumed.extend(open.into_iter().map(|open| (s.path.clone(), open)));
    }
    let wrappers = [REVERSE.name, NOISE.name];
    let own: Vec<&str> = s.component.keys.iter().map(|key| key.name).filter(|key| !wrappers.contains(key)).collect();
    parameter_file::fill(&mut spec, s.table, s.head, &s.path, &own)?;
    let name = name.text("law")?;
    let has_values = is_file_name(name) || device::find(name).is_some();
    let replaced = if has_values { changed_parameters(&original, &spec) } else { Vec::new() };
    if !replaced.is_empty() {
        let (path, names) = (&s.path, replaced.join(", "));
        let verb = if replaced.len() == 1 { "replaces the value" } else { "replace the values" };
        build.notes.push(format!("{path}: {names} in the scenario {verb} of {name}"));
    }
    Ok(spec)
}

/// The parameters whose values differ between two settings of a law.
fn changed_parameters(before: &Spec, after: &Spec) -> Vec<String> {
    let of = |part: ParameterGroup| {
        let rows = after.rows(part).into_iter();
        rows.filter(move |(p, x)| before.get(&part.key(p.name)).ok() != Some(*x)).map(move |(p, _)| part.key(p.name))
    };
    ParameterGroup::ALL.into_iter().flat_map(of).collect()
}

/// The law behind a key: a name, or a table of its own.
pub(super) fn law_at(build: &mut Builder<'_>, key: &str, node: &toml_tree::TomlNode) -> Result<Spec, Error> {
    match &node.value {
        TomlValue::Table(_) => law(build, &ComponentTable::of(key, node, &LAW)?),
        _ => find(build, node),
    }
}

/// A law by its name or file.
fn find(build: &mut Builder<'_>, node: &toml_tree::TomlNode) -> Result<Spec, Error> {
    let name = node.text("law")?;
    let spec = ParameterFile::find_in(name, build.folder).map(|file| {
        build.notes.extend(file.note().map(|note| format!("{name}: {note}")));
        file.spec
    });
    spec.map_err(|error| node.at.error(error))
}
