//! A byte form for states that are plain Rust types.
//!
//! Any type with serde's `Serialize` and `Deserialize` has one. It is compact (variable-length integers, no
//! field names) and canonical if equal values serialize to equal bytes: structs, enums, tuples, `Vec`,
//! `BTreeMap` and `BTreeSet` do, `HashMap` and `HashSet` do not.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Appends the bytes of `state`.
///
/// # Panics
///
/// If the type's own `Serialize` fails.
pub fn encode<S: Serialize>(state: &S, bytes: &mut Vec<u8>) {
    let taken = std::mem::take(bytes);
    *bytes =
        postcard::to_extend(state, taken).expect("the state's `Serialize` implementation failed");
}

/// The value whose bytes are `bytes`.
///
/// # Panics
///
/// If `bytes` were not written by [`encode`] for the same type.
pub fn decode<S: DeserializeOwned>(bytes: &[u8]) -> S {
    postcard::from_bytes(bytes).expect("these bytes were not written by `codec::encode`")
}

/// The value whose bytes are `bytes`, or `None` if they do not encode a value. For bytes from outside, such
/// as those of a checkpoint.
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
/// If the type's own `Serialize` fails.
pub fn to_bytes<S: Serialize>(value: &S) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(value, &mut bytes);
    bytes
}
