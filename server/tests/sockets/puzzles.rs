//! Puzzles over the wire: nothing gives the solution away, the first answer counts once, and the ratings are those of the logs.

use futures::future::join_all;
use std::collections::BTreeMap;
use std::sync::Arc;

use grundy_server::data::location;
use grundy_server::fsck::fsck;
use grundy_server::metrics::ByOutcome;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::{LOAD_PAGE, NodeId, Store, StreamId};
use grundy_shared::Position;
use grundy_shared::ids::{Millis, PlayerId, PuzzleId, Seat, Seq};
use grundy_shared::practice::Theme;
use grundy_shared::puzzle::{Collection, Puzzle, PuzzleEvent, SolvingEvent, first_rating};
use grundy_shared::rated::RatingState;
use grundy_shared::solver::{Budget, MoveResult, reasons, solve};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

use crate::common::{Client, Plan, in_time};
use crate::ended::all_counted;
use crate::ratings::{event_in, resign};

/// A server whose solver has time enough on any machine.
fn patient() -> Plan {
    Plan::with(|config| {
        config.solver.cpu_ms = Millis(60_000);
        config.solver.nodes = 20_000_000;
    })
}

async fn ask_for(client: &mut Client, ask: Value) -> Value {
    let mut body = ask;
    body["type"] = json!("puzzle");
    let reply = client.ask(body).await;
    assert_eq!(reply["type"], "puzzle", "{reply}");
    reply
}

async fn answer(client: &mut Client, puzzle: &Value, mv: Option<&str>) -> Value {
    let ask = json!({"type":"solve_puzzle","puzzle":puzzle,"move":mv});
    client.ask(ask).await
}

/// The position of a reply, and who is to move in it.
fn position_of(puzzle: &Value) -> (Position, Seat) {
    let position = Position::parse(puzzle["position"].as_str().expect("text")).expect("a position");
    let to_move = serde_json::from_value(puzzle["to_move"].clone()).expect("a seat");
    (position, to_move)
}

/// A winning move, and one that does not win.
fn moves_of(puzzle: &Value) -> [String; 2] {
    let (position, to_move) = position_of(puzzle);
    let solution = solve(&position, to_move, &Budget::nodes(20_000_000), 200);
    let winning: Vec<_> = solution.winning_moves.into_iter().map(|mv| mv.mv).collect();
    let mut moves = position.moves(to_move).map(|mv| mv.to_string());
    let losing = moves.find(|mv| !winning.contains(mv)).expect("a mistake");
    [winning[0].clone(), losing]
}

fn id_of(puzzle: &Value) -> PuzzleId {
    puzzle["puzzle"]
        .as_str()
        .expect("text")
        .parse()
        .expect("an id")
}

