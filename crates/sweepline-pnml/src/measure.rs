//! Progress of nets: expressions over places, carried along by what each transition adds.

use sweepline::{Computed, Progress, Value};

use crate::model::{Marking, NetModel};
use crate::net::{Net, Transition, TransitionId};
use crate::query::Expr;

/// A vector of expressions over places, the first `columns` of them meant to be monotone.
pub struct NetMeasure<'a> {
    model: &'a NetModel,
    components: Vec<Component>,
    columns: usize,
}

struct Component {
    expr: Expr,
    /// What each transition adds, where that is known to be exact.
    steps: Option<Vec<i64>>,
}

impl Component {
    fn new(net: &Net, expr: Expr) -> Self {
        let mut weights = vec![0; net.places.len()];
        for &(coefficient, place) in expr.sum().terms() {
            weights[place.index()] = coefficient;
        }
        Component { steps: steps(net, &weights), expr }
    }
}

impl<'a> NetMeasure<'a> {
    /// The measure with these components; `columns` is at most their number.
    pub fn new(model: &'a NetModel, components: Vec<Expr>, columns: usize) -> Self {
        assert!(columns <= components.len(), "more columns than components");
        let components =
            components.into_iter().map(|expr| Component::new(model.net(), expr)).collect();
        NetMeasure { model, components, columns }
    }
}

/// What each transition adds to the tokens weighted by `weights`, one for each place; `None` where 64
/// bits do not hold it.
pub(crate) fn steps(net: &Net, weights: &[i64]) -> Option<Vec<i64>> {
    let step = |t: &Transition| {
        let terms = t.changes().map(|(p, n)| i128::from(weights[p.index()]).checked_mul(n));
        let sum = terms.into_iter().try_fold(0i128, |sum, term| sum.checked_add(term?))?;
        i64::try_from(sum).ok()
    };
    net.transitions.iter().map(step).collect()
}

impl Progress<NetModel> for NetMeasure<'_> {
    fn columns(&self) -> usize {
        self.columns
    }

    fn measure(&self, _worker: &mut Marking, marking: &Marking, value: &mut Value) -> Computed {
        let view = self.model.view(marking);
        for component in &self.components {
            value.push_wide(component.expr.value(&view));
        }
        Ok(())
    }

    #[inline]
    fn measure_step(
        &self,
        _worker: &mut Marking,
        from: &Value,
        transition: &TransitionId,
        target: &Marking,
        value: &mut Value,
    ) -> Computed {
        for (component, &before) in self.components.iter().zip(from.components()) {
            let step = component.steps.as_ref().map(|steps| steps[transition.index()]);
            match step.and_then(|step| before.checked_add(step)) {
                Some(after) => value.push(after),
                None => value.push_wide(component.expr.value(&self.model.view(target))),
            }
        }
        Ok(())
    }
}
