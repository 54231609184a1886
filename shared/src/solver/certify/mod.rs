//! Makes certificates: the verdict of the solver, with a proof that the verifier accepts.

mod obstacle;
mod quotient;
mod retrograde;
mod search;
mod symmetry;
mod values;

use crate::certificate::{
    Certificate, MAX_BYTES, Matching, Outcome, Proof, SCHEMA, WORK, Walk, Wide, theorem_of, verify,
};
use crate::erased::Component;
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::verdict::{answer, judgement};
use crate::solver::{Budget, OutcomeClass};
use crate::theory::Meter;
use crate::theory::compound::Compound;
use crate::theory::matching::Matching as Maximum;

use obstacle::Obstacle;

/// A proof, and the Grundy value if it shows it.
type Proved = Result<(Proof, Option<u64>), Obstacle>;

/// The verdict of [`solve`](crate::solver::solve) with what a stranger needs to check it: short closed forms first, finished searches last. Where there is no
/// proof of at most [`MAX_BYTES`], the certificate says why. Every proof has passed the verifier. Costs what `solve`
/// costs, once more for the proof, and the verification.
#[must_use]
pub fn certify(position: &Position, budget: &Budget<'_>) -> Certificate {
    if position.kind() != Kind::Impartial {
        return certify_whole(position, budget);
    }
    let verdict = answer(position, 1, false, &mut budget.meter()).ok();
    let mut certificate = Certificate {
        schema: SCHEMA.to_owned(),
        position: position.to_string(),
        outcome: verdict.as_ref().map(|verdict| Outcome::of(verdict.lost)),
        nim_value: None,
        winning_move: None,
        proof: None,
        reason: None,
    };
    let Some(verdict) = verdict else {
        let reason = "the budget was used up before the verdict was known";
        certificate.reason = Some(reason.to_owned());
        return certificate;
    };
    let winning = verdict
        .winning
        .and_then(|found| found.first.into_iter().next());
    let claim = Claim {
        position,
        winning: winning.as_ref(),
    };
    if !verdict.lost && winning.is_none() && !position.is_over(Seat::First) {
        if let Ok((mv, proved)) = claim.to_symmetry(&mut budget.meter()) {
            certificate.winning_move = Some(mv.to_string());
            if let Ok(finished) = finish(&certificate, proved, budget) {
                return finished;
            }
            certificate.winning_move = None;
        }
        let stolen = claim.by_stealing();
        let stolen = stolen.and_then(|proved| finish(&certificate, proved, budget));
        return stolen.unwrap_or_else(|_| {
            let reason = "the budget was used up before a winning move was found";
            certificate.reason = Some(reason.to_owned());
            certificate
        });
    }
    certificate.winning_move = winning.as_ref().map(Move::to_string);
    // What is lost has the value 0, so the short ways prove as much; what is won has a value that only the values show.
    let ways = match verdict.lost {
        true => [
            Way::Theorem,
            Way::Matching,
            Way::Mirror,
            Way::Mirror,
            Way::Values,
            Way::Quotient,
            Way::Search,
        ],
        false => [
            Way::Values,
            Way::Theorem,
            Way::Matching,
            Way::Mirror,
            Way::Mirror,
            Way::Quotient,
            Way::Search,
        ],
    };
    let mut obstacle = Obstacle::OtherWay;
    for way in ways {
        match claim
            .proved(way, &mut budget.meter())
            .and_then(|proved| finish(&certificate, proved, budget))
        {
            Ok(finished) => return finished,
            Err(other) => obstacle = obstacle.max(other),
        }
    }
    certificate.reason = Some(obstacle.reason());
    certificate
}

/// The same of a coloured or loopy position: by all that can be reached.
fn certify_whole(position: &Position, budget: &Budget<'_>) -> Certificate {
    let mut certificate = Certificate {
        schema: SCHEMA.to_owned(),
        position: position.to_string(),
        outcome: None,
        nim_value: None,
        winning_move: None,
        proof: None,
        reason: None,
    };
    let finished = retrograde::shown(position, &mut budget.meter()).and_then(|shown| {
        certificate.outcome = Some(shown.outcome);
        certificate.winning_move = shown.winning;
        finish(&certificate, (shown.proof, None), budget)
    });
    match finished {
        Ok(finished) => finished,
        Err(obstacle) => {
            if certificate.outcome.is_none() {
                let verdict = judgement(position, Seat::First, &mut budget.meter());
                certificate.outcome = match verdict.outcome {
                    OutcomeClass::N => Some(Outcome::N),
                    OutcomeClass::P => Some(Outcome::P),
                    OutcomeClass::L => Some(Outcome::L),
                    OutcomeClass::R => Some(Outcome::R),
                    OutcomeClass::D => Some(Outcome::D),
                    OutcomeClass::Unknown => None,
                };
            }
            certificate.reason = Some(obstacle.reason());
            certificate
        }
    }
}

