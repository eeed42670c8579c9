//! Place/transition nets.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use sweepline::check::Decision;
use sweepline::hunt::Distance;
use sweepline::ltl::Atom;
use sweepline::observe::{Bound, Deadlock, Never};
use sweepline::select::Needs;
use sweepline::{Check, Computed, Interrupt, Options, Progress};
use sweepline_pnml::{
    Expr, FoldedNode, Marking, MarkingView, Net, NetMeasure, NetModel, Predicate, Property,
    Question, TransitionId, parse_expr, parse_predicate, read_properties,
    read_supported_properties, upper_bound,
};

use super::contest::{Combined, Stable, unsafe_markings};
use super::extents::{Extent, Ranges};
use super::reduced;
use super::structure;
use super::tokens::CountTokens;
use super::{
    Ask, Bounds, Change, Content, Describe, Measures, MostTokens, NO_TIME, Nearest, Reduce,
    Smaller, TransitionOf,
};
use crate::args::{Examination, Input, Questions, Reductions};
use crate::ask::{Claim, every_transition, every_transition_live, nearing, reversible};
use crate::failure::{Failure, known_names};
use crate::load;
use crate::reduce;
use crate::temporal;

/// The kind whose value is the greatest only.
pub(crate) const UPPER_BOUND: &str = "upper-bound";

/// What the contest asks.
#[derive(Debug)]
pub(crate) enum ContestQuestion {
    /// The figures of the state space.
    StateSpace,
    /// Anything with a verdict.
    Asked(Question),
}

/// The name that is shown for a node: its name, or its id if the name is blank.
pub(crate) fn shown<'a>(id: &'a str, name: &'a str) -> &'a str {
    if name.trim().is_empty() { id } else { name }
}

impl Describe for NetModel {
    const COLOURED: bool = false;

    fn name(&self) -> &str {
        &self.net().name
    }

    fn in_words(&self) -> String {
        let net = self.net();
        let (name, tokens) = (&net.name, net.n_initial_tokens());
        let (places, transitions, arcs) = (net.n_places(), net.n_transitions(), net.n_arcs());
        format!(
            "`{name}`, {places} places, {transitions} transitions, {arcs} arcs, {tokens} initial tokens"
        )
    }

    fn fingerprint(&self) -> u64 {
        self.net().fingerprint()
    }

    fn state_bytes(&self) -> usize {
        self.marking_bytes()
    }

    fn action(&self, _source: &Marking, action: &TransitionId) -> Cow<'_, str> {
        let transition = &self.net().transitions[action.index()];
        shown(&transition.id, &transition.name).into()
    }

    /// By name, or by id where several have the name.
    fn transitions(&self) -> Vec<String> {
        let transitions = self.net().coloured_transitions();
        let mut names: HashMap<&str, usize> = HashMap::new();
        transitions.iter().for_each(|t| *names.entry(shown(&t.id, &t.name)).or_default() += 1);
        let name = |t: &FoldedNode<TransitionId>| match shown(&t.id, &t.name) {
            name if names[name] > 1 => t.id.clone(),
            name => name.to_owned(),
        };
        transitions.iter().map(name).collect()
    }

    fn transition_of(&self) -> TransitionOf<Self> {
        let mut transition_of = vec![0; self.net().n_transitions()];
        for (number, transition) in self.net().coloured_transitions().iter().enumerate() {
            transition.members.iter().for_each(|member| transition_of[member.index()] = number);
        }
        Box::new(move |transition: &TransitionId| transition_of[transition.index()])
    }

    fn transition(&self, name: &str) -> Option<usize> {
        let all = self.net().coloured_transitions();
        let by_id = all.iter().position(|transition| transition.id == name);
        let mut so_named = (0..all.len()).filter(|&number| all[number].name == name);
        // A name that several share stands for none of them.
        by_id.or_else(|| so_named.next().filter(|_| so_named.next().is_none()))
    }

    fn named(&self, name: &str) -> Vec<usize> {
        let one = self.transition(name).map(|number| vec![number]);
        one.unwrap_or_else(|| temporal::numbers(&self.transitions(), name))
    }

    fn sharing(&self, name: &str) -> Vec<String> {
        let all = self.net().coloured_transitions();
        let so_named: Vec<_> =
            all.iter().filter(|t| t.name == name).map(|t| t.id.clone()).collect();
        let is_id = all.iter().any(|transition| transition.id == name);
        if is_id || so_named.len() < 2 { Vec::new() } else { so_named }
    }

    fn changes(&self, before: &Marking, after: &Marking) -> Vec<Change> {
        let (old, new) = (self.view(before), self.view(after));
        let places = self.net().place_ids().zip(&self.net().places);
        let change = |(id, place): (_, &sweepline_pnml::Place)| {
            let (before, after) = (old.tokens(id), new.tokens(id));
            let name = || shown(&place.id, &place.name).to_owned();
            let (old, new) = (Content::Count(before), Content::Count(after));
            (before != after).then(|| Change {
                place: name(),
                before: old,
                after: new,
                difference: None,
            })
        };
        places.filter_map(change).collect()
    }

    fn nearest(&self, state: &Marking) -> Nearest {
        Nearest::of_net(self, state)
    }

    fn parts(&self, state: &Marking) -> Vec<(String, Content)> {
        let tokens = self.tokens(state);
        let places = self.net().places.iter().zip(tokens);
        let marked = places.filter(|&(_, tokens)| tokens > 0);
        let part = |(place, n): (&sweepline_pnml::Place, u64)| {
            (shown(&place.id, &place.name).to_owned(), Content::Count(n))
        };
        marked.map(part).collect()
    }
}

