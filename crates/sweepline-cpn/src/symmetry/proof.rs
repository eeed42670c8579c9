//! Proves from the inscriptions that a net is invariant under permutations of colours.
//!
//! A term that neither creates nor inspects colours of the sets is equivariant: for permuted values it has the
//! permuted result, because it can only copy colours and compare them by `=`. Only `all` of a colour set
//! creates colours. A permutation of them is no change of the multi-set, but is a change of the list; so a
//! term must not depend on the order of such a list. The same holds for the marking of a place, in expressions
//! about markings.

use std::collections::{HashMap, HashSet};

use sweepline_ml::core::{Bind, Expr, ExprKind, Lambda, Pattern, PatternKind, Rule, VarId};
use sweepline_ml::{ColourSetId, ColourSetKind, DataId, Environment, Prim, SourceId, Span, TypeId};

use super::has_part;

/// The relation of a value after a permutation to the permuted value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Level {
    /// They are equal.
    Exact,
    /// It is a list with the same elements in another order.
    Bag,
    /// A tuple of values with these relations.
    Tuple(Vec<Level>),
}

/// A level, or the position where it is not known.
pub(super) type Known = Result<Level, Span>;

type Scope = HashMap<VarId, Level>;

/// The deepest nesting of applications that is followed.
const MOST_DEPTH: usize = 64;
/// The most terms that are visited. The body of a function counts at each application.
const MOST_TERMS: usize = 1 << 18;

/// What a library function does with multi-sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Library {
    /// Maps a function over a multi-set.
    Map,
    /// Maps a function that returns multi-sets over a multi-set, and joins the results.
    Flat,
    /// Tests the elements of a multi-set with a function.
    Test,
    /// Joins a list of multi-sets.
    Join,
}

const LIBRARY: [(&str, Library); 13] = [
    ("List.map", Library::Map),
    ("List.filter", Library::Map),
    ("ext_col", Library::Map),
    ("filter", Library::Map),
    ("predlist", Library::Map),
    ("List.exists", Library::Test),
    ("List.all", Library::Test),
    ("ext_ms", Library::Flat),
    ("CPN'CS.flat", Library::Flat),
    ("fmap", Library::Flat),
    ("List.concat", Library::Join),
    ("flatten", Library::Join),
    ("ms", Library::Join),
];

/// The data of a proof.
pub(super) struct Proof<'p> {
    environment: &'p Environment,
    /// The datatypes whose colours are permuted.
    data: Vec<DataId>,
    /// The top-level values.
    binds: HashMap<VarId, &'p Expr>,
    /// The functions `all` and `size` of sets that contain such colours.
    all: HashMap<VarId, ColourSetId>,
    sizes: HashSet<VarId>,
    library: HashMap<VarId, Library>,
    /// Variables for places.
    places: HashSet<VarId>,
    /// The levels of top-level values that were computed.
    memory: HashMap<VarId, Known>,
    depth: usize,
    /// The number of terms that may still be visited.
    fuel: usize,
}

impl<'p> Proof<'p> {
    pub(super) fn new(
        environment: &'p Environment,
        types: &[TypeId],
        data: Vec<DataId>,
        places: HashSet<VarId>,
    ) -> Self {
        let program = environment.program();
        let binds: HashMap<VarId, &Expr> =
            program.binds.iter().flat_map(Bind::named_values).collect();
        let (mut all, mut sizes) = (HashMap::new(), HashSet::new());
        for (number, set) in (0..).zip(environment.colour_sets()) {
            if has_part(program, set.ty, &|part| types.contains(&part)) {
                all.extend(set.function("all").map(|var| (var, ColourSetId(number))));
                sizes.extend(set.function("size"));
            }
        }
        // The model may redeclare a function of the library; nothing is known of that one.
        let own = |var: &VarId| {
            let value = binds.get(var);
            value.is_some_and(|value: &&Expr| environment.sources().is_library(value.span.source))
        };
        let known = LIBRARY.iter().filter_map(|(name, what)| {
            let var = environment.function(name).filter(own)?;
            Some((var, *what))
        });
        let library = known.collect();
        let (memory, depth, fuel) = (HashMap::new(), 0, 0);
        Proof { environment, data, binds, all, sizes, library, places, memory, depth, fuel }
    }

    /// Treats a variable as invariant: whether a marking is dead does not depend on the names of colours.
    pub(super) fn assume_exact(&mut self, var: Option<VarId>) {
        self.memory.extend(var.map(|var| (var, Ok(Level::Exact))));
    }

