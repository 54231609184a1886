//! What can happen in a match: the one vocabulary of the log, of the record and of the wire.
//!
//! An event is stored as the JSON written here and never rewritten (except that the erasure of a player replaces the name), so this module only
//! ever grows. A reader ignores fields
//! that it does not know, because a newer server may have added them, and a client skips events whose type it does not know;
//! the hash chain tells what was stored.
//! Positions and moves are canonical text (docs/NOTATION.md); times are [`Millis`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::{BASE_MS, DELAY_MS, INCREMENT_MS, MAIN_MS, MOVE_MS, PERIOD_MS, PERIODS};
use crate::ids::{ClientMoveId, MatchId, Millis, PlayerId, Ply, Seat, TournamentId};

/// A player, as others see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerInfo {
    /// The player's id.
    pub id: PlayerId,
    /// The name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
}

/// The clocks of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TimeControl {
    /// No clock.
    Untimed {},
    /// Fischer clock: a starting time for each player, and an increment after each of their moves.
    Fischer {
        /// Starting time of each player: 1 s to 24 h.
        #[schemars(extend("minimum" = BASE_MS.start(), "maximum" = BASE_MS.end()))]
        base_ms: Millis,
        /// Added after each of the player's moves: 0 to 1 h.
        #[schemars(extend("minimum" = INCREMENT_MS.start(), "maximum" = INCREMENT_MS.end()))]
        increment_ms: Millis,
    },
    /// Simple delay: in each turn the clock waits for a delay before it runs.
    Delay {
        /// Starting time of each player: 1 s to 24 h.
        #[schemars(extend("minimum" = BASE_MS.start(), "maximum" = BASE_MS.end()))]
        base_ms: Millis,
        /// How long the clock waits in each turn: 1 ms to 1 h.
        #[schemars(extend("minimum" = DELAY_MS.start(), "maximum" = DELAY_MS.end()))]
        delay_ms: Millis,
    },
    /// Bronstein clock: after a move the player gets back the time it took, but no more than the delay.
    Bronstein {
        /// Starting time of each player: 1 s to 24 h.
        #[schemars(extend("minimum" = BASE_MS.start(), "maximum" = BASE_MS.end()))]
        base_ms: Millis,
        /// The most that a move gets back: 1 ms to 1 h.
        #[schemars(extend("minimum" = DELAY_MS.start(), "maximum" = DELAY_MS.end()))]
        delay_ms: Millis,
    },
    /// The same time for each move; in slow games, days.
    PerMove {
        /// Time for each move: 100 ms to 14 days.
        #[schemars(extend("minimum" = MOVE_MS.start(), "maximum" = MOVE_MS.end()))]
        move_ms: Millis,
    },
    /// Byo-yomi: a starting time, then periods. A move within the period leaves the player that period; a period that passes is lost.
    ByoYomi {
        /// Starting time of each player: 0 to 24 h.
        #[schemars(extend("minimum" = MAIN_MS.start(), "maximum" = MAIN_MS.end()))]
        base_ms: Millis,
        /// Length of a period: 1 s to 1 h.
        #[schemars(extend("minimum" = PERIOD_MS.start(), "maximum" = PERIOD_MS.end()))]
        period_ms: Millis,
        /// How many periods each player has: 1 to 100.
        #[schemars(extend("minimum" = PERIODS.start(), "maximum" = PERIODS.end()))]
        periods: u32,
    },
}

/// The time that both players have left: the flag of the player to move falls when it is used up, and there are no more periods. With a
/// delay, it includes the delay of the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Clocks {
    /// Time left to the first player.
    pub first_ms: Millis,
    /// Time left to the second player.
    pub second_ms: Millis,
    /// With byo-yomi: the periods that begin when this time is used up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<Periods>,
}

/// Periods of byo-yomi that are still to come for both players, without the one that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Periods {
    /// To come for the first player.
    pub first: u32,
    /// To come for the second player.
    pub second: u32,
}

impl Periods {
    /// To come for this player.
    #[must_use]
    pub fn of(self, seat: Seat) -> u32 {
        match seat {
            Seat::First => self.first,
            Seat::Second => self.second,
        }
    }

    /// The same, to be changed.
    pub fn of_mut(&mut self, seat: Seat) -> &mut u32 {
        match seat {
            Seat::First => &mut self.first,
            Seat::Second => &mut self.second,
        }
    }
}

impl Clocks {
    /// Left to this player.
    #[must_use]
    pub fn of(&self, seat: Seat) -> Millis {
        match seat {
            Seat::First => self.first_ms,
            Seat::Second => self.second_ms,
        }
    }

