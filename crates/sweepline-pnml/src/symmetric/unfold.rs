//! Lazy unfolding: only colours that may be marked, and only bindings that may be enabled.
//!
//! A fixpoint from the initial marking. When a colour is first found to be possible in a place, it is matched
//! with the input arcs that can take it, and the rest of the binding is searched among the colours known so
//! far (`plan`, `search`). So each binding is found when the last of its tokens becomes possible. This
//! overestimates the colours that can be marked and never underestimates them: it ignores numbers of tokens,
//! and that tokens are removed.

mod build;
mod pattern;
mod plan;
mod reached;
mod search;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use super::sort::Colour;
use super::term::{Tokens, TooMany, UNBOUND};
use super::{Bag, SymmetricNet};
use crate::net::Net;
use pattern::Prepared;
use plan::Plan;
use reached::Reached;

/// The limits of an unfolding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfoldLimits {
    /// Places, transitions and arcs together.
    pub max_size: usize,
    /// Steps of the search for bindings.
    pub max_steps: u64,
}

impl Default for UnfoldLimits {
    /// Five million nodes and arcs, two hundred million steps: some gigabytes, half a minute.
    fn default() -> Self {
        Self { max_size: 5_000_000, max_steps: 200_000_000 }
    }
}

/// Why a net was not unfolded, and at which node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} `{node}`: {problem}", if *.is_place { "place" } else { "transition" })]
pub struct UnfoldError {
    /// Whether the node is a place.
    pub is_place: bool,
    /// The index of the node in the net.
    pub position: usize,
    /// The node by id.
    pub node: String,
    /// What is wrong.
    pub problem: UnfoldProblem,
}

/// What is wrong with an unfolding.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum UnfoldProblem {
    /// More nodes and arcs than allowed.
    #[error("the unfolded net has more than {limit} nodes and arcs")]
    TooLarge { limit: usize },
    /// More steps than allowed.
    #[error("finding the bindings takes more than {limit} steps")]
    TooLong { limit: u64 },
    /// More tokens of a colour than 64 bits can count.
    #[error("more than {} tokens of one colour", u64::MAX)]
    TooManyTokens,
}

/// See [`SymmetricNet::unfold`].
pub(super) fn unfold(net: &SymmetricNet, limits: &UnfoldLimits) -> Result<Net, UnfoldError> {
    let mut unfolder = Unfolder::new(net, limits)?;
    unfolder.close()?;
    let Unfolder { initial, reached, found, .. } = unfolder;
    build::build(net, limits, &initial, &reached, found)
}

/// The bindings of a transition: the colours of its variables, in their order.
type Bindings = HashSet<Box<[Colour]>>;

struct Unfolder<'n> {
    net: &'n SymmetricNet,
    limits: &'n UnfoldLimits,
    prepared: Vec<Prepared<'n>>,
    initial: Vec<Tokens>,
    /// The colours that are part of the search, by place.
    reached: Vec<Reached>,
    n_reached: usize,
    /// The possible colours; those that are not part of the search yet are in the queue.
    known: Vec<HashSet<Colour>>,
    queue: VecDeque<(usize, Colour)>,
    /// For each place, the transitions and the patterns on their arcs that may take its colours.
    takers: Vec<Vec<(usize, usize)>>,
    /// For each place, the transitions to be searched again when it gets a colour.
    loose: Vec<Vec<usize>>,
    /// The transitions that always need this colour.
    gates: HashMap<(usize, Colour), Vec<usize>>,
    /// For each transition, how many of the colours that it always needs are still missing.
    missing: Vec<usize>,
    /// Transitions to be searched again.
    dirty: BTreeSet<usize>,
    plans: HashMap<(usize, Option<usize>), Rc<Plan<'n>>>,
    found: Vec<Bindings>,
    size: usize,
    steps: u64,
}

