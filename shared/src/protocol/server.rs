//! What the server may say.

use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::ErrorBody;
use crate::event::{Clocks, EndReason, Event, Outcome, PlayerInfo, TimeControl};
use crate::ids::{JoinCode, MatchId, Millis, Ply, Seat, Seq};

/// A frame as a client reads it. `re`: a [`Reply`]; `match` and `seq`: an [`Event`]; neither: a [`Notice`].
///
/// A client ignores fields and types that it does not know, so that a newer server may add some.
#[derive(Clone, Debug, Deserialize)]
pub struct ServerFrame {
    /// The id of the request that this answers; `null` where the server could read none.
    #[serde(default, deserialize_with = "present")]
    pub re: Option<Option<u64>>,
    /// The match that an event belongs to.
    #[serde(default, rename = "match")]
    pub match_id: Option<MatchId>,
    /// The number of the event in its match.
    #[serde(default)]
    pub seq: Option<Seq>,
    /// The reply, event or notice.
    pub body: Box<RawValue>,
}

/// Tells `"re":null` (a reply to what had no id) from a frame without `re`.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Reads a value that a newer server may know more of than this reader: what is not known is absent.
fn known<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value<T> {
        Known(T),
        Unknown(IgnoredAny),
    }
    Ok(match Option::deserialize(value)? {
        Some(Value::Known(value)) => Some(value),
        Some(Value::Unknown(_)) | None => None,
    })
}

/// Writes the frame of a reply. Cost: linear in its size.
#[must_use]
pub fn reply_frame(re: Option<u64>, body: &Reply) -> String {
    let body = serde_json::to_string(body).expect("a reply has only string keys and plain values");
    match re {
        Some(id) => format!(r#"{{"re":{id},"body":{body}}}"#),
        None => format!(r#"{{"re":null,"body":{body}}}"#),
    }
}

/// Writes the frame of an event from the JSON in which it is stored.
#[must_use]
pub fn event_frame(match_id: MatchId, seq: Seq, event_json: &str) -> String {
    format!(r#"{{"match":"{match_id}","seq":{seq},"body":{event_json}}}"#)
}

/// Writes the frame of a notice.
#[must_use]
pub fn notice_frame(body: &Notice) -> String {
    let body = serde_json::to_string(body).expect("a notice has only string keys and plain values");
    format!(r#"{{"body":{body}}}"#)
}

/// Every bound that a client can meet, so that none is a surprise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Bytes of one message to the server; a larger one closes with 1009.
    pub message_bytes: u32,
    /// Bytes of one message from the server.
    pub reply_bytes: u32,
    /// Requests that a connection may make at once.
    pub burst: u32,
    /// Requests a second that it may go on with.
    pub requests_per_second: u32,
    /// Messages that wait for a slow reader before it is closed (players) or falls back to snapshots (watchers).
    pub queue_messages: u32,
    /// The same in bytes.
    pub queue_bytes: u32,
    /// Matches of one player that may wait or run at once.
    pub matches_per_player: u32,
    /// Matches that one connection may follow at once.
    pub follows_per_connection: u32,
    /// CPU time of one analysis.
    pub solver_ms: Millis,
    /// Memory of one analysis.
    pub solver_bytes: u64,
    /// Plies of a match that `review` takes.
    pub review_plies: u32,
    /// The server pings this often.
    pub ping_ms: Millis,
    /// A connection that sent nothing for so long is closed.
    pub dead_after_ms: Millis,
    /// How long a join code is valid.
    pub join_code_ms: Millis,
}

/// A match in which the player has a seat and which is not over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Obligation {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The player's seat.
    pub seat: Seat,
    /// Whether it is the player's move.
    pub to_move: bool,
    /// Whether a connection of the player follows the match from this seat.
    #[serde(default)]
    pub connected: bool,
    /// The newest event.
    pub seq: Seq,
    /// The join code, to the creator of a match that waits for the other player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<JoinCode>,
    /// When the code expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<Millis>,
}

/// One line of a list of matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MatchSummary {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The start position.
    pub position: String,
    /// The clocks.
    pub clock: TimeControl,
    /// Who moves first, once there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<PlayerInfo>,
    /// Who moves second, once there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<PlayerInfo>,
    /// `waiting`, `live` or `over`.
    pub status: super::client::ListStatus,
    /// Who won, once over.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub outcome: Option<Outcome>,
    /// How it ended, once over.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub reason: Option<EndReason>,
    /// Moves made, as last recorded: exact once over.
    pub plies: u32,
    /// When it was created.
    pub created_at_ms: Millis,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at_ms: Option<Millis>,
    /// The join code, to the creator of a match that waits for the other player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<JoinCode>,
    /// When the code expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<Millis>,
}

/// The state of a match at one event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Snapshot {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The newest event that is contained.
    pub seq: Seq,
    /// The start position.
    pub start: String,
    /// The position now.
    pub position: String,
    /// Moves made.
    pub ply: Ply,
    /// Who is to move.
    pub to_move: Seat,
    /// The clock's terms.
    pub clock: TimeControl,
    /// Time left at `at_ms`; absent when untimed or not begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// The server's time of this snapshot.
    pub at_ms: Millis,
    /// Whether the clock of the player to move is held: it stands still until `clock_started`, or until the player moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Who moves first, once there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<PlayerInfo>,
    /// Who moves second, once there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<PlayerInfo>,
    /// The state of the match.
    pub status: super::client::ListStatus,
    /// Who won, once over.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub outcome: Option<Outcome>,
    /// How it ended, once over.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub reason: Option<EndReason>,
}

