//! What runs beside the sessions: signs of life, what other servers have changed, and tidying up.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::Millis;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior};

use crate::app::App;
use crate::bus::{Bus, Hint};
use crate::lifecycle::{FENCED, RECONNECT_ELSEWHERE, RECONNECT_LEAST, RECONNECT_MOST};
use crate::peers::{BEAT_EVERY, CUT_OFF_AFTER};
use crate::planted;
use crate::store::{BEARERS_MAX, Commit, NodeId, Projection, StoreError};
use crate::succession::{self, Succession};

/// Between two heartbeats; an outage is credited from the last one.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// Between two looks for tokens that are good no longer.
const SIGN_OUT_EVERY: Duration = Duration::from_secs(1);
/// Between two notes of what was used of quotas: so much a server that dies forgets.
const NOTE_USAGE_EVERY: Duration = Duration::from_secs(10);
/// Rows of one such note.
const USAGE_AT_ONCE: usize = 500;
/// Each time usage has been noted this often, remembered addresses are tidied and damaged matches are checked again.
const TIDY_EVERY: u32 = 6;

impl App {
    /// Writes heartbeats: each second until the server begins to stop, or several times a second until it retires, where others watch for them. Nothing that a
    /// heartbeat does not need is waited for between two of them.
    pub(crate) async fn keep_alive(self: Arc<Self>, bus: Arc<dyn Bus>) {
        let (every, until) = match self.lease.node {
            NodeId::ONLY => (HEARTBEAT, self.lifecycle.draining()),
            _ => (BEAT_EVERY, self.retiring.clone()),
        };
        let mut beats = tokio::time::interval(every);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let succession = Succession::new(succession::Services {
            lease: self.lease,
            store: self.store.clone(),
            matches: self.matches.clone(),
            hall: self.hall.clone(),
            lifecycle: self.lifecycle.clone(),
            clock: self.clock.clone(),
            metrics: self.metrics.cluster.clone(),
            signs: self.signs.clone(),
        });
        while until.run_until_cancelled(beats.tick()).await.is_some() {
            let began = Instant::now();
            // Once it begins to stop, its players are on their way: what counts for them is the moment before.
            let at = match self.lifecycle.is_draining() {
                true => Millis(0),
                false => self.beat(),
            };
            match self.store.heartbeat(self.lease, at).await {
                Err(StoreError::Fenced) => return self.lifecycle.fail(FENCED),
                Err(error) => {
                    // While this server cannot write, others perhaps cannot either, and only seem dead.
                    succession.begin_again();
                    tracing::warn!(%error, "no heartbeat");
                }
                // A server that stops takes nothing over.
                Ok(()) if self.lifecycle.is_draining() => {}
                Ok(()) if self.lease.node != NodeId::ONLY => {
                    self.metrics.cluster.heartbeat.note();
                    bus.beat(!self.admission.is_ready());
                    succession.look(began.elapsed());
                }
                Ok(()) => {}
            }
        }
    }

    /// Notes what was used of quotas, and forgets what nobody needs, until the server begins to stop.
    pub(crate) async fn keep_tidy(self: Arc<Self>) {
        let draining = self.lifecycle.draining();
        let mut seconds = tokio::time::interval(NOTE_USAGE_EVERY);
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        seconds.reset();
        let mut until_tidy = TIDY_EVERY;
        while draining.run_until_cancelled(seconds.tick()).await.is_some() {
            self.note_usage().await;
            until_tidy -= 1;
            if until_tidy == 0 {
                until_tidy = TIDY_EVERY;
                self.addresses.tidy();
                self.quotas.tidy(self.clock.now());
                self.trust_connected();
                self.identities.tidy();
                self.chats.tidy();
                self.matches.look_again().await;
            }
        }
    }

    /// Looks at what other servers say that they have stored.
    pub(crate) async fn heed_hints(self: Arc<Self>, bus: Arc<dyn Bus>) {
        let draining = self.lifecycle.draining();
        while let Some(hint) = draining.run_until_cancelled(bus.next()).await {
            match hint {
                Hint::Match(id, last) => self.matches.hint(id, last),
                Hint::Tournament(id, last) => self.tournaments.hint(id, last),
                Hint::Words(last) => {
                    if let Some(hall) = &self.hall {
                        hall.hint(last);
                    }
                }
                Hint::Chat(id, room, last) => self.chats.hint(id, room, last),
            }
        }
    }

