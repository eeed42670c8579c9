//! Page instances: the tree defined by substitution transitions.

use std::collections::{HashMap, HashSet};

use sweepline_source::Fault;

use crate::limits::Limits;
use crate::problem::{Findings, Problem};
use crate::read::{File, Instance};

use super::names::shown;

/// A page instance. Indices refer to the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) page: usize,
    /// Its number among the instances of the page, from 1.
    pub(super) number: u32,
    /// The parent instance, and the index of the substitution transition on its page.
    pub(super) parent: Option<(usize, usize)>,
    depth: usize,
}

/// All page instances, parents before children, in the document order of the instance tree.
pub(super) fn instances(file: &File, limits: &Limits, findings: &mut Findings) -> Vec<Node> {
    let mut walk = Walk {
        file,
        limits,
        findings,
        pages: file.page_numbers(),
        numbers: vec![0; file.pages.len()],
        blamed: HashSet::new(),
        nodes: Vec::new(),
    };
    walk.run();
    walk.nodes
}

/// A page to visit: its index, its parent, and the listed instances below it.
type Pending<'f> = (usize, Option<(usize, usize)>, &'f [Instance]);

struct Walk<'f, 'r> {
    file: &'f File,
    limits: &'r Limits,
    findings: &'r mut Findings,
    pages: HashMap<&'f str, usize>,
    numbers: Vec<u32>,
    /// Transitions whose wrong subpage has been reported.
    blamed: HashSet<(usize, usize)>,
    nodes: Vec<Node>,
}

impl<'f> Walk<'f, '_> {
    fn run(&mut self) {
        let mut pending = self.tops();
        if pending.is_empty() {
            self.findings.at(&self.file.origin, 0..0, "", Problem::NoPage);
        }
        pending.reverse();
        while let Some((page, parent, below)) = pending.pop() {
            if self.nodes.len() == self.limits.max_instances {
                let problem = Problem::TooManyInstances { max: self.limits.max_instances };
                self.findings.at(&self.file.origin, 0..0, "", problem);
                return;
            }
            let depth = parent.map_or(0, |(above, _)| self.nodes[above].depth + 1);
            self.numbers[page] += 1;
            self.nodes.push(Node { page, number: self.numbers[page], parent, depth });
            let mut children = self.children(self.nodes.len() - 1, below);
            children.reverse();
            pending.append(&mut children);
        }
    }

    /// The prime pages: those that the file lists, else the pages that are not subpages.
    fn tops(&self) -> Vec<Pending<'f>> {
        let listed = self.file.listed_tops();
        match listed.is_empty() {
            true => self.file.usual_tops().into_iter().map(|at| (at, None, &[][..])).collect(),
            false => listed.into_iter().map(|(at, top)| (at, None, &top.children[..])).collect(),
        }
    }

    /// The instances below a page instance: in the order of the file, then those that the file does not list.
    fn children(&mut self, above: usize, listed: &'f [Instance]) -> Vec<Pending<'f>> {
        let file = self.file;
        let page = self.nodes[above].page;
        let order: HashMap<&str, usize> =
            listed.iter().enumerate().rev().map(|(at, child)| (&*child.transition, at)).collect();
        let transitions = file.pages[page].transitions.iter().enumerate();
        let mut found: Vec<(usize, Pending<'f>)> = Vec::new();
        for (at, transition) in transitions {
            let Some(substitution) = &transition.substitution else { continue };
            let Some(subpage) = self.subpage(above, at, &substitution.subpage) else { continue };
            let place = order.get(&*transition.id).copied();
            let below = place.map_or(&[][..], |place| &listed[place].children);
            found.push((place.unwrap_or(usize::MAX), (subpage, Some((above, at)), below)));
        }
        found.sort_by_key(|(place, _)| *place);
        found.into_iter().map(|(_, pending)| pending).collect()
    }

    /// The subpage of a substitution transition, unless it is unknown or would contain itself.
    fn subpage(&mut self, above: usize, transition: usize, id: &str) -> Option<usize> {
        let page = self.nodes[above].page;
        let subpage = self.pages.get(id).copied();
        let problem = match subpage {
            None => Problem::UnknownSubpage { id: shown(id) },
            Some(subpage) if self.is_above(above, subpage) => {
                Problem::CyclicPages { page: shown(&self.file.pages[subpage].name) }
            }
            Some(_) if self.nodes[above].depth >= self.limits.max_depth => {
                Fault::TooDeep { max_depth: self.limits.max_depth }.into()
            }
            Some(subpage) => return Some(subpage),
        };
        if self.blamed.insert((page, transition)) {
            let page = &self.file.pages[page];
            let transition = &page.transitions[transition];
            let subject = super::page::subject("transition", transition.name.as_str(), page);
            let offset = transition.offset;
            self.findings.at(&self.file.origin, offset..offset, subject, problem);
        }
        None
    }

    fn is_above(&self, node: usize, page: usize) -> bool {
        let above = |&node: &usize| self.nodes[node].parent.map(|(above, _)| above);
        std::iter::successors(Some(node), above).any(|node| self.nodes[node].page == page)
    }
}
