//! Sobol sequence: a low-discrepancy sequence in up to 21 dimensions, with the direction numbers of Joe2008. It is
//! scrambled after Owen by hashing (Burley2020), so that no point lies on an edge and every seed gives another sequence.
use super::hash::hash;

/// Maximum number of dimensions.
pub const MAX_DIMENSIONS: usize = DIRECTION_NUMBERS.len() + 1;
/// Maximum number of points.
pub const MAX_POINTS: u64 = 1 << 32;

/// The primitive polynomial of a dimension, all its coefficients as bits, and its first direction numbers.
const DIRECTION_NUMBERS: [(u32, &[u32]); 20] = [
    (0b11, &[1]),
    (0b111, &[1, 3]),
    (0b1011, &[1, 3, 1]),
    (0b1101, &[1, 1, 1]),
    (0b10011, &[1, 1, 3, 3]),
    (0b11001, &[1, 3, 5, 13]),
    (0b100101, &[1, 1, 5, 5, 17]),
    (0b101001, &[1, 1, 5, 5, 5]),
    (0b101111, &[1, 1, 7, 11, 19]),
    (0b110111, &[1, 1, 5, 1, 1]),
    (0b111011, &[1, 1, 1, 3, 11]),
    (0b111101, &[1, 3, 5, 5, 31]),
    (0b1000011, &[1, 3, 3, 9, 7, 49]),
    (0b1011011, &[1, 1, 1, 15, 21, 21]),
    (0b1100001, &[1, 3, 1, 13, 27, 49]),
    (0b1100111, &[1, 1, 1, 15, 7, 5]),
    (0b1101101, &[1, 3, 1, 15, 13, 25]),
    (0b1110011, &[1, 1, 5, 5, 19, 61]),
    (0b10000011, &[1, 3, 7, 11, 23, 15, 103]),
    (0b10001001, &[1, 3, 7, 13, 13, 15, 69]),
];

/// The directions of a dimension: one number for each bit of an index.
#[derive(Clone, Debug)]
pub(super) struct Direction([u32; 32]);

impl Direction {
    /// Dimension number `d`, from zero.
    pub fn new(d: usize) -> Self {
        let mut v = [0_u32; 32];
        let Some(&(polynomial, first)) = d.checked_sub(1).and_then(|d| DIRECTION_NUMBERS.get(d)) else {
            v.iter_mut().enumerate().for_each(|(k, v)| *v = 1 << (31 - k));
            return Self(v);
        };
        let degree = first.len();
        for k in 0..32 {
            v[k] = if k < degree {
                first[k] << (31 - k)
            } else {
                let inner = (1..degree).filter(|j| polynomial >> (degree - j) & 1 == 1);
                inner.fold(v[k - degree] ^ v[k - degree] >> degree, |sum, j| sum ^ v[k - j])
            };
        }
        Self(v)
    }
    /// Coordinate of point `i`, in Gray code order, as a 32-bit fraction.
    pub fn bits(&self, i: u64) -> u32 {
        let gray = i ^ i >> 1;
        self.0.iter().enumerate().filter(|(k, _)| gray >> k & 1 == 1).fold(0, |sum, (_, v)| sum ^ v)
    }
    /// The same scrambled, between 0 and 1.
    pub fn at(&self, i: u64, key: u64) -> f64 {
        let bits = scramble(self.bits(i), hash(&[key]) as u32);
        (f64::from(bits) + 0.5) / MAX_POINTS as f64
    }
}

/// Flips every bit depending on the higher bits and the key.
fn scramble(x: u32, key: u32) -> u32 {
    let mut x = x.reverse_bits();
    x ^= x.wrapping_mul(0x3d20_adea);
    x = x.wrapping_add(key);
    x = x.wrapping_mul(key >> 16 | 1);
    x ^= x.wrapping_mul(0x0552_6c56);
    x ^= x.wrapping_mul(0x53a2_2864);
    x.reverse_bits()
}

#[cfg(test)]
mod tests {
    use super::{Direction, MAX_POINTS};

    #[test]
    fn points_are_those_of_others() {
        // scipy 1.17.1, scipy.stats.qmc.Sobol(21, scramble=False, bits=32).random(2048), rows 1234 and 777
        let known = [
            (1234, [0.86474609375, 0.41943359375, 0.82666015625, 0.51123046875, 0.85009765625, 0.07568359375]),
            (777, [0.6923828125, 0.9365234375, 0.1630859375, 0.1904296875, 0.4736328125, 0.2373046875]),
        ];
        for (i, row) in known {
            for (d, x) in [0, 1, 2, 6, 13, 20].into_iter().zip(row) {
                assert_eq!(f64::from(Direction::new(d).bits(i)) / MAX_POINTS as f64, x, "{d} {i}");
            }
        }
    }

    #[test]
    fn a_scrambled_net_is_a_net() {
        // of 2^m points one lies in each of 2^m equal slices, in every dimension and for every seed
        for (d, key) in [(0, 1), (1, 1), (7, 2), (20, 3)] {
            let direction = Direction::new(d);
            let mut slices: Vec<u64> = (0..256).map(|i| (direction.at(i, key) * 256.0) as u64).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..256).collect::<Vec<_>>());
        }
        // and of two dimensions together one in each of 16 x 16 squares: that net has quality 0 in the first two
        let (a, b) = (Direction::new(0), Direction::new(1));
        let mut squares: Vec<(u64, u64)> =
            (0..256).map(|i| ((a.at(i, 4) * 16.0) as u64, (b.at(i, 5) * 16.0) as u64)).collect();
        squares.sort_unstable();
        squares.dedup();
        assert_eq!(squares.len(), 256);
    }
}
