//! The tables that SQLite and PostgreSQL have in common, in an order in which each refers only to those before it, and the statements that read and write them.
//!
//! Left out are the events, which each backend keeps in its own way, and what follows from other rows: ends of logs, seals, sums, counts.

use super::value::Kind;

/// One table.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name.
    pub(crate) name: &'static str,
    /// How its columns are kept.
    pub(crate) kinds: &'static [Kind],
    /// Of SQLite: how many rows there are; all rows in the order of their keys, without so many at the beginning; and adding one.
    pub(crate) sqlite: [&'static str; 3],
    /// Of PostgreSQL: the same, with `COPY` for adding many.
    pub(crate) postgres: [&'static str; 3],
}

/// The names of columns, separated by commas.
macro_rules! names {
    ($first:ident $(, $name:ident)*) => {
        concat!(stringify!($first) $(, ", ", stringify!($name))*)
    };
}

/// A parameter for each column.
macro_rules! parameters {
    ($first:ident $(, $name:ident)*) => {
        concat!("?" $(, parameters!(@ $name))*)
    };
    (@ $name:ident) => {
        ", ?"
    };
}

/// A table with its statements. The order of a key must be that of its bytes in both backends.
macro_rules! table {
    ($table:ident from $sqlite:expr, $postgres:expr, [$($name:ident $kind:ident),+], $sqlite_key:literal, $postgres_key:literal) => {
        Table {
            name: stringify!($table),
            kinds: &[$(Kind::$kind),+],
            sqlite: [
                concat!("SELECT count(*) FROM ", $sqlite),
                concat!("SELECT ", names!($($name),+), " FROM ", $sqlite, " ORDER BY ", $sqlite_key, " LIMIT -1 OFFSET ?1"),
                concat!("INSERT INTO ", stringify!($table), " (", names!($($name),+), ") VALUES (", parameters!($($name),+), ")"),
            ],
            postgres: [
                concat!("SELECT count(*) FROM ", $postgres),
                concat!("SELECT ", names!($($name),+), " FROM ", $postgres, " ORDER BY ", $postgres_key, " OFFSET $1"),
                concat!("COPY ", stringify!($table), " (", names!($($name),+), ") FROM STDIN"),
            ],
        }
    };
    ($table:ident, [$($name:ident $kind:ident),+], $sqlite_key:literal, $postgres_key:literal) => {
        table!($table from stringify!($table), stringify!($table), [$($name $kind),+], $sqlite_key, $postgres_key)
    };
    ($table:ident, [$($name:ident $kind:ident),+], $key:literal) => {
        table!($table, [$($name $kind),+], $key, $key)
    };
}

/// The logs, without their events.
pub(crate) const STREAM: Table = table!(stream, [number Number, kind Small, id Bytes], "number");

/// Summaries of matches.
pub(crate) const MATCH: Table = table!(
    match,
    [
        number Number, id Number, start Text, clock Text, first_id Bytes, first_name Text, first_bot Flag, second_id Bytes,
        second_name Text, second_bot Flag, status Text, outcome Text, reason Text, plies Number, created_at Number, ended_at Number,
        rematch_of Number, series Text, address Number, ended_order Number, mistakes_first Number, mistakes_second Number
    ],
    "number"
);

/// Logs that were removed, each by its number. SQLite keeps ranges.
pub(crate) const REMOVED: Table = table!(
    removed from
    "(WITH RECURSIVE gone (number, last) AS (SELECT first, last FROM removed UNION ALL SELECT number + 1, last FROM gone WHERE number < last) \
     SELECT number FROM gone)",
    "removed",
    [number Number],
    "number",
    "number"
);

/// Everything else. Servers are one afterwards: the last sign of life of any is that of all, and of what each of them noted of a quota the latest counts.
pub(crate) const OTHERS: [Table; 16] = [
    table!(
        node from
        "(SELECT id, epoch, enlisted_at, heartbeat FROM node WHERE id = 1)",
        "(SELECT 1::bigint AS id, max(epoch) AS epoch, max(enlisted_at) AS enlisted_at, max(heartbeat) AS heartbeat FROM node HAVING count(*) > 0) AS one",
        [id Number, epoch Number, enlisted_at Number, heartbeat Number],
        "id",
        "id"
    ),
    table!(join_code, [code Text, match Number, expires_at Number], "code", "code COLLATE \"C\""),
    table!(create_id, [player Bytes, name Text, match Number], "player, name", "player, name COLLATE \"C\""),
    table!(
        player,
        [
            id Bytes, name Text, bot Flag, created_at Number, name_key Text, version Number, password Text, codes Bytes, muted Bytes,
            known Bytes, kept Flag, erased Flag
        ],
        "id"
    ),
    table!(
        token,
        [hash Bytes, player Bytes, prefix Text, name Text, scopes Text, created_at Number, expires_at Number],
        "hash"
    ),
    table!(
        rating,
        [
            player Bytes, family Text, bot Flag, rating Number, deviation Number, volatility Number, pairs Number, last_at Number,
            settled_until Number
        ],
        "player, family",
        "player, family COLLATE \"C\""
    ),
    table!(server, [one Small, id Number], "one"),
    table!(address_secret, [one Small, secret Bytes], "one"),
    table!(
        usage from
        "(SELECT 1 AS node, kind, id, max(bytes) AS bytes, max(matches) AS matches, max(guests) AS guests FROM usage GROUP BY kind, id)",
        "(SELECT 1::bigint AS node, kind, id, max(bytes) AS bytes, max(matches) AS matches, max(guests) AS guests FROM usage GROUP BY kind, id) AS one",
        [node Number, kind Small, id Bytes, bytes Number, matches Number, guests Number],
        "kind, id",
        "kind, id"
    ),
    table!(ban, [subject Text, reason Text, created_at Number, until Number], "subject", "subject COLLATE \"C\""),
    table!(erasure, [player Bytes, name Text, names Text, streams Number, events Number, heads Bytes], "player"),
    table!(review, [number Number, match Number, solver Number, bytes Number, body Text], "number"),
    table!(
        puzzle,
        [
            id Bytes, family Text, body Text, rating Number, deviation Number, volatility Number, attempts Number, last_at Number
        ],
        "id"
    ),
    table!(
        solver,
        [player Bytes, rating Number, deviation Number, volatility Number, attempts Number, last_at Number],
        "player"
    ),
    table!(puzzle_attempt, [player Bytes, puzzle Bytes, seq Number], "player, puzzle"),
    REMOVED,
];

/// All of them, in the order in which they are copied. The events come after [`STREAM`].
pub(crate) fn all() -> impl Iterator<Item = &'static Table> {
    [&STREAM, &MATCH].into_iter().chain(&OTHERS)
}
