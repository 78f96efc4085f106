//! The options of `stiction export controller`.
use crate::law::LawNames;
use clap::ValueEnum;
use std::path::PathBuf;
use stiction::export::Precision;

/// Write a controller as C99 or as a no_std Rust crate: parameters filled in, a step function, an explicit state, a
/// test.
///
/// From a law (a parameter file, as 'stiction identify -o' writes it, or the name of a law): --method names the parts,
/// joined by '+': feedforward, observer, adaptive, adaptive-scale, dob, acceleration, dither, smooth-stop, and a
/// linear loop, pid or state-feedback. Without a loop, the command is the compensation alone, to be added to that of
/// your own loop. From a scenario: its [controller.NAME] as it is, or with --method its loop and estimator with other
/// parts, which start with the same values as in 'stiction compensate'.
///
/// The code is recorded from the controller that is simulated, not written a second time. In f64 it gives the same
/// bits as the simulation, and needs no mathematical library. It has no branches, so every sample costs the same, or at
/// most what the head of the file says, for the few laws that iterate. A sample that is not a finite number is skipped and flagged.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export controller lugre --target c --sample 1e-3\n  stiction export controller a12-encoder --target c -o servo\n  stiction export controller model.toml --target rust --method pid+observer --sample 1e-3 --set pid.kp=200 --set kd=12 -o axis\n  stiction export controller a13-adaptive --target c --method adaptive --precision f32 --json"
)]
pub struct ControllerArgs {
    /// A law or a scenario by name, or a file of either (a path or anything that ends in .toml).
    #[arg(value_name = "NAME|FILE.toml", value_parser = LawNames { wrappers: false }, hide_possible_values = true)]
    pub source: String,
    /// The language.
    #[arg(long, value_enum)]
    pub target: TargetArg,
    /// Parts of the controller, joined by '+'; default: feedforward for a law, the parts of the scenario for a
    /// scenario.
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Estimator of the velocity from the position: kalman, difference, tracker; none if the velocity is measured. For
    /// laws.
    #[arg(long, value_name = "NAME")]
    pub estimator: Option<String>,
    /// Sample time (s); a scenario has its own.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub sample: Option<String>,
    /// A value of a part or of the law, as in kp=3, pid.kp=3 or law.fc=2; for a scenario PATH=VALUE. Repeatable.
    #[arg(long, value_name = "NAME=NUMBER")]
    pub set: Vec<String>,
    /// A value of a part, as in dob.cutoff=30, also for a scenario; repeatable.
    #[arg(long, value_name = "PART.NAME=NUMBER")]
    pub gain: Vec<String>,
    /// The moving mass or inertia, for parts that need it; default: the identified one, or that of the scenario.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub mass: Option<String>,
    /// Largest command [N or N·m]; a scenario has its own.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub limit: Option<String>,
    /// A larger change of the position within one sample counts as a sensor fault [m or rad].
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub jump: Option<String>,
    /// The code takes the normal load as an input at each sample.
    #[arg(long)]
    pub load: bool,
    /// The servo, if the scenario has several.
    #[arg(long, value_name = "NAME")]
    pub controller: Option<String>,
    /// The arithmetic: f64 gives the bits of the simulation, f32 is for processors with a single-precision unit.
    #[arg(long, value_enum, default_value_t)]
    pub precision: PrecisionArg,
    /// Name of the crate, and prefix of the names in C; default: made from the name of the source.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Write code, test and summary to this folder; without it, the code is printed on stdout.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetArg {
    /// C99.
    C,
    /// Rust, no_std.
    Rust,
}

/// A precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PrecisionArg {
    /// Single.
    F32,
    /// Double.
    #[default]
    F64,
}

impl From<PrecisionArg> for Precision {
    fn from(width: PrecisionArg) -> Self {
        match width {
            PrecisionArg::F32 => Self::Single,
            PrecisionArg::F64 => Self::Double,
        }
    }
}
