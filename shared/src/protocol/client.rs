//! What a client may say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::DeclineReason;
use super::asked_clock::{AskedClock, untimed};
pub use super::chat::{Chat, Mute, Muted, Say, Unmute};
use super::games::{is_one, one};
pub use super::identity::{
    CreateToken, HelpPlayer, Login, Logout, NewRecoveryCodes, Recover, RevokeToken, RotateToken,
    SetPassword, SignOutPlayer, Tokens,
};
pub use super::lobby::{Seek, Seeks, Take, WithdrawSeek};
pub use super::puzzle::{Puzzle, SolvePuzzle};
pub use super::rating::{Leaderboard, RatingHistory, Ratings};
use super::scope::{Scope, Scopes};
use super::secret::Secret;
pub use super::side::Side;
use super::tournament::{
    ControlTournament, CreateTournament, JoinTournament, ListTournaments, ShowTournament,
    TournamentLog, UnwatchTournament, WatchTournament, WithdrawFromTournament,
};
use super::{INTEGER_MAX, PAGE_MAX, VERSION};
use crate::bounds::{
    BASE_MS, CHALLENGE_STANDS, CLIENT_BYTES_MAX, EXPLAINED_MOVES_MAX, HINTS_MAX,
    LANGUAGE_BYTES_MAX, MATCHES_PER_PLAYER_MAX, NAME_MAX, OFFER_GAMES_MAX, PLAN_LINES_MAX,
    PLAN_MOVES_MAX, SERIES_MAX, START_BYTES_MAX,
};
use crate::event::{self, Proposal, TimeControl};
use crate::ids::{ClientCreateId, ClientMoveId, Millis, PlayerId, Ply, Seat, Seq};

/// A request: an id of the client's choice, which the reply repeats, and what is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ClientFrame {
    /// The reply repeats it as `re`. 0 to 2^53-1; use a new one for each request.
    #[schemars(range(max = INTEGER_MAX))]
    pub id: u64,
    /// The request.
    pub body: ClientMessage,
}

impl ClientFrame {
    /// The text of the frame.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a frame has only string keys and plain values")
    }
}

/// Every token.
const ANY: Scopes = Scopes::ALL;
/// Tokens that play matches.
const PLAY: Scopes = Scopes::of(&[Scope::Play, Scope::Bot]);
/// Tokens that begin matches.
const BEGIN: Scopes = Scopes::of(&[Scope::Play]);
const ORGANISE: Scopes = Scopes::of(&[Scope::Tournament]);
const MANAGE: Scopes = Scopes::of(&[Scope::Account]);
const ADMIN: Scopes = Scopes::of(&[Scope::Admin]);

