//! `Check`: the main entry point. It takes a model and properties, and returns verdicts.

mod answer;
mod branching;
mod cluster;
mod decided;
mod engine;
mod find;
mod hunt;
mod plan;
mod reduce;
mod report;
mod shorten;
mod show;
mod temporal;

use std::mem::take;
use std::path::PathBuf;

use crate::checkpoint::Checkpoint;
use crate::explore::{Cache, Interrupt, Limits, Monotone, Options};
use crate::ltl::Fairness;
use crate::model::{Model, ModelError};
use crate::observe::{Bound, Deadlock, Home, Never, Observer, Queries, Query, WitnessMode};
#[cfg(feature = "fit")]
use crate::progress::{Features, Linear, fit};
use crate::progress::{Progress, Trivial};
use crate::reduction::Reduction;
use crate::select::Needs;
use crate::spill;
use crate::threads::Threads;
use crate::verdict::StopReason;
use answer::{Exploring, unsaved};
pub use cluster::{Cluster, Explored, Observers, Task, WorkerShare};
pub use decided::Decision;
pub use engine::Engine;
pub use plan::Along;
use plan::Plan;
use reduce::{Granted, Requested};
pub use report::{Property, Report};
pub use shorten::Shortest;
pub use show::RegressEdge;

/// A model, a measure, options and properties; [`run`](Check::run) decides all properties, if possible by one
/// exploration.
///
/// ```
/// use sweepline::{Check, System, progress};
///
/// /// A message is sent up to three times; each may arrive or not.
/// struct Retry;
///
/// impl System for Retry {
///     type State = (u8, u8); // sent, arrived
///     type Action = &'static str;
///     fn initial(&self) -> Vec<Self::State> {
///         vec![(0, 0)]
///     }
///     fn successors(&self, &(sent, arrived): &Self::State, push: &mut dyn FnMut(&'static str, (u8, u8))) {
///         if sent < 3 {
///             push("send", (sent + 1, arrived));
///         }
///         if arrived < sent {
///             push("arrive", (sent, arrived + 1));
///         }
///     }
/// }
///
/// let report = Check::new(&Retry)
///     .progress(progress::by(|&(sent, arrived)| sent + arrived))
///     .never("more arrive than were sent", |&(sent, arrived)| arrived > sent)
///     .reach("all arrive", |&(_, arrived)| arrived == 3)
///     .run();
/// report.assert_holds();
/// assert_eq!(report.statistics.states(), Some(10));
/// assert!(report.statistics.peak_states < 10);
/// ```
pub struct Check<'a, M: Model> {
    model: &'a M,
    progress: Box<dyn Progress<M> + 'a>,
    options: Options,
    names: Vec<(String, &'static str)>,
    queries: Queries<'a, M>,
    requested: Requested<'a, M>,
    formulas: Vec<temporal::Question<'a, M>>,
    branching: Vec<branching::Question<'a, M>>,
    /// How each property is decided, in the order in which they were added.
    order: Vec<Way>,
    fairness: Fairness<'a, M>,
    cluster: Option<&'a dyn Cluster<M>>,
    hunting: hunt::Hunting<'a, M>,
    shortest: bool,
}

impl<'a, M: Model> Check<'a, M> {
    /// A check of the model's [own properties](crate::System::properties), by full exploration until
    /// [`progress`](Check::progress) sets a measure.
    pub fn new(model: &'a M) -> Self {
        model.own_properties(Check {
            model,
            progress: Box::new(Trivial),
            options: Options::default(),
            names: Vec::new(),
            queries: Queries::default(),
            requested: Requested::default(),
            formulas: Vec::new(),
            branching: Vec::new(),
            order: Vec::new(),
            fairness: Fairness::default(),
            cluster: None,
            hunting: hunt::Hunting::default(),
            shortest: false,
        })
    }