/// An event with its number, in a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NumberedEvent {
    /// The number of the event.
    pub seq: Seq,
    /// The event.
    pub body: Event,
}

/// The hash chain of a whole log, as in the header of a record: a log that was cut off or changed has another one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Chain {
    /// How many events the log has.
    pub events: u64,
    /// The last link, 64 hexadecimal digits.
    pub head: String,
}

/// The answer to a request.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// To `hello`.
    Welcome {
        /// The version spoken from here on.
        protocol: u32,
        /// The server's name and version.
        server: String,
        /// The server's time.
        now_ms: Millis,
        /// Who you are.
        player: PlayerInfo,
        /// The secret of a new guest: keep it, it is not shown again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// Every bound.
        limits: Limits,
        /// Your matches that are not over, those where you are to move first; at most 200.
        obligations: Vec<Obligation>,
    },
    /// To `ping`.
    Pong {
        /// The server's time.
        now_ms: Millis,
    },
    /// To `create`. The connection follows the match from event 1 on.
    Created {
        /// The new match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Your seat.
        seat: Seat,
        /// For the other player, when invited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<JoinCode>,
        /// When the code expires.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at_ms: Option<Millis>,
    },
    /// To `join`. The connection follows the match from event 1 on.
    Joined {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Your seat.
        seat: Seat,
    },
    /// To `move`: it is durable. The event comes as well, to everybody.
    Accepted {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The number of the event.
        seq: Seq,
        /// The number of the move.
        ply: Ply,
        /// The move in canonical form.
        #[serde(rename = "move")]
        move_text: String,
        /// Time left to both after the move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// To `resign`, `abort`, `leave` and `bye`: it is durable.
    Done {
        /// The match, if the request named one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        match_id: Option<MatchId>,
        /// The newest event of the match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<Seq>,
    },
    /// To `rematch` and `withdraw`.
    Rematch {
        /// The match that is over.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The newest event of the match.
        seq: Seq,
        /// The new match, once both want it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rematch: Option<MatchId>,
    },
    /// To `resume` and `watch`. The events after `since_seq` follow, in order and without a gap.
    Attached {
        /// Your seat, when resumed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// The state now; its `seq` is the last event of the backlog.
        snapshot: Snapshot,
        /// The join code, to the creator of a match that waits for the other player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<JoinCode>,
        /// When the code expires.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at_ms: Option<Millis>,
    },
    /// To `list`.
    Matches {
        /// The page.
        matches: Vec<MatchSummary>,
        /// To be sent as `before` for the next page; absent on the last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
    /// To `record`.
    Record {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The page.
        events: Vec<NumberedEvent>,
        /// Whether this page reaches the newest event.
        complete: bool,
        /// What the whole log comes to, once the match is over.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chain: Option<Chain>,
    },
    /// To `solve`.
    Solved {
        /// What `grundy solve --json` prints.
        #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
        solution: Box<RawValue>,
    },
    /// To `review`.
    Reviewed {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// What `grundy review --json` prints, with the plies of this page.
        #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
        review: Box<RawValue>,
        /// To be sent as `after_ply` for the next page; absent on the last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next_after_ply: Option<Ply>,
    },
    /// To anything: a refusal.
    Error(ErrorBody),
}

/// What the server says of itself.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Notice {
    /// The server stops: connect again after the time given, and `resume`.
    ShuttingDown {
        /// When to come back.
        reconnect_after_ms: Millis,
    },
    /// A newer connection of the same player follows this match now; this one no longer does.
    Superseded {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// The other player, to whom you have offered a rematch of this match, is not there any more. The offer stands.
    OpponentLeft {
        /// The match that is over.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// This watcher was too slow for the events: here is the state instead; events go on from its `seq`.
    Snapshot(Box<Snapshot>),
}
