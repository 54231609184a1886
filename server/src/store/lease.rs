//! Servers that share one store: which of them are alive, and who may write for whom.

use grundy_shared::ids::Millis;

/// A server among those that share a store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The only one, where a store has one server.
    pub const ONLY: Self = Self(1);
}

/// The right to write for a node. It ends when the node is enlisted again or another one takes its matches over: from then
/// on every commit with it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lease {
    /// Who.
    pub node: NodeId,
    /// Which life of it; each is one more than that before.
    pub epoch: u64,
}

/// What the store knows of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeRow {
    /// Who.
    pub id: NodeId,
    /// Its newest life.
    pub epoch: u64,
    /// When that began.
    pub enlisted_at: Millis,
    /// When the node last said that it is alive, in this life or one before; `None` if it never did, or if what is stored is no time.
    pub heartbeat: Option<Millis>,
}
