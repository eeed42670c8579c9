//! Parses expressions by precedence.

use std::sync::{Arc, OnceLock};

use sweepline_source::Span;

use super::{MAX_DEPTH, Parsed, Parser};
use crate::csp::ast::{
    Binary, Choice, Expr, Field, Items, Kind, Lambda, Operator, Prefix, Renaming, Replicated, Stmt,
    Sym,
};
use crate::csp::lex::Tok;
use crate::problem::Problem;

/// Infix and postfix operators with their precedence. Operators on processes bind less tightly than those on
/// values.
const OPERATORS: [(&str, u8); 18] = [
    ("@@", 1),
    ("\\ |\\", 2),
    ("|||", 3),
    ("[| [ [+ /+", PARALLEL),
    ("|~|", 5),
    ("[]", 6),
    ("/\\", 7),
    ("[>", 8),
    (";", 9),
    ("-> &", PREFIX),
    ("? ! $", FIELD),
    (".", DOT),
    ("or", 15),
    ("and", 16),
    ("== != <= >= < >", 18),
    ("+ -", 19),
    ("* / %", MULTIPLY),
    ("^", 22),
];
const PARALLEL: u8 = 4;
const PREFIX: u8 = 10;
const FIELD: u8 = 11;
const DOT: u8 = 13;
const NOT: u8 = 17;
const MULTIPLY: u8 = 20;
const LENGTH: u8 = 21;
/// The precedence of calls and renaming.
const CALL: u8 = 23;

/// The precedence of operands of a dot and of generators.
pub(super) const OPERAND: u8 = DOT;

