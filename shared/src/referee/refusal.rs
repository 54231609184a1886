//! Why a command is refused, with what the asker needs to mend it.

use super::limits::{
    MOVE_BYTES_MAX, OFFERS_MAX, PAUSES_MAX, PLAN_MOVES_MAX, PLAN_TEXT_MAX, PLANS_MAX,
    PROPOSALS_MAX, SERIES_MAX, START_BYTES_MAX, TAKEBACK_PLIES_MAX,
};
use crate::event::{EndReason, Outcome};
use crate::ids::{ClientMoveId, MatchId, Millis, Ply, Seat, Seq};
use crate::notation::{MoveError, NotationError};

/// Why a command is refused. Nothing has changed. The `Display` text says what to do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The start position cannot be read; the error says where and shows a legal one.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The start position has no move.
    #[error(
        "{position} is finished: a match must start from a position with a move, such as nim:3,4,5"
    )]
    FinishedStart {
        /// The position, canonical.
        position: String,
    },
    /// The start position is longer than a match can carry along.
    #[error(
        "the position has {length} characters: a match can start from one of at most {START_BYTES_MAX}"
    )]
    StartTooLong {
        /// Its length, written out.
        length: usize,
    },
    /// A move from the start position, in many components at once, is longer than a message can carry.
    #[error(
        "a move from the position can have {length} characters, and a message holds one of at most {MOVE_BYTES_MAX}: play fewer components at once"
    )]
    MovesTooLong {
        /// How long such a move is, written out.
        length: usize,
    },
    /// A move says that its player had hints, in a match without any.
    #[error(
        "there are no hints in a rated match or in a tournament: send the move without `hints`"
    )]
    NoHints,
    /// A number is outside its bounds.
    #[error("{field} must be between {min} and {max}")]
    OutOfRange {
        /// Its name.
        field: &'static str,
        /// The smallest allowed.
        min: u64,
        /// The largest allowed.
        max: u64,
        /// What it was.
        got: u64,
    },
    /// A series has no such number of games.
    #[error(
        "games is {games}: play 1 game, or an even number from 2 to {SERIES_MAX}, so that both players move first equally often"
    )]
    BadSeries {
        /// What was asked for.
        games: u32,
    },
    /// Another number of games is to be rated.
    #[error("a rated match has 2 games, one with each side, not {games}")]
    RatedIsAPair {
        /// What was asked for.
        games: u32,
    },
    /// A rated match without clocks.
    #[error("a rated match needs a clock, so that it ends when a player leaves")]
    RatedNeedsClock,
    /// A move of a rated match cannot be taken back.
    #[error("moves of a rated match cannot be taken back")]
    RatedMovesStand,
    /// A rated match cannot be claimed: to judge the claim, the server would have to say who wins.
    #[error("in a rated match the clock decides, and nothing can be claimed")]
    RatedNoClaims,
    /// The asker sits on neither seat.
    #[error("you do not play in this match")]
    NotAPlayer,
    /// The creator asks for the other seat, whether it is free or not.
    #[error("this is your own match: return to your seat to play")]
    OwnMatch,
    /// Both seats are taken.
    #[error("both seats of this match are taken")]
    SeatTaken,
    /// The second seat is still free.
    #[error("the match has not begun: nobody has taken the other seat yet")]
    NotStarted,
    /// The match is over.
    #[error("the match is over")]
    MatchOver {
        /// Who won.
        outcome: Outcome,
        /// How.
        reason: EndReason,
    },
    /// The match is not over, and only then can there be a rematch.
    #[error("the match is still going on: a rematch can be offered when it is over")]
    NotOver,
    /// Rematches were offered and withdrawn too often.
    #[error(
        "{OFFERS_MAX} rematches of this match have been offered and withdrawn: create a new match"
    )]
    TooManyOffers,
    /// The move was meant for another moment of the match.
    #[error("the match has moved on: this was move {got}, and move {expected} is next")]
    StalePly {
        /// The number of the move that is to be made.
        expected: Ply,
        /// The number that came.
        got: Ply,
        /// How many events the match has.
        seq: Seq,
    },
    /// The other player is to move.
    #[error("it is the {to_move} player's turn")]
    NotYourTurn {
        /// Who is to move.
        to_move: Seat,
    },
    /// The same `client_move_id` came with another move.
    #[error("{client_move_id} was used for move {ply}, {move_text}: give another move another id")]
    IdempotencyConflict {
        /// The id.
        client_move_id: ClientMoveId,
        /// The number of the move made under it.
        ply: Ply,
        /// That move, canonical.
        move_text: String,
    },
    /// The rules do not allow the move.
    #[error(transparent)]
    IllegalMove(#[from] MoveError),
    /// The match is a game of a tournament, which alone decides what is played again.
    #[error(
        "games of tournaments have no proposals and no rematch: you can resign while the game is played"
    )]
    InTournament,
    /// The match is a game of a series, and the next game has begun.
    #[error(
        "the series goes on with match {next}: play that game, and offer a rematch after the last one"
    )]
    SeriesGoesOn {
        /// The next game.
        next: MatchId,
    },
    /// Nothing is proposed under this number any more.
    #[error("no such proposal is open: it was answered or withdrawn, or a move has ended it")]
    NoProposal,
    /// The player has no move that could be taken back.
    #[error("you have no move to take back")]
    NothingToTakeBack,
    /// Too many moves have been made.
    #[error("moves cannot be taken back in a match of more than {TAKEBACK_PLIES_MAX} moves")]
    TooLongToTakeBack,
    /// The game has no draws.
    #[error("this game always has a winner: there is no draw to agree on")]
    NoDraws,
    /// There is nothing to pause.
    #[error("the match has no clock: there is nothing to pause")]
    NothingToPause,
    /// The match has been paused too often.
    #[error("this match has been paused {PAUSES_MAX} times, the most allowed")]
    TooManyPauses,
    /// There is no adjournment to end.
    #[error("the match is not adjourned: continue ends a pause")]
    NotAdjourned,
    /// A rated match cannot be adjourned.
    #[error("a rated match is played in one sitting: it can be paused, but not adjourned")]
    RatedInOneSitting,
    /// Moves can be planned only in slow matches.
    #[error(
        "replies can be planned only in slow matches: without a clock, or with at least an hour for the first move"
    )]
    TooFastToPlan,
    /// The planner is to move.
    #[error("it is your turn: make your move, then plan replies to your opponent's answers")]
    PlanAfterYourMove,
    /// A line of a plan has no moves, too many, or does not end with a reply.
    #[error(
        "the length of line {line} is {moves}: it must be an even number up to {PLAN_MOVES_MAX}, the opponent's moves and your replies in turn"
    )]
    BadPlanLength {
        /// Its number, from 1.
        line: usize,
        /// How many moves it has.
        moves: usize,
    },
    /// The moves of a plan are too long in total.
    #[error("the plan has {length} characters: at most {PLAN_TEXT_MAX} are allowed")]
    PlanTooLong {
        /// Their total number of characters.
        length: usize,
    },
    /// A line of a plan continues after the end of the game.
    #[error("line {line} continues after its move {after}, which ends the game")]
    PlanBeyondEnd {
        /// Its number, from 1.
        line: usize,
        /// The number of the move in the line that ends the game, from 1.
        after: usize,
    },
    /// A move of a plan is not legal where it stands.
    #[error("line {line}: {error}")]
    IllegalPlan {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with the move.
        error: MoveError,
    },
    /// Two lines of a plan answer the same moves differently.
    #[error("lines {one} and {other} answer the same moves with {} and {}", replies[0], replies[1])]
    PlanContradicts {
        /// The number of the one line, from 1.
        one: usize,
        /// The number of the other line.
        other: usize,
        /// Their replies.
        replies: [String; 2],
    },
    /// The player has planned too often.
    #[error("you have planned {PLANS_MAX} times in this match, the most allowed")]
    TooManyPlans,
    /// The player has proposed too much.
    #[error("you have made {PROPOSALS_MAX} proposals in this match: no more are taken")]
    TooManyProposals,
    /// The other player is here, or takes the time that the clock gives.
    #[error("the other player is here: something can be claimed only over a player who stays away")]
    NotAway,
    /// The claimant has been away, too.
    #[error(
        "you are away from this match yourself: come back to it first (resume), and claim once you have waited there"
    )]
    ClaimantAway,
    /// The claimant is to move.
    #[error(
        "it is your turn: make your move, and claim if the other player then stays away in a turn of that player"
    )]
    OwnTurn,
    /// The match has changed since the solver was asked.
    #[error("the match has changed while your claim was looked at: claim again")]
    ClaimOvertaken,
    /// The clocks give so much time that being away is part of the game.
    #[error(
        "with clocks of an hour or more, players may be away: the clock decides, and nothing can be claimed"
    )]
    NoClaims,
    /// The other player has not been away for long enough.
    #[error("the other player may still come back: claim again in {} s", wait.0.div_ceil(1_000))]
    ClaimTooEarly {
        /// How much longer the other player must be away.
        wait: Millis,
    },
    /// The solver has proved that the absent player wins with best play.
    #[error(
        "the absent player has a proven win in this position: while that player has time, you can neither claim the win nor call the match off"
    )]
    AbsentPlayerWins,
    /// The clocks stand still.
    #[error("the match is paused: continue it first")]
    Paused {
        /// When the pause ends by itself.
        until: Millis,
    },
    /// Two moves have been made.
    #[error(
        "{ply} moves have been made, and a match can be called off only before the second: you can resign"
    )]
    TooLate {
        /// Moves made so far.
        ply: Ply,
    },
}

