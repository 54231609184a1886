//! What a batch changes beside its events: gathered, and written in few pieces. Each question to SQLite's thread costs two switches
//! of threads, which is more than most statements cost themselves.

use std::sync::LazyLock;

use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, Millis, PlayerId};
use rustc_hash::FxHashMap;
use sqlx::Sqlite;
use sqlx::sqlite::{SqliteArguments, SqliteConnection};

use super::heads::Head;
use super::rows::{bind_row, integer, key_of, row_columns};
use super::seal;
use crate::store::{AddressDigest, MatchRow, MatchStatus, NodeId, StreamId};

/// A statement with its parameters.
pub(super) type Query = sqlx::query::Query<'static, Sqlite, SqliteArguments>;

/// The same statement a few times over, so that one question carries many.
pub(super) struct Repeated([(usize, String); 3]);

impl Repeated {
    /// Of a statement whose parameters are bare question marks.
    pub(super) fn of(statement: &str) -> Self {
        Self([16, 4, 1].map(|times| (times, vec![statement; times].join("; "))))
    }

    /// Carries the statement out once for each of these, in their order.
    pub(super) async fn execute<T>(
        &'static self,
        items: &[T],
        bind: impl Fn(Query, &T) -> Query,
        connection: &mut SqliteConnection,
    ) -> Result<(), sqlx::Error> {
        let mut rest = items;
        for (times, statement) in &self.0 {
            while let Some((now, later)) = rest.split_at_checked(*times) {
                let query = now.iter().fold(sqlx::query(statement.as_str()), &bind);
                query.execute(&mut *connection).await?;
                rest = later;
                if rest.is_empty() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

static STREAM: LazyLock<Repeated> =
    LazyLock::new(|| Repeated::of("INSERT INTO stream (number, kind, id) VALUES (?, ?, ?)"));

/// A summary as it is made or replaced. Who owns the match stays.
static MATCH: LazyLock<Repeated> = LazyLock::new(|| {
    let columns = concat!(row_columns!(), ", log_count, log_head, seal");
    let replaced = columns
        .split(", ")
        .map(|column| format!("{column} = excluded.{column}"));
    // Where it was created is forgotten once it is over. Its place in the order of ends is assigned when it ends, and never changes.
    Repeated::of(&format!(
        "INSERT INTO match (number, owner, id, address, {columns}, ended_order) VALUES ({}, CASE WHEN ? THEN \
         (SELECT coalesce(max(ended_order), 0) + 1 FROM match WHERE ended_order IS NOT NULL) END) \
         ON CONFLICT (number) DO UPDATE SET \
         address = CASE WHEN excluded.status <> 'over' THEN coalesce(excluded.address, address) END, \
         ended_order = CASE WHEN excluded.status = 'over' THEN coalesce(ended_order, excluded.ended_order) END, \
         mistakes_first = CASE WHEN excluded.status = 'over' THEN mistakes_first END, \
         mistakes_second = CASE WHEN excluded.status = 'over' THEN mistakes_second END, \
         mistakes_seal = CASE WHEN excluded.status = 'over' THEN mistakes_seal END, {}",
        vec!["?"; 4 + columns.split(", ").count()].join(", "),
        replaced.collect::<Vec<_>>().join(", ")
    ))
});

static JOIN_CODE: LazyLock<Repeated> = LazyLock::new(|| {
    Repeated::of("INSERT INTO join_code (code, match, expires_at) VALUES (?, ?, ?)")
});

static CREATE_ID: LazyLock<Repeated> =
    LazyLock::new(|| Repeated::of("INSERT INTO create_id (player, name, match) VALUES (?, ?, ?)"));

/// The summary of a match.
#[derive(Debug)]
struct Summary {
    id: MatchId,
    owner: NodeId,
    row: Box<MatchRow>,
    end: Head,
    address: Option<AddressDigest>,
}

/// What waits to be written.
#[derive(Debug, Default)]
pub(super) struct Changes {
    streams: Vec<(i64, StreamId)>,
    /// In the order of the commits: the last for a match is what stays.
    summaries: Vec<Summary>,
    codes: FxHashMap<JoinCode, (i64, Millis)>,
    /// Codes that expired by then are forgotten.
    expired_at: Option<Millis>,
    create_ids: FxHashMap<(PlayerId, ClientCreateId), i64>,
}

impl Changes {
    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.streams.is_empty()
            && self.summaries.is_empty()
            && self.codes.is_empty()
            && self.create_ids.is_empty()
    }

    /// A stream of this number.
    pub(super) fn make_stream(&mut self, number: i64, stream: StreamId) {
        self.streams.push((number, stream));
    }

    /// The summary of a match whose log ends here.
    pub(super) fn summarize(&mut self, id: MatchId, owner: NodeId, row: Box<MatchRow>, end: Head) {
        self.summaries.push(Summary {
            id,
            owner,
            row,
            end,
            address: None,
        });
    }

    /// Where a match was created whose summary waits to be written, or else its summary is to be read first.
    pub(super) fn set_address(&mut self, of: MatchId, address: AddressDigest) -> bool {
        let summary = self.summaries.iter_mut().rfind(|summary| summary.id == of);
        let found = summary.filter(|summary| summary.row.status != MatchStatus::Over);
        found
            .map(|summary| summary.address = Some(address))
            .is_some()
    }

    /// A code for the match of this number; those that expired at or before `at` are free from then on.
    pub(super) fn give_code(
        &mut self,
        code: JoinCode,
        number: i64,
        at: Millis,
        expires_at: Millis,
    ) {
        self.codes.insert(code, (number, expires_at));
        self.expired_at = self.expired_at.max(Some(at));
    }

    /// Until when a code is good that waits to be written.
    pub(super) fn code_until(&self, code: JoinCode) -> Option<Millis> {
        self.codes.get(&code).map(|(_, expires_at)| *expires_at)
    }

    /// A creator's own name for the match of this number.
    pub(super) fn name(&mut self, player: PlayerId, name: ClientCreateId, number: i64) {
        self.create_ids.insert((player, name), number);
    }

    /// Whether such a name waits to be written.
    pub(super) fn is_named(&self, player: PlayerId, name: &ClientCreateId) -> bool {
        self.create_ids.contains_key(&(player, name.clone()))
    }

    /// Forgets all of it.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Writes all of it into the transaction that has begun.
    pub(super) async fn write(
        &mut self,
        connection: &mut SqliteConnection,
    ) -> Result<(), sqlx::Error> {
        let made = std::mem::take(self);
        let stream = |query: Query, (number, stream): &(i64, StreamId)| {
            let (kind, key) = key_of(*stream);
            query.bind(*number).bind(kind).bind(key)
        };
        STREAM.execute(&made.streams, stream, connection).await?;
        MATCH
            .execute(&made.summaries, Summary::bind, connection)
            .await?;
        if let Some(at) = made.expired_at {
            sqlx::query("DELETE FROM join_code WHERE expires_at <= ?")
                .bind(integer(at.0))
                .execute(&mut *connection)
                .await?;
        }
        let codes: Vec<_> = made.codes.into_iter().collect();
        let code = |query: Query, (code, (number, expires_at)): &(JoinCode, (i64, Millis))| {
            query
                .bind(code.to_string())
                .bind(*number)
                .bind(integer(expires_at.0))
        };
        JOIN_CODE.execute(&codes, code, connection).await?;
        let names: Vec<_> = made.create_ids.into_iter().collect();
        let name = |query: Query, ((player, name), number): &((PlayerId, ClientCreateId), i64)| {
            query
                .bind(player.as_bytes().to_vec())
                .bind(name.to_string())
                .bind(*number)
        };
        CREATE_ID.execute(&names, name, connection).await
    }
}

impl Summary {
    fn bind(query: Query, summary: &Self) -> Query {
        let Self {
            id,
            owner,
            row,
            end,
            address,
        } = summary;
        let query = query.bind(end.number).bind(owner.0).bind(id.to_i64());
        bind_row(query.bind(address.map(|address| address.0)), row)
            .bind(end.over.then_some(integer(end.seq.0)))
            .bind(end.over.then(|| end.hash.to_vec()))
            .bind(seal::of_match(*id, row))
            .bind(row.status == MatchStatus::Over)
    }
}