impl Parser<'_> {
    /// An expression whose operators have at least the precedence `least`.
    pub(in crate::csp) fn expr(&mut self, least: u8) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.depth = 0;
            let span = self.span();
            return Err(self.report(span, Problem::TooDeep { limit: MAX_DEPTH }));
        }
        let mut left = self.operand()?;
        while let Some(strength) = self.operator() {
            if strength < least {
                break;
            }
            left = self.operation(left, strength)?;
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(left)
    }

    /// The precedence of the next token, if it is an infix or postfix operator.
    fn operator(&self) -> Option<u8> {
        let token = self.peek();
        let sym = match &token.tok {
            Tok::Ident(word) => word.as_str(),
            Tok::Sym(sym) => sym,
            _ => return None,
        };
        // These tokens may start a declaration or continue an expression.
        let breaks = token.starts_line && self.brackets == 0;
        match sym {
            "<" | "-" | "(" if breaks => None,
            ">" if self.in_seq => None,
            "(" | "[[" => Some(CALL),
            _ => {
                let of = |(all, _): &&(&str, u8)| all.split(' ').any(|own| own == sym);
                OPERATORS.iter().find(of).map(|(_, strength)| *strength)
            }
        }
    }

    /// `left` and the operator after it.
    fn operation(&mut self, left: Expr, strength: u8) -> Parsed<Expr> {
        let start = left.span;
        let token = self.next();
        let sym = match &token.tok {
            Tok::Sym(sym) => sym,
            Tok::Ident(word) if word == "and" => "and",
            _ => "or",
        };
        // Operators of equal precedence associate to the left, except `->`, `&` and `.`.
        let kind = match sym {
            "?" | "!" | "$" | "->" => {
                self.at -= 1;
                return self.prefix(left);
            }
            "." => return self.dots(left),
            "&" => Kind::Guard(Box::new([left, self.expr(PREFIX)?])),
            "(" => Kind::Call(Box::new(left), self.list_to(")", |p| p.expr(0))?),
            "[[" => Kind::Rename(Box::new(left), self.renaming("<-", "]]")?),
            "[|" => return self.interface(left),
            "[" => return self.alphabets(left),
            "[+" | "/+" => {
                let what = "synchronising choice and interrupt (`[+A+]`, `/+A+\\`)".to_owned();
                return Err(self.report(token.span, Problem::Unsupported { what }));
            }
            _ => {
                let right = self.expr(strength + 1)?;
                self.binary(sym, left, right)
            }
        };
        self.node(kind, start)
    }

    /// Infix operators.
    fn binary(&mut self, sym: &str, left: Expr, right: Expr) -> Kind {
        let value = |op, left, right| Kind::Binary(op, Box::new([left, right]));
        match sym {
            "and" => value(Binary::And, left, right),
            "or" => value(Binary::Or, left, right),
            "==" => value(Binary::Eq, left, right),
            "!=" => value(Binary::Ne, left, right),
            "<" => value(Binary::Lt, left, right),
            "<=" => value(Binary::Le, left, right),
            ">" => value(Binary::Gt, left, right),
            ">=" => value(Binary::Ge, left, right),
            "+" => value(Binary::Add, left, right),
            "-" => value(Binary::Sub, left, right),
            "*" => value(Binary::Mul, left, right),
            "/" => value(Binary::Div, left, right),
            "%" => value(Binary::Mod, left, right),
            "^" => value(Binary::Concat, left, right),
            "@@" => Kind::Both(Box::new(left), Box::new(right)),
            "\\" => Kind::Hide(Box::new([left, right])),
            "|\\" => Kind::Project(Box::new([left, right])),
            "|||" => Kind::Interface(None, Box::new([left, right])),
            "|~|" => Kind::Internal(vec![self.later(left), self.later(right)]),
            "[]" => Kind::Choice(Choice::External, Box::new([left, right])),
            "/\\" => Kind::Choice(Choice::Interrupt, Box::new([left, right])),
            "[>" => Kind::Timeout(Box::new(left), self.later(right)),
            _ => Kind::Sequential(Box::new(left), self.later(right)),
        }
    }

    /// `a.b.c`, after `left` and the first dot.
    fn dots(&mut self, left: Expr) -> Parsed<Expr> {
        let start = left.span;
        let mut parts = vec![left];
        loop {
            parts.push(self.expr(DOT + 1)?);
            if !self.eat(".") {
                return self.node(Kind::Dot(parts), start);
            }
        }
    }

    /// `c!1?x:S -> P`, after `channel`, the part before the fields.
    fn prefix(&mut self, channel: Expr) -> Parsed<Expr> {
        let start = channel.span;
        let mut fields = Vec::new();
        loop {
            let token = self.next();
            match token.tok {
                Tok::Sym("!") => fields.push(Field::Output(self.expr(FIELD + 1)?)),
                Tok::Sym(mark @ ("?" | "$")) => {
                    let pattern = self.expr(OPERAND)?;
                    let pattern = self.pattern_of(&pattern)?;
                    let from = match self.eat(":") {
                        true => Some(self.expr(OPERAND)?),
                        false => None,
                    };
                    fields.push(Field::Input { pattern, from, chooses: mark == "$" });
                }
                Tok::Sym("->") => break,
                _ => {
                    self.at -= 1;
                    return Err(self.unexpected("`->`"));
                }
            }
        }
        let span = start.to(self.last_span());
        let body = self.expr(PREFIX)?;
        let (body, id) = (self.later(body), self.fresh());
        let prefix = Prefix { id, span, channel, fields, body, free: OnceLock::new() };
        self.node(Kind::Prefix(Arc::new(prefix)), start)
    }

    /// `P [|A|] Q` or `P [|A|> Q`.
    fn interface(&mut self, left: Expr) -> Parsed<Expr> {
        let start = left.span;
        let set = self.bracketed(|p| p.expr(0))?;
        let kind = if self.eat("|>") {
            let right = self.expr(PARALLEL + 1)?;
            Kind::Exception(Box::new([left, set]), self.later(right))
        } else {
            self.expect("|]")?;
            let right = self.expr(PARALLEL + 1)?;
            Kind::Interface(Some(Box::new(set)), Box::new([left, right]))
        };
        self.node(kind, start)
    }

    /// `P [A||B] Q` or `P [a <-> b] Q`.
    fn alphabets(&mut self, left: Expr) -> Parsed<Expr> {
        let start = left.span;
        let first = self.bracketed(|p| p.expr(0))?;
        let kind = if self.peek().is("<->") {
            let links = self.renaming_from(first, "<->", "]")?;
            let right = self.expr(PARALLEL + 1)?;
            Kind::Link(Box::new([left, right]), links)
        } else {
            self.expect("||")?;
            let second = self.bracketed(|p| p.expr(0))?;
            self.expect("]")?;
            let right = self.expr(PARALLEL + 1)?;
            Kind::Alphabetised(Box::new([left, first, second, right]))
        };
        self.node(kind, start)
    }

    /// `a <- b, c <- d | x <- S` up to `end`.
    fn renaming(&mut self, arrow: &'static str, end: &'static str) -> Parsed<Renaming> {
        if self.eat(end) {
            return Ok(Renaming { pairs: Vec::new(), stmts: Vec::new() });
        }
        let first = self.bracketed(|p| p.expr(OPERAND))?;
        self.renaming_from(first, arrow, end)
    }

    fn renaming_from(
        &mut self,
        first: Expr,
        arrow: &'static str,
        end: &'static str,
    ) -> Parsed<Renaming> {
        self.bracketed(|p| {
            let mut pairs = Vec::new();
            let mut from = first;
            loop {
                p.expect(arrow)?;
                pairs.push((from, p.expr(OPERAND)?));
                if !p.eat(",") {
                    break;
                }
                from = p.expr(OPERAND)?;
            }
            let stmts = p.stmts_behind_bar()?;
            p.expect(end)?;
            Ok(Renaming { pairs, stmts })
        })
    }

    /// `| x <- S, b`, if there is a bar.
    fn stmts_behind_bar(&mut self) -> Parsed<Vec<Stmt>> {
        match self.eat("|") {
            true => self.list(&[], Self::stmt),
            false => Ok(Vec::new()),
        }
    }

    /// `x <- S`, `x : S` or a condition.
    fn stmt(&mut self) -> Parsed<Stmt> {
        let expr = self.expr(OPERAND)?;
        if self.eat("<-") || self.eat(":") {
            let pattern = self.pattern_of(&expr)?;
            return Ok(Stmt::Generator(pattern, self.expr(FIELD + 1)?));
        }
        Ok(Stmt::Guard(expr))
    }

    /// An expression that does not begin with an operand on its left.
    fn operand(&mut self) -> Parsed<Expr> {
        let token = self.next();
        let start = token.span;
        let kind = match token.tok {
            Tok::Int(n) => Kind::Int(n),
            Tok::Str(text) => Kind::Str(text),
            Tok::Ident(word) => return self.word(&word, start),
            Tok::Sym(sym) => match sym {
                "(" => return self.parenthesised(start),
                "{" => Kind::Set(self.bracketed(|p| p.items("}"))?),
                "{|" => Kind::Productions(self.bracketed(|p| p.items("|}"))?),
                "<" => Kind::Seq(self.within(true, |p| p.items(">"))?),
                "(|" => Kind::Map(self.list_to("|)", |p| {
                    let key = p.expr(0)?;
                    p.expect("=>")?;
                    Ok((key, p.expr(0)?))
                })?),
                "_" => Kind::Wildcard,
                "-" => Kind::Negate(Box::new(self.expr(MULTIPLY)?)),
                "#" => Kind::Length(Box::new(self.expr(LENGTH)?)),
                "\\" => self.lambda()?,
                "[]" => self.replicated(Operator::External)?,
                "|~|" => self.replicated(Operator::Internal)?,
                "|||" => self.replicated(Operator::Interleave)?,
                ";" => self.replicated(Operator::Sequential)?,
                "[|" => {
                    let set = self.bracketed(|p| p.expr(0))?;
                    self.expect("|]")?;
                    self.replicated(Operator::Interface(Box::new(set)))?
                }
                "||" => self.replicated_alphabets()?,
                "[" | "[+" => {
                    let what = "replicated `[a <-> b]` and `[+A+]`".to_owned();
                    return Err(self.report(start, Problem::Unsupported { what }));
                }
                _ => {
                    self.at -= 1;
                    return Err(self.unexpected("an expression"));
                }
            },
            _ => {
                self.at = self.at.saturating_sub(usize::from(token.tok != Tok::End));
                return Err(self.unexpected("an expression"));
            }
        };
        self.node(kind, start)
    }

    fn word(&mut self, word: &str, start: Span) -> Parsed<Expr> {
        let kind = match word {
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            "not" => Kind::Not(Box::new(self.expr(NOT)?)),
            "if" => {
                let condition = self.expr(0)?;
                self.expect_word("then")?;
                let then = self.expr(0)?;
                self.expect_word("else")?;
                Kind::If(Box::new([condition, then, self.expr(0)?]))
            }
            "let" => {
                let group = self.let_group()?;
                self.expect_word("within")?;
                Kind::Let(Arc::new(group), Box::new(self.expr(0)?))
            }
            _ if super::is_keyword(word) => {
                self.at -= 1;
                return Err(self.unexpected("an expression"));
            }
            _ if self.peek().is("::") => {
                let what = "names in modules (`module::name`)".to_owned();
                return Err(self.report(start, Problem::Unsupported { what }));
            }
            _ => Kind::Name(Sym(self.to.names.intern(word))),
        };
        self.node(kind, start)
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    /// `(e)` or `(a, b)`.
    fn parenthesised(&mut self, start: Span) -> Parsed<Expr> {
        let mut all = self.bracketed(|p| {
            let all = p.list(&[], |p| p.expr(0))?;
            p.expect(")")?;
            Ok(all)
        })?;
        match all.len() {
            1 => Ok(Expr { span: start.to(self.last_span()), ..all.remove(0) }),
            _ => self.node(Kind::Tuple(all), start),
        }
    }

    /// The content of `{...}`, including its end.
    fn items(&mut self, end: &'static str) -> Parsed<Items> {
        let mut all = self.list(&[end, "|"], |p| p.expr(0))?;
        let items = if all.len() == 1 && self.eat("..") {
            let from = Box::new(all.remove(0));
            let open = self.peek().is(end) || self.peek().is("|");
            let to = if open { None } else { Some(Box::new(self.expr(0)?)) };
            Items::Range(from, to, self.stmts_behind_bar()?)
        } else {
            Items::List(all, self.stmts_behind_bar()?)
        };
        self.expect(end)?;
        Ok(items)
    }

    /// `\ x, y @ e`, after the backslash.
    fn lambda(&mut self) -> Parsed<Kind> {
        let params = self.list(&[], |p| p.expr(OPERAND))?;
        let params = self.patterns_of(&params)?;
        self.expect("@")?;
        let body = self.expr(0)?;
        let (body, free) = (self.later(body), OnceLock::new());
        Ok(Kind::Lambda(Arc::new(Lambda { params, body, free })))
    }

    /// `x : S, y : T @ P`, after the operator.
    fn replicated(&mut self, op: Operator) -> Parsed<Kind> {
        let stmts = self.list(&[], Self::stmt)?;
        self.expect("@")?;
        let body = self.expr(0)?;
        Ok(Kind::Replicated(Replicated { op, stmts, body: self.later(body) }))
    }

    /// `x : S @ [A(x)] P(x)`, after `||`.
    fn replicated_alphabets(&mut self) -> Parsed<Kind> {
        let stmts = self.list(&[], Self::stmt)?;
        self.expect("@")?;
        self.expect("[")?;
        let alphabet = self.bracketed(|p| p.expr(0))?;
        self.expect("]")?;
        let body = self.expr(0)?;
        let op = Operator::Alphabetised(self.later(alphabet));
        Ok(Kind::Replicated(Replicated { op, stmts, body: self.later(body) }))
    }
}
