//! The events that a prefix offers, and the continuation of each.

use std::sync::Arc;

use super::data::{flatten, flattened};
use super::{Evaluated, Evaluator, MAX_OFFERS, fail};
use crate::csp::ast::{Field, Prefix};
use crate::csp::process::{Event, Thunk};
use crate::csp::value::{Captured, Env, Value};
use crate::problem::Problem;

/// An event that a prefix offers.
pub(in crate::csp) struct Offer {
    /// The values that the prefix chose internally before (`$x`).
    pub(in crate::csp) chosen: Vec<Value>,
    pub(in crate::csp) event: Event,
    pub(in crate::csp) then: Thunk,
}

/// A prefix with values for some of its fields.
struct Partial<'p> {
    prefix: &'p Arc<Prefix>,
    tokens: Vec<Value>,
    chosen: Vec<Value>,
    offers: Vec<Offer>,
}

impl Evaluator<'_> {
    /// All events that `prefix` offers, in the order of its inputs.
    pub(in crate::csp) fn offers(
        &mut self,
        prefix: &Arc<Prefix>,
        captured: &Captured,
    ) -> Evaluated<Vec<Offer>> {
        let mut env = Env::restored(prefix.free.get().expect("names were checked"), captured);
        let channel = self.eval(&prefix.channel, &mut env)?;
        let tokens = flattened([&channel]);
        let mut partial = Partial { prefix, tokens, chosen: Vec::new(), offers: Vec::new() };
        self.fields(&mut partial, 0, &mut env)?;
        Ok(partial.offers)
    }

    /// Enumerates the values of the fields from `index` on.
    fn fields(&mut self, partial: &mut Partial<'_>, index: usize, env: &mut Env) -> Evaluated<()> {
        let prefix = partial.prefix;
        let Some(field) = prefix.fields.get(index) else {
            let value = self.regroup(&partial.tokens);
            let event = self.known_event(&value, prefix.span)?;
            let then = self.thunk(&prefix.body, env);
            if partial.offers.len() == MAX_OFFERS {
                return fail(prefix.span, Problem::HugeSet { limit: MAX_OFFERS });
            }
            partial.offers.push(Offer { chosen: partial.chosen.clone(), event, then });
            return Ok(());
        };
        let (n_tokens, n_chosen) = (partial.tokens.len(), partial.chosen.len());
        match field {
            Field::Output(expr) => {
                let value = self.eval(expr, env)?;
                flatten(&value, &mut partial.tokens);
                self.fields(partial, index + 1, env)?;
                partial.tokens.truncate(n_tokens);
            }
            Field::Input { pattern, chooses, .. } => {
                for value in self.inputs(partial, index, env)? {
                    let mark = env.mark();
                    if self.bind(pattern, &value, env)? {
                        flatten(&value, &mut partial.tokens);
                        if *chooses {
                            partial.chosen.push(value);
                        }
                        self.fields(partial, index + 1, env)?;
                    }
                    partial.tokens.truncate(n_tokens);
                    partial.chosen.truncate(n_chosen);
                    env.back_to(mark);
                }
            }
        }
        Ok(())
    }

    /// The values of an input: those of its set, or all of the type. The last input takes all remaining
    /// fields.
    fn inputs(
        &mut self,
        partial: &Partial<'_>,
        index: usize,
        env: &mut Env,
    ) -> Evaluated<Vec<Value>> {
        let fields = &partial.prefix.fields;
        let Field::Input { pattern, from, .. } = &fields[index] else {
            unreachable!("the field is an input")
        };
        if let Some(from) = from {
            let set = self.set_of(from, env)?;
            return Ok(self.members(&set, from.span)?.to_vec());
        }
        let missing = self.missing(&partial.tokens, partial.prefix.span)?;
        let n = match index + 1 == fields.len() {
            true => missing.len(),
            false => self.n_fields(pattern).min(missing.len()),
        };
        if n == 0 {
            let value = self.regroup(&partial.tokens);
            return self.no_field_left(&value, pattern.span);
        }
        let rows = self.completions(&partial.tokens, n, partial.prefix.span)?;
        Ok(rows.iter().map(|row| self.dot(row)).collect())
    }
}