impl<'n> Unfolder<'n> {
    fn new(net: &'n SymmetricNet, limits: &'n UnfoldLimits) -> Result<Self, UnfoldError> {
        let (n_places, n_transitions) = (net.places.len(), net.transitions.len());
        let mut unfolder = Unfolder {
            net,
            limits,
            prepared: Vec::new(),
            initial: Vec::new(),
            reached: net.places.iter().map(|place| Reached::new(&net.sorts, place.sort)).collect(),
            n_reached: 0,
            known: vec![HashSet::new(); n_places],
            queue: VecDeque::new(),
            takers: vec![Vec::new(); n_places],
            loose: vec![Vec::new(); n_places],
            gates: HashMap::new(),
            missing: vec![0; n_transitions],
            dirty: BTreeSet::new(),
            plans: HashMap::new(),
            found: vec![Bindings::new(); n_transitions],
            size: n_transitions,
            steps: 0,
        };
        unfolder.prepare()?;
        unfolder.mark()?;
        Ok(unfolder)
    }

    /// Prepares all transitions and records what they wait for.
    fn prepare(&mut self) -> Result<(), UnfoldError> {
        for (number, transition) in self.net.transitions.iter().enumerate() {
            let prepared = Prepared::new(self.net, transition, self.limits.max_size)
                .map_err(|error| self.too_many(false, number, error))?;
            for (atom, place) in prepared.atoms.iter().map(|atom| atom.place).enumerate() {
                self.takers[place].push((number, atom));
            }
            self.missing[number] = prepared.gates.len();
            for &gate in &prepared.gates {
                self.grow(false, number, 1)?;
                self.gates.entry(gate).or_default().push(number);
            }
            for &place in &prepared.loose {
                self.loose[place].push(number);
            }
            // The others are searched whenever one of their patterns gets a colour.
            if prepared.atoms.is_empty() || !prepared.loose.is_empty() {
                self.dirty.insert(number);
            }
            self.prepared.push(prepared);
        }
        Ok(())
    }

    fn mark(&mut self) -> Result<(), UnfoldError> {
        let unbound = vec![UNBOUND; self.net.variables.len()];
        for (number, place) in self.net.places.iter().enumerate() {
            let tokens = place.initial.tokens(&self.net.sorts, &unbound, self.limits.max_size);
            let tokens = tokens.map_err(|error| self.too_many(true, number, error))?;
            let tokens = tokens.unwrap_or_default();
            for &colour in tokens.keys() {
                self.learn(true, number, (number, colour))?;
            }
            self.initial.push(tokens);
        }
        Ok(())
    }

    /// Continues until there is no new colour and no new binding.
    fn close(&mut self) -> Result<(), UnfoldError> {
        loop {
            if let Some((place, colour)) = self.queue.pop_front() {
                self.reach(place, colour)?;
            } else if let Some(transition) = self.dirty.pop_first() {
                if self.missing[transition] == 0 {
                    self.search(transition, None)?;
                }
            } else {
                return Ok(());
            }
        }
    }

    /// Adds a colour to the search.
    fn reach(&mut self, place: usize, colour: Colour) -> Result<(), UnfoldError> {
        self.reached[place].insert(&self.net.sorts, colour);
        self.n_reached += 1;
        for transition in self.gates.remove(&(place, colour)).unwrap_or_default() {
            self.missing[transition] -= 1;
            self.dirty.insert(transition);
        }
        self.dirty.extend(&self.loose[place]);
        for taker in 0..self.takers[place].len() {
            let (transition, atom) = self.takers[place][taker];
            if self.missing[transition] == 0 {
                self.search(transition, Some((atom, colour)))?;
            }
        }
        Ok(())
    }

    /// Finds the bindings of a transition: all, or those in which a pattern takes a given colour.
    fn search(
        &mut self,
        transition: usize,
        start: Option<(usize, Colour)>,
    ) -> Result<(), UnfoldError> {
        let plan = self.plan(transition, start.map(|(atom, _)| atom))?;
        let mut new = Vec::new();
        let room = self.limits.max_size.saturating_sub(self.size);
        let known = &self.found[transition];
        let prepared = &self.prepared[transition];
        let mut search = search::BindingSearch {
            net: self.net,
            prepared,
            reached: &self.reached,
            steps_left: self.limits.max_steps.saturating_sub(self.steps),
            most: self.limits.max_size,
            too_many: None,
        };
        let complete = search.run(&plan, start, |binding| {
            let colours = prepared.transition.variables.iter().map(|v| binding[v.index()]);
            let binding = colours.collect::<Box<[Colour]>>();
            if !known.contains(&binding) {
                new.push(binding);
            }
            // Stop before more bindings are collected than allowed.
            new.len() <= room
        });
        let too_many = search.too_many;
        self.steps = self.limits.max_steps - search.steps_left;
        if let Some(error) = too_many {
            return Err(self.too_many(false, transition, error));
        }
        if new.len() > room {
            return Err(self.too_many(false, transition, TooMany::Colours));
        }
        if !complete {
            return Err(self.too_long(transition));
        }
        new.into_iter().try_for_each(|binding| self.find(transition, binding))
    }

