(* ASK-CTL: formulas about nodes and arcs of the stored state space. *)

structure ASKCTL = struct
  datatype A =
    TT | FF
  | NF of string * (int -> bool) | AF of string * (int -> bool)
  | NOT of A | AND of A * A | OR of A * A
  | EXIST_UNTIL of A * A | FORALL_UNTIL of A * A
  | MODAL of A
  | CPN'INV of A | CPN'ALONG of A | CPN'EV_INV of A | CPN'POS_ALONG of A

  (* Dead ends count as ends of runs in these two compounds alone. *)
  fun POS (CPN'ALONG a) = CPN'POS_ALONG a | POS a = EXIST_UNTIL (TT, a)
  fun EV (CPN'INV a) = CPN'EV_INV a | EV a = FORALL_UNTIL (TT, a)
  fun INV a = CPN'INV a
  fun ALONG a = CPN'ALONG a
  fun EXIST_MODAL (a, b) = MODAL (AND (a, MODAL b))
  fun FORALL_MODAL (a, b) = NOT (EXIST_MODAL (a, NOT b))
  fun EXIST_NEXT a = EXIST_MODAL (TT, a)
  fun FORALL_NEXT a = FORALL_MODAL (TT, a)

  local
    (* Operators before their operands, and predicates; the last first. *)
    fun add (a, (codes, preds)) =
      case a of
        TT => (0 :: codes, preds)
      | FF => (1 :: codes, preds)
      | NF (_, p) => (List.length preds :: 2 :: codes, p :: preds)
      | AF (_, p) => (List.length preds :: 3 :: codes, p :: preds)
      | NOT a => add (a, (4 :: codes, preds))
      | MODAL a => add (a, (5 :: codes, preds))
      | AND (a, b) => add (b, add (a, (6 :: codes, preds)))
      | OR (a, b) => add (b, add (a, (7 :: codes, preds)))
      | EXIST_UNTIL (a, b) => add (b, add (a, (8 :: codes, preds)))
      | FORALL_UNTIL (a, b) => add (b, add (a, (9 :: codes, preds)))
      | CPN'INV a => add (NOT (EXIST_UNTIL (TT, NOT a)), (codes, preds))
      | CPN'ALONG a => add (NOT (FORALL_UNTIL (TT, NOT a)), (codes, preds))
      | CPN'EV_INV a => add (CPN'INV a, (0 :: 10 :: codes, preds))
      | CPN'POS_ALONG a => add (NOT a, (0 :: 10 :: 4 :: 0 :: 8 :: codes, preds))
    fun eval (a, is_arc, n) =
      let val (codes, preds) = add (a, (nil, nil)) in
        case CPN'askctl (List.rev codes, List.rev preds, is_arc, n) of
          0 => false
        | 1 => true
        | 2 => raise CPN'Stop "Error: Node handled as Arc in ASK-CTL"
        | _ => raise CPN'Stop "Error: Arc handled as Node in ASK-CTL"
      end
  in
    fun eval_node a n = eval (a, 0, n)
    fun eval_arc a n = eval (a, 1, n)
  end
end
