//! Conversion of the units of a result to those of a rotation.
use super::{IdentificationResult, Remark};
use crate::units::of_rotation;

/// A text with its units converted to those of a rotation. A unit is a separate word after a number or in brackets.
pub(in crate::identify) fn rotational_units(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut measured = true;
    for (k, word) in text.split(' ').enumerate() {
        if k > 0 {
            out.push(' ');
        }
        let bare = word.trim_matches(|c: char| "[](),;:".contains(c));
        let begins = word.find(bare).unwrap_or(0);
        let changed = if measured || word.starts_with('[') { of_rotation(bare) } else { bare };
        out += &word[..begins];
        out += changed;
        out += &word[begins + bare.len()..];
        measured = bare.parse::<f64>().is_ok();
    }
    out
}

impl Remark {
    /// The same in the units of a rotation.
    #[must_use]
    pub fn in_rotational_units(self) -> Self {
        Self { text: rotational_units(&self.text), ..self }
    }
}

impl IdentificationResult {
    /// The same in the units of a rotation: mass becomes moment of inertia, force becomes torque, and so on.
    #[must_use]
    pub fn in_rotational_units(mut self) -> Self {
        let change = |text: &mut String| *text = rotational_units(text);
        self.estimates.iter_mut().for_each(|e| change(&mut e.unit));
        self.scores.iter_mut().for_each(|s| change(&mut s.unit));
        self.remarks = self.remarks.into_iter().map(Remark::in_rotational_units).collect();
        self.tables.iter_mut().flat_map(|t| &mut t.columns).for_each(change);
        self.residuals.iter_mut().for_each(|r| change(&mut r.quantity));
        self.rotational = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::rotational_units;

    #[test]
    fn units_change_and_words_do_not() {
        let text = "fs 3 ± 0.1 N; needs sliding below 0.2 m/s, not 5 mm (v [m/s], N samples)";
        let turned = "fs 3 ± 0.1 N·m; needs sliding below 0.2 rad/s, not 5 mrad (v [rad/s], N samples)";
        assert_eq!(rotational_units(text), turned);
        assert_eq!(rotational_units("  two  blanks, no unit"), "  two  blanks, no unit");
        assert_eq!(rotational_units("N·s/m"), "N·m·s/rad");
        assert_eq!(rotational_units("± [N·s/m]"), "± [N·m·s/rad]");
    }
}
