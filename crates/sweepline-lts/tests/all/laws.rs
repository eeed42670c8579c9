//! Random processes, as text through the script, the terms and the flat composition, compared with an
//! interpreter that follows the rules of CSP one by one. Both must be strongly bisimilar.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use sweepline_lts::csp::{Limits, Script};
use sweepline_lts::{LabelId, Lts, StateNo, read_aut_from, write_aut};

type Events = BTreeSet<char>;

const EVENTS: [char; 4] = ['a', 'b', 'c', 'd'];

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum P {
    Stop,
    Skip,
    Omega,
    Call(usize),
    Prefix(char, Box<P>),
    /// Any of these events.
    Input(Events, Box<P>),
    External(Box<P>, Box<P>),
    Internal(Box<P>, Box<P>),
    Timeout(Box<P>, Box<P>),
    Interrupt(Box<P>, Box<P>),
    Sequential(Box<P>, Box<P>),
    Exception(Box<P>, Events, Box<P>),
    Interface(Events, Vec<P>),
    Alphabets(Vec<(Events, P)>),
    Hide(Box<P>, Events),
    Rename(Box<P>, Vec<(char, char)>),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Seen {
    Tau,
    Tick,
    Event(char),
}

fn set(events: &Events) -> String {
    let events: Vec<_> = events.iter().map(char::to_string).collect();
    format!("{{{}}}", events.join(","))
}

impl fmt::Display for P {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            P::Stop => write!(f, "STOP"),
            P::Skip | P::Omega => write!(f, "SKIP"),
            P::Call(i) => write!(f, "D{i}"),
            P::Prefix(event, p) => write!(f, "({event} -> {p})"),
            P::Input(events, p) => write!(f, "([] x : {} @ x -> {p})", set(events)),
            P::External(p, q) => write!(f, "({p} [] {q})"),
            P::Internal(p, q) => write!(f, "({p} |~| {q})"),
            P::Timeout(p, q) => write!(f, "({p} [> {q})"),
            P::Interrupt(p, q) => write!(f, "({p} /\\ {q})"),
            P::Sequential(p, q) => write!(f, "({p} ; {q})"),
            P::Exception(p, events, q) => write!(f, "({p} [|{}|> {q})", set(events)),
            P::Interface(events, all) if events.is_empty() => {
                let all: Vec<_> = all.iter().map(P::to_string).collect();
                write!(f, "({})", all.join(" ||| "))
            }
            P::Interface(events, all) => {
                let all: Vec<_> = all.iter().map(P::to_string).collect();
                write!(f, "({})", all.join(&format!(" [|{}|] ", set(events))))
            }
            P::Alphabets(all) => {
                let [(first, p), (second, q)] = all.as_slice() else { return Err(fmt::Error) };
                write!(f, "({p} [{} || {}] {q})", set(first), set(second))
            }
            P::Hide(p, events) => write!(f, "({p} \\ {})", set(events)),
            P::Rename(p, pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|(a, b)| format!("{a} <- {b}")).collect();
                write!(f, "({p}[[{}]])", pairs.join(", "))
            }
        }
    }
}

fn ended(p: &P) -> bool {
    match p {
        P::Omega => true,
        P::Interface(_, all) => all.iter().all(ended),
        P::Alphabets(all) => all.iter().all(|(_, p)| ended(p)),
        P::Hide(p, _) | P::Rename(p, _) => ended(p),
        _ => false,
    }
}

