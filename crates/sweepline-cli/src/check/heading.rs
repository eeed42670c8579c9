//! What the results say of a run besides what it found.

use super::Attempt;
use crate::args;
use crate::front_end::FrontEnd;
use crate::identity::Wanted;
use crate::measure::MeasureSpec;
use crate::results::{CacheSummary, Heading};

/// The heading of the results before the model is loaded.
pub(crate) fn blank(args: &args::Check) -> Heading {
    let file = args.input.file.clone();
    let model = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Heading {
        file,
        model: model.unwrap_or_default(),
        method: args.measure.method.unwrap_or(args::Method::Full),
        cache: None,
        progress: "none".into(),
        found: None,
        identity: None,
        notes: Vec::new(),
    }
}

pub(super) fn heading<M: FrontEnd>(
    attempt: &Attempt<'_, M>,
    measure: Option<&MeasureSpec<M>>,
) -> Heading {
    let Attempt { args, model, .. } = attempt;
    Heading {
        file: args.input.file.clone(),
        model: model.name().to_owned(),
        method: match args.measure.method {
            Some(args::Method::Cache) => args::Method::Cache,
            None if args.hunting.is_only() => args::Method::Hunt,
            _ => args::Method::along(measure),
        },
        cache: args.caching.cache.map(|states| CacheSummary {
            states,
            policy: args.caching.cache_policy.unwrap_or_default().name(),
        }),
        progress: measure.map_or_else(|| "none".into(), |measure| measure.text.clone()),
        found: measure.and_then(|measure| measure.found),
        identity: attempt.wanted.as_ref().map(Wanted::summary),
        notes: {
            let mut notes = notes(args, *model, measure);
            notes.extend(attempt.wanted.iter().flat_map(Wanted::notes));
            notes
        },
    }
}

/// Notes on the model, and on what was chosen by default.
fn notes<M: FrontEnd>(
    args: &args::Check,
    model: &M,
    measure: Option<&MeasureSpec<M>>,
) -> Vec<String> {
    let mut notes = model.notes(&args.input);
    notes.extend(model.unchecked());
    let chosen = measure.filter(|_| args.measure.progress.is_none());
    let named = |text: &str| model.measures().iter().any(|measure| measure.name == text);
    if let Some(measure) = chosen.filter(|measure| measure.found.is_none() && named(&measure.text))
    {
        notes.push(format!("the model declares the measure `{}`, which was used", measure.text));
    }
    notes
}
