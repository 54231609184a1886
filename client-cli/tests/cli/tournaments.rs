//! Tournaments on a real server: every format to its end, bots as programs, deaths of the server and of bots, and the export.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Home, Ran};
use crate::server::Server;

/// Long enough for a tournament on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// A bot that asks which moves are legal and makes the last of them; docs/BOTS.md explains it.
const BOT: &str = "\
import sys
for line in sys.stdin:
    verb, *words = line.split()
    if verb == 'grundy':
        print('bot name', sys.argv[1], 'author me')
        print('ok', flush=True)
    elif verb == 'go':
        go = dict(zip(words[::2], words[1::2]))
        print('moves', go['id'], flush=True)
    elif verb == 'moves':
        print('move', words[0], words[-1], flush=True)
    elif verb == 'quit':
        break
";

fn ok(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Creates a tournament; its id.
fn create(home: &Home, arguments: &[&str]) -> String {
    let mut all = vec!["tournament", "create", "Cup", "--json", "-q"];
    all.extend(arguments);
    let ran = home.run(&all);
    ok(&ran);
    let id = ran.json()["state"]["tournament"]
        .as_str()
        .map(str::to_owned);
    id.expect("an id")
}

fn state(home: &Home, id: &str) -> Value {
    let ran = home.run(&["tournament", "show", id, "--json"]);
    ok(&ran);
    ran.json()["state"].clone()
}

/// Waits until the tournament is over; its state.
fn wait_for_end(home: &Home, id: &str) -> Value {
    let until = Instant::now() + PATIENCE;
    loop {
        let ran = home.run(&["tournament", "show", id, "--json"]);
        if ran.code == Some(0) {
            let state = ran.json()["state"].clone();
            if state["status"] == "over" || state["status"] == "cancelled" {
                return state;
            }
            assert!(Instant::now() < until, "{state}");
        }
        assert!(Instant::now() < until, "{ran:?}");
        // Nobody announces it to a program that is run again and again.
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Exports the tournament and verifies the file; what the verifier says.
fn verify(home: &Home, id: &str) -> Value {
    ok(&home.run(&["tournament", "export", id, "cup.ndjson"]));
    let ran = home.run(&["verify", "tournament", "cup.ndjson", "--json"]);
    ok(&ran);
    ran.json()
}

#[test]
fn every_format_comes_to_its_end_and_is_verified() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let common = [
        "--bot",
        "perfect",
        "--bot",
        "random",
        "--bot",
        "skill:0.5",
        "--bot",
        "greedy",
        "--start",
        "random:nim,heaps=3-4,max=7,count=8",
        "--players",
        "4",
    ];
    for (format, games) in [
        (&["--format", "round-robin"][..], 12),
        (&["--format", "double-round-robin", "--games", "1"][..], 12),
        (&["--format", "gauntlet", "--seeds", "1"][..], 6),
        (&["--format", "swiss", "--rounds", "2"][..], 8),
        (&["--format", "ladder", "--rounds", "5"][..], 20),
        (&["--format", "knockout"][..], 0),
    ] {
        let arguments: Vec<&str> = common.iter().chain(format).copied().collect();
        let id = create(&home, &arguments);
        let state = wait_for_end(&home, &id);
        assert_eq!(state["status"], "over", "{format:?} {state}");
        let verified = verify(&home, &id);
        assert_eq!(verified["accepted"], true, "{format:?} {verified}");
        assert_eq!(verified["games"], state["games_ended"], "{format:?}");
        assert_eq!(verified["head"], state["head"], "{format:?}");
        if games > 0 {
            assert_eq!(verified["games"], games, "{format:?}");
        }
        // The watcher prints the same events, each once.
        let ran = home.run(&["tournament", "watch", &id, "--json"]);
        ok(&ran);
        let lines: Vec<Value> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let (last, events) = lines.split_last().expect("lines");
        assert_eq!(last["state"]["seq"], events.len());
        for (number, event) in (1..).zip(events) {
            assert_eq!(event["seq"], number);
        }
    }
    let ran = home.run(&["tournament", "list", "--json"]);
    ok(&ran);
    assert_eq!(ran.json()["tournaments"].as_array().map(Vec::len), Some(6));
}

/// A bot as a program in a home of its own.
struct Player {
    home: Home,
    name: String,
    id: String,
    child: Child,
}

impl Player {
    fn start(url: &str, id: &str, name: &str) -> Self {
        let home = Home::at(url);
        home.write("bot.py", BOT);
        let child = Self::launch(&home, id, name);
        Self {
            home,
            name: name.to_owned(),
            id: id.to_owned(),
            child,
        }
    }

    fn launch(home: &Home, id: &str, name: &str) -> Child {
        home.command(&[
            "bot",
            "run",
            "-q",
            "--tournament",
            id,
            "--",
            "python3",
            "bot.py",
            name,
        ])
        .env("PATH", std::env::var("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
    }

    /// Kills the program that plays, and starts it again.
    fn die(&mut self) {
        self.child.kill().expect("it is there");
        self.child.wait().expect("it ends");
        self.child = Self::launch(&self.home, &self.id, &self.name);
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays this format while the server and the bots die at random moments; the verified export.
fn survive(format: &[&str], games: u64) {
    let mut server = Server::start();
    let home = Home::at(&server.url);
    let mut arguments = vec![
        "--bot",
        "random",
        "--players",
        "4",
        "--start",
        "random:nim,heaps=4-5,max=9,count=8",
        "--start-within",
        "60s",
        "--away",
        "60s",
        "--clock",
        "5m+1s",
    ];
    arguments.extend(format);
    let id = create(&home, &arguments);
    let mut players: Vec<Player> = ["ann", "ben", "cyd"]
        .iter()
        .map(|name| Player::start(&server.url, &id, name))
        .collect();
    let until = Instant::now() + PATIENCE;
    let mut kills = 0;
    while kills < 12 {
        assert!(Instant::now() < until, "too slow after {kills} deaths");
        // The moment of a death is random: it is the time itself that is tested.
        std::thread::sleep(Duration::from_millis(150 + 97 * kills % 400));
        let now = state(&home, &id);
        if now["status"] == "entries" {
            continue;
        }
        if now["status"] == "over" {
            break;
        }
        server.kill();
        server.start_again();
        kills += 1;
        let player = kills as usize % players.len();
        players[player].die();
    }
    let end = wait_for_end(&home, &id);
    assert_eq!(end["status"], "over", "{end}");
    assert_eq!(end["games_ended"], games, "{end}");
    let verified = verify(&home, &id);
    assert_eq!(verified["games"], games);
    assert!(kills >= 3, "it was over after {kills} deaths");
    // Each match was made once and no other: the server's own list has exactly the games.
    let ran = home.run(&["games", "list", "--json", "--limit", "1000"]);
    ok(&ran);
    let matches = ran.json()["matches"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!(matches.len() as u64, games);
    assert!(matches.iter().all(|game| game["status"] == "over"));
}

#[test]
fn a_round_robin_survives_deaths_of_server_and_bots() {
    survive(&["--format", "round-robin", "--games", "6"], 36);
}

#[test]
fn a_swiss_tournament_survives_deaths_of_server_and_bots() {
    survive(&["--format", "swiss", "--rounds", "3", "--games", "6"], 36);
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let refused = |arguments: &[&str], code: &str, part: &str| {
        let mut all = vec!["--json"];
        all.extend(arguments);
        let ran = home.run(&all);
        assert_ne!(ran.code, Some(0), "{ran:?}");
        let error = ran.error();
        assert_eq!(error["code"], code, "{error}");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(part), "{error}");
    };
    let new = ["tournament", "create", "Cup"];
    let with = |more: &'static [&'static str]| -> Vec<&'static str> {
        new.into_iter().chain(more.iter().copied()).collect()
    };
    refused(
        &with(&["--players", "10000"]),
        "out_of_range",
        "at most 200",
    );
    refused(&with(&["--games", "3"]), "out_of_range", "even number");
    refused(&with(&["--clock", "none"]), "out_of_range", "needs a clock");
    refused(
        &with(&["--format", "swiss", "--rounds", "0"]),
        "out_of_range",
        "1 to 99",
    );
    refused(&with(&["--start", "nimm:3"]), "suite", "nimm");
    refused(
        &["tournament", "join", "7Kq2mVx9Rt"],
        "no_such_tournament",
        "no such tournament",
    );
    let id = create(
        &home,
        &["--bot", "perfect", "--bot", "random", "--players", "2"],
    );
    wait_for_end(&home, &id);
    refused(&["tournament", "join", &id], "wrong_status", "over");
    refused(
        &["tournament", "withdraw", &id],
        "not_entered",
        "not entered",
    );
    let other = Home::at(&server.url);
    let open = create(&home, &["--players", "4"]);
    let ran = other.run(&["tournament", "start", &open, "--json"]);
    assert_eq!(ran.error()["code"], "not_allowed");
    refused(
        &["tournament", "start", &open],
        "wrong_status",
        "at least 2 players",
    );
    ok(&home.run(&["tournament", "cancel", &open, "--confirm", &open]));
    assert_eq!(state(&home, &open)["status"], "cancelled");
}
