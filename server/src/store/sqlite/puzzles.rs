//! Puzzles and attempts at them: written by the writer beside their logs, read by readers and by fsck.

use grundy_shared::ids::{PlayerId, PuzzleId, Seq};
use grundy_shared::rated::RatingState;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::fault::Failure;
use super::puzzle_rows::{puzzle_columns, read_puzzle, read_state, state_columns};
use super::refusal::Refusal;
use super::rows::{integer, limit, unsigned};
use super::seal::{of_puzzle, of_solver};
use super::unverified::Unverified;
use super::writer::Writer;
use crate::store::{
    Commit, CommitError, PUZZLES_PAGE, PuzzleAttempt, PuzzleRow, PuzzlesWanted, StoreError,
    StreamId, Unique,
};

fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

/// Whether a row has this seal.
pub(crate) fn is_sealed(row: &SqliteRow, seal: &[u8]) -> Result<bool, StoreError> {
    Ok(row.try_get::<Option<&[u8]>, _>("seal")? == Some(seal))
}

fn check_seal(row: &SqliteRow, seal: &[u8], what: &str) -> Result<(), StoreError> {
    match is_sealed(row, seal)? {
        true => Ok(()),
        false => Err(corrupt(format_args!(
            "the {what} was changed by another program"
        ))),
    }
}

fn read_sealed_puzzle(row: &SqliteRow) -> Result<PuzzleRow, StoreError> {
    let (id, read) = read_puzzle(row)?;
    check_seal(row, &of_puzzle(id, &read), "puzzle")?;
    Ok(read)
}

/// A puzzle.
pub(super) async fn puzzle(
    connection: &mut SqliteConnection,
    id: PuzzleId,
) -> Result<Option<PuzzleRow>, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT ",
        puzzle_columns!(),
        " FROM puzzle WHERE id = ?1"
    ))
    .bind(id.as_bytes().to_vec())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read_sealed_puzzle).transpose()
}

/// The rating of a player in solving.
pub(super) async fn solver(
    connection: &mut SqliteConnection,
    player: PlayerId,
) -> Result<Option<RatingState>, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT player, ",
        state_columns!(),
        " FROM solver WHERE player = ?1"
    ))
    .bind(player.as_bytes().to_vec())
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let state = read_state(&row)?;
    check_seal(&row, &of_solver(player, &state), "rating in solving")?;
    Ok(Some(state))
}

/// The number of an attempt in the log of the player.
pub(super) async fn attempt(
    connection: &mut SqliteConnection,
    player: PlayerId,
    puzzle: PuzzleId,
) -> Result<Option<Seq>, StoreError> {
    let seq: Option<i64> =
        sqlx::query_scalar("SELECT seq FROM puzzle_attempt WHERE player = ?1 AND puzzle = ?2")
            .bind(player.as_bytes().to_vec())
            .bind(puzzle.as_bytes().to_vec())
            .fetch_optional(connection)
            .await?;
    seq.map(|seq| unsigned(seq).map(Seq)).transpose()
}

/// The statement that finds puzzles on both sides of a rating, along an index.
macro_rules! near {
    ($family:literal) => {
        concat!(
            "SELECT * FROM (SELECT * FROM (SELECT ",
            puzzle_columns!(),
            " FROM puzzle WHERE ",
            $family,
            " AND rating >= ?2 AND NOT EXISTS (SELECT 1 FROM puzzle_attempt WHERE player = ?1 AND puzzle = puzzle.id) \
             ORDER BY rating, id LIMIT ?4) UNION ALL SELECT * FROM (SELECT ",
            puzzle_columns!(),
            " FROM puzzle WHERE ",
            $family,
            " AND rating < ?2 AND NOT EXISTS (SELECT 1 FROM puzzle_attempt WHERE player = ?1 AND puzzle = puzzle.id) \
             ORDER BY rating DESC, id LIMIT ?4)) ORDER BY abs(rating - ?2), id LIMIT ?4"
        )
    };
}

/// Puzzles that a player has not tried, the nearest to a rating first. Those that are not as the server wrote them are left out. Cost: two walks
/// along an index, which pass over what the player has tried there.
pub(super) async fn near(
    connection: &mut SqliteConnection,
    wanted: PuzzlesWanted,
    unverified: &Unverified,
) -> Result<Vec<PuzzleRow>, StoreError> {
    let statement = match wanted.family {
        Some(_) => near!("family = ?3"),
        None => near!("?3 IS NULL"),
    };
    let rows = sqlx::query(statement)
        .bind(wanted.player.as_bytes().to_vec())
        .bind(wanted.rating)
        .bind(wanted.family.map(|family| family.name()))
        .bind(limit(wanted.limit, PUZZLES_PAGE))
        .fetch_all(connection)
        .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        match read_sealed_puzzle(row) {
            Ok(read) => found.push(read),
            Err(error) => {
                let id = data_encoding::HEXLOWER.encode(row.try_get("id")?);
                unverified.note("puzzle", &id, &error);
            }
        }
    }
    Ok(found)
}

