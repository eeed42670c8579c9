(* Files. Output is discarded or kept in memory, and reading is an error. *)

structure IO = struct
  exception Io = Io
end

structure TextIO = struct
  type instream = instream
  type outstream = outstream
  type vector = string
  type elem = char
  val openIn = _prim "open_in" : string -> instream
  val openOut = _prim "open_out" : string -> outstream
  val openAppend = _prim "open_append" : string -> outstream
  val closeIn = _prim "close_in" : instream -> unit
  val closeOut = _prim "close_out" : outstream -> unit
  val inputLine = _prim "input_line" : instream -> string option
  val inputAll = _prim "input_all" : instream -> string
  val inputN = _prim "input_n" : instream * int -> string
  val lookahead = _prim "lookahead" : instream -> char option
  val endOfStream = _prim "end_of_stream" : instream -> bool
  val output = _prim "output" : outstream * string -> unit
  val flushOut = _prim "flush_out" : outstream -> unit
  val standardIn = _prim "std_in" : unit -> instream
  val standardOut = _prim "std_out" : unit -> outstream
  val standardErr = _prim "std_err" : unit -> outstream
  val stdIn = standardIn ()
  val stdOut = standardOut ()
  val stdErr = standardErr ()
  val print = print
  fun input s = inputN (s, 4096)
  fun input1 s = case inputN (s, 1) of "" => NONE | c => SOME (String.sub (c, 0))
  fun scanStream scan s =
    let fun getc s = case input1 s of SOME c => SOME (c, s) | NONE => NONE
    in case scan getc s of SOME (x, _) => SOME x | NONE => NONE end
  fun output1 (s, c) = output (s, String.str c)
  fun outputSubstr (s, CPN'substring part) = output (s, String.substring part)
end
