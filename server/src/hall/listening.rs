//! Hearing the words in their order, and summing them up so that older ones can be forgotten.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use grundy_shared::ids::Seq;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use super::roll::Roll;
use super::spoken::{Heard, Life, Spoken, Topic};
use super::{Hall, Progress};
use crate::lifecycle::FENCED;
use crate::store::{Commit, CommitError, LOAD_PAGE, Projection, StoreError, WordSummary};

/// Between two looks at the words where nothing hints at new ones.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(400);
/// After a hint that led to nothing, hints are not heeded for so long.
pub(super) const HEEDLESS: Duration = Duration::from_millis(200);
/// Between two summaries. A server that has not read for so long has lost its lease long since.
const SUM_UP_EVERY: Duration = Duration::from_secs(30);
/// Why a server stops that has missed words.
const BEHIND: &str =
    "this server has not read what others said for so long that it is forgotten; start it again";

/// What the words come to.
#[derive(Serialize, Deserialize)]
struct Summary {
    roll: Roll,
    accounts: Value,
    lobby: Value,
}

impl Hall {
    /// Hears every word that was said before this is called.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn catch_up(&self) -> Result<(), StoreError> {
        let wanted = self.reads.load(Ordering::Acquire) + 1;
        let mut progress = self.progress.lock().await;
        // One that began after the call will do, also if it failed: not everybody waits for a store that does not answer, one after another.
        if progress.read.0 >= wanted {
            return progress.read.1.clone();
        }
        let this = self.reads.fetch_add(1, Ordering::AcqRel) + 1;
        let read = match self.read_on(&mut progress).await {
            Ok(true) => Ok(()),
            Ok(false) => {
                self.services.lifecycle.fail(BEHIND);
                Err(StoreError::Closed)
            }
            Err(error) => Err(error),
        };
        progress.read = (this, read.clone());
        read
    }

    /// Reads on to the end; `false` where words are forgotten.
    async fn read_on(&self, progress: &mut Progress) -> Result<bool, StoreError> {
        loop {
            let words = self.services.store.words(progress.heard).await?;
            for word in &words {
                if word.seq != progress.heard.next() {
                    return Ok(false);
                }
                progress.heard = word.seq;
                self.take_in(progress, word.seq, &word.body);
            }
            self.note(progress);
            if words.len() < LOAD_PAGE {
                return Ok(true);
            }
        }
    }

    fn note(&self, progress: &Progress) {
        self.heard.store(progress.heard.0, Ordering::Release);
        self.leads
            .store(progress.roll.leads(self.life), Ordering::Relaxed);
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) =
            progress.roll.place(self.life).unwrap_or((0, 1));
    }

    fn take_in(&self, progress: &mut Progress, number: Seq, body: &[u8]) {
        let spoken: Spoken = match serde_json::from_slice(body) {
            Ok(spoken) => spoken,
            // Of a newer version: a server of that has to sum it up.
            Err(error) => {
                progress.understood = false;
                return tracing::warn!(%number, %error, "a word that is not understood");
            }
        };
        let Spoken {
            by, topic, ticket, ..
        } = spoken;
        let gone = match topic {
            Topic::Born => {
                progress.roll.born(by);
                Life {
                    epoch: by.epoch.saturating_sub(1),
                    ..by
                }
            }
            Topic::Gone => match serde_json::from_str(spoken.body.get()) {
                Ok(life) => life,
                Err(error) => return tracing::warn!(%number, %error, "nobody is gone"),
            },
            Topic::Accounts | Topic::Lobby => {
                let heard = Heard {
                    number,
                    by,
                    stale: progress.roll.is_gone(by),
                    ticket: (by == self.life && ticket > 0).then_some(ticket),
                    body: spoken.body.get(),
                };
                for (_, hearer) in self.hearers().filter(|(of, _)| *of == topic) {
                    if let Err(error) = hearer.hear(heard) {
                        progress.understood = false;
                        tracing::warn!(%number, ?topic, %error, "a word that is not understood");
                    }
                }
                return;
            }
        };
        progress.roll.leave(gone);
        for (_, hearer) in self.hearers() {
            hearer.gone(gone);
        }
        if self.life.is_over_with(gone) && by != self.life {
            self.services.lifecycle.fail(FENCED);
        }
    }

    /// Begins with what was summed up; `false` if that was outdated meanwhile.
    pub(super) async fn take_up(&self) -> Result<bool, StoreError> {
        let mut progress = self.progress.lock().await;
        if let Some(WordSummary { upto, body }) = self.services.store.word_summary().await? {
            let summary: Summary = serde_json::from_slice(&body).map_err(unreadable)?;
            progress.heard = upto;
            progress.roll = summary.roll;
            let mut of = [
                (Topic::Accounts, summary.accounts),
                (Topic::Lobby, summary.lobby),
            ];
            for (topic, hearer) in self.hearers() {
                if let Some((_, part)) = of.iter_mut().find(|(of, _)| *of == topic) {
                    hearer.take_up(part.take()).map_err(unreadable)?;
                }
            }
        }
        self.read_on(&mut progress).await
    }

    /// Sums up what was heard, so that older words can be forgotten; all words, if nothing was said since this server has summed up the last time, which
    /// was long ago for who hears.
    ///
    /// # Errors
    /// As the store says.
    pub async fn sum_up(&self) -> Result<(), CommitError> {
        let (upto, summary) = {
            let progress = self.progress.lock().await;
            if !progress.understood {
                return Ok(());
            }
            if progress.summed == Some(progress.heard) {
                let forget = Commit::default().with(Projection::ForgetWords(progress.heard));
                drop(progress);
                return self.services.committer.commit(forget).await;
            }
            let mut summary = Summary {
                roll: progress.roll.clone(),
                accounts: Value::Null,
                lobby: Value::Null,
            };
            for (topic, hearer) in self.hearers() {
                match topic {
                    Topic::Accounts => summary.accounts = hearer.sum_up(),
                    Topic::Lobby => summary.lobby = hearer.sum_up(),
                    Topic::Born | Topic::Gone => {}
                }
            }
            (progress.heard, summary)
        };
        let body = serde_json::to_vec(&summary).map_err(|error| StoreError::Failed {
            why: error.to_string(),
        })?;
        let body = body.into();
        let summary = Projection::SumUp(WordSummary { upto, body });
        let commit = Commit::default().with(summary);
        self.services.committer.commit(commit).await?;
        self.progress.lock().await.summed = Some(upto);
        Ok(())
    }

    pub(super) async fn keep_hearing(self: Arc<Self>) {
        let mut heeds_from = Instant::now();
        let mut sums_up_at = Instant::now() + SUM_UP_EVERY;
        loop {
            let woken = tokio::select! {
                biased;
                () = self.ended.cancelled() => return,
                () = self.look.notified() => true,
                () = tokio::time::sleep(LOOK_EVERY) => false,
            };
            let now = Instant::now();
            let before = self.heard.load(Ordering::Acquire);
            let hinted = self.promised.load(Ordering::Acquire) > before;
            if !woken || hinted && now >= heeds_from {
                if let Err(error) = self.catch_up().await {
                    tracing::warn!(%error, "words cannot be heard");
                    continue;
                }
                let heard = self.heard.load(Ordering::Acquire);
                if hinted && heard == before {
                    self.promised.store(heard, Ordering::Release);
                    heeds_from = now + HEEDLESS;
                }
            }
            // Hints of others say nothing about this server.
            if self.changed.swap(false, Ordering::AcqRel) || !woken {
                self.amend().await;
            }
            if now >= sums_up_at {
                sums_up_at = now + SUM_UP_EVERY;
                if self.leads()
                    && let Err(error) = self.sum_up().await
                {
                    tracing::warn!(%error, "words cannot be summed up");
                }
            }
        }
    }
}

fn unreadable(error: impl fmt::Display) -> StoreError {
    let why = format!("the summary of words cannot be read: {error}");
    StoreError::Corrupt { why }
}
