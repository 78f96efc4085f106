//! From the parts of an expression to a list of operations.
use super::angle;
use super::compiled::{Expression, Operation};
use super::error::{ExpressionError, ExpressionErrorKind};
use crate::column_name::{ColumnNameError, find_column};
use stiction_io::expression::{Function, Node, Part, parse};
use stiction_io::similar_names::similar;

/// The columns and constants that an expression may use. A constant takes precedence over a column of the same name; `pi`
/// is known unless a column or constant has that name.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable<'a> {
    /// Columns, in order.
    pub columns: Vec<&'a str>,
    /// Constants and their values; of several with one name the first is used.
    pub constants: Vec<(&'a str, f64)>,
    /// Units of the columns, where they are known; may be shorter than the columns.
    pub units: Vec<Option<&'a str>>,
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// [`ExpressionError`], with the position in the text.
    pub fn parse(text: &str, symbols: &SymbolTable) -> Result<Self, ExpressionError> {
        let mut compiled = Self::default();
        let parts = parse(text)?;
        for part in &parts {
            compile(&mut compiled, part, symbols)
                .map_err(|kind| needs_braces(text, symbols, ExpressionError { position: part.position, kind }))?;
        }
        angle::check(&parts, symbols)?;
        compiled.finish();
        compiled.text = text.trim().to_owned();
        Ok(compiled)
    }
}

/// A better error for an unknown name that is the beginning of a column's name: `Ist-Position*1e-3` would subtract.
fn needs_braces(text: &str, symbols: &SymbolTable, error: ExpressionError) -> ExpressionError {
    let ExpressionErrorKind::UnknownName { name, .. } = &error.kind else { return error };
    let at = text.char_indices().nth(error.position - 1).map_or(text.len(), |(at, _)| at);
    let begins = |(_, column): &(usize, &&str)| column.len() > name.len() && text[at..].starts_with(**column);
    let longest = symbols.columns.iter().enumerate().filter(begins).max_by_key(|(_, column)| column.len());
    let Some((index, column)) = longest else { return error };
    let (before, after) = (&text[..at], &text[at + column.len()..]);
    let kind = ExpressionErrorKind::NeedsBraces {
        column: (*column).to_owned(),
        braced: format!("{before}{{{column}}}{after}"),
        numbered: format!("{before}${}{after}", index + 1),
    };
    ExpressionError { kind, ..error }
}

fn compile(compiled: &mut Expression, part: &Part, symbols: &SymbolTable) -> Result<(), ExpressionErrorKind> {
    match &part.node {
        Node::Number(x) => compiled.push(Operation::Push(*x)),
        Node::Column(number) => {
            if !(1..=symbols.columns.len()).contains(number) {
                return Err(unknown(&format!("${number}"), symbols));
            }
            compiled.load(number - 1);
        }
        Node::Name(name) => self::name(compiled, name, symbols)?,
        Node::Negate => compiled.push(Operation::Negate),
        Node::Not => compiled.push(Operation::Not),
        Node::Operator(operator) => compiled.push(Operation::Operator(*operator)),
        Node::Call(function, count) => {
            // of more than two numbers from the right, which gives the same as from the left
            let times = if matches!(function, Function::Min | Function::Max) { count - 1 } else { 1 };
            (0..times).for_each(|_| compiled.push(Operation::Call(*function)));
        }
    }
    Ok(())
}

fn name(compiled: &mut Expression, name: &str, symbols: &SymbolTable) -> Result<(), ExpressionErrorKind> {
    if let Some((_, value)) = symbols.constants.iter().find(|constant| constant.0 == name) {
        compiled.push(Operation::Push(*value));
        return Ok(());
    }
    // a number in braces is a name like any other
    match find_column(name, &symbols.columns) {
        Ok(column) => compiled.load(column),
        Err(ColumnNameError::Ambiguous { name, columns }) => {
            return Err(ExpressionErrorKind::AmbiguousName { name, columns });
        }
        Err(_) if name == "pi" => compiled.push(Operation::Push(std::f64::consts::PI)),
        Err(_) => return Err(unknown(name, symbols)),
    }
    Ok(())
}

fn unknown(name: &str, symbols: &SymbolTable) -> ExpressionErrorKind {
    let known = || symbols.columns.iter().copied().chain(symbols.constants.iter().map(|c| c.0));
    let near = similar(name, known()).into_iter().map(str::to_owned).collect();
    ExpressionErrorKind::UnknownName { name: name.to_owned(), near, known: known().map(str::to_owned).collect() }
}
