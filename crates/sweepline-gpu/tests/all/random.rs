//! Random transition systems with measures.

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::compiled::{Bits, Condition, Field, Guard, Sum, Term, Transition, TransitionSystem};
use sweepline::{Computed, Progress, Value};
use sweepline_gpu::{Program, Target};

/// A system, its fields, and weights of these for each component of a measure.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    pub(crate) system: TransitionSystem,
    pub(crate) fields: Vec<Field>,
    pub(crate) weights: Vec<Vec<i64>>,
    /// So many of these are meant to be monotone.
    pub(crate) columns: usize,
    /// For each transition, what it adds to fields.
    changes: Vec<Vec<(usize, i64)>>,
}

/// A transition: for each of some fields, what it adds; and how the guards are written.
type Draft = (Vec<(usize, i64)>, u8);

/// Systems whose fields have `widths` bits, and fill the words from the first.
pub(crate) fn system(
    widths: impl Strategy<Value = Vec<u32>>,
    components: std::ops::Range<usize>,
) -> impl Strategy<Value = Random> {
    widths.prop_flat_map(move |widths| {
        let n = widths.len();
        let change =
            (0..n, prop_oneof![4 => Just(1i64), 4 => Just(-1), 1 => Just(2), 1 => Just(-3)]);
        let draft = (vec(change, 1..4), any::<u8>());
        let start = vec(0u64..4, n);
        let weights = vec(
            vec(prop_oneof![2 => Just(0i64), 3 => Just(1), 1 => Just(2), 1 => Just(-1)], n),
            components.clone(),
        );
        (vec(draft, 1..8), start, weights)
            .prop_map(move |(drafts, start, weights)| build(&widths, drafts, &start, weights))
    })
}

/// The fields of these widths, first fit.
fn fields(widths: &[u32]) -> Vec<Field> {
    let (mut word, mut used) = (0, 0);
    let place = |&width: &u32| {
        if used + width > 64 {
            (word, used) = (word + 1, 0);
        }
        let field = Field { word, shift: used, most: u64::MAX >> (64 - width) };
        used += width;
        field
    };
    widths.iter().map(place).collect()
}

/// States have few values, however wide their fields are: this is the most.
const MOST: u64 = 3;

fn build(widths: &[u32], drafts: Vec<Draft>, start: &[u64], weights: Vec<Vec<i64>>) -> Random {
    let fields = fields(widths);
    let words = fields.last().map_or(1, |field| field.word as usize + 1);
    // Wide fields count near their end, so that all bits are used.
    let base = |field: &Field| field.most.saturating_sub(MOST);
    let mut initial = vec![0; words];
    for (field, start) in fields.iter().zip(start) {
        let value = base(field) + (*start).min(MOST.min(field.most));
        initial[field.word as usize] |= value << field.shift;
    }
    let mut system = TransitionSystem::new(initial);
    let mut changes = Vec::new();
    for (draft, how) in drafts {
        let mut all: Vec<(usize, i64)> = Vec::new();
        for (field, change) in draft {
            let most = MOST.min(fields[field].most) as i64;
            if !all.iter().any(|(known, _)| *known == field) {
                all.push((field, change.clamp(-most, most)));
            }
        }
        let mut transition = Transition::default();
        for &(number, change) in &all {
            let field = fields[number];
            let word_change = (change as u64).wrapping_shl(field.shift);
            transition.additions.push((field.word, word_change));
            transition.guards.push(guard(field, base(&field), change, how));
        }
        system.add(transition);
        changes.push(all);
    }
    Random { system, fields, weights, columns: 0, changes }
}

/// The change keeps the field between its base and its greatest number.
fn guard(field: Field, base: u64, change: i64, how: u8) -> Guard {
    let (size, mask) = (change.unsigned_abs(), field.most << field.shift);
    if change < 0 {
        let is_bits = size == 1 && base == 0 && how.is_multiple_of(2);
        return match is_bits {
            true => Guard::Bits(Bits { word: field.word, mask, expected: 0, not: true }),
            false => Guard::AtLeast(field, base + size),
        };
    }
    let most = field.most - size;
    let is_bits = size == 1 && how.is_multiple_of(3);
    match is_bits {
        true => Guard::Bits(Bits { word: field.word, mask, expected: mask, not: true }),
        false => Guard::SumAtMost(vec![(field, 1)], most),
    }
}

impl Random {
    /// The program that looks for `targets`.
    pub(crate) fn program(&self, targets: Vec<Target>) -> Program {
        let mut used = vec![0; self.system.initial.len()];
        self.fields.iter().for_each(|field| used[field.word as usize] |= field.most << field.shift);
        let step = |changes: &Vec<(usize, i64)>| {
            let sum = |weights: &Vec<i64>| changes.iter().map(|&(f, n)| weights[f] * n).sum();
            self.weights.iter().map(sum).collect()
        };
        Program {
            system: self.system.clone(),
            used,
            start: self.value(&self.system.initial),
            columns: self.columns,
            steps: self.changes.iter().map(step).collect(),
            terminated: Condition::Constant(false),
            targets,
        }
    }

    fn value(&self, words: &[u64]) -> Vec<i64> {
        let low = |field: &Field| (field.get(words) - field.most.saturating_sub(MOST)) as i64;
        let sum =
            |weights: &Vec<i64>| weights.iter().zip(&self.fields).map(|(w, f)| w * low(f)).sum();
        self.weights.iter().map(sum).collect()
    }

    /// The sum of two fields, above their bases.
    pub(crate) fn sum(&self, one: usize, other: usize) -> Sum {
        let (one, other) =
            (self.fields[one % self.fields.len()], self.fields[other % self.fields.len()]);
        let list: Vec<i64> = vec![5, -2, 3];
        Sum { terms: vec![(1, narrow(one)), (2, Term::Lookup(other, list.into()))], offset: -1 }
    }
}

/// A field, or whether it is at its greatest number if that is large.
fn narrow(field: Field) -> Term {
    if field.most < 1 << 40 { Term::Field(field) } else { Term::Equals(field, field.most) }
}

impl Progress<TransitionSystem> for Random {
    fn columns(&self) -> usize {
        self.columns
    }

    fn is_trivial(&self) -> bool {
        self.weights.is_empty()
    }

    fn measure(&self, _: &mut Vec<u64>, words: &Vec<u64>, value: &mut Value) -> Computed {
        self.value(words).into_iter().for_each(|component| value.push(component));
        Ok(())
    }
}
