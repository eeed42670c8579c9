(* Dates in the proleptic Gregorian calendar, without time zones. *)

structure Date = struct
  datatype weekday = Mon | Tue | Wed | Thu | Fri | Sat | Sun
  datatype month = Jan | Feb | Mar | Apr | May | Jun | Jul | Aug | Sep | Oct | Nov | Dec
  exception Date
  datatype date = CPN'date of
    {year : int, month : month, day : int, hour : int, minute : int, second : int}
  val months = [Jan, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov, Dec]
  val names =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September",
     "October", "November", "December"]
  val days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  fun short name = String.substring (name, 0, 3)
  fun index (x, y :: l) = if x = y then 0 else 1 + index (x, l) | index (_, nil) = raise Date

  (* Days since 1 March of year 0, by Hinnant's civil calendar, with the year from March. *)
  fun to_days (year, month, day) =
    let
      val y = if month < 2 then year - 1 else year
      val m = (month + 10) mod 12
      val era = y div 400
      val yoe = y mod 400
      val doy = (153 * m + 2) div 5 + day - 1
    in era * 146097 + yoe * 365 + yoe div 4 - yoe div 100 + doy end
  fun of_days n =
    let
      val era = n div 146097
      val doe = n mod 146097
      val yoe = (doe - doe div 1460 + doe div 36524 - doe div 146096) div 365
      val doy = doe - (365 * yoe + yoe div 4 - yoe div 100)
      val m = (5 * doy + 2) div 153
      val day = doy - (153 * m + 2) div 5 + 1
      val month = (m + 2) mod 12
      val year = yoe + era * 400 + (if month < 2 then 1 else 0)
    in (year, month, day) end

  fun date {year, month, day, hour, minute, second, offset : int option} =
    let
      val minutes = minute + second div 60
      val hours = hour + minutes div 60
      val (year, month, day) = of_days (to_days (year, index (month, months), day) + hours div 24)
    in
      CPN'date {year = year, month = List.nth (months, month), day = day, hour = hours mod 24,
                minute = minutes mod 60, second = second mod 60}
    end
  fun year (CPN'date d) = #year d
  fun month (CPN'date d) = #month d
  fun day (CPN'date d) = #day d
  fun hour (CPN'date d) = #hour d
  fun minute (CPN'date d) = #minute d
  fun second (CPN'date d) = #second d
  fun offset (_ : date) : int option = NONE
  fun count d = to_days (year d, index (month d, months), day d)
  fun weekDay d =
    List.nth ([Wed, Thu, Fri, Sat, Sun, Mon, Tue], count d mod 7)
  fun yearDay d = count d - to_days (year d, 0, 1)
  fun compare (a, b) =
    let
      fun parts d = [count d, hour d, minute d, second d]
    in List.collate Int.compare (parts a, parts b) end

  fun isDst (_ : date) = SOME false
  fun localOffset () = Time.zeroTime
  (* Seconds since 1970; the number is that of the days from 1 March of year 0 to 1 January 1970. *)
  fun toTime d =
    let val n = IntInf.fromInt
    in Time.fromSeconds
         (n (count d - 719468) * 86400 + n (hour d) * 3600 + n (minute d) * 60 + n (second d))
    end
  fun fromTimeUniv t =
    let
      val seconds = Time.toMicroseconds t div 1000000
      val (year, month, day) = of_days (IntInf.toInt (seconds div 86400) + 719468)
    in
      date {year = year, month = List.nth (months, month), day = day, hour = 0, minute = 0,
            second = IntInf.toInt (seconds mod 86400), offset = NONE}
    end
  fun fromTimeLocal t = fromTimeUniv t

  fun two n = if n < 10 then String.concat ["0", Int.toString n] else Int.toString n
  fun day_name d = List.nth (days, index (weekDay d, [Mon, Tue, Wed, Thu, Fri, Sat, Sun]))
  fun month_name d = List.nth (names, index (month d, months))
  fun part d c =
    case c of
        #"Y" => Int.toString (year d)
      | #"y" => two (year d mod 100)
      | #"m" => two (index (month d, months) + 1)
      | #"b" => short (month_name d)
      | #"B" => month_name d
      | #"a" => short (day_name d)
      | #"A" => day_name d
      | #"j" => StringCvt.padLeft #"0" 3 (Int.toString (yearDay d + 1))
      | #"w" => Int.toString (index (weekDay d, [Sun, Mon, Tue, Wed, Thu, Fri, Sat]))
      | #"I" => two ((hour d + 11) mod 12 + 1)
      | #"p" => if hour d < 12 then "AM" else "PM"
      | #"d" => two (day d)
      | #"H" => two (hour d)
      | #"M" => two (minute d)
      | #"S" => two (second d)
      | #"%" => "%"
      | c => String.str c
  fun fmt pattern d =
    let
      fun go (#"%" :: c :: l) = part d c :: go l
        | go (c :: l) = String.str c :: go l
        | go nil = nil
    in String.concat (go (String.explode pattern)) end
  fun toString d = fmt "%a %b %d %H:%M:%S %Y" d
end