impl Writer {
    /// Adds a puzzle that is not known, unless there are as many already.
    pub(super) async fn add_puzzle(
        &mut self,
        row: &PuzzleRow,
        at_most: u64,
    ) -> Result<(), Failure> {
        self.begin().await?;
        let known: i64 = match self.puzzles {
            Some(known) => known,
            None => {
                sqlx::query_scalar("SELECT count(*) FROM puzzle")
                    .fetch_one(&mut self.connection)
                    .await?
            }
        };
        self.puzzles = Some(known);
        if known >= integer(at_most) {
            return Ok(());
        }
        let id = row.puzzle.id();
        let body = serde_json::to_string(&row.puzzle).expect("a puzzle has no maps");
        let state = &row.state;
        let added = sqlx::query(
            "INSERT INTO puzzle (id, family, body, rating, deviation, volatility, attempts, last_at, seal) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING",
        )
        .bind(id.as_bytes().to_vec())
        .bind(row.puzzle.family().name())
        .bind(body)
        .bind(state.strength.rating)
        .bind(state.strength.deviation)
        .bind(state.strength.volatility)
        .bind(integer(state.pairs.0))
        .bind(integer(state.last_at.0))
        .bind(of_puzzle(id, row))
        .execute(&mut self.connection)
        .await?;
        self.puzzles = Some(known + integer(added.rows_affected()));
        Ok(())
    }

    /// Whether an attempt is the first of its player at a puzzle that is known, and both have a log once the commit is made.
    pub(super) async fn check_attempt(
        &mut self,
        commit: &Commit,
        attempt: &PuzzleAttempt,
    ) -> Result<(), Refusal> {
        let (player, puzzle) = (attempt.player, attempt.puzzle);
        for stream in [StreamId::Solving(player), StreamId::Puzzle(puzzle)] {
            self.check_rating(commit, stream).await?;
        }
        let (known, tried): (bool, bool) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM puzzle WHERE id = ?2), EXISTS (SELECT 1 FROM puzzle_attempt WHERE player = ?1 AND puzzle = ?2)",
        )
        .bind(player.as_bytes().to_vec())
        .bind(puzzle.as_bytes().to_vec())
        .fetch_one(&mut self.connection)
        .await?;
        if !known {
            let stream = StreamId::Puzzle(puzzle);
            let actual = Seq(0);
            return Err(CommitError::Conflict { stream, actual }.into());
        }
        match tried {
            true => Err(CommitError::Taken(Unique::Attempt).into()),
            false => Ok(()),
        }
    }

    /// Notes an attempt, and the ratings that follow from it.
    pub(super) async fn put_attempt(&mut self, attempt: &PuzzleAttempt) -> Result<(), Failure> {
        self.begin().await?;
        let (player, puzzle) = (attempt.player, attempt.puzzle);
        sqlx::query("INSERT INTO puzzle_attempt (player, puzzle, seq) VALUES (?1, ?2, ?3)")
            .bind(player.as_bytes().to_vec())
            .bind(puzzle.as_bytes().to_vec())
            .bind(integer(attempt.solving.pairs.0))
            .execute(&mut self.connection)
            .await?;
        let state = &attempt.solving;
        sqlx::query(
            "INSERT INTO solver (player, rating, deviation, volatility, attempts, last_at, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
             ON CONFLICT (player) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation, \
             volatility = excluded.volatility, attempts = excluded.attempts, last_at = excluded.last_at, seal = excluded.seal",
        )
        .bind(player.as_bytes().to_vec())
        .bind(state.strength.rating)
        .bind(state.strength.deviation)
        .bind(state.strength.volatility)
        .bind(integer(state.pairs.0))
        .bind(integer(state.last_at.0))
        .bind(of_solver(player, state))
        .execute(&mut self.connection)
        .await?;
        let row = sqlx::query(concat!(
            "SELECT ",
            puzzle_columns!(),
            " FROM puzzle WHERE id = ?1"
        ))
        .bind(puzzle.as_bytes().to_vec())
        .fetch_one(&mut self.connection)
        .await?;
        let state = attempt.tried;
        // The seal covers what the puzzle is, which an attempt does not change.
        let seal = read_puzzle(&row)
            .ok()
            .map(|(id, read)| of_puzzle(id, &PuzzleRow { state, ..read }));
        sqlx::query(
            "UPDATE puzzle SET rating = ?2, deviation = ?3, volatility = ?4, attempts = ?5, last_at = ?6, seal = ?7 WHERE id = ?1",
        )
        .bind(puzzle.as_bytes().to_vec())
        .bind(state.strength.rating)
        .bind(state.strength.deviation)
        .bind(state.strength.volatility)
        .bind(integer(state.pairs.0))
        .bind(integer(state.last_at.0))
        .bind(seal)
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }
}
