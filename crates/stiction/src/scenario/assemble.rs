//! From the parts of a controller to the controller: what adds up, in which order, and what goes around what. Over any
//! number, so that what is simulated and what is exported is one thing.
use super::Piece;
use super::controller::CONTROLLER;
use crate::Error;
use stiction_core::control::registry::{Assembly, Block, BuildError, Role, Sum};
use stiction_core::{Real, StateInfo};

/// A number of a controller's memory: the part whose it is, its name and unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The part; empty for the last command.
    pub part: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
}

/// A block and the names of its memory.
type Named<R> = (Box<dyn Block<R>>, Vec<Slot>);

/// The parts of a controller put together in the order of the table of keys, with a limit behind, and the names of its
/// memory, number by number.
///
/// # Errors
/// [`Error::Clash`] for parts that do not go together, with the part as its key; [`Error::OneOf`] if nothing makes a
/// command; whatever is wrong with a part.
pub fn assemble<R: Real>(pieces: &[Piece], limit: f64) -> Result<(Assembly<R>, Vec<Slot>), Error> {
    let (mut parts, mut models): (Vec<Named<R>>, Vec<Named<R>>) = (Vec::new(), Vec::new());
    let mut modelled = false;
    let (mut sensor, mut memory) = (None, Vec::new());
    for key in CONTROLLER.keys {
        let piece = pieces.iter().find(|piece| piece.entry.name == key.name);
        match (piece, piece.map(|piece| piece.entry.role())) {
            (Some(piece), Some(Role::Estimator)) => {
                memory = slots(piece, piece.entry.states);
                sensor = Some(piece.entry.build_sensor(&piece.values).map_err(|error| refused(piece, &error))?);
            }
            (Some(piece), Some(Role::Control)) => {
                if piece.entry.name == "disturbance-observer" && modelled {
                    return Err(clash(
                        piece,
                        "takes all friction for its own: it stands instead of a model, not beside one",
                    ));
                }
                modelled |= piece.entry.name == "adaptive";
                let block = piece.entry.build(&piece.values).map_err(|error| refused(piece, &error))?;
                parts.push((block, slots(piece, piece.entry.states)));
            }
            (Some(piece), Some(Role::Compensator)) => {
                let doc = "A law: its name or parameter file, or a table of it and its parameters.";
                let lacks = || Error::Lacks { name: piece.entry.name.to_owned(), key: "law", doc };
                let law = piece.law.as_ref().ok_or_else(lacks)?;
                models.push((law.compensator(piece.entry, &piece.values)?, slots(piece, law.law().states)));
            }
            // after all models, whether it is there or not
            (piece, _) if key.name == "adaptive-scale" => {
                modelled |= !models.is_empty();
                match piece {
                    Some(piece) if models.is_empty() => {
                        return Err(clash(piece, "needs a feedforward or an observer to multiply"));
                    }
                    Some(piece) => parts.push(around(piece, &mut models)?),
                    None => parts.append(&mut models),
                }
            }
            (Some(piece), Some(Role::Wrapper)) if !parts.is_empty() => {
                let stopped = around(piece, &mut parts)?;
                parts.push(stopped);
            }
            _ => {}
        }
    }
    if parts.is_empty() {
        let makes = |key: &&'static str| {
            let role = stiction_core::control::registry::find(key).map(|entry| entry.role());
            matches!(role, Some(Role::Control | Role::Compensator))
        };
        let keys = CONTROLLER.keys.iter().map(|key| key.name).filter(makes).collect();
        return Err(Error::OneOf { name: "controller".to_owned(), keys, given: Vec::new() });
    }
    let (sum, own) = sum(&mut parts);
    memory.extend(own);
    memory.push(Slot { part: "", name: "applied", unit: "N" });
    Ok((Assembly { sensor, control: Box::new(sum), limit: R::lit(limit) }, memory))
}

/// All of these together.
fn sum<R: Real>(parts: &mut Vec<Named<R>>) -> (Sum<R>, Vec<Slot>) {
    let (blocks, slots): (Vec<_>, Vec<_>) = parts.drain(..).unzip();
    (Sum(blocks), slots.into_iter().flatten().collect())
}

fn around<R: Real>(piece: &Piece, parts: &mut Vec<Named<R>>) -> Result<Named<R>, Error> {
    let (inner, mut memory) = sum(parts);
    memory.extend(slots(piece, piece.entry.states));
    let block = piece.entry.build_around(&piece.values, Box::new(inner));
    Ok((block.map_err(|error| refused(piece, &error))?, memory))
}

fn slots(piece: &Piece, states: &[StateInfo]) -> Vec<Slot> {
    states.iter().map(|state| Slot { part: piece.entry.name, name: state.name, unit: state.unit }).collect()
}

fn clash(piece: &Piece, why: &'static str) -> Error {
    Error::Clash { key: piece.entry.name, why }
}

/// Values that a file or an option gave were checked before, so only a part in the wrong place gets here.
fn refused(piece: &Piece, _: &BuildError) -> Error {
    clash(piece, "cannot be built of this")
}
