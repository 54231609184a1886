//! Writing what a batch has decided: one statement for each table, however many commits there are.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Seq};
use rustc_hash::FxHashMap;

use super::batch::Batch;
use super::fault::Fault;
use super::places::Known;
use super::stage::{Changes, Head, Stage};
use crate::store::columns::{integer, key_of, mistakes_columns, status_word, word};
use crate::store::{MatchRow, StreamId};

/// Writes events, new streams and the new ends of older ones.
const LOGS: &str = "WITH made AS (INSERT INTO stream (number, kind, id, last, head) \
     SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::bytea[], $4::bigint[], $5::bytea[])), \
     added AS (INSERT INTO event (stream, seq, body) SELECT * FROM unnest($6::bigint[], $7::bigint[], $8::bytea[])) \
     UPDATE stream SET last = new.last, head = new.head FROM unnest($9::bigint[], $10::bigint[], $11::bytea[]) AS new (number, last, head) \
     WHERE stream.number = new.number";

/// Makes or replaces summaries.
const MATCHES: &str = "INSERT INTO match (number, id, owner, address, ended_order, start, clock, first_id, first_name, first_bot, \
     second_id, second_name, second_bot, status, outcome, reason, plies, created_at, ended_at, rematch_of, series) \
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], \
     $8::bytea[], $9::text[], $10::boolean[], $11::bytea[], $12::text[], $13::boolean[], $14::text[], $15::text[], $16::text[], \
     $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::text[]) \
     ON CONFLICT (number) DO UPDATE SET address = excluded.address, ended_order = excluded.ended_order, start = excluded.start, \
     clock = excluded.clock, first_id = excluded.first_id, first_name = excluded.first_name, first_bot = excluded.first_bot, \
     second_id = excluded.second_id, second_name = excluded.second_name, second_bot = excluded.second_bot, status = excluded.status, \
     outcome = excluded.outcome, reason = excluded.reason, plies = excluded.plies, created_at = excluded.created_at, \
     ended_at = excluded.ended_at, rematch_of = excluded.rematch_of, series = excluded.series";

/// The ends of streams as columns.
#[derive(Default)]
struct Ends {
    numbers: Vec<i64>,
    last: Vec<i64>,
    heads: Vec<Vec<u8>>,
}

impl Ends {
    fn add(&mut self, head: &Head) {
        self.numbers.push(head.number);
        self.last.push(integer(head.seq.0));
        self.heads.push(head.hash.to_vec());
    }
}

