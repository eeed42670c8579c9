(* Words of one size. This text is declared once for each size, with NAME, TYPE and BITS replaced. *)

structure NAME = struct
  local
    val wrap = _prim "word_wrap" : int * TYPE -> TYPE
    val wrap_int = _prim "word_wrap" : int * int -> TYPE
    val wrap_large = _prim "word_of_intinf" : int * IntInf.int -> TYPE
    val widen = _prim "word_wrap" : int * TYPE -> CPN'word32
    val widen_signed = _prim "word_of_intinf" : int * IntInf.int -> CPN'word32
    val narrow = _prim "word_wrap" : int * CPN'word32 -> TYPE
    val shift_left = _prim "word_shift_left" : TYPE * CPN'word -> TYPE
    val shift_right = _prim "word_shift_right" : TYPE * CPN'word -> TYPE
    val bits = BITS
  in
    type word = TYPE
    val wordSize = bits
    val toInt = _prim "word_to_int" : word -> int
    val toLargeInt = _prim "int_to_intinf" : word -> IntInf.int
    val andb = _prim "word_and" : word * word -> word
    val orb = _prim "word_or" : word * word -> word
    val xorb = _prim "word_xor" : word * word -> word
    fun notb w = xorb (w, wrap_int (bits, ~1))
    fun fromInt n = wrap_int (bits, n)
    fun fromLargeInt n = wrap_large (bits, n)
    fun toLargeIntX w =
      let val n = toLargeInt w
      in if n < IntInf.pow (2, bits - 1) then n else n - IntInf.pow (2, bits) end
    fun toIntX w = IntInf.toInt (toLargeIntX w)
    fun toLarge w = widen (32, w)
    fun toLargeX w = widen_signed (32, toLargeIntX w)
    fun fromLarge w = narrow (bits, w)
    val toLargeWord = toLarge
    val toLargeWordX = toLargeX
    val fromLargeWord = fromLarge
    fun << (w, n) = wrap (bits, shift_left (w, n))
    fun >> (w, n) = shift_right (w, n)
    fun ~>> (w, n) = fromLargeInt (IntInf.~>> (toLargeIntX w, n))
    fun compare (a : word, b) = if a < b then LESS else if a = b then EQUAL else GREATER
    fun min (a : word, b) = if a < b then a else b
    fun max (a : word, b) = if a < b then b else a
    fun fmt radix w = CPN'Radix.natural radix (toLargeInt w)
    fun toString w = fmt StringCvt.HEX w
    fun scan radix getc s =
      let
        fun fits n = if n < IntInf.pow (2, bits) then fromLargeInt n else raise Overflow
      in CPN'Radix.converted fits (CPN'Radix.scan_word radix getc s) end
    fun fromString s = StringCvt.scanString (scan StringCvt.HEX) s
    val ~ = fn (w : word) => ~ w
    val op + = fn (a : word, b) => a + b
    val op - = fn (a : word, b) => a - b
    val op * = fn (a : word, b) => a * b
    val op div = fn (a : word, b) => a div b
    val op mod = fn (a : word, b) => a mod b
    val op < = fn (a : word, b) => a < b
    val op <= = fn (a : word, b) => a <= b
    val op > = fn (a : word, b) => a > b
    val op >= = fn (a : word, b) => a >= b
  end
end
