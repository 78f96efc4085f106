//! Chains: many equal blocks in a row, for Burridge and Knopoff's earthquakes and for belts.
use super::build::Builder;
use super::contacts;
use super::keys::{Component, Kind, may, must, num};
use crate::Error;
use crate::system::{Body, Contact, GROUND, Spring};
use stiction_core::Real;

pub(super) static CHAIN: Component = Component {
    name: "chain",
    form: "[chain.NAME]",
    doc: "Equal blocks in a row, NAME-1 to NAME-COUNT, each rubbing on the ground (NAME-1-rub), joined by springs (NAME-1-next) and, if it has a drive, pulled by one (NAME-1-pull). The parameters of the law stand beside these keys.",
    keys: &[
        must("count", Kind::Number, "", "How many blocks."),
        must("mass", Kind::Number, "kg", "Mass of a block."),
        must("stiffness", Kind::Number, "N/m", "Of the spring from one block to the next."),
        may("drive", Kind::Node, "", "A place that pulls every block."),
        num("pull", "N/m", 1.0, "With a drive: stiffness of the spring from it to a block."),
        num("spread", "m", 0.0, "The blocks begin at random places within this width."),
        num("seed", "", 1.0, "Which random places: a whole number."),
        must("law", Kind::Text, "", "A law, or a parameter file beside the scenario."),
        may("from", Kind::Table, "", "Quantities to compute parameters from."),
        may("reverse", Kind::Table, "", "Parameters for backward sliding, where different."),
        may("noise", Kind::Table, "", "A random force."),
    ],
    law: true,
};

/// That a chain is shorter than a name wants it: `fault-1000-rub` of a hundred blocks. None if no chain is meant.
pub(super) fn no_block(chains: &[(String, usize)], name: &str) -> Option<Error> {
    chains.iter().find_map(|(chain, count)| {
        let rest = name.strip_prefix(chain.as_str())?.strip_prefix('-')?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let block: usize = rest[..digits].parse().ok()?;
        let (name, chain) = (name.to_owned(), chain.clone());
        (block == 0 || block > *count).then_some(Error::Block { name, chain, count: *count })
    })
}

/// Adds chains.
pub(super) fn chains(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&CHAIN)? {
        let (count, seed) = (s.whole("count", 1.0)?, s.whole("seed", 0.0)?);
        let spec = contacts::law(build, &s)?;
        let (mass, spread) = (s.number("mass")?, s.number("spread")?);
        let (next, pull) = (s.number("stiffness")?, s.number("pull")?);
        let drive = s.get("drive").map(|_| build.place(&s, "drive")).transpose()?;
        build.chains.push((s.name().to_owned(), count as usize));
        let mut last = None;
        for k in 1..=count as u32 {
            let name = format!("{}-{k}", s.name());
            let x = spread * (f64::uniform(seed, f64::from(k)) - 0.5);
            let system = &mut build.system;
            let block = system.body(&name, Body { mass, x, ..Body::default() }).map_err(|error| s.blame(error))?;
            let contact = Contact::new(&spec).map_err(|error| s.blame(error))?;
            system.contact(&format!("{name}-rub"), block, GROUND, contact).map_err(|error| s.blame(error))?;
            if let Some(drive) = drive {
                system
                    .spring(&format!("{name}-pull"), drive, block, Spring::linear(pull))
                    .map_err(|error| s.blame(error))?;
            }
            if let Some(before) = last {
                let name = format!("{}-{}-next", s.name(), k - 1);
                system.spring(&name, before, block, Spring::linear(next)).map_err(|error| s.blame(error))?;
            }
            last = Some(block);
        }
    }
    Ok(())
}
