//! Stubborn sets: sets of actions that can be explored first, whatever the other actions do.

use std::sync::Arc;

use super::{Actions, Goal, Needs, Selection};

/// Chooses the enabled actions of a small stubborn set at each state.
///
/// A set is *stubborn* at a state (Valmari 1991) if it is closed under [companions](Actions::companions),
/// and:
///
/// * for [`Needs::Ends`] and [`Needs::Cycles`], some action of it is enabled if any action is. Then every
///   state without successors is found, by a path of the same length, and an infinite path if there is one.
/// * for [`Needs::Goal`], it contains a set of actions of which every path to the goal takes one. Then all
///   states that satisfy the predicate are found, by paths of the same length. At such a state all actions
///   are explored.
/// * for [`Needs::Visible`], some action of it is enabled if any action is; if it contains an enabled visible
///   action, it contains all visible ones; and no action is delayed forever, which the exploration ensures.
///   Then visible actions occur in the same orders as before.
///
/// Several needs are met by one set that meets all of them. Sets are found as strongly connected components
/// of the relation from actions to companions: the smallest one among those that no edge leaves.
pub struct Stubborn<'a, M: Actions> {
    model: &'a M,
    goals: Vec<Arc<dyn Goal<M>>>,
    /// Visible actions, by number and in a list.
    is_visible: Vec<bool>,
    visible: Vec<u32>,
    /// Whether some enabled action must be chosen if there is one.
    ends: bool,
}

impl<'a, M: Actions> Stubborn<'a, M> {
    /// Stubborn sets for all of `needs`. `None` if one of them needs every state or edge.
    pub fn new(model: &'a M, needs: impl IntoIterator<Item = Needs<M>>) -> Option<Self> {
        let count = model.actions() as usize;
        let mut stubborn = Stubborn {
            model,
            goals: Vec::new(),
            is_visible: vec![false; count],
            visible: Vec::new(),
            ends: false,
        };
        for need in needs {
            match need {
                Needs::Ends | Needs::Cycles => stubborn.ends = true,
                Needs::Goal(goal) => stubborn.goals.push(goal),
                Needs::Visible(actions) => {
                    stubborn.ends = true;
                    actions.iter().for_each(|&a| stubborn.is_visible[a as usize] = true);
                }
                Needs::States | Needs::Edges => return None,
            }
        }
        let all = 0..count as u32;
        stubborn.visible = all.filter(|&a| stubborn.is_visible[a as usize]).collect();
        Some(stubborn)
    }

    /// The actions that must be in a set together with `action`.
    fn companions(&self, state: &M::State, action: u32, enabled: bool, into: &mut Vec<u32>) {
        self.model.companions(state, action, enabled, into);
        if enabled && self.is_visible[action as usize] {
            into.extend_from_slice(&self.visible);
        }
    }
}

impl<M: Actions> Selection<M> for Stubborn<'_, M> {
    fn select(
        &self,
        Scratch(search): &mut Scratch,
        state: &M::State,
        enabled: &[M::Action],
        chosen: &mut [bool],
    ) {
        if enabled.len() < 2 && self.goals.is_empty() {
            return;
        }
        search.begin(self.is_visible.len());
        for action in enabled {
            search.enable(self.model.action_number(action));
        }
        for goal in &self.goals {
            if !goal.toward(self.model, state, &mut |action| search.require(action)) {
                return;
            }
        }
        let mut companions = |action, enabled, into: &mut Vec<u32>| {
            self.companions(state, action, enabled, into);
        };
        search.close(&mut companions);
        if self.ends && !search.fires() {
            search.add_smallest(&mut companions);
        }
        for (action, chosen) in enabled.iter().zip(chosen) {
            *chosen = *chosen && search.is_in(self.model.action_number(action));
        }
    }

    fn may_ignore(&self) -> bool {
        !self.visible.is_empty()
    }
}

/// The data of an action in the search at one state.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// The search that wrote the other fields.
    search: u32,
    enabled: bool,
    /// Whether it is in the stubborn set.
    inside: bool,
    /// The index in Tarjan's algorithm, from one on; zero if it was not reached.
    index: u32,
    low: u32,
    on_stack: bool,
    /// Whether an enabled action of another component is reachable, and would have to be in the set, too.
    drags: bool,
}

/// An action whose companions are being searched: they are in `edges`, up to the end of the frames above.
struct Frame {
    action: u32,
    next: usize,
    end: usize,
}

/// Scratch memory of a selection; each thread has its own.
#[derive(Default)]
pub struct Scratch(Closure);

#[derive(Default)]
struct Closure {
    marks: Vec<Mark>,
    current: u32,
    /// Enabled actions, in the order they were shown.
    enabled: Vec<u32>,
    /// Number of enabled actions in the set.
    fired: usize,
    work: Vec<u32>,
    frames: Vec<Frame>,
    edges: Vec<u32>,
    stack: Vec<u32>,
    index: u32,
    best: Vec<u32>,
}

/// Lists the companions of an action, which is enabled or not.
type Companions<'a> = &'a mut dyn FnMut(u32, bool, &mut Vec<u32>);

impl Closure {
    /// Resets the data for another state. There are `actions` actions.
    fn begin(&mut self, actions: usize) {
        self.marks.resize(actions, Mark::default());
        if self.current == u32::MAX {
            self.marks.fill(Mark::default());
            self.current = 0;
        }
        self.current += 1;
        self.enabled.clear();
        self.work.clear();
        (self.fired, self.index) = (0, 0);
    }

