//! ASK-CTL formulas: at every node and arc the value equals that of fixpoints by definition.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sweepline_cpn::{CpnModel, Script};

use super::graph::{Graph, graph};
use super::{options, values};

const LOAD: &str = "use (ogpath ^ \"ASKCTL/ASKCTLloader.sml\");\n";

/// A formula about nodes or arcs, depending on its position.
#[derive(Clone, Debug)]
enum Formula {
    Constant(bool),
    /// The node is this one, or the arc has this label.
    Is(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    ExistUntil(Box<Formula>, Box<Formula>),
    ForallUntil(Box<Formula>, Box<Formula>),
    Pos(Box<Formula>),
    Inv(Box<Formula>),
    Ev(Box<Formula>),
    Along(Box<Formula>),
    /// A formula of the other kind.
    Modal(Box<Formula>),
    /// The first formula is of the other kind.
    ExistModal(Box<Formula>, Box<Formula>),
    ForallModal(Box<Formula>, Box<Formula>),
    ExistNext(Box<Formula>),
    ForallNext(Box<Formula>),
}

use Formula::*;

fn formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![any::<bool>().prop_map(Constant), (0..4usize).prop_map(Is)];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let one = (inner.clone(), 0..12usize).prop_map(|(f, which)| {
            let f = Box::new(f);
            match which {
                0 => Not(f),
                1 => Pos(f),
                2 => Inv(f),
                3 => Ev(f),
                4 => Along(f),
                5 => Modal(f),
                6 => ExistNext(f),
                7 => ForallNext(f),
                // Operators with their own evaluation, and formulas that may be evaluated all over the graph.
                8 => Pos(Box::new(Along(f))),
                9 => Ev(Box::new(Inv(f))),
                10 => Inv(Box::new(Pos(f))),
                _ => Along(Box::new(Pos(f))),
            }
        });
        let two = (inner.clone(), inner, 0..6usize).prop_map(|(f, g, which)| {
            let (f, g) = (Box::new(f), Box::new(g));
            match which {
                0 => And(f, g),
                1 => Or(f, g),
                2 => ExistUntil(f, g),
                3 => ForallUntil(f, g),
                4 => ExistModal(f, g),
                _ => ForallModal(f, g),
            }
        });
        prop_oneof![one, two]
    })
}

fn written(formula: &Formula, of_arcs: bool) -> String {
    let one = |word: &str, f: &Formula| format!("{word} ({})", written(f, of_arcs));
    let two = |word: &str, f: &Formula, g: &Formula| {
        format!("{word} ({}, {})", written(f, of_arcs), written(g, of_arcs))
    };
    let modal = |word: &str, f: &Formula, g: &Formula| {
        format!("{word} ({}, {})", written(f, !of_arcs), written(g, of_arcs))
    };
    match formula {
        Constant(value) => if *value { "TT" } else { "FF" }.into(),
        Is(label) if of_arcs => format!("AF (\"label\", fn a => label a = {label})"),
        Is(node) => format!("NF (\"node\", fn n => stored n = {node})"),
        Not(f) => one("NOT", f),
        And(f, g) => two("AND", f, g),
        Or(f, g) => two("OR", f, g),
        ExistUntil(f, g) => two("EXIST_UNTIL", f, g),
        ForallUntil(f, g) => two("FORALL_UNTIL", f, g),
        Pos(f) => one("POS", f),
        Inv(f) => one("INV", f),
        Ev(f) => one("EV", f),
        Along(f) => one("ALONG", f),
        Modal(f) => format!("MODAL ({})", written(f, !of_arcs)),
        ExistModal(f, g) => modal("EXIST_MODAL", f, g),
        ForallModal(f, g) => modal("FORALL_MODAL", f, g),
        ExistNext(f) => one("EXIST_NEXT", f),
        ForallNext(f) => one("FORALL_NEXT", f),
    }
}

/// Indices of nodes or edges.
type Set = BTreeSet<usize>;

/// The nodes or the arcs of a graph.
struct World<'g> {
    graph: &'g Graph,
    of_arcs: bool,
}

