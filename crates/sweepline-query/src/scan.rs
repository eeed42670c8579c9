//! Finds the ends of comments and strings of CPN ML, which properties can contain, too.

/// Whether a comment starts at an offset.
pub fn starts_comment(text: &str, at: usize) -> bool {
    text.as_bytes()[at..].starts_with(b"(*")
}

/// The end of the comment that starts at an offset; comments nest.
pub fn comment_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (start, 0usize);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"(*" => {
                depth += 1;
                at += 2;
            }
            b"*)" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// The end of the string that starts at an offset: after its quote, or at the end of its line.
pub fn string_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            // A gap: white space between two backslashes.
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_whitespace) => {
                at += 1;
                while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
                    at += 1;
                }
                if bytes.get(at) == Some(&b'\\') {
                    at += 1;
                }
            }
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}
