//! Compiles patterns to decision trees.
//!
//! The algorithm follows Maranget (2008): the first test of the first row is made, and splits the rows into
//! those that can still match. No path makes the same test twice.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::core::{ExnId, Literal, Pattern, PatternKind, VarId};
use crate::machine::{Layout, Reg, content_offset};
use crate::types::Type;

use super::body::{Body, Location};

/// A part of the value that is matched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Part(pub(super) usize);

/// How a part is reached from the whole value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Way {
    /// The value itself.
    Whole,
    /// A word of the block of another part.
    Field(Part, u32),
    /// The rest of the block of another part, as a record.
    Inside(Part, u32),
}

/// What a test compares with.
#[derive(Clone, Debug)]
pub(super) enum Key<'p> {
    Con(u32),
    Exn(ExnId),
    Literal(&'p Literal),
}

/// A test of a part, with the pattern for its content.
#[derive(Clone, Debug)]
pub(super) struct Test<'p> {
    part: Part,
    pattern: &'p Pattern,
}

/// The remaining tests of a rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Row<'p> {
    tests: Vec<Test<'p>>,
    binds: Vec<(VarId, Part)>,
    rule: usize,
}

/// A decision tree.
#[derive(Debug)]
pub(super) enum Tree<'p> {
    /// A rule matches; these are its variables.
    Leaf { rule: usize, binds: Vec<(VarId, Part)> },
    /// No rule matches.
    Miss,
    /// Test a part. Without `other`, one of the keys must match.
    Split {
        part: Part,
        pattern: &'p Pattern,
        cases: Vec<(Key<'p>, Tree<'p>)>,
        other: Option<Box<Tree<'p>>>,
    },
    /// If one tree misses, the next is tried. There are at least two.
    Else(Vec<Tree<'p>>),
}

/// What to do when no rule matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Miss {
    Raise(ExnId),
    /// Raise the exception in the register again.
    Pass(Reg),
}

/// After this many nodes of one match, rules are no longer copied.
const MOST_NODES: usize = 400;

/// A rule without a test of a part is copied to each key of that part, at most this often.
const MOST_COPIES: usize = 100_000;

/// Builds the decisions of a match.
pub(super) struct Matching {
    pub(super) ways: Vec<Way>,
    ids: HashMap<Way, Part, FixedState>,
    nodes: usize,
    copies: usize,
}

impl Matching {
    pub(super) const WHOLE: Part = Part(0);

    pub(super) fn new() -> Self {
        Self { ways: vec![Way::Whole], ids: HashMap::default(), nodes: 0, copies: 0 }
    }

    fn part(&mut self, way: Way) -> Part {
        // A field of the rest of a block is a field of the block.
        let way = match way {
            Way::Field(of, offset) => match self.ways[of.0] {
                Way::Inside(block, from) => Way::Field(block, from + offset),
                _ => way,
            },
            Way::Inside(of, 0) => return of,
            _ => way,
        };
        let ways = &mut self.ways;
        *self.ids.entry(way).or_insert_with(|| {
            ways.push(way);
            Part(ways.len() - 1)
        })
    }

