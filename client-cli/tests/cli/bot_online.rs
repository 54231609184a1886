//! A program on a server through `grundy bot run`: many matches at once, series, a server that goes and comes back.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::json;
use tokio_tungstenite::tungstenite;

use crate::bots::block;
use crate::opponent::Opponent;
use crate::program::{Home, Running};
use crate::server::{Server, that_says_in_turn};

/// The bot of the page, which offers to play so many matches at once; and its home.
fn offering(server: &Server, at_once: &str, more: &[&str]) -> (Home, Running, String) {
    let home = Home::at(&server.url);
    home.write("last.py", &block("python"));
    let mut words = vec![
        "bot",
        "run",
        "--games",
        "nim",
        "--at-once",
        at_once,
        "--json",
    ];
    words.extend(more);
    words.extend(["--", "python3", "last.py"]);
    let mut bot = home.start(&words);
    let line = bot.mutters("matches at once");
    let id = line.split("id ").nth(1).expect("an id");
    let id = id.split('.').next().expect("an id").to_owned();
    (home, bot, id)
}

fn challenge(player: &str, base_ms: u64, games: u32) -> serde_json::Value {
    json!({
        "type":"challenge","player":player,"position":"nim:2,2,3","side":"first","games":games,
        "clock":{"type":"fischer","base_ms":base_ms,"increment_ms":1_000},
    })
}

#[test]
fn a_hundred_blitz_games_are_played_at_once_on_one_identity() {
    let server = Server::start();
    let (_home, mut bot, id) = offering(&server, "100", &["--programs", "4"]);
    let mut opponent = Opponent::at(&server);
    let matches: Vec<String> = (0..100)
        .map(|_| {
            let joined = opponent.ask(challenge(&id, 180_000, 1));
            assert_eq!(joined["type"], "joined", "{joined}");
            joined["match"].as_str().expect("an id").to_owned()
        })
        .collect();
    // All of them run before the first move is made, and there is no room for one more.
    let refused = Opponent::at(&server).ask(challenge(&id, 180_000, 1));
    assert_eq!(refused["reason"], "too_many_matches", "{refused}");
    let ends = opponent.play_all(&matches, &[2, 2, 3]);
    assert_eq!(ends.len(), 100);
    for (id, end) in &ends {
        assert_eq!(end["reason"], "last_move", "{id}: {end}");
    }
    // The program heard of every end exactly once.
    let mut told: Vec<String> = (0..100)
        .map(|_| {
            bot.tells("match")["match"]
                .as_str()
                .expect("an id")
                .to_owned()
        })
        .collect();
    told.sort_unstable();
    let mut played = matches;
    played.sort_unstable();
    assert_eq!(told, played);
    bot.signal(rustix::process::Signal::INT);
    assert_eq!(bot.ends_by_itself().code, Some(0));
}

#[test]
fn a_bot_plays_on_after_the_server_was_killed() {
    let mut server = Server::start();
    let (_home, mut bot, id) = offering(&server, "10", &[]);
    let mut opponent = Opponent::at(&server);
    let matches: Vec<String> = (0..10)
        .map(|_| {
            let joined = opponent.ask(challenge(&id, 180_000, 1));
            joined["match"].as_str().expect("an id").to_owned()
        })
        .collect();
    let token = opponent.token.clone();
    server.kill();
    server.start_again();
    bot.mutters("reconnected after");
    let mut opponent = Opponent::again(&server, &token);
    for id in &matches {
        let attached = opponent.ask(json!({"type":"resume","match":id}));
        assert_eq!(attached["type"], "attached", "{attached}");
    }
    let ends = opponent.play_all(&matches, &[2, 2, 3]);
    assert!(
        ends.values().all(|end| end["reason"] == "last_move"),
        "{ends:?}"
    );
    // And it offers to play as before.
    let joined = opponent.ask(challenge(&id, 180_000, 1));
    assert_eq!(joined["type"], "joined", "{joined}");
}

/// What a server says to our bot first.
const WELCOME: &str = r#"{"re":$id,"body":{"type":"welcome","protocol":1,"server":"grundy-server 9","now_ms":1795240800000,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"last","bot":true},"token":"grg_3Jt0","limits":{"message_bytes":16384,"reply_bytes":65536,"burst":30,"requests_per_second":10,"queue_messages":64,"queue_bytes":262144,"matches_per_player":20,"follows_per_connection":20,"solver_ms":200,"solver_bytes":67108864,"review_plies":2000,"ping_ms":15000,"dead_after_ms":35000,"join_code_ms":86400000},"obligations":[]}}"#;
/// It takes no requests for the moment.
const READ_ONLY: &str = r#"{"re":$id,"body":{"type":"error","code":"read_only","message":"the store is full","closes":false}}"#;
/// It is too late.
const CLOSED: &str = r#"{"re":$id,"body":{"type":"error","code":"entries_closed","message":"the entries are closed","closes":false}}"#;

