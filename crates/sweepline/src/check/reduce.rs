//! Reductions of a check: those requested, and those that are sound for the properties.

use crate::check::Check;
use crate::identity::{CutOff, Identity, Representative};
use crate::model::Model;
use crate::reduction::Reduction;
use crate::select::{Actions, Needs, Selection, Sleep, Stubborn};
use crate::verdict::StopReason;

/// Builds a selection from the needs of the properties, if there is one.
type Make<'a, M> = Box<dyn FnOnce(Vec<Needs<M>>) -> Option<Box<dyn Selection<M> + 'a>> + 'a>;

/// The requested reductions, and what each property needs.
pub(super) struct Requested<'a, M: Model> {
    pub(super) needs: Vec<Needs<M>>,
    stubborn: Option<Make<'a, M>>,
    sleep: Option<Sleep<'a, M>>,
    identity: Identity<'a, M>,
}

/// The reductions that are used.
pub(super) struct Granted<'a, M: Model> {
    pub(super) reduction: Reduction<'a, M>,
    /// A note on each requested reduction.
    pub(super) words: Vec<String>,
    /// Why the run is rejected.
    pub(super) refused: Option<StopReason>,
}

impl<M: Model> Default for Granted<'_, M> {
    fn default() -> Self {
        Granted { reduction: Reduction::default(), words: Vec::new(), refused: None }
    }
}

impl<M: Model> Default for Requested<'_, M> {
    fn default() -> Self {
        Requested { needs: Vec::new(), stubborn: None, sleep: None, identity: Identity::Exact }
    }
}

impl<'a, M: Model> Requested<'a, M> {
    /// The reduction that is sound for the properties called `names`, and a note on each requested reduction.
    ///
    /// # Errors
    ///
    /// If a cut-off was requested and is unsound for a property. It is not dropped, because the run might
    /// never end without it.
    pub(super) fn grant(
        self,
        names: &[(String, &'static str)],
    ) -> Result<(Reduction<'a, M>, Vec<String>), StopReason> {
        let Requested { needs, stubborn, sleep, identity } = self;
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

/// The first property with each kind of need, by name.
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

    /// The requested identity, if it is sound for the properties; else the exact one.
    fn identity<'a, M: Model>(
        &self,
        requested: Identity<'a, M>,
        words: &mut Vec<String>,
    ) -> Result<Identity<'a, M>, StopReason> {
        match (&requested, self.edges, self.edges.or(self.cycles)) {
            (Identity::CutOff(_), _, Some(name)) => Err(StopReason::Reduction(format!(
                "cut-offs are unsound for `{name}`, which needs the states beyond a cut-off"
            ))),
            (Identity::Representative(_), Some(name), _) => {
                words.push(format!("no equivalence: `{name}` needs every edge"));
                Ok(Identity::Exact)
            }
            _ => Ok(requested),
        }
    }

    /// Whether stubborn sets are sound for the properties.
    fn may_select<M: Model>(&self, identity: &Identity<'_, M>, words: &mut Vec<String>) -> bool {
        let cut = matches!(identity, Identity::CutOff(_));
        let why = match (self.edges, self.states, self.visible.filter(|_| cut)) {
            (Some(name), ..) => format!("`{name}` needs every edge"),
            (_, Some(name), _) => format!("`{name}` needs every state"),
            (.., Some(name)) => {
                format!(
                    "with cut-offs they are unsound for `{name}`: an action delayed beyond a cut-off would never be explored"
                )
            }
            _ => {
                words.push("stubborn sets".into());
                return true;
            }
        };
        words.push(format!("no stubborn sets: {why}"));
        false
    }

    /// Whether sleep sets are sound for the properties; `selects` says whether stubborn sets are used.
    fn may_sleep<M: Model>(
        &self,
        identity: &Identity<'_, M>,
        selects: bool,
        words: &mut Vec<String>,
    ) -> bool {
        let why = match (self.edges, self.visible.filter(|_| selects)) {
            (Some(name), _) => format!("`{name}` needs every edge"),
            (_, Some(name)) => format!("stubborn sets for `{name}` delay actions"),
            _ if self.cycles.is_some() => "the cycle search expands each state only once".into(),
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
    /// Fires only a [stubborn set](Stubborn) of actions at each state, if that is sound for the properties.
    ///
    /// Deadlocks are always preserved. For other properties, declare what they [need](Check::needing). If one
    /// needs every state, stubborn sets are disabled, with a note in [`Report::reductions`](crate::Report).
    #[must_use]
    pub fn stubborn(mut self) -> Self
    where
        M: Actions,
    {
        let model = self.model;
        self.requested.stubborn = Some(Box::new(move |needs| {
            Some(Box::new(Stubborn::new(model, needs)?) as Box<dyn Selection<M> + 'a>)
        }));
        self
    }

    /// Leaves out edges by [sleep sets](Sleep), if that is sound for the properties.
    #[must_use]
    pub fn sleep(mut self, sleep: Sleep<'a, M>) -> Self {
        self.requested.sleep = Some(sleep);
        self
    }

    /// Explores [representatives](Representative) only. Every property must have the same value for a state
    /// and its representative; the run stops if it finds one that has not.
    #[must_use]
    pub fn represent(mut self, rule: impl Representative<M> + 'a) -> Self {
        self.requested.identity = Identity::Representative(Box::new(rule));
        self
    }

    /// Sets which states are equivalent.
    #[must_use]
    pub fn identity(mut self, identity: Identity<'a, M>) -> Self {
        self.requested.identity = identity;
        self
    }

    /// Does not expand states of [remembered classes](CutOff). Every property must have the same value for
    /// all states of a class; the run stops if it finds one that has not.
    #[must_use]
    pub fn cut_off(mut self, rule: CutOff<'a, M>) -> Self {
        self.requested.identity = Identity::CutOff(rule);
        self
    }

    /// Declares that the property added last needs no more than this from a reduced exploration.
    #[must_use]
    pub fn needing(mut self, needs: Needs<M>) -> Self {
        if let Some(last) = self.requested.needs.last_mut() {
            *last = needs;
        }
        self
    }
}
