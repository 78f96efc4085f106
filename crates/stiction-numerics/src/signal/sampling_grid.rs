//! The even grid about which time stamps scatter.
//!
//! Samples that an even clock takes and a computer stamps when they arrive have stamps `t_k = φ + n_k T + e_k`: the indices `n_k` rise by one
//! from sample to sample, by more where samples were lost, and the errors `e_k` do not add up. Neighbouring stamps alone do not tell `n_k`: an
//! error of a fifth of a period makes one interval in twenty-five longer than one and a half periods. All stamps together do.
//!
//! * The period is that at which the stamps have most in common: `|Σ exp(2πi t_k/T)|` does not depend on the indices. It is sought in
//!   short blocks, near the median of the intervals, and refined by the phases of neighbouring blocks; these also follow a clock that drifts.
//! * The indices are the most likely ones: the sum of the squared errors over twice their variance, and `ln n` for every place where samples
//!   were lost, is smallest among all rising sequences (dynamic programming).
use std::f64::consts::TAU;

/// The grid of a series of times.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingGrid {
    /// The period \[s\].
    pub period: f64,
    /// The time of index zero \[s\].
    pub start: f64,
    /// The index of each time; they rise from zero.
    pub index: Vec<f64>,
    /// Standard deviation of the times about the grid \[s\].
    pub scatter: f64,
}

/// Times in a block.
const BLOCK: usize = 64;
/// Blocks in which the period is sought, at most, evenly spread.
const SEARCHED_BLOCKS: usize = 256;
/// Range of the frequencies about that of the median interval, as a share of it: the median of `BLOCK` intervals, each with errors of nearly half a
/// period, is known to 5 %.
const RANGE: f64 = 0.1;
/// Frequencies tried for each that a block resolves.
const OVERSAMPLING: f64 = 4.0;
/// Chance alone makes the mean power of blocks exceed that of unrelated times by more than so many standard deviations in one of a thousand series,
/// of the hundred frequencies that are tried.
const SIGNIFICANT: f64 = 5.0;
/// Blocks are joined until the squares of their resultants' lengths, in times, reach this: the phase is then known to a fortieth of a period.
const CLEAR: f64 = 32.0;
/// Smallest standard deviation of the errors that is assumed, in periods: clocks are written with few digits.
const MIN_SCATTER: f64 = 0.02;
/// Errors count linearly beyond this number of standard deviations, so that one late stamp does not look like lost samples.
const HUBER: f64 = 2.0;
/// Sequences of indices that are followed.
const PATHS: usize = 8;

/// `Σ exp(2πi f t)` over these times.
fn resultant(t: &[f64], frequency: f64, origin: f64) -> [f64; 2] {
    t.iter().fold([0.0; 2], |[re, im], t| {
        let (sin, cos) = (TAU * ((t - origin) * frequency).fract()).sin_cos();
        [re + cos, im + sin]
    })
}

fn sum(list: &[[f64; 2]]) -> [f64; 2] {
    list.iter().fold([0.0; 2], |[re, im], x| [re + x[0], im + x[1]])
}

fn mean(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len() as f64
}

/// The angle of a vector, in periods.
fn angle([re, im]: [f64; 2]) -> f64 {
    im.atan2(re) / TAU
}

/// An angle in periods, from −1/2 to 1/2.
fn wrapped(periods: f64) -> f64 {
    periods - periods.round()
}

