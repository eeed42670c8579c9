(* 32-bit integers. *)

structure Int32 = struct
  local
    type small = int
  in
    type int = CPN'int32
    val toLarge = _prim "int_to_intinf" : int -> IntInf.int
    val fromLarge = _prim "intinf_to_int32" : IntInf.int -> int
    fun toInt n = IntInf.toInt (toLarge n)
    fun fromInt n = fromLarge (IntInf.fromInt n)
    val precision = SOME 32
    val minInt = SOME (~2147483648 : int)
    val maxInt = SOME (2147483647 : int)
    fun toString n = IntInf.toString (toLarge n)
    fun fromString s =
      case IntInf.fromString s of SOME n => SOME (fromLarge n) | NONE => NONE
    fun quot (a, b) = fromLarge (IntInf.quot (toLarge a, toLarge b))
    fun rem (a, b) = fromLarge (IntInf.rem (toLarge a, toLarge b))
    fun compare (a : int, b) = if a < b then LESS else if a = b then EQUAL else GREATER
    fun min (a : int, b) = if a < b then a else b
    fun max (a : int, b) = if a < b then b else a
    fun abs (n : int) = if n < 0 then ~ n else n
    fun sign (n : int) : small = if n < 0 then ~1 else if n = 0 then 0 else 1
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
end
structure FixedInt = Int32
