//! The states that a run looks for, as the kernels report them: the structure `Find` of `kernel/sweep.cu`.

use crate::device::{Address, Device, DeviceError};
use crate::judge::Judge;
use crate::pool::{Piece, Pool};
use crate::program::{Program, Target};

/// Words of a find before the state.
const HEAD: usize = 3;
/// The key of a find without a state.
const NONE: u64 = u64::MAX;

/// A state that was reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// The number of the target.
    pub(crate) target: usize,
    pub(crate) state: Vec<u64>,
}

/// The finds in the memory of the device, and the code that looks for those that are still wanted.
pub(crate) struct Finds {
    records: Piece,
    code: Piece,
    terminated: Piece,
    state_words: usize,
    judge: Judge,
    targets: Vec<Wanted>,
}

#[derive(Clone, Debug)]
struct Wanted {
    /// The key of the last state that was read.
    key: u64,
    /// One state is enough.
    is_single: bool,
    is_open: bool,
}

impl Finds {
    /// The targets of a program; all closed unless it is `watching`.
    pub(crate) fn new(
        device: &mut dyn Device,
        pool: &mut Pool,
        program: &Program,
        watching: bool,
    ) -> Result<Option<Self>, DeviceError> {
        let judge = Judge::new(program)?;
        let (count, state_words) = (program.targets.len(), program.words());
        let length = (count + 1) * (HEAD + state_words);
        let mut records = vec![0; length];
        for record in records.chunks_mut(HEAD + state_words) {
            (record[0], record[2]) = (NONE, NONE);
        }
        let wanted = |target: &Target| Wanted {
            key: NONE,
            is_single: target.is_single(),
            is_open: watching,
        };
        let targets = program.targets.iter().map(wanted).collect();
        let code = judge.code(|_| true);
        let mut place = |words: &[u64]| -> Result<Option<Piece>, DeviceError> {
            let Some(piece) = pool.allocate(device, words.len() as u64 * 8)? else {
                return Ok(None);
            };
            device.write(piece.at, words)?;
            Ok(Some(piece))
        };
        let pieces = (place(&records)?, place(&code)?, place(&judge.terminated)?);
        let (Some(records), Some(code), Some(terminated)) = pieces else { return Ok(None) };
        let finds = Finds { records, code, terminated, state_words, judge, targets };
        if !watching {
            finds.write_code(device)?;
        }
        Ok(Some(finds))
    }

    /// Code becomes shorter only.
    fn write_code(&self, device: &mut dyn Device) -> Result<(), DeviceError> {
        let code = self.judge.code(|target| self.targets[target].is_open);
        device.write(self.code.at, &code)
    }

    /// Where the records are, the code, and the code for states without successors.
    pub(crate) fn addresses(&self) -> [Address; 3] {
        [self.records.at, self.code.at, self.terminated.at]
    }

    /// No target wants a state any more.
    pub(crate) fn close(&mut self, device: &mut dyn Device) -> Result<(), DeviceError> {
        self.targets.iter_mut().for_each(|target| target.is_open = false);
        self.write_code(device)
    }

    /// The states reported since the last call. Targets for which one is enough are closed.
    pub(crate) fn take(&mut self, device: &mut dyn Device) -> Result<Vec<Found>, DeviceError> {
        let stride = HEAD + self.state_words;
        let mut words = vec![0; self.targets.len() * stride];
        device.read(self.records.at, &mut words)?;
        let (mut found, mut closed) = (Vec::new(), false);
        for (target, record) in words.chunks(stride).enumerate() {
            let wanted = &mut self.targets[target];
            if record[2] == wanted.key {
                continue;
            }
            wanted.key = record[2];
            found.push(Found { target, state: record[HEAD..].to_vec() });
            if wanted.is_single {
                wanted.is_open = false;
                closed = true;
            }
        }
        if closed {
            self.write_code(device)?;
        }
        Ok(found)
    }
}
