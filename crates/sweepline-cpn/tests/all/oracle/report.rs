//! The bounds in a report of CPN Tools.

use std::collections::BTreeMap;

/// Of each place instance: the integer bounds, upper first, and the multi-set bounds.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Bounds {
    pub integer: BTreeMap<String, (u64, u64)>,
    pub upper: BTreeMap<String, String>,
    pub lower: BTreeMap<String, String>,
}

impl Bounds {
    /// Reads the section on bounds.
    pub(crate) fn read(report: &str) -> Bounds {
        let mut bounds = Bounds::default();
        let mut part = "";
        let mut name = String::new();
        for line in report.lines() {
            let rest = line.trim();
            if line.starts_with("  ") && !line.starts_with("     ") {
                part = rest;
                continue;
            }
            match part {
                "Best Integer Bounds"
                    if line.starts_with("     ") && !rest.starts_with("Upper") =>
                {
                    let words: Vec<&str> = rest.split_whitespace().collect();
                    match words[..] {
                        [place, instance] if !numbers(&words) => {
                            name = format!("{place} {instance}");
                        }
                        [upper, lower] => bounds.integer_row(&name, upper, lower),
                        [place, instance, upper, lower] => {
                            bounds.integer_row(&format!("{place} {instance}"), upper, lower);
                        }
                        _ => {}
                    }
                }
                "Best Upper Multi-set Bounds" => multi_set(&mut bounds.upper, &mut name, line),
                "Best Lower Multi-set Bounds" => multi_set(&mut bounds.lower, &mut name, line),
                _ => {}
            }
            if line.starts_with(" Home") {
                break;
            }
        }
        bounds
    }

    fn integer_row(&mut self, name: &str, upper: &str, lower: &str) {
        let number = |text: &str| text.parse().expect("a number of tokens");
        self.integer.insert(name.to_owned(), (number(upper), number(lower)));
    }
}

fn numbers(words: &[&str]) -> bool {
    words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A row, or a continuation line, which does not start in the first column.
fn multi_set(rows: &mut BTreeMap<String, String>, name: &mut String, line: &str) {
    if line.trim().is_empty() || line.starts_with("---") || line.starts_with(" Home") {
        return;
    }
    let indented = line.starts_with("     ") && !line.starts_with("                         ");
    if !indented {
        rows.entry(name.clone()).or_default().push_str(line.trim());
        return;
    }
    let row = line.trim();
    let mut words = row.splitn(2, ' ');
    let (place, rest) = (words.next().unwrap_or(""), words.next().unwrap_or("").trim_start());
    let (instance, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    *name = format!("{place} {instance}");
    rows.insert(name.clone(), rest.trim().to_owned());
}
