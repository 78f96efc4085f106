//! Which law, with which values: the arguments that several commands share.
use crate::fault::Fault;
use crate::{stream, wrappers};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;
use std::path::Path;
use stiction::core::models;
use stiction::{File, Spec, number::short};

/// A law or a parameter file, and values on top of it.
#[derive(clap::Args)]
pub struct LawArgs {
    /// A law, or a parameter file (a path or anything that ends in .toml).
    #[arg(value_name = "NAME|FILE.toml", value_parser = Names { wrappers: false }, hide_possible_values = true)]
    law: String,
    /// Set a parameter, also reverse.NAME, load.NAME or noise.NAME; repeatable.
    #[arg(long, value_name = "NAME=NUMBER")]
    set: Vec<String>,
    /// Compute parameters from a known quantity ('stiction models NAME' lists them); repeatable. --set has the last word.
    #[arg(long, value_name = "NAME=NUMBER")]
    from: Vec<String>,
}

impl LawArgs {
    /// The law with all values, checked.
    pub fn file(&self) -> Result<File, Fault> {
        let path = Path::new(&self.law);
        let is_file = path.extension() == Some(OsStr::new("toml")) || self.law.contains(['/', '\\']);
        let mut file = if is_file { File::read(path)? } else { Spec::new(&self.law)?.into() };
        let (set, from) = (assignments("--set", &self.set)?, assignments("--from", &self.from)?);
        let spec = &mut file.spec;
        // before, so that a recipe starts from them; after, so that they have the last word
        set_all(spec, &set)?;
        if !from.is_empty() {
            for (param, value) in spec.apply_recipe(&from)? {
                let doc = param.doc.trim().trim_end_matches('.');
                stream::note(format_args!("assumed {} = {} [{}] ({doc})", param.name, short(value), param.unit));
            }
            set_all(spec, &set)?;
        }
        spec.check()?;
        Ok(file)
    }
}

fn set_all(spec: &mut Spec, values: &[(&str, f64)]) -> Result<(), Fault> {
    for (key, value) in values {
        spec.set(key, *value)?;
    }
    Ok(())
}

fn assignments<'a>(option: &'static str, texts: &'a [String]) -> Result<Vec<(&'a str, f64)>, Fault> {
    let one = |text: &'a String| {
        let Some((name, value)) = text.split_once('=') else {
            return Err(Fault::Assignment { option, text: text.clone() });
        };
        Ok((name.trim(), number(option, value)?))
    };
    texts.iter().map(one).collect()
}

/// A number, finite or not.
pub fn number(option: &'static str, text: &str) -> Result<f64, Fault> {
    text.trim().parse().map_err(|_| Fault::Number { option, text: text.to_owned() })
}

/// A finite number.
pub fn finite(option: &'static str, text: &str) -> Result<f64, Fault> {
    let x = number(option, text)?;
    if x.is_finite() { Ok(x) } else { Err(Fault::NotFinite { option, text: text.to_owned() }) }
}

/// Takes any text, and tells shell completion the names of the laws. Whether a name is right is for the library to say.
#[derive(Clone)]
pub struct Names {
    /// The names of the wrappers, too.
    pub wrappers: bool,
}

impl TypedValueParser for Names {
    type Value = String;
    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let wrappers = wrappers::ALL.iter().map(|wrapper| wrapper.name).filter(|_| self.wrappers);
        Some(Box::new(models::ALL.iter().map(|law| law.name).chain(wrappers).map(PossibleValue::new)))
    }
}
