//! The files of bots: options that the bot did not offer, and what would be more than an option or a variable.

use std::fs;

use crate::arena::{arena, games};
use crate::program::{Home, Ran};

/// A bot that offers two options, and keeps every line that it is sent.
const BOT: &str = r#"import sys

log = open("heard.txt", "a")
for line in sys.stdin:
    log.write(line)
    log.flush()
    verb, *words = line.split()
    if verb == "grundy":
        print("bot name offers")
        print("option name depth type int default 5 min 1 max 9")
        print("option name book type text default none")
        print("ok", flush=True)
    elif verb == "go":
        go = dict(zip(words[::2], words[1::2]))
        print("moves", go["id"], flush=True)
    elif verb == "moves":
        print("move", words[0], words[-1], flush=True)
    elif verb == "quit":
        break
"#;

/// Plays against a bot whose file ends like this.
fn play(home: &Home, rest: &str, arguments: &[&str]) -> Ran {
    home.write("offers.py", BOT);
    home.write(
        "own.toml",
        &format!("name = \"own\"\ncommand = \"python3 offers.py\"\n{rest}\n"),
    );
    let bots = ["--bot", "own.toml", "--bot", "random"];
    arena(
        home,
        &bots,
        &[&["--pairs", "1", "--json"], arguments].concat(),
    )
}

/// The message and the hint of a refusal.
fn refused(ran: &Ran) -> String {
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let error = ran.error();
    format!(
        "{} | {}",
        error["message"].as_str().expect("words"),
        error["hint"].as_str().unwrap_or_default()
    )
}

#[test]
fn options_that_the_bot_did_not_offer_are_refused_before_any_game() {
    let home = Home::new();
    for (options, words) in [
        (
            "dept = 7",
            &["own", "dept", "did you mean depth?", "from 1 to 9"][..],
        ),
        ("colour = \"red\"", &["colour", "it offers depth"]),
        (
            "depth = 70",
            &["own", "depth = 70", "from 1 to 9", "such as depth = 5"],
        ),
        ("depth = 0", &["depth = 0", "from 1 to 9"]),
        ("depth = \"x\"", &["depth = x", "from 1 to 9"]),
        ("depth = 5.5", &["depth = 5.5", "from 1 to 9"]),
    ] {
        let ran = play(&home, &format!("[options]\n{options}"), &["--out", "out"]);
        let told = refused(&ran);
        for word in words {
            assert!(told.contains(word), "{options}: {told}");
        }
        let heard = fs::read_to_string(home.file("heard.txt")).expect("a file");
        assert!(!heard.contains("set "), "{options}: {heard}");
        assert!(!home.file("out").exists(), "{options}");
    }
}

#[test]
fn options_that_the_bot_offered_are_set_at_every_start_and_after_a_resume() {
    let home = Home::new();
    let options = "restart = true\n[options]\ndepth = 9\nbook = \"a b\"";
    let ran = play(&home, options, &["--out", "out"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let heard = fs::read_to_string(home.file("heard.txt")).expect("a file");
    assert_eq!(heard.matches("set depth 9\n").count(), 2, "{heard}");
    assert_eq!(heard.matches("set book a b\n").count(), 2, "{heard}");
    let journal = fs::read_to_string(home.file("out/journal.ndjson")).expect("a journal");
    let (kept, _) = journal.trim_end().rsplit_once('\n').expect("lines");
    home.write("out/journal.ndjson", &format!("{kept}\n"));
    let ran = home.run(&["arena", "--resume", "out", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let heard = fs::read_to_string(home.file("heard.txt")).expect("a file");
    assert_eq!(heard.matches("set depth 9\n").count(), 3, "{heard}");
}

#[test]
fn what_is_more_than_an_option_or_a_variable_is_refused_when_the_file_is_read() {
    let home = Home::new();
    for (rest, words) in [
        (
            "[options]\nbook = \"a\\nquit\"",
            &["own.toml", "book", "line breaks"][..],
        ),
        (
            "[options]\nbook = \"a\\u001b[2J\"",
            &["own.toml", "book", "control"],
        ),
        (
            "[options]\n\"book a\\nquit\" = \"b\"",
            &["own.toml", "spaces"],
        ),
        ("[options]\n\"\" = \"b\"", &["own.toml", "name"]),
        (
            "[env]\nGRUNDY_BOT = \"mine\"",
            &["own.toml", "GRUNDY_BOT", "runner"],
        ),
        ("[env]\n\"A=B\" = \"x\"", &["own.toml", "A=B", "'='"]),
        ("[env]\n\"\" = \"x\"", &["own.toml", "empty"]),
    ] {
        let told = refused(&play(&home, rest, &[]));
        for word in words {
            assert!(told.contains(word), "{rest}: {told}");
        }
    }
    assert!(!home.file("heard.txt").exists(), "no bot was started");
}

/// The bot above, but it never says `ok` at its first start.
const LATE: &str = r#"
import os, sys, time
if not os.path.exists("started"):
    open("started", "w").close()
    time.sleep(3600)
exec(open("offers.py").read())
"#;

#[test]
fn options_of_a_bot_that_is_ready_only_later_are_checked_then() {
    for (options, refused) in [
        ("dept = 7", Some("did you mean depth?")),
        ("depth = 7", None),
    ] {
        let home = Home::new();
        home.write("offers.py", BOT);
        home.write("late.py", LATE);
        home.write(
            "own.toml",
            &format!("name = \"own\"\ncommand = \"python3 late.py\"\n[options]\n{options}\n"),
        );
        let bots = [
            "--bot",
            "own.toml",
            "--bot",
            "random",
            "--bot",
            "one=greedy",
        ];
        let rest = ["--pairs", "1", "--start-limit", "8s", "--json"];
        let ran = arena(&home, &bots, &rest);
        assert!(ran.stderr.contains("own is not ready"), "{ran:?}");
        let mut own = games(&ran);
        own.retain(|game| game["first"] == "own" || game["second"] == "own");
        assert_eq!(own.len(), 4, "{ran:?}");
        let heard = fs::read_to_string(home.file("heard.txt")).expect("a file");
        for game in own {
            let unready = game["cause"] == "not_ready";
            assert_eq!(unready, refused.is_some(), "{game}");
            if let Some(words) = refused {
                let detail = game["detail"].as_str().expect("words");
                assert!(detail.contains(words), "{detail}");
            }
        }
        assert_eq!(heard.contains("set "), refused.is_none(), "{heard}");
    }
}
