//! A number that identifies a model, the same on every machine.

use std::hash::Hasher;

/// Computes a fingerprint: FNV-1a, 64 bits.
///
/// Feed it the parts of a model with `Hash` or [`Hasher::write`], and put the result into
/// [`Checkpoint::fingerprint`](crate::checkpoint::Checkpoint::fingerprint). It detects mistakes, not
/// forgeries.
#[derive(Clone, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
