//! What the writer does inside of a transaction, so that it can be done again when the transaction was not committed.

use async_trait::async_trait;
use grundy_shared::ids::{Millis, PlayerId};
use sqlx::postgres::PgConnection;

use super::address::Address;
use super::batch::{self, Outcomes};
use super::fault::Fault;
use super::{duties, erasing, nodes, removal};
use crate::store::{Commit, CommitError, Duty, Lease, NodeId, NodeRow, Removal, Rewrite, Unneeded};

/// Something to do in a transaction that has begun, with a lease that is good until it ends.
#[async_trait]
pub(super) trait Work: Sync {
    /// What comes of it.
    type Done: Send;

    /// Does it. After an error nothing of it remains.
    async fn run(&self, connection: &mut PgConnection) -> Result<Self::Done, Fault>;
}

/// Commits of one lease.
pub(super) struct Commits<'w> {
    pub(super) node: NodeId,
    pub(super) commits: Vec<&'w Commit>,
}

#[async_trait]
impl Work for Commits<'_> {
    type Done = Outcomes;

    async fn run(&self, connection: &mut PgConnection) -> Result<Outcomes, Fault> {
        batch::make(connection, self.node, &self.commits).await
    }
}

/// A new life of a node.
pub(super) struct Enlist<'w>(pub(super) &'w Address, pub(super) NodeId, pub(super) Millis);

#[async_trait]
impl Work for Enlist<'_> {
    type Done = Lease;

    async fn run(&self, connection: &mut PgConnection) -> Result<Lease, Fault> {
        nodes::enlist(connection, self.0, self.1, self.2).await
    }
}

/// A sign of life.
pub(super) struct Heartbeat(pub(super) Lease, pub(super) Millis);

#[async_trait]
impl Work for Heartbeat {
    type Done = ();

    async fn run(&self, connection: &mut PgConnection) -> Result<(), Fault> {
        nodes::heartbeat(connection, self.0, self.1).await
    }
}

/// A last sign of life.
pub(super) struct Retire(pub(super) Lease, pub(super) Millis);

#[async_trait]
impl Work for Retire {
    type Done = ();

    async fn run(&self, connection: &mut PgConnection) -> Result<(), Fault> {
        nodes::retire(connection, self.0, self.1).await
    }
}

/// Ending the lease of another node.
pub(super) struct EndLife(pub(super) Lease, pub(super) NodeRow);

#[async_trait]
impl Work for EndLife {
    type Done = ();

    async fn run(&self, connection: &mut PgConnection) -> Result<(), Fault> {
        nodes::end_life(connection, self.0, self.1).await
    }
}

/// Taking the matches of another node over.
pub(super) struct TakeOver(pub(super) Lease, pub(super) NodeRow);

#[async_trait]
impl Work for TakeOver {
    type Done = u64;

    async fn run(&self, connection: &mut PgConnection) -> Result<u64, Fault> {
        nodes::take_over(connection, self.0, self.1).await
    }
}

/// Removing what nobody needs.
pub(super) struct Remove(pub(super) Removal, pub(super) Unneeded);

#[async_trait]
impl Work for Remove {
    type Done = Removal;

    async fn run(&self, connection: &mut PgConnection) -> Result<Removal, Fault> {
        removal::remove(connection, &self.0, self.1).await
    }
}

/// Rewriting logs of a player who is being erased.
pub(super) struct Rewriting(pub(super) PlayerId, pub(super) Vec<Rewrite>);

#[async_trait]
impl Work for Rewriting {
    type Done = Result<(), CommitError>;

    async fn run(&self, connection: &mut PgConnection) -> Result<Self::Done, Fault> {
        erasing::rewrite(connection, self.0, &self.1).await
    }
}

/// Taking a duty.
pub(super) struct Claim(pub(super) NodeId, pub(super) Duty);

#[async_trait]
impl Work for Claim {
    type Done = bool;

    async fn run(&self, connection: &mut PgConnection) -> Result<bool, Fault> {
        duties::claim(connection, self.0, self.1).await
    }
}

/// Finding out whether a lease is good.
pub(super) struct Nothing;

#[async_trait]
impl Work for Nothing {
    type Done = ();

    async fn run(&self, _: &mut PgConnection) -> Result<(), Fault> {
        Ok(())
    }
}
