//! The moving picture of a run.
use super::recorder::Recorder;
use crate::error::CommandError;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use stiction::export::motion_film::{HUNDREDTHS, MotionFilm};
use stiction::export::motion_page::{self, MotionPage};
use stiction::output;
use stiction::plot::drawing::Scene;
use stiction::plot::{Figure, Theme, film};
use stiction::scenario::{PlotDefinition, PlotQuantity, PlotStyle, Scenario};
use stiction::sim::{Column, Simulation};

/// The whole run.
const ALL: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// What a moving picture is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FilmFormat {
    /// A page that can be stopped and looked at more slowly.
    Html,
    Gif,
    /// H.264 in MP4, by ffmpeg.
    Mp4,
}

impl FilmFormat {
    /// That of a file, by its ending.
    fn of(path: &Path) -> Result<Self, CommandError> {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        match &*ending {
            "html" => Ok(Self::Html),
            "gif" => Ok(Self::Gif),
            "mp4" if has_ffmpeg() => Ok(Self::Mp4),
            "mp4" => Err(CommandError::Usage {
                text: "a film in MP4 is written by ffmpeg, which is not installed",
                hint: "install ffmpeg, or name a file that ends in .gif or .html after --animate",
            }),
            _ => Err(CommandError::Usage {
                text: "a moving picture is a page, a GIF or a film in MP4",
                hint: "name a file that ends in .html, .gif or .mp4 after --animate",
            }),
        }
    }
}

/// Whether there is an ffmpeg that runs.
fn has_ffmpeg() -> bool {
    let found = Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// A moving picture that is to be written.
pub struct Animation<'a> {
    path: PathBuf,
    format: FilmFormat,
    scenario: &'a Scenario,
    /// Time, and what moves.
    columns: Vec<Column>,
}

impl<'a> Animation<'a> {
    /// The moving picture of a simulation in this file.
    pub fn new(path: &Path, simulation: &Simulation<'_>, scenario: &'a Scenario) -> Result<Self, CommandError> {
        let format = FilmFormat::of(path)?;
        let all = simulation.columns();
        let places = motion_page::places(all);
        if places.is_empty() {
            return Err(CommandError::Usage { text: "nothing moves in this scenario", hint: "leave out --animate" });
        }
        let columns = [0].into_iter().chain(places).map(|k| all[k].clone()).collect();
        Ok(Self { path: path.to_owned(), format, scenario, columns })
    }
    /// What a recorder must keep for it.
    pub fn columns(&self) -> PlotDefinition {
        let names = self.columns.iter().map(|column| column.name.clone()).collect();
        let (name, title, x) = ("animation".to_owned(), String::new(), "t".to_owned());
        PlotDefinition { name, title, x, panels: vec![names], window: ALL, style: PlotStyle::default() }
    }
    /// Its place in a folder of results, if it belongs there.
    pub fn name_in(&self, folder: &Path) -> Option<PathBuf> {
        let whole = |path: &Path| std::path::absolute(path).ok();
        whole(&self.path)?.strip_prefix(whole(folder)?).ok().map(Path::to_owned)
    }
    /// Writes it to `path`; a page has pictures below the moving one.
    pub fn write(
        &self,
        path: &Path,
        title: &str,
        figures: &[Figure],
        recorder: &Recorder<'_>,
        theme: Theme,
    ) -> Result<(), CommandError> {
        let values = |column: &Column| -> Result<Vec<f64>, CommandError> {
            Ok(recorder.values(&PlotQuantity::new(&column.name, recorder.columns())?, ALL))
        };
        let [time, places @ ..] = &self.columns[..] else { return Ok(()) };
        let times = values(time)?;
        let places =
            places.iter().map(|column| Ok((column, values(column)?))).collect::<Result<Vec<_>, CommandError>>()?;
        let system = &self.scenario.system;
        if self.format == FilmFormat::Html {
            let page = MotionPage { title, system, times: &times, places, figures };
            return Ok(output::write(path, |out| out.write_all(page.html().as_bytes()))?);
        }
        let motion = MotionFilm::new(system, &times, &places, theme);
        let written = output::write(path, |out| match self.format {
            FilmFormat::Mp4 => write_mp4(out, motion.scenes()),
            FilmFormat::Gif | FilmFormat::Html => film::write_gif(out, motion.scenes(), HUNDREDTHS),
        });
        Ok(written?)
    }
    /// Where it is to be.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Hands drawings to ffmpeg as pixels, and takes the film from it.
fn write_mp4(out: &mut dyn Write, scenes: impl Iterator<Item = Scene> + Send) -> io::Result<()> {
    let mut scenes = scenes.peekable();
    let Some(first) = scenes.peek() else { return Ok(()) };
    let (width, height, _) = film::rgb(first)?;
    let size = format!("{width}x{height}");
    let rate = format!("100/{HUNDREDTHS}");
    // most players want even sizes and colours at half resolution; what is written to a pipe must be in fragments
    let from = ["-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size, "-r", &rate, "-i", "-"];
    let to = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "frag_keyframe+empty_moov"];
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(from).args(to).args(["-f", "mp4", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = ffmpeg.spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let copied = thread::scope(|scope| {
        let fed = scope.spawn(move || -> io::Result<()> {
            let Some(mut input) = input else { return Ok(()) };
            scenes.try_for_each(|scene| input.write_all(&film::rgb(&scene)?.2))
        });
        let copied = output.map_or(Ok(0), |mut output| io::copy(&mut output, out));
        let fed = fed.join().unwrap_or_else(|_| Err(io::Error::other("a drawing failed")));
        fed.and(copied)
    });
    let status = child.wait()?;
    copied?;
    if status.success() { Ok(()) } else { Err(io::Error::other("ffmpeg refused the film")) }
}
