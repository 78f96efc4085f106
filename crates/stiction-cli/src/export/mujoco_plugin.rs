//! `stiction export mujoco-plugin`.
use super::folder;
use crate::error::CommandError;
use crate::law::{LawArgs, finite, note_offset};
use crate::stream;
use std::path::PathBuf;
use stiction::export::mujoco_plugin::MujocoPlugin;
use stiction_report::Report;
use stiction_report::mujoco_plugin::PluginReport;
use stiction_report::text::{digits, quote};

/// Write a law as a plugin of MuJoCo, in C: any law in any hinge or slide joint.
///
/// A law that holds a joint at rest uses MuJoCo's constraint of dry friction, whose level it sets at every step, so that
/// stick is solved together with contacts, limits and other joints; the joint needs a frictionloss above 0 for it. Any
/// other law is a passive force. The plugin warns of solver settings with which a held joint would creep, and of time
/// steps that are too long.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export mujoco-plugin stribeck -o plugin\n  stiction export mujoco-plugin identified/model.toml -o plugin\n  stiction export mujoco-plugin my-dahl.toml > my-dahl.c"
)]
pub struct PluginArgs {
    #[command(flatten)]
    law: LawArgs,
    /// Mass or moment of inertia at the joint of the example; default: the identified one, or 1.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    mass: Option<String>,
    /// Write source, example and check to this folder; without it, the source is printed on stdout.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &PluginArgs, json: bool) -> Result<(), CommandError> {
    let model = args.law.file()?;
    let mut plugin = MujocoPlugin::new(&model.spec)?;
    note_offset(&model, "a constant force is no friction of a joint");
    let given = args.mass.as_deref().map(|text| finite("--mass", text)).transpose()?;
    if let Some(mass) = given.or(model.mass()) {
        plugin = plugin.with_mass(mass)?;
    }
    if let Some(turns) = model.turns() {
        plugin = plugin.with_turns(turns);
    }
    let (stable, step) = (plugin.longest_stable_step(), plugin.time_step());
    if stable < step {
        stream::note(format_args!(
            "the law is stable in a joint of this mass with steps up to {} s; the example has {} s and is not: give a larger --mass, or take a law that holds",
            digits(stable),
            digits(step)
        ));
    }
    let report = PluginReport { plugin };
    let mut value = report.json();
    if let Some(path) = stream::file(args.output.as_deref()) {
        let files: Vec<_> = report.plugin.files().into_iter().map(Into::into).collect();
        folder::save(path, &value, &files)?;
        if json {
            return stream::json(&value);
        }
        let next = format!(
            "\nNext: python {}, which compiles and tries it\n",
            quote(&path.join("check.py").to_string_lossy())
        );
        return stream::text(&(report.text() + &next));
    }
    if json {
        value["code"] = report.plugin.source().into();
        return stream::json(&value);
    }
    stream::data(|out| out.write_all(report.plugin.source().as_bytes()))
}
