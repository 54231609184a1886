//! What the writer is asked, and the way back to who asked. A caller that went away learns the outcome from the log.

use grundy_shared::ids::Millis;
use tokio::sync::oneshot;

use crate::store::{Commit, CommitError, Lease, NodeId, NodeRow, Removal, StoreError, Unneeded};

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
    TakeOver(Lease, NodeRow, Reply<u64>),
    Remove(Lease, Removal, Unneeded, Reply<Removal>),
    Ready(Reply<()>),
    Close,
}
