//! How a match ended, in sentences for a reader who may not have been there.

use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::ids::Seat;
use grundy_shared::review::Review;
use grundy_words::{Catalogue, Value, unwon};

/// Who won, and how. `None` while the match goes on.
pub(super) fn ended(words: &Catalogue, review: &Review, names: &[String; 2]) -> Option<String> {
    let (outcome, reason) = review.outcome.zip(review.reason)?;
    let loser = match outcome {
        Outcome::First => Seat::Second,
        Outcome::Second => Seat::First,
        Outcome::Draw | Outcome::Void => {
            return unwon(outcome, reason).map(|message| message.said(words));
        }
    };
    let how = match reason {
        EndReason::LastMove if review.misere => "misere",
        EndReason::LastMove => "last-move",
        EndReason::Resignation => "resignation",
        EndReason::Time => "time",
        EndReason::Abandoned => "abandoned",
        EndReason::NoShow => "no-show",
        EndReason::Disconnected => "disconnected",
        EndReason::Withdrawn => "withdrawn",
        EndReason::Operator => "operator",
        _ => "called-off",
    };
    let variables = [
        ("who", Value::Text("name")),
        ("name", Value::Text(&names[loser.other().index()])),
        ("loser", Value::Text(&names[loser.index()])),
        by(how),
    ];
    Some(words.with("match-result", &variables))
}

/// The win that a player gave away without a move, and the ply after which that was.
pub(super) fn conceded(
    words: &Catalogue,
    review: &Review,
    names: &[String; 2],
) -> Option<(u32, String)> {
    let seat = review.conceded()?;
    let how = match review.reason {
        Some(EndReason::Time) => "time",
        _ => "other",
    };
    let variables = [
        ("how", Value::Text(how)),
        ("name", Value::Text(&names[seat.index()])),
    ];
    Some((
        review.plies_total,
        words.with("reviewed-conceded", &variables),
    ))
}

fn by(how: &str) -> (&str, Value<'_>) {
    ("by", Value::Text(how))
}
