//! Interchangeable components: the symmetry of a composition.
//!
//! Two components are *interchangeable* if exchanging their states maps every step of the whole to a step of
//! the whole. That depends only on the pairs of states that each part of a rule connects; the names of events
//! do not matter. Components that are pairwise interchangeable may be permuted in any way, so the sorted
//! vector of their states represents all its permutations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sweepline::Model;
use sweepline::identity::Representative;

use crate::composition::{Composition, Joint, Part, Rule};
use crate::lts::{LabelId, StateNo};
use crate::measure::Weighted;

/// A rule with its parts as relations between states: components in order, each with its relation.
type Shape = Vec<(usize, u32)>;

/// The interchangeable components of a composition.
///
/// Explored with [`Representative`], one state represents all permutations of such components. Deadlocks are
/// preserved, and so are predicates that do not distinguish the components.
pub struct Symmetry<'a> {
    composition: &'a Composition,
    classes: Vec<Vec<usize>>,
}

impl<'a> Symmetry<'a> {
    /// Finds the interchangeable components of `composition`, if their states are numbered in the same way.
    pub fn of(composition: &'a Composition) -> Self {
        let mut relations = Relations::default();
        let shapes: Vec<Shape> =
            composition.rules().iter().map(|rule| relations.shape(composition, rule)).collect();
        let known: BTreeSet<&Shape> = shapes.iter().collect();
        let mut touching = vec![Vec::new(); composition.component_count()];
        for shape in &known {
            shape.iter().for_each(|&(component, _)| touching[component].push(*shape));
        }
        let is_exchange = |i: usize, j: usize| {
            let (one, other) = (composition.component(i), composition.component(j));
            one.n_states() == other.n_states()
                && one.initial() == other.initial()
                && touching[i].len() == touching[j].len()
                && touching[i].iter().all(|shape| known.contains(&exchanged(shape, i, j)))
                && touching[j].iter().all(|shape| known.contains(&exchanged(shape, i, j)))
        };
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for component in 0..composition.component_count() {
            match classes.iter_mut().find(|class| is_exchange(class[0], component)) {
                Some(class) => class.push(component),
                None => classes.push(vec![component]),
            }
        }
        classes.retain(|class| class.len() > 1);
        Symmetry { composition, classes }
    }

    /// Whether `sums` are invariant under permutations of the components.
    pub fn keeps(&self, sums: &Weighted<'_>) -> bool {
        let alike =
            |class: &Vec<usize>| class.windows(2).all(|pair| sums.are_alike(pair[0], pair[1]));
        self.classes.iter().all(alike)
    }

    /// The classes of interchangeable components, each of at least two.
    pub fn classes(&self) -> &[Vec<usize>] {
        &self.classes
    }
}

/// `shape` with the components `i` and `j` exchanged.
fn exchanged(shape: &Shape, i: usize, j: usize) -> Shape {
    let exchange = |component| match component {
        c if c == i => j,
        c if c == j => i,
        c => c,
    };
    let mut other: Shape = shape.iter().map(|&(c, relation)| (exchange(c), relation)).collect();
    other.sort_unstable();
    other
}

/// Relations between states, numbered in the order in which they are found.
#[derive(Default)]
struct Relations {
    numbers: BTreeMap<(bool, Vec<(StateNo, StateNo)>), u32>,
    known: HashMap<(usize, Option<LabelId>), u32>,
}

impl Relations {
    fn shape(&mut self, composition: &Composition, rule: &Rule) -> Shape {
        rule.parts.iter().map(|part| (part.component, self.number(composition, part))).collect()
    }

    /// The number of the relation of `part`: the pairs of states that it connects.
    fn number(&mut self, composition: &Composition, part: &Part) -> u32 {
        let numbers = &mut self.numbers;
        *self.known.entry((part.component, part.label)).or_insert_with(|| {
            let next = numbers.len() as u32;
            *numbers.entry(pairs(composition, part)).or_insert(next)
        })
    }
}

/// The steps of `part`, without duplicates. The flag distinguishes a component that must have terminated from
/// one with a self-loop.
fn pairs(composition: &Composition, part: &Part) -> (bool, Vec<(StateNo, StateNo)>) {
    let mut pairs = composition.steps(part);
    pairs.sort_unstable();
    pairs.dedup();
    (part.label.is_some(), pairs)
}

impl<M: Model<State = Joint>> Representative<M> for Symmetry<'_> {
    fn represent(&self, state: &mut Joint) {
        let composition = self.composition;
        for class in &self.classes {
            let here = class.iter().map(|&c| composition.component_state(state, c));
            let mut states: Vec<StateNo> = here.collect();
            if states.is_sorted() {
                continue;
            }
            states.sort_unstable();
            for (&component, own) in class.iter().zip(states) {
                composition.set_component_state(state, component, own);
            }
        }
    }
}
