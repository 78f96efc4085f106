//! Data to stdout, talk to stderr.
use crate::fault::Fault;
use crate::style;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use stiction::Error;
use stiction::FileError;

/// Writes data to stdout. A reader that has gone away (`| head`) has had enough: that is no fault.
pub fn data(fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Fault> {
    let mut out = BufWriter::new(io::stdout().lock());
    match fill(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::File(FileError { path: "stdout".into(), action: "write to", io: error }).into())
        }
        _ => Ok(()),
    }
}

/// Writes one JSON value to stdout, for reading.
pub fn json(value: &impl Serialize) -> Result<(), Fault> {
    data(|out| {
        serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
        writeln!(out)
    })
}

/// Writes one JSON value to stdout on one line, for long columns of numbers.
pub fn json_line(value: &impl Serialize) -> Result<(), Fault> {
    data(|out| {
        serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
        writeln!(out)
    })
}

/// The file to write to; none for `-`, which is stdout.
pub fn file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| *path != Path::new("-"))
}

/// That a file's name ends in one of `kinds`, so that nobody gets CSV in a file called x.txt. Pipes and devices take anything, and `-` is for
/// the command to judge.
pub fn check_ending(path: &Path, kinds: &'static [&'static str]) -> Result<(), Fault> {
    let known = path.extension().is_some_and(|e| kinds.iter().any(|kind| e.eq_ignore_ascii_case(kind)));
    let special =
        || path == Path::new("-") || std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
    if known || special() { Ok(()) } else { Err(Fault::Ending { path: path.to_owned(), kinds }) }
}

/// Tells the user something that is not data.
pub fn note(text: impl Display) {
    line("note", text);
}

/// One labelled line on stderr; if nobody reads it, so be it.
pub fn line(label: &str, text: impl Display) {
    let _ = writeln!(io::stderr(), "{} {text}", style::label(label));
}
