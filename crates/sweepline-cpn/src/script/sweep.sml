(* The interface of SWEEP/CPN (Gallasch, Kristensen, Mailund 2002): folds over the markings and arcs
   that a sweep visits. *)

(* Initial value, measure, collection threshold, seconds, log file, what to visit (1 markings, 2 arcs, 4
   dead markings), and the function. Its arguments: transition (~1 for a marking, ~2 for a dead one), source, binding
   element, destination, current value. *)
val CPN'sweep = _prim "ask sweep" :
  'r * (string -> IntInf.int) * int * int * string list * int *
  (int * string * string * string * 'r -> 'r) -> 'r
val CPN'keep = _prim "ask keep" : string -> unit
val CPN'figures = _prim "ask figures" : unit -> IntInf.int list
val CPN'kept = _prim "ask kept" : unit -> string list
val CPN'describe = _prim "ask describe" : string -> string
val CPN'start = _prim "ask start" : unit -> string
val CPN'draw = _prim "ask draw" : string * string list * int -> unit

(* Arguments of a sweep: measure, collection threshold, seconds, log file; then the query. *)
val CPN'home = _prim "ask home" :
  (string -> IntInf.int) * int * int * string list * (string -> bool) -> int
(* 0: whether these transitions together are live; 1: their fairness (0 impartial, 1 fair, 2 just, 3 no fairness). *)
val CPN'set = _prim "ask instances" :
  (string -> IntInf.int) * int * int * string list * int * int list -> int
val CPN'terminates = _prim "ask terminates" : (string -> IntInf.int) * int * int * string list -> int
(* Components, arcs between them, terminal, trivial ones, home markings; for each transition: occurs,
   live, fairness. *)
val CPN'structure = _prim "ask structure" :
  (string -> IntInf.int) * int * int * string list -> IntInf.int list
(* Without time stamps. *)
val CPN'untimed_state = _prim "ask untimed_state" : string -> string

datatype FairnessProperty = Impartial | Fair | Just | No_Fairness

(* LTL formulas. *)
structure LTL = struct
  datatype formula =
    TRUE | FALSE
  | CPN'State of string -> bool
  | CPN'Takes of int list
  | NOT of formula | X of formula | F of formula | G of formula
  | AND of formula * formula | OR of formula * formula
  | IMPLIES of formula * formula | IFF of formula * formula
  | U of formula * formula | R of formula * formula
  | W of formula * formula | M of formula * formula
  (* The marking satisfies this now. *)
  fun state pred = CPN'State (fn s => pred (SL.CPN'State s))
  (* One of these transition instances occurs next. *)
  fun takes instances = CPN'Takes (List.map (fn TI.CPN'TI t => t) instances)
end

(* A formula, weakly and strongly fair transitions, whether to return a counterexample. The result is empty, or the
   markings of the prefix and those of the cycle. *)
val CPN'linear = _prim "ask linear" :
  (string -> IntInf.int) * int * int * string list * LTL.formula * int list list * int list list *
  int -> string list list

