//! Lists of matches, read by pages.

use futures::TryStreamExt as _;
use grundy_shared::ids::{BadId, Millis, PlayerId};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};

use super::rows::{limit, match_id, read_mistakes, read_row, row_columns, status_word, unsigned};
use crate::store::listing::Search;
use crate::store::{
    Cursor, LIST_PAGE, LIST_SCAN, LeftOut, ListFilter, Listed, Listing, MatchStatus, OpenMatch,
    Order, Page, StoreError, Uncounted,
};

/// A page of matches, from behind this number.
pub(super) async fn list(
    connection: &mut SqliteConnection,
    filter: ListFilter,
    from: i64,
    page: Page,
) -> Result<Listing, StoreError> {
    let mut search = Search::new(&filter, page.limit);
    let mut rows = sqlx::query(AssertSqlSafe(list_statement(&filter, page.order)))
        .bind(from)
        .bind(limit(filter.scan(page.limit), LIST_SCAN))
        .bind(filter.player.map(|id| id.as_bytes().to_vec()))
        .bind(filter.status.map(status_word))
        .bind(filter.opponent.map(|id| id.as_bytes().to_vec()))
        .fetch(connection);
    while let Some(row) = rows.try_next().await? {
        let listed = Listed {
            cursor: match page.order {
                Order::Newest | Order::Oldest => Cursor::number(row.try_get("number")?),
                Order::Ended => Cursor::ended(row.try_get("ended_order")?),
            },
            id: match_id(row.try_get("id")?)?,
            row: read_row(&row)?,
            mistakes: read_mistakes(&row)?,
            left_out: LeftOut::default(),
        };
        if let Some(page) = search.look_at(listed) {
            return Ok(page);
        }
    }
    drop(rows);
    Ok(search.end())
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
) -> Result<Vec<OpenMatch>, StoreError> {
    sqlx::query(concat!(
        "SELECT id, code, expires_at, ",
        row_columns!(),
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
    .map(open_match)
    .collect()
}

/// The statement that lists matches. Its parameters: ?1 the place behind which, ?2 how many, ?3 the player, ?4 the state, ?5 the opponent.
fn list_statement(filter: &ListFilter, order: Order) -> String {
    const COLUMNS: &str = concat!(
        "number, id, ended_order, mistakes_first, mistakes_second, ",
        row_columns!()
    );
    let status = match filter.status {
        None => "",
        Some(MatchStatus::Over) => " AND status = ?4",
        // Said again in the words of the partial index, so that SQLite can use it.
        Some(MatchStatus::Waiting | MatchStatus::Live) => " AND status = ?4 AND status <> 'over'",
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
    let page = format!("{place} {behind} ?1{status} ORDER BY {column} {direction} LIMIT ?2");
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

fn open_match(row: &SqliteRow) -> Result<OpenMatch, StoreError> {
    let code: Option<&str> = row.try_get("code")?;
    let code = code.map(|code| {
        let code = code.parse().map_err(|error: BadId| StoreError::Corrupt {
            why: error.to_string(),
        })?;
        let expires = Millis(unsigned(row.try_get("expires_at")?)?);
        Ok::<_, StoreError>((code, expires))
    });
    Ok(OpenMatch {
        id: match_id(row.try_get("id")?)?,
        row: read_row(row)?,
        code: code.transpose()?,
    })
}
