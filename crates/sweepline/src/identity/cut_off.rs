//! The cut-off method: the classes of some states are remembered, and states of these classes are not
//! expanded again.

use super::{Class, Trials, Workers};
use crate::model::{Computed, Model, ModelError};
use crate::retain::{Budget, Hint, Layer, Stored, hash};

/// Default number of layers without a new class after which a run stops.
const PATIENCE: u64 = 10_000;

/// Decides whether the class of a state is remembered.
type Remember<'a, M> = Box<
    dyn Fn(&mut <M as Model>::Worker, &<M as Model>::State) -> Computed<bool> + Send + Sync + 'a,
>;

/// Remembers the classes of some states for good, and does not expand a further state of such a class (seed
/// 004, figure 3).
///
/// The exploration ends if every infinite path visits remembered states infinitely often and their classes
/// are finitely many. No tool can know that beforehand. So a run counts the layers since a class was last
/// added, and stops after [`patience`](CutOff::patience) layers.
///
/// ```
/// use sweepline::identity::CutOff;
/// use sweepline::{Check, StopReason, System, progress};
///
/// /// Messages with numbers that grow forever; at most two are in transit.
/// struct Numbers;
///
/// impl System for Numbers {
///     type State = (u64, u64); // sent, received
///     type Action = &'static str;
///     fn initial(&self) -> Vec<Self::State> {
///         vec![(0, 0)]
///     }
///     fn successors(&self, &(sent, received): &Self::State, push: &mut dyn FnMut(&'static str, (u64, u64))) {
///         if sent < received + 2 {
///             push("send", (sent + 1, received));
///         }
///         if received < sent {
///             push("receive", (sent, received + 1));
///         }
///     }
/// }
///
/// // What happens depends on how many are in transit, not on the numbers.
/// let in_transit = |&(sent, received): &(u64, u64), name: &mut Vec<u8>| name.push((sent - received) as u8);
/// let check = |cut_off| {
///     Check::new(&Numbers)
///         .progress(progress::by(|&(sent, received)| sent + received))
///         .never("three in transit", |&(sent, received)| sent > received + 2)
///         .deadlock()
///         .cut_off(cut_off)
///         .run()
/// };
/// // Every step changes that by one, so every infinite path visits states with one in transit infinitely often.
/// check(CutOff::new(in_transit).at(|&(sent, received)| sent == received + 1)).assert_holds();
///
/// let report = check(CutOff::new(in_transit).at(|_| false).patience(100));
/// assert!(matches!(report.stop, Some(StopReason::Patience(_))));
/// ```
pub struct CutOff<'a, M: Model> {
    pub(crate) class: Box<dyn Class<M> + 'a>,
    pub(crate) remember: Remember<'a, M>,
    pub(crate) patience: u64,
}

impl<'a, M: Model> CutOff<'a, M> {
    /// Remembers the classes of all states: the equivalence reduction of seed 004, figure 2.
    pub fn new(class: impl Class<M> + 'a) -> Self {
        CutOff { class: Box::new(class), remember: Box::new(|_, _| Ok(true)), patience: PATIENCE }
    }

    /// Remembers only the classes of states that satisfy `predicate`.
    #[must_use]
    pub fn at(self, predicate: impl Fn(&M::State) -> bool + Send + Sync + 'a) -> Self {
        self.where_true(move |_, state| Ok(predicate(state)))
    }

    /// The same for a predicate that needs a worker or may fail.
    #[must_use]
    pub fn where_true(
        mut self,
        predicate: impl Fn(&mut M::Worker, &M::State) -> Computed<bool> + Send + Sync + 'a,
    ) -> Self {
        self.remember = Box::new(predicate);
        self
    }

    /// Stops after `layers` layers without a new class.
    #[must_use]
    pub fn patience(mut self, layers: u64) -> Self {
        self.patience = layers;
        self
    }
}

/// The result of looking up the class of a new state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Met {
    /// It is remembered: do not expand the state.
    Known,
    /// It is not remembered.
    New,
    /// There is no memory to remember it.
    Full,
    /// It is remembered, but the property with this number has different values on the two states.
    Distinguished(usize),
    /// It is remembered, but the states have successors in different classes.
    Inconsistent,
}

/// The remembered classes.
pub(crate) struct Classes {
    layer: Layer,
    /// The values of the properties on the states for which the classes were remembered: a class, a property,
    /// a value.
    told: Layer,
    name: Vec<u8>,
}

impl Default for Classes {
    fn default() -> Self {
        Classes { layer: Layer::new(true), told: Layer::new(true), name: Vec::new() }
    }
}

impl Classes {
    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.layer.len() as u64
    }

    /// Looks up the class of `state`, which is new, and remembers it if it has to be. `seen` lists the values
    /// of the properties on the state.
    pub(crate) fn meet<M: Model>(
        &mut self,
        (model, rule): (&M, &CutOff<'_, M>),
        (worker, reader): Workers<'_, M>,
        state: &M::State,
        seen: impl FnOnce(&mut M::Worker, &mut Vec<(usize, i128)>) -> Computed,
        trials: &mut Trials,
        budget: &mut Budget,
    ) -> Result<Met, ModelError> {
        let Classes { layer, told, name } = self;
        name.clear();
        rule.class.name(reader, state, name)?;
        let number = hash(name);
        let mut values = Vec::new();
        if layer.find(number, name).is_some() {
            seen(reader, &mut values)?;
            let unheard = values.into_iter().find(|&value| {
                let fact = fact(name, value);
                told.find(hash(&fact), &fact).is_none()
            });
            if let Some((question, _)) = unheard {
                return Ok(Met::Distinguished(question));
            }
            let agrees = trials.try_class(model, (worker, reader), &*rule.class, name, state);
            return Ok(if agrees { Met::Known } else { Met::Inconsistent });
        }
        if !(rule.remember)(reader, state)? {
            return Ok(Met::New);
        }
        seen(reader, &mut values)?;
        trials.remember(model, (worker, reader), &*rule.class, name, state);
        let facts = values.into_iter().map(|value| fact(name, value));
        let mut stored = facts.map(|fact| told.insert(hash(&fact), Hint::default(), &fact, budget));
        let full = |stored: Stored| matches!(stored, Stored::Full);
        if stored.any(full) || full(layer.insert(number, Hint::default(), name, budget)) {
            return Ok(Met::Full);
        }
        Ok(Met::New)
    }
}

/// The value of a property on a state of the class `name`, as bytes.
fn fact(name: &[u8], (question, value): (usize, i128)) -> Vec<u8> {
    let mut fact = name.to_vec();
    fact.extend_from_slice(&(question as u32).to_le_bytes());
    fact.extend_from_slice(&value.to_le_bytes());
    fact
}
