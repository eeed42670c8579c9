//! Any text gives a list of declarations, or a list of errors with positions inside it.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sweepline_ml::Environment;

static LIBRARY: LazyLock<Environment> = LazyLock::new(Environment::default);

fuzz_target!(|text: &str| {
    let mut environment = LIBRARY.clone();
    if let Err(errors) = environment.declare_ml("fuzz", text) {
        for error in &errors.errors {
            assert!(error.source.text.get(error.span.range()).is_some(), "{error:?}");
        }
    }
});
