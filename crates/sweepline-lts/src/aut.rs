//! `.aut` files, the format of Aldebaran: a header, and a line for each edge.
//!
//! ```text
//! des (0, 3, 2)
//! (0, "send(1, 2)", 1)
//! (1, i, 0)
//! (1, receive, 0)
//! ```
//!
//! A label is the text between the first comma of its line and the last one, so it may contain commas and
//! parentheses. Quotes around it are not part of it, and `\"` in quotes is `"`. `i` and `tau` are the
//! internal step, and `✓` is termination.

mod read;
mod write;

pub use read::{read_aut, read_aut_from};
pub use write::write_aut;
