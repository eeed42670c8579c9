//! A naive token game of symmetric nets: all bindings are tried in every marking.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::random::{Bag, Colour, Guard, Net, Sort, Term, Transition, VARIABLES};

/// Tokens by place and colour, named as unfolded places are.
pub(crate) type Marking = BTreeMap<String, u64>;

/// Markings, and steps in order.
#[derive(Default, PartialEq, Debug)]
pub(crate) struct StateSpace {
    pub(crate) markings: BTreeSet<Marking>,
    pub(crate) steps: Vec<(Marking, String, Marking)>,
}

type Binding = BTreeMap<usize, Colour>;
type Tokens = BTreeMap<Colour, u64>;

fn value(term: &Term, binding: &Binding) -> Colour {
    match term {
        Term::Variable(v) => binding[v].clone(),
        Term::Constant(_, c) => vec![*c],
        Term::Next(inner) => vec![(value(inner, binding)[0] + 1) % 3],
        Term::Previous(inner) => vec![(value(inner, binding)[0] + 2) % 3],
        Term::Class(inner) => vec![u8::from(value(inner, binding)[0] > 0)],
        Term::Tuple(terms) => terms.iter().flat_map(|term| value(term, binding)).collect(),
    }
}

fn tokens(bag: &Bag, binding: &Binding) -> Tokens {
    match bag {
        Bag::One(term) => Tokens::from([(value(term, binding), 1)]),
        Bag::All(sort) => sort.colours().into_iter().map(|colour| (colour, 1)).collect(),
        Bag::Times(n, inner) => {
            let inner = tokens(inner, binding).into_iter();
            inner.map(|(colour, m)| (colour, n * m)).filter(|(_, n)| *n > 0).collect()
        }
        Bag::Sum(parts) => {
            let mut sum = Tokens::new();
            for (colour, n) in parts.iter().flat_map(|part| tokens(part, binding)) {
                *sum.entry(colour).or_default() += n;
            }
            sum
        }
        Bag::Difference(a, b) => {
            let (a, b) = (tokens(a, binding), tokens(b, binding));
            let left = |(colour, n): (Colour, u64)| {
                let taken = b.get(&colour).copied().unwrap_or(0);
                (n > taken).then(|| (colour, n - taken))
            };
            a.into_iter().filter_map(left).collect()
        }
        Bag::Tuple(parts) => {
            let mut tuples = Tokens::from([(Vec::new(), 1)]);
            for part in parts {
                let mut longer = Tokens::new();
                for (tuple, n) in &tuples {
                    for (colour, m) in tokens(part, binding) {
                        longer.insert([tuple.clone(), colour].concat(), n * m);
                    }
                }
                tuples = longer;
            }
            tuples
        }
    }
}

fn holds(guard: &Guard, binding: &Binding) -> bool {
    match guard {
        Guard::Constant(value) => *value,
        Guard::Compare(operator, a, b) => {
            let (a, b) = (value(a, binding), value(b, binding));
            match *operator {
                "equality" => a == b,
                "inequality" => a != b,
                "lessthan" => a < b,
                "lessthanorequal" => a <= b,
                "greaterthan" => a > b,
                _ => a >= b,
            }
        }
        Guard::Not(inner) => !holds(inner, binding),
        Guard::Join("and", parts) => parts.iter().all(|part| holds(part, binding)),
        Guard::Join("or", parts) => parts.iter().any(|part| holds(part, binding)),
        Guard::Join(_, parts) => !holds(&parts[0], binding) || holds(&parts[1], binding),
    }
}

fn of_term(term: &Term, found: &mut BTreeSet<usize>) {
    match term {
        Term::Variable(v) => {
            found.insert(*v);
        }
        Term::Constant(..) => {}
        Term::Next(t) | Term::Previous(t) | Term::Class(t) => of_term(t, found),
        Term::Tuple(terms) => terms.iter().for_each(|term| of_term(term, found)),
    }
}