    /// The same, to be changed.
    pub fn of_mut(&mut self, seat: Seat) -> &mut Millis {
        match seat {
            Seat::First => &mut self.first_ms,
            Seat::Second => &mut self.second_ms,
        }
    }
}

/// The place of a match in a series: games of two players from one start position, with sides swapped after each game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// The series: the id of its first match.
    pub id: MatchId,
    /// The number of this game, from 1.
    pub game: u32,
    /// How many games the series has: an even number from 2 to 1000.
    pub games: u32,
    /// Games before this one that the first player of this match has won.
    pub first_wins: u32,
    /// Games before this one that the second player of this match has won.
    pub second_wins: u32,
    /// Games before this one that were drawn.
    pub draws: u32,
    /// `true` if the series is a rated pair: its two games change the ratings of the players. `false` if absent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rated: bool,
}

/// Who won; how it came about is the [`EndReason`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// A draw, in games in which play can cycle.
    Draw,
    /// The match does not count.
    Void,
}

impl Outcome {
    /// A win of this seat.
    #[must_use]
    pub fn win_of(seat: Seat) -> Self {
        match seat {
            Seat::First => Self::First,
            Seat::Second => Self::Second,
        }
    }

    /// The seat that won, if one did.
    #[must_use]
    pub fn winner(self) -> Option<Seat> {
        match self {
            Self::First => Some(Seat::First),
            Self::Second => Some(Seat::Second),
            Self::Draw | Self::Void => None,
        }
    }

    /// The word of the log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Draw => "draw",
            Self::Void => "void",
        }
    }
}

/// What became of a rated pair for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PairScore {
    /// The player won more of its games.
    Won,
    /// Both won as many.
    Drawn,
    /// The opponent won more of them.
    Lost,
}

impl PairScore {
    /// The same as the opponent has it.
    #[must_use]
    pub fn of_opponent(self) -> Self {
        match self {
            Self::Won => Self::Lost,
            Self::Drawn => Self::Drawn,
            Self::Lost => Self::Won,
        }
    }

    /// Its word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
        }
    }
}

/// What a player can propose during a match: it happens if the other player agrees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// The player's last move is taken back, and the answer to it if there is one.
    Takeback,
    /// The match is a draw. Only in games in which play can cycle.
    Draw,
    /// The match is called off and does not count. Only before the second move.
    Abort,
    /// Both clocks stand still for at most 15 minutes.
    Pause,
    /// The match is adjourned: both clocks stop for at most 7 days, or until both players agree to resume.
    Adjourn,
    /// The adjourned match resumes.
    Resume,
}

/// What a player can claim when the other stays away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The win.
    Win,
    /// That nobody wins: the match is called off and does not count.
    Void,
}

impl Proposal {
    /// The word of the log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Takeback => "takeback",
            Self::Draw => "draw",
            Self::Abort => "abort",
            Self::Pause => "pause",
            Self::Adjourn => "adjourn",
            Self::Resume => "resume",
        }
    }
}

/// How a match ended; who won is the [`Outcome`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The game ended by its rules.
    LastMove,
    /// A player resigned.
    Resignation,
    /// A player ran out of time.
    Time,
    /// The match was called off before two moves were made: by its creator before anybody had joined, or by both players.
    Aborted,
    /// Nobody joined before the join code expired, or both players of an untimed match stayed away.
    Expired,
    /// The position, a move, or the whole record became too long.
    Outgrown,
    /// A position occurred for the third time with the same player to move: a draw.
    Repetition,
    /// Both players agreed on a draw.
    Agreement,
    /// A player stayed away, and the other claimed the win, or called the match off (void).
    Abandoned,
    /// A player did not make the first move in time: the match does not count.
    NoStart,
    /// A player did not come to a tournament match in time. Void if neither did.
    NoShow,
    /// A player was away from a tournament match for longer than allowed. Void if both were.
    Disconnected,
    /// A player withdrew from the tournament. Void if both did.
    Withdrawn,
    /// The tournament was cancelled.
    Cancelled,
    /// An operator of the server ended the match, mostly as void.
    Operator,
}

impl EndReason {
    /// The word of the log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LastMove => "last_move",
            Self::Resignation => "resignation",
            Self::Time => "time",
            Self::Aborted => "aborted",
            Self::Expired => "expired",
            Self::Outgrown => "outgrown",
            Self::Repetition => "repetition",
            Self::Agreement => "agreement",
            Self::Abandoned => "abandoned",
            Self::NoStart => "no_start",
            Self::NoShow => "no_show",
            Self::Disconnected => "disconnected",
            Self::Withdrawn => "withdrawn",
            Self::Cancelled => "cancelled",
            Self::Operator => "operator",
        }
    }
}

