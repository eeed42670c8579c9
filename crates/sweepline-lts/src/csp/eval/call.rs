//! Calls: matches arguments with the clauses of a function.

use std::rc::Rc;

use sweepline_source::Span;

use super::globals::Global;
use super::{Evaluated, Evaluator, fail};
use crate::csp::value::{Env, Function, Value};
use crate::problem::Problem;

impl Evaluator<'_> {
    /// Calls a function with one list of arguments.
    pub(in crate::csp) fn call(
        &mut self,
        function: &Function,
        args: Vec<Value>,
        span: Span,
    ) -> Evaluated<Value> {
        match function {
            Function::BuiltIn(name) => self.call_built_in(*name, args, span),
            Function::Lambda(id, captured) => {
                let lambda = self.lambdas[id].clone();
                let free = lambda.free.get().expect("names were checked");
                let mut env = Env::restored(free, captured);
                self.count_args("the lambda", lambda.params.len(), args.len(), span)?;
                if !self.bind_all(&lambda.params, &args, &mut env)? {
                    return self.no_match("the lambda", &[args], span);
                }
                self.eval(&lambda.body.expr, &mut env)
            }
            Function::Partial(partial) => {
                let mut lists = partial.1.clone();
                lists.push(args);
                self.call_definition(&partial.0, lists, span)
            }
            _ => self.call_definition(function, vec![args], span),
        }
    }

    /// Calls a definition, if it has all its lists of arguments.
    fn call_definition(
        &mut self,
        function: &Function,
        lists: Vec<Vec<Value>>,
        span: Span,
    ) -> Evaluated<Value> {
        let group;
        let (definition, env) = match function {
            Function::Global(name) => match self.by_name[name] {
                Global::Define(definition) => (definition, Env::default()),
                _ => unreachable!("a function at the top is a definition"),
            },
            Function::Local(id, index, captured) => {
                group = self.lets[id].clone();
                (&group.decls[*index as usize], self.group_env(&group, captured))
            }
            _ => unreachable!("only definitions take several lists"),
        };
        if lists.len() < definition.arity() {
            let partial = Rc::new((function.clone(), lists));
            return Ok(Value::Function(Function::Partial(partial)));
        }
        let name = self.name(definition.name);
        for (params, args) in definition.clauses[0].params.iter().zip(&lists) {
            self.count_args(name, params.len(), args.len(), span)?;
        }
        for clause in &definition.clauses {
            let mut own = env.clone();
            let mut fits = true;
            for (params, args) in clause.params.iter().zip(&lists) {
                fits = fits && self.bind_all(params, args, &mut own)?;
            }
            if fits {
                self.calls.push(definition.name);
                let value = self.eval(&clause.body, &mut own)?;
                self.calls.pop();
                if let Value::Process(_) = value {
                    let args: Vec<_> = lists.into_iter().flatten().collect();
                    self.note_origin(definition.name, &args, &value);
                }
                return Ok(value);
            }
        }
        self.no_match(name, &lists, span)
    }

    pub(super) fn count_args(
        &self,
        name: &str,
        expected: usize,
        found: usize,
        span: Span,
    ) -> Evaluated<()> {
        let name = name.to_owned();
        match expected == found {
            true => Ok(()),
            false => fail(span, Problem::ArgumentCount { name, expected, found }),
        }
    }

    pub(super) fn no_match<T>(&self, name: &str, lists: &[Vec<Value>], span: Span) -> Evaluated<T> {
        let arguments: Vec<_> = lists.iter().flatten().map(|value| self.show(value)).collect();
        let (name, arguments) = (name.to_owned(), arguments.join(", "));
        fail(span, Problem::NoMatch { name, arguments })
    }
}
