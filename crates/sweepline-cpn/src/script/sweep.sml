(* The interface of SWEEP/CPN (Gallasch, Kristensen, Mailund 2002): folds over the markings and arcs
   that a sweep passes. *)

(* First value, measure, collection threshold, seconds, log file, what to see (1 markings, 2 arcs, 4
   dead markings), what to do: transition (~1 of a marking, ~2 of a dead one), source, binding
   element, destination, value so far. *)
val CPN'sweep = _prim "ask 0" :
  'r * (string -> IntInf.int) * int * int * string list * int *
  (int * string * string * string * 'r -> 'r) -> 'r
val CPN'keep = _prim "ask 1" : string -> unit
val CPN'figures = _prim "ask 2" : unit -> IntInf.int list
val CPN'kept = _prim "ask 3" : unit -> string list
val CPN'describe = _prim "ask 4" : string -> string
val CPN'start = _prim "ask 5" : unit -> string
val CPN'draw = _prim "ask 6" : string * string list * int -> unit

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

    (* Numbers of transitions alone: binding elements are not made into values. *)
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
  (* Writes a picture of markings, of those up to Depth steps after them, and of the arcs between all of
     these; the name of the file says in which format. *)
  fun Draw {File, States, Depth} =
    CPN'draw (File, List.map (fn CPN'State s => s) States, Depth)
end

(* The standard queries. *)

fun mssize m = List.length m
fun BEToTI b = CPN'instance b
fun BToTI b = CPN'instance b
fun SLArcToTI (_, b, _) = BToTI b
(* Markings are values: what stands for a node is the marking itself. *)
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
  (* The first of them found is enough: counting them all may overflow. *)
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
