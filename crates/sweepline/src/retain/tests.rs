//! The store, compared with a plain map and a list: random states of equal and of different lengths, grown,
//! parked, recycled.

use std::collections::HashMap;

use super::layer::LayerStatus;
use super::{Budget, Hint, Layer, Stored, Window, hash};
use crate::progress::Value;

/// Number of states inserted into a layer in one test.
const SHOWN: usize = if cfg!(miri) { 300 } else { 40_000 };

/// Pseudorandom numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// The lengths of states: all equal, or different, including the empty state.
#[derive(Clone, Copy, Debug)]
enum Form {
    Fixed(usize),
    Ragged,
    /// Equal, except for a few.
    Late,
}

const FORMS: [Form; 7] = [
    Form::Fixed(0),
    Form::Fixed(3),
    Form::Fixed(6),
    Form::Fixed(16),
    Form::Fixed(41),
    Form::Ragged,
    Form::Late,
];

impl Form {
    fn state(self, n: u64) -> Vec<u8> {
        let length = match self {
            Form::Fixed(length) => length,
            Form::Ragged => (n % 23) as usize,
            Form::Late => 5 + usize::from(n % 5_000 == 77) * 9,
        };
        n.to_le_bytes().into_iter().cycle().take(length).collect()
    }
}

/// The expected content of a layer.
#[derive(Default)]
struct Expected {
    numbers: HashMap<Vec<u8>, usize>,
    order: Vec<Vec<u8>>,
    taken: usize,
}

impl Expected {
    fn insert(&mut self, state: &[u8]) -> Stored {
        if let Some(&number) = self.numbers.get(state) {
            return Stored::Seen(number, number as u32);
        }
        self.numbers.insert(state.to_vec(), self.order.len());
        self.order.push(state.to_vec());
        Stored::New(self.order.len() - 1)
    }

    fn take(&mut self) -> Option<(usize, &[u8])> {
        let state = self.order.get(self.taken)?;
        self.taken += 1;
        Some((self.taken - 1, state))
    }

    /// Removes all but the first `kept`, which count as taken.
    fn truncate(&mut self, kept: usize) {
        self.order.truncate(kept);
        self.numbers.retain(|_, number| *number < kept);
        self.taken = kept;
    }
}

/// The next waiting state, of any level.
fn take(layer: &mut Layer) -> Option<(usize, &[u8])> {
    layer.begin_level();
    layer.take().map(|(number, bytes, _)| (number, bytes))
}

/// Inserts states into both, in batches with hints as the loop does, and takes some.
fn drive(layer: &mut Layer, expected: &mut Expected, form: Form, shown: usize, r: &mut Random) {
    let mut budget = Budget::new(None);
    budget.used = 1 << 40;
    for _ in 0..shown / 10 {
        let states: Vec<Vec<u8>> =
            (0..10).map(|_| form.state(r.below(shown as u64 / 2 + 1))).collect();
        let hints: Vec<Hint> =
            states.iter().map(|state| layer.prefetch_record(hash(state))).collect();
        for (state, hint) in states.iter().zip(hints) {
            let hint = if r.below(3) == 0 { Hint::default() } else { hint };
            let stored = match layer.insert(hash(state), hint, state, &mut budget) {
                Stored::Seen(number, _) => Stored::Seen(number, number as u32),
                other => other,
            };
            assert_eq!(stored, expected.insert(state), "{form:?}");
        }
        for _ in 0..r.below(12) {
            assert_eq!(take(layer), expected.take(), "{form:?}");
        }
        assert_eq!(layer.len(), expected.order.len());
        assert_eq!(layer.is_open(), expected.taken < expected.order.len());
    }
}

#[test]
fn a_layer_is_a_set_and_a_queue() {
    let mut r = Random(1);
    for form in FORMS {
        let (mut layer, mut expected) = (Layer::new(false), Expected::default());
        drive(&mut layer, &mut expected, form, SHOWN, &mut r);
        while let Some(next) = expected.take() {
            assert_eq!(take(&mut layer), Some(next));
        }
        assert_eq!(take(&mut layer), None);
    }
}

