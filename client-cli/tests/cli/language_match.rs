//! Matches, reviews, lessons, the lobby and refusals in Chinese: nothing in them is English but names, notation and what is typed.

use std::collections::BTreeSet;
use std::process::Command;

use crate::language::latin;
use crate::online::word_after;
use crate::program::{Home, Ran, Running};
use crate::server::Server;

/// What may be in Latin letters: names, notation, commands, and the words that are typed.
const FOREIGN: &[&str] = &[
    "Ada",
    "Player",
    "Bo",
    "Anti",
    "SG",
    "Every",
    "Ctrl",
    "Enter",
    "URL",
    "README",
    "Grundy",
    "KWQHRMTB",
    // Commands and flags.
    "grundy",
    "server",
    "local",
    "budget",
    "play",
    "resume",
    "review",
    "learn",
    "explain",
    "watch",
    "join",
    "lobby",
    "rules",
    "show",
    "list",
    "move",
    "bot",
    "side",
    "right",
    "invite",
    "open",
    "anyone",
    "help",
    "first",
    "two",
    "solve",
    "games",
    "mine",
    "clock",
    "rated",
    "leaderboard",
    "provisional",
    "limit",
    "http",
    "misere",
    "progress",
    "forget",
    // Words that are typed.
    "board",
    "moves",
    "more",
    "pre",
    "if",
    "hint",
    "why",
    "undo",
    "pause",
    "adjourn",
    "continue",
    "draw",
    "abort",
    "accept",
    "decline",
    "withdraw",
    "claim",
    "resign",
    "rematch",
    "quit",
    "none",
    "second",
    "say",
    "chat",
    "mute",
    "unmute",
    "then",
    "solution",
    "skip",
    "next",
    "ply",
    "back",
    "match",
    "start",
    "end",
    "yes",
    "no",
    "hlep",
    "zzz",
    // Games, and bots by their strength.
    "nim",
    "kayles",
    "wythoff",
    "club",
    "perfect",
    "random",
];

/// The words of Latin letters that nothing excuses; `names` are those of this run, such as the ids of matches.
pub(crate) fn foreign<'t>(text: &'t str, names: &[&str]) -> BTreeSet<&'t str> {
    let names: BTreeSet<&str> = names.iter().flat_map(|name| latin(name)).collect();
    let flags = flags(text);
    latin(text)
        .into_iter()
        .filter(|word| !FOREIGN.contains(word) && !names.contains(word) && !flags.contains(word))
        .collect()
}

/// The words of flags, which are typed: `--tie-breaks`.
fn flags(text: &str) -> BTreeSet<&str> {
    let after = text.match_indices("--").map(|(at, _)| &text[at..]);
    let flags = after.map(|rest| {
        let is_other = |c: char| !(c.is_ascii_lowercase() || c == '-');
        &rest[..rest.find(is_other).unwrap_or(rest.len())]
    });
    flags.flat_map(latin).collect()
}

/// Nothing in the output is English but these names, and something is Chinese.
pub(crate) fn is_chinese(ran: &Ran, names: &[&str]) {
    for text in [&ran.stdout, &ran.stderr] {
        let foreign = foreign(text, names);
        assert!(foreign.is_empty(), "{foreign:?} in {ran:?}");
    }
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!said.is_ascii(), "{ran:?}");
}

/// The program in Chinese, for a player with this name.
pub(crate) fn command(home: &Home, name: &str, arguments: &[&str]) -> Command {
    let mut command = home.command(&[arguments, &["--lang", "zh-CN"]].concat());
    command.env("GRUNDY_NAME", name);
    command
}

pub(crate) fn start(home: &Home, name: &str, arguments: &[&str]) -> Running {
    Running::start(&mut command(home, name, arguments))
}

pub(crate) fn fed(home: &Home, arguments: &[&str], input: &str) -> Ran {
    home.feed(&[arguments, &["--lang", "zh-CN"]].concat(), input)
}

pub(crate) fn run(home: &Home, arguments: &[&str]) -> Ran {
    fed(home, arguments, "")
}

