//! Which of the servers that share a store this one is.

use std::net::SocketAddr;
use std::time::Duration;

use crate::config::Config;
use crate::peers::BEAT_EVERY;
use crate::store::{NodeId, Store, StoreError};

/// Longer than from one heartbeat to the next.
const LISTENED: Duration = BEAT_EVERY.saturating_mul(2);

/// The node that this configuration names, listening on this address, and its name. A server that has its store for itself has no name.
#[must_use]
pub fn of(config: &Config, address: SocketAddr) -> (NodeId, String) {
    match (&config.database, &config.node) {
        (None, _) => (NodeId::ONLY, String::new()),
        (Some(_), Some(name)) => (NodeId::named(name.as_str()), name.as_str().to_owned()),
        (Some(_), None) => {
            let name = format!("{}/{address}", machine());
            (NodeId::named(&name), name)
        }
    }
}

/// Whether another process that runs has this name: its sign of life changes, and changes again. The last commit of one that was killed may come late, but
/// not twice. Takes a moment where a server with this name did not stop by itself.
///
/// # Errors
/// The store could not be read.
pub async fn is_taken(store: &dyn Store, node: NodeId) -> Result<bool, StoreError> {
    if node == NodeId::ONLY {
        return Ok(false);
    }
    let mut last = sign(store, node).await?;
    for _ in 0..2 {
        if last.is_none() {
            return Ok(false);
        }
        tokio::time::sleep(LISTENED).await;
        let next = sign(store, node).await?;
        if next == last {
            return Ok(false);
        }
        last = next;
    }
    Ok(last.is_some())
}

/// The last sign of a node that has not left.
async fn sign(store: &dyn Store, node: NodeId) -> Result<Option<(u64, u64)>, StoreError> {
    let nodes = store.nodes().await?;
    let row = nodes.into_iter().find(|row| row.id == node && !row.left);
    Ok(row.map(|row| (row.epoch, row.sign)))
}

/// The name of this machine.
fn machine() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn config(text: &str) -> Config {
        Config::from_toml(Path::new("test"), text).unwrap().config
    }

    #[test]
    fn the_same_name_is_the_same_node_and_sqlite_has_one() {
        let address = SocketAddr::from(([127, 0, 0, 1], 7310));
        let other = SocketAddr::from(([127, 0, 0, 1], 7311));
        assert_eq!(of(&Config::default(), address).0, NodeId::ONLY);
        let shared = "database = \"postgres://a@b/c\"\n";
        let unnamed = config(shared);
        assert_eq!(of(&unnamed, address), of(&unnamed, address));
        assert_ne!(of(&unnamed, address).0, of(&unnamed, other).0);
        let named = config(&format!("{shared}node = \"one\"\n"));
        assert_eq!(of(&named, address), of(&named, other));
        assert_eq!(of(&named, address).1, "one");
    }
}
