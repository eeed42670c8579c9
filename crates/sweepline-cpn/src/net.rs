//! The flat net, without the drawing.

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

/// A page with at least one instance, as an index into [`Net::pages`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PageId(pub u32);

/// A place, as an index into [`Net::places`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceId(pub u32);

/// The behaviour of a transition, as an index into [`Net::behaviours`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BehaviourId(pub u32);

/// A place of a behaviour, as an index into [`Transition::places`]. The instances of a page share the
/// behaviour, but have different places.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

/// Changes to a model, and the location of its files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `--param n=8`: new expressions for values that the model declares by `val`.
    pub params: Vec<(String, String)>,
    /// `--init PLACE=EXPR`: new initial markings. A place is named `Page'Place 1`, `Page'Place` or `Place`;
    /// all places with that name are meant.
    pub initial: Vec<(String, String)>,
    /// The folder of the model, for the files that it uses.
    pub folder: Option<PathBuf>,
    /// Further folders for these files. Without any folder, no file is read.
    pub include: Vec<PathBuf>,
    /// The limits of the reader.
    pub limits: Limits,
}

/// A coloured net, checked and flattened.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// The name of the file.
    pub name: String,
    /// All declarations, and the types of all terms below.
    pub environment: Environment,
    /// The type of time stamps.
    pub time: TimeType,
    /// The pages that have instances, in the order of the file.
    pub pages: Vec<Page>,
    /// Their instances, parents before children.
    pub instances: Vec<PageInstance>,
    /// The places, one for each separate marking.
    pub places: Vec<Place>,
    /// The behaviour of each transition of a page.
    pub behaviours: Vec<Behaviour>,
    /// The transition instances, by page instance.
    pub transitions: Vec<Transition>,
    /// The progress measures declared in the file.
    pub measures: Vec<Measure>,
    /// The properties declared in the file.
    pub properties: Vec<Property>,
    /// The warnings.
    pub warnings: Vec<Finding>,
    /// The number of further warnings.
    pub n_more_warnings: usize,
    texts: Texts,
}

/// A page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Its id in the file.
    pub id: String,
    /// Its name in the file.
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
    /// The parent instance, as an index into [`Net::instances`], and the name of its substitution transition.
    pub parent: Option<(usize, String)>,
}

/// A place: all place instances that share one marking.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name of its first member that is not an assigned port, for example `Top'Next 1`. Unique.
    pub name: String,
    /// The page of that member.
    pub page: PageId,
    /// The number of its page instance.
    pub instance: u32,
    /// The colour set of its tokens.
    pub colour_set: ColourSetId,
    /// Whether its tokens carry time stamps.
    pub timed: bool,
    /// Its initial marking, if it has one. Contains no variables.
    pub initial: Option<Inscription>,
    /// The place instances that share its marking, in order of page instances.
    pub members: Vec<Member>,
}

/// A place instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name, unique among all.
    pub name: String,
    /// The id of the place in the file.
    pub id: String,
    /// Whether it has a name in the file. Reports omit members without a name.
    pub is_named: bool,
    /// Its page.
    pub page: PageId,
    /// The number of its page instance.
    pub instance: u32,
    /// Its role in the hierarchy.
    pub role: Role,
}

/// The role of a place instance in the hierarchy.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// A separate place, socket, or unassigned port.
    Plain,
    /// A port that is assigned to a socket. Its initial marking is ignored, and reports omit it.
    AssignedPort,
    /// A member of a fusion set.
    Fused,
}

/// A transition instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Its name, for example `Top'Count_up 1`. Unique.
    pub name: String,
    /// The id of the transition in the file.
    pub id: String,
    /// Whether it has a name in the file.
    pub is_named: bool,
    /// Its page.
    pub page: PageId,
    /// The number of its page instance, which is the value of `inst ()`.
    pub instance: u32,
    /// Its behaviour.
    pub behaviour: BehaviourId,
    /// Its places, by [`Slot`]. A place occurs twice if two places of the page are merged.
    pub places: Vec<PlaceId>,
}

/// The behaviour of a transition, shared by all instances of its page.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    /// The transition's name in the file.
    pub title: String,
    /// Its variables, in order of appearance on input arcs, guard, code, output arcs, time region.
    pub variables: Vec<Variable>,
    /// The conjuncts of its guard.
    pub guard: Vec<Conjunct>,
    /// Its delay.
    pub delay: Option<Delay>,
    /// Its code segment.
    pub code: Option<CodeSegment>,
    /// Its priority, without variables (default: 1000). A smaller number is a higher priority.
    pub priority: Option<Expr>,
    /// Its input arcs.
    pub inputs: Vec<Input>,
    /// Its output arcs.
    pub outputs: Vec<Output>,
    /// The places of its inhibitor arcs.
    pub inhibitors: Vec<Slot>,
    /// The places of its reset arcs, which are emptied after everything else.
    pub resets: Vec<Slot>,
}

