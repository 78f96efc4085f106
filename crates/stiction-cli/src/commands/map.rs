//! `stiction map`.
use crate::error::CommandError;
use crate::law::finite;
use crate::picture::PictureArgs;
use crate::{number_list, stream};
use serde_json::{Value, json};
use std::path::PathBuf;
use stiction::number::{round, short};
use stiction::plot::{Figure, ImageFormat};
use stiction::sweep::result_map::{MapRequest, ResultMap};
use stiction::table;

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
    let map = ResultMap::read(&args.file, &request)?;
    let figure = figure(args, &map)?;
    if let (Some(path), Some(format)) = (&args.output, format) {
        figure.write(path, format)?;
        stream::note(format_args!("wrote {}", path.display()));
    }
    if json {
        let axis = |k: usize| json!({ "label": map.axes[k].label, "log": map.axes[k].log });
        // in a curve, the measured column is the vertical axis
        let curve = map.curve();
        let [y, color] = if curve.is_some() { [axis(2), Value::Null] } else { [axis(1), axis(2)] };
        stream::json(&json!({
            "file": args.output, "x": axis(0), "y": y, "color": color, "points": map.points.len(),
            "failed": map.failed(), "grid": map.is_grid(), "curve": curve,
            "min": map.range().map(|range| range.0), "max": map.range().map(|range| range.1),
        }))?;
    }
    if args.picture.plot || args.output.is_none() && !json {
        return args.picture.draw(&[figure], json);
    }
    Ok(())
}

fn figure(args: &Args, map: &ResultMap) -> Result<Figure, CommandError> {
    let mut panel = map.panel();
    let mut title: Vec<String> =
        map.chosen.iter().map(|(name, x)| format!("{name} = {}", short(round(*x, 6)))).collect();
    if map.failed() > 0 {
        title.push(format!("hatched: {} of {} points failed", map.failed(), map.points.len()));
    }
    panel = panel.title(title.join("; "));
    for path in &args.line {
        let table = table::read(path)?;
        let [x, y, ..] = &table.columns[..] else {
            return Err(CommandError::Usage {
                text: "--line: the table has fewer than two columns",
                hint: "its first two columns must be x and y",
            });
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        panel = panel.line(name, x.iter().copied().zip(y.iter().copied()));
    }
    let title = if map.title.is_empty() { map.axes[2].label.clone() } else { map.title.clone() };
    Ok(Figure::new(title).panel(panel).theme(args.picture.theme()))
}
