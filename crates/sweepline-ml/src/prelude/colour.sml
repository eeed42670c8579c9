(* Helper functions for the generated structures of colour sets. *)

structure CPN'CS = struct
  (* Saved here, because models may declare constructors with these names. *)
  datatype order = datatype order
  val map = List.map
  val filter = List.filter
  val every = List.all
  val length = List.length
  val concat = String.concat
  val join = List.concat
  val first = List.hd
  val nth = List.nth
  val mem = CPN'mem
  fun flat f l = List.concat (List.map f l)
  fun pick l = List.nth (l, discrete (0, List.length l - 1))
  fun no (f, kind) =
    raise CPN'Error (String.concat ["Error: function ", f, " can not be used in ", kind, " color-set!"])
  fun illegal s = String.concat ["Error: illegal color: ", s]
  fun output (s, text) = TextIO.output (s, String.concat [text, "\n"])
  fun no_input (_ : instream) =
    raise CPN'Error "Error: reading colors from a file is not supported"

  fun plus (a : int, b) = a + b
  fun minus (a : int, b) = a - b
  fun times (a : int, b) = a * b
  fun quotient (a : int, b) = a div b
  fun remainder (a : int, b) = a mod b
  fun total f l = List.foldl (fn (c, n : int) => f c + n) 0 l
  fun nowhere name = raise Fail (String.concat [name, " has no such instance"])
  fun sum l = List.foldl (fn (a : int, b) => a + b) 0 l
  fun of_bool true = 1 | of_bool false = 0
  fun int_cmp (a : int, b) = if a < b then LESS else if a = b then EQUAL else GREATER
  val digits = Int.toString
  fun int_mkstr n = if n < 0 then String.concat ["(", digits n, ")"] else digits n
  fun within (low : int, n, high) = low <= n andalso n <= high
  fun count (low : int, high) = high - low + 1
  fun int_range (low : int, high) =
    let fun go (n, l) = if n < low then l else if n = low then n :: l else go (n - 1, n :: l)
    in go (high, nil) end
  fun random_int (low, high) = discrete (low, high)
  fun random_below n = discrete (0, n - 1)

  fun large n = IntInf.fromInt n
  val intinf_cmp = IntInf.compare
  val intinf_mkstr = IntInf.toString
  fun intinf_within (low : IntInf.int, n, high) = low <= n andalso n <= high
  fun intinf_count (low : IntInf.int, high) = IntInf.toInt (high - low + 1)
  fun intinf_range (low : IntInf.int, high) =
    if high < low then nil else high :: intinf_range (low, high - 1)

  fun real_cmp (a : real, b) = if a < b then LESS else if a > b then GREATER else EQUAL
  val real_mkstr = Real.toString
  fun real_within (low : real, x, high) = low <= x andalso x <= high
  val uniform = uniform

  val time_zero = CPN'Time.null
  val time_cmp = CPN'Time.cmp
  val time_mkstr = CPN'Time.toString

  val string_cmp = String.compare
  fun string_mkstr s = String.concat ["\"", s, "\""]
  fun letter s = if String.size s = 0 then #"\000" else String.sub (s, 0)
  fun spelled (low, high) s =
    List.all (fn c => letter low <= c andalso c <= letter high) (String.explode s)
  fun of_length (low, high) s = within (low, String.size s, high)
  fun letters (low, high) = Char.ord (letter high) - Char.ord (letter low) + 1
  fun power (n : int, 0) = 1 | power (n, k) = n * power (n, k - 1)
  fun powers (n, (low, high)) = sum (map (fn k => power (n, k)) (int_range (low, high)))
  fun of_size (l, 0) = [nil]
    | of_size (l, k) = flat (fn x => map (fn rest => x :: rest) (of_size (l, k - 1))) l
  fun lists (l, (low, high)) = flat (fn k => of_size (l, k)) (int_range (low, high))
  fun strings ((low, high), lengths) =
    let val all = map Char.chr (int_range (Char.ord (letter low), Char.ord (letter high)))
    in map String.implode (lists (all, lengths)) end

  fun has_length (low, high) l = within (low, List.length l, high)
  val list_cmp = List.collate
  fun list_mkstr mkstr l = String.concat ["[", String.concatWith "," (map mkstr l), "]"]
  fun position (l, x) =
    let fun go (nil, _) = raise Subscript | go (y :: l, n) = if x = y then n else go (l, n + 1)
    in go (l, 0) end
  fun position_by (l, cmp, x) =
    let
      fun go (nil, _) = raise Subscript
        | go (y :: l, n) = case cmp (x, y) of EQUAL => n | _ => go (l, n + 1)
    in go (l, 0) end

  val mkstr_ms = mkstr_ms
  val mkstr_tms = mkstr_tms
  fun untimed (c @ _) = c
  fun timed_cmp cmp (a @ (s : time), b @ t) =
    case cmp (a, b) of
        EQUAL => if s < t then LESS else if s = t then EQUAL else GREATER
      | other => other
  fun timed_mkstr mkstr (c @ t) = String.concat [mkstr c, "@", CPN'Time.toString t]
end
