//! Serves pages to browsers, by default to those of this machine only.
//!
//! This crate knows HTTP, and who may ask: every address contains a random token, the headers `Host` and `Origin` must
//! name this server, and connections are bounded. It does not know models. What is served is a [`Subject`]: a page, the
//! files that the page loads, and answers to its requests.
//!
//! The server opens no file, whatever is asked of it.

#![forbid(unsafe_code)]

mod connections;
mod gate;
mod routes;
mod server;
mod subject;

pub use server::Server;
pub use subject::{Asset, News, Refusal, Subject};
