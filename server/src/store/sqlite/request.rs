//! What the writer is asked, and the way back to who asked. A caller that went away learns the outcome from the log.

use std::sync::Arc;

use grundy_shared::ids::{Millis, PlayerId};
use tokio::sync::oneshot;

use super::attempt::Attempt;
use crate::store::{
    Commit, CommitError, Lease, NodeId, NodeRow, Removal, Rewrite, StoreError, Unneeded,
};

/// The way back.
pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// One thing to write.
#[derive(Debug)]
pub(super) enum Request {
    Commit(
        Lease,
        Vec<Commit>,
        oneshot::Sender<Vec<Result<(), CommitError>>>,
    ),
    Enlist(NodeId, Millis, Reply<Lease>),
    Heartbeat(Lease, Millis, Reply<()>),
    Retire(Lease, Millis, Reply<()>),
    TakeOver(Lease, NodeRow, Reply<u64>),
    Remove(Lease, Removal, Unneeded, Reply<Removal>),
    Rewrite(Lease, PlayerId, Arc<[Rewrite]>, Reply<Attempt>),
    Scrub(Lease, Reply<bool>),
    Ready(Reply<()>),
    Close,
}
