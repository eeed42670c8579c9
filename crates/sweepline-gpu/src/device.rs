//! What the exploration needs of a device: memory, and kernels to run on it.

use crate::generate::Dialect;
use crate::program::Unfit;

/// An address in the memory of a device.
pub type Address = u64;

/// The kernels of `kernel/sweep.cu`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// Expands waiting states.
    Expand,
    /// Copies a table into another one.
    Move,
    /// Stores given states.
    Plant,
    /// Sets the bits of all states.
    Mark,
    /// Looks up one state.
    LookUp,
}

impl Kernel {
    /// All kernels.
    pub const ALL: [Kernel; 5] =
        [Kernel::Expand, Kernel::Move, Kernel::Plant, Kernel::Mark, Kernel::LookUp];

    /// Its name in the text.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Expand => "expand",
            Kernel::Move => "move_states",
            Kernel::Plant => "plant",
            Kernel::Mark => "mark",
            Kernel::LookUp => "look_up",
        }
    }
}

/// Why a device cannot be used, or failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no driver.
    #[error("there is no CUDA driver on this machine (libcuda was not found)")]
    NoDriver,
    /// There is a driver but no device.
    #[error("the CUDA driver found no GPU: {0}")]
    NoDevice(String),
    /// The device is too old.
    #[error("`{name}` has compute capability {major}.{minor}, and 7.0 is needed")]
    TooOld {
        /// The device.
        name: String,
        /// Its compute capability.
        major: i32,
        /// The second number of it.
        minor: i32,
    },
    /// There is no compiler for kernels.
    #[error("the CUDA compiler library was not found (libnvrtc, of the CUDA toolkit)")]
    NoCompiler,
    /// The compiler rejected the kernels.
    #[error("the kernels could not be compiled: {0}")]
    Compiler(String),
    /// The driver is older than the compiler library.
    #[error("the CUDA driver is too old for the kernels that libnvrtc compiles: {0}")]
    OldDriver(String),
    /// A call failed.
    #[error("{call} failed: {error}")]
    Call {
        /// The call.
        call: &'static str,
        /// Its error.
        error: String,
    },
    /// The model cannot be explored on a device.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

/// A machine that runs the kernels.
pub trait Device {
    /// What it is called.
    fn name(&self) -> String;

    /// The language of its kernels.
    fn dialect(&self) -> Dialect;

    /// Bytes of memory that are free.
    fn free_memory(&self) -> u64;

    /// How many blocks of threads run at once.
    fn blocks(&self) -> u32;

    /// Compiles the kernels.
    ///
    /// # Errors
    ///
    /// If the compiler is missing or fails.
    fn load(&mut self, text: &str) -> Result<(), DeviceError>;

    /// New memory, aligned to 256 bytes; `None` if there is not enough.
    ///
    /// # Errors
    ///
    /// If the device fails.
    fn allocate(&mut self, bytes: u64) -> Result<Option<Address>, DeviceError>;

    /// Gives allocated memory back.
    fn release(&mut self, at: Address);

    /// Sets bytes of allocated memory to one value.
    ///
    /// # Errors
    ///
    /// If the device fails.
    fn fill(&mut self, at: Address, byte: u8, bytes: u64) -> Result<(), DeviceError>;

    /// Writes words to allocated memory.
    ///
    /// # Errors
    ///
    /// If the device fails.
    fn write(&mut self, at: Address, words: &[u64]) -> Result<(), DeviceError>;

    /// Reads words, after all kernels have ended.
    ///
    /// # Errors
    ///
    /// If the device fails, or a kernel did.
    fn read(&mut self, at: Address, words: &mut [u64]) -> Result<(), DeviceError>;

    /// Starts a kernel on a board in the memory of the device.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    fn launch(&mut self, kernel: Kernel, board: Address, blocks: u32) -> Result<(), DeviceError>;
}

/// Words of memory that the threads of a block share: see `kernel/sweep.cu`.
pub(crate) const SHARED_WORDS: usize = 6 + 64 + 2048 / 2;