structure SL = struct
  open SL

  local
    fun explore ({PM, GC, Secs, Logfile}, seen, event, first) =
      let val file = case Logfile of NONE => [] | SOME name => [name]
      in CPN'sweep (first, fn s => PM (CPN'State s), GC, Secs, file, seen, event) end
    fun arc (s, b, t) = (CPN'State s, CPN'element b, CPN'State t)
    fun store (Store, s) = if Store (CPN'State s) then CPN'keep s else ()
  in
    fun ExploreStateSpace {PM, GC, Secs, Logfile} =
      let
        val sweep = {PM = PM, GC = GC, Secs = Secs, Logfile = Logfile}
        val () = explore (sweep, 0, fn (_, _, _, _, ()) => (), ())
      in
        case CPN'figures () of
          [markings, arcs, dead, peak] =>
            {Markings = markings, Arcs = arcs, Dead = dead, Peak = peak}
        | _ => raise Match
      end

    fun ExploreStates {PM, GC, Secs, Logfile, Init, Comb, Eval, Pred, Store} =
      let
        fun event (_, s, _, _, r) =
          let val r = if Pred (CPN'State s) then Comb (r, Eval (CPN'State s)) else r
          in store (Store, s); r end
      in explore ({PM = PM, GC = GC, Secs = Secs, Logfile = Logfile}, 1, event, Init) end

    fun ExploreArcs {PM, GC, Secs, Logfile, Init, Comb, Eval, Pred} =
      let
        fun event (_, s, b, t, r) =
          let val A = arc (s, b, t) in if Pred A then Comb (r, Eval A) else r end
      in explore ({PM = PM, GC = GC, Secs = Secs, Logfile = Logfile}, 2, event, Init) end

    fun ExploreDeadStates {PM, GC, Secs, Logfile, Init, Comb, Eval, Pred, Store} =
      let
        fun event (_, s, _, _, r) =
          let val r = if Pred (CPN'State s) then Comb (r, Eval (CPN'State s)) else r
          in store (Store, s); r end
      in explore ({PM = PM, GC = GC, Secs = Secs, Logfile = Logfile}, 4, event, Init) end
    val ExploreDead = ExploreDeadStates

    (* Fifteen fields: the sweep options, and what to do with markings, arcs and dead markings. *)
    fun Explore {Sweep, NodeInit, NodeComb, NodeEval, NodePred, NodeStore,
                 ArcInit, ArcComb, ArcEval, ArcPred,
                 DeadInit, DeadComb, DeadEval, DeadPred, DeadStore} =
      let
        fun event (~1, s, _, _, (n, a, d)) =
              let val n = if NodePred (CPN'State s) then NodeComb (n, NodeEval (CPN'State s)) else n
              in store (NodeStore, s); (n, a, d) end
          | event (~2, s, _, _, (n, a, d)) =
              let val d = if DeadPred (CPN'State s) then DeadComb (d, DeadEval (CPN'State s)) else d
              in store (DeadStore, s); (n, a, d) end
          | event (_, s, b, t, (n, a, d)) =
              let val A = arc (s, b, t)
              in (n, if ArcPred A then ArcComb (a, ArcEval A) else a, d) end
      in explore (Sweep, 7, event, (NodeInit, ArcInit, DeadInit)) end

    (* Only the numbers of transitions, so that binding elements are not decoded. *)
    fun CPN'dead_instances sweep =
      let
        fun event (t, _, _, _, left) =
          if CPN'mem (left, TI.CPN'TI t) then rm (TI.CPN'TI t) left else left
      in explore (sweep, 2, event, TI.All) end
  end

  (* The markings that `Store` asked to keep in the last sweep. *)
  fun Kept () = List.map CPN'State (CPN'kept ())
  fun Initial () = CPN'State (CPN'start ())
  fun Time (CPN'State s) = CPN'time_of s
  fun Descriptor (CPN'State s) = CPN'describe s
  (* Draws markings, the markings up to Depth steps after them, and the arcs between all of these. The extension
     of the file determines the format. *)
  fun Draw {File, States, Depth} =
    CPN'draw (File, List.map (fn CPN'State s => s) States, Depth)
end

(* The standard queries. *)

fun mssize m = List.length m
fun BEToTI b = CPN'instance b
fun BToTI b = CPN'instance b
fun SLArcToTI (_, b, _) = BToTI b
(* A node is represented by its marking. *)
fun GetNodeNo (M : SL.state) = M

local
  fun all _ = true
  fun none _ = false
  fun fold ({PM, GC, Secs, Logfile}, eval, comb) =
    Option.valOf (SL.ExploreStates
      {PM = PM, GC = GC, Secs = Secs, Logfile = Logfile, Pred = all, Store = none, Eval = eval,
       Comb = fn (NONE, b) => SOME b | (SOME a, b) => SOME (comb (a, b)), Init = NONE})
  fun upper (a, b) =
    List.foldl (fn (c, m) => if cf (c, b) > cf (c, m) then (cf (c, b) - cf (c, m))`c ++ m else m)
      a b
  fun lower (a, b) =
    List.concat (List.map (fn c => Int.min (cf (c, a), cf (c, b))`c) (remdupl a))
in
  (* Stops at the first one, because counting all may overflow. *)
  fun SLReachable ({PM, GC, Secs, Logfile}, pred, keep) =
    SL.ExploreStates
      {PM = PM, GC = GC, Secs = Secs, Logfile = Logfile, Pred = pred,
       Store = fn M => keep andalso pred M, Eval = fn _ => true, Comb = fn (_, b) => b,
       Init = false}
  fun SLBestUpperInteger (sweep, eval) = fold (sweep, eval, fn (a : int, b) => Int.max (a, b))
  fun SLBestLowerInteger (sweep, eval) = fold (sweep, eval, fn (a : int, b) => Int.min (a, b))
  fun SLBestUpperMultiSet (sweep, eval) = fold (sweep, eval, upper)
  fun SLBestLowerMultiSet (sweep, eval) = fold (sweep, eval, lower)
  fun SLListDeadMarkings {PM, GC, Secs, Logfile} =
    SL.ExploreDeadStates
      {PM = PM, GC = GC, Secs = Secs, Logfile = Logfile, Pred = all, Store = all,
       Eval = GetNodeNo, Comb = fn (a, b) => b :: a, Init = []}
  fun SLListDeadTIs sweep = SL.CPN'dead_instances sweep
