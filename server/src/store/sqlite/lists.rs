//! Lists of matches, read by pages.

use futures::TryStreamExt as _;
use grundy_shared::ids::{BadId, MatchId, Millis, PlayerId};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};

use super::rows::{limit, match_id, status_word, unsigned};
use super::seal::{read_sealed, sealed_columns};
use super::unverified::Unverified;
use crate::store::listing::{Search, Turns};
use crate::store::{
    Cursor, LIST_PAGE, LIST_SCAN, LeftOut, ListFilter, Listed, Listing, MatchRow, MatchStatus,
    Mistakes, OpenMatch, Order, Page, StoreError, Uncounted,
};

/// A page of matches, from behind this number. A match whose summary is not as the server wrote it is left out, and counted.
pub(super) async fn list(
    connection: &mut SqliteConnection,
    filter: ListFilter,
    from: i64,
    page: Page,
    unverified: &Unverified,
) -> Result<Listing, StoreError> {
    let mut search = Search::new(&filter, page.limit);
    let mut rows = sqlx::query(AssertSqlSafe(list_statement(&filter, page.order)))
        .bind(from)
        .bind(limit(filter.scan(page.limit), LIST_SCAN))
        .bind(filter.player.map(|id| id.as_bytes().to_vec()))
        .bind(filter.status.map(status_word))
        .bind(filter.opponent.map(|id| id.as_bytes().to_vec()))
        .bind(filter.viewer.map(|id| id.as_bytes().to_vec()))
        .fetch(connection);
    // Each row is checked against its seal.
    let mut turns = Turns::default();
    while let Some(row) = rows.try_next().await? {
        let start = row.try_get::<&str, _>("start").map_or(0, str::len);
        turns.read(start).await;
        let number: i64 = row.try_get("number")?;
        let cursor = match page.order {
            Order::Newest | Order::Oldest => Cursor::number(number),
            Order::Ended => Cursor::ended(row.try_get("ended_order")?),
        };
        let end = match verified(&row, number, unverified) {
            Some((id, row, mistakes)) => search.look_at(Listed {
                cursor,
                id,
                row,
                mistakes,
                left_out: LeftOut::default(),
            }),
            None => search.leave_out(cursor),
        };
        if let Some(page) = end {
            return Ok(page);
        }
    }
    drop(rows);
    Ok(search.end())
}

/// The summary of the match with this number; `None`, and a note, if it is not as the server wrote it, or its log says otherwise.
fn verified(
    row: &SqliteRow,
    number: i64,
    unverified: &Unverified,
) -> Option<(MatchId, MatchRow, Option<Mistakes>)> {
    match read_sealed(row) {
        Ok(_) if unverified.has("match", &number) => None,
        Ok(sealed) => Some(sealed),
        Err(error) => {
            unverified.note("match", &number, &error);
            None
        }
    }
}

/// Finished matches whose mistakes are not counted, after this place in the order of ends.
pub(super) async fn uncounted(
    connection: &mut SqliteConnection,
    from: i64,
    page: Page,
) -> Result<Vec<Uncounted>, StoreError> {
    let statement = match page.order {
        Order::Newest => {
            "SELECT id, ended_order FROM match WHERE ended_order IS NOT NULL AND mistakes_first IS NULL \
             AND ended_order < ?1 ORDER BY ended_order DESC LIMIT ?2"
        }
        Order::Oldest | Order::Ended => {
            "SELECT id, ended_order FROM match WHERE ended_order IS NOT NULL AND mistakes_first IS NULL \
             AND ended_order > ?1 ORDER BY ended_order LIMIT ?2"
        }
    };
    let rows = sqlx::query(statement)
        .bind(from)
        .bind(limit(page.limit, LIST_PAGE))
        .fetch_all(connection)
        .await?;
    let uncounted = rows.iter().map(|row| {
        Ok(Uncounted {
            cursor: Cursor::ended(row.try_get("ended_order")?),
            id: match_id(row.try_get("id")?)?,
        })
    });
    uncounted.collect()
}