impl Ask for NetModel {
    type Predicate = Predicate;

    type Expr = Expr;

    type Question = ContestQuestion;

    fn parse_predicate(&self, _option: &str, text: &str) -> Result<Predicate, Failure> {
        Ok(parse_predicate(self.net(), text)?)
    }

    fn parse_expr(&self, _option: &str, text: &str) -> Result<Expr, Failure> {
        if text.trim() == "time" && !self.is_name("time") {
            return Err(NO_TIME);
        }
        Ok(parse_expr(self.net(), text)?)
    }

    fn holds(
        &self,
        _worker: &mut Marking,
        predicate: &Predicate,
        state: &Marking,
    ) -> Computed<bool> {
        Ok(predicate.holds(&self.view(state)))
    }

    fn value(&self, _worker: &mut Marking, expr: &Expr, state: &Marking) -> Computed<i128> {
        Ok(expr.value(&self.view(state)))
    }

    fn is_name(&self, word: &str) -> bool {
        self.net().place(word).is_some()
    }

    fn questions(
        &self,
        args: &Questions,
        input: &Input,
    ) -> Result<Vec<(String, ContestQuestion)>, Failure> {
        let help = "use `--bound PLACE` for each place";
        Failure::refuse("nets in PNML", help, &[("`--bounds`", args.bounds)])?;
        let mut asked = Vec::new();
        for &examination in &args.examination {
            let (name, question) = examine(examination);
            asked.push((name.to_owned(), question));
        }
        for property in from_files(args, input, self.net())? {
            asked.push((property.id, ContestQuestion::Asked(property.question)));
        }
        Ok(asked)
    }

    fn kind(&self, question: &ContestQuestion) -> &'static str {
        match question {
            ContestQuestion::StateSpace => "state-space",
            ContestQuestion::Asked(question) => kind(question),
        }
    }

    fn put<'a>(
        &'a self,
        check: Check<'a, Self>,
        name: String,
        question: ContestQuestion,
        most: &Arc<MostTokens>,
    ) -> Check<'a, Self> {
        match question {
            ContestQuestion::StateSpace => {
                check.query(name, "state-space", CountTokens::new(most.clone()))
            }
            ContestQuestion::Asked(question) => put(check, self, name, question),
        }
    }
}

impl Measures for NetModel {
    fn is_bounded(&self, place: usize) -> bool {
        self.bounds()[place].is_some()
    }

    fn measure(&self, components: &[Expr], columns: usize) -> Box<dyn Progress<Self> + '_> {
        Box::new(NetMeasure::new(self, components.to_vec(), columns))
    }

    fn weighted(&self, terms: &[(usize, i64)]) -> Option<Expr> {
        Expr::weighted(terms)
    }

    fn show_expr(&self, expr: &Expr) -> String {
        expr.display(self.net()).to_string()
    }

    /// What the bounds of the places and the semiflows allow.
    fn farthest(&self, expr: &Expr) -> Option<i64> {
        let mut weights = vec![0; self.net().places.len()];
        for &(coefficient, place) in expr.sum().terms() {
            weights[place.index()] = coefficient;
        }
        let most = upper_bound(self.net(), self.bounds(), weights)?;
        i64::try_from(most.checked_add(expr.offset())?).ok()
    }
}

