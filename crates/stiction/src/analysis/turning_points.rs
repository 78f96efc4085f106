//! Turning points of a path, and the loops that it closes (rainflow counting).

/// Rows of the turning points of `x`: first and last row, and every extremum followed by a reversal of more than `noise`.
/// Of several equal rows the first one is used.
pub fn turning_points(x: &[f64], noise: f64) -> Vec<usize> {
    let mut out = Vec::new();
    let Some(&first) = x.first() else { return out };
    out.push(0);
    let (mut lowest, mut highest, mut direction) = ((0, first), (0, first), 0.0);
    for (k, &x) in x.iter().enumerate() {
        if x > highest.1 {
            highest = (k, x);
        }
        if x < lowest.1 {
            lowest = (k, x);
        }
        if direction >= 0.0 && x < highest.1 - noise {
            if direction > 0.0 || highest.0 > 0 {
                out.push(highest.0);
            }
            (direction, lowest) = (-1.0, (k, x));
            highest = (k, x);
        } else if direction <= 0.0 && x > lowest.1 + noise {
            if direction < 0.0 || lowest.0 > 0 {
                out.push(lowest.0);
            }
            (direction, highest) = (1.0, (k, x));
            lowest = (k, x);
        } else if direction > 0.0 {
            lowest = (k, x);
        } else if direction < 0.0 {
            highest = (k, x);
        }
    }
    if out.last() != Some(&(x.len() - 1)) {
        out.push(x.len() - 1);
    }
    out
}

/// A closed loop of a path: it starts at `begin`, turns at `turn`, and passes its start again on the way to `next`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RainflowCycle {
    /// Row where it starts: a turning point.
    pub begin: usize,
    /// Row where it turns.
    pub turn: usize,
    /// Row of the next turning point, at or beyond the start.
    pub next: usize,
    /// Whether it is an inner loop of a larger motion.
    pub inner: bool,
}

/// The loops that a path with these turning points closes, in the order of closing, by rainflow counting: an inner loop is
/// removed once it closes, and the outer path continues without it. `miss` is the largest distance between start and end of
/// a closed loop, as a fraction of its length.
pub fn rainflow_cycles(x: &[f64], turns: &[usize], miss: f64) -> Vec<RainflowCycle> {
    let (mut open, mut out): (Vec<usize>, Vec<RainflowCycle>) = (Vec::new(), Vec::new());
    for &next in turns {
        open.push(next);
        while let [.., begin, turn, next] = open[..] {
            let (back, there) = ((x[next] - x[turn]).abs(), (x[turn] - x[begin]).abs());
            if there == 0.0 || back < there * (1.0 - miss) {
                break;
            }
            let (count, same) = (open.len(), back <= there * (1.0 + miss));
            out.push(RainflowCycle { begin, turn, next, inner: count > 3 });
            if count > 3 || same {
                open.drain(count - 3..count - 1);
            } else {
                open.remove(0);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{rainflow_cycles, turning_points};

    #[test]
    fn extremes_beyond_the_noise_are_turns() {
        let x = [0.0, 1.0, 2.0, 2.0, 1.9, 2.05, 1.0, -1.0, -0.9, -1.0, 0.5];
        assert_eq!(turning_points(&x, 0.0), [0, 2, 4, 5, 7, 8, 9, 10]);
        assert_eq!(turning_points(&x, 0.2), [0, 5, 7, 10]);
        assert_eq!(turning_points(&[0.0, -1.0, -2.0], 0.0), [0, 2]);
        assert_eq!(turning_points(&[1.0, 1.0], 0.0), [0, 1]);
        assert!(turning_points(&[], 0.0).is_empty());
    }

    /// Nouri's nested path: inner loops close from within, each where it left.
    #[test]
    fn nested_loops_close_from_within() {
        let x = [0.0, 0.5, -0.4, 0.3, -0.2, 0.3, -0.4, 0.5, 0.6];
        let turns = turning_points(&x, 0.0);
        assert_eq!(turns, [0, 1, 2, 3, 4, 5, 6, 8]);
        let loops: Vec<_> =
            rainflow_cycles(&x, &turns, 1e-9).iter().map(|l| (l.begin, l.turn, l.next, l.inner)).collect();
        assert_eq!(loops, [(0, 1, 2, false), (3, 4, 5, true), (2, 5, 6, true), (1, 6, 8, false)]);
    }
}
