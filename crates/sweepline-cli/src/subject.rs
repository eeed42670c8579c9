//! What a model must tell besides its behavior so that people can read about it.

use sweepline::Model;
use sweepline_pnml::{MarkingView, NetModel};

/// A model whose states and actions have names.
pub(crate) trait Subject: Model {
    /// What the model is called.
    fn name(&self) -> &str;

    /// The name of an action.
    fn action(&self, action: Self::Action) -> &str;

    /// What differs between two states.
    fn changes(&self, before: &Self::State, after: &Self::State) -> Vec<Change>;

    /// The parts of a state worth mentioning: for a net, the marked places.
    fn parts(&self, state: &Self::State) -> Vec<(String, u64)>;

    /// A state in one line.
    fn describe(&self, state: &Self::State) -> String {
        let part = |(name, tokens): (String, u64)| match tokens {
            1 => name,
            several => format!("{several} {name}"),
        };
        let parts: Vec<String> = self.parts(state).into_iter().map(part).collect();
        if parts.is_empty() { "nothing marked".into() } else { parts.join(", ") }
    }
}

/// One difference between two states.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub(crate) struct Change {
    /// The place.
    pub(crate) place: String,
    /// Its tokens before.
    pub(crate) before: u64,
    /// Its tokens after.
    pub(crate) after: u64,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} -> {}", self.place, self.before, self.after)
    }
}

/// The name that is shown for a node: the readable one, unless it is blank.
pub(crate) fn shown<'a>(id: &'a str, name: &'a str) -> &'a str {
    if name.trim().is_empty() { id } else { name }
}

impl Subject for NetModel {
    fn name(&self) -> &str {
        &self.net().name
    }

    fn action(&self, action: Self::Action) -> &str {
        let transition = &self.net().transitions[action.index()];
        shown(&transition.id, &transition.name)
    }

    fn changes(&self, before: &Self::State, after: &Self::State) -> Vec<Change> {
        let (old, new) = (self.view(before), self.view(after));
        let places = self.net().place_ids().zip(&self.net().places);
        let change = |(id, place): (_, &sweepline_pnml::Place)| {
            let (before, after) = (old.tokens(id), new.tokens(id));
            let name = || shown(&place.id, &place.name).to_owned();
            (before != after).then(|| Change { place: name(), before, after })
        };
        places.filter_map(change).collect()
    }

    fn parts(&self, state: &Self::State) -> Vec<(String, u64)> {
        let tokens = self.tokens(state);
        let places = self.net().places.iter().zip(tokens);
        let marked = places.filter(|&(_, tokens)| tokens > 0);
        marked.map(|(place, n)| (shown(&place.id, &place.name).to_owned(), n)).collect()
    }
}
