//! What goes wrong between a server and its database, and what the server's store makes of it (`server/src/store/postgres/fault.rs`).

use grundy_server::store::StoreError;

/// Why a statement was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// The connection is gone, or none can be made: the statement before may have been done or not.
    Lost,
    /// It took too long, or something is used up.
    Busy(&'static str),
    /// The disk is full.
    DiskFull,
    /// Two transactions waited for each other: this one is begun again.
    Rivalry,
    /// A new connection leads to a database that lacks what was acknowledged.
    Lacking,
    /// The lease is no longer good.
    Fenced,
}

impl Trouble {
    pub(super) fn into_error(self) -> StoreError {
        let busy = |why: &str| StoreError::Busy {
            why: format!("simulated: {why}"),
        };
        match self {
            Self::Lost => busy("the database cannot be reached"),
            Self::Busy(why) => busy(why),
            Self::Rivalry => busy("deadlock"),
            Self::DiskFull => StoreError::ReadOnly {
                why: "simulated: no space left on the disk of the database".to_owned(),
            },
            Self::Lacking => super::acknowledged::lost(),
            Self::Fenced => StoreError::Fenced,
        }
    }
}
