//! Effects: what terms depend on besides their variables, such as references, random numbers, and files.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sweepline_ml::core::{Expr, ExprKind, Program, VarId};
use sweepline_ml::{DataId, Environment, Prim, Type};

use super::Behaviour;
use super::load::Loader;
use crate::problem::Problem;

/// A dependence on something that is not part of a marking.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fact {
    /// A reference or array of the declarations.
    Reference(VarId),
    /// Random numbers or the clock.
    Chance,
    /// The number of steps.
    Step,
    /// Printed text and files.
    World,
    /// The model time, the page instance, and everything not known to be harmless.
    Other,
    /// A variable whose declaration has a mistake, so that it has no value.
    Undefined,
}

/// The dependences between declarations.
pub(crate) struct Effects {
    /// The bind of each top-level variable.
    binds: HashMap<VarId, usize>,
    /// For each bind: the binds that it uses, and its own effects.
    uses: Vec<(Vec<usize>, Vec<Fact>)>,
}

impl Effects {
    pub(crate) fn new(environment: &Environment) -> Self {
        let program = environment.program();
        let mut effects = Self { binds: HashMap::new(), uses: Vec::new() };
        for (at, bind) in program.binds.iter().enumerate() {
            effects.binds.extend(bind.variables().into_iter().map(|var| (var, at)));
        }
        for bind in &program.binds {
            let mut found = (BTreeSet::new(), BTreeSet::new());
            bind.each_value(&mut |value| effects.direct(environment, value, &mut found));
            effects.uses.push((found.0.into_iter().collect(), found.1.into_iter().collect()));
        }
        effects
    }

    /// The effects of a term itself, and the binds that it uses.
    fn direct(
        &self,
        environment: &Environment,
        expr: &Expr,
        (binds, facts): &mut (BTreeSet<usize>, BTreeSet<Fact>),
    ) {
        // Variables are unique in a program. A variable that is bound nowhere comes from a wrong declaration.
        let mut inner = HashSet::new();
        expr.each(&mut |part| inner.extend(part.binds()));
        expr.each(&mut |part| match &part.kind {
            ExprKind::Var(var, _) => match self.binds.get(var) {
                Some(bind) => {
                    binds.insert(*bind);
                    if is_state(environment.program(), *var) {
                        facts.insert(Fact::Reference(*var));
                    }
                }
                None if inner.contains(var) || environment.is_cpn_variable(*var) => {}
                None => _ = facts.insert(Fact::Undefined),
            },
            ExprKind::Prim { op, .. } => facts.extend(fact(*op)),
            _ => {}
        });
    }

    /// The effects of terms, including all binds that they use.
    fn reach<'e>(
        &self,
        environment: &Environment,
        roots: impl IntoIterator<Item = &'e Expr>,
    ) -> BTreeSet<Fact> {
        let mut found = (BTreeSet::new(), BTreeSet::new());
        roots.into_iter().for_each(|root| self.direct(environment, root, &mut found));
        self.follow(found)
    }

    /// Adds the effects of these binds and all binds that they use.
    fn follow(
        &self,
        (mut reached, mut facts): (BTreeSet<usize>, BTreeSet<Fact>),
    ) -> BTreeSet<Fact> {
        let mut open: Vec<usize> = reached.iter().copied().collect();
        while let Some(bind) = open.pop() {
            let (binds, own) = &self.uses[bind];
            facts.extend(own);
            open.extend(binds.iter().filter(|bind| reached.insert(**bind)));
        }
        facts
    }
}

impl Effects {
    /// Whether the value of `expr` depends only on its free variables.
    pub(crate) fn is_pure(&self, environment: &Environment, expr: &Expr) -> bool {
        self.reach(environment, [expr]).is_empty()
    }

    /// Whether the result of a declared function depends only on its arguments.
    pub(crate) fn is_pure_function(&self, function: VarId) -> bool {
        let bind = self.binds.get(&function);
        bind.is_some_and(|bind| self.follow((BTreeSet::from([*bind]), BTreeSet::new())).is_empty())
    }
}

