//! The expression language: its meaning, its printed form, and its error messages.

use proptest::prelude::*;

use super::*;
use crate::net::{Net, PlaceId, TransitionId};
use crate::read::render;

/// A marking given by its counts; `fireable` and `deadlock` as the test sets them.
#[derive(Debug, Clone)]
struct State {
    tokens: Vec<u64>,
    fireable: Vec<bool>,
    deadlock: bool,
}

impl MarkingView for State {
    fn tokens(&self, place: PlaceId) -> u64 {
        self.tokens[place.index()]
    }

    fn fireable(&self, transition: TransitionId) -> bool {
        self.fireable[transition.index()]
    }

    fn deadlock(&self) -> bool {
        self.deadlock
    }
}

/// A net with difficult names.
fn net() -> Net {
    Net::builder("n")
        .place_named("p1", "sent", 0)
        .place_named("p2", "my place", 0)
        .place_named("p3", "a \"quoted\" \\ name", 0)
        .place_named("and", "twin", 0)
        .place_named("p5.x'", "twin", 0)
        .place_named("tokens", "", 0)
        .transition_named("t1", "send", &[("p1", 1)], &[])
        .transition_named("t2", "deadlock", &[], &[])
        .transition_named("t3", "\u{3b1}-1", &[], &[])
        .build()
        .unwrap()
}

fn shown(text: &str) -> String {
    let net = net();
    match parse_predicate(&net, text) {
        Ok(predicate) => predicate.display(&net).to_string(),
        Err(errors) => panic!("{text}: {errors}"),
    }
}

#[test]
fn conditions_are_kept_in_one_form() {
    for (text, expected) in [
        ("sent <= 3", "tokens(sent) <= 3"),
        ("p1<3", "tokens(sent) <= 2"),
        ("3 > p1", "tokens(sent) <= 2"),
        ("sent > 3", "tokens(sent) >= 4"),
        ("! sent > 3", "tokens(sent) <= 3"),
        ("not not sent = 3", "tokens(sent) = 3"),
        ("not (sent == 3)", "tokens(sent) != 3"),
        ("2*sent + 2*\"my place\" <= 5", "tokens(sent) + tokens(\"my place\") <= 2"),
        ("2*sent = 5", "false"),
        ("2*sent != 5", "true"),
        ("-sent <= 0", "true"),
        ("sent + p2 < 0", "false"),
        ("sent - sent = 0", "true"),
        ("sent <= p2", "tokens(sent) - tokens(\"my place\") <= 0"),
        ("p2 - sent = 1", "tokens(sent) - tokens(\"my place\") = -1"),
        ("tokens(p1, p2, p1) >= 1", "2 * tokens(sent) + tokens(\"my place\") >= 1"),
        ("-(sent - 2) * 3 >= 1 + 2*-1", "tokens(sent) <= 2"),
        ("deadlock && !fireable(send, t3, t1)", "deadlock and not fireable(send, \"\u{3b1}-1\")"),
        ("fireable(deadlock)", "fireable(\"deadlock\")"),
        ("true and sent = 1 and true", "tokens(sent) = 1"),
        ("sent = 1 or true", "true"),
        (
            "sent = 1 -> p2 = 1 -> p3 = 1",
            "tokens(sent) != 1 or tokens(\"my place\") != 1 or tokens(\"a \\\"quoted\\\" \\\\ name\") = 1",
        ),
        (
            "(sent = 1 or p2 = 1) and (p3 = 1 and deadlock)",
            "(tokens(sent) = 1 or tokens(\"my place\") = 1) and tokens(\"a \\\"quoted\\\" \\\\ name\") = 1 and deadlock",
        ),
        (
            "sent = 1 or p2 = 1 and deadlock",
            "tokens(sent) = 1 or tokens(\"my place\") = 1 and deadlock",
        ),
        ("\"and\" + p5.x' + tokens > 0", "tokens(\"and\") + tokens(p5.x') + tokens(\"\") >= 1"),
        ("18446744073709551615 >= sent", "tokens(sent) <= 18446744073709551615"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
        assert_eq!(shown(expected), expected);
    }
}

#[test]
fn evaluation_is_exact_at_the_limits() {
    let net = net();
    let state =
        State { tokens: vec![u64::MAX; 6], fireable: vec![true, false, false], deadlock: false };
    for (text, expected) in [
        ("sent + p2 = 36893488147419103230", true),
        ("sent + p2 > 36893488147419103230", false),
        ("2305843009213693951*sent - 2305843009213693951*p2 = 0", true),
        ("2305843009213693951*sent + p2 > 1", true),
        ("2305843009213693951*sent + p2 <= 1", false),
        ("fireable(t1, t2)", true),
        ("fireable(t2, t3)", false),
        ("deadlock -> false", true),
    ] {
        let predicate = parse_predicate(&net, text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(predicate.holds(&state), expected, "{text}");
    }
    let expr = parse_expr(&net, "2*sent - p2 + 1").unwrap();
    assert_eq!(expr.value(&state), i128::from(u64::MAX) + 1);
}

fn check(name: &str, text: &str) {
    let errors = parse_predicate(&net(), text).expect_err(text);
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!(format!("expression_{name}"), render(&errors));
    });
}

