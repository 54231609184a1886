//! Whoever changes a log behind the server's back is found out.

use crate::{blobs, played};

use std::path::{Path, PathBuf};

use crate::played::Played;
use bytes::Bytes;
use grundy_server::fsck::{Problem, Report, fsck};
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    Commit, Lease, MatchRow, NodeId, Projection, Store, StoreError, StreamId, last_heartbeat,
};
use grundy_shared::chain;
use grundy_shared::event::{
    EndReason, Event, Outcome, PlayerInfo, Series, TimeControl, TournamentGame,
};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq, ServerId, TournamentId};
use grundy_shared::protocol::chat::Room;
use grundy_shared::referee::{Referee, Terms};
use grundy_shared::tournament::{
    Admission, Dated, Format, Rules, Seed, Starts, TournamentEvent, Who, match_of_game,
};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

async fn store_steps(store: &dyn Store, lease: Lease, played: &Played, steps: usize) {
    for step in 0..steps {
        played.store(store, lease, step).await.unwrap();
    }
}

/// A database with two finished matches and one that is being played; they have the ids 1, 2 and 3.
async fn database() -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let lease = played::lease(&store).await;
    played::players(&store, lease).await;
    let (first, second) = (
        played::match_of(1, "nim:2,3"),
        played::match_of(2, "nim:4,1,1"),
    );
    store_steps(&store, lease, &first, first.steps.len()).await;
    store_steps(&store, lease, &second, second.steps.len()).await;
    store_steps(&store, lease, &played::match_of(3, "nim:5,5"), 4).await;
    store.close().await;
    (directory, path)
}

/// Changes the database with another hand.
async fn tamper(path: &Path, statements: &str) {
    let mut connection = SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(false)
        .connect()
        .await
        .unwrap();
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned()))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}

fn places(report: &Report) -> Vec<(Option<MatchId>, Option<u64>)> {
    let place = |finding: &grundy_server::fsck::Finding| (finding.id, finding.seq.map(|seq| seq.0));
    report.findings.iter().map(place).collect()
}

fn at(bits: u64, seq: u64) -> (Option<MatchId>, Option<u64>) {
    (Some(MatchId::from_random(bits)), Some(seq))
}

/// The report after these statements, which must find exactly one thing, at this place.
async fn finding_after(
    statements: &str,
    place: (Option<MatchId>, Option<u64>),
) -> (Problem, String) {
    let (_directory, path) = database().await;
    tamper(&path, statements).await;
    only_finding(&path, place).await
}

/// The report, which must find exactly one thing, at this place.
async fn only_finding(path: &Path, place: (Option<MatchId>, Option<u64>)) -> (Problem, String) {
    let report = fsck(path).await.unwrap();
    let mut places = places(&report);
    places.dedup();
    assert_eq!(places, [place], "{report}");
    (report.findings[0].problem.clone(), report.to_string())
}

#[tokio::test]
async fn an_untouched_database_is_sound() {
    let (_directory, path) = database().await;
    let report = fsck(&path).await.unwrap();
    assert!(report.is_sound(), "{report}");
    assert_eq!(report.matches, 3);
    assert!(report.to_string().ends_with(" events: sound"));
}

