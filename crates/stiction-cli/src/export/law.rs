//! `stiction export law`.
use super::folder;
use crate::error::CommandError;
use crate::law::LawArgs;
use crate::stream;
use crate::text::quote;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde_json::{Value, json};
use std::path::PathBuf;
use stiction::export::law::{LawCode, LawTarget};
use stiction::{ParameterGroup, Spec};

/// Write a law as source code: steady force, force, rates of the memory, one sample, and one step of a body.
///
/// The parameters are arguments of the functions; the values of a parameter file or of --set are their defaults. The
/// code is recorded from the law that is simulated, not written a second time, and comes with a test: 64 points for each
/// function, with what the law gives there. C, Rust, CUDA and WebAssembly give the same bits; the others agree but for
/// rounding.
///
/// A step of a body ('contact') holds it exactly where a law with a set of forces at rest holds it, for any length of
/// step. Parameters for reverse motion, for the load and of noise are not written. 'step' advances the memory at constant velocity and is stable for any length of sample; 'rate' is for solvers of your own.
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

/// A law in wrappers is not what its functions would give.
fn check(spec: &Spec) -> Result<(), CommandError> {
    let wrapped = [ParameterGroup::Reverse, ParameterGroup::Load, ParameterGroup::Noise];
    if wrapped.into_iter().any(|part| spec.has(part)) {
        return Err(CommandError::Usage {
            text: "this law has parameters for reverse motion, for the load or of noise, which its functions do not have",
            hint: "write the law of each direction by itself, or use 'stiction export controller', which takes them into account",
        });
    }
    Ok(())
}

/// Runs the command.
pub fn run(args: &LawCodeArgs, json: bool) -> Result<(), CommandError> {
    let spec = args.law.file()?.spec;
    check(&spec)?;
    let TargetArg(target) = args.target;
    let code =
        LawCode::new(spec.law()).map_err(stiction::Error::from)?.with_defaults(&spec.values(ParameterGroup::Law));
    let mut value = summary(&code, target);
    if let Some(path) = stream::file(args.output.as_deref()) {
        folder::save(path, &value, &target.files(&code)?)?;
        if json {
            return stream::json(&value);
        }
        let mut text = String::new();
        for function in &code.functions {
            let (inputs, outputs) = (code.inputs(function.kind), code.outputs(function.kind));
            text += &format!(
                "{:<8} {} numbers in, {} out, {} operations\n",
                function.kind.name(),
                inputs.len(),
                outputs.len(),
                function.program.len()
            );
        }
        text += &match target.test_command(&code) {
            Some(command) => format!("\nNext: cd {} && {command}\n", quote(&path.to_string_lossy())),
            None => {
                "\nNext: load the package and its test in your Modelica tool, and check the test (not compiled here)\n"
                    .to_owned()
            }
        };
        return stream::text(&text);
    }
    let Some(file) = target.single_file(&code)? else {
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

/// Everything about it except the code.
fn summary(code: &LawCode, target: LawTarget) -> Value {
    let params = code.params().iter().map(|p| json!({ "name": p.name, "unit": p.unit, "default": p.default }));
    let functions = code.functions.iter().map(|function| {
        json!({
            "name": function.kind.name(),
            "inputs": code.inputs(function.kind),
            "outputs": code.outputs(function.kind),
            "operations": function.program.len(),
        })
    });
    json!({
        "law": code.law.name,
        "target": target.name(),
        "name": code.name,
        "params": params.collect::<Vec<_>>(),
        "functions": functions.collect::<Vec<_>>(),
        "test": target.test_command(code),
        "checked": target.checked(code.law),
    })
}
