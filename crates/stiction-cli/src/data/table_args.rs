//! Options on how to read a data file, and constants for expressions; several commands share them.
use crate::error::CommandError;
use clap::ValueEnum;
use std::path::Path;
use stiction::data::expression::Function;
use stiction::data::{DataFile, ReadOptions};

/// Flatten these into the arguments of a command.
#[derive(Clone, clap::Args)]
pub struct TableArgs {
    /// A constant for expressions; repeatable.
    #[arg(long, value_name = "NAME=NUMBER", value_parser = constant, allow_hyphen_values = true)]
    pub constant: Vec<(String, f64)>,
    /// Lines to skip at the beginning of a text file.
    #[arg(long, value_name = "N", default_value_t)]
    skip: usize,
    /// Delimiter of a text file, if it is not detected correctly: a character, tab or blank.
    #[arg(long, value_name = "CHAR", value_parser = ReadOptions::parse_delimiter)]
    delimiter: Option<char>,
    /// Decimal mark of a text file, if it is not detected correctly.
    #[arg(long, value_enum, value_name = "MARK")]
    decimal: Option<DecimalMark>,
    /// MCAP: one row per message of this topic; columns of other topics hold their last value.
    #[arg(long, value_name = "NAME")]
    topic: Option<String>,
    /// Parquet: only rows with this number in the column episode_index.
    #[arg(long, value_name = "N")]
    episode: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum DecimalMark {
    Point,
    Comma,
}

impl TableArgs {
    /// Opens a file.
    pub fn open(&self, path: &Path) -> Result<DataFile, CommandError> {
        let decimal_comma = self.decimal.map(|mark| matches!(mark, DecimalMark::Comma));
        let options = ReadOptions {
            skip_lines: self.skip,
            delimiter: self.delimiter,
            decimal_comma,
            topic: self.topic.clone(),
            episode: self.episode,
        };
        let file = DataFile::open(path, &options)?;
        let is_column = |name: &String| file.fields().iter().any(|field| field.name == *name);
        match self.constant.iter().find(|(name, _)| is_column(name)) {
            Some((name, _)) => Err(CommandError::ConstantIsColumn { name: name.clone(), path: path.to_owned() }),
            None => Ok(file),
        }
    }
    /// The constants.
    pub fn constants(&self) -> Vec<(&str, f64)> {
        self.constant.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }
}

fn constant(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER, as in m=2.5")?;
    let name = name.trim();
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if !begins || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
        return Err("begin the name with a letter, as in m=2.5".to_owned());
    }
    if ["pi", "and", "or", "not"].contains(&name) || Function::find(name).is_some() {
        return Err(format!("{name} has a meaning of its own in expressions: choose another name"));
    }
    let value: f64 = value.trim().parse().map_err(|_| format!("'{value}' is not a number"))?;
    if value.is_finite() { Ok((name.to_owned(), value)) } else { Err("write a finite number".to_owned()) }
}
