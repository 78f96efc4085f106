//! Physical dimensions: what may be added, compared and put into a function.
use crate::error::LawFileError;
use stiction_io::similar_names::similar;

/// A dimension: exponents of metre, second, kilogram, kelvin and ampere. Angles have none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension([f64; 5]);

/// Units and their dimensions. All are coherent SI units, so that no factor enters an equation.
const UNITS: [(&str, [f64; 5]); 14] = [
    ("m", [1.0, 0.0, 0.0, 0.0, 0.0]),
    ("s", [0.0, 1.0, 0.0, 0.0, 0.0]),
    ("kg", [0.0, 0.0, 1.0, 0.0, 0.0]),
    ("K", [0.0, 0.0, 0.0, 1.0, 0.0]),
    ("A", [0.0, 0.0, 0.0, 0.0, 1.0]),
    ("rad", [0.0; 5]),
    ("N", [1.0, -2.0, 1.0, 0.0, 0.0]),
    ("Nm", [2.0, -2.0, 1.0, 0.0, 0.0]),
    ("Pa", [-1.0, -2.0, 1.0, 0.0, 0.0]),
    ("J", [2.0, -2.0, 1.0, 0.0, 0.0]),
    ("W", [2.0, -3.0, 1.0, 0.0, 0.0]),
    ("V", [2.0, -3.0, 1.0, 0.0, -1.0]),
    ("Hz", [0.0, -1.0, 0.0, 0.0, 0.0]),
    ("1", [0.0; 5]),
];

impl Dimension {
    /// Of a plain number.
    pub const NONE: Self = Self([0.0; 5]);
    /// Of a time.
    pub const TIME: Self = Self([0.0, 1.0, 0.0, 0.0, 0.0]);

    /// The dimension of a unit such as `N·s/m`, `N*s/m`, `m/s^2`, `1/s` or `-`.
    ///
    /// # Errors
    /// [`LawFileError::Unit`].
    pub fn parse(unit: &str) -> Result<Self, LawFileError> {
        let mut out = Self::NONE;
        let unit = unit.trim();
        if matches!(unit, "" | "-") {
            return Ok(out);
        }
        for (i, factor) in unit.split('/').enumerate() {
            for part in factors(factor) {
                let (name, power) = power(part);
                let Some((_, exponents)) = UNITS.iter().find(|(known, _)| *known == name) else {
                    let near = similar(name, UNITS.iter().map(|(name, _)| *name)).into_iter().map(str::to_owned);
                    return Err(LawFileError::Unit {
                        name: part.to_owned(),
                        near: near.collect(),
                        multiple: multiple(part),
                    });
                };
                let power = if i == 0 { power } else { -power };
                out = out.times(Self(*exponents).to_the(power));
            }
        }
        Ok(out)
    }
    /// The exponents of metre, second, kilogram, kelvin and ampere.
    pub fn exponents(self) -> [f64; 5] {
        self.0
    }
    /// Of a product.
    pub fn times(self, other: Self) -> Self {
        let mut out = self;
        out.0.iter_mut().zip(other.0).for_each(|(to, x)| *to += x);
        out
    }
    /// Of a quotient.
    pub fn over(self, other: Self) -> Self {
        self.times(other.to_the(-1.0))
    }
    /// Of a power.
    pub fn to_the(self, power: f64) -> Self {
        Self(self.0.map(|x| x * power))
    }
    /// Whether two quantities may be added. Exponents come from roots and powers, so they are compared with a tolerance.
    pub fn is(self, other: Self) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| (a - b).abs() < 1e-9)
    }
}

