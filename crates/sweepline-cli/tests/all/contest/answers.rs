//! The known answers of the contest.

use std::collections::BTreeMap;
use std::path::Path;

/// An instance with a known number of states.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) name: String,
    pub(crate) states: u64,
}

/// Answers by instance, then by question.
pub(crate) struct Answers(BTreeMap<String, Vec<(String, String)>>);

impl Answers {
    pub(crate) fn read(corpus: &Path) -> Self {
        let text = std::fs::read_to_string(corpus.join("ANSWERS.tsv")).expect("ANSWERS.tsv");
        let mut answers: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for line in text.lines().skip(1) {
            let [instance, examination, item, verdict] =
                line.split('\t').collect::<Vec<_>>().try_into().expect("four columns");
            let question = format!("{examination} {item}");
            answers.entry(instance.into()).or_default().push((question, verdict.into()));
        }
        Answers(answers)
    }

    /// The answers about states.
    pub(crate) fn of(&self, instance: &str) -> impl Iterator<Item = (&String, &str)> {
        let is_temporal =
            |question: &str| question.starts_with("LTL") || question.starts_with("CTL");
        self.all(instance).filter(move |(question, _)| !is_temporal(question))
    }

    /// The answers about formulas of a logic.
    pub(crate) fn of_logic(
        &self,
        instance: &str,
        logic: &str,
    ) -> impl Iterator<Item = (&String, &str)> {
        self.all(instance).filter(move |(question, _)| question.starts_with(logic))
    }

    fn all(&self, instance: &str) -> impl Iterator<Item = (&String, &str)> {
        self.0[instance].iter().map(|(question, verdict)| (question, verdict.as_str()))
    }

    /// The nets of at most `size` states, P/T nets and symmetric nets, the largest first.
    pub(crate) fn instances(&self, size: u64) -> Vec<Instance> {
        let states = |answers: &[(String, String)]| {
            let (_, states) = answers.iter().find(|(q, _)| q == "StateSpace STATES")?;
            states.parse::<u64>().ok()
        };
        let mut instances: Vec<Instance> = self
            .0
            .iter()
            .filter_map(|(name, of)| Some(Instance { name: name.clone(), states: states(of)? }))
            .filter(|instance| instance.states <= size)
            .collect();
        instances.sort_by_key(|instance| std::cmp::Reverse(instance.states));
        instances
    }
}
