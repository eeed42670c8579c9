//! Functions of the Basis, compared with the values of its definition.

use sweepline_ml::{Files, Limits};

use super::{evaluate, evaluate_with};

#[track_caller]
fn all(cases: &[(&str, &str)]) {
    for (expr, expected) in cases {
        let found = evaluate("", expr);
        match expected.strip_suffix(" was raised") {
            Some(exception) => {
                assert!(found.contains(&format!("{exception} in")), "{expr}: {found}")
            }
            None => assert_eq!(found, *expected, "{expr}"),
        }
    }
}

#[test]
fn characters_and_strings() {
    all(&[
        (r#"map (Char.contains "abc") [#"a", #"x"]"#, "[true,false]"),
        (r#"map (Char.notContains "abc") [#"a", #"x"]"#, "[false,true]"),
        (r#"Char.toString #"\n""#, r#""\n""#),
        (r#"Char.toString #"\001" ^ Char.toString #"\200" ^ Char.toString #"a""#, r#""\^A\200a""#),
        (r#"Char.fromString "\\n""#, "SOME(#\"\n\")"),
        (r#"Char.fromString "\\^A" = SOME #"\001""#, "true"),
        (r#"Char.fromString """#, "NONE"),
        (r#"Char.toCString #"\001""#, r#""\001""#),
        (r#"Char.< (#"a", #"b")"#, "true"),
        (r#"String.toString "a\tb\"c\\""#, r#""a\tb\"c\\""#),
        (r#"String.fromString "a\\tb" = SOME "a\tb""#, "true"),
        (r#"String.fromString "ab\\   \\cd""#, r#"SOME("abcd")"#),
        (r#"String.concatWith ", " ["a", "b", "c"]"#, r#""a, b, c""#),
        (r#"String.< ("a", "b") andalso String.>= ("b", "b")"#, "true"),
        (r#"map Bool.fromString ["true", "  FALSE x", "x"]"#, "[SOME(true),SOME(false),NONE]"),
        (r#"StringCvt.padLeft #"0" 5 "42" ^ StringCvt.padRight #"." 4 "x""#, r#""00042x...""#),
        (r#"StringCvt.padLeft #"0" 1 "42""#, r#""42""#),
        (
            r#"StringCvt.scanString (fn getc => fn s => SOME (StringCvt.splitl Char.isDigit getc s)) "12ab""#,
            r#"SOME("12")"#,
        ),
    ]);
}

#[test]
fn substrings() {
    all(&[
        (r#"Substring.string (Substring.substring ("abcdef", 1, 3))"#, r#""bcd""#),
        (r#"Substring.substring ("abc", 2, 2)"#, "Subscript was raised"),
        (r#"Substring.string (Substring.extract ("abcdef", 2, NONE))"#, r#""cdef""#),
        (
            r#"let val (a, b) = Substring.splitl Char.isDigit (Substring.full "12ab3") in map Substring.string [a, b] end"#,
            r#"["12","ab3"]"#,
        ),
        (
            r#"let val (a, b) = Substring.splitr Char.isDigit (Substring.full "12ab3") in map Substring.string [a, b] end"#,
            r#"["12ab","3"]"#,
        ),
        (
            r#"let val (a, b) = Substring.position "cd" (Substring.full "abcdef") in map Substring.string [a, b] end"#,
            r#"["ab","cdef"]"#,
        ),
        (
            r#"map Substring.string (Substring.tokens (fn c => c = #",") (Substring.full ",a,,b"))"#,
            r#"["a","b"]"#,
        ),
        (
            r#"map Substring.string (Substring.fields (fn c => c = #",") (Substring.full ",a,,b"))"#,
            r#"["","a","","b"]"#,
        ),
        (r#"Substring.size (Substring.triml 10 (Substring.full "abc"))"#, "0"),
        (r#"Option.map #1 (Substring.getc (Substring.full "xyz"))"#, "SOME(#\"x\")"),
        (r#"Substring.sub (Substring.substring ("abcdef", 2, 2), 2)"#, "Subscript was raised"),
        (r#"Substring.foldr op :: nil (Substring.full "ab")"#, "[#\"a\",#\"b\"]"),
        (r#"Substring.span (Substring.full "a", Substring.full "b")"#, "Span was raised"),
    ]);
}

#[test]
fn whole_numbers() {
    all(&[
        (
            "Int.fmt StringCvt.HEX 255 ^ Int.fmt StringCvt.BIN ~5 ^ Int.fmt StringCvt.OCT 8",
            r#""FF~10110""#,
        ),
        ("StringCvt.scanString (Int.scan StringCvt.HEX) \" ~0xfFg\"", "SOME((~255))"),
        ("StringCvt.scanString (Int.scan StringCvt.HEX) \"0xg\"", "SOME(0)"),
        ("StringCvt.scanString (Int.scan StringCvt.DEC) \"x\"", "NONE"),
        ("StringCvt.scanString (Int.scan StringCvt.DEC) \"9999999999\"", "Overflow was raised"),
        ("Int.precision", "SOME(31)"),
        ("Int.~ 3", "(~3)"),
        ("IntInf.andb (12, 10)", "8"),
        ("(IntInf.orb (12, 10), IntInf.xorb (12, 10), IntInf.notb 5)", "(14,6,~6)"),
        (
            "(IntInf.andb (~1, 255), IntInf.~>> (~5, 0w1), IntInf.<< (3, 0w70))",
            "(255,~3,3541774862152233910272)",
        ),
        ("map IntInf.log2 [1, 2, 1023, 1024]", "[0,1,9,10]"),
        ("IntInf.log2 0", "Domain was raised"),
        ("IntInf.fmt StringCvt.HEX (IntInf.pow (2, 64))", r#""10000000000000000""#),
        ("Int32.+ (2147483646, 1)", "2147483647"),
        ("(2147483647 : Int32.int) + 1", "Overflow was raised"),
        ("Int32.toInt 2147483647", "Overflow was raised"),
        (
            "(Int32.toString ~7, Int32.fromString \"12x\", Int32.maxInt)",
            r#"("~7",SOME(12),SOME(2147483647))"#,
        ),
        ("Int32.quot (~7, 2)", "(~3)"),
        ("Int32.toLarge (Int32.fromInt 5) + 1", "6"),
        ("map (fn n => n * 2) [1 : Int32.int]", "[2]"),
    ]);
}

#[test]
fn words_have_so_many_bits() {
    all(&[
        ("Word.wordSize", "31"),
        ("0wx7FFFFFFF + 0w1", "0"),
        ("Word.fromInt ~1", "2147483647"),
        ("Word.toIntX (Word.fromInt ~5)", "(~5)"),
        ("Word.toInt 0wx7FFFFFFF", "Overflow was raised"),
        ("Word.toString (Word.notb 0w0)", r#""7FFFFFFF""#),
        ("Word.<< (0w3, 0w30)", "1073741824"),
        ("Word.~>> (Word.fromInt ~8, 0w1) = Word.fromInt ~4", "true"),
        ("Word.fromString \"0wxFF\"", "SOME(255)"),
        ("Word8.fromInt 300", "44"),
        ("(Word8.fromInt 200) + 0w100", "44"),
        ("Word8.toIntX 0wxFF", "(~1)"),
        ("Word8.notb 0w1", "254"),
        ("Word8.fromString \"100\"", "Overflow was raised"),
        ("Word32.fromLargeInt 4294967297", "1"),
        ("(0wxFFFFFFFF : Word32.word) * 0w2", "4294967294"),
        ("Word32.toLargeInt (~ 0w1)", "4294967295"),
        ("Word8.fromLarge (Word32.fromInt 511)", "255"),
        ("Word8.toLargeX 0wx80", "4294967168"),
        ("0w5 div 0w2 + 0w5 mod 0w2", "3"),
        ("0w1 div 0w0", "Div was raised"),
        ("case 0wx10 : Word8.word of 0w16 => 1 | _ => 2", "1"),
        ("Word.fmt StringCvt.BIN 0w5", r#""101""#),
    ]);
    assert!(evaluate("", "0wxFFFFFFFF").contains("too large for `word`"));
    assert!(evaluate("", "0w256 : Word8.word").contains("too large for `Word8.word`"));
    assert!(evaluate("", "3000000000 : Int32.int").contains("too large for `Int32.int`"));
}

#[test]
fn real_numbers() {
    all(&[
        ("Real.toInt IEEEReal.TO_NEAREST 2.5", "2"),
        (
            "map (fn m => Real.toLargeInt m ~1.5) [IEEEReal.TO_NEGINF, IEEEReal.TO_POSINF, IEEEReal.TO_ZERO]",
            "[~2,~1,~1]",
        ),
        ("Real.fmt (StringCvt.GEN (SOME 3)) 3.14159", r#""3.14""#),
        ("Real.fmt (StringCvt.FIX (SOME 2)) 2.0", r#""2.00""#),
        ("Real.fmt StringCvt.EXACT 12.5", r#""0.125E2""#),
        ("Real.fmt (StringCvt.GEN (SOME 0)) 1.0", "Size was raised"),
        ("Real.split 2.75", "{frac=0.75,whole=2.0}"),
        ("Real.toManExp 8.0", "{exp=4,man=0.5}"),
        ("Real.fromManExp {man = 0.5, exp = 4}", "8.0"),
        ("Real.signBit ~0.0", "true"),
        ("Real.copySign (3.0, ~1.0)", "~3.0"),
        ("Real.class 0.0 = IEEEReal.ZERO", "true"),
        ("Real.compare (0.0 / 0.0, 1.0)", "Unordered was raised"),
        ("Real.min (0.0 / 0.0, 1.0)", "1.0"),
        ("Real.?= (0.0 / 0.0, 1.0)", "true"),
        ("Real.checkFloat (1.0 / 0.0)", "Overflow was raised"),
    ]);
}

#[test]
fn vectors_and_arrays() {
    all(&[
        ("Vector.fromList [1, 2, 3]", "#[1,2,3]"),
        ("(#[1, 2] = vector [1, 2], #[\"a\"], Vector.length #[])", "(true,#[\"a\"],0)"),
        ("vector [1, 2] = Vector.tabulate (2, fn i => i + 1)", "true"),
        ("Vector.fromList [1] = Vector.fromList [1, 2]", "false"),
        ("Vector.sub (vector [1], 1)", "Subscript was raised"),
        ("Vector.update (vector [1, 2, 3], 1, 9)", "#[1,9,3]"),
        ("Vector.mapi (fn (i, x) => i * x) (vector [1, 2, 3])", "#[0,2,6]"),
        ("Vector.foldri (fn (i, x, l) => (i, x) :: l) nil (vector [5, 6])", "[(0,5),(1,6)]"),
        ("Vector.concat [vector [1], vector [], vector [2]]", "#[1,2]"),
        ("Vector.findi (fn (_, x) => x > 1) (vector [1, 2, 3])", "SOME(1,2)"),
        (
            "Vector.all (fn x => x > 1) (vector [1, 2]) orelse Vector.exists (fn x => x = 2) (vector [1, 2])",
            "true",
        ),
        ("Vector.collate Int.compare (vector [1, 2], vector [1, 3])", "LESS"),
        (
            "let val a = Array.fromList [1, 2, 3] in Array.modify (fn x => x * x) a; Array.vector a end",
            "#[1,4,9]",
        ),
        (
            "let val a = Array.array (4, 0) in Array.copy {src = Array.fromList [1, 2], dst = a, di = 1}; Array.vector a end",
            "#[0,1,2,0]",
        ),
        (
            "let val a = Array.fromList [1, 2, 3] in Array.copy {src = a, dst = a, di = 1} end",
            "Subscript was raised",
        ),
        (
            "let val r = ref 0 in Array.appi (fn (i, x) => r := !r + i * x) (Array.fromList [5, 6, 7]); !r end",
            "20",
        ),
        ("Array.foldli (fn (i, x, s) => s + i * x) 0 (Array.fromList [5, 6, 7])", "20"),
        ("Array.find (fn x => x > 5) (Array.fromList [5, 6, 7])", "SOME(6)"),
        (
            "let val a = Array2.tabulate Array2.RowMajor (2, 3, fn (i, j) => 10 * i + j) \
             in (Array2.update (a, 0, 2, 9); (Array2.row (a, 0), Array2.column (a, 1), \
             Array2.fold Array2.ColMajor op :: nil a)) end",
            "(#[0,1,9],#[1,11],[12,9,11,1,10,0])",
        ),
        ("CharVector.tabulate (3, fn i => Char.chr (97 + i))", r#""abc""#),
        (
            "ListPair.foldlEq (fn (a, b, s) => a * b + s) 0 ([1, 2], [3])",
            "UnequalLengths was raised",
        ),
    ]);
}

#[test]
fn the_library_of_new_jersey() {
    all(&[
        ("ListMergeSort.sort op > [3, 1, 2, 1]", "[1,1,2,3]"),
        (
            "ListMergeSort.sort (fn ((a, _), (b, _)) => a > b) [(1, \"a\"), (0, \"b\"), (1, \"c\"), (0, \"d\")]",
            r#"[(0,"b"),(0,"d"),(1,"a"),(1,"c")]"#,
        ),
        ("ListMergeSort.uniqueSort Int.compare [3, 1, 3, 1]", "[1,3]"),
        ("ListMergeSort.sorted op > [1, 2, 2]", "true"),
        ("ListFormat.listToString Int.toString [1, 2]", r#""[1,2]""#),
        (
            "let val q = Queue.mkQueue () in Queue.enqueue (q, 1); Queue.enqueue (q, 2); \
             (Queue.dequeue q, Queue.contents q) end",
            "(1,[2])",
        ),
        ("Control.Print.printLength := 100", "()"),
    ]);
}

#[test]
fn time_and_timers() {
    all(&[
        ("Time.toString (Time.fromReal 1.5)", r#""1.500""#),
        ("Time.fmt 0 (Time.fromReal ~1.6)", r#""~2""#),
        ("Time.toMilliseconds (Time.+ (Time.fromSeconds 1, Time.fromMilliseconds 20))", "1020"),
        ("Time.< (Time.zeroTime, Time.fromMicroseconds 1)", "true"),
        ("Time.toReal (Timer.checkRealTimer (Timer.startRealTimer ()))", "0.0"),
        (
            "Time.compare (#usr (Timer.checkCPUTimer (Timer.startCPUTimer ())), Time.zeroTime)",
            "EQUAL",
        ),
        (
            "Date.toString (Date.fromTimeUniv (Time.fromSeconds 86400))",
            r#""Fri Jan 02 00:00:00 1970""#,
        ),
        (
            "Date.fmt \"%A %d %B %j\" (Date.fromTimeUniv Time.zeroTime)",
            r#""Thursday 01 January 001""#,
        ),
        (
            "Time.toSeconds (Date.toTime (Date.fromTimeUniv (Time.fromSeconds 1000000007)))",
            "1000000007",
        ),
    ]);
    assert!(evaluate("", "Time.now ()").contains("the time of day"));
    let mut limits = Limits::default();
    limits.seed = Some(1);
    assert_eq!(evaluate_with("", "Time.toSeconds (Time.now ())", limits), "946684800");
}

#[test]
fn files_are_written_nowhere_and_never_read() {
    let write = "let val f = TextIO.openOut \"/tmp/x\" in TextIO.output (f, \"a\"); TextIO.closeOut f; 1 end";
    assert_eq!(evaluate("", write), "1");
    assert_eq!(evaluate("", "Output.getSimOutputDir () ^ \"/a\""), "\"./a\"");
    let mut limits = Limits::default();
    limits.files = Files::Refuse;
    assert!(evaluate_with("", write, limits).contains("writing a file"));
    assert!(evaluate("", "TextIO.openIn \"/etc/passwd\"").contains("reading a file"));
    assert!(evaluate("", "OS.FileSys.access (\"/etc/passwd\", [])").contains("reading a file"));
}

#[test]
fn long_names_have_white_space_around_their_dots() {
    all(&[
        ("List . map (fn x => x + 1) [1]", "[2]"),
        ("List .hd [1] + List. hd [2] + Int . + (1, 2)", "6"),
        ("List\n  .length [1, 2]", "2"),
    ]);
    let declared =
        "structure A = struct structure B = struct val c = 3 end end; colset R = int with 1 .. 3;";
    assert_eq!(evaluate(declared, "A . B . c + R . size ()"), "6");
    assert!(evaluate("", "1 . 2").starts_with("refused"));
}
