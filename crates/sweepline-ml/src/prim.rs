//! The primitive operations: what the library cannot say in CPN ML itself.
//!
//! The prelude names a primitive by `_prim "name" : type`. Where that type is a function from a
//! tuple the primitive takes the fields as its arguments, from `unit` it takes none, else one.

/// An arithmetic operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arith {
    /// `+`. Raises `Overflow` on `int`.
    Add,
    /// `-`. Raises `Overflow` on `int`.
    Subtract,
    /// `*`. Raises `Overflow` on `int`.
    Multiply,
    /// `div`: rounds down. Raises `Div`. Not on `real`.
    Div,
    /// `mod`: the sign of the divisor. Raises `Div`. Not on `real`.
    Mod,
    /// `/`, only on `real`.
    Divide,
    /// `~`. Raises `Overflow` on `int`.
    Negate,
    /// `abs`. Raises `Overflow` on `int`.
    Abs,
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// The types an overloaded operator can work on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// `int`
    Int,
    /// `IntInf.int`
    IntInf,
    /// `Int32.int`
    Int32,
    /// `word`
    Word,
    /// `Word8.word`
    Word8,
    /// `Word32.word`
    Word32,
    /// `real`
    Real,
    /// `char`, only compared.
    Char,
    /// `string`, only compared, by bytes.
    String,
}

macro_rules! primitives {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)?) => {
        /// A primitive operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Prim {
            /// Arithmetic on two operands (one for [`Arith::Negate`] and [`Arith::Abs`]).
            Arith(Arith, Operand),
            /// A comparison of two operands.
            Compare(Comparison, Operand),
            /// `string -> 'a`: a part of a state, which the [`Host`](crate::Host) takes out of its bytes.
            Part(u32),
            /// What the [`Outside`](crate::Outside) answers to a question: a library for it declares the
            /// type by `_prim "ask N" : type`.
            Ask(u32),
            $($(#[$doc])* $variant),*
        }

        impl Prim {
            /// The primitive that the prelude calls so.
            pub fn named(name: &str) -> Option<Prim> {
                match name {
                    $($name => Some(Prim::$variant),)*
                    _ => name.strip_prefix("ask ")?.parse().ok().map(Prim::Ask),
                }
            }

            /// What the prelude calls it; overloaded operators have no name there.
            pub fn name(self) -> &'static str {
                match self {
                    Prim::Arith(..) => "arithmetic",
                    Prim::Compare(..) => "comparison",
                    Prim::Part(_) => "part",
                    Prim::Ask(_) => "ask",
                    $(Prim::$variant => $name),*
                }
            }

            /// All primitives with a name.
            pub const NAMED: &'static [Prim] = &[$(Prim::$variant),*];
        }
    };
}

