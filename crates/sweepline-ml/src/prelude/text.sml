(* Characters, strings, and conversion of values from and to text. *)

structure Char = struct
  type char = char
  type string = string
  val ord = _prim "char_ord" : char -> int
  val chr = _prim "char_chr" : int -> char
  val maxOrd = 255
  val minChar = chr 0
  val maxChar = chr 255
  fun succ c = chr (ord c + 1)
  fun pred c = chr (ord c - 1)
  fun compare (a : char, b) = if a < b then LESS else if a = b then EQUAL else GREATER
  local
    val size = _prim "string_size" : string -> int
    val sub = _prim "string_sub" : string * int -> char
  in
    fun contains s c =
      let fun go i = i < size s andalso (sub (s, i) = c orelse go (i + 1)) in go 0 end
    fun notContains s c = not (contains s c)
  end
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
  val op < = fn (a : char, b) => a < b
  val op <= = fn (a : char, b) => a <= b
  val op > = fn (a : char, b) => a > b
  val op >= = fn (a : char, b) => a >= b
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
    | concatWith sep (s :: l) =
        concat (s :: List.foldr (fn (t, parts) => sep :: t :: parts) nil l)
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
  val op < = fn (a : string, b) => a < b
  val op <= = fn (a : string, b) => a <= b
  val op > = fn (a : string, b) => a > b
  val op >= = fn (a : string, b) => a >= b
end

structure StringCvt = struct
  datatype radix = BIN | OCT | DEC | HEX
  datatype realfmt = SCI of int option | FIX of int option | GEN of int option | EXACT
  type ('a, 'b) reader = 'b -> ('a * 'b) option
  type cs = int
  local
    val repeat = _prim "repeat" : int * 'a -> 'a list
    fun padding (c, n, s) = String.implode (repeat (n - String.size s, c))
  in
    fun padLeft c n s = String.concat [padding (c, n, s), s]
    fun padRight c n s = String.concat [s, padding (c, n, s)]
  end
  fun splitl p getc s =
    let
      fun go (word, s) =
        case getc s of
            SOME (c, rest) =>
              if p c then go (c :: word, rest) else (String.implode (List.rev word), s)
          | NONE => (String.implode (List.rev word), s)
    in go (nil, s) end
  fun takel p getc s = let val (word, _) = splitl p getc s in word end
  fun dropl p getc s =
    case getc s of SOME (c, rest) => if p c then dropl p getc rest else s | NONE => s
  fun skipWS getc s = dropl Char.isSpace getc s
  fun scanString scan s =
    let fun getc i = if i < String.size s then SOME (String.sub (s, i), i + 1) else NONE
    in case scan getc 0 of SOME (x, _) => SOME x | NONE => NONE end
end

(* Characters in the syntax of ML programs. *)
structure CPN'Escape = struct
  fun three n =
    let fun digit n = Char.chr (48 + n mod 10)
    in String.implode [#"\\", digit (n div 100), digit (n div 10), digit n] end
  fun octal n =
    let fun digit n = Char.chr (48 + n mod 8)
    in String.implode [#"\\", digit (n div 64), digit (n div 8), digit n] end
  fun named c =
    case c of
        #"\a" => SOME #"a"
      | #"\b" => SOME #"b"
      | #"\t" => SOME #"t"
      | #"\n" => SOME #"n"
      | #"\v" => SOME #"v"
      | #"\f" => SOME #"f"
      | #"\r" => SOME #"r"
      | #"\\" => SOME #"\\"
      | #"\"" => SOME #"\""
      | _ => NONE
  fun written c =
    case named c of
        SOME name => String.implode [#"\\", name]
      | NONE =>
          if Char.isPrint c then String.str c
          else if Char.ord c < 32 then String.implode [#"\\", #"^", Char.chr (Char.ord c + 64)]
          else three (Char.ord c)
  fun in_c c =
    case (named c, c) of
        (SOME name, _) => String.implode [#"\\", name]
      | (NONE, #"?") => "\\?"
      | (NONE, #"'") => "\\'"
      | _ => if Char.isPrint c then String.str c else octal (Char.ord c)

  fun meant c = List.find (fn other => named other = SOME c) (String.explode "\a\b\t\n\v\f\r\\\"")
  (* The character with a code of this many digits in a base. *)
  fun code (base, count) getc s =
    let
      fun digit c =
        if Char.isDigit c then Char.ord c - 48
        else if Char.isHexDigit c then Char.ord (Char.toLower c) - 87
        else 99
      fun go (0, n, s) = if n < 256 then SOME (Char.chr n, s) else NONE
        | go (count, n, s) =
            case getc s of
                SOME (c, rest) =>
                  if digit c < base then go (count - 1, base * n + digit c, rest) else NONE
              | NONE => NONE
    in go (count, 0, s) end
  fun escape getc s =
    case getc s of
        SOME (#"^", rest) =>
          (case getc rest of
               SOME (c, rest) =>
                 if #"@" <= c andalso c <= #"_" then SOME (Char.chr (Char.ord c - 64), rest)
                 else NONE
             | NONE => NONE)
      | SOME (#"u", rest) => code (16, 4) getc rest
      | SOME (c, rest) =>
          if Char.isDigit c then code (10, 3) getc s
          else (case meant c of SOME c => SOME (c, rest) | NONE => NONE)
      | NONE => NONE
  (* White space between backslashes is skipped. *)
  fun gap getc s =
    case getc s of
        SOME (c, rest) =>
          if not (Char.isSpace c) then NONE
          else
            (case getc (StringCvt.skipWS getc rest) of
                 SOME (#"\\", rest) => SOME rest
               | _ => NONE)
      | NONE => NONE
  fun scan getc s =
    case getc s of
        SOME (#"\\", rest) =>
          (case gap getc rest of SOME rest => scan getc rest | NONE => escape getc rest)
      | SOME (c, rest) => if Char.isPrint c then SOME (c, rest) else NONE
      | NONE => NONE
  fun scan_all getc s =
    let
      fun go (word, s) =
        case scan getc s of
            SOME (c, rest) => go (c :: word, rest)
          | NONE => (word, s)
      val (word, rest) = go (nil, s)
    in
      if List.null word andalso Option.isSome (getc s) then NONE
      else SOME (String.implode (List.rev word), rest)
    end
end

structure Char = struct
  open Char
  val toString = CPN'Escape.written
  fun scan getc s = CPN'Escape.scan getc s
  fun fromString s = StringCvt.scanString CPN'Escape.scan s
  val toCString = CPN'Escape.in_c
end

structure String = struct
  open String
  fun toString s = translate CPN'Escape.written s
  fun scan getc s = CPN'Escape.scan_all getc s
  fun fromString s = StringCvt.scanString CPN'Escape.scan_all s
  fun toCString s = translate CPN'Escape.in_c s
end

structure Bool = struct
  type bool = bool
  val not = not
  fun toString true = "true" | toString false = "false"
  fun scan getc s =
    let
      fun word (nil, s) = SOME s
        | word (c :: l, s) =
            case getc s of
                SOME (d, rest) => if Char.toLower d = c then word (l, rest) else NONE
              | NONE => NONE
      val s = StringCvt.skipWS getc s
    in
      case word (String.explode "true", s) of
          SOME rest => SOME (true, rest)
        | NONE =>
            (case word (String.explode "false", s) of
                 SOME rest => SOME (false, rest)
               | NONE => NONE)
    end
  fun fromString s = StringCvt.scanString scan s
end

(* A string, the start of the part, and its length. *)
datatype substring = CPN'substring of string * int * int
