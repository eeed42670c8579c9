//! LTL formulas: each is decided by an exploration of its own product.

mod entries;
mod lasso;

use std::mem::take;

use self::lasso::Looped;
use super::plan::{Along, Plan};
use super::reduce::Granted;
use super::show::{counted, grouped};
use super::{Check, Property, Report, Way, branching};
use crate::checkpoint;
use crate::explore::{Exploration, Options, explore};
use crate::ltl::search::CycleSearch;
use crate::ltl::{Atom, Fairness, Formula, OfModel, Product};
use crate::model::{Model, bytes_of, successors};
use crate::observe::{Observer, Statistics, Witness};
use crate::progress::Progress;
use crate::verdict::{Regress, StopReason, Verdict};

/// A formula to decide.
pub(super) struct Question<'a, M: Model> {
    pub(super) name: String,
    pub(super) formula: Formula<Atom<'a, M>>,
    /// The fairness that this formula assumes, in addition to that of all formulas.
    pub(super) fairness: Fairness<'a, M>,
}

impl<'a, M: Model> Check<'a, M> {
    /// Holds when every run satisfies `formula`. The counterexample is a lasso: a prefix and a cycle. A run that ends in
    /// a dead state stays there for ever.
    ///
    /// Each formula has an exploration of its own, of the product of the model and an automaton: see
    /// [`ltl`](crate::ltl). If there are only formulas, the figures of the report are those of the first.
    ///
    /// ```
    /// use sweepline::{Check, System, ltl};
    ///
    /// /// A message is sent, and may be lost on the way; then it is sent again.
    /// struct Lossy;
    ///
    /// impl System for Lossy {
    ///     type State = String;
    ///     type Action = &'static str;
    ///     fn initial(&self) -> Vec<String> {
    ///         vec!["idle".into()]
    ///     }
    ///     fn successors(&self, state: &String, push: &mut dyn FnMut(&'static str, String)) {
    ///         match state.as_str() {
    ///             "idle" => push("send", "sent".into()),
    ///             "sent" => {
    ///                 push("receive", "received".into());
    ///                 push("lose", "idle".into());
    ///             }
    ///             _ => {}
    ///         }
    ///     }
    /// }
    ///
    /// let received = ltl::state(|state: &String| state == "received");
    /// let sent = ltl::action(|action: &&str| *action == "send");
    /// let answered = sent.implies(received.eventually()).always();
    ///
    /// let report = Check::new(&Lossy).ltl("all is received", answered.clone()).run();
    /// let witness = report.properties[0].verdict.witness().unwrap();
    /// assert_eq!((witness.len(), witness.back), (3, Some(1))); // sent, then lost and sent for ever
    ///
    /// // A channel that loses not everything:
    /// let fair = Check::new(&Lossy).ltl("all is received", answered).strongly_fair(|a| *a == "receive");
    /// fair.run().assert_holds();
    /// ```
    #[must_use]
    pub fn ltl(self, name: impl Into<String>, formula: Formula<Atom<'a, M>>) -> Self {
        self.ltl_assuming(name, formula, Fairness::default())
    }

    /// Holds when every run that is fair by `fairness` satisfies `formula`. The assumptions of
    /// [`weakly_fair`](Check::weakly_fair) and [`strongly_fair`](Check::strongly_fair) apply, too.
    #[must_use]
    pub fn ltl_assuming(
        mut self,
        name: impl Into<String>,
        formula: Formula<Atom<'a, M>>,
        fairness: Fairness<'a, M>,
    ) -> Self {
        self.formulas.push(Question { name: name.into(), formula, fairness });
        self.order.push(Way::Linear);
        self
    }

    /// Checks all LTL formulas only on runs that are fair by `fairness`.
    #[must_use]
    pub fn assuming(mut self, fairness: Fairness<'a, M>) -> Self {
        self.fairness = self.fairness.and(fairness);
        self
    }

    /// Checks all LTL formulas only on runs on which the actions that satisfy `set` are infinitely often disabled or
    /// taken.
    #[must_use]
    pub fn weakly_fair(mut self, set: impl Fn(&M::Action) -> bool + Send + Sync + 'a) -> Self {
        self.fairness.add_weak(move |_, action| set(action));
        self
    }

    /// Checks all LTL formulas only on runs on which the actions that satisfy `set` are taken infinitely often if they are
    /// enabled infinitely often.
    #[must_use]
    pub fn strongly_fair(mut self, set: impl Fn(&M::Action) -> bool + Send + Sync + 'a) -> Self {
        self.fairness.add_strong(move |_, action| set(action));
        self
    }

