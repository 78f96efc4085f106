//! `stiction merge`.
use crate::error::CommandError;
use crate::stream;
use crate::sweep::report;
use serde_json::json;
use std::path::PathBuf;
use stiction::sweep;

/// Merge the shards of a sweep into one table.
///
/// The files may be given in any order, but must be all shards of one sweep. The result is the same, byte for byte, as
/// that of 'stiction sweep' without --shard. Rows are read and written one by one, so memory does not limit the size.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction merge part*.parquet -o all.parquet\n  stiction merge part1.csv part2.csv -o all.csv --json"
)]
pub struct Args {
    /// The tables that 'stiction sweep --shard' has written.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The table to write, in the same format.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    stream::check_ending(&args.output, &["parquet", "csv"])?;
    let parquet = sweep::file::is_parquet(&args.output);
    if args.files.iter().any(|file| sweep::file::is_parquet(file) != parquet) {
        return Err(CommandError::Usage {
            text: "the shards and the result must have the same format",
            hint: "give all files the same ending, .parquet or .csv",
        });
    }
    let tally = sweep::merge(&args.files, &args.output)?;
    if !parquet && sweep::file::Reader::open(&args.output)?.heads.facts.is_empty() {
        stream::note(
            "without the file NAME.csv.manifest.toml of each shard it is not checked that they belong together and are complete",
        );
    }
    stream::note(format_args!("wrote {}", args.output.display()));
    if json {
        let mut value = report::value(&tally);
        value["file"] = json!(args.output);
        return stream::json(&value);
    }
    let [points, files] =
        [(tally.points, "point"), (args.files.len() as u64, "file")].map(|(n, what)| report::count(n, what));
    let text = format!("{points} from {files}\n\n{}", report::text(&tally));
    stream::text(&text)
}
