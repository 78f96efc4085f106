//! What the server answers when it refuses: a status, a sentence, and what to do.
use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use axum::response::IntoResponse;
use serde_json::json;
use stiction::{DataError, Error};

/// A refusal.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    text: String,
    hint: Option<String>,
    /// Line and column of a text that the browser sent.
    place: Option<(usize, usize)>,
}

impl Refusal {
    /// With a status and a sentence.
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), hint: None, place: None }
    }
    /// Something that is not there.
    pub fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }
    /// A request that asks for something impossible.
    pub fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }
    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
    /// The sentence, the hint and the place.
    pub fn json(&self) -> serde_json::Value {
        let [line, column] = [self.place.map(|place| place.0), self.place.map(|place| place.1)];
        json!({ "error": self.text, "hint": self.hint, "line": line, "column": column })
    }
}

impl From<&Error> for Refusal {
    fn from(error: &Error) -> Self {
        let (text, place) = match error {
            Error::At { position, error } => (error.to_string(), Some((position.line, position.column))),
            error => (error.to_string(), None),
        };
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, text, hint: error.hint(), place }
    }
}

impl From<DataError> for Refusal {
    fn from(error: DataError) -> Self {
        Self::from(&Error::from(error))
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        let full = error.kind() == std::io::ErrorKind::StorageFull;
        let status = if full { StatusCode::INSUFFICIENT_STORAGE } else { StatusCode::INTERNAL_SERVER_ERROR };
        Self::new(status, format!("the folder of the lab: {error}"))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response<Body> {
        let body = self.json().to_string();
        (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}
