//! Tournaments on a real server: every format to its end, bots as programs, deaths of the server and of bots, and the export.

use serde_json::Value;

use crate::program::{Home, Ran, Running};
use crate::server::Server;

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
    let ran = home.run(&["tournament", "watch", id, "--json"]);
    ok(&ran);
    let last = ran.stdout.lines().last().expect("a line");
    let last: Value = serde_json::from_str(last).expect("JSON");
    last["state"].clone()
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
        let ran = home.run(&["tournament", "watch", &id]);
        ok(&ran);
        assert!(ran.stdout.contains(" won (last move)"), "{ran:?}");
        // What was missed is counted as it was then.
        let counts = ran.stdout.lines().filter(|line| line.contains(" won ("));
        for (number, line) in (1..).zip(counts) {
            let count = format!("{number}/");
            assert!(line.contains(&count), "{line}");
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

/// A bot as a program with its own home directory.
struct Player {
    home: Home,
    name: String,
    id: String,
    running: Option<Running>,
}

impl Player {
    fn start(url: &str, id: &str, name: &str) -> Self {
        let home = Home::at(url);
        home.write("bot.py", BOT);
        let mut player = Self {
            home,
            name: name.to_owned(),
            id: id.to_owned(),
            running: None,
        };
        player.launch();
        player
    }

    /// Starts the program, and waits until it has signed in: from there on it comes back by itself.
    fn launch(&mut self) {
        let (id, name) = (&self.id, &self.name);
        let mut command = self.home.command(&[
            "bot",
            "run",
            "-v",
            "--tournament",
            id,
            "--",
            "python3",
            "bot.py",
            name,
        ]);
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        let mut running = Running::start(&mut command);
        running.mutters(&format!(", as {name}"));
        self.running = Some(running);
    }

    /// Kills the program that plays, and starts it again.
    fn die(&mut self) {
        self.running.take().expect("it runs").kill();
        self.launch();
    }
}

/// Somebody who watches, in a process that may be killed.
struct Watcher<'h> {
    home: &'h Home,
    id: String,
    running: Running,
    /// The newest event that was printed.
    seq: u64,
}

impl<'h> Watcher<'h> {
    fn start(home: &'h Home, id: &str) -> Self {
        Self {
            home,
            id: id.to_owned(),
            running: home.start(&["tournament", "watch", id, "--json"]),
            seq: 0,
        }
    }

    /// Is killed, and begins again with event 1.
    fn die(self) -> Self {
        self.running.kill();
        Self::start(self.home, &self.id)
    }

    /// The next event, which follows the one before without a gap, whatever happened to the server.
    fn event(&mut self) -> Value {
        let line = self.running.says("\"seq\":");
        let event: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(
            event["seq"],
            self.seq + 1,
            "after event {}: {line}",
            self.seq
        );
        self.seq += 1;
        event["body"].clone()
    }
}

/// Plays this format while the server, the bots and the runner's watcher die at random moments; the verified export.
fn survive(format: &[&str], games: u64) {
    let seed = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("a clock")
        .subsec_nanos();
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
        "40s",
        "--away",
        "40s",
        "--clock",
        "5m+1s",
    ];
    arguments.extend(format);
    let id = create(&home, &arguments);
    let mut players: Vec<Player> = ["ann", "ben", "cyd"]
        .iter()
        .map(|name| Player::start(&server.url, &id, name))
        .collect();
    let mut watcher = Watcher::start(&home, &id);
    let (mut kills, mut since) = (0u32, 0);
    let mut wait = 1 + seed % 4;
    loop {
        let event = watcher.event();
        if event["type"] == "seed_opened" {
            break;
        }
        if event["type"] == "game_ended" {
            // Nobody loses a game because something died.
            assert_eq!(event["reason"], "last_move", "{event}, seed {seed}");
            since += 1;
        }
        if since < wait || kills >= 8 {
            continue;
        }
        server.kill();
        server.start_again();
        kills += 1;
        since = 0;
        wait = 1 + (seed >> kills) % 4;
        let player = kills as usize % players.len();
        players[player].die();
        if kills.is_multiple_of(3) {
            let before = watcher.seq;
            watcher = watcher.die();
            // What was seen is there still.
            while watcher.seq < before {
                watcher.event();
            }
        }
    }
    assert!(kills >= 3, "it was over after {kills} deaths, seed {seed}");
    let end = state(&home, &id);
    assert_eq!(end["status"], "over", "{end}");
    assert_eq!(end["games_ended"], games, "{end}");
    assert_eq!(end["seq"], watcher.seq);
    let verified = verify(&home, &id);
    assert_eq!(verified["games"], games);
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
fn a_person_plays_every_game_at_one_terminal() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let id = create(
        &home,
        &["--bot", "random", "--players", "2", "--start", "nim:1"],
    );
    let mut ann = home.start(&["tournament", "play", &id]);
    // Ann moves first in game 1, and the bot in game 2.
    ann.says("Your move");
    ann.types("A-1");
    let ran = ann.ends_by_itself();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("head "), "the standings: {ran:?}");
    let end = state(&home, &id);
    assert_eq!(end["status"], "over");
    for row in end["standings"].as_array().expect("rows") {
        assert_eq!(row["wins"], 1, "{end}");
    }
    verify(&home, &id);
}

