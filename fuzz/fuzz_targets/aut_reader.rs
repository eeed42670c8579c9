//! Any bytes give an LTS or a list of errors; writing and reading an LTS gives the same LTS.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepline_lts::{read_aut_from, write_aut};

fuzz_target!(|bytes: &[u8]| {
    match read_aut_from("fuzz.aut", bytes) {
        Ok(lts) => {
            let mut written = Vec::new();
            if write_aut(&lts, &mut written).is_ok() {
                let again = read_aut_from("again.aut", written.as_slice());
                assert!(again.is_ok_and(|again| again.n_edges() == lts.n_edges()));
            }
        }
        Err(errors) => assert!(!errors.errors.is_empty()),
    }
});
