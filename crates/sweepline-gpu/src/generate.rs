//! The text of the kernels for a model: `kernel/sweep.cu` with the transitions and the steps.

use std::fmt::Write;

use sweepline::compiled::{Bits, Field, Guard};

use crate::judge::{self, Judge};
use crate::program::{Program, Unfit, is_regress};

const CUDA: &str = include_str!("kernel/cuda.h");
const HOST: &str = include_str!("kernel/host.h");
const JUDGE: &str = include_str!("kernel/judge.cu");
const SWEEP: &str = include_str!("kernel/sweep.cu");

/// For which machine the text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// CUDA C++; `pairs`: the device has a compare-and-swap of 128 bits (sm_90).
    Cuda {
        /// Whether it has.
        pairs: bool,
    },
    /// C for this processor; `pairs` as above.
    Host {
        /// Whether it has.
        pairs: bool,
    },
}

/// How a cell of a table is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cells {
    /// By a compare-and-swap of its one word.
    One,
    /// By a compare-and-swap of both words.
    Pair,
    /// By a tag.
    Tagged,
}

impl Cells {
    pub(crate) fn of(program: &Program, dialect: Dialect) -> Self {
        let (Dialect::Cuda { pairs } | Dialect::Host { pairs }) = dialect;
        let spare = |word: usize| program.used(word) != u64::MAX;
        match program.words() {
            1 => Cells::One,
            2 if pairs && spare(0) && spare(1) => Cells::Pair,
            _ => Cells::Tagged,
        }
    }
}

/// The text of the kernels.
///
/// # Errors
///
/// If the numbers of a condition are too large for the device.
pub fn text(program: &Program, dialect: Dialect) -> Result<String, Unfit> {
    program.check()?;
    let asks_enabled = Judge::new(program)?.asks_enabled;
    let mut model = Model::default();
    model.transitions(program);
    let cells = match Cells::of(program, dialect) {
        Cells::One => 1,
        Cells::Pair => 2,
        Cells::Tagged => 3,
    };
    let groups = program.system.len().div_ceil(64).max(1);
    let (tables, _) = program.deltas();
    let room = program.system.has_room_conditions();
    let mut all = String::new();
    for (name, value) in [
        ("ONE", 1),
        ("PAIR", 2),
        ("TAGGED", 3),
        ("WORDS", program.words()),
        ("CELLS", cells),
        ("N_TABLES", tables.len()),
        ("N_GROUPS", groups),
        ("MASKS", if asks_enabled { groups } else { 1 }),
        ("ROOM", usize::from(room)),
    ] {
        let _ = writeln!(all, "#define {name} {value}");
    }
    all.push_str("#define EMPTY0 0xFFFFFFFFFFFFFFFFull\n#define EMPTY1 0xFFFFFFFFFFFFFFFFull\n");
    all.push_str(match dialect {
        Dialect::Cuda { .. } => CUDA,
        Dialect::Host { .. } => HOST,
    });
    all.push_str(&judge::definitions());
    let sweep = SWEEP.replace("#include_judge\n", JUDGE);
    all.push_str(&sweep.replace("#include_model\n", &model.text));
    Ok(all)
}

/// The part that depends on the model.
#[derive(Default)]
struct Model {
    text: String,
}

impl Model {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn transitions(&mut self, program: &Program) {
        let Program { system, .. } = program;
        let (words, count) = (program.words(), system.len());
        let (deltas, numbers) = program.deltas();
        let (mut enabled, mut room) = (String::new(), String::new());
        let mut additions = vec![0u64; (count * words).max(1)];
        for number in 0..count {
            let transition = system.transition(number as u32);
            for &(word, addition) in &transition.additions {
                additions[number * words + word as usize] = addition;
            }
            if number % 64 == 0 {
                let _ = writeln!(enabled, "    case {}:", number / 64);
            }
            let guards: Vec<String> = transition.guards.iter().filter_map(guard).collect();
            let all = if guards.is_empty() { "1".to_owned() } else { guards.join(" && ") };
            let _ = writeln!(enabled, "        mask |= (u64)({all}) << {};", number % 64);
            if number % 64 == 63 || number + 1 == count {
                enabled.push_str("        break;\n");
            }
            if !transition.room.is_empty() {
                let fits: Vec<String> = transition
                    .room
                    .iter()
                    .map(|(f, bound)| format!("{} < {bound}ull", get(*f)))
                    .collect();
                let _ = writeln!(room, "    case {number}: return {};", fits.join(" && "));
            }
        }
        self.table("u64", "ADDITION", additions.iter().map(|n| format!("{n:#x}ull")));
        self.table("u32", "TARGET", numbers.iter().map(ToString::to_string));
        let regress = numbers.iter().map(|&delta| u8::from(is_regress(&deltas[delta])).to_string());
        self.table("u32", "REGRESS", regress);
        self.function("u64 enabled(u32 group, const u64* s)", "u64 mask = 0;", "group", &enabled);
        self.line("    return mask;\n}");
        self.function("int has_room(u32 transition, const u64* s)", "", "transition", &room);
        self.line("    return 1;\n}");
    }

    fn function(&mut self, head: &str, first: &str, by: &str, cases: &str) {
        self.line(&format!("DEVICE {head} {{\n    {first}\n    (void)s;\n    switch ({by}) {{"));
        self.text.push_str(cases);
        self.line("    default: break;\n    }");
    }

    /// A table of constants; never empty.
    fn table(&mut self, kind: &str, name: &str, entries: impl Iterator<Item = String>) {
        let mut entries: Vec<String> = entries.collect();
        if entries.is_empty() {
            entries.push("0".into());
        }
        let lines: Vec<String> = entries.chunks(16).map(|line| line.join(", ")).collect();
        self.line(&format!("TABLE {kind} {name}[] = {{\n    {}\n}};", lines.join(",\n    ")));
    }
}

/// The number in a field.
fn get(field: Field) -> String {
    let Field { word, shift, most } = field;
    format!("((s[{word}] >> {shift}) & {most:#x}ull)")
}

/// The C condition of a guard; `None` if it is always true.
fn guard(guard: &Guard) -> Option<String> {
    match guard {
        Guard::Bits(bits) if *bits == Bits::ALWAYS => None,
        Guard::Bits(Bits { word, mask, expected, not }) => {
            let by = if *not { "!=" } else { "==" };
            Some(format!("(s[{word}] & {mask:#x}ull) {by} {expected:#x}ull"))
        }
        Guard::AtLeast(field, least) => Some(format!("{} >= {least}ull", get(*field))),
        Guard::SumAtMost(terms, most) => {
            let terms: Vec<String> = terms
                .iter()
                .map(|(field, weight)| format!("{} * {weight}ull", get(*field)))
                .collect();
            let sum = if terms.is_empty() { "0ull".into() } else { terms.join(" + ") };
            Some(format!("{sum} <= {most}ull"))
        }
    }
}
