//! Colours as Rust values, and the colour sets that random nets use.

use std::fmt;

/// A colour.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Value {
    Unit,
    Bool(bool),
    Int(i64),
    Enum(usize),
    Tuple(Vec<Value>),
    List(Vec<Value>),
    /// `cn`, or `cs` of something.
    Union(Option<Box<Value>>),
}

/// A colour set. [`DECLARATIONS`] contains its declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Set {
    U,
    B,
    E,
    /// `int with 0..3`.
    S,
    /// `int`.
    I,
    /// `int with 0..300`: too many for ranks.
    R,
    /// `subset S with [0, 2, 3]`.
    D,
    /// `product E * S`.
    P,
    /// `product I * B`.
    Q,
    /// `list E with 0..2`.
    L,
    /// `list S`.
    M,
    /// `union cs : S + cn`.
    N,
}

pub(crate) const SETS: [Set; 12] = [
    Set::E,
    Set::S,
    Set::I,
    Set::U,
    Set::B,
    Set::P,
    Set::R,
    Set::Q,
    Set::L,
    Set::M,
    Set::N,
    Set::D,
];

pub(crate) const DECLARATIONS: &str = "\
<color id='u'><id>U</id><unit><with><id>u</id></with></unit></color>
<color id='b'><id>B</id><bool/></color>
<color id='e'><id>E</id><enum><id>ea</id><id>eb</id><id>ec</id></enum></color>
<color id='s'><id>S</id><int><with><ml>0</ml><ml>3</ml></with></int></color>
<color id='i'><id>I</id><int/></color>
<color id='r'><id>R</id><int><with><ml>0</ml><ml>300</ml></with></int></color>
<color id='d'><id>D</id><subset><id>S</id><with><ml>[0, 2, 3]</ml></with></subset></color>
<color id='p'><id>P</id><product><id>E</id><id>S</id></product></color>
<color id='q'><id>Q</id><product><id>I</id><id>B</id></product></color>
<color id='l'><id>L</id><list><with><ml>0</ml><ml>2</ml></with><id>E</id></list></color>
<color id='m'><id>M</id><list><id>S</id></list></color>
<color id='n'><id>N</id><union>
  <unionfield><id>cs</id><type><id>S</id></type></unionfield>
  <unionfield><id>cn</id></unionfield></union></color>
<ml id='f'>fun next ea = eb | next eb = ec | next ec = ea;
fun first (a, b) = a; fun second (a, b) = b;</ml>
";

impl Set {
    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }

    /// Its values are integers.
    pub(crate) fn is_int(self) -> bool {
        matches!(self, Set::S | Set::I | Set::R | Set::D)
    }

    /// The colours that variables of it may take. For `I`, `R` and `M` these are not all colours, but no net
    /// uses others: see [`Set::is_known`].
    pub(crate) fn domain(self) -> Vec<Value> {
        let ints = |range: std::ops::RangeInclusive<i64>| range.map(Value::Int).collect();
        let lists = |of: Set| {
            let of = of.domain();
            let mut all = vec![Value::List(vec![])];
            all.extend(of.iter().map(|a| Value::List(vec![a.clone()])));
            all.extend(pairs(&of, &of).into_iter().map(Value::List));
            all
        };
        match self {
            Set::U => vec![Value::Unit],
            Set::B => vec![Value::Bool(false), Value::Bool(true)],
            Set::E => (0..3).map(Value::Enum).collect(),
            Set::S => ints(0..=3),
            Set::I => ints(-2..=8),
            Set::R => ints(0..=8),
            Set::D => [0, 2, 3].map(Value::Int).to_vec(),
            Set::P => {
                pairs(&Set::E.domain(), &Set::S.domain()).into_iter().map(Value::Tuple).collect()
            }
            Set::Q => {
                pairs(&Set::I.domain(), &Set::B.domain()).into_iter().map(Value::Tuple).collect()
            }
            Set::L => lists(Set::E),
            Set::M => lists(Set::S),
            Set::N => {
                let of = Set::S.domain().into_iter().map(|v| Value::Union(Some(Box::new(v))));
                of.chain([Value::Union(None)]).collect()
            }
        }
    }

    /// Whether a colour of the right type is in the set.
    pub(crate) fn is_legal(self, value: &Value) -> bool {
        match (self, value) {
            (Set::R, Value::Int(n)) => (0..=300).contains(n),
            (Set::I | Set::M | Set::Q, _) => true,
            _ => self.is_known(value),
        }
    }

    /// Whether variables may take it here.
    pub(crate) fn is_known(self, value: &Value) -> bool {
        self.domain().contains(value)
    }
}

fn pairs(a: &[Value], b: &[Value]) -> Vec<Vec<Value>> {
    a.iter().flat_map(|a| b.iter().map(|b| vec![a.clone(), b.clone()])).collect()
}

/// In CPN Tools' notation.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join =
            |parts: &[Value]| parts.iter().map(Value::to_string).collect::<Vec<_>>().join(",");
        match self {
            Value::Unit => write!(f, "u"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) if *n < 0 => write!(f, "(~{})", -n),
            Value::Int(n) => write!(f, "{n}"),
            Value::Enum(n) => write!(f, "{}", ["ea", "eb", "ec"][*n]),
            Value::Tuple(parts) => write!(f, "({})", join(parts)),
            Value::List(parts) => write!(f, "[{}]", join(parts)),
            Value::Union(Some(of)) => write!(f, "cs({of})"),
            Value::Union(None) => write!(f, "cn"),
        }
    }
}
