//! Everything that can be wrong with a text, with what to write instead.

use sweepline_source::{Mistake, Mistakes, Source, Span, problems};

problems! {
    /// What is wrong, without where. Codes are stable: they are never reused.
    #[derive(Clone, PartialEq, Debug, thiserror::Error, miette::Diagnostic)]
    pub enum Problem {
        {}
        /// A character that begins nothing.
        UnexpectedCharacter { found: char } = "SWL-ML-0001"
            ("the character `{found}` has no meaning here")
            help("names consist of letters, digits, `_` and `'`; put other text in double quotes");
        /// A string without an end.
        OpenString = "SWL-ML-0002" ("the string does not end on its line")
            help("close it with a double quote; write `\\n` for a new line");
        /// A comment without an end.
        OpenComment = "SWL-ML-0003" ("the comment does not end")
            help("close it with `*)`; comments nest, so each `(*` needs one");
        /// A backslash followed by nonsense.
        BadEscape { escape: String } = "SWL-ML-0004" ("`{escape}` is no escape sequence")
            help("there are \\n \\t \\r \\a \\b \\v \\f \\\\ \\\" \\^C \\ddd with three digits up \
                to 255, and \\uXXXX");
        /// `#"ab"`.
        BadCharacter { length: usize } = "SWL-ML-0005"
            ("a character constant has exactly one character, this has {length}")
            help("write `#\"a\"`, or \"...\" for a string");
        /// A number out of bounds.
        NumberTooLarge { text: String, ty: &'static str, max: i64 } = "SWL-ML-0006"
            ("the number {text} is too large for `{ty}`")
            help("the largest `{ty}` is {max}; `IntInf.int` has no bounds");
        /// A number of thousands of digits.
        NumberTooLong { digits: usize, max: usize } = "SWL-ML-0007"
            ("the number has {digits} digits, more than the limit of {max}");
        /// Something else was due.
        Expected { expected: String, found: String, #[help] help: Option<&'static str> } =
            "SWL-ML-0008"
            ("expected {expected}, found {found}");
        /// Nested too deeply.
        TooDeep { max: usize } = "SWL-ML-0009" ("the text is nested more than {max} deep")
            help("name parts of it by `val` or `fun` declarations");
        /// A type that doubles and doubles.
        TypesTooLarge { max: u32 } = "SWL-ML-0031" ("the type has more than {max} parts")
            help("values of such a type hold the same value many times over: keep it once");
        /// `a = b = c` of different associativity.
        MixedInfix { left: String, right: String } = "SWL-ML-0010"
            ("`{left}` and `{right}` bind equally strongly, one to the left and one to the right")
            help("add parentheses");
        /// The clauses of a function differ in name or number of arguments.
        UnevenClauses { name: String, what: &'static str } = "SWL-ML-0011"
            ("the clauses of `{name}` differ in {what}")
            help("every clause repeats the name and has as many arguments");
        /// A name that nothing has.
        Unknown { what: &'static str, name: String, #[help] help: Option<String> } = "SWL-ML-0012"
            ("there is no {what} `{name}`");
        /// The same name twice in a pattern, record or declaration.
        Twice { name: String, place: &'static str } = "SWL-ML-0013"
            ("`{name}` occurs twice in {place}") help("rename or remove one of them");
        /// Two types that should be one.
        Mismatch {
            context: String,
            found: String,
            expected: String,
            detail: String,
            #[help]
            help: Option<String>,
        } = "SWL-ML-0014"
            ("{context} has type `{found}` but `{expected}` is needed here{detail}");
        /// An application of something that is no function.
        NoFunction { what: String, ty: String } = "SWL-ML-0015"
            ("`{what}` has type `{ty}` and is no function")
            help("is there an operator or a semicolon missing before the argument?");
        /// A record whose other fields nothing tells.
        UnresolvedRecord { fields: String } = "SWL-ML-0016"
            ("it is not clear of which record type this is: only the fields {fields} are known")
            help("write the type, as in `fn (r : CS) => #field r`");
        /// The wrong number of type arguments.
        TypeArguments { name: String, expected: usize, found: usize } = "SWL-ML-0017"
            ("the type `{name}` takes {expected} type arguments, not {found}");
        /// A constructor pattern with or without an argument.
        ConstructorArity { name: String, takes: bool } = "SWL-ML-0018"
            ("the constructor `{name}` takes {} argument", if *takes { "an" } else { "no" })
            help(
                "write `{name}{}",
                if *takes { format!(" _`, or `{name} x`") } else { "` alone".into() }
            );
        /// A lower-case word in the place of a constructor.
        NoConstructor { name: String, #[help] help: Option<String> } = "SWL-ML-0019"
            ("`{name}` is no constructor and cannot be applied in a pattern");
        /// `val rec` of something else.
        RecursiveValue = "SWL-ML-0020" ("the right side of `val rec` must be a function")
            help("write `val rec f = fn x => ...`");
        /// A written type variable that does not come out general.
        NotGeneral { name: String } = "SWL-ML-0021"
            ("the type variable `{name}` would have to stand for one fixed type")
            help("write that type, or leave the annotation out");
        /// A word of the language as a name.
        Reserved { name: String } = "SWL-ML-0022"
            ("`{name}` is a reserved word and cannot be declared")
            help("choose another name, for example `{name}_`");
        /// A colour set of too few parts.
        BadColourSet { what: String, #[help] help: Option<&'static str> } =
            "SWL-ML-0023" ("{what}");
        /// Not a name that can be declared.
        BadName { name: String } = "SWL-ML-0024"
            ("`{name}` cannot be the name of a colour set, variable, constructor or label")
            help("names start with a letter and go on with letters, digits, `_` and `'`");
        /// A CPN variable where none has a value.
        VariableNotAllowed { name: String } = "SWL-ML-0025"
            ("the variable `{name}` has no value here")
            help("initial markings, priorities and declarations are fixed before any transition \
                occurs");
        /// Nothing to read.
        Empty { wanted: &'static str } = "SWL-ML-0026" ("the text is empty") help("write {wanted}");
        /// An inscription that fits in no way.
        NoTyping { found: String, colour_set: String, wanted: Vec<String> } = "SWL-ML-0027"
            ("the inscription has type `{found}`, which is neither a token nor a multi-set of \
                `{colour_set}`")
            help("write an expression of type {}", wanted.join(" or "));
        /// Part of Standard ML that models do not use.
        Unsupported { what: &'static str, instead: &'static str } = "SWL-ML-0028"
            ("{what} are not supported") help("{instead}");
        /// A tuple without parentheses.
        BareTuple = "SWL-ML-0029" ("the inscription has a comma outside parentheses")
            help("enclose the tuple in parentheses: `(a, b)`");
        /// An evaluation that gives no value.
        Evaluation { message: String, help: String } = "SWL-ML-0030" ("{message}") help("{help}");
    }
}

/// One problem, where it is, and the text it is in.
pub type MlError = Mistake<Problem>;

/// Why a text is refused: all that is wrong with it, from left to right, never empty.
pub type MlErrors = Mistakes<Problem>;

/// For what happens nowhere in a text.
pub(crate) fn without_place(problem: Problem) -> MlError {
    Mistake { problem, span: Span::START, source: Source::new("evaluation", "") }
}
