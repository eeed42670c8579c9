//! Declares a colour set: checks what it is made of, evaluates its bounds into variables, and lets
//! the rest be elaborated from text.

use std::collections::HashSet;

use crate::ast::{Bounds, ColourSetDecl, ColourSetSyntax, Expr};
use crate::core::{Bind, VarId};
use crate::elaborate::scope::Value;
use crate::elaborate::{Elaborator, MOST_TYPE_NODES, suggestion};
use crate::parse::Parser;
use crate::problem::Problem;
use crate::source::Span;
use crate::token::Reserved;
use crate::types::{Symbol, TypeId, Types};

use super::text::structure_text;
use super::{ColourSet, ColourSetId, ColourSetKind, Range};

/// Products and records have at most so many components: some of their functions nest as deep.
const MOST_COMPONENTS: usize = 64;

/// So many parts has a value of a product or record, those of its parts included: the types of its
/// functions are a few times as large.
const MOST_PARTS: u32 = MOST_TYPE_NODES / 5;

/// Constructors of Standard ML that nobody may declare anew.
pub(crate) const CONSTRUCTORS: [&str; 5] = ["true", "false", "nil", "::", "ref"];

/// Words that CPN Tools does not let a model declare.
const RESERVED: [&str; 44] = [
    "not",
    "o",
    "ref",
    "print",
    "int",
    "bool",
    "real",
    "unit",
    "string",
    "true",
    "false",
    "NONE",
    "SOME",
    "empty",
    "color",
    "colset",
    "action",
    "all",
    "colorset",
    "declare",
    "globref",
    "index",
    "input",
    "list",
    "output",
    "product",
    "record",
    "subset",
    "by",
    "var",
    "time",
    "step",
    "ms",
    "tms",
    "Node",
    "Arc",
    "Scc",
    "size",
    "Impartial",
    "Fair",
    "Just",
    "No_Fairness",
    "EntireGraph",
    "NoLimit",
];

