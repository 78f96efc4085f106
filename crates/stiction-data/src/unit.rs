//! Units in column headers: whether a text is a unit, and its factor to SI.

/// A unit with a symbol of its own: symbol, factor to SI, SI symbol, whether it takes prefixes.
type Named = (&'static str, f64, &'static str, bool);

const NAMED: [Named; 33] = [
    ("m", 1.0, "m", true),
    ("s", 1.0, "s", true),
    ("sec", 1.0, "s", false),
    ("min", 60.0, "s", false),
    ("h", 3600.0, "s", false),
    ("g", 1e-3, "kg", true),
    ("N", 1.0, "N", true),
    ("kgf", 9.806_65, "N", false),
    ("lbf", 4.448_221_615_260_5, "N", false),
    ("Pa", 1.0, "Pa", true),
    ("bar", 1e5, "Pa", true),
    ("psi", 6_894.757_293_168, "Pa", false),
    ("V", 1.0, "V", true),
    ("A", 1.0, "A", true),
    ("W", 1.0, "W", true),
    ("J", 1.0, "J", true),
    ("Hz", 1.0, "Hz", true),
    ("rad", 1.0, "rad", true),
    ("deg", std::f64::consts::PI / 180.0, "rad", false),
    ("\u{b0}", std::f64::consts::PI / 180.0, "rad", false),
    ("rev", 2.0 * std::f64::consts::PI, "rad", false),
    ("rpm", 2.0 * std::f64::consts::PI / 60.0, "rad/s", false),
    ("in", 0.0254, "m", false),
    ("inch", 0.0254, "m", false),
    ("ft", 0.3048, "m", false),
    ("K", 1.0, "K", true),
    ("C", 1.0, "\u{b0}C", false),
    ("degC", 1.0, "\u{b0}C", false),
    ("\u{b0}C", 1.0, "\u{b0}C", false),
    ("kg", 1.0, "kg", false),
    ("Ohm", 1.0, "Ohm", true),
    ("1", 1.0, "1", false),
    ("%", 1e-2, "1", false),
];

const PREFIXES: [(&str, f64); 10] = [
    ("n", 1e-9),
    ("u", 1e-6),
    ("\u{b5}", 1e-6),
    ("\u{3bc}", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
];

/// Factor to SI and the SI unit: `mm/s` is 1e-3 `m/s`. Handles products (`N.m`, `N*m`, `Nm`), one division and integer
/// powers (`s^2`, `s2`). None if the text is not a unit.
pub fn si(text: &str) -> Option<(f64, String)> {
    let (over, under) = match text.trim().split_once('/') {
        Some((over, under)) => (over, Some(under)),
        None => (text.trim(), None),
    };
    let (mut factor, mut name) = product(over)?;
    if let Some(under) = under {
        let under = under.trim();
        let (by, of) = product(under.strip_prefix('(').and_then(|u| u.strip_suffix(')')).unwrap_or(under))?;
        factor /= by;
        name = match of.as_str() {
            "1" => name,
            of if of.contains('.') => format!("{name}/({of})"),
            of => format!("{name}/{of}"),
        };
    }
    Some((factor, name))
}

/// Factors separated by `.`, `*` or a centred dot; `Nm` is the one product without a separator.
fn product(text: &str) -> Option<(f64, String)> {
    if let Some(prefix) = text.strip_suffix("Nm") {
        let scale = if prefix.is_empty() { 1.0 } else { prefix_of(prefix)? };
        return Some((scale, "N.m".to_owned()));
    }
    let mut names = Vec::new();
    let mut factor = 1.0;
    for part in text.split(['.', '*', '\u{b7}']) {
        let (by, name) = power(part.trim())?;
        factor *= by;
        names.push(name);
    }
    Some((factor, names.join(".")))
}

fn power(text: &str) -> Option<(f64, String)> {
    let (base, exponent) = match text.char_indices().next_back()? {
        (at, '\u{b2}') => (&text[..at], 2),
        (at, digit @ '2'..='4') => (text[..at].trim_end_matches('^'), digit.to_digit(10)?),
        _ => (text, 1),
    };
    let (factor, name) = simple(base)?;
    let exponent = i32::try_from(exponent).ok()?;
    Some((factor.powi(exponent), if exponent == 1 { name.to_owned() } else { format!("{name}^{exponent}") }))
}

fn simple(text: &str) -> Option<(f64, &'static str)> {
    if let Some((_, factor, name, _)) = NAMED.iter().find(|unit| unit.0 == text) {
        return Some((*factor, name));
    }
    NAMED.iter().filter(|unit| unit.3).find_map(|(symbol, factor, name, _)| {
        let prefix = text.strip_suffix(symbol)?;
        Some((prefix_of(prefix)? * factor, *name))
    })
}

fn prefix_of(text: &str) -> Option<f64> {
    PREFIXES.iter().find(|prefix| prefix.0 == text).map(|prefix| prefix.1)
}

#[cfg(test)]
mod tests {
    use super::si;

    #[test]
    fn units_of_the_field() {
        let near = |text: &str, factor: f64, name: &str| {
            let (got, unit) = si(text).expect(text);
            // a product of a few rounded factors
            assert!((got / factor - 1.0).abs() < 1e-15 && unit == name, "{text}: {got} {unit}");
        };
        near("mm", 1e-3, "m");
        near("uN", 1e-6, "N");
        near("\u{b5}m/s", 1e-6, "m/s");
        near("mm/s^2", 1e-3, "m/s^2");
        near("N.s/m", 1.0, "N.s/m");
        near("mNm", 1e-3, "N.m");
        near("rpm", 0.104_719_755_119_659_77, "rad/s");
        near("bar", 1e5, "Pa");
        near("ms", 1e-3, "s");
        near("kg", 1.0, "kg");
        near("1/s", 1.0, "1/s");
    }

    #[test]
    fn other_words_are_not_units() {
        for word in ["ref", "", "x", "measured", "raw", "/", "m//s", "q"] {
            assert_eq!(si(word), None, "{word}");
        }
    }
}
