//! `stiction data`.
use crate::data::{json as data_json, row_sample::RowSample, table_args::TableArgs, tee::RowConsumers};
use crate::error::CommandError;
use crate::picture::PictureArgs;
use crate::stream;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use stiction::data::audit::{self, Audit, Auditor, delay};
use stiction::data::{ColumnSelection, DataFile, Field, find_column};
use stiction::number::{round, short};
use stiction::plot::{Axis, Figure, ImageFormat, Panel};
use stiction_report::text::list;

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

/// Largest number of panels in a picture.
const MAX_PANELS: usize = 6;
/// Longest delay that is searched for \[samples\].
const MAX_DELAY: usize = 1000;
/// Largest number of rows from which a delay is estimated.
const MAX_DELAY_ROWS: usize = 1 << 20;

fn pair(text: &str) -> Result<(String, String), String> {
    let (a, b) = text.split_once(',').ok_or("write two columns, as in reference,position")?;
    Ok((a.trim().to_owned(), b.trim().to_owned()))
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let table = args.layout.open(&args.file)?;
    let (plan, time) = plan(args, &table)?;
    let output = stream::file(args.output.as_deref());
    output.map_or(Ok(()), |path| stream::check_ending(path, &["csv", "parquet", "svg", "png"]))?;
    let picture = output.and_then(ImageFormat::of);
    let printed = args.output.is_some() && output.is_none();
    let fields: Vec<Field> = plan.fields().cloned().collect();
    let wanted = args.picture.plot || picture.is_some();
    let mut auditor = Auditor::new(&fields, time);
    let mut keep = wanted.then(RowSample::default);
    let table_to = output.filter(|_| picture.is_none());
    let done = RowConsumers { auditor: &mut auditor, keep: keep.as_mut() }.run(&plan, table_to, false)?;
    let audit = auditor.finish();
    let lag = args.delay.as_ref().map(|pair| lag(&table, pair, args, &audit)).transpose()?;
    let figure = keep.map(|keep| figure(&table, &fields, time, &keep).theme(args.picture.theme()));
    if let (Some(path), Some(format), Some(figure)) = (output, picture, &figure) {
        figure.write(path, format)?;
    }
    if let Some(path) = output {
        stream::note(format_args!("wrote {} ({} rows)", path.display(), done.rows));
    }
    if done.truncated {
        stream::note("the last line is incomplete and was left out");
    }
    if let Err(problem) = audit.time.as_ref().map_or(Ok(()), audit::TimeAudit::check) {
        // bad input: the report explains it, beside the error, and stdout stays empty
        stream::aside(&report(&table, &fields, &audit, lag.as_ref(), args));
        return Err(stiction::DataError::content(&args.file, problem).into());
    }
    if let Some(figure) = figure.filter(|_| args.picture.plot) {
        args.picture.show(&[figure], json || printed)?;
    }
    if printed {
        // a second pass: the first one has shown that the whole file can be read
        let mut again = Auditor::new(&fields, time);
        RowConsumers { auditor: &mut again, keep: None }.run(&plan, None, true)?;
    }
    if json {
        return stream::json(&data_json::report(&table, &audit, lag.as_ref(), done.truncated));
    }
    if printed { Ok(()) } else { stream::text(&report(&table, &fields, &audit, lag.as_ref(), args)) }
}

/// The columns to read, and which of them is time.
fn plan<'a>(args: &Args, table: &'a DataFile) -> Result<(ColumnSelection<'a>, Option<usize>), CommandError> {
    let constants: Vec<(&str, f64)> = args.layout.constants();
    let known: Vec<&str> = table.fields().iter().map(|field| field.name.as_str()).collect();
    let fault = |problem| stiction::DataError::content(&args.file, problem);
    let given =
        args.time.as_deref().map(|name| find_column(name, &known).map_err(|error| fault(error.into()))).transpose()?;
    if args.column.is_empty() {
        let plan = ColumnSelection::all(table);
        let time = match given {
            Some(at) => plan.fields().position(|field| *field.name == *known[at]),
            None => table
                .time_column(plan.table())
                .and_then(|at| plan.fields().position(|field| *field.name == *known[at]))
                .or_else(|| audit::find_time_column(plan.fields())),
        };
        return Ok((plan, time));
    }
    let expressions = args.column.iter().map(|text| text.split_once('=').map_or(text.as_str(), |(_, text)| text));
    let time = given.or_else(|| table.time_column(table.table_of(expressions, &constants).as_deref()));
    let mut plan = ColumnSelection::new(table);
    let chosen = args.column.iter().any(|text| time.is_some() && find_column(text, &known).ok() == time);
    let clock = time.map(|at| (at + 1).to_string()).filter(|_| !chosen);
    for text in clock.iter().chain(&args.column) {
        let (name, expression) = text.split_once('=').unwrap_or(("", text));
        plan = plan.with(name, expression, &constants)?;
    }
    let time = time.and_then(|at| plan.fields().position(|field| field.name == known[at]));
    Ok((plan, time))
}

