//! The options of `stiction identify`.
use super::joints::JointList;
use super::{along_motion, many_fits, parse, plant, records, velocity_steps};
use crate::data::table_args::TableArgs;
use crate::device::DeviceKind;
use crate::error::CommandError;
use crate::picture::PictureArgs;
use clap::ValueEnum;
use std::path::PathBuf;
use stiction::identify::Smoothing;
use stiction::identify::sliding::CrossValidation;

/// Identify friction from measured data: a law, its parameters, and their uncertainty.
///
/// Columns are selected by name or number, or computed by an expression, as in 'stiction data'. Columns that are not
/// given are guessed from their names. The force is what drives the body, minus --known; friction is that minus the
/// inertia force. A positive force drives towards positive velocity, or, if it is friction itself (--mass 0), opposes
/// it.
#[derive(Clone, clap::Args)]
#[command(
    after_help = "Examples:\n  stiction identify log.csv\n  stiction identify log.csv --position 'q*1e-3' --force '35.15*vir' -o out\n  stiction identify log.csv --model stribeck --mass 2.5 --known '2.5*9.81*sin(q)' --json\n  stiction identify run1.csv run2.csv --model auto --leave records -o out\n  stiction identify other.csv --check out/model.toml\n  stiction identify robot.csv --joints 1-6 --position 'q#' --force 'tau#' -o joints\n  stiction identify log.mat --position qm --force 'gtau*vir' --filter butterworth:4:100 --drop 49,0 --decimate 10 --rest 0 --model stiction"
)]
pub struct Args {
    /// Files of measured data, one record each; - is stdin.
    #[arg(value_name = "DATA", required = true)]
    pub files: Vec<PathBuf>,
    /// What to identify; default: what suits --model, and without it sliding.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub find: Option<IdentificationTarget>,
    /// The law: auto for the best of all; coulomb, stiction (Coulomb and viscous), stribeck, stribeck:EXPONENT for
    /// sliding; dieterich, ruina, prz, nagata for velocity steps, with :2 for two states; any other law of 'stiction models'
    /// or a law file, FILE.toml, is fitted along the motion.
    #[arg(long, value_name = "LAW", default_value = "auto", value_parser = parse::model)]
    pub model: parse::ModelChoice,
    /// Do not fit, but test how well this law, identified elsewhere, predicts the data. Mass and offset are those in
    /// the file. A fitted scenario, or the law of one with --scenario, is simulated and compared with the data.
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["find", "model"])]
    pub check: Option<String>,
    /// Separate friction levels for each direction; auto tries both.
    #[arg(long)]
    pub asymmetric: bool,
    #[command(flatten)]
    pub columns: records::ColumnArgs,
    /// Joints of a robot in one record, each identified by itself: names or numbers separated by commas, or FIRST-LAST. Each in turn
    /// takes the place of # in columns, terms and --check, as in --joints 1-6 --position 'q#' --force 'k#*i#'; by numbers of columns
    /// '$(#+6)'. The folder of --output then has a folder for each.
    #[arg(long, value_name = "NAME,NAME...", value_parser = JointList::parse, conflicts_with = "scenario")]
    pub joints: Option<JointList>,
    #[command(flatten)]
    pub layout: TableArgs,
    /// Smoothing of the position: auto, none, spline, butterworth:ORDER:HERTZ or savgol:WINDOW:ORDER. For velocity
    /// steps auto takes the load point as straight between steps, if it is noisy.
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = parse::smooth)]
    pub filter: Smoothing,
    /// Samples to drop at the beginning and at the end, after filtering.
    #[arg(long, value_name = "FIRST,LAST", value_parser = parse::drop, default_value = "0,0")]
    pub drop: [usize; 2],
    /// Decimate force and every term of the model by this factor, through the same filter.
    #[arg(long, value_name = "FACTOR", value_parser = parse::factor)]
    pub decimate: Option<usize>,
    /// Speed below which the body counts as at rest [m/s]; default: from the noise. With 0 every sample counts.
    #[arg(long, value_name = "SPEED", value_parser = parse::speed, allow_negative_numbers = true)]
    pub rest: Option<f64>,
    /// Do not fit a constant force besides friction.
    #[arg(long)]
    pub no_offset: bool,
    /// Reduce the weight of outliers: huber, soft, cauchy or tukey.
    #[arg(long, value_name = "LOSS", value_parser = parse::loss)]
    pub robust: Option<stiction::fit::Loss>,
    /// Take residuals as independent of each other (white noise), as textbooks do; by default, errors account for
    /// correlated noise.
    #[arg(long)]
    pub white: bool,
    /// Data left out for cross-validation: records, or a number of intervals of time.
    #[arg(long, value_name = "records|N", default_value = "records", value_parser = parse::leave)]
    pub leave: CrossValidation,
    /// Write a folder: report.html, model.toml, summary.json, residuals, pictures.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Name of the load in reports.
    #[arg(long, value_name = "WORD", default_value = "load")]
    pub load_name: String,
    /// Unit of the load.
    #[arg(long, value_name = "UNIT", default_value = "")]
    pub load_unit: String,
    #[command(flatten)]
    pub plant: plant::PlantArgs,
    #[command(flatten)]
    pub many: many_fits::ManyFitsArgs,
    #[command(flatten)]
    pub dynamic: along_motion::DynamicArgs,
    #[command(flatten)]
    pub steps: velocity_steps::VelocityStepArgs,
    #[command(flatten)]
    pub picture: PictureArgs,
}

