//! From a draft to a symmetric net: declarations, then the labels of places, transitions and arcs.

use std::collections::BTreeSet;
use std::ops::Range;

use sweepline_source::clip;

use super::declare::Scope;
use super::sort::{Sort, SortId};
use super::term::{Bag, Guard, Term, VariableId};
use super::{ColouredPlace, ColouredTransition, SymmetricNet};
use crate::read::{Collector, NetDraft, NodeDraft, Problem, link_arcs};

/// Checks the whole net. `None` if there are errors; every error is in `errors`.
pub(crate) fn assemble(draft: &NetDraft<'_>, errors: &mut Collector<'_>) -> Option<SymmetricNet> {
    let ends = link_arcs(draft, errors);
    let mut scope = Scope::new(draft, errors);
    let sorts: Vec<Option<SortId>> =
        draft.places.iter().map(|place| scope.place_sort(place)).collect();
    let places: Vec<_> =
        draft.places.iter().zip(&sorts).map(|(place, &sort)| scope.place(place, sort?)).collect();
    let mut transitions: Vec<_> =
        draft.transitions.iter().map(|transition| scope.transition(transition)).collect();
    for (ends, arc) in ends {
        let Some(sort) = sorts[ends.place] else { continue };
        let Some(bag) = scope.inscription(arc, sort) else { continue };
        let Some(transition) = &mut transitions[ends.transition] else { continue };
        let arcs = if ends.is_input { &mut transition.inputs } else { &mut transition.outputs };
        arcs.push((ends.place, bag));
    }
    let (sorts, named_sorts, variables) = (scope.sorts, scope.named, scope.variables);
    let mut transitions = transitions.into_iter().collect::<Option<Vec<_>>>()?;
    transitions.iter_mut().for_each(note_variables);
    let places = places.into_iter().collect::<Option<Vec<_>>>()?;
    let name = draft.name.clone();
    Some(SymmetricNet { name, sorts, named_sorts, variables, places, transitions })
}

fn note_variables(transition: &mut ColouredTransition) {
    let mut found: BTreeSet<VariableId> = BTreeSet::new();
    let mut note = |variable| {
        found.insert(variable);
    };
    transition.guard.variables(&mut note);
    for (_, bag) in transition.inputs.iter().chain(&transition.outputs) {
        bag.variables(&mut note);
    }
    transition.variables = found.into_iter().collect();
}

/// All functions return `None` after an error, which is reported.
impl Scope<'_, '_, '_, '_> {
    fn place_sort(&mut self, place: &NodeDraft<'_>) -> Option<SortId> {
        match place.sort {
            Some(tree) => self.sort(tree),
            None => self.missing(&place.span, ("place", &place.id), "type"),
        }
    }

    fn missing<T>(
        &mut self,
        span: &Range<usize>,
        (what, id): (&str, &str),
        label: &'static str,
    ) -> Option<T> {
        let of = format!("{what} `{}`", clip(id));
        self.errors.report(span.clone(), || Problem::MissingStructure { of, label });
        None
    }

    fn place(&mut self, place: &NodeDraft<'_>, sort: SortId) -> Option<ColouredPlace> {
        let initial = match place.term {
            Some(tree) => {
                let bag = self.bag(tree, sort)?;
                if !bag.is_constant() {
                    let help = "an initial marking has no variables: write the colours, or `<all>`";
                    return self.unexpected(tree, "a multiset without variables", Some(help));
                }
                bag
            }
            None => Bag::Sum(Vec::new()),
        };
        let (id, name) = place.named();
        Some(ColouredPlace { id, name, sort, initial })
    }

    fn transition(&mut self, transition: &NodeDraft<'_>) -> Option<ColouredTransition> {
        let guard = match transition.term {
            Some(tree) => self.guard(tree)?,
            None => Guard::Constant(true),
        };
        let (id, name) = transition.named();
        let (variables, inputs, outputs) = (Vec::new(), Vec::new(), Vec::new());
        Some(ColouredTransition { id, name, variables, guard, inputs, outputs })
    }

    /// The inscription of an arc. Without one, it is an ordinary token, if the place has the sort `dot`.
    fn inscription(&mut self, arc: usize, sort: SortId) -> Option<Bag> {
        let arc = &self.draft.arcs[arc];
        match arc.term {
            Some(tree) => self.bag(tree, sort),
            None if *self.sorts.sort(sort) == Sort::Dot => Some(Bag::One(Term::Constant(0))),
            None => self.missing(&arc.span, ("arc", &arc.id), "hlinscription"),
        }
    }
}