    fn mark(&mut self, action: u32) -> &mut Mark {
        let mark = &mut self.marks[action as usize];
        if mark.search != self.current {
            *mark = Mark { search: self.current, ..Mark::default() };
        }
        mark
    }

    fn enable(&mut self, action: u32) {
        let mark = self.mark(action);
        if !mark.enabled {
            mark.enabled = true;
            self.enabled.push(action);
        }
    }

    /// Adds `action` to the set; its companions are added later.
    fn require(&mut self, action: u32) {
        let mark = self.mark(action);
        if !mark.inside {
            mark.inside = true;
            if mark.enabled {
                self.fired += 1;
            }
            self.work.push(action);
        }
    }

    fn is_in(&self, action: u32) -> bool {
        let mark = &self.marks[action as usize];
        mark.search == self.current && mark.inside
    }

    /// Whether some action of the set is enabled.
    fn fires(&self) -> bool {
        self.fired > 0
    }

    /// Adds the companions of all actions in the set, transitively.
    fn close(&mut self, companions: Companions<'_>) {
        let mut found = std::mem::take(&mut self.edges);
        while let Some(action) = self.work.pop() {
            // All enabled actions are in the set: further ones change nothing.
            if self.fired == self.enabled.len() {
                break;
            }
            let enabled = self.mark(action).enabled;
            companions(action, enabled, &mut found);
            for other in found.drain(..) {
                self.require(other);
            }
        }
        self.work.clear();
        self.edges = found;
    }

    /// Adds the component with the fewest enabled actions among those from which no enabled action of another
    /// component is reachable. Together with what is reachable from it, it is closed.
    fn add_smallest(&mut self, companions: Companions<'_>) {
        self.best.clear();
        if let Some(action) = self.alone(companions) {
            self.mark(action).inside = true;
            return;
        }
        for seed in 0..self.enabled.len() {
            let action = self.enabled[seed];
            if self.mark(action).index == 0 {
                self.visit_from(action, companions);
            }
            if self.best.len() == 1 {
                break;
            }
        }
        for at in 0..self.best.len() {
            let action = self.best[at];
            self.mark(action).inside = true;
        }
    }

    /// The first enabled action without companions.
    fn alone(&mut self, companions: Companions<'_>) -> Option<u32> {
        let Closure { enabled, edges, .. } = self;
        let mut all = enabled.iter().copied();
        let found = all.find(|&action| {
            edges.clear();
            companions(action, true, edges);
            edges.iter().all(|&other| other == action)
        });
        edges.clear();
        found
    }

    /// Tarjan's algorithm from `root`.
    fn visit_from(&mut self, root: u32, companions: Companions<'_>) {
        self.enter(root, companions);
        while let Some(frame) = self.frames.last_mut() {
            if frame.next < frame.end {
                let (action, other) = (frame.action, self.edges[frame.next]);
                frame.next += 1;
                let seen = *self.mark(other);
                if seen.index == 0 {
                    self.enter(other, companions);
                } else if seen.on_stack {
                    let mark = self.mark(action);
                    mark.low = mark.low.min(seen.index);
                } else {
                    self.mark(action).drags |= seen.drags;
                }
                continue;
            }
            let Frame { action, .. } = self.frames.pop().expect("it was there");
            let mark = *self.mark(action);
            if mark.low == mark.index {
                self.leave_component(action);
                // No component has fewer enabled actions.
                if self.best.len() == 1 {
                    self.frames.clear();
                    self.stack.clear();
                    break;
                }
            }
            if let Some(parent) = self.frames.last() {
                let (parent, end) = (parent.action, parent.end);
                self.edges.truncate(end);
                let child = *self.mark(action);
                let mark = self.mark(parent);
                if child.on_stack {
                    mark.low = mark.low.min(child.low);
                } else {
                    mark.drags |= child.drags;
                }
            }
        }
        self.edges.clear();
    }

    fn enter(&mut self, action: u32, companions: Companions<'_>) {
        self.index += 1;
        let index = self.index;
        let mark = self.mark(action);
        (mark.index, mark.low, mark.on_stack) = (index, index, true);
        let enabled = mark.enabled;
        self.stack.push(action);
        let next = self.edges.len();
        companions(action, enabled, &mut self.edges);
        self.frames.push(Frame { action, next, end: self.edges.len() });
    }

    /// Completes the component of `root`, which is the top of the stack.
    fn leave_component(&mut self, root: u32) {
        let start = self.stack.iter().rposition(|&a| a == root).expect("it is on the stack");
        let Closure { marks, stack, best, .. } = self;
        let members = &stack[start..];
        let (mut drags, mut fired) = (false, 0);
        for &action in members {
            let mark = &marks[action as usize];
            drags |= mark.drags;
            fired += usize::from(mark.enabled);
        }
        for &action in members {
            let mark = &mut marks[action as usize];
            (mark.on_stack, mark.drags) = (false, drags || fired > 0);
        }
        if !drags && fired > 0 && (best.is_empty() || fired < best.len()) {
            best.clear();
            best.extend(members.iter().filter(|&&a| marks[a as usize].enabled));
        }
        stack.truncate(start);
    }
}
