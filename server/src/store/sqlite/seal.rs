//! Seals of summaries: a digest beside a row over all that is shown of it, checked whenever it is shown. A row that another program has changed
//! is not shown as if the server had written it.

use grundy_shared::ids::{MatchId, PlayerId, PuzzleId};
use grundy_shared::rated::{Family, RatingState};
use serde::Serialize;
use sha2::{Digest, Sha256};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::puzzle_rows::{puzzle_columns, read_player, read_puzzle, read_state, state_columns};
use super::rating_rows::{rating_columns, read_rating};
use super::rows::{match_id, mistakes_columns, read_mistakes, read_row, status_word};
use crate::store::{MatchRow, Mistakes, PuzzleRow, RatingRow, StoreError};

/// Bytes of a seal.
const SEAL: usize = 16;

/// Rows that are sealed at a time after a migration.
const AT_ONCE: i64 = 256;

/// A seal as it is stored.
pub(crate) type Seal = Vec<u8>;

/// The columns of a summary with its seals.
macro_rules! sealed_columns {
    () => {
        concat!(
            "id, seal, mistakes_first, mistakes_second, mistakes_seal, ",
            $crate::store::sqlite::rows::row_columns!()
        )
    };
}
pub(super) use sealed_columns;

/// Of values in a fixed order. A new one at the end is left out while it has its default, so that older rows keep their seals.
fn seal(kind: &str, values: &impl Serialize) -> Seal {
    let values = serde_json::to_vec(values).expect("a summary is plain values");
    let digest = Sha256::new()
        .chain_update(b"grundy/seal/1/")
        .chain_update(kind)
        .chain_update([0])
        .chain_update(values)
        .finalize();
    digest[..SEAL].to_vec()
}

/// Of the summary of a match.
pub(crate) fn of_match(id: MatchId, row: &MatchRow) -> Seal {
    let MatchRow {
        start,
        clock,
        first,
        second,
        status,
        outcome,
        reason,
        plies,
        created_at,
        ended_at,
        rematch_of,
        series,
    } = row;
    let how = (status_word(*status), outcome, reason, plies);
    let when = (created_at, ended_at);
    seal(
        "match",
        &(
            id, start, clock, first, second, how, when, rematch_of, series,
        ),
    )
}

/// Of the mistakes of a match.
pub(crate) fn of_mistakes(id: MatchId, mistakes: Mistakes) -> Seal {
    seal("mistakes", &(id, mistakes_columns(mistakes)))
}

/// Of a rating.
pub(crate) fn of_rating(player: PlayerId, family: Family, row: &RatingRow) -> Seal {
    let RatingRow { state, bot } = row;
    let strength = (
        state.strength.rating,
        state.strength.deviation,
        state.strength.volatility,
    );
    let until = state.settled_until();
    seal(
        "rating",
        &(
            player,
            family.name(),
            bot,
            strength,
            state.pairs,
            state.last_at,
            until,
        ),
    )
}

/// Of a puzzle with its rating.
pub(crate) fn of_puzzle(id: PuzzleId, row: &PuzzleRow) -> Seal {
    seal("puzzle", &(id, &row.puzzle, figures(&row.state)))
}

/// Of a player's rating in solving.
pub(crate) fn of_solver(player: PlayerId, state: &RatingState) -> Seal {
    seal("solver", &(player, figures(state)))
}

/// The figures of a rating in solving, in a fixed order.
fn figures(state: &RatingState) -> impl Serialize + use<> {
    let RatingState {
        strength,
        pairs,
        last_at,
    } = *state;
    (
        strength.rating,
        strength.deviation,
        strength.volatility,
        pairs,
        last_at,
    )
}

/// What of these does not fit its seal.
///
/// # Errors
/// A seal cannot be read.
pub(crate) fn broken_seal(
    row: &SqliteRow,
    id: MatchId,
    summary: &MatchRow,
    mistakes: Option<Mistakes>,
) -> Result<Option<&'static str>, StoreError> {
    let seals: [Option<&[u8]>; 2] = [row.try_get("seal")?, row.try_get("mistakes_seal")?];
    let of_mistakes = mistakes.map(|mistakes| of_mistakes(id, mistakes));
    Ok(if seals[0] != Some(of_match(id, summary).as_slice()) {
        Some("summary")
    } else if seals[1] != of_mistakes.as_deref() {
        Some("count of mistakes")
    } else {
        None
    })
}

fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt {
        why: format!("the {what} was changed by another program"),
    }
}

