//! Reads and writes numbers in the syntax of Standard ML.

use num_bigint::BigInt;

/// `~` for minus.
pub(crate) fn with_tilde(text: &str) -> String {
    text.replace('-', "~")
}

fn unusual(value: f64) -> Option<&'static str> {
    match value {
        _ if value.is_nan() => Some("nan"),
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("~inf"),
        _ => None,
    }
}

/// `Real.toString`: 12 digits; an exponent below ~4 and from 12 on.
pub(crate) fn general(value: f64) -> String {
    general_to(12, value)
}

/// Like [`general`], with another number of digits.
pub(crate) fn general_to(most: i32, value: f64) -> String {
    if let Some(name) = unusual(value) {
        return name.to_owned();
    }
    let scientific = format!("{:.*e}", most as usize - 1, value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if value < 0.0 { "~" } else { "" };
    if (-4..most).contains(&exponent) {
        let decimals = (most - 1 - exponent).max(0) as usize;
        let fixed = format!("{:.decimals$}", value.abs());
        let fixed = match fixed.contains('.') {
            true => fixed.trim_end_matches('0').trim_end_matches('.'),
            false => &fixed,
        };
        let point = if fixed.contains('.') { "" } else { ".0" };
        return format!("{sign}{fixed}{point}");
    }
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    let minus = if exponent < 0 { "~" } else { "" };
    format!("{sign}{mantissa}E{minus}{:02}", exponent.abs())
}

/// `Real.fmt EXACT`: the fewest digits that identify the number, as a fraction below 1.
pub(crate) fn exact(value: f64) -> String {
    if let Some(name) = unusual(value) {
        return name.to_owned();
    }
    let sign = if value.is_sign_negative() { "~" } else { "" };
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    match exponent.parse::<i32>().unwrap_or(0) + 1 {
        _ if value == 0.0 => format!("{sign}0.0"),
        0 => format!("{sign}0.{digits}"),
        exponent => with_tilde(&format!("{sign}0.{digits}E{exponent}")),
    }
}

/// With this many digits after the point.
pub(crate) fn fixed(digits: usize, value: f64) -> String {
    unusual(value).map_or_else(|| with_tilde(&format!("{value:.digits$}")), str::to_owned)
}

/// With an exponent and this many digits after the point.
pub(crate) fn scientific(digits: usize, value: f64) -> String {
    unusual(value)
        .map_or_else(|| with_tilde(&format!("{value:.digits$e}")).replace('e', "E"), str::to_owned)
}

/// A sign, digits, and the rest of the text.
fn digits(text: &[u8]) -> (bool, &[u8], &[u8]) {
    let (minus, rest) = match text {
        [b'~' | b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let end = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    (minus, &rest[..end], &rest[end..])
}

/// The integer at the start of a text.
pub(crate) fn integer(text: &[u8]) -> Option<BigInt> {
    let (minus, digits, _) = digits(text.trim_ascii_start());
    let value = BigInt::parse_bytes(digits, 10)?;
    Some(if minus { -value } else { value })
}

/// The number at the start of a text.
pub(crate) fn real(text: &[u8]) -> Option<f64> {
    let (minus, whole, mut rest) = digits(text.trim_ascii_start());
    let mut clean = String::from_utf8_lossy(whole).into_owned();
    if let [b'.', after @ ..] = rest {
        let count = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count > 0 {
            clean = format!("{clean}.{}", String::from_utf8_lossy(&after[..count]));
            rest = &after[count..];
        }
    }
    if clean.is_empty() {
        return None;
    }
    if let [b'e' | b'E', after @ ..] = rest {
        let (minus, exponent, _) = digits(after);
        if !exponent.is_empty() {
            let minus = if minus { "-" } else { "" };
            clean = format!("{clean}e{minus}{}", String::from_utf8_lossy(exponent));
        }
    }
    let value: f64 = clean.parse().ok()?;
    Some(if minus { -value } else { value })
}

/// To the nearest whole number, ties to the even one.
pub(crate) fn round(value: f64) -> f64 {
    value.round_ties_even()
}
