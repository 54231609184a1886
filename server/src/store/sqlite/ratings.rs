//! Ratings: written by the writer beside their logs, read by readers and by fsck.

use grundy_shared::ids::{PlayerId, Seq};
use grundy_shared::rated::Family;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::fault::Failure;
use super::rating_rows::rating_columns;
use super::refusal::Refusal;
use super::rows::{integer, limit, read_player};
use super::seal::{of_rating, read_sealed_rating};
use super::unverified::Unverified;
use super::writer::Writer;
use crate::store::{
    Commit, CommitError, Cursor, LIST_PAGE, Leaderboard, Ranked, RatingRow, StoreError, StreamId,
};

fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

/// The ratings of a player, by their families. Those that are not as the server wrote them are left out.
pub(super) async fn ratings(
    connection: &mut SqliteConnection,
    player: PlayerId,
    unverified: &Unverified,
) -> Result<Vec<(Family, RatingRow)>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        rating_columns!(),
        " FROM rating WHERE player = ?1 ORDER BY family"
    ))
    .bind(player.as_bytes().to_vec())
    .fetch_all(connection)
    .await?;
    let sealed = |row| match read_sealed_rating(row) {
        Ok((_, family, rating)) => Some((family, rating)),
        Err(error) => {
            unverified.note("rating", &player, &error);
            None
        }
    };
    Ok(rows.iter().filter_map(sealed).collect())
}

/// The rating of a player in one family. One that cannot be read, as of a game that a later release added, is no trouble of the others.
pub(super) async fn rating(
    connection: &mut SqliteConnection,
    player: PlayerId,
    family: Family,
) -> Result<Option<RatingRow>, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT ",
        rating_columns!(),
        " FROM rating WHERE player = ?1 AND family = ?2"
    ))
    .bind(player.as_bytes().to_vec())
    .bind(family.name())
    .fetch_optional(connection)
    .await?;
    row.map(|row| read_sealed_rating(&row).map(|(_, _, rating)| rating))
        .transpose()
}

/// A page of a leaderboard, the best first, from behind this place. Cost: the entries that are passed over. On that of settled ratings these
/// are ratings that were settled once: those that never were are in no index of it.
/// A rating that is not as the server wrote it is left out.
pub(super) async fn leaderboard(
    connection: &mut SqliteConnection,
    board: Leaderboard,
    after: Option<Cursor>,
    wish: usize,
    unverified: &Unverified,
) -> Result<Vec<Ranked>, StoreError> {
    // Behind everybody's place who could be first.
    let (rating, player) = match &after {
        None => (i64::from(i32::MAX) + 1, Vec::new()),
        Some(after) => {
            let (rating, player) = after.to_rank()?;
            (i64::from(rating), player.as_bytes().to_vec())
        }
    };
    let statement = match board.provisional {
        false => concat!(
            "SELECT ",
            rating_columns!(),
            ", player.id, player.name, player.bot FROM rating JOIN player ON player.id = rating.player \
             WHERE family = ?1 AND rating.bot = ?2 AND settled_until > 0 AND settled_until > ?3 \
             AND (rating < ?4 OR rating = ?4 AND rating.player > ?5) ORDER BY rating DESC, rating.player LIMIT ?6"
        ),
        true => concat!(
            "SELECT ",
            rating_columns!(),
            ", player.id, player.name, player.bot FROM rating JOIN player ON player.id = rating.player \
             WHERE family = ?1 AND rating.bot = ?2 AND settled_until <= ?3 \
             AND (rating < ?4 OR rating = ?4 AND rating.player > ?5) ORDER BY rating DESC, rating.player LIMIT ?6"
        ),
    };
    let wish = wish.min(LIST_PAGE);
    let (mut place, mut found) = ((rating, player), Vec::new());
    loop {
        let asked = wish - found.len();
        let rows = sqlx::query(statement)
            .bind(board.family.name())
            .bind(board.bots)
            .bind(integer(board.now.0))
            .bind(place.0)
            .bind(place.1.clone())
            .bind(limit(asked, LIST_PAGE))
            .fetch_all(&mut *connection)
            .await?;
        for row in &rows {
            place = (row.try_get("rating")?, row.try_get("player")?);
            match ranked(row) {
                Ok(ranked) => found.push(ranked),
                Err(error) => {
                    let who = data_encoding::HEXLOWER.encode(&place.1);
                    unverified.note("rating", &who, &error);
                }
            }
        }
        // What was left out makes room for what comes after it.
        if rows.len() < asked || found.len() == wish {
            return Ok(found);
        }
    }
}

fn ranked(row: &SqliteRow) -> Result<Ranked, StoreError> {
    let (id, _, rating) = read_sealed_rating(row)?;
    let player = read_player(row, ["id", "name", "bot"])?;
    Ok(Ranked {
        cursor: Cursor::rank(rating.state.strength.rating, id),
        player: player.ok_or_else(|| corrupt("a rating is nobody's"))?,
        state: rating.state,
    })
}

/// Whether a player is in a rated match that runs.
pub(super) async fn plays_rated(
    connection: &mut SqliteConnection,
    player: PlayerId,
) -> Result<bool, StoreError> {
    let plays = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM match WHERE first_id = ?1 AND status <> 'over' AND status = 'live' AND series ->> '$.rated') \
         OR EXISTS (SELECT 1 FROM match WHERE second_id = ?1 AND status <> 'over' AND status = 'live' AND series ->> '$.rated')",
    )
    .bind(player.as_bytes().to_vec())
    .fetch_one(connection)
    .await?;
    Ok(plays)
}

impl Writer {
    /// Whether a rating has a log once the commit is made.
    pub(super) async fn check_rating(
        &mut self,
        commit: &Commit,
        stream: StreamId,
    ) -> Result<(), Refusal> {
        if commit.begins(stream) || self.head(stream).await?.is_some() {
            return Ok(());
        }
        let actual = Seq(0);
        Err(CommitError::Conflict { stream, actual }.into())
    }

    /// Makes or replaces a rating.
    pub(super) async fn put_rating(
        &mut self,
        player: PlayerId,
        family: Family,
        row: &RatingRow,
    ) -> Result<(), Failure> {
        let RatingRow { state, bot } = row;
        sqlx::query(
            "INSERT INTO rating (player, family, bot, rating, deviation, volatility, pairs, last_at, settled_until, seal) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (player, family) DO UPDATE SET \
             bot = excluded.bot, rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, \
             pairs = excluded.pairs, last_at = excluded.last_at, settled_until = excluded.settled_until, seal = excluded.seal",
        )
        .bind(player.as_bytes().to_vec())
        .bind(family.name())
        .bind(*bot)
        .bind(state.strength.rating)
        .bind(state.strength.deviation)
        .bind(state.strength.volatility)
        .bind(integer(state.pairs.0))
        .bind(integer(state.last_at.0))
        .bind(integer(state.settled_until().0))
        .bind(of_rating(player, family, row))
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }
}
