//! The net in a page: its pages with their tokens.

use serde_json::{Value, json};
use sweepline_cpn::CpnModel;
use sweepline_cpn::read::File;
use sweepline_pnml::NetModel;

use crate::draw::{Sheet, Stage};
use crate::front_end::FrontEnd;
use crate::graph::{MOST_NODES, coloured, place_transition};

/// The pages of a net in a state.
type Sheets<M> = Box<dyn Fn(&M, &<M as sweepline::Model>::State) -> Vec<Sheet> + Send + Sync>;

/// The transition that an action belongs to, by its number in drawings.
type Numbers<M> = Box<dyn Fn(&<M as sweepline::Model>::Action) -> usize + Send + Sync>;

/// The drawing of a net; none for processes, and for nets too large to look at.
pub(super) struct Board<M: FrontEnd>(Option<Drawn<M>>);

struct Drawn<M: FrontEnd> {
    sheets: Sheets<M>,
    numbers: Numbers<M>,
    /// One for each page, once it was drawn.
    stages: Vec<Stage>,
}

impl<M: FrontEnd> Board<M> {
    /// Nothing is drawn.
    pub(super) fn none() -> Self {
        Board(None)
    }

    fn new(sheets: Sheets<M>, numbers: Numbers<M>) -> Self {
        Board(Some(Drawn { sheets, numbers, stages: Vec::new() }))
    }

    /// The transition that an action belongs to, if it is drawn.
    pub(super) fn number(&self, action: &M::Action) -> Option<usize> {
        self.0.as_ref().map(|drawn| (drawn.numbers)(action))
    }

    /// The pages in a state: a title and an SVG each.
    pub(super) fn draw(&mut self, model: &M, state: &M::State) -> Vec<Value> {
        let Some(drawn) = &mut self.0 else { return Vec::new() };
        let sheets = (drawn.sheets)(model, state);
        if sheets.iter().map(|sheet| sheet.places.len() + sheet.transitions.len()).sum::<usize>()
            > MOST_NODES
        {
            self.0 = None;
            return Vec::new();
        }
        if drawn.stages.is_empty() {
            drawn.stages = (drawn.sheets)(model, state).into_iter().map(Stage::new).collect();
        }
        let draw = |(stage, sheet): (&mut Stage, &Sheet)| {
            let title = sheet.title.clone().unwrap_or_else(|| model.name().to_owned());
            let is_enabled = sheet.transitions.iter().any(|transition| transition.enabled);
            json!({ "title": title, "enabled": is_enabled, "svg": stage.draw(sheet, &title) })
        };
        drawn.stages.iter_mut().zip(&sheets).map(draw).collect()
    }
}

impl Board<NetModel> {
    /// A P/T net.
    pub(super) fn of_net() -> Self {
        let sheets = |model: &NetModel, state: &_| vec![place_transition(model, state)];
        Board::new(Box::new(sheets), Box::new(|transition| transition.index()))
    }
}

impl Board<CpnModel> {
    /// A coloured net as its file has it.
    pub(super) fn of_file(file: File) -> Self {
        let sheets = move |model: &CpnModel, state: &_| coloured(model, &file, state);
        Board::new(Box::new(sheets), Box::new(|occurrence| occurrence.transition as usize))
    }
}
