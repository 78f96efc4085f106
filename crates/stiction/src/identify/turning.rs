//! Units of rotation.
use super::{Finding, Remark};

/// Units of a body that slides, and those of one that turns.
const UNITS: [(&str, &str); 12] = [
    ("N·s/m", "N·m·s/rad"),
    ("N·s²/m²", "N·m·s²/rad²"),
    ("N/m", "N·m/rad"),
    ("N/s", "N·m/s"),
    ("N", "N·m"),
    ("m/s", "rad/s"),
    ("m/s²", "rad/s²"),
    ("m", "rad"),
    ("mm", "mrad"),
    ("µm", "µrad"),
    ("kg", "kg·m²"),
    ("N²/Hz", "(N·m)²/Hz"),
];

/// A unit, as it is of a rotation.
fn unit(text: &str) -> &str {
    UNITS.iter().find(|(slides, _)| *slides == text).map_or(text, |(_, turns)| turns)
}

/// A text whose units become those of a rotation. A unit stands after a number or a bracket, and by itself.
fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut measured = true;
    for (k, word) in text.split(' ').enumerate() {
        if k > 0 {
            out.push(' ');
        }
        let bare = word.trim_matches(|c: char| "[](),;:".contains(c));
        let begins = word.find(bare).unwrap_or(0);
        let changed = if measured || word.starts_with('[') { unit(bare) } else { bare };
        out += &word[..begins];
        out += changed;
        out += &word[begins + bare.len()..];
        measured = bare.parse::<f64>().is_ok();
    }
    out
}

impl Remark {
    /// The same of a body that turns.
    #[must_use]
    pub fn turning(self) -> Self {
        Self { text: words(&self.text), ..self }
    }
}

impl Finding {
    /// The same of a body that turns: a mass is a moment of inertia, a force a torque, and so on.
    #[must_use]
    pub fn turning(mut self) -> Self {
        let change = |text: &mut String| *text = words(text);
        self.estimates.iter_mut().for_each(|e| change(&mut e.unit));
        self.scores.iter_mut().for_each(|s| change(&mut s.unit));
        self.remarks = self.remarks.into_iter().map(Remark::turning).collect();
        self.tables.iter_mut().flat_map(|t| &mut t.heads).for_each(change);
        self.residuals.iter_mut().for_each(|r| change(&mut r.what));
        for panel in self.pictures.iter_mut().flat_map(|figure| &mut figure.panels) {
            change(&mut panel.x.label);
            change(&mut panel.y.label);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn units_change_and_words_do_not() {
        let text = "fs 3 ± 0.1 N; needs sliding below 0.2 m/s, not 5 mm (v [m/s], N samples)";
        let turned = "fs 3 ± 0.1 N·m; needs sliding below 0.2 rad/s, not 5 mrad (v [rad/s], N samples)";
        assert_eq!(words(text), turned);
        assert_eq!(words("  two  blanks, no unit"), "  two  blanks, no unit");
        assert_eq!(words("N·s/m"), "N·m·s/rad");
        assert_eq!(words("± [N·s/m]"), "± [N·m·s/rad]");
    }
}
