//! Any bytes give a file or a list of errors; any file gives a net or a list of errors with their positions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepline_cpn::{Limits, Net, Options, read_cpn_bytes};

fuzz_target!(|bytes: &[u8]| {
    match read_cpn_bytes("fuzz.cpn", bytes, &Limits::default()) {
        Ok(file) => match Net::load(&file, &Options::default()) {
            Ok(net) => {
                for transition in &net.transitions {
                    let behaviour = net.behaviour(transition);
                    for input in &behaviour.inputs {
                        net.place(transition.places[input.slot.0 as usize]);
                    }
                }
            }
            Err(errors) => assert!(!errors.errors.is_empty()),
        },
        Err(errors) => assert!(!errors.errors.is_empty()),
    }
});
