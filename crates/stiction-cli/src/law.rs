//! The arguments that name a law and set its values; several commands share them.
use crate::error::CommandError;
use crate::{stream, wrappers};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;
use stiction::analysis::steady_curve::load_factor;
use stiction::analysis::test_rig::TestRig;
use stiction::core::registry::LawEntry;
use stiction::core::{Input, Param, models};
use stiction::{ParameterFile, ParameterGroup, Spec, device};
use stiction_report::text::digits;

/// A law or a parameter file, and values on top of it.
#[derive(clap::Args)]
pub struct LawArgs {
    /// A law, a device of 'stiction devices', or a parameter file or law file (a path or anything that ends in .toml).
    #[arg(value_name = "NAME|FILE.toml", value_parser = LawNames { wrappers: false }, hide_possible_values = true)]
    law: String,
    /// Set a parameter, also reverse.NAME, load.NAME or noise.NAME; repeatable, the last one counts.
    #[arg(long, value_name = "NAME=NUMBER")]
    set: Vec<String>,
    /// Compute parameters from a known quantity ('stiction models NAME' lists them); repeatable. Values of --set take
    /// precedence.
    #[arg(long, value_name = "NAME=NUMBER")]
    from: Vec<String>,
}

/// One or several laws or parameter files, and values on top of them.
#[derive(clap::Args)]
pub struct LawListArgs {
    /// Laws, devices of 'stiction devices', or parameter files or law files (paths or anything that ends in .toml).
    #[arg(value_name = "NAME|FILE.toml", value_parser = LawNames { wrappers: false }, hide_possible_values = true, required = true)]
    laws: Vec<String>,
    /// Set a parameter, also reverse.NAME, load.NAME or noise.NAME; repeatable, the last one counts. Of several laws, those that have
    /// it.
    #[arg(long, value_name = "NAME=NUMBER")]
    set: Vec<String>,
    /// Compute parameters from a known quantity ('stiction models NAME' lists them); repeatable. Values of --set take
    /// precedence.
    #[arg(long, value_name = "NAME=NUMBER")]
    from: Vec<String>,
}

impl LawListArgs {
    /// The arguments of each law, with its name.
    pub fn each(&self) -> Result<Vec<(&str, LawArgs)>, CommandError> {
        each_law(&self.laws, &self.set, &self.from)
    }
}

/// The arguments of each of several laws, with the name by which it was given: each takes the values that it has. A value that none has
/// goes to the first, which refuses it.
pub fn each_law<'a>(
    laws: &'a [String],
    set: &[String],
    from: &[String],
) -> Result<Vec<(&'a str, LawArgs)>, CommandError> {
    if let [one] = laws {
        return Ok(vec![(one, LawArgs::new(one, set, from))]);
    }
    let entries =
        laws.iter().map(|name| Ok(ParameterFile::find(name)?.spec.law())).collect::<Result<Vec<_>, CommandError>>()?;
    let name = |text: &str| text.split('=').next().unwrap_or_default().trim().to_owned();
    let sets = |law: &LawEntry, text: &str| match name(text).split_once('.') {
        Some(("load" | "noise", _)) => true,
        Some((_, inner)) => law.params.iter().any(|p| p.name == inner),
        None => law.params.iter().any(|p| p.name == name(text)),
    };
    let computes = |law: &LawEntry, text: &str| {
        law.recipes.iter().any(|recipe| recipe.inputs.iter().any(|input| input.name == name(text)))
    };
    let own = |k: usize, texts: &[String], has: &dyn Fn(&LawEntry, &str) -> bool| -> Vec<String> {
        let takes = |text: &&String| has(entries[k], text) || k == 0 && !entries.iter().any(|law| has(law, text));
        texts.iter().filter(takes).cloned().collect()
    };
    Ok(laws
        .iter()
        .enumerate()
        .map(|(k, law)| (law.as_str(), LawArgs::new(law, &own(k, set, &sets), &own(k, from, &computes))))
        .collect())
}

