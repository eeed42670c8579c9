//! The standard library: names that every text may use without declaring them.

pub(crate) mod on_demand;

use crate::core::knows_datatypes;
use crate::elaborate::scope::{Overload, TypeName, Value};
use crate::elaborate::{Elaborator, State};
use crate::environment::{Options, TimeType};
use crate::parse::{Fixities, Parser};
use crate::prim::{Arith, Comparison, Prim};
use crate::source::Sources;
use crate::types::{DataId, Scheme, Symbol, Type, TypeId, Types};

/// Declares the library in an empty state, and returns its operators.
pub(crate) fn load(state: &mut State, options: &Options) -> Fixities {
    state.program.int_bits = options.int_bits;
    state.max_int = (1 << (options.int_bits - 1)) - 1;
    declare_types(state, options.time);
    declare_operators(state);
    let mut fixities = Fixities::default();
    let time = time_text(options.time);
    let texts: [(&str, &str); Sources::LIBRARY.end as usize] = [
        ("basis", include_str!("prelude/basis.sml")),
        ("text", include_str!("prelude/text.sml")),
        ("numbers", include_str!("prelude/number.sml")),
        ("real numbers", include_str!("prelude/real.sml")),
        ("files", include_str!("prelude/files.sml")),
        ("names", include_str!("prelude/names.sml")),
        ("time", &time),
        ("library", include_str!("prelude/cpn.sml")),
        ("colour sets", include_str!("prelude/colour.sml")),
        ("tools", include_str!("prelude/tools.sml")),
    ];
    for (name, text) in texts {
        let source = state.sources.add(name, text);
        let mut parser = Parser::new(source, text, fixities);
        declare(state, &mut parser);
        fixities = parser.fixities;
    }
    assert!(knows_datatypes(&state.program), "the library declares its datatypes in order");
    // Only primitives create and match values of these types.
    for data in [DataId::ARRAY, DataId::INSTREAM, DataId::OUTSTREAM, DataId::VECTOR] {
        state.program.datatypes[data.0 as usize].constructors.clear();
    }
    state.prelude = state.scope.mark();
    fixities
}

/// Declares a text of the library.
fn declare(state: &mut State, parser: &mut Parser) {
    let decls = parser.program();
    let mut elaborator = Elaborator::new(state);
    decls.iter().for_each(|decl| elaborator.top_decl(decl));
    let mut errors = std::mem::take(&mut parser.errors);
    errors.append(&mut elaborator.errors);
    let shown: Vec<_> = errors
        .iter()
        .map(|(problem, span)| format!("`{}`: {problem}", state.sources.text(*span)))
        .collect();
    assert!(errors.is_empty(), "the library is wrong, please report this: {shown:#?}");
}

fn declare_types(state: &mut State, time: TimeType) {
    let time = match time {
        TimeType::IntInf => Types::INT_INF,
        TimeType::Real => Types::REAL,
        TimeType::Int => Types::INT,
    };
    let base: [(&str, TypeId); 13] = [
        ("int", Types::INT),
        ("CPN'intinf", Types::INT_INF),
        ("CPN'int32", Types::INT32),
        ("word", Types::WORD),
        ("CPN'word", Types::WORD),
        ("CPN'word8", Types::WORD8),
        ("CPN'word32", Types::WORD32),
        ("real", Types::REAL),
        ("char", Types::CHAR),
        ("string", Types::STRING),
        ("exn", Types::EXN),
        ("unit", Types::UNIT),
        ("time", time),
    ];
    for (name, ty) in base {
        let known = TypeName { params: [].into(), ty, data: None };
        state.scope.types.push(name.into(), known);
    }
    let param = state.program.types.new_param("'a".into(), false, 0);
    let content = state.program.types.intern(Type::Param(param));
    let ty = state.program.types.intern(Type::Ref(content));
    let known = TypeName { params: [param].into(), ty, data: None };
    state.scope.types.push("ref".into(), known);
}

fn declare_operators(state: &mut State) {
    let arith = [
        ("+", Arith::Add),
        ("-", Arith::Subtract),
        ("*", Arith::Multiply),
        ("/", Arith::Divide),
        ("div", Arith::Div),
        ("mod", Arith::Mod),
        ("~", Arith::Negate),
        ("abs", Arith::Abs),
    ];
    let comparisons = [
        ("<", Comparison::Less),
        ("<=", Comparison::LessEqual),
        (">", Comparison::Greater),
        (">=", Comparison::GreaterEqual),
    ];
    let arith = arith.map(|(name, op)| (name, Overload::Arith(op)));
    let comparisons = comparisons.map(|(name, op)| (name, Overload::Compare(op)));
    for (name, overload) in arith.into_iter().chain(comparisons) {
        state.scope.values.push(name.into(), Value::Overloaded(overload));
    }
    // `=` is a reserved word, so a text cannot declare it.
    let types = &mut state.program.types;
    let param = types.new_param("''a".into(), true, 0);
    let operand = types.intern(Type::Param(param));
    let pair = types.tuple(&[operand, operand]);
    let ty = types.arrow(pair, Types::BOOL);
    let scheme = Scheme { params: [param].into(), ty };
    state.scope.values.push(Symbol::from("="), Value::Primitive(Prim::Equal, scheme));
}

/// The declarations that depend on the type of time stamps.
fn time_text(time: TimeType) -> String {
    let (from_int, structure, to_real) = match time {
        TimeType::IntInf => ("IntInf.fromInt", "IntInf", "Real.fromLargeInt"),
        TimeType::Real => ("Real.fromInt", "Real", "(fn t : time => t)"),
        TimeType::Int => ("(fn t : time => t)", "Int", "Real.fromInt"),
    };
    format!(
        "val CPN'time_from_int = fn n : int => {from_int} n : time\n\
         val CPN'time_to_string = {structure}.toString\n\
         val CPN'time_from_string = {structure}.fromString\n\
         val CPN'time_to_real = fn t : time => {to_real} t : real\n"
    )
}