    pub(super) fn row<'p>(
        &mut self,
        body: &mut Body<'_, 'p>,
        pattern: &'p Pattern,
        rule: usize,
    ) -> Row<'p> {
        let mut row = Row { rule, ..Row::default() };
        self.simplify(body, Self::WHOLE, pattern, &mut row);
        row
    }

    /// Resolves patterns that need no test.
    fn simplify<'p>(
        &mut self,
        body: &mut Body<'_, 'p>,
        part: Part,
        pattern: &'p Pattern,
        row: &mut Row<'p>,
    ) {
        match &pattern.kind {
            PatternKind::Wildcard => {}
            PatternKind::Var(var) => row.binds.push((*var, part)),
            PatternKind::As(var, inner) => {
                row.binds.push((*var, part));
                self.simplify(body, part, inner, row);
            }
            PatternKind::Record(fields) => {
                for field in fields {
                    let inner = self.part(Way::Field(part, field.position));
                    self.simplify(body, inner, &field.pattern, row);
                }
            }
            PatternKind::Ref(inner) => {
                let content = self.part(Way::Field(part, 0));
                self.simplify(body, content, inner, row);
            }
            PatternKind::Construct { arg: Some(inner), .. } if is_wrapper(body, pattern) => {
                self.simplify(body, part, inner, row);
            }
            _ => row.tests.push(Test { part, pattern }),
        }
    }

    /// The tests of the content after a test has passed.
    fn enter<'p>(
        &mut self,
        body: &mut Body<'_, 'p>,
        part: Part,
        pattern: &'p Pattern,
        row: &mut Row<'p>,
    ) {
        let (inner, offset) = match &pattern.kind {
            PatternKind::Exception { arg: Some(inner), .. } => (inner, 1),
            PatternKind::Construct { arg: Some(inner), .. } => {
                let layout = body.layout(pattern.ty);
                let offset = match &body.compiler.layouts.list[layout.0 as usize] {
                    Layout::Data(constructors) => content_offset(constructors),
                    _ => 0,
                };
                (inner, offset)
            }
            _ => return,
        };
        let ty = body.ty(inner.ty);
        let way = match body.compiler.types.get(ty) {
            Type::Record(_) => Way::Inside(part, offset),
            _ => Way::Field(part, offset),
        };
        let content = self.part(way);
        self.simplify(body, content, inner, row);
    }

    /// The decision tree for some rows.
    pub(super) fn tree<'p>(&mut self, body: &mut Body<'_, 'p>, rows: Vec<Row<'p>>) -> Tree<'p> {
        self.nodes += 1;
        let Some(first) = rows.first() else { return Tree::Miss };
        let Some(test) = first.tests.first().cloned() else {
            return Tree::Leaf { rule: first.rule, binds: first.binds.clone() };
        };
        let n_silent = rows.iter().filter(|row| !row.asks(test.part)).count();
        let n_copies = n_silent * (rows.len() - n_silent);
        self.copies += n_copies;
        if n_copies > 0 && (self.nodes > MOST_NODES || self.copies > MOST_COPIES) {
            self.copies -= n_copies;
            return self.in_runs(body, rows);
        }
        let Groups { keys, rows: groups, silent } = grouped(rows, test.part);
        let is_complete = is_complete(body, test.pattern, keys.len());
        let mut cases = Vec::with_capacity(keys.len());
        for (key, group) in keys.into_iter().zip(groups) {
            let left = group.into_iter().map(|row| self.passed(body, row, test.part)).collect();
            cases.push((key, self.tree(body, left)));
        }
        let other = (!is_complete).then(|| Box::new(self.tree(body, silent)));
        Tree::Split { part: test.part, pattern: test.pattern, cases, other }
    }

    /// A tree without copies: consecutive rows that test the same part form one subtree.
    fn in_runs<'p>(&mut self, body: &mut Body<'_, 'p>, rows: Vec<Row<'p>>) -> Tree<'p> {
        let mut runs = Vec::new();
        let mut rows = rows.into_iter().peekable();
        while let Some(first) = rows.next() {
            let part = first.tests.first().map(|test| test.part);
            let mut run = vec![first];
            while let Some(next) = rows.next_if(|row| part.is_some_and(|part| row.asks(part))) {
                run.push(next);
            }
            runs.push(self.tree(body, run));
            // A row without tests always matches, so later rows are unreachable.
            if part.is_none() {
                break;
            }
        }
        Tree::Else(runs)
    }

    /// The rest of a row after its test of a part has passed, or if it has none.
    fn passed<'p>(&mut self, body: &mut Body<'_, 'p>, mut row: Row<'p>, part: Part) -> Row<'p> {
        if let Some(at) = row.tests.iter().position(|test| test.part == part) {
            let later = row.tests.split_off(at + 1);
            let test = row.tests.pop().expect("it was just found");
            self.enter(body, part, test.pattern, &mut row);
            row.tests.extend(later);
        }
        row
    }
}

