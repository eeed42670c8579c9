//! Transitions, compiled: the steps that bind their variables, and the tokens that an occurrence removes and
//! adds.

use sweepline_ml::{Codec, FunctionId, Word};

/// The index of a variable of a transition.
pub(crate) type Slot = usize;

/// A transition instance.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    /// `Page'Transition 1`.
    pub(crate) name: String,
    /// The value of `inst ()`.
    pub(crate) instance: u32,
    /// A smaller number is a higher priority.
    pub(crate) priority: i64,
    pub(crate) variables: Vec<Variable>,
    /// The codecs of the variables.
    pub(crate) codecs: Vec<Codec>,
    /// In the order of execution.
    pub(crate) steps: Vec<Step>,
    /// The number of picked colours.
    pub(crate) picks: usize,
    pub(crate) takes: Vec<Take>,
    /// Places from which every binding removes tokens.
    pub(crate) needs: Vec<usize>,
    /// Places that must not have an available token.
    pub(crate) inhibitors: Vec<usize>,
    pub(crate) code: Option<Action>,
    pub(crate) delay: Option<(Call, Unit)>,
    /// Delays of input arcs that depend on variables: how long before their time stamps tokens of a place may
    /// be removed.
    pub(crate) leads: Vec<(usize, Call, Unit)>,
    pub(crate) puts: Vec<Put>,
    /// Places that are emptied after everything else.
    pub(crate) resets: Vec<usize>,
    /// All places whose marking it changes, sorted.
    pub(crate) changes: Vec<usize>,
    /// Whether some of them are timed.
    pub(crate) timed: bool,
    /// Whether the tokens removed and added depend only on the variables, except for the time.
    pub(crate) pure: bool,
}

/// A variable of a transition.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// The function `mkstr` of its colour set.
    pub(crate) show: FunctionId,
}

/// The unit of a delay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// `@+`: an integer.
    Int,
    /// `@++`: a value of the time type.
    Time,
}

/// A compiled expression over variables.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: FunctionId,
    pub(crate) parameters: Vec<Slot>,
}

/// How a value is matched.
#[derive(Clone, Debug)]
pub(crate) enum Match {
    /// Any value, which is bound to a variable.
    Whole(Slot),
    Parts(Parts),
}

/// A compiled pattern, which compares some variables and binds others.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) pattern: FunctionId,
    pub(crate) inputs: Vec<Slot>,
    pub(crate) outputs: Vec<Slot>,
}

/// One step of a binding search.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Picks any matching colour on a place with at least `needed` tokens available now. Zero means available
    /// now or later.
    Pick { pick: usize, place: usize, needed: u64, matching: Match },
    /// The picked colour must equal the value of an expression, because parts of it are not patterns.
    Confirm { pick: usize, place: usize, call: Call },
    /// A guard `pattern = expression`: the value of the expression must match.
    Let { value: Call, matching: Match },
    /// A guard.
    Test(Call),
    /// Enumerates a small colour set.
    Each { slot: Slot, values: Values },
    /// The value must be in the colour set of its variable.
    Legal { slot: Slot, function: FunctionId },
}

/// All values of a colour set.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// Computed by its function `all`.
    Computed(FunctionId),
    /// Computed in advance, because the result is constant.
    Known(Vec<Word>),
}

/// The tokens that an occurrence removes from a place.
#[derive(Clone, Debug)]
pub(crate) struct Take {
    pub(crate) place: usize,
    /// The index of the place among the places that the transition changes.
    pub(crate) at: usize,
    pub(crate) tokens: Tokens,
}

/// The tokens to remove.
#[derive(Clone, Debug)]
pub(crate) enum Tokens {
    /// This many tokens of a picked colour.
    Picked { pick: usize, count: u64 },
    /// This many tokens of the colour that an expression computes.
    Counted { call: Call, count: u64 },
    /// The tokens that an expression computes.
    Given(Given),
}

/// Tokens that an expression computes.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) call: Call,
    pub(crate) form: Form,
}

/// The form of an inscription's value.
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

/// The tokens that an occurrence adds to a place.
#[derive(Clone, Debug)]
pub(crate) struct Put {
    pub(crate) place: usize,
    /// The index of the place among the places that the transition changes.
    pub(crate) at: usize,
    pub(crate) given: Given,
    /// The function `legal` of the colour set, if added colours must be checked.
    pub(crate) legal: Option<FunctionId>,
}

impl Call {
    /// The arguments of the call.
    pub(crate) fn arguments(&self, slots: &[Word], arguments: &mut Vec<Word>) {
        arguments.clear();
        arguments.extend(self.parameters.iter().map(|&slot| slots[slot]));
    }
}
