//! Properties and measures that a model declares by name.

use sweepline_source::Text;

/// A progress measure with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// Its components, as `--progress` takes them.
    pub text: Text,
    /// Its offset in the file.
    pub offset: usize,
}

/// A declared property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// The expression, formula or transition; empty if the kind needs none.
    pub text: Text,
    /// Its offset in the file.
    pub offset: usize,
}

/// The kind of a property.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// No reachable marking satisfies its expression.
    Never,
    /// Some reachable marking satisfies it.
    Reach,
    /// Its least and greatest value.
    Bound,
    /// From every reachable marking, a marking that satisfies it can be reached.
    Home,
    /// Every reachable marking has a successor.
    Deadlock,
    /// The initial marking can be reached from every reachable marking.
    Reversible,
    /// There is no infinite path.
    Terminates,
    /// From every reachable marking, its transition can occur again.
    Live,
    /// Infinite paths are fair to its transition.
    Fair,
    /// Every path satisfies its formula.
    Ltl,
    /// The initial marking satisfies its formula.
    Ctl,
}

/// The operand of a kind of property.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Nothing.
    Nothing,
    /// An expression over places.
    Expression,
    /// The name of a transition.
    Transition,
    /// A formula, after the fairness assumptions on paths.
    Formula,
}

impl PropertyKind {
    /// For each kind: its keyword in the text form, which is also the option of `check`, and its operand.
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

    /// The kind with this keyword.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::TABLE.iter().find(|(_, known, _)| *known == word).map(|(kind, ..)| *kind)
    }

    /// Its keyword.
    pub fn word(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// Its operand.
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
