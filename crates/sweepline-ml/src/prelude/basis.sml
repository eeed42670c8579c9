(* The part of Standard ML's basis that models use, and the names it has at top level.
   The exceptions and datatypes that the back end knows are declared first, in the order of its constants. *)

exception Match
exception Bind
exception Overflow
exception Div
exception Subscript
exception Size
exception Chr
exception Domain
exception Empty
exception Option
exception Fail of string
exception Io of {name : string, function : string, cause : exn}
exception Subtract
exception Span
exception Unordered

infix 9 @
infix 8 `
infix 7 * / div mod ** // % @+ @++
infix 6 + - ^ ++ -- +++
infixr 5 :: ^^
infix 4 = <> < > <= >=
infix 3 := o == != <><> << >> <<= >>= <<== >>==
infix 0 before += -= *= ::=

datatype bool = false | true
datatype 'a list = nil | :: of 'a * 'a list
datatype 'a option = NONE | SOME of 'a
datatype order = LESS | EQUAL | GREATER
datatype 'a timed = @ of 'a * time
datatype 'a array = CPN'array
datatype instream = CPN'instream
datatype outstream = CPN'outstream
datatype 'a vector = CPN'vector

val op <> = _prim "not_equal" : ''a * ''a -> bool
val ref = _prim "ref" : 'a -> 'a ref
val ! = _prim "deref" : 'a ref -> 'a
val op := = _prim "assign" : 'a ref * 'a -> unit
val op ^ = _prim "string_append" : string * string -> string
val op ^^ = _prim "list_append" : 'a list * 'a list -> 'a list
val print = _prim "print" : string -> unit
val exnName = _prim "exn_name" : exn -> string
val exnMessage = _prim "exn_message" : exn -> string

fun not true = false | not false = true
fun (f o g) x = f (g x)
fun (x before _) = x
fun ignore _ = ()

structure General = struct
  type unit = unit
  type exn = exn
  datatype order = datatype order
  exception Bind = Bind
  exception Match = Match
  exception Chr = Chr
  exception Div = Div
  exception Domain = Domain
  exception Fail = Fail
  exception Overflow = Overflow
  exception Size = Size
  exception Span = Span
  exception Subscript = Subscript
  val exnName = exnName
  val exnMessage = exnMessage
  val ! = !
  val op := = op :=
  val op o = op o
  val op before = op before
  val ignore = ignore
end

structure Option = struct
  datatype option = datatype option
  exception Option = Option
  fun getOpt (SOME x, _) = x | getOpt (NONE, y) = y
  fun isSome (SOME _) = true | isSome NONE = false
  fun valOf (SOME x) = x | valOf NONE = raise Option
  fun filter f x = if f x then SOME x else NONE
  fun join (SOME x) = x | join NONE = NONE
  fun app f (SOME x) = f x | app _ NONE = ()
  fun map f (SOME x) = SOME (f x) | map _ NONE = NONE
  fun mapPartial f (SOME x) = f x | mapPartial _ NONE = NONE
  fun compose (f, g) x = case g x of SOME y => SOME (f y) | NONE => NONE
  fun composePartial (f, g) x = case g x of SOME y => f y | NONE => NONE
end

structure List = struct
  datatype list = datatype list
  exception Empty = Empty
  val op @ = _prim "list_append" : 'a list * 'a list -> 'a list
  val rev = _prim "list_reverse" : 'a list -> 'a list
  val length = _prim "list_length" : 'a list -> int
  fun null nil = true | null _ = false
  fun hd (x :: _) = x | hd nil = raise Empty
  fun tl (_ :: l) = l | tl nil = raise Empty
  fun last [x] = x | last (_ :: l) = last l | last nil = raise Empty
  fun getItem nil = NONE | getItem (x :: l) = SOME (x, l)
  fun nth (l, n) =
    let fun go (x :: _, 0) = x | go (_ :: l, n) = go (l, n - 1) | go (nil, _) = raise Subscript
    in if n < 0 then raise Subscript else go (l, n) end
  fun take (l, n) =
    let
      fun go (_, 0) = nil
        | go (x :: l, n) = x :: go (l, n - 1)
        | go (nil, _) = raise Subscript
    in if n < 0 then raise Subscript else go (l, n) end
  fun drop (l, n) =
    let fun go (l, 0) = l | go (_ :: l, n) = go (l, n - 1) | go (nil, _) = raise Subscript
    in if n < 0 then raise Subscript else go (l, n) end
  fun concat nil = nil | concat (l :: ls) = l ^^ concat ls
  fun revAppend (nil, l) = l | revAppend (x :: k, l) = revAppend (k, x :: l)
  fun app f nil = () | app f (x :: l) = (f x; app f l)
  fun map f nil = nil | map f (x :: l) = f x :: map f l
  fun mapPartial f nil = nil
    | mapPartial f (x :: l) =
        case f x of NONE => mapPartial f l | SOME y => y :: mapPartial f l
  fun find f nil = NONE | find f (x :: l) = if f x then SOME x else find f l
  fun filter f nil = nil | filter f (x :: l) = if f x then x :: filter f l else filter f l
  fun partition f nil = (nil, nil)
    | partition f (x :: l) =
        let val (yes, no) = partition f l in if f x then (x :: yes, no) else (yes, x :: no) end
  fun foldl f b nil = b | foldl f b (x :: l) = foldl f (f (x, b)) l
  fun foldr f b nil = b | foldr f b (x :: l) = f (x, foldr f b l)
  fun exists f nil = false | exists f (x :: l) = f x orelse exists f l
  fun all f nil = true | all f (x :: l) = f x andalso all f l
  fun tabulate (n, f) =
    let fun go i = if i >= n then nil else f i :: go (i + 1)
    in if n < 0 then raise Size else go 0 end
  fun collate cmp (nil, nil) = EQUAL
    | collate cmp (nil, _) = LESS
    | collate cmp (_, nil) = GREATER
    | collate cmp (x :: k, y :: l) =
        case cmp (x, y) of EQUAL => collate cmp (k, l) | other => other
end

structure ListPair = struct
  exception UnequalLengths
  fun zip (x :: k, y :: l) = (x, y) :: zip (k, l) | zip _ = nil
  fun zipEq (x :: k, y :: l) = (x, y) :: zipEq (k, l)
    | zipEq (nil, nil) = nil
    | zipEq _ = raise UnequalLengths
  fun unzip nil = (nil, nil)
    | unzip ((x, y) :: l) = let val (k, l) = unzip l in (x :: k, y :: l) end
  fun app f (x :: k, y :: l) = (f (x, y); app f (k, l)) | app _ _ = ()
  fun appEq f (x :: k, y :: l) = (f (x, y); appEq f (k, l))
    | appEq _ (nil, nil) = ()
    | appEq _ _ = raise UnequalLengths
  fun map f (x :: k, y :: l) = f (x, y) :: map f (k, l) | map _ _ = nil
  fun mapEq f (x :: k, y :: l) = f (x, y) :: mapEq f (k, l)
    | mapEq _ (nil, nil) = nil
    | mapEq _ _ = raise UnequalLengths
  fun foldl f b (x :: k, y :: l) = foldl f (f (x, y, b)) (k, l) | foldl _ b _ = b
  fun foldr f b (x :: k, y :: l) = f (x, y, foldr f b (k, l)) | foldr _ b _ = b
  fun foldlEq f b (x :: k, y :: l) = foldlEq f (f (x, y, b)) (k, l)
    | foldlEq _ b (nil, nil) = b
    | foldlEq _ _ _ = raise UnequalLengths
  fun foldrEq f b (x :: k, y :: l) = f (x, y, foldrEq f b (k, l))
    | foldrEq _ b (nil, nil) = b
    | foldrEq _ _ _ = raise UnequalLengths
  fun exists f (x :: k, y :: l) = f (x, y) orelse exists f (k, l) | exists _ _ = false
  fun all f (x :: k, y :: l) = f (x, y) andalso all f (k, l) | all _ _ = true
  fun allEq f (x :: k, y :: l) = f (x, y) andalso allEq f (k, l)
    | allEq _ (nil, nil) = true
    | allEq _ _ = false
end
