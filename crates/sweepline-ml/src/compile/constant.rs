//! Values known at compile time. They are stored at the beginning of every heap.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::core::{Expr, ExprKind, Literal};
use crate::machine::{Heap, Layout, Word, content_offset};

use super::body::Body;

/// The constants collected so far.
pub(super) struct Constants {
    pub(super) image: Vec<Word>,
    /// Words that do not fit in an instruction.
    pub(super) wide: Vec<Word>,
    wide_ids: HashMap<Word, u32, FixedState>,
    strings: HashMap<Box<[u8]>, Word, FixedState>,
}

impl Constants {
    /// Reserves the first addresses, which are the tags of constant constructors.
    pub(super) fn above(tags: usize) -> Self {
        Self {
            image: vec![0; tags + 1],
            wide: Vec::new(),
            wide_ids: HashMap::default(),
            strings: HashMap::default(),
        }
    }

    pub(super) fn wide(&mut self, word: Word) -> u32 {
        *self.wide_ids.entry(word).or_insert_with(|| {
            self.wide.push(word);
            self.wide.len() as u32 - 1
        })
    }

    pub(super) fn block(&mut self, fields: &[Word]) -> Word {
        let at = self.image.len();
        self.image.extend_from_slice(fields);
        at as Word
    }

    fn with_heap<T>(&mut self, make: impl FnOnce(&mut Heap) -> Option<T>) -> Option<T> {
        let words = std::mem::take(&mut self.image);
        let mut heap = Heap { words, limit: usize::MAX };
        let made = make(&mut heap);
        self.image = heap.words;
        made
    }

    /// The word of a literal, or `None` if the number is too large for the machine.
    pub(super) fn literal(&mut self, literal: &Literal) -> Option<Word> {
        Some(match literal {
            Literal::Int(value) => *value as Word,
            Literal::Word(value) => *value,
            Literal::Real(value) => value.to_bits(),
            Literal::Char(value) => (*value).into(),
            Literal::IntInf(value) => self.with_heap(|heap| heap.store(value).ok())?,
            Literal::String(bytes) => match self.strings.get(bytes) {
                Some(word) => *word,
                None => {
                    let word = self.with_heap(|heap| heap.string(bytes).ok())?;
                    self.strings.insert(bytes.clone(), word);
                    word
                }
            },
        })
    }
}

/// Whether an expression is a constant.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Construct { arg: None, .. } => true,
        ExprKind::Record(fields) => fields.iter().all(|field| is_constant(&field.value)),
        ExprKind::List(parts) => parts.iter().all(is_constant),
        ExprKind::Construct { arg: Some(arg), .. } => is_constant(arg),
        _ => false,
    }
}

impl<'p> Body<'_, 'p> {
    /// The word of an expression that is a constant.
    pub(super) fn constant(&mut self, expr: &'p Expr) -> Option<Word> {
        if is_constant(expr) { self.constant_word(expr) } else { None }
    }

    fn constant_word(&mut self, expr: &'p Expr) -> Option<Word> {
        match &expr.kind {
            ExprKind::Literal(literal) => self.compiler.constants.literal(literal),
            ExprKind::Construct { con, arg: None } => Some(con.tag.into()),
            ExprKind::Record(fields) if fields.is_empty() => Some(0),
            ExprKind::Record(fields) => {
                let mut words = vec![0; fields.len()];
                for field in fields {
                    words[field.position as usize] = self.constant_word(&field.value)?;
                }
                Some(self.compiler.constants.block(&words))
            }
            ExprKind::List(parts) => {
                let words: Option<Vec<Word>> =
                    parts.iter().map(|part| self.constant_word(part)).collect();
                let words = words?;
                self.compiler.constants.with_heap(|heap| heap.list_from(&words, 0).ok())
            }
            ExprKind::Construct { con, arg: Some(arg) } => {
                let layout = self.layout(expr.ty);
                let arg = self.constant_word(arg)?;
                match &self.compiler.layouts.list[layout.0 as usize] {
                    Layout::Wrapped(..) => Some(arg),
                    Layout::Data(constructors) => {
                        let content = constructors[con.tag as usize].content?;
                        let tagged = content_offset(constructors) == 1;
                        let image = &self.compiler.constants.image;
                        let start = arg as usize;
                        let mut words = Vec::new();
                        if tagged {
                            words.push(con.tag.into());
                        }
                        match content.is_record {
                            true => words
                                .extend_from_slice(&image[start..start + content.width as usize]),
                            false => words.push(arg),
                        }
                        Some(self.compiler.constants.block(&words))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
