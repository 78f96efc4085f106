//! Who may ask: the one who knows the token, through a page of this server.
//!
//! The token is the first part of every path, so that pages, pictures and downloads need no cookie, which every other server on
//! this machine would receive, too. A request passes if it was sent to this server by its own name (`Host`: another name that leads to
//! this address is refused), from a page of this server (`Origin`, `Sec-Fetch-Site`), and with the token.
use crate::Lab;
use crate::error::Refusal;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, Method, Response, StatusCode};
use axum::middleware::Next;
use axum::response::IntoResponse;
use std::sync::Arc;

/// What pages of the lab may do: run and load what comes from this server, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
                      frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// A token of 128 random bits, in hexadecimal digits.
///
/// # Errors
/// If the system has no random numbers.
pub fn token() -> Result<String, std::io::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The names of a server on this port; browsers leave the usual port of HTTP out.
pub fn hosts(port: u16) -> impl Iterator<Item = String> {
    const USUAL: u16 = 80;
    let names = ["127.0.0.1", "localhost"].into_iter();
    names.flat_map(move |name| [Some(format!("{name}:{port}")), (port == USUAL).then(|| name.to_owned())]).flatten()
}

/// Passes requests that may be answered, and adds to every answer what browsers are to hold to.
pub async fn guard(State(lab): State<Arc<Lab>>, request: Request, next: Next) -> Response<Body> {
    let mut response = match check(&lab, &request) {
        Ok(()) => in_words(next.run(request).await),
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    let fixed = [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // pages in a frame have a policy of their own
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    response
}

/// Refusals of the server below the routes, such as those of a method or of a long body, in the form of all others.
fn in_words(response: Response<Body>) -> Response<Body> {
    let status = response.status();
    let json = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let text = match status {
        StatusCode::METHOD_NOT_ALLOWED => "this address does not take requests of this kind",
        StatusCode::PAYLOAD_TOO_LARGE => "the request is too long",
        _ => "the request is not understood",
    };
    Refusal::new(status, text).into_response()
}

fn check(lab: &Lab, request: &Request) -> Result<(), Refusal> {
    let headers = request.headers();
    let refused = |text: &str| Err(Refusal::new(StatusCode::FORBIDDEN, text));
    if !text(headers, &HOST).is_some_and(|host| lab.hosts().any(|own| own == host)) {
        return refused("this name is not the server's own");
    }
    let from = text(headers, &ORIGIN);
    let own = |origin: &str| lab.hosts().any(|host| origin.strip_prefix("http://") == Some(&host));
    if headers.contains_key(ORIGIN) && !from.is_some_and(own) {
        return refused("the request comes from another page");
    }
    // browsers name the origin with everything that changes something
    if from.is_none() && ![Method::GET, Method::HEAD].contains(request.method()) {
        return refused("the request does not say from which page it comes");
    }
    let site = headers.get("sec-fetch-site").map(|site| site.as_bytes());
    if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
        return refused("the request comes from another page");
    }
    let given = request.uri().path().split('/').nth(1).unwrap_or_default();
    if same(given.as_bytes(), lab.token().as_bytes()) {
        return Ok(());
    }
    refused("open the address that 'stiction lab' printed")
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    // two of one name are refused as none
    let mut all = headers.get_all(name).iter();
    all.next().filter(|_| all.next().is_none())?.to_str().ok()
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::{hosts, same, token};

    #[test]
    fn tokens_are_long_and_differ() {
        let [a, b] = [(); 2].map(|()| token().unwrap());
        assert!(a.len() == 32 && a.bytes().all(|c| c.is_ascii_hexdigit()) && a != b, "{a} {b}");
        assert!(same(a.as_bytes(), a.clone().as_bytes()) && !same(a.as_bytes(), b.as_bytes()));
        assert!(!same(b"", a.as_bytes()) && !same(&a.as_bytes()[..31], a.as_bytes()));
    }

    #[test]
    fn the_usual_port_is_left_out_by_browsers() {
        assert_eq!(hosts(8080).collect::<Vec<_>>(), ["127.0.0.1:8080", "localhost:8080"]);
        assert_eq!(hosts(80).collect::<Vec<_>>(), ["127.0.0.1:80", "127.0.0.1", "localhost:80", "localhost"]);
    }
}
