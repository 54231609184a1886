//! Which of the servers that share a store this one is.

use std::net::SocketAddr;

use crate::config::Config;
use crate::store::NodeId;

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
