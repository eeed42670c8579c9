(* The part of the library of Standard ML of New Jersey that models use. *)

structure ListMergeSort = struct
  local
    fun merge gt (nil, l) = l
      | merge gt (k, nil) = k
      | merge gt (x :: k, y :: l) =
          if gt (x, y) then y :: merge gt (x :: k, l) else x :: merge gt (k, y :: l)
    fun take (0, l, taken) = (List.rev taken, l)
      | take (n, x :: l, taken) = take (n - 1, l, x :: taken)
      | take (_, nil, taken) = (List.rev taken, nil)
  in
    (* Equal elements keep their order. *)
    fun sort gt nil = nil
      | sort gt [x] = [x]
      | sort gt l =
          let val (a, b) = take (List.length l div 2, l, nil) in merge gt (sort gt a, sort gt b) end
  end
  fun uniqueSort cmp l =
    let
      fun once (x :: y :: l) = if cmp (x, y) = EQUAL then once (x :: l) else x :: once (y :: l)
        | once l = l
    in once (sort (fn (x, y) => cmp (x, y) = GREATER) l) end
  fun sorted gt (x :: y :: l) = not (gt (x, y)) andalso sorted gt (y :: l)
    | sorted _ _ = true
end

structure ListFormat = struct
  fun fmt {init, sep, final, fmt} l =
    String.concat [init, String.concatWith sep (List.map fmt l), final]
  fun listToString f l = fmt {init = "[", sep = ",", final = "]", fmt = f} l
end

structure ListXProd = struct
  fun appX f (k, l) = List.app (fn x => List.app (fn y => f (x, y)) l) k
  fun mapX f (k, l) = List.concat (List.map (fn x => List.map (fn y => f (x, y)) l) k)
  fun foldX f (k, l) b =
    List.foldl (fn (x, b) => List.foldl (fn (y, b) => f (x, y, b)) b l) b k
end

structure Fifo = struct
  exception Dequeue
  datatype 'a fifo = CPN'fifo of 'a list * 'a list
  val empty = CPN'fifo (nil, nil)
  fun isEmpty (CPN'fifo (nil, nil)) = true | isEmpty _ = false
  fun enqueue (CPN'fifo (front, back), x) = CPN'fifo (front, x :: back)
  fun dequeue (CPN'fifo (x :: front, back)) = (CPN'fifo (front, back), x)
    | dequeue (CPN'fifo (nil, nil)) = raise Dequeue
    | dequeue (CPN'fifo (nil, back)) = dequeue (CPN'fifo (List.rev back, nil))
  fun next q = if isEmpty q then NONE else let val (q, x) = dequeue q in SOME (x, q) end
  fun contents (CPN'fifo (front, back)) = front ^^ List.rev back
  fun head q = let val (_, x) = dequeue q in x end
  fun peek q = if isEmpty q then NONE else SOME (head q)
  fun length (CPN'fifo (front, back)) = List.length front + List.length back
  fun of_list l = CPN'fifo (l, nil)
  fun delete (q, p) = of_list (List.filter (fn x => not (p x)) (contents q))
  fun app f q = List.app f (contents q)
  fun map f q = of_list (List.map f (contents q))
  fun foldl f b q = List.foldl f b (contents q)
  fun foldr f b q = List.foldr f b (contents q)
end

structure Queue = struct
  exception Dequeue = Fifo.Dequeue
  type 'a queue = 'a Fifo.fifo ref
  fun mkQueue () : 'a queue = ref (Fifo.of_list nil)
  fun clear (q : 'a queue) = q := Fifo.of_list nil
  fun isEmpty (q : 'a queue) = Fifo.isEmpty (!q)
  fun enqueue (q : 'a queue, x) = q := Fifo.enqueue (!q, x)
  fun dequeue (q : 'a queue) = let val (rest, x) = Fifo.dequeue (!q) in q := rest; x end
  fun next (q : 'a queue) = if isEmpty q then NONE else SOME (dequeue q)
  fun head (q : 'a queue) = Fifo.head (!q)
  fun peek (q : 'a queue) = Fifo.peek (!q)
  fun length (q : 'a queue) = Fifo.length (!q)
  fun contents (q : 'a queue) = Fifo.contents (!q)
  fun delete (q : 'a queue, p) = q := Fifo.delete (!q, p)
  fun app f (q : 'a queue) = Fifo.app f (!q)
  fun map f (q : 'a queue) = ref (Fifo.map f (!q))
  fun foldl f b (q : 'a queue) = Fifo.foldl f b (!q)
  fun foldr f b (q : 'a queue) = Fifo.foldr f b (!q)
end

(* The random numbers depend on `--seed`, not on the seeds given to `rand`. *)
structure Random = struct
  datatype rand = CPN'rand
  fun rand (_ : int, _ : int) = CPN'rand
  fun randReal CPN'rand = CPN'random ()
  fun randRange (low, high) CPN'rand = discrete (low, high)
  fun randNat CPN'rand = discrete (0, Int.greatest ())
  fun randInt CPN'rand = discrete (Int.least (), Int.greatest ())
end

(* Settings of the interactive system for printing values. They have no effect. *)
structure Control = struct
  structure Print = struct
    val printDepth = ref 5
    val printLength = ref 12
    val stringDepth = ref 70
    val intinfDepth = ref 70
    val linewidth = ref 79
    val signatures = ref 2
  end
end
structure Compiler = struct structure Control = Control end
