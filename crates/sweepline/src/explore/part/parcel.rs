//! Parcels: states on their way to the worker that they belong to, as bytes.
//!
//! A parcel is a list of records. A record begins with the number of components of its progress value and the
//! components, or with zero if the value is that of the record before it; the source follows, which successor
//! of it the state is, and the bytes of the state.

use crate::observe::StateId;
use crate::observe::witness::Origin;
use crate::progress::Value;

/// Parcels larger than this are sent.
const FULL: usize = 256 << 10;

/// A parcel being packed.
#[derive(Default)]
pub(super) struct Packing {
    bytes: Vec<u8>,
    value: Option<Value>,
}

impl Packing {
    /// Appends a state of progress `value`.
    #[inline]
    pub(super) fn push(&mut self, value: &Value, origin: Origin, state: &[u8]) {
        if self.value.as_ref() == Some(value) {
            self.bytes.push(0);
        } else {
            self.value = Some(value.clone());
            put(&mut self.bytes, value.components().len() as u64 + 1);
            for &component in value.components() {
                self.bytes.extend_from_slice(&component.to_le_bytes());
            }
        }
        put(&mut self.bytes, origin.parent.layer);
        put(&mut self.bytes, origin.parent.number);
        put(&mut self.bytes, u64::from(origin.action));
        put(&mut self.bytes, state.len() as u64);
        self.bytes.extend_from_slice(state);
    }

    /// Whether it should be sent.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() > FULL
    }

    /// The parcel; the next one begins.
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.value = None;
        std::mem::take(&mut self.bytes)
    }
}

/// A parcel being unpacked.
pub(super) struct Unpacking<'p> {
    rest: &'p [u8],
    /// The progress of the record read last.
    pub(super) value: Value,
}

impl<'p> Unpacking<'p> {
    pub(super) fn new(parcel: &'p [u8]) -> Self {
        Unpacking { rest: parcel, value: Value::default() }
    }

    /// Whether every record was read.
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next record: the origin and the bytes of a state, and whether its value is another one than that of
    /// the record before. `None` if the bytes are not a parcel.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(Origin, &'p [u8], bool)> {
        let components = get(&mut self.rest)?;
        if components > 0 {
            let length = usize::try_from(components - 1).ok()?.checked_mul(8)?;
            let (value, rest) = self.rest.split_at_checked(length)?;
            self.rest = rest;
            self.value = value
                .chunks_exact(8)
                .map(|bytes| i64::from_le_bytes(bytes.try_into().expect("eight bytes")))
                .collect();
        }
        let parent = StateId { layer: get(&mut self.rest)?, number: get(&mut self.rest)? };
        let action = u32::try_from(get(&mut self.rest)?).ok()?;
        let length = usize::try_from(get(&mut self.rest)?).ok()?;
        let (state, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some((Origin { parent, action }, state, components > 0))
    }
}

/// Appends a number in seven-bit groups.
#[inline]
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[inline]
fn get(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(n: u64) -> Origin {
        Origin { parent: StateId { layer: n, number: u64::MAX - n }, action: n as u32 }
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let values = [Value::from([1, -2]), Value::from([1, -2]), Value::from([i64::MAX, 0])];
        let mut packing = Packing::default();
        for (n, value) in values.iter().enumerate() {
            packing.push(value, origin(n as u64), &vec![n as u8; 200 * n]);
        }
        let parcel = packing.take();
        let mut unpacking = Unpacking::new(&parcel);
        for (n, value) in values.iter().enumerate() {
            let (from, state, is_other) = unpacking.next().unwrap();
            assert_eq!((from, state), (origin(n as u64), &*vec![n as u8; 200 * n]));
            assert_eq!((&unpacking.value, is_other), (value, n != 1));
        }
        assert!(unpacking.is_empty());
    }

    #[test]
    fn damaged_parcels_are_recognised() {
        let mut packing = Packing::default();
        packing.push(&Value::from([3]), origin(1), b"state");
        let parcel = packing.take();
        for length in 1..parcel.len() {
            assert!(Unpacking::new(&parcel[..length]).next().is_none(), "{length} bytes");
        }
    }
}
