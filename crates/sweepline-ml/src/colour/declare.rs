//! Declares a colour set: checks its definition, evaluates its bounds into variables, and elaborates its
//! functions from generated text.

use std::collections::HashSet;

use crate::ast::{ColourSetDecl, Expr};
use crate::core::{Bind, VarId};
use crate::elaborate::scope::Value;
use crate::elaborate::{Elaborator, MOST_TYPE_NODES, foreign_type, suggestion};
use crate::parse::Parser;
use crate::problem::Problem;
use crate::source::Span;
use crate::token::Reserved;
use crate::types::{Symbol, Types};

use super::text::structure_text;
use super::{ColourSet, ColourSetId, ColourSetKind, ColourSetSyntax, Translation};

/// The most components of a product or record. Some of the generated functions nest this deep.
const MOST_COMPONENTS: usize = 64;

/// The most parts of a value of a product or record, counted recursively. The types of its functions are a few
/// times as large.
const MOST_PARTS: u32 = MOST_TYPE_NODES / 5;

/// The most bytes of generated text for all colour sets together: some 8,000 small sets, or 130,000 values of
/// enumerations. Each byte takes some 60 bytes of memory.
const MOST_TEXT: usize = 8 << 20;

/// Constructors of Standard ML that must not be declared again.
pub(crate) const CONSTRUCTORS: [&str; 5] = ["true", "false", "nil", "::", "ref"];

/// Words that CPN Tools does not let a model declare.
const RESERVED: &str = "not o ref print int bool real unit string true false NONE SOME empty color colset action \
    all colorset declare globref index input list output product record subset by var time \
    step ms tms Node Arc Scc size Impartial Fair Just No_Fairness EntireGraph NoLimit";

impl Elaborator<'_> {
    pub(crate) fn refuse_reserved(&mut self, name: &str, span: Span) {
        if self.refuse_bad(name, span) {
            return;
        }
        if RESERVED.split(' ').any(|word| word == name) {
            self.error(Problem::Reserved { name: name.to_owned() }, span);
        }
    }

    pub(crate) fn find_colour_set(&mut self, name: &Symbol, span: Span) -> Option<ColourSetId> {
        if let Some(id) = self.state.colour_set_ids.get(name) {
            return Some(*id);
        }
        let known = self.state.colour_sets.iter().map(|set| &*set.name);
        let help = foreign_type(name).or_else(|| suggestion(self.state, name, known));
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
        let text = structure_text(&decl.name, &decl.kind, decl.timed);
        if !self.fits(text.len(), decl.span) {
            return;
        }
        let source = self.state.sources.add(&format!("colour set {}", decl.name), &text);
        let mut parser = Parser::new(source, &text, self.state.prelude_fixities.clone());
        for generated in parser.program() {
            self.decl(&generated, binds);
        }
        let wrong = !parser.errors.is_empty() || self.errors.len() > before;
        // Report only mistakes in the model's own text: each of them also causes errors in the generated text.
        self.errors.truncate(before);
        if wrong && before == start {
            let what = "the functions of the colour set cannot be generated".to_owned();
            let help = Some(
                "make the colour set smaller, or rename a declaration that hides a standard name such as `int`",
            );
            return self.errors.push((Problem::BadColourSet { what, help }, decl.span));
        }
        let Some(known) = self.state.scope.types.get(&decl.name).cloned() else { return };
        let functions = self.functions_of(&decl.name);
        let subtype = self.is_subtype(&kind);
        let next =
            u32::try_from(self.state.colour_sets.len()).expect("fewer than 2^32 colour sets");
        self.state.colour_set_ids.insert(decl.name.clone(), ColourSetId(next));
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

    /// Whether there is room for `n_bytes` more bytes of generated text. The first colour set that does not
    /// fit is reported; later ones are skipped.
    fn fits(&mut self, n_bytes: usize, span: Span) -> bool {
        let before = self.state.colour_set_bytes;
        self.state.colour_set_bytes = before.saturating_add(n_bytes);
        if self.state.colour_set_bytes <= MOST_TEXT {
            return true;
        }
        if before <= MOST_TEXT {
            self.state.colour_set_bytes = usize::MAX;
            let what = format!(
                "this colour set and all after it are ignored: the functions of all colour sets would have more than \
                 {MOST_TEXT} bytes"
            );
            let help = Some(
                "declare fewer colour sets, or ranges such as `int with 1..n` in place of long enumerations",
            );
            self.error(Problem::BadColourSet { what, help }, span);
        }
        false
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
            ColourSetKind::Unit { .. } | ColourSetKind::Bool { .. } | ColourSetKind::Time => false,
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
        let span = decl.span;
        let (names, place) = declared_names(&decl.kind);
        self.check_names(&names, place, span)?;
        if let ColourSetSyntax::Product { components } = &decl.kind
            && components.len() < 2
        {
            let what = "a product needs at least two components".to_owned();
            let help = Some("for one component, declare an alias: `colset A = B;`");
            self.error(Problem::BadColourSet { what, help }, span);
        }
        let kind = decl.kind.translated(&mut Declaring { elaborator: self, decl, binds })?;
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
            (true, _) => {
                format!("the colour set has {components} components, more than {MOST_COMPONENTS}")
            }
            (_, true) => format!("each value of the colour set has more than {MOST_PARTS} parts"),
            _ => return Some(kind),
        };
        let help = Some("group the components: use a product of products, or a list");
        self.error(Problem::BadColourSet { what, help }, span);
        None
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

    /// Rejects names that are not plain identifiers, because names become part of the generated text.
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
}

