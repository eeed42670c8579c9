//! LTL and CTL formulas of the command line: parses them and resolves their atoms in a model.

mod names;
mod steps;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use sweepline::ctl::{self, Quantifier};
use sweepline::formula::Formula;
use sweepline::ltl::{self, Atom, AtomKind, Automaton, Fairness, FormulaError, Written};
use sweepline_query::{Assumed, Property, Stated};

use crate::args::{self, Questions};
use crate::ask::{Asks, Fault, test};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use names::{NoTransition, quoted};
pub(crate) use names::{find_one, known, numbers};

/// A formula about a model, over numbers of atoms.
#[derive(Debug)]
pub(crate) struct Claim<Q, P> {
    formula: Formula<u32, Q>,
    atoms: Vec<Said<P>>,
    /// The bare names of transitions in it, each as it would be written in full.
    bare: Vec<(String, String)>,
    /// The fairness that a property of the model assumes.
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
    /// The name of the formula in the errors of its conditions.
    fn name(self) -> String {
        match self {
            WrittenAt::Option(option) => option.to_owned(),
            WrittenAt::Property(property) => property.subject(),
        }
    }

    /// An error in a range of `text`.
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

/// An LTL formula.
pub(crate) type Linear<P> = Claim<(), P>;
/// A CTL formula.
pub(crate) type Branching<P> = Claim<Quantifier, P>;

/// The meaning of an atom.
#[derive(Debug)]
enum Said<P> {
    /// The state satisfies this.
    State(P),
    /// The next step is one of these transitions.
    Taken(Vec<usize>),
    /// One of these transitions is enabled.
    Enabled(Vec<usize>),
}

/// Parses an LTL formula.
pub(crate) fn linear<M: FrontEnd>(
    model: &M,
    place: WrittenAt<'_>,
    text: &str,
) -> Result<Linear<M::Predicate>, Failure> {
    let mut atoms = Atoms::new(model, place, text, AtomKind::Taken);
    let formula = atoms.resolve(ltl::parse(text))?;
    // A formula whose automaton is too large is rejected before the exploration starts.
    Automaton::of_negation(&formula).map_err(|error| {
        let help = "split it into several formulas".into();
        place.wrong((model, text), 0..text.len(), error.to_string(), help)
    })?;
    Ok(atoms.claim(formula))
}

/// Parses a CTL formula.
pub(crate) fn branching<M: FrontEnd>(
    model: &M,
    place: WrittenAt<'_>,
    text: &str,
) -> Result<Branching<M::Predicate>, Failure> {
    let mut atoms = Atoms::new(model, place, text, AtomKind::Enabled);
    let formula = atoms.resolve(ctl::parse(text))?;
    let formula = steps::by_states(formula, &mut atoms.said, model.transitions().len());
    let formula = formula.map_err(|wrong| {
        let at = wrong.atom.map_or(0..text.len(), |atom| atoms.places[atom as usize].clone());
        let (message, help) = wrong.explained(&text[at.clone()]);
        place.wrong((model, text), at, message, help)
    })?;
    Ok(atoms.claim(formula))
}

/// Parses an `ltl` property of the file of the model.
pub(crate) fn linear_property<M: FrontEnd>(
    model: &M,
    property: &Property,
) -> Result<Linear<M::Predicate>, Failure> {
    let Stated { formula, assumed } = property.stated();
    let (mut fair, mut wrong) = (Vec::new(), Vec::new());
    for Assumed { name, at, is_strong } in assumed {
        match names::find(model, &name) {
            Ok(numbers) => fair.push((is_strong, numbers)),
            Err(why) => {
                let (message, help) = why.in_formula(&name, model);
                wrong.push(model.wrong_property(property, at, message, help));
            }
        }
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
    /// What a bare name means in this logic.
    bare: AtomKind,
    said: Vec<Said<M::Predicate>>,
    /// The bytes of the formula where each atom is first written.
    places: Vec<Range<usize>>,
    known: HashMap<(String, AtomKind), u32>,
    /// The bare names of transitions, each as it would be written in full.
    names: Vec<(String, String)>,
}

impl<'m, M: FrontEnd> Atoms<'m, M> {
    fn new(model: &'m M, place: WrittenAt<'m>, text: &'m str, bare: AtomKind) -> Self {
        Atoms {
            model,
            place,
            text,
            bare,
            said: Vec::new(),
            places: Vec::new(),
            known: HashMap::new(),
            names: Vec::new(),
        }
    }

    /// The formula over numbers of atoms.
    fn resolve<Q: Copy>(
        &mut self,
        written: Result<Formula<Written, Q>, FormulaError>,
    ) -> Result<Formula<u32, Q>, Failure> {
        let whole = (self.model, self.text);
        let written = written.map_err(|error| {
            self.place.wrong(whole, error.at, error.message, error.help.to_owned())
        })?;
        written.try_map(&mut |atom| self.number(&atom))
    }

    fn number(&mut self, atom: &Written) -> Result<u32, Failure> {
        let key = (atom.text.trim().to_owned(), atom.kind);
        if let Some(&number) = self.known.get(&key) {
            return Ok(number);
        }
        let said = said(self.model, &self.place.name(), atom, self.bare).map_err(|why| {
            why.unwrap_or_else(|(message, help)| {
                self.place.wrong((self.model, self.text), atom.at.clone(), message, help)
            })
        })?;
        if atom.kind == AtomKind::Name && !matches!(said, Said::State(_)) {
            let name = quoted(&key.0);
            let word = if self.bare == AtomKind::Taken { "taken" } else { "enabled" };
            self.names.push((name.clone(), format!("{word}({name})")));
        }
        let number = self.said.len() as u32;
        self.said.push(said);
        self.places.push(atom.at.clone());
        self.known.insert(key, number);
        Ok(number)
    }

    fn claim<Q>(self, formula: Formula<u32, Q>) -> Claim<Q, M::Predicate> {
        Claim { formula, atoms: self.said, bare: self.names, fair: Fair::default() }
    }
}

/// The bare names listed in a note.
const MOST_BARE: usize = 3;

/// A note on what the bare names in formulas of a logic mean.
pub(crate) fn bare_note<'c>(
    logic: &str,
    names: impl Iterator<Item = &'c (String, String)>,
) -> Option<String> {
    let mut different: Vec<&(String, String)> = Vec::new();
    names.for_each(|name| {
        if !different.contains(&name) {
            different.push(name);
        }
    });
    let shown = different.iter().take(MOST_BARE);
    let shown = shown.map(|(name, full)| format!("`{name}` means `{full}`")).collect::<Vec<_>>();
    let more = match different.len().saturating_sub(MOST_BARE) {
        0 => String::new(),
        more => format!(", and so on for {more} more"),
    };
    (!shown.is_empty()).then(|| format!("in {logic} {}{more}", shown.join(", ")))
}

/// What an atom of a formula means. The error is that of a condition, or a message and a hint about a name.
fn said<M: FrontEnd>(
    model: &M,
    option: &str,
    atom: &Written,
    bare: AtomKind,
) -> Result<Said<M::Predicate>, Result<Failure, (String, String)>> {
    let text = atom.text.trim();
    let condition = || model.parse_predicate(option, text).map(Said::State);
    if atom.kind == AtomKind::Condition {
        return condition().map_err(Ok);
    }
    let is_taken =
        matches!((atom.kind, bare), (AtomKind::Taken, _) | (AtomKind::Name, AtomKind::Taken));
    let why = match names::find(model, text) {
        Ok(numbers) if is_taken => return Ok(Said::Taken(numbers)),
        Ok(numbers) => return Ok(Said::Enabled(numbers)),
        Err(why) => why,
    };
    let is_unknown = matches!(why, NoTransition::Unknown);
    let (message, help) = why.in_formula(text, model);
    let help = match model.is_name(text) {
        true if is_unknown => {
            let name = if M::COLOURED { format!("size {text}") } else { quoted(text) };
            format!("`{text}` is a place: write for example `{{{name} > 0}}`")
        }
        // A word such as `deadlock` is a condition.
        _ if atom.kind == AtomKind::Name && is_unknown => {
            let size = if M::COLOURED { "size p" } else { "p" };
            return condition().map_err(|_| {
                Err((
                    message,
                    format!("{help}; put conditions on states in braces: `{{{size} > 0}}`"),
                ))
            });
        }
        _ => help,
    };
    Err(Err((message, help)))
}

impl<Q: Copy, P> Claim<Q, P> {
    /// The bare names of transitions in it, each as it would be written in full.
    pub(crate) fn bare(&self) -> &[(String, String)] {
        &self.bare
    }

