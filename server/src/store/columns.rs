//! Between the values of the store and the columns of any database.

use grundy_shared::ids::{MatchId, PlayerId, PuzzleId, ServerId, TournamentId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::de::value::{Error as WordError, StrDeserializer};

use super::{AddressSecret, MatchStatus, Mistakes, StoreError, StreamId};

/// The value of the mistake columns if the solver could not count them.
pub(super) const NOT_COUNTABLE: i64 = -1;
/// Bytes of the id of a player.
pub(super) const PLAYER_BYTES: usize = 16;

/// The key of the one audit log.
const AUDIT_KEY: &[u8] = b"server";

pub(crate) fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

/// Milliseconds and counts as a database keeps them; no clock reaches the limit.
pub(crate) fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// And back.
pub(crate) fn unsigned(stored: i64) -> Result<u64, StoreError> {
    u64::try_from(stored).map_err(|_| corrupt(format_args!("{stored} where a count belongs")))
}

/// As many rows as are wished for, at most as many as a page has.
pub(super) fn limit(wish: usize, most: usize) -> i64 {
    integer(wish.min(most) as u64)
}

/// The id of a match from its column.
pub(crate) fn match_id(stored: i64) -> Result<MatchId, StoreError> {
    MatchId::from_i64(stored).ok_or_else(|| corrupt(format_args!("{stored} is no match id")))
}

/// The id of the server from its column.
pub(crate) fn server_id(stored: i64) -> Result<ServerId, StoreError> {
    ServerId::from_i64(stored).ok_or_else(|| corrupt(format_args!("{stored} is no server id")))
}

/// The secret in the digests of addresses from its column.
pub(crate) fn address_secret(stored: &[u8]) -> Result<AddressSecret, StoreError> {
    let bytes: [u8; 32] = stored.try_into().map_err(|_| {
        let length = stored.len();
        corrupt(format_args!(
            "the secret for addresses has {length} bytes, not 32"
        ))
    })?;
    Ok(bytes.into())
}

/// The kind and the id of a stream as its table has them.
pub(crate) fn key_of(stream: StreamId) -> (i64, Vec<u8>) {
    match stream {
        StreamId::Match(id) => (0, id.to_i64().to_be_bytes().to_vec()),
        StreamId::Tournament(id) => (1, id.to_i64().to_be_bytes().to_vec()),
        StreamId::Account(id) => (2, id.as_bytes().to_vec()),
        StreamId::Rating(id, family) => (3, [id.as_bytes(), family.name().as_bytes()].concat()),
        StreamId::Chat(id, room) => (
            4,
            [&id.to_i64().to_be_bytes()[..], room.as_str().as_bytes()].concat(),
        ),
        StreamId::Audit => (5, AUDIT_KEY.to_vec()),
        StreamId::Solving(id) => (6, id.as_bytes().to_vec()),
        StreamId::Puzzle(id) => (7, id.as_bytes().to_vec()),
    }
}

/// And back.
pub(crate) fn stream_of(kind: i64, key: &[u8]) -> Result<StreamId, StoreError> {
    let number = || <[u8; 8]>::try_from(key).ok().map(i64::from_be_bytes);
    let stream = match kind {
        0 => number().and_then(MatchId::from_i64).map(StreamId::Match),
        1 => number()
            .and_then(TournamentId::from_i64)
            .map(StreamId::Tournament),
        2 => PlayerId::from_bytes(key).map(StreamId::Account),
        3 => key.split_at_checked(PLAYER_BYTES).and_then(|(id, family)| {
            let family = std::str::from_utf8(family).ok()?.parse().ok()?;
            Some(StreamId::Rating(PlayerId::from_bytes(id)?, family))
        }),
        4 => key.split_first_chunk().and_then(|(id, room)| {
            let id = MatchId::from_i64(i64::from_be_bytes(*id))?;
            let room = std::str::from_utf8(room).ok()?.parse().ok()?;
            Some(StreamId::Chat(id, room))
        }),
        5 => (key == AUDIT_KEY).then_some(StreamId::Audit),
        6 => PlayerId::from_bytes(key).map(StreamId::Solving),
        7 => PuzzleId::from_bytes(key).map(StreamId::Puzzle),
        _ => None,
    };
    stream.ok_or_else(|| {
        corrupt(format_args!(
            "kind {kind} with an id of {} bytes is no stream",
            key.len()
        ))
    })
}

/// The one word as which serde writes a unit variant.
pub(super) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("a unit variant is written as a string, not {other:?}"),
    }
}

/// The word for a status.
pub(crate) fn status_word(status: MatchStatus) -> &'static str {
    match status {
        MatchStatus::Waiting => "waiting",
        MatchStatus::Live => "live",
        MatchStatus::Over => "over",
    }
}

pub(super) fn status(word: &str) -> Result<MatchStatus, StoreError> {
    [MatchStatus::Waiting, MatchStatus::Live, MatchStatus::Over]
        .into_iter()
        .find(|status| status_word(*status) == word)
        .ok_or_else(|| corrupt(format_args!("'{word}' is no status")))
}

pub(super) fn from_word<T: DeserializeOwned>(word: &str) -> Result<T, StoreError> {
    T::deserialize(StrDeserializer::<WordError>::new(word)).map_err(corrupt)
}

/// Returns the values of the mistake columns.
pub(super) fn mistakes_columns(mistakes: Mistakes) -> [i64; 2] {
    match mistakes {
        Mistakes::Known(counts) => counts.map(i64::from),
        Mistakes::Unknown => [NOT_COUNTABLE; 2],
    }
}
