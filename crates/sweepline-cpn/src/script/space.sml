(* The query functions of CPN Tools over a stored state space. Nodes and arcs are numbered from 1 in
   the order they are found breadth first; strongly connected components from ~1 downwards. *)

val InitNode = 1
val InitScc = ~1
val EntireGraph = [0]
val NoLimit = 0

exception NoPathExists

val NoOfNodes = _prim "ask nodes" : unit -> int
val NoOfArcs = _prim "ask arcs" : unit -> int
val OutArcs = _prim "ask out_arcs" : int -> int list
val InArcs = _prim "ask in_arcs" : int -> int list
val SourceNode = _prim "ask source" : int -> int
val DestNode = _prim "ask target" : int -> int
val CPN'element_of = _prim "ask element" : int -> string
val CPN'transition_of = _prim "ask transition" : int -> int
(* The arcs of a shortest path; [0] if there is none. *)
val CPN'path = _prim "ask path" : int * int -> int list
val NodeToScc = _prim "ask component_of" : int -> int
val SccNoOfNodes = _prim "ask components" : unit -> int
val SccToNodes = _prim "ask members" : int -> int list
val CPN'reachable = _prim "ask reachable" : int -> int list
(* The fairness of a set of arcs: 0 impartial, 1 fair, 2 just, 3 no fairness. *)
val CPN'fairness = _prim "ask fairness" : int list -> int
val CPN'untimed = _prim "ask untimed_node" : int -> string
val CPN'instance_text = _prim "ask instance_text" : int -> string
val CPN'arc_text = _prim "ask arc_text" : int -> string
val CPN'place_text = _prim "ask place_text" : int -> string
val CPN'element_text = _prim "ask element_text" : Bind.Elem -> string
val CPN'fold_range = _prim "ask fold_range" : 'r * (int * 'r -> 'r) * int * int -> 'r
val CPN'fold_list = _prim "ask fold_list" : 'r * (int * 'r -> 'r) * int list -> 'r

fun CalculateOccGraph () = (NoOfNodes (); ())
fun CalculateSccGraph () = (SccNoOfNodes (); ())
fun EntireGraphCalculated () = (NoOfNodes (); true)
fun SccGraphCalculated () = (SccNoOfNodes (); true)
fun GenOG (_ : int list) = CalculateOccGraph ()
(* The time of computation is not measured: always 0. *)
fun NoOfSecs () = (NoOfNodes (); 0)
fun SccNoOfSecs () = (SccNoOfNodes (); 0)
fun Processed (n : int) = true
fun FullyProcessed (n : int) = true

fun ArcToBE a = CPN'element (CPN'element_of a)
fun ArcToTI a = TI.CPN'TI (CPN'transition_of a)
fun NodeToState n = SL.CPN'State (CPN'bytes n)

(* The graph. *)

fun OutNodes n = remdupl (List.map DestNode (OutArcs n))
fun InNodes n = remdupl (List.map SourceNode (InArcs n))
fun Arcs (n, m) = List.filter (fn a => DestNode a = m) (OutArcs n)
fun Terminal n = List.null (OutArcs n)
fun ArcsInPath (n, m) = case CPN'path (n, m) of [0] => raise NoPathExists | path => path
fun NodesInPath (n, m) = n :: List.map DestNode (ArcsInPath (n, m))
fun Reachable (n, m) = CPN'path (n, m) <> [0]
local
  fun shown nodes = String.concat ["[", String.concatWith ", " (List.map Int.toString nodes), "]"]
  fun told (what, n, m, nodes) =
    print (String.concat
      [case nodes of nil => "There is no path from " | _ => "A path from " ^ what,
       Int.toString n, " to ", case nodes of nil => "" | _ => what, Int.toString m,
       case nodes of nil => "" | _ => " is: " ^ shown nodes, "\n"])
in
  (* Prints a note about the path. *)
  fun Reachable' (n, m) =
    let val nodes = if Reachable (n, m) then NodesInPath (n, m) else nil
    in told ("node ", n, m, nodes); not (List.null nodes) end
end

(* Search. *)

