//! Expressions.

use super::fixity::{ASSOCIATIVE, CHAIN, Fixity, balanced};
use super::{Failed, MAX_DEPTH, Parsed, Parser};
use crate::ast::{Clause, Decl, DeclKind, Expr, ExprKind, LongName, Rule, Structure};
use crate::core::Literal;
use crate::problem::Problem;
use crate::source::Span;
use crate::token::{Reserved, TokenKind};
use crate::types::{Label, Symbol};

/// An operator between two operands.
pub(super) type Operator = (Symbol, Fixity, Span);

impl Parser {
    /// Creates a node, or fails if the tree would be too deep.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span) -> Parsed<Expr> {
        let depth = 1 + depth_below(&kind);
        if depth as usize > MAX_DEPTH {
            return self.fail(Problem::TooDeep { max: MAX_DEPTH }, span);
        }
        Ok(Expr { kind, span, depth })
    }

    pub(crate) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::handle_expr)
    }

    fn handle_expr(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let and_also = |parser: &mut Self| {
            parser.chain(Reserved::AndAlso, Self::typed_expr, ExprKind::AndAlso)
        };
        let mut expr = self.chain(Reserved::OrElse, and_also, ExprKind::OrElse)?;
        while self.eat(Reserved::Handle) {
            let rules = self.rules()?;
            let span = self.since(start);
            expr = self.node(ExprKind::Handle(Box::new(expr), rules), span)?;
        }
        Ok(expr)
    }

    /// `a andalso b andalso …`, grouped as a balanced tree.
    fn chain(
        &mut self,
        between: Reserved,
        part: fn(&mut Self) -> Parsed<Expr>,
        make: fn(Box<Expr>, Box<Expr>) -> ExprKind,
    ) -> Parsed<Expr> {
        let parts = self.separated(|parser| parser.eat(between), part)?;
        let joined = balanced(parts, &mut |left: Expr, right: Expr| {
            let span = left.span.to(right.span);
            self.node(make(Box::new(left), Box::new(right)), span)
        })?;
        joined.ok_or(Failed)
    }

    fn typed_expr(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut expr = self.infix_expr()?;
        while self.eat(Reserved::Colon) {
            let ty = self.type_expr()?;
            let span = self.since(start);
            expr = self.node(ExprKind::Typed(Box::new(expr), ty), span)?;
        }
        Ok(expr)
    }

    fn infix_expr(&mut self) -> Parsed<Expr> {
        let mut operands = vec![self.application()?];
        let mut operators = Vec::new();
        while let Some(operator) = self.operator() {
            operators.push(operator);
            operands.push(self.application()?);
        }
        self.resolve(operands, &operators, &mut |parser, (name, _, at), left, right| {
            let span = left.span.to(right.span);
            let name = LongName { path: Vec::new(), name: name.clone() };
            let function = parser.node(ExprKind::Name(name), *at)?;
            let pair = parser.node(ExprKind::Tuple(vec![left, right]), span)?;
            parser.node(ExprKind::Apply(Box::new(function), Box::new(pair)), span)
        })
    }

    /// Takes an infix operator, if one is next.
    pub(super) fn operator(&mut self) -> Option<Operator> {
        let name: Symbol = match self.peek() {
            TokenKind::Name(name) => (&**name).into(),
            TokenKind::Reserved(Reserved::Equals) => "=".into(),
            _ => return None,
        };
        let fixity = self.fixities.get(&name)?;
        let span = self.span();
        self.advance();
        Some((name, fixity, span))
    }

    /// Groups operands by the precedence of the operators between them.
    pub(super) fn resolve<T>(
        &mut self,
        mut operands: Vec<T>,
        operators: &[Operator],
        join: &mut dyn FnMut(&mut Self, &Operator, T, T) -> Parsed<T>,
    ) -> Parsed<T> {
        let Some(weakest) = operators.iter().map(|(_, fixity, _)| fixity.precedence).min() else {
            return operands.pop().ok_or(Failed);
        };
        let mut parts = Vec::new();
        let mut between: Vec<&Operator> = Vec::new();
        let mut rest = operands.into_iter();
        let mut from = 0;
        for (index, operator) in operators.iter().enumerate() {
            if operator.1.precedence == weakest {
                let inner = rest.by_ref().take(index + 1 - from).collect();
                parts.push(self.resolve(inner, &operators[from..index], join)?);
                between.push(operator);
                from = index + 1;
            }
        }
        parts.push(self.resolve(rest.collect(), &operators[from..], join)?);
        self.fold(parts, &between, join)
    }

    /// Joins operands of operators with the same precedence.
    fn fold<T>(
        &mut self,
        parts: Vec<T>,
        operators: &[&Operator],
        join: &mut dyn FnMut(&mut Self, &Operator, T, T) -> Parsed<T>,
    ) -> Parsed<T> {
        let first = operators[0];
        if let Some(other) = operators.iter().find(|(_, fixity, _)| fixity.right != first.1.right) {
            let (left, right) = (first.0.to_string(), other.0.to_string());
            return self.fail(Problem::MixedInfix { left, right }, other.2);
        }
        let alike = operators.iter().all(|operator| operator.0 == first.0);
        if alike && parts.len() > CHAIN && ASSOCIATIVE.contains(&&*first.0) {
            let joined = balanced(parts, &mut |left, right| join(self, first, left, right))?;
            return joined.ok_or(Failed);
        }
        let mut parts = parts.into_iter();
        if first.1.right {
            let mut parts = parts.rev();
            let mut result = parts.next().ok_or(Failed)?;
            for (left, operator) in parts.zip(operators.iter().rev()) {
                result = join(self, operator, left, result)?;
            }
            return Ok(result);
        }
        let mut result = parts.next().ok_or(Failed)?;
        for (right, operator) in parts.zip(operators) {
            result = join(self, operator, result, right)?;
        }
        Ok(result)
    }

    fn application(&mut self) -> Parsed<Expr> {
        if let Some(expr) = self.open_expr()? {
            return Ok(expr);
        }
        let start = self.span();
        let mut expr = match self.atom()? {
            Some(expr) => expr,
            None => return self.expected("an expression", None),
        };
        while let Some(argument) = self.atom()? {
            let span = self.since(start);
            expr = self.node(ExprKind::Apply(Box::new(expr), Box::new(argument)), span)?;
        }
        Ok(expr)
    }

    /// An expression that begins with a reserved word and extends as far as possible.
    fn open_expr(&mut self) -> Parsed<Option<Expr>> {
        let start = self.span();
        let TokenKind::Reserved(word) = *self.peek() else { return Ok(None) };
        self.advance();
        let kind = match word {
            Reserved::If => {
                let condition = self.expr()?;
                self.expect(Reserved::Then)?;
                let yes = self.expr()?;
                let help = "an `if` always needs an `else`, for example `else empty` in an arc inscription";
                self.expect_with_help(Reserved::Else, help)?;
                ExprKind::If(Box::new([condition, yes, self.expr()?]))
            }
            Reserved::While => {
                let condition = self.expr()?;
                self.expect(Reserved::Do)?;
                ExprKind::While(Box::new(condition), Box::new(self.expr()?))
            }
            Reserved::Case => {
                let scrutinee = self.expr()?;
                self.expect(Reserved::Of)?;
                ExprKind::Case(Box::new(scrutinee), self.rules()?)
            }
            Reserved::Fn => ExprKind::Fn(self.rules()?),
            Reserved::Raise => ExprKind::Raise(Box::new(self.expr()?)),
            _ => {
                self.at -= 1;
                return Ok(None);
            }
        };
        let span = self.since(start);
        self.node(kind, span).map(Some)
    }

    /// `pattern => expression | …`.
    fn rules(&mut self) -> Parsed<Vec<Rule>> {
        self.eat(Reserved::Bar);
        let rule = |parser: &mut Self| {
            let pattern = parser.pattern()?;
            parser.expect(Reserved::DoubleArrow)?;
            Ok((pattern, parser.expr()?))
        };
        self.separated(|parser| parser.eat(Reserved::Bar), rule)
    }

    /// An expression that needs no parentheses as an argument.
    fn atom(&mut self) -> Parsed<Option<Expr>> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Name(name) if self.fixities.get(name).is_some() => None,
            TokenKind::Name(_) | TokenKind::LongName(_) => {
                Some(ExprKind::Name(self.long_name("a name")?))
            }
            TokenKind::Reserved(_) => self.reserved_atom()?,
            _ => self.constant().map(ExprKind::Constant),
        };
        let Some(kind) = kind else { return Ok(None) };
        let span = self.since(start);
        self.node(kind, span).map(Some)
    }

    /// Takes a constant, if one is next.
    pub(super) fn constant(&mut self) -> Option<Literal> {
        let TokenKind::Constant(constant) = self.peek().clone() else { return None };
        self.advance();
        Some(constant)
    }

    fn reserved_atom(&mut self) -> Parsed<Option<ExprKind>> {
        let TokenKind::Reserved(word) = *self.peek() else { return Ok(None) };
        self.advance();
        Ok(Some(match word {
            Reserved::LeftParen => self.parenthesised()?,
            Reserved::LeftBracket => {
                ExprKind::List(self.comma_list(Reserved::RightBracket, Self::expr)?)
            }
            Reserved::LeftBrace => {
                ExprKind::Record(self.comma_list(Reserved::RightBrace, Self::field)?)
            }
            Reserved::Let => self.let_expr()?,
            Reserved::Hash if self.is(Reserved::LeftBracket) => self.vector()?,
            Reserved::Hash => ExprKind::Selector(self.label()?),
            Reserved::Op => self.op_name().map(ExprKind::Name)?,
            Reserved::Primitive => {
                let TokenKind::Constant(Literal::String(name)) = self.peek() else {
                    return Err(Failed);
                };
                let name = String::from_utf8_lossy(name).into();
                self.advance();
                self.expect(Reserved::Colon)?;
                ExprKind::Primitive(name, self.type_expr()?)
            }
            _ => {
                self.at -= 1;
                return Ok(None);
            }
        }))
    }

    /// `#[a, b]`, from the bracket on: a vector.
    fn vector(&mut self) -> Parsed<ExprKind> {
        let start = self.previous();
        self.advance();
        let elements = self.comma_list(Reserved::RightBracket, Self::expr)?;
        let span = self.since(start);
        let make = self.node(ExprKind::Name(LongName::simple("CPN'vector_of")), span)?;
        let list = self.node(ExprKind::List(elements), span)?;
        Ok(ExprKind::Apply(Box::new(make), Box::new(list)))
    }

    /// The name after `op`.
    pub(super) fn op_name(&mut self) -> Parsed<LongName> {
        if self.eat(Reserved::Equals) {
            return Ok(LongName::simple("="));
        }
        self.long_name("an operator")
    }

    fn field(&mut self) -> Parsed<(Label, Expr)> {
        let label = self.label()?;
        self.expect_with_help(Reserved::Equals, "write records as `{label = value, ...}`")?;
        Ok((label, self.expr()?))
    }

    /// Parses the rest after `(`.
    fn parenthesised(&mut self) -> Parsed<ExprKind> {
        if self.eat(Reserved::RightParen) {
            return Ok(ExprKind::Tuple(Vec::new()));
        }
        let first = self.expr()?;
        if self.eat(Reserved::RightParen) {
            // Parentheses are represented as a sequence of one expression.
            return Ok(ExprKind::Sequence(vec![first]));
        }
        let mut parts = vec![first];
        if self.eat(Reserved::Semicolon) {
            parts.extend(self.sequence(Reserved::RightParen)?);
            return Ok(ExprKind::Sequence(parts));
        }
        if !self.eat(Reserved::Comma) {
            return self.expected("`,` or `)`", None);
        }
        if self.is(Reserved::RightParen) {
            // There is no tuple with one component.
            return self.expected("an expression", None);
        }
        parts.extend(self.comma_list(Reserved::RightParen, Self::expr)?);
        Ok(ExprKind::Tuple(parts))
    }

    /// `a; b; c` up to and including a closing word. A final `;` is accepted.
    fn sequence(&mut self, close: Reserved) -> Parsed<Vec<Expr>> {
        let mut parts = Vec::new();
        loop {
            if self.eat(close) {
                return Ok(parts);
            }
            parts.push(self.expr()?);
            if self.eat(close) {
                return Ok(parts);
            }
            if !self.eat(Reserved::Semicolon) {
                return self.expected(&format!("`;` or `{}`", close.text()), None);
            }
        }
    }

    fn let_expr(&mut self) -> Parsed<ExprKind> {
        let start = self.previous();
        let outside = self.fixities.clone();
        let decls = self.nested(|parser| parser.decls(Reserved::In))?;
        self.expect(Reserved::In)?;
        let mut parts = self.sequence(Reserved::End)?;
        self.fixities = outside;
        let span = self.since(start);
        let body = match parts.len() {
            0 => return self.expected("an expression between `in` and `end`", None),
            1 => parts.remove(0),
            _ => self.node(ExprKind::Sequence(parts), span)?,
        };
        Ok(ExprKind::Let(decls, Box::new(body)))
    }
}

