(* Functions of CPN Tools that communicate with other programs. They are declared so that models which mention
   them can be loaded. Functions that need another program raise an exception; the others do nothing. *)

fun CPN'outside name =
  raise CPN'Error (String.concat ["Error: ", name, " is not supported: it needs another program"])

structure ConnManagementLayer = struct
  fun acceptConnection (_ : string, _ : int) : unit = CPN'outside "acceptConnection"
  fun openConnection (_ : string, _ : string, _ : int) : unit = CPN'outside "openConnection"
  fun closeConnection (_ : string) : unit = CPN'outside "closeConnection"
  fun send (_ : string, x : 'a, encode : 'a -> string) : unit = CPN'outside "send"
  fun receive (_ : string, decode : string -> 'a) : 'a = CPN'outside "receive"
  fun canReceive (_ : string) : bool = CPN'outside "canReceive"
end
val acceptConnection = ConnManagementLayer.acceptConnection
val openConnection = ConnManagementLayer.openConnection
val closeConnection = ConnManagementLayer.closeConnection
fun send m = ConnManagementLayer.send m
fun receive m = ConnManagementLayer.receive m
fun stringEncode (s : string) = s
fun stringDecode (s : string) = s
fun integerEncode n = Int.toString n
fun integerDecode s = Option.valOf (Int.fromString s)

structure CPN'PerfReport = struct
  fun selectTimedStats _ = ()
  fun selectUntimedStats _ = ()
end
structure CPN'Replications = struct
  fun nreplications (_ : int) = ()
  fun run (_ : int) = ()
end
structure Output = struct
  fun getSimOutputDir () = "."
  fun initSimOutputDir () = ()
  fun getOutputDir () = "."
end
structure CPN'Options = struct
  fun stop _ = raise CPN'Stop "stopped by the model"
end
