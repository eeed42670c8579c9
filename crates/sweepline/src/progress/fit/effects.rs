//! The effects of edges, and which features cannot be told apart by them.

use std::collections::{BTreeMap, HashMap};

use super::features_of;
use crate::progress::features::{Effect, Features};

/// The effects known so far.
pub(super) struct Effects {
    pub(super) list: Vec<Effect>,
    /// The model listed them all, and no other was seen: what holds of them holds of every edge.
    pub(super) all: bool,
    numbers: HashMap<Effect, usize>,
}

impl Effects {
    pub(super) fn new<M: Features>(model: &M) -> Self {
        let known = model.effects();
        let (all, list) = (known.is_some(), known.unwrap_or_default());
        let mut numbers = HashMap::new();
        for (number, effect) in list.iter().enumerate() {
            numbers.entry(effect.clone()).or_insert(number);
        }
        Effects { list, all, numbers }
    }

    /// The effect of the edge from `source` to `target`.
    pub(super) fn of<M: Features>(
        &mut self,
        model: &M,
        source: &M::State,
        action: &M::Action,
        target: &M::State,
    ) -> usize {
        if let Some(effect) = model.effect(action).filter(|_| self.all) {
            return effect;
        }
        let (before, after) = (features_of(model, source), features_of(model, target));
        let change = |(f, (a, b)): (usize, (&i64, &i64))| (a != b).then(|| (f, b.wrapping_sub(*a)));
        let effect: Effect = before.iter().zip(&after).enumerate().filter_map(change).collect();
        *self.numbers.entry(effect).or_insert_with_key(|effect| {
            self.all = false;
            self.list.push(effect.clone());
            self.list.len() - 1
        })
    }

    /// For each feature the effects that change it, and by how much.
    pub(super) fn by_feature(&self, features: usize) -> Vec<Vec<(usize, i64)>> {
        let mut rows = vec![Vec::new(); features];
        for (number, effect) in self.list.iter().enumerate() {
            for &(feature, change) in effect {
                rows[feature].push((number, change));
            }
        }
        rows
    }
}

/// Groups features that play the same part: by their values at the start, then by what the effects
/// that change them do to the features they were grouped with, until nothing more can be told apart.
///
/// A linear program over weights that has a solution has one that is equal on each group, since the
/// grouping is equitable; so programs are as small as the net is without its copies.
pub(super) fn classes(effects: &[Effect], roots: &[Vec<i64>], features: usize) -> Vec<usize> {
    let start = |f: usize| roots.iter().map(|root| root[f]).collect::<Vec<i64>>();
    let mut class = number(features, start);
    let mut effect_class = vec![0; effects.len()];
    loop {
        let shape = |e: usize| {
            let mut shape: Vec<(usize, i64)> =
                effects[e].iter().map(|&(f, change)| (class[f], change)).collect();
            shape.sort_unstable();
            (effect_class[e], shape)
        };
        effect_class = number(effects.len(), shape);
        let mut seen: Vec<Vec<(usize, i64)>> = vec![Vec::new(); features];
        for (e, effect) in effects.iter().enumerate() {
            for &(f, change) in effect {
                seen[f].push((effect_class[e], change));
            }
        }
        seen.iter_mut().for_each(|seen| seen.sort_unstable());
        let finer = number(features, |f| (class[f], &seen[f]));
        if count(&finer) == count(&class) {
            return class;
        }
        class = finer;
    }
}

/// How many classes there are.
pub(super) fn count(class: &[usize]) -> usize {
    class.iter().max().map_or(0, |most| most + 1)
}

/// Numbers `0..n` so that those with equal keys have equal numbers, in the order they first appear.
fn number<K: Ord>(n: usize, key: impl Fn(usize) -> K) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    (0..n)
        .map(|i| {
            let next = numbers.len();
            *numbers.entry(key(i)).or_insert(next)
        })
        .collect()
}
