//! What a law really shows: a battery of experiments, made to its own scales, and a figure for each.
//!
//! ```
//! use stiction::{Spec, analysis::phenomena::{Phenomenon, measure}};
//!
//! let report = measure(&Spec::new("lugre")?, &[Phenomenon::Stribeck, Phenomenon::NoDrift])?;
//! assert!(report.shows(Phenomenon::Stribeck));
//! assert!(!report.shows(Phenomenon::NoDrift));                        // it creeps when it trembles
//! # Ok::<(), stiction::Error>(())
//! ```
//! Nothing is asserted of a law: each cell is the outcome of an experiment, and [`kinds`] says how large a figure counts
//! and why. What papers and the laws' own pages claim is in [`claims`], to be compared.
mod away;
mod bench;
mod choose;
pub mod claims;
mod cost;
mod cycles;
pub mod kinds;
mod presliding;
mod rest;
mod sliding;

pub use choose::{Choice, choose};
pub use cost::Cost;
pub use kinds::{Kind, Phenomenon};

use super::energy::{passivity, search::Effort};
use super::scales::Scales;
use crate::parallel;
use crate::{Error, Spec};
use bench::Bench;
use std::cell::OnceCell;

/// Whether a law shows something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It does.
    Yes,
    /// Nothing speaks against it, but nothing proves it.
    Open,
    /// It does not.
    No,
}

impl Shown {
    /// `yes`, `open`, `no`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Open => "open",
            Self::No => "no",
        }
    }
}

/// The outcome of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What was looked for.
    pub kind: &'static Kind,
    /// The figure; none if the experiment makes no sense for the law.
    pub figure: Option<f64>,
    /// Whether it counts.
    pub shown: Shown,
    /// What else to say; may be empty.
    pub note: String,
}

/// All about one law.
#[derive(Clone, Debug)]
pub struct Report {
    /// The law.
    pub spec: Spec,
    /// Its scales.
    pub scales: Scales,
    /// What was looked for, in the order of [`kinds::ALL`].
    pub cells: Vec<Cell>,
    /// What a sample costs.
    pub cost: Cost,
}

impl Report {
    /// The outcome for a phenomenon, if it was looked for.
    pub fn cell(&self, what: Phenomenon) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.kind.what == what)
    }
    /// Whether it shows a phenomenon, proved or not.
    pub fn shows(&self, what: Phenomenon) -> bool {
        self.cell(what).is_some_and(|cell| cell.shown != Shown::No)
    }
}

fn could_not(error: &Error) -> String {
    format!("the simulation could not go on: {error}")
}

/// A figure, or why there is none.
fn cell(what: Phenomenon, found: Result<Option<f64>, Error>, without: &str) -> Cell {
    let kind = what.kind();
    let (figure, note) = match found {
        Ok(Some(figure)) if figure.is_finite() => (Some(figure), String::new()),
        Ok(_) => (None, without.to_owned()),
        Err(error) => (None, could_not(&error)),
    };
    let shown = if figure.is_some_and(|x| kind.counts(x)) { Shown::Yes } else { Shown::No };
    Cell { kind, figure, shown, note }
}

/// All that is looked for.
pub const EVERYTHING: [Phenomenon; kinds::ALL.len()] = {
    let mut all = [Phenomenon::Hold; kinds::ALL.len()];
    let mut k = 0;
    while k < all.len() {
        all[k] = kinds::ALL[k].what;
        k += 1;
    }
    all
};

/// Puts one law through the experiments for `wanted`.
///
/// # Errors
/// As [`Spec::build`]. An experiment that fails is a cell that says so.
pub fn measure(spec: &Spec, wanted: &[Phenomenon]) -> Result<Report, Error> {
    with_cost(spec, Cost::measure(spec)?, wanted)
}

fn with_cost(spec: &Spec, cost: Cost, wanted: &[Phenomenon]) -> Result<Report, Error> {
    let scales = Scales::measure(spec)?;
    let experiments = Experiments { bench: Bench::new(spec, &scales), away: OnceCell::new() };
    let kinds = kinds::ALL.iter().filter(|kind| wanted.contains(&kind.what));
    let cells = kinds.map(|kind| experiments.cell(kind.what)).collect();
    Ok(Report { spec: spec.clone(), scales, cells, cost })
}