    /// Whether the set is closed under permutations. `false` if that is not known.
    pub(super) fn is_closed(&mut self, id: ColourSetId) -> bool {
        match &self.environment.colour_set(id).kind {
            ColourSetKind::SubsetWith { .. } => false,
            ColourSetKind::SubsetBy { of, predicate } => {
                self.fuel = self.fuel.max(MOST_TERMS);
                let nowhere = Span { source: SourceId(0), start: 0, end: 0 };
                self.is_closed(*of) && self.global(*predicate, nowhere) == Ok(Level::Exact)
            }
            ColourSetKind::Alias { of } | ColourSetKind::List { element: of, .. } => {
                self.is_closed(*of)
            }
            ColourSetKind::Product { components } => components.iter().all(|&c| self.is_closed(c)),
            ColourSetKind::Record { fields } => fields.iter().all(|(_, c)| self.is_closed(*c)),
            ColourSetKind::Union { constructors } => {
                constructors.iter().filter_map(|(_, c)| *c).all(|c| self.is_closed(c))
            }
            _ => true,
        }
    }

    /// The level of a term whose variables have permuted values.
    pub(super) fn term(&mut self, expr: &Expr) -> Known {
        self.fuel = MOST_TERMS;
        self.level(expr, &mut Scope::new())
    }

    /// Checks that the value of a term is the permuted value.
    pub(super) fn exact(&mut self, expr: &Expr) -> Result<(), Span> {
        match self.term(expr)? {
            Level::Exact => Ok(()),
            _ => Err(expr.span),
        }
    }

