//! `stiction models`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames};
use crate::law_page::LawPage;
use crate::law_page::group::LawGroup;
use crate::{law_book, stream, wrappers};
use std::path::PathBuf;
use stiction::LawError;
use stiction::core::models::ALL;
use stiction::{Error, device, is_file_name, similar_names::similar};
use stiction_report::text;

/// List the friction laws, or explain one.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction models\n  stiction models lugre\n  stiction models asymmetric\n  stiction models found/model.toml\n  stiction models --json\n  stiction models -o laws"
)]
pub struct Args {
    /// A law, a wrapper, a device, or a parameter file (a path or anything that ends in .toml), which is explained with
    /// its values.
    #[arg(value_name = "NAME|FILE.toml", value_parser = LawNames { wrappers: true }, hide_possible_values = true)]
    name: Option<String>,
    /// Write pages of all laws (Markdown) with pictures (SVG) to this folder.
    #[arg(short, long, value_name = "DIR", conflicts_with = "name")]
    output: Option<PathBuf>,
    /// With -o: also run the experiments of 'stiction phenomena' with every law, which takes a while.
    #[arg(long, requires = "output")]
    phenomena: bool,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    if let Some(path) = &args.output {
        law_book::write(path, args.phenomena)?;
        if !json {
            return Ok(());
        }
    }
    match &args.name {
        Some(name) => {
            let page = page(name)?;
            if json { stream::json(&page) } else { stream::text(&page.text()) }
        }
        None if json => stream::json(&ALL.iter().map(LawPage::law).collect::<Vec<_>>()),
        None => {
            let list = list()?;
            stream::text(&list)
        }
    }
}

fn page(name: &str) -> Result<LawPage, CommandError> {
    // also by the prefix its values are set with
    if let Some(wrapper) = wrappers::find(name) {
        return Ok(LawPage::wrapper(wrapper));
    }
    match ALL.iter().find(|law| law.name == name) {
        Some(law) => Ok(LawPage::law(law)),
        None if is_file_name(name) || device::find(name).is_some() => {
            Ok(LawPage::of_file(name, &LawArgs::new(name, &[], &[]).file()?.spec))
        }
        None => {
            let names = ALL.iter().map(|law| law.name).chain(wrappers::ALL.iter().map(|wrapper| wrapper.name));
            Err(Error::Law(LawError::UnknownLaw { name: name.to_owned(), near: similar(name, names) }).into())
        }
    }
}

fn list() -> Result<String, CommandError> {
    let mut out = rows(vec![["name", "states", "what it is"].map(str::to_owned)]);
    for (group, title) in LawGroup::ALL {
        let mut laws = Vec::new();
        for law in ALL {
            if LawGroup::of(law)? == group {
                laws.push(LawPage::law(law).row());
            }
        }
        out += &format!("\n{title}\n{}", rows(laws));
    }
    let wrappers = wrappers::ALL.iter().map(|wrapper| LawPage::wrapper(wrapper).row()).collect();
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