/// Declares the requests once: variant, wire type, the scopes of which a token needs one, and the struct of the same name.
macro_rules! client_messages {
    ($($(#[$about:meta])* $variant:ident $kind:literal $scopes:ident,)*) => {
        /// A request.
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

            /// The scopes of which a token needs one for a request of this type; `None` when there is no such type.
            #[must_use]
            pub fn scopes_of(kind: &str) -> Option<Scopes> {
                match kind {
                    $($kind => Some($scopes),)*
                    _ => None,
                }
            }

            /// The scopes of which a token needs one for this request.
            #[must_use]
            pub fn scopes(&self) -> Scopes {
                match self { $(Self::$variant(_) => $scopes),* }
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
    /// Identifies the connection; must come first. Reply: `welcome`.
    Hello "hello" ANY,
    /// Proves who you are by a password, before `hello`. Reply: `logged_in`, with a token for `hello`.
    Login "login" ANY,
    /// Sets a new password with a recovery code, before `hello`; all tokens of the account are revoked, and the other codes are void. Reply: `logged_in`.
    Recover "recover" ANY,
    /// Revokes the token of this connection. Reply: `done`, then `signed_out`, and the server closes with 1008.
    Logout "logout" ANY,
    /// Gives your account a password, or another one; then every other token with the scope `account` is revoked, and your recovery codes
    /// are void. Reply: `done`.
    SetPassword "set_password" MANAGE,
    /// Replaces your recovery codes. Reply: `recovery_codes`.
    NewRecoveryCodes "new_recovery_codes" MANAGE,
    /// Lists your tokens. Reply: `tokens`.
    Tokens "tokens" MANAGE,
    /// Creates a token. Reply: `token`.
    CreateToken "create_token" MANAGE,
    /// Replaces a token by one of the same name, scopes and expiry; the old one is revoked. Not for the token of this connection, nor for one
    /// with a scope that yours does not have. Reply: `token`.
    RotateToken "rotate_token" MANAGE,
    /// Revokes a token: connections that use it are closed. Reply: `done`.
    RevokeToken "revoke_token" MANAGE,
    /// Revokes all tokens of a player who is no operator. Reply: `done`.
    SignOutPlayer "sign_out_player" ADMIN,
    /// Replaces the recovery codes of a player who is no operator and cannot sign in any more. Reply: `recovery_codes`.
    HelpPlayer "help_player" ADMIN,
    /// Changes your name. Logs of earlier matches keep the old one. Reply: `renamed`, once the name is durable.
    Rename "rename" MANAGE,
    /// Checks that the server answers. Reply: `pong`.
    Ping "ping" ANY,
    /// Creates a match. Reply: `created`.
    Create "create" BEGIN,
    /// Takes the free seat of a match. Reply: `joined`.
    Join "join" PLAY,
    /// Makes a move. Reply: `accepted`, once the move is durable.
    Move "move" PLAY,
    /// Resigns. Reply: `done`.
    Resign "resign" PLAY,
    /// Cancels an invitation that nobody has taken. In a match in which fewer than two moves were made, proposes to call it off. Reply: `done`.
    Abort "abort" PLAY,
    /// Proposes something to the other player, or agrees if the other has proposed the same. Reply: `done`.
    Propose "propose" PLAY,
    /// Agrees to a proposal of the other player, or declines it. Reply: `done`.
    Answer "answer" PLAY,
    /// Withdraws your proposal. Reply: `done`.
    WithdrawProposal "withdraw_proposal" PLAY,
    /// Ends a pause: the clock of the player to move runs again. In an adjourned match, proposes to resume, or accepts that proposal. Reply: `done`.
    Continue "continue" PLAY,
    /// Plans replies to the opponent's next move in a slow match. Reply: `done`, once the plan is durable.
    Plan "plan" PLAY,
    /// Ends the match because the other player stays away. Reply: `done`.
    Claim "claim" PLAY,
    /// Offers a rematch (same start position, sides swapped), or accepts the offer. Reply: `rematch`.
    Rematch "rematch" PLAY,
    /// Withdraws your offer of a rematch. Reply: `rematch`, with the new match if the offer was accepted before.
    Withdraw "withdraw" PLAY,
    /// Declines the rematch that the other player offers. Reply: `rematch`.
    DeclineRematch "decline_rematch" PLAY,
    /// Takes your seat on this connection: sends every event after `since_seq`, then each new one. Reply: `attached`.
    Resume "resume" PLAY,
    /// Follows a match in which you have no seat, in the same way. Reply: `attached`.
    Watch "watch" ANY,
    /// Stops following a match. Reply: `done`.
    Leave "leave" ANY,
    /// Says something in a room of a match. Reply: `said`, once the line is durable.
    Say "say" PLAY,
    /// Returns the lines of a room, one page at a time, without those of players you have muted. Reply: `chat`.
    Chat "chat" ANY,
    /// Mutes a player: the server sends you no more lines of this player. Reply: `done`, once the change is durable.
    Mute "mute" PLAY,
    /// Unmutes a player. Reply: `done`, once the change is durable.
    Unmute "unmute" PLAY,
    /// Lists the players you have muted. Reply: `muted`.
    Muted "muted" PLAY,
    /// Lists matches, newest first. Reply: `matches`.
    List "list" ANY,
    /// Returns the log of a match, one page at a time. Reply: `record`.
    Record "record" ANY,
    /// Lists the legal moves of a position or of a match in play, one page at a time. Reply: `moves`.
    Moves "moves" ANY,
    /// Solves a position. Reply: `solved`.
    Solve "solve" ANY,
    /// Explains moves of a position: what each leaves, why that is won or lost, and the reply that refutes it. Reply: `explained`.
    Explain "explain" ANY,
    /// Analyses a finished match, one page of moves at a time. Reply: `reviewed`.
    Review "review" ANY,
    /// Cancels a `solve`, `explain`, `review` or `solve_puzzle` of this connection that is not answered yet: it is refused with `cancelled`. If it is answered already,
    /// nothing happens. Reply: `done`.
    Cancel "cancel" ANY,
    /// Sends the events of your account on this connection from now on. Reply: `account`.
    FollowAccount "follow_account" PLAY,
    /// Stops that, and ends your standing offer on this connection. Reply: `done`.
    LeaveAccount "leave_account" PLAY,
    /// Challenges a player who follows the account. Reply: `challenged`, or `joined` if the player has a standing offer that fits.
    Challenge "challenge" BEGIN,
    /// Accepts a challenge. Reply: `joined`.
    Accept "accept" PLAY,
    /// Declines a challenge. Reply: `done`.
    Decline "decline" PLAY,
    /// Withdraws a challenge of yours. Reply: `done`.
    WithdrawChallenge "withdraw_challenge" BEGIN,
    /// Makes or replaces your standing offer: the server accepts every challenge that fits it. It ends with this connection. Reply: `done`.
    Offer "offer" PLAY,
    /// Lists standing offers. Reply: `offers`.
    Offers "offers" ANY,
    /// Opens a seat in the lobby, or asks the server to find an opponent. It ends with this connection. Reply: `seeking`.
    Seek "seek" BEGIN,
    /// Lists those who look for an opponent. Reply: `seeks`.
    Seeks "seeks" ANY,
    /// Plays a seeker: takes the other seat. Reply: `joined`.
    Take "take" BEGIN,
    /// Withdraws a seek of yours. Reply: `done`.
    WithdrawSeek "withdraw_seek" BEGIN,
    /// Shows the ratings of a player, one for each game family in which the player has played rated pairs. Reply: `ratings`.
    Ratings "ratings" ANY,
    /// Lists the rated pairs of a player in a game family, newest first. Reply: `rating_history`.
    RatingHistory "rating_history" ANY,
    /// Lists the players of a game family by their ratings, the best first. Reply: `leaderboard`.
    Leaderboard "leaderboard" ANY,
    /// Returns a puzzle: a position that you can win. Nothing in the reply says how. Only people are rated on puzzles. Reply: `puzzle`.
    Puzzle "puzzle" BEGIN,
    /// Answers a puzzle. Your first answer counts for your rating in puzzles and for that of the puzzle; every later one returns the first
    /// result again. Reply: `puzzle_solved`, once the result is durable.
    SolvePuzzle "solve_puzzle" BEGIN,
    /// Creates a tournament, if the server allows it to you. Reply: `tournament`.
    CreateTournament "create_tournament" ORGANISE,
    /// Enters a tournament. Reply: `tournament`.
    JoinTournament "join_tournament" PLAY,
    /// Takes you out of a tournament: you lose your running games in it. Reply: `tournament`.
    WithdrawFromTournament "withdraw_from_tournament" PLAY,
    /// Starts, pauses, resumes or cancels your tournament. An operator with the scope `admin` can cancel any. Reply: `tournament`.
    ControlTournament "control_tournament" ORGANISE,
    /// Shows a tournament and a page of its standings. Reply: `tournament`.
    ShowTournament "show_tournament" ANY,
    /// Follows a tournament: every event after the `seq` of the reply is sent. Reply: `tournament`.
    WatchTournament "watch_tournament" ANY,
    /// Stops following a tournament. Reply: `done`.
    UnwatchTournament "unwatch_tournament" ANY,
    /// Lists tournaments, newest first. Reply: `tournaments`.
    ListTournaments "list_tournaments" ANY,
    /// Returns the log of a tournament, one page at a time. Reply: `tournament_log`.
    TournamentLog "tournament_log" ANY,
    /// Leaves all matches and closes the connection. Reply: `done`, then the server closes with 1000.
    Bye "bye" ANY,
}

/// See [`ClientMessage::Hello`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The protocol version that the client speaks.
    #[schemars(range(min = VERSION, max = VERSION))]
    pub protocol: u32,
    /// The client's name and version, at most 64 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = CLIENT_BYTES_MAX))]
    pub client: Option<String>,
    /// The language of the sentences that this connection gets with reasons, as a tag of BCP 47 of at most 35 bytes, such as `zh-CN`. English if it is absent or if
    /// the server has no words in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LANGUAGE_BYTES_MAX))]
    pub language: Option<String>,
    /// The secret from an earlier `welcome`. Without it the server creates a new guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Secret>,
    /// For a new guest only: the name that others see, 1 to 32 characters that no other player's name looks like. Without it the server makes one up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = NAME_MAX))]
    pub name: Option<String>,
    /// For a new guest only: `true` if a program plays. `false` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<bool>,
    /// For pages of the server: `true` if the player is the one whose secret is in the cookie `grundy` of the handshake. If there is no such player, a
    /// new guest is created. `name` is for that guest, or for a guest without a password whose name the server has made up; any other player keeps the
    /// name. Not together with `token` or `bot`. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session: bool,
}

/// See [`ClientMessage::Rename`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// The name that others see from now on, 1 to 32 characters. No other player has it, or one that looks like it.
    #[schemars(length(min = 1, max = NAME_MAX))]
    pub name: String,
}

/// See [`ClientMessage::Ping`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ping {}

/// The opponent that the creator of a match asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Opponent {
    /// The player who joins with the code in the reply.
    Invite {},
    /// A built-in player of the server.
    Bot {
        /// `perfect`, `random`, `greedy`, `teacher`, `trickster`, or `skill:Q` with Q from 0 to 1.
        name: String,
    },
}

/// See [`ClientMessage::Create`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// The start position; it must have a legal move.
    #[schemars(length(min = 1, max = START_BYTES_MAX))]
    pub position: String,
    /// The clocks. Untimed if absent.
    #[serde(default = "untimed", with = "AskedClock")]
    #[schemars(with = "AskedClock")]
    pub clock: TimeControl,
    /// How many games to play, one after another with sides swapped: 1, or an even number from 2 to 1000. 1 if absent.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 1, max = SERIES_MAX))]
    pub games: u32,
    /// `true` for a rated pair: `games` is 2, there is a clock, and the opponent is no built-in bot. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Your side, in a series that of the first game. `random` if absent.
    #[serde(default)]
    pub side: Side,
    /// The other player.
    pub opponent: Opponent,
    /// Your name for this match. If you send the same request again under the same name, you get the first reply again; the join code only while the match waits for a player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_create_id: Option<ClientCreateId>,
}

