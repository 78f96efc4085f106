//! `lo:hi`, two numbers in order.
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use stiction::number;

/// Two numbers, the first below the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl Display for Interval {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // 17 digits determine a double
        f.write_str(&number::interval([self.lo, self.hi], 17))
    }
}

impl FromStr for Interval {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        match text.split_once(':').map(|(lo, hi)| (number(lo), number(hi))) {
            Some((Some(lo), Some(hi))) if lo < hi => Ok(Self { lo, hi }),
            Some((Some(_), Some(_))) => Err("the first must be below the second".to_owned()),
            _ => Err("write two numbers, as in 0.1:5".to_owned()),
        }
    }
}

/// An interval of positive numbers.
pub fn positive(text: &str) -> Result<Interval, String> {
    let range: Interval = text.parse()?;
    if range.lo > 0.0 { Ok(range) } else { Err("both must be positive".to_owned()) }
}