/// The certificate with its proof, once the verifier has accepted it.
fn finish(
    claim: &Certificate,
    (proof, value): (Proof, Option<u64>),
    budget: &Budget<'_>,
) -> Result<Certificate, Obstacle> {
    let finished = Certificate {
        nim_value: value.map(Wide),
        proof: Some(proof),
        ..claim.clone()
    };
    if finished.to_json().len() > MAX_BYTES {
        return Err(Obstacle::Long);
    }
    let mut meter = Meter::new(WORK, budget.memory_bytes, budget.stop);
    match verify(&finished, &mut meter) {
        Ok(_) => Ok(finished),
        Err(_) => Err(Obstacle::Budget),
    }
}

/// A way of proving.
#[derive(Clone, Copy)]
enum Way {
    Values,
    Theorem,
    Matching,
    Mirror,
    Quotient,
    Search,
}

/// A verdict to be proved.
struct Claim<'q> {
    position: &'q Position,
    /// The move that wins, if there is one.
    winning: Option<&'q Move>,
}

impl Claim<'_> {
    fn proved(&self, way: Way, meter: &mut Meter<'_>) -> Proved {
        match way {
            Way::Values => self.by_values(meter),
            Way::Theorem => self.by_theorem(),
            Way::Matching => self.by_matching(meter),
            Way::Mirror => self.by_mirror(meter),
            Way::Quotient => self.by_quotient(meter),
            Way::Search => self.by_search(meter),
        }
    }

    /// Whether the values of the components add up: a move is made in exactly one.
    fn is_sum(&self) -> bool {
        self.position.compound() == Compound::Sum
    }

    /// The components that have a move, by index.
    fn live(&self) -> impl Iterator<Item = (usize, &Component)> {
        let components = self.position.sum.components().iter().enumerate();
        components.filter(|(_, component)| component.move_count(Seat::First) > 0)
    }

    /// The only component that has a move.
    fn alone(&self) -> Result<&Component, Obstacle> {
        let mut live = self.live();
        match (live.next(), live.next()) {
            (Some((_, component)), None) if self.is_sum() => Ok(component),
            _ => Err(Obstacle::OtherWay),
        }
    }

    /// Its text, after the winning move if there is one.
    fn alone_after(&self) -> Result<String, Obstacle> {
        let component = self.alone()?;
        Ok(match self.winning {
            Some(mv) => component.play(&*mv.steps[0].inner).to_string(),
            None => component.to_string(),
        })
    }

    /// The value 0 of what is lost in normal play.
    fn zero_if_lost(&self) -> Option<u64> {
        let lost = self.winning.is_none() && !self.position.end_rule().is_misere();
        lost.then_some(0)
    }

    /// By a theorem about the only component.
    fn by_theorem(&self) -> Proved {
        let theorem = theorem_of(self.alone()?).filter(|theorem| theorem.gives_outcomes());
        let theorem = theorem.ok_or(Obstacle::OtherWay)?;
        Ok((Proof::Theorem(theorem.name.to_owned()), self.zero_if_lost()))
    }

    /// By a maximum matching that leaves out the token, where it is or after the winning move.
    fn by_matching(&self, meter: &mut Meter<'_>) -> Proved {
        let text = self.alone_after()?;
        let walk = Walk::read(&text).filter(|_| !self.position.end_rule().is_misere());
        let walk = walk.ok_or(Obstacle::OtherWay)?;
        let maximum = Maximum::maximum(&walk.out, walk.gone.clone(), meter)?;
        let inessential = maximum.inessential(meter)?;
        let maximum = match walk.to_leave_out(|start| inessential[start as usize]) {
            Some(vertex) => maximum.leaving_out(vertex, meter)?,
            None => maximum,
        };
        let label = |vertex: u32| walk.labels[vertex as usize];
        let vertices = 0..walk.labels.len() as u32;
        let pairs = vertices.clone().filter_map(|vertex| {
            let mate = maximum.mate(vertex).filter(|mate| vertex < *mate)?;
            Some((label(vertex), label(mate)))
        });
        // Gallai and Edmonds: the neighbours of the vertices that some maximum matching leaves out.
        let barrier = vertices.filter(|vertex| {
            let mut neighbours = walk.out[*vertex as usize].iter();
            !walk.gone[*vertex as usize]
                && !inessential[*vertex as usize]
                && neighbours.any(|other| inessential[*other as usize])
        });
        let matching = Matching {
            pairs: pairs.collect(),
            barrier: barrier.map(label).collect(),
        };
        Ok((Proof::Matching(matching), self.zero_if_lost()))
    }
}