    /// A plan for the search; a new one if there are many more colours than when it was made.
    fn plan(
        &mut self,
        transition: usize,
        start: Option<usize>,
    ) -> Result<Rc<Plan<'n>>, UnfoldError> {
        let n_reached = self.n_reached;
        let key = (transition, start);
        if let Some(plan) = self.plans.get(&key)
            && n_reached <= 2 * plan.made_at + 64
        {
            return Ok(plan.clone());
        }
        let prepared = &self.prepared[transition];
        let plan = Plan::new(self.net, prepared, start, &mut self.reached, n_reached);
        self.steps += plan.effort;
        if self.steps > self.limits.max_steps {
            return Err(self.too_long(transition));
        }
        let plan = Rc::new(plan);
        self.plans.insert(key, plan.clone());
        Ok(plan)
    }

    /// Records a binding and the tokens that it adds, if it is new.
    fn find(&mut self, transition: usize, binding: Box<[Colour]>) -> Result<(), UnfoldError> {
        if self.found[transition].contains(&binding) {
            return Ok(());
        }
        self.grow(false, transition, 1)?;
        let nodes = &self.net.transitions[transition];
        let all = assignment(self.net, transition, &binding);
        for (_, bag) in &nodes.inputs {
            let tokens = self.tokens(transition, bag, &all)?;
            self.grow(false, transition, tokens.len())?;
        }
        for (place, bag) in &nodes.outputs {
            let tokens = self.tokens(transition, bag, &all)?;
            self.grow(false, transition, tokens.len())?;
            for &colour in tokens.keys() {
                self.learn(false, transition, (*place, colour))?;
            }
        }
        self.found[transition].insert(binding);
        Ok(())
    }

    fn tokens(&self, at: usize, bag: &Bag, binding: &[Colour]) -> Result<Tokens, UnfoldError> {
        let tokens = bag.tokens(&self.net.sorts, binding, self.limits.max_size);
        Ok(tokens.map_err(|error| self.too_many(false, at, error))?.unwrap_or_default())
    }

    /// Records that a colour is possible in a place; `at` is the node that adds it.
    fn learn(
        &mut self,
        is_place: bool,
        at: usize,
        token: (usize, Colour),
    ) -> Result<(), UnfoldError> {
        if self.known[token.0].insert(token.1) {
            self.grow(is_place, at, 1)?;
            self.queue.push_back(token);
        }
        Ok(())
    }

    fn grow(&mut self, is_place: bool, at: usize, by: usize) -> Result<(), UnfoldError> {
        self.size = self.size.saturating_add(by);
        match self.size > self.limits.max_size {
            true => Err(self.too_many(is_place, at, TooMany::Colours)),
            false => Ok(()),
        }
    }

    fn too_long(&self, transition: usize) -> UnfoldError {
        let problem = UnfoldProblem::TooLong { limit: self.limits.max_steps };
        fail(self.net, false, transition, problem)
    }

    fn too_many(&self, is_place: bool, position: usize, error: TooMany) -> UnfoldError {
        let problem = match error {
            TooMany::Colours => UnfoldProblem::TooLarge { limit: self.limits.max_size },
            TooMany::Tokens => UnfoldProblem::TooManyTokens,
        };
        fail(self.net, is_place, position, problem)
    }
}

fn fail(
    net: &SymmetricNet,
    is_place: bool,
    position: usize,
    problem: UnfoldProblem,
) -> UnfoldError {
    let node = match is_place {
        true => net.places[position].id.clone(),
        false => net.transitions[position].id.clone(),
    };
    UnfoldError { is_place, position, node, problem }
}

/// The colours of all variables of the net; those that the transition does not use are unbound.
fn assignment(net: &SymmetricNet, transition: usize, binding: &[Colour]) -> Vec<Colour> {
    let mut all = vec![UNBOUND; net.variables.len()];
    for (variable, &colour) in net.transitions[transition].variables.iter().zip(binding) {
        all[variable.index()] = colour;
    }
    all
}
