//! The options of `stiction identify`.
use super::{along_motion, parse, plant, records};
use crate::data::table_args::TableArgs;
use crate::error::CommandError;
use crate::picture::PictureArgs;
use clap::ValueEnum;
use std::path::PathBuf;
use stiction::identify::Smoothing;
use stiction::identify::sliding::CrossValidation;

/// Identify friction from measured data: a law, its parameters, and how sure they are.
///
/// Columns are chosen by name, by number, or made by an expression, as in 'stiction data'. What is not told is guessed from
/// the names of the columns. Force is what drives the body, less --known; friction is that less the inertia. A positive
/// force drives towards positive velocity, or, if it is friction itself (--mass 0), brakes it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction identify log.csv\n  stiction identify log.csv --position 'q*1e-3' --force '35.15*vir' -o out\n  stiction identify log.csv --model stribeck --mass 2.5 --known '2.5*9.81*sin(q)' --json\n  stiction identify run1.csv run2.csv --model auto --leave records -o out\n  stiction identify other.csv --check out/model.toml\n  stiction identify log.mat --position qm --force 'gtau*vir' --filter butterworth:4:100 --drop 49,0 --decimate 10 --rest 0 --model viscous"
)]
pub struct Args {
    /// Files of measured data, one record each; - is stdin.
    #[arg(value_name = "DATA", required = true)]
    pub files: Vec<PathBuf>,
    /// What to look for; by the law, and sliding without one.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub find: Option<Target>,
    /// The law: auto for the best of all; coulomb, viscous (Coulomb and viscous), stribeck, stribeck:EXPONENT for sliding;
    /// dieterich, ruina, prz for velocity steps, with :2 for two states; any other law of 'stiction models' along the motion.
    #[arg(long, value_name = "LAW", default_value = "auto", value_parser = parse::model)]
    pub model: parse::Model,
    /// Fit nothing: how well this law, as it was found elsewhere, predicts the data. Mass and offset are those in the file.
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["find", "model", "scenario"])]
    pub check: Option<String>,
    /// Each direction has levels of its own; auto tries both.
    #[arg(long)]
    pub asymmetric: bool,
    #[command(flatten)]
    pub columns: records::ColumnArgs,
    #[command(flatten)]
    pub layout: TableArgs,
    /// How position is made smooth: auto, none, spline, butterworth:ORDER:HERTZ or savgol:WINDOW:ORDER.
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = parse::smooth)]
    pub filter: Smoothing,
    /// Samples to drop at the beginning and at the end, after filtering.
    #[arg(long, value_name = "FIRST,LAST", value_parser = parse::drop, default_value = "0,0")]
    pub drop: [usize; 2],
    /// Decimate force and every term of the model by this factor, through the same filter.
    #[arg(long, value_name = "FACTOR", value_parser = parse::factor)]
    pub decimate: Option<usize>,
    /// Speed below which nothing slides [m/s]; from the noise without it, and every sample counts at 0.
    #[arg(long, value_name = "SPEED", value_parser = parse::speed, allow_negative_numbers = true)]
    pub rest: Option<f64>,
    /// No constant force beside friction.
    #[arg(long)]
    pub no_offset: bool,
    /// Let outliers count less: huber, soft, cauchy or tukey.
    #[arg(long, value_name = "LOSS", value_parser = parse::loss)]
    pub robust: Option<stiction::fit::Loss>,
    /// Take residuals as independent of one another, as textbooks do; without it errors hold for noise that remembers.
    #[arg(long)]
    pub white: bool,
    /// What is left out to judge a law: records, or a number of stretches of time.
    #[arg(long, value_name = "records|N", default_value = "records", value_parser = parse::leave)]
    pub leave: CrossValidation,
    /// Write a folder: report.html, model.toml, summary.json, residuals, pictures.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// What presses, in words, for reports.
    #[arg(long, value_name = "WORD", default_value = "load")]
    pub load_name: String,
    /// Its unit.
    #[arg(long, value_name = "UNIT", default_value = "")]
    pub load_unit: String,
    #[command(flatten)]
    pub plant: plant::PlantArgs,
    #[command(flatten)]
    pub dynamic: along_motion::DynamicArgs,
    #[command(flatten)]
    pub picture: PictureArgs,
}

/// What to identify.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Friction over velocity, of a body that slides.
    Sliding,
    /// Friction over displacement before it slides: branches, loops, memory.
    Presliding,
    /// Where a body at rest begins to slide, over load and time of rest.
    Breakaway,
    /// Friction of motions to and fro against load or pressure, one record each.
    Load,
}

impl Args {
    /// Options that mean nothing for what is asked are refused, not passed over.
    pub fn refuse_unused(&self) -> Result<(), CommandError> {
        let along = matches!(self.model, parse::Model::Law(_)) && self.find.is_none();
        let plant = self.plant.scenario.is_some();
        let sliding = !along && !plant && self.check.is_none() && matches!(self.find, None | Some(Target::Sliding));
        let d = &self.dynamic;
        let given = [
            ("--set", !d.set.is_empty(), along || plant),
            ("--free", !d.free.is_empty(), along),
            ("--bounds", !d.bounds.is_empty(), along),
            ("--forget", d.forget != 0.0, along),
            ("--profile", d.profile, along),
            ("--resume", d.resume, along || plant),
            ("--asymmetric", self.asymmetric, sliding),
            ("--decimate", self.decimate.is_some(), sliding),
            ("--rest", self.rest.is_some(), sliding),
            ("--robust", self.robust.is_some(), sliding),
            ("--white", self.white, sliding),
            ("--weight", self.columns.weight.is_some(), sliding),
        ];
        match given.iter().find(|(_, given, of_use)| *given && !*of_use) {
            Some((option, ..)) => Err(CommandError::UnusedOption { option }),
            None => Ok(()),
        }
    }
}
