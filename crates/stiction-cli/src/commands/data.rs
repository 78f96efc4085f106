//! `stiction data`.
use crate::data::{table_args::TableArgs, tee::RowConsumers};
use crate::error::CommandError;
use crate::picture::PictureArgs;
use crate::stream;
use std::path::PathBuf;
use stiction::data::audit::{self, Auditor};
use stiction::data::{ChosenColumns, Field, RowSample, column_delay};
use stiction::plot::ImageFormat;
use stiction_report::Report;
use stiction_report::data_audit::{DataReport, DelayEstimate, ReadColumns};

/// Look at measured data: what is in a file, how it was sampled, and what is wrong with it.
///
/// Reads text in columns (delimiter, decimal mark, header and units are detected), JSON, MATLAB, HDF5 (MATLAB 7.3),
/// Parquet (also LeRobot episodes) and MCAP (JSON and ROS 2 messages) files of any length. A column is selected by name or number, or computed by an expression over columns, constants of the
/// file and your own constants: + - * / ^, < <= > >= == !=, and, or, not, sin cos tan exp ln tanh sqrt abs sign min max
/// pow clip, where(condition, yes, no), pi. In an expression, a
/// name with spaces is written {two words}, and the third column $3.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction data log.csv\n  stiction data log.csv --plot\n  stiction data log.csv --column t --column 'force [N]=35.15*vir' -o force.csv\n  stiction data log.csv --column 'q*1e-3' --constant m=2 --column 'm*9.81*sin(q)' --json\n  stiction data log.mat --delay reference,position\n  stiction data old.txt --skip 15 --decimal comma --time 1\n  zcat log.csv.gz | stiction data -"
)]
pub struct Args {
    /// The file; - is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A column: its name, its number, or an expression; repeatable. Default: all columns.
    #[arg(short, long, value_name = "NAME|EXPR|NAME=EXPR", allow_hyphen_values = true)]
    column: Vec<String>,
    /// The time column, if its name does not say so.
    #[arg(long, value_name = "NAME")]
    time: Option<String>,
    /// Find by how many samples column B lags behind column A.
    #[arg(long, value_name = "A,B", value_parser = pair)]
    delay: Option<(String, String)>,
    #[command(flatten)]
    layout: TableArgs,
    /// Write the columns to a file: a picture if it ends in .svg or .png, Parquet if in .parquet, else CSV; - is CSV on
    /// stdout.
    #[arg(short, long, value_name = "FILE.csv|.parquet|.svg|.png")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (a, b) = text.split_once(',').ok_or("write two columns, as in reference,position")?;
    Ok((a.trim().to_owned(), b.trim().to_owned()))
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let table = args.layout.open(&args.file)?;
    let constants = args.layout.constants();
    let ChosenColumns { selection, time } = ChosenColumns::new(&table, &args.column, args.time.as_deref(), &constants)?;
    let output = stream::file(args.output.as_deref());
    output.map_or(Ok(()), |path| stream::check_ending(path, &["csv", "parquet", "svg", "png"]))?;
    let picture = output.and_then(ImageFormat::of);
    let printed = args.output.is_some() && output.is_none();
    let fields: Vec<Field> = selection.fields().cloned().collect();
    let mut auditor = Auditor::new(&fields, time);
    let mut sample = (args.picture.plot || picture.is_some()).then(RowSample::default);
    let table_to = output.filter(|_| picture.is_none());
    let done = RowConsumers { auditor: &mut auditor, keep: sample.as_mut() }.run(&selection, table_to, false)?;
    let audit = auditor.finish();
    let delay = args.delay.as_ref().map(|(a, b)| {
        let found = column_delay(&table, [a, b], &constants)?;
        Ok::<_, CommandError>(DelayEstimate { between: (a.clone(), b.clone()), found })
    });
    let chosen = !args.column.is_empty();
    let read = ReadColumns { fields: fields.clone(), time, chosen, truncated: done.truncated, sample };
    let report = DataReport::new(&table, read, audit).with_delay(delay.transpose()?);
    let figures = report.figures().into_iter().map(|(_, figure)| figure.theme(args.picture.theme()));
    let figures: Vec<_> = figures.collect();
    if let (Some(path), Some(format), Some(figure)) = (output, picture, figures.first()) {
        figure.write(path, format)?;
    }
    if let Some(path) = output {
        stream::note(format_args!("wrote {} ({} rows)", path.display(), done.rows));
    }
    report.notes().iter().for_each(stream::note);
    if let Err(problem) = report.audit.time.as_ref().map_or(Ok(()), audit::TimeAudit::check) {
        // bad input: the report explains it, beside the error, and stdout stays empty
        stream::aside(&report.text());
        return Err(stiction::DataError::content(&args.file, problem).into());
    }
    if args.picture.plot {
        args.picture.show(&figures, json || printed)?;
    }
    if printed {
        // a second pass: the first one has shown that the whole file can be read
        let mut again = Auditor::new(&fields, time);
        RowConsumers { auditor: &mut again, keep: None }.run(&selection, None, true)?;
    }
    if json {
        return stream::json(&report.json());
    }
    if printed { Ok(()) } else { stream::text(&report.text()) }
}
