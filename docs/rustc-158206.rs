//! A program without `unsafe` that rustc 1.95 compiles wrongly at `opt-level` 2 and 3.
//!
//! $ for level in 0 1 2 3; do rustc --edition 2024 -C opt-level=$level -o /tmp/counted docs/rustc-158206.rs && /tmp/counted; done
//! 20 kept, 30 left out
//! 20 kept, 30 left out
//! 20 kept, 0 left out
//! 20 kept, 0 left out
//!
//! The fault is https://github.com/rust-lang/rust/issues/158206. The optimisation `SimplifyComparisonIntegral` works on MIR,
//! before LLVM. It makes the branch test `len` instead of `is_full` and deletes the assignment to `is_full`, which the sum
//! still reads. It needs a comparison by `==` or `!=` with a constant, whose result is both converted to a number and
//! branched on. Where the nightly toolchain prints 0, it prints 30 with `-Z mir-enable-passes=-SimplifyComparisonIntegral`.

fn is_full(len: usize, left_out: &mut usize) -> bool {
    let is_full = len == 20;
    *left_out += usize::from(is_full);
    is_full
}

fn main() {
    let (mut kept, mut left_out) = (Vec::new(), 0);
    for i in 0..50 {
        if !is_full(kept.len(), &mut left_out) {
            kept.push(i);
        }
    }
    println!("{} kept, {left_out} left out", kept.len());
}
