//! What other servers on the same store do: they make tournaments, and let those go on that are here as well.

use grundy_shared::ids::{Seq, TournamentId};

use super::catalogue::Catalogue;
use super::live::Input;
use super::registry::Tournaments;
use crate::store::{StoreError, StreamId};

impl Tournaments {
    /// Takes up what other servers have made, and lets all tournaments look at their logs.
    pub async fn look(&self) {
        self.look_at_catalogue().await;
        for live in self.everyone() {
            live.give(Input::Look);
        }
    }

    /// Another server may have stored events of this tournament up to this one.
    pub async fn hint(&self, id: TournamentId, last: Seq) {
        if StreamId::Tournament(id) == StreamId::of_catalogue() {
            self.look_at_catalogue().await;
        } else if let Some(live) = self.get(id)
            && live.seq() < last
        {
            live.give(Input::Look);
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
        Ok(())
    }
}
