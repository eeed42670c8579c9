//! Explores compiled transition systems on a graphics card, exactly.
//!
//! A [`Program`] is a [transition system](sweepline::compiled) with a linear measure and the states to look for. Its
//! kernels are generated as text, and compiled when it is run: [`CudaDevice`] uses the CUDA driver and NVRTC, which are
//! loaded when they are first needed; [`HostDevice`] compiles the same text with the C compiler of this machine, for
//! tests. [`GpuEngine`] is the [`Engine`](sweepline::Engine) that [`Check::run_on`](sweepline::Check::run_on) takes.
//!
//! A layer is an open-addressing table of whole states in the memory of the device. The measure is linear, so each
//! transition changes progress by a constant, and a step knows the few tables that it can reach. Bits mark the states
//! that wait, so a table is its own queue. Tables begin small and grow. A state whose successor finds no place stays
//! marked; it is expanded again when the table has grown, so no size is guessed.
//!
//! The rules of the sweep are those of the library's own loop, and so are counts, peaks and verdicts. The states that
//! may decide a property are found by the kernels and shown to the library's own queries on the host.

mod board;
mod cuda;
mod device;
mod engine;
mod finds;
mod generate;
mod host;
mod judge;
mod nvrtc;
mod pool;
mod program;
mod run;
mod table;
mod trace;

pub use cuda::CudaDevice;
pub use device::{Address, Device, DeviceError, Kernel};
pub use engine::GpuEngine;
pub use generate::{Dialect, text};
pub use host::HostDevice;
pub use nvrtc::{compile, compile_to_ptx, has_compiler, load_compiler};
pub use program::{MOST_FINDS, MOST_TRANSITIONS, MOST_WORDS, Program, Target, Unfit};
pub use run::is_too_narrow;
