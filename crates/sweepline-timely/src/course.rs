//! The course: what all workers do next.
//!
//! After each step every worker tells all others its [`Account`]. Each of them keeps a course, and since all
//! courses get the same accounts, all decide the same. It is the loop of one thread (least progress first, one
//! layer after the other, level by level), and it makes the same decisions at the same states: counts, peaks and
//! sweeps do not depend on the number of workers.

use std::collections::BTreeSet;

use sweepline::observe::Counts;
use sweepline::part::{Account, Tally};
use sweepline::{Statistics, StopReason, Value};

/// What a worker does in a step. Orders are executed one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// No state at the line is waiting: the layer is passed.
    Pass,
    BeginColumn(Value),
    MoveLine(Value),
    /// Drop the passed layers below this progress.
    DropBelow(Value),
    /// Some worker dropped a layer of this progress.
    NoteDropped(Value),
    BeginLevel,
    /// Some worker opened the layer of this progress.
    OpenToo(Value),
    /// Some worker pinned the layer of this progress.
    PinToo(Value),
    /// Expand at most so many states of the level, and exchange their successors.
    Expand(u64),
    EndSweep,
    OpenRoots(Value),
    LeaveColumn(Value),
    /// Begin a sweep that only counts.
    BeginCounting,
    /// Write a checkpoint.
    Save,
}

/// The next step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Orders(Vec<Order>),
    /// Nothing is left to do.
    End,
}

/// The options that the course depends on.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) columns: usize,
    pub(crate) window: u64,
    pub(crate) anchor: u64,
    pub(crate) states: Option<u64>,
    pub(crate) count: bool,
    /// States that a worker expands in a step.
    pub(crate) round: u64,
}

/// After this many attempts, distinct states stay uncounted.
const ATTEMPTS: u32 = 4;

/// What is being explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Exploring,
    /// A sweep that only counts, with the sums at its start.
    Counting {
        attempt: u32,
        before: Tally,
        sweeps: u64,
    },
    Done,
}

/// What follows when the line moves and there is a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moved {
    /// The line has moved; nothing is dropped yet.
    Line,
    /// Layers were dropped; not every worker knows which ones.
    Dropped,
    Done,
}

/// What all workers know about the exploration.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    rules: Rules,
    line: Option<Value>,
    pub(crate) column: Option<Value>,
    /// Whether the layer at the line is being expanded.
    at_line: bool,
    /// What must be done before the layer at the line is expanded.
    moved: Moved,
    /// Whether a checkpoint was written before the level that comes next.
    saved: bool,
    phase: Phase,
    /// Sums of an earlier run that this one continues.
    base: Tally,
    /// Sums over all workers, without those of the earlier run.
    sums: Tally,
    pub(crate) accounts: Vec<Account>,
    peaks: Vec<u64>,
    peak_states: u64,
    peak_bytes: u64,
    sweeps: u64,
    layers: u64,
    counted: Option<Counts>,
    /// The statistics before distinct states were counted.
    finished: Option<Statistics>,
}

impl Course {
    pub(crate) fn new(rules: Rules, workers: usize) -> Self {
        Course {
            rules,
            line: None,
            column: None,
            at_line: false,
            moved: Moved::Done,
            saved: false,
            phase: Phase::Exploring,
            base: Tally::default(),
            sums: Tally::default(),
            accounts: Vec::new(),
            peaks: vec![0; workers],
            peak_states: 0,
            peak_bytes: 0,
            sweeps: 1,
            layers: 0,
            counted: None,
            finished: None,
        }
    }

    /// The progress of the layer that is being expanded.
    pub(crate) fn line(&self) -> Option<&Value> {
        self.line.as_ref()
    }

    /// The most states that each worker stored.
    pub(crate) fn peaks(&self) -> &[u64] {
        &self.peaks
    }

    /// Whether only distinct states are being counted: every property is decided.
    pub(crate) fn is_counting(&self) -> bool {
        matches!(self.phase, Phase::Counting { .. })
    }

    fn totals(&self) -> Tally {
        self.sums.plus(&self.base)
    }

    /// The statistics of all workers together.
    pub(crate) fn statistics(&self) -> Statistics {
        if let Some(finished) = &self.finished {
            // Counting may store further states, which are not part of the result.
            let stored = if self.is_counting() { self.sums.stored } else { finished.stored };
            return Statistics {
                stored,
                peak_states: self.peak_states,
                peak_bytes: self.peak_bytes,
                counted: self.counted,
                ..finished.clone()
            };
        }
        let sums = self.totals();
        Statistics {
            explored: sums.explored,
            edges: sums.edges,
            dead: sums.dead,
            stored: sums.stored,
            peak_states: self.peak_states,
            persistent: sums.persistent,
            sweeps: self.sweeps,
            regress_edges: sums.regress_edges,
            layers: self.layers,
            peak_bytes: self.peak_bytes,
            ..Statistics::default()
        }
    }