/// Which game of a tournament a match is, and how long its players may stay away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TournamentGame {
    /// The tournament.
    #[serde(rename = "tournament")]
    pub id: TournamentId,
    /// The round, from 1.
    pub round: u32,
    /// The board, from 1.
    pub board: u32,
    /// The game of the pairing, from 1.
    pub game: u32,
    /// A player who has not come this long after the match was created loses it.
    pub start_ms: Millis,
    /// A player who is away for this long loses the match.
    pub away_ms: Millis,
}

/// One entry of a match's log. `at_ms` is the server's time, UTC, never earlier than that of the entry before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The match was created; always event 1. The creator has a seat.
    Created {
        /// When.
        at_ms: Millis,
        /// The start position, in canonical notation.
        position: String,
        /// The clocks.
        clock: TimeControl,
        /// Who created the match.
        creator: PlayerInfo,
        /// The creator's side.
        seat: Seat,
        /// The match of which this one is a rematch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rematch_of: Option<MatchId>,
        /// The place of the match in a series. Absent if it is a single game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        series: Option<Series>,
        /// `true` if both clocks are held when the match begins: each stands still until its `clock_started`. `false` if absent.
        #[serde(default, skip_serializing_if = "is_false")]
        held: bool,
        /// The first player's time for the first move. When it is up, the match is called off, unless a player is a bot. Absent if there is no
        /// such limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_move_ms: Option<Millis>,
        /// `true` if the second player has the same limit for the first move. `false` if absent, as in matches of earlier servers.
        #[serde(default, skip_serializing_if = "is_false")]
        first_move_of_both: bool,
        /// The game of a tournament that this match is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tournament: Option<TournamentGame>,
    },
    /// The other seat was taken: the match begins, and with it the first player's clock, unless it is held.
    Joined {
        /// When.
        at_ms: Millis,
        /// The seat that was taken.
        seat: Seat,
        /// The player who took it.
        player: PlayerInfo,
    },
    /// A move was made.
    Moved {
        /// When the server received it.
        at_ms: Millis,
        /// Who moved.
        seat: Seat,
        /// The number of this move: 1 for the first move of the match.
        ply: Ply,
        /// The move, in canonical notation.
        #[serde(rename = "move")]
        move_text: String,
        /// The mover's name for the move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client_move_id: Option<ClientMoveId>,
        /// Time left after the move, what the move adds included. Absent if the match is untimed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
        /// How long the clock of the player who is now to move waits before it runs, to make up for network delay. `0` if absent.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag_ms: Millis,
        /// `true` if the server made the move from the player's plan. `false` if absent.
        #[serde(default, skip_serializing_if = "is_false")]
        planned: bool,
        /// How often the mover asked the program for a hint or a reason before this move, as the mover's client says. Never in a rated match or in a
        /// tournament. `0` if absent.
        #[serde(default, skip_serializing_if = "is_no_hint")]
        hints: u32,
    },
    /// The player who is not to move has planned replies, which replace that player's previous plan. When a move is made, it is removed from the
    /// lines that begin with it, and all other lines are dropped. When the player is to move, the server makes the next move of the first line.
    Planned {
        /// When.
        at_ms: Millis,
        /// Who.
        seat: Seat,
        /// Lines of play: a move of the opponent, the reply, and so on; each line ends with a reply. An empty list cancels the plan. Absent
        /// for everybody but this player until the match is over.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<Vec<Vec<String>>>,
    },
    /// A player was disconnected for some time, or is back.
    Presence {
        /// When.
        at_ms: Millis,
        /// The player's seat.
        seat: Seat,
        /// Whether the player is there now.
        online: bool,
    },
    /// The server was unavailable. The running clock was credited with the time.
    Outage {
        /// When the server was back.
        at_ms: Millis,
        /// How long the server was unavailable.
        credited_ms: Millis,
        /// `true` if both clocks are held from here on: each stands still until its `clock_started`. `false` if absent.
        #[serde(default, skip_serializing_if = "is_false")]
        held: bool,
    },
    /// A player's clock is no longer held: it runs when it is the player's turn. A move of the player has the same effect.
    ClockStarted {
        /// When.
        at_ms: Millis,
        /// The player's seat.
        seat: Seat,
    },
    /// A player proposes something to the other. A proposal of the same player before it is replaced.
    ///
    /// It stands until it is accepted or `proposal_ended`, and until the other player moves. A proposal to take back a move, or to call the
    /// match off, ends with any move.
    Proposed {
        /// When.
        at_ms: Millis,
        /// Who proposes it.
        seat: Seat,
        /// What.
        proposal: Proposal,
    },
    /// A proposal was declined or withdrawn.
    ProposalEnded {
        /// When.
        at_ms: Millis,
        /// Who had proposed it.
        seat: Seat,
        /// What had been proposed.
        proposal: Proposal,
        /// Who ended it: the player who had proposed it withdrew it; the other declined it.
        by: Seat,
    },
    /// Moves were taken back. They stay in the log, but play goes on from before them.
    TakenBack {
        /// When.
        at_ms: Millis,
        /// Moves that remain: the next move has the number after this one.
        ply: Ply,
        /// Time left to both: the time of the turn that was interrupted is given back. Absent if the match is untimed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// Both clocks stand still, and no move can be made.
    Paused {
        /// When.
        at_ms: Millis,
        /// At this moment play goes on by itself.
        until_ms: Millis,
        /// `true` if the match is adjourned: before that moment it resumes only if both players agree. `false` if absent.
        #[serde(default, skip_serializing_if = "is_false")]
        adjourned: bool,
    },
    /// The pause is over: the clock of the player to move runs.
    Continued {
        /// When.
        at_ms: Millis,
    },
    /// The match is over.
    Ended {
        /// When.
        at_ms: Millis,
        /// Who won.
        outcome: Outcome,
        /// How the match ended.
        reason: EndReason,
        /// The next game of the series, which begins with this event.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<MatchId>,
    },
    /// A player offers a rematch. Only after `ended`.
    RematchOffered {
        /// When.
        at_ms: Millis,
        /// The player who offers it.
        seat: Seat,
    },
    /// The offer of a rematch was withdrawn or has ended. Another can be made.
    RematchWithdrawn {
        /// When.
        at_ms: Millis,
        /// The player who had offered it.
        seat: Seat,
    },
    /// The rematch was declined. Another can be offered.
    RematchDeclined {
        /// When.
        at_ms: Millis,
        /// The player who declined it.
        seat: Seat,
    },
    /// The rematch was accepted.
    RematchAccepted {
        /// When.
        at_ms: Millis,
        /// The new match.
        rematch: MatchId,
    },
}

