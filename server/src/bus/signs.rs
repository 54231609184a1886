//! Signs of life of the other servers that come over the bus: each server sends one after each heartbeat that it has stored.
//!
//! They show that the bus carries what a server sends. A connection that looks sound may carry nothing for many seconds, for example while a firewall drops its packets. And if signs of
//! others come while this server cannot store its own heartbeats, the trouble is here, and not in the database.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use tokio::time::Instant;

use crate::store::NodeId;

/// A server that lives sends a sign at least this often, unless the database or the bus is slow. It is more than two heartbeats.
const EXPECTED: Duration = Duration::from_millis(600);
/// Most servers whose signs are kept. Another program on the bus can invent names.
const MOST: usize = 1_024;

#[derive(Default, Debug)]
struct State {
    /// The other servers that live, as the database says.
    living: Vec<NodeId>,
    /// When the last sign of each came, and whether it was overloaded.
    heard: FxHashMap<NodeId, (Instant, bool)>,
}

/// See the module.
#[derive(Default, Debug)]
pub struct Signs(Mutex<State>);

impl Signs {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message of another server has arrived over the bus.
    pub fn hear(&self, from: NodeId, overloaded: bool) {
        let mut state = self.state();
        if state.heard.len() < MOST || state.heard.contains_key(&from) {
            state.heard.insert(from, (Instant::now(), overloaded));
        }
    }

    /// These are the other servers that live. The others are forgotten.
    pub fn set_living(&self, living: Vec<NodeId>) {
        let mut state = self.state();
        state.heard.retain(|node, _| living.contains(node));
        state.living = living;
    }

    /// Whether each other living server has sent a message lately. True if no other server is alive.
    #[must_use]
    pub fn come_from_all(&self) -> bool {
        let state = self.state();
        let mut living = state.living.iter();
        living.all(|node| {
            let heard = state.heard.get(node);
            heard.is_some_and(|(at, _)| at.elapsed() <= EXPECTED)
        })
    }

    /// When the last sign arrived from a server that is alive according to the database.
    #[must_use]
    pub fn last(&self) -> Option<Instant> {
        let state = self.state();
        let heard = state.living.iter().filter_map(|node| state.heard.get(node));
        heard.map(|(at, _)| *at).max()
    }

    /// Whether there are other living servers and all of them have lately reported that they are overloaded.
    #[must_use]
    pub fn all_are_overloaded(&self) -> bool {
        let state = self.state();
        let heard = |node| state.heard.get(node);
        let overloaded = |node| heard(node).is_some_and(|(at, is)| *is && at.elapsed() <= EXPECTED);
        !state.living.is_empty() && state.living.iter().all(overloaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_bus_that_carries_nothing_from_one_server_is_noticed() {
        let signs = Signs::default();
        assert!(signs.come_from_all(), "alone");
        signs.set_living(vec![NodeId(1), NodeId(2)]);
        signs.hear(NodeId(1), false);
        assert!(!signs.come_from_all());
        signs.hear(NodeId(2), false);
        assert!(signs.come_from_all());
        tokio::time::advance(EXPECTED / 2).await;
        signs.hear(NodeId(2), false);
        tokio::time::advance(EXPECTED).await;
        signs.hear(NodeId(2), false);
        assert!(!signs.come_from_all(), "the first is silent");
        signs.set_living(vec![NodeId(2)]);
        assert!(signs.come_from_all(), "the first is dead");
    }

    #[tokio::test(start_paused = true)]
    async fn servers_are_overloaded_together_or_one_by_one() {
        let signs = Signs::default();
        assert!(!signs.all_are_overloaded(), "alone");
        signs.set_living(vec![NodeId(1), NodeId(2)]);
        signs.hear(NodeId(1), true);
        assert!(!signs.all_are_overloaded(), "one has said nothing");
        signs.hear(NodeId(2), true);
        assert!(signs.all_are_overloaded());
        signs.hear(NodeId(2), false);
        assert!(!signs.all_are_overloaded());
    }

    #[tokio::test(start_paused = true)]
    async fn strangers_are_no_evidence_and_fill_nothing() {
        let signs = Signs::default();
        signs.set_living(vec![NodeId(7)]);
        for stranger in 1_000..10_000 {
            signs.hear(NodeId(stranger), false);
        }
        assert_eq!(signs.last(), None);
        assert_eq!(signs.state().heard.len(), MOST);
        signs.set_living(vec![NodeId(7)]);
        signs.hear(NodeId(7), false);
        assert_eq!(signs.last(), Some(Instant::now()));
    }
}
