//! Names of terms for users: the call that gave them, or their text with the values that it uses.

use sweepline_source::{Span, clip, clip_at};

use super::eval::Evaluator;
use super::process::{Meet, Proc, Thunk};
use super::value::{ProcId, Value};

/// The maximal nesting of names of terms in names of terms.
const MAX_SHOWN: u32 = 4;

impl Evaluator<'_> {
    /// The name of a term.
    pub(super) fn show_process(&self, id: ProcId) -> String {
        // A function that returns its argument gives a term that is an argument of the call that gave it.
        if self.n_shown.get() == MAX_SHOWN {
            return "...".to_owned();
        }
        self.n_shown.set(self.n_shown.get() + 1);
        let text = self.show_below(id, 6);
        self.n_shown.set(self.n_shown.get() - 1);
        text
    }

    fn show_below(&self, id: ProcId, depth: u32) -> String {
        if let Some((name, args)) = self.origins.get(&id) {
            let name = self.name(*name);
            if args.is_empty() {
                return name.to_owned();
            }
            let args: Vec<_> = args.iter().map(|value| self.show(value)).collect();
            return clip(&format!("{name}({})", args.join(",")));
        }
        if depth == 0 {
            return "...".to_owned();
        }
        let below = |id: &ProcId| self.show_below(*id, depth - 1);
        let joined = |all: &[ProcId], with: &str| {
            let all: Vec<_> = all.iter().take(4).map(below).collect();
            format!("({})", all.join(with))
        };
        clip(&match self.terms.proc(id) {
            Proc::Stop => "STOP".to_owned(),
            Proc::Skip => "SKIP".to_owned(),
            Proc::Omega => "Ω".to_owned(),
            Proc::Diverge => "DIV".to_owned(),
            Proc::Run(_) => "RUN".to_owned(),
            Proc::Chaos(_) => "CHAOS".to_owned(),
            Proc::Prefix(number, captured) => {
                let prefix = self.prefix(*number);
                let text = self.script.text(prefix.span.to(prefix.body.expr.span));
                let free = prefix.free.get().map_or(&[][..], |free| free);
                let local = free.iter().zip(captured.iter());
                let local = local.filter(|(_, value)| !matches!(value, Value::Function(_)));
                let local: Vec<_> = local
                    .map(|(name, value)| format!("{}={}", self.name(*name), self.show(value)))
                    .collect();
                match local.is_empty() {
                    true => clip_at(text, 50),
                    false => format!("{} [{}]", clip_at(text, 50), local.join(",")),
                }
            }
            Proc::Offer(all) => {
                let events = all.iter().take(4);
                let events: Vec<_> =
                    events.map(|(event, _)| self.show(self.terms.events.get(event.0))).collect();
                format!("{} -> ...", events.join(" | "))
            }
            Proc::External(all) => joined(all, " [] "),
            Proc::Compressed(_, p) => below(p),
            Proc::Chase(p) => format!("chase({})", below(p)),
            Proc::Interrupt(p, q) => format!("({} /\\ {})", below(p), below(q)),
            Proc::Internal(all) => {
                let all: Vec<_> = all.iter().take(4).map(|thunk| self.show_thunk(thunk)).collect();
                format!("({})", all.join(" |~| "))
            }
            Proc::Timeout(p, q) => format!("({} [> {})", below(p), self.show_thunk(q)),
            Proc::Sequential(p, q) => format!("({}; {})", below(p), self.show_thunk(q)),
            Proc::Exception(p, _, q) => format!("({} [|..|> {})", below(p), self.show_thunk(q)),
            Proc::Parallel(all, Meet::Interface(set)) if self.terms.sets.get(set.0).is_empty() => {
                joined(all, " ||| ")
            }
            Proc::Parallel(all, _) => joined(all, " || "),
            Proc::Hide(p, _) => format!("({} \\ ..)", below(p)),
            Proc::Rename(p, _) => format!("{}[[..]]", below(p)),
            Proc::Later(thunk) => self.show_thunk(thunk),
        })
    }

    fn show_thunk(&self, thunk: &Thunk) -> String {
        match thunk {
            Thunk::Body(number, _) => match self.body_span(*number) {
                Some(span) => clip_at(self.script.text(span), 30),
                None => "...".to_owned(),
            },
            Thunk::Global(name) => self.name(*name).to_owned(),
            Thunk::Local(_) => "...".to_owned(),
            Thunk::Sequence(all) => {
                let all: Vec<_> = all.iter().take(3).map(|thunk| self.show_thunk(thunk)).collect();
                all.join("; ")
            }
        }
    }

    /// The position of the definition of a term.
    pub(super) fn span_of(&self, id: ProcId) -> Span {
        let origin = self.origins.get(&id).and_then(|(name, _)| self.definition_span(*name));
        match self.terms.proc(id) {
            Proc::Prefix(number, _) => self.prefix(*number).span,
            Proc::Later(Thunk::Global(name)) => {
                self.definition_span(*name).unwrap_or(self.script.nowhere())
            }
            _ => origin.unwrap_or(self.script.nowhere()),
        }
    }
}
