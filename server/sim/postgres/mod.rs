//! A simulated PostgreSQL, and the way of a server to it: what a server's own store for PostgreSQL promises, and what can go wrong with it.
//!
//! The rows are those of the store in memory: that they are right is for the tests of the laws of the store, on a real PostgreSQL. What is simulated is
//! everything between a server and its answer: connections that break between COMMIT and its answer, locks, pools, restarts, a full disk, and a standby
//! that lacks the last commits.

mod acknowledged;
mod database;
mod fault;
mod locks;
mod readers;
mod seats;
mod spent;
mod tables;
mod transaction;
mod troubles;
mod writer;

use std::sync::Arc;

use grundy_server::lifecycle::Lifecycle;
use grundy_server::store::postgres::{Lane, Reach};
use grundy_server::store::{Lease, NodeId, StoreError};
use tokio::sync::{oneshot, watch};

pub(crate) use self::database::Database;
pub(crate) use self::locks::Row;
pub(crate) use self::tables::Tables;
pub(crate) use self::transaction::Work;
pub(crate) use self::troubles::come;

use self::acknowledged::Acknowledged;
use self::readers::Readers;
use self::writer::{Ended, Writer};
use crate::faults::Fault;
use crate::life::Life;

/// A server's way to the database: three lanes that write, and connections that read.
pub(crate) struct Postgres {
    life: Arc<Life>,
    node: NodeId,
    lifecycle: Lifecycle,
    moves: Arc<Writer>,
    order: Arc<Writer>,
    signs: Arc<Writer>,
    readers: Readers,
    acknowledged: Arc<Acknowledged>,
    reach: Arc<Reach>,
    /// Told why nothing more may be written.
    failure: watch::Sender<Option<StoreError>>,
}

impl Postgres {
    /// Opens the database, and compares it with what an earlier life of the server has acknowledged.
    ///
    /// # Errors
    /// It cannot be reached, or lacks some of that.
    pub(crate) fn open(
        life: &Arc<Life>,
        node: NodeId,
        lifecycle: &Lifecycle,
        failure: &watch::Sender<Option<StoreError>>,
    ) -> Result<Self, StoreError> {
        let database = &life.world.database;
        database.connect().map_err(fault::Trouble::into_error)?;
        let acknowledged = Acknowledged::open(database, node);
        if acknowledged.is_err() {
            life.world.fired(Fault::LossRefused);
        }
        let acknowledged = Arc::new(acknowledged?);
        let reach = Arc::new(Reach::default());
        let writer = |lane| Arc::new(Writer::new(life, lane, &acknowledged, &reach));
        Ok(Self {
            life: life.clone(),
            node,
            lifecycle: lifecycle.clone(),
            moves: writer(Lane::Moves),
            order: writer(Lane::Order),
            signs: writer(Lane::Signs),
            readers: Readers::new(life, &acknowledged),
            acknowledged,
            reach,
            failure: failure.clone(),
        })
    }

    /// Does something in a transaction of its own, whether or not the caller waits for it.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        lane: Lane,
        lease: Option<Lease>,
        work: Work<T>,
    ) -> Result<T, StoreError> {
        let writer = match lane {
            Lane::Moves => self.moves.clone(),
            Lane::Order => self.order.clone(),
            Lane::Signs => self.signs.clone(),
        };
        let (failure, life) = (self.failure.clone(), self.life.clone());
        let (reply, answer) = oneshot::channel();
        let began = life.world.now_ms();
        let writing = async move {
            let done = writer.run(lease, &work).await.map_err(|ended| match ended {
                Ended::Refused(error) => error,
                Ended::Fatal(error) => {
                    failure.send_replace(Some(error.clone()));
                    error
                }
            });
            let now = life.world.now_ms();
            if now > began + 50 {
                let span = (began.saturating_sub(10), now + 10);
                life.world.timeline().forgiven.push(span);
            }
            // Nobody may wait any more.
            let _ = reply.send(done);
        };
        drop(self.lifecycle.spawn(writing));
        match answer.await {
            Ok(done) => done,
            Err(_) => std::future::pending().await,
        }
    }

    /// One statement on a connection that reads.
    pub(crate) async fn ask<T>(
        &self,
        statement: impl FnOnce(&Tables) -> T + Send,
    ) -> Result<T, StoreError> {
        self.readers.ask(statement).await
    }

    /// Whether the server may give a sign of life: its lanes for commits have connections, or have lost them a moment ago.
    pub(crate) async fn check_signs(&self) -> Result<(), StoreError> {
        for lane in [&self.moves, &self.order] {
            if let Err(Ended::Fatal(error)) = lane.reconnect().await {
                self.failure.send_replace(Some(error.clone()));
                return Err(error);
            }
        }
        match self.reach.is_cut_off() {
            true => Err(fault::Trouble::Lost.into_error()),
            false => Ok(()),
        }
    }

    /// Waits until everything that was begun has ended.
    pub(crate) async fn finish(&self) {
        self.moves.finish().await;
        self.order.finish().await;
        self.signs.finish().await;
        self.note_acknowledged();
    }

    /// Notes beside the server what it has acknowledged.
    pub(crate) fn note_acknowledged(&self) {
        self.acknowledged
            .write(&self.life.world.database, self.node);
    }
}