impl Batch<'_> {
    /// Writes what is decided and not written yet.
    pub(super) async fn flush(&mut self) -> Result<(), Fault> {
        let changes = std::mem::take(&mut self.stage.changes);
        self.write_logs(&changes).await?;
        self.write_matches(&changes).await?;
        self.write_codes(&changes).await?;
        self.write_create_ids(&changes).await?;
        self.write_mistakes(&changes).await?;
        self.write_reviews(&changes.reviews).await?;
        self.write_puzzles(&changes.puzzles).await?;
        self.write_words(&changes.words).await
    }

    async fn write_logs(&mut self, changes: &Changes) -> Result<(), Fault> {
        if changes.events.is_empty() {
            return Ok(());
        }
        let heads = &self.stage.heads;
        let end = |stream: &StreamId| heads.get(stream);
        let (mut kinds, mut keys, mut made) = (Vec::new(), Vec::new(), Ends::default());
        for (_, stream) in &changes.streams {
            let (kind, key) = key_of(*stream);
            kinds.push(i16::try_from(kind).unwrap_or(i16::MAX));
            keys.push(key);
            end(stream).into_iter().for_each(|head| made.add(head));
        }
        // New streams have the highest numbers.
        let first_made = made.numbers.first().copied().unwrap_or(i64::MAX);
        let mut moved = Ends::default();
        let touched = changes.touched.iter().filter_map(end);
        touched
            .filter(|head| head.number < first_made)
            .for_each(|head| moved.add(head));
        let events = &changes.events;
        let streams: Vec<i64> = events.iter().map(|event| event.stream).collect();
        let numbers = |seq: Seq| integer(seq.0);
        let seqs: Vec<i64> = events.iter().map(|event| numbers(event.seq)).collect();
        let bodies: Vec<&[u8]> = events.iter().map(|event| &event.body[..]).collect();
        sqlx::query(LOGS)
            .bind(made.numbers)
            .bind(kinds)
            .bind(keys)
            .bind(made.last)
            .bind(made.heads)
            .bind(streams)
            .bind(seqs)
            .bind(bodies)
            .bind(moved.numbers)
            .bind(moved.last)
            .bind(moved.heads)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    async fn write_matches(&mut self, changes: &Changes) -> Result<(), Fault> {
        if !changes.reopened.is_empty() {
            let reopened: Vec<i64> = changes.reopened.iter().map(|id| id.to_i64()).collect();
            sqlx::query(
                "UPDATE match SET ended_order = NULL, mistakes_first = NULL, mistakes_second = NULL WHERE id = ANY($1)",
            )
            .bind(reopened)
            .execute(&mut *self.connection)
            .await?;
        }
        if !changes.rows.is_empty() {
            self.write_summaries(&changes.rows).await?;
        }
        let addressed = changes.addressed.iter();
        let addressed: Vec<MatchId> = addressed
            .filter(|id| !changes.rows.contains_key(id))
            .copied()
            .collect();
        if addressed.is_empty() {
            return Ok(());
        }
        let known = known(&self.stage, addressed.iter());
        let numbers: Vec<i64> = known.iter().map(|known| known.number).collect();
        let addresses: Vec<Option<i64>> = known.iter().map(|known| address(known)).collect();
        sqlx::query(
            "UPDATE match SET address = new.address FROM unnest($1::bigint[], $2::bigint[]) AS new (number, address) \
             WHERE match.number = new.number",
        )
        .bind(numbers)
        .bind(addresses)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    async fn write_summaries(
        &mut self,
        rows: &FxHashMap<MatchId, Box<MatchRow>>,
    ) -> Result<(), Fault> {
        let ids: Vec<MatchId> = rows.keys().copied().collect();
        let rows: Vec<&MatchRow> = ids.iter().map(|id| &*rows[id]).collect();
        let known = known(&self.stage, ids.iter());
        let column =
            |of: fn(&Known) -> i64| known.iter().map(|known| of(known)).collect::<Vec<_>>();
        let mut query = sqlx::query(MATCHES)
            .bind(column(|known| known.number))
            .bind(ids.iter().map(|id| id.to_i64()).collect::<Vec<_>>())
            .bind(column(|known| known.owner.0.into()))
            .bind(known.iter().map(|known| address(known)).collect::<Vec<_>>())
            .bind(
                known
                    .iter()
                    .map(|known| known.ended_order)
                    .collect::<Vec<_>>(),
            )
            .bind(rows.iter().map(|row| &*row.start).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| json(&row.clock)).collect::<Vec<_>>());
        for seat in [
            |row: &MatchRow| row.first.clone(),
            |row: &MatchRow| row.second.clone(),
        ] {
            let seats: Vec<Option<PlayerInfo>> = rows.iter().map(|row| seat(row)).collect();
            let ids = seats
                .iter()
                .map(|seat| seat.as_ref().map(|one| one.id.as_bytes().to_vec()));
            let names = seats
                .iter()
                .map(|seat| seat.as_ref().map(|one| one.name.clone()));
            let bots = seats.iter().map(|seat| seat.as_ref().map(|one| one.bot));
            query = query
                .bind(ids.collect::<Vec<_>>())
                .bind(names.collect::<Vec<_>>())
                .bind(bots.collect::<Vec<_>>());
        }
        let words = |of: &dyn Fn(&MatchRow) -> Option<String>| {
            rows.iter().map(|row| of(row)).collect::<Vec<_>>()
        };
        let numbers = |of: &dyn Fn(&MatchRow) -> Option<i64>| {
            rows.iter().map(|row| of(row)).collect::<Vec<_>>()
        };
        query
            .bind(
                rows.iter()
                    .map(|row| status_word(row.status))
                    .collect::<Vec<_>>(),
            )
            .bind(words(&|row| row.outcome.as_ref().map(word)))
            .bind(words(&|row| row.reason.as_ref().map(word)))
            .bind(numbers(&|row| Some(row.plies.0.into())))
            .bind(numbers(&|row| Some(integer(row.created_at.0))))
            .bind(numbers(&|row| row.ended_at.map(|at| integer(at.0))))
            .bind(numbers(&|row| row.rematch_of.map(MatchId::to_i64)))
            .bind(words(&|row| row.series.as_ref().map(json)))
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    async fn write_codes(&mut self, changes: &Changes) -> Result<(), Fault> {
        let Some(at) = changes.expired_at else {
            return Ok(());
        };
        sqlx::query("DELETE FROM join_code WHERE expires_at <= $1")
            .bind(integer(at.0))
            .execute(&mut *self.connection)
            .await?;
        let codes: Vec<String> = changes.codes.keys().map(ToString::to_string).collect();
        let numbers: Vec<i64> = changes.codes.values().map(|(number, _)| *number).collect();
        let until = changes.codes.values().map(|(_, until)| integer(until.0));
        sqlx::query(
            "INSERT INTO join_code (code, match, expires_at) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])",
        )
        .bind(codes)
        .bind(numbers)
        .bind(until.collect::<Vec<_>>())
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    async fn write_mistakes(&mut self, changes: &Changes) -> Result<(), Fault> {
        if changes.mistakes.is_empty() {
            return Ok(());
        }
        let ids: Vec<i64> = changes.mistakes.keys().map(|id| id.to_i64()).collect();
        let counts = changes.mistakes.values().map(|one| mistakes_columns(*one));
        let (first, second): (Vec<i64>, Vec<i64>) = counts.map(|[one, two]| (one, two)).unzip();
        sqlx::query(
            "UPDATE match SET mistakes_first = new.first, mistakes_second = new.second \
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS new (id, first, second) \
             WHERE match.id = new.id AND ended_order IS NOT NULL",
        )
        .bind(ids)
        .bind(first)
        .bind(second)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    async fn write_create_ids(&mut self, changes: &Changes) -> Result<(), Fault> {
        if changes.create_ids.is_empty() {
            return Ok(());
        }
        let keys = changes.create_ids.keys();
        let players: Vec<&[u8]> = keys.clone().map(|(id, _)| &id.as_bytes()[..]).collect();
        let names: Vec<&str> = keys.map(|(_, name)| name.as_str()).collect();
        let numbers: Vec<i64> = changes.create_ids.values().copied().collect();
        sqlx::query(
            "INSERT INTO create_id (player, name, match) SELECT * FROM unnest($1::bytea[], $2::text[], $3::bigint[])",
        )
        .bind(players)
        .bind(names)
        .bind(numbers)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }
}

fn known<'s>(stage: &'s Stage, ids: impl Iterator<Item = &'s MatchId>) -> Vec<&'s Known> {
    ids.filter_map(|id| stage.places.matches.get(id)).collect()
}

/// Plain values as JSON.
fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain values can be written")
}

fn address(known: &Known) -> Option<i64> {
    known.address.map(|address| address.0.into())
}
