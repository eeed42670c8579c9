//! The connections of a server: a bounded number of them.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::routes::Proven;

/// The most connections. A browser opens six.
const MOST: usize = 256;
/// A request must have sent its headers by then.
const HEADERS_WITHIN: Duration = Duration::from_secs(20);
/// How long to wait when the system gives no more connections.
const PAUSE: Duration = Duration::from_millis(50);

/// A connection that was accepted.
struct Connection {
    task: JoinHandle<()>,
    proven: Proven,
}

/// Accepts connections until it is dropped. If there are too many, the oldest one that never sent the token is closed, so
/// that connections without a token do not keep a page out.
pub(crate) async fn accept(listener: TcpListener, router: Router) {
    let mut open: VecDeque<Connection> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        open.retain(|connection| !connection.task.is_finished());
        if open.len() >= MOST {
            let is_idle = |one: &Connection| !one.proven.load(Ordering::Relaxed);
            let oldest = open.iter().position(is_idle).unwrap_or(0);
            if let Some(closed) = open.remove(oldest) {
                closed.task.abort();
            }
        }
        let proven = Proven::default();
        let router = router.clone().layer(Extension(proven.clone()));
        open.push_back(Connection { task: tokio::spawn(serve(stream, router)), proven });
    }
}

async fn serve(stream: TcpStream, router: Router) {
    // Answers are small: they should not wait for more.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // A browser that went away is no error of the server.
    let _ = connection.await;
}
