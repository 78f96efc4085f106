//! Lists of numbers: `v1,v2,...`, `lo:hi:n` or `log:lo:hi:n`.
use crate::error::CommandError;
use crate::law::finite;
use stiction::sweep::spaced_value;

/// Largest number of points in a range; more are taken for a typing error.
const MAX_POINTS: usize = 10_000_000;

/// Numbers and ranges separated by commas, of an option.
pub fn list(option: &'static str, texts: &[String]) -> Result<Vec<f64>, CommandError> {
    let mut out = Vec::new();
    for text in texts.iter().flat_map(|text| text.split(',')) {
        match text.trim() {
            text if text.contains(':') => out.extend(range(option, text)?),
            text => out.push(finite(option, text)?),
        }
    }
    Ok(out)
}

/// `lo:hi:n`: n evenly spaced numbers, both ends included; with `log:` in front, spaced logarithmically.
pub fn range(option: &'static str, text: &str) -> Result<Vec<f64>, CommandError> {
    let (log, body) = match text.strip_prefix("log:") {
        Some(body) => (true, body),
        None => (false, text),
    };
    let &[lo, hi, n] = body.split(':').collect::<Vec<_>>().as_slice() else {
        return Err(CommandError::Range { option, text: text.to_owned() });
    };
    let (lo, hi, n) = (finite(option, lo)?, finite(option, hi)?, count(option, text, n)?);
    if log && (lo <= 0.0 || hi <= 0.0) {
        return Err(CommandError::LogRange { option, text: text.to_owned() });
    }
    Ok((0..n as u64).map(|i| spaced_value((lo, hi), log, n as u64, i)).collect())
}

fn count(option: &'static str, text: &str, n: &str) -> Result<usize, CommandError> {
    let n = finite(option, n)?;
    if n.fract() == 0.0 && (1.0..=MAX_POINTS as f64).contains(&n) {
        Ok(n as usize)
    } else {
        Err(CommandError::Points { option, text: text.to_owned(), max: MAX_POINTS })
    }
}

#[cfg(test)]
mod tests {
    use super::{list, range};

    #[test]
    fn ranges_hit_both_ends_and_round_numbers() {
        assert_eq!(range("--range", "0:1:11").unwrap()[3], 0.3);
        assert_eq!(range("--range", "0.1:1:10").unwrap(), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
        assert_eq!(range("--range", "-1:1:5").unwrap(), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(range("--range", "-1:1:101").unwrap()[51], 0.02);
        assert_eq!(range("--range", "2:1:2").unwrap(), [2.0, 1.0]);
        assert_eq!(range("--range", "3:4:1").unwrap(), [3.0]);
        assert_eq!(range("--range", "0.1:0.7:1e1").unwrap().last(), Some(&0.7));
    }

    #[test]
    fn logarithmic_ranges_step_by_equal_factors() {
        assert_eq!(range("--range", "log:1e-6:1:7").unwrap(), [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0]);
        let points = range("--range", "log:3:7:5").unwrap();
        // to fifteen digits
        assert!(points.windows(3).all(|p| (p[1] * p[1] / p[0] / p[2] - 1.0).abs() < 1e-14));
    }

    #[test]
    fn bad_ranges_are_refused() {
        for bad in ["", "1", "1:2", "1:2:3:4", "a:1:2", "0:1:0", "0:1:-1", "0:1:1.5", "0:1:1e8", "0:1:nan", "nan:1:2"] {
            assert!(range("--range", bad).is_err(), "{bad}");
        }
        for bad in ["0:inf:2", "log:0:1:3", "log:-1:1:3", "log:1:2", "lin:0:1:2"] {
            assert!(range("--range", bad).is_err(), "{bad}");
        }
        for bad in ["", "1,", "1,,2", "x", "1;2", "NaN", "inf"] {
            assert!(list("--at", &[bad.to_owned()]).is_err(), "{bad}");
        }
        assert_eq!(
            list("--at", &["7,log:1:100:3".to_owned(), "0:1:2".to_owned()]).unwrap(),
            [7.0, 1.0, 10.0, 100.0, 0.0, 1.0]
        );
        assert_eq!(list("--at", &["-0.2, 1e-3".to_owned(), "5".to_owned()]).unwrap(), [-0.2, 1e-3, 5.0]);
    }
}
