//! The option for a graphics card.

use clap::{Args, ValueEnum};

/// Where to explore.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Method")]
pub(crate) struct Device {
    /// Explore on the first NVIDIA GPU of this machine; with `auto`, explore with threads if that is not possible
    ///
    /// For P/T nets, symmetric nets, `.aut` files and processes whose states have at most 512 bits; for `--deadlock`,
    /// `--never`, `--reach`, `--bound`, `--dead-transitions`, examinations and formulas of reachability. Needs the CUDA
    /// driver and the library NVRTC of the CUDA toolkit, 12 or later.
    #[arg(
        long,
        value_enum,
        value_name = "auto",
        num_args = 0..=1,
        default_missing_value = "only",
        conflicts_with_all = ["hosts", "processes"]
    )]
    pub(crate) gpu: Option<Gpu>,
}

/// Which device, and what to do without it.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gpu {
    /// Explore with threads if there is no GPU, or the model does not fit it
    Auto,
    /// The GPU
    #[value(hide = true)]
    Only,
    /// The kernels compiled for this processor: for tests on small models
    #[value(hide = true)]
    Host,
    /// The same, with `auto`
    #[value(hide = true)]
    HostAuto,
}

impl Gpu {
    /// Whether threads explore if the device cannot.
    pub(crate) fn falls_back(self) -> bool {
        matches!(self, Gpu::Auto | Gpu::HostAuto)
    }

    /// Whether this processor stands for the device.
    pub(crate) fn is_host(self) -> bool {
        matches!(self, Gpu::Host | Gpu::HostAuto)
    }
}
