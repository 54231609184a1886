//! The verifier: from a certificate to what it proves.

use serde::Serialize;

use crate::certificate::refusal::{Checked, quoted, unproved};
use crate::certificate::search::Found;
use crate::certificate::theorems::{self, MATCHING, Theorem};
use crate::certificate::{Certificate, Matching, Outcome, Proof, Walk, Wide};
use crate::erased::Component;
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::theory::Meter;
use crate::theory::compound::Compound;

/// Nodes enough to check every certificate that the solver makes; a few seconds.
pub const WORK: u64 = 1 << 26;

/// What a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verified {
    /// The position, canonical.
    pub position: String,
    /// Who wins.
    pub outcome: Outcome,
    /// Its Grundy value, if it is proved too.
    pub nim_value: Option<Wide>,
    /// A move that wins.
    pub winning_move: Option<String>,
    /// The names of the theorems that it trusts.
    pub theorems: Vec<&'static str>,
}

/// What a proof shows of the position, once it is checked; the winning move is checked with it.
struct Shown {
    outcome: Outcome,
    /// The Grundy value in normal play.
    value: Option<u64>,
    trusted: Vec<&'static str>,
}

/// Checks a certificate. It uses the rules and the theorems and searches nothing; its cost is bounded by the length of the
/// certificate and by the meter.
pub fn verify(certificate: &Certificate, meter: &mut Meter<'_>) -> Checked<Verified> {
    let position = match Position::parse(&certificate.position) {
        Ok(position) if position.to_string() == certificate.position => position,
        Ok(position) => {
            let canonical = position.to_string();
            let message = format!("its canonical form is {}", quoted(&canonical));
            return unproved("position", message);
        }
        Err(error) => return unproved("position", error.message),
    };
    let (Some(proof), Some(outcome)) = (&certificate.proof, certificate.outcome) else {
        let reason = certificate
            .reason
            .as_deref()
            .unwrap_or("no reason is given");
        return unproved("proof", format!("it is missing: {}", quoted(reason)));
    };
    if certificate.reason.is_some() {
        return unproved("reason", "it is given although there is a proof");
    }
    let winning = winning_move(certificate, &position, outcome)?;
    let shown = show(proof, &position, winning.as_ref(), meter)?;
    if shown.outcome != outcome {
        let message = format!("the proof shows {:?}", shown.outcome);
        return unproved("outcome", message);
    }
    if let Some(claimed) = certificate.nim_value
        && shown.value != Some(claimed.0)
    {
        let message = match shown.value {
            Some(value) => format!("the proof shows {value}"),
            None => "the proof shows no value".to_owned(),
        };
        return unproved("nim_value", message);
    }
    Ok(Verified {
        position: certificate.position.clone(),
        outcome,
        nim_value: certificate.nim_value,
        winning_move: certificate.winning_move.clone(),
        theorems: shown.trusted,
    })
}

/// Reads the winning move: there is one exactly if Left, or either player, wins by moving.
fn winning_move(
    certificate: &Certificate,
    position: &Position,
    outcome: Outcome,
) -> Checked<Option<Move>> {
    const PLACE: &str = "winning_move";
    let over = position.is_over(Seat::First);
    match (&certificate.winning_move, outcome) {
        (None, Outcome::P | Outcome::R | Outcome::D) => Ok(None),
        (None, Outcome::N | Outcome::L) if over => Ok(None),
        (None, Outcome::N) if matches!(certificate.proof, Some(Proof::Stealing(_))) => Ok(None),
        (Some(_), _) if matches!(certificate.proof, Some(Proof::Stealing(_))) => {
            unproved(PLACE, "strategy stealing names none")
        }
        (None, Outcome::N | Outcome::L) => unproved(PLACE, "a won position needs a winning move"),
        (Some(_), Outcome::P | Outcome::R | Outcome::D) => {
            unproved(PLACE, "a position that is not won has no winning move")
        }
        (Some(text), Outcome::N | Outcome::L) => match position.parse_move(Seat::First, text) {
            Ok(mv) if mv.to_string() == *text => Ok(Some(mv)),
            Ok(mv) => unproved(PLACE, format!("its canonical form is {mv}")),
            Err(error) => unproved(PLACE, error.message),
        },
    }
}

