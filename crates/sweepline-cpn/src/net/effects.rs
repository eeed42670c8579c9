//! What terms depend on besides their variables: references, chance, the outside world.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sweepline_ml::core::{Expr, ExprKind, Program, VarId};
use sweepline_ml::{DataId, Environment, Prim, Type};

use super::Behaviour;
use super::load::Loader;
use crate::problem::Problem;

/// Something that a marking does not hold.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fact {
    /// A reference or array of the declarations.
    Reference(VarId),
    /// Random numbers, the clock.
    Chance,
    /// The number of steps.
    Step,
    /// Printed text and files.
    World,
    /// The time, the page instance, and whatever is not known to be harmless.
    Other,
    /// A variable whose declaration is wrong, so that it has no value.
    Undefined,
}

/// What the declarations use of each other.
pub(crate) struct Effects {
    /// The bind of each variable of the top level.
    binds: HashMap<VarId, usize>,
    /// For each bind: those that it uses, and what it does itself.
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

    /// What a term does itself, and which binds it uses.
    fn direct(
        &self,
        environment: &Environment,
        expr: &Expr,
        (binds, facts): &mut (BTreeSet<usize>, BTreeSet<Fact>),
    ) {
        // Variables are unique in a program: those bound nowhere have no declaration that is right.
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

    /// What terms do, and all binds that they reach.
    fn reach<'e>(
        &self,
        environment: &Environment,
        roots: impl IntoIterator<Item = &'e Expr>,
    ) -> BTreeSet<Fact> {
        let mut found = (BTreeSet::new(), BTreeSet::new());
        roots.into_iter().for_each(|root| self.direct(environment, root, &mut found));
        self.follow(found)
    }

    /// What is done by these binds and all that they reach, besides what is known already.
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
    /// `expr` gives the same whenever its free variables have the same values.
    pub(crate) fn is_pure(&self, environment: &Environment, expr: &Expr) -> bool {
        self.reach(environment, [expr]).is_empty()
    }

    /// A function of the declarations always gives the same for the same arguments.
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

/// Whether a variable of the top level holds something that can be assigned to.
fn is_state(program: &Program, var: VarId) -> bool {
    match program.types.get(program.variable(var).scheme.ty) {
        Type::Ref(_) => true,
        Type::Data(data, _) => *data == DataId::ARRAY,
        _ => false,
    }
}

/// Everything of one kind that is warned of together.
struct Warned<'e> {
    /// The first term that depends on it.
    term: &'e Expr,
    facts: BTreeSet<Fact>,
    count: usize,
}

impl Loader<'_> {
    /// Warns of what is not part of a marking, once for each kind of thing. Says whether the net
    /// uses a declaration that is wrong.
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
        1 => " (as does one other)".into(),
        more => format!(" (as do {more} others)"),
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
