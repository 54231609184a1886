//! Who won, and why.

use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::game::EndRule;
use grundy_shared::ids::Seat;

use crate::session::match_view::{Ending, MatchView};

/// Who won, and why.
pub(crate) fn result(view: &MatchView) -> Option<String> {
    let (outcome, reason) = match view.ending()? {
        Ending::Known(outcome, reason) => (*outcome, *reason),
        Ending::Strange {
            outcome,
            outcome_word,
            reason_word,
        } => {
            let winner = outcome.and_then(Outcome::winner);
            return Some(match winner {
                Some(winner) => format!(
                    "{}, for a reason that this client does not know: {reason_word}.",
                    wins(view, winner)
                ),
                None => format!(
                    "The match ended in a way that this client does not know: {outcome_word}, {reason_word}."
                ),
            });
        }
    };
    let winner = match outcome {
        Outcome::First => Some(Seat::First),
        Outcome::Second => Some(Seat::Second),
        Outcome::Draw => None,
        Outcome::Void => {
            return Some(match reason {
                EndReason::Expired => "Nobody joined in time; the match does not count.".to_owned(),
                EndReason::Outgrown => {
                    "The match became too long to store; it does not count.".to_owned()
                }
                EndReason::Abandoned => {
                    "The match was called off because a player stayed away; it does not count."
                        .to_owned()
                }
                EndReason::NoStart => {
                    "A player did not make the first move in time; the match does not count."
                        .to_owned()
                }
                EndReason::NoShow => "Neither player came in time: both lose.".to_owned(),
                EndReason::Disconnected => "Both players were away too long: both lose.".to_owned(),
                EndReason::Withdrawn => "Both players left the tournament.".to_owned(),
                EndReason::Cancelled => "The tournament was cancelled.".to_owned(),
                EndReason::Operator => {
                    "An operator of the server ended the match; it does not count.".to_owned()
                }
                _ => "The match was called off; it does not count.".to_owned(),
            });
        }
    };
    let Some(winner) = winner else {
        return Some(match reason {
            EndReason::Repetition => "The position occurred for the third time: a draw.".to_owned(),
            EndReason::Agreement => "Both players agreed: a draw.".to_owned(),
            _ => "Nobody wins: a draw.".to_owned(),
        });
    };
    let you = |seat: Seat| view.seat() == Some(seat);
    let name = |seat: Seat| view.name(seat);
    let loser = winner.other();
    let head = wins(view, winner);
    let misere = view
        .position()
        .is_some_and(|position| position.end_rule() == EndRule::Misere);
    let why = match reason {
        EndReason::LastMove => {
            let last = if misere { loser } else { winner };
            let who = if you(last) {
                "you".to_owned()
            } else {
                name(last)
            };
            match misere {
                true => format!("{who} had to make the last move"),
                false => format!("{who} made the last move"),
            }
        }
        EndReason::Resignation if you(loser) => "you resigned".to_owned(),
        EndReason::Resignation => format!("{} resigned", name(loser)),
        EndReason::Time if you(loser) => "your time ran out".to_owned(),
        EndReason::Time => format!("{}'s time ran out", name(loser)),
        EndReason::Abandoned if you(loser) => "you stayed away, and the win was claimed".to_owned(),
        EndReason::Abandoned => format!("{} stayed away", name(loser)),
        EndReason::NoShow if you(loser) => "you did not come in time".to_owned(),
        EndReason::NoShow => format!("{} did not come in time", name(loser)),
        EndReason::Disconnected if you(loser) => "you were away too long".to_owned(),
        EndReason::Disconnected => format!("{} was away too long", name(loser)),
        EndReason::Withdrawn if you(loser) => "you left the tournament".to_owned(),
        EndReason::Withdrawn => format!("{} left the tournament", name(loser)),
        EndReason::Aborted
        | EndReason::Expired
        | EndReason::NoStart
        | EndReason::Outgrown
        | EndReason::Repetition
        | EndReason::Agreement
        | EndReason::Cancelled => "it was called off".to_owned(),
        EndReason::Operator => "an operator of the server decided so".to_owned(),
    };
    Some(format!("{head}: {why}."))
}

fn wins(view: &MatchView, winner: Seat) -> String {
    match view.seat() == Some(winner) {
        true => "You win".to_owned(),
        false => format!("{} wins", view.name(winner)),
    }
}
