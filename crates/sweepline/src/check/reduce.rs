//! Reductions of a check: what is asked for, and what the questions allow.

use crate::check::Check;
use crate::identity::{CutOff, Identity, Representative};
use crate::model::Model;
use crate::progress::Progress;
use crate::reduction::Reduction;
use crate::select::{Actions, Needs, Selection, Sleep, Stubborn};
use crate::verdict::StopReason;

/// Makes a selection for what the questions need, where there is one.
type Make<'a, M> = Box<dyn FnOnce(Vec<Needs<M>>) -> Option<Box<dyn Selection<M> + 'a>> + 'a>;

/// The reductions asked for, and what each question needs.
pub(super) struct Wishes<'a, M: Model> {
    pub(super) needs: Vec<Needs<M>>,
    stubborn: Option<Make<'a, M>>,
    sleep: Option<Sleep<'a, M>>,
    identity: Identity<'a, M>,
}

/// What became of the wishes.
pub(super) struct Granted<'a, M: Model> {
    pub(super) reduction: Reduction<'a, M>,
    /// A word on each wish.
    pub(super) words: Vec<String>,
    /// Why there can be no run.
    pub(super) refused: Option<StopReason>,
}

impl<M: Model> Default for Granted<'_, M> {
    fn default() -> Self {
        Granted { reduction: Reduction::default(), words: Vec::new(), refused: None }
    }
}

impl<M: Model> Default for Wishes<'_, M> {
    fn default() -> Self {
        Wishes { needs: Vec::new(), stubborn: None, sleep: None, identity: Identity::Exact }
    }
}

impl<'a, M: Model> Wishes<'a, M> {
    /// The reduction that keeps what the questions called `names` need, and a word on each wish.
    ///
    /// # Errors
    ///
    /// When a cut-off was wished for, without which the run may never end, and a question cannot be
    /// answered with it.
    pub(super) fn grant(
        self,
        names: &[(String, &'static str)],
    ) -> Result<(Reduction<'a, M>, Vec<String>), StopReason> {
        let Wishes { needs, stubborn, mut sleep, mut identity } = self;
        let mut words = Vec::new();
        let first = |test: fn(&Needs<M>) -> bool| {
            names.iter().zip(&needs).find(|(_, need)| test(need)).map(|((name, _), _)| name.clone())
        };
        let edges = first(|need| matches!(need, Needs::Edges));
        let states = first(|need| matches!(need, Needs::States));
        let visible = first(|need| matches!(need, Needs::Visible(_)));
        let cycles = first(|need| matches!(need, Needs::Cycles));
        match (&identity, edges.as_ref(), cycles.as_ref()) {
            (Identity::CutOff(_), Some(name), _) | (Identity::CutOff(_), _, Some(name)) => {
                let why = format!("`{name}` asks how the system goes on where a cut-off ends");
                return Err(StopReason::Reduction(why));
            }
            (Identity::Representative(_), Some(name), _) => {
                words.push(format!("no equivalence: `{name}` needs every edge"));
                identity = Identity::Exact;
            }
            _ => {}
        }
        let selection = match (stubborn, &edges, &states) {
            (None, ..) => None,
            (Some(_), Some(name), _) => {
                words.push(format!("no stubborn sets: `{name}` needs every edge"));
                None
            }
            (Some(_), None, Some(name)) => {
                words.push(format!("no stubborn sets: `{name}` needs every state"));
                None
            }
            (Some(make), None, None) => {
                words.push("stubborn sets".into());
                let ends = needs.is_empty().then_some(Needs::Ends);
                make(needs.into_iter().chain(ends).collect())
            }
        };
        if sleep.is_some() {
            let exact = matches!(identity, Identity::Exact);
            let why = match (edges, visible.filter(|_| selection.is_some())) {
                (Some(name), _) => Some(format!("`{name}` needs every edge")),
                (_, Some(name)) => Some(format!("stubborn sets for `{name}` delay actions")),
                _ if cycles.is_some() => Some("cycles are sought in states expanded once".into()),
                _ if !exact => Some("equivalent states may name actions differently".into()),
                _ => None,
            };
            match why {
                Some(why) => {
                    words.push(format!("no sleep sets: {why}"));
                    sleep = None;
                }
                None => words.push("sleep sets".into()),
            }
        }
        match &identity {
            Identity::Exact => {}
            Identity::Representative(_) => words.push("equivalence".into()),
            Identity::CutOff(_) => words.push("cut-off".into()),
        }
        let questions = names.iter().map(|(name, _)| name.clone()).collect();
        Ok((Reduction { selection, sleep, identity, questions }, words))
    }
}

impl<'a, M: Model, P: Progress<M>> Check<'a, M, P> {
    /// Fires only a [stubborn set](Stubborn) of actions at each state, as far as the questions allow.
    ///
    /// Deadlocks are always found. For other questions tell what they [need](Check::needing); where
    /// one needs every state, nothing is left out, and [`Report::reductions`](crate::Report) says so.
    #[must_use]
    pub fn stubborn(mut self) -> Self
    where
        M: Actions,
    {
        let model = self.model;
        self.wishes.stubborn = Some(Box::new(move |needs| {
            Some(Box::new(Stubborn::new(model, needs)?) as Box<dyn Selection<M> + 'a>)
        }));
        self
    }

    /// Leaves out edges by [sleep sets](Sleep), as far as the questions allow.
    #[must_use]
    pub fn sleep(mut self, sleep: Sleep<'a, M>) -> Self {
        self.wishes.sleep = Some(sleep);
        self
    }

    /// Explores [representatives](Representative) only. The questions must have the same answer for a
    /// state and its representative; a run that finds one that has not stops.
    #[must_use]
    pub fn represent(mut self, rule: impl Representative<M> + 'a) -> Self {
        self.wishes.identity = Identity::Representative(Box::new(rule));
        self
    }

    /// Takes states for the same as `identity` says.
    #[must_use]
    pub fn identity(mut self, identity: Identity<'a, M>) -> Self {
        self.wishes.identity = identity;
        self
    }

    /// Explores no further than the states of [remembered classes](CutOff). The questions must have the
    /// same answer for states of one class; a run that finds one that has not stops.
    #[must_use]
    pub fn cut_off(mut self, rule: CutOff<'a, M>) -> Self {
        self.wishes.identity = Identity::CutOff(rule);
        self
    }

    /// The question asked last needs no more than this of a reduced exploration.
    #[must_use]
    pub fn needing(mut self, needs: Needs<M>) -> Self {
        if let Some(last) = self.wishes.needs.last_mut() {
            *last = needs;
        }
        self
    }
}