struct Experiments<'a> {
    bench: Bench<'a>,
    /// Three phenomena share it.
    away: OnceCell<Result<away::Away, Error>>,
}

impl Experiments<'_> {
    fn cell(&self, what: Phenomenon) -> Cell {
        const SPRING: &str = "no presliding spring";
        let bench = &self.bench;
        match what {
            Phenomenon::Hold => cell(what, rest::creep(bench).map(Some), ""),
            Phenomenon::Breakaway => self.broken(what, |away| away.ratio),
            Phenomenon::Stribeck => cell(what, Ok(Some(sliding::fall(bench))), ""),
            Phenomenon::Presliding => self.presliding(),
            Phenomenon::Plastic => cell(what, presliding::residual(bench), SPRING),
            Phenomenon::Hysteresis => cell(what, presliding::fill(bench), SPRING),
            Phenomenon::Nonlocal => {
                cell(what, presliding::miss(bench), "no hysteresis in presliding, or none on a smaller scale")
            }
            Phenomenon::Lag => cell(what, sliding::lag(bench).map(Some), ""),
            Phenomenon::Rate => self.broken(what, |away| away.rate),
            Phenomenon::Dwell => self.broken(what, |away| away.dwell),
            Phenomenon::NoDrift => cell(what, rest::drift(bench).map(Some), ""),
            Phenomenon::StickSlip => cell(what, cycles::stick_slip(bench).map(Some), ""),
            Phenomenon::Hunting => cell(what, cycles::hunting(bench).map(Some), ""),
            Phenomenon::Passive => passive(bench.spec),
            Phenomenon::Smooth => cell(what, sliding::jump(bench).map(Some), ""),
        }
    }
    fn broken(&self, what: Phenomenon, pick: fn(&away::Away) -> Option<f64>) -> Cell {
        const AWAY: &str = "no break-away: the force vanishes with the speed, or has no level";
        match self.away.get_or_init(|| away::away(&self.bench)) {
            Ok(found) => cell(what, Ok(pick(found)), AWAY),
            Err(error) => Cell { note: could_not(error), ..cell(what, Ok(None), AWAY) },
        }
    }
    fn presliding(&self) -> Cell {
        let (scales, what) = (self.bench.scales, Phenomenon::Presliding);
        match scales.stiffness {
            Some(stiffness) => {
                let note = format!("{stiffness:.3e} N/m over {:.2e} m", scales.length);
                Cell { note, ..cell(what, Ok(Some(scales.share)), "") }
            }
            // what builds up does so in time, or is held at once
            None => Cell { shown: Shown::No, ..cell(what, Ok(Some(scales.share)), "") },
        }
    }
}

fn passive(spec: &Spec) -> Cell {
    let found = passivity(spec, &Effort::QUICK);
    let mut cell =
        cell(Phenomenon::Passive, found.as_ref().map(|p| Some(p.relative())).or(Ok(None)), "no velocity repeats");
    if let Ok(p) = found {
        let (shown, note) = match (p.gains(), p.proved(), p.conditions.is_empty()) {
            (true, ..) => (Shown::No, "a velocity was found that gains so much in every period"),
            (_, true, _) => (Shown::Yes, "a sufficient condition holds, and no velocity was found that gains"),
            (.., true) => (Shown::Open, "no condition is known, and no velocity was found that gains"),
            (.., false) => (Shown::Open, "the condition fails, yet no velocity was found that gains"),
        };
        cell.shown = shown;
        note.clone_into(&mut cell.note);
    }
    cell
}

/// Puts laws through the experiments for `wanted`, on all threads. Costs are measured before, one after the other.
///
/// # Errors
/// As [`measure`].
pub fn battery(specs: &[Spec], wanted: &[Phenomenon]) -> Result<Vec<Report>, Error> {
    let costs = specs.iter().map(Cost::measure).collect::<Result<Vec<_>, _>>()?;
    let tasks: Vec<(&Spec, Cost)> = specs.iter().zip(costs).collect();
    parallel::map(&tasks, |(spec, cost)| with_cost(spec, *cost, wanted)).into_iter().collect()
}
