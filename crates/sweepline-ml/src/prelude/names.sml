(* Names of the basis at top level. *)

val rev = List.rev
val length = List.length
val null = List.null
val hd = List.hd
val tl = List.tl
val app = List.app
val map = List.map
val foldl = List.foldl
val foldr = List.foldr
val concat = String.concat
val getOpt = Option.getOpt
val isSome = Option.isSome
val valOf = Option.valOf
val ord = Char.ord
val chr = Char.chr
val str = String.str
val substring = String.substring
val implode = String.implode
val explode = String.explode
val real = Real.fromInt
val floor = Real.floor
val ceil = Real.ceil
val round = Real.round
val trunc = Real.trunc
val vector = _prim "array_from_list" : 'a list -> 'a vector
(* `#[a, b]` is an application of this function. *)
val CPN'vector_of = vector
