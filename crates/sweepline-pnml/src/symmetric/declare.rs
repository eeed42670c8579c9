//! Declarations: from elements of the file to sorts, constants and variables.

use std::collections::{HashMap, HashSet};

use sweepline_source::{Fault, clip, closest};

use super::Variable;
use super::sort::{Colour, Sort, SortId, Sorts};
use super::term::{Term, VariableId};
use super::typing::every;
use crate::read::{Collector, NetDraft, Problem, Tree};

/// The maximal chain of sorts that are defined by sorts declared later.
const MAX_CHAIN: usize = 200;

/// The declarations of a file, while it is read.
pub(super) struct Scope<'d, 's, 'e, 'c> {
    pub(super) draft: &'d NetDraft<'s>,
    pub(super) errors: &'e mut Collector<'c>,
    pub(super) sorts: Sorts,
    declared: HashMap<&'d str, (usize, Resolved)>,
    chain: usize,
    /// The constants and the classes of partitions, by id.
    pub(super) constants: HashMap<&'d str, Constant>,
    pub(super) variables: Vec<Variable>,
    pub(super) variable_ids: HashMap<&'d str, VariableId>,
    /// The declared sorts: id, name, sort.
    pub(super) named: Vec<(String, String, SortId)>,
}

/// A constant of an enumeration or a class of a partition.
#[derive(Copy, Clone)]
pub(super) struct Constant {
    pub(super) sort: SortId,
    pub(super) colour: Colour,
    tree: usize,
}

/// The state of resolving a declared sort.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Resolved {
    Not,
    InProgress,
    /// `None` after an error, which has been reported.
    To(Option<SortId>),
}

impl<'d, 's, 'e, 'c> Scope<'d, 's, 'e, 'c> {
    /// Reads all declarations.
    pub(super) fn new(draft: &'d NetDraft<'s>, errors: &'e mut Collector<'c>) -> Self {
        let mut scope = Scope {
            draft,
            errors,
            sorts: Sorts::default(),
            declared: HashMap::new(),
            chain: 0,
            constants: HashMap::new(),
            variables: Vec::new(),
            variable_ids: HashMap::new(),
            named: Vec::new(),
        };
        scope.declare();
        scope
    }

    fn declare(&mut self) {
        let draft = self.draft;
        let mut all = Vec::new();
        for &root in &draft.declarations {
            match draft.trees[root].name {
                "declarations" => all.extend(draft.trees[root].children.iter().copied()),
                _ => all.push(root),
            }
        }
        let (mut sorts, mut variables) = (Vec::new(), Vec::new());
        for tree in all {
            match draft.trees[tree].name {
                "namedsort" | "partition" => {
                    let Some(id) = self.attribute(tree, "id") else { continue };
                    match self.declared.get(id) {
                        Some(&(first, _)) => self.duplicate(id, tree, first),
                        None => {
                            self.declared.insert(id, (tree, Resolved::Not));
                            sorts.push((id, tree));
                        }
                    }
                }
                "variabledecl" => variables.push(tree),
                _ => {
                    let help = "symmetric nets declare `<namedsort>`, `<partition>` and \
                                `<variabledecl>`";
                    self.unexpected::<()>(tree, "a declaration", Some(help));
                }
            }
        }
        for (id, tree) in sorts {
            if let Some(sort) = self.declared_sort(id, tree) {
                let name = self.optional(tree, "name").unwrap_or(id);
                self.named.push((id.to_owned(), name.to_owned(), sort));
            }
        }
        variables.into_iter().for_each(|tree| self.declare_variable(tree));
    }

    fn declare_variable(&mut self, tree: usize) {
        let Some(id) = self.attribute(tree, "id") else { return };
        let sort = match *self.draft.trees[tree].children {
            [child] => self.sort(child),
            _ => self.unexpected(tree, "a variable with one sort", None),
        };
        let Some(sort) = sort else { return };
        if let Some(first) = self.variable_ids.get(id) {
            let first = self.variables[first.index()].declared_at;
            return self.duplicate(id, tree, first);
        }
        let name = self.optional(tree, "name").unwrap_or(id).to_owned();
        self.variable_ids.insert(id, VariableId(self.variables.len() as u32));
        self.variables.push(Variable { id: id.to_owned(), name, sort, declared_at: tree });
    }