impl LawArgs {
    /// For a command that takes a law or something else.
    pub fn new(law: &str, set: &[String], from: &[String]) -> Self {
        Self { law: law.to_owned(), set: set.to_owned(), from: from.to_owned() }
    }
    /// The words by which a command names this law with its values.
    pub fn words(&self) -> Vec<&str> {
        let options = [("--set", &self.set), ("--from", &self.from)].into_iter();
        let options = options.flat_map(|(option, all)| all.iter().flat_map(move |text| [option, text.as_str()]));
        [self.law.as_str()].into_iter().chain(options).collect()
    }
    /// The law with all values, checked.
    pub fn file(&self) -> Result<ParameterFile, CommandError> {
        let mut file = ParameterFile::find(&self.law)?;
        if let Some(note) = file.note() {
            stream::note(format_args!("{}: {note}", self.law));
        }
        let law = file.spec.law();
        let set = assignments("--set", &self.set, law.params.first())?;
        let from = assignments("--from", &self.from, law.recipes.first().and_then(|recipe| recipe.inputs.first()))?;
        file.assign(&set, &from)?.iter().for_each(stream::note);
        Ok(file)
    }
    /// The law under a load, checked, for an experiment that moves it.
    pub fn rig(&self, load: Option<&str>) -> Result<TestRig, CommandError> {
        let spec = self.file()?.spec;
        let load = load.map(|text| finite("--load", text)).transpose()?;
        if load.is_none() && spec.has(ParameterGroup::Load) {
            stream::note("assumed --load 1");
        }
        let load = load.unwrap_or(1.0);
        check_load(&spec, load)?;
        Ok(TestRig::new(&spec).with_load(load))
    }
}

/// Tells of the constant force that was identified together with a law, and is no part of it; `why` says why, or what to do.
pub fn note_offset(model: &ParameterFile, why: &str) {
    let offset = model.identified.as_ref().and_then(|found| found.plant("offset")).filter(|offset| *offset != 0.0);
    if let Some(offset) = offset {
        stream::note(format_args!("left out the offset of {} that was identified: {why}", digits(offset)));
    }
}

/// Checks a load: a law would limit a load factor that is too large, and counts one below zero as zero.
pub fn check_load(spec: &Spec, load: f64) -> Result<(), CommandError> {
    let factor = load_factor(spec, load)?;
    if factor < 0.0 {
        // some laws distinguish the sign of the load
        let law = Spec::new(spec.law().name)?.build()?;
        let [pulled, free] = [-1.0, 0.0].map(|load| law.steady(&Input { v: 1.0, load }));
        if pulled == free {
            stream::note(format_args!("the load factor is {}: a load factor below 0 counts as 0", digits(factor)));
        }
    }
    Ok(())
}

pub fn assignments<'a>(
    option: &'static str,
    texts: &'a [String],
    example: Option<&'static Param>,
) -> Result<Vec<(&'a str, f64)>, CommandError> {
    let one = |text: &'a String| match text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
        None | Some(("", _) | (_, "")) => Err(CommandError::Assignment { option, text: text.clone(), example }),
        Some((name, value)) => Ok((name, number(&format!("{option} {name}"), value)?)),
    };
    texts.iter().map(one).collect()
}

/// A number, finite or not.
fn number(option: &str, text: &str) -> Result<f64, CommandError> {
    text.trim().parse().map_err(|_| CommandError::Number { option: option.to_owned(), text: text.to_owned() })
}

/// A finite number.
pub fn finite(option: &'static str, text: &str) -> Result<f64, CommandError> {
    let x = number(option, text)?;
    if x.is_finite() { Ok(x) } else { Err(CommandError::NotFinite { option, text: text.to_owned() }) }
}

/// Accepts any text, and gives shell completion the names of laws and devices. The library checks the name.
#[derive(Clone)]
pub struct LawNames {
    /// Whether to include the names of the wrappers.
    pub wrappers: bool,
}

impl LawNames {
    /// The names.
    pub fn all(&self) -> impl Iterator<Item = &'static str> + use<> {
        let wrappers = wrappers::ALL.iter().take(if self.wrappers { wrappers::ALL.len() } else { 0 });
        let devices = device::ALL.iter().map(|device| device.name);
        models::ALL.iter().map(|law| law.name).chain(devices).chain(wrappers.map(|wrapper| wrapper.name))
    }
}

impl TypedValueParser for LawNames {
    type Value = String;
    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.all().map(PossibleValue::new)))
    }
}
