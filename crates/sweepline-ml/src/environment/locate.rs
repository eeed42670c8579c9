//! Finds the positions of `val` declarations in a text, so that their values can be replaced.

use std::ops::Range;

use crate::ast::{Decl, DeclKind, Pattern, PatternKind};
use crate::parse::Parser;
use crate::source::SourceId;

use super::Environment;

impl Environment {
    /// The byte range of `e` in each `val name = e` at the top level of a text, in order. If the text has a
    /// mistake, only the ranges before it are found.
    ///
    /// ```
    /// let environment = sweepline_ml::Environment::default();
    /// let text = "val n = 5; val m : int = n + 1; fun f n = n;";
    /// assert_eq!(environment.value_ranges(text, "n"), [8..9]);
    /// assert_eq!(&text[environment.value_ranges(text, "m").remove(0)], "n + 1");
    /// assert!(environment.value_ranges(text, "f").is_empty());
    /// ```
    pub fn value_ranges(&self, text: &str, name: &str) -> Vec<Range<usize>> {
        let mut parser = Parser::new(SourceId(0), text, self.fixities.clone());
        let decls = parser.program();
        let mut found = Vec::new();
        decls.iter().for_each(|decl| values_of(decl, name, &mut found));
        found
    }
}

fn values_of(decl: &Decl, name: &str, found: &mut Vec<Range<usize>>) {
    match &decl.kind {
        DeclKind::Val { binds, recursive: false, .. } => {
            let named = binds.iter().filter(|(pattern, _)| is_name(pattern, name));
            found.extend(named.map(|(_, value)| value.span.range()));
        }
        DeclKind::Local(_, outer) => outer.iter().for_each(|decl| values_of(decl, name, found)),
        _ => {}
    }
}

fn is_name(pattern: &Pattern, name: &str) -> bool {
    match &pattern.kind {
        PatternKind::Name(long) => long.path.is_empty() && *long.name == *name,
        PatternKind::Typed(inner, _) => is_name(inner, name),
        _ => false,
    }
}