/// The matches of a player that are not over, the newest first.
pub(super) async fn open_matches(
    connection: &mut SqliteConnection,
    player: PlayerId,
    wish: usize,
    unverified: &Unverified,
) -> Result<Vec<OpenMatch>, StoreError> {
    sqlx::query(concat!(
        "SELECT number, code, expires_at, ",
        sealed_columns!(),
        " FROM match LEFT JOIN join_code ON match = number WHERE number IN \
         (SELECT number FROM match WHERE first_id = ?1 AND status <> 'over' \
         UNION SELECT number FROM match WHERE second_id = ?1 AND status <> 'over') \
         GROUP BY number ORDER BY number DESC LIMIT ?2"
    ))
    .bind(player.as_bytes().to_vec())
    .bind(limit(wish, LIST_PAGE))
    .fetch_all(connection)
    .await?
    .iter()
    .filter_map(|row| open_match(row, unverified).transpose())
    .collect()
}

/// The statement that lists matches. Its parameters: ?1 the place behind which, ?2 how many, ?3 the player, ?4 the state, ?5 the opponent,
/// ?6 who may know of them.
fn list_statement(filter: &ListFilter, order: Order) -> String {
    const COLUMNS: &str = concat!("number, ended_order, ", sealed_columns!());
    let status = match filter.status {
        None => "",
        Some(MatchStatus::Over) => " AND status = ?4",
        // Said again in the words of the partial index, so that SQLite can use it.
        Some(MatchStatus::Waiting | MatchStatus::Live) => " AND status = ?4 AND status <> 'over'",
    };
    let seen = match filter.viewer {
        None => "",
        Some(_) => {
            " AND (first_id IS NOT NULL AND second_id IS NOT NULL OR first_id = ?6 OR second_id = ?6)"
        }
    };
    let (place, behind, direction) = match order {
        Order::Newest => ("number", '<', "DESC"),
        Order::Oldest => ("number", '>', "ASC"),
        // The extra condition lets SQLite use the partial indexes.
        Order::Ended => ("ended_order IS NOT NULL AND ended_order", '>', "ASC"),
    };
    let column = match order {
        Order::Newest | Order::Oldest => "number",
        Order::Ended => "ended_order",
    };
    let page = format!("{place} {behind} ?1{status}{seen} ORDER BY {column} {direction} LIMIT ?2");
    if filter.player.is_none() {
        return format!("SELECT {COLUMNS} FROM match WHERE {page}");
    }
    // A player's matches come from two indexes, each read no further than the page; who has both seats is listed once.
    let seat = |seat, other| {
        let against = match filter.opponent {
            Some(_) => format!(" AND {other} = ?5"),
            None => String::new(),
        };
        format!(
            "SELECT number FROM (SELECT number FROM match WHERE {seat} = ?3{against} AND {page})"
        )
    };
    format!(
        "SELECT {COLUMNS} FROM match WHERE number IN ({} UNION {}) ORDER BY {column} {direction} LIMIT ?2",
        seat("first_id", "second_id"),
        seat("second_id", "first_id")
    )
}

/// `None` where the summary is not as the server wrote it.
fn open_match(row: &SqliteRow, unverified: &Unverified) -> Result<Option<OpenMatch>, StoreError> {
    let Some((id, summary, _)) = verified(row, row.try_get("number")?, unverified) else {
        return Ok(None);
    };
    let code: Option<&str> = row.try_get("code")?;
    let code = code.map(|code| {
        let code = code.parse().map_err(|error: BadId| StoreError::Corrupt {
            why: error.to_string(),
        })?;
        let expires = Millis(unsigned(row.try_get("expires_at")?)?);
        Ok::<_, StoreError>((code, expires))
    });
    Ok(Some(OpenMatch {
        id,
        row: summary,
        code: code.transpose()?,
    }))
}
