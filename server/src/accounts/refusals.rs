//! What players are told who cannot challenge, accept or offer.

use grundy_shared::protocol::account::DeclineReason;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::matches::refusal;

/// There is no such challenge, or it is not for the asker to see.
#[must_use]
pub fn no_such_challenge(asked: &str) -> ErrorBody {
    let words = "there is no such challenge, it is not for you, or it has ended";
    ErrorBody::new(ErrorCode::NoSuchChallenge, words)
        .field("challenge")
        .got(asked)
}

pub(super) fn being_accepted() -> ErrorBody {
    refusal::busy("the challenge is being accepted")
}

/// A standing offer does not fit.
pub(super) fn declined(reason: DeclineReason) -> ErrorBody {
    let words = format!(
        "the player's standing offer does not fit this challenge: {}",
        reason.in_words()
    );
    ErrorBody {
        reason: Some(reason),
        ..ErrorBody::new(ErrorCode::Declined, words)
    }
}

/// The challenger has no room for another match, or may create none today.
#[must_use]
pub fn challenger_is_full() -> ErrorBody {
    let words = "the challenger can begin no further match now: try again later";
    ErrorBody {
        reason: Some(DeclineReason::TooManyMatches),
        ..ErrorBody::new(ErrorCode::Declined, words)
    }
}

pub(super) fn not_followed() -> ErrorBody {
    let words = "this connection does not follow its account: send `follow_account` first";
    ErrorBody::new(ErrorCode::AccountNotFollowed, words)
}
