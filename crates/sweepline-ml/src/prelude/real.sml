(* Real numbers. *)

structure IEEEReal = struct
  exception Unordered = Unordered
  datatype real_order = LESS | EQUAL | GREATER | UNORDERED
  datatype float_class = NAN | INF | ZERO | NORMAL | SUBNORMAL
  datatype rounding_mode = TO_NEAREST | TO_NEGINF | TO_POSINF | TO_ZERO
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
  fun realMod x = x - realTrunc x
  fun split x = {whole = realTrunc x, frac = realMod x}
  val large = _prim "real_to_intinf" : real -> IntInf.int
  fun rounded IEEEReal.TO_NEAREST x = realRound x
    | rounded IEEEReal.TO_NEGINF x = realFloor x
    | rounded IEEEReal.TO_POSINF x = realCeil x
    | rounded IEEEReal.TO_ZERO x = realTrunc x
  fun toLargeInt mode x = large (rounded mode x)
  fun toInt mode x = trunc (rounded mode x)
  fun toLarge (x : real) = x
  fun fromLarge (_ : IEEEReal.rounding_mode) (x : real) = x
  val toString = _prim "real_to_string" : real -> string
  val fromString = _prim "real_from_string" : string -> real option
  val fixed = _prim "real_fixed" : int * real -> string
  val scientific = _prim "real_scientific" : int * real -> string
  val general = _prim "real_general" : int * real -> string
  fun fmt (StringCvt.FIX digits) x = fixed (Option.getOpt (digits, 6), x)
    | fmt (StringCvt.SCI digits) x = scientific (Option.getOpt (digits, 6), x)
    | fmt (StringCvt.GEN NONE) x = toString x
    | fmt (StringCvt.GEN (SOME digits)) x =
        if digits < 1 then raise Size else general (digits, x)
    | fmt StringCvt.EXACT x = general (0, x)
  fun scan getc s =
    let
      fun number c = Char.isDigit c orelse Char.contains "~-+.eE" c
      val (word, rest) = StringCvt.splitl number getc (StringCvt.skipWS getc s)
    in
      case fromString word of
          SOME x => SOME (x, rest)
        | NONE => NONE
    end
  val radix = 2
  val precision = 53
  val isNan = _prim "real_is_nan" : real -> bool
  val posInf = 1.0 / 0.0
  val negInf = ~1.0 / 0.0
  val maxFinite = 1.7976931348623157E308
  val minPos = 5E~324
  val minNormalPos = 2.2250738585072014E~308
  fun isFinite x = not (isNan x) andalso negInf < x andalso x < posInf
  fun compare (a : real, b) =
    if a < b then LESS
    else if a > b then GREATER
    else if a = b then EQUAL
    else raise Unordered
  fun compareReal (a : real, b) =
    if a < b then IEEEReal.LESS
    else if a > b then IEEEReal.GREATER
    else if a = b then IEEEReal.EQUAL
    else IEEEReal.UNORDERED
  fun unordered (a, b) = isNan a orelse isNan b
  fun min (a : real, b) = if isNan a then b else if b < a then b else a
  fun max (a : real, b) = if isNan a then b else if b > a then b else a
  fun abs (x : real) = if x < 0.0 then ~ x else x
  fun isNormal x = isFinite x andalso abs x >= minNormalPos
  fun class x =
    if isNan x then IEEEReal.NAN
    else if not (isFinite x) then IEEEReal.INF
    else if x = 0.0 then IEEEReal.ZERO
    else if isNormal x then IEEEReal.NORMAL
    else IEEEReal.SUBNORMAL
  fun checkFloat x =
    if isNan x then raise Div else if isFinite x then x else raise Overflow
  fun sign (x : real) =
    if x < 0.0 then ~1 else if x > 0.0 then 1 else if isNan x then raise Domain else 0
  fun signBit (x : real) = x < 0.0 orelse x = 0.0 andalso 1.0 / x < 0.0
  fun sameSign (a, b) = signBit a = signBit b
  fun copySign (x, y) = if sameSign (x, y) then x else ~ x
  fun toManExp x =
    if x = 0.0 orelse not (isFinite x) then {man = x, exp = 0}
    else
      let
        fun go (m, e) =
          if abs m >= 1.0 then go (m / 2.0, e + 1)
          else if abs m < 0.5 then go (m * 2.0, e - 1)
          else {man = m, exp = e}
      in go (x, 0) end
  fun fromManExp {man, exp} =
    if exp > 1000 then fromManExp {man = man * Math.pow (2.0, 1000.0), exp = exp - 1000}
    else if exp < ~1000 then fromManExp {man = man / Math.pow (2.0, 1000.0), exp = exp + 1000}
    else man * Math.pow (2.0, fromInt exp)
  fun == (a : real, b) = a = b
  fun != (a : real, b) = a <> b
  fun ?= (a : real, b) = a = b orelse unordered (a, b)
  fun rem (a, b) = a - realTrunc (a / b) * b
  fun *+ (a : real, b, c) = a * b + c
  fun *- (a : real, b, c) = a * b - c
  val ~ = fn (x : real) => ~ x
  val op + = fn (a : real, b) => a + b
  val op - = fn (a : real, b) => a - b
  val op * = fn (a : real, b) => a * b
  val op / = fn (a : real, b) => a / b
  val op < = fn (a : real, b) => a < b
  val op <= = fn (a : real, b) => a <= b
  val op > = fn (a : real, b) => a > b
  val op >= = fn (a : real, b) => a >= b
end
structure LargeReal = Real
structure Real64 = Real
