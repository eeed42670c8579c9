//! Any text gives a net or a list of errors; writing and reading a net gives the same net.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepline_pnml::{read_pnml_str, read_supported_properties_str};

fuzz_target!(|text: &str| {
    match read_pnml_str("fuzz.pnml", text) {
        Ok(net) => {
            let again = read_pnml_str("again.pnml", &net.to_pnml());
            assert!(again.is_ok_and(|again| again.n_arcs() == net.n_arcs()));
            let _ = read_supported_properties_str("fuzz.xml", text, &net);
        }
        Err(errors) => assert!(!errors.errors.is_empty()),
    }
});