    /// The sort that an element describes. `None` after an error, which is reported.
    pub(super) fn sort(&mut self, tree: usize) -> Option<SortId> {
        let draft = self.draft;
        let node = &draft.trees[tree];
        let sort = match node.name {
            "usersort" => {
                let id = self.attribute(tree, "declaration")?;
                return self.declared_sort(id, tree);
            }
            "dot" => Sort::Dot,
            "bool" => Sort::Bool,
            "productsort" => {
                Sort::Product(every(node.children.iter().map(|&part| self.sort(part)))?)
            }
            "finiteenumeration" => return self.enumeration(tree, false),
            "cyclicenumeration" => return self.enumeration(tree, true),
            "finiteintrange" => {
                let (start, end) = (self.number(tree, "start"), self.number(tree, "end"));
                Sort::Range { start: start?, end: end? }
            }
            _ => {
                let help = "symmetric nets have `<dot>`, `<bool>`, enumerations, `<finiteintrange>`, \
                            `<productsort>` and `<usersort>`";
                return self.unexpected(tree, "a sort", Some(help));
            }
        };
        self.intern(tree, sort)
    }

    fn intern(&mut self, tree: usize, sort: Sort) -> Option<SortId> {
        let id = self.sorts.intern(sort);
        if id.is_none() {
            self.errors.report(self.draft.trees[tree].span.clone(), || Problem::BadSort);
        }
        id
    }

    /// The sort declared under this id; `tree` is the element that refers to it.
    fn declared_sort(&mut self, id: &str, tree: usize) -> Option<SortId> {
        let Some((&id, &(declaration, resolved))) = self.declared.get_key_value(id) else {
            let known: Vec<&str> = self.declared.keys().copied().collect();
            return self.unknown(tree, ("sort", "declaration", id), &known);
        };
        match resolved {
            Resolved::To(sort) => return sort,
            Resolved::InProgress => {
                let span = self.draft.trees[tree].span.clone();
                self.errors.report(span, || Problem::RecursiveSort { id: clip(id) });
                return None;
            }
            Resolved::Not if self.chain == MAX_CHAIN => {
                let span = self.draft.trees[tree].span.clone();
                self.errors.report(span, || Fault::TooDeep { max_depth: MAX_CHAIN }.into());
                return None;
            }
            Resolved::Not => {}
        }
        self.declared.insert(id, (declaration, Resolved::InProgress));
        self.chain += 1;
        let sort =
            match (self.draft.trees[declaration].name, &*self.draft.trees[declaration].children) {
                ("partition", _) => self.partition(declaration, id),
                (_, &[child]) => self.sort(child),
                _ => self.unexpected(declaration, "a named sort with one sort", None),
            };
        self.chain -= 1;
        self.declared.insert(id, (declaration, Resolved::To(sort)));
        sort
    }

    fn enumeration(&mut self, tree: usize, cyclic: bool) -> Option<SortId> {
        let draft = self.draft;
        let mut named = Vec::new();
        for &child in &draft.trees[tree].children {
            named.push(self.member(child, "feconstant", "a `<feconstant>`")?);
        }
        let constants = different(&named);
        self.define(tree, Sort::Enumeration { declaration: tree, cyclic, constants }, &named)
    }

    /// A constant or class, by its id and its name.
    fn member(
        &mut self,
        tree: usize,
        element: &str,
        expected: &'static str,
    ) -> Option<(usize, &'d str, &'d str)> {
        if self.tree(tree).name != element {
            return self.unexpected(tree, expected, None);
        }
        let id = self.attribute(tree, "id")?;
        Some((tree, id, self.optional(tree, "name").unwrap_or(id)))
    }

    /// Adds a sort, and its constants or classes by their ids. If an id is used twice, the first use counts.
    fn define(
        &mut self,
        tree: usize,
        sort: Sort,
        members: &[(usize, &'d str, &'d str)],
    ) -> Option<SortId> {
        let sort = self.intern(tree, sort)?;
        for (&(tree, id, _), colour) in members.iter().zip(0..) {
            match self.constants.get(id) {
                Some(first) => self.duplicate(id, tree, first.tree),
                None => drop(self.constants.insert(id, Constant { sort, colour, tree })),
            }
        }
        Some(sort)
    }

