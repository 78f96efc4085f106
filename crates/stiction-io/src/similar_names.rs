//! Names similar to a mistyped one.
//!
//! ```
//! use stiction_io::similar_names::similar;
//!
//! assert_eq!(similar("Stribek", ["coulomb", "stribeck", "lugre"]), ["stribeck"]);
//! ```

use crate::printable::excerpt;
use strsim::osa_distance;

/// Largest number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Largest number of names that a hint lists, and of characters that it quotes of each.
const MAX_LISTED: usize = 20;
const MAX_QUOTED: usize = 60;

/// The candidates that `name` may have been meant for, nearest first, at most three. Case and the choice between
/// `-`, `_` and nothing do not count as errors; if a name has no errors, it is the only one.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = fold(name);
    let letters = |name: &str| name.chars().count();
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = fold(candidate);
            let errors = osa_distance(&name, &other);
            // a third of the letters may be wrong; a beginning of two letters counts as one error
            let begins =
                letters(&name) >= 2 && (other.starts_with(&name) || (letters(&other) >= 3 && name.starts_with(&other)));
            let allowed = (letters(&name).max(letters(&other)) / 3).max(1);
            if errors <= allowed { Some((errors, candidate)) } else { begins.then_some((1, candidate)) }
        })
        .collect();
    found.sort_by_key(|&(errors, _)| errors);
    if found.first().is_some_and(|&(errors, _)| errors == 0) {
        found.retain(|&(errors, _)| errors == 0);
    }
    found.into_iter().take(MAX_SUGGESTIONS).map(|(_, candidate)| candidate).collect()
}

/// A hint on an unknown name: similar names, or else the known ones.
pub fn suggestion(near: &[String], known: &[String]) -> String {
    let shown: Vec<_> = known.iter().take(MAX_LISTED).map(|name| excerpt(name, MAX_QUOTED)).collect();
    let few = shown.join(", ") + if known.len() > MAX_LISTED { ", ..." } else { "" };
    let none =
        if known.is_empty() { "leave it out: there are none".to_owned() } else { format!("choose one of {few}") };
    did_you_mean(near).unwrap_or(none)
}

/// The question `did you mean ...?`, if there is a similar name.
pub fn did_you_mean(near: &[impl AsRef<str>]) -> Option<String> {
    let names: Vec<String> = near.iter().map(|name| format!("'{}'", excerpt(name.as_ref(), MAX_QUOTED))).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn finds_what_was_meant() {
        let laws = ["coulomb", "coulomb-sat", "coulomb-tanh", "lugre", "stribeck", "stribeck-sat", "viscous"];
        assert_eq!(similar("lurge", laws), ["lugre"]);
        assert_eq!(similar("LuGre", laws), ["lugre"]);
        assert_eq!(similar("Coulomb", laws), ["coulomb"]);
        assert_eq!(similar("stribek_sat", laws)[0], "stribeck-sat");
        assert_eq!(similar("coul", laws), ["coulomb", "coulomb-sat", "coulomb-tanh"]);
        assert_eq!(similar("xyzzy", laws), [""; 0]);
        assert_eq!(similar("", laws), [""; 0]);
    }
}
