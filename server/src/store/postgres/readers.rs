//! Connections that only read. Each read is one statement, which sees one moment, so a caller that stops waiting leaves no transaction open.

use std::time::Duration;

use sqlx::postgres::{PgPool, PgPoolOptions};

use super::address::Address;
use crate::store::StoreError;

/// Connections at most.
const READERS: u32 = 6;
/// The longest that a read waits for a connection.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// A connection that nobody used for so long is closed.
const IDLE: Duration = Duration::from_mins(5);

/// The connections that read.
#[derive(Clone, Debug)]
pub(super) struct Readers(PgPool);

impl Readers {
    /// Opens none yet.
    pub(super) fn new(address: &Address) -> Self {
        let options = PgPoolOptions::new()
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
        self.0.close().await;
    }
}
