//! The task of one match: orders in, events into the store, and only then to those who follow.
//!
//! A panic costs one round: the state is rebuilt from the log, and who follows is told what it missed. The third panic
//! in ten minutes puts the match into quarantine: it answers `internal` until the server is started again.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use futures::FutureExt;
use grundy_shared::ids::{MatchId, Ply, Seat, Seq};
use grundy_shared::protocol::ErrorBody;
use grundy_shared::referee::{Referee, Status};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::directory::{Claim, Directory};
use super::outbox::Frame;
use super::rebuild::{self, RebuildError};
use super::table::Table;
use super::viewers::Viewers;
use super::{Mailbox, Order, refusal};
use crate::store::{LOAD_PAGE, StoreError};

/// Panics within [`PANIC_WINDOW`] that put a match into quarantine.
const PANICS_MAX: usize = 3;
const PANIC_WINDOW: Duration = Duration::from_secs(600);
/// How long a match that has followers waits before it reads a failing store again.
const REREAD_AFTER: Duration = Duration::from_secs(1);

/// How far a match has come, to be read without asking its actor.
#[derive(Debug, Default)]
pub struct Pulse {
    seq: AtomicU64,
    ply: AtomicU32,
    connected: [AtomicBool; 2],
}

impl Pulse {
    /// The newest event.
    #[must_use]
    pub fn seq(&self) -> Seq {
        Seq(self.seq.load(Ordering::Relaxed))
    }

    /// Moves made.
    #[must_use]
    pub fn ply(&self) -> Ply {
        Ply(self.ply.load(Ordering::Relaxed))
    }

    /// Whether the player of this seat follows the match at a connection.
    #[must_use]
    pub fn is_connected(&self, seat: Seat) -> bool {
        self.connected[seat.index()].load(Ordering::Relaxed)
    }

    pub(super) fn set_connected(&self, seat: Seat, connected: bool) {
        self.connected[seat.index()].store(connected, Ordering::Relaxed);
    }

    pub(super) fn set(&self, seq: Seq, ply: Ply) {
        self.seq.store(seq.0, Ordering::Relaxed);
        self.ply.store(ply.0, Ordering::Relaxed);
    }
}

/// What an actor begins with, where that is known already.
pub(super) struct Beginning {
    pub(super) referee: Referee,
    /// The last events, which those who come now are sent without asking the store.
    pub(super) recent: Vec<Frame>,
}

/// How an actor begins.
pub(super) enum Start {
    /// Somebody asks for a match: its state is read from the store.
    Asked,
    /// With a state that is known.
    Known(Box<Beginning>),
    /// The log was found damaged: the match is refused to everybody.
    Quarantined,
}

/// What outlives a panic: everything but the state, which is in the log.
pub(super) struct Actor {
    pub(super) directory: Arc<Directory>,
    pub(super) id: MatchId,
    pub(super) mailbox: Mailbox,
    pub(super) orders: mpsc::Receiver<Box<Order>>,
    pub(super) pulse: Arc<Pulse>,
    pub(super) viewers: Viewers,
    /// The last event that the viewers were told of.
    pub(super) announced: Seq,
}

/// Why a match cannot be played at the moment.
enum Unfit {
    /// There is none.
    Absent,
    /// The store cannot be read.
    Store(StoreError),
    /// Its log is damaged.
    Broken,
}

impl Actor {
    /// Runs the match until nobody needs it any more.
    pub(super) async fn run(mut self, start: Start) {
        let mut beginning = match start {
            Start::Asked => None,
            Start::Known(beginning) => Some(*beginning),
            Start::Quarantined => return Box::pin(self.quarantine()).await,
        };
        let mut panics = VecDeque::new();
        loop {
            let round = AssertUnwindSafe(Box::pin(self.play(beginning.take())));
            if round.catch_unwind().await.is_ok() {
                return;
            }
            self.directory.metrics.match_panics.inc();
            tracing::error!(match_id = %self.id, "the match's task panicked; it is rebuilt from its log");
            let now = Instant::now();
            panics.push_back(now);
            panics.retain(|at| now - *at < PANIC_WINDOW);
            if panics.len() >= PANICS_MAX {
                return Box::pin(self.quarantine()).await;
            }
        }
    }

