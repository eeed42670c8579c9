//! The form of a net for other engines says what the net says, in every reachable marking.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sweepline::Model;
use sweepline::compiled::Condition;
use sweepline::model::{bytes_of, initial, successors};
use sweepline_pnml::{MarkingView, NetModel, TransitionId, parse_predicate};

use super::random::{net, weighted};

/// States to compare.
const MOST: usize = 400;

fn agree(model: &NetModel, weights: &[i64], number: u64) -> Result<(), TestCaseError> {
    let (net, form) = (model.net(), model.form());
    let last = net.n_places() - 1;
    let transition = &net.transitions[0].id;
    let texts = [
        format!("p0 >= {number} and not p{last} = {}", number / 2),
        format!("fireable({transition}) or p{last} > p0"),
        format!("not fireable({transition}) and not deadlock"),
        "deadlock".to_owned(),
        format!("p0 + 2*p{last} != {number}"),
    ];
    let predicates: Vec<_> = texts.iter().map(|text| parse_predicate(net, text).unwrap()).collect();
    let conditions: Vec<_> = predicates.iter().map(|p| form.condition(p).unwrap()).collect();
    let expr = weighted(net, weights);
    let (sum, steps) = (form.sum(&expr).unwrap(), form.steps(&expr).unwrap());
    let used = form.used();
    let system = form.system;
    let (mut seen, mut open) = (BTreeSet::new(), vec![system.initial.clone()]);
    let start: Vec<_> = initial(model).iter().map(|marking| bytes_of(model, marking)).collect();
    prop_assert_eq!(&start, &[model.bytes_of_form(&system.initial)]);
    while let Some(words) = open.pop() {
        if seen.len() >= MOST || !seen.insert(words.clone()) {
            continue;
        }
        prop_assert!(words.iter().zip(&used).all(|(word, used)| word & !used == 0));
        let marking = model.try_decode(&model.bytes_of_form(&words)).unwrap();
        let view = model.view(&marking);
        for (predicate, condition) in predicates.iter().zip(&conditions) {
            let holds = condition.holds(system, &Condition::Constant(false), &words);
            prop_assert_eq!(holds, predicate.holds(&view));
        }
        prop_assert_eq!(sum.value(&words), expr.value(&view));
        let mut edges = Vec::new();
        for number in 0..system.len() as u32 {
            prop_assert_eq!(system.is_enabled(number, &words), view.fireable(TransitionId(number)));
            if !system.is_enabled(number, &words) || !system.has_room(number, &words) {
                continue;
            }
            let mut next = words.clone();
            system.fire(number, &mut next);
            prop_assert_eq!(
                sum.value(&next) - sum.value(&words),
                i128::from(steps[number as usize])
            );
            edges.push((TransitionId(number), model.bytes_of_form(&next)));
            open.push(next);
        }
        if (0..system.len() as u32).all(|number| system.has_room(number, &words)) {
            let mut own: Vec<_> = successors(model, &marking).unwrap();
            own.sort_by_key(|(transition, _)| *transition);
            let own: Vec<_> = own.iter().map(|(t, next)| (*t, bytes_of(model, next))).collect();
            prop_assert_eq!(edges, own);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn conditions_sums_and_steps_are_those_of_the_net(
        net in net(3, 1..6, true), weights in prop::collection::vec(-3i64..4, 8), number in 0u64..5,
    ) {
        let weights = &weights[..net.n_places()];
        agree(&NetModel::new(net), weights, number)?;
    }

    #[test]
    fn also_of_nets_whose_places_have_bounds(
        net in net(1, 1..6, false), weights in prop::collection::vec(-3i64..4, 8), number in 0u64..3,
    ) {
        let weights = &weights[..net.n_places()];
        agree(&NetModel::new(net), weights, number)?;
    }
}
