//! Any text gives a model or a list of errors with their positions; formatting a formatted text changes
//! nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepline_cpn::{Limits, Net, Options, format_cpnt, read_cpnt_bytes, to_cpn, to_cpnt};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default();
    if let Ok(once) = format_cpnt("fuzz.cpnt", bytes, &limits) {
        let twice = format_cpnt("fuzz.cpnt", once.as_bytes(), &limits);
        assert_eq!(twice.expect("what was printed is read"), once);
    }
    match read_cpnt_bytes("fuzz.cpnt", bytes, &limits) {
        Ok(file) => {
            let text = to_cpnt(&file);
            assert!(read_cpnt_bytes("fuzz.cpnt", text.as_bytes(), &limits).is_ok());
            to_cpn(&file);
            if let Err(errors) = Net::load(&file, &Options::default()) {
                assert!(!errors.errors.is_empty());
            }
        }
        Err(errors) => assert!(!errors.errors.is_empty()),
    }
});
