(* Arrays and vectors. *)

structure Vector = struct
  type 'a vector = 'a vector
  val maxLen = 16777215
  val fromList = _prim "array_from_list" : 'a list -> 'a vector
  val length = _prim "array_length" : 'a vector -> int
  val sub = _prim "array_sub" : 'a vector * int -> 'a
  fun tabulate (n, f) = fromList (List.tabulate (n, f))
  fun foldli f b v =
    let fun go (i, b) = if i >= length v then b else go (i + 1, f (i, sub (v, i), b))
    in go (0, b) end
  fun foldri f b v =
    let fun go (i, b) = if i < 0 then b else go (i - 1, f (i, sub (v, i), b))
    in go (length v - 1, b) end
  fun foldl f b v = foldli (fn (_, x, b) => f (x, b)) b v
  fun foldr f b v = foldri (fn (_, x, b) => f (x, b)) b v
  fun toList v = foldr op :: nil v
  fun appi f v = foldli (fn (i, x, ()) => f (i, x)) () v
  fun app f v = appi (fn (_, x) => f x) v
  fun mapi f v = fromList (List.rev (foldli (fn (i, x, l) => f (i, x) :: l) nil v))
  fun map f v = mapi (fn (_, x) => f x) v
  fun update (v, at, x) =
    if at < 0 orelse at >= length v then raise Subscript
    else mapi (fn (i, y) => if i = at then x else y) v
  fun concat l = fromList (List.concat (List.map toList l))
  fun findi p v =
    let
      fun go i =
        if i >= length v then NONE
        else let val found = (i, sub (v, i)) in if p found then SOME found else go (i + 1) end
    in go 0 end
  fun find p v = case findi (fn (_, x) => p x) v of SOME (_, x) => SOME x | NONE => NONE
  fun exists p v = Option.isSome (find p v)
  fun all p v = not (exists (fn x => not (p x)) v)
  fun collate cmp (v, w) = List.collate cmp (toList v, toList w)
end

structure Array = struct
  type 'a array = 'a array
  type 'a vector = 'a vector
  val maxLen = 16777215
  val array = _prim "array_make" : int * 'a -> 'a array
  val fromList = _prim "array_from_list" : 'a list -> 'a array
  val length = _prim "array_length" : 'a array -> int
  val sub = _prim "array_sub" : 'a array * int -> 'a
  val update = _prim "array_update" : 'a array * int * 'a -> unit
  fun tabulate (n, f) = fromList (List.tabulate (n, f))
  fun foldli f b a =
    let fun go (i, b) = if i >= length a then b else go (i + 1, f (i, sub (a, i), b))
    in go (0, b) end
  fun foldri f b a =
    let fun go (i, b) = if i < 0 then b else go (i - 1, f (i, sub (a, i), b))
    in go (length a - 1, b) end
  fun foldl f b a = foldli (fn (_, x, b) => f (x, b)) b a
  fun foldr f b a = foldri (fn (_, x, b) => f (x, b)) b a
  fun toList a = foldr op :: nil a
  fun vector a = Vector.fromList (toList a)
  fun appi f a = foldli (fn (i, x, ()) => f (i, x)) () a
  fun app f a = appi (fn (_, x) => f x) a
  fun modifyi f a = appi (fn (i, x) => update (a, i, f (i, x))) a
  fun modify f a = modifyi (fn (_, x) => f x) a
  (* Reads first, because source and target may be the same array. *)
  fun copy_list (l, dst, di) =
    if di < 0 orelse di + List.length l > length dst then raise Subscript
    else ignore (List.foldl (fn (x, i) => (update (dst, i, x); i + 1)) di l)
  fun copy {src, dst, di} = copy_list (toList src, dst, di)
  fun copyVec {src, dst, di} = copy_list (Vector.toList src, dst, di)
  fun findi p a =
    let
      fun go i =
        if i >= length a then NONE
        else let val found = (i, sub (a, i)) in if p found then SOME found else go (i + 1) end
    in go 0 end
  fun find p a = case findi (fn (_, x) => p x) a of SOME (_, x) => SOME x | NONE => NONE
  fun exists p a = Option.isSome (find p a)
  fun all p a = not (exists (fn x => not (p x)) a)
  fun collate cmp (a, b) = List.collate cmp (toList a, toList b)
