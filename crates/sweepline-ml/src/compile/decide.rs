//! Compiles decision trees to code.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::core::{Literal, Pattern, PatternKind, Rule, VarId};
use crate::machine::{Instr, Layout, Reg, content_offset};
use crate::prim::Prim;

use super::body::{Body, Label, Location, Want};
use super::free;
use super::matching::{Key, Loaded, Matching, Miss, Part, Tree, Way};

/// From this many cases on, a jump table is faster than single tests.
const TABLE: usize = 4;

/// Data that all leaves of a match share.
struct Match<'p> {
    ways: Vec<Way>,
    rules: &'p [Rule],
    want: Want,
    end: Label,
    used: Vec<HashSet<VarId, FixedState>>,
    /// Bodies that several leaves share, with the registers of their variables.
    shared: Vec<Option<(Label, Vec<(VarId, Reg)>)>>,
}

impl<'p> Body<'_, 'p> {
    /// Compiles a match: the body of the first rule that matches.
    pub(super) fn rules(&mut self, value: Location, rules: &'p [Rule], miss: Miss, want: Want) {
        let mut matching = Matching::new();
        let rows = rules.iter().enumerate();
        let rows = rows.map(|(at, rule)| matching.row(self, &rule.pattern, at)).collect();
        let tree = matching.tree(self, rows);
        let mut leaves = vec![0; rules.len()];
        count_leaves(&tree, &mut leaves);
        let used: Vec<_> = rules.iter().map(|rule| free::mentioned(&rule.body)).collect();
        let end = self.label();
        let missed = match miss {
            Miss::Raise(exn) => self.trap(exn),
            Miss::Pass(_) => self.label(),
        };
        let mut shared = Vec::new();
        for (at, rule) in rules.iter().enumerate() {
            shared.push((leaves[at] > 1).then(|| self.shared_body(rule, &used[at])));
        }
        let mut loaded: Loaded = vec![None; matching.ways.len()];
        loaded[Matching::WHOLE.0] = Some(value);
        let all = Match { ways: matching.ways, rules, want, end, used, shared };
        let is_last = all.shared.iter().all(Option::is_none) && matches!(miss, Miss::Raise(_));
        self.tree(&all, &tree, loaded, missed, is_last);
        for (rule, shared) in rules.iter().zip(&all.shared) {
            let Some((label, vars)) = shared else { continue };
            self.bind(*label);
            self.locals.extend(vars.iter().map(|(var, register)| (*var, Location::Reg(*register))));
            self.expr(&rule.body, want);
            self.leave(want, end, false);
        }
        if let Miss::Pass(exn) = miss {
            self.bind(missed);
            self.emit(Instr::Pass(exn));
        }
        self.bind(end);
    }

    fn shared_body(
        &mut self,
        rule: &'p Rule,
        used: &HashSet<VarId, FixedState>,
    ) -> (Label, Vec<(VarId, Reg)>) {
        let vars = rule.pattern.variables().into_iter().filter(|var| used.contains(var));
        let vars = vars.map(|var| (var, self.registers(1))).collect();
        (self.label(), vars)
    }

    fn leave(&mut self, want: Want, end: Label, is_last: bool) {
        if want != Want::Tail && !is_last {
            self.jump(Instr::Jump, end);
        }
    }

    /// Binds the variables of one pattern, or jumps if it does not match.
    pub(super) fn destructure(&mut self, value: Location, pattern: &'p Pattern, miss: Label) {
        for (var, place) in self.match_one(value, pattern, miss) {
            self.locals.insert(var, place);
        }
    }

    /// Binds the variables of one pattern, or jumps if it does not match. A variable may occur twice.
    pub(super) fn match_one(
        &mut self,
        value: Location,
        pattern: &'p Pattern,
        miss: Label,
    ) -> Vec<(VarId, Location)> {
        let mut matching = Matching::new();
        let row = matching.row(self, pattern, 0);
        let mut tree = matching.tree(self, vec![row]);
        let mut loaded: Loaded = vec![None; matching.ways.len()];
        loaded[Matching::WHOLE.0] = Some(value);
        let ways = matching.ways;
        loop {
            match tree {
                Tree::Split { part, pattern, mut cases, other } => {
                    let register = self.part_register(&ways, part, &mut loaded);
                    let (key, inner) = cases.swap_remove(0);
                    if other.is_some() {
                        let tag = self.tag_register(register, pattern);
                        self.test(tag, pattern, &key, miss);
                    }
                    tree = inner;
                }
                Tree::Leaf { binds, .. } => {
                    let place = |(var, part)| (var, self.load(&ways, part, &mut loaded));
                    return binds.into_iter().map(place).collect();
                }
                Tree::Miss | Tree::Else(_) => return Vec::new(),
            }
        }
    }

    fn tree(
        &mut self,
        all: &Match<'p>,
        tree: &Tree<'p>,
        mut loaded: Loaded,
        miss: Label,
        is_last: bool,
    ) {
        match tree {
            Tree::Miss => self.jump(Instr::Jump, miss),
            Tree::Else(trees) => {
                let Some((last, before)) = trees.split_last() else { return };
                for tree in before {
                    let (next, mark) = (self.label(), self.next);
                    self.tree(all, tree, loaded.clone(), next, false);
                    self.next = mark;
                    self.bind(next);
                }
                self.tree(all, last, loaded, miss, is_last);
            }
            Tree::Leaf { rule, binds } => self.leaf(all, *rule, binds, loaded, is_last),
            Tree::Split { part, pattern, cases, other } => {
                let register = self.part_register(&all.ways, *part, &mut loaded);
                let tag = self.tag_register(register, pattern);
                let count = self.tag_count(pattern);
                match count {
                    Some(count) if cases.len() >= TABLE => {
                        self.split_by_table(all, (tag, count), (cases, other), loaded, miss);
                    }
                    _ => {
                        let split = (tag, *pattern);
                        self.split_by_tests(all, split, (cases, other), loaded, miss, is_last);
                    }
                }
            }
        }
    }

    fn leaf(
        &mut self,
        all: &Match<'p>,
        rule: usize,
        binds: &[(VarId, Part)],
        mut loaded: Loaded,
        is_last: bool,
    ) {
        let binds = binds.iter().filter(|(var, _)| all.used[rule].contains(var));
        if let Some((label, vars)) = &all.shared[rule] {
            for (var, part) in binds {
                let mark = self.next;
                let place = self.load(&all.ways, *part, &mut loaded);
                if let Some((_, register)) = vars.iter().find(|(known, _)| known == var) {
                    self.place_to(&place, *register);
                }
                self.next = mark.max(self.next);
            }
            return self.jump(Instr::Jump, *label);
        }
        for (var, part) in binds {
            let place = self.load(&all.ways, *part, &mut loaded);
            self.locals.insert(*var, place);
        }
        self.expr(&all.rules[rule].body, all.want);
        self.leave(all.want, all.end, is_last);
    }

    fn split_by_tests(
        &mut self,
        all: &Match<'p>,
        (tag, pattern): (Reg, &'p Pattern),
        (cases, other): (&[(Key<'p>, Tree<'p>)], &Option<Box<Tree<'p>>>),
        loaded: Loaded,
        miss: Label,
        is_last: bool,
    ) {
        for (at, (key, tree)) in cases.iter().enumerate() {
            let is_final = at + 1 == cases.len();
            let mark = self.next;
            match (is_final, other.as_deref()) {
                (true, None) => self.tree(all, tree, loaded.clone(), miss, is_last),
                (true, Some(Tree::Miss)) => {
                    self.test(tag, pattern, key, miss);
                    self.tree(all, tree, loaded.clone(), miss, is_last);
                }
                _ => {
                    let next = self.label();
                    self.test(tag, pattern, key, next);
                    self.tree(all, tree, loaded.clone(), miss, false);
                    self.bind(next);
                }
            }
            self.next = mark;
        }
        match other.as_deref() {
            None | Some(Tree::Miss) => {}
            Some(other) => self.tree(all, other, loaded, miss, is_last),
        }
    }

    fn split_by_table(
        &mut self,
        all: &Match<'p>,
        (tag, count): (Reg, usize),
        (cases, other): (&[(Key<'p>, Tree<'p>)], &Option<Box<Tree<'p>>>),
        loaded: Loaded,
        miss: Label,
    ) {
        let others = match other.as_deref() {
            None | Some(Tree::Miss) => miss,
            Some(_) => self.label(),
        };
        let mut targets = vec![others; count];
        let labels: Vec<Label> = cases.iter().map(|_| self.label()).collect();
        for ((key, _), label) in cases.iter().zip(&labels) {
            if let Key::Con(tag) = key {
                targets[*tag as usize] = *label;
            }
        }
        self.switch(tag, targets);
        let mark = self.next;
        for ((_, tree), label) in cases.iter().zip(&labels) {
            self.bind(*label);
            self.tree(all, tree, loaded.clone(), miss, false);
            self.next = mark;
        }
        if let Some(other @ (Tree::Leaf { .. } | Tree::Split { .. } | Tree::Else(_))) =
            other.as_deref()
        {
            self.bind(others);
            self.tree(all, other, loaded, miss, false);
        }
    }

    /// The location of a part of the value. Loads the part if needed.
    fn load(&mut self, ways: &[Way], part: Part, loaded: &mut Loaded) -> Location {
        if let Some(place) = &loaded[part.0] {
            return place.clone();
        }
        let place = match ways[part.0] {
            Way::Field(of, offset) => {
                let of = self.load(ways, of, loaded);
                self.field(&of, offset)
            }
            Way::Inside(of, offset) => {
                let of = self.part_register(ways, of, loaded);
                let to = self.registers(1);
                self.emit(Instr::Inside(to, of, offset));
                Location::Reg(to)
            }
            Way::Whole => Location::Reg(0),
        };
        loaded[part.0] = Some(place.clone());
        place
    }

    fn part_register(&mut self, ways: &[Way], part: Part, loaded: &mut Loaded) -> Reg {
        let place = self.load(ways, part, loaded);
        let register = self.built(&place);
        loaded[part.0] = Some(Location::Reg(register));
        register
    }

    /// The number of tags, if the register holds only a tag.
    fn tag_count(&mut self, pattern: &Pattern) -> Option<usize> {
        let layout = self.layout(pattern.ty);
        match &self.compiler.layouts.list[layout.0 as usize] {
            Layout::Enum(names) => Some(names.len()),
            Layout::Data(constructors) if content_offset(constructors) == 1 => {
                Some(constructors.len())
            }
            _ => None,
        }
    }

    /// The register to test: that of the tag, if there is one.
    fn tag_register(&mut self, register: Reg, pattern: &Pattern) -> Reg {
        let layout = self.layout(pattern.ty);
        let count = match &self.compiler.layouts.list[layout.0 as usize] {
            Layout::Exn => self.compiler.program.exceptions.len(),
            Layout::Data(constructors) if content_offset(constructors) == 1 => constructors.len(),
            _ => return register,
        };
        let tag = self.registers(1);
        self.emit(Instr::Tag(tag, register, count as u32));
        tag
    }

    /// Jumps if the register does not match the key.
    fn test(&mut self, register: Reg, pattern: &'p Pattern, key: &Key<'p>, label: Label) {
        match key {
            Key::Exn(exn) => self.test_word(register, exn.0.into(), label),
            Key::Con(tag) => {
                let carries = matches!(&pattern.kind, PatternKind::Construct { .. });
                let layout = self.layout(pattern.ty);
                let count = match &self.compiler.layouts.list[layout.0 as usize] {
                    Layout::List(_) if *tag == 1 => Some(1),
                    Layout::Data(constructors) if content_offset(constructors) == 0 => {
                        let content = constructors[*tag as usize].content;
                        content.map(|_| constructors.len())
                    }
                    _ => None,
                };
                match count.filter(|_| carries) {
                    Some(count) => self.jump_less(register, count, label),
                    None => self.test_word(register, (*tag).into(), label),
                }
            }
            Key::Literal(literal) => self.test_literal(register, pattern, literal, label),
        }
    }

    /// Jumps if the register holds less than `count`.
    fn jump_less(&mut self, register: Reg, count: usize, label: Label) {
        if let Ok(small) = i16::try_from(count) {
            return self.jump(|to| Instr::JumpLessConst(register, small, to), label);
        }
        let mark = self.next;
        let constant = self.registers(1);
        self.word(constant, count as u64);
        self.jump(|to| Instr::JumpLess(register, constant, to), label);
        self.next = mark;
    }

    fn test_word(&mut self, register: Reg, word: i64, label: Label) {
        if let Ok(small) = i16::try_from(word) {
            return self.jump(|to| Instr::JumpIsNot(register, small, to), label);
        }
        let mark = self.next;
        let constant = self.registers(1);
        self.word(constant, word as u64);
        self.jump(|to| Instr::JumpDifferent(register, constant, to), label);
        self.next = mark;
    }

    fn test_literal(&mut self, register: Reg, pattern: &Pattern, literal: &Literal, label: Label) {
        let Some(word) = self.compiler.constants.literal(literal) else {
            return self.refuse_here("the number is too large", "use a smaller one");
        };
        if let Literal::Int(_) | Literal::Char(_) | Literal::Word(_) = literal {
            return self.test_word(register, word as i64, label);
        }
        let mark = self.next;
        let constant = self.registers(1);
        self.word(constant, word);
        let layout = self.layout(pattern.ty);
        match literal {
            Literal::Real(_) => self.emit(Instr::EqualReal(constant, register, constant)),
            _ => self.call_on_two(Prim::Equal, layout, (register, constant), constant),
        }
        self.jump(|to| Instr::JumpIs(constant, 0, to), label);
        self.next = mark;
    }
}

fn count_leaves(tree: &Tree<'_>, leaves: &mut [usize]) {
    match tree {
        Tree::Leaf { rule, .. } => leaves[*rule] += 1,
        Tree::Miss => {}
        Tree::Else(trees) => trees.iter().for_each(|tree| count_leaves(tree, leaves)),
        Tree::Split { cases, other, .. } => {
            cases.iter().for_each(|(_, tree)| count_leaves(tree, leaves));
            other.iter().for_each(|tree| count_leaves(tree, leaves));
        }
    }
}
