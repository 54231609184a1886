//! What a match is told: by its players and followers, by the store, by a bot, and by the server that runs it.

use grundy_shared::event::{Claim, EndReason, Outcome, PlayerInfo, Proposal};
use grundy_shared::ids::{ClientMoveId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::protocol::{ErrorBody, Reply};
use grundy_shared::referee::{Judged, ReadPlan};

use crate::matches::frame::Frame;
use crate::matches::outbox::Backlog;
use crate::store::{AddressDigest, Logged};

/// Something that a match is told. `C` is a connection; `R` the duty to answer one request, which comes back in exactly one
/// `Reply` or `Refuse` among the effects, at once or in a later step.
#[derive(Debug)]
pub enum Input<C, R> {
    /// A player acts; the connection need not follow the match.
    Act {
        /// The duty to answer.
        reply: R,
        /// The connection that asked.
        connection: C,
        /// When the server received it: what happened before the match was told costs the player no time.
        received: Millis,
        /// Who.
        player: PlayerId,
        /// What.
        act: Act,
    },
    /// Somebody with the join code takes the free seat, and follows the match from event 1 on.
    Join {
        /// The duty to answer.
        reply: R,
        /// The connection that asked, which follows from then on.
        connection: C,
        /// When the server received it.
        received: Millis,
        /// Who.
        player: PlayerInfo,
    },
    /// A player asked for this match and has it: the request is answered, and the connection follows from event 1 on. One turn does both,
    /// so that the events come right behind the answer, whatever else the connection has asked for.
    Seat {
        /// The duty to answer.
        reply: R,
        /// The answer, which is true even if the match cannot be followed now.
        answer: Box<Reply>,
        /// The connection that asked.
        connection: C,
        /// Who.
        player: PlayerId,
    },
    /// A connection is to follow the match.
    Attach {
        /// The duty to answer; `None` when it follows from something else (a rematch, a tournament).
        reply: Option<R>,
        /// The connection.
        connection: C,
        /// Who.
        player: PlayerId,
        /// Whether the player's seat is taken with it (`resume`), or the match is only watched.
        seated: bool,
        /// Whether the reply may have the join code: whoever has it can take the other seat.
        invites: bool,
        /// The newest event that the client has.
        since: Seq,
    },
    /// A connection asks to follow the match no longer: its player goes by choice.
    Leave {
        /// The duty to answer.
        reply: R,
        /// The connection.
        connection: C,
        /// Who asks.
        player: PlayerId,
    },
    /// A connection is gone.
    Gone {
        /// The connection.
        connection: C,
        /// The player has said `bye` and so has gone by choice, otherwise the connection was lost.
        said_bye: bool,
    },
    /// A connection has read its backlog up to `after`.
    GoLive(C, Backlog),
    /// A watcher that was lagging has an empty queue again.
    CatchUp(C),
    /// A frame for this watcher did not fit its queue. To be told once the effects of a step are carried out; until then no
    /// other `Send` to this watcher may be carried out, so that it gets no event behind a gap.
    Lagging(C),
    /// What became of the commit in flight.
    Committed(Result<(), CommitRefusal>),
    /// What `Effect::ReadTail` asked for: the events after that number, in order, perhaps not all of them; or why the
    /// store could not.
    Tail(Result<Vec<Logged>, ErrorBody>),
    /// What became of the `Effect::Think` that was asked after this event. One that nobody waits for any more is ignored.
    Thought {
        /// The event.
        after: Seq,
        /// What became of it.
        thought: Thought,
        /// How long the bot thought. The rest of the time since it was asked is not charged to it.
        took: Millis,
    },
    /// Something that is no event is to be told to everybody who follows the match.
    Announce(Frame),
    /// The tournament ends this match: the seat loses, or nobody wins.
    Forfeit(Option<Seat>, EndReason),
    /// Another server may have stored events up to this one.
    Hint(Seq),
    /// Which players are connected to another server, and how often the seat had been taken here when that was newer than any connection here.
    Elsewhere([Option<u64>; 2]),
    /// A player has come here from another server, which was dead.
    FoundBack {
        /// The player's seat.
        seat: Seat,
        /// When that server was alive last.
        since: Millis,
    },
    /// `Machine::wake_at` has come. One that comes too early does nothing.
    Time,
    /// Everybody else had a turn since `Effect::Continue`.
    Continue,
    /// The server begins to stop: requests are still answered, but the match decides nothing by itself any more.
    Drain,
    /// The server stops: what waits is still carried out, then the match is done. New requests are refused.
    Stop,
}

/// What a player can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Move.
    Move {
        /// The number of the move.
        ply: Ply,
        /// The move, as typed.
        text: String,
        /// The client's own name for it.
        client_move_id: Option<ClientMoveId>,
        /// How long a message takes to the player and an answer back, as far as the server knows.
        lag: Millis,
        /// How often the player asked for a hint before it, as the client says.
        hints: u32,
    },
    /// Give up.
    Resign,
    /// Call the match off, or propose it.
    Abort,
    /// Propose something to the other player.
    Propose(Proposal),
    /// Answer what the other player has proposed.
    Answer {
        /// The number of the event with which it was proposed.
        proposed: Seq,
        /// Whether the player agrees.
        agree: bool,
    },
    /// Withdraw one's own proposal.
    WithdrawProposal,
    /// End the match, because the other player stays away.
    Claim {
        /// As what.
        claim: Claim,
        /// What the solver says, if it was asked.
        judged: Option<Judged>,
    },
    /// Plan replies to the other player's next move.
    Plan {
        /// The number of that move.
        ply: Ply,
        /// Lines of play, as typed.
        lines: Vec<Vec<String>>,
        /// The same, if reading them could take long.
        read: Option<Box<ReadPlan>>,
    },
    /// End the pause, or propose to resume an adjourned match.
    Continue,
    /// Offer or accept a rematch.
    Rematch {
        /// Where the request came from, if there is room for one more match of the player; the refusal otherwise.
        room: Result<AddressDigest, ErrorBody>,
    },
    /// Withdraw one's own offer of a rematch.
    WithdrawRematch,
    /// Decline the rematch that the other player offers.
    DeclineRematch,
    /// End the match by an order of an operator, who has no seat.
    EndByOperator(Outcome),
}

/// Why a commit was not made. Nothing of it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommitRefusal {
    /// The log of this match ends elsewhere: somebody else has written.
    Conflict,
    /// The log of the rematch exists: it was made before, and its acceptance was not noted then.
    RematchExists,
    /// A quota is used up.
    Full(ErrorBody),
    /// The store cannot write for now (`read_only`, `server_busy`): the time until it can is given back to the players.
    Stalled(ErrorBody),
    /// The store failed.
    Failed(ErrorBody),
}

/// What a built-in bot came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Thought {
    /// This move.
    Move(String),
    /// Nothing: it died, or found no move. The match then makes any move rather than none.
    Nothing,
    /// There was no room to think; it is asked again soon.
    NoRoom,
}