/// What to identify.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IdentificationTarget {
    /// Friction against velocity of a body that slides.
    Sliding,
    /// Friction against displacement before sliding: branches, loops, memory.
    Presliding,
    /// The force at which a body at rest begins to slide, against load and time at rest.
    Breakaway,
    /// Friction of motions to and fro against load or pressure, one record each.
    Load,
}

impl Args {
    /// The file of values, if a scenario is compared with records and nothing is fitted.
    pub fn checked_plant(&self) -> Option<&str> {
        self.check.as_deref().filter(|file| self.plant.scenario.is_some() || plant::is_fitted_scenario(file))
    }
    /// Whether the fit keeps a checkpoint beside the output folder.
    pub fn writes_checkpoint(&self) -> bool {
        let along = matches!(self.model, parse::ModelChoice::Law(_)) && self.find.is_none() && self.check.is_none();
        (along && !self.columns.fits_delay()) || (self.plant.scenario.is_some() && self.check.is_none())
    }
    /// Refuses options that have no effect on what is identified.
    pub fn refuse_unused(&self) -> Result<(), CommandError> {
        let along = matches!(self.model, parse::ModelChoice::Law(_)) && self.find.is_none();
        let checked = self.checked_plant().is_some();
        let plant = self.plant.scenario.is_some() && !checked;
        let steps = matches!(self.model, parse::ModelChoice::Steps(..)) && self.find.is_none() && !plant;
        // of auto, which tries velocity steps where the record is one
        let auto = self.model == parse::ModelChoice::Auto && self.find.is_none() && self.check.is_none() && !plant;
        let sliding = !along
            && !plant
            && !steps
            && self.check.is_none()
            && matches!(self.find, None | Some(IdentificationTarget::Sliding));
        let d = &self.dynamic;
        let given = [
            ("--set", !d.set.is_empty(), along || plant || steps || checked),
            ("--free", !d.free.is_empty(), along || plant),
            ("--bounds", !d.bounds.is_empty(), along || plant || steps),
            ("--forget", d.forget != 0.0, along),
            ("--profile", d.profile, along || plant),
            // a fit with a delay is a row of fits: the state of one does not tell where the row was
            ("--resume", d.resume, (along && !self.columns.fits_delay()) || plant),
            ("--asymmetric", self.asymmetric, sliding),
            ("--decimate", self.decimate.is_some(), sliding),
            ("--rest", self.rest.is_some(), sliding || (self.check.is_some() && !checked)),
            ("--judge", !self.plant.judge.is_empty(), plant),
            ("--prior", !self.plant.prior.is_empty(), plant),
            ("--bootstrap", self.many.bootstrap.is_some(), plant),
            ("--starts", self.many.starts.is_some(), plant),
            ("--seed", self.many.seed.is_some(), plant && self.many.any()),
            ("--device", self.many.device.is_some(), plant && self.many.any()),
            // fits on a device minimise squares
            (
                "--robust",
                self.robust.is_some(),
                sliding || along || (plant && self.many.device.unwrap_or_default() == DeviceKind::Cpu),
            ),
            ("--white", self.white, sliding || plant || steps),
            ("--delay auto", self.columns.fits_delay(), sliding || along),
            ("--term", !self.columns.term.is_empty(), sliding || along || self.check.is_some()),
            ("--weight", self.columns.weight.is_some(), sliding || steps),
            ("--drop", self.drop != [0, 0], !steps),
            ("--no-offset", self.no_offset, !steps),
            ("--steps", !self.steps.steps.is_empty(), steps || auto),
            ("--window", self.steps.window.is_some(), steps || auto),
            ("--trend", self.steps.trend.is_some(), steps || auto),
        ];
        // a scenario names its columns and its laws itself
        let elsewhere = [
            ("--model", self.model != parse::ModelChoice::Auto),
            ("--find", self.find.is_some()),
            ("--filter", self.filter != Smoothing::Auto),
            ("--drop", self.drop != [0, 0]),
            ("--no-offset", self.no_offset),
        ];
        let elsewhere = elsewhere.into_iter().chain(self.columns.given());
        if let Some((option, _)) = elsewhere.into_iter().find(|(_, given)| (plant || checked) && *given) {
            return Err(CommandError::UnusedWithScenario { option });
        }
        match given.iter().find(|(_, given, of_use)| *given && !*of_use) {
            Some((option, ..)) => Err(CommandError::UnusedOption { option }),
            None => Ok(()),
        }
    }
}
