//! Between the values of the store and the columns of its tables.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row, Sqlite};

use crate::store::columns::{NOT_COUNTABLE, corrupt, from_word, status, word};
pub(super) use crate::store::columns::{PLAYER_BYTES, limit, mistakes_columns};
pub(crate) use crate::store::columns::{
    address_secret, integer, key_of, match_id, server_id, status_word, stream_of, unsigned,
};
use crate::store::{MatchRow, Mistakes, StoreError};

type Query<'q> = sqlx::query::Query<'q, Sqlite, SqliteArguments>;

/// The columns of a summary, in the order of [`bind_row`] and [`read_row`].
macro_rules! row_columns {
    () => {
        "start, clock, first_id, first_name, first_bot, second_id, second_name, second_bot, \
         status, outcome, reason, plies, created_at, ended_at, rematch_of, series"
    };
}
pub(crate) use row_columns;

/// Binds a summary.
pub(crate) fn bind_row<'q>(query: Query<'q>, row: &MatchRow) -> Query<'q> {
    let clock = serde_json::to_string(&row.clock).expect("a time control is plain values");
    let mut query = query.bind(row.start.clone()).bind(clock);
    for seat in [&row.first, &row.second] {
        let seat = seat.as_ref();
        query = query
            .bind(seat.map(|who| who.id.as_bytes().to_vec()))
            .bind(seat.map(|who| who.name.clone()))
            .bind(seat.map(|who| who.bot));
    }
    query
        .bind(status_word(row.status))
        .bind(row.outcome.as_ref().map(word))
        .bind(row.reason.as_ref().map(word))
        .bind(i64::from(row.plies.0))
        .bind(integer(row.created_at.0))
        .bind(row.ended_at.map(|at| integer(at.0)))
        .bind(row.rematch_of.map(MatchId::to_i64))
        .bind(row.series.map(|series| {
            serde_json::to_string(&series).expect("a place in a series is plain values")
        }))
}

/// Reads a player from three columns.
pub(crate) fn read_player(
    row: &SqliteRow,
    [id, name, bot]: [&str; 3],
) -> Result<Option<PlayerInfo>, StoreError> {
    let Some(bytes) = row.try_get::<Option<&[u8]>, _>(id)? else {
        return Ok(None);
    };
    Ok(Some(PlayerInfo {
        id: PlayerId::from_bytes(bytes).ok_or_else(|| corrupt("a player id is not 16 bytes"))?,
        name: row.try_get(name)?,
        bot: row.try_get(bot)?,
    }))
}

/// Reads the mistake columns.
pub(crate) fn read_mistakes(row: &SqliteRow) -> Result<Option<Mistakes>, StoreError> {
    let counts: [Option<i64>; 2] = [
        row.try_get("mistakes_first")?,
        row.try_get("mistakes_second")?,
    ];
    match counts {
        [None, None] => Ok(None),
        [Some(NOT_COUNTABLE), Some(NOT_COUNTABLE)] => Ok(Some(Mistakes::Unknown)),
        [Some(first), Some(second)] => match (u32::try_from(first), u32::try_from(second)) {
            (Ok(first), Ok(second)) => Ok(Some(Mistakes::Known([first, second]))),
            _ => Err(corrupt("a count of mistakes is not valid")),
        },
        _ => Err(corrupt("only one player's mistakes are stored")),
    }
}

/// Reads a summary.
pub(crate) fn read_row(row: &SqliteRow) -> Result<MatchRow, StoreError> {
    let read_word = |column| row.try_get::<Option<&str>, _>(column);
    Ok(MatchRow {
        start: row.try_get("start")?,
        clock: serde_json::from_str(row.try_get("clock")?).map_err(corrupt)?,
        first: read_player(row, ["first_id", "first_name", "first_bot"])?,
        second: read_player(row, ["second_id", "second_name", "second_bot"])?,
        status: status(row.try_get("status")?)?,
        outcome: read_word("outcome")?.map(from_word).transpose()?,
        reason: read_word("reason")?.map(from_word).transpose()?,
        // Read as a number alone, nothing at all would be 0.
        plies: row
            .try_get::<Option<u32>, _>("plies")?
            .map(Ply)
            .ok_or_else(|| corrupt("no number of plies"))?,
        created_at: Millis(unsigned(row.try_get("created_at")?)?),
        ended_at: row
            .try_get::<Option<i64>, _>("ended_at")?
            .map(unsigned)
            .transpose()?
            .map(Millis),
        rematch_of: row
            .try_get::<Option<i64>, _>("rematch_of")?
            .map(match_id)
            .transpose()?,
        series: row
            .try_get::<Option<&str>, _>("series")?
            .map(serde_json::from_str)
            .transpose()
            .map_err(corrupt)?,
    })
}
