//! Declarations.

use super::fixity::Fixity;
use super::{MAX_DEPTH, Parsed, Parser};
use crate::ast::{
    Clause, DataBind, Decl, DeclKind, ExceptionBind, Function, LongName, Pattern, PatternKind,
    Structure, TypeBind,
};
use crate::core::Literal;
use crate::problem::Problem;
use crate::source::Span;
use crate::token::{Reserved, TokenKind};
use crate::types::Symbol;

/// The name of a clause with its arguments.
struct Head {
    name: Symbol,
    span: Span,
    patterns: Vec<Pattern>,
}

impl Parser {
    /// Skips the rest of a declaration that began at the token `start`.
    pub(super) fn recover(&mut self, start: usize) {
        self.nesting = 0;
        let mut open = 0usize;
        let failed = self.at;
        self.at = start;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Reserved(Reserved::Let | Reserved::Local | Reserved::Struct) => {
                    if open == 0 && self.at > failed && self.is(Reserved::Local) {
                        return;
                    }
                    open += 1;
                }
                TokenKind::Reserved(Reserved::End) => open = open.saturating_sub(1),
                TokenKind::Reserved(Reserved::Semicolon) if open == 0 && self.at >= failed => {
                    return;
                }
                _ if open == 0 && self.at > failed && self.begins_decl() => return,
                _ => {}
            }
            self.advance();
        }
    }

    pub(super) fn begins_decl(&self) -> bool {
        match self.peek() {
            TokenKind::Reserved(word) => word.begins_decl(),
            TokenKind::Name(name) => matches!(&**name, "colset" | "color" | "globref" | "var"),
            _ => false,
        }
    }

    /// Declarations up to a closing word, which is not taken.
    pub(super) fn decls(&mut self, close: Reserved) -> Parsed<Vec<Decl>> {
        let mut decls = Vec::new();
        loop {
            if self.eat(Reserved::Semicolon) {
                continue;
            }
            if self.is(close) {
                return Ok(decls);
            }
            if !self.begins_decl() {
                let expected = format!("a declaration or `{}`", close.text());
                return self.expected(&expected, None);
            }
            decls.push(self.decl()?);
        }
    }

    pub(crate) fn decl(&mut self) -> Parsed<Decl> {
        let start = self.span();
        let kind = self.nested(Self::decl_kind)?;
        Ok(Decl { kind, span: self.since(start) })
    }

    fn decl_kind(&mut self) -> Parsed<DeclKind> {
        let TokenKind::Reserved(word) = *self.peek() else { return self.cpn_decl() };
        if !self.begins_decl() {
            return self.expr().map(DeclKind::Expr);
        }
        self.advance();
        match word {
            Reserved::Val => self.val_decl(),
            Reserved::Fun => self.fun_decl(),
            Reserved::Type => self.and_list(Self::type_bind).map(DeclKind::Type),
            Reserved::Datatype => self.datatype_decl(),
            Reserved::Abstype => self.abstype_decl(),
            Reserved::Exception => self.and_list(Self::exception_bind).map(DeclKind::Exception),
            Reserved::Local => self.local_decl(),
            Reserved::Open => self.open_decl(),
            Reserved::Infix => self.fixity_decl(Some(false)),
            Reserved::Infixr => self.fixity_decl(Some(true)),
            Reserved::Nonfix => self.fixity_decl(None),
            Reserved::Structure => self.and_list(Self::structure_bind).map(DeclKind::Structure),
            Reserved::Signature => self.signature_decl(),
            _ => {
                let span = self.previous();
                let instead = "write a structure for each use";
                self.fail(Problem::Unsupported { what: "functors", instead }, span)
            }
        }
    }

    /// A declaration of CPN ML, or else an expression, as in an interactive ML system.
    fn cpn_decl(&mut self) -> Parsed<DeclKind> {
        let named = matches!(self.peek_at(1), TokenKind::Name(_));
        let TokenKind::Name(word) = self.peek().clone() else {
            return self.expr().map(DeclKind::Expr);
        };
        self.advance();
        match (&*word, named) {
            ("colset" | "color", true) => {
                self.colour_set().map(|set| DeclKind::ColourSet(Box::new(set)))
            }
            ("var", true) => self.variables_decl(),
            ("globref", true) => {
                let name = self.name("a name")?;
                self.expect(Reserved::Equals)?;
                Ok(DeclKind::GlobRef(name, self.expr()?))
            }
            ("use", false) => self.expr().map(DeclKind::Use),
            _ => {
                self.at -= 1;
                self.expr().map(DeclKind::Expr)
            }
        }
    }

    /// `x, y : CS`.
    fn variables_decl(&mut self) -> Parsed<DeclKind> {
        let names = self.separated(|parser| parser.eat(Reserved::Comma), Self::variable)?;
        self.expect_with_help(Reserved::Colon, "write variables as `var x, y : COLSET;`")?;
        let colour_set = self.long_name("the name of a colour set")?;
        Ok(DeclKind::Variables(names, colour_set.name))
    }

    /// `a and b and …`.
    fn and_list<T>(&mut self, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.separated(|parser| parser.eat(Reserved::And), item)
    }

    fn val_decl(&mut self) -> Parsed<DeclKind> {
        let tyvars = self.type_variables()?;
        let mut recursive = false;
        let binds = self.and_list(|parser| {
            recursive |= parser.eat(Reserved::Rec);
            let pattern = parser.pattern()?;
            parser.expect(Reserved::Equals)?;
            Ok((pattern, parser.expr()?))
        })?;
        Ok(DeclKind::Val { tyvars, binds, recursive })
    }

    fn fun_decl(&mut self) -> Parsed<DeclKind> {
        let tyvars = self.type_variables()?;
        let functions = self.and_list(Self::function)?;
        Ok(DeclKind::Fun { tyvars, functions })
    }

    fn function(&mut self) -> Parsed<Function> {
        self.eat(Reserved::Bar);
        let (first, clause) = self.clause()?;
        let mut clauses = vec![clause];
        while self.eat(Reserved::Bar) {
            let (head, clause) = self.clause()?;
            let name = first.0.to_string();
            if head.0 != first.0 {
                return self.fail(Problem::UnevenClauses { name, what: "name" }, head.1);
            }
            if clause.patterns.len() != clauses[0].patterns.len() {
                let what = "number of arguments";
                return self.fail(Problem::UnevenClauses { name, what }, head.1);
            }
            clauses.push(clause);
        }
        Ok(Function { name: first.0, span: first.1, clauses })
    }

    fn clause(&mut self) -> Parsed<((Symbol, Span), Clause)> {
        let head = self.clause_head()?;
        let result = self.optional(Reserved::Colon, Self::type_expr)?;
        self.expect_with_help(Reserved::Equals, "write functions as `fun f (x, y) = ...`")?;
        // Each argument is elaborated to a function around the body.
        let around = head.patterns.len();
        if self.nesting + around > MAX_DEPTH {
            return self.fail(Problem::TooDeep { max: MAX_DEPTH }, head.span);
        }
        self.nesting += around;
        let body = self.expr();
        self.nesting -= around;
        Ok(((head.name, head.span), Clause { patterns: head.patterns, result, body: body? }))
    }

    /// `f p q`, `op + p`, `p + q`, `(p + q) r`.
    fn clause_head(&mut self) -> Parsed<Head> {
        if let Some(head) = self.parenthesised_head()? {
            return Ok(head);
        }
        let span = self.span();
        if self.eat(Reserved::Op) || self.operator_follows(0) {
            // An operator in front must be the name being declared.
            let name = self.op_name()?.name;
            return self.prefix_head(name, span);
        }
        if matches!(self.peek(), TokenKind::Name(_)) && !self.operator_follows(1) {
            let name = self.name("the name of the function")?;
            return self.prefix_head(name, span);
        }
        match self.atomic_pattern()? {
            Some(left) => self.infix_head(left),
            None => self.expected("the name of the function", None),
        }
    }

    fn operator_follows(&self, ahead: usize) -> bool {
        matches!(self.peek_at(ahead), TokenKind::Name(name) if self.fixities.get(name).is_some())
    }

    fn prefix_head(&mut self, name: Symbol, span: Span) -> Parsed<Head> {
        let mut patterns = Vec::new();
        while let Some(pattern) = self.atomic_pattern()? {
            patterns.push(pattern);
        }
        if patterns.is_empty() {
            return self.expected("an argument", Some("a function without arguments takes `()`"));
        }
        Ok(Head { name, span, patterns })
    }

    /// The operator and the right side of an infix clause.
    fn infix_head(&mut self, left: Pattern) -> Parsed<Head> {
        let span = self.span();
        let Some((name, ..)) = self.operator() else {
            return self.expected("the name of the function", None);
        };
        let Some(right) = self.atomic_pattern()? else {
            return self.expected("a pattern", None);
        };
        let pair = left.span.to(right.span);
        let pattern = self.pattern_node(PatternKind::Tuple(vec![left, right]), pair)?;
        Ok(Head { name, span, patterns: vec![pattern] })
    }

    /// `(p + q) r …`, distinguished from a pattern in parentheses by trying to parse it.
    fn parenthesised_head(&mut self) -> Parsed<Option<Head>> {
        if !self.is(Reserved::LeftParen) {
            return Ok(None);
        }
        let (at, errors) = (self.at, self.errors.len());
        self.advance();
        let tried = match self.atomic_pattern() {
            Ok(Some(left)) => self.infix_head(left).ok(),
            _ => None,
        };
        match tried {
            Some(mut head) if self.eat(Reserved::RightParen) => {
                while let Some(pattern) = self.atomic_pattern()? {
                    head.patterns.push(pattern);
                }
                Ok(Some(head))
            }
            _ => {
                self.at = at;
                self.errors.truncate(errors);
                Ok(None)
            }
        }
    }

    fn type_bind(&mut self) -> Parsed<TypeBind> {
        let tyvars = self.type_variables()?;
        let name = self.name("the name of the type")?;
        self.expect(Reserved::Equals)?;
        Ok(TypeBind { tyvars, name, ty: self.type_expr()? })
    }

    fn datatype_decl(&mut self) -> Parsed<DeclKind> {
        let copies = *self.peek_at(2) == TokenKind::Reserved(Reserved::Datatype);
        if copies && matches!(self.peek(), TokenKind::Name(_)) {
            let name = self.name("the name of the type")?;
            self.expect(Reserved::Equals)?;
            self.expect(Reserved::Datatype)?;
            return Ok(DeclKind::DatatypeCopy(name, self.long_name("a datatype")?));
        }
        let datatypes = self.and_list(Self::data_bind)?;
        let types = self.with_types()?;
        Ok(DeclKind::Datatype { datatypes, types })
    }

    fn with_types(&mut self) -> Parsed<Vec<TypeBind>> {
        let types = self.optional(Reserved::Withtype, |parser| parser.and_list(Self::type_bind))?;
        Ok(types.unwrap_or_default())
    }

    /// An abstype is treated as a datatype with its functions; its constructors are not hidden.
    fn abstype_decl(&mut self) -> Parsed<DeclKind> {
        let start = self.previous();
        let datatypes = self.and_list(Self::data_bind)?;
        let types = self.with_types()?;
        self.expect(Reserved::With)?;
        let mut decls =
            vec![Decl { kind: DeclKind::Datatype { datatypes, types }, span: self.since(start) }];
        decls.extend(self.decls(Reserved::End)?);
        self.expect(Reserved::End)?;
        Ok(DeclKind::Local(Vec::new(), decls))
    }

    fn data_bind(&mut self) -> Parsed<DataBind> {
        let tyvars = self.type_variables()?;
        let name = self.name("the name of the type")?;
        self.expect(Reserved::Equals)?;
        self.eat(Reserved::Bar);
        let constructor = |parser: &mut Self| {
            parser.eat(Reserved::Op);
            let constructor = parser.name("a constructor")?;
            Ok((constructor, parser.optional(Reserved::Of, Self::type_expr)?))
        };
        let constructors = self.separated(|parser| parser.eat(Reserved::Bar), constructor)?;
        Ok(DataBind { tyvars, name, constructors })
    }

    fn exception_bind(&mut self) -> Parsed<ExceptionBind> {
        self.eat(Reserved::Op);
        let name = self.name("the name of the exception")?;
        if self.eat(Reserved::Equals) {
            let span = self.span();
            return Ok(ExceptionBind::Copy(name, self.long_name("an exception")?, span));
        }
        Ok(ExceptionBind::New(name, self.optional(Reserved::Of, Self::type_expr)?))
    }

    fn local_decl(&mut self) -> Parsed<DeclKind> {
        let hidden = self.decls(Reserved::In)?;
        self.expect(Reserved::In)?;
        let seen = self.decls(Reserved::End)?;
        self.expect(Reserved::End)?;
        Ok(DeclKind::Local(hidden, seen))
    }

    fn open_decl(&mut self) -> Parsed<DeclKind> {
        let mut names: Vec<LongName> = vec![self.long_name("a structure")?];
        while matches!(self.peek(), TokenKind::Name(_) | TokenKind::LongName(_))
            && !self.begins_decl()
        {
            names.push(self.long_name("a structure")?);
        }
        Ok(DeclKind::Open(names))
    }

    /// `infix 6 ++ --`; `right` is `None` for `nonfix`.
    fn fixity_decl(&mut self, right: Option<bool>) -> Parsed<DeclKind> {
        let precedence = match self.peek().clone() {
            TokenKind::Constant(Literal::IntInf(digit)) if right.is_some() => {
                self.advance();
                match u8::try_from(&digit) {
                    Ok(digit) if digit < 10 => digit,
                    _ => return self.expected("a precedence from 0 to 9", None),
                }
            }
            _ => 0,
        };
        let fixity = right.map(|right| Fixity { precedence, right });
        loop {
            let name = match self.eat(Reserved::Equals) {
                true => "=".into(),
                false => self.name("an operator")?,
            };
            self.fixities.set(name, fixity);
            if !matches!(self.peek(), TokenKind::Name(_)) || self.begins_decl() {
                return Ok(DeclKind::Nothing);
            }
        }
    }

    fn structure_bind(&mut self) -> Parsed<(Symbol, Structure)> {
        let name = self.name("the name of the structure")?;
        if self.eat(Reserved::Colon) || self.eat(Reserved::Seal) {
            self.signature_expr()?;
        }
        self.expect(Reserved::Equals)?;
        let span = self.span();
        if !self.eat(Reserved::Struct) {
            return Ok((name, Structure::Named(self.long_name("a structure")?, span)));
        }
        let outside = self.fixities.clone();
        let decls = self.decls(Reserved::End)?;
        self.expect(Reserved::End)?;
        self.fixities = outside;
        Ok((name, Structure::Body(decls)))
    }

    /// Signatures are parsed but not checked: a structure exports everything.
    fn signature_decl(&mut self) -> Parsed<DeclKind> {
        self.name("the name of the signature")?;
        self.expect(Reserved::Equals)?;
        self.signature_expr()?;
        Ok(DeclKind::Nothing)
    }

    fn signature_expr(&mut self) -> Parsed<()> {
        if !self.eat(Reserved::Sig) {
            self.long_name("a signature")?;
            return Ok(());
        }
        let mut open = 1;
        while open > 0 {
            match self.peek() {
                TokenKind::Reserved(Reserved::Sig) => open += 1,
                TokenKind::Reserved(Reserved::End) => open -= 1,
                TokenKind::End => return self.expected("`end`", None),
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }
}
