//! The flat net: what a simulator or state space needs, and nothing of the drawing.

mod binding;
mod declare;
mod effects;
mod evaluate;
mod flatten;
mod hierarchy;
mod load;
mod marking;
mod names;
mod page;
mod texts;
mod use_file;
mod variables;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::PathBuf;

use sweepline_ml::core::{Expr, Pattern, VarId};
use sweepline_ml::{CodeSegment, ColourSetId, Delay, Environment, Inscription, MlError, TimeType};
use sweepline_query::{Measure, Property};

use crate::limits::Limits;
use crate::problem::{Finding, LoadErrors, Problem};
use crate::read::File;
#[cfg(test)]
pub(crate) use binding::conjunct;
pub(crate) use binding::{Shape, delayed, extend, shape};
pub(crate) use effects::Effects;
pub(crate) use names::{identifier, page_identifier};
use texts::Texts;

/// A page with an instance, as an index into [`Net::pages`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PageId(pub u32);

/// A place, as an index into [`Net::places`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceId(pub u32);

/// What a transition does, as an index into [`Net::behaviours`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BehaviourId(pub u32);

/// A place of a behaviour, as an index into [`Transition::places`]: instances of a page share the
/// behaviour and differ in the places.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

/// What to change in a model, and where its files are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `--param n=8`: expressions for values that the model declares by `val`.
    pub params: Vec<(String, String)>,
    /// `--init PLACE=EXPR`: initial markings. A place goes by `Page'Place 1`, `Page'Place` or `Place`; all
    /// places of that name are meant.
    pub initial: Vec<(String, String)>,
    /// The folder of the model, for the files that it uses.
    pub folder: Option<PathBuf>,
    /// Further folders for these files. Without any folder none is read.
    pub include: Vec<PathBuf>,
    /// What is refused.
    pub limits: Limits,
}

/// A coloured net, checked and flat.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// The file.
    pub name: String,
    /// All declarations, with the types of all terms below.
    pub environment: Environment,
    /// The type of time stamps.
    pub time: TimeType,
    /// The pages that have an instance, in the order of the file.
    pub pages: Vec<Page>,
    /// Their instances, parents before children.
    pub instances: Vec<PageInstance>,
    /// The places: one for each marking.
    pub places: Vec<Place>,
    /// What transitions do, one for each transition of a page.
    pub behaviours: Vec<Behaviour>,
    /// The transition instances, by page instance.
    pub transitions: Vec<Transition>,
    /// The measures that its file names.
    pub measures: Vec<Measure>,
    /// The properties that its file names.
    pub properties: Vec<Property>,
    /// What its author should know.
    pub warnings: Vec<Finding>,
    /// Warnings beyond those.
    pub n_more_warnings: usize,
    texts: Texts,
}

/// A page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Its id in the file.
    pub id: String,
    /// Its name as written.
    pub title: String,
    /// Its name in queries and reports: an identifier, unique in the net.
    pub name: String,
    /// The number of its instances.
    pub n_instances: u32,
}

/// An instance of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageInstance {
    /// The page.
    pub page: PageId,
    /// Its number among the instances of the page, from 1.
    pub number: u32,
    /// The instance above, as an index into [`Net::instances`], and the name of the substitution
    /// transition there.
    pub parent: Option<(usize, String)>,
}

/// A place: all place instances that share one marking.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name of its first member that is no assigned port, such as `Top'Next 1`. Unique.
    pub name: String,
    /// The page of that member.
    pub page: PageId,
    /// The number of its page instance.
    pub instance: u32,
    /// The colour set of its tokens.
    pub colour_set: ColourSetId,
    /// Whether they carry time stamps.
    pub timed: bool,
    /// What it holds at the beginning; nothing where there is none. It has no variables.
    pub initial: Option<Inscription>,
    /// Everything that stands for it, in order of page instances.
    pub members: Vec<Member>,
}

/// A place instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name, unique among all.
    pub name: String,
    /// The id of the place in the file.
    pub id: String,
    /// Whether the author named it. Those without a name are not in reports.
    pub is_named: bool,
    /// Its page.
    pub page: PageId,
    /// The number of its page instance.
    pub instance: u32,
    /// Why it is there.
    pub role: Role,
}

/// Why a place instance is part of a place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is a place of its own, perhaps a socket or an unassigned port.
    Plain,
    /// A port that is assigned to a socket. Its initial marking does not count, and reports leave it
    /// out.
    AssignedPort,
    /// A member of a fusion set.
    Fused,
}

/// A transition instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Its name, such as `Top'Count_up 1`. Unique.
    pub name: String,
    /// The id of the transition in the file.
    pub id: String,
    /// Whether the author named it.
    pub is_named: bool,
    /// Its page.
    pub page: PageId,
    /// The number of its page instance, which `inst ()` gives.
    pub instance: u32,
    /// What it does.
    pub behaviour: BehaviourId,
    /// Its places, by [`Slot`]. The same place may occur twice, where two of a page are one.
    pub places: Vec<PlaceId>,
}

/// What a transition of a page does, in every instance of the page.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    /// The transition's name as written.
    pub title: String,
    /// Its variables, in order of appearance on input arcs, guard, code, output arcs, time region.
    pub variables: Vec<Variable>,
    /// The conjuncts of its guard.
    pub guard: Vec<Conjunct>,
    /// Its delay.
    pub delay: Option<Delay>,
    /// Its code segment.
    pub code: Option<CodeSegment>,
    /// Its priority, without variables. None is 1000; smaller goes first.
    pub priority: Option<Expr>,
    /// What it takes.
    pub inputs: Vec<Input>,
    /// What it gives.
    pub outputs: Vec<Output>,
    /// The places that must be empty.
    pub inhibitors: Vec<Slot>,
    /// The places that are emptied, after everything else.
    pub resets: Vec<Slot>,
}

