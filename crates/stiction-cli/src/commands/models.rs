//! `stiction models`.
use crate::fault::Fault;
use crate::law::Names;
use crate::page::Page;
use crate::{book, stream, text, wrappers};
use std::path::PathBuf;
use stiction::LawError;
use stiction::core::{Input, models::ALL, registry::Entry};
use stiction::{Error, Spec, near::near};

/// List the friction laws, or explain one.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction models\n  stiction models lugre\n  stiction models asymmetric\n  stiction models --json\n  stiction models -o laws"
)]
pub struct Args {
    /// A law or a wrapper.
    #[arg(value_parser = Names { wrappers: true }, hide_possible_values = true)]
    name: Option<String>,
    /// Write pages of all laws (Markdown) with pictures (SVG) to this folder.
    #[arg(short, long, value_name = "DIR", conflicts_with = "name")]
    output: Option<PathBuf>,
    /// With -o: also put every law through the experiments of 'stiction phenomena', which takes a while.
    #[arg(long, requires = "output")]
    phenomena: bool,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), Fault> {
    if let Some(path) = &args.output {
        book::write(path, args.phenomena)?;
        if !json {
            return Ok(());
        }
    }
    match &args.name {
        Some(name) => {
            let page = page(name)?;
            if json { stream::json(&page) } else { stream::text(&page.text()) }
        }
        None if json => stream::json(&ALL.iter().map(Page::law).collect::<Vec<_>>()),
        None => {
            let list = list()?;
            stream::text(&list)
        }
    }
}

fn page(name: &str) -> Result<Page, Fault> {
    // also by the prefix its values are set with
    if let Some(wrapper) = wrappers::find(name) {
        return Ok(Page::wrapper(wrapper));
    }
    match ALL.iter().find(|law| law.name == name) {
        Some(law) => Ok(Page::law(law)),
        None => {
            let names = ALL.iter().map(|law| law.name).chain(wrappers::ALL.iter().map(|wrapper| wrapper.name));
            Err(Error::Law(LawError::UnknownLaw { name: name.to_owned(), near: near(name, names) }).into())
        }
    }
}

/// How laws are grouped for a reader.
#[derive(Clone, Copy, PartialEq)]
pub enum Group {
    /// Without memory; holds.
    Stick,
    /// Without memory; does not.
    Smooth,
    /// With memory.
    Memory,
}

impl Group {
    /// All, with their titles.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Stick, "Without memory; at rest any force up to a limit"),
        (Self::Smooth, "Without memory, one force for each speed; no true rest under load"),
        (Self::Memory, "With memory"),
    ];
    /// The group of a law.
    pub fn of(law: &Entry) -> Result<Self, Fault> {
        Ok(if !law.states.is_empty() {
            Self::Memory
        } else if Spec::new(law.name)?.build()?.hold(&[], &Input::at(0.0), 1.0) > 0.0 {
            Self::Stick
        } else {
            Self::Smooth
        })
    }
}

fn list() -> Result<String, Fault> {
    let mut out = rows(vec![["name", "states", "what it is"].map(str::to_owned)]);
    for (group, title) in Group::ALL {
        let mut laws = Vec::new();
        for law in ALL {
            if Group::of(law)? == group {
                laws.push(Page::law(law).row());
            }
        }
        out += &format!("\n{title}\n{}", rows(laws));
    }
    let wrappers = wrappers::ALL.iter().map(|wrapper| Page::wrapper(wrapper).row()).collect();
    out += &format!("\nWrappers, around any law\n{}", rows(wrappers));
    out += "\n'stiction models NAME' shows equations, parameters and sources of one.\n";
    Ok(out)
}

/// Rows whose columns line up through all groups.
fn rows(mut rows: Vec<[String; 3]>) -> String {
    let width = ALL.iter().map(|law| law.name.len()).max().unwrap_or(0);
    for [name, states, _] in &mut rows {
        *name = format!("{name:width$}");
        *states = format!("{states:>6}");
    }
    text::table(&rows, &[])
}
