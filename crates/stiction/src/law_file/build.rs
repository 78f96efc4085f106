//! From a law file to an entry of the registry.
use super::compiled_law::CompiledLaw;
use super::registry_tables::tables;
use super::source::LawSource;
use crate::Error;
use crate::error::LawFileError;
use stiction_core::Input;
use stiction_core::program::{LawProgram, LawProgramError, PROGRAM_STATES_MAX, ProgramLaw};
use stiction_core::registry::LawEntry;

/// The law as an entry of the registry. It lives as long as the program.
pub(super) fn entry(source: &LawSource) -> Result<LawEntry, Error> {
    let equations = CompiledLaw::new(source).equations()?;
    let mut program = LawProgram::new(equations).map_err(|error| {
        let what = match error {
            LawProgramError::States => format!("{} states, more than {PROGRAM_STATES_MAX}", source.states.len()),
            LawProgramError::TooLong(name) => format!("the program of {name}"),
        };
        source.top.error(LawFileError::TooLarge { what })
    })?;
    program.settles = settles(&program, source);
    let program: &'static LawProgram = Box::leak(Box::new(program));
    Ok(LawEntry::of_program(tables(source)?, program))
}

/// Whether sliding at constant speed leads to a memory that does not change any more: two long times give the same.
fn settles(program: &LawProgram, source: &LawSource) -> bool {
    if program.is_empty() || program.equations.settled.is_some() {
        return true;
    }
    let law = ProgramLaw::new(program, source.params.iter().map(|param| param.default).collect::<Vec<f64>>());
    [-1.0, -1e-3, 1e-3, 1.0].into_iter().all(|v| {
        let u = Input::at(v);
        let mut z = vec![0.0; law.len()];
        let range = law.settle(&u, &mut z);
        let before = z.clone();
        // as long again as a slow law needs, but not so long that an integrator would overflow
        law.step(&mut z, &u, 1e9);
        let force = law.force(&before, &u);
        // a limit of zero is approached for ever: what counts is the change beside the range on the way
        let stays = before.iter().zip(&z).zip(range).all(|((a, b), range)| (a - b).abs() <= 1e-9 * range);
        force.is_finite() && z.iter().all(|x| x.is_finite() && x.abs() < 1e15) && stays
    })
}
