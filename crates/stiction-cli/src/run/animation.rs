//! The moving picture of a run.
use super::recorder::Recorder;
use crate::error::CommandError;
use crate::stream;
use std::path::{Path, PathBuf};
use stiction::export::motion_page::{self, MotionPage};
use stiction::output;
use stiction::plot::Figure;
use stiction::scenario::{PlotDefinition, PlotQuantity, PlotStyle, Scenario};
use stiction::sim::{Column, Simulation};

/// The whole run.
const ALL: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A moving picture that is to be written.
pub struct Animation<'a> {
    path: PathBuf,
    scenario: &'a Scenario,
    /// Time, and what moves.
    columns: Vec<Column>,
}

impl<'a> Animation<'a> {
    /// The moving picture of a simulation in this file.
    pub fn new(path: &Path, simulation: &Simulation<'_>, scenario: &'a Scenario) -> Result<Self, CommandError> {
        if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html")) {
            return Err(CommandError::Usage {
                text: "a moving picture is a page",
                hint: "name a file that ends in .html after --animate",
            });
        }
        let all = simulation.columns();
        let places = motion_page::places(all);
        if places.is_empty() {
            return Err(CommandError::Usage { text: "nothing moves in this scenario", hint: "leave out --animate" });
        }
        let columns = [0].into_iter().chain(places).map(|k| all[k].clone()).collect();
        Ok(Self { path: path.to_owned(), scenario, columns })
    }
    /// What a recorder must keep for it.
    pub fn columns(&self) -> PlotDefinition {
        let names = self.columns.iter().map(|column| column.name.clone()).collect();
        let (name, title, x) = ("animation".to_owned(), String::new(), "t".to_owned());
        PlotDefinition { name, title, x, panels: vec![names], window: ALL, style: PlotStyle::default() }
    }
    /// Writes the page, with pictures below the moving one.
    pub fn write(&self, title: &str, figures: &[Figure], recorder: &Recorder<'_>) -> Result<(), CommandError> {
        let values = |column: &Column| -> Result<Vec<f64>, CommandError> {
            Ok(recorder.values(&PlotQuantity::new(&column.name, recorder.columns())?, ALL))
        };
        let [time, places @ ..] = &self.columns[..] else { return Ok(()) };
        let times = values(time)?;
        let places = places.iter().map(|column| Ok((column, values(column)?))).collect::<Result<_, CommandError>>()?;
        let page = MotionPage { title, system: &self.scenario.system, times: &times, places, figures };
        output::write(&self.path, |out| out.write_all(page.html().as_bytes()))?;
        stream::note(format_args!("wrote {}", self.path.display()));
        Ok(())
    }
}
