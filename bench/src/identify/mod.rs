//! How often the truth lies inside the stated intervals, and how long a fit of a long record takes.
//!
//! Records are made by laws along known motions and go the way of the program: text, columns by their names, filter, fit.
//! All have noise on the force; `clean` ones nothing else, `steps` ones also a position in steps of an encoder; of the `uneven`
//! ones each sample was taken at the instant it says, early or late, and those of `stamps` were taken evenly, but the
//! instants they say are wrong. Of the `hold` ones the force is held over each sample, so that it lies half a sample before its row; of
//! the `late` ones it is measured 1.3 samples late: the delay is estimated with the law. That of the `drift` ones drifts with time, by an
//! amount that is estimated. `alarms` are records of a symmetric joint: how often is chance taken for an asymmetry, or for a force that repeats
//! with the position, and how often is a real one seen.
mod coverage;
mod false_alarms;
mod record;
mod time;

use crate::clock::print_machine;
use record::{CASES, Data};
use stiction::Error;

/// Runs all and prints CSV. `seeds` records of each law; times alone if there are none. `only` names laws and kinds
/// of records, separated by commas: their coverage alone.
pub fn run(seeds: u32, only: Option<&str>) -> Result<(), Error> {
    print_machine();
    println!("what,law,data,name,value,unit,low,high,bias,spread");
    let names: Vec<&str> = only.iter().flat_map(|only| only.split(',')).collect();
    let (kinds, laws): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| Data::ALL.iter().any(|data| data.name() == *name));
    if names_alarms(only) {
        return false_alarms::shares(seeds);
    }
    let wanted = |list: &[&str], name: &str| list.is_empty() || list.contains(&name);
    for case in CASES.iter().filter(|case| seeds > 0 && wanted(&laws, case.law)) {
        for data in Data::ALL.into_iter().filter(|data| wanted(&kinds, data.name())) {
            coverage::coverage(case, data, seeds)?;
        }
    }
    if only.is_some() {
        return Ok(());
    }
    if seeds > 0 {
        false_alarms::shares(seeds)?;
    }
    time::time()
}

/// Whether only the shares of false alarms are wanted.
fn names_alarms(only: Option<&str>) -> bool {
    only == Some("alarms")
}
