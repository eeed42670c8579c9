//! Checkpoints of a cluster: a folder with one file for each worker, from which any number of workers can continue.
//!
//! A checkpoint has a number. Its parts are complete files, so the checkpoint exists as soon as all parts with
//! its number exist; older ones are removed then. The folder may be shared by all processes, or each process
//! has its own.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sweepline::checkpoint::{Error, Saved};
use sweepline::codec::{read, to_bytes};
use sweepline::part::{Part, Pieces, Place, head};
use sweepline::{Model, StopReason};

use crate::Terms;
use crate::course::{Course, SavedCourse};

/// Where the checkpoints of a run are, and how often they are written.
#[derive(Clone, Debug)]
pub struct Folder {
    /// The folder, which is made if it does not exist.
    pub path: PathBuf,
    /// The interval. A checkpoint is written before the first level, and then before the next level when this
    /// time has passed.
    pub every: Duration,
    /// Continue the run whose checkpoint is in the folder.
    pub resume: bool,
}

/// The number of a checkpoint, and which part of it a file is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct PartName {
    number: u64,
    place: (u32, u32),
}

impl PartName {
    fn file(self) -> String {
        let PartName { number, place: (index, peers) } = self;
        format!("checkpoint-{number}-part-{index}-of-{peers}")
    }

    fn parse(name: &str) -> Option<Self> {
        let (number, rest) = name.strip_prefix("checkpoint-")?.split_once("-part-")?;
        let (index, peers) = rest.split_once("-of-")?;
        let place = (index.parse().ok()?, peers.parse().ok()?);
        let name = PartName { number: number.parse().ok()?, place };
        (place.0 < place.1).then_some(name)
    }
}

/// What a part begins with.
#[derive(Serialize, Deserialize)]
struct Head {
    terms: Terms,
    course: SavedCourse,
    step: u64,
    facts: Vec<Vec<u8>>,
    seconds: f64,
    resumed: u64,
}

/// What a worker reads of a checkpoint.
pub(crate) struct Continued {
    pub(crate) pieces: Pieces,
    pub(crate) course: SavedCourse,
    pub(crate) step: u64,
    pub(crate) facts: Vec<Vec<u8>>,
}

/// The right of a process to use the folder. The system releases the lock when the process ends.
pub(crate) struct FolderLock {
    path: PathBuf,
    _file: File,
}

impl FolderLock {
    pub(crate) fn take(folder: &Folder, process: usize) -> Result<Self, Error> {
        let write = |error: io::Error| Error::Write {
            file: folder.path.clone(),
            message: error.to_string(),
        };
        fs::create_dir_all(&folder.path).map_err(write)?;
        let path = folder.path.join(format!("process-{process}.lock"));
        let mut options = File::options();
        let file = options.write(true).create(true).truncate(false).open(&path).map_err(write)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Error::InUse { file: folder.path.clone() }),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(FolderLock { path, _file: file }),
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The parts in a folder.
pub(crate) fn parts(folder: &Path) -> Result<Vec<PartName>, Error> {
    let failed =
        |error: io::Error| Error::Read { file: folder.to_owned(), message: error.to_string() };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        found.extend(name.to_str().and_then(PartName::parse));
    }
    found.sort_unstable();
    Ok(found)
}

