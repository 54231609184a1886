//! What the server may say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::account::{AccountEvent, ChallengeInfo, OfferInfo};
use super::chat::{ChatLimits, ChatLine, Room};
use super::error::ErrorBody;
use super::identity::TokenInfo;
use super::known::known;
use super::lobby::{SeekEnd, SeekInfo};
use super::puzzle::{SolverRating, SolvingChange};
use super::rating::{LeaderboardEntry, RatedChange, RatedEntry, RatingInfo};
use super::scope::Scopes;
use super::secret::Secret;
use super::tournament::{LoggedEvent, TournamentState, TournamentSummary};
use crate::event::{Clocks, EndReason, Event, Outcome, PlayerInfo, Series, TimeControl};
use crate::ids::{
    JoinCode, MatchId, Millis, PlayerId, Ply, PuzzleId, Seat, SeekId, Seq, ServerId, TournamentId,
};

/// A frame as a client reads it. `re`: a [`Reply`]; `match` and `seq`: an [`Event`]; `account` and `seq`: an [`AccountEvent`]; `chat`, `room`
/// and `seq`: a [`ChatEvent`](super::ChatEvent); none of these: a [`Notice`].
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
    /// The player whose account an event belongs to.
    #[serde(default)]
    pub account: Option<PlayerId>,
    /// The tournament that an event belongs to.
    #[serde(default)]
    pub tournament: Option<TournamentId>,
    /// The match whose room an event belongs to.
    #[serde(default)]
    pub chat: Option<MatchId>,
    /// The room.
    #[serde(default, deserialize_with = "known")]
    pub room: Option<Room>,
    /// The number of the event in its match, account, tournament or room.
    #[serde(default)]
    pub seq: Option<Seq>,
    /// The reply, event or notice.
    pub body: Box<RawValue>,
}

/// Tells `"re":null` (a reply to what had no id) from a frame without `re`.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(value).map(Some)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A number, or the text of one above 2^53-1.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum Wide {
    Number(u64),
    Text(String),
}

/// Writes integers above 2^53-1 as decimal strings.
#[expect(clippy::ref_option, reason = "serde passes the field by reference")]
fn wide<S: serde::Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) if *value > super::INTEGER_MAX => serializer.collect_str(value),
        other => other.serialize(serializer),
    }
}