#[tokio::test]
async fn a_puzzle_gives_nothing_away_and_the_first_answer_counts() {
    let server = patient().start().await;
    let mut ada = server.guest("Ada").await;
    let puzzle = ask_for(&mut ada, json!({"family":"nim"})).await;
    let mut fields: Vec<&str> = puzzle
        .as_object()
        .expect("fields")
        .keys()
        .map(String::as_str)
        .collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        [
            "attempts",
            "deviation",
            "family",
            "position",
            "puzzle",
            "rating",
            "to_move",
            "type",
            "you"
        ],
        "the position and who is to move, and nothing of its solution"
    );
    let newcomer = json!({"rating":1500,"deviation":350,"provisional":true,"attempts":0});
    assert_eq!(puzzle["you"], newcomer);
    assert_eq!(
        (&puzzle["attempts"], &puzzle["deviation"]),
        (&json!(0), &json!(350))
    );
    // One of the eight that are nearest: which one depends on the id of the player.
    assert!(
        puzzle["rating"].as_i64().expect("a rating").abs_diff(1500) < 400,
        "{puzzle}"
    );
    // Asking again gives no other puzzle.
    assert_eq!(ask_for(&mut ada, json!({"family":"nim"})).await, puzzle);
    // What is no move does not count.
    for text in ["", "Z-9", "A-1000000", "resign"] {
        let refused = answer(&mut ada, &puzzle["puzzle"], Some(text)).await;
        assert_eq!(
            (&refused["code"], &refused["field"]),
            (&json!("illegal_move"), &json!("move")),
            "{refused}"
        );
    }
    assert_eq!(ask_for(&mut ada, json!({"family":"nim"})).await, puzzle);
    let [right, wrong] = moves_of(&puzzle);
    let solved = answer(&mut ada, &puzzle["puzzle"], Some(&right)).await;
    assert_eq!(solved["type"], "puzzle_solved", "{solved}");
    assert_eq!(
        (&solved["right"], &solved["move"]),
        (&json!(true), &json!(right))
    );
    assert_eq!(solved.get("repeated"), None);
    assert!(
        solved["winning_moves"]
            .as_array()
            .expect("moves")
            .contains(&json!(right))
    );
    assert_eq!(
        solved["reasons"]["moves"][0]["move"],
        json!(right),
        "{solved}"
    );
    let (you, its) = (&solved["you"], &solved["rated"]);
    assert!(
        you["change"].as_i64() > Some(0) && its["change"].as_i64() < Some(0),
        "{solved}"
    );
    assert_eq!((&you["attempts"], &its["attempts"]), (&json!(1), &json!(1)));
    // The same question again, and another answer: the first result, and nothing more.
    let mut first = solved.clone();
    first["repeated"] = json!(true);
    for mv in [Some(right.as_str()), Some(wrong.as_str()), None] {
        assert_eq!(answer(&mut ada, &puzzle["puzzle"], mv).await, first);
    }
    let again = ask_for(&mut ada, json!({"puzzle":puzzle["puzzle"]})).await;
    assert_eq!(
        (&again["tried"], &again["attempts"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(again["you"]["rating"], you["rating"]);
    assert_eq!(again["rating"], its["rating"]);
    let other = ask_for(&mut ada, json!({"family":"nim"})).await;
    assert_ne!(other["puzzle"], puzzle["puzzle"]);
    // A wrong move, a puzzle that was never asked for, and giving up.
    let [_, wrong] = moves_of(&other);
    let failed = answer(&mut ada, &other["puzzle"], Some(&wrong)).await;
    assert_eq!(
        (&failed["right"], &failed["move"]),
        (&json!(false), &json!(wrong))
    );
    assert!(failed["you"]["change"].as_i64() < Some(0), "{failed}");
    let results: Vec<_> = failed["reasons"]["moves"]
        .as_array()
        .expect("reasons")
        .iter()
        .map(|one| one["result"].clone())
        .collect();
    assert_eq!(results, ["loses", "wins"], "the move, and the best one");
    let edition = Collection::edition();
    let unasked = edition.numbered().map(|(_, one)| one.id());
    let taken = [id_of(&puzzle), id_of(&other)];
    let unasked = unasked
        .into_iter()
        .find(|id| !taken.contains(id))
        .expect("another");
    let given_up = answer(&mut ada, &json!(unasked), None).await;
    assert_eq!(
        (&given_up["right"], given_up.get("move")),
        (&json!(false), None),
        "{given_up}"
    );
    let shown = server
        .guest("Bo")
        .await
        .ask(json!({"type":"ratings","player":"Ada"}))
        .await;
    assert_eq!(shown["solving"]["attempts"], 3, "{shown}");
    assert_eq!(shown["solving"]["rating"], given_up["you"]["rating"]);
    let answers = &server.app.metrics.puzzle_answers;
    let count = |outcome| answers.get_or_create(&ByOutcome { outcome }).get();
    assert_eq!([count("solved"), count("failed")], [1, 2]);
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_puzzle_is_refused_and_so_are_bots() {
    let server = patient().start().await;
    let mut ada = server.guest("Ada").await;
    let unknown = "0".repeat(32);
    for id in ["", "7Kq2mVx9Rt", unknown.as_str()] {
        for ask in [
            json!({"type":"puzzle","puzzle":id}),
            json!({"type":"solve_puzzle","puzzle":id,"move":"A-1"}),
        ] {
            let refused = ada.ask(ask).await;
            assert_eq!(refused["code"], "no_such_puzzle", "{refused}");
        }
    }
    let refused = ada.ask(json!({"type":"puzzle","family":"nimm"})).await;
    assert_eq!(
        (&refused["code"], &refused["field"]),
        (&json!("out_of_range"), &json!("family"))
    );
    let hello = json!({"type":"hello","protocol":1,"name":"Bot","bot":true});
    let mut bot = server.connect().await;
    bot.introduce(hello).await;
    let puzzle = ask_for(&mut ada, json!({})).await;
    for ask in [
        json!({"type":"puzzle"}),
        json!({"type":"solve_puzzle","puzzle":puzzle["puzzle"],"move":null}),
    ] {
        let refused = bot.ask(ask).await;
        assert_eq!(refused["code"], "not_allowed", "{refused}");
    }
    server.stop().await;
}

#[tokio::test]
async fn what_the_solver_cannot_judge_does_not_count() {
    let small = 1_000;
    let server = Plan::with(|config| {
        config.solver.cpu_ms = Millis(60_000);
        config.solver.nodes = small;
        config.solver.memory_bytes = 1 << 20;
    })
    .start()
    .await;
    let edition = Collection::edition();
    let hard = edition
        .numbered()
        .map(|(_, one)| one)
        .filter(|one| one.theme == Theme::Search)
        .find(|one| {
            let (position, to_move) = one.position();
            let found = reasons(&position, to_move, &[], &Budget::nodes(small));
            found
                .moves
                .iter()
                .all(|reason| reason.result != MoveResult::Wins)
        });
    let id = json!(hard.expect("a hard puzzle").id());
    let mut ada = server.guest("Ada").await;
    let refused = answer(&mut ada, &id, None).await;
    assert_eq!(refused["code"], "analysis_too_large", "{refused}");
    let puzzle = ask_for(&mut ada, json!({"puzzle":id})).await;
    assert_eq!(
        (&puzzle["attempts"], puzzle.get("tried")),
        (&json!(0), None)
    );
    assert_eq!(puzzle["you"]["attempts"], 0);
    server.stop().await;
}

/// The events of a log.
async fn log<E: serde::de::DeserializeOwned>(store: &dyn Store, stream: StreamId) -> Vec<E> {
    let logged = store
        .load(stream, Seq(0), LOAD_PAGE)
        .await
        .expect("readable");
    let logged = logged.unwrap_or_default();
    let read = |body: &[u8]| serde_json::from_slice(body).expect("an event");
    logged.iter().map(|event| read(&event.body)).collect()
}

/// Computes every rating again from the logs of these players and all puzzles of the edition; how many attempts there are.
async fn compare_with_logs(store: &dyn Store, players: &[PlayerId]) -> usize {
    let mut twins: BTreeMap<(PuzzleId, u64), usize> = BTreeMap::new();
    for player in players {
        let mut state = RatingState::default();
        let events = log(store, StreamId::Solving(*player)).await;
        let mut puzzles = Vec::new();
        for SolvingEvent::Attempted(attempt) in events {
            assert_eq!(attempt.check(&mut state), Ok(()));
            *twins
                .entry((attempt.puzzle, attempt.puzzle_seq.0))
                .or_default() += 1;
            let mine = store.attempt(*player, attempt.puzzle).await;
            assert_eq!(mine, Ok(Some(state.pairs)));
            puzzles.push(attempt.puzzle);
        }
        let known = store.solver(*player).await.expect("readable");
        assert_eq!(known.unwrap_or_default(), state);
        puzzles.sort_unstable();
        puzzles.dedup();
        assert_eq!(
            puzzles.len() as u64,
            state.pairs.0,
            "no puzzle counts twice"
        );
    }
    let mut attempts = 0;
    for (_, puzzle) in Collection::edition().numbered() {
        let id = puzzle.id();
        let mut state = first_rating(puzzle);
        for PuzzleEvent::Tried(tried) in log(store, StreamId::Puzzle(id)).await {
            assert_eq!(tried.check(&mut state), Ok(()));
            assert_eq!(twins.remove(&(id, state.pairs.0)), Some(1));
            attempts += 1;
        }
        let row = store.puzzle(id).await.expect("readable").expect("a puzzle");
        assert_eq!(row.state, state);
    }
    assert!(twins.is_empty(), "{twins:?}");
    attempts
}

/// Ten guests at two servers answer the same four puzzles at once, each of them twice over two connections.
#[tokio::test]
async fn many_answers_at_once_at_two_servers_each_count_once() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let plan = |node| Plan {
        store: store.clone(),
        node: NodeId(node),
        ..patient()
    };
    let servers = [plan(2).start().await, plan(3).start().await];
    let edition = Collection::edition();
    let nim = edition
        .numbered()
        .map(|(_, one)| one)
        .filter(|one| one.family().name() == "nim");
    let puzzles: Vec<(Value, [String; 2])> = nim
        .take(4)
        .map(|one| {
            let (position, to_move) = one.position();
            let shown = json!({"position":position.to_string(),"to_move":to_move});
            (json!(one.id()), moves_of(&shown))
        })
        .collect();
    let mut players = Vec::new();
    let mut going = Vec::new();
    for number in 0..10usize {
        let guest = servers[number % 2].guest(&format!("guest {number}")).await;
        players.push(guest.player.parse().expect("an id"));
        for server in &servers {
            let (mut client, _) = server.again(&guest).await;
            let puzzles = puzzles.clone();
            going.push(async move {
                for (place, (id, moves)) in puzzles.iter().enumerate() {
                    let mv = moves[(number + place) % 2].as_str();
                    loop {
                        let reply = answer(&mut client, id, Some(mv)).await;
                        if reply["code"] == "server_busy" {
                            continue;
                        }
                        assert_eq!(reply["type"], "puzzle_solved", "{reply}");
                        assert_eq!(reply["right"], json!((number + place) % 2 == 0));
                        break;
                    }
                }
            });
        }
    }
    in_time("the answers", join_all(going)).await;
    assert_eq!(compare_with_logs(&*store, &players).await, 40);
    for server in servers {
        server.stop().await;
    }
}

#[tokio::test]
async fn a_mistake_in_a_match_that_everybody_may_see_becomes_a_puzzle() {
    for most in [0, 100_000] {
        let server = Plan::with(|config| {
            config.solver.cpu_ms = Millis(60_000);
            config.solver.puzzles = most;
        })
        .start()
        .await;
        let (mut ada, mut bo, id) = server.pair("nim:3,4,6").await;
        // The only winning move is A-1. The answer to the mistake is one, too.
        assert_eq!(ada.play(&id, 1, "C-5").await["type"], "accepted");
        assert_eq!(bo.play(&id, 2, "A-1").await["type"], "accepted");
        resign(&mut bo, &id).await;
        event_in(&mut ada, &id, "ended").await;
        all_counted(&*server.store).await;
        let position = Position::parse("nim:3,4,6").expect("a position");
        let puzzle = Puzzle::at(&position, Seat::First, &Budget::nodes(1_000_000));
        let puzzle = puzzle.expect("it meets the criteria");
        let row = server.store.puzzle(puzzle.id()).await.expect("readable");
        assert_eq!(
            row.map(|row| row.puzzle),
            (most > 0).then_some(puzzle.clone())
        );
        let mut cyd = server.guest("Cyd").await;
        let asked = cyd.ask(json!({"type":"puzzle","puzzle":puzzle.id()})).await;
        match most {
            0 => assert_eq!(asked["code"], "no_such_puzzle", "{asked}"),
            _ => {
                assert_eq!(asked["position"], "nim:3,4,6", "{asked}");
                let text = asked.to_string();
                assert!(!text.contains("Ada") && !text.contains(&id), "{text}");
                assert!(server.app.metrics.puzzles_made.get() >= 1);
                let solved = answer(&mut cyd, &asked["puzzle"], Some("A-1")).await;
                assert_eq!(
                    (&solved["right"], &solved["winning_moves_total"]),
                    (&json!(true), &json!(1))
                );
            }
        }
        server.stop().await;
    }
}

/// A database in which two guests have answered puzzles, closed.
async fn database() -> TempDir {
    let directory = TempDir::new().expect("a directory");
    let plan = Plan::on_disk(directory.path()).await;
    let config = patient().config;
    let server = Plan { config, ..plan }.start().await;
    let mut puzzles: Vec<Value> = Vec::new();
    for name in ["Ada", "Bo"] {
        let mut guest = server.guest(name).await;
        for _ in 0..2 {
            let puzzle = ask_for(&mut guest, json!({"family":"nim"})).await;
            let [right, _] = moves_of(&puzzle);
            let solved = answer(&mut guest, &puzzle["puzzle"], Some(&right)).await;
            assert_eq!(solved["right"], true, "{solved}");
            puzzles.push(puzzle["puzzle"].clone());
        }
    }
    server.stop().await.close().await;
    directory
}

#[tokio::test]
async fn fsck_computes_every_rating_in_solving_again() {
    let directory = database().await;
    let report = fsck(&location(directory.path())).await.expect("readable");
    assert!(report.is_sound(), "{report}");
    for (change, problem) in [
        (
            "UPDATE puzzle SET rating = rating + 1 WHERE attempts > 0",
            "the summary says rating",
        ),
        (
            "UPDATE puzzle SET rating = rating + 1 WHERE id = (SELECT min(id) FROM puzzle WHERE attempts = 0)",
            "the summary says rating",
        ),
        (
            "UPDATE puzzle SET attempts = 7 WHERE id = (SELECT min(id) FROM puzzle WHERE attempts = 0)",
            "the summary says rating",
        ),
        (
            "UPDATE puzzle SET family = 'kayles' WHERE attempts > 0",
            "puzzle.id, family, body, rating cannot be read",
        ),
        (
            // Which puzzles were answered differs from run to run, and so does the number.
            "UPDATE puzzle SET body = json_set(CAST(body AS TEXT), '$.winning', CASE json_extract(CAST(body AS TEXT), '$.winning') WHEN 1 THEN 2 ELSE 1 END) WHERE attempts > 0",
            "the rating was changed by another program",
        ),
        (
            "UPDATE puzzle SET body = replace(body, 'nim:', 'nim:1,') WHERE attempts > 0",
            "cannot be read",
        ),
        (
            "DELETE FROM puzzle WHERE attempts > 0",
            "its puzzle is gone",
        ),
        (
            "UPDATE solver SET rating = rating - 1",
            "the summary says rating",
        ),
        ("UPDATE solver SET last_at = 7", "the summary says rating"),
        (
            "UPDATE solver SET player = randomblob(16)",
            "table solver refers",
        ),
        ("DELETE FROM solver", "its summary is gone"),
        (
            "UPDATE puzzle_attempt SET seq = 3 - seq",
            "puzzle_attempt.player, puzzle, seq cannot be read",
        ),
        (
            "DELETE FROM puzzle_attempt",
            "its row in the table of attempts is not there",
        ),
    ] {
        let directory = database().await;
        let path = location(directory.path());
        let mut connection = SqliteConnectOptions::new()
            .filename(&path)
            .connect()
            .await
            .expect("a database");
        sqlx::raw_sql(AssertSqlSafe(change.to_owned()))
            .execute(&mut connection)
            .await
            .expect("it is changed");
        connection.close().await.expect("closed");
        let found = fsck(&path).await.expect("readable").to_string();
        assert!(found.contains(problem), "{change}: {found}");
        assert!(
            found.contains("were changed, added or removed by another program"),
            "{found}"
        );
    }
}

#[tokio::test]
async fn answers_survive_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let start = || async {
        let plan = Plan::on_disk(directory.path()).await;
        Plan {
            config: patient().config,
            ..plan
        }
        .start()
        .await
    };
    let server = start().await;
    let mut ada = server.guest("Ada").await;
    let puzzle = ask_for(&mut ada, json!({"family":"nim"})).await;
    let [_, wrong] = moves_of(&puzzle);
    let mut first = answer(&mut ada, &puzzle["puzzle"], Some(&wrong)).await;
    assert_eq!(first["right"], false, "{first}");
    server.stop().await.close().await;
    let server = start().await;
    let (mut ada, _) = server.again(&ada).await;
    first["repeated"] = json!(true);
    assert_eq!(answer(&mut ada, &puzzle["puzzle"], None).await, first);
    let player = ada.player.parse().expect("an id");
    assert_eq!(compare_with_logs(&*server.store, &[player]).await, 1);
    server.stop().await.close().await;
}
