(* Texts of nodes, arcs and other values, in CPN Tools' notation or as set by options. *)

val ogpath = "ogpath/"

fun mkst_Node n = Int.toString n
fun mkst_Arc a =
  String.concat [Int.toString a, ":", mkst_Node (SourceNode a), "->", mkst_Node (DestNode a)]
fun mkst_TI (TI.CPN'TI t) = CPN'instance_text t
fun mkst_PI (PI.CPN'PI p) = CPN'place_text p
fun mkst_BE b = CPN'element_text b
structure mkst_Mark = st_Mark

val CPN'node_text = ref mkst_Node
val CPN'arc_number_text = ref mkst_Arc
fun st_Node n = !CPN'node_text n
fun st_Arc a = !CPN'arc_number_text a
fun st_TI t = mkst_TI t
fun st_PI p = mkst_PI p
fun st_BE b = mkst_BE b
fun st_ArcBE a = CPN'arc_text a

local
  fun at time = if CPN'is_timed then " @ " ^ CPN'Time.toString (time ()) else ""
  fun mark (text, n) = String.concat [text n, "\n"]
  fun node n =
    String.concat (st_Node n :: at (fn () => CreationTime n) :: ":\n"
                   :: List.map (fn text => mark (text, n)) CPN'marks)
  fun arc a = String.concat [st_Arc a, at (fn () => OccurrenceTime a), " ", CPN'arc_text a]
in
  val CPN'node_descriptor = ref node
  val CPN'arc_descriptor = ref arc
end
fun NodeDescriptor n = !CPN'node_descriptor n
fun ArcDescriptor a = !CPN'arc_descriptor a

(* Options. Limits set here have no effect: the whole state space is explored, up to the limits of the command line,
   such as `--max-states`. Options that would change the state space are errors. *)
structure OGSet = struct
  fun refuse text = raise CPN'Error (String.concat ["Error: ", text])
  fun StopOptions {Nodes : int, Arcs : int, Secs : int, Predicate : int -> bool} = ()
  fun BranchingOptions {TransInsts, Bindings, Predicate} =
    if TransInsts <> 0 orelse Bindings <> 0 then
      refuse "OGSet.BranchingOptions: sweepline explores all bindings of all transitions"
    else if List.null (PredNodes ([0], fn n => not (Terminal n orelse Predicate n), 1)) then ()
    else refuse "OGSet.BranchingOptions: sweepline computes the successors of every node"
  fun InspectionOptions {Frequency : int, Action : 'a} = ()
  fun ReductionOptions {CreationTime = false, TerminationTime = false} = ()
    | ReductionOptions _ = refuse "OGSet.ReductionOptions: run `sweepline ml --equivalence time`"
  fun StringRepOptions'Node text = CPN'node_text := text
  fun StringRepOptions'Arc text = CPN'arc_number_text := text
  fun NodeDescriptorOptions text = CPN'node_descriptor := text
  fun ArcDescriptorOptions text = CPN'arc_descriptor := text
end

(* Subgraphs: nodes, arcs within, outgoing arcs. *)

val CPN'subgraph = _prim "ask subgraph" : int list * int list -> int list list
fun TerminalSubgraphScc (_ : int list, _ : int list, leaving : int list) = List.null leaving
fun TrivialSubgraphScc (nodes : int list, inner : int list, _ : int list) =
  List.length nodes = 1 andalso List.null inner
fun SearchSubgraphSccs (is_node, is_arc, pred, limit, eval, start, comb) =
  let
    fun triples (nodes :: inner :: leaving :: l) = (nodes, inner, leaving) :: triples l
      | triples _ = nil
    fun go (_, nil, r) = r
      | go (k, part :: l, r) =
          if limit > 0 andalso k >= limit then r
          else if pred part then go (k + 1, l, comb (eval part, r))
          else go (k, l, r)
    val parts = triples (CPN'subgraph (PredAllNodes is_node, PredAllArcs is_arc))
  in go (0, parts, start) end

(* Prints a note about the answer. *)

local
  fun list text l = String.concat ["[", String.concatWith ", " (List.map text l), "]"]
  fun told (holds, subject, is, is_not) =
    (print (String.concat [subject, " ", if holds then is else is_not, "\n"]); holds)
  val nodes = list Int.toString
in
  fun HomeSpace' l = told (HomeSpace l, nodes l, "is a home space", "is not a home space")
  fun HomeMarking' n =
    told (HomeMarking n, "Node " ^ Int.toString n, "is a home marking", "is not a home marking")
  fun HomePredicate' pred =
    told (HomePredicate pred, "The predicate", "is a home predicate", "is not a home predicate")
  fun InitialHomeMarking' () =
    told (InitialHomeMarking (), "The initial marking", "is a home marking",
          "is not a home marking")
  fun DeadMarking' n = told (DeadMarking n, "Node " ^ Int.toString n, "is dead", "is not dead")
  fun AllReachable' () =
    told (AllReachable (), "All nodes", "are reachable from each other",
          "are not reachable from each other")
  fun TIsDead' (l, n) =
    told (TIsDead (l, n), list st_TI l, "are dead from node " ^ Int.toString n,
          "are not dead from node " ^ Int.toString n)
  fun BEsDead' (l, n) =
    told (BEsDead (l, n), list st_BE l, "are dead from node " ^ Int.toString n,
          "are not dead from node " ^ Int.toString n)
  fun TIsLive' l = told (TIsLive l, list st_TI l, "are live", "are not live")
  fun BEsLive' l = told (BEsLive l, list st_BE l, "are live", "are not live")
  fun BEsStrictlyLive' l =
    told (BEsStrictlyLive l, list st_BE l, "are strictly live", "are not strictly live")
end

(* The saved report. *)

(* For each place its name, the greatest and the least number of tokens, the upper and the lower multi-set. *)
val CPN'bounds = _prim "ask bounds" : unit -> string list
val CPN'model_file = _prim "ask model_file" : unit -> string
val CPN'now = _prim "ask now" : unit -> IntInf.int

structure OGSaveReport = struct
  local
    fun header name =
      String.concat ["\n\n ", name, "\n", StringCvt.padLeft #"-" 72 "", "\n"]
    fun heading name = String.concat ["\n  ", name, "\n"]
    fun entry text = String.concat ["     ", text, "\n"]
    fun row (name, width, rest) =
      if String.size name < width then entry (StringCvt.padRight #" " width name ^ rest)
      else entry name ^ entry (StringCvt.padLeft #" " width "" ^ rest)
    fun only (true, texts) = String.concat (texts ()) | only (false, _) = ""
    fun number n = Int.toString n
    fun ascending l = sort (fn (a : int, b) => a < b) l
    fun listed l = String.concatWith "," (List.map number l)
    fun nodes l =
      let val n = List.length l in
        entry
          (if n = 0 then "None"
           else if n = NoOfNodes () then "All"
           else if n <= 5 then String.concat ["[", listed (ascending l), "]"]
           else String.concat [number n, " [", listed (List.take (l, 5)), ",...]"])
      end
    fun key name = String.translate (fn c => if c = #" " then "" else String.str c) name
    fun names l = sort (fn (a, b) => String.< (key a, key b)) (List.map mkst_TI l)
    fun instances (name, l, counted) =
      heading name
      ^ (case names l of
             nil => entry "None"
           | all =>
               if counted andalso List.length all = List.length TI.All then entry "All"
               else String.concat (List.map entry all))
    fun statistics () =
      [heading "State Space", entry ("Nodes:  " ^ number (NoOfNodes ())),
       entry ("Arcs:   " ^ number (NoOfArcs ())), entry ("Secs:   " ^ number (NoOfSecs ())),
       entry "Status: Full", heading "Scc Graph",
       entry ("Nodes:  " ^ number (SccNoOfNodes ())), entry ("Arcs:   " ^ number (SccNoOfArcs ())),
       entry ("Secs:   " ^ number (SccNoOfSecs ()))]
    fun integer_row (name, upper, lower) =
      let val upper = StringCvt.padRight #" " (Int.max (11, String.size upper + 1)) upper
      in row (name, 24, upper ^ lower) end
    fun places f (name :: upper :: lower :: most :: least :: l) =
          f (name, upper, lower, most, least) :: places f l
      | places _ _ = nil
    fun integers () =
      heading "Best Integer Bounds" :: entry (StringCvt.padLeft #" " 24 "" ^ "Upper      Lower")
      :: places (fn (name, upper, lower, _, _) => integer_row (name, upper, lower)) (CPN'bounds ())
    fun multi_sets () =
      heading "Best Upper Multi-set Bounds"
      :: places (fn (name, _, _, most, _) => row (name, 20, most)) (CPN'bounds ())
      ^^ heading "Best Lower Multi-set Bounds"
      :: places (fn (name, _, _, _, least) => row (name, 20, least)) (CPN'bounds ())
    fun home () =
      [heading "Home Markings",
       if CPN'declares_time then
         entry (if InitialHomeMarking () then "Initial Marking is a home marking"
                else "Initial Marking is not a home marking")
       else nodes (ListHomeMarkings ())]
    fun fairness () =
      if List.null (PredSccs ([0], fn s => not (SccTrivial s), 1)) then
        [entry "No infinite occurrence sequences."]
      else
        let
          val classes = List.map (fn t => (t, TIsFairness [t])) TI.All
          fun of_class wanted =
            List.mapPartial (fn (t, class) => if class = wanted then SOME t else NONE) classes
        in
          [instances ("Impartial Transition Instances", of_class Impartial, false),
           instances ("Fair Transition Instances", of_class Fair, false),
           instances ("Just Transition Instances", of_class Just, false),
           instances ("Transition Instances with No Fairness", of_class No_Fairness, false)]
        end
  in
    fun CPN'report (stats, ints, sets, homes, dead, dead_ts, live_ts, fair) =
      String.concat
        ["CPN Tools state space report for:\n", CPN'model_file (), "\nReport generated: ",
         Date.toString (Date.fromTimeUniv (Time.fromSeconds (CPN'now ()))), "\n",
         header "Statistics", only (stats, statistics),
         header "Boundedness Properties", only (ints, integers), only (sets, multi_sets),
         header "Home Properties", only (homes, home),
         header "Liveness Properties",
         only (dead, fn () => [heading "Dead Markings", nodes (ListDeadMarkings ())]),
         only (dead_ts, fn () => [instances ("Dead Transition Instances", ListDeadTIs (), true)]),
         only (live_ts, fn () => [instances ("Live Transition Instances", ListLiveTIs (), true)]),
         header "Fairness Properties", only (fair, fairness)]
    fun SaveReport (stats, ints, sets, homes, dead, dead_ts, live_ts, fair, file) =
      let
        val report = CPN'report (stats, ints, sets, homes, dead, dead_ts, live_ts, fair)
        val out = TextIO.openOut file
      in TextIO.output (out, report); TextIO.closeOut out end
  end
end

(* Graphs for Graphviz. *)
structure OGtoGraphviz = struct
  local
    fun escaped text =
      String.translate
        (fn #"\"" => "\\\"" | #"\n" => "\\n" | #"\\" => "\\\\" | c => String.str c) text
    fun node n =
      String.concat ["  N", Int.toString n, " [label=\"", escaped (NodeDescriptor n), "\"];\n"]
    fun arc a =
      String.concat
        ["  N", Int.toString (SourceNode a), " -> N", Int.toString (DestNode a), " [ label=\"A",
         escaped (st_Arc a), ":", escaped (CPN'arc_text a), "\" ];\n"]
    fun write (file, lines) =
      let val out = TextIO.openOut file
      in
        TextIO.output (out, "digraph cpn_tools_graph {\n");
        List.app (fn line => TextIO.output (out, line)) lines;
        TextIO.output (out, "}\n");
        TextIO.closeOut out
      end
    fun graph (file, nodes, arcs) = write (file, List.map node nodes ^^ List.map arc arcs)
    fun ends arcs = remdupl (List.map SourceNode arcs ^^ List.map DestNode arcs)
    fun up_to n = List.tabulate (n, fn i => i + 1)
    fun scc s = "SCC" ^ Int.toString (~ s)
  in
    fun ExportStateSpace file = graph (file, up_to (NoOfNodes ()), up_to (NoOfArcs ()))
    fun ExportNodes (file, nodes) = graph (file, nodes, nil)
    fun ExportArcs (file, arcs) = graph (file, ends arcs, arcs)
    fun ExportNodePath (file, nodes) =
      let
        fun steps (n :: m :: l) = Arcs (n, m) ^^ steps (m :: l) | steps _ = nil
      in graph (file, remdupl nodes, steps nodes) end
    fun ExportArcPath (file, arcs) = ExportArcs (file, arcs)
    fun ExportSuccessors (file, n) = graph (file, remdupl (n :: OutNodes n), OutArcs n)
    fun ExportPredecessors (file, n) = graph (file, remdupl (n :: InNodes n), InArcs n)
    fun ExportSccGraph file =
      let
        val sccs = List.tabulate (SccNoOfNodes (), fn k => ~1 - k)
        fun shown s = String.concat ["  ", scc s, " [label=\"", scc s, "\"];\n"]
        fun link a =
          String.concat ["  ", scc (SccSourceNode a), " -> ", scc (SccDestNode a),
                         " [ label=\"A", escaped (st_Arc a), "\" ];\n"]
      in
        write (file, List.map shown sccs ^^ List.map link (List.concat (List.map SccOutArcs sccs)))
      end
  end
end
