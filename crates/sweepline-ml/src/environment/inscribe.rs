//! Inscriptions of places, arcs and transitions.

use crate::ast::{self, ExprKind as Syntax, LongName};
use crate::colour::{ColourSetId, Translation};
use crate::core::{Expr, ExprKind, Literal, VarId};
use crate::elaborate::Elaborator;
use crate::elaborate::scope::Value;
use crate::parse::{Failed, Parser};
use crate::problem::{MlError, MlErrors, Problem};
use crate::source::Span;
use crate::types::{Symbol, TypeId, Types};

use super::Environment;

/// How the type of an inscription relates to the colour set of the place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Typing {
    /// One token, `CS`.
    Token,
    /// `CS ms`.
    MultiSet,
    /// One token with a delay or time stamp, ``1`(e)``: the term is of type `CS tms`.
    TimedToken,
    /// `CS tms`.
    TimedMultiSet,
}

impl Typing {
    /// The order in which CPN Tools tries the typings of an initial marking.
    pub fn initial(timed: bool) -> &'static [Typing] {
        use Typing::{MultiSet, TimedMultiSet, TimedToken, Token};
        if timed { &[Token, MultiSet, TimedMultiSet, TimedToken] } else { &[Token, MultiSet] }
    }

    /// The order in which CPN Tools tries the typings of an arc inscription.
    pub fn arc(timed: bool) -> &'static [Typing] {
        use Typing::{MultiSet, TimedMultiSet, TimedToken, Token};
        if timed { &[Token, MultiSet, TimedToken, TimedMultiSet] } else { &[Token, MultiSet] }
    }
}

/// An elaborated inscription.
#[derive(Clone, PartialEq, Debug)]
pub struct Inscription {
    /// The first typing that matches.
    pub typing: Typing,
    /// The term. Its type is determined by the typing.
    pub expr: Expr,
}

/// The delay of a time region.
#[derive(Clone, PartialEq, Debug)]
pub enum Delay {
    /// `@+ e` with `e : int`.
    Int(Expr),
    /// `@++ e` with `e : time`.
    Time(Expr),
}

impl Delay {
    /// The expression of the delay.
    pub fn expr(&self) -> &Expr {
        let (Delay::Int(expr) | Delay::Time(expr)) = self;
        expr
    }
}

/// An elaborated code segment.
#[derive(Clone, PartialEq, Debug)]
pub struct CodeSegment {
    /// The variables it reads.
    pub input: Vec<VarId>,
    /// The variables it binds.
    pub output: Vec<VarId>,
    /// The action. Its type is that of the output variable, a tuple of several output variables, or any type
    /// if there are none.
    pub action: Expr,
}

/// The names that a text may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// Only declarations: for initial markings and priorities.
    Declared,
    /// Also the variables of the net.
    Net,
}

impl Environment {
    /// The initial marking of a place, in the first typing that matches. Variables of the net are not allowed.
    ///
    /// # Errors
    ///
    /// All mistakes in it, or that its type does not match the colour set.
    pub fn initial_marking(
        &mut self,
        name: &str,
        text: &str,
        colour_set: ColourSetId,
    ) -> Result<Inscription, MlErrors> {
        let typings = Typing::initial(self.colour_set(colour_set).timed);
        self.inscription(name, text, colour_set, typings, Scope::Declared)
    }

    /// The inscription of an arc, in the first typing that matches.
    ///
    /// # Errors
    ///
    /// All mistakes in it, or that its type does not match the colour set.
    pub fn arc(
        &mut self,
        name: &str,
        text: &str,
        colour_set: ColourSetId,
    ) -> Result<Inscription, MlErrors> {
        let typings = Typing::arc(self.colour_set(colour_set).timed);
        self.inscription(name, text, colour_set, typings, Scope::Net)
    }

    fn inscription(
        &mut self,
        name: &str,
        text: &str,
        colour_set: ColourSetId,
        typings: &[Typing],
        scope: Scope,
    ) -> Result<Inscription, MlErrors> {
        let source = self.state.sources.add(name, text);
        if is_blank(text) {
            let wanted = "a token, a multi-set of tokens such as ``1`x``, or `empty`";
            let span = Span { source, start: 0, end: 0 };
            return Err(self.errors(vec![(Problem::Empty { wanted }, span)]));
        }
        let written = self.parsed_again(source, Parser::inscription);
        let delayed = self.parsed_again(source, |parser| parser.delayed().ok_or(Failed)).ok();
        for &typing in typings {
            for syntax in candidates(typing, written.as_ref().ok(), delayed.as_ref()) {
                let ty = self.inscription_type(colour_set, typing);
                if let Ok(expr) = self.attempt(&syntax, Some(ty), scope) {
                    return Ok(Inscription { typing, expr });
                }
            }
        }
        let written = written?;
        match self.attempt(&written, None, scope) {
            Err(errors) => Err(self.errors(errors)),
            Ok(expr) => {
                let found = self.show(expr.ty);
                let wanted = typings.iter().map(|typing| {
                    let ty = self.inscription_type(colour_set, *typing);
                    format!("`{}`", self.show(ty))
                });
                let mut wanted: Vec<String> = wanted.collect();
                wanted.dedup();
                let colour_set = self.colour_set(colour_set).name.to_string();
                let problem = Problem::NoTyping { found, colour_set, wanted };
                Err(self.errors(vec![(problem, written.span)]))
            }
        }
    }

