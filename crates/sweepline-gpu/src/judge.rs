//! Conditions and sums as instructions that the kernels run on each state: see `kernel/judge.cu`.

use std::collections::BTreeMap;

use sweepline::compiled::{Condition, Field, Sum, Term};

use crate::program::{Program, Target, Unfit};

/// The instructions, by their names in `kernel/judge.cu`. Their numbers count from 1; 0 ends the code.
const NAMES: [&str; 16] = [
    "ADD_FIELD",
    "ADD_EQUALS",
    "ADD_LOOKUP",
    "ADD_ENABLED",
    "AT_MOST",
    "EQUALS",
    "CONSTANT",
    "IS_DEAD",
    "NEGATE",
    "BOTH",
    "EITHER",
    "SKIP_DISABLED",
    "GREATEST",
    "REPORT",
    "REPORT_LEAST",
    "REPORT_GREATEST",
];
const END: u64 = 0;
const ADD_FIELD: u64 = 1;
const ADD_EQUALS: u64 = 2;
const ADD_LOOKUP: u64 = 3;
const ADD_ENABLED: u64 = 4;
const AT_MOST: u64 = 5;
const EQUALS: u64 = 6;
const CONSTANT: u64 = 7;
const IS_DEAD: u64 = 8;
const NEGATE: u64 = 9;
const BOTH: u64 = 10;
const EITHER: u64 = 11;
const SKIP_DISABLED: u64 = 12;
const GREATEST: u64 = 13;
const REPORT: u64 = 14;
const REPORT_LEAST: u64 = 15;
const REPORT_GREATEST: u64 = 16;

/// Makes values of sums positive: these are less than 2^61.
const BIAS: &str = "0x4000000000000000ll";
/// Truth values that the stack holds.
const MOST_DEPTH: usize = 64;

/// The definitions that the text of the kernels begins with.
pub(crate) fn definitions() -> String {
    let names = NAMES.iter().enumerate();
    let lines = names.map(|(number, name)| format!("#define {name} {}\n", number + 1));
    lines.chain([format!("#define BIAS {BIAS}\n")]).collect()
}

/// The code of a program.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    /// Whether a state without successors is not dead.
    pub(crate) terminated: Vec<u64>,
    /// For each target.
    targets: Vec<Code>,
    /// Whether some code asks which transitions are enabled.
    pub(crate) asks_enabled: bool,
}

#[derive(Clone, Debug)]
enum Code {
    Instructions(Vec<u64>),
    /// The target is found if these transitions, bits of their groups, are enabled.
    Enabled(BTreeMap<u32, u64>),
}

impl Judge {
    /// The code for all targets.
    ///
    /// # Errors
    ///
    /// If numbers are too large, or conditions are nested too deeply.
    pub(crate) fn new(program: &Program) -> Result<Self, Unfit> {
        let mut terminated = part(&program.terminated)?.code();
        terminated.push(END);
        let number = |(number, target): (usize, &Target)| code_of(target, number as u64);
        let targets = program.targets.iter().enumerate().map(number);
        let targets = targets.collect::<Result<Vec<Code>, Unfit>>()?;
        let asks = |target: &Target| match target {
            Target::Fired(_) => true,
            Target::State(condition) => asks_enabled(condition),
            Target::Least(_) | Target::Greatest(_) => false,
        };
        let asks_enabled = asks_enabled(&program.terminated) || program.targets.iter().any(asks);
        Ok(Judge { terminated, targets, asks_enabled })
    }

    /// The code for those targets that are still wanted.
    pub(crate) fn code(&self, is_open: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut code = Vec::new();
        let mut by_group: BTreeMap<u32, Vec<(u64, usize)>> = BTreeMap::new();
        for (number, target) in self.targets.iter().enumerate().filter(|(n, _)| is_open(*n)) {
            match target {
                Code::Instructions(instructions) => code.extend(instructions),
                Code::Enabled(groups) => groups.iter().for_each(|(&group, &bits)| {
                    by_group.entry(group).or_default().push((bits, number));
                }),
            }
        }
        // In most states no transition of a group is one that never fired before.
        for (group, wanted) in by_group {
            let all = wanted.iter().fold(0, |all, (bits, _)| all | bits);
            let each = wanted.iter().flat_map(|&(bits, number)| {
                let found = [CONSTANT | 1 << 8, REPORT | (number as u64) << 8];
                [SKIP_DISABLED | u64::from(group) << 8, bits, found.len() as u64]
                    .into_iter()
                    .chain(found)
            });
            let each: Vec<u64> = each.collect();
            code.extend([SKIP_DISABLED | u64::from(group) << 8, all, each.len() as u64]);
            code.extend(each);
        }
        code.push(END);
        code
    }
}

fn code_of(target: &Target, number: u64) -> Result<Code, Unfit> {
    let with = |mut code: Vec<u64>, report: u64| {
        code.push(report | number << 8);
        Code::Instructions(code)
    };
    Ok(match target {
        Target::Fired(transitions) => Code::Enabled(groups(transitions)),
        Target::State(condition) => with(part(condition)?.code(), REPORT),
        Target::Least(sum) => with(number_code(sum)?, REPORT_LEAST),
        Target::Greatest(sums) => {
            let mut code = Vec::new();
            for sum in sums {
                code.extend(number_code(sum)?);
                code.push(GREATEST);
            }
            with(code, REPORT_GREATEST)
        }
    })
}