    /// Sweeps by the progress measure `progress`.
    #[must_use]
    pub fn progress(mut self, progress: impl Progress<M> + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Sweeps by the best measure that can be [fitted](crate::progress::fit()) to the features of the model,
    /// with the window that it needs. Explores in full if there is none. Needs the feature `fit`.
    #[cfg(feature = "fit")]
    #[must_use]
    pub fn fitted(mut self) -> Self
    where
        M: Features,
    {
        let best = fit(self.model).into_iter().next();
        self.options.window = best.as_ref().map_or(0, |best| best.window);
        let (components, columns) = best.map_or((Vec::new(), 0), |c| (c.components, c.columns));
        let measure = Linear::new(self.model, &components, columns);
        self.progress(measure)
    }

    /// Replaces all options.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Keeps layers up to the distance `distance` behind the line: see [`Options::window`].
    #[must_use]
    pub fn window(mut self, distance: u64) -> Self {
        self.options.window = distance;
        self
    }

    /// Explores depth first with a bounded store of states, instead of sweeping: see
    /// [`Options::cache`].
    ///
    /// ```
    /// # use sweepline::{Cache, Check, System};
    /// # struct Ring;
    /// # impl System for Ring {
    /// #     type State = u32;
    /// #     type Action = ();
    /// #     fn initial(&self) -> Vec<u32> { vec![0] }
    /// #     fn successors(&self, s: &u32, push: &mut dyn FnMut((), u32)) {
    /// #         push((), ((2 * s + 1) % 1000));
    /// #         push((), ((s + 1) % 1000));
    /// #     }
    /// # }
    /// let report = Check::new(&Ring).never("a thousand", |&n| n >= 1000).cache(Cache::new(800)).run();
    /// report.assert_holds();
    /// ```
    #[must_use]
    pub fn cache(mut self, cache: Cache) -> Self {
        self.options.cache = Some(cache);
        self
    }

    /// Stops at the first regress edge, and [reports it](Report::regress).
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.options.monotone = Monotone::Strict;
        self
    }

