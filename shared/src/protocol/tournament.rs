//! What is said about tournaments.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PAGE_MAX;
use crate::bounds::{REASON_MAX, START_DELAY_MAX, TOURNAMENT_NAME_MAX};
use crate::event::{Event, PlayerInfo};
use crate::ids::{MatchId, Millis, Seq, TournamentId};
use crate::tournament::{Admission, Commitment, Dated, Format, Row, Rules, Seed};

/// See `create_tournament`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateTournament {
    /// Shown to people: 1 to 64 characters.
    #[schemars(length(min = 1, max = TOURNAMENT_NAME_MAX))]
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// How a pairing is played.
    pub rules: Box<Rules>,
    /// Who may enter.
    pub admission: Admission,
    /// Start after this time, whoever has entered: at most 30 days. Absent: you start it, or the last place does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = START_DELAY_MAX))]
    pub start_in_ms: Option<Millis>,
    /// Built-in bots that play along, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<String>,
}

/// Declares requests that name nothing but a tournament.
macro_rules! about_a_tournament {
    ($($name:ident $kind:literal)*) => {
        $(
            #[doc = concat!("See `", $kind, "`.")]
            #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                /// The tournament.
                pub tournament: String,
            }
        )*
    };
}

about_a_tournament!(
    JoinTournament "join_tournament"
    WithdrawFromTournament "withdraw_from_tournament"
    UnwatchTournament "unwatch_tournament"
);

/// What an organiser does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// Close the entries and begin.
    Start,
    /// Begin no further game until it is resumed.
    Pause,
    /// Go on.
    Resume,
    /// End it now: running games do not count.
    Cancel,
}

/// See `control_tournament`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlTournament {
    /// The tournament.
    pub tournament: String,
    /// What to do.
    pub action: Control,
    /// With `cancel`: why, for people, at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = REASON_MAX))]
    pub reason: Option<String>,
}

/// See `show_tournament`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowTournament {
    /// The tournament.
    pub tournament: String,
    /// Rows of the standings to leave out, from the first. 0 if absent.
    #[serde(default)]
    pub after: u32,
    /// Most rows of the standings: 0 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = PAGE_MAX))]
    pub limit: Option<u32>,
}

/// See `watch_tournament`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchTournament {
    /// The tournament.
    pub tournament: String,
    /// Whether this connection takes your seats: it then follows each of your games, from event 1 on, as soon as it begins.
    #[serde(default)]
    pub play: bool,
}

/// See `list_tournaments`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListTournaments {
    /// The `next` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u32>,
    /// Most tournaments on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
}

/// See `tournament_log`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentLog {
    /// The tournament.
    pub tournament: String,
    /// The newest event that you have. 0 (none) if absent.
    #[serde(default)]
    pub since_seq: Seq,
    /// Most events on the page: 1 to 200. 50 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_MAX))]
    pub limit: Option<u32>,
    /// Add the log of its match to each `game_ended`.
    #[serde(default)]
    pub games: bool,
}

/// How far a tournament has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TournamentStatus {
    /// Players can enter.
    Entries,
    /// Games are played.
    Running,
    /// No game begins until it is resumed.
    Paused,
    /// All games were played.
    Over,
    /// It was cancelled.
    Cancelled,
}

impl TournamentStatus {
    /// Whether nothing will happen in it any more.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::Over | Self::Cancelled)
    }
}

/// A tournament after one of its events.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TournamentState {
    /// The tournament.
    pub tournament: TournamentId,
    /// The newest event that the state includes.
    pub seq: Seq,
    /// The head of the hash chain of its log: 64 hexadecimal digits.
    pub head: String,
    /// The name.
    pub name: String,
    /// Who may start, pause and cancel it.
    pub organiser: PlayerInfo,
    /// How far it has come.
    pub status: TournamentStatus,
    /// Why it was cancelled, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<String>,
    /// Who meets whom.
    pub format: Format,
    /// Games of a pairing.
    pub games_of_pairing: u32,
    /// Who may enter.
    pub admission: Admission,
    /// Players who have entered.
    pub players: u32,
    /// The commitment to the seed.
    pub commitment: Commitment,
    /// The seed, once the tournament is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// When the entries close by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at_ms: Option<Millis>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_at_ms: Option<Millis>,
    /// When its newest event happened.
    pub last_at_ms: Millis,
    /// The server's time.
    pub now_ms: Millis,
    /// Finished rounds.
    pub rounds: u32,
    /// Games with a result.
    pub games_ended: u64,
    /// Games in all, if nobody withdraws and none is played again; those with a result once it is over. Absent before it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_planned: Option<u64>,
    /// How long it goes on if it goes on as so far, by boards and rounds; absent before a game has ended, while it is paused, and when it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<Millis>,
    /// Your running games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<MatchId>,
    /// Rows of the standings after the finished rounds.
    pub standings: Vec<Row>,
    /// Why the standings have no Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_why: Option<String>,
}

/// A tournament in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TournamentSummary {
    /// The tournament.
    pub tournament: TournamentId,
    /// The name.
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// When it was created.
    pub created_at_ms: Millis,
    /// How far it has come.
    pub status: TournamentStatus,
}

/// An event of a tournament's log as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LoggedEvent {
    /// Its number.
    pub seq: Seq,
    /// The event.
    pub body: Dated,
    /// The log of its match, if it is a `game_ended` and the logs of matches were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Vec<Event>>,
}
