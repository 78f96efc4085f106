//! `stiction map`.
use crate::error::CommandError;
use crate::law::finite;
use crate::picture::PictureArgs;
use crate::{number_list, stream};
use serde_json::json;
use std::path::PathBuf;
use stiction::plot::ImageFormat;
use stiction::sweep::result_map::{MapRequest, ResultMap};
use stiction::table;
use stiction_report::Report;
use stiction_report::sweep_map::MapReport;

/// Draw the result of a sweep as a map: two columns as axes, a third one in colours.
///
/// A grid is drawn as cells with contour lines; for random points, every position of the map has the value of the
/// nearest point. A point is blank if what was measured did not happen, and hatched if it failed. A sweep of one value
/// is drawn as a curve. Without -o, the map is drawn in the terminal. A sweep that is still running can be drawn, too.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction map a7.parquet --x k --y hand.v --color v_max -o a7.svg\n  stiction map a7.parquet\n  stiction map a7.parquet --color 'v_max/hand.v' --log --contour 2,3 -o ratio.png\n  stiction map many.parquet --x k --y hand.v --at mass=1 --line border.csv -o map.svg"
)]
pub struct Args {
    /// A table that 'stiction sweep' has written.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Column of the horizontal axis; default: the first that was varied.
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// Column of the vertical axis; default: the second that was varied.
    #[arg(long, value_name = "COLUMN")]
    y: Option<String>,
    /// Column in colours, or an expression of columns; default: the first that was measured.
    #[arg(long, visible_alias = "colour", value_name = "COLUMN", allow_hyphen_values = true)]
    color: Option<String>,
    /// Fix another varied column at this value, or at the nearest one in the table; repeatable.
    #[arg(long, value_name = "COLUMN=VALUE")]
    at: Vec<String>,
    /// Logarithmic scale of colours.
    #[arg(long)]
    log: bool,
    /// Values at which contour lines are drawn, separated by commas; 'none' for no lines.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    contour: Option<String>,
    /// Also draw a curve from another table, whose first two columns are x and y; repeatable.
    #[arg(long, value_name = "TABLE")]
    line: Vec<PathBuf>,
    /// The picture to write: .svg or .png.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let contours = match args.contour.as_deref() {
        None => None,
        Some("none") => Some(Vec::new()),
        Some(text) => Some(number_list::list("--contour", &[text.to_owned()])?),
    };
    let at = |text: &String| -> Result<(String, f64), CommandError> {
        let bad = || CommandError::Usage { text: "--at is not COLUMN=VALUE", hint: "write --at mass=1.5" };
        let (name, value) = text.split_once('=').ok_or_else(bad)?;
        Ok((name.trim().to_owned(), finite("--at", value)?))
    };
    let request = MapRequest {
        x: args.x.clone(),
        y: args.y.clone(),
        color: args.color.clone(),
        at: args.at.iter().map(at).collect::<Result<_, _>>()?,
        log: args.log,
        contours,
    };
    let format = args.output.as_deref().map(|path| {
        let hint = "name the picture map.svg or map.png";
        ImageFormat::of(path).ok_or(CommandError::Usage { text: "a map is an SVG or a PNG file", hint })
    });
    let format = format.transpose()?;
    let report = with_lines(args, MapReport::new(ResultMap::read(&args.file, &request)?))?;
    let figure = report.figure().theme(args.picture.theme());
    if let (Some(path), Some(format)) = (&args.output, format) {
        figure.write(path, format)?;
        stream::note(format_args!("wrote {}", path.display()));
    }
    if json {
        let mut value = report.json();
        value["file"] = json!(args.output);
        stream::json(&value)?;
    }
    if args.picture.plot || args.output.is_none() && !json {
        return args.picture.draw(&[figure], json);
    }
    Ok(())
}

/// The map with the curves of other tables.
fn with_lines(args: &Args, mut report: MapReport) -> Result<MapReport, CommandError> {
    for path in &args.line {
        let table = table::read(path)?;
        let [x, y, ..] = &table.columns[..] else {
            return Err(CommandError::Usage {
                text: "--line: the table has fewer than two columns",
                hint: "its first two columns must be x and y",
            });
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        report = report.with_line(name, x.iter().copied().zip(y.iter().copied()).collect());
    }
    Ok(report)
}
