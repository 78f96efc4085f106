//! The columns of a map by name, and the values of the other varied columns.
use super::result_map::{MapRequest, RowSource};
use super::{ResultHeader, SweepError};
use crate::Error;
use crate::data::expression::{Expression, SymbolTable};
use crate::number::short;
use crate::similar_names::similar;
use crate::table::ColumnHeader;

/// Maximum number of distinct values of a column that are listed as choices.
const MAX_CHOICES: usize = 10_000;

pub(super) const HINT: &str = "name columns with --x, --y and --color";

/// A column by its name or the end of its name.
pub(super) fn find_column(name: &str, names: &[&str]) -> Result<usize, Error> {
    if let Some(k) = names.iter().position(|known| *known == name) {
        return Ok(k);
    }
    let end = format!(".{name}");
    let ends: Vec<usize> = (0..names.len()).filter(|&k| names[k].ends_with(&end)).collect();
    match ends[..] {
        [k] => Ok(k),
        [] => {
            let near = similar(name, names.iter().copied()).into_iter().map(str::to_owned).collect();
            let known = names.iter().map(|name| (*name).to_owned()).collect();
            Err(Error::UnknownName { what: "column", name: name.to_owned(), near, known })
        }
        _ => {
            let known = ends.into_iter().map(|k| names[k].to_owned()).collect();
            Err(Error::AmbiguousName { what: "column", name: name.to_owned(), known })
        }
    }
}

/// The expression shown as colour, and its label.
pub(super) fn color_program(
    request: &MapRequest,
    all: &[&ColumnHeader],
    names: &[&str],
    measured: usize,
) -> Result<(Expression, String), Error> {
    let Some(text) = &request.color else {
        let Some(head) = all.get(measured) else {
            let why = "nothing was measured".to_owned();
            return Err(SweepError::Map { why, hint: HINT.to_owned() }.into());
        };
        return Ok((Expression::column(&head.name, measured), head.to_string()));
    };
    match find_column(text, names) {
        Ok(k) => Ok((Expression::column(text, k), all[k].to_string())),
        Err(unknown) => {
            let known = SymbolTable { columns: names.to_vec(), constants: Vec::new(), units: Vec::new() };
            let expression = Expression::parse(text, &known);
            // a single word that is not a column is a mistyped name, not an expression
            let word = text.chars().all(|c| c.is_alphanumeric() || "._".contains(c));
            expression.map(|expression| (expression, text.clone())).map_err(|error| {
                if word { unknown } else { SweepError::Expression { text: text.clone(), error }.into() }
            })
        }
    }
}

/// The other varied columns of a grid, each with the value to show.
pub(super) fn fixed_values(
    source: &RowSource<'_>,
    heads: &ResultHeader,
    names: &[&str],
    shown: [usize; 2],
    request: &MapRequest,
) -> Result<Vec<(usize, f64)>, Error> {
    let requested =
        request.at.iter().map(|(name, x)| Ok((find_column(name, names)?, *x))).collect::<Result<Vec<_>, Error>>()?;
    let is_grid = heads.fact("design").is_some_and(|design| design == "grid");
    let others: Vec<usize> = (0..heads.axes.len()).filter(|k| is_grid && !shown.contains(k)).collect();
    let wanted: Vec<usize> = others.into_iter().chain(requested.iter().map(|(k, _)| *k)).collect();
    let mut out: Vec<(usize, f64)> = Vec::new();
    for k in wanted {
        if out.iter().any(|(known, _)| *known == k) {
            continue;
        }
        let mut values: Vec<f64> = Vec::new();
        for row in (source.open)()? {
            let row = source.row(row)?;
            let value = row.values.get(k).copied().or_else(|| row.found.get(k - row.values.len()).copied().flatten());
            if let Some(x) = value
                && let Err(place) = values.binary_search_by(|other| other.total_cmp(&x))
                && values.len() < MAX_CHOICES
            {
                values.insert(place, x);
            }
        }
        match (requested.iter().find(|(other, _)| *other == k), &values[..]) {
            (Some((_, x)), [_, ..]) => {
                let near = values.iter().copied().min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs()));
                out.extend(near.map(|near| (k, near)));
            }
            (None, [_, _, ..]) => {
                let few: Vec<String> = values.iter().take(8).map(|x| short(*x)).collect();
                let why = format!("'{}' has {} values", names[k], values.len());
                let more = if values.len() > few.len() { ", ..." } else { "" };
                let hint = format!("choose one with --at {}=VALUE: {}{more}", names[k], few.join(", "));
                return Err(SweepError::Map { why, hint }.into());
            }
            _ => {}
        }
    }
    Ok(out)
}
