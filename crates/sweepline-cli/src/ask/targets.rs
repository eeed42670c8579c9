//! What a graphics card must look for to decide the properties.

use sweepline::compiled::Condition;
use sweepline_gpu::{Target, Unfit};

use super::{Asked, Kind};
use crate::failure::Failure;
use crate::front_end::{Form, FrontEnd, OTHER};

/// The targets of all properties; an error for a property that cannot be decided on a GPU.
pub(crate) fn targets<M: FrontEnd>(
    model: &M,
    form: &Form<M>,
    asked: &[Asked<M>],
) -> Result<Vec<Target>, Failure> {
    let fired = fired(model, form);
    let mut all: Vec<Target> = Vec::new();
    for Asked { name, question } in asked {
        let unfit = |why: Unfit| Failure::NotOnGpu {
            what: format!("`{name}`"),
            why: why.to_string(),
            help: LEAVE_OUT.into(),
        };
        for target in of(model, question, &fired).map_err(unfit)? {
            if !all.contains(&target) {
                all.push(target);
            }
        }
    }
    Ok(all)
}

const LEAVE_OUT: &str = "check it in a separate run without `--gpu`";

/// The transitions of the form, by the model's transition that they belong to.
fn fired<M: FrontEnd>(model: &M, form: &Form<M>) -> Vec<Vec<u32>> {
    let number = model.transition_of();
    let mut fired = vec![Vec::new(); model.transitions().len()];
    for (transition, action) in form.actions.iter().enumerate() {
        fired[number(action)].push(transition as u32);
    }
    fired.retain(|transitions| !transitions.is_empty());
    fired
}

fn of<M: FrontEnd>(
    model: &M,
    question: &super::KindOf<M>,
    fired: &[Vec<u32>],
) -> Result<Vec<Target>, Unfit> {
    let condition =
        |predicate: &M::Predicate| model.compiled_condition(predicate).ok_or(Unfit::Numbers);
    Ok(match question {
        Kind::Never(predicate) | Kind::Reach(predicate) => {
            vec![Target::State(condition(predicate)?)]
        }
        Kind::Bound(expr) => {
            let sum = model.compiled_sum(expr).ok_or(Unfit::Numbers)?;
            vec![Target::Least(sum.clone()), Target::Greatest(vec![sum])]
        }
        Kind::Deadlock(valid) => {
            let mut parts = vec![Condition::Dead];
            for predicate in valid {
                parts.push(condition(predicate)?.negated());
            }
            vec![Target::State(Condition::All(parts))]
        }
        Kind::DeadTransitions => fired.iter().cloned().map(Target::Fired).collect(),
        Kind::Own(question) => model.compiled_question(question, fired)?,
        Kind::DeadStates(..) => {
            return Err(Unfit::Model(
                "a GPU does not list dead states; `--deadlock` finds one".into(),
            ));
        }
        Kind::Home(_)
        | Kind::Reversible
        | Kind::Live(_)
        | Kind::Fair(_)
        | Kind::Terminates
        | Kind::Components
        | Kind::Ltl(_)
        | Kind::Ctl(_) => return Err(Unfit::Model(OTHER.into())),
    })
}