/// Reads what [`wide`] writes.
fn read_wide<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<u64>, D::Error> {
    match Option::deserialize(value)? {
        None => Ok(None),
        Some(Wide::Number(number)) => Ok(Some(number)),
        Some(Wide::Text(text)) => text.parse().map(Some).map_err(serde::de::Error::custom),
    }
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

/// Writes the frame of an event of an account.
#[must_use]
pub fn account_frame(account: PlayerId, seq: Seq, body: &AccountEvent) -> String {
    let body = serde_json::to_string(body).expect("an event has only string keys and plain values");
    format!(r#"{{"account":"{account}","seq":{seq},"body":{body}}}"#)
}

/// Writes the frame of a notice.
#[must_use]
pub fn notice_frame(body: &Notice) -> String {
    let body = serde_json::to_string(body).expect("a notice has only string keys and plain values");
    format!(r#"{{"body":{body}}}"#)
}

/// The bounds of this server for this connection and its player. Some are wider for a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Most bytes of one message to the server. A larger one closes the connection with 1009.
    pub message_bytes: u32,
    /// Most bytes of one message from the server.
    pub reply_bytes: u32,
    /// Requests that a connection may send at once.
    pub burst: u32,
    /// Requests per second that a connection may send after a burst.
    pub requests_per_second: u32,
    /// Messages that may wait for a slow reader. Beyond that, a player is disconnected and a watcher gets a `snapshot` instead.
    pub queue_messages: u32,
    /// Bytes that may wait for a slow reader; beyond that, as with `queue_messages`.
    pub queue_bytes: u32,
    /// Bots only: moves that may be sent at once in one match that the connection follows. They do not count as requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_burst_per_match: Option<u32>,
    /// Bots only: moves per second in one match after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_per_second_per_match: Option<u32>,
    /// Bots only: requests beyond the bounds above that wait for their turn instead of being refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_requests: Option<u32>,
    /// Unfinished matches that one player may have.
    pub matches_per_player: u32,
    /// Seeks that one player may have at once. Absent if the server has no lobby.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeks_per_player: Option<u32>,
    /// Unfinished matches that one connection may follow.
    pub follows_per_connection: u32,
    /// How many moves the watchers of a rated match are behind its players. Absent if the server has no delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated_delay_moves: Option<u32>,
    /// The bounds of chat. Absent if the server has no chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<ChatLimits>,
    /// CPU time of one analysis.
    pub solver_ms: Millis,
    /// Memory of one analysis.
    pub solver_bytes: u64,
    /// Moves of the longest match that `review` analyses.
    pub review_plies: u32,
    /// Time between two pings of the server.
    pub ping_ms: Millis,
    /// A connection that was silent for this long is closed.
    pub dead_after_ms: Millis,
    /// How long a join code is valid.
    pub join_code_ms: Millis,
}

/// One of your unfinished matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Obligation {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// Your seat.
    pub seat: Seat,
    /// Whether it is your move.
    pub to_move: bool,
    /// Whether another connection of yours has taken this seat.
    #[serde(default)]
    pub connected: bool,
    /// The newest event.
    pub seq: Seq,
    /// The join code, if you created the match and it waits for the other player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<JoinCode>,
    /// When the join code expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<Millis>,
}

/// A match in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MatchSummary {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The start position.
    pub position: String,
    /// The clocks.
    pub clock: TimeControl,
    /// The place of the match in a series. Absent if it is a single game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// The first player, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<PlayerInfo>,
    /// The second player, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<PlayerInfo>,
    /// `waiting`, `live` or `over`.
    pub status: super::client::ListStatus,
    /// `true` if the match is adjourned, on the server that answers. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjourned: bool,
    /// The outcome, once the match is over.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub outcome: Option<Outcome>,
    /// How the match ended, once it is over.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub reason: Option<EndReason>,
    /// The number of moves made. May lag behind while the match is in play.
    pub plies: u32,
    /// When the match was created.
    pub created_at_ms: Millis,
    /// When the match ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at_ms: Option<Millis>,
    /// The join code, if you created the match and it waits for the other player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<JoinCode>,
    /// When the join code expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<Millis>,
    /// With `order` `ended`: the place of the match. Send it as `before`, now or later, to list the matches that ended after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The wins that each player gave away, as `review` marks them with `??`. Absent until the server has counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistakes: Option<MistakeCounts>,
    /// `true` if the server could not count the mistakes within its budget.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mistakes_unknown: bool,
}

/// The wins that each player gave away in a finished match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MistakeCounts {
    /// Those of the first player.
    pub first: u32,
    /// Those of the second player.
    pub second: u32,
}

/// The state of a match after one of its events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Snapshot {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The newest event that the snapshot includes.
    pub seq: Seq,
    /// The start position.
    pub start: String,
    /// The current position.
    pub position: String,
    /// The number of moves made; the next move has the number after it.
    pub ply: Ply,
    /// The player to move.
    pub to_move: Seat,
    /// The clocks that were agreed.
    pub clock: TimeControl,
    /// The place of the match in a series. Absent if it is a single game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// Time left at `at_ms`. Absent if the match is untimed or has not begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// When the server took the snapshot.
    pub at_ms: Millis,
    /// `true` if the clock of the player to move is held: it stands still until `clock_started` or until the player moves. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// If the match is paused: when play goes on by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_until_ms: Option<Millis>,
    /// `true` if the match is adjourned: before that moment it resumes only if both players agree. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjourned: bool,
    /// The first player, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<PlayerInfo>,
    /// The second player, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<PlayerInfo>,
    /// The state of the match.
    pub status: super::client::ListStatus,
    /// The outcome, once the match is over.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub outcome: Option<Outcome>,
    /// How the match ended, once it is over.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub reason: Option<EndReason>,
}

