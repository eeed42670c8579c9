//! Models as programs for a graphics card.

use sweepline::Model;
use sweepline::compiled::{Condition, Guard, Sum, Term, TransitionSystem};
use sweepline_gpu::{Target, Unfit};
use sweepline_lts::{RuleId, StateNo};
use sweepline_pnml::{
    Combination, Expr, FoldedNode, Linear, NetModel, Node, PlaceId, Predicate, Question,
    TransitionId,
};

use super::net::ContestQuestion;
use super::processes::{Number, Processes};
use super::{Ask, Describe};

/// A model as a transition system.
pub(crate) struct Form<M: Model> {
    pub(crate) system: TransitionSystem,
    /// The bits of each word that states use.
    pub(crate) used: Vec<u64>,
    /// States without successors that are not dead.
    pub(crate) terminated: Condition,
    /// The action of each transition.
    pub(crate) actions: Vec<M::Action>,
}

/// A model that a graphics card can explore, or the reason why it cannot.
///
/// # Law
///
/// The transitions of the form enabled in a state are the model's successors; a condition or a sum of the form has the
/// value that [`holds`](Ask::holds) or [`value`](Ask::value) gives.
pub(crate) trait Compile: Ask {
    /// The model as a transition system.
    fn form(&self) -> Result<Form<Self>, Unfit> {
        Err(Unfit::Model("a coloured net has no compiled form; GPU programs are for P/T nets, symmetric nets in PNML and processes".into()))
    }

    /// The same model with a form that holds larger numbers, if there is one.
    fn wider(&self) -> Option<Self> {
        None
    }

    /// A condition; `None` if its numbers are too large.
    fn compiled_condition(&self, predicate: &Self::Predicate) -> Option<Condition> {
        let _ = predicate;
        None
    }

    /// A number; `None` if it is too large.
    fn compiled_sum(&self, expr: &Self::Expr) -> Option<Sum> {
        let _ = expr;
        None
    }

    /// What each transition of the form adds to a number; `None` if that is not a constant.
    fn compiled_steps(&self, form: &Form<Self>, expr: &Self::Expr) -> Option<Vec<i64>> {
        let _ = (form, expr);
        None
    }

    /// What to look for, for a property that only this kind of model has.
    fn compiled_question(
        &self,
        question: &Self::Question,
        fired: &[Vec<u32>],
    ) -> Result<Vec<Target>, Unfit> {
        let _ = (question, fired);
        Ok(Vec::new())
    }

    /// The bytes of the state in these words of the form.
    fn bytes_of_form(&self, words: &[u64]) -> Vec<u8> {
        let _ = words;
        Vec::new()
    }
}

impl Compile for NetModel {
    fn form(&self) -> Result<Form<Self>, Unfit> {
        let form = NetModel::form(self);
        Ok(Form {
            system: form.system.clone(),
            used: form.used(),
            terminated: Condition::Constant(false),
            actions: self.net().transition_ids().collect(),
        })
    }

    fn wider(&self) -> Option<Self> {
        self.widened()
    }

    fn compiled_condition(&self, predicate: &Predicate) -> Option<Condition> {
        NetModel::form(self).condition(predicate)
    }

    fn compiled_sum(&self, expr: &Expr) -> Option<Sum> {
        NetModel::form(self).sum(expr)
    }

    fn compiled_steps(&self, _form: &Form<Self>, expr: &Expr) -> Option<Vec<i64>> {
        NetModel::form(self).steps(expr)
    }

