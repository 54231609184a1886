//! Who won, and why.

use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::game::EndRule;
use grundy_shared::ids::Seat;
use grundy_words::{Message, unwon};

use crate::session::match_view::{Ending, MatchView};

/// Who won, and why.
pub(crate) fn result(view: &MatchView) -> Option<String> {
    let words = view.words();
    let (outcome, reason) = match view.ending()? {
        Ending::Known(outcome, reason) => (*outcome, *reason),
        Ending::Strange {
            outcome,
            outcome_word,
            reason_word,
        } => {
            let message = match outcome.and_then(Outcome::winner) {
                Some(winner) => won("match-strange-won", view, winner),
                None => Message::new("match-strange").text("outcome", outcome_word),
            };
            return Some(message.text("word", reason_word).said(words));
        }
    };
    let message = match outcome {
        // Both first moves have to be made in time: the player to move did not.
        Outcome::Void if reason == EndReason::NoStart => {
            let seat = view.referee()?.to_move();
            let who = match view.seat() == Some(seat) {
                true => "you",
                false => "name",
            };
            Message::new("match-not-started-by")
                .text("who", who)
                .text("name", view.name(seat))
        }
        Outcome::First => lost(view, Seat::Second, reason),
        Outcome::Second => lost(view, Seat::First, reason),
        Outcome::Draw | Outcome::Void => unwon(outcome, reason)?,
    };
    Some(message.said(words))
}

/// A message about the winner.
fn won(message: &'static str, view: &MatchView, winner: Seat) -> Message {
    let who = match view.seat() == Some(winner) {
        true => "you",
        false => "name",
    };
    Message::new(message)
        .text("who", who)
        .text("name", view.name(winner))
}

/// A player has lost, and why.
fn lost(view: &MatchView, loser: Seat, reason: EndReason) -> Message {
    let winner = loser.other();
    let misere = view
        .position()
        .is_some_and(|position| position.end_rule() == EndRule::Misere);
    let (by, whose) = match reason {
        EndReason::LastMove if misere => ("misere", loser),
        EndReason::LastMove => ("last-move", winner),
        EndReason::Resignation => ("resignation", loser),
        EndReason::Time => ("time", loser),
        EndReason::Abandoned => ("abandoned", loser),
        EndReason::NoShow => ("no-show", loser),
        EndReason::Disconnected => ("disconnected", loser),
        EndReason::Withdrawn => ("withdrawn", loser),
        EndReason::Operator => return of(view, winner, "operator"),
        EndReason::Aborted
        | EndReason::Expired
        | EndReason::NoStart
        | EndReason::Outgrown
        | EndReason::Repetition
        | EndReason::Agreement
        | EndReason::Cancelled => return of(view, winner, "called-off"),
    };
    match view.seat() == Some(whose) {
        true => of(view, winner, &format!("{by}-own")),
        false => of(view, winner, by),
    }
}

fn of(view: &MatchView, winner: Seat, by: &str) -> Message {
    won("match-result", view, winner)
        .text("by", by)
        .text("loser", view.name(winner.other()))
}