#[test]
fn a_match_of_two_at_one_keyboard_and_all_that_can_be_typed() {
    let home = Home::new();
    let play = ["play", "nim:1,2", "--local", "--two"];
    let typed = "help\nmoves\nboard\nrules\nclock\nsay\nchat\nmute\npre\nif\nif A-1 B-1\nundo\naccept\nwithdraw\ncontinue\n\
                 rematch\nclaim\npause\nadjourn\ndraw\nhint\nwhy\nA-9\nzzz\nhlep\n7\nA-1\nundo\nB-1\nA-1\nB-1\n";
    let ran = fed(&home, &play, typed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ids: BTreeSet<&str> = ids(&ran.stdout);
    is_chinese(&ran, &ids.iter().copied().collect::<Vec<_>>());
    // Who won, where it was decided, and what can be done next.
    for said in [
        "\u{83b7}\u{80dc}\u{ff1a}",
        "\u{80dc}\u{8d1f}\u{51b3}\u{5b9a}",
        "\u{590d}\u{76d8}\u{ff1a}",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {ran:?}");
    }
}

/// The ids of matches in commands.
fn ids(text: &str) -> BTreeSet<&str> {
    let commands = ["grundy review ", "grundy learn ", "grundy resume "];
    let after = commands.iter().flat_map(|command| {
        let places = text.match_indices(command);
        places.map(|(at, _)| &text[at + command.len()..])
    });
    after
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric()).next())
        .filter(|id| id.len() == 10)
        .collect()
}

#[test]
fn a_match_against_a_bot_that_is_left_resumed_reviewed_and_learnt_from() {
    let home = Home::new();
    let play = [
        "play",
        "nim:3,5,7",
        "--local",
        "--side",
        "first",
        "--bot",
        "perfect",
    ];
    let left = fed(&home, &play, "A-2\n");
    let id = *ids(&left.stderr).first().expect("how to return");
    is_chinese(&left, &[id]);
    let resumed = fed(&home, &["resume"], "board\nresign\n");
    is_chinese(&resumed, &[id]);
    assert!(
        resumed.stdout.contains("\u{60a8}\u{8ba4}\u{8f93}"),
        "{resumed:?}"
    );
    for asked in [
        &["review", id][..],
        &["review", id, "--ply", "1"],
        &["learn", "--progress"],
        &["explain", "nim:3,5,7", "--move", "A-2"],
    ] {
        let ran = run(&home, asked);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        is_chinese(&ran, &[id, "perfect", "first"]);
    }
    let lesson = fed(
        &home,
        &["learn", id],
        "?\nhint\nhint\nhint\nA-2\nwhy\nzzz\nmoves\nrules\nboard\nsolution\n",
    );
    is_chinese(&lesson, &[id]);
    assert_eq!(lesson.code, Some(0), "{lesson:?}");
    let walked = fed(
        &home,
        &["explore", id],
        "help\nnext\nwhy\nback\nmoves\nB-1\nmatch\nquit\n",
    );
    is_chinese(&walked, &[id, "perfect"]);
}

#[test]
fn a_match_between_two_people_with_chat_and_a_watcher() {
    let server = Server::start();
    let homes = [(); 3].map(|()| Home::at(&server.url));
    let [a_home, b_home, c_home] = &homes;
    let mut a = start(
        a_home,
        "Ada",
        &["play", "nim:1,2", "--invite", "--side", "first"],
    );
    let line = a.says("\u{52a0}\u{5165}\u{7801}");
    let code = word_after(&line, "\u{52a0}\u{5165}\u{7801}\u{ff1a}").to_owned();
    let id = word_after(&line, "\u{5bf9}\u{5c40} ").to_owned();
    let mut b = start(b_home, "Bo", &["join", &code]);
    a.says("\u{8f6e}\u{5230}\u{60a8}\u{8d70}");
    b.says("\u{8f6e}\u{5230} Ada \u{8d70}");
    let mut c = start(c_home, "Cy", &["watch", &id]);
    c.says("\u{8f6e}\u{5230} Ada \u{8d70}");
    // What a script types takes effect at its turn.
    a.types("hint");
    a.mutters("\u{6ca1}\u{6709}\u{63d0}\u{793a}");
    a.types("A-1");
    b.says("\u{8f6e}\u{5230}\u{60a8}\u{8d70}");
    b.types("undo");
    b.mutters("\u{672c}\u{5c40}\u{4e0d}\u{80fd}");
    // A phrase that everybody reads in the own language.
    b.types("say good luck");
    a.says("\u{795d}\u{4f60}\u{597d}\u{8fd0}");
    b.types("B-1");
    a.says("\u{8f6e}\u{5230}\u{60a8}\u{8d70}");
    a.types("undo");
    b.says("\u{63d0}\u{8bae}\u{6094}\u{4e00}\u{6b65}\u{68cb}");
    a.says("\u{60a8}\u{63d0}\u{8bae}");
    a.types("withdraw");
    b.says("\u{64a4}\u{56de}\u{4e86}");
    a.types("B-1");
    for player in [&mut a, &mut b, &mut c] {
        player.says("\u{83b7}\u{80dc}\u{ff1a}");
    }
    a.says("grundy review");
    let names = [&*id, &*code, &*server.url, "Two people at home"];
    for player in [&a, &b, &c] {
        for line in &player.seen {
            let foreign = foreign(line, &names);
            assert!(foreign.is_empty(), "{foreign:?} in {line}");
        }
    }
    let review = run(c_home, &["review", &id]);
    assert_eq!(review.code, Some(0), "{review:?}");
    is_chinese(&review, &names);
}

