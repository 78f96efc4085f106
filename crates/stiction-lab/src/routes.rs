//! The addresses of the lab, all below the token.
use crate::access::guard;
use crate::error::Refusal;
use crate::request::{JobRequest, laws};
use crate::results::{self, ReadingEnd, SeriesRequest};
use crate::scenario_text::is_plain;
use crate::{Lab, pages, scenario_text, upload};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use stiction::Spec;
use stiction::export::live_page::LiveLaw;
use stiction::scenario::{Scenario, embedded};
use stiction::sim::Trace;

/// Longest time in which a table is read for a picture.
const MAX_READING: Duration = Duration::from_secs(60);

type Answer = Result<Response<Body>, Refusal>;
type Shared = State<Arc<Lab>>;

/// All of them.
pub fn router(lab: Arc<Lab>) -> Router {
    let inner = Router::new()
        .route("/assets/{name}", get(|Path(name): Path<String>| async move { pages::asset(&name) }))
        .route("/law/{name}", get(law))
        .route("/api/start", get(start))
        .route("/api/picture", get(picture))
        .route("/api/scenarios/{name}", get(scenario))
        .route("/api/check", post(check))
        .route("/api/files/{name}", post(take_file))
        .route("/api/series", post(series))
        .route("/api/jobs", post(start_job).get(|lab: Shared| async move { present_job(&lab) }))
        .route("/api/jobs/{id}", get(|lab: Shared, Path(id)| async move { job(&lab, id) }))
        .route("/api/jobs/{id}/stop", post(|lab: Shared, Path(id)| async move { stop(&lab, id) }))
        .route("/api/jobs/{id}/result", get(|lab: Shared, Path(id)| async move { result(&lab, id) }))
        .route("/api/jobs/{id}/archive", get(archive))
        .route("/api/jobs/{id}/files/{*name}", get(file))
        .layer(DefaultBodyLimit::max(2 * scenario_text::MAX_TEXT));
    let top = format!("/{}", lab.token());
    let page = format!("{top}/");
    Router::new()
        .route(&page, get(|| async { pages::asset("index.html") }))
        .route(&top, get(move || async move { Redirect::permanent(&page) }))
        .nest(&top, inner)
        .fallback(|| async { Refusal::not_found("page") })
        .layer(from_fn_with_state(lab.clone(), guard))
        .with_state(lab)
}

fn answer(value: &impl Serialize) -> Answer {
    let body = serde_json::to_string(value).map_err(|error| Refusal::bad(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format!("the request is not understood: {error}")))
}

/// Work that takes a while, beside the server.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> Result<T, Refusal> + Send + 'static) -> Result<T, Refusal> {
    let failed = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed: please report this");
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

async fn start(State(lab): Shared) -> Answer {
    let scenarios = beside(|| Ok(scenarios())).await?;
    let laws: Vec<Value> =
        laws().into_iter().map(|(name, summary)| json!({ "name": name, "summary": summary })).collect();
    answer(&json!({
        "version": env!("CARGO_PKG_VERSION"), "scenarios": scenarios, "laws": laws, "upload": lab.limits.upload,
    }))
}

/// Names and titles of the scenarios of the program, which are read once.
fn scenarios() -> &'static [Value] {
    static ALL: OnceLock<Vec<Value>> = OnceLock::new();
    ALL.get_or_init(|| {
        let none: [&str; 0] = [];
        let title = |name: &str| Scenario::named(name, &none).map(|scenario| scenario.title).unwrap_or_default();
        embedded::ALL.iter().map(|entry| json!({ "name": entry.name, "title": title(entry.name) })).collect()
    })
}

