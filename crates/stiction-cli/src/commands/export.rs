//! `stiction export`.
use crate::error::CommandError;
use crate::export::args::{ControllerArgs, TargetArg};
use crate::export::law::{self, LawCodeArgs};
use crate::export::{folder, plan, report};
use crate::stream;
use clap::Subcommand;
use stiction::export::{TargetLanguage, emit_c, emit_rust};

/// Write a controller as source code for firmware, or a law as source code for other tools.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export controller lugre --target c --sample 1e-3\n  stiction export controller identified/model.toml --target rust --method state-feedback+observer --sample 1e-3 -o axis\n  stiction export law lugre --target c -o lugre\n  stiction export law my-dahl.toml --target jax -o my-dahl"
)]
pub struct Args {
    #[command(subcommand)]
    what: ExportKind,
}

#[derive(Subcommand)]
enum ExportKind {
    Controller(Box<ControllerArgs>),
    Law(LawCodeArgs),
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    match &args.what {
        ExportKind::Controller(args) => controller(args, json),
        ExportKind::Law(args) => law::run(args, json),
    }
}

fn controller(args: &ControllerArgs, json: bool) -> Result<(), CommandError> {
    let (plan, notes) = plan::plan(args)?;
    let step = plan.record()?;
    let target = match args.target {
        TargetArg::C => TargetLanguage::C,
        TargetArg::Rust => TargetLanguage::Rust,
    };
    let mut value = report::value(&plan, &step, target);
    let source = match target {
        TargetLanguage::C => emit_c::single_file(&plan, &step),
        TargetLanguage::Rust => emit_rust::library(&plan, &step),
    };
    if let Some(path) = stream::file(args.output.as_deref()) {
        let files = match target {
            TargetLanguage::C => emit_c::files(&plan, &step)?,
            TargetLanguage::Rust => emit_rust::files(&plan, &step)?,
        };
        folder::save(path, &value, &files.into_iter().map(Into::into).collect::<Vec<_>>())?;
        notes.iter().for_each(stream::note);
        if json {
            return stream::json(&value);
        }
        let text = report::text(&step) + &report::next(&plan, target, path);
        return stream::text(&text);
    }
    notes.iter().for_each(stream::note);
    if json {
        value["code"] = source.into();
        return stream::json(&value);
    }
    stream::data(|out| out.write_all(source.as_bytes()))
}
