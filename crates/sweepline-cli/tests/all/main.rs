//! All tests of the command line, in one program: what they share is compiled once.

mod architecture;
mod book;
mod cli;
mod contest;
mod models;
mod oracle;
mod seeds;
mod serve;
mod words;
