//! The one row that orders all commits that change more than events.

use sqlx::postgres::PgConnection;

use super::fault::Fault;

/// What the row says. Whoever has read it holds its lock until the transaction ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    /// The number of the newest stream.
    pub(super) streams: i64,
    /// Matches that are not over.
    pub(super) open: i64,
    /// Those of them that wait for a player.
    pub(super) waiting: i64,
    /// Bytes of all reviews.
    pub(super) reviews: i64,
    /// Puzzles.
    pub(super) puzzles: i64,
}

impl Tally {
    /// Takes the lock and reads the row. Statements after this one see all that was committed under the lock before.
    pub(super) async fn lock(connection: &mut PgConnection) -> Result<Self, Fault> {
        let (streams, open, waiting, reviews, puzzles) =
            sqlx::query_as("SELECT streams, open, waiting, reviews, puzzles FROM tally FOR UPDATE")
                .fetch_one(connection)
                .await?;
        Ok(Self {
            streams,
            open,
            waiting,
            reviews,
            puzzles,
        })
    }

    /// Writes the row.
    pub(super) async fn write(self, connection: &mut PgConnection) -> Result<(), Fault> {
        sqlx::query(
            "UPDATE tally SET streams = $1, open = $2, waiting = $3, reviews = $4, puzzles = $5",
        )
        .bind(self.streams)
        .bind(self.open)
        .bind(self.waiting)
        .bind(self.reviews)
        .bind(self.puzzles)
        .execute(connection)
        .await?;
        Ok(())
    }
}
