//! What a match is storing, or reading again after a conflict.

use grundy_shared::ids::Millis;
use grundy_shared::referee::{Command, Ruling};

use super::offer::Prepared;
use super::queue::Request;
use crate::matches::sight::Announcement;
use crate::store::AddressDigest;

/// Why something is decided.
#[derive(Debug)]
pub(super) enum Cause<C, R> {
    /// Somebody asked.
    Request(Request<C, R>),
    /// The match does it by itself.
    Alone(Command),
    /// The store can write again: the time since is given back before anything else is stored.
    Credit,
    /// Another server may have stored events.
    Look,
    /// A built-in bot accepts a rematch, which counts for this address.
    BotAccepts(AddressDigest),
}

impl<C, R> Cause<C, R> {
    /// Since when a player may be owed time, if this is decided for that moment and not stored.
    pub(super) fn since(&self, at: Millis) -> Millis {
        match self {
            Self::Alone(Command::Outage { away_ms, .. }) => at.since(*away_ms),
            _ => at,
        }
    }
}

/// A decision under way. There is at most one.
#[derive(Debug)]
pub(super) struct Flight<C, R> {
    pub(super) cause: Cause<C, R>,
    /// The moment that it is decided for.
    pub(super) at: Millis,
    /// Conflicts that it has met.
    pub(super) conflicts: u8,
    pub(super) stage: Stage,
}

impl<C, R> Flight<C, R> {
    /// Since when it may come to owe a player time.
    pub(super) fn owes_since(&self) -> Option<Millis> {
        let owes = !matches!(self.cause, Cause::Look);
        owes.then(|| self.cause.since(self.at))
    }
}

/// How far a decision has come.
#[derive(Debug)]
pub(super) enum Stage {
    /// This is being stored.
    Storing(Storing),
    /// The log has gone on; its tail is being read.
    Reading,
}

/// Events that are being stored.
#[derive(Debug)]
pub(super) struct Storing {
    pub(super) ruling: Ruling,
    /// How they are announced, one each.
    pub(super) announcements: Vec<Announcement>,
    /// The match that is made with them.
    pub(super) following: Option<Box<Prepared>>,
}
