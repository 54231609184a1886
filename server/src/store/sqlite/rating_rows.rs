//! Ratings as rows.

use grundy_shared::ids::{Millis, PlayerId, Seq};
use grundy_shared::rated::{Family, RatingState, Strength};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::rows::unsigned;
use crate::store::{RatingRow, StoreError};

/// The columns of a rating.
macro_rules! rating_columns {
    () => {
        "rating.player, family, rating.bot AS rated_bot, rating, deviation, volatility, pairs, last_at, rating.seal AS rating_seal"
    };
}
pub(crate) use rating_columns;

fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

/// Reads a rating, and whose it is.
pub(crate) fn read_rating(row: &SqliteRow) -> Result<(PlayerId, Family, RatingRow), StoreError> {
    let player = PlayerId::from_bytes(row.try_get("player")?);
    let family: Family = row.try_get::<&str, _>("family")?.parse().map_err(corrupt)?;
    let state = RatingState {
        strength: Strength {
            rating: row.try_get("rating")?,
            deviation: row.try_get("deviation")?,
            volatility: row.try_get("volatility")?,
        },
        pairs: Seq(unsigned(row.try_get("pairs")?)?),
        last_at: Millis(unsigned(row.try_get("last_at")?)?),
    };
    let bot = row.try_get("rated_bot")?;
    let player = player.ok_or_else(|| corrupt("a player id is not 16 bytes"))?;
    Ok((player, family, RatingRow { state, bot }))
}