#[tokio::test]
async fn a_wrong_count_of_mistakes_and_a_wrong_place_are_found() {
    let (_directory, path) = database().await;
    // The counts of a server are right, and an unknown count is not a finding.
    let honest = "UPDATE match SET mistakes_first = -1, mistakes_second = -1 WHERE status = 'over'";
    tamper(&path, honest).await;
    assert!(fsck(&path).await.unwrap().is_sound());
    for (statement, bits, field) in [
        (
            "UPDATE match SET mistakes_first = 40, mistakes_second = 0 WHERE number = 1",
            1,
            "mistakes",
        ),
        (
            "UPDATE match SET mistakes_first = 0, mistakes_second = 0 WHERE status = 'live'",
            3,
            "mistakes",
        ),
        (
            "UPDATE match SET ended_order = NULL WHERE number = 2",
            2,
            "ended_order",
        ),
        (
            "UPDATE match SET ended_order = 9 WHERE status = 'live'",
            3,
            "ended_order",
        ),
    ] {
        let place = (Some(MatchId::from_random(bits)), None);
        let (problem, report) = finding_after(statement, place).await;
        assert!(
            matches!(&problem, Problem::WrongSummary { field: found, .. } if found == field),
            "{statement}: {report}"
        );
    }
    let half = "UPDATE match SET mistakes_first = 1 WHERE number = 1";
    let place = (Some(MatchId::from_random(1)), None);
    let (problem, _) = finding_after(half, place).await;
    assert!(matches!(problem, Problem::BadValue { column, .. } if column == "mistakes"));
}

#[tokio::test]
async fn a_flipped_byte_is_found_wherever_it_is_in_a_body() {
    let (directory, path) = database().await;
    let bytes = std::fs::read(&path).unwrap();
    // The third event of match 1 is its first move.
    let body = &played::match_of(1, "nim:2,3").steps[2].events[0];
    // Also where the batch was that it came in.
    let windows = bytes.windows(body.len()).enumerate();
    let places_of: Vec<usize> = windows
        .filter(|(_, window)| *window == body.as_bytes())
        .map(|(start, _)| start)
        .collect();
    assert!(!places_of.is_empty());
    for offset in (0..body.len()).step_by(7) {
        let mut flipped = bytes.clone();
        for start in &places_of {
            flipped[start + offset] ^= 1;
        }
        let copy = directory.path().join("flipped.db");
        std::fs::write(&copy, flipped).unwrap();
        let report = fsck(&copy).await.unwrap();
        assert_eq!(places(&report), [at(1, 3)], "{report}");
        assert_eq!(report.findings[0].problem, Problem::BrokenChain {});
    }
}

#[tokio::test]
async fn a_changed_hash_is_found() {
    let (_directory, path) = database().await;
    blobs::change_event(&path, 2, 3, |event| event.hash = vec![0; 32]).await;
    let report = fsck(&path).await.unwrap();
    // Neither it nor the event after it fits.
    assert_eq!(places(&report), [at(2, 3), at(2, 4)], "{report}");
}

#[tokio::test]
async fn a_removed_event_is_found() {
    let (_directory, path) = database().await;
    blobs::remove(&path, |stream, seq| (stream, seq) == (1, 3)).await;
    let (problem, text) = only_finding(&path, at(1, 3)).await;
    assert_eq!(problem, Problem::Missing { found: Seq(4) });
    let id = MatchId::from_random(1);
    assert!(
        text.contains(&format!("match {id}, event 3: the event is missing")),
        "{text}"
    );
}

#[tokio::test]
async fn a_swapped_pair_is_found() {
    let (_directory, path) = database().await;
    blobs::change(&path, |entries| {
        let third = |entry: &blobs::Entry| (entry.stream, entry.seq) == (1, 3);
        if let Some(place) = entries.iter().position(third)
            && entries.get(place + 1).is_some_and(|next| next.stream == 1)
        {
            entries.swap(place, place + 1);
            entries[place].seq = 3;
            entries[place + 1].seq = 4;
        }
    })
    .await;
    let report = fsck(&path).await.unwrap();
    assert_eq!(places(&report)[..2], [at(1, 3), at(1, 4)], "{report}");
    assert!(
        report
            .findings
            .iter()
            .all(|finding| finding.problem == Problem::BrokenChain {})
    );
}

#[tokio::test]
async fn a_changed_result_is_found() {
    let (problem, _) = finding_after(
        "UPDATE match SET outcome = CASE outcome WHEN 'first' THEN 'second' ELSE 'first' END WHERE number = 2",
        (Some(MatchId::from_random(2)), None),
    )
    .await;
    let words = problem.to_string();
    assert!(matches!(problem, Problem::WrongSummary { field, .. } if field == "outcome"));
    let told = ["first", "second"];
    assert!(
        (0..2).any(|of| words
            == format!(
                "the summary says outcome {}, the log says {}",
                told[of],
                told[1 - of]
            )),
        "{words}"
    );
}

