//! `sweepline`: checks models from the command line, in the memory of a moving window.

fn main() -> std::process::ExitCode {
    sweepline_cli::main()
}
