//! Process terms. Equal terms have equal numbers, so that equal states are found.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use super::ast::Sym;
use super::value::{Captured, Function, ProcId, Value};
use crate::compress::Compression;

/// An event of the script, by number. The first two are `τ` and `✓`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Event(pub(super) u32);

impl Event {
    pub(super) const TAU: Event = Event(0);
    pub(super) const TICK: Event = Event(1);
}

/// A set of events, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct EventsId(pub(super) u32);

/// A relation between events, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct RelationId(pub(super) u32);

/// A process that is not evaluated yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Thunk {
    /// A part of the script, by its number, with its environment.
    Body(u32, Captured),
    /// A top-level constant.
    Global(Sym),
    /// A constant of a `let`.
    Local(Function),
    /// One after another.
    Sequence(Rc<[Thunk]>),
}

/// Which processes must take part in an event.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Meet {
    /// All of them, in these events.
    Interface(EventsId),
    /// Those that have it in their alphabet.
    Alphabets(Rc<[EventsId]>),
}

/// A term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Proc {
    Stop,
    Skip,
    /// The process after termination.
    Omega,
    /// `DIV`.
    Diverge,
    Run(EventsId),
    Chaos(EventsId),
    /// A prefix of the script, by its number, with its environment.
    Prefix(u32, Captured),
    /// These events, each with its continuation.
    Offer(Rc<[(Event, Thunk)]>),
    External(Rc<[ProcId]>),
    Interrupt(ProcId, ProcId),
    Internal(Rc<[Thunk]>),
    Timeout(ProcId, Thunk),
    Sequential(ProcId, Thunk),
    Exception(ProcId, EventsId, Thunk),
    Parallel(Rc<[ProcId]>, Meet),
    Hide(ProcId, EventsId),
    Rename(ProcId, RelationId),
    /// The same process, with fewer states if it becomes a component.
    Compressed(Compression, ProcId),
    /// The process after it has done one internal step after another, as long as there are any: `chase`.
    Chase(ProcId),
    /// A reference to a process whose value was not known yet.
    Later(Thunk),
}

/// Values with numbers, without duplicates.
#[derive(Debug)]
pub(super) struct Table<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32, foldhash::fast::FixedState>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { all: Vec::new(), numbers: HashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    pub(super) fn intern(&mut self, item: T) -> u32 {
        if let Some(&number) = self.numbers.get(&item) {
            return number;
        }
        let number = self.all.len() as u32;
        self.all.push(item.clone());
        self.numbers.insert(item, number);
        number
    }

    pub(super) fn get(&self, number: u32) -> &T {
        &self.all[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}

/// All terms, events and sets of events.
#[derive(Debug)]
pub(super) struct Terms {
    procs: Table<Proc>,
    /// The nesting of operators in each term.
    heights: Vec<u32>,
    /// Which terms have terminated, as parts of a parallel composition.
    ended: Vec<bool>,
    /// The values of events; the first two are placeholders.
    pub(super) events: Table<Value>,
    pub(super) sets: Table<Rc<[Event]>>,
    pub(super) relations: Table<Rc<[(Event, Event)]>>,
}

impl Default for Terms {
    fn default() -> Self {
        let mut events = Table::default();
        // A placeholder: no event of a script is a number.
        events.intern(Value::Int(0));
        events.intern(Value::Int(1));
        Terms {
            procs: Table::default(),
            heights: Vec::new(),
            ended: Vec::new(),
            events,
            sets: Table::default(),
            relations: Table::default(),
        }
    }
}

impl Terms {
    pub(super) fn proc(&self, id: ProcId) -> &Proc {
        self.procs.get(id.0)
    }

    pub(super) fn height(&self, id: ProcId) -> u32 {
        self.heights[id.0 as usize]
    }

    /// Whether a part of a parallel composition has terminated.
    pub(super) fn has_ended(&self, id: ProcId) -> bool {
        self.ended[id.0 as usize]
    }

    pub(super) fn intern(&mut self, proc: Proc) -> ProcId {
        let id = self.procs.intern(proc.clone());
        if id as usize == self.heights.len() {
            self.ended.push(match &proc {
                Proc::Omega => true,
                Proc::Parallel(all, _) => all.iter().all(|&p| self.has_ended(p)),
                Proc::Hide(p, _) | Proc::Rename(p, _) | Proc::Compressed(_, p) => {
                    self.has_ended(*p)
                }
                _ => false,
            });
            let height = |id: &ProcId| self.heights[id.0 as usize];
            let below = match &proc {
                Proc::External(all) | Proc::Parallel(all, _) => all.iter().map(height).max(),
                Proc::Interrupt(p, q) => Some(height(p).max(height(q))),
                Proc::Timeout(p, _)
                | Proc::Sequential(p, _)
                | Proc::Exception(p, ..)
                | Proc::Hide(p, _)
                | Proc::Rename(p, _)
                | Proc::Compressed(_, p)
                | Proc::Chase(p) => Some(height(p)),
                _ => None,
            };
            self.heights.push(below.unwrap_or(0) + 1);
        }
        ProcId(id)
    }

    /// An external choice; nested choices are flattened.
    pub(super) fn external(&mut self, all: impl IntoIterator<Item = ProcId>) -> ProcId {
        let mut flat = Vec::new();
        for id in all {
            match self.proc(id) {
                Proc::External(inner) => flat.extend_from_slice(inner),
                Proc::Stop => {}
                _ => flat.push(id),
            }
        }
        match flat.as_slice() {
            [] => self.intern(Proc::Stop),
            [only] => *only,
            _ => self.intern(Proc::External(flat.into())),
        }
    }

    pub(super) fn contains(&self, set: EventsId, event: Event) -> bool {
        self.sets.get(set.0).binary_search(&event).is_ok()
    }

    pub(super) fn set(&mut self, mut events: Vec<Event>) -> EventsId {
        events.sort_unstable();
        events.dedup();
        EventsId(self.sets.intern(events.into()))
    }

    /// The images of `event`: several if it is related to several, itself if to none.
    pub(super) fn images(&self, relation: RelationId, event: Event) -> Vec<Event> {
        let pairs = self.relations.get(relation.0);
        let from = pairs.partition_point(|(own, _)| *own < event);
        let images = pairs[from..].iter().take_while(|(own, _)| *own == event);
        let images: Vec<Event> = images.map(|(_, to)| *to).collect();
        if images.is_empty() { vec![event] } else { images }
    }
}
