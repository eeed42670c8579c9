//! The token game: the user chooses every step.

use std::fmt::Write;
use std::io::{self, BufRead};

use fastrand::Rng;
use sweepline::Walk;

use super::{begin, failed};
use crate::failure::Failure;
use crate::front_end::{Change, FrontEnd};
use crate::print::{self, BOLD, FAINT, styled};

const HELP: &str = "a number: take that step; `r` or an empty line: a random step; `r N`: N random steps; \
                    `u`: undo; `m`: show the marking; `q`: quit";

/// The most enabled steps shown; the others can be chosen by number, too.
const SHOWN: usize = 30;

/// Plays until the user quits.
pub(super) fn play<M: FrontEnd>(model: &M, seed: u64) -> Result<(), Failure> {
    let mut choices = Rng::with_seed(seed);
    let mut walk = begin(model, |_| 0)?;
    print::some_results(&format!("{}\n{HELP}\n", styled(BOLD, model.name())))?;
    print::some_results(&format!("{}\n", model.describe(walk.state())))?;
    let mut lines = io::stdin().lock().lines();
    loop {
        let next = walk.successors().map_err(failed)?;
        print::some_results(&menu(model, walk.state(), walk.run.len()))?;
        let Some(Ok(line)) = lines.next() else { return Ok(()) };
        match Command::parse(&line, next.len()) {
            Command::Quit => return Ok(()),
            Command::Marking => {
                print::some_results(&format!("{}\n", model.describe(walk.state())))?
            }
            Command::Undo => drop(walk.run.steps.pop()),
            Command::Take(number) => take(model, &mut walk, next, number)?,
            Command::Random(count) => random(model, &mut walk, count, &mut choices)?,
            Command::Unknown(what) => print::some_results(&format!("{what}: {HELP}\n"))?,
        }
    }
}

enum Command {
    Take(usize),
    Random(usize),
    Undo,
    Marking,
    Quit,
    Unknown(String),
}

impl Command {
    fn parse(line: &str, n_steps: usize) -> Self {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] | ["r"] => Command::Random(1),
            ["r", count] => match count.parse() {
                Ok(count) => Command::Random(count),
                Err(_) => Command::Unknown(format!("`{count}` is not a number")),
            },
            ["u"] => Command::Undo,
            ["m"] => Command::Marking,
            ["q"] => Command::Quit,
            [number] => match number.parse::<usize>() {
                Ok(number) if (1..=n_steps).contains(&number) => Command::Take(number - 1),
                _ => Command::Unknown(format!("there is no step `{number}`")),
            },
            _ => Command::Unknown(format!("`{}` is not a command", line.trim())),
        }
    }
}

/// The steps that are enabled, with their numbers.
fn menu<M: FrontEnd>(model: &M, state: &M::State, n_steps: usize) -> String {
    let actions = model.actions(state);
    let mut text = String::new();
    for (number, action) in (1..).zip(&actions).take(SHOWN) {
        let _ = writeln!(text, "{number:>4}  {action}");
    }
    if actions.len() > SHOWN {
        let _ = writeln!(text, "      {}", styled(FAINT, format!("up to {}", actions.len())));
    }
    if actions.is_empty() {
        let why = match model.has_terminated(state) {
            true => "terminated: no step is left",
            false => "dead: no step is enabled",
        };
        let _ = writeln!(text, "      {}", styled(FAINT, why));
    }
    let _ = write!(text, "{n_steps}> ");
    text
}

fn take<M: FrontEnd>(
    model: &M,
    walk: &mut Walk<'_, M>,
    mut next: Vec<(M::Action, M::State)>,
    number: usize,
) -> Result<(), Failure> {
    let (action, state) = next.swap_remove(number);
    let name = model.action(walk.state(), &action).into_owned();
    let changes = model.changes(walk.state(), &state);
    let changes = changes.iter().map(Change::to_string).collect::<Vec<_>>().join(", ");
    print::some_results(&format!("{name}  {}\n", styled(FAINT, changes)))?;
    walk.take((action, state));
    Ok(())
}

fn random<M: FrontEnd>(
    model: &M,
    walk: &mut Walk<'_, M>,
    count: usize,
    choices: &mut Rng,
) -> Result<(), Failure> {
    for _ in 0..count {
        let next = walk.successors().map_err(failed)?;
        if next.is_empty() {
            break;
        }
        let number = choices.usize(..next.len());
        take(model, walk, next, number)?;
    }
    Ok(())
}
