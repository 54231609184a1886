//! What a tournament is told.

use grundy_shared::event::{EndReason, Outcome, PlayerInfo, TournamentGame};
use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::ErrorBody;

use crate::store::{Commit, CommitError, Logged};

/// Something that a tournament is told. `C` is a connection, `R` the duty to answer a request, `D` the duty to tell a match what
/// became of its commit.
#[derive(Debug)]
pub enum Input<C, R, D> {
    /// Somebody asks for a change.
    Ask {
        /// The duty to answer.
        reply: R,
        /// Who.
        player: PlayerInfo,
        /// What.
        ask: Ask,
    },
    /// Somebody wants to see it.
    Show {
        /// The duty to answer.
        reply: R,
        /// Who.
        player: PlayerId,
        /// Rows of the standings to leave out.
        after: u32,
        /// The most rows.
        limit: u32,
    },
    /// A connection follows it.
    Follow {
        /// The duty to answer.
        reply: R,
        /// Which.
        connection: C,
        /// Whose.
        player: PlayerId,
        /// Whether it takes the player's seats.
        play: bool,
    },
    /// A connection follows it no longer.
    Unfollow(C),
    /// A match of it ends once this commit is made.
    Ended(Box<Ended<D>>),
    /// What became of the commit in flight.
    Committed(Result<(), CommitError>),
    /// The events after the newest that is known, or why they could not be read.
    Tail(Result<Vec<Logged>, ErrorBody>),
    /// The match of a game is here, or could not be made.
    Opened(TournamentGame, Result<(), ErrorBody>),
    /// Another server may have stored events.
    Look,
    /// Time has passed.
    Time,
    /// The server begins to stop: no match is made any more.
    Drain,
}

/// A change that somebody asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ask {
    /// To play.
    Enter,
    /// To play no longer.
    Withdraw,
    /// To begin.
    Start,
    /// To begin no further game.
    Pause,
    /// To go on.
    Resume,
    /// To end it, for this reason.
    Cancel(String),
    /// The same, by an operator of the server.
    End(String),
}

/// The end of a match.
#[derive(Debug)]
pub struct Ended<D> {
    /// The game.
    pub game: TournamentGame,
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub reason: EndReason,
    /// The head of the match's hash chain, its end included.
    pub head: String,
    /// What holds the end.
    pub commit: Commit,
    /// Who wants to know what becomes of it.
    pub done: D,
    /// Whether the log of the tournament was read since this came: what does not fit then is not to be counted.
    pub read: bool,
}
