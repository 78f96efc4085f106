//! Counter-based random numbers, so that any point of a design can be computed independently.

/// A pseudo-random 64-bit number: the last stage of SplitMix64 (Steele2014), a bijection.
pub(super) fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The same of several numbers.
pub(super) fn hash(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |sum, x| mix(sum ^ mix(*x)))
}

/// A number in the open interval from 0 to 1.
pub(super) fn unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// The position of `i` in a random permutation of `0..n`: a Feistel network over the smallest even number of bits that
/// holds n, with cycle walking until the result is below n (Black2002). It needs no memory, so that n may be large.
pub(super) fn shuffle(i: u64, n: u64, key: u64) -> u64 {
    if n < 2 {
        return i;
    }
    let half = (64 - (n - 1).leading_zeros()).div_ceil(2);
    let low = (1_u64 << half) - 1;
    let mut x = i;
    loop {
        let (mut left, mut right) = (x >> half, x & low);
        for round in 0..6 {
            (left, right) = (right, left ^ (hash(&[key, round, right]) & low));
        }
        x = left << half | right;
        if x < n {
            return x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{shuffle, unit};

    #[test]
    fn a_shuffle_is_a_permutation() {
        for n in [1, 2, 3, 7, 64, 65, 1000] {
            let mut all: Vec<u64> = (0..n).map(|i| shuffle(i, n, 5)).collect();
            assert!(n < 7 || all != (0..n).collect::<Vec<_>>());
            all.sort_unstable();
            assert_eq!(all, (0..n).collect::<Vec<_>>());
        }
        // large ones need no memory
        assert!(shuffle(12, 1 << 53, 1) < 1 << 53);
    }

    #[test]
    fn the_ends_are_left_out() {
        assert!(unit(0) > 0.0 && unit(u64::MAX) < 1.0);
    }
}