impl Behaviour {
    /// What decides which bindings are enabled and what comes of them, but for the code segment.
    pub(crate) fn inscriptions(&self) -> impl Iterator<Item = &Expr> {
        let inputs = self.inputs.iter().map(|input| &input.inscription.expr);
        let outputs = self.outputs.iter().map(|output| &output.inscription.expr);
        inputs.chain(outputs).chain(self.conditions())
    }

    /// Its guard and its delay.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Expr> {
        let guard = self.guard.iter().map(|conjunct| &conjunct.expr);
        guard.chain(self.delay.iter().map(Delay::expr))
    }

    /// All expressions of it.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &Expr> {
        let code = self.code.iter().map(|code| &code.action);
        self.inscriptions().chain(code).chain(&self.priority)
    }
}

/// A variable of a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// In the program.
    pub var: VarId,
    /// Its name.
    pub name: String,
    /// Its colour set: if that is a subtype, only legal values are bound.
    pub colour_set: ColourSetId,
    /// Where its values come from.
    pub source: ValueSource,
}

/// Where the values of a variable come from.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ValueSource {
    /// From tokens: the pattern of some input term has it.
    Input,
    /// From the guard: `variable = expression`.
    Guard,
    /// From its colour set, whose values are all tried, because input or guard need it.
    Enumerated,
    /// From the code segment.
    Code,
    /// From its colour set; only the output needs it.
    Free,
}

/// A conjunct of a guard.
#[derive(Clone, PartialEq, Debug)]
pub struct Conjunct {
    /// What must be true, whatever it binds.
    pub expr: Expr,
    /// Its variables.
    pub needs: Vec<VarId>,
    /// How it can bind some of them: each side of a top-level `=` that is a pattern.
    pub binders: Vec<Binder>,
}

/// `pattern = expression`.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// What is matched. Where the text has something else than a pattern it has a wildcard.
    pub pattern: Pattern,
    /// The variables of the pattern.
    pub binds: Vec<VarId>,
    /// The side of the equation, 0 or 1, whose value is matched.
    pub value: usize,
    /// The variables of the value.
    pub needs: Vec<VarId>,
}

/// An input arc.
#[derive(Clone, Debug)]
pub struct Input {
    /// From here.
    pub slot: Slot,
    /// The inscription as a whole.
    pub inscription: Inscription,
    /// The inscription as a sum of terms, if it is one. Otherwise it is evaluated once its variables
    /// are bound, and what it gives must be contained in the marking.
    pub terms: Option<Vec<Term>>,
    /// Its variables.
    pub needs: Vec<VarId>,
}

/// A term of a sum: ``coefficient`token@+delay``.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// How many tokens. Not positive is none.
    pub coefficient: Coefficient,
    /// The token.
    pub token: Expr,
    /// How much earlier than its time stamp says the token can be taken.
    pub delay: Option<Delay>,
    /// What tokens must look like. Where the token is not a pattern it has a wildcard, and the token
    /// must be evaluated and compared. None where a wildcard would be all of it.
    pub pattern: Option<Pattern>,
    /// Whether the pattern says everything about the token.
    pub is_exact: bool,
    /// The variables that a token gives a value: those of the pattern.
    pub binds: Vec<VarId>,
    /// The variables that must have one before the term can be compared: those of the coefficient, the
    /// delay, and of the parts of the token that are no patterns.
    pub needs: Vec<VarId>,
}

/// How many tokens a term takes.
#[derive(Clone, PartialEq, Debug)]
pub enum Coefficient {
    /// A number, 1 where none is written.
    Constant(i64),
    /// An expression.
    Expr(Expr),
}

/// An output arc.
#[derive(Clone, Debug)]
pub struct Output {
    /// To here.
    pub slot: Slot,
    /// What is put there.
    pub inscription: Inscription,
    /// Its variables.
    pub needs: Vec<VarId>,
}

impl Net {
    /// Checks and flattens a model.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, in the order of the file.
    pub fn load(file: &File, options: &Options) -> Result<Self, LoadErrors> {
        load::load(file, options)
    }

    /// Declarations without a net.
    #[cfg(test)]
    pub(crate) fn bare(environment: Environment) -> Self {
        Net { environment, ..Net::default() }
    }

    /// A place.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    /// What a transition does.
    pub fn behaviour(&self, transition: &Transition) -> &Behaviour {
        &self.behaviours[transition.behaviour.0 as usize]
    }

    /// Whether an inscription depends on chance.
    pub fn is_random(&self) -> bool {
        self.warnings.iter().any(|warning| matches!(warning.problem, Problem::Random { .. }))
    }

    /// A mistake of a text of this model, such as an exception that its evaluation raised, with its
    /// place in the file.
    pub fn explain(&self, error: &MlError) -> Finding {
        self.texts.finding(error)
    }

    /// What is wrong with a range of the text of a property, with its place in the file.
    pub fn explain_property(
        &self,
        property: &Property,
        range: Range<usize>,
        problem: Problem,
    ) -> Finding {
        self.texts.within(&property.subject(), range, problem)
    }
}
