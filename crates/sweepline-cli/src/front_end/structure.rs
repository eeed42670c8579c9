//! Properties of a net that its structure decides: the state equation, place invariants and traps.

use std::fmt::Write;

use sweepline::Options;
use sweepline::check::Decision;
use sweepline_pnml::{
    Certificate, Combination, Comparison, Expr, Net, NetModel, PlaceId, Predicate, Proof, Question,
    Structure, StructureEffort, TransitionId,
};

use super::net::{ContestQuestion, shown};
use crate::ask::Claim;

/// Certificates and traps that are shown, at most.
const MOST_SHOWN: usize = 10;

/// The decisions on those claims that the structure of the net decides.
pub(super) fn decide(
    model: &NetModel,
    claims: &[Option<Claim<'_, NetModel>>],
    options: &Options,
    is_brief: bool,
) -> Vec<Option<Decision>> {
    let effort = StructureEffort::within(options);
    let structure = Structure::new(model, if is_brief { effort.brief() } else { effort });
    let decider = Decider { net: model.net(), model, structure };
    let mut left = claims.iter().flatten().count();
    let mut decide = |claim: &Claim<'_, NetModel>| {
        decider.structure.share(left);
        left -= 1;
        decider.claim(claim)
    };
    claims.iter().map(|claim| claim.as_ref().and_then(&mut decide)).collect()
}

struct Decider<'m> {
    net: &'m Net,
    model: &'m NetModel,
    structure: Structure<'m>,
}

