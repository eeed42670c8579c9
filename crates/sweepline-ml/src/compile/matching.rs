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
#[derive(Clone, PartialEq, Debug)]
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
    /// What misses in the first goes on in the second.
    Else(Box<[Tree<'p>; 2]>),
}

/// What happens when no rule matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Miss {
    Raise(ExnId),
    /// Raises the exception in the register again.
    Pass(Reg),
}

/// The decisions of one match may have so many nodes before rules are tried one by one.
const MOST_NODES: usize = 400;

/// Builds the decisions of a match.
pub(super) struct Matching {
    pub(super) ways: Vec<Way>,
    ids: HashMap<Way, Part, FixedState>,
    nodes: usize,
}

impl Matching {
    pub(super) const WHOLE: Part = Part(0);

    pub(super) fn new() -> Self {
        Self { ways: vec![Way::Whole], ids: HashMap::default(), nodes: 0 }
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
        if self.nodes > MOST_NODES && rows.len() > 1 {
            let mut rows = rows;
            let rest = rows.split_off(1);
            let first = self.tree(body, rows);
            return Tree::Else(Box::new([first, self.tree(body, rest)]));
        }
        let keys = keys(&rows, test.part);
        let mut cases = Vec::new();
        for key in keys {
            let matching = rows.iter().filter_map(|row| self.specialised(body, row, &test, &key));
            let matching: Vec<Row<'p>> = matching.collect();
            let tree = self.tree(body, matching);
            cases.push((key, tree));
        }
        let other = if is_complete(body, test.pattern, cases.len()) {
            None
        } else {
            let silent = |row: &&Row| row.tests.iter().all(|other| other.part != test.part);
            let rest: Vec<Row<'p>> = rows.iter().filter(silent).cloned().collect();
            Some(Box::new(self.tree(body, rest)))
        };
        Tree::Split { part: test.part, pattern: test.pattern, cases, other }
    }

    /// What is left of a row when a test has been passed; nothing if it cannot match then.
    fn specialised<'p>(
        &mut self,
        body: &mut Body<'_, 'p>,
        row: &Row<'p>,
        test: &Test<'p>,
        passed: &Key<'p>,
    ) -> Option<Row<'p>> {
        let Some(at) = row.tests.iter().position(|other| other.part == test.part) else {
            return Some(row.clone());
        };
        let pattern = row.tests[at].pattern;
        if key(pattern).as_ref() != Some(passed) {
            return None;
        }
        let mut left = row.clone();
        left.tests.remove(at);
        let later = left.tests.split_off(at);
        self.enter(body, test.part, pattern, &mut left);
        left.tests.extend(later);
        Some(left)
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

/// The keys asked of a part, each once.
fn keys<'p>(rows: &[Row<'p>], part: Part) -> Vec<Key<'p>> {
    let mut keys = Vec::new();
    let tests = rows.iter().flat_map(|row| &row.tests).filter(|test| test.part == part);
    for key in tests.filter_map(|test| key(test.pattern)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
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
