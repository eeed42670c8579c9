(* The part of Standard ML's basis that models use, and the names it has at top level.
   The exceptions and datatypes that the back end knows come first, in the order of its constants. *)

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
exception Io of string
exception Subtract

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

structure Bool = struct
  type bool = bool
  val not = not
  fun toString true = "true" | toString false = "false"
  fun fromString "true" = SOME true | fromString "false" = SOME false | fromString _ = NONE
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
  fun map f (x :: k, y :: l) = f (x, y) :: map f (k, l) | map _ _ = nil
  fun mapEq f (x :: k, y :: l) = f (x, y) :: mapEq f (k, l)
    | mapEq _ (nil, nil) = nil
    | mapEq _ _ = raise UnequalLengths
  fun foldl f b (x :: k, y :: l) = foldl f (f (x, y, b)) (k, l) | foldl _ b _ = b
  fun foldr f b (x :: k, y :: l) = f (x, y, foldr f b (k, l)) | foldr _ b _ = b
  fun exists f (x :: k, y :: l) = f (x, y) orelse exists f (k, l) | exists _ _ = false
  fun all f (x :: k, y :: l) = f (x, y) andalso all f (k, l) | all _ _ = true
  fun allEq f (x :: k, y :: l) = f (x, y) andalso allEq f (k, l)
    | allEq _ (nil, nil) = true
    | allEq _ _ = false
end