    fn compiled_question(
        &self,
        question: &ContestQuestion,
        fired: &[Vec<u32>],
    ) -> Result<Vec<Target>, Unfit> {
        let sums = || tokens(self).ok_or(Unfit::Numbers);
        let question = match question {
            ContestQuestion::StateSpace => {
                let places = self.net().place_ids().map(|place| Expr::tokens([place]));
                let places: Option<Vec<Sum>> =
                    places.map(|place| self.compiled_sum(&place)).collect();
                let all = self.compiled_sum(&Expr::tokens(self.net().place_ids()));
                let (places, all) = places.zip(all).ok_or(Unfit::Numbers)?;
                return Ok(vec![Target::Greatest(places), Target::Greatest(vec![all])]);
            }
            ContestQuestion::Asked(question) => question,
        };
        let state = |predicate: &Predicate| {
            Ok(vec![Target::State(self.compiled_condition(predicate).ok_or(Unfit::Numbers)?)])
        };
        match question {
            Question::Invariant(predicate) => state(&predicate.clone().negated()),
            Question::Possible(predicate) => state(predicate),
            Question::Initially(_) => Ok(Vec::new()),
            Question::Combination(combination) => {
                let mut searched = Vec::new();
                searches(combination, &mut searched);
                let each = searched.iter().map(state).collect::<Result<Vec<_>, Unfit>>();
                Ok(each?.concat())
            }
            Question::Bound(expr) => {
                let sum = self.compiled_sum(expr).ok_or(Unfit::Numbers)?;
                Ok(vec![Target::Greatest(vec![sum])])
            }
            Question::Deadlock => Ok(vec![Target::State(Condition::Dead)]),
            Question::OneSafe => {
                let several = |sum: Sum| Condition::AtMost(sum, 1).negated();
                Ok(vec![Target::State(Condition::Any(sums()?.into_iter().map(several).collect()))])
            }
            Question::QuasiLiveness => Ok(fired.iter().cloned().map(Target::Fired).collect()),
            Question::StableMarking => {
                let start = &NetModel::form(self).system.initial;
                let changed = |sum: Sum| {
                    let before = sum.value(start);
                    Target::State(Condition::Equal(sum, before).negated())
                };
                Ok(sums()?.into_iter().map(changed).collect())
            }
            _ => Err(Unfit::Model(OTHER.into())),
        }
    }

    fn bytes_of_form(&self, words: &[u64]) -> Vec<u8> {
        NetModel::bytes_of_form(self, words)
    }
}

/// The reason for a property that needs edges.
pub(crate) const OTHER: &str = "formulas of LTL and CTL, and properties about strongly connected components, need edges, which a GPU \
                     does not keep";

/// The tokens of each place; of all colours of it.
fn tokens(model: &NetModel) -> Option<Vec<Sum>> {
    let sum = |place: FoldedNode<PlaceId>| model.compiled_sum(&Expr::tokens(place.members));
    model.net().coloured_places().into_iter().map(sum).collect()
}

/// The conditions on a state that a combination searches for.
fn searches(combination: &Combination, searched: &mut Vec<Predicate>) {
    match combination {
        Combination::Invariant(predicate) => searched.push(predicate.clone().negated()),
        Combination::Possible(predicate) => searched.push(predicate.clone()),
        Combination::Initially(_) => {}
        Combination::All(parts) | Combination::Any(parts) => {
            parts.iter().for_each(|part| searches(part, searched));
        }
    }
}

/// The most transitions of a composition.
const MOST: usize = sweepline_gpu::MOST_TRANSITIONS;

impl Compile for Processes {
    fn form(&self) -> Result<Form<Self>, Unfit> {
        let composition = self.composition();
        let many = || {
            Unfit::Model(format!(
                "the processes can step in more than {MOST} combinations of local steps, which is the most that a GPU program has"
            ))
        };
        let (system, actions) = composition.compiled(MOST).ok_or_else(many)?;
        let mut used = vec![0; system.initial.len()];
        for component in 0..composition.component_count() {
            let field = composition.field(component);
            used[field.word as usize] |= field.most << field.shift;
        }
        Ok(Form { system, used, terminated: composition.terminated(), actions })
    }

    fn compiled_condition(&self, predicate: &Predicate) -> Option<Condition> {
        let compiled = Compiled::new(self)?;
        compiled.condition(predicate)
    }

    fn compiled_sum(&self, expr: &Expr) -> Option<Sum> {
        let mut sum = self.linear(expr.sum().terms())?;
        sum.offset = sum.offset.checked_add(expr.offset())?;
        Some(sum)
    }

