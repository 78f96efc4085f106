//! The work-precision diagram: for each problem, the time of the fastest run of each solver that reaches an error.
use crate::sim::{PROBLEMS, Point, others, read_points};
use std::path::Path;
use stiction::Error;
use stiction::plot::{Axis, Figure, ImageFormat, Panel};

/// The solvers of the diagram, with the beginnings of their names in the tables.
const SOLVERS: [(&str, &str); 5] = [
    ("stiction", "stiction"),
    ("CVODE 7, best of its settings", "cvode"),
    ("LSODA (numbalsoda)", "numbalsoda-lsoda"),
    ("DOP853 (numbalsoda)", "numbalsoda-dop853"),
    ("SciPy, best of its methods", "scipy"),
];

/// Half decades of the error, from 1e-2 to 1e-10.
const ERRORS: std::ops::RangeInclusive<i32> = 4..=20;

/// The diagram of these points.
fn figure(points: &[Point]) -> Figure {
    let mut out = Figure::new("");
    for (k, problem) in PROBLEMS.into_iter().enumerate() {
        let mut panel = Panel::new(Axis::log("error"), Axis::log("time [s]")).title(problem);
        for (name, prefix) in SOLVERS {
            let own: Vec<&Point> =
                points.iter().filter(|p| p.problem == problem && p.solver.starts_with(prefix)).collect();
            let fastest = |half: i32| {
                let error = 10f64.powf(-0.5 * f64::from(half));
                let reach = own.iter().filter(|p| p.error <= error).map(|p| p.seconds);
                Some((error, reach.min_by(f64::total_cmp)?))
            };
            // one without a run keeps its place, so that colours mean the same in all panels
            panel = panel.line(name, ERRORS.filter_map(fastest));
        }
        out = if k % 2 == 0 { out.panel(panel) } else { out.beside(panel) };
    }
    out
}

/// Draws the diagram of the table `own` in `bench/results` and of the peers' into the book.
pub fn draw(own: &str) -> Result<(), Error> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut points = read_points(&bench.join("results").join(own));
    if points.is_empty() {
        eprintln!("note: no table {own} in bench/results");
    }
    points.extend(others());
    let to = bench.join("../docs/numerics/work-precision.svg");
    figure(&points).write(&to, ImageFormat::Svg)?;
    eprintln!("written to {}", to.display());
    Ok(())
}