local
  fun search (size, area, pred, limit, eval, start, comb) =
    let
      fun step (n, (k, r)) =
        if limit > 0 andalso k >= limit then (k, r)
        else if pred n then (k + 1, comb (eval n, r))
        else (k, r)
      val (_, r) =
        case area of
          [0] => CPN'fold_range ((0, start), step, 1, size ())
        | area => CPN'fold_list ((0, start), step, area)
    in r end
  fun self n = n
  fun always _ = true
  fun arcs_from n = List.concat (List.map OutArcs (CPN'reachable n))
  fun sccs () = List.tabulate (SccNoOfNodes (), fn k => ~1 - k)
  fun scc_area [0] = sccs () | scc_area area = area
in
  fun SearchNodes (area, pred, limit, eval, start, comb) =
    search (NoOfNodes, area, pred, limit, eval, start, comb)
  fun PredNodes (area, pred, limit) = SearchNodes (area, pred, limit, self, nil, op ::)
  fun EvalNodes (area, eval) = SearchNodes (area, always, 0, eval, nil, op ::)
  fun SearchAllNodes (pred, eval, start, comb) = SearchNodes ([0], pred, 0, eval, start, comb)
  fun PredAllNodes pred = PredNodes ([0], pred, 0)
  fun EvalAllNodes eval = EvalNodes ([0], eval)
  fun SearchArcs (area, pred, limit, eval, start, comb) =
    search (NoOfArcs, area, pred, limit, eval, start, comb)
  fun PredArcs (area, pred, limit) = SearchArcs (area, pred, limit, self, nil, op ::)
  fun EvalArcs (area, eval) = SearchArcs (area, always, 0, eval, nil, op ::)
  fun SearchAllArcs (pred, eval, start, comb) = SearchArcs ([0], pred, 0, eval, start, comb)
  fun PredAllArcs pred = PredArcs ([0], pred, 0)
  fun EvalAllArcs eval = EvalArcs ([0], eval)
  fun SearchSccs (area, pred, limit, eval, start, comb) =
    search (SccNoOfNodes, scc_area area, pred, limit, eval, start, comb)
  fun PredSccs (area, pred, limit) = SearchSccs (area, pred, limit, self, nil, op ::)
  fun EvalSccs (area, eval) = SearchSccs (area, always, 0, eval, nil, op ::)
  fun SearchAllSccs (pred, eval, start, comb) = SearchSccs ([0], pred, 0, eval, start, comb)
  fun PredAllSccs pred = PredSccs ([0], pred, 0)
  fun EvalAllSccs eval = EvalSccs ([0], eval)
  fun SearchReachableNodes (n, pred, limit, eval, start, comb) =
    SearchNodes (CPN'reachable n, pred, limit, eval, start, comb)
  fun SearchReachableArcs (n, pred, limit, eval, start, comb) =
    SearchArcs (arcs_from n, pred, limit, eval, start, comb)
end
fun ColorSearch (colour, mark) = PredAllNodes (fn n => cf (colour, mark n) > 0)
fun MaxEnab () =
  SearchAllNodes (fn _ => true, fn n => List.length (OutArcs n), 0, fn (a, b) => Int.max (a, b))

(* Strongly connected components. *)

fun ArcToScc a = NodeToScc (SourceNode a)
fun SccSourceNode a = NodeToScc (SourceNode a)
fun SccDestNode a = NodeToScc (DestNode a)
local
  fun leaving s = List.concat (List.map OutArcs (SccToNodes s))
  fun entering s = List.concat (List.map InArcs (SccToNodes s))
in
  fun SccToArcs s = List.filter (fn a => SccDestNode a = s) (leaving s)
  fun SccOutArcs s = List.filter (fn a => SccDestNode a <> s) (leaving s)
  fun SccInArcs s = List.filter (fn a => SccSourceNode a <> s) (entering s)
end
fun SccArcs (s, t) = List.filter (fn a => SccDestNode a = t) (SccOutArcs s)
fun SccOutNodes s = remdupl (List.map SccDestNode (SccOutArcs s))
fun SccInNodes s = remdupl (List.map SccSourceNode (SccInArcs s))
fun SccTerminal s = List.null (SccOutArcs s)
fun SccTrivial s = List.length (SccToNodes s) = 1 andalso List.null (SccToArcs s)
fun SccInitial s = s = InitScc
fun SccNoOfArcs () = List.length (PredAllArcs (fn a => SccSourceNode a <> SccDestNode a))
fun TerminalSccs () = PredAllSccs SccTerminal
fun SccReachable (n, m) = Reachable (n, m)
local
  fun first s = List.hd (SccToNodes s)
in
  fun SccArcsInPath (s, t) =
    List.filter (fn a => SccSourceNode a <> SccDestNode a) (ArcsInPath (first s, first t))
  fun SccNodesInPath (s, t) = s :: List.map SccDestNode (SccArcsInPath (s, t))
  fun SearchReachableSccs (s, pred, limit, eval, start, comb) =
    let val area = remdupl (List.map NodeToScc (CPN'reachable (first s)))
    in SearchSccs (area, pred, limit, eval, start, comb) end
end
fun SccReachable' (n, m) = Reachable' (n, m)
fun AllReachable () = SccNoOfNodes () = 1

(* Time. *)

fun CreationTime n = CPN'time_of (CPN'bytes n)
fun OccurrenceTime a = CreationTime (DestNode a)
fun EqualUntimed (n, m) = CPN'untimed n = CPN'untimed m
fun EqualsUntimed n =
  let val mark = CPN'untimed n in PredAllNodes (fn m => CPN'untimed m = mark) end

(* Bounds. *)

local
  fun all _ = true
  fun more (c, m, n) = if n > cf (c, m) then (n - cf (c, m))`c ++ m else m
  fun upper (m, r) = List.foldl (fn (c, r) => more (c, r, cf (c, m))) r m
  fun lower (m, NONE) = SOME m
    | lower (m, SOME r) =
        SOME (List.concat (List.map (fn c => Int.min (cf (c, m), cf (c, r))`c) (remdupl r)))
