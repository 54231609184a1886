//! Refusals of requests to say or read something.

use std::time::Duration;

use grundy_shared::protocol::chat::Room;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::rate;

/// The player has exceeded the rate of lines.
pub(super) fn too_fast(wait: Duration) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::RateLimited,
        "you are sending chat lines too fast",
    )
    .retry_after_ms(rate::in_ms(wait))
}

/// The room is full.
pub(super) fn room_full(most: u32) -> ErrorBody {
    let words = format!("the room is full: it has {most} lines");
    ErrorBody::new(ErrorCode::TooMany, words).limit(most)
}

/// The player has reached the limit of lines in one room.
pub(super) fn said_enough(most: u32) -> ErrorBody {
    let words = format!("you have said {most} lines in this room, the most allowed");
    ErrorBody::new(ErrorCode::TooMany, words).limit(most)
}

/// The match has no opponent yet.
pub(super) fn not_started() -> ErrorBody {
    let words = "nobody has taken the other seat yet, so there is nobody to talk to";
    ErrorBody::new(ErrorCode::NotStarted, words)
}

/// The room is closed because the match ended more than an hour ago.
pub(super) fn closed() -> ErrorBody {
    let words = "the match ended more than an hour ago, and its chat is closed";
    ErrorBody::new(ErrorCode::MatchOver, words)
}

/// The room of the two players, requested by somebody else.
pub(super) fn not_a_player() -> ErrorBody {
    let words = format!(
        "this room is for the two players: use the room `{}`",
        Room::Watchers
    );
    ErrorBody::new(ErrorCode::NotAPlayer, words).field("room")
}

/// The watchers' room, requested by a player of a match that is not over.
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
        "you are in a rated pair: until both games are over, you cannot use the watchers' room";
    ErrorBody::new(ErrorCode::RatedMatch, words).field("room")
}

/// Free text from a player who may say only presets.
pub(super) fn presets_only() -> ErrorBody {
    let words = "in this room, bots and guests without a password can say only presets";
    ErrorBody::new(ErrorCode::NotAllowed, words).field("text")
}