#[test]
fn wrong_expressions_are_explained() {
    check("empty", "  ");
    check("unknown_place", "tokens(snt) + sent <= 3 and tokens(\"my plac\") > 1");
    check("unknown_transition", "fireable(sned)");
    check("unlike_any_name", "tokens(xyzzy) > 1");
    check("name_without_quotes", "tokens(my place) > 1");
    check("bare_name_without_quotes", "my place > 1");
    check("ambiguous", "twin > 0");
    check("transition_as_number", "send > 0");
    check("place_as_transition", "fireable(\"my place\")");
    check("number_for_condition", "sent and deadlock");
    check("condition_for_number", "1 + (sent > 2) > 3");
    check("chained", "1 <= sent <= 3");
    check("not_linear", "sent * p2 > 1");
    check("too_large", "99999999999999999999999999999999999999999 > sent");
    check("character", "sent % 2 = 0");
    check("open_quote", "tokens(\"my place) > 1");
    check("missing_parenthesis", "(sent > 1 and deadlock");
    check("missing_operand", "sent > ");
    check("two_operands", "sent > 1 p2 > 1");
    check("unknown_function", "count(sent) > 1");
    check("wide_characters", "\u{3b1}\u{3b1} > 1 or \u{3b1}\u{3b1} < 0");
    let errors = parse_expr(&net(), "sent > 1").unwrap_err();
    assert_eq!(errors.to_string(), "column 1: expected a number, found a condition");
}

#[test]
fn deep_and_long_input_is_refused_or_read_but_never_overflows_the_stack() {
    let net = net();
    let deep = |open: &str, close: &str| {
        format!("{}deadlock{}", open.repeat(100_000), close.repeat(100_000))
    };
    for text in
        [deep("(", ")"), deep("not ", ""), deep("true -> ", ""), deep("-", ""), deep("!(", ")")]
    {
        let errors = parse_predicate(&net, &text).unwrap_err();
        let problem = &errors.errors[0].problem;
        assert!(matches!(problem, ExpressionProblem::TooDeep { .. }), "{problem}");
    }
    // As many alternations as the language allows in one pair of parentheses.
    let alternating = |n: usize| {
        let open = "not (sent = 1 and p2 = 1 or p3 = 1 and not (sent = 2 and ".repeat(n);
        format!("{open}deadlock{} -> sent = 9", " or deadlock) -> sent = 7)".repeat(n))
    };
    for n in 1..100 {
        match parse_predicate(&net, &alternating(n)) {
            Ok(predicate) => {
                let shown = predicate.display(&net).to_string();
                assert_eq!(parse_predicate(&net, &shown).as_ref(), Ok(&predicate), "{n}");
            }
            Err(errors) => {
                let problem = &errors.errors[0].problem;
                assert!(n > 50 && matches!(problem, ExpressionProblem::TooDeep { .. }), "{n}");
            }
        }
    }
    let wide = vec!["sent = 1"; 50_000].join(" and ");
    assert!(parse_predicate(&net, &wide).is_ok());
    let sum = vec!["sent"; 100_000].join(" + ");
    assert!(parse_expr(&net, &sum).is_ok());
    let long = "x".repeat(2 << 20);
    assert!(parse_expr(&net, &long).is_err());
    let unknown = vec!["x = 1"; 50_000].join(" or ");
    assert_eq!(parse_predicate(&net, &unknown).unwrap_err().errors.len(), 20);
}

