//! Eigenvalues of a real matrix.
#![allow(clippy::needless_range_loop, reason = "index loops read like the formula")]
use super::Complex;

impl std::ops::Div for Complex {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        // scaled by the larger part, so that intermediate results do not overflow
        let size = b.re.abs().max(b.im.abs());
        let c = b.scale(1.0 / size);
        (self * c.conj()).scale(1.0 / (size * (c.re * c.re + c.im * c.im)))
    }
}

/// The eigenvalues of a real `n × n` matrix given row by row, the one with the largest real part first. Complex eigenvalues come
/// in exact conjugate pairs.
///
/// Balancing, reduction to Hessenberg form, then the shifted QR algorithm in complex arithmetic with deflation (Francis1961).
pub fn eigenvalues(a: &[f64], n: usize) -> Vec<Complex> {
    let mut a = a.to_vec();
    balance(&mut a, n);
    hessenberg(&mut a, n);
    let mut h: Vec<Complex> = a.iter().map(|&x| Complex::new(x, 0.0)).collect();
    let size = a.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut out = Vec::with_capacity(n);
    let mut end = n;
    let mut tries = 0;
    while end > 0 {
        let small = |h: &[Complex], k: usize| {
            let near = h[(k - 1) * n + k - 1].abs() + h[k * n + k].abs();
            h[k * n + k - 1].abs() <= f64::EPSILON * if near > 0.0 { near } else { size }
        };
        let start = (1..end).rev().find(|&k| small(&h, k)).unwrap_or(0);
        if start + 1 == end || tries == 300 {
            out.push(h[(end - 1) * n + end - 1]);
            end -= 1;
            tries = 0;
            continue;
        }
        tries += 1;
        let shift =
            if tries % 11 == 10 { Complex::new(h[(end - 1) * n + end - 2].abs(), 0.0) } else { wilkinson(&h, n, end) };
        qr_step(&mut h, n, start, end, shift);
    }
    pair(&mut out);
    out.sort_by(|a, b| b.re.total_cmp(&a.re).then(b.im.total_cmp(&a.im)));
    out
}

/// A similar matrix, with the same eigenvalues, whose rows and columns have similar norms: the state variables in other units.
pub fn balanced(a: &[f64], n: usize) -> Vec<f64> {
    let mut a = a.to_vec();
    balance(&mut a, n);
    a
}

/// Balancing: scales rows and columns by powers of two until their norms are similar.
fn balance(a: &mut [f64], n: usize) {
    for _ in 0..20 {
        let mut done = true;
        for i in 0..n {
            let (mut row, mut column) = (0.0, 0.0);
            for j in (0..n).filter(|&j| j != i) {
                row += a[i * n + j].abs();
                column += a[j * n + i].abs();
            }
            if row == 0.0 || column == 0.0 {
                continue;
            }
            let f = (0.5 * (row / column).log2()).round().exp2();
            if row / f + column * f < 0.95 * (row + column) {
                done = false;
                (0..n).for_each(|j| a[i * n + j] /= f);
                (0..n).for_each(|j| a[j * n + i] *= f);
            }
        }
        if done {
            return;
        }
    }
}

/// Reduction to Hessenberg form by elimination with pivoting.
fn hessenberg(a: &mut [f64], n: usize) {
    for m in 1..n.saturating_sub(1) {
        let Some(p) = (m..n).max_by(|&i, &j| a[i * n + m - 1].abs().total_cmp(&a[j * n + m - 1].abs())) else { return };
        let pivot = a[p * n + m - 1];
        if pivot == 0.0 {
            continue;
        }
        if p != m {
            (0..n).for_each(|j| a.swap(p * n + j, m * n + j));
            (0..n).for_each(|j| a.swap(j * n + p, j * n + m));
        }
        for i in m + 1..n {
            let y = a[i * n + m - 1] / pivot;
            (0..n).for_each(|j| a[i * n + j] -= y * a[m * n + j]);
            (0..n).for_each(|j| a[j * n + m] += y * a[j * n + i]);
            a[i * n + m - 1] = 0.0;
        }
    }
}

/// Wilkinson's shift: the eigenvalue of the last 2 × 2 block that is nearer to the last entry.
fn wilkinson(h: &[Complex], n: usize, end: usize) -> Complex {
    let at = |i: usize, j: usize| h[(end - 2 + i) * n + end - 2 + j];
    let (a, b, c, d) = (at(0, 0), at(0, 1), at(1, 0), at(1, 1));
    let half = (a + d).scale(0.5);
    let root = ((a - d).scale(0.5) * (a - d).scale(0.5) + b * c).sqrt();
    let (x, y) = (half + root, half - root);
    if (x - d).abs() < (y - d).abs() { x } else { y }
}

