//! Binding elements with the values of their variables.

use sweepline::ModelError;

use crate::explore::marking::Marking;
use crate::explore::model::{CpnModel, Occurrence};
use crate::explore::trouble::Trouble;

/// How the binding elements of a transition are written.
#[derive(Clone, Debug)]
pub(crate) struct ElementForm {
    /// What comes first.
    pub(crate) head: Vec<u8>,
    /// The variables whose values follow, by their number in the transition.
    pub(crate) variables: Vec<usize>,
}

/// An arc of the state space, but for its source.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) occurrence: Occurrence,
    /// The binding element.
    pub(crate) bytes: Vec<u8>,
    /// The bytes of the marking it leads to.
    pub(crate) target: Vec<u8>,
}

impl CpnModel {
    /// All binding elements that a marking enables, in the order of its successors, written in the
    /// forms of their transitions.
    pub(crate) fn elements(
        &self,
        marking: &Marking,
        forms: &[ElementForm],
    ) -> Result<Vec<Element>, ModelError> {
        let engine = &mut *self.engine.borrow_mut();
        let mut elements = Vec::new();
        let mut failed = None;
        let mut class = Marking::default();
        let done = self.occurrences(engine, marking, &mut |occurrence, next, search| {
            let form = &forms[occurrence.transition as usize];
            let mut bytes = form.head.clone();
            for &slot in &form.variables {
                let word = search.scratch.slots[slot];
                let written = search.codecs[slot].encode(search.machine, word, &mut bytes);
                failed = failed.take().or(written.err());
            }
            class.clone_from(next);
            if self.relative {
                self.make_relative(&mut class);
            }
            elements.push(Element { occurrence, bytes, target: class.bytes().to_vec() });
            failed.is_none()
        });
        let failed = failed.map(|raised| (None, Trouble::Raised(raised)));
        match done.err().or(failed) {
            Some(trouble) => Err(self.explain(trouble)),
            None => Ok(elements),
        }
    }

    /// A binding element, written in the form of its transition, as CPN Tools shows it: `Page'T 1: {n=1}`.
    pub(crate) fn show_element(&self, forms: &[ElementForm], bytes: &[u8]) -> Option<String> {
        let number = forms.iter().position(|form| bytes.starts_with(&form.head))?;
        let (form, transition) = (&forms[number], self.transitions.get(number)?);
        let machine = &mut self.engine.borrow_mut().machine;
        let mark = machine.mark();
        let mut rest = &bytes[form.head.len()..];
        let mut values = vec![String::new(); transition.variables.len()];
        for &slot in &form.variables {
            let word = transition.codecs[slot].decode(machine, &mut rest).ok()?;
            let text = machine.call(transition.variables[slot].show, &[word]).ok()?;
            let text: String = machine.string(text).into_iter().map(char::from).collect();
            values[slot] = format!("{}={text}", transition.variables[slot].name);
        }
        machine.reset(mark);
        Some(format!("{}: {{{}}}", transition.name, values.join(",")))
    }

    /// Lets the next successors of `marking` be these, which [`elements`](CpnModel::elements) gave: an observer that
    /// needed them before the loop does saves it the work.
    pub(crate) fn prepare(&self, marking: &Marking, elements: Vec<Element>) {
        *self.prepared.borrow_mut() = Some((marking.bytes().into(), elements));
    }

    /// What was prepared, if it is of this marking.
    pub(crate) fn take_prepared(&self, marking: &Marking) -> Option<Vec<Element>> {
        let (of, elements) = self.prepared.borrow_mut().take()?;
        (*of == *marking.bytes()).then_some(elements)
    }
}
