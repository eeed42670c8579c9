//! Stubborn sets, sleep sets and symmetry on random compositions and on the seeds' models.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::identity::Representative;
use sweepline::observe::{Flow, Visit};
use sweepline::progress::{Trivial, by};
use sweepline::select::{Needs, Sleep, Stubborn};
use sweepline::{
    Check, Observer, Options, Progress, Reduction, Statistics, WitnessMode, explore_reduced,
};
use sweepline_lts::csp::{Limits, Script};
use sweepline_lts::{Composition, Joint, Lts, LtsBuilder, StateNo, Symmetry, Sync, Tree};
use sweepline_testkit::{Reference, assert_follows};

const EVENTS: [&str; 5] = ["a", "b", "c", "d", "e"];

fn component() -> impl Strategy<Value = Lts> {
    (2..5u32).prop_flat_map(|n| {
        vec((0..n, 0..6usize, 0..n), 1..8).prop_map(move |edges| {
            let mut lts = LtsBuilder::new("P");
            for (from, event, to) in edges {
                let label = match event {
                    5 => sweepline_lts::LabelId::TAU,
                    event => lts.label(EVENTS[event]),
                };
                lts.edge(StateNo(from), label, StateNo(to));
            }
            lts.build(n, StateNo(0)).unwrap()
        })
    })
}

/// Some copies of one component and others in parallel; they synchronise on some events.
pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let events = || vec(any::<bool>(), EVENTS.len());
    (component(), 1..4usize, vec(component(), 0..3), events(), events()).prop_map(
        |(copied, copies, others, inner, outer)| {
            let some = |chosen: Vec<bool>| {
                let chosen = EVENTS.iter().zip(chosen).filter(|(_, chosen)| *chosen);
                Sync::Interface(chosen.map(|(event, _)| (*event).to_owned()).collect())
            };
            let copies = (0..copies).map(|_| Tree::Component(copied.clone())).collect();
            let mut trees = vec![Tree::Parallel(copies, some(inner))];
            trees.extend(others.into_iter().map(Tree::Component));
            Tree::Parallel(trees, some(outer))
        },
    )
}

#[derive(Default)]
struct Seen {
    states: BTreeSet<Vec<u8>>,
    dead: BTreeSet<Vec<u8>>,
}

impl Observer<Composition> for Seen {
    fn node(&mut self, visit: &Visit<'_, Composition>, _worker: &mut ()) -> Flow {
        self.states.insert(visit.bytes.to_vec());
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, Composition>, _worker: &mut ()) -> Flow {
        self.dead.insert(visit.bytes.to_vec());
        Ok(())
    }
}

fn run(
    composition: &Composition,
    progress: &impl Progress<Composition>,
    reduction: &Reduction<'_, Composition>,
) -> (Seen, Statistics) {
    let mut seen = Seen::default();
    let options = Options { witness: WitnessMode::Off, ..Options::default() };
    let run = explore_reduced(composition, progress, reduction, &options, &mut seen);
    assert_eq!(run.stop, None);
    (seen, run.statistics)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, ..ProptestConfig::default() })]

    /// The same dead states, and the same states in which a component is in a given state, with fewer edges.
    #[test]
    fn stubborn_and_sleep_sets_keep_what_is_asked_for(
        tree in tree(), swept: bool, sleeps in 0..3u8, goal: Option<(u8, u8)>,
    ) {
        // A goal owns the data that it refers to, so the composition must be static.
        let system: &'static Composition = Box::leak(Box::new(Composition::new(tree).unwrap()));
        let (all, whole) = run(system, &Trivial, &Reduction::default());
        let at = goal.map(|(component, state)| {
            let component = usize::from(component) % system.component_count();
            (component, u32::from(state) % system.component(component).n_states() as u32)
        });
        let is_there = |bytes: &Vec<u8>| {
            use sweepline::Model;
            let state = system.decode(bytes);
            at.is_some_and(|(c, own)| system.component_state(&state, c) == StateNo(own))
        };
        let mut needs = vec![Needs::Ends];
        if let Some((component, own)) = at {
            needs.push(Needs::Goal(Arc::new(
                move |state: &Joint, push: &mut dyn FnMut(u32)| {
                    system.movers(state, component, push);
                    system.component_state(state, component) != StateNo(own)
                },
            )));
        }
        let mut reduction = Reduction::default().select(Stubborn::new(system, needs).unwrap());
        reduction.sleep = match sleeps {
            0 => None,
            1 => Some(Sleep::of(system)),
            _ => Some(Sleep::of(system).or_exact()),
        };
        let sum = by(|state: &Joint| {
            (0..system.component_count()).map(|c| i64::from(system.component_state(state, c).0)).sum::<i64>()
        });
        let (seen, figures) =
            if swept { run(system, &sum, &reduction) } else { run(system, &Trivial, &reduction) };
        prop_assert_eq!(&seen.dead, &all.dead);
        let there = |seen: &Seen| seen.states.iter().filter(|s| is_there(s)).cloned().collect::<Vec<_>>();
        prop_assert_eq!(there(&seen), there(&all));
        if figures.is_exact() {
            prop_assert!(figures.edges <= whole.edges);
        }
    }

    /// There is one representative for each orbit, and properties that do not distinguish components have the
    /// same verdicts.
    #[test]
    fn interchangeable_components_may_be_sorted(tree in tree(), stubborn: bool) {
        let system = Composition::new(tree).unwrap();
        let symmetry = Symmetry::of(&system);
        let reference = Reference::explore(&system, usize::MAX).unwrap();
        let sorted = |states: &mut dyn Iterator<Item = &Joint>| -> BTreeSet<Vec<u8>> {
            states
                .map(|state| {
                    let mut state = state.clone();
                    Representative::<Composition>::represent(&symmetry, &mut state);
                    sweepline::model::bytes_of(&system, &state)
                })
                .collect()
        };
        let mut check = Check::new(&system).represent(Symmetry::of(&system)).deadlock();
        if stubborn {
            check = check.stubborn();
        }
        let mut seen = Seen::default();
        let report = check.run_watched(&mut seen);
        let dead = !reference.dead.is_empty();
        prop_assert_eq!(report.properties[0].verdict.word(), if dead { "violated" } else { "holds" });
        if let Some(witness) = report.properties[0].verdict.witness() {
            assert_follows(&system, witness);
        } else if !stubborn {
            prop_assert_eq!(seen.states, sorted(&mut reference.states.values()));
        }
    }
}

fn seed(name: &str, params: &[(&str, &str)]) -> Composition {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/seeds").join(name);
    let mut script = Script::load(&path, &Limits::default()).unwrap();
    for (name, value) in params {
        script.set_constant(name, value).unwrap();
    }
    script.compose("SYSTEM").unwrap()
}

/// Nine voters: 2,051,029 states, of which few are not equivalent if voters are interchangeable.
#[test]
fn voters_are_interchangeable() {
    let system = seed("two-phase-commit.csp", &[("N", "9")]);
    let symmetry = Symmetry::of(&system);
    assert_eq!(symmetry.classes(), [(1..10).collect::<Vec<_>>()]);
    let report = Check::new(&system).represent(symmetry).deadlock().run();
    assert_eq!(report.properties[0].verdict.word(), "violated");
    let report = Check::new(&system).represent(Symmetry::of(&system)).run();
    assert_eq!(report.statistics.states(), Some(981));
    assert!(report.statistics.tried > 0);
}