/// A delay, in samples and in the unit of time.
fn lag(
    table: &DataFile,
    pair: &(String, String),
    args: &Args,
    audit: &Audit,
) -> Result<data_json::DelayEstimate, CommandError> {
    let constants: Vec<(&str, f64)> = args.layout.constants();
    let plan = ColumnSelection::new(table).with("", &pair.0, &constants)?.with("", &pair.1, &constants)?;
    let mut first = RowSample::first(MAX_DELAY_ROWS);
    plan.stream(&mut first)?;
    let fault = |problem| stiction::DataError::content(&args.file, problem);
    let found = delay::find(&first.columns[0], &first.columns[1], MAX_DELAY).map_err(fault)?;
    let step = audit.time.as_ref().map(|time| (time.step.median, time.unit.clone()));
    Ok(data_json::DelayEstimate { between: pair.clone(), found, step })
}

fn report(
    table: &DataFile,
    shown: &[Field],
    audit: &Audit,
    lag: Option<&data_json::DelayEstimate>,
    args: &Args,
) -> String {
    let mut out = format!("{}: {}, {audit}", table.name(), table.format());
    if let Some(data_json::DelayEstimate { between: (a, b), found, step }) = lag {
        let time = step.as_ref().map(|(step, unit)| {
            let unit = unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            format!(", {}{unit}", short(round(step * found.samples, 4)))
        });
        let by = short(round(found.samples, 4));
        let sure = short(round(found.correlation, 3));
        out += &format!("\n{b} lags behind {a} by {by} samples{} (correlation {sure})\n", time.unwrap_or_default());
    }
    if args.column.is_empty() {
        let shown: HashSet<&str> = shown.iter().map(|field| field.name.as_str()).collect();
        let left: Vec<String> = table
            .fields()
            .iter()
            .filter(|field| !shown.contains(field.name.as_str()))
            .map(|field| match (&field.text, field.rows) {
                (None, Some(rows)) => format!("{} ({rows} rows)", field.name),
                _ => format!("{} (text)", field.name),
            })
            .collect();
        let constants: Vec<String> =
            table.constants().iter().map(|c| format!("{} = {}", c.name, short(c.value))).collect();
        for (head, items) in [("Not shown", left), ("Constants", constants)] {
            if !items.is_empty() {
                out += &format!("\n{head}\n{}", list(&items));
            }
        }
    }
    if args.column.is_empty()
        && let Some(topic) = table.table_of([], &[])
        && table.fields().iter().any(|field| field.text.is_none() && field.table.as_deref() != Some(&topic))
    {
        stream::note(format_args!(
            "these are the columns of {topic}: choose others with --column, or --topic NAME for all topics at the messages of one"
        ));
    }
    if audit.time.is_none() && audit.rows > 1 {
        stream::note("no time column was recognised: name it with --time");
    }
    out
}

fn figure(table: &DataFile, fields: &[Field], time: Option<usize>, keep: &RowSample) -> Figure {
    let label = |field: &Field| match &field.unit {
        Some(unit) => format!("{} [{unit}]", field.name),
        None => field.name.clone(),
    };
    let x = Axis::linear(time.map_or_else(|| "row".to_owned(), |at| label(&fields[at])));
    let name = Path::new(&table.name()).file_name().map(|name| name.display().to_string());
    let mut figure = Figure::new(name.unwrap_or_default());
    let signals = fields.iter().enumerate().filter(|(at, _)| time != Some(*at));
    for (at, field) in signals.clone().take(MAX_PANELS) {
        let points = keep.points(time, at);
        figure = figure.panel(Panel::new(x.clone(), Axis::linear(label(field))).line("", points));
    }
    if signals.count() > MAX_PANELS {
        stream::note(format_args!("the picture shows the first {MAX_PANELS} columns: choose others with --column"));
    }
    figure
}
