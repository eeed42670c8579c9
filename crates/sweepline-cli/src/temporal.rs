//! Formulas of linear temporal logic and of computation tree logic on the command line: what their atoms mean
//! in a model.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use sweepline::ctl::{self, Quantifier};
use sweepline::formula::Formula;
use sweepline::ltl::{self, Atom, Automaton, Fairness, FormulaError, Written};
use sweepline_query::{Assumed, Property, Stated};

use crate::args::{self, Questions};
use crate::ask::{Asks, Fault, no_such_transition, test};
use crate::failure::Failure;
use crate::front_end::{FrontEnd, joined};

/// A formula about a model, over numbers of atoms.
#[derive(Debug)]
pub(crate) struct Claim<Q, P> {
    formula: Formula<u32, Q>,
    atoms: Vec<Said<P>>,
    /// What a property assumes of the runs that its formula speaks of.
    fair: Fair,
}

/// Where a formula was written.
#[derive(Clone, Copy)]
pub(crate) enum WrittenAt<'a> {
    /// After an option.
    Option(&'static str),
    /// In the file of the model.
    Property(&'a Property),
}

impl WrittenAt<'_> {
    /// What conditions in it are called.
    fn name(self) -> String {
        match self {
            WrittenAt::Option(option) => option.to_owned(),
            WrittenAt::Property(property) => property.subject(),
        }
    }

    /// Something is wrong with a range of `text`.
    fn wrong<M: FrontEnd>(
        self,
        (model, text): (&M, &str),
        at: Range<usize>,
        message: String,
        help: String,
    ) -> Failure {
        match self {
            WrittenAt::Option(_) => {
                Failure::Formula { message, help, text: text.to_owned(), at: at.into() }
            }
            WrittenAt::Property(property) => model.wrong_property(property, at, message, help),
        }
    }
}

/// About the runs of a model.
pub(crate) type Linear<P> = Claim<(), P>;
/// About its states and the runs from there.
pub(crate) type Branching<P> = Claim<Quantifier, P>;

/// What an atom says.
#[derive(Debug)]
enum Said<P> {
    /// The state satisfies this.
    State(P),
    /// One of these transitions is taken, or enabled.
    Action(Vec<usize>),
}

/// Parses a formula about runs.
pub(crate) fn linear<M: FrontEnd>(
    model: &M,
    place: WrittenAt<'_>,
    text: &str,
) -> Result<Linear<M::Predicate>, Failure> {
    let claim = claim(model, place, text, ltl::parse(text))?;
    // A formula that has no automaton is better refused now than after the model is read and run.
    Automaton::of_negation(&claim.formula).map_err(|error| {
        let help = "ask for less at a time".into();
        place.wrong((model, text), 0..text.len(), error.to_string(), help)
    })?;
    Ok(claim)
}

/// Parses a formula about states and the runs from there.
pub(crate) fn branching<M: FrontEnd>(
    model: &M,
    place: WrittenAt<'_>,
    text: &str,
) -> Result<Branching<M::Predicate>, Failure> {
    claim(model, place, text, ctl::parse(text))
}

fn claim<M: FrontEnd, Q: Copy>(
    model: &M,
    place: WrittenAt<'_>,
    text: &str,
    written: Result<Formula<Written, Q>, FormulaError>,
) -> Result<Claim<Q, M::Predicate>, Failure> {
    let written = written.map_err(|error| {
        place.wrong((model, text), error.at, error.message, error.help.to_owned())
    })?;
    let mut atoms = Atoms::new(model, place, text);
    let formula = written.try_map(&mut |atom| atoms.number(&atom))?;
    Ok(Claim { formula, atoms: atoms.said, fair: Fair::default() })
}

/// Parses an `ltl` property of the file of the model.
pub(crate) fn linear_property<M: FrontEnd>(
    model: &M,
    property: &Property,
) -> Result<Linear<M::Predicate>, Failure> {
    let Stated { formula, assumed } = property.stated();
    let names = model.transitions();
    let (mut fair, mut wrong) = (Vec::new(), Vec::new());
    for Assumed { name, at, is_strong } in assumed {
        let found = numbers(&names, &name);
        if found.is_empty() {
            let message = match name.as_str() {
                "" => "the name of a transition is missing".to_owned(),
                name => no_such(name),
            };
            wrong.push(model.wrong_property(property, at, message, known(&names)));
        }
        fair.push((is_strong, found));
    }
    let claim = linear(model, WrittenAt::Property(property), &formula);
    match (claim, wrong.is_empty()) {
        (Ok(claim), true) => Ok(Claim { fair: Fair(fair), ..claim }),
        (claim, _) => {
            wrong.extend(claim.err());
            Err(Failure::all(wrong).expect("something is wrong"))
        }
    }
}

/// The atoms of a formula, each once.
struct Atoms<'m, M: FrontEnd> {
    model: &'m M,
    place: WrittenAt<'m>,
    text: &'m str,
    names: Vec<String>,
    said: Vec<Said<M::Predicate>>,
    known: HashMap<(String, bool), u32>,
}

impl<'m, M: FrontEnd> Atoms<'m, M> {
    fn new(model: &'m M, place: WrittenAt<'m>, text: &'m str) -> Self {
        let (names, said, known) = (model.transitions(), Vec::new(), HashMap::new());
        Atoms { model, place, text, names, said, known }
    }

