//! Taking what another program has written for the server's own: only an operator can know that it is right.

use std::path::Path;

use sqlx::sqlite::SqliteConnection;

use super::lock::FileLock;
use super::logs::read_journal;
use super::note::Note;
use super::opening::{disconnect, resolve};
use super::schema::{Durability, Upgrade, connect_writer};
use super::seal::seal_all;
use super::{run, sums};
use crate::store::StoreError;

/// Seals the summaries as they are, computes the sums again, and removes the mark of a server that did not stop. What contradicts a log stays a
/// finding. No server may use the database meanwhile.
///
/// # Errors
/// It is in use or cannot be written, or its journal cannot be read.
pub(crate) async fn accept(path: &Path) -> Result<(), StoreError> {
    let path = resolve(path)?;
    let mut lock = FileLock::take(&path)?;
    let mut connection = connect_writer(&path, Durability::Full, Upgrade::KeepingCopy)
        .await?
        .connection;
    settle(&mut connection).await?;
    disconnect(connection).await;
    lock.note_durably(Note::Stopped);
    Ok(())
}

/// Makes what a database says of itself from what is in it, and leaves it as a server that stops.
///
/// # Errors
/// It cannot be written, or its journal cannot be read.
pub(super) async fn settle(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let journal = read_journal(connection).await?;
    seal_all(connection).await?;
    sums::forget(connection).await?;
    sums::complete(connection).await?;
    run::close(journal.extent(None), connection).await?;
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
        .execute(connection)
        .await?;
    Ok(())
}
