//! What players meet outside their matches, over all servers that share a store: one order of words, and every server hears all of them.
//!
//! Whatever changes the lobby or an account is a word. The store numbers the words ([`crate::store::Word`]), each server reads them in that order, and what it knows
//! follows from them alone; so all know the same. A word may be part of the commit that makes a match: then a seek ends and its match begins at one moment, or
//! neither. Hints only let a server read earlier. See docs/decisions/0062.

mod listening;
mod roll;
mod speaking;
mod spoken;
mod tickets;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use bytes::Bytes;
use grundy_shared::ids::Seq;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use self::roll::Roll;
use self::spoken::Spoken;
pub use self::spoken::{Heard, Hearer, Life, Topic};
pub use self::tickets::{Ticket, Tickets};
use crate::bus::Bus;
use crate::lifecycle::Lifecycle;
use crate::store::committer::Committer;
use crate::store::{Commit, CommitError, Lease, Projection, Store, StoreError, Word};

/// Words that wait to be said without anybody waiting for them. One more is dropped.
const WAITING: usize = 4_096;

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
    /// What this server has summed up.
    summed: Option<Seq>,
    roll: Roll,
    /// The last read, and how it ended.
    read: (u64, Result<(), StoreError>),
    /// What was heard is all that was said.
    understood: bool,
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
                summed: None,
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

    fn hearers(&self) -> impl Iterator<Item = (Topic, Arc<dyn Hearer>)> {
        let all = self.hearers.get().into_iter().flatten();
        all.filter_map(|(topic, hearer)| Some((*topic, hearer.upgrade()?)))
    }

    /// Says what waits, and that this server is gone. Nothing is said afterwards.
    pub async fn stop(&self) {
        self.ending.cancel();
        if self.hearers.get().is_some() {
            self.ended.cancelled().await;
        }
    }
}

fn null() -> Box<RawValue> {
    RawValue::NULL.to_owned()
}

#[cfg(test)]
mod tests;
