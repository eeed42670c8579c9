(* The additions of CPN Tools: multi-sets, time, random numbers, and functions on lists. *)

exception CPN'Error of string
exception CPN'Stop of string
exception InternalError of string
exception CPN'Cancel
exception no_singleton
exception NotDeclared of string

type 'a ms = 'a list
type 'a tms = 'a timed list

(* Multi-sets are lists. *)

val empty = nil
val op ` = _prim "repeat" : int * 'a -> 'a list
val op ++ = _prim "list_append" : 'a list * 'a list -> 'a list
val op +++ = _prim "list_append" : 'a timed list * 'a timed list -> 'a timed list
val op -- = _prim "ms_subtract" : ''a list * ''a list -> ''a list
val op == = _prim "ms_equal" : ''a list * ''a list -> bool
val op <<= = _prim "ms_contained" : ''a list * ''a list -> bool
val size = _prim "list_length" : 'a list -> int
val cf = _prim "ms_count" : ''a * ''a list -> int
val CPN'mem = _prim "list_member" : ''a list * ''a -> bool

fun (a <><> b) = not (a == b)
fun (a != b) = not (a == b)
fun (a >>= b) = b <<= a
fun (a <<== b) = a <<= b
fun (a >>== b) = b <<= a
fun (a << b) = a <<= b andalso List.length a < List.length b
fun (a >> b) = b << a
fun (n ** m) = if n <= 0 then nil else m ++ (n - 1) ** m
fun CPN'all_true nil = true | CPN'all_true (b :: l) = b andalso CPN'all_true l
fun (l % c) = if CPN'all_true l then [c] else nil
fun (l // m) = if CPN'all_true l then m else nil
fun ext_col f m = List.map f m
fun ext_ms f nil = nil | ext_ms f (x :: m) = f x ++ ext_ms f m
fun ms_to_col [x] = x | ms_to_col _ = raise no_singleton
fun ms_to_list (m : 'a ms) = m : 'a list
fun list_to_ms (l : 'a list) = l : 'a ms
fun filter f l = List.filter f l

local
  fun merge lt (nil, l) = l
    | merge lt (k, nil) = k
    | merge lt (x :: k, y :: l) =
        if lt (y, x) then y :: merge lt (x :: k, l) else x :: merge lt (k, y :: l)
  fun split nil = (nil, nil)
    | split [x] = ([x], nil)
    | split (x :: y :: l) = let val (a, b) = split l in (x :: a, y :: b) end
in
  fun sort lt nil = nil
    | sort lt [x] = [x]
    | sort lt l = let val (a, b) = split l in merge lt (sort lt a, sort lt b) end
end
fun unique_sort lt l =
  let
    fun once (x :: y :: l) = if lt (x, y) then x :: once (y :: l) else once (y :: l)
      | once l = l
  in once (sort lt l) end
fun sort_ms lt m = sort lt m
fun sort_tms lt m = sort lt m

local
  fun groups nil = nil
    | groups (x :: l) =
        let fun go (n, y :: l) = if x = y then go (n + 1, l) else (n, x) :: groups (y :: l)
              | go (n, nil) = [(n, x)]
        in go (1, l) end
  fun written plus mkstr (n, x) = String.concat [Int.toString n, "`", mkstr x]
in
  fun mkstr_ms (mkstr, lt) nil = "empty"
    | mkstr_ms (mkstr, lt) m =
        String.concatWith "++\n" (List.map (written "++" mkstr) (groups (sort lt m)))
  fun mkstr_tms (mkstr, lt) nil = "empty"
    | mkstr_tms (mkstr, lt) m =
        String.concatWith "+++\n" (List.map (written "+++" mkstr) (groups (sort lt m)))
end

fun legal_ms legal m = List.all legal m
fun illegal_msg_ms illegal m = String.concat (List.map illegal m)

(* Time. *)

val time = _prim "model_time" : unit -> time
val step = _prim "step" : unit -> CPN'intinf
val inst = _prim "instance" : unit -> int
val CPN'here = _prim "state" : unit -> string

