//! Files of results, as the browser gets them.
use crate::error::Refusal;
use crate::extremes::Extremes;
use axum::body::Body;
use axum::http::{Response, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use stiction::Error;
use stiction::data::{ColumnSelection, DataFile, ReadOptions};
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
    columns: Vec<String>,
    window: Option<[f64; 2]>,
}

/// Rows for a picture, column by column.
pub fn series(path: &Path, request: &SeriesRequest) -> Result<Value, Refusal> {
    let found = |error: stiction::DataError| Refusal::from(&Error::from(error));
    let table = DataFile::open(path, &ReadOptions::default()).map_err(found)?;
    if request.columns.len() > MAX_COLUMNS {
        return Err(Refusal::bad(format!("a picture has at most {MAX_COLUMNS} columns")));
    }
    let mut plan = ColumnSelection::new(&table);
    for name in &request.columns {
        let at = table.fields().iter().position(|field| field.name == *name);
        let at = at.ok_or_else(|| Refusal::not_found("column"))?;
        plan = plan.with("", &format!("{}", at + 1), &[]).map_err(|error| Refusal::from(&Error::from(error)))?;
    }
    let mut rows = Extremes::within(request.window.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]));
    plan.stream(&mut rows).map_err(found)?;
    let (columns, seen) = rows.finish();
    let units: Vec<_> = plan.fields().map(|field| field.unit.clone()).collect();
    Ok(json!({ "columns": columns, "units": units, "rows": seen }))
}
