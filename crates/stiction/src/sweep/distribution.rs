//! The values of an axis of a sweep: a range, a list, or a normal distribution.
use crate::number::{round, short};
use crate::statistics::normal_quantile;
use std::fmt::{self, Display, Formatter};

/// The values of an axis: a range, a list, or a normal distribution.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// From one end to the other, both included; `lo:hi:n` or `log:lo:hi:n`, without `n` for a random design.
    Range {
        /// The first value.
        lo: f64,
        /// The last value.
        hi: f64,
        /// Equal factors instead of equal steps.
        log: bool,
        /// How many; a random design does not need it.
        n: Option<u64>,
    },
    /// A list of values: `1,2,5`.
    List(Vec<f64>),
    /// A normal distribution, for random designs: `normal:mean:deviation`.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        deviation: f64,
    },
}

impl Distribution {
    /// Parses the text.
    ///
    /// # Errors
    /// The condition that the text does not meet.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or(FORMS);
        if !text.contains(':') {
            return text.split(',').map(number).collect::<Result<_, _>>().map(Self::List);
        }
        let (kind, rest) = match text.split_once(':') {
            Some((kind @ ("log" | "normal"), rest)) => (kind, rest),
            _ => ("", text),
        };
        let parts: Vec<&str> = rest.split(':').collect();
        let (lo, hi, n) = match parts[..] {
            [lo, hi] => (number(lo)?, number(hi)?, None),
            [lo, hi, n] if kind != "normal" => (number(lo)?, number(hi)?, Some(number(n)?)),
            _ => return Err(FORMS),
        };
        if kind == "normal" {
            let normal = Self::Normal { mean: lo, deviation: hi };
            return if hi > 0.0 { Ok(normal) } else { Err("the deviation must be above zero") };
        }
        let whole = |n: f64| n.fract() == 0.0 && (1.0..=MAX_COUNT).contains(&n);
        if n.is_some_and(|n| !whole(n)) {
            return Err("the range is empty: the number of values is a whole number from 1");
        }
        if lo == hi && n != Some(1.0) {
            return Err("the range is empty: its ends are the same");
        }
        if kind == "log" && !(lo > 0.0 && hi > 0.0) {
            return Err("equal factors need ends above zero");
        }
        Ok(Self::Range { lo, hi, log: kind == "log", n: n.map(|n| n as u64) })
    }
    /// How many values a grid takes; none if it is for random designs only.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Range { n, .. } => *n,
            Self::List(list) => Some(list.len() as u64),
            Self::Normal { .. } => None,
        }
    }
    /// Value number `i` of a grid.
    pub fn at(&self, i: u64) -> f64 {
        match self {
            Self::Range { lo, hi, log, n } => spaced_value((*lo, *hi), *log, n.unwrap_or(1), i),
            Self::List(list) => list.get(i as usize).copied().unwrap_or(f64::NAN),
            Self::Normal { mean, .. } => *mean,
        }
    }
    /// The quantile for a probability `u` between 0 and 1.
    pub fn quantile(&self, u: f64) -> f64 {
        match self {
            Self::Range { lo, hi, log: false, .. } => lo + u * (hi - lo),
            Self::Range { lo, hi, .. } => (lo.ln() + u * (hi.ln() - lo.ln())).exp(),
            Self::List(list) => list.get((u * list.len() as f64) as usize).copied().unwrap_or(f64::NAN),
            Self::Normal { mean, deviation } => mean + deviation * normal_quantile(u),
        }
    }
    /// Whether the values are spaced logarithmically.
    pub fn is_log(&self) -> bool {
        matches!(self, Self::Range { log: true, .. })
    }
}

/// Largest count: above 2^53 not every whole number has a floating-point representation.
pub(super) const MAX_COUNT: f64 = 9_007_199_254_740_992.0;
const FORMS: &str = "write lo:hi:n, log:lo:hi:n, numbers with commas between, or normal:mean:deviation";

impl Display for Distribution {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { lo, hi, log, n } => {
                write!(f, "{}{}:{}", if *log { "log:" } else { "" }, short(*lo), short(*hi))?;
                n.map_or(Ok(()), |n| write!(f, ":{n}"))
            }
            Self::List(list) => f.write_str(&list.iter().map(|x| short(*x)).collect::<Vec<_>>().join(",")),
            Self::Normal { mean, deviation } => write!(f, "normal:{}:{}", short(*mean), short(*deviation)),
        }
    }
}

/// Value `i` of `n` from one end to the other, in equal steps or factors; rounded to fifteen digits, so that it is 0.3 and
/// not 0.30000000000000004.
pub fn spaced_value((lo, hi): (f64, f64), log: bool, n: u64, i: u64) -> f64 {
    let steps = n.saturating_sub(1).max(1) as f64;
    let (past, left) = (i as f64, steps - i as f64);
    match i {
        0 => lo,
        _ if i + 1 == n => hi,
        _ if log => round(((lo.ln() * left + hi.ln() * past) / steps).exp(), 15),
        _ => round((lo * left + hi * past) / steps, 15),
    }
}

#[cfg(test)]
mod tests {
    use super::Distribution;

    #[test]
    fn grids_hit_both_ends_and_round_numbers() {
        let all = |text: &str| {
            let spread = Distribution::parse(text).unwrap();
            (0..spread.count().unwrap()).map(|i| spread.at(i)).collect::<Vec<_>>()
        };
        assert_eq!(all("0.1:0.5:5"), [0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(all("log:0.01:10:4"), [0.01, 0.1, 1.0, 10.0]);
        assert_eq!(all("5,1e-3, 2"), [5.0, 1e-3, 2.0]);
        assert_eq!(all("3"), [3.0]);
        assert_eq!(all("3:3:1"), [3.0]);
        for text in ["0.1:0.5:5", "log:0.01:10:4", "5,0.001,2", "normal:2:0.1", "0:1"] {
            assert_eq!(Distribution::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn quantiles_span_the_range() {
        let at = |text: &str, u: f64| Distribution::parse(text).unwrap().quantile(u);
        assert_eq!(at("1:3", 0.25), 1.5);
        // a logarithm and an exponential: rounding
        assert!((at("log:0.01:100", 0.25) - 0.1).abs() < 1e-15);
        assert_eq!([0.1, 0.5, 0.9].map(|u| at("1,2,5", u)), [1.0, 2.0, 5.0]);
        assert_eq!(at("normal:2:0.1", 0.5), 2.0);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for bad in
            ["", "1:2:0", "1:2:1.5", "1:2:-1", "2:2:5", "2:2", "log:0:1:3", "log:-1:1:3", "normal:1:0", "normal:1"]
        {
            assert!(Distribution::parse(bad).is_err(), "{bad}");
        }
        for bad in ["a:1:2", "1:2:3:4", "1,,2", "nan:1:2", "1:inf:3", "normal:1:1:5", "lin:0:1:2", "0:1:1e17"] {
            assert!(Distribution::parse(bad).is_err(), "{bad}");
        }
    }
}
