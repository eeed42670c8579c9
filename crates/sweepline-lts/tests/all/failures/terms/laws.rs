//! The laws of CSP (Roscoe, *Understanding Concurrent Systems*, chapters 2 to 5, 7 and 10) on random processes.

use proptest::prelude::*;
use sweepline_lts::{Refinement, Semantics, Specification};

use super::super::random::{MODELS, WAYS, never, violation};
use super::agree::{STATES, composed};
use super::generate::{case_of, numbers};
use super::observed::Machine;

/// Both sides are equal in all three models, for all processes `P`, `Q`, `R` and sets `A`, `B`.
const EQUAL: [(&str, &str); 101] = [
    // Choices.
    ("P |~| P", "P"),
    ("P |~| Q", "Q |~| P"),
    ("P |~| (Q |~| R)", "(P |~| Q) |~| R"),
    ("P [] P", "P"),
    ("P [] Q", "Q [] P"),
    ("P [] (Q [] R)", "(P [] Q) [] R"),
    ("P [] STOP", "P"),
    ("P [] (Q |~| R)", "(P [] Q) |~| (P [] R)"),
    ("P |~| (Q [] R)", "(P |~| Q) [] (P |~| R)"),
    ("a -> (P |~| Q)", "(a -> P) |~| (a -> Q)"),
    ("(a -> P) [] (a -> Q)", "a -> (P |~| Q)"),
    ("c?x -> (if x == 0 then P else Q)", "(c.0 -> P) [] (c.1 -> Q)"),
    ("c$x -> (if x == 0 then P else Q)", "(c.0 -> P) |~| (c.1 -> Q)"),
    ("[] x : {0, 1} @ c.x -> P", "c?x -> P"),
    ("|~| x : {0, 1} @ (if x == 0 then P else Q)", "P |~| Q"),
    ("SKIP [] P", "P [> SKIP"),
    // Timeout and interrupt.
    ("P [> Q", "(P [] Q) |~| Q"),
    ("P [> Q", "(P |~| STOP) [] Q"),
    ("STOP [> P", "P"),
    ("P [> (Q [> R)", "(P [> Q) [> R"),
    ("P /\\ STOP", "P"),
    ("STOP /\\ P", "P"),
    ("(P /\\ Q) /\\ R", "P /\\ (Q /\\ R)"),
    ("(a -> P) /\\ Q", "(a -> (P /\\ Q)) [] Q"),
    ("SKIP /\\ P", "SKIP [] P"),
    ("(P |~| Q) /\\ R", "(P /\\ R) |~| (Q /\\ R)"),
    ("P /\\ (Q |~| R)", "(P /\\ Q) |~| (P /\\ R)"),
    // Sequences and exceptions.
    ("SKIP ; P", "P"),
    ("P ; SKIP", "P"),
    ("STOP ; P", "STOP"),
    ("P ; (Q ; R)", "(P ; Q) ; R"),
    ("(a -> P) ; Q", "a -> (P ; Q)"),
    ("(P |~| Q) ; R", "(P ; R) |~| (Q ; R)"),
    ("P ; (Q |~| R)", "(P ; Q) |~| (P ; R)"),
    ("; x : <0, 1> @ (if x == 0 then P else Q)", "P ; Q"),
    ("P [|{}|> Q", "P"),
    ("(a -> P) [|A|> Q", "if member(a, A) then a -> Q else a -> (P [|A|> Q)"),
    ("(P |~| Q) [|A|> R", "(P [|A|> R) |~| (Q [|A|> R)"),
    ("P [|A|> (Q |~| R)", "(P [|A|> Q) |~| (P [|A|> R)"),
    ("(P [] Q) [|A|> R", "(P [|A|> R) [] (Q [|A|> R)"),
    // Parallel composition.
    ("P ||| Q", "Q ||| P"),
    ("P ||| (Q ||| R)", "(P ||| Q) ||| R"),
    ("P ||| SKIP", "P"),
    ("P ||| STOP", "P ; STOP"),
    ("(P |~| Q) ||| R", "(P ||| R) |~| (Q ||| R)"),
    ("(a -> P) ||| (b -> Q)", "(a -> (P ||| (b -> Q))) [] (b -> ((a -> P) ||| Q))"),
    ("P [|{}|] Q", "P ||| Q"),
    ("P [|A|] Q", "Q [|A|] P"),
    ("P [|A|] (Q [|A|] R)", "(P [|A|] Q) [|A|] R"),
    ("(P |~| Q) [|A|] R", "(P [|A|] R) |~| (Q [|A|] R)"),
    ("SKIP [|A|] SKIP", "SKIP"),
    ("(a -> P) [|{a}|] (a -> Q)", "a -> (P [|{a}|] Q)"),
    ("((a -> P) [] (a -> Q)) [|{a}|] (a -> R)", "a -> ((P |~| Q) [|{a}|] R)"),
    ("(a -> P) [|{a, b}|] (b -> Q)", "STOP"),
    ("(a -> P) [|{b}|] (b -> Q)", "a -> (P [|{b}|] (b -> Q))"),
    ("SKIP [|A|] (a -> P)", "if member(a, A) then STOP else a -> (SKIP [|A|] P)"),
    ("[|A|] x : {0, 1} @ (if x == 0 then P else Q)", "P [|A|] Q"),
    ("||| x : {0, 1} @ (if x == 0 then P else Q)", "P ||| Q"),
    ("P [A||B] Q", "Q [B||A] P"),
    ("(P |~| Q) [A||B] R", "(P [A||B] R) |~| (Q [A||B] R)"),
    ("P [A||B] Q", "(P [|diff(Events, A)|] SKIP) [|inter(A, B)|] (Q [|diff(Events, B)|] SKIP)"),
    ("P [Events||Events] Q", "P [|Events|] Q"),
    ("|| x : {0, 1} @ [if x == 0 then A else B] (if x == 0 then P else Q)", "P [A||B] Q"),
    ("(P [A||B] Q) [union(A, B)||{c.1}] R", "P [A||union(B, {c.1})] (Q [B||{c.1}] R)"),
    ("(a -> P) [a <-> b] (b -> Q)", "P [a <-> b] Q"),
    ("P [a <-> b] Q", "Q [b <-> a] P"),
    // Hiding.
    ("P \\ {}", "P"),
    ("(P \\ A) \\ B", "P \\ union(A, B)"),
    ("(P |~| Q) \\ A", "(P \\ A) |~| (Q \\ A)"),
    ("(a -> P) \\ A", "if member(a, A) then P \\ A else a -> (P \\ A)"),
    ("(P ; Q) \\ A", "(P \\ A) ; (Q \\ A)"),
    ("(P ||| Q) \\ A", "(P \\ A) ||| (Q \\ A)"),
    ("(P [|diff(B, A)|] Q) \\ A", "(P \\ A) [|diff(B, A)|] (Q \\ A)"),
    ("((a -> P) [] (b -> Q)) \\ {a}", "(P \\ {a}) |~| ((P \\ {a}) [] (b -> (Q \\ {a})))"),
    ("P |\\ A", "P \\ diff(Events, A)"),
    ("STOP \\ A", "STOP"),
    ("SKIP \\ A", "SKIP"),
    // Renaming.
    ("P[[a <- a]]", "P"),
    ("(P |~| Q)[[a <- b, b <- c.0]]", "P[[a <- b, b <- c.0]] |~| Q[[a <- b, b <- c.0]]"),
    ("(P [] Q)[[a <- b, a <- c.0]]", "P[[a <- b, a <- c.0]] [] Q[[a <- b, a <- c.0]]"),
    ("(P ; Q)[[a <- b]]", "P[[a <- b]] ; Q[[a <- b]]"),
    ("(P ||| Q)[[a <- b, a <- c.1]]", "P[[a <- b, a <- c.1]] ||| Q[[a <- b, a <- c.1]]"),
    (
        "(a -> P)[[a <- b, a <- c.0]]",
        "(b -> P[[a <- b, a <- c.0]]) [] (c.0 -> P[[a <- b, a <- c.0]])",
    ),
    ("P[[a <- b]][[b <- c.0]]", "P[[a <- c.0, b <- c.0]]"),
    ("(P [|{a}|] Q)[[a <- b, b <- a]]", "P[[a <- b, b <- a]] [|{b}|] Q[[a <- b, b <- a]]"),
    ("P[[c.0 <- a, c.1 <- a]] \\ {a}", "P \\ {a, c.0, c.1}"),
    ("P[[a <- b, a <- a]] \\ {a, b}", "P \\ {a, b}"),
    // Precedences.
    ("a -> P ; Q", "(a -> P) ; Q"),
    ("P ; Q [> R", "(P ; Q) [> R"),
    ("P [> Q ; R", "P [> (Q ; R)"),
    ("P [> Q /\\ R", "(P [> Q) /\\ R"),
    ("P /\\ Q [> R", "P /\\ (Q [> R)"),
    ("P /\\ Q [] R", "(P /\\ Q) [] R"),
    ("P [] Q /\\ R", "P [] (Q /\\ R)"),
    ("P [] Q |~| R", "(P [] Q) |~| R"),
    ("P |~| Q [] R", "P |~| (Q [] R)"),
    ("P |~| Q [|A|] R", "(P |~| Q) [|A|] R"),
    ("P [|A|] Q |~| R", "P [|A|] (Q |~| R)"),
    ("P [|A|] Q ||| R", "(P [|A|] Q) ||| R"),
    ("P ||| Q [|A|] R", "P ||| (Q [|A|] R)"),
    ("P ||| Q \\ A", "(P ||| Q) \\ A"),
];