    /// Explores once for the queries, if there are any, once for each LTL formula, and once for all CTL formulas. `names`
    /// are those of all of them.
    pub(super) fn run_formulas(
        mut self,
        granted: Granted<'a, M>,
        names: Vec<(String, &'static str)>,
        watcher: &mut dyn Observer<M>,
    ) -> Report<M> {
        let (formulas, words) = (take(&mut self.formulas), granted.words.clone());
        let branching = take(&mut self.branching);
        let unsaved = self.options.checkpoint.as_ref().map(|_| {
            let what = format!("what `{}` has found", names[self.names.len()].0);
            StopReason::Checkpoint(checkpoint::Error::Unsaved { what })
        });
        if let Some(stop) = granted.refused.or(unsaved) {
            return unanswered(names, stop);
        }
        let asks_more = !self.names.is_empty();
        let granted = Granted { refused: None, ..granted };
        let report = asks_more.then(|| self.run_queries(granted, watcher));
        let fairness = take(&mut self.fairness);
        let mut plan = Plan::new(self.model, &*self.progress, self.options.clone());
        if report.as_ref().is_some_and(|report| report.statistics.regress_edges > 0) {
            plan.not_monotone();
        }
        let mut report = decide_all(&mut plan, &fairness, formulas, report, watcher);
        if !branching.is_empty() {
            report = Some(branching::decide_all(&mut plan, branching, report, watcher));
        }
        let mut report = report.unwrap_or_else(|| unanswered(names, StopReason::Decided));
        report.reductions = words;
        report
    }
}

/// The report of a run that did not start.
pub(super) fn unanswered<M: Model>(
    names: Vec<(String, &'static str)>,
    stop: StopReason,
) -> Report<M> {
    let property =
        |(name, kind)| Property::new(name, kind, Verdict::Unknown(stop.clone()), Vec::new());
    let properties = names.into_iter().map(property).collect();
    Report { properties, stop: Some(stop.clone()), ..Report::default() }
}

/// The result for a formula.
struct Decided<M: Model> {
    verdict: Verdict<M>,
    statistics: Statistics,
    stop: Option<StopReason>,
    findings: Vec<String>,
}

/// Decides formulas one after another. Adds the verdicts to `report`, or makes a new one.
fn decide_all<'a, M: Model>(
    plan: &mut Plan<'a, '_, M>,
    assumed: &Fairness<'a, M>,
    questions: Vec<Question<'a, M>>,
    mut report: Option<Report<M>>,
    watcher: &mut dyn Observer<M>,
) -> Option<Report<M>> {
    for Question { name, formula, fairness } in questions {
        let hard = |stop: &StopReason| !matches!(stop, StopReason::Decided);
        let over = report.as_ref().and_then(|report| report.stop.clone()).filter(hard);
        let Decided { verdict, statistics, stop, findings } = match over {
            Some(stop) if stop.ends_all() => undecided(stop),
            _ => decide(plan, formula, assumed.and(fairness), watcher),
        };
        let report = report.get_or_insert_with(|| Report { statistics, ..Report::default() });
        report.stop = worse(report.stop.take(), stop);
        if !matches!(verdict, Verdict::Unknown(_)) {
            watcher.answered(&name, verdict.word());
        }
        report.properties.push(Property::new(name, "ltl", verdict, findings));
    }
    report
}

fn decide<'a, M: Model>(
    plan: &mut Plan<'a, '_, M>,
    formula: Formula<Atom<'a, M>>,
    fairness: Fairness<'a, M>,
    watcher: &mut dyn Observer<M>,
) -> Decided<M> {
    let product = match Product::new(plan.model, formula, fairness) {
        Ok(product) => product,
        Err(error) => return undecided(StopReason::Formula(error.to_string())),
    };
    let decided = plan.climb(true, |plan, along| {
        let decider = Decider { plan, product: &product };
        match along {
            Along::Cut => decider.attempt_cut(watcher),
            along => decider.attempt(&OfModel(&*plan.measure(along)), watcher),
        }
    });
    match decided {
        Ok((decided, note)) => {
            Decided { findings: decided.findings.into_iter().chain(note).collect(), ..decided }
        }
        Err(stop) => undecided(stop),
    }
}

