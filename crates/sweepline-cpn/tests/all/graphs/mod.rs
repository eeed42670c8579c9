//! Scripts over random labelled graphs: their answers equal those by definition.

mod askctl;
mod components;
mod graph;
mod linear;

use sweepline_cpn::{CpnModel, Outcome, Script, ScriptOptions};

fn options<'m>() -> ScriptOptions<'m> {
    let (explore, evaluate) = (sweepline::Options::default(), sweepline_ml::Limits::default());
    ScriptOptions { explore, evaluate, log: None, draw: None, find: None, write: None }
}

/// The values of a script's expressions.
fn values(model: &CpnModel, text: &str) -> Vec<String> {
    let mut values = Vec::new();
    let done = Script::new(model, options()).run("script.sml", text, &mut |outcome| {
        if let Outcome::Value { name, value, .. } = outcome
            && name == "it"
        {
            values.push(value);
        }
    });
    done.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    values
}