    fn partition(&mut self, tree: usize, id: &str) -> Option<SortId> {
        let draft = self.draft;
        let [of, ref elements @ ..] = *draft.trees[tree].children else {
            return self.unexpected(tree, "a partition of a sort", None);
        };
        let of = self.sort(of)?;
        let mut class_of: HashMap<Colour, Colour> = HashMap::new();
        let mut named = Vec::new();
        for (&element, class) in elements.iter().zip(0..) {
            named.push(self.member(element, "partitionelement", "a `<partitionelement>`")?);
            for &member in &draft.trees[element].children {
                let (_, Term::Constant(colour)) = self.term(member, Some(of))? else {
                    return self.unexpected(member, "a constant", None);
                };
                if class_of.insert(colour, class).is_some() {
                    let reason = format!("`{}` is in two classes", self.sorts.show(of, colour));
                    return self.bad_partition(tree, id, reason);
                }
            }
        }
        if class_of.len() as u64 != self.sorts.size(of) {
            let missing = (0..).find(|colour| !class_of.contains_key(colour)).unwrap_or(0);
            let reason = format!("`{}` is in no class", self.sorts.show(of, missing));
            return self.bad_partition(tree, id, reason);
        }
        let class_of = (0..class_of.len() as u64).map(|colour| class_of[&colour]).collect();
        let elements = different(&named);
        self.define(tree, Sort::Partition { declaration: tree, of, elements, class_of }, &named)
    }

    fn bad_partition(&mut self, tree: usize, id: &str, reason: String) -> Option<SortId> {
        let span = self.draft.trees[tree].span.clone();
        self.errors.report(span, || Problem::BadPartition { id: clip(id), reason });
        None
    }
}

/// The names of constants or classes, or their ids if two have the same name.
fn different(members: &[(usize, &str, &str)]) -> Vec<String> {
    let names: HashSet<&str> = members.iter().map(|&(.., name)| name).collect();
    let by_name = names.len() == members.len();
    members.iter().map(|&(_, id, name)| if by_name { name } else { id }.to_owned()).collect()
}

/// Access to elements, and reports of errors in them.
impl<'d, 's> Scope<'d, 's, '_, '_> {
    pub(super) fn tree(&self, tree: usize) -> &'d Tree<'s> {
        &self.draft.trees[tree]
    }

    pub(super) fn optional(&self, tree: usize, name: &str) -> Option<&'d str> {
        let found = self.tree(tree).attributes.iter().find(|(attribute, _)| *attribute == name)?;
        Some(found.1.text.trim())
    }

    /// A required attribute; its absence is reported.
    pub(super) fn attribute(&mut self, tree: usize, name: &'static str) -> Option<&'d str> {
        let found = self.optional(tree, name);
        if found.is_none() {
            let (span, element) = (self.tree(tree).span.clone(), clip(self.tree(tree).name));
            self.errors.report(span, || Problem::MissingAttribute { element, attribute: name });
        }
        found
    }

    /// The range of an attribute's value, or of the tag if it is missing.
    pub(super) fn span_of(&self, tree: usize, name: &str) -> std::ops::Range<usize> {
        let node = self.tree(tree);
        let found = node.attributes.iter().find(|(attribute, _)| *attribute == name);
        found.map_or_else(|| node.span.clone(), |(_, value)| value.span.clone())
    }

    /// Reports that the id in an attribute is not declared.
    pub(super) fn unknown<T>(
        &mut self,
        tree: usize,
        (what, attribute, id): (&'static str, &str, &str),
        known: &[&str],
    ) -> Option<T> {
        self.errors.report(self.span_of(tree, attribute), || {
            let suggestion = closest(id, known.iter().copied());
            Problem::UnknownDeclaration { what, id: clip(id), suggestion }
        });
        None
    }

    /// A whole number in an attribute.
    pub(super) fn number<T: std::str::FromStr>(
        &mut self,
        tree: usize,
        name: &'static str,
    ) -> Option<T> {
        let text = self.attribute(tree, name)?;
        let number = text.parse().ok();
        number.or_else(|| self.bad_value(tree, name, "write a whole number that fits 64 bits"))
    }

    pub(super) fn bad_value<T>(
        &mut self,
        tree: usize,
        attribute: &'static str,
        expected: &'static str,
    ) -> Option<T> {
        let found = clip(self.optional(tree, attribute).unwrap_or_default());
        let (span, element) = (self.span_of(tree, attribute), clip(self.tree(tree).name));
        self.errors.report(span, || Problem::BadValue { element, attribute, found, expected });
        None
    }

    pub(super) fn unexpected<T>(
        &mut self,
        tree: usize,
        expected: &'static str,
        help: Option<&'static str>,
    ) -> Option<T> {
        let (span, element) = (self.tree(tree).span.clone(), clip(self.tree(tree).name));
        self.errors.report(span, || Problem::UnexpectedTerm { element, expected, help });
        None
    }

    fn duplicate(&mut self, id: &str, tree: usize, first: usize) {
        let (again, first) = (self.tree(tree).span.clone(), self.tree(first).span.clone());
        let shown = clip(id);
        self.errors.report_pair(again, first, |first| {
            let again = Problem::DuplicateId { id: shown.clone(), first };
            (again, Problem::FirstUse { id: shown })
        });
    }
}
