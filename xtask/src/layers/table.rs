//! The table of allowed uses, `xtask/layers.toml`.
use super::TABLE;
use crate::{Error, table};
use std::collections::BTreeMap;

/// Allowed uses, by who uses.
pub struct Layers {
    /// By crate.
    pub crates: BTreeMap<String, Vec<String>>,
    /// By crate and top-level module.
    pub modules: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The rows of each section in the order of the file, for the check of that order.
    sections: Vec<table::Section>,
}

impl Layers {
    pub fn parse(text: &str) -> Result<Self, Error> {
        let sections = table::parse(TABLE, text)?;
        let mut out = Self { crates: BTreeMap::new(), modules: BTreeMap::new(), sections: Vec::new() };
        for section in &sections {
            let rows = section.rows.iter().map(|row| (row.name.clone(), row.values.clone())).collect();
            if section.heading == "crates" {
                out.crates = rows;
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
                    if !section.rows[..k].iter().any(|above| above.name == *name) {
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
