(* Integers: bounded, unbounded, and words. *)

(* Numbers in a radix, for `fmt` and `scan`. *)
structure CPN'Radix = struct
  val of_int = _prim "int_to_intinf" : int -> CPN'intinf
  val to_int = _prim "intinf_to_int" : CPN'intinf -> int
  fun base StringCvt.BIN = 2
    | base StringCvt.OCT = 8
    | base StringCvt.DEC = 10
    | base StringCvt.HEX = 16
  fun digit c =
    if Char.isDigit c then Char.ord c - 48
    else if Char.isHexDigit c then Char.ord (Char.toLower c) - 87
    else 99
  fun natural radix (n : CPN'intinf) =
    let
      val base = of_int (base radix)
      fun go (n, l) =
        let val l = String.sub ("0123456789ABCDEF", to_int (n mod base)) :: l
        in if n < base then l else go (n div base, l) end
    in String.implode (go (n, nil)) end
  fun integer radix (n : CPN'intinf) =
    if n < 0 then String.concat ["~", natural radix (~ n)] else natural radix n

  fun digits radix getc s =
    let
      val base = base radix
      fun go (n : CPN'intinf, s) =
        case getc s of
            SOME (c, rest) =>
              if digit c < base then go (n * of_int base + of_int (digit c), rest) else (n, s)
          | NONE => (n, s)
    in
      case getc s of
          SOME (c, rest) => if digit c < base then SOME (go (of_int (digit c), rest)) else NONE
        | NONE => NONE
    end
  (* A prefix such as `0x` or `0wx` counts only if a digit follows. *)
  fun behind radix (prefixes, getc, s) =
    let
      fun skip (nil, s) = SOME s
        | skip (c :: l, s) =
            case getc s of SOME (d, rest) => if c = d then skip (l, rest) else NONE | NONE => NONE
      fun first nil = digits radix getc s
        | first (prefix :: l) =
            case skip (String.explode prefix, s) of
                NONE => first l
              | SOME rest =>
                  (case digits radix getc rest of NONE => first l | found => found)
    in first prefixes end
  fun scan_integer radix getc s =
    let
      val s = StringCvt.skipWS getc s
      val (negative, s) =
        case getc s of
            SOME (#"~", rest) => (true, rest)
          | SOME (#"-", rest) => (true, rest)
          | SOME (#"+", rest) => (false, rest)
          | _ => (false, s)
      val prefixes = case radix of StringCvt.HEX => ["0x", "0X"] | _ => nil
    in
      case behind radix (prefixes, getc, s) of
          SOME (n, rest) => SOME (if negative then ~ n else n, rest)
        | NONE => NONE
    end
  fun scan_word radix getc s =
    let
      val prefixes = case radix of StringCvt.HEX => ["0wx", "0wX", "0x", "0X"] | _ => ["0w"]
    in behind radix (prefixes, getc, StringCvt.skipWS getc s) end
  fun converted f (SOME (n, rest)) = SOME (f n, rest) | converted _ NONE = NONE
end

structure IntInf = struct
  local
    type small = int
  in
    type int = CPN'intinf
    val toString = _prim "intinf_to_string" : int -> string
    val fromString = _prim "intinf_from_string" : string -> int option
    val fromInt = _prim "int_to_intinf" : small -> int
    val toInt = _prim "intinf_to_int" : int -> small
    val quot = _prim "intinf_quot" : int * int -> int
    val rem = _prim "intinf_rem" : int * int -> int
    val pow = _prim "intinf_pow" : int * small -> int
    val andb = _prim "intinf_and" : int * int -> int
    val orb = _prim "intinf_or" : int * int -> int
    val xorb = _prim "intinf_xor" : int * int -> int
    val op << = _prim "intinf_shift_left" : int * word -> int
    val op ~>> = _prim "intinf_shift_right" : int * word -> int
    val log2 = _prim "intinf_log2" : int -> small
    fun notb (n : int) = ~ n - 1
    fun toLarge (n : int) = n
    fun fromLarge (n : int) = n
    val precision : small option = NONE
    val minInt : int option = NONE
    val maxInt : int option = NONE
    fun divMod (a : int, b) = (a div b, a mod b)
    fun quotRem (a, b) = (quot (a, b), rem (a, b))
    fun compare (a : int, b) = if a < b then LESS else if a = b then EQUAL else GREATER
    fun min (a : int, b) = if a < b then a else b
    fun max (a : int, b) = if a < b then b else a
    fun abs (n : int) = if n < 0 then ~ n else n
    fun sign (n : int) : small = if n < 0 then ~1 else if n = 0 then 0 else 1
    fun sameSign (a, b) = sign a = sign b
    val fmt = CPN'Radix.integer
    fun scan radix getc s = CPN'Radix.scan_integer radix getc s
    val ~ = fn (n : int) => ~ n
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
end
structure LargeInt = IntInf

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
  val bits = _prim "int_bits" : unit -> int
  val minInt = SOME (least ())
  val maxInt = SOME (greatest ())
  val precision = SOME (bits ())
  fun toInt (n : int) = n
  fun fromInt (n : int) = n
  fun compare (a : int, b) = if a < b then LESS else if a = b then EQUAL else GREATER
  fun min (a : int, b) = if a < b then a else b
  fun max (a : int, b) = if a < b then b else a
  fun abs (n : int) = if n < 0 then ~ n else n
  fun sign (n : int) = if n < 0 then ~1 else if n = 0 then 0 else 1
  fun sameSign (a, b) = sign a = sign b
  fun fmt radix n = CPN'Radix.integer radix (toLarge n)
  fun scan radix getc s = CPN'Radix.converted fromLarge (CPN'Radix.scan_integer radix getc s)
  val ~ = fn (n : int) => ~ n
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
structure Int31 = Int
structure Position = Int