impl Elaborator<'_> {
    pub(crate) fn refuse_reserved(&mut self, name: &str, span: Span) {
        if self.refuse_bad(name, span) {
            return;
        }
        if RESERVED.contains(&name) {
            self.error(Problem::Reserved { name: name.to_owned() }, span);
        }
    }

    pub(crate) fn find_colour_set(&mut self, name: &Symbol, span: Span) -> Option<ColourSetId> {
        let sets = &self.state.colour_sets;
        if let Some(at) = sets.iter().rposition(|set| set.name == *name) {
            return u32::try_from(at).ok().map(ColourSetId);
        }
        let known: Vec<&str> = sets.iter().map(|set| &*set.name).collect();
        let help = suggestion(name, &known);
        let help = help.or_else(|| Some(format!("declare it first: `colset {name} = ...;`")));
        self.error(Problem::Unknown { what: "colour set", name: name.to_string(), help }, span);
        None
    }

    pub(crate) fn colour_set(&mut self, decl: &ColourSetDecl, binds: &mut Vec<Bind>) {
        let start = self.errors.len();
        self.refuse_reserved(&decl.name, decl.span);
        if self.errors.len() > start {
            return;
        }
        let Some(kind) = self.colour_set_kind(decl, binds) else { return };
        let before = self.errors.len();
        let text =
            structure_text(&decl.name, &kind, &decl.kind, &self.state.colour_sets, decl.timed);
        let source = self.state.sources.add(&format!("colour set {}", decl.name), &text);
        let mut parser = Parser::new(source, &text, self.state.prelude_fixities.clone());
        for generated in parser.program() {
            self.decl(&generated, binds);
        }
        let wrong = !parser.errors.is_empty() || self.errors.len() > before;
        // Only what the model wrote is shown; a mistake in it spoils the generated text, too.
        self.errors.truncate(before);
        if wrong && before == start {
            let what = "its functions cannot be made".to_owned();
            let help = Some(
                "it may be too large, or a declaration gives another meaning to what they are made of, such as `int`",
            );
            return self.errors.push((Problem::BadColourSet { what, help }, decl.span));
        }
        let Some(known) = self.state.scope.types.get(&decl.name).cloned() else { return };
        let functions = self.functions_of(&decl.name);
        let subtype = self.is_subtype(&kind);
        self.state.colour_sets.push(ColourSet {
            name: decl.name.clone(),
            kind,
            ty: known.ty,
            timed: decl.timed,
            declares: decl.declares.clone(),
            subtype,
            functions,
        });
    }

    fn functions_of(&self, name: &Symbol) -> Vec<(Symbol, VarId)> {
        let Some(module) = self.state.scope.structures.get(name) else { return Vec::new() };
        let variable = |(name, value): &(Symbol, Value)| match value {
            Value::Variable(var) => Some((name.clone(), *var)),
            _ => None,
        };
        module.values.iter().filter_map(variable).collect()
    }

    fn is_subtype(&self, kind: &ColourSetKind) -> bool {
        let of = |id: &ColourSetId| self.state.colour_sets[id.0 as usize].subtype;
        match kind {
            ColourSetKind::Int { range }
            | ColourSetKind::IntInf { range }
            | ColourSetKind::Real { range } => range.is_some(),
            ColourSetKind::String { characters, length } => {
                characters.is_some() || length.is_some()
            }
            ColourSetKind::Unit | ColourSetKind::Bool | ColourSetKind::Time => false,
            ColourSetKind::Enum { .. }
            | ColourSetKind::Index { .. }
            | ColourSetKind::SubsetBy { .. }
            | ColourSetKind::SubsetWith { .. } => true,
            ColourSetKind::List { length, .. } => length.is_some(),
            ColourSetKind::Product { components } => components.iter().any(of),
            ColourSetKind::Record { fields } => fields.iter().any(|(_, id)| of(id)),
            ColourSetKind::Union { constructors } => {
                constructors.iter().filter_map(|(_, id)| id.as_ref()).any(of)
            }
            ColourSetKind::Alias { of: id } => of(id),
        }
    }

    fn colour_set_kind(
        &mut self,
        decl: &ColourSetDecl,
        binds: &mut Vec<Bind>,
    ) -> Option<ColourSetKind> {
        let (name, span) = (&decl.name, decl.span);
        let mut range =
            |this: &mut Self, bounds: &Bounds, ty| this.range(name, "", bounds, ty, binds);
        Some(match &decl.kind {
            ColourSetSyntax::Unit(token) => {
                self.check_names(token.as_slice(), "a colour set", span)?;
                ColourSetKind::Unit
            }
            ColourSetSyntax::Bool(names) => {
                let names = names.iter().flat_map(|(no, yes)| [no.clone(), yes.clone()]);
                self.check_names(&names.collect::<Vec<_>>(), "a colour set", span)?;
                ColourSetKind::Bool
            }
            ColourSetSyntax::Int(bounds) => {
                ColourSetKind::Int { range: range(self, bounds, Types::INT) }
            }
            ColourSetSyntax::IntInf(bounds) => {
                ColourSetKind::IntInf { range: range(self, bounds, Types::INT_INF) }
            }
            ColourSetSyntax::Real(bounds) => {
                ColourSetKind::Real { range: range(self, bounds, Types::REAL) }
            }
            ColourSetSyntax::String { characters, length } => {
                let characters = range(self, characters, Types::STRING);
                let length = self.range(name, "length'", length, Types::INT, binds);
                ColourSetKind::String { characters, length }
            }
            ColourSetSyntax::Time => ColourSetKind::Time,
            ColourSetSyntax::Enum(values) => {
                self.check_names(values, "an enumeration", span)?;
                ColourSetKind::Enum { values: values.clone() }
            }
            ColourSetSyntax::Index { bounds, name: index } => {
                self.check_names(std::slice::from_ref(index), "a colour set", span)?;
                let bounds = Some(bounds.clone());
                ColourSetKind::Index { range: range(self, &bounds, Types::INT)? }
            }
            ColourSetSyntax::List { element, length } => {
                let length = range(self, length, Types::INT);
                ColourSetKind::List { element: self.find_colour_set(element, span)?, length }
            }
            ColourSetSyntax::SubsetBy(of, predicate) => {
                let of = self.find_colour_set(of, span)?;
                let from = self.state.colour_sets[of.0 as usize].ty;
                let ty = self.state.program.types.arrow(from, Types::BOOL);
                let predicate = self.hidden(name, "by", predicate, ty, binds);
                ColourSetKind::SubsetBy { of, predicate }
            }
            ColourSetSyntax::SubsetWith(of, values) => {
                let of = self.find_colour_set(of, span)?;
                let element = self.state.colour_sets[of.0 as usize].ty;
                let ty = self.state.program.types.list(element);
                let values = self.hidden(name, "with", values, ty, binds);
                ColourSetKind::SubsetWith { of, values }
            }
            ColourSetSyntax::Alias(of) => {
                ColourSetKind::Alias { of: self.find_colour_set(of, span)? }
            }
            parts => self.composed(parts, span)?,
        })
    }

    /// Products, records and unions.
    fn composed(&mut self, syntax: &ColourSetSyntax, span: Span) -> Option<ColourSetKind> {
        let kind = self.parts(syntax, span)?;
        let size = |id: &ColourSetId| {
            self.state.program.types.size(self.state.colour_sets[id.0 as usize].ty)
        };
        let (components, nodes) = match &kind {
            ColourSetKind::Product { components } => {
                (components.len(), components.iter().map(size).fold(1, u32::saturating_add))
            }
            ColourSetKind::Record { fields } => {
                let sizes = fields.iter().map(|(_, id)| size(id));
                (fields.len(), sizes.fold(1, u32::saturating_add))
            }
            _ => (0, 0),
        };
        let what = match (components > MOST_COMPONENTS, nodes > MOST_PARTS) {
            (true, _) => format!("it has {components} components, more than {MOST_COMPONENTS}"),
            (_, true) => format!("its values have more than {MOST_PARTS} parts"),
            _ => return Some(kind),
        };
        let help = Some("group them: a product of products, or a list");
        self.error(Problem::BadColourSet { what, help }, span);
        None
    }

    fn parts(&mut self, syntax: &ColourSetSyntax, span: Span) -> Option<ColourSetKind> {
        match syntax {
            ColourSetSyntax::Product(parts) => {
                if parts.len() < 2 {
                    let what = "a product has at least two components".to_owned();
                    let help = Some("for one component declare an alias: `colset A = B;`");
                    self.error(Problem::BadColourSet { what, help }, span);
                }
                let found: Vec<_> =
                    parts.iter().map(|part| self.find_colour_set(part, span)).collect();
                let components = found.into_iter().collect::<Option<_>>()?;
                Some(ColourSetKind::Product { components })
            }
            ColourSetSyntax::Record(fields) => {
                let labels: Vec<Symbol> = fields.iter().map(|(label, _)| label.clone()).collect();
                self.check_names(&labels, "a record", span)?;
                let found: Vec<_> =
                    fields.iter().map(|(_, part)| self.find_colour_set(part, span)).collect();
                let ids: Vec<_> = found.into_iter().collect::<Option<_>>()?;
                Some(ColourSetKind::Record { fields: labels.into_iter().zip(ids).collect() })
            }
            ColourSetSyntax::Union(fields) => {
                let names: Vec<Symbol> = fields.iter().map(|(name, _)| name.clone()).collect();
                self.check_names(&names, "a union", span)?;
                let mut constructors = Vec::new();
                let mut missing = false;
                for (name, part) in fields {
                    let part = match part {
                        None => None,
                        Some(part) => {
                            let found = self.find_colour_set(part, span);
                            missing |= found.is_none();
                            found
                        }
                    };
                    constructors.push((name.clone(), part));
                }
                (!missing).then_some(ColourSetKind::Union { constructors })
            }
            _ => None,
        }
    }

    /// Checks names that are declared together.
    fn check_names(&mut self, names: &[Symbol], place: &'static str, span: Span) -> Option<()> {
        let before = self.errors.len();
        let mut known = HashSet::new();
        for name in names {
            if !self.refuse_bad(name, span) && CONSTRUCTORS.contains(&&**name) {
                self.error(Problem::Reserved { name: name.to_string() }, span);
            }
            if !known.insert(name) {
                self.error(Problem::Twice { name: name.to_string(), place }, span);
            }
        }
        (self.errors.len() == before).then_some(())
    }

    /// Only plain names can be declared: they become part of a text.
    fn refuse_bad(&mut self, name: &str, span: Span) -> bool {
        let plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'')
            && Reserved::named(name).is_none()
            && self.state.prelude_fixities.get(name).is_none();
        if !plain {
            self.error(Problem::BadName { name: name.to_owned() }, span);
        }
        !plain
    }

    fn range(
        &mut self,
        name: &Symbol,
        which: &str,
        bounds: &Bounds,
        ty: TypeId,
        binds: &mut Vec<Bind>,
    ) -> Option<Range> {
        let (low, high) = &**bounds.as_ref()?;
        let low = self.hidden(name, &format!("{which}low"), low, ty, binds);
        let high = self.hidden(name, &format!("{which}high"), high, ty, binds);
        Some(Range { low, high })
    }

    /// Declares the value of an expression under a name that models cannot use.
    fn hidden(
        &mut self,
        name: &Symbol,
        what: &str,
        expr: &Expr,
        ty: TypeId,
        binds: &mut Vec<Bind>,
    ) -> VarId {
        let value = self.checked_at_top(expr, ty);
        self.declare_value(&format!("CPN'{name}'{what}").into(), value, binds)
    }
}
