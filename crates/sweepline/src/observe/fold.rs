//! SWEEP/CPN's folds: one value computed over all states, edges or dead states.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Flow, Observer, Visit};
use crate::codec;
use crate::model::{Model, bytes_of};

/// What is folded over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Over {
    States,
    Arcs,
    Dead,
}

/// `init`, `comb`, `eval`, `pred` and `store` of SWEEP/CPN, over states, edges or dead states.
///
/// `pred` selects, `eval` extracts, `comb` adds to the result so far. States that `store` accepts are kept
/// after their layer is dropped, in [`stored`](Fold::stored).
///
/// Under a measure that is not monotone, a state may be visited more than once. The first argument of a fold
/// says whether that is harmless ([`Idempotent::Yes`]: maximum, union, existence) or not ([`Idempotent::No`]:
/// counting). A result of the second kind is withheld if a state was visited more than once.
///
/// ```
/// use sweepline::observe::{Fold, Idempotent};
/// # use sweepline::{Options, System, explore, progress::Trivial};
/// # struct Count;
/// # impl System for Count {
/// #     type State = u32;
/// #     type Action = ();
/// #     fn initial(&self) -> Vec<u32> { vec![0] }
/// #     fn successors(&self, s: &u32, push: &mut dyn FnMut((), u32)) { if *s < 9 { push((), s + 1) } }
/// # }
/// let mut even = Fold::states(Idempotent::No, 0, |n, one: u32| n + one, |_| 1).pred(|s| s % 2 == 0);
/// let run = explore(&Count, &Trivial, &Options::default(), &mut even);
/// assert_eq!(even.result(&run.statistics), Some(&5));
/// ```
pub struct Fold<'a, M: Model, R, V> {
    over: Over,
    idempotent: Idempotent,
    result: R,
    comb: Box<dyn FnMut(&R, V) -> R + 'a>,
    eval: Eval<'a, M, V>,
    pred: Box<dyn Fn(&M::State) -> bool + 'a>,
    store: Option<Box<dyn Fn(&M::State) -> bool + 'a>>,
    stored: Vec<M::State>,
    /// How the result is saved and restored, if it can be.
    saving: Option<Saving<R>>,
}

struct Saving<R> {
    save: fn(&R) -> Vec<u8>,
    restore: fn(&[u8]) -> Option<R>,
}

enum Eval<'a, M: Model, V> {
    State(Box<dyn Fn(&M::State) -> V + 'a>),
    Arc(Box<dyn Fn(&M::State, &M::Action, &M::State) -> V + 'a>),
}

/// Whether combining a value twice equals combining it once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idempotent {
    /// Yes: visits may repeat.
    Yes,
    /// No: the result counts visits.
    No,
}

impl<'a, M: Model, R, V> Fold<'a, M, R, V> {
    fn new(
        over: Over,
        idempotent: Idempotent,
        init: R,
        comb: impl FnMut(&R, V) -> R + 'a,
        eval: Eval<'a, M, V>,
    ) -> Self {
        let (comb, pred) = (Box::new(comb), Box::new(|_: &M::State| true));
        Fold {
            over,
            idempotent,
            result: init,
            comb,
            eval,
            pred,
            store: None,
            stored: Vec::new(),
            saving: None,
        }
    }

    /// Folds over all states.
    pub fn states(
        idempotent: Idempotent,
        init: R,
        comb: impl FnMut(&R, V) -> R + 'a,
        eval: impl Fn(&M::State) -> V + 'a,
    ) -> Self {
        Fold::new(Over::States, idempotent, init, comb, Eval::State(Box::new(eval)))
    }

    /// Folds over all edges.
    pub fn arcs(
        idempotent: Idempotent,
        init: R,
        comb: impl FnMut(&R, V) -> R + 'a,
        eval: impl Fn(&M::State, &M::Action, &M::State) -> V + 'a,
    ) -> Self {
        Fold::new(Over::Arcs, idempotent, init, comb, Eval::Arc(Box::new(eval)))
    }

    /// Folds over all dead states.
    pub fn dead(
        idempotent: Idempotent,
        init: R,
        comb: impl FnMut(&R, V) -> R + 'a,
        eval: impl Fn(&M::State) -> V + 'a,
    ) -> Self {
        Fold::new(Over::Dead, idempotent, init, comb, Eval::State(Box::new(eval)))
    }

    /// Only for states that satisfy `pred`; for an edge, its source.
    #[must_use]
    pub fn pred(mut self, pred: impl Fn(&M::State) -> bool + 'a) -> Self {
        self.pred = Box::new(pred);
        self
    }

    /// Keeps the states that satisfy `store` after their layer is dropped.
    #[must_use]
    pub fn store(mut self, store: impl Fn(&M::State) -> bool + 'a) -> Self {
        self.store = Some(Box::new(store));
        self
    }

    /// Allows checkpoints for runs with this fold. Everything that it has gathered must be in its result:
    /// other data of `comb` is not saved.
    #[must_use]
    pub fn saved(mut self) -> Self
    where
        R: Serialize + DeserializeOwned,
    {
        self.saving = Some(Saving { save: codec::to_bytes, restore: codec::read });
        self
    }

    /// The result, or `None` if it counts visits and some state was visited twice. If the exploration stopped
    /// early, it is the result over the explored part.
    pub fn result(&self, statistics: &super::Statistics) -> Option<&R> {
        let usable = self.idempotent == Idempotent::Yes || statistics.is_exact();
        usable.then_some(&self.result)
    }

    /// The states kept by [`store`](Fold::store), in the order of visits.
    pub fn stored(&self) -> &[M::State] {
        &self.stored
    }

    fn take(&mut self, visit: &Visit<'_, M>) {
        if !(self.pred)(visit.state) {
            return;
        }
        if let Eval::State(eval) = &self.eval {
            self.result = (self.comb)(&self.result, eval(visit.state));
        }
        self.keep(visit.state);
    }

    fn keep(&mut self, state: &M::State) {
        if self.store.as_ref().is_some_and(|store| store(state)) {
            self.stored.push(state.clone());
        }
    }
}

impl<M: Model, R, V> Observer<M> for Fold<'_, M, R, V> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if self.over == Over::States {
            self.take(visit);
        }
        Ok(())
    }

    fn arc(&mut self, source: &Visit<'_, M>, action: &M::Action, target: &M::State) -> Flow {
        if let Eval::Arc(eval) = &self.eval
            && (self.pred)(source.state)
        {
            self.result = (self.comb)(&self.result, eval(source.state, action, target));
            self.keep(source.state);
        }
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if self.over == Over::Dead {
            self.take(visit);
        }
        Ok(())
    }

    fn watches_arcs(&self) -> bool {
        self.over == Over::Arcs
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let result = (self.saving.as_ref()?.save)(&self.result);
        let stored: Vec<Vec<u8>> = self.stored.iter().map(|s| bytes_of(model, s)).collect();
        Some(codec::to_bytes(&(result, stored)))
    }

    // Values are combined one at a time, so the saved result can simply replace this one: it continues from
    // what an earlier process saved.
    fn merge(&mut self, model: &M, saved: &[u8]) -> bool {
        let saving = self.saving.as_ref();
        let parts = codec::read::<(Vec<u8>, Vec<Vec<u8>>)>(saved);
        let Some((saving, (result, stored))) = saving.zip(parts) else { return false };
        let stored = stored.iter().map(|bytes| model.try_decode(bytes)).collect();
        let Some((result, stored)) = (saving.restore)(&result).zip(stored) else { return false };
        (self.result, self.stored) = (result, stored);
        true
    }
}
