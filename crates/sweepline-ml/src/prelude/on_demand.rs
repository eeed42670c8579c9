//! Structures of the library that are declared on demand, when a text mentions them. Most models need none, and
//! declaring all of them takes longer than reading a model.

use crate::elaborate::State;
use crate::parse::Parser;

/// Structures that are declared together, and their text.
struct OnDemand {
    structures: &'static [&'static str],
    text: fn() -> String,
}

const MODULES: [OnDemand; 8] = [
    OnDemand { structures: &["Substring"], text: || include_str!("substring.sml").to_owned() },
    OnDemand { structures: &["Int32", "FixedInt"], text: || include_str!("int32.sml").to_owned() },
    OnDemand { structures: &["Word", "Word8", "Word31", "Word32", "LargeWord"], text: words },
    OnDemand {
        structures: &["Vector", "Array", "Array2", "CharVector"],
        text: || include_str!("vector.sml").to_owned(),
    },
    OnDemand { structures: &["OS"], text: || include_str!("os.sml").to_owned() },
    OnDemand { structures: &["Time", "Timer"], text: || include_str!("clock.sml").to_owned() },
    OnDemand { structures: &["Date"], text: || include_str!("date.sml").to_owned() },
    OnDemand {
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

/// The structures for words, from one text for all sizes.
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

/// The names of all structures that are declared on demand.
pub(crate) fn structures<'n>() -> impl Iterator<Item = &'n str> {
    MODULES.iter().flat_map(|module| module.structures.iter().copied())
}

/// Declares the structures of the library that a text mentions.
pub(crate) fn declare_mentioned(state: &mut State, parser: &Parser) {
    for (at, module) in MODULES.iter().enumerate() {
        let bit = 1 << at;
        let is_mentioned = || parser.mentions(|name| module.structures.contains(&name));
        if state.on_demand_modules & bit == 0 && is_mentioned() {
            state.on_demand_modules |= bit;
            declare_module(state, module);
        }
    }
}

/// Declares a module. Its text sees only the library, and structures of the model hide its structures.
fn declare_module(state: &mut State, module: &OnDemand) {
    let text = (module.text)();
    let source = state.sources.add(module.structures[0], &text);
    state.sources.make_library(source);
    let mut parser = Parser::new(source, &text, state.prelude_fixities.clone());
    declare_mentioned(state, &parser);
    let mut library = state.scope.clone();
    library.undo(state.prelude);
    let mut outer = std::mem::replace(&mut state.scope, library);
    super::declare(state, &mut parser);
    let declared = state.scope.undo(state.prelude);
    outer.on_demand.extend(declared.structures);
    state.scope = outer;
}
