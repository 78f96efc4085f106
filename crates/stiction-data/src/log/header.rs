//! Column headers: name and unit.
use crate::unit;

/// Name and unit of a header: `v [m/s]`, `v (m/s)`, or a name that ends in a unit, `v_mm`, which stays part of the name. A
/// text in brackets need not be a known unit; a text in parentheses must be one, because `x(t)` is a name.
pub fn split(text: &str) -> (String, Option<String>) {
    let text = unquoted(text.trim()).trim();
    if let Some((name, rest)) = text.rsplit_once('[')
        && let Some(unit) = rest.trim_end().strip_suffix(']')
    {
        return (trimmed_name(name), given_unit(unit));
    }
    if let Some((name, rest)) = text.rsplit_once('(')
        && let Some(unit) = rest.trim_end().strip_suffix(')')
        && unit::si(unit).is_some()
    {
        return (trimmed_name(name), given_unit(unit));
    }
    let end = text.rsplit_once('_').map(|(_, end)| end).filter(|end| unit::si(end).is_some());
    (text.to_owned(), end.and_then(given_unit))
}

/// The text within a pair of quotes, if there is one around it.
fn unquoted(text: &str) -> &str {
    let within = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote));
    within('"').or_else(|| within('\'')).unwrap_or(text)
}

fn trimmed_name(text: &str) -> String {
    text.trim().trim_end_matches('_').to_owned()
}

/// The unit, unless the text says that there is none.
fn given_unit(unit: &str) -> Option<String> {
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
            ("a \"b\" c", "a \"b\" c", None),
            ("\"a\" and \"b\"", "\"a\" and \"b\"", None),
        ];
        for (text, name, unit) in cases {
            assert_eq!(split(text), (name.to_owned(), unit.map(str::to_owned)), "{text}");
        }
    }
}
