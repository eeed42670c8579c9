//! The compiler of kernels: NVRTC, loaded when it is first needed.
#![allow(unsafe_code, reason = "calls a library of another vendor: see ARCHITECTURE.md")]

use std::ffi::{CStr, CString};
use std::path::Path;

use cudarc::nvrtc::{result, sys};

use crate::device::DeviceError;

/// Where the CUDA toolkit installs the library if the system does not find it by name.
const INSTALLED: [&str; 2] =
    ["/usr/local/cuda/lib64/libnvrtc.so", "/usr/local/cuda/targets/x86_64-linux/lib/libnvrtc.so"];

/// Loads the library from this file; later it is found by its name.
pub fn load_compiler(file: &Path) -> bool {
    // SAFETY: NVRTC has no constructors that depend on this program.
    let library = unsafe { libloading::Library::new(file) };
    // It stays loaded until the process ends.
    library.map(std::mem::forget).is_ok()
}

/// Whether there is a compiler.
pub fn has_compiler() -> bool {
    // SAFETY: as above.
    let present = || unsafe { sys::is_culib_present() };
    present() || INSTALLED.iter().any(|file| load_compiler(Path::new(file))) && present()
}

/// Compiles kernels for a compute capability such as 90, to machine code.
///
/// # Errors
///
/// If there is no compiler, or it rejects the text.
pub fn compile(text: &str, capability: u32) -> Result<Vec<u8>, DeviceError> {
    if !has_compiler() {
        return Err(DeviceError::NoCompiler);
    }
    let program = Compilation::new(text)?;
    program.run(&[format!("--gpu-architecture=sm_{capability}"), "--std=c++14".into()])?;
    program.machine_code()
}

/// The same, to PTX text.
///
/// # Errors
///
/// As for [`compile`].
pub fn compile_to_ptx(text: &str, capability: u32) -> Result<String, DeviceError> {
    if !has_compiler() {
        return Err(DeviceError::NoCompiler);
    }
    let program = Compilation::new(text)?;
    program.run(&[format!("--gpu-architecture=compute_{capability}"), "--std=c++14".into()])?;
    // SAFETY: the program was compiled.
    let ptx = unsafe { result::get_ptx(program.handle) }.map_err(failed("nvrtcGetPTX"))?;
    Ok(text_of(&ptx))
}

/// A program of the compiler.
struct Compilation {
    handle: sys::nvrtcProgram,
    /// The compiler may refer to it.
    _text: CString,
}

impl Compilation {
    fn new(text: &str) -> Result<Self, DeviceError> {
        let text = CString::new(text).map_err(|error| DeviceError::Compiler(error.to_string()))?;
        let handle = result::create_program(&text, Some(c"sweep.cu"));
        Ok(Compilation { handle: handle.map_err(failed("nvrtcCreateProgram"))?, _text: text })
    }

    fn run(&self, options: &[String]) -> Result<(), DeviceError> {
        // SAFETY: the handle is valid until `self` is dropped.
        let done = unsafe { result::compile_program(self.handle, options) };
        done.map_err(|error| {
            // SAFETY: as above.
            let log = unsafe { result::get_program_log(self.handle) }.unwrap_or_default();
            DeviceError::Compiler(format!("{error}\n{}", text_of(&log)))
        })
    }

    fn machine_code(&self) -> Result<Vec<u8>, DeviceError> {
        let mut size = 0;
        // SAFETY: the program was compiled; the second call writes `size` bytes.
        unsafe {
            sys::nvrtcGetCUBINSize(self.handle, &raw mut size)
                .result()
                .map_err(failed("nvrtcGetCUBINSize"))?;
            let mut code = vec![0u8; size];
            sys::nvrtcGetCUBIN(self.handle, code.as_mut_ptr().cast())
                .result()
                .map_err(failed("nvrtcGetCUBIN"))?;
            Ok(code)
        }
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        // SAFETY: the handle is valid and not used again.
        let _ = unsafe { result::destroy_program(self.handle) };
    }
}

fn failed<E: std::fmt::Display>(call: &'static str) -> impl Fn(E) -> DeviceError {
    move |error| DeviceError::Call { call, error: error.to_string() }
}

/// The text before the first zero byte.
fn text_of(chars: &[std::ffi::c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().map(|c| c.to_ne_bytes()[0]).chain([0]).collect();
    let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
    text.to_string_lossy().into_owned()
}
