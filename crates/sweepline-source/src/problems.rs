//! A macro for the table of all problems of a language.

/// Declares an enum of problems. Each entry has a name and fields, a code, which is stable and never reused,
/// a message, and optionally a help. Messages and helps are format strings over the fields. Variants of
/// another form come first, in braces.
///
/// ```
/// sweepline_source::problems! {
///     /// What is wrong with a letter.
///     #[derive(Clone, PartialEq, Debug, thiserror::Error, miette::Diagnostic)]
///     pub enum Problem {
///         {}
///         /// A word that there is not.
///         Misspelt { word: String } = "L-0001" ("`{word}` is misspelt") help("write `friend`");
///         /// No end.
///         Endless = "L-0002" severity(Warning) ("the letter does not end");
///     }
/// }
/// let problem = Problem::Misspelt { word: "freind".into() };
/// assert_eq!(problem.to_string(), "`freind` is misspelt");
/// assert_eq!(miette::Diagnostic::help(&problem).unwrap().to_string(), "write `friend`");
/// ```
#[macro_export]
macro_rules! problems {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            { $($others:tt)* }
            $(
                $(#[$doc:meta])*
                $variant:ident $({ $($fields:tt)* })? =
                    $code:literal $(severity($severity:ident))?
                    ($($message:tt)*) $(help($($help:tt)*))?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the fields are named by the messages above them")]
        pub enum $name {
            $($others)*
            $(
                $(#[$doc])*
                #[error($($message)*)]
                #[diagnostic(code($code) $(, severity($severity))? $(, help($($help)*))?)]
                $variant $({ $($fields)* })?,
            )*
        }
    };
}
