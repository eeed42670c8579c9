//! Checkpoints of several workers: one file for each, from which any number of workers can continue.
//!
//! A checkpoint is written between two levels, so no level is being expanded. To restore it, each file is read
//! by one worker, once for each [`Class`], and its states are sent to the workers that they belong to now.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Part;
use crate::checkpoint::{Error, Reader, Writer};
use crate::model::Model;
use crate::retain::{Class, Restoring, SavedLayer, SavedWindow, Stored, hash};
use crate::verdict::StopReason;

/// The order in which states are restored.
const CLASSES: [Class; 4] = [Class::Both, Class::Kept, Class::Expanded, Class::Waiting];
/// Bytes of states that are restored in one step.
const PORTION: usize = 4 << 20;

/// What follows in the file of a worker.
#[derive(Serialize, Deserialize)]
enum Entry {
    /// A layer, with the number of its states of each class. Its states follow.
    Layer(SavedLayer, [u64; 4]),
    End,
}

/// A parcel of restored states: for each layer its states of one class.
#[derive(Default, Serialize, Deserialize)]
struct Restored {
    rest: Option<SavedWindow>,
    class: u8,
    layers: Vec<(SavedLayer, Vec<Vec<u8>>)>,
}

/// The files of a checkpoint that one worker reads, and how far it is.
pub struct Pieces {
    files: Vec<std::path::PathBuf>,
    next: usize,
    class: usize,
    reader: Option<Reader>,
    restoring: Restoring,
}

/// The head of the file of a worker, as the caller wrote it.
///
/// # Errors
///
/// If it is not such a file.
pub fn head(file: &Path) -> Result<Vec<u8>, Error> {
    Reader::open(file)?.item()
}

impl Pieces {
    /// Reads `files`.
    pub fn new(files: Vec<std::path::PathBuf>) -> Self {
        Pieces { files, next: 0, class: 0, reader: None, restoring: Restoring::default() }
    }
}