end

structure Array2 = struct
  datatype traversal = RowMajor | ColMajor
  datatype 'a array = CPN'array2 of 'a Array.array * int * int
  fun array (rows, columns, x) =
    if rows < 0 orelse columns < 0 then raise Size
    else CPN'array2 (Array.array (rows * columns, x), rows, columns)
  fun fromList nil = CPN'array2 (Array.fromList nil, 0, 0)
    | fromList (row :: rows) =
        let
          val columns = List.length row
          fun fits row = List.length row = columns
        in
          if List.all fits rows
          then CPN'array2 (Array.fromList (List.concat (row :: rows)), 1 + List.length rows, columns)
          else raise Size
        end
  fun dimensions (CPN'array2 (_, rows, columns)) = (rows, columns)
  fun nRows (CPN'array2 (_, rows, _)) = rows
  fun nCols (CPN'array2 (_, _, columns)) = columns
  fun at (CPN'array2 (_, rows, columns), i, j) =
    if i < 0 orelse j < 0 orelse i >= rows orelse j >= columns then raise Subscript
    else i * columns + j
  fun cells (CPN'array2 (a, _, _)) = a
  fun sub (a, i, j) = Array.sub (cells a, at (a, i, j))
  fun update (a, i, j, x) = Array.update (cells a, at (a, i, j), x)
  fun row (a, i) = Vector.tabulate (nCols a, fn j => sub (a, i, j))
  fun column (a, j) = Vector.tabulate (nRows a, fn i => sub (a, i, j))
  (* The positions of the elements in traversal order. *)
  fun places order (rows, columns) =
    let
      fun pairs f (n, m) =
        List.concat (List.tabulate (n, fn i => List.tabulate (m, fn j => f (i, j))))
    in
      case order of
          RowMajor => pairs (fn (i, j) => (i, j)) (rows, columns)
        | ColMajor => pairs (fn (j, i) => (i, j)) (columns, rows)
    end
  fun tabulate order (rows, columns, f) =
    if rows < 0 orelse columns < 0 then raise Size
    else
      case List.map (fn (i, j) => (i, j, f (i, j))) (places order (rows, columns)) of
          nil => CPN'array2 (Array.fromList nil, rows, columns)
        | all as ((_, _, x) :: _) =>
            let val a = array (rows, columns, x)
            in List.app (fn (i, j, x) => update (a, i, j, x)) all; a end
  fun fold order f b a =
    List.foldl (fn ((i, j), b) => f (sub (a, i, j), b)) b (places order (dimensions a))
  fun app order f a = List.app (fn (i, j) => f (sub (a, i, j))) (places order (dimensions a))
  fun modify order f a =
    List.app (fn (i, j) => update (a, i, j, f (sub (a, i, j)))) (places order (dimensions a))
end

(* Strings as vectors of characters. *)
structure CharVector = struct
  type vector = string
  type elem = char
  val maxLen = String.maxSize
  val fromList = String.implode
  val length = String.size
  val sub = String.sub
  val concat = String.concat
  val map = String.map
  val collate = String.collate
  fun tabulate (n, f) = String.implode (List.tabulate (n, f))
  fun app f s = List.app f (String.explode s)
  fun foldl f b s = List.foldl f b (String.explode s)
  fun foldr f b s = List.foldr f b (String.explode s)
  fun find p s = List.find p (String.explode s)
  fun exists p s = List.exists p (String.explode s)
  fun all p s = List.all p (String.explode s)
end