/// The unit that one with a prefix is a multiple of, and how many of these it is; `mm` is 0.001 m.
fn multiple(name: &str) -> Option<(&'static str, &'static str)> {
    const PREFIXES: [(&str, &str); 8] = [
        ("n", "1e-9"),
        ("u", "1e-6"),
        ("µ", "1e-6"),
        ("m", "0.001"),
        ("c", "0.01"),
        ("k", "1000"),
        ("M", "1e6"),
        ("G", "1e9"),
    ];
    PREFIXES.into_iter().find_map(|(prefix, factor)| {
        let (unit, _) = UNITS.iter().find(|(unit, _)| Some(*unit) == name.strip_prefix(prefix))?;
        (*unit != "1").then_some((*unit, factor))
    })
}

/// The factors of a product such as `N·s`, `N*s` or `N.s`; a point between digits is that of a number, as in `m^1.5`.
fn factors(product: &str) -> Vec<&str> {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (mut out, mut begin) = (Vec::new(), 0);
    for (i, c) in product.char_indices() {
        let after = i + c.len_utf8();
        let in_number = digit(product[..i].chars().next_back()) && digit(product[after..].chars().next());
        if matches!(c, '·' | '*' | ' ' | '(' | ')') || c == '.' && !in_number {
            out.push(&product[begin..i]);
            begin = after;
        }
    }
    out.push(&product[begin..]);
    out.retain(|part| !part.is_empty());
    out
}

/// `s^2` and `s²` as a name and a power.
fn power(part: &str) -> (&str, f64) {
    for (mark, power) in [("²", 2.0), ("³", 3.0), ("⁴", 4.0)] {
        if let Some(name) = part.strip_suffix(mark) {
            return (name, power);
        }
    }
    if let Some((name, power)) = part.split_once('^')
        && let Ok(power) = power.parse::<f64>()
        && power.is_finite()
    {
        return (name, power);
    }
    (part, 1.0)
}

/// In words, as far as units of friction go: `N·s/m`, `m²·kg/s³`.
impl std::fmt::Display for Dimension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const NAMED: [&str; 15] =
            ["m", "s", "N", "m/s", "m/s²", "1/s", "N/m", "N·s/m", "N·m", "N·m·s", "kg", "1/m", "s/m", "Pa", "N/s"];
        if self.is(Self::NONE) {
            return f.write_str("no unit");
        }
        let known = NAMED.into_iter().find(|name| Self::parse(name).is_ok_and(|dimension| dimension.is(*self)));
        if let Some(name) = known {
            return f.write_str(name);
        }
        let parts = ["m", "s", "kg", "K", "A"].into_iter().zip(self.0).filter(|(_, power)| power.abs() > 1e-9);
        let text = parts.map(|(name, power)| {
            if (power - 1.0).abs() < 1e-9 {
                name.to_owned()
            } else {
                format!("{name}^{}", stiction_io::number::short(power))
            }
        });
        f.write_str(&text.collect::<Vec<_>>().join("·"))
    }
}

#[cfg(test)]
mod tests {
    use super::Dimension;

    #[test]
    fn units_are_read_in_every_usual_spelling() {
        let of = |unit: &str| Dimension::parse(unit).expect("a unit");
        for (unit, same) in [
            ("N·s/m", "N*s/m"),
            ("N s/m", "kg/s"),
            ("m/s^2", "m/s²"),
            ("N·m·s/rad", "J s"),
            ("1/s", "Hz"),
            ("rad/s", "1/s"),
            ("-", ""),
            ("s/m/m", "s/m^2"),
            ("N.s/m", "N·s/m"),
            ("N.m^2.s", "N·m²·s"),
            // the stiffness of a Hertz contact
            ("N/m^1.5", "N·m^-1.5"),
        ] {
            assert!(of(unit).is(of(same)), "{unit} and {same}");
        }
        assert!(!of("N").is(of("N·m")));
        assert_eq!(of("N·s/m").to_string(), "N·s/m");
        assert_eq!(of("kg^2/s").to_string(), "s^-1·kg^2");
        let error = Dimension::parse("N·mm").unwrap_err();
        assert_eq!(error.to_string(), "'mm' is not a unit");
        assert!(error.hint().ends_with("give the numbers in m, 1 mm = 0.001 m"), "{}", error.hint());
    }
}
