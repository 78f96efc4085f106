//! `stiction check`.
use crate::error::CommandError;
use crate::law::LawArgs;
use crate::stream;
use crate::text::wrap;
use serde_json::json;
use stiction::LawFile;
use stiction::analysis::law_check::{LawCheck, Verdict};

/// Check a law, above all one written as a file: whether it keeps to what it claims.
///
/// Tries what simulations, fits and controllers rely on: forces are numbers for all admissible parameters, sliding takes
/// energy, a body at rest is held by what the force jumps by, samples of any length are stable, changes of mode happen once.
/// 'fails' is a mistake in the law; 'differs' is a property of it that you should know. Whether a law is passive is a search of
/// its own: 'stiction energy'.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction check my-law.toml\n  stiction check lugre --set sigma1=0\n  stiction check my-law.toml --json"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let spec = args.law.file()?.spec;
    let name = spec.law().name;
    let check = LawCheck::new(&spec)?;
    if json {
        let rows =
            check.properties.iter().map(|p| json!({ "name": p.name, "verdict": word(p.verdict), "found": p.found }));
        let sound = check.is_sound();
        stream::json(&json!({ "law": name, "sound": sound, "properties": rows.collect::<Vec<_>>() }))?;
    } else {
        let mut out = format!("{name}\n\n");
        if let Some(program) = LawFile::of(spec.law()).and_then(|law| law.entry().program()) {
            let equations = &program.equations;
            let way = if equations.step.is_some() {
                "by its own equation"
            } else if program.is_empty() {
                "no memory"
            } else if program.is_decoupled() {
                "in closed form: each rate is linear in its own state"
            } else {
                "by an implicit step of second order"
            };
            let count = equations.flow.operations.len();
            out += &wrap(
                "  program     ",
                &format!("{count} operations for force and rates; guards beside v: {}", program.guard_count()),
                14,
            );
            out += &wrap("  samples     ", way, 14);
            out.push('\n');
        }
        for property in &check.properties {
            out += &wrap(&format!("  {:<8}  {:<13}", word(property.verdict), property.name), &property.found, 25);
        }
        stream::text(&out)?;
    }
    if check.is_sound() {
        return Ok(());
    }
    let broken = check.properties.iter().filter(|p| p.verdict == Verdict::Broken).map(|p| p.name).collect::<Vec<_>>();
    Err(CommandError::negative(
        format!("{name} fails: {}", broken.join(", ")),
        "the book, 'Your own law', explains each property",
    ))
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Broken => "fails",
        Verdict::Differs => "differs",
    }
}