/// An expression as a tree, for the naive evaluator.
#[derive(Debug, Clone)]
enum Tree {
    Number(i64),
    Tokens(usize),
    Sum(Box<Tree>, Box<Tree>),
    Difference(Box<Tree>, Box<Tree>),
    Times(i64, Box<Tree>),
    Minus(Box<Tree>),
}

#[derive(Debug, Clone)]
enum Condition {
    Constant(bool),
    Compare(Tree, &'static str, Tree),
    Fireable(Vec<usize>),
    Deadlock,
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Implies(Box<Condition>, Box<Condition>),
}

const PLACES: [&str; 6] = ["p1", "\"my place\"", "p3", "\"and\"", "p5.x'", "tokens"];
const TRANSITIONS: [&str; 3] = ["send", "\"deadlock\"", "\"\u{3b1}-1\""];

fn number_text(tree: &Tree) -> String {
    match tree {
        Tree::Number(value) => format!("{value}"),
        Tree::Tokens(place) if place % 2 == 0 => PLACES[*place].to_owned(),
        Tree::Tokens(place) => format!("tokens({})", PLACES[*place]),
        Tree::Sum(a, b) => format!("({} + {})", number_text(a), number_text(b)),
        Tree::Difference(a, b) => format!("({} - {})", number_text(a), number_text(b)),
        Tree::Times(factor, a) => format!("{factor} * {}", number_text(a)),
        Tree::Minus(a) => format!("-{}", number_text(a)),
    }
}

fn number_value(tree: &Tree, state: &State) -> i128 {
    match tree {
        Tree::Number(value) => i128::from(*value),
        Tree::Tokens(place) => i128::from(state.tokens[*place]),
        Tree::Sum(a, b) => number_value(a, state) + number_value(b, state),
        Tree::Difference(a, b) => number_value(a, state) - number_value(b, state),
        Tree::Times(factor, a) => i128::from(*factor) * number_value(a, state),
        Tree::Minus(a) => -number_value(a, state),
    }
}

fn condition_text(condition: &Condition) -> String {
    let binary = |a: &Condition, operator: &str, b: &Condition| {
        format!("({} {operator} {})", condition_text(a), condition_text(b))
    };
    match condition {
        Condition::Constant(value) => value.to_string(),
        Condition::Compare(a, operator, b) => {
            format!("{} {operator} {}", number_text(a), number_text(b))
        }
        Condition::Fireable(transitions) => {
            let names: Vec<_> = transitions.iter().map(|&t| TRANSITIONS[t]).collect();
            format!("fireable({})", names.join(", "))
        }
        Condition::Deadlock => "deadlock".into(),
        Condition::Not(a) => format!("not ({})", condition_text(a)),
        Condition::And(a, b) => binary(a, "and", b),
        Condition::Or(a, b) => binary(a, "||", b),
        Condition::Implies(a, b) => binary(a, "->", b),
    }
}

fn condition_value(condition: &Condition, state: &State) -> bool {
    match condition {
        Condition::Constant(value) => *value,
        Condition::Compare(a, operator, b) => {
            let (a, b) = (number_value(a, state), number_value(b, state));
            match *operator {
                "<" => a < b,
                "<=" => a <= b,
                "=" | "==" => a == b,
                "!=" => a != b,
                ">=" => a >= b,
                _ => a > b,
            }
        }
        Condition::Fireable(transitions) => transitions.iter().any(|&t| state.fireable[t]),
        Condition::Deadlock => state.deadlock,
        Condition::Not(a) => !condition_value(a, state),
        Condition::And(a, b) => condition_value(a, state) && condition_value(b, state),
        Condition::Or(a, b) => condition_value(a, state) || condition_value(b, state),
        Condition::Implies(a, b) => !condition_value(a, state) || condition_value(b, state),
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![(0i64..6).prop_map(Tree::Number), (0usize..6).prop_map(Tree::Tokens)];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (boxed(), boxed()).prop_map(|(a, b)| Tree::Sum(a, b)),
            (boxed(), boxed()).prop_map(|(a, b)| Tree::Difference(a, b)),
            (-4i64..5, boxed()).prop_map(|(factor, a)| Tree::Times(factor, a)),
            boxed().prop_map(Tree::Minus),
        ]
    })
}

