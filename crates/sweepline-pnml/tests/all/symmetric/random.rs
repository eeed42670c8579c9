//! Random symmetric nets over a few small sorts, and their PNML.

use proptest::collection::vec;
use proptest::prelude::*;

/// The sorts of all nets: letters a, b, c in a cycle; numbers 1, 2; dots; kinds of letters (a, or
/// not); pairs of letter and number; pairs of letters.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Letter,
    Number,
    Dot,
    Kind,
    Pair,
    Letters,
}

/// A colour by its components, each counted from 0.
pub(crate) type Colour = Vec<u8>;

impl Sort {
    pub(crate) fn parts(self) -> &'static [Sort] {
        match self {
            Sort::Pair => &[Sort::Letter, Sort::Number],
            Sort::Letters => &[Sort::Letter, Sort::Letter],
            _ => &[],
        }
    }

    pub(crate) fn colours(self) -> Vec<Colour> {
        match self {
            Sort::Letter => (0..3).map(|c| vec![c]).collect(),
            Sort::Number | Sort::Kind => (0..2).map(|c| vec![c]).collect(),
            Sort::Dot => vec![vec![0]],
            Sort::Pair => (0..6).map(|c| vec![c / 2, c % 2]).collect(),
            Sort::Letters => (0..9).map(|c| vec![c / 3, c % 3]).collect(),
        }
    }

    pub(crate) fn show(self, colour: &[u8]) -> String {
        let leaf = |sort: Sort, c: u8| match sort {
            Sort::Number => (c + 1).to_string(),
            Sort::Kind => ["first", "other"][usize::from(c)].to_owned(),
            _ => ["a", "b", "c"][usize::from(c)].to_owned(),
        };
        match self.parts() {
            [] => leaf(self, colour[0]),
            parts => {
                let parts = parts.iter().zip(colour).map(|(&part, &c)| leaf(part, c));
                format!("({})", parts.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The variables of all nets.
pub(crate) const VARIABLES: [(&str, Sort); 6] = [
    ("x", Sort::Letter),
    ("y", Sort::Letter),
    ("n", Sort::Number),
    ("m", Sort::Number),
    ("k", Sort::Kind),
    ("p", Sort::Pair),
];

#[derive(Clone, Debug)]
pub(crate) enum Term {
    Variable(usize),
    Constant(Sort, u8),
    Next(Box<Term>),
    Previous(Box<Term>),
    Class(Box<Term>),
    Tuple(Vec<Term>),
}

#[derive(Clone, Debug)]
pub(crate) enum Bag {
    One(Term),
    All(Sort),
    Times(u64, Box<Bag>),
    Sum(Vec<Bag>),
    Difference(Box<Bag>, Box<Bag>),
    Tuple(Vec<Bag>),
}

#[derive(Clone, Debug)]
pub(crate) enum Guard {
    Constant(bool),
    Compare(&'static str, Term, Term),
    Not(Box<Guard>),
    Join(&'static str, Vec<Guard>),
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) guard: Guard,
    pub(crate) inputs: Vec<(usize, Bag)>,
    pub(crate) outputs: Vec<(usize, Bag)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) places: Vec<(Sort, Option<Bag>)>,
    pub(crate) transitions: Vec<Transition>,
}

/// Terms of a sort, with or without variables.
fn terms(sort: Sort, variables: bool) -> BoxedStrategy<Term> {
    let own: Vec<Term> = (0..VARIABLES.len())
        .filter(|&v| variables && VARIABLES[v].1 == sort)
        .map(Term::Variable)
        .collect();
    let constants: Vec<Term> = match sort.parts() {
        [] => sort.colours().into_iter().map(|c| Term::Constant(sort, c[0])).collect(),
        _ => Vec::new(),
    };
    let tuple: Option<BoxedStrategy<Term>> = match *sort.parts() {
        [a, b] => {
            let pair = (terms(a, variables), terms(b, variables));
            Some(pair.prop_map(|(a, b)| Term::Tuple(vec![a, b])).boxed())
        }
        _ => None,
    };
    let plain = |list: Vec<Term>| prop::sample::select(list).boxed();
    let mut ways: Vec<(u32, BoxedStrategy<Term>)> = Vec::new();
    if !own.is_empty() {
        ways.push((6, plain(own)));
    }
    if !constants.is_empty() {
        ways.push((2, plain(constants)));
    }
    ways.extend(tuple.map(|tuple| (6, tuple)));
    if sort == Sort::Kind {
        let class = terms(Sort::Letter, variables).prop_map(|t| Term::Class(Box::new(t)));
        ways.push((2, class.boxed()));
    }
    let base = prop::strategy::Union::new_weighted(ways);
    match sort {
        Sort::Letter => base
            .prop_recursive(2, 3, 1, |inner| {
                prop_oneof![
                    inner.clone().prop_map(|t| Term::Next(Box::new(t))),
                    inner.prop_map(|t| Term::Previous(Box::new(t))),
                ]
            })
            .boxed(),
        _ => base.boxed(),
    }
}

fn bags(sort: Sort, variables: bool) -> BoxedStrategy<Bag> {
    let one = terms(sort, variables).prop_map(Bag::One).boxed();
    let all = Just(Bag::All(sort)).boxed();
    let mut base = vec![(12, one), (1, all)];
    if let &[a, b] = sort.parts() {
        let tuple = (bags(a, variables), bags(b, variables));
        base.push((2, tuple.prop_map(|(a, b)| Bag::Tuple(vec![a, b])).boxed()));
    }
    prop::strategy::Union::new_weighted(base)
        .prop_recursive(2, 4, 2, |inner| {
            prop_oneof![
                2 => (0u64..3, inner.clone()).prop_map(|(n, b)| Bag::Times(n, Box::new(b))),
                2 => vec(inner.clone(), 1..3).prop_map(Bag::Sum),
                1 => (inner.clone(), inner)
                    .prop_map(|(a, b)| Bag::Difference(Box::new(a), Box::new(b))),
            ]
        })
        .boxed()
}

fn guards() -> BoxedStrategy<Guard> {
    let ordered = ["lessthan", "lessthanorequal", "greaterthan", "greaterthanorequal"];
    let comparison = |sort: Sort, operators: Vec<&'static str>| {
        (prop::sample::select(operators), terms(sort, true), terms(sort, true))
            .prop_map(|(operator, a, b)| Guard::Compare(operator, a, b))
    };
    let equal = vec!["equality", "equality", "inequality"];
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Guard::Constant),
        4 => comparison(Sort::Letter, equal.clone()),
        2 => comparison(Sort::Letter, ordered.to_vec()),
        2 => comparison(Sort::Number, [&equal[..], &ordered[..]].concat()),
        2 => comparison(Sort::Kind, equal.clone()),
        2 => comparison(Sort::Pair, equal),
    ];
    leaf.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|g| Guard::Not(Box::new(g))),
            3 => vec(inner.clone(), 1..3).prop_map(|parts| Guard::Join("and", parts)),
            1 => vec(inner.clone(), 1..3).prop_map(|parts| Guard::Join("or", parts)),
            1 => (inner.clone(), inner).prop_map(|(a, b)| Guard::Join("imply", vec![a, b])),
        ]
    })
    .boxed()
}

