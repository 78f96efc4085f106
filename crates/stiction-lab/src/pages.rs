//! The pages, scripts and styles of the lab, which are part of the program. Plots and colours are those of live pages,
//! moving pictures those of `stiction run --animate`.
use crate::error::Refusal;
use axum::body::Body;
use axum::http::{Response, header};
use axum::response::IntoResponse;
use stiction::export::{live_page, motion_page};
use stiction::html_page;

/// Name, kind and text.
const ASSETS: [(&str, &str, &str); 17] = [
    ("index.html", "text/html; charset=utf-8", include_str!("../assets/index.html")),
    ("lab.css", "text/css", include_str!("../assets/lab.css")),
    ("page.css", "text/css", html_page::COMMON_STYLE),
    ("live.css", "text/css", live_page::STYLE),
    ("plot.js", "text/javascript", live_page::PLOT_SCRIPT),
    ("explore.js", "text/javascript", live_page::EXPLORE_SCRIPT),
    ("lab.js", "text/javascript", include_str!("../assets/lab.js")),
    ("dom.js", "text/javascript", motion_page::ELEMENTS_SCRIPT),
    ("film.js", "text/javascript", motion_page::FILM_SCRIPT),
    ("motion.css", "text/css", motion_page::STYLE),
    ("frame.js", "text/javascript", include_str!("../assets/frame.js")),
    ("jobs.js", "text/javascript", include_str!("../assets/jobs.js")),
    ("traces.js", "text/javascript", include_str!("../assets/traces.js")),
    ("motion.js", "text/javascript", include_str!("../assets/motion.js")),
    ("log.js", "text/javascript", include_str!("../assets/log.js")),
    ("map.js", "text/javascript", include_str!("../assets/map.js")),
    ("scenario.js", "text/javascript", include_str!("../assets/scenario.js")),
];

/// One of them by its name.
pub fn asset(name: &str) -> Result<Response<Body>, Refusal> {
    let (_, kind, text) = ASSETS.iter().find(|asset| asset.0 == name).ok_or_else(|| Refusal::not_found("page"))?;
    Ok(([(header::CONTENT_TYPE, *kind)], *text).into_response())
}
