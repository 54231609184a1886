//! What is drawn at the first start on a store and never changes: the id of the server, and the secret in the digests of addresses.

use grundy_shared::ids::ServerId;

use crate::chance::Chance;
use crate::store::{
    AddressSecret, Commit, CommitError, Lease, Projection, Store, StoreError, Unique,
};

/// Rounds of reading and drawing. Another server that starts at the same time on this store can be quicker with each of the two.
const ROUNDS: usize = 3;

/// What all servers on one store have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Founding {
    /// What clients know them by.
    pub server_id: ServerId,
    /// What makes the digests of addresses differ from those of other stores.
    pub address_secret: AddressSecret,
}

impl Founding {
    /// Reads it, and draws what is not there yet: of several servers that start at once on one store, the first one does.
    ///
    /// # Errors
    /// The store cannot be read or written, or the lease is no longer good (`Fenced`).
    pub async fn of(
        store: &dyn Store,
        lease: Lease,
        chance: &dyn Chance,
    ) -> Result<Self, StoreError> {
        for _ in 0..ROUNDS {
            let (id, secret) = (store.server_id().await?, store.address_secret().await?);
            let mut drawn = Commit::default();
            if id.is_none() {
                drawn = drawn.with(Projection::Server(ServerId::from_random(chance.bits())));
            }
            if secret.is_none() {
                drawn = drawn.with(Projection::AddressSecret(chance.secret().into()));
            }
            if let (Some(server_id), Some(address_secret)) = (id, secret) {
                return Ok(Self {
                    server_id,
                    address_secret,
                });
            }
            let committed = store.commit(lease, vec![drawn]).await;
            match committed.into_iter().next() {
                Some(
                    Ok(()) | Err(CommitError::Taken(Unique::ServerId | Unique::AddressSecret)),
                ) => {}
                Some(Err(CommitError::Store(error))) => return Err(error),
                Some(Err(CommitError::Fenced)) => return Err(StoreError::Fenced),
                other => {
                    let why = format!("no id and no secret for the server: {other:?}");
                    return Err(StoreError::Failed { why });
                }
            }
        }
        let why = "the id or the secret of the server is taken, and absent".to_owned();
        Err(StoreError::Corrupt { why })
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use grundy_shared::ids::Millis;

    use super::*;
    use crate::addresses::AddressKey;
    use crate::chance::Seeded;
    use crate::store::memory::MemoryStore;
    use crate::store::{AddressDigest, NodeId};

    async fn started(store: &MemoryStore, seed: u64) -> Founding {
        let lease = store
            .enlist(NodeId::ONLY, Millis(0))
            .await
            .expect("a lease");
        let founding = Founding::of(store, lease, &Seeded::new(seed)).await;
        founding.expect("a store that works")
    }

    fn digest(founding: &Founding) -> AddressDigest {
        let address = AddressKey::from(IpAddr::from(Ipv4Addr::LOCALHOST));
        address.digest(&founding.address_secret)
    }

    #[tokio::test]
    async fn a_store_keeps_what_was_drawn_first_and_another_store_has_another() {
        let (here, elsewhere) = (MemoryStore::new(), MemoryStore::new());
        let first = started(&here, 1).await;
        assert_eq!(started(&here, 2).await, first, "a restart");
        let other = started(&elsewhere, 3).await;
        assert_ne!(other.server_id, first.server_id);
        assert_ne!(other.address_secret, first.address_secret);
        assert_ne!(digest(&other), digest(&first));
    }

    #[tokio::test]
    async fn a_store_from_before_the_secret_gets_one_and_keeps_its_id() {
        let store = MemoryStore::new();
        let lease = store
            .enlist(NodeId::ONLY, Millis(0))
            .await
            .expect("a lease");
        let id = ServerId::from_random(7);
        let committed = store.commit(lease, vec![Commit::default().with(Projection::Server(id))]);
        assert_eq!(committed.await, [Ok(())]);
        let founding = started(&store, 1).await;
        assert_eq!(founding.server_id, id);
        assert_eq!(started(&store, 2).await, founding);
    }
}