in
  fun UpperInteger mark = SearchAllNodes (all, fn n => size (mark n), 0, Int.max)
  fun LowerInteger mark =
    SearchAllNodes (all, fn n => size (mark n), size (mark InitNode), Int.min)
  fun UpperMultiSet mark = SearchAllNodes (all, mark, empty, upper)
  fun LowerMultiSet mark = Option.valOf (SearchAllNodes (all, mark, NONE, lower))
  fun UpperTimedMultiSet mark = UpperMultiSet (fn n => StripTime (mark n))
  fun LowerTimedMultiSet mark = LowerMultiSet (fn n => StripTime (mark n))
end

(* Home properties. In timed nets, time stamps are ignored. *)

local
  fun has nodes s =
    if CPN'is_timed then
      let val marks = List.map CPN'untimed nodes
      in List.exists (fn n => CPN'mem (marks, CPN'untimed n)) (SccToNodes s) end
    else List.exists (fn n => NodeToScc n = s) nodes
in
  fun HomeSpace nodes = List.all (has nodes) (TerminalSccs ())
end
fun HomePredicate pred =
  List.all (fn s => List.exists pred (SccToNodes s)) (TerminalSccs ())
fun HomeMarking n = HomeSpace [n]
fun MinimalHomeSpace () = List.length (TerminalSccs ())
fun ListHomeMarkings () =
  if CPN'is_timed then PredAllNodes HomeMarking
  else case TerminalSccs () of [s] => SccToNodes s | _ => nil
fun ListHomeScc () = case TerminalSccs () of [s] => s | _ => 0
fun HomeMarkingExists () = not (List.null (ListHomeMarkings ()))
fun InitialHomeMarking () = HomeMarking InitNode

(* Liveness. *)

fun DeadMarking n = Terminal n
fun ListDeadMarkings () = PredAllNodes Terminal
fun SccListDeadMarkings () = ListDeadMarkings ()
fun ListDeadlocks () = ListDeadMarkings ()
fun ListProcDeadlocks () = ListDeadMarkings ()
local
  fun dead (is_one, n) =
    SearchReachableArcs (n, is_one, 1, fn _ => false, true, fn (b, _) => b)
  fun live is_one = List.all (fn s => List.exists is_one (SccToArcs s)) (TerminalSccs ())
  fun of_instances instances a = CPN'mem (instances, ArcToTI a)
  fun of_elements elements a = CPN'mem (elements, ArcToBE a)
  fun fairness is_one =
    case CPN'fairness (PredAllArcs is_one) of
      0 => Impartial | 1 => Fair | 2 => Just | _ => No_Fairness
  fun instances_with test = List.filter (fn t => test [t]) TI.All
in
  fun TIsDead (instances, n) = dead (of_instances instances, n)
  fun BEsDead (elements, n) = dead (of_elements elements, n)
  fun ListDeadTIs () = instances_with (fn l => TIsDead (l, InitNode))
  fun TIsLive instances = live (of_instances instances)
  fun BEsLive elements = live (of_elements elements)
  fun BEsStrictlyLive elements = List.all (fn b => BEsLive [b]) elements
  fun ListLiveTIs () = instances_with TIsLive
  fun TIsFairness instances = fairness (of_instances instances)
  fun BEsFairness elements = fairness (of_elements elements)
  fun ListImpartialTIs () = instances_with (fn l => TIsFairness l = Impartial)
  fun ListFairTIs () =
    instances_with (fn l => case TIsFairness l of Impartial => true | Fair => true | _ => false)
  fun ListJustTIs () = instances_with (fn l => TIsFairness l <> No_Fairness)
end