/// Checks the proof: what it shows of the position, and that the move, if there is one, leads to a position that is lost.
fn show(
    proof: &Proof,
    position: &Position,
    winning: Option<&Move>,
    meter: &mut Meter<'_>,
) -> Checked<Shown> {
    if position.kind() != Kind::Impartial && !matches!(proof, Proof::Search(_)) {
        let message = "coloured and loopy positions are proved only by a search";
        return unproved("proof", message);
    }
    let shown = match proof {
        Proof::Values(values) => {
            let sum = values.check(position, winning, meter)?;
            Shown {
                outcome: Outcome::of(sum.lost),
                value: sum.value,
                trusted: sum.trusted,
            }
        }
        Proof::Theorem(name) => by_theorem(name, position, winning, meter)?,
        Proof::Matching(matching) => by_matching(matching, position, winning, meter)?,
        Proof::Mirror(mirror) => {
            const PLACE: &str = "proof.mirror";
            if position.end_rule().is_misere() {
                return unproved(PLACE, "it proves nothing in misere play");
            }
            mirror.check_lost(&alone_after(position, winning, PLACE)?, meter)?;
            of_outcome(position, winning.is_none(), vec![theorems::MIRROR])
        }
        Proof::Stealing(stealing) => {
            stealing.check_won(position, meter)?;
            of_outcome(position, false, vec![theorems::STEALING])
        }
        Proof::Quotient(quotient) => {
            let lost = quotient.is_lost(position, winning, meter)?;
            of_outcome(position, lost, vec![theorems::QUOTIENT])
        }
        Proof::Search(rows) => {
            let outcome = Found::check(rows, meter)?.outcome(position, winning, meter)?;
            let zero = outcome == Outcome::P
                && position.kind() == Kind::Impartial
                && !position.end_rule().is_misere();
            Shown {
                outcome,
                value: zero.then_some(0),
                trusted: Vec::new(),
            }
        }
    };
    Ok(shown)
}

/// An outcome without a value; a lost position of normal play has the value 0.
fn of_outcome(position: &Position, lost: bool, trusted: Vec<&'static str>) -> Shown {
    let normal = !position.end_rule().is_misere();
    Shown {
        outcome: Outcome::of(lost),
        value: (lost && normal).then_some(0),
        trusted,
    }
}

/// By a theorem about the only part that has a move.
fn by_theorem(
    name: &str,
    position: &Position,
    winning: Option<&Move>,
    meter: &mut Meter<'_>,
) -> Checked<Shown> {
    const PLACE: &str = "proof.theorem";
    let component = alone(position, PLACE)?;
    let theorem = theorems::named(name);
    let theorem = theorem.filter(|theorem| theorem.gives_outcomes() && theorem.is_about(component));
    let Some(theorem) = theorem else {
        let message = format!(
            "there is no theorem {} about the outcome of this game",
            quoted(name)
        );
        return unproved(PLACE, message);
    };
    let lost = is_lost_by(theorem, component, position, meter)?;
    if let Some(mv) = winning
        && !is_lost_by(
            theorem,
            &component.play(&*mv.steps[0].inner),
            position,
            meter,
        )?
    {
        return unproved("winning_move", format!("it does not win by {name}"));
    }
    Ok(of_outcome(position, lost, vec![theorem.name]))
}

/// Whether a component, alone on the board of this position, is lost by the closed form of a theorem.
fn is_lost_by(
    theorem: &Theorem,
    component: &Component,
    position: &Position,
    meter: &mut Meter<'_>,
) -> Checked<bool> {
    let end = position.end_rule();
    meter.work(1 + component.bytes() / 8)?;
    if component.move_count(Seat::First) == 0 {
        return Ok(!end.is_misere());
    }
    let lost = match &component.parts()[..] {
        [part] => part.is_p_position(end, meter)?,
        _ => None,
    };
    match lost {
        Some(lost) => Ok(lost),
        None => unproved(
            "proof.theorem",
            format!("{} does not cover numbers this large", theorem.name),
        ),
    }
}

/// By a matching that shows the position lost, or the one after the winning move.
fn by_matching(
    matching: &Matching,
    position: &Position,
    winning: Option<&Move>,
    meter: &mut Meter<'_>,
) -> Checked<Shown> {
    const PLACE: &str = "proof.matching";
    if position.end_rule().is_misere() {
        return unproved(PLACE, "it proves nothing in misere play");
    }
    let text = alone_after(position, winning, PLACE)?;
    meter.work(text.len() as u64)?;
    let Some(walk) = Walk::read(&text) else {
        return unproved(PLACE, "the position is not a position of Geography");
    };
    walk.check_lost(matching, meter)?;
    Ok(of_outcome(position, winning.is_none(), vec![MATCHING]))
}

/// The text of the only component that has a move, after the winning move if there is one.
fn alone_after(position: &Position, winning: Option<&Move>, place: &str) -> Checked<String> {
    let component = alone(position, place)?;
    Ok(match winning {
        Some(mv) => component.play(&*mv.steps[0].inner).to_string(),
        None => component.to_string(),
    })
}

/// The only component that has a move.
fn alone<'p>(position: &'p Position, place: &str) -> Checked<&'p Component> {
    let components = position.sum.components().iter();
    let mut live = components.filter(|component| component.move_count(Seat::First) > 0);
    match (live.next(), live.next()) {
        (Some(component), None) if position.compound() == Compound::Sum => Ok(component),
        _ => unproved(place, "it applies only to a single component on its own"),
    }
}
