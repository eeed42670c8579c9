//! `Composition`: LTSs that run in parallel and synchronise on events.
//!
//! A [`Tree`] describes the composition with the operators of CSP: parallel over an interface or over
//! alphabets, hiding, renaming. It is flattened once: every event of the whole becomes one or more *rules*,
//! each of which names the components that take part and the label of each. A state is the vector of the
//! components' states, packed into words. A step adds to those words the difference between two states of
//! each component that moves.

mod compiled;
mod layout;
mod model;
mod moves;
mod offer;
mod rules;
mod tree;

pub use model::Joint;
pub(crate) use offer::Offer;
pub use tree::{EventSet, Sync, Tree};

use std::sync::OnceLock;

use smallvec::SmallVec;
use sweepline::lists::Lists;

use crate::dependence::Dependence;
use crate::features::Catalogue;
use crate::grading::Grading;
use crate::lts::{LabelId, Lts, LtsBuilder, StateNo};
use layout::{Layout, delta};
use moves::Moves;
use rules::Flat;

/// A rule of a [`Composition`]: which components move together, and the label of the step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub u32);

impl RuleId {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One component's part in a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part {
    /// The component.
    pub component: usize,
    /// Its label. `None` for a component that must have terminated, and stays so.
    pub label: Option<LabelId>,
}

/// Which components move together, and the label of the step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The label of the step: a label of the composition's table.
    pub label: LabelId,
    /// The label before hiding, if it was hidden; then `label` is [`LabelId::TAU`].
    pub hidden: Option<LabelId>,
    /// The participants, in the order of the components. Never empty.
    pub parts: SmallVec<[Part; 2]>,
}

/// Why a composition cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum CompositionError {
    /// Renaming and synchronisation give too many combinations.
    #[error("`{event}` is renamed to more than {limit} combinations of events")]
    TooManyRules { event: String, limit: usize },
    /// A parallel operator without processes.
    #[error("a parallel composition needs at least one process: write SKIP for none")]
    NoChildren,
    /// The numbers of alphabets and processes differ.
    #[error("{n_children} processes in parallel, but {n_alphabets} alphabets")]
    Alphabets { n_children: usize, n_alphabets: usize },
}

/// LTSs in parallel, ready to be explored: see the [module](self).
pub struct Composition {
    components: Vec<Lts>,
    labels: Vec<String>,
    rules: Vec<Rule>,
    layout: Layout,
    moves: Moves,
    gradings: Vec<Grading>,
    catalogue: OnceLock<Catalogue>,
    /// The edges of each component, by label.
    by_label: OnceLock<Vec<Lists<(StateNo, StateNo)>>>,
    dependence: OnceLock<Dependence>,
}

impl Composition {
    /// Flattens `tree`.
    ///
    /// If all components of a parallel composition can terminate, one more component is added: it has two
    /// states, and its one step is the `✓` of the whole.
    ///
    /// # Errors
    ///
    /// If the tree is malformed, or has too many rules.
    pub fn new(tree: Tree) -> Result<Self, CompositionError> {
        let Flat { mut components, labels, mut rules, ends_together } = Flat::of(tree)?;
        if ends_together {
            let mut parts: SmallVec<[Part; 2]> =
                (0..components.len()).map(|component| Part { component, label: None }).collect();
            parts.push(Part { component: components.len(), label: Some(LabelId::TICK) });
            rules.push(Rule { label: LabelId::TICK, hidden: None, parts });
            components.push(termination());
        }
        let layout = Layout::new(&components);
        let moves = Moves::new(&components, &rules, &layout);
        let gradings = components.iter().map(Grading::of).collect();
        Ok(Composition {
            components,
            labels,
            rules,
            layout,
            moves,
            gradings,
            catalogue: OnceLock::new(),
            by_label: OnceLock::new(),
            dependence: OnceLock::new(),
        })
    }

    /// A composition of one LTS.
    pub fn single(lts: Lts) -> Self {
        Self::new(Tree::Component(lts)).expect("one component needs one rule for each label")
    }

    /// How many components there are.
    pub fn component_count(&self) -> usize {
        self.components.len()
    }

