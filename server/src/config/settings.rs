//! The configuration in force, which a reload replaces while everybody reads it.

use std::path::Path;
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};

use super::keys::Config;
use super::setting::{ConfigError, Key};

/// Keys whose new values are in force as soon as they are reloaded.
const AT_ONCE: &[&str] = &[
    "log",
    "allowed_origins",
    "operators",
    "limits.reply_bytes",
    "limits.connections",
    "limits.connections_per_address",
    "limits.connections_per_second_per_address",
    "limits.code_guesses_per_minute",
    "limits.guests_per_minute_per_address",
    "limits.logins_per_minute_per_account",
    "limits.logins_per_ten_minutes_per_address",
    "limits.tokens_per_minute_per_player",
    "limits.chat_burst",
    "limits.chat_per_minute",
    "limits.chat_lines_per_room",
    "limits.chat_lines_per_player",
    "trusted.addresses",
    "trusted.connections_per_address",
    "trusted.connections_per_second_per_address",
    "trusted.guests_per_minute_per_address",
    "trusted.burst",
    "trusted.requests_per_second",
    "quotas.bytes_per_address",
    "quotas.bytes_per_player",
    "quotas.matches_per_address",
    "quotas.matches_per_player",
    "quotas.guests_per_address",
    "storage.keep_unused_guests_ms",
    "storage.keep_void_matches_ms",
    "tournaments.create",
    "tournaments.at_once",
    "tournaments.share",
    "tournaments.players",
    "overload.target_ms",
    "overload.wait_ms",
    "overload.memory_bytes",
];

/// Keys that a connection reads when it begins.
const FOR_NEW_CONNECTIONS: &[&str] = &[
    "limits.message_bytes",
    "limits.burst",
    "limits.requests_per_second",
    "limits.queue_messages",
    "limits.queue_bytes",
    "limits.bot_burst",
    "limits.bot_requests_per_second",
    "limits.bot_moves_burst_per_match",
    "limits.bot_moves_per_second_per_match",
    "limits.bot_waiting_requests",
    "limits.bot_queue_messages",
    "limits.bot_follows_per_connection",
    "limits.follows_per_connection",
    "trusted.bots",
    "times.handshake_ms",
    "times.answer_ms",
    "times.hello_ms",
    "times.send_ms",
];

/// When a new value of a key is in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InForce {
    /// As soon as it is reloaded.
    AtOnce,
    /// For connections that begin after it is reloaded.
    ForNewConnections,
    /// When the server starts again.
    AfterRestart,
}

impl Key {
    /// When a new value of this key is in force. Cost: linear in the keys.
    #[must_use]
    pub fn in_force(&self) -> InForce {
        if AT_ONCE.contains(&self.path) {
            InForce::AtOnce
        } else if FOR_NEW_CONNECTIONS.contains(&self.path) {
            InForce::ForNewConnections
        } else {
            InForce::AfterRestart
        }
    }
}

/// The configuration in force. Clones show the same one.
#[derive(Clone, Debug)]
pub struct Settings(Arc<ArcSwap<Config>>);

/// What a reload does with the keys whose values have changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changed {
    /// Those whose new values are in force.
    pub live: Vec<&'static str>,
    /// Those whose new values need a restart.
    pub at_restart: Vec<&'static str>,
}

impl Settings {
    /// This configuration is in force.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self(Arc::new(ArcSwap::from_pointee(config)))
    }

    /// The configuration in force now. It costs a few nanoseconds and waits for nobody. A caller that holds it sees no later reload.
    #[must_use]
    pub fn current(&self) -> Guard<Arc<Config>> {
        self.0.load()
    }

    /// Puts the live keys of another configuration in force. The other keys stay as they are.
    ///
    /// # Errors
    /// The live keys do not fit the keys that stay. Nothing is changed.
    pub fn reload(&self, new: &Config) -> Result<Changed, ConfigError> {
        let (merged, changed) = self.merge(new)?;
        if let Some(config) = merged {
            self.0.store(Arc::new(config));
        }
        Ok(changed)
    }

    /// What a reload would put in force, if anything, and what it would change.
    ///
    /// # Errors
    /// The live keys do not fit the keys that stay.
    pub fn merge(&self, new: &Config) -> Result<(Option<Config>, Changed), ConfigError> {
        let old = self.current();
        let mut changed = Changed::default();
        let mut merged = String::new();
        for ((key, stays), (_, comes)) in old.values().into_iter().zip(new.values()) {
            let is_live = key.in_force() != InForce::AfterRestart;
            if stays != comes {
                match is_live {
                    true => changed.live.push(key.path),
                    false => changed.at_restart.push(key.path),
                }
            }
            let value = if is_live { comes } else { stays };
            merged.push_str(&format!("{} = {value}\n", key.path));
        }
        if changed.live.is_empty() {
            return Ok((None, changed));
        }
        let mut config = Config::from_toml(Path::new("reload"), &merged)?.config;
        // A path need not be text.
        (config.data, config.tls_cert, config.tls_key) =
            (old.data.clone(), old.tls_cert.clone(), old.tls_key.clone());
        // Printed without their passwords.
        (config.database, config.bus) = (old.database.clone(), old.bus.clone());
        Ok((Some(config), changed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn live_keys_are_keys() {
        let keys = Config::keys();
        for path in AT_ONCE.iter().chain(FOR_NEW_CONNECTIONS) {
            let known = keys.iter().filter(|key| key.path == *path).count();
            let lists = [AT_ONCE, FOR_NEW_CONNECTIONS];
            let listed = lists.iter().filter(|list| list.contains(path)).count();
            assert_eq!((known, listed), (1, 1), "{path}");
        }
    }

    #[test]
    fn a_reload_changes_live_keys_and_names_the_others() {
        let settings = Settings::new(Config::default());
        let reader = settings.clone();
        let before = Arc::downgrade(&settings.current());
        let mut new = Config::default();
        (new.limits.burst, new.limits.live_matches, new.workers) = (77, 7, 64);
        let changed = settings.reload(&new).expect("it fits");
        assert_eq!(changed.live, ["limits.burst"]);
        assert_eq!(changed.at_restart, ["workers", "limits.live_matches"]);
        assert_eq!(reader.current().limits.burst, 77);
        assert_eq!(
            reader.current().limits.live_matches,
            Config::default().limits.live_matches
        );
        assert_eq!(settings.reload(&reader.current()), Ok(Changed::default()));
        assert_eq!(before.strong_count(), 0, "nobody holds what was replaced");
    }

    #[test]
    fn live_keys_that_do_not_fit_the_others_change_nothing() {
        let settings = Settings::new(Config::default());
        let mut new = Config::default();
        new.limits.reply_bytes = new.limits.queue_bytes + 1;
        assert!(settings.reload(&new).is_err());
        assert_eq!(**settings.current(), Config::default());
    }
}