impl Event {
    /// When it happened.
    #[must_use]
    pub fn at(&self) -> Millis {
        match self {
            Self::Created { at_ms, .. }
            | Self::Joined { at_ms, .. }
            | Self::Moved { at_ms, .. }
            | Self::Presence { at_ms, .. }
            | Self::Outage { at_ms, .. }
            | Self::Ended { at_ms, .. }
            | Self::ClockStarted { at_ms, .. }
            | Self::Proposed { at_ms, .. }
            | Self::ProposalEnded { at_ms, .. }
            | Self::TakenBack { at_ms, .. }
            | Self::Planned { at_ms, .. }
            | Self::Paused { at_ms, .. }
            | Self::Continued { at_ms }
            | Self::RematchOffered { at_ms, .. }
            | Self::RematchWithdrawn { at_ms, .. }
            | Self::RematchDeclined { at_ms, .. }
            | Self::RematchAccepted { at_ms, .. } => *at_ms,
        }
    }

    /// The part of the event that everybody but this seat's player may see during the match, if that is not all of it.
    #[must_use]
    pub fn hidden_from_others(&self) -> Option<(Seat, Self)> {
        match self {
            Self::Planned {
                at_ms,
                seat,
                lines: Some(_),
            } => Some((
                *seat,
                Self::Planned {
                    at_ms: *at_ms,
                    seat: *seat,
                    lines: None,
                },
            )),
            _ => None,
        }
    }

    /// The one form in which an event is stored, hashed and sent: compact JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has only string keys and plain values")
    }
}

/// Leaves a field out of the JSON, so that logs from before it existed are written as they were.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_no_hint(hints: &u32) -> bool {
    *hints == 0
}

/// The same for a time.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_zero(value: &Millis) -> bool {
    value.0 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_a_newer_server_is_ignored() {
        let newer = r#"{"type":"presence","at_ms":7,"seat":"first","online":true,"since_ms":3}"#;
        let event: Event = serde_json::from_str(newer).expect("known but for one field");
        assert_eq!(
            event.to_json(),
            r#"{"type":"presence","at_ms":7,"seat":"first","online":true}"#
        );
    }
}