structure CPN'Time = struct
  type time = time
  val fromInt = CPN'time_from_int
  val toString = CPN'time_to_string
  val fromString = CPN'time_from_string
  val toReal = CPN'time_to_real
  val time = time
  val null = fromInt 0
  fun add (a : time, b : time) : time = a + b
  fun sub (a : time, b : time) : time = a - b
  fun mult (a : time, b : time) : time = a * b
  fun lt (a : time, b : time) = a < b
  fun leq (a : time, b : time) = a <= b
  fun cmp (a : time, b : time) = if a < b then LESS else if a = b then EQUAL else GREATER
  fun mkstr (t : time) = toString t
  fun maketime s = Option.valOf (fromString s)
  fun col (c @ _) = c
  fun ready (_ @ t) = t <= time ()
end
structure ModelTime = struct open CPN'Time fun compare (a, b) = cmp (a, b) end
val fromInt = CPN'Time.fromInt
val toReal = CPN'Time.toReal
val maketime = CPN'Time.maketime
val mkstr = CPN'Time.mkstr
val add = CPN'Time.add
val sub = CPN'Time.sub
val mult = CPN'Time.mult
val lt = CPN'Time.lt
val leq = CPN'Time.leq
val cmp = CPN'Time.cmp
fun col (c @ _) = c
fun ready (_ @ t) = t <= time ()

fun (m @++ d) = let val t = time () + d in List.map (fn c => c @ t) m end
fun (m @+ d) = m @++ CPN'Time.fromInt d
fun ms m = List.map (fn c @ _ => c) m
fun StripTime m = ms m
fun delay (m, d : time) = List.map (fn c @ t => c @ (t + d)) m
fun tcf (c, m) = cf (c, ms m)
fun tsub (m, n) = m -- n
fun tleq (m, n) = m <<= n
fun tlt (m, n) = m << n
fun tlegal legal m = List.all (fn c @ _ => legal c) m

(* Lists. *)

fun mem l x = CPN'mem (l, x)
fun contains l nil = true | contains l (x :: k) = CPN'mem (l, x) andalso contains l k
fun contains_all k l = contains k l
fun remdupl nil = nil
  | remdupl (x :: l) = if CPN'mem (l, x) then remdupl l else x :: remdupl l
fun rm x nil = nil | rm x (y :: l) = if x = y then l else y :: rm x l
fun rmall x l = List.filter (fn y => x <> y) l
fun pos nil x = 0
  | pos l x =
      let fun go (nil, _) = 0 | go (y :: l, n) = if x = y then n else go (l, n + 1) in go (l, 1) end
fun intersect nil l = nil
  | intersect (x :: k) l = if CPN'mem (l, x) then x :: intersect k l else intersect k l
fun union k l = k ^^ l
fun listsub k l = List.foldl (fn (x, k) => rm x k) k l
fun ins l x = l ^^ [x]
fun ins_new l x = if CPN'mem (l, x) then l else l ^^ [x]
fun fmap f l = List.concat (List.map f l)
fun mapfilter f p l = List.map f (List.filter p l)
fun predlist p l = List.filter p l
fun flatten l = List.concat l
fun split p l = List.partition p l
fun sort_int_list l = sort (fn (a : int, b) => a < b) l
fun inc r = r := !r + 1
fun dec r = r := !r - 1
fun (r ::= x) = r := x :: !r
fun isSubstring (p, s) = String.isSubstring p s

structure Misc = struct
  structure I = struct
    fun (r += n) = r := !r + (n : int)
    fun (r -= n) = r := !r - (n : int)
    fun (r *= n) = r := !r * (n : int)
  end
  structure R = struct
    fun (r += n) = r := !r + (n : real)
    fun (r -= n) = r := !r - (n : real)
    fun (r *= n) = r := !r * (n : real)
  end
end

structure CPN'MS = struct
  val empty = empty
  val size = size
  val cf = cf
  val filter = filter
  val ext_col = ext_col
  val ext_ms = ext_ms
  val ms_to_col = ms_to_col
  val ms_to_list = ms_to_list
  val list_to_ms = list_to_ms
  val mkstr_ms = mkstr_ms
  val mkstr_tms = mkstr_tms
  val sort_ms = sort_ms
end

(* Random numbers. *)

val CPN'random = _prim "random" : unit -> real

