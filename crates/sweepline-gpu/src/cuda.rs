//! A graphics card of NVIDIA, by the CUDA driver. The driver is loaded when it is first needed.
#![allow(unsafe_code, reason = "calls a library of another vendor: see ARCHITECTURE.md")]

use cudarc::driver::{result, sys};

use crate::device::{Address, Device, DeviceError, Kernel, SHARED_WORDS};
use crate::generate::Dialect;
use crate::nvrtc;

/// Threads of a block.
const THREADS: u32 = 256;
/// Blocks for each multiprocessor.
const BLOCKS: u32 = 8;

/// The first GPU of this machine.
pub struct CudaDevice {
    device: sys::CUdevice,
    name: String,
    capability: u32,
    multiprocessors: u32,
    module: Option<sys::CUmodule>,
    functions: Vec<sys::CUfunction>,
    allocated: Vec<Address>,
}

fn failed<E: std::fmt::Display>(call: &'static str) -> impl Fn(E) -> DeviceError {
    move |error| DeviceError::Call { call, error: error.to_string() }
}

impl CudaDevice {
    /// Opens the first GPU.
    ///
    /// # Errors
    ///
    /// If there is no driver, no GPU, no compiler, or they are too old.
    pub fn open() -> Result<Self, DeviceError> {
        // SAFETY: loading the driver's library has no effect on this program.
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::NoDriver);
        }
        let none = |error: result::DriverError| DeviceError::NoDevice(error.to_string());
        result::init().map_err(none)?;
        if result::device::get_count().map_err(none)? == 0 {
            return Err(DeviceError::NoDevice("0 devices".into()));
        }
        let device = result::device::get(0).map_err(none)?;
        let name = result::device::get_name(device).map_err(none)?;
        // SAFETY: the device is valid.
        let attribute = |which| {
            unsafe { result::device::get_attribute(device, which) }
                .map_err(failed("cuDeviceGetAttribute"))
        };
        use sys::CUdevice_attribute_enum as Attribute;
        let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let multiprocessors =
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32;
        // Threads of a warp that wait for each other make progress since 7.0.
        if major < 7 {
            return Err(DeviceError::TooOld { name, major, minor });
        }
        if !nvrtc::has_compiler() {
            return Err(DeviceError::NoCompiler);
        }
        // SAFETY: the context is retained until the device is dropped.
        unsafe {
            let context =
                result::primary_ctx::retain(device).map_err(failed("cuDevicePrimaryCtxRetain"))?;
            result::ctx::set_current(context).map_err(failed("cuCtxSetCurrent"))?;
        }
        let capability = (major * 10 + minor) as u32;
        let (functions, allocated) = (Vec::new(), Vec::new());
        Ok(CudaDevice {
            device,
            name,
            capability,
            multiprocessors,
            module: None,
            functions,
            allocated,
        })
    }
}

impl Device for CudaDevice {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn dialect(&self) -> Dialect {
        Dialect::Cuda { pairs: self.capability >= 90 }
    }

    fn free_memory(&self) -> u64 {
        // Kernels and the driver need some memory, too.
        result::mem_get_info().map_or(0, |(free, _)| (free as u64 / 100) * 97)
    }

    fn blocks(&self) -> u32 {
        self.multiprocessors * BLOCKS
    }

    fn load(&mut self, text: &str) -> Result<(), DeviceError> {
        let code = nvrtc::compile(text, self.capability)?;
        // SAFETY: the code was compiled just now for this device.
        unsafe {
            let module = result::module::load_data(code.as_ptr().cast())
                .map_err(|error| DeviceError::OldDriver(error.to_string()))?;
            self.module = Some(module);
            for kernel in Kernel::ALL {
                let name = std::ffi::CString::new(kernel.name()).unwrap_or_default();
                let function = result::module::get_function(module, name);
                self.functions.push(function.map_err(failed("cuModuleGetFunction"))?);
            }
        }
        Ok(())
    }

    fn allocate(&mut self, bytes: u64) -> Result<Option<Address>, DeviceError> {
        // SAFETY: the memory is released when the device is dropped.
        match unsafe { result::malloc_sync(bytes as usize) } {
            Ok(address) => {
                self.allocated.push(address);
                Ok(Some(address))
            }
            Err(error) if error.0 == sys::cudaError_enum::CUDA_ERROR_OUT_OF_MEMORY => Ok(None),
            Err(error) => Err(failed("cuMemAlloc")(error)),
        }
    }

    fn release(&mut self, at: Address) {
        self.allocated.retain(|known| *known != at);
        // SAFETY: the caller does not use it any more; kernels are over since the last copy.
        let _ = unsafe { result::free_sync(at) };
    }

    fn fill(&mut self, at: Address, byte: u8, bytes: u64) -> Result<(), DeviceError> {
        // SAFETY: the caller passes a range that it has allocated.
        unsafe { result::memset_d8_sync(at, byte, bytes as usize) }.map_err(failed("cuMemsetD8"))
    }

    fn write(&mut self, at: Address, words: &[u64]) -> Result<(), DeviceError> {
        // SAFETY: as above.
        unsafe { result::memcpy_htod_sync(at, words) }.map_err(failed("cuMemcpyHtoD"))
    }

    fn read(&mut self, at: Address, words: &mut [u64]) -> Result<(), DeviceError> {
        // SAFETY: as above. The copy waits for the kernels before it.
        unsafe { result::memcpy_dtoh_sync(words, at) }.map_err(failed("a kernel, or cuMemcpyDtoH"))
    }

    fn launch(&mut self, kernel: Kernel, board: Address, blocks: u32) -> Result<(), DeviceError> {
        let number = Kernel::ALL.iter().position(|known| *known == kernel).unwrap_or(0);
        let Some(&function) = self.functions.get(number) else {
            return Err(DeviceError::NoCompiler);
        };
        let threads = if matches!(kernel, Kernel::Plant | Kernel::LookUp) { 1 } else { THREADS };
        let mut board = board;
        let mut parameters = [(&raw mut board).cast()];
        // SAFETY: each kernel has one parameter, the board; the caller has filled it.
        unsafe {
            result::launch_kernel(
                function,
                (blocks.max(1), 1, 1),
                (threads, 1, 1),
                (SHARED_WORDS * 8) as u32,
                std::ptr::null_mut(),
                &mut parameters,
            )
        }
        .map_err(failed("cuLaunchKernel"))
    }
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        // SAFETY: nothing of the device is used after this. Errors are of no interest then.
        unsafe {
            for &address in &self.allocated {
                let _ = result::free_sync(address);
            }
            if let Some(module) = self.module.take() {
                let _ = result::module::unload(module);
            }
            let _ = result::primary_ctx::release(self.device);
        }
    }
}