/// See [`ClientMessage::Join`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The join code: eight letters. Case, spaces and hyphens do not matter.
    pub code: String,
}

/// See [`ClientMessage::Move`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of this move: 1 for the first move of the match.
    pub ply: Ply,
    /// The move, in the notation of its game.
    #[serde(rename = "move")]
    pub move_text: String,
    /// Your name for this move. If you send the same move under the same name again, you get the first reply again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_move_id: Option<ClientMoveId>,
    /// How often the player asked your program for a hint or a reason since the player's move before. The server cannot check it; it is stored with
    /// the move and shown in reviews. `0` if absent. In a rated match and in a tournament the move is refused with `not_possible` unless it is `0`.
    #[serde(default, skip_serializing_if = "is_no_hint")]
    #[schemars(range(max = HINTS_MAX))]
    pub hints: u32,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_no_hint(hints: &u32) -> bool {
    *hints == 0
}

/// See [`ClientMessage::Plan`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of the move with which each line begins: the opponent's next move.
    pub ply: Ply,
    /// Lines of play, at most 16. Each has 2, 4, 6 or 8 moves: a move of the opponent, your reply, and so on. They replace your previous
    /// plan; an empty list cancels it.
    #[schemars(length(max = PLAN_LINES_MAX), inner(length(max = PLAN_MOVES_MAX)))]
    pub lines: Vec<Vec<String>>,
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