exception Bernoulli
exception Binomial
exception Uniform
exception Discrete
exception Normal
exception Exponential
exception Poisson
exception Erlang
exception Chisq
exception Student
exception Beta
exception Beta_pert
exception Gamma
exception Weibull
exception Rayleigh
exception Random

fun discrete (a, b) =
  if a > b then raise Discrete
  else a + Real.floor (CPN'random () * (Real.fromInt b - Real.fromInt a + 1.0))
fun uniform (a, b) = if a > b then raise Uniform else a + CPN'random () * (b - a)
fun bernoulli p =
  if p < 0.0 orelse p > 1.0 then raise Bernoulli else if CPN'random () < p then 1 else 0
fun binomial (n, p) =
  if n < 1 orelse p < 0.0 orelse p > 1.0 then raise Binomial
  else let fun go (0, k) = k | go (n, k) = go (n - 1, k + bernoulli p) in go (n, 0) end
fun exponential r =
  if r <= 0.0 then raise Exponential else ~ (Math.ln (1.0 - CPN'random ())) / r
fun normal (n, v) =
  if v < 0.0 then raise Normal
  else n + Math.sqrt (~2.0 * v * Math.ln (1.0 - CPN'random ()))
             * Math.cos (2.0 * Math.pi * CPN'random ())
fun poisson m =
  if m <= 0.0 then raise Poisson
  else
    let
      val least = Math.exp (~ m)
      fun go (k, p) = if p <= least then k else go (k + 1, p * CPN'random ())
    in go (0, CPN'random ()) end
fun erlang (n, r) =
  if n < 1 orelse r <= 0.0 then raise Erlang
  else
    let fun go (0, t) = t | go (n, t) = go (n - 1, t + exponential r) in go (n, 0.0) end
fun chisq n =
  if n < 1 then raise Chisq
  else
    let
      fun go (0, t) = t
        | go (n, t) = let val x = normal (0.0, 1.0) in go (n - 1, t + x * x) end
    in go (n, 0.0) end
fun student n =
  if n < 1 then raise Student
  else normal (0.0, 1.0) / Math.sqrt (chisq n / Real.fromInt n)
(* Marsaglia and Tsang 2000; a shape below 1 by Stuart's theorem. *)
fun gamma (l, k) =
  if l <= 0.0 orelse k <= 0.0 then raise Gamma
  else if k < 1.0 then gamma (l, k + 1.0) * Math.pow (1.0 - CPN'random (), 1.0 / k)
  else
    let
      val d = k - 1.0 / 3.0
      val c = 1.0 / Math.sqrt (9.0 * d)
      fun go () =
        let
          val x = normal (0.0, 1.0)
          val v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x)
        in
          if v <= 0.0 then go ()
          else if Math.ln (1.0 - CPN'random ()) < 0.5 * x * x + d - d * v + d * Math.ln v
          then d * v
          else go ()
        end
    in go () / l end
fun beta (a, b) =
  if a <= 0.0 orelse b <= 0.0 then raise Beta
  else let val x = gamma (1.0, a) val y = gamma (1.0, b) in x / (x + y) end
fun beta_pert (low, high, mode) =
  if low >= high orelse mode < low orelse mode > high then raise Beta_pert
  else
    let
      val a = 1.0 + 4.0 * (mode - low) / (high - low)
      val b = 1.0 + 4.0 * (high - mode) / (high - low)
    in low + beta (a, b) * (high - low) end
fun weibull (s, k) =
  if s <= 0.0 orelse k <= 0.0 then raise Weibull
  else s * Math.pow (~ (Math.ln (1.0 - CPN'random ())), 1.0 / k)
fun rayleigh s =
  if s <= 0.0 then raise Rayleigh else s * Math.sqrt (~2.0 * Math.ln (1.0 - CPN'random ()))
fun random nil = raise Random
  | random m = List.nth (m, discrete (0, List.length m - 1))

structure CPN'Random = struct
  val uniform = uniform
  val discrete = discrete
end

val CPN'clock = _prim "clock" : unit -> real
fun time_of_day () = Real.toString (CPN'clock ())

(* Real numbers as integers with a number of decimals. *)
fun IntInfToReal d i = Real.fromLargeInt i / Math.pow (10.0, Real.fromInt d)
fun RealToIntInf d r = Real.large (Real.realRound (r * Math.pow (10.0, Real.fromInt d)))