/// The grid about which these rising times scatter; none if there is none, or if there are too few.
pub fn sampling_grid(t: &[f64]) -> Option<SamplingGrid> {
    if t.len() < BLOCK {
        return None;
    }
    let origin = t[0];
    let mut steps: Vec<f64> = t.windows(2).map(|t| t[1] - t[0]).collect();
    let middle = steps.len() / 2;
    let median = *steps.select_nth_unstable_by(middle, f64::total_cmp).1;
    if !(median > 0.0 && median.is_finite()) {
        return None;
    }
    // a last block may be longer
    let count = t.len() / BLOCK;
    let block = |b: usize| &t[b * BLOCK..if b + 1 == count { t.len() } else { (b + 1) * BLOCK }];
    let coarse = coarse_frequency(&block, count, median, origin)?;
    let sums: Vec<[f64; 2]> = (0..count).map(|b| resultant(block(b), coarse, origin)).collect();
    let centres: Vec<f64> = (0..count).map(|b| block(b)[block(b).len() / 2]).collect();
    // unrelated times have a power of one, equal phases one of the length of the block
    let power = sums.iter().map(|[re, im]| re * re + im * im).sum::<f64>() / t.len() as f64;
    let clarity = ((power - 1.0) / (BLOCK - 1) as f64).clamp(1e-6, 1.0);
    let clear = (CLEAR / (clarity * BLOCK as f64)).ceil() as usize;
    let frequency = refined_frequency(&sums, &centres, coarse, clear);
    let sums: Vec<[f64; 2]> = (0..count).map(|b| resultant(block(b), frequency, origin)).collect();
    let mut phases: Vec<f64> = sums.chunks(clear).map(sum).map(angle).collect();
    // the phase follows a clock that drifts
    for b in 1..phases.len() {
        phases[b] = phases[b - 1] + wrapped(phases[b] - phases[b - 1]);
    }
    let centres: Vec<f64> = centres.chunks(clear).map(mean).collect();
    let places = places(t, &centres, &phases, frequency, origin);
    let squared = places.iter().map(|x| (TAU * x).cos()).sum::<f64>() / places.len() as f64;
    let deviation = (-2.0 * squared.clamp(1e-9, 1.0).ln()).sqrt() / TAU;
    let index = indices(&places, deviation.max(MIN_SCATTER));
    regression(t, index)
}

/// The frequency with which the phases of neighbouring groups of blocks are equal on average: of single blocks first, then of groups twice as long, and
/// so on until their phases are clear.
fn refined_frequency(sums: &[[f64; 2]], centres: &[f64], coarse: f64, clear: usize) -> f64 {
    let mut change = 0.0;
    let mut width = 1;
    while 2 * width <= sums.len() {
        let turned: Vec<[f64; 2]> = sums
            .iter()
            .zip(centres)
            .map(|([re, im], centre)| {
                let (sin, cos) = (TAU * (change * (centre - centres[0])).fract()).sin_cos();
                [re * cos + im * sin, im * cos - re * sin]
            })
            .collect();
        // whole groups alone
        let groups: Vec<[f64; 2]> = turned.chunks_exact(width).map(sum).collect();
        let advance: Vec<[f64; 2]> = groups
            .windows(2)
            .map(|g| [g[0][0] * g[1][0] + g[0][1] * g[1][1], g[0][0] * g[1][1] - g[0][1] * g[1][0]])
            .collect();
        let apart = (centres[centres.len() - 1] - centres[0]) / (centres.len() - 1) as f64;
        change += angle(sum(&advance)) / (apart * width as f64);
        if width >= clear {
            break;
        }
        width *= 2;
    }
    coarse - change
}

