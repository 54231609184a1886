//! Connections that only read. Each read is one statement, which sees one moment, so a caller that stops waiting leaves no transaction open.
//!
//! A connection of which the other side knows nothing any more answers nothing, and nothing ends it. So whatever is asked on one is waited for so long only.

use std::sync::Arc;
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::{PgConnection, PgPool, PgPoolOptions};
use tokio::time::timeout;

use super::acknowledged::Acknowledged;
use super::address::Address;
use super::fault::Fault;
use super::soundness;
use crate::store::StoreError;

/// Connections at most.
const READERS: u32 = 6;
/// The longest that a read waits for a connection.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// The longest that a read takes: it waits for a connection, and the database cancels the statement after five seconds.
const LONGEST: Duration = Duration::from_secs(12);
/// The longest that a connection with nothing to do takes to answer.
const PING: Duration = Duration::from_secs(1);
/// The longest that closing takes.
const CLOSING: Duration = Duration::from_secs(3);
/// A connection that nobody used for so long is closed.
const IDLE: Duration = Duration::from_mins(5);

/// The connections that read.
#[derive(Clone, Debug)]
pub(super) struct Readers(PgPool);

impl Readers {
    /// Opens none yet. Each is asked whether it leads to a primary, which has what was acknowledged: a standby would not show what was committed a moment ago.
    pub(super) fn new(address: &Address, acknowledged: &Arc<Acknowledged>) -> Self {
        let (asked, acknowledged) = (address.clone(), Arc::clone(acknowledged));
        let options = PgPoolOptions::new()
            .after_connect(move |connection, _| {
                let (address, acknowledged) = (asked.clone(), Arc::clone(&acknowledged));
                Box::pin(async move {
                    let sound = async {
                        soundness::check(connection, &address).await?;
                        acknowledged.check(connection, &address).await
                    };
                    let sound = sound.await;
                    sound.map_err(|fault| sqlx::Error::Protocol(fault.into_error().to_string()))
                })
            })
            // Instead of a test without an end.
            .test_before_acquire(false)
            .before_acquire(|connection, _| Box::pin(answers(connection)))
            // One on which a read was given up is busy, or answers nothing.
            .after_release(|connection, _| Box::pin(answers(connection)))
            .max_connections(READERS)
            .acquire_timeout(LONGEST_WAIT)
            .idle_timeout(IDLE);
        Self(options.connect_lazy_with(address.options().clone()))
    }

    /// Where statements are run.
    pub(super) fn pool(&self) -> &PgPool {
        &self.0
    }

    /// Whether nothing can be read any more.
    pub(super) fn check_open(&self) -> Result<(), StoreError> {
        match self.0.is_closed() {
            true => Err(StoreError::Closed),
            false => Ok(()),
        }
    }

    /// Lets the reads under way finish, and closes.
    pub(super) async fn close(&self) {
        // A connection that breaks without a sign while the pool takes it back is asked by sqlx without a limit.
        if timeout(CLOSING, self.0.close()).await.is_err() {
            tracing::warn!("not every connection that reads could be closed");
        }
    }
}

/// Whether a connection can be used.
async fn answers(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    match timeout(PING, connection.ping()).await {
        Ok(answer) => answer.map(|()| true),
        Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
    }
}

/// What a read finds. It is given up if no answer comes.
pub(super) async fn found<T>(
    read: impl Future<Output = Result<T, Fault>>,
) -> Result<T, StoreError> {
    let found = timeout(LONGEST, read).await;
    found
        .unwrap_or_else(|_| Err(Fault::late()))
        .map_err(Fault::into_error)
}