    fn inscription_type(&mut self, colour_set: ColourSetId, typing: Typing) -> TypeId {
        let token = self.colour_set(colour_set).ty;
        let types = &mut self.state.program.types;
        match typing {
            Typing::Token => token,
            Typing::MultiSet => types.list(token),
            Typing::TimedToken | Typing::TimedMultiSet => {
                let timed = types.timed(token);
                types.list(timed)
            }
        }
    }

    /// Elaborates an expression with the variables of the net. If it fails, the environment is unchanged.
    fn attempt(
        &mut self,
        syntax: &ast::Expr,
        expected: Option<TypeId>,
        scope: Scope,
    ) -> Result<Expr, Vec<(Problem, Span)>> {
        let variables = self.state.program.variables.len();
        let mark = self.state.scope.mark();
        if scope == Scope::Net {
            for (name, var) in &self.state.cpn_variables {
                self.state.scope.values.push(name.clone(), Value::Variable(*var));
            }
        }
        let mut elaborator = Elaborator::new(&mut self.state);
        let expr = elaborator.whole_expr(syntax, expected);
        let errors = std::mem::take(&mut elaborator.errors);
        self.state.scope.undo(mark);
        if errors.is_empty() {
            return Ok(expr);
        }
        self.state.program.variables.truncate(variables);
        Err(errors)
    }

    /// An expression of the given type, or of any type.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn expr(
        &mut self,
        name: &str,
        text: &str,
        expected: Option<TypeId>,
    ) -> Result<Expr, MlErrors> {
        self.fixed(name, text, expected, Scope::Declared)
    }

    pub(super) fn fixed(
        &mut self,
        name: &str,
        text: &str,
        expected: Option<TypeId>,
        scope: Scope,
    ) -> Result<Expr, MlErrors> {
        let syntax = self.parsed(name, text, Parser::whole_expr)?;
        self.attempt(&syntax, expected, scope).map_err(|errors| self.errors(errors))
    }

    /// The conjuncts of a guard, each of type `bool`. A blank text has none.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn guard(&mut self, name: &str, text: &str) -> Result<Vec<Expr>, MlErrors> {
        if is_blank(text) {
            return Ok(Vec::new());
        }
        let parts = self.parsed(name, text, Parser::guard)?;
        if let [part] = &parts[..] {
            let list = self.state.program.types.list(Types::BOOL);
            let all = apply("CPN'all_true", part.clone());
            let is_list = self.attempt(part, Some(list), Scope::Net).is_ok();
            if let (true, Ok(conjunct)) = (is_list, self.attempt(&all, None, Scope::Net)) {
                return Ok(vec![conjunct]);
            }
        }
        let (mut conjuncts, mut errors) = (Vec::new(), Vec::new());
        for part in &parts {
            match self.attempt(part, Some(Types::BOOL), Scope::Net) {
                Ok(conjunct) => conjuncts.push(conjunct),
                Err(more) => errors.extend(more),
            }
        }
        if errors.is_empty() { Ok(conjuncts) } else { Err(self.errors(errors)) }
    }

    /// A time region, `@+ e` or `@++ e`. A blank text is no delay.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn time_region(&mut self, name: &str, text: &str) -> Result<Option<Delay>, MlErrors> {
        if is_blank(text) {
            return Ok(None);
        }
        let (of_time, syntax) = self.parsed(name, text, Parser::time_region)?;
        let time = self.state.scope.types.get("time").map_or(Types::INT_INF, |known| known.ty);
        let ty = if of_time { time } else { Types::INT };
        let expr = self.attempt(&syntax, Some(ty), Scope::Net);
        let expr = expr.map_err(|errors| self.errors(errors))?;
        Ok(Some(if of_time { Delay::Time(expr) } else { Delay::Int(expr) }))
    }

    /// A priority: an `int` without variables. A blank text is no priority.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn priority(&mut self, name: &str, text: &str) -> Result<Option<Expr>, MlErrors> {
        if is_blank(text) {
            return Ok(None);
        }
        self.fixed(name, text, Some(Types::INT), Scope::Declared).map(Some)
    }

    /// A code segment. `None` if the text is blank or has no action.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn code_segment(
        &mut self,
        name: &str,
        text: &str,
    ) -> Result<Option<CodeSegment>, MlErrors> {
        if is_blank(text) {
            return Ok(None);
        }
        let syntax = self.parsed(name, text, Parser::code_segment)?;
        let mut errors = Vec::new();
        let input = self.named_variables(&syntax.input, &mut errors);
        let output = self.named_variables(&syntax.output, &mut errors);
        let types: Vec<TypeId> =
            output.iter().map(|var| self.state.program.variable(*var).scheme.ty).collect();
        let expected = (!types.is_empty()).then(|| self.state.program.types.tuple(&types));
        let Some(action) = &syntax.action else {
            self.refuse(errors)?;
            return Ok(None);
        };
        let action = self.attempt(action, expected, Scope::Net);
        let action = action.map_err(|more| errors.extend(more));
        match action {
            Ok(action) if errors.is_empty() => Ok(Some(CodeSegment { input, output, action })),
            _ => Err(self.errors(errors)),
        }
    }

    fn named_variables(
        &self,
        names: &[(Symbol, Span)],
        errors: &mut Vec<(Problem, Span)>,
    ) -> Vec<VarId> {
        let mut variables = Vec::new();
        for (name, span) in names {
            match self.state.cpn_variables.get(name) {
                Some(var) => variables.push(*var),
                None => {
                    let known = self.state.cpn_variables.keys().map(|name| &**name);
                    let help = crate::elaborate::suggestion(&self.state, name, known);
                    let name = name.to_string();
                    errors.push((Problem::Unknown { what: "variable", name, help }, *span));
                }
            }
        }
        variables
    }

    /// The variables of the net in a term, each once, in order of appearance.
    pub fn variables_in(&self, expr: &Expr) -> Vec<VarId> {
        let mut found = Vec::new();
        expr.each(&mut |part| {
            if let ExprKind::Var(var, _) = part.kind
                && self.is_cpn_variable(var)
                && !found.contains(&var)
            {
                found.push(var);
            }
        });
        found
    }
}

