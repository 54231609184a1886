//! Rows that another program changes, adds or removes.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection};

use super::chance::Chance;
use crate::blobs::other_hand;

/// A kind of change: its name, the keys of which one is drawn, and the statement. In it `{key}` and `{other}` stand for two keys, and the other
/// words for random values.
pub(super) type RowKind = (&'static str, &'static str, &'static str);

const PLAYER: &str = "SELECT quote(id) FROM player";
const TOKEN: &str = "SELECT quote(hash) FROM token";
const CODE: &str = "SELECT quote(code) FROM join_code";
const MATCH: &str = "SELECT quote(number) FROM match";
const OVER: &str = "SELECT quote(number) FROM match WHERE status = 'over'";
const OPEN: &str = "SELECT quote(number) FROM match WHERE status <> 'over'";
const RATING: &str = "SELECT quote(player) FROM rating";
const BAN: &str = "SELECT quote(subject) FROM ban";
const REVIEW: &str = "SELECT quote(number) FROM review";
const ONE: &str = "SELECT '1'";

pub(super) const PLAYERS: &[RowKind] = &[
    (
        "player: name",
        PLAYER,
        "UPDATE player SET name = '{word}', name_key = '{word}' WHERE id = {key}",
    ),
    (
        "player: bot",
        PLAYER,
        "UPDATE player SET bot = 1 - bot WHERE id = {key}",
    ),
    (
        "player: created_at",
        PLAYER,
        "UPDATE player SET created_at = {number} WHERE id = {key}",
    ),
    (
        "player: version",
        PLAYER,
        "UPDATE player SET version = version + 1 WHERE id = {key}",
    ),
    (
        "player: password",
        PLAYER,
        "UPDATE player SET password = '$argon2id${word}' WHERE id = {key}",
    ),
    (
        "player: password removed",
        PLAYER,
        "UPDATE player SET password = NULL WHERE id = {key}",
    ),
    (
        "player: passwords of two swapped",
        PLAYER,
        "UPDATE player SET password = (SELECT password FROM player AS o WHERE o.id = CASE player.id WHEN {key} THEN {other} ELSE {key} END) \
         WHERE id IN ({key}, {other})",
    ),
    (
        "player: recovery code",
        PLAYER,
        "UPDATE player SET codes = {blob32} WHERE id = {key}",
    ),
    (
        "player: recovery codes removed",
        PLAYER,
        "UPDATE player SET codes = x'' WHERE id = {key}",
    ),
    (
        "player: muted players",
        PLAYER,
        "UPDATE player SET muted = {blob16} WHERE id = {key}",
    ),
    (
        "player: known addresses",
        PLAYER,
        "UPDATE player SET known = {blob16} WHERE id = {key}",
    ),
    (
        "player: removed",
        PLAYER,
        "DELETE FROM player WHERE id = {key}",
    ),
    (
        "player: added",
        ONE,
        "INSERT INTO player (id, name, bot, created_at, name_key) VALUES ({blob16}, '{word}', 0, {number}, '{word}')",
    ),
    (
        "token: hash",
        TOKEN,
        "UPDATE token SET hash = {blob32} WHERE hash = {key}",
    ),
    (
        "token: player",
        TOKEN,
        "UPDATE token SET player = (SELECT id FROM player WHERE id <> token.player LIMIT 1) WHERE hash = {key}",
    ),
    (
        "token: prefix",
        TOKEN,
        "UPDATE token SET prefix = 'grg_{word}' WHERE hash = {key}",
    ),
    (
        "token: name",
        TOKEN,
        "UPDATE token SET name = '{word}' WHERE hash = {key}",
    ),
    (
        "token: scopes",
        TOKEN,
        "UPDATE token SET scopes = 'play watch' WHERE hash = {key}",
    ),
    (
        "token: created_at",
        TOKEN,
        "UPDATE token SET created_at = {number} WHERE hash = {key}",
    ),
    (
        "token: expires_at",
        TOKEN,
        "UPDATE token SET expires_at = {number} WHERE hash = {key}",
    ),
    (
        "token: removed",
        TOKEN,
        "DELETE FROM token WHERE hash = {key}",
    ),
    (
        "token: doubled",
        TOKEN,
        "INSERT INTO token SELECT {blob32}, player, prefix, name, scopes, created_at, expires_at FROM token WHERE hash = {key}",
    ),
    (
        "join code: code",
        CODE,
        "UPDATE join_code SET code = '{code}' WHERE code = {key}",
    ),
    (
        "join code: match",
        CODE,
        "UPDATE join_code SET match = (SELECT number FROM match WHERE number <> join_code.match LIMIT 1) WHERE code = {key}",
    ),
    (
        "join code: expires_at",
        CODE,
        "UPDATE join_code SET expires_at = {number} WHERE code = {key}",
    ),
    (
        "join code: removed",
        CODE,
        "DELETE FROM join_code WHERE code = {key}",
    ),
    (
        "join code: added",
        MATCH,
        "INSERT INTO join_code VALUES ('{code}', {key}, {number})",
    ),
    (
        "review: match",
        REVIEW,
        "UPDATE review SET match = (SELECT number FROM match WHERE number NOT IN (SELECT match FROM review) LIMIT 1) WHERE number = {key}",
    ),
    (
        "review: solver",
        REVIEW,
        "UPDATE review SET solver = {number} WHERE number = {key}",
    ),
    (
        "review: bytes",
        REVIEW,
        "UPDATE review SET bytes = {number} WHERE number = {key}",
    ),
    (
        "review: a word of it",
        REVIEW,
        "UPDATE review SET body = replace(body, '\"rules\":\"Nim', '\"rules\":\"Mni') WHERE number = {key}",
    ),
    (
        "review: removed",
        REVIEW,
        "DELETE FROM review WHERE number = {key}",
    ),
    (
        "create id: name",
        "SELECT quote(name) FROM create_id",
        "UPDATE create_id SET name = '{word}' WHERE name = {key}",
    ),
    (
        "create id: player",
        "SELECT quote(name) FROM create_id",
        "UPDATE create_id SET player = {blob16} WHERE name = {key}",
    ),
    (
        "create id: match",
        "SELECT quote(name) FROM create_id",
        "UPDATE create_id SET match = match - 1 WHERE name = {key}",
    ),
    (
        "create id: removed",
        "SELECT quote(name) FROM create_id",
        "DELETE FROM create_id WHERE name = {key}",
    ),
    (
        "node: heartbeat",
        ONE,
        "UPDATE node SET heartbeat = {number}",
    ),
    (
        "node: heartbeat removed",
        ONE,
        "UPDATE node SET heartbeat = NULL",
    ),
    ("node: epoch", ONE, "UPDATE node SET epoch = {number}"),
    (
        "node: enlisted_at",
        ONE,
        "UPDATE node SET enlisted_at = {number}",
    ),
    (
        "node: added",
        ONE,
        "INSERT INTO node (id, epoch, enlisted_at) VALUES ({number}, 1, 0)",
    ),
    ("server: id", ONE, "UPDATE server SET id = id + 1"),
    ("server: removed", ONE, "DELETE FROM server"),
    (
        "address secret: changed",
        ONE,
        "UPDATE address_secret SET secret = {blob32}",
    ),
    ("address secret: removed", ONE, "DELETE FROM address_secret"),
    (
        "rating: rating",
        RATING,
        "UPDATE rating SET rating = {number} WHERE player = {key}",
    ),
    (
        "rating: deviation",
        RATING,
        "UPDATE rating SET deviation = deviation + 1 WHERE player = {key}",
    ),
    (
        "rating: volatility",
        RATING,
        "UPDATE rating SET volatility = volatility + 1 WHERE player = {key}",
    ),
    (
        "rating: pairs",
        RATING,
        "UPDATE rating SET pairs = pairs + 1 WHERE player = {key}",
    ),
    (
        "rating: last_at",
        RATING,
        "UPDATE rating SET last_at = {number} WHERE player = {key}",
    ),
    (
        "rating: settled_until",
        RATING,
        "UPDATE rating SET settled_until = {number} WHERE player = {key}",
    ),
    (
        "rating: bot",
        RATING,
        "UPDATE rating SET bot = 1 - bot WHERE player = {key}",
    ),
    (
        "rating: removed",
        RATING,
        "DELETE FROM rating WHERE player = {key}",
    ),
];

pub(super) const MATCHES: &[RowKind] = &[
    (
        "match: start",
        MATCH,
        "UPDATE match SET start = 'nim:8,{small}' WHERE number = {key}",
    ),
    (
        "match: clock",
        MATCH,
        "UPDATE match SET clock = '{\"type\":\"per_move\",\"move_ms\":{number}}' WHERE number = {key}",
    ),
    (
        "match: first player's name",
        MATCH,
        "UPDATE match SET first_name = '{word}' WHERE number = {key}",
    ),
    (
        "match: second player's name",
        OVER,
        "UPDATE match SET second_name = '{word}' WHERE number = {key}",
    ),
    (
        "match: first player",
        MATCH,
        "UPDATE match SET first_id = {blob16} WHERE number = {key}",
    ),
    (
        "match: status",
        OVER,
        "UPDATE match SET status = 'live' WHERE number = {key}",
    ),
    (
        "match: status of a running one",
        OPEN,
        "UPDATE match SET status = 'over' WHERE number = {key}",
    ),
    (
        "match: outcome",
        OVER,
        "UPDATE match SET outcome = CASE outcome WHEN 'first' THEN 'second' ELSE 'first' END WHERE number = {key}",
    ),
    (
        "match: reason",
        OVER,
        "UPDATE match SET reason = 'time' WHERE number = {key}",
    ),
    (
        "match: plies",
        OVER,
        "UPDATE match SET plies = plies + 1 WHERE number = {key}",
    ),
    (
        "match: plies of a running one",
        OPEN,
        "UPDATE match SET plies = plies + {small} WHERE number = {key}",
    ),
    (
        "match: created_at",
        MATCH,
        "UPDATE match SET created_at = {number} WHERE number = {key}",
    ),
    (
        "match: ended_at",
        OVER,
        "UPDATE match SET ended_at = {number} WHERE number = {key}",
    ),
    (
        "match: rematch_of",
        MATCH,
        "UPDATE match SET rematch_of = (SELECT id FROM match AS o WHERE o.number = {other}) WHERE number = {key}",
    ),
    (
        "match: series removed",
        "SELECT quote(number) FROM match WHERE series IS NOT NULL",
        "UPDATE match SET series = NULL WHERE number = {key}",
    ),
    (
        "match: owner",
        MATCH,
        "UPDATE match SET owner = {number} WHERE number = {key}",
    ),
    (
        "match: address",
        MATCH,
        "UPDATE match SET address = {small} + 100 WHERE number = {key}",
    ),
    (
        "match: log_count",
        OVER,
        "UPDATE match SET log_count = log_count - 1 WHERE number = {key}",
    ),
    (
        "match: log_head",
        OVER,
        "UPDATE match SET log_head = {blob32} WHERE number = {key}",
    ),
    (
        "match: order of two ends swapped",
        OVER,
        "UPDATE match SET ended_order = -number WHERE number IN ({key}, {other}); \
         UPDATE match SET ended_order = (SELECT place FROM places WHERE of <> match.number) WHERE number IN ({key}, {other}); DROP TABLE places",
    ),
    (
        "match: mistakes",
        OVER,
        "UPDATE match SET mistakes_first = {small}, mistakes_second = {small} WHERE number = {key}",
    ),
    (
        "match: mistakes removed",
        "SELECT quote(number) FROM match WHERE mistakes_first IS NOT NULL",
        "UPDATE match SET mistakes_first = NULL, mistakes_second = NULL WHERE number = {key}",
    ),
    (
        "match: seal",
        MATCH,
        "UPDATE match SET seal = {blob16} WHERE number = {key}",
    ),
    (
        "match: id",
        MATCH,
        "UPDATE match SET id = id + 1000 WHERE number = {key}",
    ),
    (
        "match: summary removed",
        MATCH,
        "DELETE FROM join_code WHERE match = {key}; DELETE FROM create_id WHERE match = {key}; DELETE FROM match WHERE number = {key}",
    ),
    (
        "match: dates of two swapped",
        "SELECT quote(number) FROM match WHERE number <= 3",
        "UPDATE match SET created_at = (SELECT created_at FROM match AS o WHERE o.number = CASE match.number WHEN {key} THEN {other} ELSE {key} END) \
         WHERE number IN ({key}, {other})",
    ),
    (
        "the newest log with all that belongs to it removed",
        ONE,
        "DELETE FROM segment WHERE stream = (SELECT max(number) FROM stream); DELETE FROM match WHERE number = (SELECT max(number) FROM stream); \
         DELETE FROM stream WHERE number = (SELECT max(number) FROM stream)",
    ),
    (
        "log: kind",
        "SELECT quote(number) FROM stream",
        "UPDATE stream SET kind = 2, id = {blob16} WHERE number = {key}",
    ),
    (
        "log: id",
        "SELECT quote(number) FROM stream",
        "UPDATE stream SET id = {blob8} WHERE number = {key}",
    ),
    (
        "log: added",
        ONE,
        "INSERT INTO stream (number, kind, id) SELECT max(number) + 1, 2, {blob16} FROM stream",
    ),
    (
        "segment: removed",
        "SELECT quote(rowid) FROM segment",
        "DELETE FROM segment WHERE rowid = {key}",
    ),
    (
        "segment: a second time",
        "SELECT quote(rowid) FROM segment",
        "INSERT INTO segment SELECT stream, first + 100, last + 100, body FROM segment WHERE rowid = {key}",
    ),
    (
        "journal: last batch removed",
        ONE,
        "DELETE FROM batch WHERE number = (SELECT max(number) FROM batch)",
    ),
    (
        "journal: first batch removed",
        ONE,
        "DELETE FROM batch WHERE number = (SELECT min(number) FROM batch)",
    ),
    (
        "journal: a batch removed",
        "SELECT quote(number) FROM batch",
        "DELETE FROM batch WHERE number = {key}",
    ),
    ("journal: removed", ONE, "DELETE FROM batch"),
    (
        "journal: note changed",
        ONE,
        "UPDATE run SET last_batch = last_batch + {small}",
    ),
    ("ban: removed", BAN, "DELETE FROM ban WHERE subject = {key}"),
    (
        "ban: subject",
        BAN,
        "UPDATE ban SET subject = 'address 192.0.2.7/32' WHERE subject = {key}",
    ),
    (
        "ban: reason",
        BAN,
        "UPDATE ban SET reason = '{word}' WHERE subject = {key}",
    ),
    (
        "ban: end",
        BAN,
        "UPDATE ban SET until = {number} WHERE subject = {key}",
    ),
    (
        "sums: one removed",
        "SELECT quote(name) FROM table_sum",
        "DELETE FROM table_sum WHERE name = {key}",
    ),
    (
        "sums: one changed",
        "SELECT quote(name) FROM table_sum",
        "UPDATE table_sum SET sum = {blob32} WHERE name = {key}",
    ),
    ("sums: all removed", ONE, "DELETE FROM table_sum"),
    (
        "index removed",
        "SELECT '\"' || name || '\"' FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
        "DROP INDEX {key}",
    ),
    ("table added", ONE, "CREATE TABLE {word} (a)"),
];

/// What no file can tell of itself.
pub(super) const UNDETECTABLE: &[(RowKind, &str)] = &[(
    (
        "run: number and date of the last start",
        ONE,
        "UPDATE run SET number = number + 1, opened_at = {number}",
    ),
    "it says nothing of the data",
)];

/// Makes a change of this kind.
pub(super) async fn change((name, keys, statement): RowKind, path: &Path, chance: &mut Chance) {
    let mut connection = other_hand(path).await;
    let keys: Vec<String> = sqlx::query_scalar(AssertSqlSafe(keys.to_owned()))
        .fetch_all(&mut connection)
        .await
        .unwrap();
    let place = chance.below(keys.len());
    let other = (place + 1 + chance.below(keys.len().max(2) - 1)) % keys.len();
    let word = chance.word(b"abcdefghijklmnop");
    let mut statement = statement.replace("{key}", &keys[place]);
    for (word, value) in [
        ("{other}", keys[other].clone()),
        ("{word}", word),
        ("{code}", chance.word(b"KWQHRMTB")),
        ("{number}", chance.number().to_string()),
        ("{small}", (41 + chance.below(20)).to_string()),
        ("{blob8}", chance.blob(8)),
        ("{blob16}", chance.blob(16)),
        ("{blob32}", chance.blob(32)),
    ] {
        statement = statement.replace(word, &value);
    }
    if statement.contains("places") {
        let places = format!(
            "CREATE TEMP TABLE places AS SELECT number AS of, ended_order AS place FROM match WHERE number IN ({}, {});",
            keys[place], keys[other]
        );
        statement.insert_str(0, &places);
    }
    sqlx::raw_sql(AssertSqlSafe(statement.clone()))
        .execute(&mut connection)
        .await
        .unwrap_or_else(|error| panic!("{name}: {statement}: {error}"));
    connection.close().await.unwrap();
}
