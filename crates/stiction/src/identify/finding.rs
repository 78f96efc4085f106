//! What a procedure found, in a form that every report can show.
use crate::Spec;
use crate::plot::Figure;

/// How well a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Its error is small beside its value.
    Well,
    /// Its error is a large part of its value.
    Loosely,
    /// The data say nothing of it.
    Not,
    /// It was given, not sought.
    Given,
    /// The search ended at a bound.
    Bound,
}

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Its name: that of the law's parameter where it is one.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The value.
    pub value: f64,
    /// Its standard error; NaN where there is none.
    pub error: f64,
    /// The interval that holds it with a probability of 95 %; infinite where the data cannot tell it.
    pub interval: [f64; 2],
    /// How well it is known.
    pub known: Known,
}

/// How good a fit is.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// A name for programs: `rms`, `nrmse`.
    pub key: String,
    /// The same in words.
    pub title: String,
    /// The number.
    pub value: f64,
    /// Its unit; empty for a ratio.
    pub unit: String,
}

/// Whether a remark is good or bad news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// A fact.
    Plain,
    /// All is well.
    Good,
    /// To be careful about.
    Doubt,
    /// Something the data cannot tell, or that contradicts the model.
    Bad,
}

/// A sentence to the reader.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// Good or bad news.
    pub tone: Tone,
    /// The sentence.
    pub text: String,
}

/// A small table: events, candidates, correlations.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabular {
    /// A name for programs.
    pub key: String,
    /// What it shows.
    pub title: String,
    /// Heads of the columns, with units.
    pub heads: Vec<String>,
    /// Rows: a name, and a number per column after the first head; NaN is shown as nothing.
    pub rows: Vec<(String, Vec<f64>)>,
}

/// What was measured beside what the model makes of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Residual {
    /// The record.
    pub name: String,
    /// What is compared, with its unit: `friction [N]`.
    pub what: String,
    /// Time \[s\].
    pub t: Vec<f64>,
    /// What was measured.
    pub measured: Vec<f64>,
    /// What the model says.
    pub model: Vec<f64>,
}

/// What a procedure found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// A name for programs: `sliding`, `presliding`, `breakaway`, `dynamic`, `rate-state`.
    pub key: String,
    /// What was looked for.
    pub title: String,
    /// The law with its values, if it is one.
    pub law: Option<Spec>,
    /// The numbers, those of the law and others (mass, offset).
    pub estimates: Vec<Estimate>,
    /// How good it is.
    pub scores: Vec<Score>,
    /// Remarks, the worst news last.
    pub remarks: Vec<Remark>,
    /// Tables.
    pub tables: Vec<Tabular>,
    /// Pictures.
    pub pictures: Vec<Figure>,
    /// Residuals, one for each record.
    pub residuals: Vec<Residual>,
}

impl Residual {
    /// Measured less model.
    pub fn rest(&self) -> impl Iterator<Item = f64> + '_ {
        self.measured.iter().zip(&self.model).map(|(measured, model)| measured - model)
    }
}

impl Remark {
    /// A remark.
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self { tone, text: text.into() }
    }
}

impl Score {
    /// A score.
    pub fn new(key: &str, title: &str, value: f64, unit: &str) -> Self {
        Self { key: key.to_owned(), title: title.to_owned(), value, unit: unit.to_owned() }
    }
}

impl Estimate {
    /// A number that was given.
    pub fn given(name: &str, unit: &str, value: f64) -> Self {
        let (name, unit) = (name.to_owned(), unit.to_owned());
        Self { name, unit, value, error: f64::NAN, interval: [value; 2], known: Known::Given }
    }
    /// A number with its standard error and its interval. Unknown once the error exceeds the value, loose at a half.
    pub fn found(name: &str, unit: &str, value: f64, error: f64, interval: [f64; 2]) -> Self {
        let part = error / value.abs();
        let known = if !part.is_finite() || part > 1.0 {
            Known::Not
        } else if part > 0.5 {
            Known::Loosely
        } else {
            Known::Well
        };
        Self { name: name.to_owned(), unit: unit.to_owned(), value, error, interval, known }
    }
}

impl Estimate {
    /// The same where the data cannot tell it, whatever the error of the fit says: any value may be true.
    #[must_use]
    pub fn open(self) -> Self {
        Self { known: Known::Not, error: f64::INFINITY, interval: [f64::NEG_INFINITY, f64::INFINITY], ..self }
    }
    /// The same where a bound holds it: no error is known of it.
    #[must_use]
    pub fn held(self) -> Self {
        Self { known: Known::Bound, error: f64::NAN, interval: [f64::NAN; 2], ..self }
    }
}

impl Finding {
    /// Nothing yet.
    pub fn new(key: &str, title: impl Into<String>) -> Self {
        Self { key: key.to_owned(), title: title.into(), ..Self::default() }
    }
    /// An estimate by name.
    pub fn estimate(&self, name: &str) -> Option<&Estimate> {
        self.estimates.iter().find(|e| e.name == name)
    }
    /// A score by key.
    pub fn score(&self, key: &str) -> Option<f64> {
        self.scores.iter().find(|s| s.key == key).map(|s| s.value)
    }
    /// Estimates that nature does not allow: a mass or a level of friction below zero, beyond its error.
    pub fn impossible(&self) -> Vec<&str> {
        let level = |name: &str| matches!(name, "mass" | "fc" | "fs" | "reverse.fc" | "reverse.fs");
        let below = |e: &&Estimate| level(&e.name) && e.known != Known::Given && e.interval[1] < 0.0;
        self.estimates.iter().filter(below).map(|e| e.name.as_str()).collect()
    }
    /// Adds a remark.
    pub fn remark(&mut self, tone: Tone, text: impl Into<String>) {
        self.remarks.push(Remark::new(tone, text));
    }
}
