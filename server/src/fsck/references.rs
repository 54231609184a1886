//! What refers to something else, and the tables beside the matches.

use futures::TryStreamExt;
use grundy_shared::bot::Bot;
use grundy_shared::ids::{JoinCode, MatchId};
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::report::{Problem, Report};
use super::value::value;
use crate::names::name_key;
use crate::store::account::read_known;
use crate::store::sqlite::accounts::{read_codes, read_muted, read_token, token_columns};
use crate::store::sqlite::bans::read_ban;
use crate::store::sqlite::erasing::erasures;
use crate::store::sqlite::rows::{
    address_secret, match_id, read_player, server_id, stream_of, unsigned,
};
use crate::store::{StoreError, StreamId};

fn dangling(id: MatchId, what: &str, other: &dyn ToString, report: &mut Report) {
    let (what, other) = (what.to_owned(), other.to_string());
    report.find(Some(id), None, Problem::Dangling { what, other });
}

/// Looks for the rematches that these matches lead to.
pub(super) async fn check_rematches(
    connection: &mut SqliteConnection,
    rematches: &[(MatchId, MatchId)],
    report: &mut Report,
) -> Result<(), StoreError> {
    for (id, rematch) in rematches {
        let known: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM match WHERE id = ?1)")
            .bind(rematch.to_i64())
            .fetch_one(&mut *connection)
            .await?;
        if !known {
            dangling(*id, "rematch", rematch, report);
        }
    }
    Ok(())
}

/// Looks for the players and the origin of every match. What cannot be read is found with the summaries.
pub(super) async fn check_references(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let seats = [
        "SELECT id, first_id AS player, first_name AS called, first_bot AS built FROM match \
         WHERE first_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM player AS known WHERE known.id = first_id AND bot = first_bot)",
        "SELECT id, second_id AS player, second_name AS called, second_bot AS built FROM match \
         WHERE second_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM player AS known WHERE known.id = second_id AND bot = second_bot)",
    ];
    for seat in seats {
        let mut unknown = sqlx::query(seat).fetch(&mut *connection);
        while let Some(row) = unknown.try_next().await? {
            let id = row.try_get("id").map_err(StoreError::from);
            let player = read_player(&row, ["player", "called", "built"]);
            if let (Ok(id), Ok(Some(player))) = (id.and_then(match_id), player) {
                // A built-in bot is nobody who could come back with a token.
                let built_in = player.bot && player.name.parse::<Bot>().is_ok();
                if !built_in {
                    dangling(id, "player", &player.id, report);
                }
            }
        }
    }
    let mut origins = sqlx::query(
        "SELECT id, rematch_of FROM match AS rematch WHERE rematch_of IS NOT NULL \
         AND NOT EXISTS (SELECT 1 FROM match WHERE match.id = rematch.rematch_of)",
    )
    .fetch(connection);
    while let Some(row) = origins.try_next().await? {
        let read = |column| row.try_get(column).map_err(StoreError::from);
        if let (Ok(id), Ok(origin)) = (
            read("id").and_then(match_id),
            read("rematch_of").and_then(match_id),
        ) {
            dangling(id, "origin", &origin, report);
        }
    }
    Ok(())
}

/// Looks for the match of every room. Unreadable logs are reported by the check of the logs.
pub(super) async fn check_chat(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut rooms = sqlx::query(
        "SELECT kind, id FROM stream AS room WHERE kind = 4 \
         AND NOT EXISTS (SELECT 1 FROM stream WHERE kind = 0 AND stream.id = substr(room.id, 1, 8))",
    )
    .fetch(connection);
    while let Some(row) = rooms.try_next().await? {
        let key = row.try_get::<&[u8], _>("id").map_err(StoreError::from);
        let stream = key.and_then(|key| stream_of(row.try_get("kind")?, key));
        if let Ok(stream @ StreamId::Chat(id, _)) = stream {
            let (what, other) = ("match".to_owned(), id.to_string());
            report.find_in(Some(stream), None, Problem::Dangling { what, other });
        }
    }
    Ok(())
}

/// Checks who may come back.
pub(super) async fn check_players(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut players = sqlx::query(
        "SELECT id, name, bot, created_at, name_key, version, password, codes, muted, known FROM player",
    )
    .fetch(&mut *connection);
    while let Some(row) = players.try_next().await? {
        let mut note = |problem| report.find(None, None, problem);
        value(
            read_player(&row, ["id", "name", "bot"]),
            &mut note,
            ["player", "id, name, bot"],
        );
        let key = row.try_get::<&str, _>("name_key").map_err(StoreError::from);
        let name = row.try_get::<&str, _>("name").unwrap_or_default();
        let key = key.and_then(|key| match key == name_key(name) {
            true => Ok(key),
            false => Err(StoreError::Corrupt {
                why: format!("{key:?} is not the key of {name:?}"),
            }),
        });
        value(key, &mut note, ["player", "name_key"]);
        let version = row.try_get("version").map_err(StoreError::from);
        value(version.and_then(unsigned), &mut note, ["player", "version"]);
        // What a hash is is not told, not even where it is damaged.
        let password = row.try_get::<Option<&str>, _>("password");
        let password = password.map_err(StoreError::from).and_then(|hash| {
            let is_one = hash.is_none_or(|hash| hash.starts_with("$argon2id$"));
            is_one.then_some(()).ok_or_else(|| StoreError::Corrupt {
                why: "it is no hash of a password".to_owned(),
            })
        });
        value(password, &mut note, ["player", "password"]);
        let codes = row.try_get("codes").map_err(StoreError::from);
        value(codes.and_then(read_codes), &mut note, ["player", "codes"]);
        let muted = row.try_get("muted").map_err(StoreError::from);
        value(muted.and_then(read_muted), &mut note, ["player", "muted"]);
        let known = row.try_get("known").map_err(StoreError::from);
        value(known.and_then(read_known), &mut note, ["player", "known"]);
        let at = row.try_get("created_at").map_err(StoreError::from);
        value(at.and_then(unsigned), &mut note, ["player", "created_at"]);
    }
    Ok(())
}