    /// Takes note of the accounts of all workers. Returns the limit that is reached, if one is.
    pub(crate) fn note(&mut self, accounts: Vec<Account>) -> Option<StopReason> {
        self.sums = accounts.iter().fold(Tally::default(), |sum, a| sum.plus(&a.tally));
        for (peak, account) in self.peaks.iter_mut().zip(&accounts) {
            *peak = account.tally.stored.max(*peak);
        }
        self.peak_states = self.peak_states.max(self.sums.stored);
        self.peak_bytes = self.peak_bytes.max(self.sums.bytes);
        let gone: BTreeSet<&Vec<i64>> = accounts.iter().flat_map(|account| &account.gone).collect();
        self.layers += gone.len() as u64;
        self.accounts = accounts;
        let explored = self.totals().explored;
        self.rules.states.filter(|&limit| explored >= limit).map(|_| StopReason::States)
    }

    /// Ends counting distinct states: they stay unknown.
    pub(crate) fn give_up_counting(&mut self) {
        self.phase = Phase::Done;
    }

    /// The next step of worker `index`, after [`note`](Course::note). Before a level it may be to `save`.
    pub(crate) fn next(&mut self, index: usize, save: bool) -> Turn {
        let mut orders = Vec::new();
        let returns = self.rules.window > 0 || self.rules.anchor > 0;
        if returns || self.totals().persistent > 0 {
            orders.extend(self.listed(|account| &account.opened).map(Order::OpenToo));
            orders.extend(self.listed(|account| &account.pinned).map(Order::PinToo));
            if !orders.is_empty() {
                // The least open layer may be another one afterwards.
                return Turn::Orders(orders);
            }
        }
        let save = save && !std::mem::take(&mut self.saved) && !self.is_counting();
        if self.moved == Moved::Line {
            // One worker knows what it keeps; several must tell each other.
            let kept = self.accounts.iter().filter_map(|account| account.kept.as_ref()).min();
            let kept = kept.map(|value| value.iter().copied().collect());
            orders.extend(kept.or_else(|| self.line.clone()).map(Order::DropBelow));
            self.moved = Moved::Dropped;
            return Turn::Orders(orders);
        }
        if self.moved == Moved::Dropped {
            self.moved = Moved::Done;
            let gone = self.accounts.iter().flat_map(|account| &account.gone);
            orders.extend(
                gone.max().map(|value| Order::NoteDropped(value.iter().copied().collect())),
            );
        }
        if self.at_line {
            let sum = |of: fn(&Account) -> u64| self.accounts.iter().map(of).sum::<u64>();
            if sum(|account| account.waiting) > 0 {
                orders.push(Order::Expand(self.share(index, |account| account.waiting)));
                return Turn::Orders(orders);
            }
            if sum(|account| account.beyond) > 0 {
                if save {
                    self.saved = true;
                    orders.push(Order::Save);
                } else {
                    orders.push(Order::BeginLevel);
                    orders.push(Order::Expand(self.share(index, |account| account.beyond)));
                }
                return Turn::Orders(orders);
            }
            orders.push(Order::Pass);
            self.at_line = false;
        }
        self.advance(index, save, orders)
    }

    /// The values in one list of all accounts, without repetitions.
    fn listed(&self, list: fn(&Account) -> &Vec<Vec<i64>>) -> impl Iterator<Item = Value> {
        let values: BTreeSet<&Vec<i64>> = self.accounts.iter().flat_map(list).collect();
        values.into_iter().map(|value| value.iter().copied().collect())
    }