/// An event with its number.
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

/// Reads JSON as it is: within a reply, whose type is known only afterwards, it was read as values before.
fn raw<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Box<RawValue>, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    serde_json::value::to_raw_value(&value).map_err(serde::de::Error::custom)
}

impl Reply {
    /// What was asked for is done, and was about no match.
    #[must_use]
    pub fn done() -> Self {
        Self::Done {
            match_id: None,
            seq: None,
            proposed: false,
        }
    }
}

/// The answer to a request.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// Reply to `hello`.
    Welcome {
        /// The protocol version of this connection.
        protocol: u32,
        /// The server's name and version.
        server: String,
        /// The server's id: the same at each of its addresses and after every restart. Keep your token by it, not by the address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server_id: Option<ServerId>,
        /// The address by which others reach this server, such as `https://play.example`, if its operator has stated one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<String>,
        /// The server's current time.
        now_ms: Millis,
        /// Your public identity.
        player: PlayerInfo,
        /// The secret of a new guest. Keep it: it is not shown again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<Secret>,
        /// What your token is good for here. A server before there were scopes does not say it.
        #[serde(default)]
        scopes: Scopes,
        /// When your token expires. Absent if it does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token_expires_at_ms: Option<Millis>,
        /// `true` if the account has a password. `false` if absent: then its tokens are the only way to it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        claimed: bool,
        /// The bounds of this server.
        limits: Limits,
        /// Your unfinished matches, at most 200. Those in which it is your move come first.
        obligations: Vec<Obligation>,
    },
    /// Reply to `login` and `recover`: say `hello` with this token.
    LoggedIn {
        /// Your public identity.
        player: PlayerInfo,
        /// The secret of a new token with every scope. It is not shown again.
        token: Secret,
    },
    /// Reply to `new_recovery_codes` and `help_player`. The codes before these are void.
    RecoveryCodes {
        /// Whose they are.
        player: PlayerInfo,
        /// Each sets a new password once. They are not shown again.
        codes: Vec<Secret>,
    },
    /// Reply to `tokens`.
    Tokens {
        /// Your tokens, the oldest first.
        tokens: Vec<TokenInfo>,
        /// How many recovery codes are left.
        recovery_codes: u32,
    },
    /// Reply to `create_token` and `rotate_token`: the token is durable.
    Token {
        /// What the list shows of it.
        token: TokenInfo,
        /// The token itself. It is not shown again.
        secret: Secret,
    },
    /// Reply to `rename`: the name is durable.
    Renamed {
        /// Your public identity.
        player: PlayerInfo,
    },
    /// Reply to `ping`.
    Pong {
        /// The server's current time.
        now_ms: Millis,
    },
    /// Reply to `create`. The connection now follows the match from event 1.
    Created {
        /// The new match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Your seat.
        seat: Seat,
        /// The join code, for an invitation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<JoinCode>,
        /// When the join code expires.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at_ms: Option<Millis>,
    },
    /// Reply to `join`, `accept` and `take`, and to a `challenge` that fits a standing offer. The connection now follows the match from event 1.
    Joined {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Your seat.
        seat: Seat,
    },
    /// Reply to `move`: the move is durable. Everyone who follows the match, you included, also receives the event.
    Accepted {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The number of the `moved` event.
        seq: Seq,
        /// The number of the move that you made.
        ply: Ply,
        /// The move, in canonical notation.
        #[serde(rename = "move")]
        move_text: String,
        /// Time left after the move. Absent if the match is untimed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// Reply to `resign`, `abort`, `propose`, `answer`, `withdraw_proposal`, `continue`, `plan`, `claim`, `leave`, `cancel`, `leave_account`, `decline`, `withdraw_challenge`, `offer`, `withdraw_seek` and `bye`. What it changes in a match is durable.
    Done {
        /// The match that the request named, if it named one.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        match_id: Option<MatchId>,
        /// The newest event of the match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<Seq>,
        /// `true` if what you asked for waits for the other player's consent. `false` if absent.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        proposed: bool,
    },
    /// Reply to `rematch`, `withdraw` and `decline_rematch`.
    Rematch {
        /// The finished match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The newest event of the match.
        seq: Seq,
        /// The new match, once both players have asked for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rematch: Option<MatchId>,
    },
    /// Reply to `resume` and `watch`. The events after `since_seq` follow, in order and without gaps.
    Attached {
        /// Your seat. Absent if you watch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// The current state. Its `seq` is the last of the missed events that follow.
        snapshot: Snapshot,
        /// The join code, if you created the match and it waits for the other player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<JoinCode>,
        /// When the join code expires.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at_ms: Option<Millis>,
    },
    /// Reply to `list`.
    Matches {
        /// The entries of this page.
        matches: Vec<MatchSummary>,
        /// Send this as `before` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
        /// With `min_mistakes` or `max_mistakes`: how many matches were left out because their mistakes are not counted yet. A later search
        /// may find them. 0 if absent.
        #[serde(default, skip_serializing_if = "is_zero")]
        uncounted: u32,
        /// The same: how many were left out because the server could not count their mistakes within its budget. 0 if absent.
        #[serde(default, skip_serializing_if = "is_zero")]
        unknown: u32,
        /// How many matches were left out because the server's summaries of them are damaged. Their logs can be sound: `resume`, `watch` and
        /// `record` name what is not. 0 if absent.
        #[serde(default, skip_serializing_if = "is_zero")]
        unverified: u32,
    },
    /// Reply to `record`.
    Record {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The entries of this page.
        events: Vec<NumberedEvent>,
        /// Whether this page includes the newest event.
        complete: bool,
        /// The hash chain of the whole log, on the last page of a finished match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chain: Option<Chain>,
    },
    /// Reply to `moves`.
    Moves {
        /// The position, in canonical notation.
        position: String,
        /// The player to move.
        to_move: Seat,
        /// Whether a position can come again, so that the players may agree on a draw. `false` if absent.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cyclic: bool,
        /// How many legal moves there are; above 2^53-1 as the text of the number. Absent if there are more than 2^64-1.
        #[serde(
            default,
            serialize_with = "wide",
            deserialize_with = "read_wide",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "Option<Wide>")]
        total: Option<u64>,
        /// The moves of this page, in canonical notation and order. Empty if the game is over.
        moves: Vec<String>,
        /// Send this as `from` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<u64>,
        /// If a picture was asked for, and with the first page only: the position as SVG. What can be pointed at is a `g` with the attribute
        /// `data-part`; a part may have several. Absent if it does not fit the message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// If a picture was asked for: for each move the ways to point at it, each a list of parts. A move without a way can only be typed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        touches: Option<Vec<Vec<Vec<String>>>>,
    },
    /// Reply to `solve`.
    Solved {
        /// The solution, as `grundy solve --json` prints it.
        #[serde(deserialize_with = "raw")]
        #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
        solution: Box<RawValue>,
    },
    /// Reply to `explain`.
    Explained {
        /// The reasons, as `grundy explain --move --json` prints them. If they do not fit one message, `lines` is empty.
        #[serde(deserialize_with = "raw")]
        #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
        reasons: Box<RawValue>,
    },
    /// Reply to `review`.
    Reviewed {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The review, as `grundy review --json` prints it, with the moves of this page.
        #[serde(deserialize_with = "raw")]
        #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
        review: Box<RawValue>,
        /// Send this as `after_ply` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next_after_ply: Option<Ply>,
    },
    /// Reply to `follow_account`. The events after `since_seq` follow if `complete`, then each new one.
    Account {
        /// Names the numbering: it changes if the server restarts, or forgets an account that nobody has followed for long.
        stream: String,
        /// The newest event that the snapshot includes.
        seq: Seq,
        /// Whether every event after your `since_seq` follows. If `false`, the snapshot and `obligations` have what is open now.
        complete: bool,
        /// The open challenges from you and to you, the first to expire first: as many as fit the message.
        challenges: Vec<ChallengeInfo>,
    },
    /// Reply to `challenge`: the player has been told. The end is an event of your account.
    Challenged {
        /// The challenge.
        challenge: ChallengeInfo,
    },
    /// Reply to `offers`.
    Offers {
        /// The entries of this page.
        offers: Vec<OfferInfo>,
        /// Send this as `after` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<PlayerId>,
    },
    /// Reply to `seek`: you are in the lobby until the notice `seek_ended`, `withdraw_seek`, or the end of this connection.
    Seeking {
        /// The seek.
        seek: SeekInfo,
    },
    /// Reply to `seeks`: those that you can take, and your own.
    Seeks {
        /// The entries of this page, in the order of their ids.
        seeks: Vec<SeekInfo>,
        /// Send this as `after` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<SeekId>,
    },
    /// Reply to `ratings`.
    Ratings {
        /// The player.
        player: PlayerInfo,
        /// The ratings, by the names of their families.
        ratings: Vec<RatingInfo>,
        /// The rating in puzzles. Absent if the player has answered none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        solving: Option<SolverRating>,
    },
    /// Reply to `puzzle`.
    Puzzle {
        /// The puzzle.
        puzzle: PuzzleId,
        /// The position, in canonical notation. The player to move can win.
        position: String,
        /// The player to move.
        to_move: Seat,
        /// The game family.
        family: String,
        /// The rating of the puzzle.
        rating: i64,
        /// The rating deviation of the puzzle.
        deviation: i64,
        /// How many players have answered it.
        attempts: u64,
        /// Whether you have answered it, so that nothing counts any more. `false` if absent.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        tried: bool,
        /// Your rating in puzzles.
        you: SolverRating,
    },
    /// Reply to `solve_puzzle`.
    PuzzleSolved {
        /// The puzzle.
        puzzle: PuzzleId,
        /// Whether the move wins.
        right: bool,
        /// The move that counts, in canonical notation. Absent if you gave up.
        #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
        move_text: Option<String>,
        /// Whether you had answered the puzzle before: then all of this is about your first answer. `false` if absent.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repeated: bool,
        /// The first winning moves, at most 8.
        winning_moves: Vec<String>,
        /// How many winning moves there are; above 2^53-1 as the text of the number. Absent if that is unknown.
        #[serde(
            default,
            serialize_with = "wide",
            deserialize_with = "read_wide",
            skip_serializing_if = "Option::is_none"
        )]
        #[schemars(with = "Option<Wide>")]
        winning_moves_total: Option<u64>,
        /// The reasons for your move and the best move, as `grundy explain --move --json` prints them. If they do not fit one message, `lines` is empty.
        #[serde(deserialize_with = "raw")]
        #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
        reasons: Box<RawValue>,
        /// Your rating in puzzles.
        you: SolvingChange,
        /// The rating of the puzzle.
        rated: SolvingChange,
    },
    /// Reply to `rating_history`.
    RatingHistory {
        /// The player.
        player: PlayerInfo,
        /// The game family.
        family: String,
        /// The pairs of this page, newest first.
        pairs: Vec<RatedEntry>,
        /// Send this as `before` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<Seq>,
    },
    /// Reply to `leaderboard`.
    Leaderboard {
        /// The game family.
        family: String,
        /// Whether these are the bots.
        bots: bool,
        /// Whether these are the players whose ratings are provisional.
        provisional: bool,
        /// The entries of this page, the best first.
        entries: Vec<LeaderboardEntry>,
        /// Send this as `after` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
    /// Reply to `say`: the line is durable.
    Said {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The room.
        room: Room,
        /// The number of the line.
        seq: Seq,
    },
    /// Reply to `chat`.
    Chat {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The room.
        room: Room,
        /// The lines of this page. Lines of players you have muted are left out, and their numbers are missing.
        lines: Vec<ChatLine>,
        /// Send this as `after` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<Seq>,
    },
    /// Reply to `muted`.
    Muted {
        /// The players, in the order in which you muted them.
        players: Vec<PlayerInfo>,
    },
    /// Reply to requests about one tournament: its state.
    Tournament(Box<TournamentState>),
    /// Reply to `list_tournaments`.
    Tournaments {
        /// The entries of this page.
        tournaments: Vec<TournamentSummary>,
        /// Send this as `before` to get the next page. Absent on the last page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<u32>,
    },
    /// Reply to `tournament_log`.
    TournamentLog {
        /// The tournament.
        tournament: TournamentId,
        /// The entries of this page.
        events: Vec<LoggedEvent>,
        /// Whether this page includes the newest event.
        complete: bool,
    },
    /// Reply to any request: it is refused.
    Error(ErrorBody),
}

