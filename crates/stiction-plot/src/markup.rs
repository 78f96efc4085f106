//! Text with subscripts and superscripts, and its width.
use stiction_io::printable;

/// A part of a text with one baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRun {
    pub text: String,
    /// 1: superscript, -1: subscript.
    pub shift: i8,
}

impl TextRun {
    /// Size of its letters, and how far they are above the baseline.
    pub fn size_and_shift(&self, size: f64) -> (f64, f64) {
        match self.shift {
            1 => (0.72 * size, 0.36 * size),
            -1 => (0.72 * size, -0.16 * size),
            _ => (size, 0.0),
        }
    }
}

/// Superscript and subscript characters, which fonts may lack, and the plain ones.
const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ";
const SUBSCRIPTS: &str = "₀₁₂₃₄₅₆₇₈₉₊₋ₙ";
const PLAIN_CHARACTERS: &str = "0123456789+-n";

fn turn(letter: char, from: &str, to: &str) -> Option<char> {
    from.chars().zip(to.chars()).find(|(c, _)| *c == letter).map(|(_, c)| c)
}

/// Splits a text at `_{...}`, `^{...}` and at superscript and subscript characters.
pub fn text_runs(text: &str) -> Vec<TextRun> {
    let mut runs: Vec<TextRun> = Vec::new();
    let mut push = |letter: char, shift: i8| match runs.last_mut() {
        Some(last) if last.shift == shift => last.text.push(letter),
        _ => runs.push(TextRun { text: letter.into(), shift }),
    };
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if letter.is_ascii() && !"^_".contains(letter) {
            push(letter, 0);
            rest = &rest[1..];
            continue;
        }
        let inner = |mark: &str| rest.strip_prefix(mark).and_then(|rest| rest.split_once('}'));
        let (group, shift) = match (inner("^{"), inner("_{")) {
            (Some(group), _) => (Some(group), 1),
            (_, group) => (group, -1),
        };
        if let Some((group, after)) = group {
            group.chars().for_each(|c| push(if c == '-' { '−' } else { c }, shift));
            rest = after;
            continue;
        }
        let plain = |from| turn(letter, from, PLAIN_CHARACTERS).map(|c| if c == '-' { '−' } else { c });
        match (plain(SUPERSCRIPTS), plain(SUBSCRIPTS)) {
            (Some(c), _) => push(c, 1),
            (_, Some(c)) => push(c, -1),
            _ => push(letter, 0),
        }
        rest = &rest[letter.len_utf8()..];
    }
    runs
}

/// The text for a terminal, with `?` for control characters: raised and lowered letters if there are all of them, else as they were written. In ASCII
/// the plain letters, with what else there may be as `?`.
pub fn plain_text(text: &str, unicode: bool) -> String {
    let mut out = String::new();
    for TextRun { text, shift } in text_runs(text) {
        let to = if shift == 1 { SUPERSCRIPTS } else { SUBSCRIPTS };
        let small: Option<String> = text.replace('−', "-").chars().map(|c| turn(c, PLAIN_CHARACTERS, to)).collect();
        match small {
            _ if shift == 0 => out += &text,
            Some(small) if unicode => out += &small,
            _ => out.extend([if shift == 1 { "^" } else { "_" }, &text]),
        }
    }
    // names come from files: a control character would reach the terminal
    let out = printable(&out);
    if unicode { out.into_owned() } else { out.chars().map(ascii).collect() }
}

/// The ASCII replacement of a character.
fn ascii(letter: char) -> String {
    let name = match letter {
        c if c.is_ascii() => return c.into(),
        '−' | '–' | '—' => "-",
        '·' | '×' => "*",
        '°' => "deg",
        'µ' | 'μ' => "u",
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'δ' => "delta",
        'ε' => "eps",
        'θ' => "theta",
        'λ' => "lambda",
        'π' => "pi",
        'σ' => "sigma",
        'τ' => "tau",
        'φ' => "phi",
        'ψ' => "psi",
        'ω' => "omega",
        'Δ' => "Delta",
        'Ω' => "Ohm",
        '≤' => "<=",
        '≥' => ">=",
        '→' => "->",
        '±' => "+-",
        '…' => "...",
        _ => "?",
    };
    name.into()
}

