//! Files of results, as the browser gets them.
use crate::error::Refusal;
use crate::extremes::Extremes;
use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use stiction::data::{Chunk, ColumnSelection, DataFile, ReadOptions, RowConsumer};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Longest file that is sent.
const MAX_FILE: u64 = 1 << 30;
/// Most columns of one picture.
const MAX_COLUMNS: usize = 12;
/// Most bytes of the files in one archive.
const MAX_ARCHIVE: u64 = 1 << 29;

/// A page with a policy of its own, which names its scripts by their digests; it has no origin, so that it reaches nothing here.
const LIVE: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; \
                    sandbox allow-scripts; frame-ancestors 'self'";
/// Any other file: no script runs.
const STILL: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'";

/// A page that stands in a frame.
pub fn page(html: String) -> Response<Body> {
    let own = html.contains("http-equiv=\"Content-Security-Policy\"");
    let policy = if own { LIVE } else { STILL };
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, html).into_response()
}

/// A file of a result. Pages and pictures are shown; anything else is saved under its name.
pub fn file(path: &Path) -> Result<Response<Body>, Refusal> {
    if path.metadata()?.len() > MAX_FILE {
        return Err(Refusal::bad("the file is too long for the browser"));
    }
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    if ending == "html" {
        return Ok(page(String::from_utf8_lossy(&fs::read(path)?).into_owned()));
    }
    let kind = match &*ending {
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        _ => "application/octet-stream",
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut response =
        ([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, STILL)], fs::read(path)?).into_response();
    if kind == "application/octet-stream" {
        save_as(&mut response, &name);
    }
    Ok(response)
}

/// All files of a result, packed.
pub fn archive(files: &[(String, PathBuf)], name: &str) -> Result<Response<Body>, Refusal> {
    let sizes = files.iter().map(|(_, path)| path.metadata().map_or(0, |data| data.len()));
    if sizes.sum::<u64>() > MAX_ARCHIVE {
        return Err(Refusal::bad("the files are too long for one archive").hint("save them one by one"));
    }
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, path) in files {
        archive.start_file(name.as_str(), SimpleFileOptions::default()).map_err(io::Error::from)?;
        archive.write_all(&fs::read(path)?)?;
    }
    let bytes = archive.finish().map_err(io::Error::from)?.into_inner();
    let mut response = ([(header::CONTENT_TYPE, "application/zip")], bytes).into_response();
    save_as(&mut response, &format!("{name}.zip"));
    Ok(response)
}

fn save_as(response: &mut Response<Body>, name: &str) {
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "._-".contains(*c)).collect();
    if let Ok(value) = format!("attachment; filename=\"{plain}\"").parse() {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
}

/// Which columns of a table are drawn, the first one as time, and within which times.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesRequest {
    /// The job, or none for an uploaded file.
    pub job: Option<u32>,
    pub file: String,
    columns: Vec<ColumnChoice>,
    window: Option<[f64; 2]>,
}

/// A column of a table: its place, from zero, or its name where that is unique.
#[derive(Deserialize)]
#[serde(untagged)]
enum ColumnChoice {
    Place(usize),
    Name(String),
}

/// When the reading of a table is given up.
pub struct ReadingEnd {
    /// The browser no longer waits.
    pub gone: Arc<AtomicBool>,
    pub until: Instant,
}

/// Rows are collected until the reading is given up.
struct BoundedRows {
    rows: Extremes,
    end: ReadingEnd,
}

impl RowConsumer for BoundedRows {
    type Error = Refusal;

    fn take(&mut self, chunk: &Chunk) -> Result<(), Refusal> {
        if self.end.gone.load(Ordering::Relaxed) || Instant::now() > self.end.until {
            let text = "the table is too long to be drawn here";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text).hint("save it, or make it shorter"));
        }
        self.rows.take(chunk);
        Ok(())
    }
}

/// Rows for a picture, column by column.
pub fn series(path: &Path, request: &SeriesRequest, end: ReadingEnd) -> Result<Value, Refusal> {
    let table = DataFile::open(path, &ReadOptions::default())?;
    if request.columns.len() > MAX_COLUMNS {
        return Err(Refusal::bad(format!("a picture has at most {MAX_COLUMNS} columns")));
    }
    let mut plan = ColumnSelection::new(&table);
    for column in &request.columns {
        let at = match column {
            ColumnChoice::Place(at) => *at,
            ColumnChoice::Name(name) => {
                let mut having = (0..table.fields().len()).filter(|at| table.fields()[*at].name == *name);
                having.next().filter(|_| having.next().is_none()).ok_or_else(|| Refusal::not_found("column"))?
            }
        };
        plan = plan.with_column(at)?;
    }
    let rows = Extremes::within(request.window.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]));
    let mut bounded = BoundedRows { rows, end };
    plan.stream(&mut bounded)?;
    let (columns, seen) = bounded.rows.finish();
    let units: Vec<_> = plan.fields().map(|field| field.unit.clone()).collect();
    Ok(json!({ "columns": columns, "units": units, "rows": seen }))
}
