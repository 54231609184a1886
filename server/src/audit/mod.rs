//! What operators do, as a log in the store: each change is recorded before it is begun, and again with what came of it.

mod event;

use std::sync::Arc;

use grundy_shared::ids::Seq;
use tokio::sync::Mutex;

pub use self::event::{Actor, AuditEvent, Change};
use crate::clock::Clock;
use crate::store::committer::Committer;
use crate::store::{Commit, CommitError, Projection, Store, StoreError, StreamId};

/// Times that an append is tried again because another server was quicker.
const ROUNDS: usize = 10;

/// The audit log.
pub struct AuditLog {
    store: Arc<dyn Store>,
    committer: Committer,
    clock: Arc<dyn Clock>,
    /// The end of the log, as far as it is known here.
    end: Mutex<Seq>,
}

impl AuditLog {
    /// That of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, committer: Committer, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            committer,
            clock,
            end: Mutex::new(Seq(0)),
        }
    }

    /// Records that somebody asks for a change, and commits with it what follows at once. Durable when this returns; the number of the record.
    ///
    /// # Errors
    /// The store cannot write: nothing is recorded, and the change must not be begun.
    pub async fn ask(
        &self,
        by: Actor,
        change: Change,
        reason: Option<String>,
        at_once: Vec<Projection>,
    ) -> Result<Seq, CommitError> {
        tracing::info!(?by, ?change, "an operator asks for a change");
        let asked = AuditEvent::Asked {
            at_ms: self.clock.now(),
            by,
            change,
            reason,
        };
        self.append(&asked, &at_once).await
    }

    /// Records what came of a change.
    pub async fn answer(&self, asked: Seq, outcome: Result<String, String>) {
        if let Err(error) = self.conclude(asked, outcome, &[]).await {
            tracing::warn!(%error, %asked, "the outcome of a change is not recorded");
        }
    }

    /// The same, and commits with it what ends the change.
    ///
    /// # Errors
    /// The store cannot write: neither is done.
    pub async fn conclude(
        &self,
        asked: Seq,
        outcome: Result<String, String>,
        at_once: &[Projection],
    ) -> Result<(), CommitError> {
        let done = outcome.is_ok();
        let outcome = outcome.unwrap_or_else(|refusal| refusal);
        let answered = AuditEvent::Answered {
            at_ms: self.clock.now(),
            asked,
            done,
            outcome,
        };
        self.append(&answered, at_once).await.map(drop)
    }

    async fn append(&self, event: &AuditEvent, at_once: &[Projection]) -> Result<Seq, CommitError> {
        let body = serde_json::to_string(event).expect("a record has only plain values");
        let mut end = self.end.lock().await;
        let mut refused = CommitError::Store(StoreError::Closed);
        for _ in 0..ROUNDS {
            let mut commit = Commit::append(
                StreamId::Audit,
                *end,
                vec![body.clone().into_bytes().into()],
            );
            commit.projections.extend_from_slice(at_once);
            match self.committer.commit(commit).await {
                Ok(()) => {
                    *end = end.next();
                    return Ok(*end);
                }
                Err(CommitError::Conflict {
                    stream: StreamId::Audit,
                    actual,
                }) => {
                    *end = actual;
                    refused = CommitError::Conflict {
                        stream: StreamId::Audit,
                        actual,
                    };
                }
                Err(error) => return Err(error),
            }
        }
        Err(refused)
    }

    /// The records after this number, at most `limit`.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn read(
        &self,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<(Seq, serde_json::Value)>, StoreError> {
        let logged = self.store.load(StreamId::Audit, after, limit).await?;
        let read = logged.unwrap_or_default().into_iter().map(|logged| {
            let body = serde_json::from_slice(&logged.body);
            let body = body.map_err(|error| StoreError::Corrupt {
                why: format!("record {} of the audit log: {error}", logged.seq),
            });
            Ok((logged.seq, body?))
        });
        read.collect()
    }
}
