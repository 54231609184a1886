//! What a tournament wants done, in this order.

use grundy_shared::event::EndReason;
use grundy_shared::ids::{MatchId, PlayerId, Seat, Seq};
use grundy_shared::protocol::account::AccountEvent;
use grundy_shared::protocol::tournament::TournamentState;
use grundy_shared::protocol::{ErrorBody, Reply};

use crate::matches::{Frame, NewGame};
use crate::store::{Commit, CommitError};

/// Something that a tournament wants done; see [`super::Input`] for the parameters.
#[derive(Debug)]
pub enum Effect<C, R, D> {
    /// Answers a request.
    Reply(R, Box<Reply>),
    /// Refuses a request: it has changed nothing.
    Refuse(R, ErrorBody),
    /// Puts a frame into the queue of a connection; one that is too slow for it is closed.
    Send(C, Frame),
    /// Announces something to the player's account.
    Ring(PlayerId, Box<AccountEvent>),
    /// Stores this; `Input::Committed` says what became of it. One at a time.
    Commit(Box<Commit>),
    /// Stores the end of a match that counts for nothing here, and tells the match.
    Pass(Box<Commit>, D),
    /// Tells a match what became of its commit.
    Tell(D, Result<(), CommitError>),
    /// Reads the events after this number; answered by `Input::Tail`.
    ReadTail {
        /// The newest event that is known.
        after: Seq,
    },
    /// Makes the match of a game, if it is not there; answered by `Input::Opened`.
    Open(Box<NewGame>),
    /// The connection takes the player's seat in a match.
    Seat(C, PlayerId, MatchId),
    /// Ends a running match, if there is one: this seat loses, or nobody wins.
    Stop(MatchId, Option<Seat>, EndReason),
    /// Nothing will happen any more.
    Finished,
}

impl<C, R, D> Effect<C, R, D> {
    /// Answers a request with the state of the tournament.
    pub(super) fn show(reply: R, state: TournamentState) -> Self {
        Self::Reply(reply, Box::new(Reply::Tournament(Box::new(state))))
    }
}