/// Reads the texts of a spec.
pub(super) struct ReadingSpec<'e> {
    pub(super) environment: &'e mut Environment,
    /// The name of its texts in messages.
    pub(super) name: &'e str,
    pub(super) errors: Vec<MlError>,
}

impl Translation<String, String, String> for ReadingSpec<'_> {
    type Name = Symbol;
    type Set = Symbol;
    type Expr = ast::Expr;

    fn name(&mut self, name: &String) -> Symbol {
        name.as_str().into()
    }

    fn set(&mut self, set: &String) -> Option<Symbol> {
        Some(set.as_str().into())
    }

    fn expr(&mut self, _what: &str, text: &String) -> Option<ast::Expr> {
        let parsed = self.environment.parsed(self.name, text, Parser::whole_expr);
        parsed.map_err(|wrong| self.errors.extend(wrong.errors)).ok()
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn name(name: &str, span: Span) -> ast::Expr {
    ast::Expr { kind: Syntax::Name(LongName::simple(name)), span, depth: 1 }
}

fn apply(function: &str, argument: ast::Expr) -> ast::Expr {
    let (span, depth) = (argument.span, argument.depth + 1);
    let kind = Syntax::Apply(Box::new(name(function, span)), Box::new(argument));
    ast::Expr { kind, span, depth }
}

fn pair(left: ast::Expr, right: ast::Expr) -> ast::Expr {
    let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth) + 1);
    ast::Expr { kind: Syntax::Tuple(vec![left, right]), span, depth }
}

/// ``1`(e)``.
fn one_of(expr: ast::Expr) -> ast::Expr {
    let one = Syntax::Constant(Literal::IntInf(1.into()));
    let one = ast::Expr { kind: one, span: expr.span, depth: 1 };
    apply("`", pair(one, expr))
}

/// The possible readings of an inscription in a typing: as written, and with everything to the left of the
/// first `@+` in parentheses, as CPN Tools rewrites it.
fn candidates(
    typing: Typing,
    written: Option<&ast::Expr>,
    delayed: Option<&(ast::Expr, LongName, Span, ast::Expr)>,
) -> Vec<ast::Expr> {
    let single = typing == Typing::TimedToken;
    let wrap = |expr: &ast::Expr| if single { one_of(expr.clone()) } else { expr.clone() };
    let mut found: Vec<ast::Expr> = written.map(wrap).into_iter().collect();
    if let (Typing::TimedToken | Typing::TimedMultiSet, Some((left, operator, _, delay))) =
        (typing, delayed)
    {
        found.push(apply(&operator.name, pair(wrap(left), delay.clone())));
    }
    found
}
