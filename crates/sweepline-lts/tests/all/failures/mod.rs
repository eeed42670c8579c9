//! Refinement in the failures models, compared with a naive evaluation of traces, failures and divergences.

mod compressed;
mod naive;
mod random;
mod scripts;
mod terms;
