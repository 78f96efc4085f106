//! A law file as data: its texts with their positions, before anything is compiled.
use super::curve::Curve;
use super::dimension::Dimension;
use super::table::MeasuredTable;
use crate::Error;
use crate::error::LawFileError;
use crate::number::{round, short};
use crate::toml_tree::{SourceLocation, TomlNode};

/// A text with its position in the file.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub text: String,
    pub at: SourceLocation,
}

impl Expression {
    pub fn of(node: &TomlNode, key: &str) -> Result<Self, Error> {
        Ok(Self { text: node.text(key)?.to_owned(), at: node.at.clone() })
    }
    /// The error at a character of the text, from one.
    pub fn error(&self, (position, error): (usize, LawFileError)) -> Error {
        self.at.within_text(position).error(error)
    }
}

/// A parameter.
pub(crate) struct ParamSource {
    pub name: String,
    pub unit: String,
    pub dimension: Dimension,
    pub default: f64,
    pub min: f64,
    pub max: f64,
    pub doc: String,
    /// Whether a fit estimates it unless told otherwise.
    pub is_fitted: bool,
}

/// A number of memory.
pub(crate) struct StateSource {
    pub name: String,
    pub unit: String,
    pub dimension: Dimension,
    pub at: SourceLocation,
}

/// A change of mode.
pub(crate) struct WhenSource {
    pub guard: Option<Expression>,
    pub falling: bool,
    pub condition: Option<Expression>,
    /// States and their new values.
    pub set: Vec<(usize, Expression)>,
}

/// A quantity that is interpolated between points.
pub(crate) struct CurveSource {
    pub name: String,
    pub input: Expression,
    pub curve: Curve,
    pub dimension: Dimension,
}

/// A law file.
pub(crate) struct LawSource {
    pub name: String,
    pub summary: String,
    pub doc: String,
    pub cite: Vec<String>,
    pub signed_load: bool,
    /// Whether units are checked; if not, every quantity is a plain number.
    pub units_checked: bool,
    pub require: Vec<Expression>,
    pub params: Vec<ParamSource>,
    pub states: Vec<StateSource>,
    /// The state that is the position, if equations use it.
    pub position: Option<usize>,
    /// Curves by name.
    pub curves: Vec<CurveSource>,
    /// Named quantities, in the order of the file.
    pub definitions: Vec<(String, Expression)>,
    pub force: Option<Expression>,
    pub hold: Option<Expression>,
    pub band: Option<Expression>,
    /// By state.
    pub rates: Vec<Option<Expression>>,
    pub settled: Vec<Option<Expression>>,
    pub step: Vec<Option<Expression>>,
    pub whens: Vec<WhenSource>,
    pub table: Option<MeasuredTable>,
    pub top: SourceLocation,
    /// Where the equations begin.
    pub head: SourceLocation,
}

impl LawSource {
    /// For each curve of which not all rows are kept, what is kept, in a sentence.
    pub fn kept_rows(&self) -> Vec<String> {
        let told = |what: String, curves: &mut dyn Iterator<Item = &Curve>, unit: &str| {
            let (mut rows, mut points, mut deviation) = (0, 0, 0.0_f64);
            for curve in curves {
                rows += curve.rows();
                points += curve.len();
                deviation = deviation.max(curve.deviation());
            }
            let off = short(round(deviation, 2));
            (points < rows).then(|| {
                format!("Of the {rows} rows of {what} the curve goes through {points}; no other is farther from it than {off}{unit}.")
            })
        };
        let table = self.table.iter().filter_map(|table| told("the table".into(), &mut table.curves(), " N"));
        let curves = self.curves.iter().filter_map(|curve| {
            let unit = curve.dimension.to_string();
            let unit = if unit == Dimension::NONE.to_string() { String::new() } else { format!(" {unit}") };
            told(format!("'{}'", curve.name), &mut std::iter::once(&curve.curve), &unit)
        });
        table.chain(curves).collect()
    }
}
