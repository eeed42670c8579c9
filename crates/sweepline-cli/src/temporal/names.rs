//! The transitions that a name in a formula or an option stands for.

use crate::failure::{Failure, known_names};
use crate::front_end::{Describe, joined};

/// The names listed in a hint.
const MOST: usize = 20;

/// Why a name stands for no transition.
pub(crate) enum NoTransition {
    /// No transition has the name.
    Unknown,
    /// Several transitions have it; their ids.
    Ambiguous(Vec<String>),
}

impl NoTransition {
    /// The error of a name after an option.
    pub(crate) fn after(self, option: &'static str, name: &str, model: &impl Describe) -> Failure {
        let name = name.to_owned();
        match self {
            NoTransition::Unknown => {
                let known = known(model, &name);
                Failure::NoSuchTransition { option, name, known }
            }
            NoTransition::Ambiguous(ids) => {
                Failure::AmbiguousTransition { option, name, known: list(&ids) }
            }
        }
    }

    /// The message and the hint for a name in a formula.
    pub(super) fn in_formula(self, name: &str, model: &impl Describe) -> (String, String) {
        match self {
            NoTransition::Unknown if name.is_empty() => {
                ("the name of a transition is missing".to_owned(), known(model, name))
            }
            NoTransition::Unknown => {
                (format!("there is no transition `{name}`"), known(model, name))
            }
            NoTransition::Ambiguous(ids) => (
                format!("several transitions have the name `{name}`"),
                format!("write the id of one of them: {}", list(&ids)),
            ),
        }
    }
}

/// The transitions that a name stands for, at least one.
pub(crate) fn find(model: &impl Describe, name: &str) -> Result<Vec<usize>, NoTransition> {
    let ids = model.sharing(name);
    match model.named(name) {
        _ if !ids.is_empty() => Err(NoTransition::Ambiguous(ids)),
        numbers if numbers.is_empty() => Err(NoTransition::Unknown),
        numbers => Ok(numbers),
    }
}

/// The one transition that a name stands for.
pub(crate) fn find_one(model: &impl Describe, name: &str) -> Result<usize, NoTransition> {
    if let Some(number) = model.transition(name) {
        return Ok(number);
    }
    let names = model.transitions();
    let several = find(model, name)?.into_iter().map(|number| names[number].clone());
    Err(NoTransition::Ambiguous(several.collect()))
}

/// The transitions with this name; if there is none, those of whose names it is a part.
pub(crate) fn numbers(names: &[String], name: &str) -> Vec<usize> {
    let such = |is: fn(&str, &str) -> bool| {
        (0..names.len()).filter(|&number| is(&names[number], name)).collect::<Vec<usize>>()
    };
    let exact = such(|whole, name| whole == name);
    if exact.is_empty() { such(is_part) } else { exact }
}

/// `Send` and `Sender'Send` are parts of `Sender'Send 1`, the channel `send` is one of the event `send.0`.
fn is_part(whole: &str, name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let instance = whole.rsplit_once(' ').filter(|(_, number)| is_number(number));
    let on_page = instance.map_or(whole, |(on_page, _)| on_page);
    let short = on_page.split_once('\'').map(|(_, short)| short);
    on_page == name
        || short == Some(name)
        || short == Some(&joined(name))
        || whole.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
}

/// A hint that lists the transitions, the closest to `name` first.
pub(crate) fn known(model: &impl Describe, name: &str) -> String {
    known_names("transitions", name, &model.transitions())
}

fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST).map(|name| quoted(name)).collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{}, and {more} more", shown.join(", ")),
    }
}

/// A name as it is written in a formula: with quotes where it needs them.
pub(super) fn quoted(name: &str) -> String {
    const OPERATORS: [&str; 16] = [
        "A", "E", "G", "F", "X", "U", "R", "W", "M", "not", "and", "or", "implies", "true",
        "false", "deadlock",
    ];
    let is_plain = |c: char| c.is_alphanumeric() || "_.'#$".contains(c);
    match !name.is_empty() && name.chars().all(is_plain) && !OPERATORS.contains(&name) {
        true => name.to_owned(),
        false => format!("\"{name}\""),
    }
}
