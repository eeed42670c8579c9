//! The compared systems, and known facts about their state spaces.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, bail};

use crate::answer::Answer;

/// A family of systems, one size parameter each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Lamport's two-phase commit; the size is the number of resource managers.
    Tpc,
    /// Dining philosophers, either fork first; the size is the number of philosophers.
    Phil,
    /// Ciardo's Kanban net; the size is the number of kanbans per cell.
    Kanban,
    /// Stop-and-wait over a lossy channel; the size is the number of packets.
    Saw,
}

impl System {
    pub const ALL: [System; 4] = [System::Tpc, System::Phil, System::Kanban, System::Saw];

    /// The short name used on the command line and in file names.
    pub fn key(self) -> &'static str {
        match self {
            System::Tpc => "tpc",
            System::Phil => "phil",
            System::Kanban => "kanban",
            System::Saw => "saw",
        }
    }

    fn title(self) -> &'static str {
        match self {
            System::Tpc => "two-phase commit",
            System::Phil => "philosophers",
            System::Kanban => "Kanban",
            System::Saw => "stop-and-wait",
        }
    }

    /// The name of the size parameter in the Promela and Murphi models.
    pub fn parameter(self) -> &'static str {
        match self {
            System::Saw => "P",
            _ => "N",
        }
    }

    /// The limits of the peers' models: bit masks, bytes, 32-bit numbers.
    fn greatest_size(self) -> u64 {
        match self {
            System::Tpc | System::Phil => 16,
            System::Kanban => 255,
            System::Saw => 1_000_000_000,
        }
    }

    fn full_size(self) -> u64 {
        match self {
            System::Tpc => 8,
            System::Phil => 14,
            System::Kanban => 5,
            System::Saw => 20_000,
        }
    }

    fn quick_size(self) -> u64 {
        match self {
            System::Tpc => 5,
            System::Phil => 8,
            System::Kanban => 2,
            System::Saw => 1_000,
        }
    }
}

impl FromStr for System {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<System> {
        match System::ALL.into_iter().find(|system| system.key() == text) {
            Some(system) => Ok(system),
            None => bail!("unknown system `{text}`: write tpc, phil, kanban or saw"),
        }
    }
}

/// A system at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    pub system: System,
    pub size: u64,
}

impl Instance {
    /// Every system at its full or its quick size.
    pub fn all(quick: bool) -> Vec<Instance> {
        let size = if quick { System::quick_size } else { System::full_size };
        System::ALL.into_iter().map(|system| Instance { system, size: size(system) }).collect()
    }

    /// The name of its files, such as `tpc-8`.
    pub fn file_stem(self) -> String {
        format!("{}-{}", self.system.key(), self.size)
    }

    /// A measure for a sweep of the net. The net of stop-and-wait counts the packets still to be
    /// acknowledged, so the number of sent packets is a difference.
    pub fn progress(self) -> Option<String> {
        match self.system {
            System::Saw => Some(format!("{} - left", self.size)),
            _ => None,
        }
    }

    /// The known counts: closed forms, and counts on which several tools agreed.
    pub fn known(self) -> Answer {
        let n = self.size;
        match self.system {
            System::Tpc => known_tpc(n),
            System::Phil => known_phil(n),
            System::Kanban => known_kanban(n),
            System::Saw => {
                Answer { states: Some(55 * n - 20), edges: Some(155 * n - 71), dead: Some(1) }
            }
        }
    }
}

fn known_tpc(n: u64) -> Answer {
    let (states, edges) = match n {
        3 => (Some(288), Some(761)),
        5 => (Some(8_832), Some(37_345)),
        7 => (Some(296_448), None),
        8 => (Some(1_745_408), Some(11_657_217)),
        9 => (Some(10_340_352), Some(77_616_641)),
        10 => (Some(61_515_776), None),
        _ => (None, None),
    };
    // All committed; or all aborted, each before its message was sent, before it was received, or after.
    Answer { states, edges, dead: Some(3_u64.pow(n as u32) + 1) }
}

fn known_phil(n: u64) -> Answer {
    let power = |exponent: u64| 3_u64.pow(exponent as u32);
    Answer { states: Some(power(n)), edges: Some(7 * n * power(n - 2)), dead: Some(2) }
}

fn known_kanban(n: u64) -> Answer {
    let (states, edges) = match n {
        1 => (Some(160), None),
        2 => (Some(4_600), Some(28_120)),
        3 => (Some(58_400), None),
        4 => (Some(454_475), None),
        5 => (Some(2_546_432), Some(24_460_016)),
        6 => (Some(11_261_376), None),
        _ => (None, None),
    };
    Answer { states, edges, dead: Some(0) }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.system.title(), self.size)
    }
}

/// Reads `tpc=8`, or `tpc` for the full size.
impl FromStr for Instance {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Instance> {
        let Some((key, size)) = text.split_once('=') else {
            let system: System = text.parse()?;
            return Ok(Instance { system, size: system.full_size() });
        };
        let size = size.parse().with_context(|| format!("`{size}` is not a size"))?;
        let system: System = key.parse()?;
        if !(2..=system.greatest_size()).contains(&size) {
            bail!("`{text}`: the size must be between 2 and {}", system.greatest_size());
        }
        Ok(Instance { system, size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_instances() {
        let tpc: Instance = "tpc=9".parse().unwrap();
        assert_eq!(tpc, Instance { system: System::Tpc, size: 9 });
        assert_eq!("saw".parse::<Instance>().unwrap().size, 20_000);
        assert!("kanban=x".parse::<Instance>().is_err());
        assert!("phil=1".parse::<Instance>().is_err());
        assert!("token-ring".parse::<Instance>().is_err());
    }

    #[test]
    fn known_counts() {
        let count = |text: &str| text.parse::<Instance>().unwrap().known();
        assert_eq!(count("tpc=8").dead, Some(6_562));
        assert_eq!(count("phil=14").states, Some(4_782_969));
        assert_eq!(count("phil=14").edges, Some(52_081_218));
        assert_eq!(count("saw=20").edges, Some(3_029));
    }
}
