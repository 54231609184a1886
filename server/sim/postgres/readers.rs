//! The connections with which a server reads: a few, for a bounded wait.

use std::sync::Arc;
use std::time::Duration;

use grundy_server::planted;
use grundy_server::store::StoreError;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::acknowledged::Acknowledged;
use super::fault::Trouble;
use super::tables::Tables;
use crate::faults::Fault;
use crate::life::Life;

/// Connections at most.
const READERS: usize = 6;
/// The longest that a read waits for a connection.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(100);
/// A statement may take so long.
const STATEMENT_TIMEOUT_MS: u64 = 5_000;

/// The connections.
pub(super) struct Readers {
    life: Arc<Life>,
    free: Arc<Semaphore>,
    acknowledged: Arc<Acknowledged>,
}

impl Readers {
    pub(super) fn new(life: &Arc<Life>, acknowledged: &Arc<Acknowledged>) -> Self {
        let free = Arc::new(Semaphore::new(READERS));
        life.world.database.add_pool(&free);
        Self {
            life: life.clone(),
            free,
            acknowledged: acknowledged.clone(),
        }
    }

    /// One statement, which sees one moment between its question and its answer.
    pub(super) async fn ask<T>(
        &self,
        statement: impl FnOnce(&Tables) -> T + Send,
    ) -> Result<T, StoreError> {
        let world = &self.life.world;
        let began = world.now_ms();
        let took = timeout(LONGEST_WAIT, async {
            let free = self.free.acquire().await;
            (free, self.connect().await)
        });
        let Ok((_free, session)) = took.await else {
            world.fired(Fault::NoConnection);
            self.forgive();
            if planted::is("nothing_without_connection") {
                return Ok(statement(&Tables::default()));
            }
            return Err(Trouble::Busy("no connection is free").into_error());
        };
        let asked = session.run_until_cancelled(async {
            let question = world.dice.within(0..2);
            let slow = match world.strikes(Fault::SlowRead, 60) {
                true => world.dice.within(1..6_000),
                false => 0,
            };
            sleep(Duration::from_millis(
                question + slow.min(STATEMENT_TIMEOUT_MS),
            ))
            .await;
            if slow > STATEMENT_TIMEOUT_MS {
                world.fired(Fault::StatementTimeout);
                return Err(Trouble::Busy("statement timeout"));
            }
            let tables = match planted::is("trust_stale_read") {
                true => world.database.stale(world),
                false => world.database.tables(),
            };
            let answer = statement(&tables);
            sleep(Duration::from_millis(world.dice.within(0..2))).await;
            Ok(answer)
        });
        let answer = asked.await.unwrap_or(Err(Trouble::Lost));
        let now = world.now_ms();
        if now > began + 50 {
            let span = (began.saturating_sub(10), now + 10);
            let mut timeline = world.timeline();
            timeline.forgiven.push(span);
            timeline.slow.push((began, now));
        }
        if world.strikes(Fault::DatabaseCut, 400) {
            session.cancel();
            self.forgive();
            return Err(Trouble::Lost.into_error());
        }
        answer.map_err(|trouble| {
            self.forgive();
            trouble.into_error()
        })
    }

    async fn connect(&self) -> CancellationToken {
        loop {
            let database = &self.life.world.database;
            match database.connect() {
                Ok(session) if !self.acknowledged.is_lacked_by(database) => {
                    self.acknowledged.let_others_look(database).await;
                    return session;
                }
                _ => sleep(PAUSE).await,
            }
        }
    }

    /// A read that was refused is tried again a little later.
    fn forgive(&self) {
        let world = &self.life.world;
        let now = world.now_ms();
        let span = (now.saturating_sub(6_000), now + 6_000);
        let mut timeline = world.timeline();
        timeline.forgiven.push(span);
        timeline.slow.push((now.saturating_sub(5_000), now + 1));
    }
}