    /// The formula over atoms of the model, and the fairness it assumes.
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
        let is_in = |numbers: Vec<usize>| {
            let transition_of = transition_of.clone();
            move |_: &M, action: &M::Action| numbers.contains(&transition_of(action))
        };
        let atom = |said: Said<P>| match said {
            Said::State(predicate) => Atom::evaluated(test(predicate, fault.clone())),
            Said::Taken(numbers) => Atom::action(is_in(numbers)),
            Said::Enabled(numbers) => Atom::enabled(is_in(numbers)),
        };
        let atoms: Vec<Atom<'a, M>> = self.atoms.into_iter().map(atom).collect();
        (self.formula.map(|number| atoms[number as usize].clone()), self.fair.about(model))
    }
}

/// Fairness assumptions: for each option whether it is strong, and the numbers of the transitions it names.
#[derive(Debug, Default)]
pub(crate) struct Fair(Vec<(bool, Vec<usize>)>);

impl Fair {
    /// Looks up the transitions of `--weak-fair` and `--strong-fair`.
    pub(crate) fn new<M: FrontEnd>(args: &Questions, model: &M) -> Result<Self, Failure> {
        if args.weak_fair.is_empty() && args.strong_fair.is_empty() {
            return Ok(Fair::default());
        }
        let no_runs = !Asks::of(args, model.declared()).runs && args.property_file.is_empty();
        let help = "only LTL formulas assume fairness: add `--ltl FORMULA`";
        Failure::refuse("questions about states", help, &[("fairness", no_runs)])?;
        let weak = args.weak_fair.iter().map(|name| (false, "--weak-fair", name));
        let strong = args.strong_fair.iter().map(|name| (true, "--strong-fair", name));
        let find = |(is_strong, option, name): (bool, _, &String)| {
            let numbers = names::find(model, name).map_err(|why| why.after(option, name, model))?;
            Ok((is_strong, numbers))
        };
        weak.chain(strong).map(find).collect::<Result<_, _>>().map(Fair)
    }

    /// The assumptions on actions of the model.
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

/// Rejects options that cannot be combined with formulas.
pub(crate) fn refuse(args: &args::Check, asks: Asks) -> Result<(), Failure> {
    let what = "LTL and CTL formulas";
    let cache = asks.formulas && args.measure.method == Some(args::Method::Cache);
    let help = "a formula is decided by a sweep or by full exploration";
    Failure::refuse(what, help, &[("`--method cache`", cache)])?;
    let checkpoint = asks.formulas && args.checkpoints.given();
    let help = "remove `--checkpoint`: the check of a formula cannot be resumed";
    Failure::refuse(what, help, &[("a checkpoint", checkpoint)])
}