/// The frequency near that of the median interval at which the blocks have most power; none if it is not significant.
fn coarse_frequency<'a>(block: &dyn Fn(usize) -> &'a [f64], count: usize, median: f64, origin: f64) -> Option<f64> {
    let every = count.div_ceil(SEARCHED_BLOCKS);
    let some: Vec<&[f64]> = (0..count).step_by(every).map(block).collect();
    let resolved = 1.0 / (BLOCK as f64 * median * OVERSAMPLING);
    let tried = (RANGE / (median * resolved)).ceil() as i32;
    let power = |frequency: f64| {
        let one = |t: &&[f64]| {
            let [re, im] = resultant(t, frequency, origin);
            (re * re + im * im) / t.len() as f64
        };
        some.iter().map(one).sum::<f64>() / some.len() as f64
    };
    let all = (-tried..=tried).map(|k| 1.0 / median + f64::from(k) * resolved);
    let (frequency, most) = all.map(|f| (f, power(f))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    // unrelated times have an exponentially distributed power of mean one
    (most > 1.0 + SIGNIFICANT * (1.0 / some.len() as f64).sqrt()).then_some(frequency)
}

/// The place of each time on the grid, in periods, with the phase of the blocks between whose centres it lies.
fn places(t: &[f64], centres: &[f64], phases: &[f64], frequency: f64, origin: f64) -> Vec<f64> {
    let mut b = 0;
    let phase = |b: &mut usize, at: f64| {
        while *b + 2 < centres.len() && centres[*b + 1] <= at {
            *b += 1;
        }
        if centres.len() < 2 {
            return phases[0];
        }
        let share = (at - centres[*b]) / (centres[*b + 1] - centres[*b]);
        phases[*b] + share * (phases[*b + 1] - phases[*b])
    };
    t.iter().map(|at| (at - origin) * frequency - phase(&mut b, *at)).collect()
}

/// The most likely rising whole numbers for these places, from zero.
fn indices(places: &[f64], deviation: f64) -> Vec<f64> {
    struct Path {
        index: i64,
        cost: f64,
        before: usize,
    }
    let lost = (places.len() as f64).ln();
    let error = |place: f64, index: i64| {
        let z = ((place - index as f64) / deviation).abs();
        if z <= HUBER { 0.5 * z * z } else { HUBER * (z - 0.5 * HUBER) }
    };
    let near = |place: f64| (-1..=1).map(move |k| place.round() as i64 + k);
    let mut paths: Vec<Vec<Path>> = Vec::with_capacity(places.len());
    for (k, &place) in places.iter().enumerate() {
        let Some(last) = paths.last().filter(|_| k > 0) else {
            paths.push(near(place).map(|index| Path { index, cost: error(place, index), before: 0 }).collect());
            continue;
        };
        let mut candidates: Vec<i64> = near(place).chain(last.iter().map(|path| path.index + 1)).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let reach = |index: i64| {
            let from = last.iter().enumerate().filter(|(_, path)| path.index < index);
            let cost = |path: &Path| path.cost + if index > path.index + 1 { lost } else { 0.0 };
            let best = from.map(|(before, path)| (before, cost(path))).min_by(|a, b| a.1.total_cmp(&b.1))?;
            Some(Path { index, cost: best.1 + error(place, index), before: best.0 })
        };
        let mut next: Vec<Path> = candidates.into_iter().filter_map(reach).collect();
        next.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        next.truncate(PATHS);
        paths.push(next);
    }
    let mut out = vec![0.0; places.len()];
    let mut at = 0;
    for (k, step) in paths.iter().enumerate().rev() {
        if k + 1 == paths.len() {
            at = (0..step.len()).min_by(|a, b| step[*a].cost.total_cmp(&step[*b].cost)).unwrap_or(0);
        }
        out[k] = step[at].index as f64;
        at = step[at].before;
    }
    let first = out[0];
    out.iter_mut().for_each(|index| *index -= first);
    out
}

/// The line of these times over their indices.
fn regression(t: &[f64], index: Vec<f64>) -> Option<SamplingGrid> {
    let n = t.len() as f64;
    let (mean_t, mean_n) = (t.iter().sum::<f64>() / n, index.iter().sum::<f64>() / n);
    let (above, below) = t.iter().zip(&index).fold((0.0, 0.0), |(above, below), (t, k)| {
        (above + (t - mean_t) * (k - mean_n), below + (k - mean_n) * (k - mean_n))
    });
    let period = above / below;
    let start = mean_t - period * mean_n;
    let squares: f64 = t.iter().zip(&index).map(|(t, k)| (t - start - period * k).powi(2)).sum();
    (period > 0.0).then(|| SamplingGrid { period, start, index, scatter: (squares / n).sqrt() })
}

#[cfg(test)]
mod tests {
    use super::sampling_grid;
    use crate::fit::Random;

    const PERIOD: f64 = 0.005;

    /// Stamps of these samples with errors in periods; those out of order are sorted, as a log is written in order.
    fn stamps(kept: impl Iterator<Item = u32>, mut error: impl FnMut() -> f64) -> (Vec<f64>, Vec<f64>) {
        let index: Vec<f64> = kept.map(f64::from).collect();
        let mut t: Vec<f64> = index.iter().map(|k| 100.0 + PERIOD * (k + error())).collect();
        t.sort_by(f64::total_cmp);
        t.dedup();
        (index, t)
    }
    fn wrong(index: &[f64], found: &[f64]) -> usize {
        assert_eq!(index.len(), found.len());
        index.iter().zip(found).filter(|(a, b)| *a - index[0] != **b).count()
    }

    /// Intervals alone counted 3.5 % too many.
    #[test]
    fn scattered_stamps_are_counted_once() {
        let mut random = Random::new(11);
        for n in [500, 4000, 60_000] {
            for scatter in [0.0, 0.02, 0.1, 0.2, 0.3, 0.45] {
                // errors even in ±0.45 periods leave (sin 0.9π / 0.9π)² = 0.012 of the power: a block of 64 has 1.76 instead of 1, which 62 blocks do
                // not tell from chance in every series
                if n < 60_000 && scatter > 0.4 {
                    continue;
                }
                // even in ±scatter
                let (index, t) = stamps(0..n, || 2.0 * scatter * (random.uniform() - 0.5));
                let grid = sampling_grid(&t).expect("a grid");
                assert_eq!(wrong(&index, &grid.index), 0, "{n} {scatter}");
                // a line through n points with errors of this deviation: 3.5 scatter/n^1.5 in the slope, five times that
                let error = scatter / 3.0_f64.sqrt() * 12.0_f64.sqrt() * f64::from(n).powf(-1.5);
                assert!((grid.period / PERIOD - 1.0).abs() <= 5.0 * error + 1e-12, "{n} {scatter}: {}", grid.period);
            }
            let (index, t) = stamps(0..n, || 0.2 * random.normal());
            let grid = sampling_grid(&t).expect("a grid");
            assert_eq!(wrong(&index, &grid.index), 0, "{n}");
            assert!((grid.scatter / (0.2 * PERIOD) - 1.0).abs() < 0.2, "{}", grid.scatter);
        }
    }
    #[test]
    fn lost_samples_are_counted() {
        let mut random = Random::new(12);
        let mut lost = Random::new(13);
        for scatter in [0.0, 0.1, 0.2] {
            let kept: Vec<u32> =
                (0..20_000).filter(|k| k % 1000 >= 7 || *k < 7).filter(|_| lost.uniform() > 0.005).collect();
            let (index, t) = stamps(kept.into_iter(), || scatter * random.normal());
            let grid = sampling_grid(&t).expect("a grid");
            // where a sample was lost is known to a few samples if stamps scatter by a fifth: two hundred places
            let most = if scatter > 0.1 { 600 } else { 10 };
            let found = wrong(&index, &grid.index);
            assert!(found <= most, "{scatter}: {found}");
            assert_eq!(grid.index.last().copied(), index.last().map(|last| last - index[0]), "{scatter}");
            assert!((grid.period / PERIOD - 1.0).abs() < 1e-6, "{}", grid.period);
        }
    }
    #[test]
    fn coarse_and_drifting_clocks_are_followed() {
        // 2.7 ms written in whole milliseconds
        let t: Vec<f64> = (0..9000).map(|k| (2.7 * f64::from(k)).floor() * 1e-3).collect();
        let grid = sampling_grid(&t).expect("a grid");
        assert_eq!(grid.index.last().copied(), Some(8999.0));
        assert!((grid.period / 2.7e-3 - 1.0).abs() < 1e-6, "{}", grid.period);
        // a clock that gains a thousandth over the record, thirty samples in all, with scatter
        let mut random = Random::new(14);
        let t: Vec<f64> = (0..60_000)
            .map(|k| {
                let x = f64::from(k);
                PERIOD * (x + 5e-4 * x * x / 60_000.0 + 0.1 * random.normal())
            })
            .collect();
        let grid = sampling_grid(&t).expect("a grid");
        assert_eq!(grid.index.last().copied(), Some(59_999.0));
    }
    #[test]
    fn times_without_a_grid_have_none() {
        let mut random = Random::new(15);
        let mut t = 0.0;
        // intervals between half and one and a half, which add up
        let t: Vec<f64> = (0..5000)
            .map(|_| {
                t += PERIOD * (0.5 + random.uniform());
                t
            })
            .collect();
        assert!(sampling_grid(&t).is_none());
        assert!(sampling_grid(&t[..20]).is_none());
        // two rates: the second has every other place of the first
        let t: Vec<f64> = (0..1000).map(|k| if k < 600 { f64::from(k) } else { f64::from(2 * k - 600) }).collect();
        let grid = sampling_grid(&t).expect("a grid");
        assert_eq!((grid.index[999], grid.period), (1398.0, 1.0));
    }
}
