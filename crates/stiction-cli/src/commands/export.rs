//! `stiction export`.
use crate::error::CommandError;
use crate::export::args::{ControllerArgs, TargetArg};
use crate::export::fmu::{self, FmuArgs};
use crate::export::law::{self, LawCodeArgs};
use crate::export::mujoco_plugin::{self, PluginArgs};
use crate::export::page::{self, PageArgs};
use crate::export::robot::{self, MjcfArgs, SdfArgs, UrdfArgs, UsdArgs};
use crate::export::{folder, plan};
use crate::stream;
use clap::Subcommand;
use stiction::export::TargetLanguage;
use stiction_report::Report;
use stiction_report::controller_code::ControllerCode;

/// Write a controller or a law as source code, a unit, friction of a robot's joint, a live page.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export controller lugre --target c --sample 1e-3\n  stiction export controller identified/model.toml --target rust --method state-feedback+observer --sample 1e-3 -o axis\n  stiction export law lugre --target c -o lugre\n  stiction export law my-dahl.toml --target jax -o my-dahl\n  stiction export fmu stribeck -o axis.fmu\n  stiction export mjcf identified/model.toml --into robot.xml --joint elbow -o robot-friction.xml\n  stiction export page lugre -o lugre.html"
)]
pub struct Args {
    #[command(subcommand)]
    what: ExportKind,
}

#[derive(Subcommand)]
enum ExportKind {
    Controller(Box<ControllerArgs>),
    Law(LawCodeArgs),
    Fmu(FmuArgs),
    Mjcf(MjcfArgs),
    Urdf(UrdfArgs),
    Sdf(SdfArgs),
    Usd(UsdArgs),
    MujocoPlugin(PluginArgs),
    Page(PageArgs),
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    match &args.what {
        ExportKind::Controller(args) => controller(args, json),
        ExportKind::Law(args) => law::run(args, json),
        ExportKind::Fmu(args) => fmu::run(args, json),
        ExportKind::Mjcf(args) => robot::mjcf(args, json),
        ExportKind::Urdf(args) => robot::urdf(args, json),
        ExportKind::Sdf(args) => robot::sdf(args, json),
        ExportKind::Usd(args) => robot::usd(args, json),
        ExportKind::MujocoPlugin(args) => mujoco_plugin::run(args, json),
        ExportKind::Page(args) => page::run(args, json),
    }
}

fn controller(args: &ControllerArgs, json: bool) -> Result<(), CommandError> {
    let (plan, notes) = plan::plan(args)?;
    let target = match args.target {
        TargetArg::C => TargetLanguage::C,
        TargetArg::Rust => TargetLanguage::Rust,
    };
    let code = ControllerCode::record(plan, target)?;
    let notes: Vec<String> = notes.into_iter().chain(code.warning()).collect();
    let mut value = code.json();
    if let Some(path) = stream::file(args.output.as_deref()) {
        folder::save(path, &value, &code.files()?.into_iter().map(Into::into).collect::<Vec<_>>())?;
        notes.iter().for_each(stream::note);
        return if json { stream::json(&value) } else { stream::text(&(code.text() + &code.next(path))) };
    }
    notes.iter().for_each(stream::note);
    if json {
        value["code"] = code.source().into();
        return stream::json(&value);
    }
    stream::data(|out| out.write_all(code.source().as_bytes()))
}
