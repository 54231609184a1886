//! Puzzles and attempts at them.

use grundy_shared::ids::{PlayerId, PuzzleId, Seq};
use grundy_shared::puzzle::Puzzle;
use grundy_shared::rated::RatingState;
use rustc_hash::FxHashSet;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::batch::Batch;
use super::fault::Fault;
use super::refusal::Refusal;
use super::rows::{read_state, state_columns};
use crate::store::columns::{corrupt, integer, limit, unsigned};
use crate::store::{
    Commit, CommitError, PUZZLES_PAGE, PuzzleAttempt, PuzzleRow, PuzzlesWanted, StreamId, Unique,
};

/// The columns of a puzzle.
macro_rules! puzzle_columns {
    () => {
        concat!("id, family, body, ", state_columns!())
    };
}

/// One side of a rating, along an index.
macro_rules! side {
    ($family:literal, $side:literal, $direction:literal) => {
        concat!(
            "(SELECT ",
            puzzle_columns!(),
            " FROM puzzle WHERE ",
            $family,
            " AND rating ",
            $side,
            " $2 AND NOT EXISTS (SELECT 1 FROM puzzle_attempt WHERE player = $1 AND puzzle = puzzle.id) ORDER BY rating",
            $direction,
            ", id LIMIT $4)"
        )
    };
}

/// The statement that finds puzzles on both sides of a rating.
macro_rules! near {
    ($family:literal) => {
        concat!(
            "SELECT * FROM (",
            side!($family, ">=", ""),
            " UNION ALL ",
            side!($family, "<", " DESC"),
            ") AS found ORDER BY abs(rating - $2), id LIMIT $4"
        )
    };
}

/// Reads a puzzle, which must have the id and the family of its row.
fn read_puzzle(row: &PgRow) -> Result<PuzzleRow, Fault> {
    let id = PuzzleId::from_bytes(row.try_get("id")?);
    let id = id.ok_or_else(|| corrupt("a puzzle id is not 16 bytes"))?;
    let puzzle: Puzzle = serde_json::from_str(row.try_get("body")?).map_err(corrupt)?;
    let family: &str = row.try_get("family")?;
    if puzzle.id() != id || puzzle.family().name() != family {
        let why = format_args!("{} is not puzzle {id} of {family}", puzzle.key);
        return Err(corrupt(why).into());
    }
    Ok(PuzzleRow {
        puzzle,
        state: read_state(row, "attempts")?,
    })
}

/// A puzzle.
pub(super) async fn puzzle(
    connection: &mut PgConnection,
    id: PuzzleId,
) -> Result<Option<PuzzleRow>, Fault> {
    let row = sqlx::query(concat!(
        "SELECT ",
        puzzle_columns!(),
        " FROM puzzle WHERE id = $1"
    ))
    .bind(&id.as_bytes()[..])
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read_puzzle).transpose()
}

/// The rating of a player in solving.
pub(super) async fn solver(
    connection: &mut PgConnection,
    player: PlayerId,
) -> Result<Option<RatingState>, Fault> {
    let row = sqlx::query(concat!(
        "SELECT ",
        state_columns!(),
        " FROM solver WHERE player = $1"
    ))
    .bind(&player.as_bytes()[..])
    .fetch_optional(connection)
    .await?;
    row.as_ref()
        .map(|row| read_state(row, "attempts"))
        .transpose()
}

/// The number of an attempt in the log of the player.
pub(super) async fn attempt(
    connection: &mut PgConnection,
    player: PlayerId,
    puzzle: PuzzleId,
) -> Result<Option<Seq>, Fault> {
    let seq: Option<i64> =
        sqlx::query_scalar("SELECT seq FROM puzzle_attempt WHERE player = $1 AND puzzle = $2")
            .bind(&player.as_bytes()[..])
            .bind(&puzzle.as_bytes()[..])
            .fetch_optional(connection)
            .await?;
    Ok(seq.map(|seq| unsigned(seq).map(Seq)).transpose()?)
}

/// Puzzles that a player has not tried, the nearest to a rating first. Those that cannot be read are left out. Cost: two walks along an index, which
/// pass over what the player has tried there.
pub(super) async fn near(
    connection: &mut PgConnection,
    wanted: PuzzlesWanted,
) -> Result<Vec<PuzzleRow>, Fault> {
    let statement = match wanted.family {
        Some(_) => near!("family = $3"),
        None => near!("$3::text IS NULL"),
    };
    let rows = sqlx::query(statement)
        .bind(&wanted.player.as_bytes()[..])
        .bind(i64::from(wanted.rating))
        .bind(wanted.family.map(|family| family.name()))
        .bind(limit(wanted.limit, PUZZLES_PAGE))
        .fetch_all(connection)
        .await?;
    Ok(rows
        .iter()
        .filter_map(|row| read_puzzle(row).ok())
        .collect())
}

