//! The tokens of a text.

use crate::core::Literal;
use crate::source::Span;

/// A token and its position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TokenKind {
    /// An identifier, alphanumeric or symbolic, without structures in front.
    Name(Box<str>),
    /// An identifier with structures in front: `List.map`.
    LongName(Vec<Box<str>>),
    /// `'a`, with its quotes.
    TypeVariable(Box<str>),
    /// A constant; integers are all [`Literal::IntInf`].
    Constant(Literal),
    /// A reserved word or punctuation.
    Reserved(Reserved),
    /// Text that is not a token, and has been reported. The grammar has no place for it, so that the
    /// declaration around it is rejected as a whole.
    Wrong,
    End,
}

macro_rules! reserved {
    (@is decl) => { true };
    (@is) => { false };
    ($($variant:ident $text:literal $($decl:ident)?),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Reserved { $($variant),* }

        impl Reserved {
            pub(crate) fn named(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)* _ => None }
            }

            /// Whether it begins a declaration.
            pub(crate) fn begins_decl(self) -> bool {
                match self { $(Self::$variant => reserved!(@is $($decl)?)),* }
            }

            pub(crate) fn text(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
        }
    };
}

reserved! {
    Abstype "abstype" decl, And "and", AndAlso "andalso", As "as", Case "case",
    Datatype "datatype" decl, Do "do", Else "else", End "end", Exception "exception" decl, Fn "fn",
    Fun "fun" decl, Handle "handle", If "if", In "in", Infix "infix" decl, Infixr "infixr" decl,
    Let "let", Local "local" decl, Nonfix "nonfix" decl, Of "of", Op "op", Open "open" decl,
    OrElse "orelse", Raise "raise", Rec "rec", Then "then", Type "type" decl, Val "val" decl,
    With "with", Withtype "withtype", While "while", Eqtype "eqtype", Functor "functor" decl,
    Include "include", Sharing "sharing", Sig "sig", Signature "signature" decl, Struct "struct",
    Structure "structure" decl, Where "where",
    Colon ":", Seal ":>", Bar "|", Equals "=", DoubleArrow "=>", Arrow "->", Hash "#",
    LeftParen "(", RightParen ")", LeftBracket "[", RightBracket "]", LeftBrace "{",
    RightBrace "}", Comma ",", Semicolon ";", Ellipsis "...", DotDot "..", Underscore "_",
    Primitive "_prim",
}

impl TokenKind {
    /// Its name in a message.
    pub(crate) fn describe(&self) -> String {
        match self {
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::LongName(parts) => format!("`{}`", parts.join(".")),
            TokenKind::TypeVariable(name) => format!("the type variable `{name}`"),
            TokenKind::Constant(Literal::Char(_)) => "a character".to_owned(),
            TokenKind::Constant(Literal::String(_)) => "a string".to_owned(),
            TokenKind::Constant(_) => "a number".to_owned(),
            TokenKind::Reserved(reserved) => format!("`{}`", reserved.text()),
            TokenKind::Wrong => "a text that is not CPN ML".to_owned(),
            TokenKind::End => "the end of the text".to_owned(),
        }
    }
}
