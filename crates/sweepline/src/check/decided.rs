//! Properties that are decided without exploration.

use super::Check;
use crate::model::Model;
use crate::observe::{Answer, Fork, Observer, Query};
use crate::select::Needs;

/// A verdict that needs no exploration, and where it comes from.
///
/// # Law
///
/// The verdict is that of a complete exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The property holds.
    pub holds: bool,
    /// Least and greatest value, for a property that has them.
    pub range: Option<(i128, i128)>,
    /// Further results, as the query of an exploration has them.
    pub findings: Vec<String>,
    /// What decided it, for machines: `state-equation`, …
    pub by: &'static str,
    /// The same in words.
    pub words: String,
    /// The reason, one line for each part, so that a reader can check it.
    pub certificate: Vec<String>,
}

/// A query that is answered from the start.
struct Settled(Decision);

impl<M: Model> Observer<M> for Settled {
    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(Settled(self.0.clone())))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn merge(&mut self, _model: &M, _saved: &[u8]) -> bool {
        true
    }
}

impl<M: Model> Query<M> for Settled {
    fn has_witness(&self) -> bool {
        false
    }

    fn needs(&self) -> Needs<M> {
        // Every reduction preserves dead states.
        Needs::Ends
    }

    fn answer(&self) -> Answer {
        if self.0.holds { Answer::Holds(None) } else { Answer::Violated(None) }
    }

    fn range(&self) -> Option<(i128, i128)> {
        self.0.range
    }

    fn findings(&self) -> Vec<String> {
        self.0.findings.clone()
    }

    fn decision(&self) -> Option<&Decision> {
        Some(&self.0)
    }
}

impl<M: Model> Check<'_, M> {
    /// A property whose verdict is known without exploration. If all properties are such, nothing is explored.
    ///
    /// ```
    /// # use sweepline::{Check, System, check::Decision};
    /// # struct Endless;
    /// # impl System for Endless {
    /// #     type State = u64;
    /// #     type Action = ();
    /// #     fn initial(&self) -> Vec<u64> { vec![0] }
    /// #     fn successors(&self, n: &u64, push: &mut dyn FnMut((), u64)) { push((), n + 2) }
    /// # }
    /// let parity = Decision {
    ///     holds: true,
    ///     range: None,
    ///     findings: Vec::new(),
    ///     by: "parity",
    ///     words: "every step adds two".into(),
    ///     certificate: Vec::new(),
    /// };
    /// let report = Check::new(&Endless).decided("odd", "never", parity).run();
    /// report.assert_holds();
    /// assert_eq!(report.statistics.explored, 0);
    /// ```
    #[must_use]
    pub fn decided(self, name: impl Into<String>, kind: &'static str, decision: Decision) -> Self {
        self.query(name, kind, Settled(decision))
    }
}