about_a_match!(Resign Abort WithdrawProposal Continue Rematch Withdraw DeclineRematch Leave);

/// See [`ClientMessage::Propose`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Propose {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// What you propose. It replaces what you proposed before.
    pub proposal: Proposal,
}

/// See [`ClientMessage::Claim`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// What you claim.
    pub claim: event::Claim,
}

/// See [`ClientMessage::Answer`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of the `proposed` event that you answer.
    pub proposed_seq: Seq,
    /// `true` to agree, `false` to decline.
    pub agree: bool,
}

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
                /// The newest event that you have. 0 (none) if absent.
                #[serde(default)]
                pub since_seq: Seq,
            }
        )*
    };
}

following_a_match!(Resume Watch);

/// The state of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListStatus {
    /// Waits for the second player. Listed for its creator only.
    Waiting,
    /// In play.
    Live,
    /// Finished.
    Over,
}

/// How a match ended, as lists are asked for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListResult {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// A draw.
    Draw,
    /// The match does not count.
    Void,
    /// With `mine` or `player`: this player won.
    Won,
    /// With `mine` or `player`: this player lost.
    Lost,
}

/// The order of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListOrder {
    /// In order of creation, the newest first.
    Newest,
    /// In order of creation, the oldest first.
    Oldest,
    /// Only finished matches, in the order in which they ended. Each has a `place`, from which a later `list` can continue. A `status`
    /// other than `over` is refused with `out_of_range`.
    Ended,
}

