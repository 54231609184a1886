//! The vocabulary of a tournament: what its organiser states, what can happen in it, and why an event does not fit.
//!
//! As with matches, an event is stored as the JSON written here, and only the erasure of a player rewrites it: this module only grows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::schedule::{Game, MAX_PLAYERS, Schedule, ScheduleError};
use super::seed::{Commitment, Seed};
use super::swiss::SwissError;
use super::tie_break::Edition;
use crate::bounds::{
    ABSENCE_MS, ENTRANTS, GAMES_OF_PAIRING_MAX, LADDER_ROUNDS_MAX, SWISS_ROUNDS_MAX,
    TOURNAMENT_NAME_MAX,
};
use crate::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use crate::ids::{MatchId, Millis, TournamentId};

/// How often a level pairing of a knockout is played again; then the better seed goes on.
pub const MAX_REPLAYS: u32 = 5;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// Everybody meets everybody once.
    RoundRobin {},
    /// Everybody meets everybody twice.
    DoubleRoundRobin {},
    /// The players who entered first meet all others.
    Gauntlet {
        /// How many.
        #[schemars(range(max = ENTRANTS.end() - 1))]
        seeds: u32,
    },
    /// The Dutch system.
    Swiss {
        /// How many rounds: 1 to 99.
        #[schemars(range(min = 1, max = SWISS_ROUNDS_MAX))]
        rounds: u32,
    },
    /// The loser is out. A level pairing is played again, at most five times; then the one who entered first goes on.
    Knockout {},
    /// An open ladder: in each round players of similar rating meet. Entries stay open.
    Ladder {
        /// How many rounds: 1 to 1000.
        #[schemars(range(min = 1, max = LADDER_ROUNDS_MAX))]
        rounds: u32,
    },
}

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Starts {
    /// These positions, in an order drawn from the seed.
    List {
        /// At least one.
        #[schemars(length(min = 1))]
        positions: Vec<String>,
    },
    /// Positions made from the seed.
    Random {
        /// Such as `nim,heaps=3-5,max=15,count=32`.
        recipe: String,
    },
}

/// How a pairing is played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Games of a pairing: 1, or an even number up to 1000. Two games each have one start, with sides swapped.
    #[schemars(range(min = 1, max = GAMES_OF_PAIRING_MAX))]
    pub games: u32,
    /// The clock of each game; a tournament needs one.
    pub clock: TimeControl,
    /// Where games begin.
    pub starts: Starts,
    /// A player who has not come this long after a game was created loses it: 1 s to 24 h.
    #[schemars(extend("minimum" = ABSENCE_MS.start(), "maximum" = ABSENCE_MS.end()))]
    pub start_ms: Millis,
    /// A player who is away from a game for this long loses it: 1 s to 24 h.
    #[schemars(extend("minimum" = ABSENCE_MS.start(), "maximum" = ABSENCE_MS.end()))]
    pub away_ms: Millis,
}

/// Which kind of player may enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// People and bots.
    #[default]
    Both,
    /// People only.
    People,
    /// Bots only.
    Bots,
}