structure Char = struct
  type char = char
  val ord = _prim "char_ord" : char -> int
  val chr = _prim "char_chr" : int -> char
  val maxOrd = 255
  val minChar = chr 0
  val maxChar = chr 255
  fun succ c = chr (ord c + 1)
  fun pred c = chr (ord c - 1)
  fun compare (a : char, b) = if a < b then LESS else if a = b then EQUAL else GREATER
  fun isUpper c = #"A" <= c andalso c <= #"Z"
  fun isLower c = #"a" <= c andalso c <= #"z"
  fun isDigit c = #"0" <= c andalso c <= #"9"
  fun isAlpha c = isUpper c orelse isLower c
  fun isAlphaNum c = isAlpha c orelse isDigit c
  fun isHexDigit c =
    isDigit c orelse (#"a" <= c andalso c <= #"f") orelse (#"A" <= c andalso c <= #"F")
  fun isSpace c = c = #" " orelse (#"\t" <= c andalso c <= #"\r")
  fun isPrint c = #" " <= c andalso c <= #"~"
  fun isGraph c = #"!" <= c andalso c <= #"~"
  fun isPunct c = isGraph c andalso not (isAlphaNum c)
  fun isCntrl c = not (isPrint c) andalso ord c < 128
  fun isAscii c = ord c < 128
  fun toUpper c = if isLower c then chr (ord c - 32) else c
  fun toLower c = if isUpper c then chr (ord c + 32) else c
  val toString = _prim "char_to_string" : char -> string
end

structure String = struct
  type string = string
  type char = char
  val size = _prim "string_size" : string -> int
  val sub = _prim "string_sub" : string * int -> char
  val substring = _prim "substring" : string * int * int -> string
  val op ^ = _prim "string_append" : string * string -> string
  val concat = _prim "string_concat" : string list -> string
  val implode = _prim "implode" : char list -> string
  val explode = _prim "explode" : string -> char list
  val str = _prim "char_to_string" : char -> string
  val compare = _prim "string_compare" : string * string -> order
  val maxSize = 1073741823
  fun extract (s, i, NONE) = substring (s, i, size s - i)
    | extract (s, i, SOME n) = substring (s, i, n)
  fun concatWith sep nil = ""
    | concatWith sep [s] = s
    | concatWith sep (s :: l) = concat [s, sep, concatWith sep l]
  fun map f s = implode (List.map f (explode s))
  fun translate f s = concat (List.map f (explode s))
  fun fields isSep s =
    let
      fun go (nil, word) = [implode (List.rev word)]
        | go (c :: l, word) =
            if isSep c then implode (List.rev word) :: go (l, nil) else go (l, c :: word)
    in go (explode s, nil) end
  fun tokens isSep s = List.filter (fn word => size word > 0) (fields isSep s)
  fun isPrefix p s = size p <= size s andalso substring (s, 0, size p) = p
  fun isSuffix p s = size p <= size s andalso substring (s, size s - size p, size p) = p
  fun isSubstring p s =
    let fun go i = i + size p <= size s andalso (substring (s, i, size p) = p orelse go (i + 1))
    in go 0 end
  fun collate cmp (s, t) = List.collate cmp (explode s, explode t)
  fun toString s = s
  fun fromString s = SOME s
end

structure Int = struct
  type int = int
  val toString = _prim "int_to_string" : int -> string
  val fromString = _prim "int_from_string" : string -> int option
  val quot = _prim "int_quot" : int * int -> int
  val rem = _prim "int_rem" : int * int -> int
  val toLarge = _prim "int_to_intinf" : int -> CPN'intinf
  val fromLarge = _prim "intinf_to_int" : CPN'intinf -> int
  val least = _prim "int_min" : unit -> int
  val greatest = _prim "int_max" : unit -> int
  val minInt = SOME (least ())
  val maxInt = SOME (greatest ())
  val precision = SOME 31
  fun toInt (n : int) = n
  fun fromInt (n : int) = n
  fun compare (a : int, b) = if a < b then LESS else if a = b then EQUAL else GREATER
  fun min (a : int, b) = if a < b then a else b
  fun max (a : int, b) = if a < b then b else a
  fun abs (n : int) = if n < 0 then ~ n else n
  fun sign (n : int) = if n < 0 then ~1 else if n = 0 then 0 else 1
  fun sameSign (a, b) = sign a = sign b
  val op + = fn (a : int, b) => a + b
  val op - = fn (a : int, b) => a - b
  val op * = fn (a : int, b) => a * b
  val op div = fn (a : int, b) => a div b
  val op mod = fn (a : int, b) => a mod b
  val op < = fn (a : int, b) => a < b
  val op <= = fn (a : int, b) => a <= b
  val op > = fn (a : int, b) => a > b
  val op >= = fn (a : int, b) => a >= b
end

structure IntInf = struct
  type int = CPN'intinf
  val toString = _prim "intinf_to_string" : int -> string
  val fromString = _prim "intinf_from_string" : string -> int option
  val fromInt = _prim "int_to_intinf" : Int.int -> int
  val toInt = _prim "intinf_to_int" : int -> Int.int
  val quot = _prim "intinf_quot" : int * int -> int
  val rem = _prim "intinf_rem" : int * int -> int
  val pow = _prim "intinf_pow" : int * Int.int -> int
  fun toLarge (n : int) = n
  fun fromLarge (n : int) = n
  val minInt : int option = NONE
  val maxInt : int option = NONE
  fun divMod (a : int, b) = (a div b, a mod b)
  fun quotRem (a, b) = (quot (a, b), rem (a, b))
  fun compare (a : int, b) = if a < b then LESS else if a = b then EQUAL else GREATER
  fun min (a : int, b) = if a < b then a else b
  fun max (a : int, b) = if a < b then b else a
  fun abs (n : int) = if n < 0 then ~ n else n
  fun sign (n : int) : Int.int = if n < 0 then ~1 else if n = 0 then 0 else 1
  fun sameSign (a, b) = sign a = sign b
  val op + = fn (a : int, b) => a + b
  val op - = fn (a : int, b) => a - b
  val op * = fn (a : int, b) => a * b
  val op div = fn (a : int, b) => a div b
  val op mod = fn (a : int, b) => a mod b
  val op < = fn (a : int, b) => a < b
  val op <= = fn (a : int, b) => a <= b
  val op > = fn (a : int, b) => a > b
  val op >= = fn (a : int, b) => a >= b
end
structure LargeInt = IntInf

structure Word = struct
  type word = word
  val fromInt = _prim "int_to_word" : int -> word
  val toInt = _prim "word_to_int" : word -> int
  val andb = _prim "word_and" : word * word -> word
  val orb = _prim "word_or" : word * word -> word
  val xorb = _prim "word_xor" : word * word -> word
  val op << = _prim "word_shift_left" : word * word -> word
  val op >> = _prim "word_shift_right" : word * word -> word
  fun compare (a : word, b) = if a < b then LESS else if a = b then EQUAL else GREATER
  fun min (a : word, b) = if a < b then a else b
  fun max (a : word, b) = if a < b then b else a
end

structure StringCvt = struct
  datatype radix = BIN | OCT | DEC | HEX
  datatype realfmt = SCI of int option | FIX of int option | GEN of int option | EXACT
  fun padLeft c n s =
    if String.size s >= n then s else padLeft c n (String.concat [String.str c, s])
  fun padRight c n s =
    if String.size s >= n then s else padRight c n (String.concat [s, String.str c])
end

structure Math = struct
  type real = real
  val pi = 3.14159265358979323846
  val e = 2.7182818284590452354
  val sqrt = _prim "sqrt" : real -> real
  val sin = _prim "sin" : real -> real
  val cos = _prim "cos" : real -> real
  val tan = _prim "tan" : real -> real
  val asin = _prim "asin" : real -> real
  val acos = _prim "acos" : real -> real
  val atan = _prim "atan" : real -> real
  val atan2 = _prim "atan2" : real * real -> real
  val exp = _prim "exp" : real -> real
  val ln = _prim "ln" : real -> real
  val log10 = _prim "log10" : real -> real
  val pow = _prim "pow" : real * real -> real
  val sinh = _prim "sinh" : real -> real
  val cosh = _prim "cosh" : real -> real
  val tanh = _prim "tanh" : real -> real
end

structure Real = struct
  type real = real
  structure Math = Math
  val fromInt = _prim "int_to_real" : int -> real
  val fromLargeInt = _prim "intinf_to_real" : IntInf.int -> real
  val floor = _prim "real_floor" : real -> int
  val ceil = _prim "real_ceil" : real -> int
  val round = _prim "real_round" : real -> int
  val trunc = _prim "real_trunc" : real -> int
  val realFloor = _prim "real_floor_real" : real -> real
  val realRound = _prim "real_round_real" : real -> real
  fun realCeil x = ~ (realFloor (~ x))
  fun realTrunc x = if x < 0.0 then realCeil x else realFloor x
  val large = _prim "real_to_intinf" : real -> IntInf.int
  fun toLargeInt _ x = large x
  val toString = _prim "real_to_string" : real -> string
  val fromString = _prim "real_from_string" : string -> real option
  val fixed = _prim "real_fixed" : int * real -> string
  val scientific = _prim "real_scientific" : int * real -> string
  fun fmt (StringCvt.FIX digits) x = fixed (Option.getOpt (digits, 6), x)
    | fmt (StringCvt.SCI digits) x = scientific (Option.getOpt (digits, 6), x)
    | fmt _ x = toString x
  fun scan getc s =
    let
      fun blank s =
        case getc s of SOME (c, t) => if Char.isSpace c then blank t else s | NONE => s
      fun number c = Char.isDigit c orelse String.isSubstring (String.str c) "~-+.eE"
      fun digits (s, word) =
        case getc s of
            SOME (c, t) => if number c then digits (t, c :: word) else (s, word)
          | NONE => (s, word)
      val (rest, word) = digits (blank s, nil)
    in
      case fromString (String.implode (List.rev word)) of
          SOME x => SOME (x, rest)
        | NONE => NONE
    end
  val isNan = _prim "real_is_nan" : real -> bool
  val posInf = 1.0 / 0.0
  val negInf = ~1.0 / 0.0
  val maxFinite = 1.7976931348623157E308
  val minPos = 5E~324
  fun isFinite x = not (isNan x) andalso negInf < x andalso x < posInf
  fun compare (a : real, b) = if a < b then LESS else if a > b then GREATER else EQUAL
  fun min (a : real, b) = if a < b then a else b
  fun max (a : real, b) = if a < b then b else a
  fun abs (x : real) = if x < 0.0 then ~ x else x
  fun sign (x : real) = if x < 0.0 then ~1 else if x > 0.0 then 1 else 0
  fun signBit (x : real) = x < 0.0
  fun sameSign (a, b) = sign a = sign b
  fun == (a : real, b) = a = b
  fun != (a : real, b) = a <> b
  fun ?= (a : real, b) = a = b
  fun rem (a, b) = a - realTrunc (a / b) * b
  val op + = fn (a : real, b) => a + b
  val op - = fn (a : real, b) => a - b
  val op * = fn (a : real, b) => a * b
  val op / = fn (a : real, b) => a / b
  val op < = fn (a : real, b) => a < b
  val op <= = fn (a : real, b) => a <= b
  val op > = fn (a : real, b) => a > b
  val op >= = fn (a : real, b) => a >= b
end

structure Array = struct
  type 'a array = 'a array
  val array = _prim "array_make" : int * 'a -> 'a array
  val fromList = _prim "array_from_list" : 'a list -> 'a array
  val length = _prim "array_length" : 'a array -> int
  val sub = _prim "array_sub" : 'a array * int -> 'a
  val update = _prim "array_update" : 'a array * int * 'a -> unit
  fun tabulate (n, f) = fromList (List.tabulate (n, f))
  fun toList a = List.tabulate (length a, fn i => sub (a, i))
  fun app f a = List.app f (toList a)
  fun foldl f b a = List.foldl f b (toList a)
  fun foldr f b a = List.foldr f b (toList a)
end

structure TextIO = struct
  type instream = instream
  type outstream = outstream
  type vector = string
  type elem = char
  val openIn = _prim "open_in" : string -> instream
  val openOut = _prim "open_out" : string -> outstream
  val openAppend = _prim "open_append" : string -> outstream
  val closeIn = _prim "close_in" : instream -> unit
  val closeOut = _prim "close_out" : outstream -> unit
  val inputLine = _prim "input_line" : instream -> string option
  val inputAll = _prim "input_all" : instream -> string
  val inputN = _prim "input_n" : instream * int -> string
  val lookahead = _prim "lookahead" : instream -> char option
  val endOfStream = _prim "end_of_stream" : instream -> bool
  val output = _prim "output" : outstream * string -> unit
  val flushOut = _prim "flush_out" : outstream -> unit
  val standardIn = _prim "std_in" : unit -> instream
  val standardOut = _prim "std_out" : unit -> outstream
  val standardErr = _prim "std_err" : unit -> outstream
  val stdIn = standardIn ()
  val stdOut = standardOut ()
  val stdErr = standardErr ()
  val print = print
  fun input s = inputN (s, 4096)
  fun input1 s = case inputN (s, 1) of "" => NONE | c => SOME (String.sub (c, 0))
  fun scanStream scan s =
    let fun getc s = case input1 s of SOME c => SOME (c, s) | NONE => NONE
    in case scan getc s of SOME (x, _) => SOME x | NONE => NONE end
  fun output1 (s, c) = output (s, String.str c)
end

structure OS = struct
  structure Path = struct
    fun joinDirFile {dir = "", file} = file
      | joinDirFile {dir, file} = String.concat [dir, "/", file]
    fun concat (a, b) = if String.isPrefix "/" b then b else String.concat [a, "/", b]
    fun joinBaseExt {base, ext = NONE} = base
      | joinBaseExt {base, ext = SOME ext} = String.concat [base, ".", ext]
  end
  structure FileSys = struct
    val getDir = _prim "get_dir" : unit -> string
    val readable = _prim "file_readable" : string -> bool
    fun access (name, _ : unit list) = readable name
  end
  structure Process = struct
    val getEnv = _prim "get_env" : string -> string option
  end
end

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
