//! Many fits of a scenario: from many places, and refits of a bootstrap.
use crate::device::DeviceKind;
use crate::error::CommandError;
use crate::interrupt::interrupt;
use crate::progress::Progress;
use crate::stream;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stiction::Error;
use stiction::accelerator::Accelerator;
use stiction::fit::ScreeningOptions;
use stiction::identify::dynamic::plant::{DeviceFits, PlantFit, PlantLog, PlantOptions};
use stiction::identify::{FoundFit, GlobalSearch, Refits, Remark, Severity};
use stiction::scenario::Template;

/// Options of many fits.
#[derive(Clone, clap::Args)]
pub struct ManyFitsArgs {
    /// Refit the scenario so many times to residuals that are drawn anew in blocks: how far its values scatter, with intervals; -o keeps
    /// them in bootstrap.csv. Ctrl-C ends it, and keeps the fit and the refits so far.
    #[arg(long, value_name = "N", requires = "scenario", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub bootstrap: Option<u32>,
    /// Fit the scenario from so many places within the bounds of its parameters, and go on from the best.
    #[arg(long, value_name = "N", requires = "scenario", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub starts: Option<u32>,
    /// Seed of --bootstrap and --starts; default: 1.
    #[arg(long, value_name = "S")]
    pub seed: Option<u32>,
    /// What runs the fits of --bootstrap and --starts: the processor, or a GPU with CUDA.
    #[arg(long, value_name = "KIND", value_enum)]
    pub device: Option<DeviceKind>,
}

/// The refits of a bootstrap.
pub struct KeptRefits {
    /// Their values.
    pub table: String,
    /// How many there are, and how many there were to be, if it was interrupted.
    pub interrupted: Option<[usize; 2]>,
}

impl ManyFitsArgs {
    /// Whether there are any.
    pub fn any(&self) -> bool {
        self.bootstrap.is_some() || self.starts.is_some()
    }
    fn seed(&self) -> u32 {
        self.seed.unwrap_or(1)
    }
    /// The device that runs them; none for the processor.
    pub fn open(&self) -> Result<Option<Arc<dyn Accelerator>>, Error> {
        let device = self.device.unwrap_or_default().open()?;
        device.iter().for_each(|device| stream::note(format_args!("fits run on {}", device.description())));
        Ok(device)
    }
    /// Refuses what the device cannot run, before the fit.
    pub fn check(
        &self,
        device: &dyn Accelerator,
        template: &Template,
        logs: &[PlantLog],
        options: &PlantOptions,
    ) -> Result<(), CommandError> {
        if !DeviceFits::new(template, logs, options, None, device)?.is_direct() {
            stream::note(
                "the processor builds the system of each trajectory, which is slow: a recipe computes with a free parameter",
            );
        }
        Ok(())
    }
    /// Where the fit begins: the options as they are, or after fits from many places on a device the best of them.
    pub fn search(
        &self,
        device: Option<&dyn Accelerator>,
        template: &mut Template,
        logs: &[PlantLog],
        options: &mut PlantOptions,
    ) -> Result<Option<Remark>, CommandError> {
        let Some(count) = self.starts else { return Ok(None) };
        let Some(device) = device else {
            if let GlobalSearch::Multistart(usual) = options.search {
                let (samples, fits) = (count as usize, count as usize);
                let places = ScreeningOptions { samples: samples.max(usual.samples), fits, seed: self.seed(), ..usual };
                options.search = GlobalSearch::Multistart(places);
            }
            return Ok(None);
        };
        let fits = DeviceFits::new(template, logs, options, None, device)?;
        let ends = with_bar(count as usize + 1, |show| {
            fits.from_places(count as usize, self.seed(), &|ended| {
                show(ended);
                true
            })
        })?;
        let Some(best) = ends.first() else { return Ok(None) };
        for (parameter, value) in fits.parameters().iter().zip(&best.values) {
            template.initial_value(&parameter.name, *value);
        }
        options.search = GlobalSearch::None;
        // as near as fits end that stop by the change of the cost
        let same = ends.iter().filter(|end| end.cost <= 1.01 * best.cost).count();
        let text = format!(
            "{same} of {} fits from {count} places and the initial values end at the same cost, within 1 %",
            ends.len()
        );
        Ok(Some(Remark::new(Severity::Good, text)))
    }
    /// Refits a scenario, and adds to its result what they say. Ctrl-C ends it with the refits so far.
    pub fn refit(
        &self,
        device: Option<&dyn Accelerator>,
        template: &Template,
        logs: &[PlantLog],
        options: &PlantOptions,
        fitted: &mut PlantFit,
    ) -> Result<Option<KeptRefits>, CommandError> {
        let Some(count) = self.bootstrap else { return Ok(None) };
        let (found, refits) = (FoundFit::of_plant(fitted), Refits { seed: self.seed(), indices: 0..count });
        let stop = interrupt()?;
        stream::note(format_args!("the fit is done, {count} refits follow: Ctrl-C ends them, and keeps those so far"));
        let goes_on = || !stop.load(Ordering::Relaxed);
        let count = count as usize;
        let done = match device {
            Some(device) => with_bar(count, |show| {
                refits.of_plant_on(device, template, logs, options, &found, &|ended| {
                    show(ended);
                    goes_on()
                })
            })?,
            None => refits_here(&refits, template, logs, options, &found, &goes_on)?,
        };
        let missing = count - done.len();
        let interrupted = (missing > 0 && !goes_on()).then_some([done.len(), count]);
        if let Some([done, _]) = interrupted {
            fitted
                .result
                .remark(Severity::Warning, format!("the bootstrap was interrupted: it has {done} of {count} refits"));
        } else if missing > 0 {
            fitted.result.remark(Severity::Warning, format!("{missing} of {count} refits of the bootstrap fail"));
        }
        // one refit has no deviation
        if done.len() > 1 {
            fitted.result.tables.push(found.table(&done, options.level));
        }
        let mut out = "refit".to_owned();
        found.values.iter().for_each(|(name, _)| out += &format!(",{name}"));
        for (index, values) in &done {
            let _ = write!(out, "\n{index}");
            values.iter().for_each(|x| out += &format!(",{x}"));
        }
        Ok(Some(KeptRefits { table: out + "\n", interrupted }))
    }
}

/// Refits on all processors, in parts, so that progress is known; those so far where it shall not go on.
fn refits_here(
    refits: &Refits,
    template: &Template,
    logs: &[PlantLog],
    options: &PlantOptions,
    found: &FoundFit,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<(u32, Vec<f64>)>, CommandError> {
    let step = 4 * stiction::parallel::processors() as u32;
    let ended = AtomicUsize::new(0);
    let count = refits.indices.len();
    with_bar(count, |show| {
        let mut out = Vec::new();
        for from in refits.indices.clone().step_by(step as usize) {
            if !goes_on() {
                break;
            }
            let indices = from..refits.indices.end.min(from.saturating_add(step));
            let watch = || {
                show(ended.load(Ordering::Relaxed));
                goes_on()
            };
            out.extend(Refits { indices: indices.clone(), ..*refits }.of_plant(template, logs, options, found, &watch));
            ended.fetch_add(indices.len(), Ordering::Relaxed);
        }
        Ok(out)
    })
}

/// Work of many fits with a progress bar, which is told how many have ended.
fn with_bar<T>(
    count: usize,
    work: impl FnOnce(&(dyn Fn(usize) + Sync)) -> Result<T, Error>,
) -> Result<T, CommandError> {
    let bar = Progress::of_fraction();
    let done = work(&|ended| bar.show(ended as f64 / count.max(1) as f64));
    bar.end();
    Ok(done?)
}
