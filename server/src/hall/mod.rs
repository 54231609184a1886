//! What players meet outside their matches, over all servers that share a store: one order of words, and every server hears all of them.
//!
//! Whatever changes the lobby or an account is a word. The store numbers the words ([`crate::store::Word`]), each server reads them in that order, and what it knows
//! follows from them alone; so all know the same. A word may be part of the commit that makes a match: then a seek ends and its match begins at one moment, or
//! neither. Hints only let a server read earlier. See docs/decisions/0062.

mod roll;
mod spoken;
mod tickets;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use futures::future::join_all;
use grundy_shared::ids::Seq;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::roll::Roll;
use self::spoken::Spoken;
pub use self::spoken::{Heard, Hearer, Life, Topic};
pub use self::tickets::{Ticket, Tickets};
use crate::bus::{Bus, Hint};
use crate::lifecycle::{FENCED, Lifecycle};
use crate::store::committer::Committer;
use crate::store::{
    Commit, CommitError, LOAD_PAGE, Lease, Projection, Store, StoreError, Unique, Word, WordSummary,
};

/// Between two looks at the words where nothing hints at new ones.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// After a hint that led to nothing, hints are not heeded for so long.
const HEEDLESS: Duration = Duration::from_millis(200);
/// How long a request waits for what it has committed to be heard, where the store does not answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two attempts where the store does not answer.
const PAUSE: Duration = Duration::from_millis(100);
/// Words that wait to be said without anybody waiting for them. One more is dropped.
const WAITING: usize = 4_096;
/// Words that are said at once.
const AT_ONCE: usize = 256;
/// Between two summaries. A server that has not read for so long has lost its lease long since.
const SUM_UP_EVERY: Duration = Duration::from_secs(30);

/// Why a server stops that has missed words.
const BEHIND: &str =
    "this server has not read what others said for so long that it is forgotten; start it again";

/// What every part of the hall depends on.
pub struct Services {
    /// Where the words are.
    pub store: Arc<dyn Store>,
    /// The way to write to it.
    pub committer: Committer,
    /// The right to.
    pub lease: Lease,
    /// Hints.
    pub bus: Arc<dyn Bus>,
    /// Whether the server stops.
    pub lifecycle: Lifecycle,
}

/// The hall as this server hears it.
pub struct Hall {
    services: Services,
    life: Life,
    hearers: OnceLock<[(Topic, Weak<dyn Hearer>); 2]>,
    progress: tokio::sync::Mutex<Progress>,
    /// Reads that have begun.
    reads: AtomicU64,
    heard: AtomicU64,
    /// The newest word that a hint has promised.
    promised: AtomicU64,
    leads: AtomicBool,
    /// The place of this server among those that live.
    place: Mutex<(usize, usize)>,
    muttered: mpsc::Sender<Projection>,
    to_say: Mutex<Option<mpsc::Receiver<Projection>>>,
    /// Something is new.
    look: Notify,
    /// It is something that others have to know.
    changed: AtomicBool,
    /// Nothing more is said when what waits is said.
    ending: CancellationToken,
    ended: CancellationToken,
}

#[derive(Debug)]
struct Progress {
    heard: Seq,
    roll: Roll,
    /// The last read, and how it ended.
    read: (u64, Result<(), StoreError>),
    /// What was heard is all that was said.
    understood: bool,
}

/// What the words come to.
#[derive(Serialize, Deserialize)]
struct Summary {
    roll: Roll,
    accounts: Value,
    lobby: Value,
}

impl Hall {
    /// Nothing is heard before [`Hall::begin`].
    #[must_use]
    pub fn new(services: Services) -> Arc<Self> {
        let (muttered, to_say) = mpsc::channel(WAITING);
        Arc::new(Self {
            life: services.lease.into(),
            services,
            hearers: OnceLock::new(),
            progress: tokio::sync::Mutex::new(Progress {
                heard: Seq(0),
                roll: Roll::default(),
                read: (0, Ok(())),
                understood: true,
            }),
            reads: AtomicU64::new(0),
            heard: AtomicU64::new(0),
            promised: AtomicU64::new(0),
            leads: AtomicBool::new(false),
            place: Mutex::new((0, 1)),
            muttered,
            to_say: Mutex::new(Some(to_say)),
            look: Notify::new(),
            changed: AtomicBool::new(false),
            ending: CancellationToken::new(),
            ended: CancellationToken::new(),
        })
    }