    /// A component, counted from 0.
    pub fn component(&self, index: usize) -> &Lts {
        &self.components[index]
    }

    /// All components.
    pub fn components(&self) -> &[Lts] {
        &self.components
    }

    /// The ranks and depths of each component's states.
    pub fn gradings(&self) -> &[Grading] {
        &self.gradings
    }

    /// The features of states, computed on demand.
    pub(crate) fn catalogue(&self) -> &Catalogue {
        self.catalogue.get_or_init(|| {
            Catalogue::new(&self.components, self.by_label(), &self.gradings, &self.rules)
        })
    }

    /// The edges of each component, by label, so that a rule need not search all edges.
    pub(crate) fn by_label(&self) -> &[Lists<(StateNo, StateNo)>] {
        self.by_label.get_or_init(|| self.components.iter().map(Lts::by_label).collect())
    }

    /// The dependencies between rules, computed on demand.
    pub(crate) fn dependence(&self) -> &Dependence {
        self.dependence.get_or_init(|| Dependence::new(&self.components, &self.rules))
    }

    /// The state of a component.
    #[inline]
    pub fn component_state(&self, state: &Joint, component: usize) -> StateNo {
        StateNo(self.layout.fields[component].get(&state.words) as u32)
    }

    /// Sets the state of a component.
    pub(crate) fn set_component_state(&self, state: &mut Joint, component: usize, own: StateNo) {
        let field = self.layout.fields[component];
        let delta = delta(field, self.component_state(state, component), own);
        let word = &mut state.words[field.word as usize];
        *word = word.wrapping_add(delta);
    }

    /// The state with these states of the components; `None` if one of them does not exist.
    pub fn joint(&self, states: &[StateNo]) -> Option<Joint> {
        let exist = states.iter().zip(&self.components).all(|(s, lts)| s.index() < lts.n_states());
        (exist && states.len() == self.components.len()).then(|| self.layout.pack(states))
    }

    /// All rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The labels of the whole. The first two are `τ` and `✓`, as in an [`Lts`].
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The label of a rule.
    pub fn label(&self, rule: RuleId) -> LabelId {
        self.rules[rule.index()].label
    }

    /// The name of a step by `rule`: its event, and for an internal step the hidden event.
    pub fn rule_name(&self, rule: RuleId) -> String {
        let Rule { label, hidden, parts } = &self.rules[rule.index()];
        let seen = &self.labels[label.index()];
        match (hidden, parts.as_slice()) {
            (Some(event), _) => format!("{seen} ({})", self.labels[event.index()]),
            (None, [Part { component, .. }])
                if *label == LabelId::TAU && self.components.len() > 1 =>
            {
                format!("{seen} ({})", self.components[*component].name())
            }
            _ => seen.clone(),
        }
    }

    /// The name of a state: those of each component.
    pub fn state_name(&self, state: &Joint) -> String {
        let names = self.components.iter().enumerate();
        let names = names.map(|(i, lts)| lts.state_name(self.component_state(state, i)));
        names.collect::<Vec<_>>().join(" | ")
    }

    /// Whether a `✓` led the whole to `state`.
    pub(crate) fn is_after_tick(&self, state: &Joint) -> bool {
        let ticks = self.rules.iter().rev().take_while(|rule| rule.label == LabelId::TICK);
        ticks
            .flat_map(|rule| &rule.parts)
            .filter(|part| part.label == Some(LabelId::TICK))
            .any(|part| self.has_ended(part.component, self.component_state(state, part.component)))
    }

    /// Whether a `✓` led `component` to this state.
    pub(crate) fn has_ended(&self, component: usize, own: StateNo) -> bool {
        self.moves.has_ended(component, own)
    }

    /// Bytes of a packed state.
    pub fn state_bytes(&self) -> usize {
        self.layout.n_bytes
    }
}

/// The component that records whether the whole has terminated.
fn termination() -> Lts {
    let mut lts = LtsBuilder::new("termination");
    lts.name_state("running");
    lts.name_state("terminated");
    lts.edge(StateNo(0), LabelId::TICK, StateNo(1));
    lts.build(2, StateNo(0)).expect("two states and a step between them")
}
