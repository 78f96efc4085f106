//! What is told of the columns that were chosen.
use super::column_roles::ColumnRole;
use super::{Remark, Severity};
use crate::data::{ColumnSelection, DataFile, Field, unit};

/// What is told of columns that were taken for the motion by their names although the force is computed with them, too.
pub(super) fn doubtful_guess(plan: &ColumnSelection<'_>, chosen: &[(ColumnRole, bool)], force: usize) -> Vec<Remark> {
    let doubtful = |k: &usize| chosen[*k].1 && chosen[*k].0.is_of_motion() && *k != force;
    let in_force = |k: &usize| plan.sources(*k).iter().any(|column| plan.sources(force).contains(column));
    let remark = |k: usize| {
        let name = plan.fields().nth(k).map_or("", |field| &field.name);
        let role = chosen[k].0.name();
        let text = format!(
            "{role}: column {name}, by its name, although --force is computed with it, too; --position or --velocity names the motion"
        );
        Remark::new(Severity::Warning, text)
    };
    (0..chosen.len()).filter(doubtful).filter(in_force).map(remark).collect()
}

/// What is told of expressions over columns whose unit is not that of the SI: the numbers of the file are used.
pub(super) fn unconverted(plan: &ColumnSelection<'_>, table: &DataFile, chosen: &[(ColumnRole, bool)]) -> Vec<Remark> {
    let remark = |k: usize| {
        let (role, sources) = (chosen[k].0, plan.sources(k));
        let is_computed = |field: &&Field| sources.len() != 1 || table.fields()[sources[0]].name != field.name;
        plan.fields().nth(k).filter(is_computed)?;
        let unit = |column: &usize| {
            let field = table.fields().get(*column)?;
            let text = field.unit.as_deref()?;
            let (factor, _) = unit::si(text)?;
            (factor != 1.0).then(|| format!("{} in {text}", field.name))
        };
        let units: Vec<String> = sources.iter().filter_map(unit).collect();
        let text =
            format!("{}: computed with {}, and taken as {}", role.name(), units.join(", "), role.units().join(" or "));
        (!units.is_empty() && !role.units().is_empty()).then(|| Remark::new(Severity::Info, text))
    };
    (0..chosen.len()).filter_map(remark).collect()
}
