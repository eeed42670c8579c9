//! Quantities as people write them: 8G of memory, 90s of time, 5M states.

use std::path::PathBuf;
use std::time::Duration;

/// Bytes: `1024`, `64M`, `8G`, `1.5GiB`; units are powers of 1024.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let hint = "write a size such as `500M` or `8G`";
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.trim_end_matches('b').trim_end_matches('i');
    scaled(bare, 1024).ok_or_else(|| hint.into())
}

/// A number: `250000`, `250_000`, `250k`, `5M`; units are powers of 1000.
pub(super) fn count(text: &str) -> Result<u64, String> {
    let lower = text.trim().to_ascii_lowercase();
    scaled(&lower, 1000).ok_or_else(|| "write a number such as `250000` or `5M`".into())
}

/// A file to write.
pub(super) fn new_file(text: &str) -> Result<PathBuf, String> {
    match text {
        "-" => Err("standard output has the results: name a file".into()),
        name => Ok(name.into()),
    }
}

/// A picture to write.
pub(super) fn picture(text: &str) -> Result<PathBuf, String> {
    let file = new_file(text)?;
    match file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        true => Ok(file),
        false => Err("pictures are written as SVG: name a file that ends in .svg".into()),
    }
}

/// So many states, or so many of a hundred.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Share {
    /// A number.
    States(u64),
    /// A part of all.
    Percent(f64),
}

/// A number of states or a part of all: `5000`, `50%`, `12.5%`.
pub(super) fn share(text: &str) -> Result<Share, String> {
    let hint =
        || "write a number of states such as `5000`, or a part of all such as `50%`".to_owned();
    match text.trim().strip_suffix('%') {
        None => count(text).map(Share::States).map_err(|_| hint()),
        Some(percent) => {
            let percent = percent.trim().parse::<f64>().ok();
            percent.filter(|p| (0.0..=1000.0).contains(p)).map(Share::Percent).ok_or_else(hint)
        }
    }
}

fn scaled(text: &str, base: u64) -> Option<u64> {
    let (digits, power) = match text.char_indices().next_back()? {
        (at, unit) if unit.is_ascii_alphabetic() => (&text[..at], "kmgt".find(unit)? as u32 + 1),
        _ => (text, 0),
    };
    let unit = base.checked_pow(power)?;
    let digits: String = digits.trim().chars().filter(|&c| c != '_' && c != ',').collect();
    if let Ok(whole) = digits.parse::<u64>() {
        return whole.checked_mul(unit);
    }
    let fraction: f64 = digits.parse().ok()?;
    let value = fraction * unit as f64;
    (power > 0 && value.is_finite() && (0.0..9e18).contains(&value)).then_some(value as u64)
}

/// Time: `90` (seconds), `1.5s`, `15m`, `1h30m`, `200ms`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let hint = "write a time such as `90s`, `15m` or `1h30m`";
    parse_duration(text.trim()).ok_or_else(|| hint.into())
}

fn parse_duration(mut text: &str) -> Option<Duration> {
    if text.is_empty() {
        return None;
    }
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let mut total = Duration::ZERO;
    while !text.is_empty() {
        let at = text.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, rest) = text.split_at(at);
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let unit = match &rest[..end] {
            "ms" => 0.001,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            _ => return None,
        };
        let part = Duration::try_from_secs_f64(number.trim().parse::<f64>().ok()? * unit).ok()?;
        total = total.checked_add(part)?;
        text = rest[end..].trim_start();
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0", Some(0)),
            ("4096", Some(4096)),
            ("64M", Some(64 << 20)),
            ("8g", Some(8 << 30)),
            ("1.5GiB", Some(3 << 29)),
            ("2 KB", Some(2048)),
            ("", None),
            ("M", None),
            ("-1", None),
            ("1x", None),
            ("1.5", None),
            ("99999999999T", None),
            ("NaNk", None),
        ] {
            assert_eq!(size(text).ok(), bytes, "{text}");
        }
    }

    #[test]
    fn counts() {
        assert_eq!(count("250_000"), Ok(250_000));
        assert_eq!(count("5M"), Ok(5_000_000));
        assert!(count("many").is_err());
    }

    #[test]
    fn shares() {
        assert_eq!(share("5k"), Ok(Share::States(5_000)));
        assert_eq!(share("12.5%"), Ok(Share::Percent(12.5)));
        assert!(["%", "-1%", "NaN%", "half", "1001%"].iter().all(|text| share(text).is_err()));
    }

    #[test]
    fn durations() {
        for (text, seconds) in [
            ("90", Some(90.0)),
            ("1.5s", Some(1.5)),
            ("1h30m", Some(5400.0)),
            ("200ms", Some(0.2)),
            ("1d", Some(86400.0)),
            ("0s", Some(0.0)),
            ("", None),
            ("soon", None),
            ("-3s", None),
            ("inf", None),
            ("5 parsecs", None),
        ] {
            assert_eq!(duration(text).ok().map(|d| d.as_secs_f64()), seconds, "{text}");
        }
    }
}
