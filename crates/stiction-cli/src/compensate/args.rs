//! The options of `stiction compensate`.
use crate::error::CommandError;
use crate::law::{LawArgs, assignments, finite};
use crate::picture::PictureArgs;
use crate::scenario::ScenarioArgs;
use crate::{number_list, stream};
use std::path::PathBuf;
use stiction::compensate::{CompensationMethod, CompensationStudy, ServoTask, TuningOptions};
use stiction::scenario::Template;

/// Compare methods of friction compensation on the servo of a scenario.
///
/// The scenario has a [controller.NAME] with a linear loop and perhaps an estimator, or a [control.NAME] on one body,
/// which then runs as a sampled controller. These are kept; each method adds its parts: none, feedforward, observer,
/// adaptive, adaptive-scale, dither, acceleration, dob (disturbance observer), smooth-stop, or several joined by '+',
/// as in dob+smooth-stop. A part that the scenario already has keeps its values; others start with values derived from
/// the loop, the model and the encoder. The model is the law of the contact, or --model.
///
/// The error is the reference minus the true position, evaluated from --from on. Hunting is an oscillation of the
/// error by more than a count of the encoder that does not decay while the reference is at rest or moves at constant
/// speed. A command chatters if it goes to and fro by more than half of the break-away force, faster than the loop or
/// in jumps, six or more in a row, while the reference does not turn. Noise is the rms change of the command from one
/// sample to the next, relative to that of the loop alone. Robustness is tested by runs in which what a method knows
/// is wrong by a factor: the force of its law, its initial levels, a mass, the amplitude of a dither.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction compensate a12 --with none,feedforward,observer,adaptive,dither,acceleration,dob\n  stiction compensate a12-encoder\n  stiction compensate a13-adaptive --with none,feedforward,observer --set run.end=10\n  stiction compensate servo-slow --with none,dob,adaptive -o servo\n  stiction compensate a13-adaptive --with none,feedforward --gain feedforward.ahead=0 --json\n  stiction compensate servo-slow --model identified.toml --tune"
)]
pub struct Args {
    #[command(flatten)]
    pub chosen: ScenarioArgs,
    /// Methods, separated by commas.
    #[arg(long, value_name = "METHODS", default_value = "none,feedforward,observer,adaptive,dither,acceleration,dob")]
    pub with: String,
    /// Model of the friction that the methods use: a law or a parameter file; default: the law of the contact.
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub model: Option<String>,
    /// The servo, if the scenario has several.
    #[arg(long, value_name = "NAME")]
    pub controller: Option<String>,
    /// The contact whose friction is compensated, if the body has several.
    #[arg(long, value_name = "NAME")]
    pub contact: Option<String>,
    /// Mass or inertia for the methods that need it, if the scenario does not give it.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub mass: Option<String>,
    /// A value of a part of a method, as in dob.cutoff=30; repeatable.
    #[arg(long, value_name = "PART.NAME=NUMBER")]
    pub gain: Vec<String>,
    /// End of the run (s); default: that of the scenario, but at most 100 000 samples.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub end: Option<String>,
    /// Time from which errors are evaluated (s); default: the middle of the run.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// Errors within this band count as settled; default: one count of the encoder or 2 % of the motion, whichever is
    /// more.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub band: Option<String>,
    /// Factors by which the models are wrong in the test of robustness, separated by commas.
    #[arg(long, value_name = "F1,F2,...", default_value = "0.5,0.75,0.9,1,1.1,1.25,1.5", allow_hyphen_values = true)]
    pub factors: String,
    /// Skip the test of robustness.
    #[arg(long, conflicts_with = "factors")]
    pub exact: bool,
    /// Tune the free gains of each method first: minimise the rms error relative to that without compensation, plus
    /// --weight times the same ratio of the noise.
    #[arg(long)]
    pub tune: bool,
    /// Largest number of runs for each method with --tune.
    #[arg(long, value_name = "N", default_value_t = TuningOptions::default().evaluations, requires = "tune")]
    pub evaluations: usize,
    /// Weight of the noise in the cost of --tune.
    #[arg(long, value_name = "NUMBER", requires = "tune", allow_hyphen_values = true)]
    pub weight: Option<String>,
    /// Write pictures (SVG and PNG), each method's scenario and a summary to this folder.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub picture: PictureArgs,
}

impl Args {
    pub fn study(&self) -> Result<CompensationStudy, CommandError> {
        let mut methods: Vec<CompensationMethod> = Vec::new();
        for name in self.with.split(',') {
            let method = CompensationMethod::parse(name)?;
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        let number =
            |option: &'static str, text: &Option<String>| text.as_deref().map(|text| finite(option, text)).transpose();
        let model = self.model.as_ref().map(|law| LawArgs::new(law, &[], &[]).file()).transpose()?;
        let gain = |(path, value): (&str, f64)| match path.split_once('.') {
            Some((part, name)) => Ok((part.to_owned(), name.to_owned(), value)),
            None => {
                let text = "--gain does not name the part";
                Err(CommandError::Usage { text, hint: "write --gain PART.NAME=NUMBER, as in --gain dob.cutoff=30" })
            }
        };
        let gains = assignments("--gain", &self.gain, None)?.into_iter().map(gain).collect::<Result<_, _>>()?;
        let tune = TuningOptions {
            evaluations: self.evaluations,
            weight: number("--weight", &self.weight)?.unwrap_or(TuningOptions::default().weight),
            ..TuningOptions::default()
        };
        Ok(CompensationStudy {
            methods,
            model: model.map(|file| file.spec),
            controller: self.controller.clone(),
            contact: self.contact.clone(),
            mass: number("--mass", &self.mass)?,
            gains,
            end: number("--end", &self.end)?,
            from: number("--from", &self.from)?,
            band: number("--band", &self.band)?,
            factors: if self.exact {
                Vec::new()
            } else {
                number_list::list("--factors", std::slice::from_ref(&self.factors))?
            },
            tuning: self.tune.then_some(tune),
        })
    }
}

impl Args {
    /// Refuses a model of straight motion for a servo that turns, and the reverse, as far as the file tells.
    pub fn match_units(&self, template: &Template, study: &CompensationStudy) -> Result<(), CommandError> {
        let Some(law) = &self.model else { return Ok(()) };
        let turns = ServoTask::new(template, study)?.servo.unit == "rad";
        let identified = LawArgs::new(law, &[], &[]).file()?.identified;
        let hint = "identify the friction of this servo, or use a scenario with the same kind of motion as the model";
        match (identified.and_then(|identified| identified.turns), turns) {
            (Some(false), true) => Err(CommandError::Usage {
                text: "the model is of a body that slides (m, N), but this servo turns (rad, N·m)",
                hint,
            }),
            (Some(true), false) => Err(CommandError::Usage {
                text: "the model is of a body that turns (rad, N·m), but this servo slides (m, N)",
                hint,
            }),
            (None, true) => {
                stream::note("the servo turns: the values of the model are taken in rad and N·m");
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