/// The run on the first screen: half a minute of stick-slip.
async fn picture() -> Answer {
    let columns = ["t", "hand.x", "block.x", "pull.force"];
    let found = beside(move || {
        let failed = |error: stiction::Error| Refusal::from(&error);
        let scenario = Scenario::named("a7", &["run.end=24", "run.sample=0.04", "measure={}"]).map_err(failed)?;
        let simulation = scenario.simulation().map_err(failed)?;
        let mut trace = Trace::default();
        simulation.run(&scenario.options, &mut trace).map_err(|error| failed(error.into()))?;
        let at = |name: &str| simulation.columns().iter().position(|column| column.name == name).unwrap_or_default();
        let column = |name: &str| -> Vec<f64> { trace.rows.iter().map(|row| row[at(name)]).collect() };
        Ok(columns.map(column))
    });
    answer(&json!({ "columns": found.await? }))
}

async fn scenario(Path(name): Path<String>) -> Answer {
    let entry = embedded::find(&name).ok_or_else(|| Refusal::not_found("scenario"))?;
    answer(&json!({ "name": entry.name, "text": entry.text }))
}

async fn law(Path(name): Path<String>) -> Answer {
    if !laws().iter().any(|(known, _)| *known == name) {
        return Err(Refusal::not_found("law"));
    }
    let html = beside(move || {
        Spec::new(&name)
            .map_err(Into::into)
            .and_then(|spec| LiveLaw::new(&spec, &name).page())
            .map_err(|error| Refusal::from(&error))
    });
    Ok(results::page(html.await?))
}

async fn check(State(lab): Shared, body: Bytes) -> Answer {
    answer(&lab.checks.check(&body, lab.folder.path()).await?)
}

async fn take_file(State(lab): Shared, Path(name): Path<String>, headers: HeaderMap, body: Body) -> Answer {
    let file = upload::store(&lab, &name, &headers, body).await?;
    answer(&json!({ "file": file }))
}

/// A flag that is raised when the answer is there, or when the browser has gone.
struct RaisedOnDrop(Arc<AtomicBool>);

impl Drop for RaisedOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn series(State(lab): Shared, body: Bytes) -> Answer {
    let request: SeriesRequest = read(&body)?;
    let path = match request.job {
        Some(job) => lab.jobs.file(job, &request.file)?,
        None if is_plain(&request.file) => lab.folder.path().join(&request.file),
        None => return Err(Refusal::not_found("file")),
    };
    let closed = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the lab ends");
    let turn = lab.series.clone().acquire_owned().await.map_err(closed)?;
    let gone = Arc::new(AtomicBool::new(false));
    let _raised_at_the_end = RaisedOnDrop(gone.clone());
    let end = ReadingEnd { gone, until: Instant::now() + MAX_READING };
    let found = beside(move || {
        // the turn lasts as long as the work, even if nobody waits for it
        let _turn = turn;
        results::series(&path, &request, end)
    });
    answer(&found.await?)
}

async fn start_job(State(lab): Shared, body: Bytes) -> Answer {
    let request: JobRequest = read(&body)?;
    let report = lab.jobs.start(&lab.folder, |number| request.arguments(&lab.folder, &lab.jobs, number))?;
    answer(&report)
}

/// The job that runs, so that every page can show and stop it.
fn present_job(lab: &Lab) -> Answer {
    answer(&json!({ "running": lab.jobs.running() }))
}

fn job(lab: &Lab, id: u32) -> Answer {
    answer(&lab.jobs.report(id)?)
}

fn stop(lab: &Lab, id: u32) -> Answer {
    lab.jobs.stop(id)?;
    answer(&json!({}))
}

/// What the command has printed, byte for byte: the same numbers.
fn result(lab: &Lab, id: u32) -> Answer {
    let bytes = lab.jobs.result(id)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], bytes.to_vec()).into_response())
}

async fn archive(State(lab): Shared, Path(id): Path<u32>) -> Answer {
    let files = lab.jobs.files(id)?;
    if files.is_empty() {
        return Err(Refusal::not_found("file"));
    }
    beside(move || results::archive(&files, &format!("stiction-{id}"))).await
}

async fn file(State(lab): Shared, Path((id, name)): Path<(u32, String)>) -> Answer {
    let path = lab.jobs.file(id, &name)?;
    beside(move || results::file(&path)).await
}
