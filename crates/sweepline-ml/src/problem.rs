//! All messages about CPN ML texts: what is wrong, and what to write instead.

use sweepline_source::{Mistake, Mistakes, Source, Span, problems};

problems! {
    /// What is wrong with a text, without the position. Codes are stable and are never reused.
    #[derive(Clone, PartialEq, Debug, thiserror::Error, miette::Diagnostic)]
    pub enum Problem {
        {}
        /// A character that begins no token.
        UnexpectedCharacter { found: char } = "SWL-ML-0001"
            ("the character `{found}` has no meaning here")
            help("write names with letters, digits, `_` and `'`, and other text in double quotes");
        /// A string that is not closed.
        OpenString = "SWL-ML-0002" ("the string is not closed on its line")
            help("close it with a double quote; write `\\n` for a new line");
        /// A comment that is not closed.
        OpenComment = "SWL-ML-0003" ("the comment is not closed")
            help("write `*)` where it ends; comments nest, so each `(*` needs its own `*)`");
        /// An unknown escape sequence.
        BadEscape { escape: String } = "SWL-ML-0004" ("`{escape}` is not an escape sequence")
            help("write one of \\n \\t \\r \\a \\b \\v \\f \\\\ \\\" \\^C \\ddd with three digits up \
                to 255, or \\uXXXX");
        /// `#"ab"`.
        BadCharacter { length: usize } = "SWL-ML-0005"
            ("a character constant must have exactly one character, not {length}")
            help("write `#\"a\"` for a character, `\"abc\"` for a string");
        /// A number that its type cannot hold.
        NumberTooLarge { text: String, ty: &'static str, max: i64 } = "SWL-ML-0006"
            ("the number {text} is too large for `{ty}`")
            help("the largest `{ty}` is {max}; use the type `IntInf.int` for larger numbers");
        /// A number with too many digits.
        NumberTooLong { digits: usize, max: usize } = "SWL-ML-0007"
            ("the number has {digits} digits, more than the limit of {max}");
        /// Another token than the grammar allows.
        Expected { expected: String, found: String, #[help] help: Option<&'static str> } =
            "SWL-ML-0008"
            ("expected {expected}, found {found}");
        /// Text that is nested too deeply.
        TooDeep { max: usize } = "SWL-ML-0009" ("the text is nested more than {max} levels deep")
            help("move parts of it to `val` or `fun` declarations");
        /// A type that is too large when written out.
        TypesTooLarge { max: u32 } = "SWL-ML-0031" ("the type has more than {max} parts")
            help("a value of this type repeats the same parts many times: use a smaller type");
        /// `a = b = c` of different associativity.
        MixedInfix { left: String, right: String } = "SWL-ML-0010"
            ("`{left}` and `{right}` have the same precedence, but group in different directions")
            help("add parentheses to show which one comes first");
        /// The clauses of a function differ in name or number of arguments.
        UnevenClauses { name: String, what: &'static str } = "SWL-ML-0011"
            ("the clauses of `{name}` differ in {what}")
            help("write the same name and the same number of arguments in every clause");
        /// A name that is not declared.
        Unknown { what: &'static str, name: String, #[help] help: Option<String> } = "SWL-ML-0012"
            ("{}", unknown(what, name));
        /// The same name twice in a pattern, record or declaration.
        Twice { name: String, place: &'static str } = "SWL-ML-0013"
            ("`{name}` occurs twice in {place}") help("rename or remove one of them");
        /// An expression of another type than its context needs.
        Mismatch {
            context: String,
            found: String,
            expected: String,
            detail: String,
            #[help]
            help: Option<String>,
        } = "SWL-ML-0014"
            ("{context} has type `{found}` but `{expected}` is needed here{detail}");
        /// An argument after something that is not a function.
        NoFunction { what: String, ty: String } = "SWL-ML-0015"
            ("`{what}` has type `{ty}` and is not a function")
            help("`{what}` cannot take an argument: is an operator or a `;` missing after it?");
        /// A record pattern or selector whose record type cannot be inferred.
        UnresolvedRecord { fields: String } = "SWL-ML-0016"
            ("the record type cannot be inferred: only the fields {fields} are known")
            help("write the type of the record, for example `fn (r : COLSET) => #field r`");
        /// The wrong number of type arguments.
        TypeArguments { name: String, expected: usize, found: usize } = "SWL-ML-0017"
            ("the type `{name}` takes {expected} type arguments, not {found}");
        /// A constructor with an argument that it does not take, or without one that it takes.
        ConstructorArity { name: String, takes: bool } = "SWL-ML-0018"
            ("the constructor `{name}` takes {} argument", if *takes { "an" } else { "no" })
            help(
                "write `{name}{}",
                if *takes { format!(" _`, or `{name} x`") } else { "` alone".into() }
            );
        /// A name in a pattern that is applied, but is not a constructor.
        NoConstructor { name: String, #[help] help: Option<String> } = "SWL-ML-0019"
            ("`{name}` is not a constructor, so it cannot take an argument in a pattern");
        /// `val rec` with a value that is not a function.
        RecursiveValue = "SWL-ML-0020" ("the right side of `val rec` must be a function")
            help("write `val rec f = fn x => ...`");
        /// An explicit type variable that cannot stand for every type.
        NotGeneral { name: String } = "SWL-ML-0021"
            ("the type variable `{name}` stands for one fixed type here")
            help("write that type in place of `{name}`, or remove the type annotation");
        /// A declaration of a reserved word.
        Reserved { name: String } = "SWL-ML-0022"
            ("`{name}` is a reserved word and cannot be declared")
            help("choose another name, for example `{name}_`");
        /// A colour set that cannot be declared.
        BadColourSet { what: String, #[help] help: Option<&'static str> } =
            "SWL-ML-0023" ("{what}");
        /// A name that cannot be declared.
        BadName { name: String } = "SWL-ML-0024"
            ("`{name}` cannot be the name of a colour set, variable, constructor or label")
            help("start the name with a letter, and continue with letters, digits, `_` and `'`");
        /// A variable of the net in a text that is evaluated before any binding.
        VariableNotAllowed { name: String } = "SWL-ML-0025"
            ("the variable `{name}` has no value here")
            help("variables get values when a transition occurs; write a constant in an initial marking, a \
                priority or a declaration");
        /// A text that is empty.
        Empty { wanted: &'static str } = "SWL-ML-0026" ("the text is empty") help("write {wanted}");
        /// An inscription whose type does not match the colour set of its place.
        NoTyping { found: String, colour_set: String, wanted: Vec<String> } = "SWL-ML-0027"
            ("the inscription has type `{found}`, but the colour set of the place is `{colour_set}`")
            help("write an expression of type {}", wanted.join(" or "));
        /// A part of Standard ML that is not supported.
        Unsupported { what: &'static str, instead: &'static str } = "SWL-ML-0028"
            ("{what} are not supported") help("{instead}");
        /// A comma outside parentheses.
        BareTuple = "SWL-ML-0029" ("the inscription has a comma outside parentheses")
            help("write `(a, b)` for a tuple, or ``1`a ++ 1`b`` for two tokens");
        /// An evaluation that ends without a value.
        Evaluation { message: String, help: String } = "SWL-ML-0030" ("{message}") help("{help}");
    }
}

/// One problem with its position and its text.
pub type MlError = Mistake<Problem>;

/// All problems of a text, from left to right. Never empty.
pub type MlErrors = Mistakes<Problem>;

/// A problem that has no position in a text.
pub(crate) fn without_place(problem: Problem) -> MlError {
    Mistake { problem, span: Span::START, source: Source::new("evaluation", "") }
}

fn unknown(what: &str, name: &str) -> String {
    match what {
        "value" => format!("`{name}` is not declared"),
        _ => format!("there is no {what} `{name}`"),
    }
}
