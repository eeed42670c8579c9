//! Patterns to decisions: which part of a value is looked at first, and what follows from it.
//!
//! Rows of tests, as Maranget (2008) describes them: the first test of the first row is made, and
//! splits the rows into those that still can match. No test is made twice on any way.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::core::{ExnId, Literal, Pattern, PatternKind, VarId};
use crate::machine::{Layout, Reg, content_offset};
use crate::types::Type;

use super::body::{Body, Location};

/// A part of the value that is matched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Part(pub(super) usize);

/// How a part is reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Way {
    /// The value itself.
    Whole,
    /// A word of the block of another part.
    Field(Part, u32),
    /// The rest of the block of another part, as a record.
    Inside(Part, u32),
}

/// What a test asks.
#[derive(Clone, Debug)]
pub(super) enum Key<'p> {
    Con(u32),
    Exn(ExnId),
    Literal(&'p Literal),
}

/// A test of a part, with the pattern for what is inside.
#[derive(Clone, Debug)]
pub(super) struct Test<'p> {
    part: Part,
    pattern: &'p Pattern,
}

/// What is left to be tested for a rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Row<'p> {
    tests: Vec<Test<'p>>,
    binds: Vec<(VarId, Part)>,
    rule: usize,
}

/// What to do.
#[derive(Debug)]
pub(super) enum Tree<'p> {
    /// A rule matches; these are its variables.
    Leaf { rule: usize, binds: Vec<(VarId, Part)> },
    /// No rule matches.
    Miss,
    /// Look at a part. Without `other`, one of the keys must match.
    Split {
        part: Part,
        pattern: &'p Pattern,
        cases: Vec<(Key<'p>, Tree<'p>)>,
        other: Option<Box<Tree<'p>>>,
    },
    /// What misses in one goes on in the next. There are at least two.
    Else(Vec<Tree<'p>>),
}

/// What happens when no rule matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Miss {
    Raise(ExnId),
    /// Raises the exception in the register again.
    Pass(Reg),
}

/// The decisions of one match may have so many nodes before no rule is copied any more.
const MOST_NODES: usize = 400;

/// Rules that are silent about a part are copied to each of its keys, at most so often.
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
        // Fields of the rest of a block are fields of the block.
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

    /// Takes apart what needs no test.
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

    /// The tests inside of what has passed a test.
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

    /// The decisions for some rows.
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

    /// Rows that copy nothing: each run of rows that ask for the same part is decided by itself.
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
            // What matches always leaves nothing to the next.
            if part.is_none() {
                break;
            }
        }
        Tree::Else(runs)
    }

    /// What is left of a row when its test of a part has been passed, or when it has none.
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

/// Rows by what they ask of a part.
struct Groups<'p> {
    /// Each once, in the order of the rows.
    keys: Vec<Key<'p>>,
    /// For each key the rows that can match then, in order: those that ask for it, and those that ask for none.
    rows: Vec<Vec<Row<'p>>>,
    /// The rows that ask for none.
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
    /// Keys are equal if their bytes are.
    fn bytes(&self) -> Vec<u8> {
        let (kind, bytes) = match self {
            Key::Con(tag) => (0, tag.to_le_bytes().to_vec()),
            Key::Exn(exn) => (1, exn.0.to_le_bytes().to_vec()),
            Key::Literal(Literal::Int(number)) => (2, number.to_le_bytes().to_vec()),
            Key::Literal(Literal::IntInf(number)) => (3, number.to_signed_bytes_le()),
            Key::Literal(Literal::Word(word)) => (4, word.to_le_bytes().to_vec()),
            // Both zeros are the same number.
            Key::Literal(Literal::Real(real)) => (5, (real + 0.0).to_le_bytes().to_vec()),
            Key::Literal(Literal::Char(byte)) => (6, vec![*byte]),
            Key::Literal(Literal::String(bytes)) => (7, bytes.to_vec()),
        };
        [&[kind], &bytes[..]].concat()
    }
}

/// Whether so many keys are all constructors of the datatype.
fn is_complete(body: &Body<'_, '_>, pattern: &Pattern, keys: usize) -> bool {
    match &pattern.kind {
        PatternKind::Construct { con, .. } => {
            keys == body.compiler.program.datatype(con.data).constructors.len()
        }
        _ => false,
    }
}

/// A constructor that is alone in its datatype is not there when it carries something.
fn is_wrapper(body: &mut Body<'_, '_>, pattern: &Pattern) -> bool {
    let layout = body.layout(pattern.ty);
    matches!(&body.compiler.layouts.list[layout.0 as usize], Layout::Wrapped(..))
}

/// The places of the parts that have been loaded.
pub(super) type Loaded = Vec<Option<Location>>;
