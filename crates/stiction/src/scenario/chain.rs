//! Chains: many equal blocks in a row, for Burridge and Knopoff's earthquakes and for belts.
use super::builder::Builder;
use super::contacts;
use super::keys::{Component, ValueKind, number, optional, required};
use crate::Error;
use crate::system::{Body, Contact, GROUND, Spring};
use stiction_core::Real;

pub(super) static CHAIN: Component = Component {
    name: "chain",
    form: "[chain.NAME]",
    doc: "Equal blocks in a row, NAME-1 to NAME-COUNT, each with friction on the ground (NAME-1-rub), joined by springs (NAME-1-next) and, if it has a drive, pulled by one (NAME-1-pull). The parameters of the law stand beside these keys.",
    keys: &[
        required("count", ValueKind::Number, "", "How many blocks."),
        required("mass", ValueKind::Number, "kg", "Mass of a block."),
        required("stiffness", ValueKind::Number, "N/m", "Of the spring from one block to the next."),
        optional("drive", ValueKind::Node, "", "A place that pulls every block."),
        number("pull", "N/m", 1.0, "With a drive: stiffness of the spring from it to a block."),
        number("spread", "m", 0.0, "The initial positions are random within this width."),
        number("seed", "", 1.0, "Seed of the random positions, a whole number."),
        required("law", ValueKind::Text, "", "A law, or a parameter file beside the scenario."),
        contacts::DEFINITION,
        optional("from", ValueKind::Table, "", "Quantities to compute parameters from."),
        optional("reverse", ValueKind::Table, "", "Parameters for backward sliding, where different."),
        optional("noise", ValueKind::Table, "", "A random force."),
    ],
    law: true,
};

/// Most blocks of all chains. A block takes about two kilobytes while it runs: some gigabytes in all.
const MAX_BLOCKS: f64 = 1e6;

/// The error for a name beyond the end of a chain, such as `fault-1000-rub` of a hundred blocks. None if the name is not
/// that of a chain.
pub(super) fn missing_block(chains: &[(String, usize)], name: &str) -> Option<Error> {
    chains.iter().find_map(|(chain, count)| {
        let rest = name.strip_prefix(chain.as_str())?.strip_prefix('-')?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let block: usize = rest[..digits].parse().ok()?;
        let (name, chain) = (name.to_owned(), chain.clone());
        (block == 0 || block > *count).then_some(Error::UnknownBlock { name, chain, count: *count })
    })
}

/// Adds chains.
pub(super) fn chains(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&CHAIN)? {
        let (count, seed) = (s.whole_number("count", 1.0)?, s.whole_number("seed", 0.0)?);
        let others: usize = build.chains.iter().map(|(_, count)| count).sum();
        s.check("count", count, others as f64 + count <= MAX_BLOCKS, "at most a million in all chains")?;
        let spec = contacts::law(build, &s)?;
        let (mass, spread) = (s.number("mass")?, s.number("spread")?);
        let (next, pull) = (s.number("stiffness")?, s.number("pull")?);
        let drive = s.get("drive").map(|_| build.named_node(&s, "drive")).transpose()?;
        build.chains.push((s.name().to_owned(), count as usize));
        let mut last = None;
        for k in 1..=count as u32 {
            let name = format!("{}-{k}", s.name());
            let x = spread * (f64::uniform(seed, f64::from(k)) - 0.5);
            let system = &mut build.system;
            let block = system.body(&name, Body { mass, x, ..Body::default() }).map_err(|error| s.at_key(error))?;
            let contact = Contact::new(&spec).map_err(|error| s.at_key(error))?;
            system.contact(&format!("{name}-rub"), block, GROUND, contact).map_err(|error| s.at_key(error))?;
            if let Some(drive) = drive {
                system
                    .spring(&format!("{name}-pull"), drive, block, Spring::linear(pull))
                    .map_err(|error| s.at_key(error))?;
            }
            if let Some(before) = last {
                let name = format!("{}-{}-next", s.name(), k - 1);
                system.spring(&name, before, block, Spring::linear(next)).map_err(|error| s.at_key(error))?;
            }
            last = Some(block);
        }
    }
    Ok(())
}