/// Who may enter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Admission {
    /// Which kind of player. `both` if absent.
    #[serde(default)]
    pub who: Who,
    /// The largest number of entrants: 2 to 1000. The tournament starts when it is reached, unless it has a time to start.
    #[schemars(range(min = *ENTRANTS.start(), max = *ENTRANTS.end()))]
    pub most: u32,
    /// Only players with these names. Everybody if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// What can happen in a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TournamentEvent {
    /// The tournament was created; always event 1.
    Created {
        /// Shown to people.
        name: String,
        /// Who may start, pause and cancel it.
        organiser: PlayerInfo,
        /// Who meets whom.
        format: Format,
        /// How a pairing is played.
        rules: Rules,
        /// Who may enter.
        admission: Admission,
        /// When the entries close. Absent if the organiser closes them, or the last place does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        starts_at_ms: Option<Millis>,
        /// To the seed of all chance: SHA-256 of `grundy/seed/1/` and the seed.
        commitment: Commitment,
        /// Which text of FIDE's C.07 the tie-breaks of a Swiss tournament follow. That of 2024 if absent; the others do not depend on it.
        #[serde(
            default = "Edition::unnamed",
            skip_serializing_if = "Edition::is_unnamed"
        )]
        tie_breaks: Edition,
    },
    /// A player entered, and has the next number.
    Entered {
        /// Who; the name is unique in the tournament.
        player: PlayerInfo,
    },
    /// The tournament begins. No more entries, except in a ladder.
    EntriesClosed {},
    /// A player takes no part in later rounds and loses the running games.
    Withdrew {
        /// The player's number.
        player: u32,
    },
    /// A round is paired. Stored before it is announced.
    RoundPaired {
        /// The number of the round, from 1.
        round: u32,
        /// The boards: pairs of players' numbers, the one to move first in game 1 first.
        pairs: Vec<Game>,
        /// Players without an opponent, who get the points of a win.
        byes: Vec<u32>,
    },
    /// A game of the running round ended. Stored in one operation with the end of its match.
    GameEnded {
        /// The number of the round, from 1.
        round: u32,
        /// The board, from 1.
        board: u32,
        /// The game of the pairing, from 1. Sides are swapped in every second game.
        game: u32,
        /// Its match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Who won; `first` is the player who moved first in this game.
        outcome: Outcome,
        /// How.
        reason: EndReason,
        /// The hash chain of the match's whole log: 64 hexadecimal digits.
        head: String,
    },
    /// No further game begins until the tournament is resumed.
    Paused {},
    /// It goes on.
    Resumed {},
    /// Ended before its time.
    Cancelled {
        /// Why, for people.
        reason: String,
    },
    /// The seed, opened at the end; always the last event.
    SeedOpened {
        /// What the commitment was to.
        seed: Seed,
    },
}

/// An event with its time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Dated {
    /// When, by the server's time, UTC; never before the event before it.
    pub at_ms: Millis,
    /// What.
    #[serde(flatten)]
    pub event: TournamentEvent,
}

impl Dated {
    /// The one form in which an event is stored, hashed and sent: compact JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has only string keys and plain values")
    }
}

/// The id of a game's match. It follows from the tournament, so that a game is found again instead of being made twice.
#[must_use]
pub fn match_of_game(tournament: TournamentId, round: u32, board: u32, game: u32) -> MatchId {
    let hash = Sha256::new()
        .chain_update(format!("grundy game {tournament}/{round}/{board}/{game}"))
        .finalize();
    let bits = hash.iter().take(8);
    MatchId::from_random(bits.fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
}

/// Why an event does not fit the tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its variant is")]
pub enum TournamentError {
    #[error("a tournament begins with 'created'")]
    NoBeginning,
    #[error("the tournament was created already")]
    CreatedTwice,
    #[error(
        "the name of a tournament has 1 to {TOURNAMENT_NAME_MAX} characters, none of them a control character"
    )]
    BadName,
    #[error("a pairing has 1 game or an even number up to {GAMES_OF_PAIRING_MAX}, not {0}")]
    BadGames(u32),
    #[error("a tournament needs a clock, such as 1m+1s: without one a game may never end")]
    NoClock,
    #[error("a player may have from 1000 to 86400000 ms to arrive or to return, not {got}")]
    BadAbsence { field: &'static str, got: Millis },
    #[error("a tournament needs at least one start position")]
    NoStart,
    #[error(
        "a Swiss tournament has 1 to {SWISS_ROUNDS_MAX} rounds, a ladder 1 to {LADDER_ROUNDS_MAX}; not {0}"
    )]
    BadRounds(u32),
    #[error("a tournament admits {least} to {most} players, not {0}", least = ENTRANTS.start(), most = ENTRANTS.end())]
    BadMost(u32),
    #[error("the entries are closed")]
    EntriesClosed,
    #[error("the entries are still open")]
    EntriesOpen,
    #[error("a player named '{0}' has entered already")]
    EnteredTwice(String),
    #[error("all {0} places are taken")]
    Full(u32),
    #[error("only {0} may enter")]
    WrongKind(&'static str),
    #[error("'{0}' is not on the list of players who may enter")]
    NotAdmitted(String),
    #[error("a tournament has at most {MAX_PLAYERS} players")]
    TooManyPlayers,
    #[error("there is no player {0}")]
    NoSuchPlayer(u32),
    #[error("player {0} has withdrawn already")]
    WithdrewTwice(u32),
    #[error("round {expected} is next, not round {got}")]
    WrongRound { expected: u32, got: u32 },
    #[error("round {0} still has games without a result")]
    RoundRunning(u32),
    #[error("the pairing of round {0} is not the one that the rules give")]
    WrongPairing(u32),
    #[error("round {round} has no board {board}")]
    NoSuchBoard { round: u32, board: u32 },
    #[error("game {game} of board {board} in round {round} has its result already")]
    ResultTwice { round: u32, board: u32, game: u32 },
    #[error("game {expected} is next on this board, not game {got}")]
    WrongGame { expected: u32, got: u32 },
    #[error("the tournament is paused")]
    Paused,
    #[error("the tournament is not paused")]
    NotPaused,
    #[error("the tournament is over")]
    Over,
    #[error("the tournament is not over")]
    NotOver,
    #[error("the seed is not the one that was committed to")]
    WrongSeed,
    #[error("{0}")]
    Schedule(ScheduleError),
    #[error("{0}")]
    Swiss(SwissError),
}