impl World<'_> {
    fn all(&self) -> Set {
        (0..if self.of_arcs { self.graph.edges.len() } else { self.graph.nodes }).collect()
    }

    fn arcs_from(&self, node: usize) -> Vec<usize> {
        let edges = self.graph.edges.iter().enumerate();
        edges.filter(|(_, (from, _, _))| *from == node).map(|(arc, _)| arc).collect()
    }

    fn next(&self, item: usize) -> Vec<usize> {
        match self.of_arcs {
            true => self.arcs_from(self.graph.edges[item].2),
            false => self.arcs_from(item).iter().map(|arc| self.graph.edges[*arc].2).collect(),
        }
    }

    fn other(&self) -> World<'_> {
        World { graph: self.graph, of_arcs: !self.of_arcs }
    }

    fn such(&self, test: impl Fn(usize) -> bool) -> Set {
        self.all().into_iter().filter(|item| test(*item)).collect()
    }

    /// The fixpoint from a start set.
    fn fixpoint(&self, mut set: Set, test: impl Fn(usize, &Set) -> bool) -> Set {
        loop {
            let after = self.such(|item| test(item, &set));
            if after == set {
                return set;
            }
            set = after;
        }
    }

    fn exist_until(&self, f: &Set, g: &Set) -> Set {
        self.fixpoint(Set::new(), |item, set| {
            let goes_on = self.next(item).iter().any(|next| set.contains(next));
            g.contains(&item) || (f.contains(&item) && goes_on)
        })
    }

    /// At a dead node, true if the first is.
    fn forall_until(&self, f: &Set, g: &Set) -> Set {
        self.fixpoint(Set::new(), |item, set| {
            let goes_on = self.next(item).iter().all(|next| set.contains(next));
            g.contains(&item) || (f.contains(&item) && goes_on)
        })
    }

    /// Some path stays there, until it ends or for ever.
    fn goes_on(&self, f: &Set) -> Set {
        self.fixpoint(self.all(), |item, set| {
            let next = self.next(item);
            let goes_on = next.is_empty() || next.iter().any(|next| set.contains(next));
            f.contains(&item) && goes_on
        })
    }

    /// All paths reach it before they end.
    fn inevitable(&self, f: &Set) -> Set {
        self.fixpoint(Set::new(), |item, set| {
            let next = self.next(item);
            let comes = !next.is_empty() && next.iter().all(|next| set.contains(next));
            f.contains(&item) || comes
        })
    }

    fn not(&self, f: &Set) -> Set {
        self.such(|item| !f.contains(&item))
    }

    /// The successors, through the other kind.
    fn modal(&self, inner: &Set) -> Set {
        self.such(|item| match self.of_arcs {
            true => inner.contains(&self.graph.edges[item].2),
            false => self.arcs_from(item).iter().any(|arc| inner.contains(arc)),
        })
    }

    fn value(&self, formula: &Formula) -> Set {
        let value = |f: &Formula| self.value(f);
        let all = self.all();
        match formula {
            Constant(true) => all,
            Constant(false) => Set::new(),
            Is(which) => self.such(|item| match self.of_arcs {
                true => self.graph.edges[item].1 == *which,
                false => item == *which,
            }),
            Not(f) => self.not(&value(f)),
            And(f, g) => value(f).intersection(&value(g)).copied().collect(),
            Or(f, g) => value(f).union(&value(g)).copied().collect(),
            ExistUntil(f, g) => self.exist_until(&value(f), &value(g)),
            ForallUntil(f, g) => self.forall_until(&value(f), &value(g)),
            Pos(inner) => match &**inner {
                Along(f) => self.exist_until(&all, &self.goes_on(&value(f))),
                f => self.exist_until(&all, &value(f)),
            },
            Ev(inner) => match &**inner {
                Inv(_) => self.inevitable(&value(inner)),
                f => self.forall_until(&all, &value(f)),
            },
            Inv(f) => self.not(&self.exist_until(&all, &self.not(&value(f)))),
            Along(f) => self.not(&self.forall_until(&all, &self.not(&value(f)))),
            Modal(f) => self.modal(&self.other().value(f)),
            ExistNext(f) => self.some_next(&self.other().all(), &value(f)),
            ForallNext(f) => self.not(&self.some_next(&self.other().all(), &self.not(&value(f)))),
            ExistModal(f, g) => self.some_next(&self.other().value(f), &value(g)),
            ForallModal(f, g) => {
                self.not(&self.some_next(&self.other().value(f), &self.not(&value(g))))
            }
        }
    }

    /// Some successor satisfies `then`, and the edge to it `by`.
    fn some_next(&self, by: &Set, then: &Set) -> Set {
        self.such(|item| match self.of_arcs {
            true => {
                let node = self.graph.edges[item].2;
                by.contains(&node) && self.arcs_from(node).iter().any(|arc| then.contains(arc))
            }
            false => {
                let good =
                    |arc: &usize| by.contains(arc) && then.contains(&self.graph.edges[*arc].2);
                self.arcs_from(item).iter().any(good)
            }
        })
    }
}

const NAMES: &str = "fun stored n = hd (Mark.P'S 1 n);
    fun label a = case ArcToBE a of CASES;
    fun mkst (a, b, c) = String.concat [Int.toString a, \",\", Int.toString b, \",\", Int.toString c];\n";

fn names(graph: &Graph) -> String {
    let cases = (0..graph.labels).map(|label| format!("Bind.P't{label} _ => {label}"));
    NAMES.replace("CASES", &cases.collect::<Vec<_>>().join(" | "))
}

/// `["1","2"]` as a set.
fn set(text: &str) -> BTreeSet<String> {
    let inner = text.trim_matches(['[', ']']).trim_matches('"');
    inner.split("\",\"").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]
    #[test]
    fn formulas_have_the_values_that_definitions_give(graph in graph(), formula in formula()) {
        let (nodes, graph) = graph.reached();
        let text = format!(
            "{LOAD}{}
             val f = {};
             val g = {};
             map (Int.toString o stored) (PredAllNodes (eval_node f));
             map (fn a => mkst (stored (SourceNode a), label a, stored (DestNode a)))
               (PredAllArcs (eval_arc g));",
            names(&graph), written(&formula, false), written(&formula, true)
        );
        let found = values(&graph.model(), &text);
        let of_nodes = World { graph: &graph, of_arcs: false }.value(&formula);
        let wanted = of_nodes.iter().filter(|n| nodes.contains(n)).map(ToString::to_string).collect();
        prop_assert_eq!(set(&found[0]), wanted, "{}", text);
        let of_arcs = World { graph: &graph, of_arcs: true }.value(&formula);
        let shown = |arc: &usize| {
            let (from, label, to) = graph.edges[*arc];
            format!("{from},{label},{to}")
        };
        prop_assert_eq!(set(&found[1]), of_arcs.iter().map(shown).collect(), "{}", text);
    }
}

