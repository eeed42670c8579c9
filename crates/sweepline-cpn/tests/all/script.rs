//! Scripts over the stop-and-wait protocol of the example models: their results equal those of full
//! exploration, with memory proportional to the window.

use std::path::Path;

use sweepline::progress::Trivial;
use sweepline::{StopReason, explore};
use sweepline_cpn::{
    CpnModel, Limits, Net, Options, Outcome, Script, ScriptError, ScriptOptions, read_cpn,
};

fn protocol(packets: u32) -> CpnModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/stop-and-wait.cpn");
    let file = read_cpn(&path, &Limits::default()).unwrap();
    let params = vec![("packets".to_owned(), packets.to_string())];
    let net = Net::load(&file, &Options { params, ..Options::default() }).unwrap();
    CpnModel::new(&net, sweepline_ml::Limits::default()).unwrap()
}

fn timed() -> CpnModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/timed.cpn");
    let net = Net::load(&read_cpn(&path, &Limits::default()).unwrap(), &Options::default());
    CpnModel::new(&net.unwrap(), sweepline_ml::Limits::default()).unwrap()
}

fn options<'m>() -> ScriptOptions<'m> {
    let (explore, evaluate) = (sweepline::Options::default(), sweepline_ml::Limits::default());
    ScriptOptions { explore, evaluate, log: None, draw: None, find: None, write: None }
}

