//! Versions of the net: scripts may assign the references of its declarations, and inscriptions use the
//! assigned values.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sweepline_ml::core::VarId;
use sweepline_ml::{Held, Machine, Word};

use super::space::Space;
use crate::explore::CpnModel;

/// The net for each state of its references, in order.
pub(super) struct Versions<'m> {
    first: Version<'m>,
    /// The initial values of references that cannot be copied to the model, such as functions.
    others: Mutex<HashMap<VarId, Word>>,
}

pub(super) struct Version<'m> {
    model: Model<'m>,
    references: Vec<(VarId, Vec<u8>)>,
    /// The stored state space, from the first query until the next version.
    pub(super) space: Mutex<Option<Arc<Space>>>,
    next: OnceLock<Box<Version<'m>>>,
}

enum Model<'m> {
    Given(&'m CpnModel),
    Made(Box<CpnModel>),
}

impl Version<'_> {
    pub(super) fn model(&self) -> &CpnModel {
        match &self.model {
            Model::Given(model) => model,
            Model::Made(model) => model,
        }
    }
}

impl<'m> Versions<'m> {
    pub(super) fn new(model: &'m CpnModel) -> Self {
        let references = model.references().into_iter().filter_map(|(var, held)| match held {
            Held::Data(bytes) => Some((var, bytes)),
            Held::Other(_) => None,
        });
        let first = Version {
            references: references.collect(),
            model: Model::Given(model),
            space: Mutex::default(),
            next: OnceLock::new(),
        };
        Versions { first, others: Mutex::default() }
    }

    pub(super) fn latest(&self) -> &Version<'m> {
        let mut version = &self.first;
        while let Some(next) = version.next.get() {
            version = next;
        }
        version
    }

    /// Records the values of references that cannot be copied to the model.
    pub(super) fn begin(&self, machine: &Machine) {
        let mut others = locked(&self.others);
        for (var, held) in machine.references().unwrap_or_default() {
            if let Held::Other(word) = held {
                others.entry(var).or_insert(word);
            }
        }
    }

    /// Creates another version if references have other values than in the latest one.
    pub(super) fn follow(&self, machine: &Machine) -> Result<(), String> {
        let latest = self.latest();
        let held = machine.references().map_err(|raised| raised.to_string())?;
        let mut references = latest.references.clone();
        for (var, held) in held {
            match held {
                Held::Data(bytes) => {
                    let known = references.iter_mut().find(|(known, _)| *known == var);
                    known.into_iter().for_each(|(_, known)| known.clone_from(&bytes));
                }
                Held::Other(word) => self.unchanged(var, word)?,
            }
        }
        if references == latest.references {
            return Ok(());
        }
        let model = latest.model();
        let made = model.with_references(&references).map_err(|error| error.to_string())?;
        if !is_alike(model, &made) {
            return Err(
                "priorities or the sizes of colour sets follow from references that the script \
                        assigned"
                    .to_owned(),
            );
        }
        locked(&latest.space).take();
        let (space, next) = (Mutex::default(), OnceLock::new());
        let version = Version { model: Model::Made(Box::new(made)), references, space, next };
        // This is the latest version, so `next` is not set yet.
        let _ = latest.next.set(Box::new(version));
        Ok(())
    }

    fn unchanged(&self, var: VarId, word: Word) -> Result<(), String> {
        let model = self.first.model();
        let is_used = model.references().iter().any(|(known, _)| *known == var);
        if !is_used || locked(&self.others).get(&var).is_none_or(|known| *known == word) {
            return Ok(());
        }
        let name = &model.net().environment.program().variable(var).name;
        Err(format!(
            "the script assigns the reference `{name}`, which contains functions or references"
        ))
    }
}

/// Locks a mutex. A panic cannot leave its value half changed, so poisoning is ignored.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether markings and transitions have the same encoding in both models.
fn is_alike(model: &CpnModel, other: &CpnModel) -> bool {
    let names = |model: &CpnModel| -> Vec<String> {
        model.transitions.iter().map(|transition| transition.name.clone()).collect()
    };
    let same_places = model.places.iter().zip(&other.places).all(|(a, b)| a.kind == b.kind);
    names(model) == names(other) && same_places
}