/// The names that a colour set declares together, and their role for messages.
fn declared_names(form: &ColourSetSyntax) -> (Vec<Symbol>, &'static str) {
    let names = match form {
        ColourSetSyntax::Unit { token } => token.iter().cloned().collect(),
        ColourSetSyntax::Bool { names } => {
            names.iter().flat_map(|(no, yes)| [no.clone(), yes.clone()]).collect()
        }
        ColourSetSyntax::Index { name, .. } => vec![name.clone()],
        ColourSetSyntax::Enum { values } => return (values.clone(), "an enumeration"),
        ColourSetSyntax::Record { fields } => {
            return (fields.iter().map(|(label, _)| label.clone()).collect(), "a record");
        }
        ColourSetSyntax::Union { constructors } => {
            return (constructors.iter().map(|(name, _)| name.clone()).collect(), "a union");
        }
        _ => Vec::new(),
    };
    (names, "a colour set")
}

/// Declares the values of the expressions of a colour set, under names that models cannot use.
struct Declaring<'d, 's, 'b> {
    elaborator: &'d mut Elaborator<'s>,
    decl: &'d ColourSetDecl,
    binds: &'b mut Vec<Bind>,
}

impl Translation<Symbol, Symbol, Expr> for Declaring<'_, '_, '_> {
    type Name = Symbol;
    type Set = ColourSetId;
    type Expr = VarId;

    fn name(&mut self, name: &Symbol) -> Symbol {
        name.clone()
    }

    fn set(&mut self, set: &Symbol) -> Option<ColourSetId> {
        self.elaborator.find_colour_set(set, self.decl.span)
    }

    fn expr(&mut self, what: &str, expr: &Expr) -> Option<VarId> {
        let state = &mut self.elaborator.state;
        let (sets, ids) = (&state.colour_sets, &state.colour_set_ids);
        let set = |of: &Symbol| ids.get(of).map(|id| sets[id.0 as usize].ty);
        let ty = match &self.decl.kind {
            ColourSetSyntax::IntInf { .. } => Types::INT_INF,
            ColourSetSyntax::Real { .. } => Types::REAL,
            ColourSetSyntax::String { .. } if matches!(what, "low" | "high") => Types::STRING,
            ColourSetSyntax::SubsetBy { of, .. } => {
                state.program.types.arrow(set(of)?, Types::BOOL)
            }
            ColourSetSyntax::SubsetWith { of, .. } => state.program.types.list(set(of)?),
            _ => Types::INT,
        };
        let value = self.elaborator.checked_at_top(expr, ty);
        let name = format!("CPN'{}'{what}", self.decl.name).into();
        Some(self.elaborator.declare_value(&name, value, self.binds))
    }
}