/// A message about the connection or the server.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Notice {
    /// The server is stopping and will close the connection with 1012.
    ShuttingDown {
        /// Reconnect after this time, then `resume`.
        reconnect_after_ms: Millis,
    },
    /// The token of this connection was revoked, or has expired. The server closes the connection with 1008.
    SignedOut {},
    /// A newer connection of yours has taken your seat. This one no longer follows the match.
    Superseded {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// You have offered a rematch, and the other player has been gone for five seconds. Your offer stands.
    OpponentLeft {
        /// The finished match.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// Your seek has ended. If there is a match, take your seat in it with `resume`.
    SeekEnded {
        /// The seek.
        seek: SeekId,
        /// How.
        end: SeekEnd,
        /// With `taken` and `matched`: the match.
        #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
        match_id: Option<MatchId>,
        /// With `taken` and `matched`: your seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// With `taken` and `matched`: the other player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opponent: Option<PlayerInfo>,
        /// With `gave_up`: the built-in bot of fitting strength, which you can play with `create`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bot: Option<String>,
    },
    /// A game of a tournament that you follow begins, and you play in it. Take your seat with `resume`, unless you follow the tournament with `play`.
    TournamentMatch {
        /// The tournament.
        tournament: TournamentId,
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The round, from 1.
        round: u32,
        /// The board, from 1.
        board: u32,
        /// The game of the pairing, from 1.
        game: u32,
        /// Your seat.
        seat: Seat,
        /// Your opponent.
        opponent: PlayerInfo,
    },
    /// A review that you asked for with `progress` is not done. It comes when something has changed, at most four times a second and not before the first
    /// 250 ms.
    Reviewing {
        /// The `id` of your request.
        request: u64,
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Its place among the analyses that wait, from 1, if each takes the same time; it can grow, because shares are of the time used. Absent once the
        /// solver works on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<u32>,
        /// Positions of the match that the solver is done with. It can begin again at 0.
        positions_done: u32,
        /// Positions of the match: the start, and one after each move.
        positions: u32,
    },
    /// A rated pair that you follow is over, and has changed the ratings of its players. It comes just before the `ended` event of its last match.
    Rated {
        /// The pair: the id of its first match.
        pair: MatchId,
        /// The match with whose end it is over.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The game family.
        family: String,
        /// The first player of that match.
        first: RatedChange,
        /// The second player of that match.
        second: RatedChange,
    },
    /// You watch and read too slowly: the current state instead of the events that you missed. Events continue after its `seq`. Fields: those of a snapshot.
    Snapshot(Box<Snapshot>),
}
