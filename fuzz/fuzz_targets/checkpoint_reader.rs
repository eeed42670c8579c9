//! A checkpoint with any content is resumed or rejected, even if its checksums are correct.
//!
//! The input is a list of changes to a valid checkpoint: offset (two bytes), number of bytes (one), the
//! bytes.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use sweepline::{Check, Limits, Report};
use sweepline_pnml::{Net, NetMeasure, NetModel, parse_expr};
use tempfile::TempDir;

/// A folder in memory, if the system has one: there will be many files.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn model() -> NetModel {
    let places = Net::builder("n").place("left", 9).place("right", 0).place("free", 2).place("gone", 0);
    let net = places
        .transition("go", &[("left", 1), ("free", 1)], &[("right", 1), ("free", 1)])
        .transition("back", &[("right", 2)], &[("left", 2)])
        .transition("lose", &[("free", 1)], &[("gone", 1)])
        .transition("find", &[("gone", 1)], &[("free", 1)])
        .transition("make", &[("left", 3)], &[("left", 3), ("gone", 1)]);
    NetModel::new(net.build().unwrap())
}

fn run(file: &Path, resume: bool, states: u64) -> Report<NetModel> {
    let model = model();
    let measure = parse_expr(model.net(), "right").unwrap();
    let check = Check::new(&model).progress(NetMeasure::new(&model, vec![measure], 0));
    let check = if resume { check.resume(file) } else { check.checkpoint(file) };
    let limits = Limits { states: Some(states), memory: Some(8 << 20), ..Limits::default() };
    check.limits(limits).never("far", |_| false).deadlock().run()
}

/// The stream in the only frame of a valid checkpoint, and its log.
fn good() -> &'static (Vec<u8>, Vec<u8>) {
    static GOOD: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    GOOD.get_or_init(|| {
        let folder = folder();
        let file = folder.path().join("run");
        run(&file, false, 150);
        let bytes = fs::read(&file).unwrap();
        let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        (bytes[12..12 + length].to_vec(), fs::read(folder.path().join("run.origins")).unwrap())
    })
}

/// A checkpoint with this content.
fn framed(content: &[u8]) -> Vec<u8> {
    let mut file = b"SWLCKPT\x01".to_vec();
    for frame in [content, &[]] {
        file.extend_from_slice(&(frame.len() as u32).to_le_bytes());
        file.extend_from_slice(frame);
        let checksum = crc32fast::hash(&file);
        file.extend_from_slice(&checksum.to_le_bytes());
    }
    file
}

fuzz_target!(|changes: &[u8]| {
    let (content, log) = good();
    let mut content = content.clone();
    let mut rest = changes;
    while let [low, high, n, more @ ..] = rest {
        let (bytes, later) = more.split_at(more.len().min(usize::from(*n)));
        let at = usize::from(u16::from_le_bytes([*low, *high])) % content.len();
        for (to, from) in content[at..].iter_mut().zip(bytes) {
            *to = *from;
        }
        rest = later;
    }
    let folder = folder();
    let file = folder.path().join("run");
    fs::write(&file, framed(&content)).unwrap();
    fs::write(folder.path().join("run.origins"), log).unwrap();
    run(&file, true, 400);
});
