//! Operators on processes, and events.

use super::Checker;
use super::ty::Type;
use crate::csp::ast::{
    Expr, Field, Kind, Later, Operator, Pattern, PatternKind, Prefix, Renaming, Replicated,
};

impl Checker<'_> {
    /// The operands of an operator on processes.
    pub(super) fn operator(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Prefix(prefix) => self.isolated(|checker| checker.prefix(prefix)),
            Kind::Guard(both) => {
                self.expect(&both[0], &Type::Bool);
                self.isolated(|checker| checker.process(&both[1]));
            }
            Kind::Choice(_, both) => both.iter().for_each(|one| self.process(one)),
            Kind::Internal(all) => all.iter().for_each(|one| self.later(one)),
            Kind::Timeout(p, q) | Kind::Sequential(p, q) => {
                self.process(p);
                self.later(q);
            }
            Kind::Interface(set, both) => {
                set.iter().for_each(|set| drop(self.expect_events(set)));
                both.iter().for_each(|one| self.process(one));
            }
            Kind::Alphabetised(parts) => {
                let [left, first, second, right] = &**parts;
                [first, second].into_iter().for_each(|set| drop(self.expect_events(set)));
                [left, right].into_iter().for_each(|one| self.process(one));
            }
            Kind::Link(both, links) => {
                self.renaming(links);
                both.iter().for_each(|one| self.process(one));
            }
            Kind::Exception(both, q) => {
                self.hidden(both);
                self.later(q);
            }
            Kind::Hide(both) | Kind::Project(both) => self.hidden(both),
            Kind::Rename(p, renaming) => {
                self.renaming(renaming);
                self.process(p);
            }
            Kind::Replicated(replicated) => self.replicated(replicated),
            _ => {}
        }
    }

    pub(super) fn process(&mut self, expr: &Expr) {
        self.expect(expr, &Type::Process);
    }

    /// A process that may never be evaluated.
    pub(super) fn later(&mut self, body: &Later) {
        self.isolated(|checker| checker.process(&body.expr));
    }

    /// A process and a set of events.
    fn hidden(&mut self, both: &[Expr; 2]) {
        self.expect_events(&both[1]);
        self.process(&both[0]);
    }

    /// The old name of an event is looked up.
    fn renaming(&mut self, Renaming { pairs, stmts }: &Renaming) {
        self.stmts(stmts, |checker| {
            for (from, to) in pairs {
                checker.expect(from, &Type::Data);
                checker.infer(to);
            }
        });
    }

    fn replicated(&mut self, Replicated { op, stmts, body }: &Replicated) {
        if let Operator::Interface(set) = op {
            self.expect_events(set);
        }
        self.stmts(stmts, |checker| {
            if let Operator::Alphabetised(alphabet) = op {
                checker.expect_events(&alphabet.expr);
            }
            checker.process(&body.expr);
        });
    }

    /// An expression that is a set of events.
    pub(super) fn expect_events(&mut self, expr: &Expr) -> Type {
        if let Kind::Set(items) = &expr.kind {
            self.work += 1;
            self.items(items, &mut Checker::expect_event);
            return Type::set(Type::Data);
        }
        self.expect(expr, &Type::any_set())
    }

    /// A complete event.
    fn expect_event(&mut self, expr: &Expr) -> Type {
        let Kind::Dot(parts) = &expr.kind else { return self.expect(expr, &Type::Data) };
        self.work += 1;
        let (_, types) = self.dotted(parts);
        let mut place = self.place(&parts[0]);
        for (part, ty) in parts.iter().zip(&types).skip(1) {
            self.check_field(&mut place, part, ty);
        }
        Type::Data
    }

    /// `c!1?x:S -> P`.
    fn prefix(&mut self, prefix: &Prefix) {
        let inputs = || prefix.fields.iter().filter(|field| matches!(field, Field::Input { .. }));
        // If an input has no value, then no event is made of the fields.
        let is_event = inputs().next().is_none();
        let mut place = match &prefix.channel.kind {
            Kind::Dot(parts) => {
                let (_, types) = self.dotted(parts);
                let mut place = self.place(&parts[0]);
                for (part, ty) in parts.iter().zip(&types).skip(1) {
                    self.field(&mut place, part, ty, is_event);
                }
                place
            }
            _ if inputs().any(|field| matches!(field, Field::Input { from: Some(_), .. })) => {
                self.infer(&prefix.channel);
                self.place(&prefix.channel)
            }
            _ => {
                self.expect(&prefix.channel, &Type::Data);
                self.place(&prefix.channel)
            }
        };
        for (index, field) in prefix.fields.iter().enumerate() {
            match field {
                Field::Output(expr) => {
                    let ty = self.infer(expr);
                    self.field(&mut place, expr, &ty, is_event);
                }
                Field::Input { pattern, from: Some(from), .. } => {
                    let ty = self.expect(from, &Type::any_set()).member();
                    place.take(&ty);
                    self.bind(pattern, &ty);
                }
                Field::Input { pattern, from: None, .. } => {
                    let is_last = index + 1 == prefix.fields.len();
                    let ty = self.input(&mut place, pattern, is_last);
                    self.bind(pattern, &ty);
                }
            }
        }
        self.process(&prefix.body.expr);
    }

    /// The type of the values of an input without a set.
    fn input(&self, place: &mut Place, pattern: &Pattern, is_last: bool) -> Type {
        let is_one = match &pattern.kind {
            PatternKind::Wildcard => true,
            PatternKind::Name(name) => !self.heads.contains_key(name),
            _ => false,
        };
        let Some((ty, is_final)) = self.column(place).filter(|_| is_one) else {
            *place = Place::UNKNOWN;
            return Type::Unknown;
        };
        place.advance();
        if is_last && !is_final { Type::Unknown } else { ty }
    }

    /// The field at `place` with the value of `expr`; it is checked if `is_event`.
    fn field(&mut self, place: &mut Place, expr: &Expr, ty: &Type, is_event: bool) {
        match is_event {
            true => self.check_field(place, expr, ty),
            false => place.take(ty),
        }
    }

    fn check_field(&mut self, place: &mut Place, expr: &Expr, ty: &Type) {
        // A value of a data type may be an infinite set's, which contains other values.
        if let Some((expected @ (Type::Int | Type::Bool), _)) = self.column(place)
            && is_one_field(ty)
            && expected.is_disjoint(ty)
        {
            self.clash(expr.span, &expected, ty);
        }
        place.take(ty);
    }

    /// Where the fields of an event begin.
    fn place(&self, channel: &Expr) -> Place {
        match channel.kind {
            Kind::Name(name) if self.locals.find(name).is_none() => Place(Some((name, 0))),
            _ => Place::UNKNOWN,
        }
    }

    /// The type of the field at `place`, and whether it is the last one.
    fn column(&self, place: &Place) -> Option<(Type, bool)> {
        let (head, index) = place.0?;
        let columns = self.heads.get(&head)?;
        let ty = columns.known.get(index)?.clone();
        Some((ty, columns.are_all && index + 1 == columns.known.len()))
    }
}

/// A field of a channel or constructor, if it is known which one.
struct Place(Option<(crate::csp::ast::Sym, usize)>);

impl Place {
    const UNKNOWN: Place = Place(None);

    fn advance(&mut self) {
        self.0 = self.0.map(|(head, index)| (head, index + 1));
    }

    /// Goes on after a value in `ty`.
    fn take(&mut self, ty: &Type) {
        match is_one_field(ty) {
            true => self.advance(),
            false => *self = Place::UNKNOWN,
        }
    }
}

/// Whether every value in `ty` is one field. A dotted value may be several.
fn is_one_field(ty: &Type) -> bool {
    !matches!(ty, Type::Unknown | Type::Never | Type::Data)
}
