//! What those are told who cannot have a seat.

use grundy_shared::protocol::account::DeclineReason;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

/// There is no such seek for the asker.
#[must_use]
pub fn no_such_seek(asked: &str) -> ErrorBody {
    let words = "no such seat is open: somebody else was quicker, or it was withdrawn";
    ErrorBody::new(ErrorCode::NoSuchSeek, words)
        .field("seek")
        .got(asked)
}

/// The terms of the seat are not for the asker.
pub(super) fn declined(reason: DeclineReason) -> ErrorBody {
    let words = format!("this seat is not for you: {}", reason.in_words());
    ErrorBody {
        reason: Some(reason),
        ..ErrorBody::new(ErrorCode::Declined, words)
    }
}