/// Advance of the ASCII letters from the space on, in thousandths of their size: the wider one of Noto Sans and DejaVu
/// Sans, so that a text has room in whichever a viewer has.
const WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 551, 838, 318, 361, 318, 373, 637, 637, 637, 637, 637, 637, 637,
    637, 637, 637, 337, 337, 838, 838, 838, 531, 1000, 685, 687, 699, 771, 632, 576, 775, 752, 339, 295, 656, 558, 908,
    760, 788, 605, 788, 695, 635, 611, 732, 685, 989, 686, 611, 686, 391, 373, 391, 838, 500, 581, 613, 635, 550, 635,
    616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612, 635, 635, 414, 521, 393, 634, 592, 818, 592, 592, 525, 637,
    551, 637, 838,
];
/// Advance of any other character: few are wider.
const DEFAULT_ADVANCE: u16 = 840;

fn advance(letter: char) -> f64 {
    let index = (letter as usize).wrapping_sub(32);
    f64::from(WIDTHS.get(index).copied().unwrap_or(DEFAULT_ADVANCE)) / 1000.0
}

/// The width of a text: an upper bound.
pub fn width(text: &str, size: f64) -> f64 {
    let run = |run: &TextRun| run.size_and_shift(size).0 * run.text.chars().map(advance).sum::<f64>();
    text_runs(text).iter().map(run).sum()
}

/// A text wrapped between words to lines of at most `room`, and the size at which the longest word fits, too.
pub fn fit(text: &str, size: f64, room: f64) -> (Vec<String>, f64) {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= room => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    let longest = lines.iter().map(|line| width(line, size)).fold(0.0, f64::max);
    (lines, if longest > room { size * room / longest } else { size })
}

/// A number for a figure: with a minus sign instead of a hyphen, and as a power of ten.
pub fn number(text: &str) -> String {
    let text = match text.split_once('e') {
        Some(("1", power)) => format!("10^{{{power}}}"),
        Some(("-1", power)) => format!("-10^{{{power}}}"),
        Some((digits, power)) => format!("{digits}·10^{{{power}}}"),
        None => text.to_owned(),
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::{number, plain_text, text_runs, width};

    fn parts(text: &str) -> Vec<(String, i8)> {
        text_runs(text).into_iter().map(|p| (p.text, p.shift)).collect()
    }

    #[test]
    fn marks_raise_and_lower() {
        let part = |text: &str, shift| (text.to_owned(), shift);
        assert_eq!(parts("v_{max} [m/s]"), [part("v", 0), part("max", -1), part(" [m/s]", 0)]);
        assert_eq!(parts("σ₀ 10⁻⁶"), [part("σ", 0), part("0", -1), part(" 10", 0), part("−6", 1)]);
        assert_eq!(parts("v_max ^{ _{x"), [part("v_max ^{ _{x", 0)], "what is not closed stays");
        assert_eq!(parts(""), []);
    }

    #[test]
    fn numbers_have_powers_and_a_terminal_has_letters() {
        assert_eq!(["1e-6", "-2.5e7", "-1e3", "-0.5"].map(number), ["10^{−6}", "−2.5·10^{7}", "−10^{3}", "−0.5"]);
        assert_eq!(plain_text("σ_{0} m_{max} s^{-2}", true), "σ₀ m_max s⁻²");
        assert_eq!(plain_text("σ₀ [µm]", false), "sigma_0 [um]");
    }

    #[test]
    fn a_raised_part_is_smaller() {
        assert!(width("10^{6}", 10.0) < width("106", 10.0) && width("10^{6}", 10.0) > width("10", 10.0));
    }

    /// The table is what it says: no ASCII letter of the font is wider.
    #[cfg(feature = "png")]
    #[test]
    fn letters_of_the_font_have_room() {
        let face = ttf_parser::Face::parse(ttf_noto_sans::REGULAR, 0).unwrap();
        let em = f64::from(face.units_per_em());
        for letter in (' '..='~').chain("αβγδεθλμπστφψωΔΣΩ·−×≤≥°±…".chars()) {
            let advance = face.glyph_index(letter).and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap();
            // the table has three decimals
            assert!(f64::from(advance) / em <= width(&letter.to_string(), 1.0) + 1e-3, "{letter}");
        }
    }
}
