//! Reductions of a check: what is asked for, and what the questions allow.

use crate::check::Check;
use crate::identity::{CutOff, Identity, Representative};
use crate::model::Model;
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
        let Wishes { needs, stubborn, sleep, identity } = self;
        let first = First::of(names, &needs);
        let mut words = Vec::new();
        let identity = first.identity(identity, &mut words)?;
        let may_select = stubborn.is_some() && first.may_select(&identity, &mut words);
        let selection = stubborn.filter(|_| may_select).and_then(|make| {
            let ends = needs.is_empty().then_some(Needs::Ends);
            make(needs.into_iter().chain(ends).collect())
        });
        let may_sleep = sleep.is_some() && first.may_sleep(&identity, may_select, &mut words);
        match &identity {
            Identity::Exact => {}
            Identity::Representative(_) => words.push("equivalence".into()),
            Identity::CutOff(_) => words.push("cut-off".into()),
        }
        let questions = names.iter().map(|(name, _)| name.clone()).collect();
        let sleep = sleep.filter(|_| may_sleep);
        Ok((Reduction { selection, sleep, identity, questions }, words))
    }
}

/// The first question that needs a thing, by name.
struct First<'n> {
    edges: Option<&'n str>,
    states: Option<&'n str>,
    visible: Option<&'n str>,
    cycles: Option<&'n str>,
}

impl<'n> First<'n> {
    fn of<M: Model>(names: &'n [(String, &'static str)], needs: &[Needs<M>]) -> Self {
        let first = |test: fn(&Needs<M>) -> bool| {
            let mut each = names.iter().zip(needs);
            each.find(|(_, need)| test(need)).map(|((name, _), _)| name.as_str())
        };
        First {
            edges: first(|need| matches!(need, Needs::Edges)),
            states: first(|need| matches!(need, Needs::States)),
            visible: first(|need| matches!(need, Needs::Visible(_))),
            cycles: first(|need| matches!(need, Needs::Cycles)),
        }
    }

    /// What of the identity that was wished for the questions allow.
    fn identity<'a, M: Model>(
        &self,
        wish: Identity<'a, M>,
        words: &mut Vec<String>,
    ) -> Result<Identity<'a, M>, StopReason> {
        match (&wish, self.edges, self.edges.or(self.cycles)) {
            (Identity::CutOff(_), _, Some(name)) => Err(StopReason::Reduction(format!(
                "`{name}` asks how the system goes on where a cut-off ends"
            ))),
            (Identity::Representative(_), Some(name), _) => {
                words.push(format!("no equivalence: `{name}` needs every edge"));
                Ok(Identity::Exact)
            }
            _ => Ok(wish),
        }
    }

    /// Stubborn sets keep the answers.
    fn may_select<M: Model>(&self, identity: &Identity<'_, M>, words: &mut Vec<String>) -> bool {
        let cut = matches!(identity, Identity::CutOff(_));
        let why = match (self.edges, self.states, self.visible.filter(|_| cut)) {
            (Some(name), ..) => format!("`{name}` needs every edge"),
            (_, Some(name), _) => format!("`{name}` needs every state"),
            (.., Some(name)) => {
                format!("what `{name}` puts off would be put off for ever beyond a cut-off")
            }
            _ => {
                words.push("stubborn sets".into());
                return true;
            }
        };
        words.push(format!("no stubborn sets: {why}"));
        false
    }

    /// Sleep sets keep the answers, where a selection `selects` or not.
    fn may_sleep<M: Model>(
        &self,
        identity: &Identity<'_, M>,
        selects: bool,
        words: &mut Vec<String>,
    ) -> bool {
        let why = match (self.edges, self.visible.filter(|_| selects)) {
            (Some(name), _) => format!("`{name}` needs every edge"),
            (_, Some(name)) => format!("stubborn sets for `{name}` delay actions"),
            _ if self.cycles.is_some() => "cycles are sought in states expanded once".into(),
            _ if !matches!(identity, Identity::Exact) => {
                "equivalent states may name actions differently".into()
            }
            _ => {
                words.push("sleep sets".into());
                return true;
            }
        };
        words.push(format!("no sleep sets: {why}"));
        false
    }
}

impl<'a, M: Model> Check<'a, M> {
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
