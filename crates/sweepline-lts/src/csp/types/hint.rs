//! What to write instead.

use super::ty::Type;

/// A hint for an expression in `found` where one in `expected` is needed.
pub(super) fn of(expected: &Type, found: &Type) -> &'static str {
    match (expected, found) {
        (Type::Process, Type::Data) => "an event is followed by `->` and a process: `a -> STOP`",
        (Type::Process, Type::Function(_)) => "call the function with its arguments: `P(1)`",
        (Type::Process, Type::Bool) => {
            "a condition in front of a process is followed by `&`: `n < 3 & P`"
        }
        (Type::Process, _) => "write a process, such as `STOP`, `a -> P` or `P(1)`",
        (Type::Int, Type::Set(_)) => "the number of members of a set is `card(S)`",
        (Type::Int, Type::Seq(_)) => "the length of a sequence is `#s`",
        (Type::Int, _) => "write a number, such as `1` or `n + 1`",
        (Type::Bool, Type::Set(_)) => "to test a set, write `empty(S)` or `member(x, S)`",
        (Type::Bool, Type::Seq(_)) => "to test a sequence, write `null(s)` or `elem(x, s)`",
        (Type::Bool, _) => "write a condition, such as `n == 0`",
        (Type::Set(_), Type::Seq(_)) => "`set(s)` is the set of the items of a sequence",
        (Type::Set(_), Type::Data) => {
            "the set of all events of a channel is `{| c |}`, of one event `{c.1}`"
        }
        (Type::Set(_), _) => "write a set, such as `{1, 2}` or `{| c |}`",
        (Type::Seq(_), Type::Set(_)) => "`seq(S)` is a sequence of the members of a set",
        (Type::Seq(_), _) => "write a sequence, such as `<1, 2>`",
        (Type::Data, Type::Process) => "write an event here; a process follows `->`: `a -> P`",
        (Type::Data, _) => "write an event of a declared channel, such as `c.1`",
        (Type::Map, _) => "write a map, such as `emptyMap` or `mapFromList(<(1, 2)>)`",
        (Type::Tuple(_), _) => {
            "write a tuple with as many components, each of the type in the message"
        }
        (Type::Function(_), _) => "only a function takes arguments: define `f(x) = ...`",
        (Type::Str, _) => "write a string in double quotes",
        (Type::Unknown | Type::Never, _) => "write another expression",
    }
}
