//! What other servers on the same store do: they make tournaments, and let those go on that are here as well.

use std::sync::Arc;

use grundy_shared::ids::{Seq, TournamentId};
use tokio::time::Instant;

use super::catalogue::Catalogue;
use super::live::Input;
use super::registry::Tournaments;
use crate::store::{StoreError, StreamId};

impl Tournaments {
    /// How far the logs of all tournaments that are here are known, and that of the catalogue. Cost: linear in them.
    pub async fn known(&self) -> Vec<(StreamId, Seq)> {
        let catalogue = self.catalogue.lock().await.seen;
        let here = self.everyone();
        let here = here
            .iter()
            .map(|live| (StreamId::Tournament(live.id()), live.seq()));
        here.chain([(StreamId::of_catalogue(), catalogue)])
            .collect()
    }

    /// Takes up what other servers have made, and lets all tournaments look at their logs at once.
    pub async fn look(&self) {
        self.look_at_catalogue().await;
        for live in self.everyone() {
            live.give(Input::Look);
        }
    }

    /// Another server may have stored events of this tournament up to this one, or of the catalogue.
    pub fn hint(&self, id: TournamentId, last: Seq) {
        let of_catalogue = StreamId::Tournament(id) == StreamId::of_catalogue();
        if of_catalogue || self.get(id).is_some_and(|live| live.seq() < last) {
            self.hinted.note(id, last);
        }
    }

    /// Looks at what hints name, until the server begins to stop.
    pub async fn heed_hints(self: Arc<Self>) {
        let draining = self.host.services.lifecycle.draining();
        while let Some(id) = draining.run_until_cancelled(self.next_hinted()).await {
            if StreamId::Tournament(id) == StreamId::of_catalogue() {
                self.look_at_catalogue().await;
            } else if let Some(live) = self.get(id) {
                live.give(Input::Look);
            }
        }
    }

    /// What is to be looked at next.
    async fn next_hinted(&self) -> TournamentId {
        loop {
            self.hinted.wait().await;
            let catalogue = self.catalogue.lock().await.seen;
            let known = |id| match StreamId::Tournament(id) == StreamId::of_catalogue() {
                true => Some(catalogue),
                false => self.get(id).map(|live| live.seq()),
            };
            if let Some(id) = self.hinted.next(Instant::now(), known) {
                return id;
            }
        }
    }

    async fn look_at_catalogue(&self) {
        let mut catalogue = self.catalogue.lock().await;
        if let Err(error) = self.catch_up(&mut catalogue).await {
            tracing::warn!(%error, "the tournaments of other servers cannot be looked at");
        }
    }

    /// Reads on in the catalogue, and takes up the tournaments that are not over and not here.
    pub(super) async fn catch_up(&self, catalogue: &mut Catalogue) -> Result<(), StoreError> {
        catalogue.read_on(&*self.host.services.store).await?;
        for (id, seed) in catalogue.live() {
            if self.get(id).is_some() {
                continue;
            }
            match self.read(id, seed).await {
                Ok(Some(begun)) if !begun.tournament.is_over() => {
                    self.add(id, begun);
                    if let Some(live) = self.get(id) {
                        live.give(Input::Time);
                    }
                }
                // It is noted soon that it is over.
                Ok(_) => {}
                // It was put aside at the start, or is now: as long as it is, it is tried again.
                Err(error) if error.is_damage() => {
                    tracing::debug!(tournament = %id, %error, "the tournament is put aside");
                }
                Err(error) => return Err(error),
            }
        }
        catalogue.seen = catalogue.seq;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt as _;
    use grundy_shared::event::PlayerInfo;
    use grundy_shared::ids::{Millis, PlayerId};
    use grundy_shared::tournament::Seed;
    use serde_json::json;

    use super::*;
    use crate::accounts::Accounts;
    use crate::chance::SystemChance;
    use crate::clock::SystemClock;
    use crate::config::{Config, Settings};
    use crate::lifecycle::Lifecycle;
    use crate::store::committer::Committer;
    use crate::store::memory::MemoryStore;
    use crate::store::{AddressDigest, NodeId, Store};
    use crate::tournaments::creation::Draft;
    use crate::tournaments::{Organiser, Services};

    /// The tournaments of one of several servers on this store.
    async fn server(store: &Arc<MemoryStore>, node: u32) -> Arc<Tournaments> {
        let lease = store
            .enlist(NodeId(node), Millis(1))
            .await
            .expect("a lease");
        let (committer, commits) = Committer::new(store.clone(), lease);
        let lifecycle = Lifecycle::new();
        lifecycle.spawn(commits.run());
        let (clock, chance) = (
            Arc::new(SystemClock::start(Millis(1))),
            Arc::new(SystemChance),
        );
        let services = Services {
            config: Settings::new(Config::default()),
            store: store.clone(),
            committer,
            accounts: Accounts::new(clock.clone(), chance.clone(), None),
            clock,
            chance,
            lifecycle,
            shared: true,
        };
        Tournaments::recover(services).await.expect("a catalogue")
    }

    #[tokio::test]
    async fn one_that_is_taken_up_while_it_is_looked_for_is_found() {
        let store = Arc::new(MemoryStore::new());
        let (here, there) = (server(&store, 1).await, server(&store, 2).await);
        let wish = json!({"name": "Cup", "format": {"type": "round_robin"}, "admission": {"most": 2},
            "rules": {"games": 2, "clock": {"type": "fischer", "base_ms": 600_000, "increment_ms": 0},
                "starts": {"type": "list", "positions": ["nim:3,5,7"]}, "start_ms": 60_000, "away_ms": 60_000}});
        let wish = serde_json::from_value(wish).expect("a wish");
        let player = PlayerInfo {
            id: PlayerId::from_random(1),
            name: "Org".to_owned(),
            bot: false,
        };
        let organiser = Organiser {
            player,
            address: AddressDigest(1),
            is_operator: false,
        };
        let seed = Seed::new([7; 32]);
        let draft = Draft::of(organiser.player.clone(), wish, seed, Millis(1));
        let draft = draft.map_err(|refused| refused.message).expect("a draft");
        let made = there.store(organiser, draft).await;
        let (made, _) = made.map_err(|refused| refused.message).expect("it is made");
        let id = made.id().to_string();
        let mut catalogue = here.catalogue.lock().await;
        let mut finding = Box::pin(here.find(&id));
        assert!(
            (&mut finding).now_or_never().is_none(),
            "it waits for the catalogue"
        );
        here.catch_up(&mut catalogue).await.expect("readable");
        drop(catalogue);
        assert_eq!(finding.await.map(|live| live.id()).ok(), Some(made.id()));
    }
}
