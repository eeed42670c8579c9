//! Files with correct checksums and wrong content, as a forger or a bug would write them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::{Checkpoint, Error, Reader, Writer};
use crate::progress::by;
use crate::{Check, Limits, Options, Report, StopReason, System};

/// A folder in memory, if the system has one: these tests sync thousands of files.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Two counters that wrap around.
struct Rounds;

impl System for Rounds {
    type State = (u8, u16);
    type Action = ();

    fn initial(&self) -> Vec<Self::State> {
        vec![(0, 0)]
    }

    fn successors(&self, &(a, b): &Self::State, push: &mut dyn FnMut((), (u8, u16))) {
        push((), ((a + 1) % 5, b));
        push((), (a, (b + 3) % 60));
    }
}

fn run(file: &Path, resume: bool, states: Option<u64>) -> Report<Rounds> {
    let mut plan = Checkpoint::new(file);
    plan.resume = resume.then(|| file.to_owned());
    let time = Some(Duration::from_secs(20));
    let limits = Limits { states, time, memory: Some(1 << 20), deadline: None };
    Check::new(&Rounds)
        .progress(by(|&(a, b): &(u8, u16)| (a / 2, b)).columns(1))
        .options(Options { limits, checkpoint: Some(plan), window: 2, ..Options::default() })
        .never("never", |&(a, b)| (a, b) == (4, 60))
        .reach("reach", |&(a, b)| (a, b) == (1, 6))
        .deadlock()
        .bound("bound", |&(a, b)| i64::from(a) * 1000 - i64::from(b))
        .run()
}

/// The stream in the frames of `file`, after the version.
fn content(file: &Path) -> Vec<u8> {
    let (mut reader, mut all, mut byte) = (Reader::open(file).unwrap(), Vec::new(), Vec::new());
    while reader.read(1, &mut byte).is_ok() {
        all.push(byte[0]);
    }
    all
}

fn forge(file: &Path, content: &[u8]) {
    let mut out = Writer::create(file).unwrap();
    out.write(content).unwrap();
    out.finish().unwrap();
}

#[test]
fn forged_content_never_causes_a_panic() {
    let folder = folder();
    let file = folder.path().join("run");
    assert_eq!(run(&file, false, Some(60)).stop, Some(StopReason::States));
    let origins = fs::read(folder.path().join("run.origins")).unwrap();
    let good = content(&file);
    forge(&file, &good);
    assert_eq!(content(&file), good);
    for at in 0..good.len() {
        for flip in [1, 0xFF] {
            let mut bad = good.clone();
            bad[at] ^= flip;
            forge(&file, &bad);
            fs::write(folder.path().join("run.origins"), &origins).unwrap();
            run(&file, true, Some(200));
        }
        forge(&file, &good[..at]);
        let stop = run(&file, true, None).stop;
        assert!(matches!(stop, Some(StopReason::Checkpoint(Error::Damaged { .. }))), "{at}");
    }
    forge(&file, &good);
    fs::write(folder.path().join("run.origins"), &origins).unwrap();
    let whole = run(&folder.path().join("whole"), false, None);
    let resumed = run(&file, true, None);
    assert_eq!(resumed.stop, None);
    assert_eq!(resumed.statistics.explored, whole.statistics.explored);
    assert_eq!(resumed.statistics.sweeps, whole.statistics.sweeps);
}

#[test]
fn long_parts_span_frames() {
    let folder = folder();
    let file = folder.path().join("run");
    let parts: Vec<Vec<u8>> = [0, 1, 127, 128, 1 << 20, 3 << 20, 70_000].map(|n| vec![7; n]).into();
    let mut out = Writer::create(&file).unwrap();
    parts.iter().for_each(|part| out.blob(part).unwrap());
    out.item(&"end").unwrap();
    out.finish().unwrap();
    let (mut reader, mut bytes) = (Reader::open(&file).unwrap(), Vec::new());
    for part in &parts {
        reader.blob(&mut bytes).unwrap();
        assert!(bytes == *part);
    }
    assert_eq!(reader.item::<String>().unwrap(), "end");
    reader.finish().unwrap();
}

#[test]
fn another_version_is_refused() {
    let folder = folder();
    let file = folder.path().join("run");
    forge(&file, b"");
    let good = fs::read(&file).unwrap();
    let mut newer = good.clone();
    newer[7] += 1;
    fs::write(&file, &newer).unwrap();
    let error = Reader::open(&file).err().unwrap().to_string();
    assert!(error.contains("was written by sweepline with file format 5"), "{error}");
    fs::write(&file, b"<?xml version=\"1.0\"?>").unwrap();
    assert!(matches!(Reader::open(&file), Err(Error::NotOne { .. })));
}
