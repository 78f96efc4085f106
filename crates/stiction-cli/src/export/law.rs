//! `stiction export law`.
use super::folder;
use crate::error::CommandError;
use crate::law::LawArgs;
use crate::stream;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::path::PathBuf;
use stiction::export::law::LawTarget;
use stiction_report::Report;
use stiction_report::law_code::LawCodeReport;
use stiction_report::text::quote;

/// Write a law as source code: steady force, force, rates of the memory, one sample, and one step of a body.
///
/// The parameters are arguments of the functions; the values of a parameter file or of --set are their defaults. The
/// code is recorded from the law that is simulated, not written a second time, and comes with a test: 64 points for each
/// function, with what the law gives there. C, Rust, CUDA and WebAssembly give the same bits; the others agree but for
/// rounding.
///
/// A step of a body ('contact') holds it exactly where a law with a set of forces at rest holds it, for any length of
/// step. Parameters for reverse motion and for the load follow those of the law ('reverse_fc', 'load_slope'); those of noise are not
/// written. 'step' advances the memory at constant velocity and is stable for any length of sample; 'rate' is for solvers of your own.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export law lugre --target c -o lugre\n  stiction export law my-dahl.toml --target jax -o my-dahl\n  stiction export law identified/model.toml --target matlab -o friction\n  stiction export law stribeck --target latex"
)]
pub struct LawCodeArgs {
    #[command(flatten)]
    law: LawArgs,
    /// The language.
    #[arg(long, value_enum)]
    target: TargetArg,
    /// Write the code and its test to this folder; without it, the code is printed on stdout, but for matlab and wasm.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// A language.
#[derive(Clone, Copy, Debug)]
struct TargetArg(LawTarget);

impl ValueEnum for TargetArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [TargetArg; LawTarget::ALL.len()] = {
            let mut all = [TargetArg(LawTarget::ALL[0]); LawTarget::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = TargetArg(LawTarget::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.doc()))
    }
}

/// Runs the command.
pub fn run(args: &LawCodeArgs, json: bool) -> Result<(), CommandError> {
    let TargetArg(target) = args.target;
    let model = args.law.file()?;
    let mut report = LawCodeReport::record(&model.spec, target)?;
    if model.turns() == Some(true) {
        report.code = report.code.in_rotational_units();
    }
    let code = &report.code;
    let mut value = report.json();
    if let Some(path) = stream::file(args.output.as_deref()) {
        folder::save(path, &value, &target.files(code)?)?;
        if json {
            return stream::json(&value);
        }
        let next = match target.test_command(code) {
            Some(command) => format!("\nNext: cd {} && {command}\n", quote(&path.to_string_lossy())),
            None => {
                "\nNext: load the package and its test in your Modelica tool, and check the test (not compiled here)\n"
                    .to_owned()
            }
        };
        return stream::text(&(report.text() + &next));
    }
    let Some(file) = target.single_file(code)? else {
        return Err(CommandError::Usage {
            text: "this language takes several files, or bytes, which are not printed",
            hint: "name a folder with -o",
        });
    };
    if json {
        value["code"] = file.text.into();
        return stream::json(&value);
    }
    stream::data(|out| out.write_all(file.text.as_bytes()))
}