impl Format {
    fn check(self) -> Result<(), TournamentError> {
        let (rounds, most) = match self {
            Self::Swiss { rounds } => (rounds, SWISS_ROUNDS_MAX),
            Self::Ladder { rounds } => (rounds, LADDER_ROUNDS_MAX),
            _ => return Ok(()),
        };
        match (1..=most).contains(&rounds) {
            true => Ok(()),
            false => Err(TournamentError::BadRounds(rounds)),
        }
    }
}

impl Format {
    /// How many rounds there are with this many players, if none withdraws and a Swiss tournament does not run out of pairings. `None`
    /// with fewer than two players, or too many.
    #[must_use]
    pub fn rounds(self, players: u32) -> Option<u32> {
        if players < 2 {
            return None;
        }
        let once = players - (players + 1) % 2;
        Some(match self {
            Self::RoundRobin {} => once,
            Self::DoubleRoundRobin {} => 2 * once,
            Self::Gauntlet { seeds } => {
                let rounds = Schedule::Gauntlet { seeds }.rounds(players).ok()?;
                rounds.len() as u32
            }
            // Nobody meets twice: with few players fewer rounds are possible.
            Self::Swiss { rounds } => rounds.min(once),
            Self::Knockout {} => players.next_power_of_two().ilog2(),
            Self::Ladder { rounds } => rounds,
        })
    }
}

/// Whether what an organiser states can be played; the positions and the clock's figures are the referee's to judge.
///
/// # Errors
/// The first thing that is wrong.
pub fn check_terms(
    name: &str,
    format: Format,
    rules: &Rules,
    admission: &Admission,
) -> Result<(), TournamentError> {
    use TournamentError as E;
    let length = name.chars().count();
    if !(1..=TOURNAMENT_NAME_MAX).contains(&length) || name.chars().any(char::is_control) {
        return Err(E::BadName);
    }
    format.check()?;
    let games = rules.games;
    if games == 0 || games > GAMES_OF_PAIRING_MAX || (games != 1 && games % 2 == 1) {
        return Err(E::BadGames(games));
    }
    if rules.clock == (TimeControl::Untimed {}) {
        return Err(E::NoClock);
    }
    for (field, got) in [("start_ms", rules.start_ms), ("away_ms", rules.away_ms)] {
        if !ABSENCE_MS.contains(&got.0) {
            return Err(E::BadAbsence { field, got });
        }
    }
    if matches!(&rules.starts, Starts::List { positions } if positions.is_empty()) {
        return Err(E::NoStart);
    }
    if !ENTRANTS.contains(&admission.most) {
        return Err(E::BadMost(admission.most));
    }
    Ok(())
}

impl Admission {
    /// Whether this player may enter beside so many others.
    ///
    /// # Errors
    /// Why not.
    pub fn admits(&self, player: &PlayerInfo, entered: usize) -> Result<(), TournamentError> {
        use TournamentError as E;
        if entered >= self.most as usize {
            return Err(E::Full(self.most));
        }
        match self.who {
            Who::People if player.bot => return Err(E::WrongKind("people")),
            Who::Bots if !player.bot => return Err(E::WrongKind("bots")),
            _ => {}
        }
        if !self.names.is_empty() && !self.names.contains(&player.name) {
            return Err(E::NotAdmitted(player.name.clone()));
        }
        Ok(())
    }
}
