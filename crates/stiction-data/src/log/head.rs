//! Heads of columns: name and unit.
use super::unit;

/// Name and unit of a head: `v [m/s]`, `v (m/s)`, or a name that ends in a unit, `v_mm`, which it keeps. What stands in
/// brackets need not be a known unit; in parentheses it must, for `x(t)` is a name.
pub fn split(text: &str) -> (String, Option<String>) {
    let text = text.trim().trim_matches(['"', '\'']).trim();
    if let Some((name, rest)) = text.rsplit_once('[')
        && let Some(unit) = rest.trim_end().strip_suffix(']')
    {
        return (named(name), plain(unit));
    }
    if let Some((name, rest)) = text.rsplit_once('(')
        && let Some(unit) = rest.trim_end().strip_suffix(')')
        && unit::si(unit).is_some()
    {
        return (named(name), plain(unit));
    }
    let end = text.rsplit_once('_').map(|(_, end)| end).filter(|end| unit::si(end).is_some());
    (text.to_owned(), end.and_then(plain))
}

fn named(text: &str) -> String {
    text.trim().trim_end_matches('_').to_owned()
}

fn plain(unit: &str) -> Option<String> {
    let unit = unit.trim();
    (!matches!(unit, "" | "-")).then(|| unit.to_owned())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_and_units() {
        let cases = [
            ("v [m/s]", "v", Some("m/s")),
            (" \"Normal force [uN]\" ", "Normal force", Some("uN")),
            ("v(m/s)", "v", Some("m/s")),
            ("x(t)", "x(t)", None),
            ("v_mm", "v_mm", Some("mm")),
            ("u_N", "u_N", Some("N")),
            ("x_ref", "x_ref", None),
            ("mu [-]", "mu", None),
            ("load [counts]", "load", Some("counts")),
            ("qm", "qm", None),
            ("[", "[", None),
        ];
        for (text, name, unit) in cases {
            assert_eq!(split(text), (name.to_owned(), unit.map(str::to_owned)), "{text}");
        }
    }
}