fn arcs(places: Vec<Sort>, most: usize) -> BoxedStrategy<Vec<(usize, Bag)>> {
    let arc = (0..places.len()).prop_flat_map(move |p| (Just(p), bags(places[p], true)));
    vec(arc, 0..=most).boxed()
}

/// Nets of a few places and transitions.
pub(crate) fn nets() -> impl Strategy<Value = Net> {
    use Sort::{Dot, Kind, Letter, Letters, Number, Pair};
    let sort = prop::sample::select(vec![Letter, Number, Dot, Kind, Pair, Letters]);
    let place = sort.prop_flat_map(|sort| (Just(sort), prop::option::of(bags(sort, false))));
    vec(place, 1..4).prop_flat_map(|places| {
        let sorts: Vec<Sort> = places.iter().map(|(sort, _)| *sort).collect();
        let guard = prop_oneof![Just(Guard::Constant(true)), guards()];
        let transition = (guard, arcs(sorts.clone(), 3), arcs(sorts, 2))
            .prop_map(|(guard, inputs, outputs)| Transition { guard, inputs, outputs });
        vec(transition, 1..4)
            .prop_map(move |transitions| Net { places: places.clone(), transitions })
    })
}

const DECLARATIONS: &str = "<namedsort id='Letter' name='Letter'><cyclicenumeration>\
<feconstant id='a' name='a'/><feconstant id='b' name='b'/><feconstant id='c' name='c'/>\
</cyclicenumeration></namedsort>\
<namedsort id='Number' name='Number'><finiteintrange start='1' end='2'/></namedsort>\
<namedsort id='Dot' name='Dot'><dot/></namedsort>\
<partition id='Kind' name='Kind'><usersort declaration='Letter'/><partitionelement id='first' \
name='first'><useroperator declaration='a'/></partitionelement><partitionelement id='other' name='other'>\
<useroperator declaration='b'/><useroperator declaration='c'/></partitionelement></partition>\
<namedsort id='Pair' name='Pair'><productsort><usersort declaration='Letter'/>\
<usersort declaration='Number'/></productsort></namedsort>\
<namedsort id='Letters' name='Letters'><productsort><usersort declaration='Letter'/>\
<usersort declaration='Letter'/></productsort></namedsort>";

