//! What a client may say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::TimeControl;
use crate::ids::{ClientCreateId, ClientMoveId, Millis, Ply, Seat, Seq};

/// A request: an id of the client's choice, which the reply repeats, and what is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ClientFrame {
    /// Repeated in the reply; 0 to 2^53-1, best a new one for each request.
    pub id: u64,
    /// What is asked.
    pub body: ClientMessage,
}

impl ClientFrame {
    /// The text of the frame.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a frame has only string keys and plain values")
    }
}

/// Declares the requests once: variant, wire type, and the struct of the same name.
macro_rules! client_messages {
    ($($(#[$about:meta])* $variant:ident $kind:literal,)*) => {
        /// What a client asks.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
        #[serde(tag = "type")]
        pub enum ClientMessage {
            $($(#[$about])* #[serde(rename = $kind)] $variant($variant),)*
        }

        impl ClientMessage {
            /// The types that exist.
            pub const KINDS: &[&str] = &[$($kind),*];

            /// The type of this request, as written.
            #[must_use]
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $kind),* }
            }

            /// Reads the fields of a request of the type `kind`; `None` when there is no such type.
            pub(super) fn read<'de, D>(kind: &str, fields: D) -> Option<Result<Self, D::Error>>
            where
                D: serde::Deserializer<'de>,
            {
                match kind {
                    $($kind => Some($variant::deserialize(fields).map(Self::$variant)),)*
                    _ => None,
                }
            }
        }

        $(impl From<$variant> for ClientMessage {
            fn from(message: $variant) -> Self {
                Self::$variant(message)
            }
        })*
    };
}

client_messages! {
    /// First of all: who is there. Answered by `welcome`.
    Hello "hello",
    /// Is anybody there? Answered by `pong`.
    Ping "ping",
    /// A new match. Answered by `created`.
    Create "create",
    /// Takes the other seat of a match. Answered by `joined`.
    Join "join",
    /// A move. Answered by `accepted`, once it is durable.
    Move "move",
    /// Gives the match up. Answered by `done`.
    Resign "resign",
    /// Calls the match off: an invitation at any time, a match before two plies. Answered by `done`.
    Abort "abort",
    /// Offers another match from the same start with sides swapped, or accepts the offer. Answered by `rematch`.
    Rematch "rematch",
    /// Takes back the own offer of a rematch. Answered by `rematch`, which names the new match if the offer was accepted before.
    Withdraw "withdraw",
    /// Takes the player's seat at this connection: every event after `since_seq`, then each as it happens. Answered by `attached`.
    Resume "resume",
    /// The same for somebody without a seat. Answered by `attached`.
    Watch "watch",
    /// No more events of this match. Answered by `done`.
    Leave "leave",
    /// Matches, newest first. Answered by `matches`.
    List "list",
    /// The log of a match, by pages. Answered by `record`.
    Record "record",
    /// The value of a position and its winning moves. Answered by `solved`.
    Solve "solve",
    /// The analysis of a finished match, by pages of plies. Answered by `reviewed`.
    Review "review",
    /// A clean goodbye: the seat is left at once. Answered by `done`, then the server closes.
    Bye "bye",
}

/// See [`ClientMessage::Hello`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The protocol version that the client speaks.
    pub protocol: u32,
    /// The client's name and version, at most 64 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The secret of an identity given before; absent: a new guest is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// For a new guest: the name shown to others, 1 to 32 characters; a name is made up when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// For a new guest: a program plays.
    #[serde(default)]
    pub bot: bool,
}

/// See [`ClientMessage::Ping`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ping {}

/// The side that a creator asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Moves first.
    First,
    /// Moves second.
    Second,
    /// Drawn by the server.
    #[default]
    Random,
}

/// Whom the creator wants to play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Opponent {
    /// Whoever brings the join code of the reply.
    Invite {},
    /// A player built into the server.
    Bot {
        /// `perfect`, `random`, `greedy`, `teacher`, `trickster`, or `skill:Q` with Q from 0 to 1.
        name: String,
    },
}

/// See [`ClientMessage::Create`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// The start position; it must have a move.
    pub position: String,
    /// The clocks; untimed when absent.
    #[serde(default = "untimed", with = "AskedClock")]
    #[schemars(with = "AskedClock")]
    pub clock: TimeControl,
    /// The creator's side.
    #[serde(default)]
    pub side: Side,
    /// The other player.
    pub opponent: Opponent,
    /// The client's own name for this request: sent again after a lost connection, the first answer comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_create_id: Option<ClientCreateId>,
}

fn untimed() -> TimeControl {
    TimeControl::Untimed {}
}

/// The clock that a client asks for: unlike in what it is told, a field that is not known is refused.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskedClock")]
#[serde(
    remote = "TimeControl",
    tag = "type",
    rename_all = "snake_case",
    deny_unknown_fields
)]
enum AskedClock {
    /// No clock.
    Untimed {},
    /// Fischer's clock: a stock of time, and an increment after each own move.
    Fischer {
        /// Time at the start: 1,000 ms to 24 h.
        base_ms: Millis,
        /// Added after each own move: 0 to 1 h.
        increment_ms: Millis,
    },
}

/// See [`ClientMessage::Join`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The eight letters of the invitation.
    pub code: String,
}

/// See [`ClientMessage::Move`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of this move: 1 for the first of the match.
    pub ply: Ply,
    /// The move.
    #[serde(rename = "move")]
    pub move_text: String,
    /// The client's own name for it: sent again after a lost connection, the first answer comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_move_id: Option<ClientMoveId>,
}

/// Declares requests that name nothing but a match.
macro_rules! about_a_match {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("See [`ClientMessage::", stringify!($name), "`].")]
            #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                /// The match.
                #[serde(rename = "match")]
                pub match_id: String,
            }
        )*
    };
}

about_a_match!(Resign Abort Rematch Withdraw Leave);

/// Declares the two ways of following a match.
macro_rules! following_a_match {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("See [`ClientMessage::", stringify!($name), "`].")]
            #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                /// The match.
                #[serde(rename = "match")]
                pub match_id: String,
                /// The newest event that the client has; 0 for none.
                #[serde(default)]
                pub since_seq: Seq,
            }
        )*
    };
}

following_a_match!(Resume Watch);

/// Which matches a list shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListStatus {
    /// Waiting for a second player: one's own only, since codes are private.
    Waiting,
    /// Being played.
    Live,
    /// Finished.
    Over,
}

/// See [`ClientMessage::List`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Only matches in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ListStatus>,
    /// Only one's own matches.
    #[serde(default)]
    pub mine: bool,
    /// The `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Matches on the page: 1 to 200, 50 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Record`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The newest event that the client has; 0 for none.
    #[serde(default)]
    pub since_seq: Seq,
    /// Events on the page: 1 to 200, 50 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Solve`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// The position.
    pub position: String,
    /// Who is to move; matters in coloured games only. First (Left) when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Seat>,
    /// How many winning moves to list: 0 to 200, 50 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
}

/// See [`ClientMessage::Review`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The last ply of the page before; 0 for the first page.
    #[serde(default)]
    pub after_ply: Ply,
    /// Plies on the page: 1 to 200, 50 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Bye`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bye {}
