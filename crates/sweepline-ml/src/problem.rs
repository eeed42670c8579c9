//! Everything that can be wrong with a text, with what to write instead.

use miette::Diagnostic;
use sweepline_source::{Mistake, Mistakes, Source, Span};
use thiserror::Error;

/// What is wrong, without where. Codes are stable: they are never reused.
#[derive(Clone, PartialEq, Debug, Error, Diagnostic)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Problem {
    /// A character that begins nothing.
    #[error("the character `{found}` has no meaning here")]
    #[diagnostic(
        code("SWL-ML-0001"),
        help("names consist of letters, digits, `_` and `'`; put other text in double quotes")
    )]
    UnexpectedCharacter { found: char },

    /// A string without an end.
    #[error("the string does not end on its line")]
    #[diagnostic(
        code("SWL-ML-0002"),
        help("close it with a double quote; write `\\n` for a new line")
    )]
    OpenString,

    /// A comment without an end.
    #[error("the comment does not end")]
    #[diagnostic(
        code("SWL-ML-0003"),
        help("close it with `*)`; comments nest, so each `(*` needs one")
    )]
    OpenComment,

    /// A backslash followed by nonsense.
    #[error("`{escape}` is no escape sequence")]
    #[diagnostic(
        code("SWL-ML-0004"),
        help(
            "there are \\n \\t \\r \\a \\b \\v \\f \\\\ \\\" \\^C \\ddd with three digits up to 255, and \\uXXXX"
        )
    )]
    BadEscape { escape: String },

    /// `#"ab"`.
    #[error("a character constant has exactly one character, this has {length}")]
    #[diagnostic(code("SWL-ML-0005"), help("write `#\"a\"`, or \"...\" for a string"))]
    BadCharacter { length: usize },

    /// A number out of bounds.
    #[error("the number {text} is too large for `{ty}`")]
    #[diagnostic(
        code("SWL-ML-0006"),
        help("the largest `{ty}` is {max}; `IntInf.int` has no bounds")
    )]
    NumberTooLarge { text: String, ty: &'static str, max: i64 },

    /// A number of thousands of digits.
    #[error("the number has {digits} digits, more than the limit of {max}")]
    #[diagnostic(code("SWL-ML-0007"))]
    NumberTooLong { digits: usize, max: usize },

    /// Something else was due.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code("SWL-ML-0008"))]
    Expected {
        expected: String,
        found: String,
        #[help]
        help: Option<&'static str>,
    },

    /// Nested too deeply.
    #[error("the text is nested more than {max} deep")]
    #[diagnostic(code("SWL-ML-0009"), help("name parts of it by `val` or `fun` declarations"))]
    TooDeep { max: usize },

    /// A type that doubles and doubles.
    #[error("the type has more than {max} parts")]
    #[diagnostic(
        code("SWL-ML-0031"),
        help("values of such a type hold the same value many times over: keep it once")
    )]
    TypesTooLarge { max: u32 },

    /// `a = b = c` of different associativity.
    #[error("`{left}` and `{right}` bind equally strongly, one to the left and one to the right")]
    #[diagnostic(code("SWL-ML-0010"), help("add parentheses"))]
    MixedInfix { left: String, right: String },

    /// The clauses of a function differ in name or number of arguments.
    #[error("the clauses of `{name}` differ in {what}")]
    #[diagnostic(
        code("SWL-ML-0011"),
        help("every clause repeats the name and has as many arguments")
    )]
    UnevenClauses { name: String, what: &'static str },

    /// A name that nothing has.
    #[error("there is no {what} `{name}`")]
    #[diagnostic(code("SWL-ML-0012"))]
    Unknown {
        what: &'static str,
        name: String,
        #[help]
        help: Option<String>,
    },

    /// The same name twice in a pattern, record or declaration.
    #[error("`{name}` occurs twice in {place}")]
    #[diagnostic(code("SWL-ML-0013"), help("rename or remove one of them"))]
    Twice { name: String, place: &'static str },

    /// Two types that should be one.
    #[error("{context} has type `{found}` but `{expected}` is needed here{detail}")]
    #[diagnostic(code("SWL-ML-0014"))]
    Mismatch {
        context: String,
        found: String,
        expected: String,
        detail: String,
        #[help]
        help: Option<String>,
    },

    /// An application of something that is no function.
    #[error("`{what}` has type `{ty}` and is no function")]
    #[diagnostic(
        code("SWL-ML-0015"),
        help("is there an operator or a semicolon missing before the argument?")
    )]
    NoFunction { what: String, ty: String },

    /// A record whose other fields nothing tells.
    #[error("it is not clear of which record type this is: only the fields {fields} are known")]
    #[diagnostic(code("SWL-ML-0016"), help("write the type, as in `fn (r : CS) => #field r`"))]
    UnresolvedRecord { fields: String },

    /// The wrong number of type arguments.
    #[error("the type `{name}` takes {expected} type arguments, not {found}")]
    #[diagnostic(code("SWL-ML-0017"))]
    TypeArguments { name: String, expected: usize, found: usize },

    /// A constructor pattern with or without an argument.
    #[error("the constructor `{name}` {}", if *takes { "takes an argument" } else { "takes no argument" })]
    #[diagnostic(code("SWL-ML-0018"), help("{}", if *takes { format!("write `{name} _`, or `{name} x`") } else { format!("write `{name}` alone") }))]
    ConstructorArity { name: String, takes: bool },

    /// A lower-case word in the place of a constructor.
    #[error("`{name}` is no constructor and cannot be applied in a pattern")]
    #[diagnostic(code("SWL-ML-0019"))]
    NoConstructor {
        name: String,
        #[help]
        help: Option<String>,
    },

    /// `val rec` of something else.
    #[error("the right side of `val rec` must be a function")]
    #[diagnostic(code("SWL-ML-0020"), help("write `val rec f = fn x => ...`"))]
    RecursiveValue,

    /// A written type variable that does not come out general.
    #[error("the type variable `{name}` would have to stand for one fixed type")]
    #[diagnostic(code("SWL-ML-0021"), help("write that type, or leave the annotation out"))]
    NotGeneral { name: String },

    /// A word of the language as a name.
    #[error("`{name}` is a reserved word and cannot be declared")]
    #[diagnostic(code("SWL-ML-0022"), help("choose another name, for example `{name}_`"))]
    Reserved { name: String },

    /// A colour set of too few parts.
    #[error("{what}")]
    #[diagnostic(code("SWL-ML-0023"))]
    BadColourSet {
        what: String,
        #[help]
        help: Option<&'static str>,
    },

    /// Not a name that can be declared.
    #[error("`{name}` cannot be the name of a colour set, variable, constructor or label")]
    #[diagnostic(
        code("SWL-ML-0024"),
        help("names start with a letter and go on with letters, digits, `_` and `'`")
    )]
    BadName { name: String },

    /// A CPN variable where none has a value.
    #[error("the variable `{name}` has no value here")]
    #[diagnostic(
        code("SWL-ML-0025"),
        help(
            "initial markings, priorities and declarations are fixed before any transition occurs"
        )
    )]
    VariableNotAllowed { name: String },

    /// Nothing to read.
    #[error("the text is empty")]
    #[diagnostic(code("SWL-ML-0026"), help("write {wanted}"))]
    Empty { wanted: &'static str },

    /// An inscription that fits in no way.
    #[error(
        "the inscription has type `{found}`, which is neither a token nor a multi-set of `{colour_set}`"
    )]
    #[diagnostic(code("SWL-ML-0027"), help("write an expression of type {}", wanted.join(" or ")))]
    NoTyping { found: String, colour_set: String, wanted: Vec<String> },

    /// Part of Standard ML that models do not use.
    #[error("{what} are not supported")]
    #[diagnostic(code("SWL-ML-0028"), help("{instead}"))]
    Unsupported { what: &'static str, instead: &'static str },

    /// A tuple without parentheses.
    #[error("the inscription has a comma outside parentheses")]
    #[diagnostic(code("SWL-ML-0029"), help("enclose the tuple in parentheses: `(a, b)`"))]
    BareTuple,

    /// An evaluation that gives no value.
    #[error("{message}")]
    #[diagnostic(code("SWL-ML-0030"), help("{help}"))]
    Evaluation { message: String, help: String },
}

/// One problem, where it is, and the text it is in.
pub type MlError = Mistake<Problem>;

/// Why a text is refused: all that is wrong with it, from left to right, never empty.
pub type MlErrors = Mistakes<Problem>;

/// For what happens nowhere in a text.
pub(crate) fn without_place(problem: Problem) -> MlError {
    Mistake { problem, span: Span::START, source: Source::new("evaluation", "") }
}