/// Removes all parts of checkpoints from a folder, and the folder if it is empty then.
///
/// # Errors
///
/// If the folder cannot be read or a file cannot be removed.
pub fn remove(folder: &Path) -> io::Result<()> {
    for part in parts(folder).map_err(io::Error::other)? {
        remove_file(&folder.join(part.file()))?;
    }
    // Locks of processes that were killed, and parts that they did not complete; locks that are in use stay.
    for entry in fs::read_dir(folder)?.flatten() {
        let is_incomplete =
            |name: &str| name.strip_suffix(".part").and_then(PartName::parse).is_some();
        if entry.file_name().to_str().is_some_and(is_incomplete) {
            remove_file(&entry.path())?;
            continue;
        }
        let is_lock = |name: &str| name.starts_with("process-") && name.ends_with(".lock");
        if entry.file_name().to_str().is_some_and(is_lock)
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            remove_file(&entry.path())?;
        }
    }
    // Another process of the run, or the user, may have files in it.
    let _ = fs::remove_dir(folder);
    Ok(())
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The checkpoint that a run continues: the newest complete one in the folders of all processes. Tells for
/// each part which process reads it.
pub(crate) fn newest(
    folder: &Path,
    listed: &[Vec<PartName>],
) -> Result<(u64, Vec<(PartName, usize)>), Error> {
    let mut found: BTreeMap<(u64, u32), BTreeMap<u32, usize>> = BTreeMap::new();
    for (process, parts) in listed.iter().enumerate() {
        for part in parts {
            let readers = found.entry((part.number, part.place.1)).or_default();
            readers.entry(part.place.0).or_insert(process);
        }
    }
    let is_complete =
        |(name, readers): &(&(u64, u32), &BTreeMap<u32, usize>)| readers.len() == name.1 as usize;
    if let Some((&(number, peers), readers)) = found.iter().rev().find(is_complete) {
        let read = |(&index, &process): (&u32, &usize)| {
            (PartName { number, place: (index, peers) }, process)
        };
        return Ok((number, readers.iter().map(read).collect()));
    }
    let what = match found.last_key_value() {
        None => "there is no checkpoint of several processes in it".to_owned(),
        Some(((number, peers), readers)) => {
            let missing = (0..*peers).filter(|index| !readers.contains_key(index));
            let missing: Vec<String> = missing.map(|index| index.to_string()).collect();
            format!(
                "checkpoint {number} is incomplete: part {} of {peers} is missing; the folders of all processes of the \
                 earlier run are needed",
                missing.join(", ")
            )
        }
    };
    Err(Error::Damaged { file: folder.to_owned(), what })
}

/// What all parts of a checkpoint have in common.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Shared {
    pub(crate) course: SavedCourse,
    pub(crate) step: u64,
    /// The time of the run so far, and how often it was continued, this time included.
    pub(crate) before: Duration,
    pub(crate) resumed: u64,
}

/// The files that a worker reads, and the facts in them.
pub(crate) type Own = (Vec<PathBuf>, Vec<Vec<u8>>);

/// What each worker of this process reads of a checkpoint, and what its parts have in common, if this process
/// reads some.
pub(crate) fn own_parts(
    folder: &Path,
    parts: &[(PartName, usize)],
    (process, threads): (usize, usize),
    terms: &Terms,
) -> Result<(Vec<Own>, Option<Shared>), Error> {
    let mut each: Vec<Own> = vec![Own::default(); threads];
    let mut first: Option<Shared> = None;
    let own = parts.iter().filter(|(_, reader)| *reader == process);
    for (number, (part, _)) in own.enumerate() {
        let file = folder.join(part.file());
        let damaged = |what: &str| Error::Damaged { file: file.clone(), what: what.into() };
        let found: Head = read(&head(&file)?).ok_or_else(|| damaged("its head is invalid"))?;
        if let Some((what, there, here)) = terms.difference(&found.terms) {
            return Err(Error::OtherRun { file, what, there, here });
        }
        let (files, facts) = &mut each[number % threads];
        files.push(file.clone());
        facts.extend(found.facts);
        let before = Duration::try_from_secs_f64(found.seconds).unwrap_or_default();
        let Head { course, step, resumed, .. } = found;
        let shared = first.get_or_insert_with(|| Shared {
            course: course.clone(),
            step,
            before,
            resumed: resumed + 1,
        });
        if (&shared.course, shared.step) != (&course, step) {
            return Err(damaged("it belongs to another checkpoint"));
        }
        shared.before = shared.before.max(before);
    }
    Ok((each, first))
}

/// What one worker reads of a checkpoint.
pub(crate) fn continued((files, facts): Own, shared: &Shared) -> Continued {
    let Shared { course, step, .. } = shared;
    Continued { pieces: Pieces::new(files), course: course.clone(), step: *step, facts }
}

