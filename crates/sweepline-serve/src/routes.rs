//! The addresses of a server.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use futures_util::stream::{Stream, unfold};
use serde_json::json;

use crate::gate::{Gate, Refused};
use crate::subject::Subject;

/// The most bytes of a request: a trace of 100,000 steps has some tens of millions.
const MOST_BYTES: usize = 128 << 20;
/// How often the subject is asked for news.
const TICK: Duration = Duration::from_millis(150);

/// What a page may do: load its own scripts and styles, and ask its own server. Texts of a model that look like scripts
/// or styles stay texts.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every response.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // The address contains the token.
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// A connection over which the token came: it is not closed for others.
pub(crate) type Proven = Arc<AtomicBool>;

/// All addresses.
pub(crate) fn router<S: Subject>(subject: Arc<S>, gate: Gate) -> Router {
    Router::new()
        .route("/{token}/", get(page::<S>))
        .route("/{token}/ask", post(ask::<S>))
        .route("/{token}/news", get(news::<S>))
        .route("/{token}/{asset}", get(asset::<S>))
        .with_state(subject)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(Arc::new(gate), guarded))
}

/// Refuses requests that the gate refuses, and adds the headers to every response.
async fn guarded(
    State(gate): State<Arc<Gate>>,
    proven: Option<Extension<Proven>>,
    request: Request,
    next: Next,
) -> Response {
    let checked = gate.check(request.method(), request.uri().path(), request.headers());
    let checked =
        checked.and_then(|()| if is_huge(request.headers()) { Err(HUGE) } else { Ok(()) });
    let mut response = match checked {
        Ok(()) => {
            if let Some(Extension(proven)) = proven {
                proven.store(true, Ordering::Relaxed);
            }
            next.run(request).await
        }
        Err(refused) => refused.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, value);
    }
    response
}

const HUGE: Refused = (StatusCode::PAYLOAD_TOO_LARGE, "The request is too large.\n");

/// A request says that it is too large: it need not be read. The others are cut off while they are read.
fn is_huge(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    length.and_then(|length| length.parse().ok()).is_some_and(|n: u64| n > MOST_BYTES as u64)
}

async fn page<S: Subject>(State(subject): State<Arc<S>>) -> Html<String> {
    Html(subject.page())
}

async fn asset<S: Subject>(
    State(subject): State<Arc<S>>,
    Path((_, name)): Path<(String, String)>,
) -> Response {
    match subject.asset(&name) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.media_type)], asset.text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
    }
}

/// A request of a page. The page shows the message of a refusal.
async fn ask<S: Subject>(State(subject): State<Arc<S>>, body: Bytes) -> Response {
    let answer = move || {
        let request = serde_json::from_slice(&body).map_err(|error| {
            (StatusCode::BAD_REQUEST, format!("the request is not understood: {error}"))
        })?;
        drop(body);
        subject.answer(request).map_err(|refusal| match refusal.is_gone {
            true => (StatusCode::GONE, refusal.message),
            false => (StatusCode::UNPROCESSABLE_ENTITY, refusal.message),
        })
    };
    let json = [(header::CONTENT_TYPE, "application/json")];
    let refused = |status: StatusCode, message: String| {
        (status, json.clone(), json!({ "refused": message }).to_string()).into_response()
    };
    match tokio::task::spawn_blocking(answer).await {
        Ok(Ok(text)) => (json, text).into_response(),
        Ok(Err((status, message))) => refused(status, message),
        Err(_) => {
            let message = "internal error: please report it with the model";
            refused(StatusCode::INTERNAL_SERVER_ERROR, message.into())
        }
    }
}

/// News as server-sent events, until the page closes.
async fn news<S: Subject>(
    State(subject): State<Arc<S>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let next = |(subject, seen): (Arc<S>, u64)| async move {
        loop {
            if let Some(news) = subject.news(seen) {
                let event = Event::default().data(news.text);
                return Some((Ok(event), (subject, news.number)));
            }
            tokio::time::sleep(TICK).await;
        }
    };
    Sse::new(unfold((subject, 0), next)).keep_alive(KeepAlive::default())
}
