//! The symbols of parameters and states.
use super::text::GREEK;
use std::collections::BTreeMap;

/// The symbol of a parameter or a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name in the law.
    pub name: String,
    /// In LaTeX.
    pub latex: String,
    /// As the equations write it: with an index where one equation stands for several elements.
    pub in_equations: String,
    /// What a state is; empty for a parameter, which has a description of its own.
    pub meaning: String,
}

/// Symbols that mean the same in all built-in laws. Equations of files use them as well, unless another name of the file needs them.
const COMMON: [(&str, &str); 26] = [
    ("fc", "F_C"),
    ("fs", "F_S"),
    ("vs", "v_S"),
    ("exponent", "\\delta"),
    ("fv", "F_v"),
    ("gamma", "\\gamma"),
    ("ksat", "k_{\\mathrm{sat}}"),
    ("ktanh", "k_{\\mathrm{tanh}}"),
    ("band", "D_v"),
    ("vbrk", "v_{\\mathrm{brk}}"),
    ("fmax", "F_{\\max}"),
    ("delta", "\\delta"),
    ("sigma", "\\sigma"),
    ("sigma0", "\\sigma_0"),
    ("sigma1", "\\sigma_1"),
    ("sigma2", "\\sigma_2"),
    ("vd", "v_d"),
    ("mu0", "\\mu_0"),
    ("v0", "v_0"),
    ("normal", "N_0"),
    ("z0", "z_0"),
    ("f1", "f_1"),
    ("f2", "f_2"),
    ("eta", "\\eta"),
    ("a", "a"),
    ("z", "z"),
];

/// What the laws have of their own: name, symbol, and what a state is. `#` stands for a number, which becomes an index.
type Own = (&'static str, &'static str, &'static str);

const DEFLECTION: Own = ("z", "z", "Deflection");
const AGES: [Own; 6] = [
    ("psi", "\\psi_1", "First state, $\\ln(v_0\\theta_1/d_{c1})$"),
    ("psi2", "\\psi_2", "Second state, $\\ln(v_0\\theta_2/d_{c2})$"),
    ("b", "b_1", ""),
    ("b2", "b_2", ""),
    ("dc", "d_{c1}", ""),
    ("dc2", "d_{c2}", ""),
];

fn own(law: &str) -> &'static [Own] {
    match law {
        "gear" => &[
            ("mu_drive", "\\mu_{\\mathrm{drive}}", ""),
            ("mu_back", "\\mu_{\\mathrm{back}}", ""),
            ("torque", "T_0", ""),
        ],
        "dankowicz" | "lugre" => &[DEFLECTION],
        "stribeck-dankowicz" => &[DEFLECTION, ("exponent", "i", "")],
        "dahl" => &[DEFLECTION, ("shape", "i", "")],
        "bliman-sorine" => &[
            ("x1", "x_1", "Force of the fast part"),
            ("x2", "x_2", "Force of the slow part"),
            ("eps", "\\varepsilon", ""),
        ],
        "elasto-plastic" => &[DEFLECTION, ("stick", "\\kappa", "")],
        "gms" => &[
            ("f#", "F", "Force of element $i$"),
            ("slip#", "d", "Direction in which element $i$ slips, 0 when stuck"),
            ("k#", "k", ""),
            ("alpha#", "\\alpha", ""),
            ("c", "C", ""),
        ],
        "armstrong" => &[
            ("z", "z", "Deflection of the presliding spring"),
            ("w", "w", "Lagged speed"),
            ("lack", "\\ell", "What was missing of the full excess at the instant of sticking"),
            ("dwell", "t_2", "Dwell time"),
            ("slip", "d", "Direction of sliding, 0 when stuck"),
            ("fs", "F_{S,\\infty}", ""),
            ("tau_lag", "\\tau_L", ""),
            ("tau_dwell", "\\gamma", ""),
        ],
        "bouc-wen" => {
            &[("z", "z", "Hysteretic force"), ("alpha", "\\alpha", ""), ("beta", "\\beta", ""), ("nu", "\\nu", "")]
        }
        "bristle" => &[
            ("s#", "s", "Stretch of bristle $i$"),
            ("n#", "n", "Count of the snaps of bristle $i$"),
            ("seed", "S", ""),
        ],
        "rate-state" => &[
            ("theta", "\\theta", "Age of the contact"),
            ("a", "A", ""),
            ("b", "B", ""),
            ("theta0", "\\theta_0", ""),
            ("d0", "d_0", ""),
        ],
        "dieterich" | "ruina" => &AGES,
        "reset-integrator" => &[("z", "z", "Stretch"), ("slip", "d", "Direction of slipping, 0 when stuck")],
        "slip-variable" => &[
            ("s", "s", "Slip variable"),
            ("x", "x", "Stretch of the spring in stiction"),
            ("fs", "F_{S0}", ""),
            ("fc", "F_{C0}", ""),
            ("fv", "F_{v0}", ""),
            ("ks", "k_s", ""),
            ("ds", "d_s", ""),
            ("vs", "v_s", ""),
            ("tau_lag", "\\tau_{\\mathrm{del}}", ""),
            ("tau_reset", "\\tau_r", ""),
        ],
        "hysteresis" => &[
            ("x", "x", "Place within presliding"),
            ("f", "F_h", "Dry force at nominal load"),
            ("dir", "d", "Direction of the last motion"),
            ("slip", "s", "Direction of sliding, 0 in presliding"),
            ("count", "n", "Number of remembered reversals"),
            ("low", "v_-", "Lower end of the band of speeds"),
            ("high", "v_+", "Upper end of the band of speeds"),
            ("trend", "c", "End of the band that the speed pushes: 1 upper, $-1$ lower, 0 none"),
            ("origin", "o", "1 if presliding began at the end of a slide, 0 if from the virgin state"),
            ("xr#", "x", "Place of reversal $i$"),
            ("fr#", "F", "Force of reversal $i$"),
            ("k0", "k_0", ""),
            ("k1", "k_1", ""),
            ("k2", "k_2", ""),
            ("z2", "z_2", ""),
            ("fc1", "F_{C1}", ""),
            ("fc2", "F_{C2}", ""),
            ("fv1", "F_{v1}", ""),
            ("fv2", "F_{v2}", ""),
        ],
        _ => &[],
    }
}

