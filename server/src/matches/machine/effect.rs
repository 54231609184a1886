//! What a match wants done. The driver carries the effects of a step out in their order, before the next step of this match.

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::event::{EndReason, Outcome, TournamentGame};
use grundy_shared::ids::{MatchId, PlayerId, Seat, Seq};
use grundy_shared::protocol::{ErrorBody, Reply};
use grundy_shared::rated::RatedPair;
use grundy_shared::referee::Referee;

use crate::matches::frame::Frame;
use crate::matches::outbox::Backlog;
use crate::store::{AddressDigest, Commit};

/// Something that a match wants done; see [`super::Input`] for `C` and `R`.
#[derive(Debug)]
pub enum Effect<C, R> {
    /// Answers a request.
    Reply(R, Reply),
    /// Refuses a request: it has changed nothing.
    Refuse(R, ErrorBody),
    /// Puts a frame into the queue of a connection. Where it does not fit: a player's connection (`seated`) is closed as too
    /// slow; a watcher's is told as `Input::Lagging`, see there.
    Send {
        /// To whom.
        to: C,
        /// What.
        frame: Frame,
        /// Whether the connection has a seat.
        seated: bool,
    },
    /// The connection follows the match from here on, with this seat. If it is gone, the driver says so by `Input::Gone`
    /// when the effects are carried out.
    Follow(C, Option<Seat>),
    /// The connection no longer follows the match.
    Unfollow(C),
    /// The connection is to read these events from the log, and then to say so by `Input::GoLive`.
    Backlog(C, Backlog),
    /// Stores this; `Input::Committed` says what became of it. At most one is under way, and no `ReadTail` beside it.
    Commit(Box<Commit>),
    /// The same for an end that counts elsewhere, and is stored together with what follows from it there.
    CommitEnd {
        /// What holds the end.
        commit: Box<Commit>,
        /// Where it counts.
        counted: Counted,
    },
    /// Reads the events after this number; answered by `Input::Tail`.
    ReadTail {
        /// The newest event that the match knows.
        after: Seq,
        /// Another server has just reported a newer event: what is read has come from there now, and is not an old event found late.
        hinted: bool,
    },
    /// Has a built-in bot think about its move; answered by `Input::Thought` with the same number.
    Think {
        /// Which bot.
        bot: Bot,
        /// About what.
        position: Position,
        /// Whose move it is.
        seat: Seat,
        /// The newest event then.
        after: Seq,
    },
    /// Gives everybody else a turn, then `Input::Continue`: a crowd of watchers is told in portions.
    Continue,
    /// A rematch or the next game of a series is stored: it is to be made a machine of its own, which its players follow.
    Open(Box<Opening<C>>),
    /// Something happened that the registry, quotas or metrics want to know.
    Note(Note),
    /// Nobody needs this machine any more: no follower, no request and no commit is left, and nothing will happen by itself.
    Done,
}

/// Where the end of a match counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counted {
    /// In a tournament.
    Game {
        /// Which game.
        game: TournamentGame,
        /// How it ends.
        end: (Outcome, EndReason),
    },
    /// In the ratings of the players: a rated pair is over.
    Pair(Box<RatedPair>),
}

/// A match that follows on another and is stored.
#[derive(Debug)]
pub struct Opening<C> {
    /// Its id.
    pub id: MatchId,
    /// Its state and events; `None` if it was made before, and runs or is over already.
    pub made: Option<Box<(Referee, Vec<Frame>)>>,
    /// The players that are here, each to be attached with its seat, from event 1 on.
    pub followers: Vec<(C, PlayerId)>,
    /// The place for which it counts, if that is known.
    pub address: Option<AddressDigest>,
}

/// What others want to know of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// The free seat was taken.
    Joined(PlayerId, Seat),
    /// A move was made.
    Moved,
    /// The match is over. Noted once.
    Ended(EndReason),
    /// A commit met a conflict.
    Conflict,
    /// A player resumed, and needed a backlog or not.
    Resumed {
        /// Whether events have to be read from the log.
        backlog: bool,
    },
    /// What is stored contradicts the rules: the match has to be put aside. Everything that waits was refused.
    Damaged,
}
