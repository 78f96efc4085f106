//! The quantisation step of a signal.

/// Fewest differences, how near to an integer multiple they must be, and the share of them that must be so near.
const MIN_DIFFERENCES: usize = 16;
const MULTIPLE_TOLERANCE: f64 = 0.03;
const MIN_SHARE: f64 = 0.95;
/// The smallest difference may be this many steps.
const MAX_MULTIPLE: u32 = 20;
/// Differences of up to this many steps are included, in this order: each round makes the step accurate enough for the next.
const REFINEMENT_RANGES: [f64; 3] = [20.0, 200.0, 2000.0];
/// Differences below this fraction of the largest value are rounding errors.
const ROUNDING: f64 = 1e-13;

/// The step of which nearly all differences between values are integer multiples. None if there is no such step, as for a
/// signal in full precision.
///
/// The smallest differences are assumed to be one to twenty steps; then the step is fitted to larger and larger differences.
/// Without a step the remainders would be distributed evenly, and one in sixteen would be near zero.
pub fn quantisation_step(differences: &[f64], largest: f64) -> Option<f64> {
    let mut sizes: Vec<f64> = differences.iter().map(|d| d.abs()).filter(|d| *d > ROUNDING * largest).collect();
    if sizes.len() < MIN_DIFFERENCES {
        return None;
    }
    sizes.sort_by(f64::total_cmp);
    // a few outliers may be smaller than a step
    let smallest = [0, sizes.len() / 100, sizes.len() / 50].map(|at| sizes[at]);
    let mut found = None;
    for base in smallest {
        let step = (1..=MAX_MULTIPLE).find_map(|multiple| fit(&sizes, base / f64::from(multiple)));
        found = [found, step].into_iter().flatten().reduce(f64::max);
    }
    found
}

fn fit(sizes: &[f64], mut step: f64) -> Option<f64> {
    for wide in REFINEMENT_RANGES {
        let taken = &sizes[..sizes.partition_point(|size| *size <= wide * step)];
        if taken.len() < MIN_DIFFERENCES && wide == REFINEMENT_RANGES[0] {
            continue;
        }
        let near =
            |size: &&f64| ((**size / step).round() - **size / step).abs() < MULTIPLE_TOLERANCE && **size > 0.5 * step;
        let good: Vec<f64> = taken.iter().filter(near).copied().collect();
        if good.len() < MIN_DIFFERENCES || (good.len() as f64) < MIN_SHARE * taken.len() as f64 {
            return None;
        }
        let (above, below) = good.iter().fold((0.0, 0.0), |(above, below), size| {
            let count = (size / step).round();
            (above + size * count, below + count * count)
        });
        step = above / below;
    }
    Some(step)
}

#[cfg(test)]
mod tests {
    use super::quantisation_step;
    use stiction_core::Real;

    fn differences(values: &[f64]) -> Vec<f64> {
        values.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    #[test]
    fn finds_the_step_of_an_encoder() {
        let q = std::f64::consts::TAU / 4096.0;
        let sine = |k: u32| (f64::from(k) * 0.013).sin();
        let values: Vec<f64> = (0..3000).map(|k| (sine(k) / q).round() * q).collect();
        let found = quantisation_step(&differences(&values), 1.0).expect("a step");
        // differences of values near one round by 1e-16, which is 1e-13 of a step
        assert!((found / q - 1.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn a_few_wild_values_do_not_hide_it() {
        let mut values: Vec<f64> = (0..3000).map(|k| (f64::uniform(1.0, f64::from(k)) * 50.0).floor() * 0.25).collect();
        values[700] += 0.0301;
        values[1900] += 0.111;
        let found = quantisation_step(&differences(&values), 12.5).expect("a step");
        // two values off by a fraction of a step, among 6000 differences of up to fifty steps that the step is fitted
        // to
        assert!((found / 0.25 - 1.0).abs() < 1e-4, "{found}");
    }

    #[test]
    fn digits_that_were_cut_off_are_no_finer_step() {
        // a converter with steps of 0.0153, written with three decimals
        let level = |k: u32| (f64::uniform(3.0, f64::from(k)) * 60.0).floor() * 0.0153;
        let values: Vec<f64> = (0..3000).map(|k| (level(k) * 1e3).round() / 1e3).collect();
        let found = quantisation_step(&differences(&values), 1.0).expect("three decimals");
        // differences of values near one round by 1e-16, which is 1e-13 of a step
        assert!((found / 1e-3 - 1.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn all_digits_have_no_step() {
        let values: Vec<f64> = (0..3000).map(|k| (f64::from(k) * 0.013).sin()).collect();
        assert_eq!(quantisation_step(&differences(&values), 1.0), None);
        let noise: Vec<f64> = (0..3000).map(|k| f64::uniform(2.0, f64::from(k))).collect();
        assert_eq!(quantisation_step(&differences(&noise), 1.0), None);
        assert_eq!(quantisation_step(&[0.0; 100], 1.0), None);
    }
}