fn fact(op: Prim) -> Option<Fact> {
    match op {
        Prim::Random | Prim::Clock | Prim::GetEnv => Some(Fact::Chance),
        Prim::Step => Some(Fact::Step),
        Prim::Print
        | Prim::OpenIn
        | Prim::OpenOut
        | Prim::OpenAppend
        | Prim::InputLine
        | Prim::InputAll
        | Prim::InputN
        | Prim::Lookahead
        | Prim::EndOfStream
        | Prim::Output
        | Prim::FileReadable => Some(Fact::World),
        _ => (!op.is_harmless()).then_some(Fact::Other),
    }
}

/// Whether a top-level variable holds a reference or an array.
fn is_state(program: &Program, var: VarId) -> bool {
    match program.types.get(program.variable(var).scheme.ty) {
        Type::Ref(_) => true,
        Type::Data(data, _) => *data == DataId::ARRAY,
        _ => false,
    }
}

/// All effects that are reported in one warning.
struct Warned<'e> {
    /// The first term with such an effect.
    term: &'e Expr,
    facts: BTreeSet<Fact>,
    count: usize,
}

impl Loader<'_> {
    /// Warns about dependences on things that are not part of a marking, once for each kind. Returns whether
    /// the net uses a wrong declaration.
    pub(super) fn effects(&mut self, behaviours: &[Behaviour], markings: &[&Expr]) -> bool {
        let environment = &self.environment;
        let effects = Effects::new(environment);
        let fixed = behaviours.iter().filter_map(|behaviour| behaviour.priority.as_ref());
        let fixed = effects.reach(environment, markings.iter().copied().chain(fixed));
        let mut is_wrong = fixed.contains(&Fact::Undefined);
        let mut warned: BTreeMap<(bool, bool), Warned<'_>> = BTreeMap::new();
        for behaviour in behaviours {
            let terms = behaviour.inscriptions().map(|term| (term, false));
            let code = behaviour.code.iter().map(|code| (&code.action, true));
            for (term, is_code) in terms.chain(code) {
                let mut facts = effects.reach(environment, [term]);
                is_wrong |= facts.remove(&Fact::Undefined);
                facts.remove(&Fact::Other);
                let (chance, state): (BTreeSet<Fact>, BTreeSet<Fact>) =
                    facts.into_iter().partition(|fact| *fact == Fact::Chance);
                for facts in [chance, state].into_iter().filter(|facts| !facts.is_empty()) {
                    let key = (facts.contains(&Fact::Chance), is_code);
                    let new = Warned { term, facts: BTreeSet::new(), count: 0 };
                    let known = warned.entry(key).or_insert(new);
                    known.facts.extend(facts);
                    known.count += 1;
                }
            }
        }
        for ((_, is_code), warned) in warned {
            let problem = problem(environment, is_code, &warned);
            let source = environment.sources().get(warned.term.span.source);
            let range = warned.term.span.range();
            self.findings.report(self.texts.about(source, range, problem));
        }
        is_wrong
    }
}

fn problem(environment: &Environment, is_code: bool, warned: &Warned<'_>) -> Problem {
    let others = match warned.count - 1 {
        0 => String::new(),
        1 => " (and 1 other does so)".into(),
        more => format!(" (and {more} others do so)"),
    };
    if warned.facts.contains(&Fact::Chance) {
        let what = if is_code { "code segment" } else { "inscription" };
        return Problem::Random { what, others };
    }
    const MOST: usize = 8;
    let name = |var| environment.program().variable(var).name.to_string();
    let states = warned.facts.iter().map(|fact| match fact {
        Fact::Reference(var) => format!("`{}`", name(*var)),
        Fact::Step => "the number of steps".into(),
        Fact::World | Fact::Chance | Fact::Other | Fact::Undefined => {
            "files or the terminal".into()
        }
    });
    let mut states: Vec<String> = states.collect();
    let n_more = states.len().saturating_sub(MOST);
    states.truncate(MOST);
    if n_more > 0 {
        states.push(format!("{n_more} more"));
    }
    let state = states.join(", ");
    match is_code {
        true => Problem::SideEffect { state, others },
        false => Problem::OutsideState { state, others },
    }
}