#[test]
fn tables_of_the_export_agree_with_the_standings() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let id = create(
        &home,
        &[
            "--format",
            "swiss",
            "--rounds",
            "2",
            "--bot",
            "perfect",
            "--bot",
            "random",
            "--bot",
            "greedy",
            "--bot",
            "skill:0.5",
            "--players",
            "4",
            "--start",
            "random:nim,heaps=3-4,max=7,count=8",
        ],
    );
    let end = wait_for_end(&home, &id);
    ok(&home.run(&[
        "tournament",
        "export",
        &id,
        "cup.ndjson",
        "--csv",
        "cup.csv",
        "--trf",
        "cup.trf",
    ]));
    // Accuracy: the same in the table, in the export as the verifier computes it, and with the standings.
    let verified = verify(&home, &id);
    let ran = home.run(&["tournament", "show", &id, "--accuracy", "--json"]);
    ok(&ran);
    let accuracy = ran.json()["accuracy"].clone();
    assert_eq!(accuracy, verified["accuracy"]);
    assert_eq!(accuracy.as_array().map(Vec::len), Some(4));
    let text = home.run(&["tournament", "show", &id, "--accuracy"]);
    assert!(text.stdout.contains("100.0 % ("), "{text:?}");
    ok(&home.run(&["tournament", "export", &id, "plain.ndjson", "--no-accuracy"]));
    let ran = home.run(&["verify", "tournament", "plain.ndjson", "--json"]);
    ok(&ran);
    assert!(ran.json().get("accuracy").is_none());
    let ran = home.run(&["verify", "tournament", "cup.csv"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("grundy tournament export"), "{ran:?}");
    let ran = home.run(&["tournament", "show", "7Kq2mVx9Rt"]);
    assert!(ran.stderr.contains("'grundy tournament list'"), "{ran:?}");
    let csv = std::fs::read_to_string(home.file("cup.csv")).expect("the file");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let column = |name: &str| {
        head.iter()
            .position(|other| *other == name)
            .expect("a column")
    };
    for (line, row) in lines.zip(end["standings"].as_array().expect("rows")) {
        let name = line[column("name")].trim_matches('"');
        assert_eq!(row["name"], name);
        assert_eq!(
            line[column("points")],
            row["points"].as_f64().expect("points").to_string()
        );
        if name == "perfect" {
            assert_eq!(line[column("accuracy")], "1.0000", "{csv}");
        }
    }
    let ran = home.run(&["tournament", "standings", "cup.trf", "--json"]);
    ok(&ran);
    assert_eq!(ran.json()["rows"].as_array().map(Vec::len), Some(4));
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
fn a_bot_withdraws_while_it_thinks() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let id = create(&home, &["--players", "2", "--games", "2"]);
    // It never answers.
    let silent = Home::at(&server.url);
    let thinks = silent.file("thinks");
    let note = format!("open({:?}, 'w').close()", thinks.display().to_string());
    let answer = "print('moves', go['id'], flush=True)";
    silent.write("bot.py", &BOT.replace(answer, &note));
    let withdraw = ["tournament", "withdraw", &id, "--bot", "--json"];
    let ran = silent.run(&withdraw);
    assert_eq!(ran.error()["code"], "no_bot", "{ran:?}");
    let mut command = silent.command(&[
        "bot",
        "run",
        "--tournament",
        &id,
        "--",
        "python3",
        "bot.py",
        "silent",
    ]);
    command.env("PATH", std::env::var("PATH").unwrap_or_default());
    let running = Running::start(&mut command);
    let _other = Player::start(&server.url, &id, "other");
    running.waits_until(|| thinks.exists());
    // The person whose bot it is has not entered.
    let ran = silent.run(&["tournament", "withdraw", &id, "--json"]);
    assert_eq!(ran.error()["code"], "not_entered", "{ran:?}");
    assert!(
        ran.error()["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("--bot"))
    );
    ok(&silent.run(&withdraw));
    let end = wait_for_end(&home, &id);
    assert_eq!(end["status"], "over");
    assert_eq!(end["games_ended"], 2);
    let rows = end["standings"].as_array().expect("rows");
    assert_eq!(
        (&rows[0]["name"], &rows[0]["points"]),
        (&"other".into(), &2.0.into())
    );
    assert_eq!(
        (&rows[1]["name"], &rows[1]["withdrawn"]),
        (&"silent".into(), &true.into())
    );
    let ended = running.ends_by_itself();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(verify(&home, &id)["accepted"], true);
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
        "at most 1000",
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
    for wish in ["start", "pause", "resume"] {
        refused(&["tournament", wish, &open], "wrong_status", "over");
    }
}

/// The same as a shell starts it: a small process, of which a busy machine can run many.
const SMALL_BOT: &str = "\
while read -r verb rest; do
    case $verb in
        grundy) echo 'bot name same'; echo ok ;;
        go) set -- $rest; echo \"moves $2\" ;;
        moves) set -- $rest; id=$1; for move; do :; done; echo \"move $id $move\" ;;
        quit) exit ;;
    esac