/// Whose mistakes a search counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MistakesBy {
    /// With `mine` or `player`: those of this player.
    Player,
    /// With `mine` or `player`: those of this player's opponent.
    Opponent,
    /// Those of either player: at least one of the two must match.
    Either,
}

/// What can be asked of a match in a list.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListOnly {
    /// Only matches of this family: the name of a game, or `sum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Only matches from this start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Only finished matches that ended like this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ListResult>,
    /// `true`: only rated matches. `false`: only others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<bool>,
    /// Only matches that were created at this moment or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<Millis>,
    /// Only matches that were created before this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<Millis>,
    /// Only finished matches with at least so many moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_plies: Option<u32>,
    /// Only finished matches with at most so many moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// Only finished matches with at least this many mistakes. Matches without a known count are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_mistakes: Option<u32>,
    /// Only finished matches with at most this many mistakes. Matches without a known count are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_mistakes: Option<u32>,
    /// With `min_mistakes` or `max_mistakes`: whose mistakes count. If absent, `player`, or `either` if the request has neither `mine` nor `player`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistakes_by: Option<MistakesBy>,
}

/// See [`ClientMessage::List`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Only matches in this state. All states if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ListStatus>,
    /// Only your own matches. `false` if absent.
    #[serde(default)]
    pub mine: bool,
    /// Only matches of this player: an id, or a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// With `mine` or `player`: only matches against this player, named in the same way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// Only matches of which all of this is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Box<ListOnly>>,
    /// Which matches come first. `newest` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<ListOrder>,
    /// The `next` of the previous page, or the `place` of a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Most matches on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Record`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The newest event that you have. 0 (none) if absent.
    #[serde(default)]
    pub since_seq: Seq,
    /// Most events on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Moves`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moves {
    /// The position. Give either this or `match`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The match, in which the moves of the player to move are listed.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub match_id: Option<String>,
    /// With `position`: the player to move, which matters in partizan games only. `first` (Left) if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Seat>,
    /// The number of the first move to list, counted from 0. 0 if absent.
    #[serde(default)]
    pub from: u64,
    /// Most moves on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
    /// `true` to get also a picture of the position, with the first page, and the parts of it that each move touches. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub picture: bool,
}

