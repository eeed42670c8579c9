//! The states around the current one.

use std::sync::Arc;

use serde_json::{Value, json};
use sweepline::Model;
use sweepline::model::{bytes_of, successors};
use sweepline_serve::Refusal;

use super::check;
use super::game::{Opened, Way, of_model, refusal};
use crate::args::Labels;
use crate::draw::{Fragment, graph_picture};
use crate::front_end::FrontEnd;

/// The most states in the drawing.
const MOST: usize = 150;
/// The most successors that are added at once.
const MOST_ADDED: usize = 40;

/// The states of a drawing, which grows where the user expands it.
pub(super) struct Around<M: Model>(Vec<M::State>);

impl<M: Model> Default for Around<M> {
    fn default() -> Self {
        Around(Vec::new())
    }
}

impl<M: FrontEnd + Send + 'static> Around<M> {
    /// Draws the states around `here`. The successors of the state with the number `expand` are added; without one, the
    /// drawing begins again if `here` is not in it.
    pub(super) fn show(
        &mut self,
        model: &M,
        here: &M::State,
        expand: Option<usize>,
    ) -> Result<Value, Refusal> {
        let bytes = bytes_of(model, here);
        let is_here = |state: &M::State| bytes_of(model, state) == bytes;
        if !self.0.iter().any(is_here) {
            self.0 = vec![here.clone()];
            self.expand(model, 0)?;
        }
        if let Some(number) = expand {
            self.expand(model, number)?;
        }
        let mut fragment = Fragment::new(model, MOST);
        for state in &self.0 {
            match is_here(state) {
                true => fragment.ask(state),
                false => drop(fragment.add(state)),
            }
        }
        let graph = fragment.graph(None).map_err(refusal)?;
        let mut notes = vec![graph.figures()];
        notes.extend(graph.left_out("choose a state to expand it"));
        if self.0.len() >= MOST {
            notes.push(format!("the drawing is full: it has at most {MOST} states"));
        }
        notes.push("states before these are not searched for".into());
        let hidden: Vec<usize> = graph.nodes.iter().map(|node| node.hidden).collect();
        let here = self.0.iter().position(is_here);
        let svg = graph_picture(&graph, "states around the current one", Labels::Markings);
        Ok(json!({ "svg": svg, "notes": notes, "hidden": hidden, "here": here }))
    }

    /// Adds the successors of a state.
    fn expand(&mut self, model: &M, number: usize) -> Result<(), Refusal> {
        let state = self.state(number)?;
        let mut known: Vec<Vec<u8>> = self.0.iter().map(|state| bytes_of(model, state)).collect();
        let mut n_added = 0;
        for (_, state) in successors(model, state).map_err(of_model)? {
            let bytes = bytes_of(model, &state);
            if !known.contains(&bytes) && self.0.len() < MOST && n_added < MOST_ADDED {
                known.push(bytes);
                self.0.push(state);
                n_added += 1;
            }
        }
        Ok(())
    }

    fn state(&self, number: usize) -> Result<&M::State, Refusal> {
        let gone = || Refusal::gone("the state is not in the drawing any more: draw it again");
        self.0.get(number).ok_or_else(gone)
    }

    /// A search for a shortest path to a state.
    pub(super) fn way(&self, game: Arc<Opened<M>>, number: usize) -> Result<Way, Refusal> {
        let goal = bytes_of(&game.model, self.state(number)?);
        Ok(Box::new(move |progress| check::way(game, goal, progress)))
    }
}
