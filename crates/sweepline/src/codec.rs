//! A byte form for states that are plain Rust types.
//!
//! Any type with serde's `Serialize` and `Deserialize` has one; it is compact (variable-length
//! integers, no field names) and canonical as long as equal values serialize alike: structs, enums,
//! tuples, `Vec`, `BTreeMap` and `BTreeSet` do, `HashMap` and `HashSet` do not.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Appends the bytes of `state`.
///
/// # Panics
///
/// When the type's own `Serialize` refuses the value.
pub fn encode<S: Serialize>(state: &S, bytes: &mut Vec<u8>) {
    let taken = std::mem::take(bytes);
    *bytes = postcard::to_extend(state, taken).expect("the state's `Serialize` refused a value");
}

/// The value whose bytes are `bytes`.
///
/// # Panics
///
/// When `bytes` were not written by [`encode`] for the same type.
pub fn decode<S: DeserializeOwned>(bytes: &[u8]) -> S {
    postcard::from_bytes(bytes).expect("bytes of a state were not written by `codec::encode`")
}

/// The value whose bytes are `bytes`, or `None` where they are those of no value: for bytes that
/// come from outside, such as a checkpoint's.
pub fn read<S: DeserializeOwned>(bytes: &[u8]) -> Option<S> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Some(value),
        _ => None,
    }
}

/// The bytes of `value`.
///
/// # Panics
///
/// When the type's own `Serialize` refuses the value.
pub fn to_bytes<S: Serialize>(value: &S) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(value, &mut bytes);
    bytes
}