/// The transitions as bits of groups of 64.
fn groups(transitions: &[u32]) -> BTreeMap<u32, u64> {
    let mut groups: BTreeMap<u32, u64> = BTreeMap::new();
    transitions.iter().for_each(|t| *groups.entry(t / 64).or_default() |= 1 << (t % 64));
    groups
}

fn asks_enabled(condition: &Condition) -> bool {
    match condition {
        Condition::Enabled(_) => true,
        Condition::Not(part) => asks_enabled(part),
        Condition::All(parts) | Condition::Any(parts) => parts.iter().any(asks_enabled),
        Condition::Constant(_) | Condition::AtMost(..) | Condition::Equal(..) | Condition::Dead => {
            false
        }
    }
}

/// A condition as code that leaves one truth value on the stack, and needs so much room there.
enum Part {
    Constant(bool),
    Code(Vec<u64>, usize),
}

impl Part {
    fn code(self) -> Vec<u64> {
        match self {
            Part::Constant(value) => vec![CONSTANT | u64::from(value) << 8],
            Part::Code(code, _) => code,
        }
    }
}

fn part(condition: &Condition) -> Result<Part, Unfit> {
    let compared = |sum: &Sum, number: i128, by: u64| {
        let mut code = terms(sum);
        code.extend([by, (number - sum.offset) as i64 as u64]);
        Ok(Part::Code(code, 1))
    };
    match condition {
        Condition::Constant(value) => Ok(Part::Constant(*value)),
        Condition::AtMost(sum, most) => match sum.range().ok_or(Unfit::Numbers)? {
            (_, greatest) if greatest <= *most => Ok(Part::Constant(true)),
            (least, _) if least > *most => Ok(Part::Constant(false)),
            _ => compared(sum, *most, AT_MOST),
        },
        Condition::Equal(sum, number) => match sum.range().ok_or(Unfit::Numbers)? {
            (least, greatest) if *number < least || *number > greatest => Ok(Part::Constant(false)),
            _ => compared(sum, *number, EQUALS),
        },
        Condition::Enabled(transitions) => {
            let groups = groups(transitions).into_iter();
            let code = groups.flat_map(|(group, bits)| [ADD_ENABLED | u64::from(group) << 8, bits]);
            Ok(Part::Code(code.chain([AT_MOST, 0, NEGATE]).collect(), 1))
        }
        Condition::Dead => Ok(Part::Code(vec![IS_DEAD], 1)),
        Condition::Not(negated) => Ok(match part(negated)? {
            Part::Constant(value) => Part::Constant(!value),
            Part::Code(mut code, depth) => {
                code.push(NEGATE);
                Part::Code(code, depth)
            }
        }),
        Condition::All(parts) => join(parts, BOTH, false),
        Condition::Any(parts) => join(parts, EITHER, true),
    }
}

/// The parts joined by an instruction. One that is `decisive` is the value; others that are constant are left out.
fn join(parts: &[Condition], by: u64, decisive: bool) -> Result<Part, Unfit> {
    let (mut joined, mut deepest, mut count) = (Vec::new(), 0, 0);
    for condition in parts {
        match part(condition)? {
            Part::Constant(value) if value == decisive => return Ok(Part::Constant(decisive)),
            Part::Constant(_) => {}
            Part::Code(code, depth) => {
                joined.extend(code);
                deepest = deepest.max(depth + usize::from(count > 0));
                if count > 0 {
                    joined.push(by);
                }
                count += 1;
            }
        }
    }
    match count {
        0 => Ok(Part::Constant(!decisive)),
        _ if deepest > MOST_DEPTH => Err(Unfit::Deep { most: MOST_DEPTH }),
        _ => Ok(Part::Code(joined, deepest)),
    }
}

/// A sum with its offset.
fn number_code(sum: &Sum) -> Result<Vec<u64>, Unfit> {
    sum.range().ok_or(Unfit::Numbers)?;
    let mut code = terms(sum);
    // The lookup of a field without bits is a constant.
    let nowhere = Field { word: 0, shift: 0, most: 0 };
    code.extend([ADD_EQUALS | place(nowhere), 0, sum.offset as i64 as u64, 0]);
    Ok(code)
}

fn place(field: Field) -> u64 {
    u64::from(field.word) << 8 | u64::from(field.shift) << 16
}

/// Adds the terms of a sum, without its offset.
fn terms(sum: &Sum) -> Vec<u64> {
    let mut code = Vec::new();
    for (weight, term) in &sum.terms {
        let weight = *weight as u64;
        match term {
            Term::Field(field) => code.extend([ADD_FIELD | place(*field), field.most, weight]),
            Term::Equals(field, number) => {
                code.extend([ADD_EQUALS | place(*field), field.most, weight, *number]);
            }
            Term::Lookup(field, list) => {
                let head = [ADD_LOOKUP | place(*field), field.most, weight, list.len() as u64];
                code.extend(head.into_iter().chain(list.iter().map(|entry| *entry as u64)));
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_has_its_number() {
        let numbers = [
            ADD_FIELD,
            ADD_EQUALS,
            ADD_LOOKUP,
            ADD_ENABLED,
            AT_MOST,
            EQUALS,
            CONSTANT,
            IS_DEAD,
            NEGATE,
            BOTH,
            EITHER,
            SKIP_DISABLED,
            GREATEST,
            REPORT,
            REPORT_LEAST,
            REPORT_GREATEST,
        ];
        assert!(numbers.iter().copied().eq(1..=NAMES.len() as u64));
        let text = definitions();
        assert!(
            text.contains("#define REPORT_GREATEST 16\n") && text.contains("#define ADD_FIELD 1\n")
        );
    }
}