impl Batch<'_> {
    /// Reads which of these puzzles are known.
    pub(super) async fn read_known(&mut self, wanted: &FxHashSet<PuzzleId>) -> Result<(), Fault> {
        let ids: Vec<&[u8]> = wanted.iter().map(|id| &id.as_bytes()[..]).collect();
        let known: Vec<Vec<u8>> = sqlx::query_scalar("SELECT id FROM puzzle WHERE id = ANY($1)")
            .bind(ids)
            .fetch_all(&mut *self.connection)
            .await?;
        let known = known.iter().filter_map(|id| PuzzleId::from_bytes(id));
        self.stage.puzzles.extend(known);
        Ok(())
    }

    /// Adds a puzzle that is not known, unless there are as many already.
    pub(super) fn add_puzzle(&mut self, row: &PuzzleRow, at_most: u64) -> Result<(), Fault> {
        if self.tally()?.puzzles < integer(at_most) && self.stage.puzzles.insert(row.puzzle.id()) {
            self.tally()?.puzzles += 1;
            self.stage.changes.puzzles.push(row.clone());
        }
        Ok(())
    }

    /// Writes new puzzles.
    pub(super) async fn write_puzzles(&mut self, rows: &[PuzzleRow]) -> Result<(), Fault> {
        if rows.is_empty() {
            return Ok(());
        }
        let ids: Vec<PuzzleId> = rows.iter().map(|row| row.puzzle.id()).collect();
        let families = rows.iter().map(|row| row.puzzle.family().name());
        let body =
            |row: &PuzzleRow| serde_json::to_string(&row.puzzle).expect("a puzzle has no maps");
        let numbers = |of: fn(&RatingState) -> i64| -> Vec<i64> {
            rows.iter().map(|row| of(&row.state)).collect()
        };
        sqlx::query(
            "INSERT INTO puzzle (id, family, body, rating, deviation, volatility, attempts, last_at) SELECT * FROM unnest($1::bytea[], \
             $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])",
        )
        .bind(ids.iter().map(|id| &id.as_bytes()[..]).collect::<Vec<_>>())
        .bind(families.collect::<Vec<_>>())
        .bind(rows.iter().map(body).collect::<Vec<_>>())
        .bind(numbers(|state| state.strength.rating.into()))
        .bind(numbers(|state| state.strength.deviation.into()))
        .bind(numbers(|state| state.strength.volatility.into()))
        .bind(numbers(|state| integer(state.pairs.0)))
        .bind(numbers(|state| integer(state.last_at.0)))
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Whether an attempt is the first of its player at a puzzle that is known, and both have a log once the commit is made.
    pub(super) async fn check_attempt(
        &mut self,
        commit: &Commit,
        attempt: &PuzzleAttempt,
    ) -> Result<(), Refusal> {
        let (player, puzzle) = (attempt.player, attempt.puzzle);
        self.check_log(commit, StreamId::Solving(player))?;
        self.check_log(commit, StreamId::Puzzle(puzzle))?;
        if !self.stage.changes.puzzles.is_empty() {
            self.flush().await?;
        }
        let (known, tried): (bool, bool) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM puzzle WHERE id = $2), EXISTS (SELECT 1 FROM puzzle_attempt WHERE player = $1 AND puzzle = $2)",
        )
        .bind(&player.as_bytes()[..])
        .bind(&puzzle.as_bytes()[..])
        .fetch_one(&mut *self.connection)
        .await?;
        match (known, tried) {
            (false, _) => Err(CommitError::Conflict {
                stream: StreamId::Puzzle(puzzle),
                actual: Seq(0),
            }
            .into()),
            (true, true) => Err(CommitError::Taken(Unique::Attempt).into()),
            (true, false) => Ok(()),
        }
    }

    /// Notes an attempt, and the ratings that follow from it.
    pub(super) async fn put_attempt(&mut self, attempt: &PuzzleAttempt) -> Result<(), Fault> {
        let (player, puzzle) = (attempt.player.as_bytes(), attempt.puzzle.as_bytes());
        sqlx::query("INSERT INTO puzzle_attempt (player, puzzle, seq) VALUES ($1, $2, $3)")
            .bind(&player[..])
            .bind(&puzzle[..])
            .bind(integer(attempt.solving.pairs.0))
            .execute(&mut *self.connection)
            .await?;
        let solver = "INSERT INTO solver (player, rating, deviation, volatility, attempts, last_at) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (player) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation, \
             volatility = excluded.volatility, attempts = excluded.attempts, last_at = excluded.last_at";
        let tried = "UPDATE puzzle SET rating = $2, deviation = $3, volatility = $4, attempts = $5, last_at = $6 WHERE id = $1";
        for (statement, id, state) in [
            (solver, &player[..], &attempt.solving),
            (tried, &puzzle[..], &attempt.tried),
        ] {
            sqlx::query(statement)
                .bind(id)
                .bind(i64::from(state.strength.rating))
                .bind(i64::from(state.strength.deviation))
                .bind(i64::from(state.strength.volatility))
                .bind(integer(state.pairs.0))
                .bind(integer(state.last_at.0))
                .execute(&mut *self.connection)
                .await?;
        }
        Ok(())
    }
}
