//! `--vary`: one model for several values of a parameter.

use crate::args::{Format, Input};
use crate::failure::Failure;
use crate::load::assignment;

/// A parameter, and its values in order.
pub(super) struct Vary {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

impl Vary {
    /// Reads `NAME=VALUE,VALUE...`; commas in brackets and quotes belong to a value.
    pub(super) fn parse(text: &str) -> Result<Vary, Failure> {
        let failure = || Failure::Vary {
            text: text.to_owned(),
            name: text.split('=').next().unwrap_or_default().to_owned(),
        };
        let (name, values) = assignment(text).ok_or_else(failure)?;
        let values: Vec<String> = split(values).map(|value| value.trim().to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err(failure());
        }
        Ok(Vary { name: name.to_owned(), values })
    }

    /// The model with a value of the parameter; for a P/T net, with so many tokens on the place.
    pub(super) fn with(&self, input: &Input, value: &str) -> Result<Input, Failure> {
        let format = input.model_format()?;
        let mut input = input.clone();
        let options = match format {
            Format::Pnml => &mut input.init,
            Format::Cpn | Format::Cpnt | Format::Csp | Format::Aut => &mut input.param,
        };
        options.push(format!("\"{}\"={value}", self.name));
        Ok(input)
    }
}

fn split(values: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quoted) = (0_i32, false);
    values.split(move |c| {
        quoted ^= c == '"';
        match c {
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0 && !quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart() {
        let vary = |text| Vary::parse(text).map(|vary| (vary.name, vary.values));
        let own = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
        assert_eq!(vary("n=1, 20").unwrap(), ("n".into(), own(&["1", "20"])));
        let lists = vary("l=[1,2],[(3,4)],\",\"").unwrap();
        assert_eq!(lists, ("l".into(), own(&["[1,2]", "[(3,4)]", "\",\""])));
        assert!(vary("n").is_err() && vary("n=").is_err() && vary("n=1,,2").is_err());
    }
}
