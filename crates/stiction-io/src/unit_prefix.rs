//! Units with a prefix, so that a number has few zeros: 0.00029 m is 290 µm.
//!
//! ```
//! use stiction_io::unit_prefix::readable;
//!
//! assert_eq!(readable("m", 0.05), (-3, "mm".to_owned()));
//! assert_eq!(readable("N", 80.0), (0, "N".to_owned()));
//! ```

/// Units that take a prefix, and whether also one for more: nobody reads speeds in km/s, or angles in krad.
const SYMBOLS: [(&str, bool); 10] = [
    ("m", false),
    ("s", false),
    ("rad", false),
    ("N", true),
    ("J", true),
    ("W", true),
    ("Pa", true),
    ("V", true),
    ("A", true),
    ("Hz", true),
];

/// Powers of ten and their prefixes.
const PREFIXES: [(i32, &str); 6] = [(-9, "n"), (-6, "µ"), (-3, "m"), (3, "k"), (6, "M"), (9, "G")];

/// Numbers from the first to below the second are read as they are.
const PLAIN: (f64, f64) = (0.1, 1e4);

/// The power of ten and the unit in which numbers up to `largest` of an SI unit are read best. The prefix belongs to the first factor
/// of the unit, which must stand alone or before a further factor: `m/s` becomes `mm/s`, but `m²` stays.
pub fn readable(unit: &str, largest: f64) -> (i32, String) {
    let same = || (0, unit.to_owned());
    let size = largest.abs();
    if !size.is_finite() || size == 0.0 || (PLAIN.0..PLAIN.1).contains(&size) {
        return same();
    }
    let first = SYMBOLS.iter().find(|(symbol, _)| {
        unit.strip_prefix(symbol).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '·', '.']))
    });
    let Some((_, large)) = first else { return same() };
    // a power of ten is not quite the power of its logarithm
    let power = 3 * ((size.log10() + 1e-9) / 3.0).floor() as i32;
    let power = if power > 0 { power.min(9) } else { power };
    match PREFIXES.iter().find(|prefix| prefix.0 == power) {
        Some((_, prefix)) if power < 0 || *large => (power, format!("{prefix}{unit}")),
        _ => same(),
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn small_and_large_numbers_get_a_prefix() {
        let units = |size: f64| ["m", "m/s", "N", "N·m", "m²", "kg", "-", ""].map(|unit| readable(unit, size).1);
        assert_eq!(units(1.0), ["m", "m/s", "N", "N·m", "m²", "kg", "-", ""]);
        assert_eq!(units(-0.0999), ["mm", "mm/s", "mN", "mN·m", "m²", "kg", "-", ""]);
        assert_eq!(units(1e-3), ["mm", "mm/s", "mN", "mN·m", "m²", "kg", "-", ""]);
        assert_eq!(units(9.99e-4), ["µm", "µm/s", "µN", "µN·m", "m²", "kg", "-", ""]);
        assert_eq!(units(12_000.0), ["m", "m/s", "kN", "kN·m", "m²", "kg", "-", ""]);
    }

    #[test]
    fn what_no_prefix_reaches_stays() {
        for size in [0.0, f64::NAN, f64::INFINITY, 1e-10, 1e-300] {
            assert_eq!(readable("m", size), (0, "m".to_owned()), "{size}");
        }
        assert_eq!(readable("Pa", 1e30), (9, "GPa".to_owned()));
    }
}
