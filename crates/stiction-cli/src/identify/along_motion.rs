//! A law fitted along a motion, with a progress bar and a checkpoint.
use super::args::Args;
use super::checkpoint::{Checkpoint, with_progress};
use super::records::{command, digest_of_bytes};
use crate::error::CommandError;
use stiction::identify::dynamic::DynamicOptions;
use stiction::identify::{FreeParameter, IdentificationResult, MotionTask, RecordSet, TaskProgress};
use stiction::{ParameterFile, Spec};

/// Options of such a fit.
#[derive(Clone, clap::Args)]
pub struct DynamicArgs {
    /// Hold a parameter at a value; with --scenario also any value of the scenario, by its path; repeatable.
    #[arg(long, value_name = "NAME=NUMBER")]
    pub set: Vec<String>,
    /// Fit this parameter, and hold all others that are not named so; within bounds if they are given; repeatable.
    #[arg(long, value_name = "NAME[=LO:HI]", value_parser = free)]
    pub free: Vec<FreeParameter>,
    /// Bounds of a parameter that is fitted; repeatable.
    #[arg(long, value_name = "NAME=LO:HI", value_parser = bounds)]
    pub bounds: Vec<FreeParameter>,
    /// Time at the beginning of each record that is not compared (s), while the influence of the unknown initial state
    /// decays.
    #[arg(long, value_name = "SECONDS", default_value_t, value_parser = super::parse::speed)]
    pub forget: f64,
    /// Confidence intervals by profile likelihood, in which the other parameters are fitted again; takes longer.
    #[arg(long)]
    pub profile: bool,
    /// Continue a fit that was stopped: the same command again, with --resume.
    #[arg(long, requires = "output")]
    pub resume: bool,
}

fn bounds(text: &str) -> Result<FreeParameter, String> {
    if text.contains('=') { free(text) } else { Err("write NAME=LOW:HIGH, as in sigma0=1e3:1e6".to_owned()) }
}

fn free(text: &str) -> Result<FreeParameter, String> {
    let Some((name, bounds)) = text.split_once('=') else { return Ok(FreeParameter::new(text.trim())) };
    let (low, high) = bounds.split_once(':').ok_or("write NAME=LOW:HIGH, as in sigma0=1e3:1e6")?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("'{text}' is not a number"));
    let (low, high) = (number(low)?, number(high)?);
    if low < high {
        Ok(FreeParameter::new(name.trim()).within(low, high))
    } else {
        Err("the lower bound comes first".to_owned())
    }
}

impl DynamicArgs {
    /// As options of the fit.
    pub fn options(&self, offset: bool, delay: bool) -> DynamicOptions {
        DynamicOptions {
            free: self.free.clone(),
            bounds: self.bounds.clone(),
            offset,
            delay,
            skip: self.forget,
            profile: self.profile,
            ..DynamicOptions::default()
        }
    }
}

/// Fits `law` to records. A fit with an output folder keeps a checkpoint beside it, from which it can be resumed.
pub fn find(
    law: &Spec,
    mut options: DynamicOptions,
    args: &Args,
    records: &RecordSet,
) -> Result<Vec<IdentificationResult>, CommandError> {
    let digests: Vec<&str> = records.inputs.iter().map(|input| input.sha256.as_str()).collect();
    let words = command().replace(" --resume", "");
    // the name of a law file does not say what is in it
    let law_digest = digest_of_bytes(ParameterFile::from(law.clone()).to_toml().as_bytes())?;
    let mark = format!("{words} {} {law_digest}", digests.join(" "));
    let checkpoint = args.output.as_deref().filter(|_| args.writes_checkpoint()).map(|dir| Checkpoint::new(dir, &mark));
    options.resume = match (&checkpoint, args.dynamic.resume) {
        (Some(checkpoint), true) => checkpoint.read()?,
        _ => None,
    };
    options.fit.loss = args.robust.unwrap_or_default();
    let task = MotionTask::AlongMotion(Box::new(law.clone()), Box::new(options));
    with_progress(checkpoint.as_ref(), |watch| {
        task.identify(records, &mut |now| match now {
            TaskProgress::Fit(now) => watch(now),
            TaskProgress::Comparison(_) => true,
        })
    })
}