impl Decider<'_> {
    fn claim(&self, claim: &Claim<'_, NetModel>) -> Option<Decision> {
        match claim {
            Claim::Reachable(condition) => {
                self.not_reached(std::slice::from_ref(*condition), false)
            }
            Claim::Deadlock(valid) => {
                let others = valid.iter().map(|valid| valid.clone().negated());
                let all: Vec<_> = [Predicate::deadlock()].into_iter().chain(others).collect();
                self.not_reached(&all, false)
            }
            Claim::Range(expr) => {
                let (range, proofs) = self.structure.range(expr)?;
                Some(Decision { range: Some(range), ..self.decision(true, &proofs) })
            }
            Claim::Own(ContestQuestion::StateSpace) => None,
            Claim::Own(ContestQuestion::Asked(question)) => self.question(question),
        }
    }

    fn question(&self, question: &Question) -> Option<Decision> {
        match question {
            Question::Invariant(condition) => {
                self.not_reached(&[condition.clone().negated()], true)
            }
            Question::Possible(condition) => {
                self.not_reached(std::slice::from_ref(condition), false)
            }
            Question::Deadlock => self.not_reached(&[Predicate::deadlock()], false),
            Question::Combination(combination) => {
                let mut proofs = Vec::new();
                let holds = self.combination(combination, &mut proofs)?;
                Some(self.decision(holds, &proofs))
            }
            Question::Bound(expr) => {
                let (greatest, proof) = self.structure.greatest(expr)?;
                let range = Some((greatest, greatest));
                Some(Decision { range, ..self.decision(true, &[proof]) })
            }
            Question::OneSafe => self.one_safe(),
            Question::QuasiLiveness | Question::Liveness => self.dead_transition(),
            Question::StableMarking => self.stable(),
            _ => None,
        }
    }

    /// The decision `holds` if no reachable marking satisfies all of the conditions.
    fn not_reached(&self, conditions: &[Predicate], holds: bool) -> Option<Decision> {
        let proof = self.structure.unreachable_all(conditions)?;
        Some(self.decision(holds, &[proof]))
    }

    /// The value of a combination where the structure decides enough of its parts.
    fn combination(&self, combination: &Combination, proofs: &mut Vec<Proof>) -> Option<bool> {
        match combination {
            Combination::Initially(condition) => {
                let starts = sweepline::model::initial(self.model);
                Some(starts.iter().all(|start| condition.holds(&self.model.view(start))))
            }
            Combination::Invariant(condition) => {
                proofs.push(self.structure.unreachable(&condition.clone().negated())?);
                Some(true)
            }
            Combination::Possible(condition) => {
                proofs.push(self.structure.unreachable(condition)?);
                Some(false)
            }
            Combination::All(parts) => self.join(parts, true, proofs),
            Combination::Any(parts) => self.join(parts, false, proofs),
        }
    }

    /// The value of a conjunction (`all`) or a disjunction.
    fn join(&self, parts: &[Combination], all: bool, proofs: &mut Vec<Proof>) -> Option<bool> {
        let mut value = Some(all);
        for part in parts {
            match self.combination(part, proofs) {
                Some(part) if part == all => {}
                Some(_) => return Some(!all),
                None => value = None,
            }
        }
        value
    }

    /// No place, with tokens of all its colours, ever has two tokens.
    fn one_safe(&self) -> Option<Decision> {
        let one = Expr::constant(1).ok()?;
        let mut proofs = Vec::new();
        for place in self.net.coloured_places() {
            let bounds = place.members.iter().map(|place| self.model.bounds()[place.index()]);
            let most = bounds.into_iter().try_fold(0u64, |sum, most| sum.checked_add(most?));
            if most.is_none_or(|most| most > 1) {
                let tokens = Expr::tokens(place.members.iter().copied());
                let several = Predicate::compare(&tokens, Comparison::More, &one).ok()?;
                proofs.push(self.structure.unreachable(&several)?);
            }
        }
        let decision = self.decision(true, &proofs);
        Some(match proofs.is_empty() {
            true => {
                Decision { by: "place-invariants", words: "place invariants".into(), ..decision }
            }
            false => decision,
        })
    }

    /// Some transition is never enabled, in all its bindings.
    fn dead_transition(&self) -> Option<Decision> {
        let transitions = self.net.coloured_transitions();
        let lacks = |members: &[TransitionId]| {
            members.iter().all(|&member| self.structure.lacks_inputs(member))
        };
        let name = |number: usize| {
            let transition = &transitions[number];
            shown(&transition.id, &transition.name).to_owned()
        };
        let unmarked: Vec<String> = (0..transitions.len())
            .filter(|&number| lacks(&transitions[number].members))
            .map(name)
            .collect();
        if !unmarked.is_empty() {
            return Some(Decision {
                findings: unmarked,
                by: "siphon",
                words: "input places that are never marked".into(),
                ..self.decision(false, &[])
            });
        }
        for (number, transition) in transitions.iter().enumerate() {
            if self.structure.is_exhausted() {
                return None;
            }
            let fires = Predicate::fireable(transition.members.iter().copied());
            if let Some(proof) = self.structure.unreachable(&fires) {
                let findings = vec![name(number)];
                return Some(Decision { findings, ..self.decision(false, &[proof]) });
            }
        }
        None
    }

    /// No transition that can ever fire changes some place.
    fn stable(&self) -> Option<Decision> {
        let places = self.net.coloured_places();
        let constant = places.iter().filter(|place| self.structure.is_constant(&place.members));
        let findings: Vec<String> =
            constant.map(|place| shown(&place.id, &place.name).to_owned()).collect();
        (!findings.is_empty()).then(|| Decision {
            findings,
            by: "state-equation",
            words: "a place that no transition changes".into(),
            ..self.decision(true, &[])
        })
    }

    fn decision(&self, holds: bool, proofs: &[Proof]) -> Decision {
        let certificates: Vec<&Certificate> = proofs.iter().flat_map(Proof::certificates).collect();
        let mut traps: Vec<&[PlaceId]> = proofs.iter().flat_map(Proof::traps).collect();
        traps.sort_unstable();
        traps.dedup();
        let invariants = certificates.iter().all(|certificate| certificate.is_invariant);
        let (by, words) = match (certificates.len(), traps.len()) {
            (0, _) => ("structure", "the structure of the net"),
            (1, 0) if invariants => ("place-invariants", "a place invariant"),
            (_, 0) if invariants => ("place-invariants", "place invariants"),
            (_, 0) => ("state-equation", "the state equation"),
            _ => ("traps", "the state equation and traps"),
        };
        let mut lines: Vec<String> =
            certificates.iter().filter_map(|reason| self.reason(reason)).collect();
        lines.dedup();
        lines.extend(traps.iter().map(|trap| self.trap(trap)));
        if lines.len() > MOST_SHOWN {
            let more = lines.len() - MOST_SHOWN;
            lines.truncate(MOST_SHOWN);
            lines.push(format!("and {more} more of this kind"));
        }
        let (range, findings) = (None, Vec::new());
        Decision { holds, range, findings, by, words: words.into(), certificate: lines }
    }

    /// A certificate as a line; `None` if the inequalities contradict each other, whatever the net does.
    fn reason(&self, certificate: &Certificate) -> Option<String> {
        if certificate.weights.is_empty() {
            return None;
        }
        // A sum that begins with a positive weight is easier to read.
        let is_negative = certificate.weights.first().is_some_and(|&(_, weight)| weight < 0);
        let sign = if is_negative { -1i128 } else { 1 };
        let term = |&(place, weight): &(PlaceId, i128)| {
            Some((place.index(), i64::try_from(weight.checked_mul(sign)?).ok()?))
        };
        let terms: Option<Vec<_>> = certificate.weights.iter().map(term).collect();
        let Certificate { least, most, is_invariant, .. } = certificate;
        let sum = Expr::weighted(&terms?)?;
        let (at_least, at_most) = if is_negative { ("<=", ">=") } else { (">=", "<=") };
        let relation = if *is_invariant { "=" } else { at_least };
        let (sum, least, most) =
            (sum.display(self.net), sign.checked_mul(*least)?, sign.checked_mul(*most)?);
        Some(format!("{sum} {relation} {least} in every reachable state, not {at_most} {most}"))
    }

    /// A trap as a line.
    fn trap(&self, places: &[PlaceId]) -> String {
        let mut line = "always marked:".to_owned();
        for (number, place) in places.iter().enumerate() {
            let place = &self.net.places[place.index()];
            let or = if number == 0 { "" } else { " or" };
            let _ = write!(line, "{or} {}", shown(&place.id, &place.name));
        }
        line
    }
}