    /// Hears all that was said, says that this server lives, and goes on by itself from then on.
    ///
    /// # Errors
    /// The store could not be read or written.
    pub async fn begin(
        self: &Arc<Self>,
        accounts: &Arc<impl Hearer + 'static>,
        lobby: &Arc<impl Hearer + 'static>,
    ) -> Result<(), StoreError> {
        let accounts: Arc<dyn Hearer> = accounts.clone();
        let lobby: Arc<dyn Hearer> = lobby.clone();
        let hearers = [
            (Topic::Accounts, Arc::downgrade(&accounts)),
            (Topic::Lobby, Arc::downgrade(&lobby)),
        ];
        let first = self.hearers.set(hearers).is_ok();
        let to_say = self
            .to_say
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(to_say) = to_say.filter(|_| first) else {
            return Ok(());
        };
        while !self.take_up().await? {}
        let born = self.word(Topic::Born, 0, None, &());
        match self.say(born).await {
            Ok(()) => {}
            Err(CommitError::Fenced) => return Err(StoreError::Fenced),
            Err(CommitError::Store(error)) => return Err(error),
            Err(error) => {
                let why = error.to_string();
                return Err(StoreError::Failed { why });
            }
        }
        let lifecycle = &self.services.lifecycle;
        lifecycle.spawn(self.clone().keep_hearing());
        lifecycle.spawn(self.clone().keep_saying(to_say));
        Ok(())
    }

    /// The life of this server.
    #[must_use]
    pub fn life(&self) -> Life {
        self.life
    }

    /// Whether this server does what only one of all has to do. Words decide where two believe so.
    #[must_use]
    pub fn leads(&self) -> bool {
        self.leads.load(Ordering::Relaxed)
    }

    /// Whether this server does the work of this number, of what each of those that live does a share of. While they do not know the same, two may do it, or nobody.
    #[must_use]
    pub fn shares(&self, number: u64) -> bool {
        let (place, all) = *self.place.lock().unwrap_or_else(PoisonError::into_inner);
        number % all as u64 == place as u64
    }

    /// A word of this server, to be committed.
    pub fn word(
        &self,
        topic: Topic,
        ticket: u64,
        settles: Option<String>,
        said: &impl Serialize,
    ) -> Projection {
        let body = serde_json::value::to_raw_value(said).unwrap_or_else(|_| null());
        let spoken = Spoken {
            by: self.life,
            topic,
            ticket,
            body,
        };
        Projection::Word(Word {
            settles,
            heard: Seq(self.heard.load(Ordering::Acquire)),
            body: serde_json::to_vec(&spoken).map_or_else(|_| Bytes::new(), Bytes::from),
        })
    }

    /// Says a word, and hears it.
    ///
    /// # Errors
    /// `Taken`, if another word has settled the same; or as the store says. With `Failed` and `Closed` it may have been said all the same.
    pub async fn say(&self, word: Projection) -> Result<(), CommitError> {
        let commit = Commit::default().with(word);
        self.services.committer.commit(commit).await?;
        self.hear_own().await;
        Ok(())
    }

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

    /// Says a word as soon as possible; nobody waits for it. It is dropped if too many wait.
    pub fn mutter(&self, word: Projection) {
        if self.muttered.try_send(word).is_err() {
            tracing::warn!("too much waits to be said to other servers: a word was dropped");
        }
    }

    /// Something changed here that other servers have to know.
    pub fn amend_soon(&self) {
        self.changed.store(true, Ordering::Release);
        self.look.notify_one();
    }

    /// Another server may have said words up to this one.
    pub fn hint(&self, last: Seq) {
        if Seq(self.heard.load(Ordering::Acquire)) < last {
            self.promised.fetch_max(last.0, Ordering::AcqRel);
            self.look.notify_one();
        }
    }

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

    fn hearers(&self) -> impl Iterator<Item = (Topic, Arc<dyn Hearer>)> {
        let all = self.hearers.get().into_iter().flatten();
        all.filter_map(|(topic, hearer)| Some((*topic, hearer.upgrade()?)))
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
    async fn take_up(&self) -> Result<bool, StoreError> {
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

    /// Sums up what was heard, so that older words can be forgotten.
    ///
    /// # Errors
    /// As the store says.
    pub async fn sum_up(&self) -> Result<(), CommitError> {
        let (upto, summary) = {
            let progress = self.progress.lock().await;
            if !progress.understood {
                return Ok(());
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
        self.services.committer.commit(commit).await
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

    async fn keep_hearing(self: Arc<Self>) {
        let mut heeds_from = Instant::now();
        let mut sums_up_at = Instant::now() + SUM_UP_EVERY;
        loop {
            let woken = tokio::select! {
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

    /// Says what is missing for the truth about this server.
    async fn amend(&self) {
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

    async fn keep_saying(self: Arc<Self>, mut to_say: mpsc::Receiver<Projection>) {
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

    /// Says what waits, and that this server is gone. Nothing is said afterwards.
    pub async fn stop(&self) {
        self.ending.cancel();
        if self.hearers.get().is_some() {
            self.ended.cancelled().await;
        }
    }
}

fn unreadable(error: impl fmt::Display) -> StoreError {
    let why = format!("the summary of words cannot be read: {error}");
    StoreError::Corrupt { why }
}

fn null() -> Box<RawValue> {
    RawValue::NULL.to_owned()
}

#[cfg(test)]
mod tests;
