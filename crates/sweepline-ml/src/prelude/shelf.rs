//! Structures of the library that are declared only where a text mentions them: most models need none, and
//! declaring all takes longer than reading a model.

use crate::elaborate::State;
use crate::parse::Parser;

/// Structures that come together, and their text.
struct Shelf {
    structures: &'static [&'static str],
    text: fn() -> String,
}

const SHELVES: [Shelf; 8] = [
    Shelf { structures: &["Substring"], text: || include_str!("substring.sml").to_owned() },
    Shelf { structures: &["Int32", "FixedInt"], text: || include_str!("int32.sml").to_owned() },
    Shelf { structures: &["Word", "Word8", "Word31", "Word32", "LargeWord"], text: words },
    Shelf {
        structures: &["Vector", "Array", "Array2", "CharVector"],
        text: || include_str!("vector.sml").to_owned(),
    },
    Shelf { structures: &["OS"], text: || include_str!("os.sml").to_owned() },
    Shelf { structures: &["Time", "Timer"], text: || include_str!("clock.sml").to_owned() },
    Shelf { structures: &["Date"], text: || include_str!("date.sml").to_owned() },
    Shelf {
        structures: &[
            "ListMergeSort",
            "ListFormat",
            "ListXProd",
            "Fifo",
            "Queue",
            "Random",
            "Control",
            "Compiler",
        ],
        text: || include_str!("njlib.sml").to_owned(),
    },
];

/// The structures of words: one text for all sizes.
fn words() -> String {
    let sizes = [
        ("Word", "CPN'word", "Int.bits ()"),
        ("Word8", "CPN'word8", "8"),
        ("Word32", "CPN'word32", "32"),
    ];
    let texts = sizes.map(|(name, ty, bits)| {
        let text = include_str!("word.sml");
        text.replace("NAME", name).replace("TYPE", ty).replace("BITS", bits)
    });
    texts.concat() + "structure Word31 = Word\nstructure LargeWord = Word32\n"
}

/// All structures that are declared when they are mentioned.
pub(crate) fn structures<'n>() -> impl Iterator<Item = &'n str> {
    SHELVES.iter().flat_map(|shelf| shelf.structures.iter().copied())
}

/// Declares the structures of the library that a text mentions.
pub(crate) fn declare_mentioned(state: &mut State, parser: &Parser) {
    for (at, shelf) in SHELVES.iter().enumerate() {
        let bit = 1 << at;
        let is_mentioned = || parser.mentions(|name| shelf.structures.contains(&name));
        if state.shelves & bit == 0 && is_mentioned() {
            state.shelves |= bit;
            declare_shelf(state, shelf);
        }
    }
}

/// The text knows the library alone, and its structures are found behind all others.
fn declare_shelf(state: &mut State, shelf: &Shelf) {
    let text = (shelf.text)();
    let source = state.sources.add(shelf.structures[0], &text);
    state.sources.make_library(source);
    let mut parser = Parser::new(source, &text, state.prelude_fixities.clone());
    declare_mentioned(state, &parser);
    let mut library = state.scope.clone();
    library.undo(state.prelude);
    let mut outer = std::mem::replace(&mut state.scope, library);
    super::declare(state, &mut parser);
    let declared = state.scope.undo(state.prelude);
    outer.shelved.extend(declared.structures);
    state.scope = outer;
}