#[test]
fn a_bot_that_comes_back_after_the_entries_closed_ends_at_once() {
    // The first connection breaks while the bot enters; a refusal for the moment is waited for, one that stays is not.
    let url = that_says_in_turn(&[&[WELCOME], &[WELCOME, READ_ONLY], &[WELCOME, CLOSED]]);
    let home = Home::at(&url);
    home.write("last.py", &block("python"));
    let mut bot = home.start(&[
        "bot",
        "run",
        "--tournament",
        "7Kq2mVx9Rt",
        "--",
        "python3",
        "last.py",
    ]);
    bot.mutters("connection lost");
    bot.mutters("the entries are closed");
    let ended = bot.ends_by_itself();
    assert_eq!(ended.code, Some(7), "{ended:?}");
}

/// It takes no guests for the moment, and does not say for how long.
const TOO_FAST: &str = r#"{"re":$id,"body":{"type":"error","code":"rate_limited","message":"too many new guests from your address","closes":false}}"#;
/// Others have the name.
const TAKEN: &str = r#"{"re":$id,"body":{"type":"error","code":"name_taken","message":"another player has the name","field":"name","example":"last-1","closes":false}}"#;

/// Our bot, which only signs in on this server.
fn signing_in(url: &str) -> (Home, Running) {
    let home = Home::at(url);
    home.write("last.py", &block("python"));
    let bot = home.start(&["--timeout", "1s", "bot", "run", "--", "python3", "last.py"]);
    (home, bot)
}

#[test]
fn a_bot_that_is_refused_for_the_moment_waits_says_so_once_and_goes_on() {
    let url = that_says_in_turn(&[&[TOO_FAST], &[], &[TOO_FAST], &[WELCOME]]);
    let (_home, mut bot) = signing_in(&url);
    bot.mutters("too many new guests from your address. The bot waits and tries again");
    bot.mutters("connected after");
    let ended = bot.ends_by_itself();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!ended.stderr.contains("waits and tries"), "{ended:?}");
}

#[test]
fn a_bot_that_is_one_too_many_at_its_address_waits() {
    let url = that_says_in_turn(&[&[WELCOME]]);
    let address = url.strip_prefix("http://").expect("a URL").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let full = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client");
        // The head of the request; what else is in it does not matter.
        let _ = client.read(&mut [0; 4096]);
        let refused = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        client.write_all(refused.as_bytes()).expect("it reads");
        drop(client);
        let (client, _) = listener.accept().expect("a client");
        let server = TcpStream::connect(address).expect("the server");
        let (mut from, mut to) = (
            client.try_clone().expect("a socket"),
            server.try_clone().expect("a socket"),
        );
        std::thread::spawn(move || std::io::copy(&mut from, &mut to));
        let (mut from, mut to) = (server, client);
        let _ = std::io::copy(&mut from, &mut to);
    });
    let (_home, mut bot) = signing_in(&full);
    bot.mutters("The bot waits and tries again");
    bot.mutters("connected after");
    let ended = bot.ends_by_itself();
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn a_bot_takes_another_name_as_often_as_its_name_is_taken() {
    let url = that_says_in_turn(&[&[TAKEN, TAKEN, TAKEN, WELCOME]]);
    let (_home, bot) = signing_in(&url);
    let ended = bot.ends_by_itself();
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

/// A server closes a connection whose client does not sign in.
#[test]
fn a_bot_that_waits_for_other_programs_keeps_no_connection_open() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let home = Home::at(&url);
    home.write("last.py", &block("python"));
    let directory = home.file(".config/grundy");
    std::fs::create_dir_all(&directory).expect("a directory");
    let lock = std::fs::File::create(directory.join("credentials.lock")).expect("a file");
    lock.lock().expect("nobody has it");
    let bot = home.start(&["bot", "run", "--", "python3", "last.py"]);
    let mut first = tungstenite::accept(listener.accept().expect("a client").0).expect("a client");
    let said = first.read();
    assert!(said.is_err(), "it spoke without the lock: {said:?}");
    drop(lock);
    let mut second = tungstenite::accept(listener.accept().expect("a client").0).expect("a client");
    second.read().expect("hello");
    let welcome = WELCOME.replace("$id", "0");
    second
        .send(tungstenite::Message::text(welcome))
        .expect("it reads");
    // Until it hangs up.
    while second.read().is_ok() {}
    let ended = bot.ends_by_itself();
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

/// Waiting does not help: the server's certificate will not be another one, nor will the address be encrypted.
#[test]
fn a_bot_does_not_wait_for_what_does_not_pass() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let _ = client.read(&mut [0; 4096]);
            let refused =
                "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            let _ = client.write_all(refused.as_bytes());
        }
    });
    let (_home, bot) = signing_in(&url);
    let ended = bot.ends_by_itself();
    assert_eq!(ended.code, Some(5), "{ended:?}");
}