/// The summary of a match and its mistakes, from [`sealed_columns`].
///
/// # Errors
/// `Corrupt`, where they are not as the server wrote them.
pub(crate) fn read_sealed(
    row: &SqliteRow,
) -> Result<(MatchId, MatchRow, Option<Mistakes>), StoreError> {
    let id = match_id(row.try_get("id")?)?;
    let (summary, mistakes) = (read_row(row)?, read_mistakes(row)?);
    match broken_seal(row, id, &summary, mistakes)? {
        None => Ok((id, summary, mistakes)),
        Some(what) => Err(corrupt(what)),
    }
}

/// A rating, from its columns and its seal.
///
/// # Errors
/// `Corrupt`, where it is not as the server wrote it.
pub(crate) fn read_sealed_rating(
    row: &SqliteRow,
) -> Result<(PlayerId, Family, RatingRow), StoreError> {
    let (player, family, rating) = read_rating(row)?;
    let seal = of_rating(player, family, &rating);
    match row.try_get::<Option<&[u8]>, _>("rating_seal")? {
        Some(stored) if stored == seal.as_slice() => Ok((player, family, rating)),
        _ => Err(corrupt("rating")),
    }
}

/// Seals what was written before rows had seals: once, before the sums of the tables are computed for the first time. Rows that cannot be read
/// stay without a seal: fsck names them. Cost: one pass over the matches and ratings.
pub(super) async fn seal_older_rows(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let sealed: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM table_sum)")
        .fetch_one(&mut *connection)
        .await?;
    if sealed {
        return Ok(());
    }
    seal_all(connection).await
}

/// Seals every row as it is now.
pub(crate) async fn seal_all(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut after = i64::MIN;
    loop {
        let rows = sqlx::query(concat!(
            "SELECT number, ",
            sealed_columns!(),
            " FROM match WHERE number > ?1 ORDER BY number LIMIT ?2"
        ))
        .bind(after)
        .bind(AT_ONCE)
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = rows.last() else {
            break;
        };
        after = last.try_get("number")?;
        sqlx::query("BEGIN IMMEDIATE")
            .execute(&mut *connection)
            .await?;
        for row in &rows {
            let read = match_id(row.try_get("id").unwrap_or_default())
                .and_then(|id| Ok((id, read_row(row)?, read_mistakes(row)?)));
            let Ok((id, summary, mistakes)) = read else {
                continue;
            };
            sqlx::query("UPDATE match SET seal = ?2, mistakes_seal = ?3 WHERE number = ?1")
                .bind(row.try_get::<i64, _>("number")?)
                .bind(of_match(id, &summary))
                .bind(mistakes.map(|mistakes| of_mistakes(id, mistakes)))
                .execute(&mut *connection)
                .await?;
        }
        sqlx::query("COMMIT").execute(&mut *connection).await?;
    }
    seal_ratings(connection).await?;
    seal_puzzles(connection).await
}

async fn seal_ratings(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let rows = sqlx::query(concat!("SELECT ", rating_columns!(), " FROM rating"))
        .fetch_all(&mut *connection)
        .await?;
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut *connection)
        .await?;
    for row in &rows {
        let Ok((player, family, rating)) = read_rating(row) else {
            continue;
        };
        sqlx::query("UPDATE rating SET seal = ?3 WHERE player = ?1 AND family = ?2")
            .bind(player.as_bytes().to_vec())
            .bind(family.name())
            .bind(of_rating(player, family, &rating))
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

async fn seal_puzzles(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let puzzles = sqlx::query(concat!("SELECT ", puzzle_columns!(), " FROM puzzle"))
        .fetch_all(&mut *connection)
        .await?;
    let solvers = sqlx::query(concat!("SELECT player, ", state_columns!(), " FROM solver"))
        .fetch_all(&mut *connection)
        .await?;
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut *connection)
        .await?;
    for (id, read) in puzzles.iter().filter_map(|row| read_puzzle(row).ok()) {
        sqlx::query("UPDATE puzzle SET seal = ?2 WHERE id = ?1")
            .bind(id.as_bytes().to_vec())
            .bind(of_puzzle(id, &read))
            .execute(&mut *connection)
            .await?;
    }
    let read = |row| Some((read_player(row).ok()?, read_state(row).ok()?));
    for (player, state) in solvers.iter().filter_map(read) {
        sqlx::query("UPDATE solver SET seal = ?2 WHERE player = ?1")
            .bind(player.as_bytes().to_vec())
            .bind(of_solver(player, &state))
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}