impl Row<'_> {
    fn asks(&self, part: Part) -> bool {
        self.tests.iter().any(|test| test.part == part)
    }
}

fn key(pattern: &Pattern) -> Option<Key<'_>> {
    match &pattern.kind {
        PatternKind::Literal(literal) => Some(Key::Literal(literal)),
        PatternKind::Construct { con, .. } => Some(Key::Con(con.tag)),
        PatternKind::Exception { exn, .. } => Some(Key::Exn(*exn)),
        _ => None,
    }
}

/// Rows grouped by their test of a part.
struct Groups<'p> {
    /// Each once, in the order of the rows.
    keys: Vec<Key<'p>>,
    /// For each key, the rows that can match then, in order: rows that test for it, and rows that do not test
    /// the part.
    rows: Vec<Vec<Row<'p>>>,
    /// The rows that do not test the part.
    silent: Vec<Row<'p>>,
}

fn grouped<'p>(rows: Vec<Row<'p>>, part: Part) -> Groups<'p> {
    let mut numbers: HashMap<Vec<u8>, usize, FixedState> = HashMap::default();
    let mut groups = Groups { keys: Vec::new(), rows: Vec::new(), silent: Vec::new() };
    for row in rows {
        let tests = row.tests.iter().find(|test| test.part == part);
        match tests.and_then(|test| key(test.pattern)) {
            Some(key) => {
                let next = groups.keys.len();
                let number = *numbers.entry(key.bytes()).or_insert(next);
                if number == next {
                    groups.keys.push(key);
                    groups.rows.push(groups.silent.clone());
                }
                groups.rows[number].push(row);
            }
            None => {
                groups.rows.iter_mut().for_each(|group| group.push(row.clone()));
                groups.silent.push(row);
            }
        }
    }
    groups
}

impl Key<'_> {
    /// Two keys are equal if and only if their bytes are.
    fn bytes(&self) -> Vec<u8> {
        let (kind, bytes) = match self {
            Key::Con(tag) => (0, tag.to_le_bytes().to_vec()),
            Key::Exn(exn) => (1, exn.0.to_le_bytes().to_vec()),
            Key::Literal(Literal::Int(number)) => (2, number.to_le_bytes().to_vec()),
            Key::Literal(Literal::IntInf(number)) => (3, number.to_signed_bytes_le()),
            Key::Literal(Literal::Word(word)) => (4, word.to_le_bytes().to_vec()),
            // 0.0 and ~0.0 are equal.
            Key::Literal(Literal::Real(real)) => (5, (real + 0.0).to_le_bytes().to_vec()),
            Key::Literal(Literal::Char(byte)) => (6, vec![*byte]),
            Key::Literal(Literal::String(bytes)) => (7, bytes.to_vec()),
        };
        [&[kind], &bytes[..]].concat()
    }
}

/// Whether `keys` constructors are all constructors of the datatype.
fn is_complete(body: &Body<'_, '_>, pattern: &Pattern, keys: usize) -> bool {
    match &pattern.kind {
        PatternKind::Construct { con, .. } => {
            keys == body.compiler.program.datatype(con.data).constructors.len()
        }
        _ => false,
    }
}

/// Whether the pattern's constructor is the only one of its datatype and has an argument. It is then
/// represented by its argument.
fn is_wrapper(body: &mut Body<'_, '_>, pattern: &Pattern) -> bool {
    let layout = body.layout(pattern.ty);
    matches!(&body.compiler.layouts.list[layout.0 as usize], Layout::Wrapped(..))
}

/// The locations of the parts that have been loaded.
pub(super) type Loaded = Vec<Option<Location>>;
