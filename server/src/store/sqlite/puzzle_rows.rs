//! Puzzles and ratings in solving as rows.

use grundy_shared::ids::{Millis, PlayerId, PuzzleId, Seq};
use grundy_shared::puzzle::Puzzle;
use grundy_shared::rated::{RatingState, Strength};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::rows::unsigned;
use crate::store::{PuzzleRow, StoreError};

/// The columns of a rating in solving.
macro_rules! state_columns {
    () => {
        "rating, deviation, volatility, attempts, last_at, seal"
    };
}
pub(crate) use state_columns;

/// The columns of a puzzle.
macro_rules! puzzle_columns {
    () => {
        concat!(
            "id, family, body, ",
            $crate::store::sqlite::puzzle_rows::state_columns!()
        )
    };
}
pub(crate) use puzzle_columns;

fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

/// Reads a rating in solving. Its seal is not looked at.
pub(crate) fn read_state(row: &SqliteRow) -> Result<RatingState, StoreError> {
    Ok(RatingState {
        strength: Strength {
            rating: row.try_get("rating")?,
            deviation: row.try_get("deviation")?,
            volatility: row.try_get("volatility")?,
        },
        pairs: Seq(unsigned(row.try_get("attempts")?)?),
        last_at: Millis(unsigned(row.try_get("last_at")?)?),
    })
}

/// Reads a puzzle, which must have the id and the family of its row. Its seal is not looked at.
pub(crate) fn read_puzzle(row: &SqliteRow) -> Result<(PuzzleId, PuzzleRow), StoreError> {
    let id = PuzzleId::from_bytes(row.try_get("id")?);
    let id = id.ok_or_else(|| corrupt("a puzzle id is not 16 bytes"))?;
    let puzzle: Puzzle = serde_json::from_str(row.try_get("body")?).map_err(corrupt)?;
    if puzzle.id() != id {
        return Err(corrupt(format_args!("{} is not puzzle {id}", puzzle.key)));
    }
    let family: &str = row.try_get("family")?;
    if puzzle.family().name() != family {
        return Err(corrupt(format_args!("{} is not of {family}", puzzle.key)));
    }
    let state = read_state(row)?;
    Ok((id, PuzzleRow { puzzle, state }))
}

/// Reads the player of a row.
pub(crate) fn read_player(row: &SqliteRow) -> Result<PlayerId, StoreError> {
    let player = PlayerId::from_bytes(row.try_get("player")?);
    player.ok_or_else(|| corrupt("a player id is not 16 bytes"))
}
