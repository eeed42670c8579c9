//! Questions of scripts about components and paths, answered by a sweep.

use sweepline::ltl::{Atom, Fairness, Formula};
use sweepline::observe::{self, Fair, Home, Live, Structure, Survey, Terminates};
use sweepline::{Check, Report, StopReason, Verdict, WitnessMode};
use sweepline_ml::{Halt, Machine, Question, Word};

use super::answer::{Answer, Ended};
use super::ask::large_numbers;
use super::sweep::Sweep;
use super::version::locked;
use crate::explore::{CpnModel, Marking, Occurrence, Worker};

/// A check on a net.
type Asking<'s> = Check<'s, CpnModel>;

/// The number of arguments common to all questions: measure, collection threshold, seconds, log.
const OWN: usize = 4;

pub(super) const DEEP: Halt =
    Halt::refused("a formula with more than 200 nested operators", "split the formula");
/// The deepest nesting of operators.
const DEEPEST: usize = 200;

impl Answer<'_> {
    /// Whether a marking that satisfies a predicate is reachable from every marking.
    pub(super) fn home(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt> {
        let predicate = question.argument(OWN);
        let (holds, _) = self.checked(machine, question, WitnessMode::Off, |sweep, check| {
            let holds =
                move |_: &CpnModel, _: &mut Worker, state: &Marking| sweep.holds(predicate, state);
            check.query("home", "home", Home::new(holds))
        })?;
        Ok(truth(holds))
    }

    /// For a set of transition instances: whether it is live, or its fairness.
    pub(super) fn instances(
        &self,
        machine: &mut Machine,
        question: &Question,
    ) -> Result<Word, Halt> {
        let asks_liveness = Machine::to_int(question.argument(OWN)) == 0;
        let set = self.set(machine, question.argument(OWN + 1));
        let (holds, report) = self.checked(machine, question, WitnessMode::Off, |_, check| {
            let is_own = move |occurrence: &Occurrence| {
                set.get(occurrence.transition as usize).is_some_and(|own| *own)
            };
            let names = vec!["these".to_owned(), "others".to_owned()];
            let index = move |occurrence: &Occurrence| if is_own(occurrence) { 0 } else { 1 };
            match asks_liveness {
                true => check.query("live", "live", Live::some(names, index, vec![0])),
                false => {
                    check.query("fair", "fair", Fair::new(move |o: &Occurrence| index(o) == 0))
                }
            }
        })?;
        if asks_liveness {
            return Ok(truth(holds));
        }
        let class = report.properties[0].fairness.unwrap_or(observe::Fairness::Unfair);
        Ok(Machine::from_int(class as i64))
    }

    /// Whether there is no infinite path.
    pub(super) fn terminates(
        &self,
        machine: &mut Machine,
        question: &Question,
    ) -> Result<Word, Halt> {
        let (holds, _) = self.checked(machine, question, WitnessMode::Off, |_, check| {
            check.query("terminates", "terminates", Terminates::new())
        })?;
        Ok(truth(holds))
    }

    /// All component properties as numbers: components, arcs between them, terminal and trivial ones, home
    /// markings; then for each transition whether it occurs, whether it is live, and its fairness.
    pub(super) fn structure(
        &self,
        machine: &mut Machine,
        question: &Question,
    ) -> Result<Word, Halt> {
        let index = |occurrence: &Occurrence| occurrence.transition as usize;
        let (survey, found) = Survey::new(self.model().transitions.len(), index);
        self.checked(machine, question, WitnessMode::Off, |_, check| {
            check.query("structure", "structure", survey)
        })?;
        large_numbers(machine, numbers(&locked(&found)))
    }

    /// A path that violates a formula: the markings of its prefix and of its cycle, or none.
    pub(super) fn linear(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt> {
        let formula = self.formula(machine, question.argument(OWN), 0)?;
        let [weak, strong] = [OWN + 1, OWN + 2].map(|at| {
            let sets: Vec<Word> = machine.list(question.argument(at)).collect();
            sets.into_iter().map(|set| self.set(machine, set)).collect::<Vec<_>>()
        });
        let shown = Machine::to_int(question.argument(OWN + 3)) != 0;
        let mode = if shown { WitnessMode::Disk } else { WitnessMode::Off };
        let (holds, report) = self.checked(machine, question, mode, |sweep, check| {
            let mut atoms: Vec<(Said, Atom<'_, CpnModel>)> = Vec::new();
            let formula = formula.map(|said| sweep.atom(said, &mut atoms));
            let mut fairness = Fairness::default();
            for set in weak {
                fairness.add_weak(move |_, taken: &Occurrence| set[taken.transition as usize]);
            }
            for set in strong {
                fairness.add_strong(move |_, taken: &Occurrence| set[taken.transition as usize]);
            }
            check.ltl_assuming("ltl", formula, fairness)
        })?;
        if holds {
            return machine.memory().list(&[]);
        }
        let (mut stem, mut repeated) = (Vec::new(), Vec::new());
        if let Some(run) = report.properties[0].verdict.witness() {
            let states = std::iter::once(&run.initial).chain(run.steps.iter().map(|s| &s.state));
            let states: Vec<&Marking> = states.collect();
            let last = states.len() - 1;
            let back = run.back.unwrap_or(last);
            for (number, state) in states.into_iter().enumerate() {
                let word = machine.memory().string(state.bytes())?;
                // The last state is the first of the cycle, unless it is dead.
                match number {
                    number if number < back => stem.push(word),
                    number if number == last && back < last => {}
                    _ => repeated.push(word),
                }
            }
        }
        let parts = [machine.memory().list(&stem)?, machine.memory().list(&repeated)?];
        machine.memory().list(&parts)
    }

    /// The transition instances of a list, as flags by index.
    fn set(&self, machine: &Machine, list: Word) -> Vec<bool> {
        let mut set = vec![false; self.model().transitions.len()];
        for number in machine.list(list).map(Machine::to_int) {
            if let Some(own) = usize::try_from(number).ok().and_then(|at| set.get_mut(at)) {
                *own = true;
            }
        }
        set
    }

    /// Sweeps for the property that `ask` adds, and returns whether it holds, with the report. The script ends
    /// if the verdict is unknown.
    fn checked(
        &self,
        machine: &mut Machine,
        question: &Question,
        witness: WitnessMode,
        ask: impl for<'s> FnOnce(&'s Sweep<'s, '_>, Asking<'s>) -> Asking<'s>,
    ) -> Result<(bool, Report<CpnModel>), Halt> {
        let (mut options, log) = self.sweep_options(machine, question, 1);
        options.witness = witness;
        let fold = machine.begin_fold(question.layout, 0)?;
        let sweep = Sweep::new(self, machine, &fold, question.argument(0), log);
        let report = sweep.begin_log().map(|()| {
            let check = ask(&sweep, Check::new(self.model())).options(options);
            check.progress(&sweep).run_watched(&mut &sweep)
        });
        let failed = sweep.take_failed();
        machine.end_fold(fold);
        let report = failed.map_or(report, Err)?;
        *locked(&self.statistics) = report.statistics.clone();
        Ok((self.verdict(&report)?, report))
    }

    fn verdict(&self, report: &Report<CpnModel>) -> Result<bool, Halt> {
        match &report.properties[0].verdict {
            Verdict::Holds(_) => Ok(true),
            Verdict::Violated(_) => Ok(false),
            Verdict::Unknown(reason) => {
                // The reason why the exploration stopped is more precise.
                let reason = match (reason, &report.stop) {
                    (StopReason::Decided | StopReason::Components(_), Some(stop)) => stop,
                    (reason, _) => reason,
                };
                Err(self.give_up(match reason.clone() {
                    StopReason::Regress(regress) => Ended::Rejected(regress),
                    reason => Ended::Stopped(reason),
                }))
            }
        }
    }
}

fn truth(is_so: bool) -> Word {
    Machine::from_int(i64::from(is_so))
}

fn numbers(found: &Structure) -> Vec<i64> {
    let whole = [found.components, found.edges_between, found.terminal, found.trivial];
    let mut numbers: Vec<i64> = whole.map(|n| n as i64).to_vec();
    numbers.push(found.home_markings() as i64);
    for (transition, class) in found.fairness.iter().enumerate() {
        let facts = [found.occurs[transition], found.live[transition]];
        numbers.extend(facts.map(i64::from));
        numbers.push(*class as i64);
    }
    numbers
}

/// The meaning of an atom of a formula.
#[derive(Clone, PartialEq, Debug)]
enum Said {
    /// A predicate holds in the marking.
    State(Word),
    /// One of these transition instances occurs.
    Takes(Vec<bool>),
}

impl Answer<'_> {
    /// Reads a value of the type `LTL.formula`.
    fn formula(&self, machine: &Machine, word: Word, depth: usize) -> Result<Formula<Said>, Halt> {
        if depth > DEEPEST {
            return Err(DEEP);
        }
        let part = |word: &Word| self.formula(machine, *word, depth + 1);
        let (name, carried) = machine.constructor(self.linear_formula, word);
        Ok(match (name, &carried[..]) {
            ("TRUE", []) => Formula::True,
            ("FALSE", []) => Formula::False,
            ("CPN'State", [predicate]) => Formula::Atom(Said::State(*predicate)),
            ("CPN'Takes", [list]) => Formula::Atom(Said::Takes(self.set(machine, *list))),
            ("NOT", [f]) => part(f)?.not(),
            ("X", [f]) => part(f)?.next(),
            ("F", [f]) => part(f)?.eventually(),
            ("G", [f]) => part(f)?.always(),
            ("AND", [f, g]) => part(f)?.and(part(g)?),
            ("OR", [f, g]) => part(f)?.or(part(g)?),
            ("IMPLIES", [f, g]) => part(f)?.implies(part(g)?),
            ("IFF", [f, g]) => part(f)?.iff(part(g)?),
            ("U", [f, g]) => part(f)?.until(part(g)?),
            ("R", [f, g]) => part(f)?.releases(part(g)?),
            ("W", [f, g]) => part(f)?.weakly_until(part(g)?),
            ("M", [f, g]) => part(f)?.strongly_releases(part(g)?),
            _ => return Err(Halt::MALFORMED),
        })
    }
}

impl Sweep<'_, '_> {
    /// The index of an atom. Equal atoms share one.
    fn atom<'s>(
        &'s self,
        said: Said,
        known: &mut Vec<(Said, Atom<'s, CpnModel>)>,
    ) -> Atom<'s, CpnModel> {
        if let Some((_, atom)) = known.iter().find(|(other, _)| *other == said) {
            return atom.clone();
        }
        let atom = match said.clone() {
            Said::State(predicate) => {
                Atom::evaluated(move |_: &CpnModel, _: &mut Worker, state: &Marking| {
                    self.holds_at(predicate, state)
                })
            }
            Said::Takes(set) => Atom::action(move |_: &CpnModel, occurrence: &Occurrence| {
                set[occurrence.transition as usize]
            }),
        };
        known.push((said, atom.clone()));
        atom
    }
}
