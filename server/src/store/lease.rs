//! Servers that share one store: which of them are alive, and who may write for whom.

use grundy_shared::ids::Millis;
use sha2::{Digest, Sha256};

/// A server among those that share a store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The only one, where a store has one server.
    pub const ONLY: Self = Self(1);

    /// The node with this name, where several servers share a store: the same name is the same node. Names are so few that two of them
    /// hardly ever have one number; if they do, the server that starts last takes the place of the other.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let digest = Sha256::digest(name.as_bytes());
        let number = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
        // The first numbers are for what is never named.
        Self(number.max(16))
    }
}

/// The right to write for a node. It ends when the node retires, is enlisted again, or another one takes its matches over: from then
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
    /// Changes with every heartbeat, also with one that is of the same moment. 0 where a store has one server only.
    pub sign: u64,
    /// It has no good lease: it retired, or another one has taken its matches over. `false` where a store has one server only.
    pub left: bool,
}
