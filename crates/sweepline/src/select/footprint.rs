//! Which variables each action reads and writes: the simplest way to declare dependencies between actions.

/// The variables that each action reads and writes.
///
/// Variables are numbers that you choose. An action *reads* the variables that decide whether it is enabled
/// and what it does; it *writes* the variables that it changes.
///
/// ```
/// use sweepline::select::Footprints;
///
/// // Two philosophers; variables 0 and 1 are the forks, 2 and 3 what they are doing.
/// let mut footprints = Footprints::new(2);
/// footprints.reads(0, [0, 2]).writes(0, [0, 2]);
/// footprints.reads(1, [1, 3]).writes(1, [1, 3]);
/// assert!(footprints.independent(0, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    reads: Vec<Vec<u32>>,
    writes: Vec<Vec<u32>>,
}

impl Footprints {
    /// Footprints of `actions` actions that read and write nothing yet.
    pub fn new(actions: u32) -> Self {
        let none = vec![Vec::new(); actions as usize];
        Footprints { reads: none.clone(), writes: none }
    }

    /// How many actions there are.
    pub fn actions(&self) -> u32 {
        self.reads.len() as u32
    }

    /// `action` reads `variables`.
    pub fn reads(&mut self, action: u32, variables: impl IntoIterator<Item = u32>) -> &mut Self {
        self.reads[action as usize].extend(variables);
        self
    }

    /// `action` writes `variables`.
    pub fn writes(&mut self, action: u32, variables: impl IntoIterator<Item = u32>) -> &mut Self {
        self.writes[action as usize].extend(variables);
        self
    }

    /// Whether neither action writes a variable that the other one reads or writes.
    pub fn independent(&self, a: u32, b: u32) -> bool {
        !self.disturbs(a, b) && !self.disturbs(b, a)
    }

    /// Whether `a` writes a variable that `b` reads or writes.
    fn disturbs(&self, a: u32, b: u32) -> bool {
        let (reads, writes) = (&self.reads[b as usize], &self.writes[b as usize]);
        self.writes[a as usize].iter().any(|v| reads.contains(v) || writes.contains(v))
    }

    /// The companions of `action`: for an enabled one, all actions that depend on it; for a disabled one, all
    /// actions that write a variable that it reads.
    pub fn companions(&self, action: u32, enabled: bool, into: &mut Vec<u32>) {
        let reads = &self.reads[action as usize];
        for other in 0..self.actions() {
            let needed = if enabled {
                !self.independent(action, other)
            } else {
                self.writes[other as usize].iter().any(|v| reads.contains(v))
            };
            if needed {
                into.push(other);
            }
        }
    }
}
