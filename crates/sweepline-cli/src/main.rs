//! `sweepline`: checks models from the command line, in the memory of a moving window.

#[global_allocator]
static ALLOCATOR: sweepline_guard::Allocator = sweepline_guard::Allocator;

fn main() -> std::process::ExitCode {
    sweepline_cli::main()
}
