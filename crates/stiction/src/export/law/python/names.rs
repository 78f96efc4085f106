//! Names of a law as identifiers of Python.

/// What Python keeps for itself.
const KEYWORDS: [&str; 39] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "match",
    "nonlocal", "not", "or", "pass", "print", "raise", "return", "try", "type", "while", "with", "yield",
];

/// Whether the generated code gives this name to a value: `t7`, `m3`, `w0`, `r2_1`, `turn4`.
fn is_value(name: &str) -> bool {
    let digits = |rest: &str| {
        rest.ends_with(|c: char| c.is_ascii_digit()) && rest.chars().all(|c| c.is_ascii_digit() || c == '_')
    };
    ["t", "m", "w", "r", "turn"].iter().any(|letter| name.strip_prefix(letter).is_some_and(digits))
}

/// The names as identifiers, all different: one that Python, the generated code or another one has gets an underscore at its end.
pub(super) fn identifiers(names: impl Iterator<Item = String>, reserved: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for mut name in names {
        let taken = |name: &String| {
            KEYWORDS.contains(&name.as_str())
                || reserved.contains(&name.as_str())
                || is_value(name)
                || name.starts_with('_')
        };
        if name.starts_with('_') {
            name.insert(0, 'x');
        }
        while taken(&name) || out.contains(&name) {
            name.push('_');
        }
        out.push(name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::identifiers;

    #[test]
    fn names_are_safe_and_different() {
        let names = ["lambda", "lambda_", "in", "t0", "t", "_repeat", "np", "fc", "yield", "turn1"];
        let got = identifiers(names.iter().map(|name| (*name).to_owned()), &["np"]);
        let want = ["lambda_", "lambda__", "in_", "t0_", "t", "x_repeat", "np_", "fc", "yield_", "turn1_"];
        assert_eq!(got, want);
    }
}