fn deepest<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> u32 {
    exprs.into_iter().map(|expr| expr.depth).max().unwrap_or(0)
}

fn rules_depth(rules: &[Rule]) -> u32 {
    rules.iter().map(|(pattern, expr)| pattern.depth.max(expr.depth)).max().unwrap_or(0)
}

fn depth_below(kind: &ExprKind) -> u32 {
    match kind {
        ExprKind::Constant(_)
        | ExprKind::Name(_)
        | ExprKind::Selector(_)
        | ExprKind::Primitive(..) => 0,
        ExprKind::Record(fields) => deepest(fields.iter().map(|(_, expr)| expr)),
        ExprKind::Tuple(parts) | ExprKind::List(parts) | ExprKind::Sequence(parts) => {
            deepest(parts)
        }
        ExprKind::Let(decls, body) => decls_depth(decls).max(body.depth),
        ExprKind::Apply(left, right)
        | ExprKind::AndAlso(left, right)
        | ExprKind::OrElse(left, right)
        | ExprKind::While(left, right) => left.depth.max(right.depth),
        ExprKind::Typed(expr, _) | ExprKind::Raise(expr) => expr.depth,
        ExprKind::Handle(expr, rules) | ExprKind::Case(expr, rules) => {
            expr.depth.max(rules_depth(rules))
        }
        ExprKind::If(parts) => deepest(parts.iter()),
        ExprKind::Fn(rules) => rules_depth(rules),
    }
}

fn decls_depth(decls: &[Decl]) -> u32 {
    decls.iter().map(decl_depth).max().unwrap_or(0) + 1
}

fn decl_depth(decl: &Decl) -> u32 {
    match &decl.kind {
        DeclKind::Val { binds, .. } => rules_depth(binds),
        DeclKind::Fun { functions, .. } => {
            let clauses = functions.iter().flat_map(|function| &function.clauses);
            // Each argument is elaborated to a function around the body.
            let depth = |clause: &Clause| clause.body.depth + clause.patterns.len() as u32;
            clauses.map(depth).max().unwrap_or(0) + 1
        }
        DeclKind::Local(hidden, seen) => decls_depth(hidden).max(decls_depth(seen)),
        DeclKind::Structure(structures) => {
            let inside = structures.iter().map(|(_, structure)| match structure {
                Structure::Body(decls) => decls_depth(decls),
                Structure::Named(..) => 0,
            });
            inside.max().unwrap_or(0)
        }
        DeclKind::GlobRef(_, expr) | DeclKind::Use(expr) | DeclKind::Expr(expr) => expr.depth,
        _ => 0,
    }
}