/// The steps of a process.
fn steps(p: &P, defs: &[P]) -> Vec<(Seen, P)> {
    let b = |p: P| Box::new(p);
    match p {
        P::Stop | P::Omega => vec![],
        P::Skip => vec![(Seen::Tick, P::Omega)],
        P::Call(i) => steps(&defs[*i], defs),
        P::Prefix(event, p) => vec![(Seen::Event(*event), (**p).clone())],
        P::Input(events, p) => events.iter().map(|e| (Seen::Event(*e), (**p).clone())).collect(),
        P::External(p, q) => {
            let left = steps(p, defs).into_iter().map(|(seen, next)| match seen {
                Seen::Tau => (seen, P::External(b(next), q.clone())),
                _ => (seen, next),
            });
            let right = steps(q, defs).into_iter().map(|(seen, next)| match seen {
                Seen::Tau => (seen, P::External(p.clone(), b(next))),
                _ => (seen, next),
            });
            left.chain(right).collect()
        }
        P::Internal(p, q) => vec![(Seen::Tau, (**p).clone()), (Seen::Tau, (**q).clone())],
        P::Timeout(p, q) => {
            let left = steps(p, defs).into_iter().map(|(seen, next)| match seen {
                Seen::Tau => (seen, P::Timeout(b(next), q.clone())),
                _ => (seen, next),
            });
            left.chain([(Seen::Tau, (**q).clone())]).collect()
        }
        P::Interrupt(p, q) => {
            let left = steps(p, defs).into_iter().map(|(seen, next)| match seen {
                Seen::Tick => (seen, next),
                _ => (seen, P::Interrupt(b(next), q.clone())),
            });
            let right = steps(q, defs).into_iter().map(|(seen, next)| match seen {
                Seen::Tau => (seen, P::Interrupt(p.clone(), b(next))),
                _ => (seen, next),
            });
            left.chain(right).collect()
        }
        P::Sequential(p, q) => {
            let next = steps(p, defs).into_iter().map(|(seen, next)| match seen {
                Seen::Tick => (Seen::Tau, (**q).clone()),
                _ => (seen, P::Sequential(b(next), q.clone())),
            });
            next.collect()
        }
        P::Exception(p, events, q) => {
            let next = steps(p, defs).into_iter().map(|(seen, next)| match seen {
                Seen::Event(e) if events.contains(&e) => (seen, (**q).clone()),
                Seen::Tick => (seen, next),
                _ => (seen, P::Exception(b(next), events.clone(), q.clone())),
            });
            next.collect()
        }
        P::Interface(events, all) => {
            let others = |_: usize, e: char| if events.contains(&e) { all.len() } else { 1 };
            together(all, others, defs, &|all| P::Interface(events.clone(), all))
        }
        P::Alphabets(both) => {
            let all: Vec<P> = both.iter().map(|(_, p)| p.clone()).collect();
            let others = |i: usize, e: char| match both[i].0.contains(&e) {
                true => both.iter().filter(|(events, _)| events.contains(&e)).count(),
                false => 0,
            };
            together(&all, others, defs, &|all| {
                let events = both.iter().map(|(events, _)| events.clone());
                P::Alphabets(events.zip(all).collect())
            })
        }
        P::Hide(p, events) => {
            let next = steps(p, defs).into_iter().map(|(seen, next)| match seen {
                Seen::Tick => (seen, next),
                Seen::Event(e) if events.contains(&e) => {
                    (Seen::Tau, P::Hide(b(next), events.clone()))
                }
                _ => (seen, P::Hide(b(next), events.clone())),
            });
            next.collect()
        }
        P::Rename(p, pairs) => {
            let mut all = Vec::new();
            for (seen, next) in steps(p, defs) {
                let renamed = P::Rename(b(next.clone()), pairs.clone());
                match seen {
                    Seen::Tick => all.push((seen, next)),
                    Seen::Event(e) if pairs.iter().any(|(from, _)| *from == e) => {
                        let to = pairs.iter().filter(|(from, _)| *from == e);
                        all.extend(to.map(|(_, to)| (Seen::Event(*to), renamed.clone())));
                    }
                    _ => all.push((seen, renamed)),
                }
            }
            all
        }
    }
}

/// Parallel composition: `others` gives the number of processes that must take part in an event.
fn together(
    all: &[P],
    others: impl Fn(usize, char) -> usize,
    defs: &[P],
    joined: &dyn Fn(Vec<P>) -> P,
) -> Vec<(Seen, P)> {
    if all.iter().all(ended) {
        return vec![(Seen::Tick, P::Omega)];
    }
    let own: Vec<_> = all.iter().map(|p| if ended(p) { vec![] } else { steps(p, defs) }).collect();
    let mut moves = Vec::new();
    for (i, steps) in own.iter().enumerate() {
        for (seen, next) in steps {
            let mut after = all.to_vec();
            after[i] = next.clone();
            match seen {
                Seen::Tau | Seen::Tick => moves.push((Seen::Tau, joined(after))),
                Seen::Event(e) if others(i, *e) == 1 => moves.push((*seen, joined(after))),
                _ => {}
            }
        }
    }
    for event in EVENTS {
        let part = |i: usize| others(i, event) > 1;
        let members: Vec<usize> = (0..all.len()).filter(|&i| part(i)).collect();
        if members.is_empty() {
            continue;
        }
        let mut combined = vec![all.to_vec()];
        for i in members {
            let targets: Vec<_> =
                own[i].iter().filter(|(seen, _)| *seen == Seen::Event(event)).collect();
            let mut extended = Vec::new();
            for base in &combined {
                for (_, target) in &targets {
                    let mut next = base.clone();
                    next[i] = target.clone();
                    extended.push(next);
                }
            }
            combined = extended;
        }
        moves.extend(combined.into_iter().map(|all| (Seen::Event(event), joined(all))));
    }
    moves
}