#[test]
fn the_lobby_ratings_and_what_a_server_refuses() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let mut a = start(
        &home,
        "Ada",
        &["play", "nim:3,5,7", "--open", "--clock", "3+2"],
    );
    a.mutters("\u{60a8}\u{7684}\u{7a7a}\u{4f4d}\u{5df2}\u{5f00}");
    let b_home = Home::at(&server.url);
    let lobby = run(&b_home, &["lobby"]);
    assert!(lobby.stdout.contains("\u{7a7a}\u{4f4d}"), "{lobby:?}");
    let seat = lobby.stdout.split_whitespace().last().unwrap_or_default();
    is_chinese(&lobby, &[seat, "Ada"]);
    for (asked, code) in [
        (&["lobby", "7Kq2mVx9Rt"][..], 4),
        (&["watch", "7Kq2mVx9Rt"], 4),
        (&["watch", "no id"], 3),
        (&["join", "KWQHRMTB"], 4),
        (&["join", "12"], 3),
        (&["resume"], 4),
        (&["play", "nim:0", "--bot", "club"], 3),
        (&["rating"], 0),
        (&["rating", "--history", "nim"], 0),
        (&["leaderboard", "nim"], 0),
        (&["leaderboard", "nim", "--provisional", "--bots"], 0),
    ] {
        let ran = run(&b_home, asked);
        let name = guest(&b_home);
        is_chinese(
            &ran,
            &[
                "7Kq2mVx9Rt",
                "no id",
                &name,
                &server.url,
                "default",
                "bots",
                "after",
            ],
        );
        assert_eq!(ran.code, Some(code), "{asked:?}: {ran:?}");
    }
    // For programs a refusal is the same in every language.
    let asked = ["watch", "7Kq2mVx9Rt", "--json"];
    assert_eq!(b_home.run(&asked).stderr, run(&b_home, &asked).stderr);
}

/// The name that the server made up for the guest of a home.
pub(crate) fn guest(home: &Home) -> String {
    let us = home.run(&["whoami", "--json"]).json();
    us["player"]["name"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_first_screens_and_the_rules() {
    let home = Home::new();
    let all = home.run(&["rules", "list", "--json"]).json();
    let games = all["games"].as_array().expect("games");
    let texts = games.iter().flat_map(|game| {
        let examples = game["examples"].as_array().into_iter().flatten();
        [&game["name"], &game["source"], &game["example_move"]]
            .into_iter()
            .chain(examples)
            .filter_map(|text| text.as_str())
    });
    let mut names: Vec<&str> = texts.collect();
    names.extend(["@selective @conjunctive @shortsum @shortselective @zero @every"]);
    for asked in [&[][..], &["play"], &["rules", "list"]] {
        is_chinese(&run(&home, asked), &names);
    }
    for game in games {
        let name = game["name"].as_str().expect("a name");
        let ran = run(&home, &["rules", "show", name, "--plain"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let written = names
            .iter()
            .copied()
            .chain(["Chomp Clobber Col Cram Domineering Hackenbush Kayles Multi Nim NimK Notakto SG Snort octal us pass"]);
        let foreign = foreign(&ran.stdout, &written.collect::<Vec<_>>());
        let foreign: Vec<_> = foreign
            .into_iter()
            .filter(|word| !word.chars().all(|c| "HTFxo".contains(c)))
            .collect();
        assert!(foreign.is_empty(), "{name}: {foreign:?} in {}", ran.stdout);
    }
    let unknown = run(&home, &["rules", "show", "zzz"]);
    assert_eq!(unknown.code, Some(4), "{unknown:?}");
    is_chinese(&unknown, &[]);
}
