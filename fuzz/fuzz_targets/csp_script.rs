//! Any text gives a script or a list of errors; its processes can be composed, or that gives an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepline_lts::csp::{Limits, Script};

fuzz_target!(|text: &str| {
    let limits = Limits { max_bytes: 1 << 16, max_component_states: 200, ..Limits::default() };
    match Script::read("fuzz.csp", text, &limits) {
        Ok(mut script) => {
            let constants: Vec<_> = script.constants().map(str::to_owned).collect();
            for constant in constants.iter().take(4) {
                let _ = script.compose(constant);
            }
        }
        Err(errors) => assert!(!errors.errors.is_empty()),
    }
});
