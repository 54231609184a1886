//! The faults of a campaign.

use crate::postgres::Restart;

/// What happens to the cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// A node is killed.
    Kill,
    /// A node is frozen, and wakes up later.
    Freeze,
    /// A node is stopped as operators stop it.
    Stop,
    /// A node cannot reach the database, and its connections break.
    CutFromDatabase,
    /// Nothing from a node reaches the database, and nobody notices.
    DeafDatabase,
    /// Nothing from the database reaches a node, and nobody notices.
    MuteDatabase,
    /// The connections of a node to the database carry nothing more, and nobody notices; new ones pass.
    ForgottenDatabase,
    /// What passes between a node and the database takes its time.
    SlowDatabase,
    /// A node cannot reach the bus.
    CutFromBus,
    /// Nothing from a node reaches the bus, and nobody notices.
    DeafBus,
    /// Nothing from the bus reaches a node, and nobody notices.
    MuteBus,
    /// Connections of clients to a node break, and it gets no new ones. It goes on otherwise.
    CutFromClients,
    /// Nothing from clients reaches a node, and nobody notices.
    DeafNode,
    /// Nothing from a node reaches clients, and nobody notices.
    MuteNode,
    /// The bus is killed, and comes back later.
    KillBus,
    /// Strangers publish hints.
    ForgedHints,
    /// The database is restarted.
    Restart(Restart),
    /// Somebody else has all connections that the database allows, and ends those of the nodes.
    NoConnections,
    /// Somebody else holds rows that every commit needs, in a transaction that does nothing.
    IdleInTransaction,
    /// The disk of the database is full, where it has one of its own.
    FullDisk,
    /// The nodes are replaced by another version of the program, one after the other, after its migration.
    Upgrade,
}

impl Fault {
    /// Each once.
    pub(crate) const ALL: [Self; 23] = [
        Self::Kill,
        Self::Restart(Restart::Kill),
        Self::Freeze,
        Self::ForgedHints,
        Self::CutFromDatabase,
        Self::CutFromClients,
        Self::KillBus,
        Self::Restart(Restart::Immediate),
        Self::Upgrade,
        Self::Stop,
        Self::NoConnections,
        Self::DeafDatabase,
        Self::MuteNode,
        Self::FullDisk,
        Self::CutFromBus,
        Self::ForgottenDatabase,
        Self::SlowDatabase,
        Self::DeafNode,
        Self::MuteDatabase,
        Self::MuteBus,
        Self::IdleInTransaction,
        Self::DeafBus,
        Self::Restart(Restart::Fast),
    ];
}
