//! Transitions in the form they are explored in: the steps that bind their variables, and what an
//! occurrence takes and puts.

use sweepline_ml::{Codec, FunctionId, Word};

/// A variable of a transition, by its place among them.
pub(crate) type Slot = usize;

/// A transition instance.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    /// `Page'Transition 1`.
    pub(crate) name: String,
    /// What `inst ()` gives.
    pub(crate) instance: u32,
    /// The least number goes first.
    pub(crate) priority: i64,
    pub(crate) variables: Vec<Variable>,
    /// The codecs of the variables.
    pub(crate) codecs: Vec<Codec>,
    /// In the order they are taken.
    pub(crate) steps: Vec<Step>,
    /// How many colours are picked on the way.
    pub(crate) picks: usize,
    pub(crate) takes: Vec<Take>,
    /// Places that every binding takes tokens from.
    pub(crate) needs: Vec<usize>,
    /// Places that must have no available token.
    pub(crate) inhibitors: Vec<usize>,
    pub(crate) code: Option<Action>,
    pub(crate) delay: Option<(Call, Unit)>,
    /// Delays of input arcs that depend on variables: how much before their stamps tokens of a place
    /// may be taken.
    pub(crate) leads: Vec<(usize, Call, Unit)>,
    pub(crate) puts: Vec<Put>,
    /// Places emptied in the end.
    pub(crate) resets: Vec<usize>,
    /// All places whose marking it changes, sorted.
    pub(crate) changes: Vec<usize>,
    /// Some of them are timed.
    pub(crate) timed: bool,
    /// What it takes and puts depends on its variables alone, but for the time.
    pub(crate) pure: bool,
}

/// A variable of a transition.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// The function `mkstr` of its colour set.
    pub(crate) show: FunctionId,
}

/// What a delay is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// `@+`: a whole number.
    Int,
    /// `@++`: a time.
    Time,
}

/// A compiled expression over variables.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: FunctionId,
    pub(crate) parameters: Vec<Slot>,
}

/// What a value must match.
#[derive(Clone, Debug)]
pub(crate) enum Match {
    /// Anything, which becomes the value of a variable.
    Whole(Slot),
    Parts(Parts),
}

/// A compiled pattern: compares with some variables, binds others.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) pattern: FunctionId,
    pub(crate) inputs: Vec<Slot>,
    pub(crate) outputs: Vec<Slot>,
}

/// One step on the way to a binding.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Any colour on a place that matches, and of which there are as many tokens as needed now; zero
    /// means now or later.
    Pick { pick: usize, place: usize, needed: u64, matching: Match },
    /// What was picked must be what an expression gives: parts of it are no patterns.
    Confirm { pick: usize, place: usize, call: Call },
    /// The value of an expression, which must match: a guard `pattern = expression`.
    Let { value: Call, matching: Match },
    /// A guard.
    Test(Call),
    /// Every value of a small colour set.
    Each { slot: Slot, values: Values },
    /// The value must be legal for the colour set of its variable.
    Legal { slot: Slot, function: FunctionId },
}

/// All values of a colour set.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// What its function `all` gives.
    Computed(FunctionId),
    /// What that gave, and always gives.
    Known(Vec<Word>),
}

/// What an occurrence takes from a place.
#[derive(Clone, Debug)]
pub(crate) struct Take {
    pub(crate) place: usize,
    /// Which of the places that the transition changes.
    pub(crate) at: usize,
    pub(crate) tokens: Tokens,
}

/// Which tokens are taken.
#[derive(Clone, Debug)]
pub(crate) enum Tokens {
    /// Of the colour that a step picked, as many as this.
    Picked { pick: usize, count: u64 },
    /// Of the colour that an expression gives, as many as this.
    Counted { call: Call, count: u64 },
    /// Those that an expression gives.
    Given(Given),
}

/// Tokens that an expression gives.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) call: Call,
    pub(crate) form: Form,
}

/// What the value of an inscription is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A colour.
    Token,
    /// A list of colours.
    MultiSet,
    /// A list of colours with time stamps.
    Timed,
}

/// A code segment.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) call: Call,
    pub(crate) outputs: Vec<Slot>,
}

/// What an occurrence puts on a place.
#[derive(Clone, Debug)]
pub(crate) struct Put {
    pub(crate) place: usize,
    /// Which of the places that the transition changes.
    pub(crate) at: usize,
    pub(crate) given: Given,
    /// The function `legal` of the colour set, where produced colours must be checked.
    pub(crate) legal: Option<FunctionId>,
}

impl Call {
    /// The arguments of the call.
    pub(crate) fn arguments(&self, slots: &[Word], arguments: &mut Vec<Word>) {
        arguments.clear();
        arguments.extend(self.parameters.iter().map(|&slot| slots[slot]));
    }
}