    /// Chooses the next layer, column or sweep.
    fn advance(&mut self, index: usize, save: bool, mut orders: Vec<Order>) -> Turn {
        let value = |found: &Vec<i64>| found.iter().copied().collect::<Value>();
        let next =
            self.accounts.iter().filter_map(|account| account.open.as_ref()).min().map(value);
        let root =
            self.accounts.iter().filter_map(|account| account.root.as_ref()).min().map(value);
        let columns = self.rules.columns;
        loop {
            match (self.column.take(), &next) {
                (Some(column), Some(next)) if same_column(&column, next, columns) => {
                    self.column = Some(column);
                    self.line = Some(next.clone());
                    self.at_line = true;
                    orders.push(Order::MoveLine(next.clone()));
                    if self.rules.window > 0 {
                        self.moved = Moved::Line;
                        return Turn::Orders(orders);
                    }
                    orders.push(Order::DropBelow(next.clone()));
                    if !save {
                        orders.push(Order::BeginLevel);
                        orders.push(Order::Expand(self.round_of(index)));
                    }
                    return Turn::Orders(orders);
                }
                (Some(column), _) => {
                    orders.push(Order::EndSweep);
                    if self.accounts.iter().any(|account| account.root_in_column) {
                        self.sweeps += 1;
                        orders.push(Order::OpenRoots(column.clone()));
                        self.column = Some(column);
                    } else {
                        orders.push(Order::LeaveColumn(column));
                    }
                    return Turn::Orders(orders);
                }
                (None, next) => match (next, &root) {
                    (None, None) => return self.finish(),
                    (Some(next), root) if root.as_ref().is_none_or(|root| next <= root) => {
                        orders.push(Order::BeginColumn(next.clone()));
                        self.column = Some(next.clone());
                    }
                    (_, root) => {
                        let root = root.clone().expect("one of the two is there");
                        self.sweeps += 1;
                        orders.push(Order::OpenRoots(root.clone()));
                        self.column = Some(root);
                        return Turn::Orders(orders);
                    }
                },
            }
        }
    }

    /// How many states worker `index` expands in a step that begins a level whose size is not known yet: all
    /// that it may, unless the number of states is limited.
    fn round_of(&self, index: usize) -> u64 {
        match self.rules.states {
            None => self.rules.round,
            // Then the size is known in the next step.
            Some(_) => self.share(index, |_| 0),
        }
    }

    /// How many states worker `index` expands in this step, if each has so many waiting.
    fn share(&self, index: usize, waiting: fn(&Account) -> u64) -> u64 {
        let Some(limit) = self.rules.states else { return self.rules.round };
        let mut left = limit.saturating_sub(self.totals().explored);
        for (number, account) in self.accounts.iter().enumerate() {
            let share = waiting(account).min(self.rules.round).min(left);
            if number == index {
                return share;
            }
            left -= share;
        }
        0
    }

    /// Every state is explored: counts distinct ones, if that is wanted and they are not known.
    fn finish(&mut self) -> Turn {
        let sums = self.totals();
        let attempt = match self.phase {
            Phase::Exploring => {
                let statistics = self.statistics();
                if !self.rules.count || self.rules.columns > 0 || statistics.is_exact() {
                    self.phase = Phase::Done;
                    return Turn::End;
                }
                self.finished = Some(statistics);
                1
            }
            Phase::Counting { attempt, before, sweeps } => {
                if (before.persistent, sweeps) == (sums.persistent, self.sweeps) {
                    self.counted = Some(Counts {
                        states: sums.explored - before.explored,
                        edges: sums.edges - before.edges,
                        dead: sums.dead - before.dead,
                    });
                }
                if self.counted.is_some() || attempt == ATTEMPTS {
                    self.phase = Phase::Done;
                    return Turn::End;
                }
                attempt + 1
            }
            Phase::Done => return Turn::End,
        };
        self.phase = Phase::Counting { attempt, before: sums, sweeps: self.sweeps };
        self.line = None;
        Turn::Orders(vec![Order::BeginCounting])
    }

    /// What a checkpoint needs of it.
    pub(crate) fn save(&self) -> SavedCourse {
        let listed = |value: &Option<Value>| value.as_ref().map(|v| v.components().to_vec());
        SavedCourse {
            line: listed(&self.line),
            column: listed(&self.column),
            sums: self.totals(),
            peak_states: self.peak_states,
            peak_bytes: self.peak_bytes,
            sweeps: self.sweeps,
            layers: self.layers,
        }
    }

    /// Goes on where a checkpoint was written: before a level of the layer at the line.
    pub(crate) fn restore(&mut self, saved: &SavedCourse) {
        let value = |found: &Option<Vec<i64>>| found.as_ref().map(|v| v.iter().copied().collect());
        (self.line, self.column) = (value(&saved.line), value(&saved.column));
        self.at_line = true;
        self.base = Tally { stored: 0, bytes: 0, ..saved.sums };
        (self.peak_states, self.peak_bytes) = (saved.peak_states, saved.peak_bytes);
        (self.sweeps, self.layers) = (saved.sweeps, saved.layers);
    }
}

/// A course in a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedCourse {
    pub(crate) line: Option<Vec<i64>>,
    column: Option<Vec<i64>>,
    pub(crate) sums: Tally,
    peak_states: u64,
    peak_bytes: u64,
    sweeps: u64,
    layers: u64,
}

fn same_column(one: &Value, other: &Value, columns: usize) -> bool {
    one.components()[..columns] == other.components()[..columns]
}