/// The checkpoints that a worker writes.
pub(crate) struct Saving {
    folder: Folder,
    terms: Terms,
    place: Place,
    /// Whether this worker removes old parts from the folder.
    tidies: bool,
    number: u64,
    last: Option<Instant>,
    started: Instant,
    result: Option<Result<(), String>>,
    report: Option<Saved>,
    saved: Saved,
    /// Facts of earlier runs, which this worker saves with its own.
    carried: Vec<Vec<u8>>,
    /// The time of earlier runs.
    pub(crate) before: Duration,
    pub(crate) continued: Option<Continued>,
}

impl Saving {
    pub(crate) fn new(
        folder: &Folder,
        terms: &Terms,
        place: Place,
        tidies: bool,
        number: u64,
        (continued, before, resumed): (Option<Continued>, Duration, u64),
    ) -> Self {
        let saved = Saved { file: folder.path.clone(), resumed, before, ..Saved::default() };
        Saving {
            folder: folder.clone(),
            terms: terms.clone(),
            place,
            tidies,
            number,
            // A run that was continued has a checkpoint already.
            last: (resumed > 0).then(Instant::now),
            started: Instant::now(),
            result: None,
            report: None,
            saved,
            carried: continued.as_ref().map(|c| c.facts.clone()).unwrap_or_default(),
            before,
            continued,
        }
    }

    /// Whether it is time to write a checkpoint.
    pub(crate) fn is_due(&self) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= self.folder.every)
    }

    /// Writes the part of this worker.
    pub(crate) fn save<M: Model>(&mut self, part: &Part<'_, M>, course: &Course) {
        self.last = Some(Instant::now());
        let mut facts = self.carried.clone();
        facts.extend(part.facts());
        let head = Head {
            terms: self.terms.clone(),
            course: course.save(),
            step: part.step(),
            facts,
            seconds: (self.before + self.started.elapsed()).as_secs_f64(),
            resumed: self.saved.resumed,
        };
        let place = (self.place.index, self.place.peers);
        let file = self.folder.path.join(PartName { number: self.number, place }.file());
        let written = part.save(&file, &to_bytes(&head));
        self.result = Some(written.map_err(|error| error.to_string()));
    }

    /// Whether the last part was written, for the other workers.
    pub(crate) fn take_result(&mut self) -> Option<Result<(), String>> {
        self.result.take()
    }

    /// Ends a checkpoint after all workers told their results. An error if the run has none at all.
    pub(crate) fn end(
        &mut self,
        results: &[&Result<(), String>],
        peers: u32,
        explored: u64,
    ) -> Result<(), StopReason> {
        if results.is_empty() {
            return Ok(());
        }
        let failed = results.iter().find_map(|result| result.as_ref().err());
        let error = failed.map(|message| Error::Write {
            file: self.folder.path.clone(),
            message: message.clone(),
        });
        let is_complete = error.is_none() && results.len() == peers as usize;
        if is_complete {
            self.saved.written += 1;
            self.saved.explored = explored;
        }
        self.saved.error = error;
        self.tidy(is_complete);
        self.number += 1;
        self.report = Some(self.saved.clone());
        match &self.saved.error {
            Some(error) if self.saved.written + self.saved.resumed == 0 => {
                Err(StopReason::Checkpoint(error.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Removes the parts of older checkpoints, or those of one that is not complete.
    fn tidy(&self, is_complete: bool) {
        if !self.tidies {
            return;
        }
        for part in parts(&self.folder.path).unwrap_or_default() {
            let is_old = part.number < self.number;
            if is_complete == is_old && part.number <= self.number {
                let _ = fs::remove_file(self.folder.path.join(part.file()));
            }
        }
    }

    /// What became of the last checkpoint, once.
    pub(crate) fn take_report(&mut self) -> Option<Saved> {
        self.report.take()
    }

    pub(crate) fn into_saved(self) -> Saved {
        self.saved
    }
}
