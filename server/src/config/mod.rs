//! What an operator can set: from flags, environment, a TOML file and built-in defaults, in this order.
//!
//! Each source is read on its own into a [`Layer`] in which every key is optional, and the layers are laid over each
//! other. All go through one table of keys, so an unknown key, a wrong kind and a number out of bounds are refused
//! in the same words wherever they come from, with the place and the nearest right thing.

mod args;
mod env;
mod file;
mod keys;
mod kinds;
mod place;
mod services;
mod setting;
mod settings;

use std::net::{IpAddr, Ipv6Addr};
use std::path::Path;

pub use args::{Arguments, Command, LogKind};
pub use keys::{Config, Limits, Overload, Quotas, Solver, Storage, Times, Tournaments, Trusted};
pub use kinds::{
    AddressRanges, Creators, Hosts, LogFilter, LogFormat, Origins, PlayerIds, Profile, PublicUrl,
};
pub use place::{BadPlace, StorePlace};
pub use services::{BusUrl, DatabaseUrl, NodeName};
pub use setting::{ConfigError, Key, Origin};
pub use settings::{Changed, InForce, Settings};

use setting::{Layer, Raw};

/// A configuration and where each of its values came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The values.
    pub config: Config,
    layer: Layer,
}

impl Loaded {
    /// The whole configuration as TOML that reads back, with the origin of each value as a comment. Passwords in addresses are left out.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut section = "";
        for (key, value) in self.config.values() {
            let (prefix, name) = key.path.rsplit_once('.').unwrap_or(("", key.path));
            if prefix != section {
                section = prefix;
                text.push_str(&format!("\n[{section}]\n"));
            }
            let line = format!("{name} = {value}");
            text.push_str(&format!("{line:<48} # {}\n", self.layer.origin(key.path)));
        }
        text
    }
}

impl Config {
    /// Reads the configuration of this process: flags over environment over file over defaults.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place and how to mend it.
    pub fn load(
        arguments: &Arguments,
        environment: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
    ) -> Result<Loaded, ConfigError> {
        let environment = env::read(environment)?;
        let file = arguments.config.as_deref().or(environment.file.as_deref());
        let mut layer = match file {
            Some(path) => file::read(path)?,
            None => Layer::default(),
        };
        layer.lay(environment.layer);
        layer.lay(arguments.layer());
        Self::build(layer)
    }

    /// Reads one TOML text, as if it stood in `path`.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn from_toml(path: &Path, text: &str) -> Result<Loaded, ConfigError> {
        Self::build(file::parse(path, text)?)
    }

    fn build(set: Layer) -> Result<Loaded, ConfigError> {
        let profile = set.read(Key::named("profile"), Profile::Default)?;
        let mut layer = Layer::default();
        for (path, value) in profile.changes() {
            layer.set(
                Key::named(path),
                Raw::Integer((*value).into()),
                Origin::Profile,
            );
        }
        layer.lay(set);
        let config = Self::from_layer(&layer)?;
        config.check(&layer)?;
        Ok(Loaded { config, layer })
    }

    /// Whether a player may create tournaments.
    #[must_use]
    pub fn lets_organise(&self, is_operator: bool) -> bool {
        match self.tournaments.create {
            Creators::Nobody => false,
            Creators::Operators => is_operator,
            Creators::Players => true,
            Creators::Auto => is_operator || self.is_local(),
        }
    }

    /// Whether only this machine can reach the server.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.listen.ip().is_loopback() && !self.behind_proxy
    }

    /// Whether the larger bounds of `trusted.` hold for this address; for an IPv6 network, for any of its addresses. Behind a proxy, the peer on loopback is
    /// the proxy, or a client for which the proxy has named no address.
    #[must_use]
    pub fn trusts(&self, address: IpAddr) -> bool {
        // The first address of the network of `::1` is `::`.
        let is_own = address.is_loopback() || address == IpAddr::V6(Ipv6Addr::UNSPECIFIED);
        !(is_own && self.behind_proxy) && self.trusted.addresses.contains(address)
    }

    /// What no key can say alone.
    fn check(&self, layer: &Layer) -> Result<(), ConfigError> {
        let loopback = self.listen.ip().is_loopback();
        let refuse = |path, message: String| Err(ConfigError::new(layer.origin(path), message));
        if self.profile == Profile::Load && !loopback {
            return refuse(
                "profile",
                format!(
                    "profile \"load\" lifts the limits that protect a server, so it needs a loopback address, not {}; \
                     listen on 127.0.0.1 or leave the profile out",
                    self.listen
                ),
            );
        }
        let missing = match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => Some(("tls_cert", "tls_key", "its private key")),
            (None, Some(_)) => Some(("tls_key", "tls_cert", "its certificate")),
            _ => None,
        };
        if let Some((given, missing, what)) = missing {
            return refuse(
                given,
                format!("{given} needs {missing} as well: name the file of {what}"),
            );
        }
        if !loopback && !self.behind_proxy && self.tls_cert.is_none() {
            return refuse(
                "listen",
                format!(
                    "{} can be reached from other machines without encryption; name a certificate and its key with --tls-cert and \
                     --tls-key, or put a proxy in front that encrypts and say --behind-proxy, or listen on 127.0.0.1",
                    self.listen
                ),
            );
        }
        for (path, given) in [("bus", self.bus.is_some()), ("node", self.node.is_some())] {
            if given && self.database.is_none() {
                let message = format!(
                    "{path} is for servers that share a PostgreSQL database: name that with --database, or leave {path} out"
                );
                return refuse(path, message);
            }
        }
        if self.times.dead_after_ms <= self.times.ping_ms {
            return refuse(
                "times.dead_after_ms",
                format!(
                    "times.dead_after_ms is {}, but must be longer than times.ping_ms, which is {}",
                    self.times.dead_after_ms, self.times.ping_ms
                ),
            );
        }
        if self.limits.queue_bytes < self.limits.reply_bytes {
            return refuse(
                "limits.queue_bytes",
                format!(
                    "limits.queue_bytes is {}, but must be at least limits.reply_bytes, which is {}",
                    self.limits.queue_bytes, self.limits.reply_bytes
                ),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
