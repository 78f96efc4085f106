//! SHA-256 (FIPS 180-4), by which a result names the data it came from.
//!
//! ```
//! let digest = stiction_io::digest::sha256(&b"abc"[..])?;
//! assert!(digest.starts_with("ba7816bf"));                             // the example of the standard
//! # Ok::<(), std::io::Error>(())
//! ```
use std::io::{self, Read};

/// The digest of all bytes, in hexadecimal.
///
/// # Errors
/// What the reader says.
pub fn sha256(mut bytes: impl Read) -> io::Result<String> {
    let mut state = first_bits(8, 2);
    let rounds: [u32; 64] = {
        let list = first_bits(64, 3);
        std::array::from_fn(|k| list[k])
    };
    let mut buffer = vec![0; 1 << 16];
    let (mut held, mut length) = (Vec::new(), 0_u64);
    loop {
        let count = bytes.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        length += count as u64;
        held.extend_from_slice(&buffer[..count]);
        let whole = held.len() / 64 * 64;
        held[..whole].chunks_exact(64).for_each(|block| mix(&mut state, block, &rounds));
        held.drain(..whole);
    }
    held.push(0x80);
    while held.len() % 64 != 56 {
        held.push(0);
    }
    held.extend_from_slice(&(8 * length).to_be_bytes());
    held.chunks_exact(64).for_each(|block| mix(&mut state, block, &rounds));
    Ok(state.iter().map(|word| format!("{word:08x}")).collect())
}

/// The first 32 bits of the fractions of roots of the first primes: square roots for `root` 2, cube roots for 3.
fn first_bits(count: usize, root: u32) -> Vec<u32> {
    let prime = |n: &u128| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let bits = |n: u128| {
        // the largest x with x^root <= n·2^(32·root), whose lower half is the fraction
        let limit = n << (32 * root);
        let (mut low, mut high) = (0_u128, 1_u128 << 40);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if middle.pow(root) <= limit { low = middle } else { high = middle }
        }
        low as u32
    };
    (2..).filter(prime).take(count).map(bits).collect()
}

fn mix(state: &mut [u32], block: &[u8], rounds: &[u32; 64]) {
    let mut w = [0_u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for k in 16..64 {
        let (a, b) = (w[k - 15], w[k - 2]);
        let low = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let high = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        w[k] = w[k - 16].wrapping_add(low).wrapping_add(w[k - 7]).wrapping_add(high);
    }
    let mut v: [u32; 8] = std::array::from_fn(|k| state[k]);
    for k in 0..64 {
        let [a, b, c, _, e, f, g, h] = v;
        let high = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let one = h.wrapping_add(high).wrapping_add(e & f ^ !e & g).wrapping_add(rounds[k]).wrapping_add(w[k]);
        let low = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let two = low.wrapping_add(a & b ^ a & c ^ b & c);
        v.rotate_right(1);
        v[4] = v[4].wrapping_add(one);
        v[0] = one.wrapping_add(two);
    }
    state.iter_mut().zip(v).for_each(|(s, v)| *s = s.wrapping_add(v));
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn known_digests() {
        // the standard's own examples
        let of = |text: &str| sha256(text.as_bytes()).unwrap_or_default();
        assert_eq!(of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(of(two), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        let million = "a".repeat(1_000_000);
        assert_eq!(of(&million), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