const MEASURE: &str = "
    fun PM M = IntInf.fromInt (length (ms_to_col (SLMark.SWProtocol'Received 1 M)));
    fun by gc = {PM = PM, GC = gc, Secs = 0, Logfile = NONE : string option};
    fun count f = SL.ExploreStates {PM = PM, GC = 0, Secs = 0, Logfile = NONE, Init = 0, Comb = op +,
      Eval = f, Pred = fn _ => true, Store = fn _ => false};";

/// Runs a text after the measure, and returns the values of its expressions.
fn try_run(
    model: &CpnModel,
    options: ScriptOptions<'_>,
    text: &str,
) -> Result<Vec<String>, ScriptError> {
    let mut script = Script::new(model, options);
    let (mut values, mut printed) = (Vec::new(), String::new());
    script.run("measure", MEASURE, &mut |_| {})?;
    script.run("script.sml", text, &mut |outcome| match outcome {
        Outcome::Value { name, value, .. } if name == "it" => values.push(value),
        Outcome::Value { .. } => {}
        Outcome::Printed(text) => printed += &text,
    })?;
    values.extend((!printed.is_empty()).then_some(printed));
    Ok(values)
}

fn run(model: &CpnModel, text: &str) -> Vec<String> {
    try_run(model, options(), text).unwrap_or_else(|error| panic!("{error}"))
}

fn failure(model: &CpnModel, text: &str) -> String {
    try_run(model, options(), text).unwrap_err().to_string()
}

#[test]
fn sweeps_find_what_full_exploration_finds() {
    for packets in [1, 2, 5] {
        let model = protocol(packets);
        let full = explore(&model, &Trivial, &sweepline::Options::default(), &mut ()).statistics;
        let states = 271 * u64::from(packets) - 134;
        assert_eq!((full.explored, full.dead), (states, 1), "{packets} packets");
        for gc in [0, 1, 100, 100_000] {
            let text = format!(
                "val sweep = by {gc};
                 let val {{Markings, Arcs, Dead, ...}} = SL.ExploreStateSpace sweep
                 in [Markings, Arcs, Dead] end;
                 SL.Explore {{Sweep = sweep,
                   NodeInit = 0, NodeComb = op +, NodeEval = fn _ => 1, NodePred = fn _ => true,
                   NodeStore = fn _ => false, ArcInit = 0, ArcComb = op +, ArcEval = fn _ => 1,
                   ArcPred = fn (M, _, M') => PM M <= PM M', DeadInit = 0, DeadComb = op +,
                   DeadEval = fn _ => 1, DeadPred = fn _ => true, DeadStore = fn _ => true}};
                 length (SL.Kept ());
                 SLListDeadTIs sweep = ListDeadTIs ();
                 SLBestUpperMultiSet (sweep, SLMark.Sender'Sending 1)
                   == UpperMultiSet (Mark.Sender'Sending 1);
                 SLBestLowerMultiSet (sweep, SLMark.Sender'Sending 1)
                   == LowerMultiSet (Mark.Sender'Sending 1);
                 SLBestUpperInteger (sweep, fn M => ~5 - mssize (SLMark.Sender'ReceiveAck 1 M));
                 SLBestLowerInteger (sweep, fn M => 7 + mssize (SLMark.Sender'ReceiveAck 1 M));
                 map (SLMark.SWProtocol'Received 1) (SLListDeadMarkings sweep)
                   = map (Mark.SWProtocol'Received 1) (ListDeadMarkings ());
                 SL.ExploreArcs {{PM = PM, GC = {gc}, Secs = 0, Logfile = NONE, Init = 0, Comb = op +,
                   Eval = fn (_, Bind.Sender'Send (1, {{n}}), _) => n | _ => 0, Pred = fn _ => true}}
                   = SearchAllArcs (fn a => true, fn a => case ArcToBE a of
                       Bind.Sender'Send (_, {{n}}) => n | _ => 0, 0, op +);"
            );
            let found = run(&model, &text);
            let (arcs, counts) = (full.edges, format!("[{states},{},1]", full.edges));
            let expected = [&counts, &format!("({states},{arcs},1)"), "1"];
            assert_eq!(found[..3], expected, "{packets} packets, collected after {gc}");
            assert_eq!(found[3..], ["true", "true", "true", "~5", "7", "true", "true"]);
        }
    }
}

#[test]
fn memory_follows_the_window() {
    // Far less memory than all markings need together.
    let mut small = options();
    small.evaluate.heap = 1 << 20;
    let mut found = Vec::new();
    for packets in [20, 200] {
        let model = protocol(packets);
        let text = "#Peak (SL.ExploreStateSpace (by 0));
                    count (fn M => length (List.tabulate (100, fn n => SLMark.Sender'Sending 1 M)));
                    SLBestUpperInteger (by 0, fn M => length (ms_to_col (SLMark.Receiver'Received 1 M)));";
        found.push(try_run(&model, small.clone(), text).unwrap());
        assert_eq!(found.last().unwrap()[1], (100 * (271 * packets - 134)).to_string());
        assert_eq!(found.last().unwrap()[2], packets.to_string());
    }
    assert_eq!(found[0][0], found[1][0], "ten times the packets, the same peak");
}

#[test]
fn what_is_folded_may_be_anything() {
    let model = protocol(2);
    let found = run(
        &model,
        "val seen = ref 0; val last = ref [\"\"];
         count (fn M => (seen := !seen + 1; last := Int.toString (!seen) :: !last; 1));
         (!seen, length (!last), hd (!last));
         val add = SL.ExploreStates {PM = PM, GC = 0, Secs = 0, Logfile = NONE, Init = fn n => n + 0,
           Comb = fn (f, k) => if k = 0 then f else fn n => f (n + k), Pred = fn _ => true,
           Eval = fn M => mssize (SLMark.Sender'TransmitData 1 M), Store = fn _ => false};
         add 1000 = 1000 + count (fn M => mssize (SLMark.Sender'TransmitData 1 M));
         val all = SL.ExploreStates {PM = PM, GC = 0, Secs = 0, Logfile = NONE, Init = [],
           Comb = fn (l, M) => M :: l, Pred = fn _ => true, Eval = fn M => M, Store = fn _ => false};
         length all; length (remdupl all); mem all (SL.Initial ());
         length (List.filter (fn M => PM M = 2) all);
         count (fn M => if PM M = 2 then 1 else 0);",
    );
    assert_eq!(found[..6], ["408", "(408,409,\"408\")", "true", "408", "408", "true"]);
    assert_eq!(found[6], found[7]);
}

#[test]
fn exceptions_end_a_sweep_or_the_script() {
    let model = protocol(2);
    let found = run(
        &model,
        "exception Found of SL.state;
         (count (fn M => if PM M = 1 then raise Found M else 1); NONE)
           handle Found M => SOME (PM M);
         (SL.ExploreStateSpace {PM = fn M => raise Found M, GC = 0, Secs = 0, Logfile = NONE}; 0)
           handle Found _ => 1;
         count (fn _ => 1);",
    );
    assert_eq!(found, ["SOME 1", "1", "408"]);
    let text = "fun f M = 1 + hd (SLMark.Sender'TransmitData 1 M);\ncount f;";
    assert_eq!(
        failure(&model, text),
        "script.sml:1:15: exception Empty in `hd (SLMark.Sender'TransmitData 1 M)`"
    );
    let instance = failure(&model, "count (fn M => mssize (SLMark.Sender'TransmitData 2 M));");
    assert!(instance.contains("Sender'TransmitData has no such instance"), "{instance}");
    assert!(instance.starts_with("script.sml:1:"), "{instance}");
    let wrong = failure(&model, "val a = 1;\nSLReachable (by 0, fn M => M, true);");
    assert!(wrong.starts_with("script.sml:2:20: "), "{wrong}");
    let primitive = failure(&model, "val f = _prim \"deref\" : int -> int; f 5;");
    assert!(primitive.contains("primitive"), "{primitive}");
}

#[test]
fn a_measure_that_falls_is_rejected_with_its_arc() {
    let model = protocol(1);
    let text = "fun Timer M = if ms_to_col (SLMark.Sender'Timer 1 M) then 1 else 0 : IntInf.int;
                (SLListDeadMarkings {PM = Timer, GC = 0, Secs = 0, Logfile = NONE}) handle _ => [];";
    let Err(ScriptError::Rejected(rejection)) = try_run(&model, options(), text) else {
        panic!("the measure falls")
    };
    assert_eq!((&*rejection.from, &*rejection.to), ("1", "0"));
    assert_eq!(rejection.element, "Sender'TimeOut 1 {}");
    assert!(rejection.at.starts_with("script.sml:2:"), "{}", rejection.at);
    assert!(rejection.marking.contains("Sender'Timer 1: 1`true"));
    assert!(rejection.next.contains("Sender'Timer 1: 1`false"));
}

#[test]
fn limits_leave_no_answer() {
    let model = protocol(50);
    let mut limited = options();
    limited.explore.limits.states = Some(500);
    for text in ["SLReachable (by 0, DEAD, false)", "NoOfNodes ()", "length (PredAllNodes DEAD)"] {
        let text = format!("fun DEAD _ = false; ({text}; 1) handle _ => 2;");
        let error = try_run(&model, limited.clone(), &text).unwrap_err();
        let reason = error.stop_reason().cloned();
        assert_eq!(reason, Some(StopReason::States), "{text}");
    }
    let mut slow = options();
    slow.evaluate.fuel = 10_000;
    let error = try_run(&model, slow, "count (fn M => let fun f () : int = f () in f () end);");
    let error = error.unwrap_err().to_string();
    assert!(error.contains("has not ended after 10000 calls and loops"), "{error}");
}

#[test]
fn sweeps_within_sweeps_and_no_further() {
    let model = protocol(1);
    let found = run(
        &model,
        "count (fn M => if PM M = 1 then 0 else count (fn _ => 1));
         count (fn M => if PM M = 1 then 0 else NoOfNodes ());
         length (String.fields (fn c => c = #\"\\n\") (SL.Descriptor (SL.Initial ())));",
    );
    assert_eq!(found, ["1233", "1233", "8"], "nine markings of 137 come before the first packet");
    let busy = "count (fn _ => 1) + IntInf.toInt (#Peak (SL.ExploreStateSpace
                  {PM = fn M => IntInf.fromInt (NoOfNodes ()), GC = 0, Secs = 0, Logfile = NONE}));";
    let busy = failure(&model, busy);
    assert!(busy.contains("inside a progress measure"), "{busy}");
    let deep = failure(&model, "fun f n = count (fn _ => f (n + 1)); f 0;");
    assert!(deep.contains("recursion needs more than"), "{deep}");
}

#[test]
fn questions_about_components_and_runs_end_as_sweeps_do() {
    let model = protocol(2);
    let fall = "{PM = fn M => if ms_to_col (SLMark.Sender'Timer 1 M) then 1 else 0 : IntInf.int,
                 GC = 0, Secs = 0, Logfile = NONE}";
    for text in [
        "SLHomePredicate (SWEEP, fn _ => true)",
        "SLListLiveTIs SWEEP",
        "SLLtl (SWEEP, LTL.G (LTL.state (fn _ => true)))",
        "SLComponents SWEEP",
        "SLTIsFairness (SWEEP, TI.All)",
    ] {
        let falling = format!("({}; 1) handle _ => 2;", text.replace("SWEEP", fall));
        let error = try_run(&model, options(), &falling).unwrap_err();
        let ScriptError::Rejected(rejection) = error else { panic!("{text}: {error}") };
        assert_eq!(rejection.element, "Sender'TimeOut 1 {}", "{text}");
        let mut limited = options();
        limited.explore.limits.states = Some(100);
        let rising = format!("({}; 1) handle _ => 2;", text.replace("SWEEP", "(by 0)"));
        let error = try_run(&model, limited, &rising).unwrap_err();
        assert_eq!(error.stop_reason(), Some(&StopReason::States), "{text}");
    }
    let found = run(
        &model,
        "exception Found of SL.state;
         (SLHomePredicate (by 0, fn M => if PM M = 1 then raise Found M else true); NONE)
           handle Found M => SOME (PM M);
         (SLLtl (by 0, LTL.G (LTL.state (fn M => if PM M = 1 then raise Found M else true))); NONE)
           handle Found M => SOME (PM M);
         (SLHomePredicate ({PM = fn M => raise Found M, GC = 0, Secs = 0, Logfile = NONE}, fn _ => true);
           0) handle Found _ => 1;
         SLHomePredicate (by 0, fn M => count (fn _ => 1) = NoOfNodes ());
         val done = LTL.state (fn M => PM M = 2);
         SLLtl (by 0, LTL.F done);
         SLLtlFair (by 0, {Weak = [], Strong = map (fn t => [t]) TI.All}, LTL.F done);
         count (fn _ => 1);",
    );
    assert_eq!(found[..4], ["SOME 1", "SOME 1", "1", "true"]);
    assert_eq!(found[4..], ["false", "true", "408"]);
    let busy = "SLLtl (by 0, LTL.G (LTL.state (fn M => NoOfNodes () > 0)));";
    let busy = failure(&model, busy);
    assert!(busy.contains("inside a progress measure or a formula"), "{busy}");
    let deep = "fun deep 0 = LTL.TRUE | deep n = LTL.X (deep (n - 1)); SLLtl (by 0, deep 1000);";
    assert!(failure(&model, deep).contains("more than 200 nested operators"));
}

#[test]
fn components_and_runs_are_found_in_the_memory_of_the_window() {
    let mut small = options();
    small.evaluate.heap = 1 << 20;
    let mut peaks = Vec::new();
    for packets in [10, 100] {
        let model = protocol(packets);
        let text = "SLHomePredicate (by 0, fn M => length (List.tabulate (100, fn n => PM M)) = 100);
                    hd (rev (CPN'figures ()));
                    SLLtl (by 0, LTL.G (LTL.state (fn M => length (List.tabulate (100, fn n => PM M)) = 100)));
                    hd (rev (CPN'figures ()));";
        let found = try_run(&model, small.clone(), text).unwrap();
        assert_eq!((&*found[0], &*found[2]), ("true", "true"));
        peaks.push([found[1].clone(), found[3].clone()]);
    }
    assert_eq!(peaks[0], peaks[1], "ten times the packets, the same peaks");
}

#[test]
fn time_stamps_do_not_count_in_home_spaces() {
    let (model, mut found) = (timed(), Vec::new());
    let text = "val sweep = {PM = fn M => SL.Time M, GC = 0, Secs = 0, Logfile = NONE};
        val nodes = PredAllNodes (fn _ => true);
        (NoOfNodes (), NoOfSecs (), SccNoOfSecs ());
        List.all (fn n => SLHomeMarking (sweep, NodeToState n) = HomeMarking n) nodes;
        SLHomeSpace (sweep, map NodeToState (ListDeadMarkings ())) = HomeSpace (ListDeadMarkings ());
        SLInitialHomeMarking sweep = InitialHomeMarking ();
        SLMinimalHomeSpace sweep = IntInf.fromInt (MinimalHomeSpace ());
        (SLListLiveTIs sweep, SLListFairTIs sweep) = (ListLiveTIs (), ListFairTIs ());";
    let done = Script::new(&model, options()).run("script.sml", text, &mut |outcome| {
        if let Outcome::Value { name, value, .. } = outcome
            && name == "it"
        {
            found.push(value);
        }
    });
    done.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found, ["(34,0,0)", "true", "true", "true", "true", "true"]);
}

#[test]
fn the_stored_space_is_a_graph() {
    let model = protocol(2);
    let found = run(
        &model,
        "val dead = hd (ListDeadMarkings ());
         val path = NodesInPath (InitNode, dead);
         hd path = InitNode andalso List.last path = dead;
         length path = length (ArcsInPath (InitNode, dead)) + 1;
         List.all (fn a => mem (InArcs (DestNode a)) a andalso mem (OutArcs (SourceNode a)) a)
           (PredAllArcs (fn _ => true));
         (NodesInPath (dead, InitNode); false) handle NoPathExists => true;
         Reachable (InitNode, dead) andalso not (Reachable (dead, InitNode));
         NodesInPath (5, 5);
         foldl op + 0 (EvalAllSccs (fn s => length (SccToNodes s))) = NoOfNodes ();
         length (EvalAllSccs SccToArcs) = SccNoOfNodes ();
         List.all (fn a => NodeToScc (SourceNode a) = NodeToScc (DestNode a)
                           orelse not (Reachable (DestNode a, SourceNode a)))
           (PredAllArcs (fn _ => true));
         (TerminalSccs () = [NodeToScc dead], ListHomeMarkings () = [dead], HomeMarking dead,
          HomeMarking InitNode);
         (TIsDead ([TI.Sender'Send 1], dead), TIsDead ([TI.Sender'Send 1], InitNode), ListLiveTIs ());
         (length (PredNodes (EntireGraph, fn n => true, 7)), PredNodes ([3, 9], fn n => n > 3, NoLimit));
         (TIsFairness TI.All, TIsFairness [TI.Sender'Accept 1], TIsFairness [TI.Sender'TimeOut 1]);
         (Mark.Sender'Sending 1 InitNode, NodeToScc InitNode = InitScc);
         (OutNodes 409; 0) handle Subscript => 1;
         ArcToTI (hd (OutArcs 1)); st_TI (ArcToTI 1); ArcDescriptor 1; ArcToBE 1;",
    );
    let expected = [
        "true",
        "true",
        "true",
        "true",
        "true",
        "[5]",
        "true",
        "true",
        "true",
        "(true,true,true,false)",
        "(true,false,[])",
        "(7,[9])",
        "(Impartial,Fair,Impartial)",
        "([(0,true)],true)",
        "1",
        "TI.Sender'Accept 1",
        "\"Sender'Accept 1\"",
        "\"1:1->2 Sender'Accept 1: {n=0}\"",
        "Sender'Accept (1,{n=0})",
    ];
    assert_eq!(found, expected);
}

#[test]
fn place_instances_and_texts_are_as_in_cpn_tools() {
    let model = protocol(2);
    let found = run(
        &model,
        "val dead = hd (ListDeadMarkings ());
         (length PI.All, length (remdupl PI.All), PI.Sender'Sending 1);
         st_PI (PI.Sender'Sending 1); st_BE (ArcToBE 1); st_Mark.SWProtocol'Received 1 dead;
         st_Mark.Sender'TransmitData 1 1;
         List.all (fn a => String.size (ArcDescriptor a) = String.size (st_Arc a) + 1 + String.size (st_BE (ArcToBE a)))
           (PredAllArcs (fn _ => true));
         Reachable' (InitNode, 2); Reachable' (dead, InitNode);
         SccNodesInPath (InitScc, NodeToScc dead) = InitScc :: map SccDestNode (SccArcsInPath (InitScc, NodeToScc dead));
         SearchReachableSccs (InitScc, fn _ => true, NoLimit, fn _ => 1, 0, op +) = SccNoOfNodes ();",
    );
    let members = model.net().places.iter().map(|place| place.members.len()).sum::<usize>();
    let nodes = run(&model, "hd (ListDeadMarkings ());");
    let expected = [
        &format!("({members},{members},PI.Sender'Sending 1)"),
        "\"Sender'Sending 1\"",
        "\"Sender'Accept 1: {n=0}\"",
        "\"SWProtocol'Received 1: 1`[1,2]\"",
        "\"Sender'TransmitData 1: empty\"",
        "true",
        "true",
        "false",
        "true",
        "true",
        &format!(
            "A path from node 1 to node 2 is: [1, 2]\nThere is no path from {} to 1\n",
            nodes[0]
        ),
    ];
    assert_eq!(found, expected);
}

#[test]
fn descriptors_have_a_line_for_each_place_and_colour() {
    let text = "colset NO = int; colset U = unit with u; colset S = string; var n : NO; var s : S;\n\npage Top\n  \
                place Next : NO = 1`2 ++ 2`~1\n  place Empty : NO\n  place Name : S = 1`\"a\"\n  place Go : U = 1`u\n\n  \
                transition Take\n    in Next: n\n    in Name: s\n    both Go: u\n";
    let file = sweepline_cpn::read_cpnt_bytes("model.cpnt", text.as_bytes(), &Limits::default());
    let net = Net::load(&file.unwrap(), &Options::default()).unwrap();
    let model = CpnModel::new(&net, sweepline_ml::Limits::default()).unwrap();
    let found = run_alone(
        &model,
        "NodeDescriptor 1; map mkst_Arc [1, 2]; mkst_TI (TI.Top'Take 1); mkst_PI (PI.Top'Next 1);
         mkst_BE (Bind.Top'Take (1, {n = ~1, s = \"x\\\"y\"})); mkst_Mark.Top'Next 1 1; mkst_Node 2;
         OGSet.StringRepOptions'Node (fn n => \"M\" ^ Int.toString n); (st_Node 1, mkst_Node 1);
         OGSet.NodeDescriptorOptions (fn n => \"node \" ^ st_Node n); NodeDescriptor 1;",
    );
    let expected = [
        "\"1:\\nTop'Empty 1: empty\\nTop'Go 1: 1`u\\nTop'Name 1: 1`\\\"a\\\"\\nTop'Next 1: 2`(~1)++\\n1`2\\n\"",
        "[\"1:1->2\",\"2:1->3\"]",
        "\"Top'Take 1\"",
        "\"Top'Next 1\"",
        "\"Top'Take 1: {n=(~1),s=\\\"x\\\"y\\\"}\"",
        "\"Top'Next 1: 2`(~1)++\\n1`2\"",
        "\"2\"",
        "()",
        "(\"M1\",\"1\")",
        "()",
        "\"node M1\"",
    ];
    assert_eq!(found, expected);
}

fn run_alone(model: &CpnModel, text: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut script = Script::new(model, options());
    let done = script.run("script.sml", text, &mut |outcome| match outcome {
        Outcome::Value { name, value, .. } if name == "it" => values.push(value),
        Outcome::Printed(text) => values.push(text),
        Outcome::Value { .. } => {}
    });
    done.unwrap_or_else(|error| panic!("{error}"));
    values
}

#[test]
fn functions_with_a_prime_say_more_and_answer_the_same() {
    let found = run_alone(
        &protocol(2),
        "val dead = ListDeadMarkings ();
         (HomeSpace' dead, HomeSpace dead);
         (HomeMarking' 1, HomePredicate' DeadMarking, InitialHomeMarking' (), DeadMarking' (hd dead), AllReachable' ());
         (TIsDead' (TI.All, 1), TIsLive' TI.All, BEsDead' ([ArcToBE 1], hd dead), BEsLive' [], BEsStrictlyLive' nil);",
    );
    let values: Vec<&String> = found.iter().filter(|value| value.starts_with('(')).collect();
    assert_eq!(
        values,
        ["(true,true)", "(false,true,false,true,false)", "(false,false,true,false,true)"]
    );
    let printed: String = found.iter().filter(|value| !value.starts_with('(')).cloned().collect();
    for part in ["is a home space\n", "Node 1 is not a home marking\n", "are not live\n"] {
        assert!(printed.contains(part), "{printed}");
    }
}

#[test]
fn options_and_subgraphs_of_the_state_space_tool() {
    let found = run_alone(
        &protocol(2),
        "OGSet.StopOptions {Nodes = NoLimit, Arcs = NoLimit, Secs = 300, Predicate = fn _ => false};
         OGSet.BranchingOptions {TransInsts = NoLimit, Bindings = NoLimit, Predicate = fn _ => true};
         (OGSet.BranchingOptions {TransInsts = 0, Bindings = 0, Predicate = fn n => n < 3}; \"\") handle CPN'Error e => e;
         OGSet.ReductionOptions {CreationTime = false, TerminationTime = false};
         val all = SearchSubgraphSccs (fn _ => true, fn _ => true, fn _ => true, NoLimit, fn (n, a, _) => (length n, length a), nil, op ::);
         (length all = SccNoOfNodes (), foldl (fn ((n, _), s) => n + s) 0 all = NoOfNodes ());
         foldl (fn ((_, a), s) => a + s) 0 all = NoOfArcs () - SccNoOfArcs ();
         SearchSubgraphSccs (fn n => n < 20, fn _ => false, TrivialSubgraphScc, NoLimit, fn _ => 1, 0, op +);
         SearchSubgraphSccs (fn _ => true, fn _ => true, TerminalSubgraphScc, 5, fn (n, _, _) => 1, 0, op +)
           = length (TerminalSccs ());
         ASKCTL.eval_node (ASKCTL.POS (ASKCTL.NF (\"dead\", DeadMarking))) InitNode;
         open ASKCTL; eval_node (INV (POS (NF (\"dead\", DeadMarking)))) InitNode;",
    );
    let shown: Vec<&str> = found.iter().map(String::as_str).collect();
    let error =
        "\"Error: OGSet.BranchingOptions: sweepline computes the successors of every node\"";
    assert_eq!(shown[..4], ["()", "()", error, "()"]);
    assert_eq!(shown[4..], ["(true,true)", "true", "19", "true", "true", "true"]);
}

#[test]
fn arcs_that_are_folded_are_those_of_full_exploration() {
    // The markings that the script sees are those from which the loop computes successors.
    for packets in [1, 3] {
        let model = protocol(packets);
        let found = run(
            &model,
            "val arcs = SL.ExploreArcs {PM = PM, GC = 0, Secs = 0, Logfile = NONE, Init = 0, Comb = op +,
               Eval = fn _ => 1, Pred = fn (M, b, M') => String.size (SL.Descriptor M) > 0 andalso M <> M'};
             arcs + SL.ExploreArcs {PM = PM, GC = 0, Secs = 0, Logfile = NONE, Init = 0, Comb = op +,
               Eval = fn _ => 1, Pred = fn (M, b, M') => M = M'};",
        );
        let full = explore(&model, &Trivial, &sweepline::Options::default(), &mut ());
        assert_eq!(found, [full.statistics.edges.to_string()]);
    }
}
