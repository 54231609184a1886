//! Ratings and leaderboards.

use grundy_shared::ids::PlayerId;
use grundy_shared::rated::Family;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use super::batch::Batch;
use super::fault::Fault;
use super::rows::{player_id, read_player, read_state};
use crate::store::columns::{corrupt, integer, limit};
use crate::store::{Cursor, LIST_PAGE, Leaderboard, Ranked, RatingRow};

/// The columns of a rating.
macro_rules! rating_columns {
    () => {
        "rating.player, family, rating.bot AS rated_bot, rating, deviation, volatility, pairs, last_at"
    };
}

/// The entries of a leaderboard, by the condition on how long a rating is settled.
macro_rules! leaderboard {
    ($settled:literal) => {
        concat!(
            "SELECT ",
            rating_columns!(),
            ", player.id, player.name, player.bot FROM rating JOIN player ON player.id = rating.player \
             WHERE family = $1 AND rating.bot = $2 AND ",
            $settled,
            " AND (rating < $4 OR rating = $4 AND rating.player > $5) ORDER BY rating DESC, rating.player LIMIT $6"
        )
    };
}

fn read_rating(row: &PgRow) -> Result<(PlayerId, Family, RatingRow), Fault> {
    let family: Family = row.try_get::<&str, _>("family")?.parse().map_err(corrupt)?;
    let rating = RatingRow {
        state: read_state(row, "pairs")?,
        bot: row.try_get("rated_bot")?,
    };
    Ok((player_id(row.try_get("player")?)?, family, rating))
}

/// The ratings of a player, by the names of their families. One that cannot be read, as of a game that a later release added, is left out.
pub(super) async fn ratings(
    connection: &mut PgConnection,
    player: PlayerId,
) -> Result<Vec<(Family, RatingRow)>, Fault> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        rating_columns!(),
        " FROM rating WHERE player = $1 ORDER BY family COLLATE \"C\""
    ))
    .bind(&player.as_bytes()[..])
    .fetch_all(connection)
    .await?;
    let read = rows.iter().filter_map(|row| read_rating(row).ok());
    Ok(read.map(|(_, family, rating)| (family, rating)).collect())
}

/// The rating of a player in one family.
pub(super) async fn rating(
    connection: &mut PgConnection,
    player: PlayerId,
    family: Family,
) -> Result<Option<RatingRow>, Fault> {
    let row = sqlx::query(concat!(
        "SELECT ",
        rating_columns!(),
        " FROM rating WHERE player = $1 AND family = $2"
    ))
    .bind(&player.as_bytes()[..])
    .bind(family.name())
    .fetch_optional(connection)
    .await?;
    let read = row.as_ref().map(read_rating).transpose()?;
    Ok(read.map(|(_, _, rating)| rating))
}

/// A page of a leaderboard, the best first, from behind this place. Cost: the entries that are passed over.
pub(super) async fn leaderboard(
    connection: &mut PgConnection,
    board: Leaderboard,
    after: Option<Cursor>,
    wish: usize,
) -> Result<Vec<Ranked>, Fault> {
    // Behind everybody's place who could be first.
    let (rating, player) = match &after {
        None => (i64::from(i32::MAX) + 1, Vec::new()),
        Some(after) => {
            let (rating, player) = after.to_rank()?;
            (i64::from(rating), player.as_bytes().to_vec())
        }
    };
    let statement = match board.provisional {
        false => leaderboard!("settled_until > 0 AND settled_until > $3"),
        true => leaderboard!("settled_until <= $3"),
    };
    let rows = sqlx::query(statement)
        .bind(board.family.name())
        .bind(board.bots)
        .bind(integer(board.now.0))
        .bind(rating)
        .bind(player)
        .bind(limit(wish, LIST_PAGE))
        .fetch_all(connection)
        .await?;
    rows.iter().map(ranked).collect()
}

fn ranked(row: &PgRow) -> Result<Ranked, Fault> {
    let (id, _, rating) = read_rating(row)?;
    let player = read_player(row, ["id", "name", "bot"])?;
    Ok(Ranked {
        cursor: Cursor::rank(rating.state.strength.rating, id),
        player: player.ok_or_else(|| corrupt("a rating is nobody's"))?,
        state: rating.state,
    })
}

/// Whether a player sits in a rated match that has begun and is not over.
pub(super) async fn plays_rated(
    connection: &mut PgConnection,
    player: PlayerId,
) -> Result<bool, Fault> {
    let series: Vec<String> = sqlx::query_scalar(
        "SELECT series FROM match WHERE first_id = $1 AND status <> 'over' AND status = 'live' AND series IS NOT NULL \
         UNION ALL SELECT series FROM match WHERE second_id = $1 AND status <> 'over' AND status = 'live' AND series IS NOT NULL",
    )
    .bind(&player.as_bytes()[..])
    .fetch_all(connection)
    .await?;
    let mut rated = false;
    for series in &series {
        let series: grundy_shared::event::Series = serde_json::from_str(series).map_err(corrupt)?;
        rated |= series.rated;
    }
    Ok(rated)
}

impl Batch<'_> {
    /// Makes or replaces a rating.
    pub(super) async fn put_rating(
        &mut self,
        player: PlayerId,
        family: Family,
        row: &RatingRow,
    ) -> Result<(), Fault> {
        let RatingRow { state, bot } = row;
        sqlx::query(
            "INSERT INTO rating (player, family, bot, rating, deviation, volatility, pairs, last_at, settled_until) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (player, family) DO UPDATE SET \
             bot = excluded.bot, rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, \
             pairs = excluded.pairs, last_at = excluded.last_at, settled_until = excluded.settled_until",
        )
        .bind(&player.as_bytes()[..])
        .bind(family.name())
        .bind(*bot)
        .bind(i64::from(state.strength.rating))
        .bind(i64::from(state.strength.deviation))
        .bind(i64::from(state.strength.volatility))
        .bind(integer(state.pairs.0))
        .bind(integer(state.last_at.0))
        .bind(integer(state.settled_until().0))
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }
}