/// A graph whose first state is the initial one.
type Graph = Vec<BTreeSet<(Seen, usize)>>;

fn interpreted(start: &P, defs: &[P]) -> Option<Graph> {
    let mut numbers: BTreeMap<P, usize> = [(start.clone(), 0)].into();
    let mut states = vec![start.clone()];
    let mut graph = Graph::new();
    while graph.len() < states.len() {
        let mut own = BTreeSet::new();
        for (seen, next) in steps(&states[graph.len()], defs) {
            let number = *numbers.entry(next.clone()).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            });
            own.insert((seen, number));
        }
        graph.push(own);
        if states.len() > 3_000 {
            return None;
        }
    }
    Some(graph)
}

fn explored(lts: &Lts) -> Graph {
    assert_eq!(lts.initial(), StateNo(0));
    let seen = |label: LabelId| match label {
        LabelId::TAU => Seen::Tau,
        LabelId::TICK => Seen::Tick,
        _ => Seen::Event(lts.label(label).chars().next().expect("a name")),
    };
    let edges = |state| lts.edges(state).iter().map(|e| (seen(e.label), e.target.index()));
    lts.states().map(|state| edges(state).collect()).collect()
}

/// Refines one partition of both graphs until it is stable.
fn bisimilar(left: &Graph, right: &Graph) -> bool {
    refined(left, right, |graph, blocks, state| {
        graph[state].iter().map(|&(s, t)| (s, blocks[t])).collect()
    })
}

/// The same up to internal steps that change nothing (branching bisimulation).
fn bisimilar_but_for_inert_steps(left: &Graph, right: &Graph) -> bool {
    refined(left, right, |graph, blocks, state| {
        let (mut seen, mut work, mut signature) =
            (BTreeSet::from([state]), vec![state], BTreeSet::new());
        while let Some(from) = work.pop() {
            for &(s, t) in &graph[from] {
                if s != Seen::Tau || blocks[t] != blocks[state] {
                    signature.insert((s, blocks[t]));
                } else if seen.insert(t) {
                    work.push(t);
                }
            }
        }
        signature
    })
}

/// Refines one partition of both graphs by the signatures of their states until it is stable.
fn refined(
    left: &Graph,
    right: &Graph,
    signature: impl Fn(&Graph, &[usize], usize) -> BTreeSet<(Seen, usize)>,
) -> bool {
    let shift = left.len();
    let moved = right.iter().map(|edges| edges.iter().map(|(s, t)| (*s, t + shift)).collect());
    let graph: Graph = left.iter().cloned().chain(moved).collect();
    let mut blocks = vec![0; graph.len()];
    let mut n_blocks = 1;
    loop {
        let mut numbers = BTreeMap::new();
        let mut refined = Vec::with_capacity(graph.len());
        for state in 0..graph.len() {
            let signature = signature(&graph, &blocks, state);
            let n = numbers.len();
            refined.push(*numbers.entry((blocks[state], signature)).or_insert(n));
        }
        if numbers.len() == n_blocks {
            return refined[0] == refined[shift];
        }
        (n_blocks, blocks) = (numbers.len(), refined);
    }
}

fn events() -> impl Strategy<Value = Events> {
    btree_set(select(EVENTS.to_vec()), 0..4)
}

/// Processes that only become one another, so that there are finitely many states.
fn sequential() -> impl Strategy<Value = P> {
    let leaf = prop_oneof![
        2 => Just(P::Stop),
        3 => Just(P::Skip),
        3 => (0..3usize).prop_map(P::Call),
    ];
    let b = |p: P| Box::new(p);
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            4 => (select(EVENTS.to_vec()), inner.clone())
                .prop_map(move |(e, p)| P::Prefix(e, b(p))),
            1 => (events(), inner).prop_map(move |(e, p)| P::Input(e, b(p))),
            2 => two.clone().prop_map(move |(p, q)| P::External(b(p), b(q))),
            1 => two.clone().prop_map(move |(p, q)| P::Internal(b(p), b(q))),
            1 => two.prop_map(move |(p, q)| P::Timeout(b(p), b(q))),
        ]
    })
}

