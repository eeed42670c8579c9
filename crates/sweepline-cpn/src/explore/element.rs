//! Binding elements with the values of their variables.

use sweepline::{Computed, Model, Sink};

use crate::explore::error::SuccessorError;
use crate::explore::marking::Marking;
use crate::explore::model::{CpnModel, Occurrence, Worker};

/// The encoding of the binding elements of a transition.
#[derive(Clone, Debug)]
pub(crate) struct ElementForm {
    /// The prefix.
    pub(crate) head: Vec<u8>,
    /// The variables whose values follow, by their index in the transition.
    pub(crate) variables: Vec<usize>,
}

/// A binding element with the values of its variables.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) occurrence: Occurrence,
    /// The encoding.
    pub(crate) bytes: Box<[u8]>,
}

/// A net whose actions are binding elements with the values of their variables.
pub(crate) struct Elements<'m> {
    pub(crate) model: &'m CpnModel,
    /// The encoding for each transition.
    pub(crate) forms: &'m [ElementForm],
}

impl Model for Elements<'_> {
    type State = Marking;
    type Action = Element;
    type Worker = Worker;

    fn worker(&self) -> Worker {
        self.model.worker()
    }

    fn initial(&self, push: &mut dyn FnMut(&Marking)) {
        self.model.initial(push);
    }

    fn successors(
        &self,
        worker: &mut Worker,
        marking: &Marking,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        let mut failed = None;
        self.model.each_successor(worker, marking, &mut |occurrence, next, search| {
            let form = &self.forms[occurrence.transition as usize];
            let mut bytes = form.head.clone();
            for &slot in &form.variables {
                let word = search.scratch.slots[slot];
                let written = search.codecs[slot].encode(search.machine, word, &mut bytes);
                failed = failed.take().or(written.err());
            }
            sink.push(Element { occurrence, bytes: bytes.into() }, next);
            failed.is_none()
        })?;
        match failed {
            Some(raised) => Err(self.model.explain((None, SuccessorError::Raised(raised)))),
            None => Ok(()),
        }
    }

    fn encode(&self, marking: &Marking, bytes: &mut Vec<u8>) {
        self.model.encode(marking, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> Marking {
        self.model.decode(bytes)
    }

    fn decode_into(&self, bytes: &[u8], marking: &mut Marking) {
        self.model.decode_into(bytes, marking);
    }
}

impl CpnModel {
    /// An encoded binding element in CPN Tools' notation: `Page'T 1: {n=1}`.
    pub(crate) fn show_element(&self, forms: &[ElementForm], bytes: &[u8]) -> Option<String> {
        let number = forms.iter().position(|form| bytes.starts_with(&form.head))?;
        let (form, transition) = (&forms[number], self.transitions.get(number)?);
        let machine = &mut self.presenter().machine;
        let mark = machine.mark();
        let mut rest = &bytes[form.head.len()..];
        let mut values = vec![String::new(); transition.variables.len()];
        for &slot in &form.variables {
            let word = transition.codecs[slot].decode(machine, &mut rest).ok()?;
            let text = machine.call(transition.variables[slot].show, &[word]).ok()?;
            let text = machine.text(text);
            values[slot] = format!("{}={text}", transition.variables[slot].name);
        }
        machine.reset(mark);
        Some(format!("{}: {{{}}}", transition.name, values.join(",")))
    }
}
