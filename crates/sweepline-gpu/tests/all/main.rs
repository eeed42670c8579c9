//! The kernels, compiled for this processor, against the reference explorer and the library's own loop.

mod agreement;
mod limits;
mod nvrtc;
mod random;
