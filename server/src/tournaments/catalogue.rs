//! Which tournaments there are: a log, too. It holds the seeds, so nobody but the server reads it.

use std::collections::BTreeSet;

use bytes::Bytes;
use grundy_shared::ids::{Millis, Seq, TournamentId};
use grundy_shared::protocol::tournament::{TournamentStatus, TournamentSummary};
use grundy_shared::tournament::{Format, Seed};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::store::{AddressDigest, LOAD_PAGE, Store, StoreError, StreamId};

/// Something in the catalogue.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Entry {
    /// A tournament was made.
    Made {
        tournament: TournamentId,
        at_ms: Millis,
        name: String,
        format: Format,
        seed: Seed,
        /// The digest of the address at which it was created. Older entries have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<AddressDigest>,
    },
    /// A tournament is over, or was cancelled.
    Over {
        tournament: TournamentId,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cancelled: bool,
    },
}

impl Entry {
    pub(super) fn to_json(&self) -> Bytes {
        let json = serde_json::to_string(self);
        json.expect("an entry has only string keys and plain values")
            .into()
    }
}

/// An entry with this text in place of the name of its tournament, if it is one of these; `None` if nothing of it changes.
///
/// # Errors
/// `Corrupt`: it is no entry of the catalogue.
pub fn unnamed_entry(
    body: &Bytes,
    of: &BTreeSet<TournamentId>,
    text: &str,
) -> Result<Option<Bytes>, StoreError> {
    let entry = serde_json::from_slice(body).map_err(|error| StoreError::Corrupt {
        why: format!("an entry of the tournaments: {error}"),
    })?;
    match entry {
        Entry::Made {
            tournament,
            at_ms,
            name,
            format,
            seed,
            address,
        } if of.contains(&tournament) && name != text => {
            let unnamed = Entry::Made {
                tournament,
                at_ms,
                name: text.to_owned(),
                format,
                seed,
                address,
            };
            Ok(Some(unnamed.to_json()))
        }
        _ => Ok(None),
    }
}

/// All tournaments, oldest first. About 200 bytes each. The catalogue knows only of one that is not over that it can go on: the summary says
/// [`TournamentStatus::Paused`], which is also what players see of one that was put aside.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    pub(super) seq: Seq,
    /// The newest entry of which all that follows was done: what other servers have made is here.
    pub(super) seen: Seq,
    all: Vec<(TournamentSummary, Seed)>,
    /// The addresses at which the unfinished tournaments were created.
    addresses: FxHashMap<TournamentId, AddressDigest>,
}

/// The catalogue's own log.
pub(super) fn stream() -> StreamId {
    StreamId::of_catalogue()
}

impl Catalogue {
    /// Reads it.
    pub(super) async fn read(store: &dyn Store) -> Result<Self, StoreError> {
        let mut catalogue = Self::default();
        catalogue.read_on(store).await?;
        Ok(catalogue)
    }

    /// Reads what was stored since.
    pub(super) async fn read_on(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        loop {
            let page = store.load(stream(), self.seq, LOAD_PAGE).await?;
            let page = page.unwrap_or_default();
            if page.is_empty() {
                return Ok(());
            }
            for logged in page {
                let entry =
                    serde_json::from_slice(&logged.body).map_err(|error| StoreError::Corrupt {
                        why: format!("entry {} of the tournaments: {error}", logged.seq),
                    })?;
                self.seq = logged.seq;
                self.take(entry);
            }
        }
    }

    /// Takes over an entry that is stored.
    pub(super) fn take(&mut self, entry: Entry) {
        match entry {
            Entry::Made {
                tournament,
                at_ms,
                name,
                format,
                seed,
                address,
            } => {
                if let Some(address) = address {
                    self.addresses.insert(tournament, address);
                }
                let summary = TournamentSummary {
                    tournament,
                    name,
                    format,
                    created_at_ms: at_ms,
                    status: TournamentStatus::Paused,
                };
                self.all.push((summary, seed));
            }
            Entry::Over {
                tournament,
                cancelled,
            } => {
                self.addresses.remove(&tournament);
                let found = self
                    .all
                    .iter_mut()
                    .rfind(|(summary, _)| summary.tournament == tournament);
                if let Some((summary, _)) = found {
                    summary.status = if cancelled {
                        TournamentStatus::Cancelled
                    } else {
                        TournamentStatus::Over
                    };
                }
            }
        }
    }

    /// Those that are not over, with their seeds.
    pub(super) fn live(&self) -> Vec<(TournamentId, Seed)> {
        let live = self
            .all
            .iter()
            .filter(|(summary, _)| !summary.status.is_final());
        live.map(|(summary, seed)| (summary.tournament, *seed))
            .collect()
    }

    /// The address at which this unfinished tournament was created, if it was stored.
    pub(super) fn address_of(&self, id: TournamentId) -> Option<AddressDigest> {
        self.addresses.get(&id).copied()
    }

    /// Whether there is such a tournament, and its seed.
    pub(super) fn seed_of(&self, id: TournamentId) -> Option<Seed> {
        let mut all = self.all.iter().rev();
        all.find(|(summary, _)| summary.tournament == id)
            .map(|(_, seed)| *seed)
    }

    /// How it ended, if it is noted that it did.
    pub(super) fn final_status_of(&self, id: TournamentId) -> Option<TournamentStatus> {
        let mut all = self.all.iter().rev();
        let found = all.find(|(summary, _)| summary.tournament == id);
        found
            .map(|(summary, _)| summary.status)
            .filter(|status| status.is_final())
    }

    /// A page, newest first: those before the place `before`, and where the next page begins.
    pub(super) fn page(
        &self,
        before: Option<u32>,
        limit: usize,
    ) -> (Vec<TournamentSummary>, Option<u32>) {
        let end = before.map_or(self.all.len(), |before| before as usize);
        let end = end.min(self.all.len());
        let begin = end.saturating_sub(limit);
        let page = self.all[begin..end].iter().rev();
        let page = page.map(|(summary, _)| summary.clone()).collect();
        (page, (begin > 0).then_some(begin as u32))
    }
}