primitives! {
    /// `''a * ''a -> bool`, structural; by identity on references. On `real` as numbers.
    Equal = "equal",
    /// `''a * ''a -> bool`, the opposite.
    NotEqual = "not_equal",

    /// `'a -> 'a ref`
    Ref = "ref",
    /// `'a ref -> 'a`
    Deref = "deref",
    /// `'a ref * 'a -> unit`
    Assign = "assign",

    /// `unit -> int`: the least `int`.
    IntMin = "int_min",
    /// `unit -> int`: the greatest `int`.
    IntMax = "int_max",
    /// `int * int -> int`, rounds to zero. Raises `Div`, `Overflow`.
    IntQuot = "int_quot",
    /// `int * int -> int`, the sign of the dividend. Raises `Div`.
    IntRem = "int_rem",
    /// `int -> string`, `~` for minus.
    IntToString = "int_to_string",
    /// `string -> int option`: a leading integer after white space. Raises `Overflow`.
    IntFromString = "int_from_string",
    /// `int -> IntInf.int`
    IntToIntInf = "int_to_intinf",
    /// `IntInf.int -> int`. Raises `Overflow`.
    IntInfToInt = "intinf_to_int",
    /// `IntInf.int -> string`
    IntInfToString = "intinf_to_string",
    /// `string -> IntInf.int option`
    IntInfFromString = "intinf_from_string",
    /// `IntInf.int * IntInf.int -> IntInf.int`, rounds to zero. Raises `Div`.
    IntInfQuot = "intinf_quot",
    /// `IntInf.int * IntInf.int -> IntInf.int`, the sign of the dividend. Raises `Div`.
    IntInfRem = "intinf_rem",
    /// `IntInf.int * int -> IntInf.int`
    IntInfPow = "intinf_pow",
    /// `IntInf.int -> Int32.int`. Raises `Overflow`.
    IntInfToInt32 = "intinf_to_int32",
    /// `IntInf.int * IntInf.int -> IntInf.int`, on two's complements of any length, as the next two.
    IntInfAnd = "intinf_and",
    /// `IntInf.int * IntInf.int -> IntInf.int`
    IntInfOr = "intinf_or",
    /// `IntInf.int * IntInf.int -> IntInf.int`
    IntInfXor = "intinf_xor",
    /// `IntInf.int * word -> IntInf.int`
    IntInfShiftLeft = "intinf_shift_left",
    /// `IntInf.int * word -> IntInf.int`, rounds down.
    IntInfShiftRight = "intinf_shift_right",
    /// `IntInf.int -> int`: of the highest bit. Raises `Domain` unless positive.
    IntInfLog2 = "intinf_log2",
    /// `unit -> int`: the bits of an `int`, and of a `word`.
    IntBits = "int_bits",
    /// `int * 'a -> 'b`: so many low bits of a number of a bounded type, as a word.
    WordWrap = "word_wrap",
    /// `int * IntInf.int -> 'b`: so many low bits of a number, as a word.
    WordOfIntInf = "word_of_intinf",
    /// `word -> int`. Raises `Overflow`.
    WordToInt = "word_to_int",
    /// `word * word -> word`
    WordAnd = "word_and",
    /// `word * word -> word`
    WordOr = "word_or",
    /// `word * word -> word`
    WordXor = "word_xor",
    /// `word * word -> word`: shift left.
    WordShiftLeft = "word_shift_left",
    /// `word * word -> word`: shift right, zeros come in.
    WordShiftRight = "word_shift_right",

    /// `int -> real`
    IntToReal = "int_to_real",
    /// `IntInf.int -> real`
    IntInfToReal = "intinf_to_real",
    /// `real -> int`, down. Raises `Overflow`, `Domain` on NaN, as all four.
    RealFloor = "real_floor",
    /// `real -> int`, up.
    RealCeil = "real_ceil",
    /// `real -> int`, to the nearest, ties to even.
    RealRound = "real_round",
    /// `real -> int`, to zero.
    RealTrunc = "real_trunc",
    /// `real -> IntInf.int`, to zero.
    RealToIntInf = "real_to_intinf",
    /// `real -> real`, down.
    RealFloorReal = "real_floor_real",
    /// `real -> real`, to the nearest, ties to even.
    RealRoundReal = "real_round_real",
    /// `real -> string`, as `Real.toString`: 12 digits, `~` for minus, `E` for large exponents.
    RealToString = "real_to_string",
    /// `string -> real option`
    RealFromString = "real_from_string",
    /// `int * real -> string`: with so many digits after the point.
    RealFixed = "real_fixed",
    /// `int * real -> string`: with so many digits at most; 0 for as many as tell it from any other.
    RealGeneral = "real_general",
    /// `int * real -> string`: in scientific form with so many digits after the point.
    RealScientific = "real_scientific",
    /// `real -> bool`
    RealIsNan = "real_is_nan",
    /// `real -> real`
    Sqrt = "sqrt",
    /// `real -> real`
    Sin = "sin",
    /// `real -> real`
    Cos = "cos",
    /// `real -> real`
    Tan = "tan",
    /// `real -> real`
    Asin = "asin",
    /// `real -> real`
    Acos = "acos",
    /// `real -> real`
    Atan = "atan",
    /// `real * real -> real`
    Atan2 = "atan2",
    /// `real -> real`
    Exp = "exp",
    /// `real -> real`, the natural logarithm.
    Ln = "ln",
    /// `real -> real`
    Log10 = "log10",
    /// `real * real -> real`
    Pow = "pow",
    /// `real -> real`
    Sinh = "sinh",
    /// `real -> real`
    Cosh = "cosh",
    /// `real -> real`
    Tanh = "tanh",

    /// `char -> int`
    CharOrd = "char_ord",
    /// `int -> char`. Raises `Chr`.
    CharChr = "char_chr",

    /// `string -> int`
    StringSize = "string_size",
    /// `string * int -> char`. Raises `Subscript`.
    StringSub = "string_sub",
    /// `string * int * int -> string`: start, length. Raises `Subscript`.
    Substring = "substring",
    /// `string * string -> string`
    StringAppend = "string_append",
    /// `string list -> string`
    StringConcat = "string_concat",
    /// `char list -> string`
    Implode = "implode",
    /// `string -> char list`
    Explode = "explode",
    /// `char -> string`
    CharToString = "char_to_string",
    /// `string * string -> order`, by bytes.
    StringCompare = "string_compare",

    /// `'a list * 'a list -> 'a list`
    ListAppend = "list_append",
    /// `'a list -> 'a list`
    ListReverse = "list_reverse",
    /// `'a list -> int`
    ListLength = "list_length",
    /// `int * 'a -> 'a list`: so many copies, none when not positive.
    Repeat = "repeat",
    /// `''a list * ''a list -> ''a list`: without one occurrence of each on the right. Raises
    /// `Subtract` where one is missing.
    MultiSetSubtract = "ms_subtract",
    /// `''a list * ''a list -> bool`: the same elements as often, in any order.
    MultiSetEqual = "ms_equal",
    /// `''a list * ''a list -> bool`: the left is contained in the right.
    MultiSetContained = "ms_contained",
    /// `''a * ''a list -> int`: how often.
    MultiSetCount = "ms_count",
    /// `''a list * ''a -> bool`
    ListMember = "list_member",

    /// `int * 'a -> 'a array`. Raises `Size`.
    ArrayMake = "array_make",
    /// `'a list -> 'a array`
    ArrayFromList = "array_from_list",
    /// `'a array -> int`
    ArrayLength = "array_length",
    /// `'a array * int -> 'a`. Raises `Subscript`.
    ArraySub = "array_sub",
    /// `'a array * int * 'a -> unit`. Raises `Subscript`.
    ArrayUpdate = "array_update",

    /// `unit -> time`: the model time.
    ModelTime = "model_time",
    /// `unit -> IntInf.int`: the number of steps so far.
    Step = "step",
    /// `unit -> int`: the page instance whose inscription is evaluated.
    Instance = "instance",
    /// `unit -> string`: the bytes of the state that is looked at.
    State = "state",
    /// `unit -> real`: uniform in [0, 1).
    Random = "random",
    /// `unit -> real`: seconds since 1970, for `Time.now` and `time_of_day`.
    Clock = "clock",

    /// `exn -> string`
    ExnName = "exn_name",
    /// `exn -> string`
    ExnMessage = "exn_message",

    /// `string -> unit`
    Print = "print",
    /// `string -> instream`. Raises `Io`, as all of these.
    OpenIn = "open_in",
    /// `string -> outstream`
    OpenOut = "open_out",
    /// `string -> outstream`
    OpenAppend = "open_append",
    /// `instream -> unit`
    CloseIn = "close_in",
    /// `outstream -> unit`
    CloseOut = "close_out",
    /// `instream -> string option`: with its line end.
    InputLine = "input_line",
    /// `instream -> string`: all that is left.
    InputAll = "input_all",
    /// `instream * int -> string`: at most so many characters.
    InputN = "input_n",
    /// `instream -> char option`: the next character, which stays.
    Lookahead = "lookahead",
    /// `instream -> bool`
    EndOfStream = "end_of_stream",
    /// `outstream * string -> unit`
    Output = "output",
    /// `outstream -> unit`
    FlushOut = "flush_out",
    /// `unit -> instream`
    StdIn = "std_in",
    /// `unit -> outstream`
    StdOut = "std_out",
    /// `unit -> outstream`
    StdErr = "std_err",
    /// `string -> bool`: whether a file can be read.
    FileReadable = "file_readable",
    /// `string -> string option`: a variable of the environment.
    GetEnv = "get_env",
    /// `unit -> string`: the current folder.
    GetDir = "get_dir",
}
