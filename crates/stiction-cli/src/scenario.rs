//! The names of the embedded scenarios, for shell completion.
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;
use stiction::scenario::embedded;

/// Takes any text, and tells shell completion the names of the scenarios.
#[derive(Clone)]
pub struct Names;

impl Names {
    /// The names.
    pub fn all() -> impl Iterator<Item = &'static str> {
        embedded::ALL.iter().map(|entry| entry.name)
    }
}

impl TypedValueParser for Names {
    type Value = String;
    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::all().map(PossibleValue::new)))
    }
}