    async fn play(&mut self, beginning: Option<Beginning>) {
        let begun = match beginning {
            Some(beginning) => Ok(beginning),
            None => match Box::pin(self.load()).await {
                Ok(read) => match self.directory.claim(self.id, &self.mailbox, &read.referee) {
                    Claim::Granted => {
                        // Its end may have been stored by a round that did not live to say so.
                        if read.referee.status() == Status::Over {
                            self.directory.ended(self.id);
                        }
                        Ok(read)
                    }
                    Claim::Early => Err(Unfit::Absent),
                    Claim::Late => return self.hand_over().await,
                },
                unfit => unfit,
            },
        };
        match begun {
            Ok(beginning) => Table::new(self, beginning).run().await,
            Err(Unfit::Absent) => {
                self.retire(&refusal::no_such_match(&self.id.to_string()))
                    .await;
            }
            Err(Unfit::Store(error)) => self.retire(&refusal::of_store(&error)).await,
            Err(Unfit::Broken) => Box::pin(self.quarantine()).await,
        }
    }

    /// Reads the state from the log, and tells the viewers what they missed.
    async fn load(&mut self) -> Result<Beginning, Unfit> {
        loop {
            let failed = match rebuild::load(&*self.directory.store, self.id).await {
                Ok(None) => return Err(Unfit::Absent),
                Ok(Some(referee)) => match self.announce_tail(referee.seq()).await {
                    Ok(()) => {
                        return Ok(Beginning {
                            referee,
                            recent: Vec::new(),
                        });
                    }
                    Err(error) => error,
                },
                Err(RebuildError::Store(error)) if !error.is_damage() => error,
                Err(error) => {
                    self.directory.damaged.note(self.id, &error);
                    return Err(Unfit::Broken);
                }
            };
            if self.viewers.is_empty() || self.directory.lifecycle.is_draining() {
                return Err(Unfit::Store(failed));
            }
            tokio::time::sleep(REREAD_AFTER).await;
        }
    }

    /// Tells the viewers of stored events that they have not heard of.
    pub(super) async fn announce_tail(&mut self, last: Seq) -> Result<(), StoreError> {
        if self.viewers.is_empty() {
            self.announced = last;
        }
        while self.announced < last {
            let store = &self.directory.store;
            let page = store
                .load(self.id.into(), self.announced, LOAD_PAGE)
                .await?;
            let page = page.unwrap_or_default();
            if page.is_empty() {
                let why = format!("event {} is missing", self.announced.next());
                return Err(StoreError::Corrupt { why });
            }
            for logged in page {
                self.viewers
                    .announce(&Frame::event(self.id, logged.seq, logged.text()));
                self.announced = logged.seq;
            }
        }
        Ok(())
    }

    /// Leaves the directory. What was ordered meanwhile is refused.
    async fn retire(&mut self, why: &ErrorBody) {
        self.directory.forget(self.id, &self.mailbox);
        self.orders.close();
        // Until those are in, too, who had taken their place before the mailbox closed.
        while let Some(order) = self.orders.recv().await {
            if let Some(reply) = order.into_reply() {
                reply.refuse(why.clone());
            }
        }
    }

    /// Leaves the directory. What was ordered meanwhile goes to the match's next actor.
    pub(super) async fn hand_over(&mut self) {
        self.directory.forget(self.id, &self.mailbox);
        self.orders.close();
        while let Some(order) = self.orders.recv().await {
            self.directory.post(self.id, order);
        }
    }

    /// Stays in the directory, so that nobody wakes the match again, and refuses everything.
    async fn quarantine(&mut self) {
        tracing::error!(match_id = %self.id, "the match is in quarantine until the next start");
        self.directory.metrics.matches_quarantined.inc();
        self.directory.ended(self.id);
        self.viewers.dismiss(self.id);
        let damaged = self.directory.damaged.check(self.id);
        let why = damaged.err().unwrap_or_else(refusal::quarantined);
        while let Some(order) = self.orders.recv().await {
            match *order {
                Order::Stop => return,
                order => {
                    if let Some(reply) = order.into_reply() {
                        reply.refuse(why.clone());
                    }
                }
            }
        }
    }
}
