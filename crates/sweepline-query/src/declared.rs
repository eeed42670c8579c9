//! Properties and measures that a model declares by name.

use sweepline_source::Text;

/// A progress measure with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// Its components, as `--progress` takes them.
    pub text: Text,
    /// Where it stands.
    pub offset: usize,
}

/// A question with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What is asked.
    pub kind: PropertyKind,
    /// Of which expression, formula or transition; nothing where the kind says it all.
    pub text: Text,
    /// Where it stands.
    pub offset: usize,
}

/// What a property says.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// No reachable marking satisfies its expression.
    Never,
    /// Some reachable marking satisfies it.
    Reach,
    /// Its least and greatest value.
    Bound,
    /// From every reachable marking one that satisfies it can be reached.
    Home,
    /// Every reachable marking has a successor.
    Deadlock,
    /// The initial marking can be reached from every reachable marking.
    Reversible,
    /// No run goes on for ever.
    Terminates,
    /// Its transition can occur again, from whatever reachable marking.
    Live,
    /// Infinite runs are fair to its transition.
    Fair,
    /// Every run satisfies its formula.
    Ltl,
    /// The initial marking satisfies its formula.
    Ctl,
}

/// What a kind of property is followed by.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Nothing.
    Nothing,
    /// An expression over places.
    Expression,
    /// The name of a transition.
    Transition,
    /// A formula, of runs after what is assumed of them.
    Formula,
}

impl PropertyKind {
    /// The word for each kind in the text form, that of the option of `check`, and what follows it.
    const TABLE: [(PropertyKind, &'static str, Operand); 11] = [
        (PropertyKind::Never, "never", Operand::Expression),
        (PropertyKind::Reach, "reach", Operand::Expression),
        (PropertyKind::Bound, "bound", Operand::Expression),
        (PropertyKind::Home, "home", Operand::Expression),
        (PropertyKind::Deadlock, "deadlock", Operand::Nothing),
        (PropertyKind::Reversible, "reversible", Operand::Nothing),
        (PropertyKind::Terminates, "terminates", Operand::Nothing),
        (PropertyKind::Live, "live", Operand::Transition),
        (PropertyKind::Fair, "fair", Operand::Transition),
        (PropertyKind::Ltl, "ltl", Operand::Formula),
        (PropertyKind::Ctl, "ctl", Operand::Formula),
    ];

    /// The kind that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::TABLE.iter().find(|(_, known, _)| *known == word).map(|(kind, ..)| *kind)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// What follows that word.
    pub fn operand(self) -> Operand {
        Self::TABLE[self as usize].2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_table_are_in_order() {
        for (kind, word, operand) in PropertyKind::TABLE {
            assert_eq!(PropertyKind::of_word(word), Some(kind));
            assert_eq!((kind.word(), kind.operand()), (word, operand));
        }
    }
}