    /// Counts nothing for the connected addresses that the operator trusts now, and for no others.
    pub(crate) fn trust_connected(&self) {
        self.quotas.trust_only(|| {
            let trusted = self.addresses.trusted().into_iter();
            trusted.map(|address| address.digest(&self.address_secret))
        });
    }

    /// Notes in the store what was used of quotas. What cannot be stored is noted with the next use.
    pub async fn note_usage(&self) {
        let at = self.clock.now();
        for rows in self.quotas.changes(at).chunks(USAGE_AT_ONCE) {
            let rows = rows.to_vec();
            let note = Commit::default().with(Projection::Usage { at, rows });
            if let Err(error) = self.committer.commit(note).await {
                tracing::warn!(%error, "what was used of quotas could not be noted");
            }
        }
    }

    /// Signs out those whose tokens are good no longer, unless they were told at once: a token has expired, or another server that shares the
    /// store has revoked it. A store that does not answer holds up nothing of this but the look at the store.
    pub(crate) async fn keep_signed_out(self: Arc<Self>) {
        let draining = self.lifecycle.draining();
        let mut looks = tokio::time::interval(SIGN_OUT_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut look = None;
        while draining.run_until_cancelled(looks.tick()).await.is_some() {
            self.connections.expire(self.clock.now());
            let heartbeat = self.metrics.cluster.heartbeat.last();
            if heartbeat.is_some_and(|last| last.elapsed() > CUT_OFF_AFTER) {
                self.connections.cut_off();
            }
            if self.lease.node != NodeId::ONLY && look.as_ref().is_none_or(JoinHandle::is_finished)
            {
                look = Some(self.lifecycle.spawn(self.clone().look_around()));
            }
        }
    }

    /// Takes in what other servers that share the store have changed of bans and players.
    async fn look_around(self: Arc<Self>) {
        let draining = self.lifecycle.draining();
        if let Some(Err(error)) = draining.run_until_cancelled(self.hearing.look()).await {
            tracing::warn!(%error, "what other servers have changed cannot be read");
        }
        for tokens in self.connections.tokens().chunks(BEARERS_MAX) {
            let hashes = tokens.iter().map(|(_, hash)| *hash).collect();
            // What cannot be read is asked for again in a second.
            let bearers = draining.run_until_cancelled(self.store.bearers(hashes));
            let Some(Ok(bearers)) = bearers.await else {
                return;
            };
            for ((player, hash), bearer) in tokens.iter().zip(bearers) {
                match bearer {
                    None => self.connections.sign_out(*player, |good| good != hash),
                    Some(bearer) => {
                        let (name, muted) = (&bearer.player.name, &bearer.muted);
                        self.connections.keep_up(*player, name, muted);
                    }
                }
            }
        }
    }

    /// The moment of a heartbeat: now, or that since when a player may be owed time. If the server dies before that is stored, the next
    /// start gives it back with the outage.
    #[must_use]
    pub fn beat(&self) -> Millis {
        let now = self.clock.now();
        if planted::is("heartbeat_ahead") {
            return now.plus(Millis(20_000));
        }
        if planted::is("forget_what_is_owed") {
            return now;
        }
        self.matches.owe_since().map_or(now, |since| since.min(now))
    }

    /// A server whose log has failed must not go on half alive.
    pub(crate) async fn watch_store(self: Arc<Self>) {
        let draining = self.lifecycle.draining();
        if let Some(error) = draining.run_until_cancelled(self.store.failed()).await {
            self.lifecycle.fail(error.to_string());
        }
    }

    /// When a client is to come back after a stop, in milliseconds: they do not all come at once. Where other servers are there already, sooner.
    #[must_use]
    pub fn reconnect_after(&self) -> Millis {
        let (least, most) = match self.lease.node {
            NodeId::ONLY => (RECONNECT_LEAST, RECONNECT_MOST),
            _ => (Millis(0), RECONNECT_ELSEWHERE),
        };
        least.plus(Millis(self.chance.below(most.since(least).0 + 1)))
    }
}
