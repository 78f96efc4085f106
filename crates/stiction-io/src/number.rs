//! Numbers as text: the shortest digits that read back as the same number.
//!
//! ```
//! use stiction_io::number::{round, short};
//!
//! assert_eq!(short(0.1 + 0.2), "0.30000000000000004");
//! assert_eq!(short(round(0.1 + 0.2, 6)), "0.3");
//! ```

/// `x` as a person would write it: `0.001`, `1e-9`, `316.22776601683796`. Reads back bit for bit. Plain from 0.001
/// to below 1e5, else with an exponent, so that a column of numbers has one style.
pub fn short(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

/// Both ends of an interval to so many significant digits, in one style: `98440 to 99120`, `9.844e4 to 1.012e5`. The larger end
/// decides; a smaller one is written out down to a millionth. An end at infinity is no end: `98440 or more`.
pub fn interval(ends: [f64; 2], digits: usize) -> String {
    let [low, high] = pair(ends, digits);
    match ends.map(f64::is_infinite) {
        [false, false] => format!("{low} to {high}"),
        [false, true] if ends[0] != 0.0 => format!("{low} or more"),
        [true, false] => format!("{high} or less"),
        _ => "unbounded".to_owned(),
    }
}

/// The ends as [`interval`] writes them.
pub fn pair(ends: [f64; 2], digits: usize) -> [String; 2] {
    // without a minus before a zero
    let ends = ends.map(|x| round(x, digits) + 0.0);
    let sizes = || ends.iter().map(|x| x.abs()).filter(|x| *x > 0.0 && x.is_finite());
    let (largest, smallest) = (sizes().fold(0.0, f64::max), sizes().fold(f64::INFINITY, f64::min));
    let plain = largest == 0.0 || (1e-3..1e5).contains(&largest) && smallest >= 1e-6;
    ends.map(|x| if plain || x == 0.0 || !x.is_finite() { x.to_string() } else { format!("{x:e}") })
}

/// `x` to so many significant digits.
pub fn round(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::{interval, round, short};
    use stiction_core::Real;

    #[test]
    fn reads_as_a_person_would_write_it() {
        let shown = [0.0, 1.0, -1000.0, 1e5, 0.001, 1e-5, 1e9, 0.1 + 0.2, f64::MAX].map(short);
        let wanted =
            ["0", "1", "-1000", "1e5", "0.001", "1e-5", "1e9", "0.30000000000000004", "1.7976931348623157e308"];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn one_style_for_one_size() {
        assert_eq!([1.3e6, 1e5, 99_999.5, 0.0004, -0.001].map(short), ["1.3e6", "1e5", "99999.5", "4e-4", "-0.001"]);
    }

    #[test]
    fn both_ends_of_an_interval_have_one_style() {
        let shown = |low, high| interval([low, high], 4);
        assert_eq!(shown(98_440.0, 101_200.0), "9.844e4 to 1.012e5");
        assert_eq!(shown(98_440.0, 99_123.4), "98440 to 99120");
        assert_eq!(shown(0.0004, 0.0012), "0.0004 to 0.0012");
        assert_eq!(shown(-2e-5, 4e-4), "-2e-5 to 4e-4");
        assert_eq!(shown(1e-9, 0.5), "1e-9 to 5e-1");
        assert_eq!(shown(98_440.0, f64::INFINITY), "98440 or more");
        assert_eq!(shown(f64::NEG_INFINITY, 3.0), "3 or less");
        assert_eq!([shown(0.0, 1e9), shown(0.0, 0.0), shown(0.0, f64::INFINITY)], ["0 to 1e9", "0 to 0", "unbounded"]);
    }

    #[test]
    fn rounds_to_digits() {
        assert_eq!([0.1 + 0.2, 123_456.7, -1e-300, 0.0].map(|x| round(x, 6)), [0.3, 123_457.0, -1e-300, 0.0]);
        assert!(round(f64::NAN, 6).is_nan());
        assert_eq!(round(f64::INFINITY, 6), f64::INFINITY);
    }

    #[test]
    fn reads_back_bit_for_bit() {
        for k in 0..20_000 {
            // any 64 bits that are a finite number
            let [high, low] = [2 * k, 2 * k + 1].map(|k| (f64::uniform(1.0, f64::from(k)) * 4_294_967_296.0) as u64);
            let x = f64::from_bits((high << 32) | low);
            if x.is_finite() {
                assert_eq!(short(x).parse::<f64>().unwrap().to_bits(), x.to_bits());
            }
        }
        assert!(short(-0.0).parse::<f64>().unwrap().is_sign_negative());
    }
}
