//! Assembles a controller from its parts: the order of the sum, and which parts wrap others. Generic over the number type,
//! so that simulation and export use the same code.
use super::ControllerPart;
use super::controller::CONTROLLER;
use crate::Error;
use stiction_core::control::registry::{BuildError, CompensatorNumber, DynControl, DynLoop, DynSum, Role};
use stiction_core::{Real, StateInfo};

/// A state of a controller: its part, name and unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControllerStateInfo {
    /// The part; empty for the last command.
    pub part: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
}

/// A block and the names of its states.
type NamedBlock<R> = (Box<dyn DynControl<R>>, Vec<ControllerStateInfo>);

/// The parts of a controller put together in the order of the table of keys, with a saturation at the output; returns it
/// with the names of its states.
///
/// # Errors
/// [`Error::Conflict`] for parts that cannot be combined, with the part as its key; [`Error::ExactlyOne`] if no part
/// yields a command; any error of a part.
pub fn assemble<R: CompensatorNumber>(
    parts: &[ControllerPart],
    limit: f64,
) -> Result<(DynLoop<R>, Vec<ControllerStateInfo>), Error> {
    let (mut blocks, mut models): (Vec<NamedBlock<R>>, Vec<NamedBlock<R>>) = (Vec::new(), Vec::new());
    let mut modelled = false;
    let (mut sensor, mut memory) = (None, Vec::new());
    for key in CONTROLLER.keys {
        let part = parts.iter().find(|part| part.entry.name == key.name);
        match (part, part.map(|part| part.entry.role())) {
            (Some(part), Some(Role::Estimator)) => {
                memory = slots(part, part.entry.states);
                sensor = Some(part.entry.build_estimator(&part.values).map_err(|error| refused(part, &error))?);
            }
            (Some(part), Some(Role::Control)) => {
                if part.entry.name == "disturbance-observer" && modelled {
                    return Err(clash(
                        part,
                        "estimates all of the friction: use it instead of a friction model, not together with one",
                    ));
                }
                modelled |= part.entry.name == "adaptive";
                let block = part.entry.build(&part.values).map_err(|error| refused(part, &error))?;
                blocks.push((block, slots(part, part.entry.states)));
            }
            (Some(part), Some(Role::Compensator)) => {
                let doc = "A law: its name or parameter file, or a table of it and its parameters.";
                let lacks = || Error::MissingKey { name: part.entry.name.to_owned(), key: "law", doc };
                let law = part.law.as_ref().ok_or_else(lacks)?;
                models.push((law.compensator(part.entry, &part.values)?, slots(part, law.law().states)));
            }
            // after all friction models
            (part, _) if key.name == "adaptive-scale" => {
                modelled |= !models.is_empty();
                match part {
                    Some(part) if models.is_empty() => {
                        return Err(clash(part, "needs a feedforward or an observer to multiply"));
                    }
                    Some(part) => blocks.push(around(part, &mut models)?),
                    None => blocks.append(&mut models),
                }
            }
            (Some(part), Some(Role::Wrapper)) if !blocks.is_empty() => {
                let stopped = around(part, &mut blocks)?;
                blocks.push(stopped);
            }
            _ => {}
        }
    }
    if blocks.is_empty() {
        let makes = |key: &&'static str| {
            let role = stiction_core::control::registry::find(key).map(|entry| entry.role());
            matches!(role, Some(Role::Control | Role::Compensator))
        };
        let keys = CONTROLLER.keys.iter().map(|key| key.name).filter(makes).collect();
        return Err(Error::ExactlyOne { name: "controller".to_owned(), keys, given: Vec::new() });
    }
    let (sum, own) = sum(&mut blocks);
    memory.extend(own);
    memory.push(ControllerStateInfo { part: "", name: "applied", unit: "N" });
    Ok((DynLoop { sensor, control: Box::new(sum), limit: R::lit(limit) }, memory))
}

/// The sum of the blocks.
fn sum<R: Real>(parts: &mut Vec<NamedBlock<R>>) -> (DynSum<R>, Vec<ControllerStateInfo>) {
    let (blocks, slots): (Vec<_>, Vec<_>) = parts.drain(..).unzip();
    (DynSum(blocks), slots.into_iter().flatten().collect())
}

fn around<R: Real>(part: &ControllerPart, parts: &mut Vec<NamedBlock<R>>) -> Result<NamedBlock<R>, Error> {
    let (inner, mut memory) = sum(parts);
    memory.extend(slots(part, part.entry.states));
    let block = part.entry.build_around(&part.values, Box::new(inner));
    Ok((block.map_err(|error| refused(part, &error))?, memory))
}

fn slots(part: &ControllerPart, states: &[StateInfo]) -> Vec<ControllerStateInfo> {
    states
        .iter()
        .map(|state| ControllerStateInfo { part: part.entry.name, name: state.name, unit: state.unit })
        .collect()
}

fn clash(part: &ControllerPart, why: &'static str) -> Error {
    Error::Conflict { key: part.entry.name, why }
}

/// Values were checked before, so that only a part in the wrong role fails here.
fn refused(part: &ControllerPart, _: &BuildError) -> Error {
    clash(part, "cannot be used in this role")
}