/// Checks the tokens with which players come back.
pub(super) async fn check_tokens(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut tokens = sqlx::query(concat!(
        "SELECT ",
        token_columns!(),
        ", player.id FROM token LEFT JOIN player ON player.id = token.player"
    ))
    .fetch(connection);
    while let Some(row) = tokens.try_next().await? {
        let mut note = |problem| report.find(None, None, problem);
        value(
            read_token(&row),
            &mut note,
            [
                "token",
                "hash, prefix, name, scopes, created_at, expires_at",
            ],
        );
        if let Ok(None) = row.try_get::<Option<&[u8]>, _>("id") {
            let table = "token".to_owned();
            note(Problem::Orphan { table });
        }
    }
    Ok(())
}

/// Checks the invitations.
pub(super) async fn check_codes(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut codes =
        sqlx::query("SELECT code, expires_at, id FROM join_code LEFT JOIN match ON match = number")
            .fetch(connection);
    while let Some(row) = codes.try_next().await? {
        // Where it leads to no match, that is found with the other orphans.
        let id = row.try_get("id").map_err(StoreError::from);
        let id = id.and_then(match_id).ok();
        let mut note = |problem| report.find(id, None, problem);
        let code = row.try_get::<&str, _>("code").map_err(StoreError::from);
        let code = code.and_then(|code| match code.parse::<JoinCode>() {
            Ok(read) if read.to_string() == code => Ok(read),
            _ => Err(StoreError::Corrupt {
                why: format!("{code:?} is no join code"),
            }),
        });
        value(code, &mut note, ["join_code", "code"]);
        let until = row.try_get("expires_at").map_err(StoreError::from);
        value(
            until.and_then(unsigned),
            &mut note,
            ["join_code", "expires_at"],
        );
    }
    Ok(())
}

/// Checks the servers.
pub(super) async fn check_nodes(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut nodes = sqlx::query("SELECT epoch, enlisted_at, heartbeat FROM node").fetch(connection);
    while let Some(row) = nodes.try_next().await? {
        for column in ["epoch", "enlisted_at", "heartbeat"] {
            let at = row
                .try_get::<Option<i64>, _>(column)
                .map_err(StoreError::from);
            let note = |problem| report.find(None, None, problem);
            value(
                at.and_then(|at| at.map_or(Ok(0), unsigned)),
                note,
                ["node", column],
            );
        }
    }
    Ok(())
}

/// Checks the bans.
pub(super) async fn check_bans(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut bans =
        sqlx::query("SELECT subject, reason, created_at, until FROM ban").fetch(connection);
    while let Some(row) = bans.try_next().await? {
        let note = |problem| report.find(None, None, problem);
        value(
            read_ban(&row),
            note,
            ["ban", "subject, reason, created_at, until"],
        );
    }
    Ok(())
}

/// Checks the erasures that are not finished: each is of a player who is marked as erased.
pub(super) async fn check_erasures(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let erasures = erasures(connection).await;
    let note = |problem| report.find(None, None, problem);
    value(
        erasures,
        note,
        ["erasure", "player, name, names, streams, events, heads"],
    );
    let orphans: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM erasure WHERE NOT EXISTS (SELECT 1 FROM player WHERE id = erasure.player AND erased = 1)",
    )
    .fetch_one(connection)
    .await?;
    if orphans > 0 {
        let table = "erasure".to_owned();
        report.find(None, None, Problem::Orphan { table });
    }
    Ok(())
}

/// Checks the id of the server, and the secret in its digests of addresses.
pub(super) async fn check_server(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut ids = sqlx::query("SELECT id FROM server").fetch(&mut *connection);
    while let Some(row) = ids.try_next().await? {
        let id = row.try_get("id").map_err(StoreError::from);
        let note = |problem| report.find(None, None, problem);
        value(id.and_then(server_id), note, ["server", "id"]);
    }
    drop(ids);
    let mut secrets = sqlx::query("SELECT secret FROM address_secret").fetch(connection);
    while let Some(row) = secrets.try_next().await? {
        let stored: Result<&[u8], _> = row.try_get("secret").map_err(StoreError::from);
        let note = |problem| report.find(None, None, problem);
        let secret = stored.and_then(address_secret);
        value(secret, note, ["address_secret", "secret"]);
    }
    Ok(())
}
