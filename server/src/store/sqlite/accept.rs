//! Taking what another program has written for the server's own: only an operator can know that it is right.

use std::path::Path;

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
    let journal = read_journal(&mut connection).await?;
    seal_all(&mut connection).await?;
    sums::forget(&mut connection).await?;
    sums::complete(&mut connection).await?;
    run::close(journal.extent(None), &mut connection).await?;
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
        .execute(&mut connection)
        .await?;
    disconnect(connection).await;
    lock.note_durably(Note::Stopped);
    Ok(())
}