fn qr_step(h: &mut [Complex], n: usize, start: usize, end: usize, shift: Complex) {
    (start..end).for_each(|i| h[i * n + i] = h[i * n + i] - shift);
    let mut turns = Vec::with_capacity(end - start);
    for k in start..end - 1 {
        let (x, y) = (h[k * n + k], h[(k + 1) * n + k]);
        let r = x.abs().hypot(y.abs());
        let (c, s) =
            if r == 0.0 { (Complex::new(1.0, 0.0), Complex::default()) } else { (x.scale(1.0 / r), y.scale(1.0 / r)) };
        for j in k..end {
            let (a, b) = (h[k * n + j], h[(k + 1) * n + j]);
            h[k * n + j] = c.conj() * a + s.conj() * b;
            h[(k + 1) * n + j] = c * b - s * a;
        }
        turns.push((c, s));
    }
    for (k, (c, s)) in (start..).zip(turns) {
        for i in start..(k + 2).min(end) {
            let (a, b) = (h[i * n + k], h[i * n + k + 1]);
            h[i * n + k] = a * c + b * s;
            h[i * n + k + 1] = b * c.conj() - a * s.conj();
        }
    }
    (start..end).for_each(|i| h[i * n + i] = h[i * n + i] + shift);
}

/// Removes rounding errors that break the structure: conjugate pairs become exact, other eigenvalues real, and those that are
/// zero up to rounding become zero.
fn pair(roots: &mut [Complex]) {
    let size = roots.iter().fold(0.0_f64, |most, z| most.max(z.abs()));
    let mut done = vec![false; roots.len()];
    for i in 0..roots.len() {
        if done[i] {
            continue;
        }
        let Complex { re, im } = roots[i];
        let off = |z: &Complex| (z.re - re).hypot(z.im + im);
        let partner = (i + 1..roots.len())
            .filter(|&j| !done[j])
            .min_by(|&a, &b| off(&roots[a]).total_cmp(&off(&roots[b])))
            .filter(|&j| im.abs() > 1e-13 * size && off(&roots[j]) < 1e-3 * im.abs());
        if let Some(j) = partner {
            let mean = Complex::new(0.5 * (re + roots[j].re), 0.5 * (im - roots[j].im).abs());
            (roots[i], roots[j]) = (mean, mean.conj());
            done[j] = true;
        } else {
            roots[i].im = 0.0;
        }
    }
    // a simple zero eigenvalue is perturbed by the rounding error; a double one by its square root, and is left
    for z in roots.iter_mut().filter(|z| z.abs() < 1e-13 * size) {
        *z = Complex::default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Complex, polynomial_from_roots};
    use super::eigenvalues;

    #[test]
    fn eigenvalues_of_a_companion_matrix_are_the_roots() {
        // roots 1, 2, -3, 0.5 ± 2i: the companion matrix of the polynomial with these
        let roots = [(1.0, 0.0), (2.0, 0.0), (-3.0, 0.0), (0.5, 2.0), (0.5, -2.0)].map(|(re, im)| Complex { re, im });
        let c = polynomial_from_roots(&roots);
        let n = 5;
        let mut a = vec![0.0; n * n];
        (0..n).for_each(|j| a[j] = -c[j + 1]);
        (1..n).for_each(|i| a[i * n + i - 1] = 1.0);
        let found = eigenvalues(&a, n);
        for root in roots {
            // well separated roots of a matrix of norm 30: rounding times a condition below 1e3
            assert!(found.iter().any(|z| (*z - root).abs() < 1e-11), "{root:?} in {found:?}");
        }
        assert_eq!(found[0].re, found.iter().map(|z| z.re).fold(f64::MIN, f64::max));
    }

    #[test]
    fn a_stiff_matrix_keeps_its_slow_eigenvalues() {
        // block triangular: -1e9 beside an oscillator of 1 rad/s damped by 0.01
        let a = [0.0, 1.0, 0.0, -1.0, -0.02, 3.0, 0.0, 0.0, -1e9];
        let found = eigenvalues(&a, 3);
        // rounding of the small block, which balancing keeps apart from the large entry
        assert!((found[0].re + 0.01).abs() < 1e-12, "{found:?}");
        assert!((found[2].re / -1e9 - 1.0).abs() < 1e-12);
    }
}