/// From 0 to the dead node 1, and a cycle from 2 to 3.
fn forked() -> Graph {
    let edges = vec![(0, 0, 1), (0, 1, 2), (2, 0, 3), (3, 1, 2)];
    Graph { nodes: 4, labels: 2, levels: vec![0, 0, 0, 0], edges }
}

fn asked(model: &CpnModel, text: &str) -> Vec<String> {
    values(model, &format!("{LOAD}{}{text}", names(&forked())))
}

#[test]
fn dead_ends_are_what_they_are_in_the_library_of_cpn_tools() {
    let model = forked().model();
    let text = "val dead = List.hd (PredAllNodes (fn n => stored n = 1));
        eval_node (EV FF) dead; eval_node (ALONG TT) dead; eval_node (FORALL_UNTIL (FF, FF)) dead;
        eval_node (POS (ALONG TT)) dead; eval_node (EV (INV FF)) dead; eval_node (EV (INV TT)) dead;
        eval_node (NOT (MODAL TT)) dead; eval_node (FORALL_NEXT FF) dead; eval_node (EXIST_NEXT TT) dead;
        PredAllNodes (eval_node (NOT (MODAL TT))) = ListDeadMarkings ();";
    let wanted =
        ["true", "false", "false", "true", "false", "true", "true", "true", "false", "true"];
    assert_eq!(asked(&model, text), wanted);
}

#[test]
fn what_a_search_left_open_is_not_taken_for_known() {
    // From 0 the goal 2 is found before 3 is visited, from which it is also reachable.
    let edges = vec![(0, 0, 1), (0, 0, 2), (1, 0, 3), (2, 0, 2), (3, 0, 2)];
    let graph = Graph { nodes: 4, labels: 1, levels: vec![0; 4], edges };
    let text = "eval_node (INV (POS (NF (\"goal\", fn n => stored n = 2)))) InitNode;";
    assert_eq!(values(&graph.model(), &format!("{LOAD}{}{text}", names(&graph))), ["true"]);
}

#[test]
fn predicates_are_asked_only_where_it_matters() {
    let model = forked().model();
    let text = "val seen = ref 0;
        fun p n = (seen := !seen + 1; stored n = 0);
        eval_node (AND (NF (\"p\", p), NOT (NF (\"q\", fn n => if stored n = 0 then false else raise Match))))
          InitNode;
        eval_node (POS (NF (\"p\", p))) InitNode; !seen;
        eval_node (INV (OR (NF (\"p\", p), TT))) InitNode; !seen;";
    // Once for each formula at the first node, and once for each of the four nodes.
    assert_eq!(asked(&model, text), ["true", "true", "2", "true", "6"]);
}

#[test]
fn kinds_that_are_mixed_up_and_wrong_numbers_raise() {
    let model = forked().model();
    let text = "(eval_arc (NF (\"n\", fn _ => true)) 1; \"\") handle CPN'Stop text => text;
        (eval_node (POS (AF (\"a\", fn _ => true))) 1; \"\") handle CPN'Stop text => text;
        (eval_node TT 5; 0) handle Subscript => 1;
        (eval_node (POS (NF (\"n\", fn _ => raise Fail \"x\"))) 1; \"\") handle Fail text => text;
        eval_node (MODAL (POS (AF (\"a\", fn a => label a = 1)))) InitNode;";
    let wanted = [
        "\"Error: Node handled as Arc in ASK-CTL\"",
        "\"Error: Arc handled as Node in ASK-CTL\"",
        "1",
        "\"x\"",
        "true",
    ];
    assert_eq!(asked(&model, text), wanted);
}

#[test]
fn its_names_are_those_of_the_script_until_it_is_loaded() {
    let model = forked().model();
    let found = values(&model, "datatype B = NOT of int | TT; case NOT 3 of NOT n => n | TT => 0;");
    assert_eq!(found, ["3"]);
    let mut script = Script::new(&model, options());
    assert!(script.run("script.sml", "eval_node TT 1;", &mut |_| {}).is_err());
    let computed = "val name = \"x.sml\"; use (name ^ \".sml\");";
    assert!(script.run("script.sml", computed, &mut |_| {}).is_err());
}
