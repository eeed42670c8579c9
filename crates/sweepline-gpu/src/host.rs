//! The processor as a device: the text of the kernels, compiled by the C compiler of this machine. For tests.
//!
//! A thread of the operating system stands for each thread of the card, so that atomics and barriers are real.
#![allow(unsafe_code, reason = "loads and runs compiled kernels: see ARCHITECTURE.md")]

use std::ffi::c_void;
use std::process::Command;
use std::sync::Barrier;

use libloading::Library;

use crate::device::{Address, Device, DeviceError, Kernel, SHARED_WORDS};
use crate::generate::Dialect;

/// What a kernel knows about its thread: the same structure as in `kernel/host.h`.
#[repr(C)]
struct Machine {
    shared: *mut u64,
    wait: extern "C" fn(*const c_void),
    with: *const c_void,
    block: u32,
    blocks: u32,
    thread: u32,
    threads: u32,
}

type Enter = unsafe extern "C" fn(*const Machine);
type Run = unsafe extern "C" fn(*mut u64);

extern "C" fn wait(barrier: *const c_void) {
    // SAFETY: `launch` passes a barrier that lives until all threads have ended.
    unsafe { &*barrier.cast::<Barrier>() }.wait();
}

extern "C" fn pass(_: *const c_void) {}

/// This processor, with blocks of so many threads.
pub struct HostDevice {
    blocks: u32,
    threads: u32,
    memory: u64,
    pairs: bool,
    library: Option<Library>,
    /// Allocated memory; blocks of 256 bytes, so that it is aligned.
    allocated: Vec<Vec<Line>>,
}

#[derive(Clone, Copy)]
#[repr(align(256))]
struct Line(#[allow(dead_code, reason = "only its size matters")] [u8; 256]);

impl HostDevice {
    /// `blocks` blocks of `threads` threads, and at most so many bytes of memory; with or without a compare-and-swap
    /// of 128 bits.
    pub fn new(blocks: u32, threads: u32, memory: u64, pairs: bool) -> Self {
        let pairs = pairs && cfg!(target_arch = "x86_64");
        HostDevice { blocks, threads, memory, pairs, library: None, allocated: Vec::new() }
    }

    /// Panics if the range was not allocated: the kernels would write anywhere.
    fn check(&self, at: Address, bytes: u64) {
        let inside = |block: &Vec<Line>| {
            let start = block.as_ptr() as u64;
            at >= start && at + bytes <= start + (block.len() * 256) as u64
        };
        assert!(self.allocated.iter().any(inside), "memory that was not allocated");
    }

    fn compile(&self, text: &str) -> Result<Library, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (source, library) = (folder.path().join("kernel.c"), folder.path().join("kernel.so"));
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut compiler = Command::new("cc");
        // Conditions may be constant or long, which is no mistake.
        compiler.args(["-O1", "-std=gnu11", "-shared", "-fPIC", "-pthread", "-w"]);
        if self.pairs {
            compiler.arg("-mcx16");
        }
        let output = compiler.arg("-o").arg(&library).arg(&source).output();
        let output = output.map_err(|error| format!("cc: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        // SAFETY: the library was compiled just now from our text, and has no constructors.
        unsafe { Library::new(&library) }.map_err(|error| error.to_string())
    }
}

impl Device for HostDevice {
    fn name(&self) -> String {
        format!("this processor, {} blocks of {} threads", self.blocks, self.threads)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Host { pairs: self.pairs }
    }

    fn free_memory(&self) -> u64 {
        let used: usize = self.allocated.iter().map(|block| block.len() * 256).sum();
        self.memory.saturating_sub(used as u64)
    }

    fn blocks(&self) -> u32 {
        self.blocks
    }

    fn load(&mut self, text: &str) -> Result<(), DeviceError> {
        self.library = Some(self.compile(text).map_err(DeviceError::Compiler)?);
        Ok(())
    }

    fn allocate(&mut self, bytes: u64) -> Result<Option<Address>, DeviceError> {
        if bytes > self.free_memory() {
            return Ok(None);
        }
        // Not zeros, so that no table relies on it.
        let block = vec![Line([0xA5; 256]); bytes.div_ceil(256) as usize];
        let address = block.as_ptr() as Address;
        self.allocated.push(block);
        Ok(Some(address))
    }

    fn release(&mut self, at: Address) {
        self.allocated.retain(|block| block.as_ptr() as Address != at);
    }

    fn fill(&mut self, at: Address, byte: u8, bytes: u64) -> Result<(), DeviceError> {
        self.check(at, bytes);
        // SAFETY: the range is allocated, and no kernel runs.
        unsafe { std::ptr::write_bytes(at as *mut u8, byte, bytes as usize) };
        Ok(())
    }

    fn write(&mut self, at: Address, words: &[u64]) -> Result<(), DeviceError> {
        self.check(at, size_of_val(words) as u64);
        // SAFETY: as above; addresses are multiples of eight.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), at as *mut u64, words.len()) };
        Ok(())
    }

    fn read(&mut self, at: Address, words: &mut [u64]) -> Result<(), DeviceError> {
        self.check(at, size_of_val(words) as u64);
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(at as *const u64, words.as_mut_ptr(), words.len()) };
        Ok(())
    }

    fn launch(&mut self, kernel: Kernel, board: Address, blocks: u32) -> Result<(), DeviceError> {
        let missing = |error: libloading::Error| DeviceError::Compiler(error.to_string());
        let library = self.library.as_ref().ok_or(DeviceError::NoCompiler)?;
        // SAFETY: the functions have these types in our text.
        let (enter, run) = unsafe {
            let enter = library.get::<Enter>("enter").map_err(missing)?;
            (*enter, *library.get::<Run>(kernel.name()).map_err(missing)?)
        };
        let blocks = blocks.min(self.blocks).max(1);
        let barriers: Vec<Barrier> =
            (0..blocks).map(|_| Barrier::new(self.threads as usize)).collect();
        let mut shared = vec![vec![0u64; SHARED_WORDS]; blocks as usize];
        let shared: Vec<u64> = shared.iter_mut().map(|words| words.as_mut_ptr() as u64).collect();
        let (threads, barriers, shared) = (self.threads, &barriers, &shared);
        let work = |block: u32, thread: u32| {
            let machine = Machine {
                shared: shared[block as usize] as *mut u64,
                wait: if threads == 1 { pass } else { wait },
                with: std::ptr::from_ref(&barriers[block as usize]).cast(),
                block,
                blocks,
                thread,
                threads,
            };
            // SAFETY: the kernels access the board, the tables that it names, and the words of their block.
            unsafe {
                enter(&raw const machine);
                run(board as *mut u64);
            }
        };
        if blocks * threads == 1 {
            work(0, 0);
            return Ok(());
        }
        std::thread::scope(|scope| {
            for block in 0..blocks {
                for thread in 0..threads {
                    let work = &work;
                    scope.spawn(move || work(block, thread));
                }
            }
        });
        Ok(())
    }
}
