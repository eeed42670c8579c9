//! The primitive operations, which the library cannot define in CPN ML.
//!
//! The prelude declares a primitive by `_prim "name" : type`. If its type is a function from a tuple, the
//! primitive takes the fields as arguments; from `unit`, it takes none; otherwise it takes one.

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

/// The operand types of overloaded operators.
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
    (@is harmless) => { true };
    (@is) => { false };
    ($($(#[$doc:meta])* $variant:ident = $name:literal $($harmless:ident)?),* $(,)?) => {
        /// A primitive operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Prim {
            /// Arithmetic on two operands (one for [`Arith::Negate`] and [`Arith::Abs`]).
            Arith(Arith, Operand),
            /// A comparison of two operands.
            Compare(Comparison, Operand),
            /// `string -> 'a`: a part of a state, decoded from its bytes by the [`Host`](crate::Host).
            Part(u32),
            /// A question that the [`Outside`](crate::Outside) answers. A library declares its type by `_prim
            /// "ask N" : type`.
            Ask(u32),
            $(
                #[doc = concat!("`", $name, "` of the library, which declares its type.")]
                ///
                $(#[$doc])*
                $variant
            ),*
        }

        impl Prim {
            /// The primitive with a name in the prelude.
            pub fn named(name: &str) -> Option<Prim> {
                match name {
                    $($name => Some(Prim::$variant),)*
                    _ => name.strip_prefix("ask ")?.parse().ok().map(Prim::Ask),
                }
            }

            /// Whether the result depends only on the arguments, there is no side effect, and values of all
            /// types are treated alike. Primitives that have not been reviewed count as not harmless.
            pub fn is_harmless(self) -> bool {
                match self {
                    Prim::Arith(..) | Prim::Compare(..) => true,
                    Prim::Part(_) | Prim::Ask(_) => false,
                    $(Prim::$variant => primitives!(@is $($harmless)?)),*
                }
            }
        }
    };
}

primitives! {
    /// `''a * ''a -> bool`, structural; by identity on references. On `real` as numbers.
    Equal = "equal" harmless,
    /// `''a * ''a -> bool`, the opposite.
    NotEqual = "not_equal" harmless,

    Ref = "ref",
    Deref = "deref",
    Assign = "assign",

    /// `unit -> int`: the least `int`.
    IntMin = "int_min" harmless,
    /// `unit -> int`: the greatest `int`.
    IntMax = "int_max" harmless,
    /// `int * int -> int`, rounds to zero. Raises `Div`, `Overflow`.
    IntQuot = "int_quot" harmless,
    /// `int * int -> int`, the sign of the dividend. Raises `Div`.
    IntRem = "int_rem" harmless,
    /// `int -> string`, `~` for minus.
    IntToString = "int_to_string" harmless,
    /// `string -> int option`: a leading integer after white space. Raises `Overflow`.
    IntFromString = "int_from_string",
    IntToIntInf = "int_to_intinf" harmless,
    /// `IntInf.int -> int`. Raises `Overflow`.
    IntInfToInt = "intinf_to_int" harmless,
    IntInfToString = "intinf_to_string",
    IntInfFromString = "intinf_from_string",
    /// `IntInf.int * IntInf.int -> IntInf.int`, rounds to zero. Raises `Div`.
    IntInfQuot = "intinf_quot",
    /// `IntInf.int * IntInf.int -> IntInf.int`, the sign of the dividend. Raises `Div`.
    IntInfRem = "intinf_rem",
    IntInfPow = "intinf_pow",
    /// `IntInf.int -> Int32.int`. Raises `Overflow`.
    IntInfToInt32 = "intinf_to_int32" harmless,
    /// `IntInf.int * IntInf.int -> IntInf.int`, on two's complements of any length, as the next two.
    IntInfAnd = "intinf_and" harmless,
    IntInfOr = "intinf_or" harmless,
    IntInfXor = "intinf_xor" harmless,
    IntInfShiftLeft = "intinf_shift_left" harmless,
    /// `IntInf.int * word -> IntInf.int`, rounds down.
    IntInfShiftRight = "intinf_shift_right" harmless,
    /// `IntInf.int -> int`: of the highest bit. Raises `Domain` unless positive.
    IntInfLog2 = "intinf_log2" harmless,
    /// `unit -> int`: the bits of an `int`, and of a `word`.
    IntBits = "int_bits" harmless,
    /// `int * 'a -> 'b`: this many low bits of a number of a bounded type, as a word.
    WordWrap = "word_wrap" harmless,
    /// `int * IntInf.int -> 'b`: this many low bits of a number, as a word.
    WordOfIntInf = "word_of_intinf" harmless,
    /// `word -> int`. Raises `Overflow`.
    WordToInt = "word_to_int" harmless,
    WordAnd = "word_and",
    WordOr = "word_or",
    WordXor = "word_xor",
    /// `word * word -> word`: shift left.
    WordShiftLeft = "word_shift_left",
    /// `word * word -> word`: shift right, zeros come in.
    WordShiftRight = "word_shift_right",

    IntToReal = "int_to_real",
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
    RealFromString = "real_from_string",
    /// `int * real -> string`: with this many digits after the point.
    RealFixed = "real_fixed",
    /// `int * real -> string`: with at most this many digits; 0 for the fewest digits that identify the
    /// number.
    RealGeneral = "real_general",
    /// `int * real -> string`: in scientific notation with this many digits after the point.
    RealScientific = "real_scientific",
    RealIsNan = "real_is_nan",
    Sqrt = "sqrt",
    Sin = "sin",
    Cos = "cos",
    Tan = "tan",
    Asin = "asin",
    Acos = "acos",
    Atan = "atan",
    Atan2 = "atan2",
    Exp = "exp",
    /// `real -> real`, the natural logarithm.
    Ln = "ln",
    Log10 = "log10",
    Pow = "pow",
    Sinh = "sinh",
    Cosh = "cosh",
    Tanh = "tanh",

    CharOrd = "char_ord" harmless,
    /// `int -> char`. Raises `Chr`.
    CharChr = "char_chr" harmless,

    StringSize = "string_size" harmless,
    /// `string * int -> char`. Raises `Subscript`.
    StringSub = "string_sub" harmless,
    /// `string * int * int -> string`: start, length. Raises `Subscript`.
    Substring = "substring" harmless,
    StringAppend = "string_append" harmless,
    StringConcat = "string_concat" harmless,
    Implode = "implode" harmless,
    Explode = "explode" harmless,
    CharToString = "char_to_string" harmless,
    /// `string * string -> order`, by bytes.
    StringCompare = "string_compare" harmless,

    ListAppend = "list_append" harmless,
    ListReverse = "list_reverse" harmless,
    ListLength = "list_length" harmless,
    /// `int * 'a -> 'a list`: this many copies, none if negative.
    Repeat = "repeat" harmless,
    /// `''a list * ''a list -> ''a list`: removes one occurrence of each element on the right. Raises
    /// `Subtract` if one is missing.
    MultiSetSubtract = "ms_subtract" harmless,
    /// `''a list * ''a list -> bool`: equal as multi-sets.
    MultiSetEqual = "ms_equal" harmless,
    /// `''a list * ''a list -> bool`: the left is contained in the right.
    MultiSetContained = "ms_contained" harmless,
    /// `''a * ''a list -> int`: the number of occurrences.
    MultiSetCount = "ms_count" harmless,
    ListMember = "list_member" harmless,

    /// `int * 'a -> 'a array`. Raises `Size`.
    ArrayMake = "array_make",
    ArrayFromList = "array_from_list",
    ArrayLength = "array_length",
    /// `'a array * int -> 'a`. Raises `Subscript`.
    ArraySub = "array_sub",
    /// `'a array * int * 'a -> unit`. Raises `Subscript`.
    ArrayUpdate = "array_update",

    /// `unit -> time`: the model time.
    ModelTime = "model_time",
    /// `unit -> IntInf.int`: the number of steps.
    Step = "step",
    /// `unit -> int`: the page instance of the inscription that is evaluated.
    Instance = "instance",
    /// `unit -> string`: the bytes of the current state.
    State = "state",
    /// `unit -> real`: uniform in [0, 1).
    Random = "random",
    /// `unit -> real`: seconds since 1970, for `Time.now` and `time_of_day`.
    Clock = "clock",

    ExnName = "exn_name",
    ExnMessage = "exn_message",

    Print = "print",
    /// `string -> instream`. Raises `Io`, as do all of these.
    OpenIn = "open_in",
    OpenOut = "open_out",
    OpenAppend = "open_append",
    CloseIn = "close_in",
    CloseOut = "close_out",
    /// `instream -> string option`: the next line with its line end.
    InputLine = "input_line",
    /// `instream -> string`: the rest.
    InputAll = "input_all",
    /// `instream * int -> string`: at most this many characters.
    InputN = "input_n",
    /// `instream -> char option`: the next character, which is not consumed.
    Lookahead = "lookahead",
    EndOfStream = "end_of_stream",
    Output = "output",
    FlushOut = "flush_out",
    StdIn = "std_in",
    StdOut = "std_out",
    StdErr = "std_err",
    /// `string -> bool`: whether a file can be read.
    FileReadable = "file_readable",
    /// `string -> string option`: an environment variable.
    GetEnv = "get_env",
    /// `unit -> string`: the current folder.
    GetDir = "get_dir" harmless,
}