#[tokio::test]
async fn the_cut_tail_of_a_finished_match_is_found() {
    let length = played::match_of(1, "nim:2,3")
        .steps
        .iter()
        .map(|step| step.events.len() as u64)
        .sum::<u64>();
    let (_directory, path) = database().await;
    blobs::remove(&path, |stream, seq| stream == 1 && seq > length - 2).await;
    let (problem, _) = only_finding(&path, at(1, length - 2)).await;
    assert_eq!(
        problem,
        Problem::WrongEnd {
            closed: Seq(length)
        }
    );
}

#[tokio::test]
async fn other_changes_are_found() {
    let whole = |bits| (Some(MatchId::from_random(bits)), None);
    for (statement, place) in [
        ("UPDATE match SET plies = 1 WHERE number = 1", whole(1)),
        (
            "UPDATE match SET second_name = 'me' WHERE number = 3",
            whole(3),
        ),
        (
            "UPDATE match SET status = 'waiting' WHERE number = 3",
            whole(3),
        ),
        ("UPDATE match SET clock = 'x' WHERE number = 3", whole(3)),
        ("UPDATE match SET ended_at = 5 WHERE number = 1", whole(1)),
        (
            "UPDATE match SET log_head = zeroblob(32) WHERE number = 1",
            at(1, 8),
        ),
        (
            "UPDATE match SET log_head = NULL WHERE number = 1",
            at(1, 8),
        ),
        (
            "INSERT INTO segment SELECT 77, first, last, body FROM segment WHERE stream = 1",
            (None, None),
        ),
        ("UPDATE segment SET last = 77 WHERE stream = 1", at(1, 1)),
        ("DELETE FROM match WHERE number = 2", whole(2)),
        (
            "INSERT INTO join_code VALUES ('KWQHRMTB', 77, 5)",
            (None, None),
        ),
        ("INSERT INTO join_code VALUES ('kw', 3, 5)", whole(3)),
        (
            "DELETE FROM segment WHERE stream = 2; DELETE FROM match WHERE number = 2; DELETE FROM stream WHERE number = 2",
            (None, None),
        ),
    ] {
        finding_after(statement, place).await;
    }
    let (_directory, path) = database().await;
    tamper(&path, "DELETE FROM stream WHERE number = 2").await;
    let report = fsck(&path).await.unwrap();
    assert_eq!(places(&report), [(None, None), whole(2)], "{report}");
    let (_directory, path) = database().await;
    blobs::remove(&path, |stream, _| stream == 3).await;
    only_finding(&path, at(3, 1)).await;
    let (_directory, path) = database().await;
    blobs::change(&path, |entries| {
        let second = |entry: &blobs::Entry| (entry.stream, entry.seq) == (1, 2);
        if let Some(place) = entries.iter().position(second) {
            entries.insert(place, entries[place].clone());
        }
    })
    .await;
    only_finding(&path, at(1, 3)).await;
}

#[tokio::test]
async fn whoever_is_spoken_of_has_to_be_there() {
    let whole = |bits| (Some(MatchId::from_random(bits)), None);
    for (statement, found) in [
        (
            "DELETE FROM player WHERE name = 'player 2'",
            // And the player's token.
            vec![whole(1), whole(2), whole(3), (None, None)],
        ),
        (
            "UPDATE match SET rematch_of = 1234 WHERE number = 2",
            vec![whole(2), whole(2)],
        ),
    ] {
        let (_directory, path) = database().await;
        tamper(&path, statement).await;
        let report = fsck(&path).await.unwrap();
        assert_eq!(places(&report), found, "{report}");
        assert!(report.to_string().contains("is not there"), "{report}");
    }
}

