(* The operating system. Paths are computed; functions that would change files do nothing. *)

structure OS = struct
  type syserror = string
  exception SysErr of string * syserror option
  fun errorMsg (e : syserror) = e
  structure Path = struct
    exception Path
    val parentArc = ".."
    val currentArc = "."
    fun isAbsolute p = String.isPrefix "/" p
    fun isRelative p = not (isAbsolute p)
    fun joinDirFile {dir = "", file} = file
      | joinDirFile {dir = "/", file} = String.concat ["/", file]
      | joinDirFile {dir, file} = String.concat [dir, "/", file]
    fun splitDirFile p =
      let
        val (dir, file) = Substring.splitr (fn c => c <> #"/") (Substring.full p)
        val dir = Substring.string dir
        val n = String.size dir
      in {dir = if n > 1 then String.substring (dir, 0, n - 1) else dir, file = Substring.string file} end
    fun dir p = #dir (splitDirFile p)
    fun file p = #file (splitDirFile p)
    fun concat (a, b) =
      if isAbsolute b then raise Path
      else if a = "" orelse b = "" orelse String.isSuffix "/" a then String.concat [a, b]
      else String.concat [a, "/", b]
    fun joinBaseExt {base, ext = NONE} = base
      | joinBaseExt {base, ext = SOME ""} = base
      | joinBaseExt {base, ext = SOME ext} = String.concat [base, ".", ext]
    fun splitBaseExt p =
      let
        val {dir, file} = splitDirFile p
        val (base, ext) = Substring.splitr (fn c => c <> #".") (Substring.full file)
        val n = Substring.size base
      in
        if n < 2 orelse Substring.isEmpty ext then {base = p, ext = NONE}
        else
          {base = joinDirFile {dir = dir, file = Substring.string (Substring.trimr 1 base)},
           ext = SOME (Substring.string ext)}
      end
    fun base p = #base (splitBaseExt p)
    fun ext p = #ext (splitBaseExt p)
  end
  structure FileSys = struct
    datatype access_mode = A_READ | A_WRITE | A_EXEC
    val getDir = _prim "get_dir" : unit -> string
    val readable = _prim "file_readable" : string -> bool
    fun access (name, _ : access_mode list) = readable name
    fun isDir name = readable name
    fun mkDir (_ : string) = ()
    fun chDir (_ : string) = ()
    fun remove (_ : string) = ()
  end
  structure Process = struct
    type status = int
    val success = 0
    val failure = 1
    fun isSuccess s = s = success
    val getEnv = _prim "get_env" : string -> string option
  end
end