done
";

/// Bots with one name and one home directory, each with a new profile, start before the server: each waits, says so once, and enters.
#[test]
fn many_bots_that_start_before_the_server_enter_and_play() {
    const BOTS: usize = 25;
    let mut server = Server::start();
    let home = Home::at(&server.url);
    let many = BOTS.to_string();
    let format = ["--format", "swiss", "--rounds", "2", "--games", "2"];
    let rest = ["--start", "nim:1,2", "--start-within", "5m", "--away", "5m"];
    let players = ["--players", &many, "--clock", "5m+1s"];
    let id = create(&home, &[&format[..], &rest, &players].concat());
    server.kill();

    home.write("bot.sh", SMALL_BOT);
    let start = |number: usize| {
        let profile = format!("bot{number}");
        let run = ["--profile", &profile, "bot", "run", "--tournament", &id];
        let mut command = home.command(&[&run[..], &["--", "sh", "bot.sh"]].concat());
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        Running::start(&mut command)
    };
    let started = (0..BOTS).map(start).map(|mut bot| {
        bot.mutters("The bot waits and tries again");
        bot
    });
    let bots: Vec<Running> = started.collect();
    server.start_again();

    let end = wait_for_end(&home, &id);
    assert_eq!(end["status"], "over", "{end}");
    let standings = end["standings"].as_array().expect("rows");
    assert_eq!(standings.len(), BOTS);
    for row in standings {
        assert!(
            row["name"]
                .as_str()
                .is_some_and(|name| name.starts_with("same")),
            "{row}"
        );
    }
    assert_eq!(end["games_ended"], 2 * 2 * (BOTS as u64 / 2), "{end}");
    for bot in bots {
        let ran = bot.ends_by_itself();
        ok(&ran);
        // The reason for the wait was printed above.
        assert!(!ran.stderr.contains("waits and tries again"), "{ran:?}");
    }
    let verified = verify(&home, &id);
    assert_eq!(verified["accepted"], true, "{verified}");
}