fn apply(operator: &str, operands: impl IntoIterator<Item = String>) -> String {
    let operands: String =
        operands.into_iter().map(|operand| format!("<subterm>{operand}</subterm>")).collect();
    format!("<{operator}>{operands}</{operator}>")
}

impl Term {
    fn to_pnml(&self) -> String {
        match self {
            Term::Variable(v) => format!("<variable refvariable='{}'/>", VARIABLES[*v].0),
            Term::Constant(Sort::Dot, _) => "<dotconstant/>".into(),
            Term::Constant(Sort::Number, c) => format!(
                "<finiteintrangeconstant value='{}'><finiteintrange start='1' end='2'/>\
                 </finiteintrangeconstant>",
                c + 1
            ),
            Term::Constant(sort, c) => {
                format!("<useroperator declaration='{}'/>", sort.show(&[*c]))
            }
            Term::Next(inner) => apply("successor", [inner.to_pnml()]),
            Term::Previous(inner) => apply("predecessor", [inner.to_pnml()]),
            Term::Class(inner) => format!(
                "<partitionelementof refpartition='Kind'><subterm>{}</subterm></partitionelementof>",
                inner.to_pnml()
            ),
            Term::Tuple(terms) => apply("tuple", terms.iter().map(Term::to_pnml)),
        }
    }
}

impl Bag {
    fn to_pnml(&self) -> String {
        match self {
            Bag::One(term) => term.to_pnml(),
            Bag::All(sort) => format!("<all><usersort declaration='{sort:?}'/></all>"),
            Bag::Times(n, inner) => {
                let number = format!("<numberconstant value='{n}'><positive/></numberconstant>");
                apply("numberof", [number, inner.to_pnml()])
            }
            Bag::Sum(parts) => apply("add", parts.iter().map(Bag::to_pnml)),
            Bag::Difference(a, b) => apply("subtract", [a.to_pnml(), b.to_pnml()]),
            Bag::Tuple(parts) => apply("tuple", parts.iter().map(Bag::to_pnml)),
        }
    }
}

impl Guard {
    fn to_pnml(&self) -> String {
        match self {
            Guard::Constant(value) => format!("<booleanconstant value='{value}'/>"),
            Guard::Compare(operator, a, b) => apply(operator, [a.to_pnml(), b.to_pnml()]),
            Guard::Not(inner) => apply("not", [inner.to_pnml()]),
            Guard::Join(operator, parts) => apply(operator, parts.iter().map(Guard::to_pnml)),
        }
    }
}

impl Net {
    pub(crate) fn to_pnml(&self) -> String {
        let mut page = String::new();
        for (number, (sort, initial)) in self.places.iter().enumerate() {
            let initial = initial.as_ref().map_or_else(String::new, |bag| {
                let term = bag.to_pnml();
                format!("<hlinitialMarking><structure>{term}</structure></hlinitialMarking>")
            });
            page += &format!(
                "<place id='p{number}'><type><structure><usersort declaration='{sort:?}'/>\
                 </structure></type>{initial}</place>\n"
            );
        }
        for (number, transition) in self.transitions.iter().enumerate() {
            page += &format!(
                "<transition id='t{number}'><condition><structure>{}</structure></condition>\
                 </transition>\n",
                transition.guard.to_pnml()
            );
            let t = format!("t{number}");
            let inputs = transition.inputs.iter().map(|(p, bag)| (format!("p{p}"), t.clone(), bag));
            let outputs =
                transition.outputs.iter().map(|(p, bag)| (t.clone(), format!("p{p}"), bag));
            for (from, to, bag) in inputs.chain(outputs) {
                page += &format!(
                    "<arc source='{from}' target='{to}'><hlinscription><structure>{}</structure>\
                     </hlinscription></arc>\n",
                    bag.to_pnml()
                );
            }
        }
        let variable = |(name, sort): &(&str, Sort)| {
            format!(
                "<variabledecl id='{name}' name='{name}'><usersort declaration='{sort:?}'/></variabledecl>"
            )
        };
        let variables: String = VARIABLES.iter().map(variable).collect();
        format!(
            "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'>\
             <declaration><structure><declarations>{DECLARATIONS}{variables}</declarations></structure>\
             </declaration><page id='g'>\n{page}</page></net></pnml>"
        )
    }
}
