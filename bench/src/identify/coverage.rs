//! How often the truth lies inside the stated intervals.
use super::record::{Case, Data, LATE, MASS, OFFSET, RATE, Way, raw, text};
use stiction::identify::sliding;
use stiction::identify::{Estimate, IdentificationResult, MotionRecord, Preparation, PreparedMotion, dynamic, prepare};
use stiction::{Error, Spec, parallel};

/// One record made and identified.
fn find(case: &Case, data: Data, seed: u32) -> Result<IdentificationResult, Error> {
    let raw = raw(&text(case, data, seed)?, data)?;
    let delay = matches!(data, Data::Hold | Data::Late);
    match case.way {
        Way::Sliding(curve) => {
            let (prepared, _) = prepare(&raw, &Preparation::default())?;
            sliding::identify(
                &prepared,
                &sliding::SlidingOptions { curve: Some(curve), delay, ..sliding::SlidingOptions::default() },
            )
        }
        Way::Along => {
            let (prepared, _) = prepare(&raw, &Preparation { mass: Some(0.0), ..Preparation::default() })?;
            let motions: Vec<MotionRecord> = prepared.into_iter().map(|p: PreparedMotion| p.motion).collect();
            let options = dynamic::DynamicOptions { offset: true, delay, ..dynamic::DynamicOptions::default() };
            dynamic::identify(&motions, &Spec::new(case.law)?, &options)
        }
    }
}

/// The band that holds the true share with 95 %, after `inside` of `all` (Wilson's score interval).
fn band(inside: usize, all: usize) -> [f64; 2] {
    let (n, p, z) = (all as f64, inside as f64 / all as f64, 1.96_f64);
    let (middle, spread) = (p + z * z / (2.0 * n), z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt());
    [middle - spread, middle + spread].map(|x| x / (1.0 + z * z / n))
}

/// What is stated of a parameter. Elements of a law that are alike but for their stiffness come back in any order: the
/// stiffest counts as the first.
fn stated<'a>(result: &'a IdentificationResult, key: &str) -> Option<&'a Estimate> {
    let stiff = ["k1", "k2", "k3", "k4"];
    let Some(place) = stiff.iter().position(|k| *k == key) else { return result.estimate(key) };
    let mut found: Vec<_> = stiff.iter().filter_map(|k| result.estimate(k)).collect();
    found.sort_by(|a, b| b.value.total_cmp(&a.value));
    found.get(place).copied()
}

/// Shares of intervals that hold the truth.
pub(super) fn coverage(case: &Case, data: Data, seeds: u32) -> Result<(), Error> {
    let seeds: Vec<u32> = (1..=seeds).collect();
    let found: Vec<IdentificationResult> =
        parallel::map(&seeds, |seed| find(case, data, *seed)).into_iter().collect::<Result<_, _>>()?;
    let (way, extra) = match case.way {
        Way::Sliding(_) => ("sliding", vec![("mass", MASS), ("offset", OFFSET)]),
        Way::Along => ("along", vec![("offset", OFFSET)]),
    };
    let name = data.name();
    // held over a sample, the force lies half a sample before the end at which it is written
    let delay = match data {
        Data::Hold => Some(("delay", 0.5 / RATE)),
        Data::Late => Some(("delay", LATE / RATE)),
        _ => None,
    };
    for (key, truth) in case.values.iter().copied().chain(extra).chain(delay) {
        let sure = |e: &&Estimate| e.interval[1] > e.interval[0] && (e.interval[1] - e.interval[0]).is_finite();
        let stated: Vec<&Estimate> = found.iter().filter_map(|f| stated(f, key)).filter(sure).collect();
        if stated.is_empty() {
            continue;
        }
        let inside = stated.iter().filter(|e| e.interval[0] <= truth && truth <= e.interval[1]).count();
        let [low, high] = band(inside, stated.len());
        // how far off the mean is and how far values scatter, in standard errors: 0 and 1 if all is well
        let off: Vec<f64> = stated.iter().map(|e| (e.value - truth) / e.error).collect();
        let count = off.len() as f64;
        let bias = off.iter().sum::<f64>() / count;
        let spread = (off.iter().map(|x| (x - bias).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)).sqrt();
        println!(
            "coverage {way},{},{name},{key},{:.3},of {},{low:.3},{high:.3},{bias:.2},{spread:.2}",
            case.law,
            inside as f64 / count,
            stated.len()
        );
    }
    Ok(())
}
