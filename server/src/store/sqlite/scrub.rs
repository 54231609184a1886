//! Overwriting what was deleted: pages that were freed keep what they had, and so do frames of the write-ahead log that are in the database.
//!
//! Zeros take the place of the freed pages, a portion in each transaction, and are removed again. Then the log is begun anew and cut to its
//! first commit. Within the pages that stay, SQLite overwrites by itself what it deletes.

use super::fault::Failure;
use super::scrubbing::Scrubbing;
use super::writer::Writer;
use crate::store::{Lease, StoreError};

/// Pages that one transaction overwrites: 1 MiB.
const PAGES_AT_ONCE: i64 = 256;
/// Bytes of zeros that fill a freed page: without what links it with the next.
const PAGE_ROOM: i64 = 4_096 - 4;

impl Writer {
    /// Overwrites a portion; what is to be done next.
    pub(super) async fn scrub(&mut self, lease: Lease) -> Result<Scrubbing, Failure> {
        self.check_lease(lease).map_err(Failure::Refused)?;
        let next = match self.scrubbing.unwrap_or(Scrubbing::Filling) {
            Scrubbing::Filling => self.fill().await?,
            Scrubbing::Removing => self.remove_zeros().await?,
            Scrubbing::Log(_) => self.begin_log_anew().await?,
        };
        // Each transaction is as long as many commits: the log is looked at after each.
        self.unseen_writes = u64::MAX / 2;
        Ok(next)
    }

    /// Ends the transaction of a portion. Whether everything is overwritten.
    pub(super) async fn conclude_scrub(
        &mut self,
        done: Result<Scrubbing, Failure>,
    ) -> Result<Result<bool, StoreError>, StoreError> {
        let concluded = self.conclude(done).await?;
        let log = match self.scrubbing {
            Some(Scrubbing::Log(before)) => Some(before),
            _ => None,
        };
        if log.is_some() {
            sqlx::raw_sql("PRAGMA journal_size_limit = -1")
                .execute(&mut self.connection)
                .await?;
            self.files.let_log_shrink(false);
        }
        Ok(concluded.map(|next| {
            // As long as a reader uses the log, it is not begun anew.
            let cut = log.is_some_and(|before| self.files.is_log_cut(&before));
            self.scrubbing = (!cut).then_some(next);
            cut
        }))
    }

    async fn fill(&mut self) -> Result<Scrubbing, Failure> {
        let free: i64 = sqlx::query_scalar("SELECT freelist_count FROM pragma_freelist_count")
            .fetch_one(&mut self.connection)
            .await?;
        if free == 0 {
            return Ok(Scrubbing::Removing);
        }
        self.begin().await?;
        sqlx::query("INSERT INTO scrub (zeros) VALUES (zeroblob(?1))")
            .bind(free.min(PAGES_AT_ONCE) * PAGE_ROOM)
            .execute(&mut self.connection)
            .await?;
        Ok(Scrubbing::Filling)
    }

    async fn remove_zeros(&mut self) -> Result<Scrubbing, Failure> {
        self.begin().await?;
        let removed =
            sqlx::query("DELETE FROM scrub WHERE number = (SELECT max(number) FROM scrub)")
                .execute(&mut self.connection)
                .await?;
        Ok(match removed.rows_affected() {
            0 => Scrubbing::Log(self.files.log_header()),
            _ => Scrubbing::Removing,
        })
    }

    /// Copies the log into the database, and has the next commit cut it: this one, unless somebody still reads from the log.
    async fn begin_log_anew(&mut self) -> Result<Scrubbing, Failure> {
        let before = self.files.log_header();
        let (done, _) = self.checkpoint("PRAGMA wal_checkpoint(PASSIVE)").await?;
        self.files.checkpointed(done)?;
        // Somebody still reads from the log, for example a backup: a commit could not cut it, and would only make it longer.
        if !done {
            return Ok(Scrubbing::Log(before));
        }
        // SQLite carries it out when it is prepared, so it must be prepared each time.
        sqlx::raw_sql("PRAGMA journal_size_limit = 0")
            .execute(&mut self.connection)
            .await?;
        self.files.let_log_shrink(true);
        self.begin().await?;
        // A commit that changes nothing would add no frame.
        sqlx::query("INSERT INTO scrub (zeros) VALUES (x''); DELETE FROM scrub")
            .execute(&mut self.connection)
            .await?;
        Ok(Scrubbing::Log(before))
    }
}