impl Reduce for NetModel {
    fn to_find(&self, predicate: &Predicate) -> Needs<Self> {
        NetModel::to_find([predicate.clone()])
    }

    fn toward<'a>(&'a self, predicate: &Predicate) -> Option<Distance<'a, Self>> {
        let predicate = predicate.clone();
        Some(Arc::new(move |model: &NetModel, _: &mut Marking, marking: &Marking| {
            Ok(predicate.distance(&model.view(marking)))
        }))
    }

    fn to_follow(&self, expr: &Expr) -> Needs<Self> {
        NetModel::to_follow(self, expr)
    }

    fn has_structure(&self) -> bool {
        true
    }

    fn decide(
        &self,
        claims: &[Option<Claim<'_, Self>>],
        options: &Options,
        is_brief: bool,
    ) -> Vec<Option<Decision>> {
        structure::decide(self, claims, options, is_brief)
    }

    fn smaller(&self, claims: &[Claim<'_, Self>], interrupt: &Interrupt) -> Option<Smaller<Self>> {
        reduced::smaller(self, claims, interrupt)
    }

    fn reduce<'a>(
        &'a self,
        check: Check<'a, Self>,
        wanted: Reductions,
        _words: &mut Vec<String>,
    ) -> Check<'a, Self> {
        reduce::by_actions(self, check, wanted)
    }
}

impl Bounds for NetModel {
    type Extents = Ranges;

    fn extend(&self, extents: &mut Ranges, state: &Marking) {
        let view = self.view(state);
        extents.see(self.net().place_ids().map(|place| view.tokens(place)));
    }

    fn bounds(&self, extents: &Ranges) -> Vec<Extent> {
        let places = self.net().places.iter().zip(extents.found());
        let extent = |(place, &(lower, upper)): (&sweepline_pnml::Place, &(u64, u64))| Extent {
            place: shown(&place.id, &place.name).to_owned(),
            upper,
            lower,
            upper_multi_set: None,
            lower_multi_set: None,
        };
        places.map(extent).collect()
    }
}

fn examine(examination: Examination) -> (&'static str, ContestQuestion) {
    use ContestQuestion::{Asked, StateSpace};
    match examination {
        Examination::StateSpace => ("StateSpace", StateSpace),
        Examination::ReachabilityDeadlock => ("ReachabilityDeadlock", Asked(Question::Deadlock)),
        Examination::OneSafe => ("OneSafe", Asked(Question::OneSafe)),
        Examination::QuasiLiveness => ("QuasiLiveness", Asked(Question::QuasiLiveness)),
        Examination::Liveness => ("Liveness", Asked(Question::Liveness)),
        Examination::StableMarking => ("StableMarking", Asked(Question::StableMarking)),
    }
}

/// The properties of the files that `--property` selects.
fn from_files(args: &Questions, input: &Input, net: &Net) -> Result<Vec<Property>, Failure> {
    let all = args.property.is_empty() || args.property.iter().any(|name| name == "all");
    let mut properties = Vec::new();
    for file in &args.property_file {
        let limits = load::limits(input);
        // Formulas that are not selected may be of a logic that is not supported.
        let read = if all { read_properties } else { read_supported_properties };
        properties.extend(read(file, net, &limits)?);
    }
    if !all {
        select(&mut properties, &args.property)?;
    }
    match properties.iter().find_map(unsupported) {
        Some(failure) => Err(failure),
        None => Ok(properties),
    }
}

fn select(properties: &mut Vec<Property>, names: &[String]) -> Result<(), Failure> {
    for name in names.iter().filter(|name| *name != "none") {
        if !properties.iter().any(|property| property.id == *name) {
            let known: Vec<&str> = properties.iter().map(|p| p.id.as_str()).collect();
            let known = known_names("formulas", name, &known);
            return Err(Failure::NoSuchProperty { name: name.clone(), known });
        }
    }
    properties.retain(|property| names.contains(&property.id));
    Ok(())
}