#[test]
fn a_parked_layer_keeps_what_is_persistent() {
    let mut r = Random(2);
    let mut budget = Budget::new(None);
    budget.used = 1 << 40;
    for form in FORMS {
        let (mut layer, mut expected) = (Layer::new(false), Expected::default());
        for shown in [50, 0, SHOWN / 4, 20, SHOWN / 2] {
            // Behind the line, states become persistent; then a sweep opens the layer and adds more.
            layer.place = LayerStatus::Parked;
            drive(&mut layer, &mut expected, form, shown, &mut r);
            let kept = expected.order.len();
            assert_eq!(layer.kept(), kept, "{form:?}");
            layer.place = LayerStatus::Open;
            drive(&mut layer, &mut expected, form, shown, &mut r);
            assert!(layer.park(&mut budget));
            expected.truncate(kept);
            assert_eq!((layer.len(), layer.kept()), (kept, kept), "{form:?}");
        }
    }
}

#[test]
fn a_recycled_layer_is_empty() {
    let mut r = Random(3);
    let mut layer = Layer::new(false);
    for round in 0..30 {
        let form = FORMS[round % FORMS.len()];
        let shown = [10, 200, SHOWN / 3][round % 3];
        let mut expected = Expected::default();
        drive(&mut layer, &mut expected, form, shown, &mut r);
        layer.reset(round % 2 == 0, &mut Budget { limit: u64::MAX, used: 1 << 40 });
        assert_eq!((layer.len(), layer.kept(), layer.is_open()), (0, 0, false));
    }
}

/// Stores `n` states with values below `values`, then expands and drops every layer.
fn fill_and_drop(window: &mut Window, n: u64, values: u64, form: Form, r: &mut Random) {
    for i in 0..n {
        let (state, value) = (form.state(i), Value::from([r.below(values) as i64]));
        let id = window.target(&value, None);
        assert_ne!(window.insert(id, hash(&state), Hint::default(), &state), Stored::Full);
    }
    while let Some(id) = window.least_open() {
        while take(window.layer_mut(id)).is_some() {}
        window.pass(id);
    }
    while let Some(id) = window.droppable(0) {
        assert!(window.drop_layer(id));
    }
}

#[test]
fn dropped_layers_give_their_memory_back() {
    let mut r = Random(4);
    let mut window = Window::new(0, false, 0, Budget::new(None));
    for _ in 0..20 {
        for (n, values) in [(SHOWN as u64, 1), (SHOWN as u64, 7), (500, 200)] {
            fill_and_drop(&mut window, n, values, Form::Late, &mut r);
            assert_eq!(window.stored, 0);
        }
        // About two hundred empty layers, and the small tables that some of them keep.
        assert!(window.budget.used < 400 << 10, "{} bytes stored by nothing", window.budget.used);
    }
}

#[test]
fn the_budget_is_kept() {
    for form in FORMS {
        for limit in [0, 600, 5_000, 60_000, 700_000] {
            let mut layer = Layer::new(false);
            let mut budget = Budget::new(Some(limit));
            let mut stored = Vec::new();
            for n in 0..SHOWN as u64 {
                let state = form.state(n);
                match layer.insert(hash(&state), Hint::default(), &state, &mut budget) {
                    Stored::New(_) => stored.push(state),
                    Stored::Seen(..) => {}
                    Stored::Full => break,
                }
            }
            // The spare slots of a table are not counted before it is made.
            assert!(budget.used <= limit + (20 << 10), "{form:?}: {} of {limit}", budget.used);
            assert_eq!(layer.len(), stored.len());
            for state in &stored {
                assert_eq!(take(&mut layer).map(|(_, bytes)| bytes.to_vec()).as_ref(), Some(state));
            }
        }
    }
}

#[test]
fn another_length_waits_for_memory() {
    let mut layer = Layer::new(false);
    let mut budget = Budget::new(None);
    for n in 0..1_000u64 {
        let state = Form::Fixed(6).state(n);
        layer.insert(hash(&state), Hint::default(), &state, &mut budget);
    }
    // Length and number in front of each record: sixteen bytes instead of six.
    budget.limit = budget.used + 15_000;
    let odd = [1; 7];
    assert_eq!(layer.insert(hash(&odd), Hint::default(), &odd, &mut budget), Stored::Full);
    assert_eq!(layer.len(), 1_000);
    budget.limit = budget.used + 40_000;
    assert_eq!(layer.insert(hash(&odd), Hint::default(), &odd, &mut budget), Stored::New(1_000));
}