impl Refusal {
    /// The code of the protocol's list.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Notation(error) => error.code.as_str(),
            Self::FinishedStart { .. } => "bad_position",
            Self::OutOfRange { .. }
            | Self::StartTooLong { .. }
            | Self::MovesTooLong { .. }
            | Self::BadSeries { .. }
            | Self::RatedIsAPair { .. }
            | Self::RatedNeedsClock
            | Self::BadPlanLength { .. }
            | Self::PlanTooLong { .. }
            | Self::PlanContradicts { .. } => "out_of_range",
            Self::NotAPlayer => "not_a_player",
            Self::OwnMatch => "own_match",
            Self::SeatTaken => "seat_taken",
            Self::NotStarted => "not_started",
            Self::MatchOver { .. } => "match_over",
            Self::NotOver => "not_over",
            Self::TooManyOffers
            | Self::TooManyProposals
            | Self::TooManyPauses
            | Self::TooManyPlans => "too_many",
            Self::StalePly { .. } => "stale_ply",
            Self::NotYourTurn { .. } => "not_your_turn",
            Self::IdempotencyConflict { .. } => "idempotency_conflict",
            Self::IllegalMove(_) | Self::PlanBeyondEnd { .. } | Self::IllegalPlan { .. } => {
                "illegal_move"
            }
            Self::InTournament => "in_tournament",
            Self::SeriesGoesOn { .. } => "in_series",
            Self::NoProposal => "no_such_proposal",
            Self::RatedMovesStand
            | Self::RatedNoClaims
            | Self::RatedInOneSitting
            | Self::NotAdjourned
            | Self::TooFastToPlan
            | Self::PlanAfterYourMove => "not_possible",
            Self::NothingToTakeBack
            | Self::TooLongToTakeBack
            | Self::NoDraws
            | Self::NoHints
            | Self::NothingToPause => "not_possible",
            Self::NotAway
            | Self::NoClaims
            | Self::ClaimantAway
            | Self::OwnTurn
            | Self::ClaimOvertaken
            | Self::ClaimTooEarly { .. } => "not_possible",
            Self::AbsentPlayerWins => "absent_player_wins",
            Self::Paused { .. } => "paused",
            Self::TooLate { .. } => "too_late",
        }
    }
}