fn unsupported(property: &Property) -> Option<Failure> {
    let (what, help) = match &property.question {
        Question::Unsupported { kind, reason } => (kind.clone(), reason.clone()),
        Question::Invariant(_)
        | Question::Possible(_)
        | Question::Initially(_)
        | Question::Combination(_)
        | Question::Bound(_)
        | Question::Ltl(_)
        | Question::Ctl(_)
        | Question::Deadlock
        | Question::OneSafe
        | Question::QuasiLiveness
        | Question::Liveness
        | Question::Reversible
        | Question::StableMarking => return None,
        _ => ("formulas of this kind".into(), "leave the formula out".into()),
    };
    Some(Failure::NotYet { name: property.id.clone(), what, help })
}

/// The kind that the results give a property.
fn kind(question: &Question) -> &'static str {
    match question {
        Question::Invariant(_) => "invariant",
        Question::Possible(_) => "reach",
        Question::Initially(_) => "initially",
        Question::Combination(_) => "combination",
        Question::Ltl(_) => "ltl",
        Question::Ctl(_) => "ctl",
        Question::Bound(_) => UPPER_BOUND,
        Question::Deadlock => "reach-deadlock",
        Question::OneSafe => "one-safe",
        Question::QuasiLiveness => "quasi-live",
        Question::Liveness => "live",
        Question::Reversible => "reversible",
        Question::StableMarking => "stable-marking",
        _ => unreachable!("`unsupported` refused every other question"),
    }
}

fn put<'a>(
    check: Check<'a, NetModel>,
    model: &'a NetModel,
    name: String,
    question: Question,
) -> Check<'a, NetModel> {
    let kind = kind(&question);
    match question {
        Question::Invariant(predicate) => {
            let broken = predicate.negated();
            let (needs, toward) = (NetModel::to_find([broken.clone()]), model.toward(&broken));
            let never = Never::new(test(broken));
            nearing(check.query(name, kind, never).needing(needs), toward)
        }
        Question::Possible(predicate) => {
            let (needs, toward) =
                (NetModel::to_find([predicate.clone()]), model.toward(&predicate));
            let reach = Never::reached(test(predicate));
            nearing(check.query(name, kind, reach).needing(needs), toward)
        }
        Question::Initially(predicate) => {
            let combination = sweepline_pnml::Combination::Initially(predicate);
            check.query(name, kind, Combined::new(model, combination))
        }
        Question::Combination(combination) => {
            check.query(name, kind, Combined::new(model, combination))
        }
        Question::Ltl(formula) => {
            let mut atoms = Atoms::default();
            check.ltl(name, formula.map(|predicate| atoms.of(predicate)))
        }
        Question::Ctl(formula) => {
            let mut atoms = Atoms::default();
            check.ctl(name, formula.map(|predicate| atoms.of(predicate)))
        }
        Question::Bound(expr) => {
            let needs = model.to_follow(&expr);
            check.query(name, kind, Bound::new(value(expr))).needing(needs)
        }
        Question::Deadlock => check.query(name, kind, Deadlock::reached()),
        Question::OneSafe => {
            let (is_unsafe, needs) = unsafe_markings(model);
            let test = move |model: &NetModel, _: &mut Marking, marking: &Marking| {
                Ok(is_unsafe(model, marking))
            };
            check.query(name, kind, Never::new(test)).needing(needs)
        }
        Question::QuasiLiveness => check.query(name, kind, every_transition(model)),
        Question::Liveness => check.query(name, kind, every_transition_live(model)),
        Question::Reversible => check.query(name, kind, reversible(model)),
        Question::StableMarking => check.query(name, kind, Stable::new(model)),
        _ => unreachable!("`unsupported` refused every other question"),
    }
}

/// The atoms of a formula; equal conditions are the same atom.
#[derive(Default)]
struct Atoms<'a>(Vec<(Predicate, Atom<'a, NetModel>)>);

impl<'a> Atoms<'a> {
    fn of(&mut self, predicate: Predicate) -> Atom<'a, NetModel> {
        if let Some((_, atom)) = self.0.iter().find(|(other, _)| *other == predicate) {
            return atom.clone();
        }
        let atom = Atom::evaluated(test(predicate.clone()));
        self.0.push((predicate, atom.clone()));
        atom
    }
}

fn test(
    predicate: Predicate,
) -> impl Fn(&NetModel, &mut Marking, &Marking) -> Computed<bool> + Send + Sync {
    move |model, worker, marking| model.holds(worker, &predicate, marking)
}

fn value(expr: Expr) -> impl Fn(&NetModel, &mut Marking, &Marking) -> Computed<i128> + Send + Sync {
    move |model, worker, marking| model.value(worker, &expr, marking)
}
