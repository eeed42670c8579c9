//! The questions that the library of scripts can ask, by name. The CPN ML texts write `_prim "ask home"`.

use std::time::{SystemTime, UNIX_EPOCH};

use sweepline::model::initial;
use sweepline::{Model, Statistics};
use sweepline_ml::core::ExnId;
use sweepline_ml::{Halt, Machine, Question, Word};

use super::answer::{Answer, numbers, text};
use super::space::{Arc, Space};
use super::version::locked;

/// What a question needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Needs {
    /// Nothing but one marking, the last sweep, names and texts.
    Nothing,
    /// The stored state space.
    Space,
    /// A new sweep.
    Sweep,
}

type Answering = fn(&Answer<'_>, &mut Machine, &Question) -> Result<Word, Halt>;

/// A question: its name, its needs, and the function that answers it.
pub(super) type Known = (&'static str, Needs, Answering);

/// All questions, by number.
const QUESTIONS: &[Known] = &[
    ("sweep", Needs::Sweep, |a, m, q| a.sweep(m, q)),
    ("home", Needs::Sweep, |a, m, q| a.home(m, q)),
    ("instances", Needs::Sweep, |a, m, q| a.instances(m, q)),
    ("terminates", Needs::Sweep, |a, m, q| a.terminates(m, q)),
    ("structure", Needs::Sweep, |a, m, q| a.structure(m, q)),
    ("linear", Needs::Sweep, |a, m, q| a.linear(m, q)),
    ("keep", Needs::Nothing, |a, m, q| {
        locked(&a.kept).push(m.string(q.argument(0)).into());
        Ok(0)
    }),
    ("kept", Needs::Nothing, |a, m, _| {
        let kept = locked(&a.kept);
        let words: Result<Vec<Word>, Halt> =
            kept.iter().map(|bytes| m.memory().string(bytes)).collect();
        m.memory().list(&words?)
    }),
    ("figures", Needs::Nothing, |a, m, _| {
        let Statistics { explored, edges, dead, peak_states, .. } = locked(&a.statistics).clone();
        large_numbers(m, [explored, edges, dead, peak_states].map(|figure| figure as i64))
    }),
    ("describe", Needs::Nothing, |a, m, q| {
        let marking = a.marking(m, q.argument(0))?;
        text(m, &a.description(&marking))
    }),
    ("start", Needs::Nothing, |a, m, _| m.memory().string(initial(a.model()).remove(0).bytes())),
    ("draw", Needs::Nothing, |a, m, q| a.draw(m, q)),
    ("untimed_state", Needs::Nothing, |a, m, q| {
        let marking = a.marking(m, q.argument(0))?;
        m.memory().string(&a.untimed(&marking))
    }),
    ("fold_range", Needs::Nothing, |a, m, q| {
        let [from, to] = [2, 3].map(|at| Machine::to_int(q.argument(at)));
        a.fold(m, q, from..=to)
    }),
    ("fold_list", Needs::Nothing, |a, m, q| {
        let numbers: Vec<i64> = m.list(q.argument(2)).map(Machine::to_int).collect();
        a.fold(m, q, numbers.into_iter())
    }),
    ("instance_text", Needs::Nothing, |a, m, q| {
        let transition = a.model().transitions.get(first(q) as usize);
        text(m, &transition.ok_or_else(nowhere)?.name)
    }),
    ("mark_text", Needs::Nothing, |a, m, q| a.mark_text(m, q)),
    ("place_text", Needs::Nothing, |a, m, q| {
        text(m, a.place_names.get(first(q) as usize).ok_or_else(nowhere)?)
    }),
    ("element_text", Needs::Nothing, |a, m, q| a.element_text(m, q.argument(0))),
    ("model_file", Needs::Nothing, |a, m, _| text(m, &a.model().net().name)),
    ("now", Needs::Nothing, |_, m, _| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        m.memory().int_inf(now.as_secs() as i64)
    }),
    ("askctl", Needs::Space, |a, m, q| a.askctl(m, q)),
    ("subgraph", Needs::Space, |a, m, q| a.subgraph(m, q)),
    ("bounds", Needs::Space, |a, m, _| a.bounds(m)),
    ("nodes", Needs::Space, |a, _, _| count(a.space()?.nodes.len())),
    ("arcs", Needs::Space, |a, _, _| count(a.space()?.arcs.len())),
    ("node_state", Needs::Space, |a, m, q| {
        let space = a.space()?;
        m.memory().string(&space.nodes[space.node(first(q)).ok_or_else(nowhere)?])
    }),
    ("out_arcs", Needs::Space, |a, m, q| {
        let space = a.space()?;
        numbers(m, space.out_arcs(space.node(first(q)).ok_or_else(nowhere)?))
    }),
    ("in_arcs", Needs::Space, |a, m, q| {
        let space = a.space()?;
        numbers(m, space.in_arcs(space.node(first(q)).ok_or_else(nowhere)?))
    }),
    ("source", Needs::Space, |a, _, q| count(arc(&*a.space()?, q)?.source + 1)),
    ("target", Needs::Space, |a, _, q| count(arc(&*a.space()?, q)?.target + 1)),
    ("element", Needs::Space, |a, m, q| m.memory().string(&arc(&*a.space()?, q)?.element)),
    ("transition", Needs::Space, |a, _, q| count(arc(&*a.space()?, q)?.transition as usize)),
    ("path", Needs::Space, |a, m, q| {
        let space = a.space()?;
        let ends = [0, 1].map(|at| space.node(Machine::to_int(q.argument(at))));
        let [Some(from), Some(to)] = ends else { return Err(nowhere()) };
        numbers(m, space.path(from, to).unwrap_or_else(|| vec![-1]))
    }),
    ("component_of", Needs::Space, |a, _, q| {
        let space = a.space()?;
        let node = space.node(first(q)).ok_or_else(nowhere)?;
        Ok(Machine::from_int(-1 - space.components().of[node] as i64))
    }),
    ("components", Needs::Space, |a, _, _| count(a.space()?.components().members.len())),
    ("members", Needs::Space, |a, m, q| {
        let (space, at) = (a.space()?, usize::try_from(-1 - first(q)).ok());
        let members = at.and_then(|at| space.components().members.get(at));
        numbers(m, members.ok_or_else(nowhere)?.iter().map(|node| *node as i64))
    }),
    ("reachable", Needs::Space, |a, m, q| {
        let space = a.space()?;
        numbers(m, space.reachable(space.node(first(q)).ok_or_else(nowhere)?))
    }),
    ("fairness", Needs::Space, |a, m, q| {
        let arcs: Vec<i64> = m.list(q.argument(0)).map(Machine::to_int).collect();
        count(a.space()?.fairness(&arcs).ok_or_else(nowhere)? as usize)
    }),
    ("untimed_node", Needs::Space, |a, m, q| {
        let space = a.space()?;
        let node = &space.nodes[space.node(first(q)).ok_or_else(nowhere)?];
        let marking = a.model().try_decode(node).ok_or(Halt::MALFORMED)?;
        m.memory().string(&a.untimed(&marking))
    }),
    ("arc_text", Needs::Space, |a, m, q| {
        let space = a.space()?;
        let element = &arc(&space, q)?.element;
        text(m, &a.model().show_element(a.forms, element).ok_or(Halt::MALFORMED)?)
    }),
];

fn first(question: &Question) -> i64 {
    Machine::to_int(question.argument(0))
}

/// The arc that is the argument of a question.
fn arc<'s>(space: &'s Space, question: &Question) -> Result<&'s Arc, Halt> {
    space.arc(first(question)).ok_or_else(nowhere)
}

