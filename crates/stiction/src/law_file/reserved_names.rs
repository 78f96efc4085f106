//! Names that mean the same in every law, so that a law has no quantity of its own by them.

/// A name with a meaning in every law.
pub struct ReservedName {
    pub name: &'static str,
    /// What it stands for.
    pub meaning: &'static str,
    /// Where it stands, and what to write elsewhere.
    pub place: &'static str,
}

const fn reserved(name: &'static str, meaning: &'static str, place: &'static str) -> ReservedName {
    ReservedName { name, meaning, place }
}

const KEY: &str = "it is a key of [equations], which equations cannot use as a value; give the expression a name of its own above, and use that";
const RATE: &str = "force and hold alone may use one, as rate.NAME of a state that has a rate";

/// All of them, in the order in which messages list them.
const RESERVED_NAMES: [ReservedName; 13] = [
    reserved("v", "the sliding velocity", "it stands in every equation"),
    reserved("load", "the load factor, 1 at nominal load", "it stands in every equation"),
    reserved(
        "dir",
        "the direction ±1 of impending motion",
        "it stands in hold alone; elsewhere the direction of motion is sign(v)",
    ),
    reserved("dt", "the length of a sample", "it stands in step.NAME alone; a rate is per second"),
    reserved("pi", "the number π", "it stands in every equation"),
    reserved("rate", "the time derivatives of the states", RATE),
    reserved("force", "the friction force", KEY),
    reserved("hold", "the half-width of the set of forces at rest", KEY),
    reserved(
        "jump",
        "by how much the force grows where motion begins",
        "it stands in hold alone, as in hold = \"jump\"",
    ),
    reserved("band", "the speeds that count as rest", KEY),
    reserved("settled", "the memory after long sliding", KEY),
    reserved("step", "the memory after a sample", KEY),
    reserved("set", "what a change of mode sets", "it stands in [[when]], as set.NAME = \"...\""),
];

/// What a name means in every law; none if it is free.
pub fn reserved_name(name: &str) -> Option<&'static ReservedName> {
    RESERVED_NAMES.iter().find(|known| known.name == name)
}

/// All such names.
pub fn reserved_names() -> Vec<&'static str> {
    RESERVED_NAMES.iter().map(|known| known.name).collect()
}
