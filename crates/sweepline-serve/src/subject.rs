//! What is served.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// A page with what it needs.
///
/// # Law
///
/// Texts that come from a model are escaped in every answer that a page shows as HTML.
pub trait Subject: Send + Sync + 'static {
    /// What a page asks, as JSON.
    type Request: DeserializeOwned + Send;

    /// The page, as HTML.
    fn page(&self) -> String;

    /// A file that the page loads.
    fn asset(&self, name: &str) -> Option<Asset>;

    /// Answers a request with a JSON text. It runs on a thread of its own, so it may take long.
    ///
    /// # Errors
    ///
    /// If the request cannot be answered.
    fn answer(&self, request: Self::Request) -> Result<String, Refusal>;

    /// What happened after the news with number `seen`; `None` if nothing did. It must return at once.
    fn news(&self, seen: u64) -> Option<News>;
}

/// A file that is part of the program.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Its media type.
    pub media_type: &'static str,
    /// Its text.
    pub text: Cow<'static, str>,
}

/// Why a request is not answered, in words for the user.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// One or several lines.
    pub message: String,
    /// What was asked about is not there any more.
    pub is_gone: bool,
}

impl Refusal {
    /// A request that cannot be answered.
    pub fn new(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), is_gone: false }
    }

    /// A request about something that is not there any more.
    pub fn gone(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), is_gone: true }
    }
}

/// What happened since a page last looked.
#[derive(Clone, Debug)]
pub struct News {
    /// The number of the last of them.
    pub number: u64,
    /// A JSON text in one line.
    pub text: String,
}
