//! Builds the book into `book/book`, as `mdbook build book` does, without an installed mdbook.

use std::path::Path;
use std::process::ExitCode;

use mdbook_driver::MDBook;

fn main() -> ExitCode {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match MDBook::load(&book).and_then(|book| book.build()) {
        Ok(()) => {
            println!("wrote {}", book.join("book/index.html").display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("the book does not build: {error:#}");
            ExitCode::FAILURE
        }
    }
}
