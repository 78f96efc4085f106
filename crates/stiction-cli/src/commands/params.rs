//! `stiction params`.
use crate::error::CommandError;
use crate::law::LawArgs;
use crate::stream;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::path::PathBuf;
use stiction::{ParameterFile, ParameterGroup, Spec};

/// Print or write a parameter file, also computed from quantities that you know.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction params lugre\n  stiction params lugre --from mu=0.3 --from normal=10 --from lc=0.003 --from mass=1\n  stiction params lugre --set fc=1.1 --set reverse.fc=1.3 --provenance 'axis 2, cold' -o axis2.toml\n  stiction params axis2.toml --set fs=2 --json"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
    /// Where the values come from, in your words.
    #[arg(long, value_name = "TEXT")]
    provenance: Option<String>,
    /// Write the file instead of printing it; - is stdout.
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let mut file = args.law.file()?;
    if args.provenance.is_some() {
        file.provenance.clone_from(&args.provenance);
    }
    let output = stream::file(args.output.as_deref());
    if let Some(path) = output {
        stream::check_ending(path, &["toml"])?;
        file.write(path)?;
        stream::note(format_args!("wrote {}", path.display()));
    }
    match (json, output) {
        (true, _) => {
            stream::json(&ParameterFileJson { provenance: file.provenance.as_deref(), model: LawJson(&file.spec) })
        }
        (false, None) => print(&file),
        (false, Some(_)) => Ok(()),
    }
}

fn print(file: &ParameterFile) -> Result<(), CommandError> {
    stream::data(|out| out.write_all(file.to_toml().as_bytes()))
}

/// The file as JSON, with the keys of the TOML file.
#[derive(Serialize)]
struct ParameterFileJson<'a> {
    provenance: Option<&'a str>,
    model: LawJson<'a>,
}

struct LawJson<'a>(&'a Spec);
impl Serialize for LawJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.0.law().name)?;
        for (param, value) in self.0.rows(ParameterGroup::Law) {
            map.serialize_entry(param.name, &value)?;
        }
        for part in [ParameterGroup::Reverse, ParameterGroup::Load, ParameterGroup::Noise]
            .into_iter()
            .filter(|&part| self.0.has(part))
        {
            map.serialize_entry(part.prefix(), &ValuesJson(self.0, part))?;
        }
        map.end()
    }
}

struct ValuesJson<'a>(&'a Spec, ParameterGroup);
impl Serialize for ValuesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.rows(self.1).into_iter().map(|(param, value)| (param.name, value)))
    }
}