    /// A transition fixes the states of the components that take part, before and after.
    fn compiled_steps(&self, form: &Form<Self>, expr: &Expr) -> Option<Vec<i64>> {
        let sum = self.compiled_sum(expr)?;
        sum.range()?;
        let step = |number: u32| {
            let mut words = form.system.initial.clone();
            for guard in form.system.transition(number).guards {
                if let Guard::Bits(bits) = guard {
                    let word = &mut words[bits.word as usize];
                    *word = *word & !bits.mask | bits.expected;
                }
            }
            let before = sum.value(&words);
            form.system.fire(number, &mut words);
            i64::try_from(sum.value(&words) - before).ok()
        };
        (0..form.system.len() as u32).map(step).collect()
    }

    fn bytes_of_form(&self, words: &[u64]) -> Vec<u8> {
        self.composition().bytes_of_words(words)
    }
}

impl Processes {
    fn linear(&self, terms: &[(i64, PlaceId)]) -> Option<Sum> {
        let mut sum = Sum::default();
        for &(weight, place) in terms {
            for term in self.number(place) {
                sum.terms.push((weight, term));
            }
        }
        Some(sum)
    }

    /// What a name stands for, as a sum of terms.
    fn number(&self, place: PlaceId) -> Vec<Term> {
        let composition = self.composition();
        let all = |value: &dyn Fn(usize, StateNo) -> i64| {
            let lists = (0..composition.component_count()).map(|component| {
                let states = composition.component(component).states();
                let list = states.map(|state| value(component, state)).collect();
                Term::Lookup(composition.field(component), list)
            });
            lists.collect()
        };
        let grading = |component: usize| &composition.gradings()[component];
        match self.number_of(place) {
            Number::Feature(feature) => {
                let (component, values) = composition.feature_values(feature);
                let values = values.into_iter().map(|value| value.abs()).collect();
                vec![Term::Lookup(composition.field(component), values)]
            }
            Number::In(component, state) => {
                vec![Term::Equals(composition.field(component), u64::from(state.0))]
            }
            Number::Ranks => all(&|component, state| grading(component).rank(state).into()),
            Number::Depths => all(&|component, state| grading(component).depth(state).into()),
        }
    }
}

/// The form of processes, for conditions on events.
struct Compiled<'p> {
    processes: &'p Processes,
    /// The rule of each transition.
    rules: Vec<RuleId>,
}

impl<'p> Compiled<'p> {
    fn new(processes: &'p Processes) -> Option<Self> {
        let (_, rules) = processes.composition().compiled(MOST)?;
        Some(Compiled { processes, rules })
    }

    /// The transitions of these events.
    fn transitions(&self, events: &[TransitionId]) -> Vec<u32> {
        let number = self.processes.transition_of();
        let is_wanted = |rule: &RuleId| events.iter().any(|event| event.index() == number(rule));
        let numbered = self.rules.iter().enumerate().filter(|(_, rule)| is_wanted(rule));
        numbered.map(|(transition, _)| transition as u32).collect()
    }

    fn condition(&self, predicate: &Predicate) -> Option<Condition> {
        let sum = |linear: &Linear| self.processes.linear(linear.terms());
        let all = |parts: &[Predicate]| {
            parts.iter().map(|part| self.condition(part)).collect::<Option<Vec<_>>>()
        };
        Some(match predicate.node() {
            Node::Constant(value) => Condition::Constant(*value),
            Node::AtMost(linear, most) => Condition::AtMost(sum(linear)?, *most),
            Node::Equal(linear, number) => Condition::Equal(sum(linear)?, *number),
            Node::Different(linear, number) => Condition::Equal(sum(linear)?, *number).negated(),
            Node::Fireable(events) => Condition::Enabled(self.transitions(events)),
            Node::Disabled(events) => Condition::Enabled(self.transitions(events)).negated(),
            Node::Deadlock => Condition::Dead,
            Node::Alive => Condition::Dead.negated(),
            Node::All(parts) => Condition::All(all(parts)?),
            Node::Any(parts) => Condition::Any(all(parts)?),
        })
    }
}
