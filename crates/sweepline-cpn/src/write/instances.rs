//! The tree of page instances.

use super::xml::Xml;
use crate::limits::Limits;
use crate::read::File;

/// The next thing to write: the start or the end of a page instance.
enum Step {
    Open { page: usize, transition: Option<String> },
    Close,
}

/// Writes the instances of all prime pages with those below. Cyclic pages, and instances beyond the limit, are
/// omitted; loading the file reports them.
pub(super) fn all(xml: &mut Xml, file: &File) {
    let limits = Limits::default();
    let numbers = file.page_numbers();
    let mut tops: Vec<usize> = file.listed_tops().into_iter().map(|(page, _)| page).collect();
    if tops.is_empty() {
        tops = file.usual_tops();
    }
    let tops = tops.into_iter().rev().map(|page| Step::Open { page, transition: None });
    let mut steps: Vec<Step> = tops.collect();
    let (mut open, mut n_instances) = (Vec::new(), 0);
    xml.open("instances", &[]);
    while let Some(step) = steps.pop() {
        let Step::Open { page, transition } = step else {
            open.pop();
            xml.close("instance");
            continue;
        };
        let is_legal = !open.contains(&page) && open.len() < limits.max_depth;
        if !is_legal || n_instances == limits.max_instances {
            continue;
        }
        n_instances += 1;
        open.push(page);
        let id = xml.fresh();
        match &transition {
            Some(transition) => xml.open("instance", &[("id", &id), ("trans", transition)]),
            None => xml.open("instance", &[("id", &id), ("page", &file.pages[page].id)]),
        }
        steps.push(Step::Close);
        for transition in file.pages[page].transitions.iter().rev() {
            let below = transition.substitution.as_ref();
            if let Some(page) = below.and_then(|below| numbers.get(&*below.subpage)) {
                let transition = Some(transition.id.clone());
                steps.push(Step::Open { page: *page, transition });
            }
        }
    }
    xml.close("instances");
}