fn conditions() -> impl Strategy<Value = Condition> {
    let operator = prop::sample::select(vec!["<", "<=", "=", "==", "!=", ">=", ">"]);
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Condition::Constant),
        8 => (trees(), operator, trees()).prop_map(|(a, op, b)| Condition::Compare(a, op, b)),
        2 => prop::collection::vec(0usize..3, 1..4).prop_map(Condition::Fireable),
        1 => Just(Condition::Deadlock),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed().prop_map(Condition::Not),
            (boxed(), boxed()).prop_map(|(a, b)| Condition::And(a, b)),
            (boxed(), boxed()).prop_map(|(a, b)| Condition::Or(a, b)),
            (boxed(), boxed()).prop_map(|(a, b)| Condition::Implies(a, b)),
        ]
    })
}

fn states() -> impl Strategy<Value = State> {
    let tokens = prop::collection::vec(prop_oneof![5 => 0u64..5, 1 => any::<u64>()], 6);
    let fireable = prop::collection::vec(any::<bool>(), 3);
    (tokens, fireable, any::<bool>()).prop_map(|(tokens, fireable, deadlock)| State {
        tokens,
        fireable,
        deadlock,
    })
}

proptest! {
    #[test]
    fn conditions_mean_what_they_say(
        condition in conditions(),
        states in prop::collection::vec(states(), 8),
    ) {
        let net = net();
        let text = condition_text(&condition);
        let predicate = parse_predicate(&net, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for state in &states {
            prop_assert_eq!(predicate.holds(state), condition_value(&condition, state), "{}", text);
        }
        let shown = predicate.display(&net).to_string();
        let again = parse_predicate(&net, &shown);
        prop_assert_eq!(again.as_ref(), Ok(&predicate), "{}", shown);
        let twice = predicate.clone().negated().negated();
        prop_assert_eq!(&twice, &predicate);
    }

    #[test]
    fn numbers_mean_what_they_say(tree in trees(), state in states()) {
        let net = net();
        let expr = parse_expr(&net, &number_text(&tree)).unwrap();
        prop_assert_eq!(expr.value(&state), number_value(&tree, &state));
        let shown = expr.display(&net).to_string();
        let again = parse_expr(&net, &shown);
        prop_assert_eq!(again.as_ref(), Ok(&expr), "{}", shown);
    }

    #[test]
    fn random_text_never_causes_a_panic(text in "\\PC{0,40}") {
        let _ = parse_predicate(&net(), &text).map_err(|errors| render(&errors));
        let _ = parse_expr(&net(), &text);
    }

    #[test]
    fn random_words_never_cause_a_panic(
        words in prop::collection::vec(prop::sample::select(vec![
            "(", ")", "tokens", "fireable", "sent", "send", "\"my place\"", "and", "or", "not", "->",
            "<", "<=", "=", "!=", "+", "-", "*", "3", ",", "deadlock", "true", "twin", "\"", "\u{e9}",
        ]), 0..20),
        glue in prop::sample::select(vec!["", " "]),
    ) {
        let text = words.join(glue);
        if let Err(errors) = parse_predicate(&net(), &text) {
            prop_assert!(!errors.errors.is_empty());
            render(&errors);
        }
    }
}
