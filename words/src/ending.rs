//! How a match ended that nobody has won.

use grundy_shared::event::{EndReason, Outcome};

use crate::Message;

/// The sentence on a match that ended in a draw or does not count; `None` if somebody has won it.
#[must_use]
pub fn unwon(outcome: Outcome, reason: EndReason) -> Option<Message> {
    let (message, by) = match outcome {
        Outcome::First | Outcome::Second => return None,
        Outcome::Draw => ("match-drawn", drawn(reason)),
        Outcome::Void => ("match-void", void(reason)),
    };
    Some(Message::new(message).text("by", by))
}

fn drawn(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Repetition => "repetition",
        EndReason::Agreement => "agreement",
        _ => "other",
    }
}

fn void(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Expired => "expired",
        EndReason::Outgrown => "outgrown",
        EndReason::Abandoned => "abandoned",
        EndReason::NoStart => "no-start",
        EndReason::NoShow => "no-show",
        EndReason::Disconnected => "disconnected",
        EndReason::Withdrawn => "withdrawn",
        EndReason::Cancelled => "cancelled",
        EndReason::Operator => "operator",
        _ => "called-off",
    }
}
