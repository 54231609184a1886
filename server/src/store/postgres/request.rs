//! What the writer is asked, and the way back to who asked. A caller that went away learns the outcome from the log.

use grundy_shared::ids::{Millis, PlayerId};
use tokio::sync::oneshot;

use crate::store::{
    Commit, CommitError, Duty, Lease, NodeId, NodeRow, Removal, Rewrite, StoreError, Unneeded,
};

/// The way back.
pub(super) type Reply<T, E = StoreError> = oneshot::Sender<Result<T, E>>;

/// Commits of one caller.
#[derive(Debug)]
pub(super) struct Batched {
    pub(super) lease: Lease,
    pub(super) commits: Vec<Commit>,
    pub(super) reply: oneshot::Sender<Vec<Result<(), CommitError>>>,
}

impl Batched {
    /// Refuses all of them.
    pub(super) fn refuse(self, error: &StoreError) {
        let refusal = match error {
            StoreError::Fenced => CommitError::Fenced,
            error => CommitError::Store(error.clone()),
        };
        let refused = self.commits.iter().map(|_| Err(refusal.clone()));
        // Nobody may wait any more.
        let _ = self.reply.send(refused.collect());
    }
}

/// One thing to write.
#[derive(Debug)]
pub(super) enum Request {
    Commit(Batched),
    Enlist(NodeId, Millis, Reply<Lease>),
    Heartbeat(Lease, Millis, Reply<()>),
    Retire(Lease, Millis, Reply<()>),
    EndLife(Lease, NodeRow, Reply<()>),
    TakeOver(Lease, NodeRow, Reply<u64>),
    Remove(Lease, Removal, Unneeded, Reply<Removal>),
    Rewrite(Lease, PlayerId, Vec<Rewrite>, Reply<(), CommitError>),
    Scrub(Lease, Reply<bool>),
    Claim(Lease, Duty, Reply<bool>),
    Ready(Reply<()>),
    Close,
}

impl Request {
    /// Refuses what has not begun.
    pub(super) fn refuse(self, error: &StoreError) {
        let error = error.clone();
        match self {
            Self::Commit(batched) => batched.refuse(&error),
            Self::Enlist(.., reply) => drop(reply.send(Err(error))),
            Self::Heartbeat(.., reply)
            | Self::Retire(.., reply)
            | Self::EndLife(.., reply)
            | Self::Ready(reply) => {
                drop(reply.send(Err(error)));
            }
            Self::TakeOver(.., reply) => drop(reply.send(Err(error))),
            Self::Remove(.., reply) => drop(reply.send(Err(error))),
            Self::Rewrite(.., reply) => drop(reply.send(Err(error.into()))),
            Self::Scrub(.., reply) | Self::Claim(.., reply) => drop(reply.send(Err(error))),
            Self::Close => {}
        }
    }
}
