//! Home, liveness and fairness: by a sweep, from the stored state space, and by definition.

use proptest::prelude::*;

use super::graph::{Graph, graph};
use super::values;

fn shown(is_so: bool) -> String {
    is_so.to_string()
}

/// The fairness of edges with one of these labels, by definition.
fn fairness(graph: &Graph, own: &[usize]) -> &'static str {
    let others = |_: usize, label: usize, _: usize| !own.contains(&label);
    let enables = |node: usize| {
        graph.edges.iter().any(|(from, label, _)| *from == node && own.contains(label))
    };
    let paths = graph.paths(others);
    let on_cycle: Vec<usize> = (0..graph.nodes).filter(|&node| paths[node][node]).collect();
    if on_cycle.is_empty() {
        return "Impartial";
    }
    if !on_cycle.iter().any(|&node| enables(node)) {
        return "Fair";
    }
    let ignored = graph.paths(|from, label, to| others(from, label, to) && enables(from));
    match (0..graph.nodes).any(|node| ignored[node][node]) {
        true => "No_Fairness",
        false => "Just",
    }
}

/// A list of transition instances as text.
fn instances(labels: &[usize]) -> String {
    let names: Vec<String> = labels.iter().map(|label| format!("TI.P't{label} 1")).collect();
    format!("[{}]", names.join(","))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn sweeps_and_the_stored_space_agree_with_the_definitions(
        graph in graph(), home in prop::collection::vec(0..8usize, 0..4),
        set in prop::collection::btree_set(0..3usize, 0..3),
    ) {
        let set: Vec<usize> = set.into_iter().filter(|label| *label < graph.labels).collect();
        let (nodes, graph) = graph.reached();
        let paths = graph.paths(|_, _, _| true);
        let leads = |from: usize, to: usize| from == to || paths[from][to];
        let everywhere = |is_good: &dyn Fn(usize) -> bool| {
            nodes.iter().all(|&from| nodes.iter().any(|&to| leads(from, to) && is_good(to)))
        };
        let is_live = |own: &[usize]| everywhere(&|node| {
            graph.edges.iter().any(|(from, label, _)| *from == node && own.contains(label))
        });
        let labels: Vec<usize> = (0..graph.labels).collect();
        let with = |test: &dyn Fn(usize) -> bool| {
            let found: Vec<usize> = labels.iter().copied().filter(|&label| test(label)).collect();
            instances(&found)
        };
        let among = |classes: &'static [&'static str]| {
            with(&|label| classes.contains(&fairness(&graph, &[label])))
        };
        let terminal: Vec<usize> = nodes.iter().copied().filter(|&from| {
            nodes.iter().all(|&to| !leads(from, to) || leads(to, from))
        }).collect();
        // The least node of each terminal component.
        let firsts = terminal.iter().filter(|&&node| {
            terminal.iter().all(|&other| other >= node || !leads(node, other))
        }).count();
        let component = |a: usize, b: usize| leads(a, b) && leads(b, a);
        let sccs = nodes.iter().filter(|&&a| nodes.iter().all(|&b| b >= a || !component(a, b))).count();
        let between = graph.edges.iter().filter(|(a, _, b)| !component(*a, *b)).count();
        let trivial = nodes.iter().filter(|&&node| !paths[node][node]).count();
        let home_markings = if firsts == 1 { terminal.len() } else { 0 };
        let members: Vec<String> = home.iter().map(ToString::to_string).collect();
        let (list, own) = (members.join(","), instances(&set));
        let own_typed = format!("({own} : TI.TransInst list)");
        let text = format!(
            "{}
             fun is_home n = mem ([{list}] : int list) n;
             fun stored n = hd (Mark.P'S 1 n);
             SLHomePredicate (sweep, is_home o node); HomePredicate (is_home o stored);
             SLReversible sweep; SLInitialHomeMarking sweep; InitialHomeMarking ();
             SLTerminates sweep;
             SLTIsLive (sweep, {own_typed}); TIsLive {own_typed};
             SLTIsFairness (sweep, {own_typed}); TIsFairness {own_typed};
             SLListLiveTIs sweep; ListLiveTIs ();
             SLListImpartialTIs sweep; ListImpartialTIs ();
             SLListFairTIs sweep; ListFairTIs (); SLListJustTIs sweep; ListJustTIs ();
             SLListDeadTIs sweep; ListDeadTIs ();
             SLMinimalHomeSpace sweep; MinimalHomeSpace (); length (ListHomeMarkings ());
             let val {{Sccs, SccArcs, Terminal, Trivial, HomeMarkings}} = SLComponents sweep
             in [Sccs, SccArcs, Terminal, Trivial, HomeMarkings] end;
             SccNoOfNodes (); SccNoOfArcs ();",
            graph.measure()
        );
        let found = values(&graph.model(), &text);
        let is_home = shown(everywhere(&|node| home.contains(&node)));
        let reversible = shown(everywhere(&|node| node == 0));
        let ends = shown(nodes.iter().all(|&node| !paths[node][node]));
        let (live, class) = (shown(is_live(&set)), fairness(&graph, &set).to_owned());
        let alive = with(&|label| is_live(&[label]));
        let dead = with(&|label| graph.edges.iter().all(|(_, other, _)| *other != label));
        let [impartial, fair, just] = [
            among(&["Impartial"]), among(&["Impartial", "Fair"]), among(&["Impartial", "Fair", "Just"]),
        ];
        let twice = |value: &String| [value.clone(), value.clone()];
        let wanted = [
            &twice(&is_home)[..], &twice(&reversible), &[reversible.clone(), ends], &twice(&live),
            &twice(&class), &twice(&alive), &twice(&impartial), &twice(&fair), &twice(&just), &twice(&dead),
            &twice(&firsts.to_string()), &[home_markings.to_string()],
            &[format!("[{sccs},{between},{firsts},{trivial},{home_markings}]")],
            &[sccs.to_string(), between.to_string()],
        ].concat();
        prop_assert_eq!(found, wanted, "{:?}", graph);
    }
}
