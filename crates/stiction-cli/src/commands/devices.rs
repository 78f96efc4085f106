//! `stiction devices`.
use crate::error::CommandError;
use crate::stream;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;
use stiction::Error;
use stiction::device;
use stiction::similar_names::similar;
use stiction_report::Report;
use stiction_report::device::DeviceReport;
use stiction_report::text::table;

/// List machines with known friction, or show one with its sources.
///
/// The name of a device goes wherever the name of a law goes: 'stiction curve emps-axis --at 0.1'. 'stiction params NAME' prints its
/// parameter file.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction devices\n  stiction devices emps-axis\n  stiction devices franka-joint-1 --json\n  stiction devices --json"
)]
pub struct Args {
    /// A device.
    #[arg(value_name = "NAME", value_parser = DeviceNames, hide_possible_values = true)]
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    match &args.name {
        Some(name) => {
            let Some(device) = device::find(name) else { return Err(unknown(name).into()) };
            let page = DeviceReport::new(device)?;
            if json { stream::json(&page) } else { stream::text(&page.text()) }
        }
        None => {
            let pages = device::ALL.iter().map(DeviceReport::new).collect::<Result<Vec<_>, _>>()?;
            if json { stream::json(&pages) } else { stream::text(&overview(&pages)) }
        }
    }
}

fn unknown(name: &str) -> Error {
    let known = || device::ALL.iter().map(|device| device.name);
    let near = similar(name, known()).into_iter().map(str::to_owned).collect();
    Error::UnknownName { what: "device", name: name.to_owned(), near, known: known().map(str::to_owned).collect() }
}

fn overview(pages: &[DeviceReport]) -> String {
    let mut rows = vec![["name", "law", "values", "what it is"].map(str::to_owned)];
    rows.extend(pages.iter().map(|page| [page.name, page.law, page.origin(), page.title.as_str()].map(str::to_owned)));
    table(&rows, &[]) + "\n'stiction devices NAME' shows values, intervals and sources of one.\n"
}

/// Accepts any text, and gives shell completion the names of the devices.
#[derive(Clone)]
struct DeviceNames;

impl TypedValueParser for DeviceNames {
    type Value = String;
    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(device::ALL.iter().map(|device| PossibleValue::new(device.name))))
    }
}
