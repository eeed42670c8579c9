//! Limits of the readers.

use std::path::Path;

use sweepline_source::{Invalid, Rules, Source};

use crate::problem::LoadErrors;

/// Limits beyond which a file is rejected, so that no input can exhaust the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most bytes of the model and all files that it uses (`--max-input`).
    pub max_bytes: u64,
    /// The deepest nesting of XML elements.
    pub max_depth: usize,
    /// The most page instances of a net.
    pub max_instances: usize,
}

impl Default for Limits {
    /// 64 MiB, 200 levels, 100,000 page instances.
    fn default() -> Self {
        Self { max_bytes: 64 << 20, max_depth: 200, max_instances: 100_000 }
    }
}

impl Limits {
    /// CPN Tools writes ISO 8859-1 and declares it. Other programs write UTF-8, some without a declaration.
    pub(crate) fn rules(&self) -> Rules {
        Rules::new(self.max_bytes, "a model", Invalid::Latin1)
    }

    pub(crate) fn load(&self, path: &Path) -> Result<Source, LoadErrors> {
        Source::load(path, &self.rules())
    }

    pub(crate) fn decode(&self, name: &str, bytes: &[u8]) -> Result<Source, LoadErrors> {
        Source::from_bytes(name, bytes.to_vec(), &self.rules())
    }
}