end

(* Components and LTL, decided layer by layer during the sweep. *)

local
  fun swept ({PM, GC, Secs, Logfile}) =
    (fn s => PM (SL.CPN'State s) : IntInf.int, GC : int, Secs : int,
     case Logfile of NONE => nil | SOME name => [name : string])
  fun home (sweep, pred) =
    let val (pm, gc, secs, log) = swept sweep in CPN'home (pm, gc, secs, log, pred) = 1 end
  fun asked (sweep, what, instances) =
    let val (pm, gc, secs, log) = swept sweep
    in CPN'set (pm, gc, secs, log, what, List.map (fn TI.CPN'TI t => t) instances) end
  fun structured sweep = CPN'structure (swept sweep)
  fun class n = case n : int of 0 => Impartial | 1 => Fair | 2 => Just | _ => No_Fairness
  (* Three numbers for each transition, after the first five numbers. *)
  fun instances_with (sweep, test) =
    let val facts = List.drop (structured sweep, 5)
        fun of_instance t =
          test (List.nth (facts, 3 * t) = 1, List.nth (facts, 3 * t + 1) = 1,
                class (IntInf.toInt (List.nth (facts, 3 * t + 2))))
    in List.filter (fn TI.CPN'TI t => of_instance t) TI.All end
  fun numbers sets = List.map (List.map (fn TI.CPN'TI t => t)) sets
  fun linear (sweep, {Weak, Strong}, formula, shown) =
    let val (pm, gc, secs, log) = swept sweep
    in CPN'linear (pm, gc, secs, log, formula, numbers Weak, numbers Strong, shown) end
in
  fun SLHomePredicate (sweep, pred) = home (sweep, fn s => pred (SL.CPN'State s))
  (* Time stamps are ignored, as in `HomeSpace`. *)
  fun SLHomeSpace (sweep, states) =
    let val marks = List.map (fn SL.CPN'State s => CPN'untimed_state s) states
    in home (sweep, fn s => CPN'mem (marks, CPN'untimed_state s)) end
  fun SLHomeMarking (sweep, state) = SLHomeSpace (sweep, [state])
  fun SLInitialHomeMarking sweep = SLHomeMarking (sweep, SL.Initial ())
  (* The initial marking, including time stamps. *)
  fun SLReversible sweep =
    let val first = SL.Initial () in SLHomePredicate (sweep, fn M => M = first) end
  fun SLTerminates sweep = CPN'terminates (swept sweep) = 1
  fun SLComponents sweep =
    case structured sweep of
      sccs :: arcs :: terminal :: trivial :: home :: _ =>
        {Sccs = sccs, SccArcs = arcs, Terminal = terminal, Trivial = trivial, HomeMarkings = home}
    | _ => raise Match
  fun SLMinimalHomeSpace sweep = #Terminal (SLComponents sweep)
  fun SLTIsLive (sweep, instances) = asked (sweep, 0, instances) = 1
  fun SLListLiveTIs sweep = instances_with (sweep, fn (_, live, _) => live)
  fun SLTIsFairness (sweep, instances) = class (asked (sweep, 1, instances))
  fun SLListImpartialTIs sweep = instances_with (sweep, fn (_, _, c) => c = Impartial)
  fun SLListFairTIs sweep =
    instances_with (sweep, fn (_, _, c) => c = Impartial orelse c = Fair)
  fun SLListJustTIs sweep = instances_with (sweep, fn (_, _, c) => c <> No_Fairness)
  fun SLLtl (sweep, formula) =
    List.null (linear (sweep, {Weak = nil, Strong = nil}, formula, 0))
  (* Considers only paths that are fair to these sets of transition instances. *)
  fun SLLtlFair (sweep, fair, formula) = List.null (linear (sweep, fair, formula, 0))
  (* A counterexample: a prefix, then the markings of `Loop` repeated for ever. *)
  fun SLLtlRun (sweep, fair, formula) =
    case linear (sweep, fair, formula, 1) of
      [stem, loop] =>
        SOME {Stem = List.map SL.CPN'State stem, Loop = List.map SL.CPN'State loop}
    | _ => NONE
end
