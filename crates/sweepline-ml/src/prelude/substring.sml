(* Parts of strings. *)

structure Substring = struct
  type substring = substring
  type string = string
  type char = char
  fun base (CPN'substring part) = part
  fun size (CPN'substring (_, _, n)) = n
  fun isEmpty (CPN'substring (_, _, n)) = n = 0
  fun full s = CPN'substring (s, 0, String.size s)
  val all = full
  fun substring (s, i, n) =
    if i < 0 orelse n < 0 orelse i > String.size s orelse n > String.size s - i
    then raise Subscript
    else CPN'substring (s, i, n)
  fun extract (s, i, SOME n) = substring (s, i, n)
    | extract (s, i, NONE) = substring (s, i, String.size s - i)
  fun string (CPN'substring (s, i, n)) = String.substring (s, i, n)
  fun sub (CPN'substring (s, i, n), at) =
    if at < 0 orelse at >= n then raise Subscript else String.sub (s, i + at)
  fun getc (CPN'substring (s, i, n)) =
    if n = 0 then NONE else SOME (String.sub (s, i), CPN'substring (s, i + 1, n - 1))
  fun first (CPN'substring (s, i, n)) = if n = 0 then NONE else SOME (String.sub (s, i))
  fun triml k (CPN'substring (s, i, n)) =
    if k < 0 then raise Subscript
    else if k > n then CPN'substring (s, i + n, 0)
    else CPN'substring (s, i + k, n - k)
  fun trimr k (CPN'substring (s, i, n)) =
    if k < 0 then raise Subscript
    else CPN'substring (s, i, if k > n then 0 else n - k)
  fun slice (CPN'substring (s, i, n), at, SOME m) =
        if at < 0 orelse m < 0 orelse at > n orelse m > n - at then raise Subscript
        else CPN'substring (s, i + at, m)
    | slice (CPN'substring (s, i, n), at, NONE) =
        if at < 0 orelse at > n then raise Subscript else CPN'substring (s, i + at, n - at)
  fun concat l = String.concat (List.map string l)
  fun concatWith sep l = String.concatWith sep (List.map string l)
  fun explode s = String.explode (string s)
  fun isPrefix p s = String.isPrefix p (string s)
  fun isSuffix p s = String.isSuffix p (string s)
  fun isSubstring p s = String.isSubstring p (string s)
  fun compare (a, b) = String.compare (string a, string b)
  fun collate cmp (a, b) = String.collate cmp (string a, string b)
  fun splitAt (CPN'substring (s, i, n), k) =
    if k < 0 orelse k > n then raise Subscript
    else (CPN'substring (s, i, k), CPN'substring (s, i + k, n - k))
  fun splitl p s =
    let fun go k = if k < size s andalso p (sub (s, k)) then go (k + 1) else k
    in splitAt (s, go 0) end
  fun splitr p s =
    let fun go k = if k > 0 andalso p (sub (s, k - 1)) then go (k - 1) else k
    in splitAt (s, go (size s)) end
  fun takel p s = let val (a, _) = splitl p s in a end
  fun dropl p s = let val (_, b) = splitl p s in b end
  fun taker p s = let val (_, b) = splitr p s in b end
  fun dropr p s = let val (a, _) = splitr p s in a end
  fun position p s =
    let
      val whole = string s
      fun go k =
        if k + String.size p > size s then size s
        else if String.substring (whole, k, String.size p) = p then k
        else go (k + 1)
    in splitAt (s, go 0) end
  fun span (CPN'substring (s, i, _), CPN'substring (t, j, m)) =
    if s <> t orelse j + m < i then raise Span else CPN'substring (s, i, j + m - i)
  fun translate f s = String.translate f (string s)
  fun fields isSep s =
    let
      val (word, rest) = splitl (fn c => not (isSep c)) s
    in if isEmpty rest then [word] else word :: fields isSep (triml 1 rest) end
  fun tokens isSep s = List.filter (fn word => not (isEmpty word)) (fields isSep s)
  fun app f s = List.app f (explode s)
  fun foldl f b s = List.foldl f b (explode s)
  fun foldr f b s = List.foldr f b (explode s)
end