    fn number(&mut self, atom: &Written) -> Result<u32, Failure> {
        let key = (atom.text.trim().to_owned(), atom.is_braced);
        if let Some(&number) = self.known.get(&key) {
            return Ok(number);
        }
        let said = said(self.model, &self.place.name(), &self.names, atom).map_err(|why| {
            why.unwrap_or_else(|help| {
                let (whole, at) = ((self.model, self.text), atom.at.clone());
                self.place.wrong(whole, at, no_such(&atom.text), help)
            })
        })?;
        let number = self.said.len() as u32;
        self.said.push(said);
        self.known.insert(key, number);
        Ok(number)
    }
}

fn no_such(name: &str) -> String {
    format!("there is no transition `{name}`")
}

/// What an atom means: a name is that of a transition, or else a condition like those in braces. The error
/// is that of the condition, or what to write instead of a name.
fn said<M: FrontEnd>(
    model: &M,
    option: &str,
    names: &[String],
    atom: &Written,
) -> Result<Said<M::Predicate>, Result<Failure, String>> {
    let text = atom.text.trim();
    if atom.is_braced {
        return model.parse_predicate(option, text).map(Said::State).map_err(Ok);
    }
    match numbers(names, text) {
        numbers if !numbers.is_empty() => Ok(Said::Action(numbers)),
        _ if model.is_name(text) => {
            let size = if M::COLOURED { "size " } else { "" };
            let example = format!("`{{{size}{text} > 0}}`");
            Err(Err(format!("to speak of a place, compare its tokens in braces: {example}")))
        }
        _ => {
            let predicate = model.parse_predicate(option, text).map(Said::State);
            predicate.map_err(|_| Err(advice(names, M::COLOURED)))
        }
    }
}

/// The transitions that a name stands for: those that are called so, or else those that it is a part of.
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

/// What names there are.
pub(crate) fn known(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().map(String::as_str).take(20).collect();
    let more = if names.len() > shown.len() { ", ..." } else { "" };
    format!("the transitions are {}{more}", shown.join(", "))
}

fn advice(names: &[String], coloured: bool) -> String {
    let (known, size) = (known(names), if coloured { "size p" } else { "tokens(p)" });
    format!("{known}; a condition on states stands in braces: `{{{size} > 0}}`")
}

impl<Q: Copy, P> Claim<Q, P> {
    /// The formula over what its atoms mean, and what it assumes of runs.
    pub(crate) fn about<'a, M: FrontEnd<Predicate = P> + 'a>(
        self,
        model: &M,
        fault: Option<Fault>,
    ) -> (Formula<Atom<'a, M>, Q>, Fairness<'a, M>)
    where
        P: Send + Sync + 'a,
        M::Action: 'a,
    {
        let transition_of: Arc<dyn Fn(&M::Action) -> usize + Send + Sync> =
            model.transition_of().into();
        let atom = |said: Said<P>| match said {
            Said::State(predicate) => Atom::evaluated(test(predicate, fault.clone())),
            Said::Action(numbers) => {
                let transition_of = transition_of.clone();
                Atom::action(move |_: &M, action| numbers.contains(&transition_of(action)))
            }
        };
        let atoms: Vec<Atom<'a, M>> = self.atoms.into_iter().map(atom).collect();
        (self.formula.map(|number| atoms[number as usize].clone()), self.fair.about(model))
    }
}

/// The transitions that runs must be fair to, and whether strongly: for each option the numbers of those it names.
#[derive(Debug, Default)]
pub(crate) struct Fair(Vec<(bool, Vec<usize>)>);

impl Fair {
    /// Looks up what `--weak-fair` and `--strong-fair` name.
    pub(crate) fn new<M: FrontEnd>(args: &Questions, model: &M) -> Result<Self, Failure> {
        if args.weak_fair.is_empty() && args.strong_fair.is_empty() {
            return Ok(Fair::default());
        }
        let no_runs = !Asks::of(args, model.declared()).runs && args.property_file.is_empty();
        let help = "it is assumed of runs: ask a formula with `--ltl`";
        Failure::refuse("questions about states", help, &[("fairness", no_runs)])?;
        let names = model.transitions();
        let weak = args.weak_fair.iter().map(|name| (false, "--weak-fair", name));
        let strong = args.strong_fair.iter().map(|name| (true, "--strong-fair", name));
        let find = |(is_strong, option, name): (bool, _, &String)| match numbers(&names, name) {
            numbers if !numbers.is_empty() => Ok((is_strong, numbers)),
            _ => Err(no_such_transition(option, name, names.clone())),
        };
        weak.chain(strong).map(find).collect::<Result<_, _>>().map(Fair)
    }

    /// The same of the actions of a model.
    pub(crate) fn about<'a, M: FrontEnd>(self, model: &M) -> Fairness<'a, M>
    where
        M::Action: 'a,
    {
        let mut fairness = Fairness::default();
        for (is_strong, set) in self.0 {
            let transition_of = model.transition_of();
            let is_in = move |_: &M, action: &M::Action| set.contains(&transition_of(action));
            match is_strong {
                true => fairness.add_strong(is_in),
                false => fairness.add_weak(is_in),
            }
        }
        fairness
    }
}

/// Refuses what formulas do not go with.
pub(crate) fn refuse(args: &args::Check, asks: Asks) -> Result<(), Failure> {
    let what = "formulas about runs";
    let cache = asks.formulas && args.measure.method == Some(args::Method::Cache);
    let help = "a formula is decided by a sweep or by full exploration";
    Failure::refuse(what, help, &[("`--method cache`", cache)])?;
    let checkpoint = asks.formulas && args.checkpoints.given();
    let help = "leave it out: a formula is decided in one go";
    Failure::refuse(what, help, &[("a checkpoint", checkpoint)])
}