/// The right side refines the left side in all three models.
const REFINED: [(&str, &str); 6] = [
    ("P |~| Q", "P"),
    ("P |~| Q", "P [] Q"),
    ("P [> Q", "P [] Q"),
    ("P [> Q", "Q"),
    ("CHAOS(Events) |~| DIV", "P ; STOP"),
    ("DIV |~| P", "P"),
];

/// `|~|` of two processes is refined by each of them, also within operators: these are monotone.
const CONTEXTS: [&str; 17] = [
    "a -> _",
    "_ [] Q",
    "_ |~| Q",
    "_ [> Q",
    "Q [> _",
    "_ /\\ Q",
    "Q /\\ _",
    "_ ; Q",
    "Q ; _",
    "_ [|A|> Q",
    "Q [|A|> _",
    "_ [|A|] Q",
    "_ ||| Q",
    "_ [A||B] Q",
    "_ \\ A",
    "_[[a <- b, c.0 <- a]]",
    "let L = a -> (L ||| STOP) [] b -> _ within b -> _",
];

fn is_refined(text: &str, spec: &str, process: &str, semantics: Semantics) -> bool {
    let lts = composed(text, spec).to_lts("spec", 100_000).expect("few states");
    let normal = Specification::of(&lts, semantics, 1_000_000, &never).expect("few states");
    let process = composed(text, process);
    violation(&Refinement::new(normal, &process), semantics, WAYS[0]).is_none()
}

