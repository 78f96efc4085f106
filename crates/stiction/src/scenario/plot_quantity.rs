//! What an axis of a picture shows: a column, or a formula of columns, in a unit.
use super::component_table::unknown_name;
use crate::data::expression::{Expression, SymbolTable};
use crate::data::{self};
use crate::sim::Column;
use crate::{DataError, Error};
use stiction_data::unit::si;
use stiction_io::expression::{Node, parse};

/// A column of the trace, or a formula of several, in a unit: `slide.x`, `slide.x [mm]`, `{slide.x} - base.x [µm]`.
#[derive(Clone, Debug)]
pub struct PlotQuantity {
    /// The text without its unit.
    pub name: String,
    /// Its unit; empty for a formula that gives none.
    pub unit: String,
    /// The columns that it is computed from.
    pub columns: Vec<usize>,
    /// The formula; none: the one column.
    expression: Option<Expression>,
    /// By which SI values are divided.
    divisor: f64,
}

impl PlotQuantity {
    /// Reads a text: the name of a column or a formula of names, and after it, if it is to be shown in another unit, that in brackets.
    /// Values are in SI units, so that a formula must be in the SI unit of what it says.
    ///
    /// # Errors
    /// [`Error::UnknownName`] for a column that does not exist, [`Error::PlotUnit`] for a unit that it does not have, and that of a
    /// formula.
    pub fn new(text: &str, columns: &[Column]) -> Result<Self, Error> {
        let split = text.trim_end().strip_suffix(']').and_then(|text| text.rsplit_once('['));
        let (name, unit) = split.map_or((text.trim(), None), |(name, unit)| (name.trim(), Some(unit.trim())));
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        // a lone name may stand in the braces that it has in formulas
        let bare = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        if let Some(index) = names.iter().position(|column| *column == name || *column == bare) {
            let (own, unit) = (columns[index].unit, unit.unwrap_or(columns[index].unit));
            let divisor = if own == unit { Some(1.0) } else { factor(own, unit) };
            let wrong = || Error::PlotUnit { name: name.to_owned(), unit: unit.to_owned(), own: own.to_owned() };
            let (name, unit) = (names[index].to_owned(), unit.to_owned());
            return Ok(Self {
                name,
                divisor: divisor.ok_or_else(wrong)?,
                unit,
                columns: vec![index],
                expression: None,
            });
        }
        // a lone name is a column that does not exist, for which there may be similar ones
        if parse(name).is_ok_and(|parts| matches!(&parts[..], [part] if matches!(part.node, Node::Name(_)))) {
            return Err(unknown_name("column", name, &names));
        }
        let symbols = SymbolTable { columns: names, constants: Vec::new(), units: Vec::new() };
        let expression = Expression::parse(name, &symbols).map_err(|error| {
            DataError::content("plot", data::ContentError::Expression { text: name.to_owned(), error })
        })?;
        Ok(Self {
            name: name.to_owned(),
            unit: unit.unwrap_or_default().to_owned(),
            columns: expression.columns.clone(),
            expression: Some(expression),
            // a unit that is not known is shown as it is
            divisor: unit.and_then(si).map_or(1.0, |(factor, _)| factor),
        })
    }
    /// Its value where its columns have these values.
    pub fn value(&self, columns: &[f64]) -> f64 {
        let value = match &self.expression {
            Some(expression) => expression.evaluate_one(columns),
            None => columns.first().copied().unwrap_or(f64::NAN),
        };
        value / self.divisor
    }
    /// Whether it is a column rather than a formula.
    pub fn is_column(&self) -> bool {
        self.expression.is_none()
    }
}

/// How many of unit `from` are one of unit `to`; none if they measure different quantities.
fn factor(from: &str, to: &str) -> Option<f64> {
    let ((own, own_si), (other, other_si)) = (si(from)?, si(to)?);
    (own_si == other_si).then_some(other / own)
}

#[cfg(test)]
mod tests {
    use super::PlotQuantity;
    use crate::sim::Column;

    fn columns() -> Vec<Column> {
        let column = |name: &str, unit| Column { name: name.to_owned(), unit };
        vec![
            column("t", "s"),
            column("a.x", "m"),
            column("my-part.x", "m"),
            column("a.u", "N·m"),
            column("w.v", "rad/s"),
        ]
    }

    #[test]
    fn columns_and_formulas_are_told_apart() {
        let read = |text: &str, row: &[f64]| {
            let quantity = PlotQuantity::new(text, &columns()).unwrap();
            let values: Vec<f64> = quantity.columns.iter().map(|&k| row[k]).collect();
            (quantity.value(&values), quantity.unit.clone(), quantity.is_column())
        };
        let row = [1.0, 0.25, 0.5, 3.0, 10.0];
        assert_eq!(read("a.x", &row), (0.25, "m".to_owned(), true));
        assert_eq!(read(" a.x [mm] ", &row), (250.0, "mm".to_owned(), true));
        assert_eq!(read("a.u [mN·m]", &row), (3000.0, "mN·m".to_owned(), true));
        // the name of a column comes before a difference
        assert_eq!(read("my-part.x", &row), (0.5, "m".to_owned(), true));
        assert_eq!(read("{my-part.x}", &row), (0.5, "m".to_owned(), true));
        assert_eq!(read("{my-part.x} [mm]", &row), (500.0, "mm".to_owned(), true));
        assert_eq!(read("{my-part.x} - a.x [mm]", &row), (250.0, "mm".to_owned(), false));
        assert_eq!(read("2*a.u/3", &row), (2.0, String::new(), false));
        assert_eq!(read("a.x/t [potatoes]", &row), (0.25, "potatoes".to_owned(), false));
        // a turn a second is 60 rpm
        let rpm = read("w.v [rpm]", &[0.0, 0.0, 0.0, 0.0, std::f64::consts::TAU]).0;
        assert!((rpm - 60.0).abs() < 1e-12, "{rpm}");
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| PlotQuantity::new(text, &columns()).unwrap_err().to_string();
        assert!(error("a.y").contains("a.y"), "{}", error("a.y"));
        assert!(error("a.x [N]").contains("N") && error("a.x [N]").contains("a.x"), "{}", error("a.x [N]"));
        assert!(error("a.x - b.x").contains("b.x"), "{}", error("a.x - b.x"));
        assert!(error("a.x -").contains("a.x -"), "{}", error("a.x -"));
        assert!(error("a.x [potatoes]").contains("potatoes"), "{}", error("a.x [potatoes]"));
    }
}