/// What no column expects, each in some: a text, numbers below and beyond, none at all, no integer, bytes, and no UTF-8.
const STRANGE: [&str; 7] = [
    "'abc'",
    "-3",
    "NULL",
    "9223372036854775807",
    "1.5",
    "x'00'",
    "CAST(x'ff' AS TEXT)",
];

/// Puts a value where it does not belong, behind the back of the laws of the table. Whether something is there now that was not.
async fn force(path: &Path, table: &str, column: &str, place: &str, value: &str) -> bool {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(false);
    let mut connection = options.connect().await.unwrap();
    let schema: Vec<(String, String)> =
        sqlx::query_as("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    let seen = format!("SELECT typeof({column}) || hex({column}) FROM {table} WHERE {place}");
    let before: String = sqlx::query_scalar(AssertSqlSafe(seen.clone()))
        .fetch_one(&mut connection)
        .await
        .unwrap();
    sqlx::raw_sql(
        "PRAGMA synchronous = OFF; PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON; \
         UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ') STRICT, ', ') '), ') STRICT', ')'), 'NOT NULL', '') WHERE type = 'table'; \
         PRAGMA writable_schema = RESET;",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let update = format!("UPDATE {table} SET {column} = {value} WHERE {place}");
    // A key refuses some values whatever its table says.
    let stored = sqlx::raw_sql(AssertSqlSafe(update)).execute(&mut connection);
    let stored = stored.await.is_ok();
    let after: Option<String> = sqlx::query_scalar(AssertSqlSafe(seen))
        .fetch_optional(&mut connection)
        .await
        .unwrap();
    sqlx::raw_sql("PRAGMA writable_schema = ON;")
        .execute(&mut connection)
        .await
        .unwrap();
    for (name, sql) in schema {
        sqlx::query("UPDATE sqlite_schema SET sql = ?1 WHERE type = 'table' AND name = ?2")
            .bind(sql)
            .bind(name)
            .execute(&mut connection)
            .await
            .unwrap();
    }
    connection.close().await.unwrap();
    stored && after.is_none_or(|after| after != before)
}

#[tokio::test]
async fn whatever_a_column_holds_is_reported_and_the_rest_is_checked_and_played() {
    let directory = TempDir::new().unwrap();
    let sound = directory.path().join("sound.db");
    let store = SqliteStore::open(&sound).await.unwrap();
    let lease = played::lease(&store).await;
    played::players(&store, lease).await;
    let finished = played::match_of(2, "nim:2,3");
    store_steps(&store, lease, &played::match_of(1, "nim:5,5"), 4).await;
    store_steps(&store, lease, &finished, finished.steps.len()).await;
    store_steps(&store, lease, &played::match_of(3, "nim:5,5"), 4).await;
    let closed = played::match_of(4, "nim:2,3");
    store_steps(&store, lease, &closed, closed.steps.len()).await;
    store.heartbeat(lease, Millis(5)).await.unwrap();
    let server = Projection::Server(ServerId::from_random(7));
    let server = Commit::default().with(server);
    assert_eq!(store.commit(lease, vec![server]).await, [Ok(())]);
    store.close().await;
    // What is to be found whatever else is wrong.
    tamper(&sound, "INSERT INTO join_code VALUES ('KWQHRMTB', 3, 5)").await;
    blobs::change_event(&sound, 2, 3, |event| event.body = b"{}".to_vec()).await;
    let known = places(&fsck(&sound).await.unwrap());
    assert_eq!(known, [at(2, 3)]);
    let of_match = "id start clock first_id first_name first_bot second_id second_name second_bot status outcome reason \
                    plies created_at ended_at rematch_of";
    for (table, place, columns) in [
        ("match", "number = 1", of_match),
        ("match", "number = 4", "log_count log_head"),
        ("segment", "stream = 4", "stream first last body"),
        ("stream", "number = 4", "number kind id"),
        ("batch", "number = 4", "number body"),
        ("join_code", "match = 3", "code match expires_at"),
        (
            "player",
            "name = 'player 1'",
            "id name bot created_at name_key version codes",
        ),
        ("token", "name = 'guest'", "hash player scopes created_at"),
        ("node", "id = 1", "heartbeat"),
        ("server", "one = 1", "id"),
    ] {
        for column in columns.split_whitespace() {
            for (number, value) in STRANGE.into_iter().enumerate() {
                let what = format!("{table}.{column} = {value}");
                // A name of its own: what was closed last may still be at tidying up after itself.
                let path = directory
                    .path()
                    .join(format!("{table}-{column}-{number}.db"));
                std::fs::copy(&sound, &path).unwrap();
                if !force(&path, table, column, place, value).await {
                    continue;
                }
                let report = fsck(&path)
                    .await
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                let places = places(&report);
                assert!(places.contains(&known[0]), "{what}: {report}");
                // A moment may be any.
                let late = value.len() > 10
                    && ["created_at", "expires_at", "heartbeat", "number", "version"]
                        .contains(&column)
                    && table != "match";
                // A node that never said that it is alive.
                let silent = table == "node" && value == "NULL";
                assert!(late || silent || places.len() > 1, "{what}: {report}");
                let bits = if place.ends_with("= 4") { 4 } else { 1 };
                let named = Some(MatchId::from_random(bits));
                if ["match", "segment"].contains(&table) && !["id", "stream"].contains(&column) {
                    let named = places
                        .iter()
                        .filter(|place| place.0 == named && **place != known[0]);
                    assert!(named.count() > 0, "{what}: {report}");
                }
                // Of the other columns a start reads nothing.
                if !["batch", "segment", "stream", "node"].contains(&table)
                    && !["id", "status"].contains(&column)
                {
                    continue;
                }
                let store = match SqliteStore::open(&path).await {
                    Ok(store) => store,
                    // Whose events are lost cannot be told.
                    Err(StoreError::Corrupt { .. }) if ["batch", "stream"].contains(&table) => {
                        continue;
                    }
                    Err(error) => panic!("{what}: {error}"),
                };
                assert!(late || (table, column) != ("batch", "body"), "{what}");
                if table == "node" && !late {
                    let last = async || last_heartbeat(&store, NodeId::ONLY).await;
                    assert_eq!(last().await, Ok(None), "{what}");
                    let lease = played::lease(&store).await;
                    assert_eq!(store.heartbeat(lease, Millis(7)).await, Ok(()), "{what}");
                    assert_eq!(last().await, Ok(Some(Millis(7))), "{what}");
                }
                let live = store
                    .live(NodeId::ONLY, None)
                    .await
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                let healthy = live.iter().find(|live| live.id == MatchId::from_random(3));
                assert!(healthy.is_some_and(|live| live.log.is_ok()), "{what}");
                store.close().await;
            }
        }
    }
}

/// Somebody who knows how the chain is made can forge one, but not against the rules.
#[tokio::test]
async fn a_forged_chain_still_has_to_be_a_match() {
    let (_directory, path) = database().await;
    let mut forged = played::match_of(4, "nim:2,3");
    forged.steps[2].events[0] = forged.steps[2].events[0].replace("A-1", "A-9");
    let store = SqliteStore::open(&path).await.unwrap();
    let lease = played::lease(&store).await;
    store_steps(&store, lease, &forged, 3).await;
    store.close().await;
    let report = fsck(&path).await.unwrap();
    assert_eq!(places(&report), [at(4, 3)], "{report}");
    assert!(matches!(
        report.findings[0].problem,
        Problem::Unlawful { .. }
    ));
}

/// Changes the second game of a rated pair and recomputes its chain; returns the findings.
async fn finding_in_a_pair(change: impl FnOnce(&mut Terms, &mut [PlayerInfo; 2])) -> Vec<Problem> {
    let (_directory, path) = database().await;
    let player = |bits: u128| PlayerInfo {
        id: PlayerId::from_random(bits),
        name: format!("player {bits}"),
        bot: false,
    };
    let pair = MatchId::from_random(9);
    let terms = |series| Terms {
        position: "nim:2,3".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: Millis(60_000),
            increment_ms: Millis(0),
        },
        rematch_of: None,
        series,
    };
    let series = Series::first(pair, 2, true).unwrap();
    let created = Referee::create(terms(series), player(1), Seat::First, Millis(5)).unwrap();
    let first = played::play(pair, created, Millis(5));
    let bodies = first.steps.iter().flat_map(|step| &step.events);
    let events: Vec<Event> = bodies
        .map(|body| serde_json::from_str(body).unwrap())
        .collect();
    let (end, earlier) = events.split_last().unwrap();
    let (id, next, _) = Referee::replay(earlier)
        .map_or_else(|_| Referee::replay(&events[..2]), Ok)
        .unwrap()
        .open_next(end)
        .unwrap()
        .unwrap();
    let (mut terms, mut players) = (terms(next.series()), [player(2), player(1)]);
    change(&mut terms, &mut players);
    let [one, other] = players;
    let (mut game, mut created) = Referee::create(terms, one, Seat::First, Millis(900)).unwrap();
    let joined = Event::Joined {
        at_ms: Millis(900),
        seat: Seat::Second,
        player: other,
    };
    game.apply(&joined).unwrap();
    created.push(joined);
    let second = Played {
        id,
        steps: vec![played::Step {
            events: created.iter().map(Event::to_json).collect(),
            row: Some(MatchRow::of(&game, None)),
        }],
    };
    let store = SqliteStore::open(&path).await.unwrap();
    let lease = played::lease(&store).await;
    store_steps(&store, lease, &first, first.steps.len()).await;
    store_steps(&store, lease, &second, 1).await;
    store.close().await;
    let report = fsck(&path).await.unwrap();
    report
        .findings
        .into_iter()
        .map(|finding| finding.problem)
        .collect()
}

#[tokio::test]
async fn the_second_game_of_a_pair_follows_from_the_first() {
    assert_eq!(finding_in_a_pair(|_, _| {}).await, []);
    type Change = fn(&mut Terms, &mut [PlayerInfo; 2]);
    let changes: [Change; 4] = [
        |terms, _| terms.position = "nim:2,4".to_owned(),
        |terms, _| {
            terms.clock = TimeControl::PerMove {
                move_ms: Millis(60_000),
            }
        },
        |_, players| players.reverse(),
        |terms, _| {
            let series = terms.series.as_mut().expect("a pair");
            std::mem::swap(&mut series.first_wins, &mut series.second_wins);
        },
    ];
    for change in changes {
        let found = finding_in_a_pair(change).await;
        assert!(
            matches!(&found[..], [Problem::Dangling { what, .. }] if what == "first game"),
            "{found:?}"
        );
    }
}

/// A tournament of two with two games, of which the first is played and counted, and the match of that game.
struct Cup {
    id: TournamentId,
    events: Vec<TournamentEvent>,
    game: Played,
}

impl Cup {
    fn new() -> Self {
        let player = |bits: u128| PlayerInfo {
            id: PlayerId::from_random(bits),
            name: format!("player {bits}"),
            bot: false,
        };
        let rules = Rules {
            games: 2,
            clock: TimeControl::Fischer {
                base_ms: Millis(60_000),
                increment_ms: Millis(0),
            },
            starts: Starts::List {
                positions: vec!["nim:2,3".to_owned()],
            },
            start_ms: Millis(60_000),
            away_ms: Millis(60_000),
        };
        let id = TournamentId::from_random(77);
        let of = TournamentGame {
            id,
            round: 1,
            board: 1,
            game: 1,
            start_ms: rules.start_ms,
            away_ms: rules.away_ms,
        };
        let match_id = match_of_game(id, 1, 1, 1);
        let terms = Terms {
            position: "nim:2,3".to_owned(),
            clock: rules.clock,
            rematch_of: None,
            series: None,
        };
        let players = [player(1), player(2)];
        let created = Referee::create_for_tournament(terms, of, players, Millis(5)).unwrap();
        let game = played::play(match_id, created, Millis(5));
        let bodies = game.steps.iter().flat_map(|step| &step.events);
        let head = bodies.fold(chain::genesis(match_id), |head, body| {
            chain::link(&head, body.as_bytes())
        });
        let last = game.steps.last().unwrap().events.last().unwrap();
        let Event::Ended {
            outcome, reason, ..
        } = serde_json::from_str(last).unwrap()
        else {
            panic!("{last}");
        };
        let events = vec![
            TournamentEvent::Created {
                name: "Cup".to_owned(),
                organiser: player(1),
                format: Format::RoundRobin {},
                rules,
                admission: Admission {
                    who: Who::Both,
                    most: 2,
                    names: Vec::new(),
                },
                starts_at_ms: None,
                commitment: Seed::new([1; 32]).commitment(),
            },
            TournamentEvent::Entered { player: player(1) },
            TournamentEvent::Entered { player: player(2) },
            TournamentEvent::EntriesClosed {},
            TournamentEvent::RoundPaired {
                round: 1,
                pairs: vec![(1, 2)],
                byes: Vec::new(),
            },
            TournamentEvent::GameEnded {
                round: 1,
                board: 1,
                game: 1,
                match_id,
                outcome,
                reason,
                head: data_encoding::HEXLOWER.encode(&head),
            },
        ];
        Self { id, events, game }
    }

    /// What is found once it is stored beside other matches, which have the ids 1, 2 and 3.
    async fn check(self) -> Report {
        let (_directory, path) = database().await;
        let store = SqliteStore::open(&path).await.unwrap();
        let lease = played::lease(&store).await;
        if !self.events.is_empty() {
            let bodies = self.events.into_iter().map(|event| {
                let at_ms = Millis(5);
                Dated { at_ms, event }.to_json().into()
            });
            let own = StreamId::Tournament(self.id);
            let log = Commit::append(own, Seq(0), bodies.collect());
            played::commit(&store, lease, log).await.unwrap();
        }
        store_steps(&store, lease, &self.game, self.game.steps.len()).await;
        store.close().await;
        fsck(&path).await.unwrap()
    }
}

/// The one problem that is found in this tournament, and in which event of its log; after a change.
async fn finding_in_a_tournament(change: impl FnOnce(&mut Vec<TournamentEvent>)) -> (u64, Problem) {
    let mut cup = Cup::new();
    change(&mut cup.events);
    let log = format!("tournament {}", cup.id);
    let report = cup.check().await;
    assert_eq!(report.findings.len(), 1, "{report}");
    let finding = &report.findings[0];
    assert_eq!(finding.log.as_ref(), Some(&log), "{report}");
    (finding.seq.expect("an event").0, finding.problem.clone())
}

#[tokio::test]
async fn a_forged_tournament_still_has_to_follow_its_rules() {
    let report = Cup::new().check().await;
    assert!(report.is_sound(), "{report}");
    let (seq, problem) = finding_in_a_tournament(|events| {
        if let TournamentEvent::RoundPaired { pairs, .. } = &mut events[4] {
            *pairs = vec![(2, 1)];
        }
    })
    .await;
    assert_eq!(seq, 5);
    assert!(matches!(problem, Problem::Unfit { why } if why.contains("pairing")));
    let (seq, problem) = finding_in_a_tournament(|events| {
        let twice = events[5].clone();
        events.push(twice);
    })
    .await;
    assert_eq!(seq, 7);
    assert!(matches!(problem, Problem::Unfit { why } if why.contains("result already")));
}

#[tokio::test]
async fn a_tournament_counts_what_its_matches_say() {
    // Another match than the one that ended so.
    let (seq, problem) = finding_in_a_tournament(|events| {
        if let TournamentEvent::GameEnded { head, .. } = &mut events[5] {
            *head = "0".repeat(64);
        }
    })
    .await;
    assert_eq!(seq, 6);
    assert!(matches!(problem, Problem::Dangling { what, .. } if what == "game"));
    // Another result, and another cause.
    let (seq, problem) = finding_in_a_tournament(|events| {
        if let TournamentEvent::GameEnded { outcome, .. } = &mut events[5] {
            *outcome = match outcome {
                Outcome::First => Outcome::Second,
                _ => Outcome::First,
            };
        }
    })
    .await;
    assert_eq!(seq, 6);
    assert!(matches!(problem, Problem::WrongResult { .. }), "{problem}");
    let (_, problem) = finding_in_a_tournament(|events| {
        if let TournamentEvent::GameEnded { reason, .. } = &mut events[5] {
            *reason = EndReason::Time;
        }
    })
    .await;
    assert!(
        problem.to_string().contains("by time for match"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_finished_game_that_no_tournament_counts_is_found() {
    let only = async |cup: Cup| {
        let id = cup.game.id;
        let report = cup.check().await;
        assert_eq!(report.findings.len(), 1, "{report}");
        assert_eq!(report.findings[0].id, Some(id), "{report}");
        report.findings[0].problem.clone()
    };
    let mut cup = Cup::new();
    cup.events.pop();
    let problem = only(cup).await;
    assert!(matches!(problem, Problem::NotCounted { .. }), "{problem}");
    // Nor is the tournament there.
    let mut cup = Cup::new();
    cup.events.clear();
    let problem = only(cup).await;
    assert!(matches!(problem, Problem::Dangling { what, .. } if what == "tournament"));
    // What ends after a tournament is cancelled counts for nothing.
    let mut cup = Cup::new();
    let reason = "rain".to_owned();
    cup.events[5] = TournamentEvent::Cancelled { reason };
    let report = cup.check().await;
    assert!(report.is_sound(), "{report}");
}

#[tokio::test]
async fn rooms_of_chat_hold_lines_and_are_those_of_matches() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let lease = played::lease(&store).await;
    played::players(&store, lease).await;
    let there = played::match_of(1, "nim:2,3");
    there.store(&store, lease, 0).await.unwrap();
    let line = r#"{"type":"said","at_ms":1,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Ada","bot":false},"preset":"hello"}"#;
    let say = async |id, room, lines: &[&'static str]| {
        let bodies = lines.iter().map(|line| Bytes::from_static(line.as_bytes()));
        let append = Commit::append(StreamId::Chat(id, room), Seq(0), bodies.collect());
        played::commit(&store, lease, append).await.unwrap();
    };
    say(there.id, Room::Players, &[line, line]).await;
    say(there.id, Room::Watchers, &[line, "{}", line]).await;
    let gone = MatchId::from_random(99);
    say(gone, Room::Watchers, &[line]).await;
    store.close().await;
    let report = fsck(&path).await.unwrap();
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|finding| (finding.log.clone(), finding.seq))
        .collect();
    assert_eq!(
        found,
        [
            (Some(format!("chat {}/watchers", there.id)), Some(Seq(2))),
            (Some(format!("chat {gone}/watchers")), None),
        ],
        "{report}"
    );
    assert!(matches!(
        report.findings[0].problem,
        Problem::NotAnEvent { .. }
    ));
    assert!(
        matches!(&report.findings[1].problem, Problem::Dangling { what, .. } if what == "match")
    );
}

#[tokio::test]
async fn what_cannot_be_checked_is_an_error() {
    let directory = TempDir::new().unwrap();
    let missing = directory.path().join("missing.db");
    assert!(matches!(
        fsck(&missing).await,
        Err(StoreError::Unusable { .. })
    ));
    assert!(!missing.exists());
    let path = directory.path().join("grundy.db");
    let store = SqliteStore::open(&path).await.unwrap();
    assert!(matches!(fsck(&path).await, Err(StoreError::InUse { .. })));
    store.close().await;
    assert!(fsck(&path).await.unwrap().is_sound());
}