/// Decides one formula.
pub(super) struct Decider<'a, 'p, 'd, M: Model> {
    pub(super) plan: &'d Plan<'a, 'p, M>,
    pub(super) product: &'d Product<'a, M>,
}

impl<'a, M: Model> Decider<'a, '_, '_, M> {
    /// The options to sweep a product.
    fn swept(&self) -> Options {
        let mut options = self.plan.options.clone();
        // A layer was searched when it was closed, so no layer behind the line is needed.
        (options.window, options.anchor, options.gc) = (0, 0, None);
        (options.cache, options.checkpoint) = (None, None);
        options
    }

    /// Explores along one measure; `None` if it is not monotone.
    fn attempt(
        &self,
        progress: &dyn Progress<Product<'a, M>>,
        watcher: &mut dyn Observer<M>,
    ) -> Option<Decided<M>> {
        let (product, options) = (self.product, self.swept());
        let mut search = CycleSearch::new(product.acceptance(), watcher);
        let run = explore(product, progress, &options, &mut search);
        let CycleSearch { found, regressed, is_full, .. } = search;
        let Exploration { statistics, stop, mut origins, window, .. } = run;
        drop(window);
        let stop = if is_full { Some(StopReason::Memory) } else { stop };
        let decided = Decided::new(statistics.clone(), figures(product, &statistics));
        Some(match (found, stop) {
            (Some(found), _) => {
                let mut lasso = Looped { product, progress, options, origins: &mut origins };
                decided.violated(lasso.witness(found))
            }
            (None, Some(StopReason::Regress(edge))) => {
                decided.stopped(StopReason::Regress(Box::new(regress_of_model(product, *edge))))
            }
            (None, _) if regressed || statistics.regress_edges > 0 => return None,
            (None, Some(stop)) => decided.stopped(stop),
            (None, None) => decided.holds(),
        })
    }
}

impl<M: Model> Decided<M> {
    fn new(statistics: Statistics, figures: String) -> Self {
        Decided { findings: vec![figures], statistics, ..undecided(StopReason::Decided) }
    }

    fn noting(mut self, note: String) -> Self {
        self.findings.push(note);
        self
    }

    fn holds(self) -> Self {
        Decided { verdict: Verdict::Holds(None), stop: None, ..self }
    }

    fn stopped(self, stop: StopReason) -> Self {
        Decided { verdict: Verdict::Unknown(stop.clone()), stop: Some(stop), ..self }
    }

    /// A violation was found, with its counterexample or the reason why there is none.
    fn violated(mut self, witness: Result<Option<Witness<M>>, StopReason>) -> Self {
        self.stop = Some(StopReason::Decided);
        match witness {
            Ok(witness) => self.verdict = Verdict::Violated(witness),
            // The model does not repeat its own run: no verdict is sound.
            Err(broken) if broken.is_fault() => return self.stopped(broken),
            Err(reason) => {
                self.verdict = Verdict::Violated(None);
                self.findings.push(format!("no witness: {reason}"));
            }
        }
        self
    }
}

fn undecided<M: Model>(stop: StopReason) -> Decided<M> {
    let verdict = Verdict::Unknown(stop.clone());
    Decided { verdict, statistics: Statistics::default(), stop: Some(stop), findings: Vec::new() }
}

/// A regress edge of the product as one of the model.
fn regress_of_model<M: Model>(product: &Product<'_, M>, edge: Regress) -> Regress {
    let (model, source) = (product.model(), product.own_bytes(&edge.source).to_vec());
    let target = product.own_bytes(&edge.target).to_vec();
    let next = successors(model, &model.decode(&source)).unwrap_or_default();
    let number = next.iter().position(|(_, state)| bytes_of(model, state) == target);
    Regress { source, target, number: number.unwrap_or(0) as u32, ..edge }
}

/// The figures of the exploration, for a report whose own figures may be of another one.
fn figures<M: Model>(product: &Product<'_, M>, statistics: &Statistics) -> String {
    let nodes = counted(product.automaton().nodes.len() as u64, "state");
    let (explored, peak) = (counted(statistics.explored, "state"), grouped(statistics.peak_states));
    format!("product with an automaton of {nodes}: {explored} explored, peak stored {peak}")
}

/// The more important one of two reasons to stop early.
pub(super) fn worse(first: Option<StopReason>, second: Option<StopReason>) -> Option<StopReason> {
    match (first, second) {
        (None | Some(StopReason::Decided), Some(second)) => Some(second),
        (first, _) => first,
    }
}
