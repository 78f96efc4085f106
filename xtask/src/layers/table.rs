//! The table of allowed uses, `xtask/layers.toml`.
use super::TABLE;
use crate::{Error, table};
use std::collections::BTreeMap;

/// Allowed uses, by who uses.
pub struct Layers {
    /// By crate.
    pub crates: BTreeMap<String, Vec<String>>,
    /// By crate: what only its tests may use.
    pub dev: BTreeMap<String, Vec<String>>,
    /// By crate: its top-level modules.
    pub modules: BTreeMap<String, Rows>,
    /// Folders with circles that are still to be broken (`stiction_sim::sim`), and why.
    pub open: BTreeMap<String, String>,
    /// The rows of each section in the order of the file, for the check of that order.
    sections: Vec<table::Section>,
}

/// The rows of one crate.
#[derive(Default)]
pub struct Rows {
    /// What each row may use, by the row's first name.
    pub allowed: BTreeMap<String, Vec<String>>,
    /// The row of each module: its own name, or that of the first file of its group.
    pub row_of: BTreeMap<String, String>,
}

impl Layers {
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut sections = table::parse(TABLE, text)?;
        let mut rows_of = |heading: &str| {
            let at = sections.iter().position(|section| section.heading == heading);
            at.map(|at| sections.remove(at).rows).unwrap_or_default().into_iter()
        };
        let mut out = Self {
            crates: BTreeMap::new(),
            dev: rows_of("dev").map(|row| (row.name, row.values)).collect(),
            modules: BTreeMap::new(),
            open: rows_of("open").map(|row| (row.name, row.values.concat())).collect(),
            sections: Vec::new(),
        };
        for section in &sections {
            let mut rows = Rows::default();
            for row in &section.rows {
                let names: Vec<&str> = row.name.split(" + ").collect();
                rows.row_of.extend(names.iter().map(|name| ((*name).to_owned(), names[0].to_owned())));
                rows.allowed.insert(names[0].to_owned(), row.values.clone());
            }
            if section.heading == "crates" {
                out.crates = rows.allowed;
            } else {
                out.modules.insert(section.heading.clone(), rows);
            }
        }
        out.sections = sections;
        Ok(out)
    }

    /// Rows that name a row that is not above them.
    pub fn order_errors(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for section in &self.sections {
            for (k, row) in section.rows.iter().enumerate() {
                for name in &row.values {
                    if !section.rows[..k].iter().any(|above| first_name(above) == name) {
                        wrong.push(format!(
                            "{TABLE}:{}: {} in [{}] names {name}, which is not in a row above it\nhint: rows go from the \
                             bottom up; if no order is possible, the uses form a circle that must be broken in the code",
                            row.line, row.name, section.heading
                        ));
                    }
                }
            }
        }
        wrong
    }
}

/// The name by which other rows refer to a row.
fn first_name(row: &table::TableRow) -> &str {
    row.name.split(" + ").next().unwrap_or(&row.name)
}