#[track_caller]
fn check_refined(text: &str, spec: &str, process: &str) {
    for semantics in MODELS {
        let holds = is_refined(text, spec, process, semantics);
        assert!(holds, "{spec} is not refined by {process} in {semantics:?}\n{text}");
    }
}

fn check_law(numbers: &[u16], index: usize) {
    let case = case_of(numbers);
    // Three of them in parallel have no more than some thousand states.
    let is_small = |process| Machine::of(&case.definitions, process, STATES / 15).is_some();
    if !case.processes.iter().all(|process| is_small(process)) {
        return;
    }
    let text = case.text();
    let (n_equal, n_refined) = (EQUAL.len(), REFINED.len());
    match index % (n_equal + n_refined + CONTEXTS.len()) {
        index if index < n_equal => {
            let (left, right) = EQUAL[index];
            check_refined(&text, left, right);
            check_refined(&text, right, left);
        }
        index if index < n_equal + n_refined => {
            let (spec, process) = REFINED[index - n_equal];
            check_refined(&text, spec, process);
        }
        index => {
            let context = CONTEXTS[index - n_equal - n_refined];
            let fill = |process: &str| context.replace('_', process);
            check_refined(&text, &fill("(P |~| R)"), &fill("R"));
        }
    }
}

proptest! {
    #[test]
    fn laws_hold_for_random_processes(numbers in numbers(), index in any::<usize>()) {
        check_law(&numbers, index);
    }
}