#[test]
fn a_series_is_played_by_a_person_and_a_bot() {
    let server = Server::start();
    let (_home, mut bot, _) = offering(&server, "1", &[]);
    let home = Home::at(&server.url);
    // The bot takes the last heap as a whole: in game 1 it comes second and wins, in game 2 it comes first and loses.
    let words = [
        "play",
        "nim:1,1",
        "--against",
        "last",
        "--side",
        "first",
        "--games",
        "2",
    ];
    let ran = home.feed(&words, "a-1\na-1\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let said = [
        "This is game 1 of 2, sides swapped after each.",
        "Score after game 1 of 2: you 0, last 1.",
        "This is game 2 of 2. Score: last 1, you 0.",
        "Score after game 2 of 2: last 1, you 1. The series is over.",
    ];
    let mut rest = ran.stdout.as_str();
    for sentence in said {
        let at = rest.find(sentence);
        let at = at.unwrap_or_else(|| panic!("no '{sentence}' in {}", ran.stdout));
        rest = &rest[at + sentence.len()..];
    }
    bot.tells("match");
    let second = bot.tells("match");
    let id = second["match"].as_str().expect("an id");
    let shown = home.run(&["games", "show", id]);
    assert!(
        shown.stdout.contains("game 2 of 2, score 1-1 of series"),
        "{shown:?}"
    );
    let listed = home.run(&["games", "list"]);
    assert!(
        listed.stdout.contains("game 1 of 2, score 0-1"),
        "{listed:?}"
    );
    assert!(
        listed.stdout.contains("game 2 of 2, score 1-1"),
        "{listed:?}"
    );
    let watched = Home::at(&server.url).run(&["watch", id]);
    assert_eq!(watched.code, Some(0), "{watched:?}");
    // A number of games that is no series.
    let refused = home.run(&["play", "nim:1,1", "--against", "last", "--games", "3"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused
            .stderr
            .contains("write 1, or an even number up to 1000"),
        "{refused:?}"
    );
}

#[test]
fn a_watcher_is_led_from_game_to_game() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let mut ann = home.start(&[
        "play", "nim:1,1", "--invite", "--side", "first", "--games", "2",
    ]);
    let shown = ann.says("Match ");
    let id = shown.split_whitespace().nth(1).expect("an id");
    let id = id.trim_end_matches('.').to_owned();
    let code = shown.split_whitespace().last().expect("a code").to_owned();
    let friend = Home::at(&server.url);
    let mut bo = friend.start(&["join", &code]);
    ann.says("Your move");
    // Its directory stays as long as the program runs.
    let watcher = Home::at(&server.url);
    let mut eve = watcher.start(&["watch", &id, "--json"]);
    eve.tells("snapshot");
    ann.types("a-1");
    bo.says("Your move");
    bo.types("b-1");
    assert_eq!(eve.tells("result")["series"]["second_wins"], 1);
    bo.says("This is game 2 of 2");
    bo.types("a-1");
    ann.says("Your move");
    ann.types("b-1");
    let last = eve.tells("result");
    assert_eq!(last["series"]["second_wins"], 1, "{last}");
    assert_eq!(last["next"], serde_json::Value::Null);
    assert_eq!(eve.ends_by_itself().code, Some(0));
}

#[test]
fn the_standing_offer_of_the_page_is_one() {
    let server = Server::start();
    let block = block("json");
    let mut frames = block.lines().map(|line| {
        let frame: serde_json::Value = serde_json::from_str(line).expect("a frame");
        frame["body"].clone()
    });
    let hello = frames.next().expect("a greeting");
    let mut bot = Opponent::saying(&server, hello);
    for body in frames.by_ref().take(2) {
        let reply = bot.ask(body);
        assert_ne!(reply["type"], "error", "{reply}");
    }
    let mut opponent = Opponent::at(&server);
    let joined = opponent.ask(challenge("last", 60_000, 1));
    assert_eq!(joined["type"], "joined", "{joined}");
    let began = loop {
        let frame = bot.frame();
        if frame["body"]["type"] == "match_began" {
            break frame["body"]["match"].clone();
        }
    };
    let mut resume = frames.next().expect("a last frame");
    resume["match"] = began;
    assert_eq!(bot.ask(resume)["type"], "attached");
}

#[test]
fn a_bot_that_has_gone_from_the_match_gives_no_rematch() {
    let server = Server::start();
    let (_home, _bot, _) = offering(&server, "1", &[]);
    let home = Home::at(&server.url);
    let words = ["play", "nim:1,1", "--against", "last", "--side", "first"];
    let (mut ann, mut keyboard) = home.start_at_terminal(&words);
    ann.says("Your move");
    keyboard.write_all(b"a-1\n").expect("a terminal");
    ann.says("Review:  grundy review");
    keyboard.write_all(b"y\n").expect("a terminal");
    ann.mutters("last has left: there is no rematch");
}
