//! The information about the machine and the tools in a record. It does not contain the machine's name.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

/// The machine's kind, such as `2-core-linux`.
pub fn kind() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores}-core-{}", std::env::consts::OS)
}

/// The processor as the kernel names it.
pub fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let name = model.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| "unknown processor".into())
}

/// Main memory in bytes.
pub fn memory_bytes() -> u64 {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find(|line| line.starts_with("MemTotal:"));
    let kibibytes = total.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kibibytes.unwrap_or(4 << 20) * 1024
}

/// Today, as `2026-01-31`.
pub fn date() -> Result<String> {
    first_line("date", &["-u", "+%Y-%m-%d"]).context("could not run `date`")
}

/// The versions of the programs in the comparison.
pub fn versions(sweepline: &Path) -> Vec<(&'static str, String)> {
    let own = sweepline.to_string_lossy();
    let asked: [(&str, &str, &[&str]); 6] = [
        ("sweepline", &own, &["--version"]),
        ("Spin", "spin", &["-V"]),
        ("Rumur", "rumur", &["--version"]),
        ("gcc", "gcc", &["--version"]),
        ("rustc", "rustc", &["--version"]),
        ("kernel", "uname", &["-sr"]),
    ];
    let found = asked
        .into_iter()
        .filter_map(|(name, program, args)| Some((name, first_line(program, args)?)));
    let stateright = std::iter::once(("Stateright", stateright_version().to_owned()));
    found.chain(stateright).collect()
}

/// The version the lock file pins.
fn stateright_version() -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split("name = \"stateright\"").nth(1).unwrap_or_default();
    entry.split('"').nth(1).unwrap_or("unknown")
}

/// Whether a program can be found.
pub fn has_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn first_line(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find(|line| !line.trim().is_empty()).map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_pinned_version() {
        assert!(stateright_version().starts_with("0.31"));
    }
}
