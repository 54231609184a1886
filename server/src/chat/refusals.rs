//! What those are told who cannot say or read something.

use std::time::Duration;

use grundy_shared::protocol::chat::Room;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::rate;

/// Somebody says too much in a short time.
pub(super) fn too_fast(wait: Duration) -> ErrorBody {
    ErrorBody::new(ErrorCode::RateLimited, "you say too much at once")
        .retry_after_ms(rate::in_ms(wait))
}

/// The room has as many lines as it holds.
pub(super) fn room_full(most: u32) -> ErrorBody {
    let words = format!("the room has {most} lines: nothing more can be said in it");
    ErrorBody::new(ErrorCode::TooMany, words).limit(most)
}

/// The player has said as much as one player may.
pub(super) fn said_enough(most: u32) -> ErrorBody {
    let words = format!("you have said {most} lines in this room: you can say nothing more in it");
    ErrorBody::new(ErrorCode::TooMany, words).limit(most)
}

/// The match has no opponent yet.
pub(super) fn not_started() -> ErrorBody {
    let words = "nobody has taken the other seat yet: there is nobody to talk to";
    ErrorBody::new(ErrorCode::NotStarted, words)
}

/// The room is closed.
pub(super) fn closed() -> ErrorBody {
    let words = "the match ended more than an hour ago: nothing more can be said in it";
    ErrorBody::new(ErrorCode::MatchOver, words)
}

/// Somebody else's room.
pub(super) fn not_a_player() -> ErrorBody {
    let words = format!(
        "this room is for the two players: use the room `{}`",
        Room::Watchers
    );
    ErrorBody::new(ErrorCode::NotAPlayer, words).field("room")
}

/// A player asks for what is said about the match that is on.
pub(super) fn not_over() -> ErrorBody {
    let words = format!(
        "until the match is over, its players use the room `{}`",
        Room::Players
    );
    ErrorBody::new(ErrorCode::NotOver, words).field("room")
}

/// The same between two games of a rated pair.
pub(super) fn rated() -> ErrorBody {
    let words =
        "you are in a rated pair: until both games are over, you get nothing that watchers say";
    ErrorBody::new(ErrorCode::RatedMatch, words).field("room")
}

/// Free text from somebody who may say only presets.
pub(super) fn presets_only() -> ErrorBody {
    let words = "in this room guests without a password and bots say only presets: use `preset`, or give your account a password";
    ErrorBody::new(ErrorCode::NotAllowed, words).field("text")
}
