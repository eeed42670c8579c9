//! The states around the current one, each by itself or merged by the value of an expression.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};
use sweepline::Model;
use sweepline::model::{bytes_of, successors};
use sweepline_serve::Refusal;

use super::check;
use super::game::{Opened, Way, of_model, refusal};
use super::values::{Watched, shown};
use crate::args::Labels;
use crate::draw::{Edge, Fragment, Graph, Node, graph_picture};
use crate::front_end::{Content, FrontEnd};

/// The most states in the drawing.
const MOST: usize = 150;
/// The most successors that are added at once.
const MOST_ADDED: usize = 40;

/// The states of a drawing, which grows where the user expands it.
pub(super) struct Around<M: Model> {
    states: Vec<M::State>,
    /// The states of each node of the drawing.
    nodes: Vec<Vec<usize>>,
}

impl<M: Model> Default for Around<M> {
    fn default() -> Self {
        Around { states: Vec::new(), nodes: Vec::new() }
    }
}

impl<M: FrontEnd + Send + 'static> Around<M> {
    /// Draws the states around `here`; states with the same value of `merge` share a node. The successors of the node with
    /// the number `expand` are added; without one, the drawing begins again if `here` is not in it.
    pub(super) fn show(
        &mut self,
        model: &M,
        here: &M::State,
        expand: Option<usize>,
        merge: Option<&str>,
    ) -> Result<Value, Refusal> {
        let merge = merge.map(|text| Watched::parse(model, "merge by", text)).transpose()?;
        let bytes = bytes_of(model, here);
        let is_here = |state: &M::State| bytes_of(model, state) == bytes;
        if let Some(node) = expand {
            for state in self.node(node)?.to_vec() {
                self.expand(model, state)?;
            }
        } else if !self.states.iter().any(is_here) {
            self.states = vec![here.clone()];
            self.expand(model, 0)?;
        }
        let mut fragment = Fragment::new(model, MOST);
        for state in &self.states {
            match is_here(state) {
                true => fragment.ask(state),
                false => drop(fragment.add(state)),
            }
        }
        let mut graph = fragment.graph(None).map_err(refusal)?;
        self.nodes = (0..self.states.len()).map(|state| vec![state]).collect();
        if let Some(merge) = &merge {
            graph = self.merged(model, merge, graph)?;
        }
        let mut notes = vec![match merge {
            None => graph.figures(),
            Some(_) => format!("{} states in {} nodes", self.states.len(), graph.nodes.len()),
        }];
        notes.extend(graph.left_out("choose a state to expand it"));
        if self.states.len() >= MOST {
            notes.push(format!("the drawing is full: it has at most {MOST} states"));
        }
        notes.push("states before these are not searched for".into());
        let hidden: Vec<usize> = graph.nodes.iter().map(|node| node.hidden).collect();
        let here = self.states.iter().position(is_here);
        let here = here.and_then(|here| self.nodes.iter().position(|node| node.contains(&here)));
        let svg = graph_picture(&graph, "states around the current one", Labels::Markings);
        Ok(json!({ "svg": svg, "notes": notes, "hidden": hidden, "here": here }))
    }

    /// Merges the states with the same value. Edges between them stay, so that it shows where the value changes.
    fn merged(&mut self, model: &M, merge: &Watched<M>, graph: Graph) -> Result<Graph, Refusal> {
        let mut worker = model.worker();
        let value = |state| shown(merge.value(model, &mut worker, state));
        let values: Vec<String> = self.states.iter().map(value).collect();
        let mut classes: Vec<&String> = Vec::new();
        let mut class_of = Vec::new();
        for value in &values {
            let known = classes.iter().position(|class| *class == value);
            class_of.push(known.unwrap_or(classes.len()));
            if known.is_none() {
                classes.push(value);
            }
        }
        self.nodes = vec![Vec::new(); classes.len()];
        for (state, &class) in class_of.iter().enumerate() {
            self.nodes[class].push(state);
        }
        let mut nodes = Vec::new();
        for (states, value) in self.nodes.iter().zip(&classes) {
            let any = |is: fn(&Node) -> bool| states.iter().any(|&state| is(&graph.nodes[state]));
            nodes.push(Node {
                parts: vec![
                    (merge.text().to_owned(), Content::Text((*value).clone())),
                    ("states".to_owned(), Content::Count(states.len() as u64)),
                ],
                initial: any(|node| node.initial),
                dead: any(|node| node.dead),
                asked: any(|node| node.asked),
                on_path: false,
                hidden: self.hidden(model, states)?,
                hidden_before: None,
            });
        }
        let mut edges: Vec<Edge> = Vec::new();
        for edge in graph.edges {
            let (source, target) = (class_of[edge.source], class_of[edge.target]);
            let known = edges.iter().position(|one| (one.source, one.target) == (source, target));
            let at = known.unwrap_or(edges.len());
            if known.is_none() {
                edges.push(Edge { source, target, actions: Vec::new(), on_path: false });
            }
            for action in edge.actions {
                if !edges[at].actions.contains(&action) {
                    edges[at].actions.push(action);
                }
            }
        }
        Ok(Graph { nodes, edges, n_hidden: graph.n_hidden, before: None })
    }

    /// The number of successors of some states that are not in the drawing.
    fn hidden(&self, model: &M, states: &[usize]) -> Result<usize, Refusal> {
        let known: HashSet<Vec<u8>> =
            self.states.iter().map(|state| bytes_of(model, state)).collect();
        let mut hidden = HashSet::new();
        for &state in states {
            let all = successors(model, &self.states[state]).map_err(of_model)?;
            hidden.extend(all.iter().map(|(_, state)| bytes_of(model, state)));
        }
        Ok(hidden.difference(&known).count())
    }

    /// Adds the successors of a state.
    fn expand(&mut self, model: &M, state: usize) -> Result<(), Refusal> {
        let mut known: HashSet<Vec<u8>> =
            self.states.iter().map(|state| bytes_of(model, state)).collect();
        let mut n_added = 0;
        for (_, state) in successors(model, &self.states[state]).map_err(of_model)? {
            let has_room = self.states.len() < MOST && n_added < MOST_ADDED;
            if has_room && known.insert(bytes_of(model, &state)) {
                self.states.push(state);
                n_added += 1;
            }
        }
        Ok(())
    }

    fn node(&self, number: usize) -> Result<&[usize], Refusal> {
        let gone = || Refusal::gone("the state is not in the drawing any more: draw it again");
        self.nodes.get(number).map(Vec::as_slice).ok_or_else(gone)
    }

    /// A search for a shortest path to one of the states of a node.
    pub(super) fn way(&self, game: Arc<Opened<M>>, number: usize) -> Result<Way, Refusal> {
        let states = self.node(number)?.iter().map(|&state| &self.states[state]);
        let goals: HashSet<Vec<u8>> = states.map(|state| bytes_of(&game.model, state)).collect();
        Ok(Box::new(move |progress| check::way(game, goals, progress)))
    }
}