/// See [`ClientMessage::Solve`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// The position.
    pub position: String,
    /// The player to move, which matters in partizan games only. `first` (Left) if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Seat>,
    /// Most winning moves to list: 0 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = PAGE_MAX))]
    pub max_moves: Option<u32>,
}

/// See [`ClientMessage::Explain`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// The position.
    pub position: String,
    /// The player to move, which matters in partizan games only. `first` (Left) if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Seat>,
    /// The moves, at most 16. The best move is always explained. None if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = EXPLAINED_MOVES_MAX))]
    pub moves: Vec<String>,
}

/// See [`ClientMessage::Review`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of the last move on the previous page. 0 (the first page) if absent.
    #[serde(default)]
    pub after_ply: Ply,
    /// Most moves on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
    /// `true` if you want notices of type `reviewing` while the review is not done. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub progress: bool,
}

/// See [`ClientMessage::Cancel`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cancel {
    /// The `id` of the request that you cancel.
    pub request: u64,
}

/// See [`ClientMessage::FollowAccount`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowAccount {
    /// The `stream` of an earlier `account`: the events after `since_seq` are sent if the server still has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<String>,
    /// The newest event that you have. 0 (none) if absent.
    #[serde(default)]
    pub since_seq: Seq,
}

/// See [`ClientMessage::LeaveAccount`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaveAccount {}

/// See [`ClientMessage::Challenge`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Challenge {
    /// The player, who has to follow the account now: an id or a name.
    pub player: String,
    /// The start position; it must have a legal move.
    #[schemars(length(min = 1, max = START_BYTES_MAX))]
    pub position: String,
    /// The clocks. Untimed if absent.
    #[serde(default = "untimed", with = "AskedClock")]
    #[schemars(with = "AskedClock")]
    pub clock: TimeControl,
    /// How many games to play, one after another with sides swapped: 1, or an even number from 2 to 1000. 1 if absent.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 1, max = SERIES_MAX))]
    pub games: u32,
    /// `true` for a rated pair: `games` is 2, and there is a clock. `false` if absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Your side, in a series that of the first game. `random` if absent.
    #[serde(default)]
    pub side: Side,
    /// How long the challenge stands: 1 s to 1 h. 60 s if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = CHALLENGE_STANDS.start(), "maximum" = CHALLENGE_STANDS.end()))]
    pub expires_ms: Option<Millis>,
}

/// Declares requests that name nothing but a challenge.
macro_rules! about_a_challenge {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("See [`ClientMessage::", stringify!($name), "`].")]
            #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                /// The challenge.
                pub challenge: String,
            }
        )*
    };
}

about_a_challenge!(Accept WithdrawChallenge);

/// See [`ClientMessage::Decline`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decline {
    /// The challenge.
    pub challenge: String,
    /// Why. `other` if absent.
    #[serde(default)]
    pub reason: DeclineReason,
}

/// See [`ClientMessage::Offer`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// The games that you play, by their names, at most 64. All if absent or empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = OFFER_GAMES_MAX))]
    pub games: Vec<String>,
    /// Unfinished matches that you take at once, those of other origin counted: 1 to `matches_per_player`.
    #[schemars(range(min = 1, max = MATCHES_PER_PLAYER_MAX))]
    pub at_once: u32,
    /// The least time that a clock gives for the first move: 1 s to 24 h. 1 s if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = BASE_MS.start(), "maximum" = BASE_MS.end()))]
    pub min_base_ms: Option<Millis>,
    /// Whether you play without clocks, too. `true` if absent.
    #[serde(default = "yes")]
    pub untimed: bool,
}

fn yes() -> bool {
    true
}

/// See [`ClientMessage::Offers`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offers {
    /// Only offers of this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The `next` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<PlayerId>,
    /// Most offers on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
}

/// See [`ClientMessage::Bye`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bye {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each connection keeps room for several requests: one that is large and rare would cost every connection.
    #[test]
    fn a_request_is_small() {
        assert!(
            size_of::<ClientMessage>() <= 112,
            "{}",
            size_of::<ClientMessage>()
        );
    }
}