    /// Sets the limits of the run.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Explores with `count` threads (default: 1). The results do not depend on it.
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.options.threads = Threads::new(count);
        self
    }

    /// Looks for shortest counterexamples and witnesses, by one more exploration for each, breadth first and no
    /// deeper than necessary. [`Property::shortest`] says whether a path is known to be a shortest one.
    #[must_use]
    pub fn shortest(mut self) -> Self {
        self.shortest = true;
        self
    }

    /// Sets how witnesses are found, if at all.
    #[must_use]
    pub fn witness(mut self, mode: WitnessMode) -> Self {
        self.options.witness = mode;
        self
    }

    /// Sets a flag that stops the run from outside.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.options.interrupt = interrupt;
        self
    }

    /// Saves the run in `file` every ten minutes, and when a limit or an interrupt ends it. The file is
    /// removed when every property is decided or every state is explored.
    ///
    /// ```
    /// # use sweepline::{Check, Limits, StopReason, System};
    /// # struct Count;
    /// # impl System for Count {
    /// #     type State = u32;
    /// #     type Action = ();
    /// #     fn initial(&self) -> Vec<u32> { vec![0] }
    /// #     fn successors(&self, s: &u32, push: &mut dyn FnMut((), u32)) { if *s < 9_999 { push((), s + 1) } }
    /// # }
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("count.checkpoint");
    /// let check = || Check::new(&Count).never("ten thousand", |&n| n >= 10_000);
    /// let limits = Limits { states: Some(5_000), ..Limits::default() };
    /// let report = check().checkpoint(&file).limits(limits).run();
    /// assert_eq!(report.stop, Some(StopReason::States));
    ///
    /// let report = check().resume(&file).run();
    /// report.assert_holds();
    /// assert_eq!(report.statistics.states(), Some(10_000));
    /// assert!(!file.exists());
    /// ```
    #[must_use]
    pub fn checkpoint(mut self, file: impl Into<PathBuf>) -> Self {
        match &mut self.options.checkpoint {
            Some(plan) => plan.file = file.into(),
            none => *none = Some(Checkpoint::new(file)),
        }
        self
    }

    /// Resumes the run saved in the checkpoint `file`, and saves it there again unless
    /// [`checkpoint`](Check::checkpoint) names another file. The model, the measure, the options and the
    /// properties must be those of the run that wrote it; the limits may differ. If the run cannot be
    /// resumed, the report's [`stop`](Report::stop) is [`StopReason::Checkpoint`] with the reason.
    #[must_use]
    pub fn resume(mut self, file: impl Into<PathBuf>) -> Self {
        let file = file.into();
        let plan = self.options.checkpoint.get_or_insert_with(|| Checkpoint::new(&file));
        plan.resume = Some(file);
        self
    }

    /// Holds if no reachable state satisfies `predicate`.
    #[must_use]
    pub fn never(
        self,
        name: impl Into<String>,
        predicate: impl Fn(&M::State) -> bool + Send + Sync + 'a,
    ) -> Self {
        self.query(name, "never", Never::new(of_state::<M, _>(predicate)))
    }

    /// Holds if every reachable state satisfies `predicate`.
    #[must_use]
    pub fn always(
        self,
        name: impl Into<String>,
        predicate: impl Fn(&M::State) -> bool + Send + Sync + 'a,
    ) -> Self {
        self.never(name, move |state| !predicate(state))
    }

    /// Holds if some reachable state satisfies `predicate`.
    #[must_use]
    pub fn reach(
        self,
        name: impl Into<String>,
        predicate: impl Fn(&M::State) -> bool + Send + Sync + 'a,
    ) -> Self {
        self.query(name, "reach", Never::reached(of_state::<M, _>(predicate)))
    }

    /// Holds if every reachable state has a successor or has [terminated](Model::has_terminated).
    #[must_use]
    pub fn deadlock(self) -> Self {
        self.query("deadlock", "deadlock", Deadlock::default())
    }

    /// Holds if a state that satisfies `predicate` can be reached from every reachable state: see [`Home`].
    #[must_use]
    pub fn home(
        self,
        name: impl Into<String>,
        predicate: impl Fn(&M::State) -> bool + Send + Sync + 'a,
    ) -> Self {
        self.query(name, "home", Home::new(of_state::<M, _>(predicate)))
    }

    /// Computes the least and the greatest value of `expression`.
    #[must_use]
    pub fn bound<N: Into<i128> + 'a>(
        self,
        name: impl Into<String>,
        expression: impl Fn(&M::State) -> N + Send + Sync + 'a,
    ) -> Self {
        self.query(
            name,
            "bound",
            Bound::new(of_state::<M, _>(move |state: &M::State| expression(state).into())),
        )
    }

    /// Adds any other query, with the kind that reports give it.
    #[must_use]
    pub fn query(
        mut self,
        name: impl Into<String>,
        kind: &'static str,
        query: impl Query<M> + 'a,
    ) -> Self {
        self.requested.needs.push(query.needs());
        self.queries.add(query);
        self.names.push((name.into(), kind));
        self.order.push(Way::Query);
        self
    }

    /// The properties, each with its kind, in the order in which they were added.
    pub fn names(&self) -> Vec<(String, &'static str)> {
        let linear = self.formulas.iter().map(|formula| (formula.name.clone(), "ltl"));
        let branching = self.branching.iter().map(|formula| (formula.name.clone(), "ctl"));
        let names: Vec<_> = self.names.iter().cloned().chain(linear).chain(branching).collect();
        in_order(&self.order, names)
    }

    /// Explores the model and decides the properties.
    #[must_use = "a report does nothing by itself: call `assert_holds` or print it"]
    pub fn run(self) -> Report<M> {
        self.run_watched(&mut ())
    }

    /// Explores the model and decides the properties; `watcher` observes the exploration.
    #[must_use = "a report does nothing by itself: call `assert_holds` or print it"]
    pub fn run_watched(self, watcher: &mut dyn Observer<M>) -> Report<M> {
        let model = self.model;
        let measure = match &self.options.cache {
            Some(cache) => format!("none: depth first, with a cache of {} states", cache.states),
            None if self.progress.is_trivial() => Progress::<M>::name(&Trivial),
            None => self.progress.name(),
        };
        let shows = self.options.witness != WitnessMode::Off;
        let mut report = self.answer(watcher);
        if shows {
            branching::explain(&mut report);
        }
        Report { regress: RegressEdge::of(model, report.stop.as_ref()), measure, ..report }
    }

    fn answer(mut self, watcher: &mut dyn Observer<M>) -> Report<M> {
        // Temporal formulas need every edge, so the properties decided together with them are not reduced
        // either.
        let (mut names, mut requested) = (self.names.clone(), take(&mut self.requested));
        let linear = self.formulas.iter().map(|formula| (formula.name.clone(), "ltl"));
        let branching = self.branching.iter().map(|formula| (formula.name.clone(), "ctl"));
        for formula in linear.chain(branching) {
            names.push(formula);
            requested.needs.push(Needs::Edges);
        }
        self.hunting.note(&requested.needs);
        let granted = match requested.grant(&names) {
            Ok((reduction, words)) => Granted { reduction, words, refused: None },
            Err(stop) => Granted { refused: Some(stop), ..Granted::default() },
        };
        if self.formulas.is_empty() && self.branching.is_empty() {
            return self.run_queries(granted, watcher);
        }
        let in_memory = || spill::Error::Unsupported(cluster::FORMULAS).into();
        let refused = self.cluster.map(|_| cluster::no(cluster::FORMULAS));
        let refused = refused.or_else(|| self.options.spill.as_ref().map(|_| in_memory()));
        let granted = Granted { refused: granted.refused.or(refused), ..granted };
        let order = take(&mut self.order);
        let mut report = self.run_formulas(granted, names, watcher);
        report.properties = in_order(&order, report.properties);
        report
    }

    fn run_queries(&mut self, granted: Granted<'a, M>, watcher: &mut dyn Observer<M>) -> Report<M> {
        let Granted { reduction, words: reductions, refused } = granted;
        let mut options = self.options.clone();
        options.limits = options.limits.started();
        let (names, mut queries) = (take(&mut self.names), take(&mut self.queries));
        let refused = refused.or_else(|| unsaved(self.model, &options, &names, &queries));
        let refused = refused.or_else(|| self.beyond_cluster(&options, &reduction));
        if let Some(hunter) = self.hunter(&options, &reduction, &queries) {
            queries.set_hunter(hunter);
        }
        let whole = Exploring {
            model: self.model,
            progress: &*self.progress,
            options: &options,
            cluster: self.cluster,
            hunts_only: self.hunting.is_only(),
            shortest: self.shortest,
        };
        let mut report = whole.run(&reduction, refused, &names, &mut queries, watcher);
        report.reductions = reductions;
        let lacking = queries.lacking_components();
        let is_over = report.stop.as_ref().is_some_and(StopReason::ends_all);
        let may_fall = options.monotone != Monotone::Strict && !is_over;
        if may_fall && !lacking.is_empty() {
            let names: Vec<_> = lacking.iter().map(|&number| names[number].clone()).collect();
            let found = self.find_components(options, &names, queries.take_out(&lacking), watcher);
            for (number, property) in lacking.into_iter().zip(found.properties) {
                report.properties[number] = property;
            }
            // A limit that ended the first exploration leaves the other properties undecided.
            let limit = report.stop.take().filter(|stop| *stop != StopReason::Decided);
            (report.statistics, report.stop) = (found.statistics, limit.or(found.stop));
            report.along = found.along;
        }
        report
    }

    /// Explores once more for properties about components if the measure spreads components over several
    /// layers: by the measure's columns, or in full.
    fn find_components(
        &self,
        options: Options,
        names: &[(String, &'static str)],
        queries: Queries<'a, M>,
        watcher: &mut dyn Observer<M>,
    ) -> Report<M> {
        let mut plan = Plan::new(self.model, &*self.progress, options);
        plan.not_monotone();
        (plan.options.window, plan.options.anchor) = (0, 0);
        let mut queries = Some(queries);
        let found = plan.climb(false, |plan, along| {
            let mut asked = queries.take().unwrap_or_default().restart();
            let progress = plan.measure(along);
            let whole = Exploring {
                model: plan.model,
                progress: &*progress,
                options: &plan.options,
                cluster: None,
                hunts_only: false,
                shortest: false,
            };
            let mut found =
                whole.run(&Reduction::default(), None, names, &mut asked, &mut *watcher);
            let scattered = !asked.lacking_components().is_empty();
            queries = Some(asked);
            found.along = along;
            (!scattered).then_some(found)
        });
        found.map_or_else(|stop| temporal::unanswered(names.to_vec(), stop), |(found, _)| found)
    }
}

/// A function of a state that needs no worker and does not fail.
fn of_state<M: Model, T>(
    f: impl Fn(&M::State) -> T + Send + Sync,
) -> impl Fn(&M, &mut M::Worker, &M::State) -> Result<T, ModelError> + Send + Sync {
    move |_, _, state| Ok(f(state))
}

/// How a property is decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Query,
    Linear,
    Branching,
}

/// Merges the results of the two ways to decide properties into the order in which the properties were added.
fn in_order<T>(order: &[Way], properties: Vec<T>) -> Vec<T> {
    if order.len() != properties.len() {
        return properties;
    }
    let mut places: Vec<usize> = (0..order.len()).collect();
    places.sort_by_key(|&place| order[place]);
    let mut placed: Vec<_> = places.into_iter().zip(properties).collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, property)| property).collect()
}
