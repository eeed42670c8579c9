//! Automata, compared with the semantics of formulas on random words; and their sizes.

use proptest::collection::vec;
use proptest::prelude::*;

use sweepline::ltl::{Automaton, Formula, Lasso, TooLarge, parse};
use sweepline_testkit::formulas;

/// Whether the automaton has an accepting run on `word`: in the graph of positions and nodes, some reachable
/// cycle meets all sets. Computed by repeated closure of relations.
fn accepts(automaton: &Automaton, word: &Lasso<u64>) -> bool {
    let (letters, nodes) = (word.letters.len(), automaton.nodes.len());
    let mut edges: Vec<(usize, u64, usize)> = Vec::new();
    for (at, &letter) in word.letters.iter().enumerate() {
        let next = if at + 1 < letters { at + 1 } else { word.back };
        for (node, out) in automaton.nodes.iter().enumerate() {
            for edge in out.iter().filter(|edge| edge.reads(letter)) {
                edges.push((at * nodes + node, edge.marks, next * nodes + edge.target as usize));
            }
        }
    }
    let reach = |from: usize| {
        let mut reached = vec![false; letters * nodes];
        reached[from] = true;
        loop {
            let new = edges.iter().filter(|e| reached[e.0] && !reached[e.2]).map(|e| e.2);
            let new: Vec<usize> = new.collect();
            if new.is_empty() {
                return reached;
            }
            new.into_iter().for_each(|state| reached[state] = true);
        }
    };
    let all: Vec<Vec<bool>> = (0..letters * nodes).map(reach).collect();
    (0..letters * nodes).filter(|&state| all[0][state]).any(|state| {
        let inside = |other: usize| all[state][other] && all[other][state];
        let inner = edges.iter().filter(|e| inside(e.0) && inside(e.2));
        let (cycle, marks) = inner.fold((false, 0), |(_, marks), edge| (true, marks | edge.1));
        cycle && marks == automaton.all_sets()
    })
}

fn words() -> impl Strategy<Value = Lasso<u64>> {
    (vec(0..8u64, 1..6), any::<prop::sample::Index>()).prop_map(|(letters, back)| {
        let back = back.index(letters.len());
        Lasso { letters, back }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn automata_accept_what_satisfies_the_formula(formula in formulas(3, 16), words in vec(words(), 4)) {
        let automaton = Automaton::of(&formula).expect("small");
        let negation = Automaton::of_negation(&formula).expect("small");
        for word in words {
            let holds = formula.holds_on(&word, &|atom, letter| letter >> atom & 1 == 1);
            prop_assert_eq!(accepts(&automaton, &word), holds, "{}\n{}", formula, automaton);
            prop_assert_eq!(accepts(&negation, &word), !holds, "! {}\n{}", formula, negation);
        }
    }
}

/// States and sets of the automata of a formula and of its negation.
fn sizes(formula: &Formula<u32>) -> [(usize, u32); 2] {
    let size = |automaton: Automaton| (automaton.nodes.len(), automaton.sets);
    [Automaton::of(formula), Automaton::of_negation(formula)].map(|a| size(a.expect("small")))
}

#[test]
fn usual_formulas_have_small_automata() {
    let [p, q, r] = [0, 1, 2].map(Formula::Atom);
    let (p, q, r) = (|| p.clone(), || q.clone(), || r.clone());
    let often = |f: Formula<u32>| f.eventually().always();
    assert_eq!(sizes(&p().always()), [(1, 0), (2, 1)]);
    assert_eq!(sizes(&p().eventually()), [(2, 1), (1, 0)]);
    assert_eq!(sizes(&often(p())), [(1, 1), (2, 1)]);
    assert_eq!(sizes(&p().always().eventually()), [(2, 1), (1, 1)]);
    assert_eq!(sizes(&p().until(q())), [(2, 1), (2, 0)]);
    assert_eq!(sizes(&p().implies(q().eventually()).always()), [(2, 1), (2, 1)]);
    assert_eq!(sizes(&often(p()).and(often(q()))), [(1, 2), (3, 1)]);
    assert_eq!(sizes(&often(p()).implies(often(q()))), [(4, 1), (2, 1)]);
    assert_eq!(sizes(&p().next().next()), [(4, 0), (4, 0)]);
    assert_eq!(sizes(&p().or(q()).until(r())), [(2, 1), (2, 0)]);
    assert_eq!(sizes(&p().and(p().not())), [(1, 0), (1, 0)]);
}

#[test]
fn a_formula_may_be_too_large() {
    let wide = (0..70).map(Formula::Atom).reduce(Formula::and).expect("some");
    assert_eq!(Automaton::of(&wide), Err(TooLarge::Atoms(70)));
    let untils = (0..20).map(|i| Formula::Atom(i).until(Formula::Atom(i + 20)));
    let all = untils.reduce(Formula::and).expect("some");
    assert!(matches!(Automaton::of(&all), Err(TooLarge::Nodes(_))));
}

proptest! {
    #[test]
    fn what_is_shown_can_be_parsed(formula in formulas(3, 16)) {
        let named = formula.map(|atom| format!("p{atom}"));
        let parsed = parse(&named.to_string()).expect("as it was shown").map(|atom| atom.text);
        prop_assert_eq!(parsed.to_string(), named.to_string());
        prop_assert_eq!(parsed, named);
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in "[GFXUp(){}\"!&|<>=\\- ä]{0,12}") {
        if let Err(error) = parse(&text) {
            prop_assert!(error.at.start <= error.at.end && error.at.end <= text.len());
            prop_assert!(text.is_char_boundary(error.at.start) && text.is_char_boundary(error.at.end));
        }
    }
}

#[test]
fn operators_bind_as_documented() {
    let shown = |text: &str| parse(text).map(|f| f.map(|atom| atom.text).to_string());
    for (written, grouped) in [
        ("a -> b -> c", "a -> (b -> c)"),
        ("a U b U c && d or e", "((a U (b U c)) && d) || e"),
        ("!a U X b", "! a U X b"),
        ("GF a <-> [] <> \"b c\"", "G F a <-> G F b c"),
        ("not a implies b and G{size (f {x=1}) > 0}", "! a -> (b && G size (f {x=1}) > 0)"),
    ] {
        assert_eq!(shown(written).as_deref(), Ok(grouped), "{written}");
    }
}

#[test]
fn errors_have_positions() {
    for (written, at, message) in [
        ("", 0..0, "the formula is empty"),
        ("G (a -> F b", 2..3, "the parenthesis is not closed"),
        ("a U", 3..3, "the formula ends where an operand is missing"),
        ("G a)", 3..4, "this closing parenthesis has no opening one"),
        ("a b", 2..3, "an operator is missing here"),
        ("(a b)", 3..4, "an operator or a closing parenthesis is missing here"),
        ("G && b", 2..4, "an operand is missing before this"),
        ("p > 1", 2..3, "the character `>` has no meaning here"),
        ("G {p > 1", 2..3, "the brace is not closed"),
        ("G \"p", 2..3, "the quoted name does not end"),
    ] {
        let error = parse(written).expect_err(written);
        assert_eq!((error.at, error.message.as_str()), (at, message), "{written}");
    }
    let deep = format!("{}p", "G ".repeat(300));
    assert!(parse(&deep).expect_err("too deep").message.contains("200"));
}
