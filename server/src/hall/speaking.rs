//! Saying words: those that somebody waits for, those that nobody waits for, and those that are missing.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::future::join_all;
use grundy_shared::ids::Seq;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::Hall;
use super::spoken::{Life, Topic};
use crate::bus::Hint;
use crate::store::{Commit, CommitError, Projection, StoreError, Unique};

/// How long a request waits for what it has committed to be heard, where the store does not answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two attempts where the store does not answer.
const PAUSE: Duration = Duration::from_millis(100);
/// Words that are said at once.
const AT_ONCE: usize = 256;

impl Hall {
    /// Hears what this server has committed, and lets others know. If the store does not answer for long, it is heard later.
    pub async fn hear_own(&self) {
        let until = Instant::now() + PATIENCE;
        while let Err(error) = self.catch_up().await {
            tracing::warn!(%error, "words cannot be heard");
            if error == StoreError::Closed || Instant::now() > until {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        let heard = Seq(self.heard.load(Ordering::Acquire));
        self.services.bus.publish(Hint::Words(heard));
    }

    /// Says that a server is dead: what it had here is over. Nothing is said if it has nothing.
    ///
    /// # Errors
    /// As the store says.
    pub async fn bury(&self, dead: Life) -> Result<(), CommitError> {
        self.catch_up().await?;
        if !self.progress.lock().await.roll.has(dead) {
            return Ok(());
        }
        self.say(self.word(Topic::Gone, 0, None, &dead)).await
    }

    /// Says what is missing for the truth about this server.
    pub(super) async fn amend(&self) {
        if self.ending.is_cancelled() {
            return;
        }
        let missing = self.hearers().flat_map(|(_, hearer)| hearer.amend());
        let missing: Vec<_> = missing.take(AT_ONCE).collect();
        if !missing.is_empty() {
            // What cannot be said is still missing at the next look.
            self.say_all(missing).await;
        }
    }

    /// Says words in this order; those that could not be said.
    async fn say_all(&self, words: Vec<Projection>) -> Vec<Projection> {
        let said = words.iter().map(|word| {
            let commit = Commit::default().with(word.clone());
            self.services.committer.commit(commit)
        });
        let outcomes = join_all(said).await;
        let mut unsaid = Vec::new();
        for (word, outcome) in words.into_iter().zip(outcomes) {
            match outcome {
                // Another server has said the same.
                Ok(()) | Err(CommitError::Taken(Unique::Word)) => {}
                Err(error) => {
                    tracing::debug!(%error, "a word was not said");
                    unsaid.push(word);
                }
            }
        }
        self.hear_own().await;
        unsaid
    }

    pub(super) async fn keep_saying(self: Arc<Self>, mut to_say: mpsc::Receiver<Projection>) {
        let mut words = Vec::new();
        loop {
            tokio::select! {
                biased;
                count = to_say.recv_many(&mut words, AT_ONCE) => if count == 0 {
                    break;
                },
                () = self.ending.cancelled(), if !to_say.is_closed() => {
                    to_say.close();
                    continue;
                }
            }
            while !words.is_empty() {
                words = self.say_all(words).await;
                if self.ending.is_cancelled() {
                    words.clear();
                }
                if !words.is_empty() {
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        let gone = self.word(Topic::Gone, 0, None, &self.life);
        if let Err(error) = self.say(gone).await {
            tracing::debug!(%error, "the other servers find out by themselves that this one is gone");
        }
        self.ended.cancel();
    }
}
