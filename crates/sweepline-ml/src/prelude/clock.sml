(* Durations, the time of day, and timers. *)

structure Time = struct
  exception Time
  (* Microseconds. *)
  datatype time = CPN'time of IntInf.int
  fun micro (CPN'time n) = n
  val zeroTime = CPN'time 0
  fun toMicroseconds t = micro t
  fun toMilliseconds t = IntInf.quot (micro t, 1000)
  fun toSeconds t = IntInf.quot (micro t, 1000000)
  fun toNanoseconds t = micro t * 1000
  fun fromMicroseconds n = CPN'time n
  fun fromMilliseconds (n : IntInf.int) = CPN'time (n * 1000)
  fun fromSeconds (n : IntInf.int) = CPN'time (n * 1000000)
  fun fromNanoseconds (n : IntInf.int) = CPN'time (IntInf.quot (n, 1000))
  fun toReal t = Real.fromLargeInt (micro t) / 1000000.0
  fun fromReal x =
    if Real.isFinite x then CPN'time (Real.large (Real.realRound (x * 1000000.0)))
    else raise Time
  val clock = _prim "clock" : unit -> real
  fun now () = fromReal (clock ())
  fun compare (CPN'time a, CPN'time b) = IntInf.compare (a, b)
  fun fmt digits t =
    if digits < 0 then raise Size
    else
      let
        val n = micro t
        val places = if digits > 6 then 6 else digits
        val unit = IntInf.pow (10, 6 - places)
        (* Rounds to the nearest, halves away from zero. *)
        val rounded = (IntInf.abs n + unit div 2) div unit
        val scale = IntInf.pow (10, places)
        val part = IntInf.toString (rounded mod scale)
        val part =
          StringCvt.padRight #"0" digits (StringCvt.padLeft #"0" places part)
        val sign = if n < 0 andalso rounded > 0 then "~" else ""
        val whole = IntInf.toString (rounded div scale)
      in if digits = 0 then String.concat [sign, whole] else String.concat [sign, whole, ".", part] end
  fun toString t = fmt 3 t
  fun scan getc s =
    case Real.scan getc s of SOME (x, rest) => SOME (fromReal x, rest) | NONE => NONE
  fun fromString s = StringCvt.scanString scan s
  val op + = fn (CPN'time a, CPN'time b) => CPN'time (a + b)
  val op - = fn (CPN'time a, CPN'time b) => CPN'time (a - b)
  val op < = fn (CPN'time a, CPN'time b) => a < b
  val op <= = fn (CPN'time a, CPN'time b) => a <= b
  val op > = fn (CPN'time a, CPN'time b) => a > b
  val op >= = fn (CPN'time a, CPN'time b) => a >= b
end

(* Timers always return zero, because the duration of a computation must not affect a model. *)
structure Timer = struct
  datatype cpu_timer = CPN'cpu_timer
  datatype real_timer = CPN'real_timer
  fun startCPUTimer () = CPN'cpu_timer
  fun totalCPUTimer () = CPN'cpu_timer
  fun checkCPUTimer CPN'cpu_timer = {usr = Time.zeroTime, sys = Time.zeroTime}
  fun checkCPUTimes CPN'cpu_timer =
    let val none = {usr = Time.zeroTime, sys = Time.zeroTime} in {nongc = none, gc = none} end
  fun checkGCTime CPN'cpu_timer = Time.zeroTime
  fun startRealTimer () = CPN'real_timer
  fun totalRealTimer () = CPN'real_timer
  fun checkRealTimer CPN'real_timer = Time.zeroTime
end