fn of_bag(bag: &Bag, found: &mut BTreeSet<usize>) {
    match bag {
        Bag::One(term) => of_term(term, found),
        Bag::All(_) => {}
        Bag::Times(_, inner) => of_bag(inner, found),
        Bag::Sum(parts) | Bag::Tuple(parts) => parts.iter().for_each(|part| of_bag(part, found)),
        Bag::Difference(a, b) => [a, b].iter().for_each(|part| of_bag(part, found)),
    }
}

fn of_guard(guard: &Guard, found: &mut BTreeSet<usize>) {
    match guard {
        Guard::Constant(_) => {}
        Guard::Compare(_, a, b) => [a, b].iter().for_each(|term| of_term(term, found)),
        Guard::Not(inner) => of_guard(inner, found),
        Guard::Join(_, parts) => parts.iter().for_each(|part| of_guard(part, found)),
    }
}

/// All bindings of a transition that its guard allows.
fn bindings(transition: &Transition) -> Vec<Binding> {
    let mut variables = BTreeSet::new();
    of_guard(&transition.guard, &mut variables);
    let arcs = transition.inputs.iter().chain(&transition.outputs);
    arcs.for_each(|(_, bag)| of_bag(bag, &mut variables));
    let mut all = vec![Binding::new()];
    for v in variables {
        let colours = VARIABLES[v].1.colours();
        let longer = |binding: &Binding| {
            let with = |colour: &Colour| {
                let mut binding = binding.clone();
                binding.insert(v, colour.clone());
                binding
            };
            colours.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|binding| holds(&transition.guard, binding));
    all
}

fn place_name(net: &Net, place: usize, colour: &Colour) -> String {
    match net.places[place].0 {
        Sort::Dot => format!("p{place}"),
        sort if sort.parts().is_empty() => format!("p{place}({})", sort.show(colour)),
        sort => format!("p{place}{}", sort.show(colour)),
    }
}

fn add(net: &Net, place: usize, tokens: Tokens, marking: &mut Marking) {
    for (colour, n) in tokens {
        *marking.entry(place_name(net, place, &colour)).or_default() += n;
    }
}

/// Explores all markings; `None` if there are too many.
pub(crate) fn explore(net: &Net, most: usize) -> Option<StateSpace> {
    let mut initial = Marking::new();
    for (place, (_, bag)) in net.places.iter().enumerate() {
        if let Some(bag) = bag {
            add(net, place, tokens(bag, &Binding::new()), &mut initial);
        }
    }
    let bindings: Vec<Vec<Binding>> = net.transitions.iter().map(bindings).collect();
    let mut found = StateSpace::default();
    let mut queue = VecDeque::from([initial]);
    while let Some(marking) = queue.pop_front() {
        if !found.markings.insert(marking.clone()) {
            continue;
        }
        if found.markings.len() > most || found.steps.len() > 50 * most {
            return None;
        }
        for (number, transition) in net.transitions.iter().enumerate() {
            for binding in &bindings[number] {
                let Some(next) = fire(net, transition, binding, &marking) else { continue };
                let label = label(number, binding);
                found.steps.push((marking.clone(), label, next.clone()));
                queue.push_back(next);
            }
        }
    }
    found.steps.sort();
    Some(found)
}

fn fire(
    net: &Net,
    transition: &Transition,
    binding: &Binding,
    marking: &Marking,
) -> Option<Marking> {
    let (mut taken, mut next) = (Marking::new(), marking.clone());
    for (place, bag) in &transition.inputs {
        add(net, *place, tokens(bag, binding), &mut taken);
    }
    for (place, n) in taken {
        let left = next.get(&place).copied().unwrap_or(0).checked_sub(n)?;
        next.insert(place, left);
    }
    for (place, bag) in &transition.outputs {
        add(net, *place, tokens(bag, binding), &mut next);
    }
    next.retain(|_, n| *n > 0);
    Some(next)
}

fn label(number: usize, binding: &Binding) -> String {
    let shown = binding.iter().map(|(&v, colour)| {
        let (name, sort) = VARIABLES[v];
        format!("{name}={}", sort.show(colour))
    });
    match binding.is_empty() {
        true => format!("t{number}"),
        false => format!("t{number}{{{}}}", shown.collect::<Vec<_>>().join(", ")),
    }
}
