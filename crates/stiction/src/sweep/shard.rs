//! A shard: the part of a sweep for one of several machines.
use super::SweepError;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::str::FromStr;

/// Part `i` of `n`, counted from one, with consecutive points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    i: u64,
    n: u64,
}

impl Shard {
    /// The whole sweep.
    pub const WHOLE: Self = Self { i: 1, n: 1 };
    /// Its points of `count`: from `count·(i−1)/n` to below `count·i/n`, rounded down.
    pub fn points(self, count: u64) -> Range<u64> {
        let cut = |i: u64| (u128::from(count) * u128::from(i) / u128::from(self.n)) as u64;
        cut(self.i - 1)..cut(self.i)
    }
}

impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.i, self.n)
    }
}

impl FromStr for Shard {
    type Err = SweepError;
    fn from_str(text: &str) -> Result<Self, SweepError> {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let parts = text.split_once('/').and_then(|(i, n)| Some((number(i)?, number(n)?)));
        match parts {
            Some((i, n)) if (1..=n).contains(&i) => Ok(Self { i, n }),
            _ => Err(SweepError::InvalidShard { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn shards_cover_every_point_once() {
        for (count, n) in [(10, 3), (2, 5), (1_000_003, 7), (u64::MAX, 2)] {
            let mut next = 0;
            for i in 1..=n {
                let points = format!("{i}/{n}").parse::<Shard>().unwrap().points(count);
                assert_eq!(points.start, next);
                next = points.end;
            }
            assert_eq!(next, count);
        }
        for bad in ["", "1", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
