//! Lists of matches, read by pages.

use futures::TryStreamExt as _;
use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, Millis, PlayerId};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Row};

use super::fault::Fault;
use super::rows::{read_mistakes, read_moment, read_row, row_columns};
use crate::store::columns::{corrupt, limit, match_id, status_word};
use crate::store::listing::{Search, Turns};
use crate::store::{
    AddressDigest, Cursor, LIST_PAGE, LIST_SCAN, LeftOut, ListFilter, Listed, Listing, MatchRow,
    MatchStatus, OpenMatch, Order, Page, Uncounted,
};

/// The columns of a match in a list.
macro_rules! listed_columns {
    () => {
        concat!(
            "number, id, ended_order, mistakes_first, mistakes_second, ",
            row_columns!()
        )
    };
}

/// A page of matches, from behind this number.
pub(super) async fn list(
    connection: &mut PgConnection,
    filter: ListFilter,
    from: i64,
    page: Page,
) -> Result<Listing, Fault> {
    let mut search = Search::new(&filter, page.limit);
    let id = |player: Option<PlayerId>| player.map(|id| id.as_bytes().to_vec());
    let mut rows = sqlx::query(AssertSqlSafe(list_statement(&filter, page.order)))
        .bind(from)
        .bind(limit(filter.scan(page.limit), LIST_SCAN))
        .bind(id(filter.player))
        .bind(filter.status.map(status_word))
        .bind(id(filter.opponent))
        .bind(id(filter.viewer))
        .fetch(connection);
    let mut turns = Turns::default();
    while let Some(row) = rows.try_next().await? {
        let start = row.try_get::<&str, _>("start").map_or(0, str::len);
        turns.read(start).await;
        let cursor = match page.order {
            Order::Newest | Order::Oldest => Cursor::number(row.try_get("number")?),
            Order::Ended => Cursor::ended(row.try_get("ended_order")?),
        };
        let listed = Listed {
            cursor,
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

/// The statement that lists matches, put together of fixed pieces. Its parameters: $1 the place behind which, $2 how many, $3 the player, $4 the state, $5 the
/// opponent, $6 who may know of them.
fn list_statement(filter: &ListFilter, order: Order) -> String {
    const COLUMNS: &str = listed_columns!();
    let status = match filter.status {
        None => "",
        Some(MatchStatus::Over) => " AND status = $4",
        // Said again in the words of the partial index, so that it can be used.
        Some(MatchStatus::Waiting | MatchStatus::Live) => " AND status = $4 AND status <> 'over'",
    };
    let seen = match filter.viewer {
        None => "",
        Some(_) => {
            " AND (first_id IS NOT NULL AND second_id IS NOT NULL OR first_id = $6 OR second_id = $6)"
        }
    };
    let (place, behind, direction) = match order {
        Order::Newest => ("number", '<', "DESC"),
        Order::Oldest => ("number", '>', "ASC"),
        // The extra condition lets the partial indexes be used.
        Order::Ended => ("ended_order IS NOT NULL AND ended_order", '>', "ASC"),
    };
    let column = match order {
        Order::Newest | Order::Oldest => "number",
        Order::Ended => "ended_order",
    };
    let page = format!("{place} {behind} $1{status}{seen} ORDER BY {column} {direction} LIMIT $2");
    if filter.player.is_none() {
        return match filter.status {
            // The index of unfinished matches has those of each owner by themselves: so many of each owner at most. By number alone all finished ones would be passed over.
            Some(MatchStatus::Waiting | MatchStatus::Live) if order != Order::Ended => format!(
                "WITH RECURSIVE holder AS (SELECT min(owner) AS id FROM match WHERE status <> 'over' \
                 UNION ALL SELECT (SELECT min(match.owner) FROM match WHERE match.owner > holder.id AND match.status <> 'over') \
                 FROM holder WHERE holder.id IS NOT NULL) \
                 SELECT {COLUMNS} FROM match WHERE number IN (SELECT held.number FROM holder CROSS JOIN LATERAL \
                 (SELECT number FROM match WHERE match.owner = holder.id AND {page}) AS held) ORDER BY {column} {direction} LIMIT $2"
            ),
            _ => format!("SELECT {COLUMNS} FROM match WHERE {page}"),
        };
    }
    // A player's matches come from two indexes, each read no further than the page; who has both seats is listed once.
    let seat = |seat, other| {
        let against = match filter.opponent {
            Some(_) => format!(" AND {other} = $5"),
            None => String::new(),
        };
        format!(
            "SELECT number FROM (SELECT number FROM match WHERE {seat} = $3{against} AND {page}) AS of_{seat}"
        )
    };
    format!(
        "SELECT {COLUMNS} FROM match WHERE number IN ({} UNION {}) ORDER BY {column} {direction} LIMIT $2",
        seat("first_id", "second_id"),
        seat("second_id", "first_id")
    )
}

/// The summary of a match.
pub(super) async fn row(
    connection: &mut PgConnection,
    id: MatchId,
) -> Result<Option<MatchRow>, Fault> {
    let row = sqlx::query(concat!(
        "SELECT ",
        row_columns!(),
        " FROM match WHERE id = $1"
    ))
    .bind(id.to_i64())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// Finished matches whose mistakes are not counted, after this place in the order of ends.
pub(super) async fn uncounted(
    connection: &mut PgConnection,
    from: i64,
    page: Page,
) -> Result<Vec<Uncounted>, Fault> {
    let statement = match page.order {
        Order::Newest => {
            "SELECT id, ended_order FROM match WHERE ended_order IS NOT NULL AND mistakes_first IS NULL \
             AND ended_order < $1 ORDER BY ended_order DESC LIMIT $2"
        }
        Order::Oldest | Order::Ended => {
            "SELECT id, ended_order FROM match WHERE ended_order IS NOT NULL AND mistakes_first IS NULL \
             AND ended_order > $1 ORDER BY ended_order LIMIT $2"
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

/// The matches of a player that are not over, the newest first, each with one of its codes.
pub(super) async fn open_matches(
    connection: &mut PgConnection,
    player: PlayerId,
    wish: usize,
) -> Result<Vec<OpenMatch>, Fault> {
    let rows = sqlx::query(concat!(
        "SELECT code, expires_at, open.* FROM (SELECT ",
        listed_columns!(),
        " FROM match WHERE number IN (SELECT number FROM match WHERE first_id = $1 AND status <> 'over' \
         UNION SELECT number FROM match WHERE second_id = $1 AND status <> 'over') ORDER BY number DESC LIMIT $2) AS open \
         LEFT JOIN LATERAL (SELECT code, expires_at FROM join_code WHERE match = open.number ORDER BY expires_at DESC LIMIT 1) AS given ON TRUE \
         ORDER BY number DESC"
    ))
    .bind(&player.as_bytes()[..])
    .bind(limit(wish, LIST_PAGE))
    .fetch_all(connection)
    .await?;
    rows.iter().map(open_match).collect()
}

fn open_match(row: &PgRow) -> Result<OpenMatch, Fault> {
    let code: Option<&str> = row.try_get("code")?;
    let code = match code {
        None => None,
        Some(code) => Some((
            code.parse().map_err(corrupt)?,
            read_moment(row, "expires_at")?,
        )),
    };
    Ok(OpenMatch {
        id: match_id(row.try_get("id")?)?,
        row: read_row(row)?,
        code,
    })
}

/// How many matches are not over: those of a player, or all.
pub(super) async fn open_count(
    connection: &mut PgConnection,
    of: Option<PlayerId>,
) -> Result<i64, Fault> {
    let counted = match of {
        None => sqlx::query_scalar("SELECT open FROM tally"),
        Some(_) => sqlx::query_scalar(
            "SELECT count(*) FROM (SELECT number FROM match WHERE first_id = $1 AND status <> 'over' \
             UNION SELECT number FROM match WHERE second_id = $1 AND status <> 'over') AS own",
        ),
    };
    let counted = match of {
        None => counted,
        Some(player) => counted.bind(player.as_bytes().to_vec()),
    };
    Ok(counted.fetch_one(connection).await?)
}

/// How many matches that are not over were created there.
pub(super) async fn open_count_from(
    connection: &mut PgConnection,
    address: AddressDigest,
) -> Result<i64, Fault> {
    let count = sqlx::query_scalar(
        "SELECT count(*) FROM match WHERE address = $1 AND address IS NOT NULL AND status <> 'over'",
    );
    Ok(count
        .bind(i64::from(address.0))
        .fetch_one(connection)
        .await?)
}

/// Where a match that is not over was created, if it counts for an address.
pub(super) async fn address_of(
    connection: &mut PgConnection,
    id: MatchId,
) -> Result<Option<AddressDigest>, Fault> {
    let address: Option<Option<i64>> =
        sqlx::query_scalar("SELECT address FROM match WHERE id = $1")
            .bind(id.to_i64())
            .fetch_optional(connection)
            .await?;
    let address = address
        .flatten()
        .and_then(|address| u16::try_from(address).ok());
    Ok(address.map(AddressDigest))
}

/// The match that a join code belongs to, and when the code expires.
pub(super) async fn find_code(
    connection: &mut PgConnection,
    code: JoinCode,
) -> Result<Option<(MatchId, Millis)>, Fault> {
    let row = sqlx::query(
        "SELECT id, expires_at FROM join_code JOIN match ON match.number = join_code.match WHERE code = $1",
    )
    .bind(code.to_string())
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let id = match_id(row.try_get("id")?)?;
    Ok(Some((id, read_moment(&row, "expires_at")?)))
}

/// The match that a player created under this name.
pub(super) async fn find_create_id(
    connection: &mut PgConnection,
    player: PlayerId,
    name: &ClientCreateId,
) -> Result<Option<MatchId>, Fault> {
    let id: Option<i64> = sqlx::query_scalar(
        "SELECT id FROM create_id JOIN match ON match.number = create_id.match WHERE player = $1 AND name = $2",
    )
    .bind(&player.as_bytes()[..])
    .bind(name.as_str())
    .fetch_optional(connection)
    .await?;
    Ok(id.map(match_id).transpose()?)
}
