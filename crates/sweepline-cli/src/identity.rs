//! The equivalence of states that a check uses.

use std::borrow::Cow;

use crate::args::{self, Equivalence, Input};
use crate::failure::Failure;
use crate::front_end::{Ask, FrontEnd};
use crate::measure::MeasureSpec;
use crate::results::IdentitySummary;

/// An equivalence that the exploration is to use, and how.
pub(crate) struct Wanted<'a> {
    pub(crate) equivalence: Cow<'a, Equivalence>,
    /// States whose classes are stored for the cut-off; `None` for all states.
    pub(crate) cut_off: Option<&'a str>,
    pub(crate) patience: Option<u64>,
    /// Symmetry that cannot be proven is assumed.
    pub(crate) assume: bool,
    /// Notes on what was made of it.
    pub(crate) notes: Vec<String>,
}

/// Properties of single states, by their names.
pub(crate) struct Terms<'a, M: Ask> {
    pub(crate) predicates: Vec<(&'a str, &'a M::Predicate)>,
    pub(crate) numbers: Vec<(&'a str, &'a M::Expr)>,
    /// Properties that must see every state.
    pub(crate) others: Vec<&'a str>,
}

impl<'a> Wanted<'a> {
    /// The equivalence of `args`, except `--equivalence time` without a cut-off, which the model applies itself.
    pub(crate) fn of(args: &'a args::Check) -> Result<Option<Self>, Failure> {
        let args::CutOff { cut_off, patience, assume_symmetric } = &args.cut_off;
        let Some(equivalence) = &args.input.equivalence else {
            let help = "add `--equivalence time` or `--equivalence EXPR`";
            let given = [("`--cut-off`", cut_off.is_some())];
            Failure::refuse("a run without `--equivalence`", help, &given)?;
            let help = "add `--equivalence symmetry:COLSET`";
            let given = [("`--assume-symmetric`", *assume_symmetric)];
            return Failure::refuse("a run without `--equivalence symmetry`", help, &given)
                .map(|()| None);
        };
        let is_other = !matches!(equivalence, Equivalence::Symmetry(_));
        let help =
            "leave it out: sweepline always assumes your own equivalence, and tests it on samples";
        let given = [("`--assume-symmetric`", *assume_symmetric && is_other)];
        Failure::refuse("an equivalence other than symmetry", help, &given)?;
        if *equivalence == Equivalence::Time && cut_off.is_none() {
            return Ok(None);
        }
        let help = "leave out the checkpoint: stored equivalence classes cannot be saved";
        let given = [("a checkpoint", args.checkpoints.given())];
        Failure::refuse("`--equivalence`", help, &given)?;
        let given = [("`--equivalence`", args.measure.method == Some(args::Method::Cache))];
        Failure::refuse("`--method cache`", "use `--method sweep` or `--method full`", &given)?;
        Ok(Some(Wanted {
            equivalence: Cow::Borrowed(equivalence),
            cut_off: cut_off.as_deref(),
            patience: *patience,
            assume: *assume_symmetric,
            notes: Vec::new(),
        }))
    }

    /// Notes for the output.
    pub(crate) fn notes(&self) -> Vec<String> {
        let own = matches!(*self.equivalence, Equivalence::Value(_)).then_some(
            "verdicts are right only if equivalent states have equivalent successors and the same properties; sweepline tests this on samples",
        );
        own.into_iter().map(str::to_owned).chain(self.notes.iter().cloned()).collect()
    }

    /// How it is reported.
    pub(crate) fn summary(&self) -> IdentitySummary {
        let is_symmetry = matches!(*self.equivalence, Equivalence::Symmetry(_));
        IdentitySummary {
            equivalence: self.equivalence.clone().into_owned().into(),
            cut_off: self.cut_off.map(str::to_owned),
            by_representatives: is_symmetry && self.cut_off.is_none(),
        }
    }

    /// A cut-off needs layers: patience counts those without a new class.
    pub(crate) fn fits<M: FrontEnd>(
        &self,
        measure: Option<&MeasureSpec<M>>,
    ) -> Result<(), Failure> {
        let what = "a run without a progress measure";
        let help = "add `--progress EXPR` or `--equivalence time`";
        let given = [("`--cut-off`", self.cut_off.is_some() && measure.is_none())];
        Failure::refuse(what, help, &given)
    }
}

/// The input of a check, without an equivalence that the check applies itself.
pub(crate) fn input<'a>(args: &'a args::Check, wanted: Option<&Wanted<'_>>) -> Cow<'a, Input> {
    match wanted {
        None => Cow::Borrowed(&args.input),
        Some(_) => Cow::Owned(Input { equivalence: None, ..args.input.clone() }),
    }
}
