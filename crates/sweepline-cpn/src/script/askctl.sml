(* ASK-CTL: formulas about nodes and arcs of the stored state space. *)

structure ASKCTL = struct
  datatype A =
    TT | FF
  | NF of string * (int -> bool) | AF of string * (int -> bool)
  | NOT of A | AND of A * A | OR of A * A
  | EXIST_UNTIL of A * A | FORALL_UNTIL of A * A
  | MODAL of A
  (* `FORALL_UNTIL`, but a dead node does not satisfy it. *)
  | CPN'INEVITABLE of A * A
  (* The meaning of `INV`; and the operand of `ALONG` with its meaning. *)
  | CPN'INV of A | CPN'ALONG of A * A

  (* Paths may end at dead nodes in these two operators only. *)
  fun POS (CPN'ALONG (a, _)) = EXIST_UNTIL (TT, NOT (CPN'INEVITABLE (TT, NOT a)))
    | POS a = EXIST_UNTIL (TT, a)
  fun EV (a as CPN'INV _) = CPN'INEVITABLE (TT, a) | EV a = FORALL_UNTIL (TT, a)
  fun INV a = CPN'INV (NOT (EXIST_UNTIL (TT, NOT a)))
  fun ALONG a = CPN'ALONG (a, NOT (FORALL_UNTIL (TT, NOT a)))
  fun EXIST_MODAL (a, b) = MODAL (AND (a, MODAL b))
  fun FORALL_MODAL (a, b) = NOT (EXIST_MODAL (a, NOT b))
  fun EXIST_NEXT a = EXIST_MODAL (TT, a)
  fun FORALL_NEXT a = FORALL_MODAL (TT, a)

  local
    (* The value of a formula at a node (0) or an arc (1). *)
    val ask = _prim "ask askctl" : A * int * int -> int
    fun eval (a, is_arc, n) =
      case ask (a, is_arc, n) of
        0 => false
      | 1 => true
      | 2 => raise CPN'Stop "Error: Node handled as Arc in ASK-CTL"
      | _ => raise CPN'Stop "Error: Arc handled as Node in ASK-CTL"
  in
    fun eval_node a n = eval (a, 0, n)
    fun eval_arc a n = eval (a, 1, n)
  end
end
