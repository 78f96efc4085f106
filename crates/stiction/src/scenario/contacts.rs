//! Friction contacts, clutches and brakes, and the law in them.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::inline_law;
use super::keys::{Component, Key, ValueKind, number, optional, optional_with_default, required};
use super::law_replacement;
use super::signal::signal;
use super::switch::{ENABLE, switch};
use crate::system::{Contact, GROUND, Heating, Load, Node, SystemError, SystemErrorKind};
use crate::toml_tree::{self, TomlValue, unknown};
use crate::{Error, ParameterFile, ParameterGroup, Spec, device, is_file_name, parameter_file};
use stiction_core::models::ALL;

const BETWEEN: Key = required(
    "between",
    ValueKind::Nodes,
    "",
    "The two places in contact; the sliding velocity is that of the first relative to the second.",
);
const NAME: Key = optional(
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

const PEAK: Key = number(
    "peak",
    "-",
    1.0,
    "Largest force at rest over the one that the law holds: above 1 it breaks away above the force with which sliding begins.",
);

const HEAT: Key = optional_with_default(
    "heating",
    ValueKind::Table,
    "",
    "none",
    "A mass that the friction warms up, a table 'heating': columns NAME.heat [J] and NAME.temperature [K] above the surroundings.",
);
const RADIUS: Key = optional(
    "radius",
    ValueKind::Number,
    "m",
    "A wheel: one place turns, and touches the other, which moves straight, at this radius. The sliding velocity is v − radius·ω if the straight one is first, else radius·ω − v; the force in N.",
);

pub(super) static CONTACT: Component = Component {
    name: "contact",
    form: "[contact.NAME]",
    doc: "A friction contact. The parameters of its law stand beside these keys.",
    keys: &[
        BETWEEN,
        NAME,
        inline_law::FORCE,
        inline_law::TABLE,
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
        RADIUS,
        PEAK,
        HEAT,
        MEMORY,
        ENABLE,
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
        inline_law::FORCE,
        inline_law::TABLE,
        DEFINITION,
        FROM,
        REVERSE,
        NOISE,
        required("command", ValueKind::Other, "-", "Pressing force, 0 open, 1 nominal: a signal, or a table 'load'."),
        PEAK,
        HEAT,
        MEMORY,
        ENABLE,
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
        inline_law::FORCE,
        inline_law::TABLE,
        DEFINITION,
        FROM,
        REVERSE,
        NOISE,
        required("command", ValueKind::Other, "-", "Pressing force, 0 open, 1 nominal: a signal, or a table 'load'."),
        PEAK,
        HEAT,
        MEMORY,
        ENABLE,
    ],
    law: true,
};
pub(super) static HEATING: Component = Component {
    name: "heating",
    form: "heating = { ... }",
    doc: "A lumped mass that the power of a contact warms up, and the friction that follows its temperature: times exp(-softening·temperature).",
    keys: &[
        number("capacity", "J/K", f64::INFINITY, "Heat capacity; without it the temperature stays."),
        number("conductance", "W/K", 0.0, "Heat flow to the surroundings per kelvin."),
        number("softening", "1/K", 0.0, "By which part the friction force falls per kelvin; negative: it grows."),
        number("start", "K", 0.0, "Temperature above the surroundings at the beginning."),
    ],
    law: false,
};
pub(super) static LAW: Component = Component {
    name: "law",
    form: "{ law = \"NAME\", ... }",
    doc: "A law inside another component: its name alone, or a table with its parameters beside these keys.",
    keys: &[NAME, inline_law::FORCE, inline_law::TABLE, DEFINITION, FROM, REVERSE, NOISE],
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
    let peak = s.number(PEAK.name)?;
    s.check(PEAK.name, peak, (1.0..f64::INFINITY).contains(&peak), "1 or more")?;
    if let Some(node) = s.get(PEAK.name).filter(|_| peak > 1.0 && !contact.holds()) {
        let why = "needs a law that holds a body at rest, such as coulomb, stiction or stribeck";
        return Err(node.at.error(Error::Conflict { key: PEAK.name, why }));
    }
    contact = contact.with_peak(peak);
    if s.component.key(RADIUS.name).is_some() {
        contact.radius = s.optional_number(RADIUS.name)?;
    }
    contact.memory = s.numbers("memory")?;
    if let Some(node) = s.get(HEAT.name) {
        let given = contact.memory.len();
        if given > 0 && given != contact.law.len() {
            let kind = SystemErrorKind::MemoryLength { expected: contact.law.len(), given };
            return Err(s.at_key(SystemError { name: s.name().to_owned(), kind }));
        }
        let heating = ComponentTable::of(HEAT.name, node, &HEATING)?;
        let [capacity, conductance, softening, start] = [
            heating.number("capacity")?,
            heating.number("conductance")?,
            heating.number("softening")?,
            heating.number("start")?,
        ];
        heating.check("capacity", capacity, capacity > 0.0, "positive")?;
        heating.check("conductance", conductance, conductance >= 0.0 && conductance.is_finite(), "0 or more")?;
        contact = contact.with_heating(Heating { capacity, conductance, softening }, start);
    }
    build.system.contact(s.name(), ends[0], ends[1], contact).map_err(|error| s.at_key(error))?;
    switch(build, s, &[s.name()])
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

/// The law named or given in a section, with the parameters beside it.
pub(super) fn law(build: &mut Builder<'_>, s: &ComponentTable<'_>) -> Result<Spec, Error> {
    let (kind, name) = s.exactly_one(&[NAME.name, inline_law::FORCE.name, inline_law::TABLE.name])?;
    let mut spec = match s.get(DEFINITION.name) {
        Some(definition) if kind != NAME.name => {
            let why = "belongs to a law by name, which the formula or table replaces";
            return Err(definition.at.error(Error::Conflict { key: "definition", why }));
        }
        Some(definition) => parameter_file::defined_law(definition, name, "law")?,
        None if kind == inline_law::FORCE.name => inline_law::formula(s, name)?,
        None if kind == inline_law::TABLE.name => inline_law::table(s, name)?,
        None => find(build, name)?,
    };
    let original = spec.clone();
    let (entries, left_out) = law_replacement::entries_of_law(s, &spec);
    if !left_out.is_empty() {
        let (path, names, law) = (&s.path, left_out.join(", "), spec.law().name);
        build.notes.push(format!("{path}: {names} of the scenario left out: '{law}' has no such parameters"));
    }
    for entry in &entries.0 {
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
    if let Some(node) = entries.get("from") {
        let mut known = Vec::new();
        for entry in &node.table("from")?.0 {
            known.push((entry.key.as_str(), entry.node.number(&entry.key)?));
        }
        let open = spec.apply_recipe(&known).map_err(|error| node.at.error(error))?;
        build.assumed.extend(open.into_iter().map(|open| (s.path.clone(), open)));
    }
    let wrappers = [REVERSE.name, NOISE.name];
    let own: Vec<&str> = s.component.keys.iter().map(|key| key.name).filter(|key| !wrappers.contains(key)).collect();
    parameter_file::fill(&mut spec, &entries, s.head, &s.path, &own)?;
    if kind != NAME.name {
        return Ok(spec);
    }
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