fn index(n: &str) -> String {
    if n.len() == 1 { n.to_owned() } else { format!("{{{n}}}") }
}

/// The symbol that a built-in law's equations use for a name; none if it is not known.
pub(super) fn built_in(law: &str, name: &str) -> Option<Symbol> {
    let own = own(law);
    let symbol = |latex: String, in_equations: String, meaning: &str| Symbol {
        name: name.to_owned(),
        latex,
        in_equations,
        meaning: meaning.to_owned(),
    };
    if let Some((_, latex, meaning)) = own.iter().find(|(known, ..)| *known == name) {
        return Some(symbol((*latex).to_owned(), (*latex).to_owned(), meaning));
    }
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let family = own.iter().find(|(known, ..)| known.strip_suffix('#') == Some(letters));
    if let (Some((_, latex, meaning)), false) = (family, letters.len() == name.len()) {
        let n = &name[letters.len()..];
        return Some(symbol(format!("{latex}_{}", index(n)), format!("{latex}_i"), meaning));
    }
    let (_, latex) = COMMON.iter().find(|(known, _)| *known == name)?;
    Some(symbol((*latex).to_owned(), (*latex).to_owned(), ""))
}

/// Symbols with a meaning of their own in the equations of every file.
const TAKEN: [&str; 14] = ["F", "v", "t", "e", "\\pi", "H", "D", "\\bar N", "\\mathrm{d}", "m", "N", "F_a", "J", "M_a"];

/// A symbol for each of these names, all different. A name that is a Greek letter or a single letter is written so, what follows an
/// underscore and a number at the end become an index; a usual name such as `fc` has its usual symbol.
pub(super) fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, String> {
    let names: Vec<&str> = names.into_iter().collect();
    let usual = |name: &str| COMMON.iter().find(|(known, _)| *known == name).map(|(_, latex)| (*latex).to_owned());
    let mut out: BTreeMap<String, String> = BTreeMap::new();
    // names that are symbols themselves come first
    let (own, translated): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| usual(name).is_none_or(|latex| latex == from_name(name)));
    for name in own.into_iter().chain(translated) {
        let literal = format!("\\mathtt{{{}}}", name.replace('_', "\\_"));
        let choices = [usual(name), Some(from_name(name))];
        let free = |latex: &String| !TAKEN.contains(&latex.as_str()) && !out.values().any(|known| known == latex);
        let latex = choices.into_iter().flatten().find(free).unwrap_or(literal);
        out.insert(name.to_owned(), latex);
    }
    out
}

/// `sigma0` as σ₀, `mu_drive` with an upright index.
fn from_name(name: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        parts.extend([letters, &word[letters.len()..]].into_iter().filter(|part| !part.is_empty()).map(str::to_owned));
    }
    let mut parts = parts.into_iter();
    let Some(base) = parts.next() else { return format!("\\mathtt{{{}}}", name.replace('_', "\\_")) };
    let indices: Vec<String> = parts.map(|part| piece(&part)).collect();
    match &indices[..] {
        [] => piece(&base),
        [one] if one.chars().count() == 1 => format!("{}_{one}", piece(&base)),
        all => format!("{}_{{{}}}", piece(&base), all.join(",")),
    }
}

fn piece(word: &str) -> String {
    if GREEK.iter().any(|(name, _)| *name == word) {
        format!("\\{word}")
    } else if word.chars().count() == 1 || word.chars().all(|c| c.is_ascii_digit()) {
        word.to_owned()
    } else {
        format!("\\mathrm{{{word}}}")
    }
}