pub(super) fn nowhere() -> Halt {
    Halt::raise(ExnId::SUBSCRIPT)
}

fn count(count: usize) -> Result<Word, Halt> {
    Ok(Machine::from_int(count as i64))
}

/// A list of numbers of type `IntInf.int`.
pub(super) fn large_numbers(
    machine: &mut Machine,
    numbers: impl IntoIterator<Item = i64>,
) -> Result<Word, Halt> {
    let words = numbers.into_iter().map(|number| machine.memory().int_inf(number));
    let words: Result<Vec<Word>, Halt> = words.collect();
    machine.memory().list(&words?)
}

/// The question with this number.
pub(super) fn known(question: &Question) -> Result<Known, Halt> {
    QUESTIONS.get(question.number as usize).copied().ok_or(Halt::MALFORMED)
}

/// A library text with the names of questions replaced by their numbers.
///
/// # Panics
///
/// If the text names an unknown question.
pub(super) fn numbered(text: &str) -> String {
    let mut parts = text.split("_prim \"ask ");
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('"').expect("the name of a question ends");
        let number = QUESTIONS.iter().position(|(known, ..)| *known == name);
        let number = number.unwrap_or_else(|| panic!("no question is called `{name}`"));
        numbered.push_str(&format!("_prim \"ask {number}\"{rest}"));
    }
    numbered
}