fn process() -> impl Strategy<Value = P> {
    let b = |p: P| Box::new(p);
    let pairs = || vec((select(EVENTS.to_vec()), select(EVENTS.to_vec())), 1..4);
    sequential().prop_recursive(3, 6, 3, move |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            4 => (events(), inner.clone(), inner.clone())
                .prop_map(|(e, p, q)| P::Interface(e, vec![p, q])),
            2 => ((events(), inner.clone()), (events(), inner.clone()))
                .prop_map(|(p, q)| P::Alphabets(vec![p, q])),
            2 => (inner.clone(), events()).prop_map(move |(p, e)| P::Hide(b(p), e)),
            2 => (inner.clone(), pairs()).prop_map(move |(p, all)| P::Rename(b(p), all)),
            1 => two.clone().prop_map(move |(p, q)| P::Sequential(b(p), b(q))),
            1 => two.clone().prop_map(move |(p, q)| P::Interrupt(b(p), b(q))),
            1 => two.clone().prop_map(move |(p, q)| P::External(b(p), b(q))),
            1 => two.clone().prop_map(move |(p, q)| P::Timeout(b(p), b(q))),
            1 => (inner.clone(), events(), inner)
                .prop_map(move |(p, e, q)| P::Exception(b(p), e, b(q))),
        ]
    })
}

/// Whether some component of a parallel composition contains another one below another operator. Such a
/// component terminates by an internal step, which the interpreter shows.
fn nests(p: &P) -> bool {
    let hides = |p: &&P| !is_parallel(p) && has_parallel(p);
    is_parallel(p) && children(p).iter().any(hides) || children(p).into_iter().any(nests)
}

fn is_parallel(p: &P) -> bool {
    matches!(p, P::Interface(..) | P::Alphabets(_))
}

fn has_parallel(p: &P) -> bool {
    is_parallel(p) || children(p).into_iter().any(has_parallel)
}

/// The operands of `p`.
fn children(p: &P) -> Vec<&P> {
    match p {
        P::Stop | P::Omega | P::Skip | P::Call(_) => vec![],
        P::Interface(_, all) => all.iter().collect(),
        P::Alphabets(all) => all.iter().map(|(_, p)| p).collect(),
        P::Prefix(_, p) | P::Input(_, p) | P::Hide(p, _) | P::Rename(p, _) => vec![&**p],
        P::External(p, q)
        | P::Internal(p, q)
        | P::Timeout(p, q)
        | P::Interrupt(p, q)
        | P::Sequential(p, q)
        | P::Exception(p, _, q) => vec![&**p, &**q],
    }
}

fn lts_of(script: &mut Script, process: &str) -> Lts {
    let composition = script.compose(process).unwrap_or_else(|errors| panic!("{errors}"));
    composition.to_lts("P", 100_000).expect("a small state space")
}

fn check(start: &P, defs: &[P]) {
    // Every call comes after an event.
    let defs: Vec<_> = defs.iter().map(|p| P::Prefix('a', Box::new(p.clone()))).collect();
    let Some(expected) = interpreted(start, &defs) else { return };
    let mut text = "channel a, b, c, d\n".to_owned();
    for (i, def) in defs.iter().enumerate() {
        text.push_str(&format!("D{i} = {def}\n"));
    }
    let mut script = Script::read("test.csp", &text, &Limits::default()).expect("a script");
    let process = start.to_string();
    let flat = lts_of(&mut script, &process);
    let same = bisimilar(&explored(&flat), &expected)
        || nests(start) && bisimilar_but_for_inert_steps(&explored(&flat), &expected);
    assert!(same, "flat: {process}\n{text}");
    // An interrupt that never happens makes the whole process one component.
    let one = lts_of(&mut script, &format!("{process} /\\ STOP"));
    assert!(bisimilar(&explored(&one), &expected), "one component: {process}\n{text}");
    // Writing and reading gives the same LTS.
    let mut bytes = Vec::new();
    write_aut(&flat, &mut bytes).expect("a writable LTS");
    let again = read_aut_from("P.aut", bytes.as_slice()).expect("what was written");
    assert!(bisimilar(&explored(&again), &explored(&flat)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn scripts_do_what_the_rules_say(p in process(), defs in vec(sequential(), 3)) {
        check(&p, &defs);
    }
}

#[test]
fn a_component_shows_that_it_has_ended() {
    let skip = || Box::new(P::Skip);
    let inner = P::Interface(Events::new(), vec![P::Skip, P::Prefix('a', skip())]);
    let choice = P::External(Box::new(inner), skip());
    check(&P::Interface(Events::new(), vec![choice, P::Stop]), &[]);
}

#[test]
fn bisimulation_tells_choices_apart() {
    let (a, b) = (P::Prefix('b', Box::new(P::Stop)), P::Prefix('c', Box::new(P::Stop)));
    let after = |p: P| P::Prefix('a', Box::new(p));
    let early = P::External(Box::new(after(a.clone())), Box::new(after(b.clone())));
    let late = after(P::External(Box::new(a), Box::new(b)));
    let graph = |p: &P| interpreted(p, &[]).expect("few states");
    assert!(!bisimilar(&graph(&early), &graph(&late)));
    assert!(bisimilar(&graph(&late), &graph(&late)));
}
