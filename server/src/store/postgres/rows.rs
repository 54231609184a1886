//! Between the values of the store and the columns of its tables.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{Millis, PlayerId, Ply, Seq};
use grundy_shared::rated::{RatingState, Strength};
use sqlx::Row;
use sqlx::postgres::PgRow;

use super::fault::Fault;
use crate::store::columns::{NOT_COUNTABLE, corrupt, from_word, match_id, status, unsigned};
use crate::store::{MatchRow, Mistakes, StoreError};

/// The columns of a summary, in the order of [`read_row`].
macro_rules! row_columns {
    () => {
        "start, clock, first_id, first_name, first_bot, second_id, second_name, second_bot, \
         status, outcome, reason, plies, created_at, ended_at, rematch_of, series"
    };
}
pub(super) use row_columns;

/// The columns of a rating's figures after those that name it.
macro_rules! state_columns {
    () => {
        "rating, deviation, volatility, attempts, last_at"
    };
}
pub(super) use state_columns;

/// The id of a player from its column.
pub(super) fn player_id(bytes: &[u8]) -> Result<PlayerId, StoreError> {
    PlayerId::from_bytes(bytes).ok_or_else(|| corrupt("a player id is not 16 bytes"))
}

/// Reads a moment.
pub(super) fn read_moment(row: &PgRow, column: &str) -> Result<Millis, Fault> {
    Ok(Millis(unsigned(row.try_get(column)?)?))
}

/// Reads a moment that may be absent.
pub(super) fn read_moment_if_any(row: &PgRow, column: &str) -> Result<Option<Millis>, Fault> {
    let stored: Option<i64> = row.try_get(column)?;
    Ok(stored.map(unsigned).transpose()?.map(Millis))
}

/// Reads a player from three columns.
pub(super) fn read_player(
    row: &PgRow,
    [id, name, bot]: [&str; 3],
) -> Result<Option<PlayerInfo>, Fault> {
    let Some(bytes) = row.try_get::<Option<&[u8]>, _>(id)? else {
        return Ok(None);
    };
    Ok(Some(PlayerInfo {
        id: player_id(bytes)?,
        name: row.try_get(name)?,
        bot: row.try_get(bot)?,
    }))
}

/// Reads the mistake columns.
pub(super) fn read_mistakes(row: &PgRow) -> Result<Option<Mistakes>, Fault> {
    let counts: [Option<i64>; 2] = [
        row.try_get("mistakes_first")?,
        row.try_get("mistakes_second")?,
    ];
    match counts {
        [None, None] => Ok(None),
        [Some(NOT_COUNTABLE), Some(NOT_COUNTABLE)] => Ok(Some(Mistakes::Unknown)),
        [Some(first), Some(second)] => match (u32::try_from(first), u32::try_from(second)) {
            (Ok(first), Ok(second)) => Ok(Some(Mistakes::Known([first, second]))),
            _ => Err(corrupt("a count of mistakes is not valid").into()),
        },
        _ => Err(corrupt("only one player's mistakes are stored").into()),
    }
}

/// Reads a summary.
pub(super) fn read_row(row: &PgRow) -> Result<MatchRow, Fault> {
    let text = |column| row.try_get::<Option<&str>, _>(column);
    let plies: i64 = row.try_get("plies")?;
    Ok(MatchRow {
        start: row.try_get("start")?,
        clock: serde_json::from_str(row.try_get("clock")?).map_err(corrupt)?,
        first: read_player(row, ["first_id", "first_name", "first_bot"])?,
        second: read_player(row, ["second_id", "second_name", "second_bot"])?,
        status: status(row.try_get("status")?)?,
        outcome: text("outcome")?.map(from_word).transpose()?,
        reason: text("reason")?.map(from_word).transpose()?,
        plies: u32::try_from(plies).map(Ply).map_err(corrupt)?,
        created_at: read_moment(row, "created_at")?,
        ended_at: read_moment_if_any(row, "ended_at")?,
        rematch_of: row
            .try_get::<Option<i64>, _>("rematch_of")?
            .map(match_id)
            .transpose()?,
        series: text("series")?
            .map(serde_json::from_str)
            .transpose()
            .map_err(corrupt)?,
    })
}

/// Reads the figures of a rating; `pairs` names the column that counts.
pub(super) fn read_state(row: &PgRow, pairs: &str) -> Result<RatingState, Fault> {
    let figure = |column: &str| row.try_get::<i64, _>(column);
    Ok(RatingState {
        strength: Strength {
            rating: i32::try_from(figure("rating")?).map_err(corrupt)?,
            deviation: u32::try_from(figure("deviation")?).map_err(corrupt)?,
            volatility: u32::try_from(figure("volatility")?).map_err(corrupt)?,
        },
        pairs: Seq(unsigned(figure(pairs)?)?),
        last_at: read_moment(row, "last_at")?,
    })
}
