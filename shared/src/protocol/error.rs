//! Refusals: one machine code per cause, with words, and what to do about it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::DeclineReason;

/// Declares the codes once: variant, wire text, meaning and remedy.
macro_rules! codes {
    ($($variant:ident $text:literal $meaning:literal $remedy:literal)*) => {
        /// Why a request was refused. The text of a code never changes.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        pub enum ErrorCode {
            $(
                #[doc = $meaning]
                #[serde(rename = $text)]
                $variant,
            )*
        }

        impl ErrorCode {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The text on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// What happened.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),* }
            }

            /// What the client can do.
            #[must_use]
            pub fn remedy(self) -> &'static str {
                match self { $(Self::$variant => $remedy),* }
            }
        }
    };
}

codes! {
    BadJson "bad_json" "The frame is not one JSON object, or ends in something else." "Send one JSON object per text message; the message names the byte. The tenth within a minute closes the connection."
    TooDeep "too_deep" "Arrays and objects are nested too deeply." "No request needs more than five levels."
    UnknownType "unknown_type" "No request has this type." "Use a type of this document; the message names the nearest."
    UnknownField "unknown_field" "The request has a field that its type does not know." "Remove it; the message lists the fields."
    MissingField "missing_field" "A field that the request needs is absent." "Add it."
    WrongType "wrong_type" "A field holds another kind of value than it should." "See the schema of the request."
    DuplicateField "duplicate_field" "A field is given twice." "Give it once."
    OutOfRange "out_of_range" "A number or text is outside its bounds." "Stay within `limit`."
    BadName "bad_name" "The name is empty or blank, too long, not in Unicode form NFC, looks like a built-in bot's or an operator's, is `.` or `..`, or has control, direction, invisible or unassigned characters." "Use 1 to 32 visible characters, with single spaces between them."
    NameTaken "name_taken" "Another player has this name, or one that looks like it: case and look-alike letters make no difference." "Choose another; `example` is one like it."
    BadPosition "bad_position" "The position does not parse (an unknown game, too: `nimm:3`), or has no move." "The message names the column and shows a legal one."
    BadGameCode "bad_game_code" "The game is known, and the parameters in its name are wrong (`moore.x:3`)." "The message names the column and shows a legal one."
    IllegalMove "illegal_move" "The rules do not allow this move here." "`example` is a legal move."
    NotYourTurn "not_your_turn" "The opponent is to move." "Wait for the opponent's `moved` event."
    NotAPlayer "not_a_player" "You have no seat in this match." "Use `watch`."
    NotStarted "not_started" "Nobody has taken the other seat yet." "Wait for the `joined` event."
    NotOver "not_over" "The match is still running." "Ask again after its `ended` event."
    MatchOver "match_over" "The match has ended; for `say`, more than an hour ago." "There is nothing to do; `record` has the result."
    TooLate "too_late" "Two plies were made: the match can no longer be called off." "Use `resign`."
    NoSuchProposal "no_such_proposal" "No such proposal is open: it was answered or withdrawn, or a move has ended it." "Read the events to see which proposals are open, or make the proposal yourself."
    NotPossible "not_possible" "The match does not allow this: no move of yours to take back, a game without draws, no clock to pause, nobody who is away." "The message says why. `retry_after_ms` says when a claim may succeed."
    AbsentPlayerWins "absent_player_wins" "The player who is away has a proven win: nothing can be claimed." "Wait, or send `resign`."
    RatedMatch "rated_match" "You are in a rated pair: until both games are over, no request returns what the solver finds or what watchers say, and no built-in bot plays against you." "Ask again when both games are over."
    Paused "paused" "The match is paused: no move can be made." "Send `continue`, or wait for the `continued` event."
    InSeries "in_series" "The match is a game of a series that goes on: there is no rematch of it." "Play the next game, which `ended` names in `next`. Offer a rematch after the last game."
    InTournament "in_tournament" "The match is a game of a tournament: it has no proposals and no rematch." "Use `resign`."
    StalePly "stale_ply" "The move names another ply than the next one." "`expected` is the next ply, `seq` the newest event; `resume` what you missed."
    IdempotencyConflict "idempotency_conflict" "This `client_move_id` was used for another move, or this `client_create_id` for another match." "Use a new id for each new move and each new match."
    NoSuchMatch "no_such_match" "There is no such match, or it is not for you to see." "Check the id."
    NoSuchCode "no_such_code" "The code is wrong, used, revoked or expired." "Ask your friend for a new one."
    NoSuchPlayer "no_such_player" "No player has this id or name." "Check the spelling, or use the id."
    PlayerAbsent "player_absent" "No player with this id or name follows the account now." "Try again later; `offers` lists who plays at once, and `create` plays built-in bots."
    AccountNotFollowed "account_not_followed" "This connection does not follow its account, so it would not hear of the outcome." "Send `follow_account` first."
    NoSuchChallenge "no_such_challenge" "There is no such challenge, it is not for you, or it has ended." "`follow_account` lists those that are open."
    NoSuchSeek "no_such_seek" "There is no such seek, or it is not yours; or somebody else was quicker, or it has ended." "`seeks` lists those that are open."
    NoSuchPuzzle "no_such_puzzle" "The server has no puzzle with this id, or none that you have not tried." "Ask without `puzzle`, or for another family."
    Declined "declined" "The player's standing offer does not fit this challenge, or the seek is not for you." "`reason` says why."
    SeatTaken "seat_taken" "Somebody else has joined this match." "Use `watch` to see it."
    OwnMatch "own_match" "This match is your own: its other seat is for somebody else, and you do not watch it." "Use `resume` to follow it from your seat; join as another guest."
    AuthRequired "auth_required" "The connection has not said `hello` yet." "Send `hello` first."
    AlreadyIdentified "already_identified" "The connection has said `hello` already." "Open another connection for another identity."
    BadToken "bad_token" "The token is unknown, revoked or expired; the server does not say which." "Use `login`, or say `hello` without a token to become a guest."
    MissingScope "missing_scope" "Your token is not good for this request." "Use another token. `limit` names the scopes that it lacks, or of which one is needed; `got` names those of yours."
    BadPassword "bad_password" "The new password has fewer than 8 characters or more than 1024 bytes, has control characters, or is your name." "Choose another."
    BadCredentials "bad_credentials" "The name, the password or the recovery code is wrong; the server does not say which." "Check all of them. Without a password and a code, only the operator can help."
    TooManyAttempts "too_many_attempts" "Too many attempts to sign in to this account, or from this address." "Wait `retry_after_ms`."
    NoSuchToken "no_such_token" "You have no token with this prefix." "`tokens` lists those that you have."
    Banned "banned" "An operator has banned you or your address from this server." "`retry_after_ms` says when the ban ends. Without it, only the operator can lift the ban."
    UnsupportedVersion "unsupported_version" "The server does not speak this protocol version." "`limit` is the version it speaks."
    NoSuchTournament "no_such_tournament" "There is no such tournament." "Check the id; `list_tournaments` shows all."
    NotAllowed "not_allowed" "You may not do this: you may not create tournaments on this server, the tournament is not yours, you may say only presets in this room, or you are a bot and bots are not rated on puzzles." "Ask the operator or the organiser; say a preset, or set a password."
    EntriesClosed "entries_closed" "The tournament has begun or is over: nobody can enter any more." "Enter the next one."
    NotAdmitted "not_admitted" "The tournament does not admit you: it is full, or for other players, or your name is taken in it." "The message says why."
    NotEntered "not_entered" "You do not play in this tournament." "Use `join_tournament`."
    WrongStatus "wrong_status" "The tournament is not in a state in which this can be done." "The message says what it is; `show_tournament` shows all of it."
    RateLimited "rate_limited" "Too many requests or lines of chat, or a quota of the day is used up." "Wait `retry_after_ms`. The third refusal in a row closes the connection, except for chat."
    TooMany "too_many" "You have too many of these at once." "End one first; `limit` says how many are allowed."
    ServerBusy "server_busy" "The server cannot take this now." "Try again after `retry_after_ms`."
    AnalysisTooLarge "analysis_too_large" "The analysis does not fit its budget." "Use the command line with a larger --budget."
    Cancelled "cancelled" "You cancelled this analysis." "Ask again if you still want it."
    AnalysisRunning "analysis_running" "Your previous analysis is still running." "Wait for its reply."
    ReadOnly "read_only" "The server cannot write to its store now; nothing was changed." "Try again after `retry_after_ms`; reading works."
    ShuttingDown "shutting_down" "The server is stopping." "Connect again after `retry_after_ms` and `resume`."
    BinaryUnsupported "binary_unsupported" "Binary messages are not part of this protocol." "Send text messages."
    Internal "internal" "The server made an error; this request had no effect that it knows of." "A damaged record, or a match put aside, is for the operator: the message says so. Else `resume` shows what is stored."
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A refusal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// The cause.
    pub code: ErrorCode,
    /// What happened and what to do, in words.
    pub message: String,
    /// The field at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The bound that was exceeded, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// What you sent instead, at most 64 bytes of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// The place of the fault in a position or move, in characters from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// A legal example.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// With `stale_ply`: the number of the next move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<u32>,
    /// With `stale_ply`: the newest event of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// With `declined`: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DeclineReason>,
    /// Try again after this time, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// Whether the server closes the connection after this.
    pub closes: bool,
}

impl ErrorBody {
    /// A refusal with nothing but words.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            field: None,
            limit: None,
            got: None,
            column: None,
            example: None,
            expected: None,
            seq: None,
            reason: None,
            retry_after_ms: None,
            closes: false,
        }
    }

    /// With the field at fault.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// With the bound that was passed.
    #[must_use]
    pub fn limit(mut self, limit: impl fmt::Display) -> Self {
        self.limit = Some(limit.to_string());
        self
    }

    /// With what came instead, cut at 64 bytes.
    #[must_use]
    pub fn got(mut self, got: &str) -> Self {
        self.got = Some(got[..got.floor_char_boundary(64)].to_owned());
        self
    }

    /// With a time to wait.
    #[must_use]
    pub fn retry_after_ms(mut self, wait_ms: u64) -> Self {
        self.retry_after_ms = Some(wait_ms);
        self
    }

    /// Saying that the connection closes after this.
    #[must_use]
    pub fn closing(mut self) -> Self {
        self.closes = true;
        self
    }
}

impl fmt::Display for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for ErrorBody {}
