//! Numbers as text: the shortest digits that read back as the same number.

/// `x` as a person would write it: `0.001`, `1e-9`, `316.22776601683796`. Reads back bit for bit.
pub fn short(x: f64) -> String {
    let (plain, power) = (x.to_string(), format!("{x:e}"));
    // an exponent must save at least three characters: 1000, but 1e5
    if plain.len() < power.len() + 3 { plain } else { power }
}

#[cfg(test)]
mod tests {
    use super::short;
    use stiction_core::Real;

    #[test]
    fn reads_as_a_person_would_write_it() {
        let shown = [0.0, 1.0, -1000.0, 1e5, 0.001, 1e-5, 1e9, 0.1 + 0.2, f64::MAX].map(short);
        let wanted =
            ["0", "1", "-1000", "1e5", "0.001", "1e-5", "1e9", "0.30000000000000004", "1.7976931348623157e308"];
        assert_eq!(shown, wanted);
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
