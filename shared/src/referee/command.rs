//! What can be asked of a match, and what the referee decides.

use super::read_plan::ReadPlan;
use super::ruling::Ruling;
use crate::event::{Claim, Clocks, EndReason, Outcome, PlayerInfo, Proposal, Series, TimeControl};
use crate::ids::{ClientMoveId, MatchId, Millis, PlayerId, Ply, Seat, Seq};

/// What a match is to be played over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The start position, as somebody typed it.
    pub position: String,
    /// The clocks of both players.
    pub clock: TimeControl,
    /// The match that this one is the rematch of.
    pub rematch_of: Option<MatchId>,
    /// Its place in a series.
    pub series: Option<Series>,
}

/// Something asked of a match, by a player or by the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Take the free seat.
    Join {
        /// Who.
        player: PlayerInfo,
    },
    /// Make a move.
    Move {
        /// Who.
        player: PlayerId,
        /// The number of this move, as the player sees the match: moves made so far, and one.
        ply: Ply,
        /// The client's own name for the move, by which a repeat is known.
        client_move_id: Option<ClientMoveId>,
        /// The move, as typed.
        text: String,
        /// How long a message takes to the other player and an answer back, as far as the server knows: that player's clock starts so much
        /// later, within bounds.
        opponent_lag: Millis,
        /// How often the player asked a program for a hint or a reason since the move before, as the player's client says.
        hints: u32,
    },
    /// Give up.
    Resign {
        /// Who.
        player: PlayerId,
    },
    /// Call the match off, alone while nobody has joined, and with the other player's consent until two moves have been made:
    /// then this is [`Proposal::Abort`].
    Abort {
        /// Who.
        player: PlayerId,
    },
    /// Propose something to the other player, or agree if the other has proposed the same.
    Propose {
        /// Who.
        player: PlayerId,
        /// What.
        proposal: Proposal,
    },
    /// Agree to what the other player has proposed, or decline it.
    Answer {
        /// Who.
        player: PlayerId,
        /// The number of the event with which it was proposed.
        proposed: Seq,
        /// Whether the player agrees.
        agree: bool,
    },
    /// Withdraw one's own proposal.
    WithdrawProposal {
        /// Who.
        player: PlayerId,
    },
    /// Plan replies. They replace the player's previous plan.
    Plan {
        /// Who.
        player: PlayerId,
        /// The number of the move with which the lines begin, as the player sees the match: the moves made so far, plus 1.
        ply: Ply,
        /// Lines of play, as typed: a move of the opponent, the reply, and so on. An empty list cancels the plan.
        lines: Vec<Vec<String>>,
        /// The same lines, if they were read before: the referee does not read them again if the match still has this position.
        read: Option<Box<ReadPlan>>,
    },
    /// Make the move that the player to move has planned.
    PlayPlanned {
        /// As in [`Self::Move`].
        opponent_lag: Millis,
    },
    /// End the match, because the other player stays away.
    Claim {
        /// Who.
        player: PlayerId,
        /// As what.
        claim: Claim,
        /// What the solver says of the position; absent if it was not asked because the claim was not possible.
        judged: Option<Judged>,
    },
    /// End the pause. In an adjourned match this proposes [`Proposal::Resume`].
    Continue {
        /// Who; the server, when absent, which does so when the time of the pause has passed.
        player: Option<PlayerId>,
    },
    /// Offer a rematch, or accept the one that the other player offered.
    Rematch {
        /// Who.
        player: PlayerId,
        /// The id that the new match gets if this accepts an offer.
        new_match: MatchId,
    },
    /// Withdraw one's own offer of a rematch.
    WithdrawRematch {
        /// Who.
        player: PlayerId,
    },
    /// Decline the rematch that the other player offers.
    DeclineRematch {
        /// Who.
        player: PlayerId,
    },
    /// A player's last connection went, or the first came back.
    Presence {
        /// Whose.
        seat: Seat,
        /// Whether the player is there now.
        online: bool,
    },
    /// See whether the running clock has come to zero; to be sent at [`super::Referee::deadline`].
    ClockCheck,
    /// The server was away: give the time back to the running clock. To be sent before any other command then.
    Outage {
        /// For how long, from the last heartbeat.
        away_ms: Millis,
        /// Whether the players have to find back: both clocks are held until [`Command::StartClock`].
        hold: bool,
    },
    /// Hold a player's clock no longer; without a seat, both.
    StartClock {
        /// Whose; both when absent.
        seat: Option<Seat>,
    },
    /// End a match of a tournament for a cause outside the game.
    Forfeit {
        /// Who loses; nobody wins if absent.
        loser: Option<Seat>,
        /// One of `no_show`, `disconnected`, `withdrawn`, `cancelled`.
        reason: EndReason,
    },
    /// End the match by an order of an operator, who has no seat.
    EndByOperator {
        /// Who wins; not a draw. Before both players are seated only `void`.
        outcome: Outcome,
    },
    /// Nobody comes any more, as far as the server can tell: end the match if nobody has taken the other seat, or if no clock
    /// will end it.
    Expire,
}

/// What the solver says of a position in which somebody is away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    /// Moves made when the position stood.
    pub ply: Ply,
    /// Whether the absent player has a proven win. What is not proven counts as none.
    pub absent_wins: bool,
}

/// What follows from a command that was not refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// These events, to be stored together and then accepted, or applied in this order. A move, a resignation or an abort that comes after
    /// the flag has fallen gives the end on time alone.
    Events(Ruling),
    /// The same move, sent again under the same `client_move_id`: the answer it got the first time.
    Repeat {
        /// The number of the event that the move became.
        seq: Seq,
        /// The number of the move.
        ply: Ply,
        /// The move, canonical.
        move_text: String,
        /// Time left to both after the move; `None` when untimed.
        clocks: Option<Clocks>,
    },
    /// Things are already as the command wants them.
    Nothing,
}
