//! The measure that `--progress` asks for.

use sweepline_pnml::{Expr, Net, NetMeasure, NetModel, parse_expr};

use crate::failure::Failure;

/// The components of a measure, the monotone ones first.
#[derive(Clone, Debug)]
pub(crate) struct MeasureSpec {
    components: Vec<Expr>,
    columns: usize,
    /// As it is shown: what the user wrote.
    pub(crate) text: String,
}

impl MeasureSpec {
    /// Parses `none`, `EXPR, EXPR` or `monotone(EXPR), EXPR`; `None` for `none`.
    pub(crate) fn parse(net: &Net, text: &str) -> Result<Option<Self>, Failure> {
        let trimmed = text.trim();
        if trimmed == "none" {
            return Ok(None);
        }
        if matches!(trimmed, "auto" | "time") && net.place(trimmed).is_none() {
            return Err(Failure::NotYet {
                name: format!("--progress {trimmed}"),
                what: "a measure that sweepline finds by itself".into(),
                help: "write an expression over places, for example `sent + received`".into(),
            });
        }
        let (mut monotone, mut free) = (Vec::new(), Vec::new());
        for component in split(trimmed) {
            match inside_monotone(component) {
                Some(inner) => monotone.push(parse_expr(net, inner)?),
                None => free.push(parse_expr(net, component)?),
            }
        }
        let columns = monotone.len();
        monotone.append(&mut free);
        Ok(Some(MeasureSpec { components: monotone, columns, text: trimmed.to_owned() }))
    }

    /// The measure itself.
    pub(crate) fn build<'a>(&self, model: &'a NetModel) -> NetMeasure<'a> {
        NetMeasure::new(model, self.components.clone(), self.columns)
    }

    /// The greatest value of the first component that the bounds of the places allow.
    pub(crate) fn farthest(&self, bounds: &[Option<u64>]) -> Option<i64> {
        let first = self.components.first()?;
        let mut most = first.offset();
        for &(coefficient, place) in first.sum().terms() {
            if coefficient > 0 {
                most += i128::from(coefficient) * i128::from(bounds[place.index()]?);
            }
        }
        i64::try_from(most).ok()
    }
}

/// The expression in `monotone(EXPR)`.
fn inside_monotone(component: &str) -> Option<&str> {
    let inner = component.strip_prefix("monotone")?.trim_start();
    inner.strip_prefix('(')?.strip_suffix(')')
}

/// Splits at the commas that are in no parentheses and no quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net() -> Net {
        Net::builder("n").place("p", 1).place("a, b", 0).place("q", 0).build().unwrap()
    }

    #[test]
    fn commas_in_parentheses_and_quotes_do_not_split() {
        assert_eq!(split("tokens(p, q), \"a, b\" , 2*q"), ["tokens(p, q)", "\"a, b\"", "2*q"]);
    }

    #[test]
    fn monotone_components_lead() {
        let spec = MeasureSpec::parse(&net(), "q, monotone(p + q), p").unwrap().unwrap();
        assert_eq!((spec.columns, spec.components.len()), (1, 3));
        assert_eq!(spec.components[0], parse_expr(&net(), "p + q").unwrap());
        assert_eq!(spec.components[1], parse_expr(&net(), "q").unwrap());
    }

    #[test]
    fn what_is_not_there_yet_says_so() {
        assert!(matches!(MeasureSpec::parse(&net(), "auto"), Err(Failure::NotYet { .. })));
        assert!(MeasureSpec::parse(&net(), "none").unwrap().is_none());
        assert!(MeasureSpec::parse(&net(), "p, ").is_err());
    }

    #[test]
    fn the_farthest_value_needs_bounds() {
        let spec = MeasureSpec::parse(&net(), "3*p - q + 2").unwrap().unwrap();
        assert_eq!(spec.farthest(&[Some(2), None, None]), Some(8));
        assert_eq!(spec.farthest(&[None, Some(1), Some(1)]), None);
    }
}