impl<M: Model> Part<'_, M> {
    /// Writes the states of this worker to `file`, after `head`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn save(&self, file: &Path, head: &[u8]) -> Result<(), Error> {
        let window = &self.portion.states.window;
        let written = || {
            let mut out = Writer::create(file)?;
            out.item(head)?;
            out.item(&window.saved_rest())?;
            for (saved, layer) in window.saved_layers() {
                let count = |class| {
                    let mut count = 0;
                    layer.each_of(class, &mut |_| count += 1);
                    count
                };
                out.item(&Entry::Layer(saved, CLASSES.map(count)))?;
                let mut failed = Ok(());
                for class in CLASSES {
                    layer.each_of(class, &mut |record| {
                        if failed.is_ok() {
                            failed = out.blob(record);
                        }
                    });
                }
                failed?;
            }
            out.item(&Entry::End)?;
            out.finish()
        };
        written().map_err(Error::write(file))
    }

    /// Reads some states of the files. Returns parcels for [`take_restored`](Part::take_restored) with their
    /// destinations; `None` if there is nothing more of this class.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read_saved(
        &mut self,
        pieces: &mut Pieces,
    ) -> Result<Option<Vec<(u32, Vec<u8>)>>, StopReason> {
        let place = self.portion.place;
        let class = pieces.class as u8;
        let mut out: Vec<Restored> =
            (0..place.peers).map(|_| Restored { class, ..Restored::default() }).collect();
        let mut bytes = 0;
        while bytes < PORTION {
            let Some(mut reader) = pieces.reader.take() else {
                let Some(file) = pieces.files.get(pieces.next) else { break };
                let mut reader = Reader::open(file)?;
                let _head: Vec<u8> = reader.item()?;
                let rest: SavedWindow = reader.item()?;
                if class == 0 {
                    out.iter_mut().for_each(|parcel| parcel.rest = Some(rest.clone()));
                    bytes += PORTION;
                }
                pieces.reader = Some(reader);
                continue;
            };
            match reader.item()? {
                Entry::End => {
                    reader.finish()?;
                    pieces.next += 1;
                    continue;
                }
                Entry::Layer(saved, counts) => {
                    bytes +=
                        self.read_layer(&mut reader, &saved, counts, pieces.class, &mut out)?;
                }
            }
            pieces.reader = Some(reader);
        }
        if bytes == 0 && pieces.reader.is_none() {
            (pieces.next, pieces.class) = (0, pieces.class + 1);
            return Ok(None);
        }
        let is_empty = |parcel: &Restored| parcel.layers.is_empty() && parcel.rest.is_none();
        let numbered = (0..).zip(out).filter(|(_, parcel)| !is_empty(parcel));
        Ok(Some(numbered.map(|(to, parcel)| (to, crate::codec::to_bytes(&parcel))).collect()))
    }

    /// Reads the states of a layer and divides those of the class. Returns their bytes.
    fn read_layer(
        &self,
        reader: &mut Reader,
        saved: &SavedLayer,
        counts: [u64; 4],
        class: usize,
        out: &mut [Restored],
    ) -> Result<usize, StopReason> {
        let mut lists: Vec<Vec<Vec<u8>>> = vec![Vec::new(); out.len()];
        let (mut record, mut bytes) = (Vec::new(), 1);
        for (number, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                reader.blob(&mut record)?;
                if number == class {
                    if self.model.try_decode(&record).is_none() {
                        let what = "it contains bytes that are not a state of the model";
                        return Err(reader.damaged(what).into());
                    }
                    bytes += record.len() + 16;
                    let owner = self.portion.place.owner(hash(&record)) as usize;
                    lists[owner].push(record.clone());
                }
            }
        }
        for (list, parcel) in lists.into_iter().zip(out) {
            // Every worker learns of every layer.
            if !list.is_empty() || class == 0 {
                parcel.layers.push((saved.clone(), list));
            }
        }
        Ok(bytes)
    }

    /// How many times [`read_saved`](Part::read_saved) must come to an end.
    pub const CLASSES: usize = CLASSES.len();

    /// Stores the states of a parcel that a worker read from a checkpoint.
    ///
    /// # Errors
    ///
    /// If the checkpoint contradicts itself, or there is no memory.
    pub fn take_restored(&mut self, pieces: &mut Pieces, parcel: &[u8]) -> Result<(), StopReason> {
        let damaged =
            || StopReason::Internal("the parts of the checkpoint contradict each other".to_owned());
        let parcel: Restored = crate::codec::read(parcel).ok_or_else(damaged)?;
        let class = *CLASSES.get(usize::from(parcel.class)).ok_or_else(damaged)?;
        let window = &mut self.portion.states.window;
        if let Some(rest) = &parcel.rest {
            window.restore_rest(rest);
        }
        for (saved, records) in &parcel.layers {
            window.restore_layer(&mut pieces.restoring, saved);
            for record in records {
                match window.restore_state(&mut pieces.restoring, saved, class, record) {
                    Some(Stored::Full) => return Err(StopReason::Memory),
                    Some(_) => self.portion.states.stored += 1,
                    None => return Err(damaged()),
                }
            }
        }
        Ok(())
    }

    /// Ends restoring.
    ///
    /// # Errors
    ///
    /// If the checkpoint contradicts itself.
    pub fn end_restoring(&mut self, pieces: Pieces) -> Result<(), StopReason> {
        match self.portion.states.window.complete_restored(pieces.restoring) {
            true => Ok(()),
            false => {
                let what = "the parts of the checkpoint contradict each other".to_owned();
                Err(StopReason::Internal(what))
            }
        }
    }

    /// Puts the run where a checkpoint left it: the line, if a layer was being expanded.
    pub fn restore_line(&mut self, line: Option<Vec<i64>>) {
        self.line = line.map(|line| line.into_iter().collect());
    }
}