    fn all_exact<'e>(
        &mut self,
        parts: impl IntoIterator<Item = &'e Expr>,
        scope: &mut Scope,
    ) -> Known {
        for part in parts {
            if self.level(part, scope)? != Level::Exact {
                return Err(part.span);
            }
        }
        Ok(Level::Exact)
    }

    fn level(&mut self, expr: &Expr, scope: &mut Scope) -> Known {
        self.fuel = self.fuel.checked_sub(1).ok_or(expr.span)?;
        match &expr.kind {
            ExprKind::Var(var, _) => match scope.get(var) {
                Some(level) => Ok(level.clone()),
                None => self.global(*var, expr.span),
            },
            ExprKind::Literal(_) => Ok(Level::Exact),
            ExprKind::Lambda(lambda) => self.function(lambda, scope),
            ExprKind::Apply(..) => self.apply(expr, scope),
            ExprKind::Prim { op, args, .. } => self.primitive(expr.span, *op, args, scope),
            ExprKind::Record(fields) => {
                let mut levels = vec![Level::Exact; fields.len()];
                for field in fields {
                    levels[field.position as usize] = self.level(&field.value, scope)?;
                }
                Ok(tuple(levels))
            }
            ExprKind::Select { record, position, .. } => match self.level(record, scope)? {
                Level::Exact => Ok(Level::Exact),
                Level::Tuple(mut levels) => Ok(levels.swap_remove(*position as usize)),
                Level::Bag => Err(expr.span),
            },
            ExprKind::Construct { con, .. } if self.data.contains(&con.data) => Err(expr.span),
            ExprKind::Construct { con, arg } => {
                let arg = arg.as_ref().map_or(Ok(Level::Exact), |arg| self.level(arg, scope))?;
                match (con.data, arg) {
                    (_, Level::Exact) => Ok(Level::Exact),
                    (DataId::LIST, Level::Tuple(parts)) if parts[0] == Level::Exact => {
                        Ok(Level::Bag)
                    }
                    _ => Err(expr.span),
                }
            }
            ExprKind::List(parts) | ExprKind::Sequence(parts) => self.all_exact(parts, scope),
            ExprKind::Exception { arg, .. } => self.all_exact(arg.as_deref(), scope),
            ExprKind::Raise(inner) => self.all_exact([&**inner], scope),
            ExprKind::If(parts) => {
                self.all_exact([&parts[0]], scope)?;
                let (one, other) = (self.level(&parts[1], scope)?, self.level(&parts[2], scope)?);
                either(one, other).ok_or(expr.span)
            }
            ExprKind::Case { scrutinee, rules, .. } => {
                let level = self.level(scrutinee, scope)?;
                self.rules(&level, rules, scope)
            }
            ExprKind::Let { binds, body } => {
                for bind in binds {
                    self.bind(bind, scope)?;
                }
                self.level(body, scope)
            }
            // Which exception is raised first may depend on an order.
            ExprKind::Handle { .. } | ExprKind::While(..) | ExprKind::Wrong => Err(expr.span),
        }
    }

    fn levels<'e>(
        &mut self,
        parts: impl IntoIterator<Item = &'e Expr>,
        scope: &mut Scope,
    ) -> Result<Vec<Level>, Span> {
        parts.into_iter().map(|part| self.level(part, scope)).collect()
    }

    /// Checks that a function maps permuted values to permuted values.
    fn function(&mut self, lambda: &Lambda, scope: &mut Scope) -> Known {
        scope.insert(lambda.param, Level::Exact);
        self.all_exact([&lambda.body], scope)
    }

    fn rules(&mut self, level: &Level, rules: &[Rule], scope: &mut Scope) -> Known {
        let mut result = Level::Exact;
        for Rule { pattern, body } in rules {
            self.pattern(pattern, level, scope)?;
            let level = self.level(body, scope)?;
            result = either(result, level).ok_or(body.span)?;
        }
        Ok(result)
    }

    fn pattern(&self, pattern: &Pattern, level: &Level, scope: &mut Scope) -> Result<(), Span> {
        match (&pattern.kind, level) {
            (PatternKind::Wildcard, _) => Ok(()),
            (PatternKind::Var(var), level) => {
                scope.insert(*var, level.clone());
                Ok(())
            }
            (PatternKind::As(var, inner), level) => {
                scope.insert(*var, level.clone());
                self.pattern(inner, level, scope)
            }
            (PatternKind::Record(fields), Level::Tuple(levels)) => fields
                .iter()
                .try_for_each(|f| self.pattern(&f.pattern, &levels[f.position as usize], scope)),
            (PatternKind::Construct { con, .. }, _) if self.data.contains(&con.data) => {
                Err(pattern.span)
            }
            (_, Level::Bag | Level::Tuple(_)) => Err(pattern.span),
            (PatternKind::Literal(_), _) => Ok(()),
            (PatternKind::Record(fields), Level::Exact) => {
                fields.iter().try_for_each(|f| self.pattern(&f.pattern, &Level::Exact, scope))
            }
            (PatternKind::Construct { arg, .. } | PatternKind::Exception { arg, .. }, _) => {
                arg.iter().try_for_each(|arg| self.pattern(arg, &Level::Exact, scope))
            }
            (PatternKind::Ref(_), _) => Err(pattern.span),
        }
    }

    fn bind(&mut self, bind: &Bind, scope: &mut Scope) -> Result<(), Span> {
        match bind {
            Bind::Value { var, value, .. } => {
                let level = self.level(value, scope)?;
                scope.insert(*var, level);
            }
            Bind::Pattern { pattern, value } => {
                let level = self.level(value, scope)?;
                self.pattern(pattern, &level, scope)?;
            }
            Bind::Recursive { functions, .. } => {
                // Each function is assumed exact in the others, unless that leads to a contradiction.
                scope.extend(functions.iter().map(|(var, _)| (*var, Level::Exact)));
                self.all_exact(functions.iter().map(|(_, value)| value), scope)?;
            }
        }
        Ok(())
    }

    /// The level of a top-level value.
    fn global(&mut self, var: VarId, span: Span) -> Known {
        if self.places.contains(&var) {
            return Ok(Level::Bag);
        }
        if self.environment.is_cpn_variable(var) || self.sizes.contains(&var) {
            return Ok(Level::Exact);
        }
        if let Some(known) = self.memory.get(&var) {
            return known.clone().map_err(|_| span);
        }
        let (Some(&value), false) = (self.binds.get(&var), self.all.contains_key(&var)) else {
            return Err(span);
        };
        if self.environment.is_reference(var) {
            return Err(span);
        }
        // Mutually recursive functions are assumed exact, unless that leads to a contradiction.
        self.memory.insert(var, Ok(Level::Exact));
        let known = self.level(value, &mut Scope::new()).map_err(|_| span);
        if known != Ok(Level::Exact) {
            // Results that were derived from the assumption are discarded.
            self.memory.retain(|_, known| known.is_err());
        }
        self.memory.insert(var, known.clone());
        known
    }

    fn apply(&mut self, expr: &Expr, scope: &mut Scope) -> Known {
        let (mut head, mut args) = (expr, Vec::new());
        while let ExprKind::Apply(function, arg) = &head.kind {
            args.push(&**arg);
            head = function;
        }
        args.reverse();
        if let ExprKind::Var(var, _) = &head.kind
            && !scope.contains_key(var)
        {
            return self.call(expr.span, self.meaning(*var), &args, scope);
        }
        let levels = self.levels(args, scope)?;
        self.inline(expr.span, head, &levels, scope)
    }

    /// Follows a variable that is only another name.
    fn meaning(&self, mut var: VarId) -> VarId {
        while let Some(Expr { kind: ExprKind::Var(other, _), .. }) = self.binds.get(&var) {
            var = *other;
        }
        var
    }

    /// The application of a top-level function.
    fn call(&mut self, span: Span, var: VarId, args: &[&Expr], scope: &mut Scope) -> Known {
        if let Some(&set) = self.all.get(&var) {
            return if self.is_closed(set) { Ok(Level::Bag) } else { Err(span) };
        }
        if let Some(&what) = self.library.get(&var)
            && let Some(level) = self.of_library(what, args, scope)?
        {
            return Ok(level);
        }
        let levels = self.levels(args.iter().copied(), scope)?;
        let exact = levels.iter().all(|level| *level == Level::Exact);
        if exact && self.global(var, span) == Ok(Level::Exact) {
            return Ok(Level::Exact);
        }
        match self.binds.get(&var) {
            Some(&value) => self.inline(span, value, &levels, &mut Scope::new()),
            None => Err(span),
        }
    }

    /// The result of a known library function on multi-sets. `None` for other arguments.
    fn of_library(
        &mut self,
        what: Library,
        args: &[&Expr],
        scope: &mut Scope,
    ) -> Result<Option<Level>, Span> {
        let multi_set = |this: &mut Self, expr: &Expr, scope: &mut Scope| {
            let level = this.level(expr, scope)?;
            if matches!(level, Level::Tuple(_)) { Err(expr.span) } else { Ok(level) }
        };
        match (what, args) {
            (Library::Join, [list]) => multi_set(self, list, scope).map(Some),
            (Library::Map | Library::Test | Library::Flat, [function, list]) => {
                let of = multi_set(self, list, scope)?;
                match (what, self.inline(function.span, function, &[Level::Exact], scope)?) {
                    (Library::Test, Level::Exact) => Ok(Some(Level::Exact)),
                    (Library::Map, Level::Exact) => Ok(Some(of)),
                    (Library::Flat, each @ (Level::Exact | Level::Bag)) => {
                        either(of, each).map(Some).ok_or(list.span)
                    }
                    _ => Err(function.span),
                }
            }
            _ => Ok(None),
        }
    }

    /// The application of a function: its body with the levels of the arguments.
    fn inline(
        &mut self,
        span: Span,
        mut function: &Expr,
        levels: &[Level],
        scope: &mut Scope,
    ) -> Known {
        if self.depth >= MOST_DEPTH {
            return Err(span);
        }
        self.depth += 1;
        let mut rest = levels.iter();
        while let (ExprKind::Lambda(lambda), Some(level)) =
            (&function.kind, rest.as_slice().first())
        {
            scope.insert(lambda.param, level.clone());
            function = &lambda.body;
            rest.next();
        }
        let applied = rest.len() < levels.len();
        let exact = levels.iter().all(|level| *level == Level::Exact);
        let result = match (self.level(function, scope), rest.len()) {
            (Ok(level), 0) if applied => Ok(level),
            (Ok(Level::Exact), _) if exact => Ok(Level::Exact),
            (Ok(_), _) => Err(span),
            (Err(inner), _) => Err(inner),
        };
        self.depth -= 1;
        // A position in the library would not help the author of the model.
        let sources = self.environment.sources();
        let is_library = |at: Span| {
            // The text of a property is not among those of the model.
            let text = sources.iter().nth(at.source.0 as usize);
            let generated = text.is_some_and(|text| text.name.starts_with("colour set "));
            generated || sources.is_library(at.source)
        };
        result.map_err(|inner| if is_library(inner) { span } else { inner })
    }

    fn primitive(&mut self, span: Span, op: Prim, args: &[Expr], scope: &mut Scope) -> Known {
        let levels = self.levels(args, scope)?;
        let exact = levels.iter().all(|level| *level == Level::Exact);
        match op {
            Prim::MultiSetSubtract => Ok(Level::Bag),
            Prim::ListAppend | Prim::ListReverse if !exact => Ok(Level::Bag),
            Prim::MultiSetEqual | Prim::MultiSetContained | Prim::ListLength => Ok(Level::Exact),
            Prim::MultiSetCount if levels[0] == Level::Exact => Ok(Level::Exact),
            Prim::ListMember if levels[1] == Level::Exact => Ok(Level::Exact),
            Prim::ModelTime | Prim::Instance => Ok(Level::Exact),
            op if exact && op.is_harmless() => Ok(Level::Exact),
            _ => Err(span),
        }
    }
}

/// A tuple is exact if all its parts are.
fn tuple(levels: Vec<Level>) -> Level {
    match levels.iter().all(|level| *level == Level::Exact) {
        true => Level::Exact,
        false => Level::Tuple(levels),
    }
}

/// The level of one of two values; `None` if they differ too much.
fn either(one: Level, other: Level) -> Option<Level> {
    match (one, other) {
        (one, other) if one == other => Some(one),
        (Level::Exact, Level::Bag) | (Level::Bag, Level::Exact) => Some(Level::Bag),
        (Level::Exact, Level::Tuple(levels)) | (Level::Tuple(levels), Level::Exact) => {
            Some(Level::Tuple(levels))
        }
        (Level::Tuple(one), Level::Tuple(other)) => {
            let parts = one.into_iter().zip(other).map(|(one, other)| either(one, other));
            parts.collect::<Option<Vec<_>>>().map(tuple)
        }
        _ => None,
    }
}
