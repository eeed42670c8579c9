//! Loads a net from a file.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use sweepline::ctl;
use sweepline::ltl::{self, AtomKind, Written};
use sweepline_ml::{Environment, TimeType};
use sweepline_query::{Property, PropertyKind};
use sweepline_source::{Text, closest};

use super::evaluate::Sizes;
use super::flatten::Flattener;
use super::page::PageDraft;
use super::texts::Texts;
use super::use_file::Reading;
use super::{Behaviour, Net, Options, hierarchy};
use crate::problem::{Finding, Findings, LoadErrors, Problem};
use crate::read;

/// The state while a model is loaded.
pub(super) struct Loader<'f> {
    pub(super) file: &'f read::File,
    pub(super) options: &'f Options,
    pub(super) environment: Environment,
    pub(super) texts: Texts,
    pub(super) findings: Findings,
    /// Mistakes in declarations. They are errors only if the net uses the declarations.
    pub(super) declaration_errors: Vec<Finding>,
    pub(super) n_more_declaration_errors: usize,
    pub(super) sizes: Sizes,
    pub(super) reading: Reading,
    /// Which values of `--param` have been used.
    pub(super) found_params: Vec<bool>,
}

pub(super) fn load(file: &read::File, options: &Options) -> Result<Net, LoadErrors> {
    let mut ml = sweepline_ml::Options::default();
    if file.real_time {
        ml.time = TimeType::Real;
    }
    let loader = Loader {
        file,
        options,
        environment: Environment::new(&ml),
        texts: Texts::default(),
        findings: Findings::default(),
        declaration_errors: Vec::new(),
        n_more_declaration_errors: 0,
        sizes: Sizes::default(),
        reading: Reading::new(&options.limits, file.origin.text.len()),
        found_params: vec![false; options.params.len()],
    };
    loader.run()
}

impl Loader<'_> {
    fn run(mut self) -> Result<Net, LoadErrors> {
        let file = self.file;
        file.declarations.iter().for_each(|declaration| self.declaration(declaration));
        self.check_params();
        let nodes = hierarchy::instances(file, &self.options.limits, &mut self.findings);
        let mut drafts: HashMap<usize, PageDraft> = HashMap::new();
        let used: BTreeSet<usize> = nodes.iter().map(|node| node.page).collect();
        for at in used {
            drafts.insert(at, self.page(&file.pages[at]));
        }
        self.check_ports(&drafts);
        let fused = self.fusion_sets(&drafts);
        self.check_fusion(&drafts, &fused);
        let starts = starts(&drafts);
        let flattener =
            Flattener { file, nodes: &nodes, drafts: &drafts, behaviours: &starts, fused: &fused };
        let mut flat = flattener.run();
        let mut places = drafts.values().flat_map(|draft| &draft.places);
        if places.all(|place| place.colour_set.is_some()) {
            self.override_markings(&flat.pages, &mut flat.places);
        }
        let behaviours = behaviours(drafts);
        let markings: Vec<_> =
            flat.places.iter().filter_map(|place| place.initial.as_ref()).collect();
        let markings: Vec<_> = markings.iter().map(|marking| &marking.expr).collect();
        let are_used = self.effects(&behaviours, &markings);
        self.settle_declaration_errors(are_used);
        self.questions();
        let warnings = self.findings.finish(&file.origin.name)?;
        Ok(Net {
            name: file.origin.name.to_string(),
            environment: self.environment,
            time: if file.real_time { TimeType::Real } else { TimeType::IntInf },
            pages: flat.pages,
            instances: flat.instances,
            places: flat.places,
            behaviours,
            transitions: flat.transitions,
            measures: file.measures.clone(),
            properties: file.properties.clone(),
            warnings,
            n_more_warnings: self.n_more_declaration_errors,
            texts: self.texts,
        })
    }

    /// Reports values of `--param` that the model does not declare.
    fn check_params(&mut self) {
        for (at, (name, _)) in self.options.params.iter().enumerate() {
            if !self.found_params[at] {
                let help = self.similar_value(name);
                let problem = Problem::UnknownValue { name: name.clone(), help };
                self.findings.report(Finding::nowhere("--param", problem));
            }
        }
    }

    /// Records the positions of measures and properties, so that mistakes in them are shown there.
    fn questions(&mut self) {
        let file = self.file;
        for measure in &file.measures {
            self.note(&format!("progress `{}`", measure.name), &measure.text);
        }
        for property in &file.properties {
            let subject = property.subject();
            self.note(&subject, &property.text);
            for condition in conditions(property) {
                self.note(&subject, &property.text.part(condition));
            }
        }
    }

    fn similar_value(&self, name: &str) -> Option<String> {
        let binds = &self.environment.program().binds;
        let values = binds.iter().filter_map(|bind| match bind {
            sweepline_ml::core::Bind::Value { var, .. } => {
                Some(&*self.environment.program().variable(*var).name)
            }
            _ => None,
        });
        closest(name, values).map(|suggestion| suggestion.to_string())
    }

    /// Records the position of a text of the file.
    pub(super) fn note(&mut self, subject: &str, text: &Text) {
        self.texts.add(subject, &self.file.origin, text);
    }

    /// Reports an error or warning at a position in the file.
    pub(super) fn report(&mut self, span: Range<usize>, subject: &str, problem: Problem) {
        self.findings.at(&self.file.origin, span, subject, problem);
    }
}

/// The ranges of state conditions in the formula of a property.
fn conditions(property: &Property) -> Vec<Range<usize>> {
    let formula = property.stated().formula;
    let mut found = Vec::new();
    let mut see = |atom: Written| {
        if atom.kind == AtomKind::Condition {
            found.push(atom.at.start + 1..atom.at.end - 1);
        }
    };
    match property.kind {
        PropertyKind::Ltl => _ = ltl::parse(&formula).map(|formula| formula.map(&mut see)),
        PropertyKind::Ctl => _ = ctl::parse(&formula).map(|formula| formula.map(&mut see)),
        _ => {}
    }
    found
}

/// The index of the first behaviour of each page, pages in the order of the file.
fn starts(drafts: &HashMap<usize, PageDraft>) -> HashMap<usize, u32> {
    let mut pages: Vec<usize> = drafts.keys().copied().collect();
    pages.sort_unstable();
    let mut next = 0;
    let starts = pages.into_iter().map(|page| {
        let start = next;
        next +=
            u32::try_from(drafts[&page].transitions.len()).expect("fewer than 2^32 transitions");
        (page, start)
    });
    starts.collect()
}

fn behaviours(drafts: HashMap<usize, PageDraft>) -> Vec<Behaviour> {
    let mut pages: Vec<(usize, PageDraft)> = drafts.into_iter().collect();
    pages.sort_by_key(|(page, _)| *page);
    let transitions = pages.into_iter().flat_map(|(_, draft)| draft.transitions);
    transitions.map(|draft| draft.behaviour).collect()
}