impl Behaviour {
    /// All expressions that determine enabling and effect, except the code segment.
    pub(crate) fn inscriptions(&self) -> impl Iterator<Item = &Expr> {
        let inputs = self.inputs.iter().map(|input| &input.inscription.expr);
        let outputs = self.outputs.iter().map(|output| &output.inscription.expr);
        inputs.chain(outputs).chain(self.conditions())
    }

    /// The guard and the delay.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Expr> {
        let guard = self.guard.iter().map(|conjunct| &conjunct.expr);
        guard.chain(self.delay.iter().map(Delay::expr))
    }

    /// All expressions.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &Expr> {
        let code = self.code.iter().map(|code| &code.action);
        self.inscriptions().chain(code).chain(&self.priority)
    }
}

/// A variable of a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The variable in the program.
    pub var: VarId,
    /// Its name.
    pub name: String,
    /// Its colour set. If it is a subtype, only legal values are bound.
    pub colour_set: ColourSetId,
    /// What binds it.
    pub source: ValueSource,
}

/// What binds a variable.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ValueSource {
    /// A token: the pattern of an input term contains the variable.
    Input,
    /// The guard: `variable = expression`.
    Guard,
    /// Its colour set, which is enumerated, because the input arcs or the guard use the variable.
    Enumerated,
    /// The code segment.
    Code,
    /// Its colour set, which is enumerated. Only output arcs use the variable.
    Free,
}

/// A conjunct of a guard.
#[derive(Clone, PartialEq, Debug)]
pub struct Conjunct {
    /// The condition, which must be true whatever it binds.
    pub expr: Expr,
    /// Its variables.
    pub needs: Vec<VarId>,
    /// How it can bind some of them: each side of a top-level `=` that is a pattern.
    pub binders: Vec<Binder>,
}

/// `pattern = expression`.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// The pattern. A part of the text that is not a pattern is a wildcard.
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
    /// Its place.
    pub slot: Slot,
    /// The whole inscription.
    pub inscription: Inscription,
    /// The inscription as a sum of terms, if it is one. Otherwise it is evaluated once its variables are
    /// bound, and its value must be contained in the marking.
    pub terms: Option<Vec<Term>>,
    /// Its variables.
    pub needs: Vec<VarId>,
}

/// A term of a sum: ``coefficient`token@+delay``.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// The number of tokens. A number that is not positive means none.
    pub coefficient: Coefficient,
    /// The token.
    pub token: Expr,
    /// How much earlier than its time stamp the token can be removed.
    pub delay: Option<Delay>,
    /// The pattern of the token. A part that is not a pattern is a wildcard; the token must then be evaluated
    /// and compared. `None` if the whole token is not a pattern.
    pub pattern: Option<Pattern>,
    /// Whether the pattern describes the token exactly.
    pub is_exact: bool,
    /// The variables that a token binds: those of the pattern.
    pub binds: Vec<VarId>,
    /// The variables that must be bound before the term can be compared: those of the coefficient, the delay,
    /// and the parts of the token that are not patterns.
    pub needs: Vec<VarId>,
}

/// The number of tokens of a term.
#[derive(Clone, PartialEq, Debug)]
pub enum Coefficient {
    /// A constant, 1 by default.
    Constant(i64),
    /// An expression.
    Expr(Expr),
}

/// An output arc.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its place.
    pub slot: Slot,
    /// The tokens added.
    pub inscription: Inscription,
    /// Its variables.
    pub needs: Vec<VarId>,
}

impl Net {
    /// Checks and flattens a model.
    ///
    /// # Errors
    ///
    /// All errors, in the order of the file.
    pub fn load(file: &File, options: &Options) -> Result<Self, LoadErrors> {
        load::load(file, options)
    }

    /// Only declarations, without a net.
    #[cfg(test)]
    pub(crate) fn bare(environment: Environment) -> Self {
        Net { environment, ..Net::default() }
    }

    /// A place.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    /// The behaviour of a transition.
    pub fn behaviour(&self, transition: &Transition) -> &Behaviour {
        &self.behaviours[transition.behaviour.0 as usize]
    }

    /// Whether an inscription uses random numbers.
    pub fn is_random(&self) -> bool {
        self.warnings.iter().any(|warning| matches!(warning.problem, Problem::Random { .. }))
    }

    /// Adds the position in the file to an error in a text of this model, for example an exception that its
    /// evaluation raised.
    pub fn explain(&self, error: &MlError) -> Finding {
        self.texts.finding(error)
    }

    /// Adds the position in the file to a problem in a range of a property's text.
    pub fn explain_property(
        &self,
        property: &Property,
        range: Range<usize>,
        problem: Problem,
    ) -> Finding {
        self.texts.within(&property.subject(), range, problem)
    }
}
