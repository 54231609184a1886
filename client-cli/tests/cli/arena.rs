//! Arenas with real processes: results, faults, journals.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Home, Ran};

/// A bot of the tests that behaves until its second move.
pub(crate) fn hostile(mode: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/bots/hostile.py");
    format!("{mode}=cmd:python3 {} {mode}", path.display())
}

/// The lines of `--json`.
fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn games(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let games = lines(&ran.stdout).into_iter();
    games.filter(|line| line["type"] == "game").collect()
}

const FOUR: [&str; 8] = [
    "--bot",
    "perfect",
    "--bot",
    "skill:0.6",
    "--bot",
    "greedy",
    "--bot",
    "random",
];

fn arena<'a>(home: &Home, bots: &[&'a str], rest: &[&'a str]) -> Ran {
    let arguments: Vec<&str> = ["arena", "--quiet"]
        .into_iter()
        .chain(bots.iter().copied())
        .chain(rest.iter().copied())
        .collect();
    home.run(&arguments)
}

#[test]
fn the_same_seed_gives_the_same_bytes_at_any_concurrency() {
    let home = Home::new();
    let run = |concurrency| {
        let rest = [
            "--pairs",
            "12",
            "--seed",
            "7",
            "--json",
            "--concurrency",
            concurrency,
        ];
        arena(&home, &FOUR, &rest)
    };
    let one = run("1");
    assert_eq!(one.code, Some(0), "{one:?}");
    for concurrency in ["2", "9"] {
        assert!(run(concurrency).stdout == one.stdout, "{concurrency}");
    }
    let all = lines(&one.stdout);
    let last = all.last().expect("lines");
    assert_eq!(last["type"], "final");
    assert_eq!(last["games"], 144);
    assert_eq!(last["pairs"], 72);
    let standings = last["standings"].as_array().expect("a list");
    assert_eq!(standings.len(), 4);
    assert_eq!(standings[0]["name"], "perfect");
    assert_eq!(standings[0]["accuracy"], 1.0);
    let points: f64 = standings
        .iter()
        .map(|row| row["points"].as_f64().expect("a number"))
        .sum();
    assert!((points - 144.0).abs() < 1e-9, "{points}");
    assert!(!one.stdout.contains("NaN") && !one.stdout.contains("inf"));
}

#[test]
fn every_pair_swaps_sides_from_one_start() {
    let home = Home::new();
    let played = games(&arena(
        &home,
        &FOUR,
        &["--pairs", "3", "--json", "--seed", "1"],
    ));
    for pair in played.chunks(2) {
        assert_eq!(pair[0]["start"], pair[1]["start"]);
        assert_eq!(pair[0]["first"], pair[1]["second"]);
        assert_eq!(pair[0]["second"], pair[1]["first"]);
        assert_eq!(pair[0]["pair"], pair[1]["pair"]);
    }
}

#[test]
fn each_format_plays_to_its_end() {
    let home = Home::new();
    for (format, games) in [
        ("round-robin", Some(24)),
        ("double-round-robin", Some(48)),
        ("gauntlet", Some(12)),
        ("swiss", Some(24)),
        ("knockout", None),
    ] {
        let rest = [
            "--pairs", "2", "--rounds", "3", "--json", "--seed", "3", "--format", format,
        ];
        let ran = arena(&home, &FOUR, &rest);
        assert_eq!(ran.code, Some(0), "{format}: {ran:?}");
        let all = lines(&ran.stdout);
        let last = all.last().expect("lines");
        assert_eq!(last["standings"][0]["name"], "perfect", "{format}");
        if let Some(games) = games {
            assert_eq!(last["games"], games, "{format}");
        }
    }
}

#[test]
fn a_level_match_has_figures_or_says_why_not() {
    let home = Home::new();
    let bots = ["--bot", "one=perfect", "--bot", "two=perfect"];
    let ran = arena(&home, &bots, &["--pairs", "10", "--json"]);
    let last = lines(&ran.stdout).pop().expect("lines");
    let duel = &last["duel"];
    assert_eq!(duel["sound"], 10);
    assert_eq!(duel["elo"], 0.0);
    assert!(duel["nelo"].is_null(), "{duel}");
    assert!(!duel["why"].as_array().expect("a list").is_empty());
    let text = arena(&home, &bots, &["--pairs", "10"]);
    assert!(text.stdout.contains("no errors seen"), "{text:?}");
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let home = Home::new();
    let bots = ["--bot", "perfect", "--bot", "skill:0.5"];
    let run = |concurrency| {
        let rest = [
            "--pairs",
            "2000",
            "--seed",
            "5",
            "--json",
            "--sprt",
            "elo0=0,elo1=20",
            "--concurrency",
            concurrency,
        ];
        arena(&home, &bots, &rest)
    };
    let ran = run("4");
    let last = lines(&ran.stdout).pop().expect("lines");
    assert_eq!(last["sprt"]["verdict"], "H1", "{last}");
    assert!(last["pairs"].as_u64().expect("a number") < 500, "{last}");
    assert!(run("1").stdout == ran.stdout);
}

/// The file of a bot in a home, as an argument.
fn written(home: &Home, name: &str, text: &str) -> String {
    home.write(name, text).display().to_string()
}

/// What a hostile bot must cost: its own games with this cause, and no more time than left, margin and one second a game.
fn assert_costs_its_games(mode: &str, cause: &str, seconds: u64) {
    let home = Home::new();
    let bot = hostile(mode);
    let bots = ["--bot", &bot, "--bot", "one=random", "--bot", "two=perfect"];
    let begun = Instant::now();
    let time = format!("{seconds}s");
    let rest = [
        "--start",
        "nim:3,4,5",
        "--pairs",
        "1",
        "--seed",
        "3",
        "--time",
        &time,
        "--json",
        "--new-game-limit",
        "500ms",
        "--concurrency",
        "1",
        "--out",
        "out",
    ];
    let ran = arena(&home, &bots, &rest);
    let took = begun.elapsed();
    let all = games(&ran);
    assert_eq!(all.len(), 6, "{mode}: {ran:?}");
    let mut faults = 0;
    for game in &all {
        let place = ["first", "second"]
            .into_iter()
            .find(|seat| game[*seat] == mode);
        match place {
            None => assert_eq!(game["cause"], "normal", "{mode}: {game}"),
            Some(seat) if game["cause"] == cause => {
                faults += 1;
                assert_ne!(game["outcome"], seat, "{mode}: {game}");
            }
            // A machine that is busy makes any of its moves late.
            Some(_) if cause == "stall" && game["cause"] == "time" => {}
            // A game may end before the second move.
            Some(_) => assert_eq!(game["cause"], "normal", "{mode}: {game}"),
        }
    }
    assert!(faults > 0, "{mode}: {all:#?}");
    // Four games of it; starting Python takes its time on a busy machine.
    let most = Duration::from_millis(4 * (1_000 * seconds + 50 + 1_000)) + Duration::from_secs(20);
    assert!(took < most, "{mode} took {took:?}");
    let journal = fs::read_to_string(home.file("out/journal.ndjson")).expect("a journal");
    assert!(journal.contains(&format!(r#""cause":"{cause}""#)), "{mode}");
    assert!(journal.is_ascii(), "{mode}: what a bot wrote is escaped");
}

#[test]
fn a_bot_that_gives_no_answer_loses_its_games_only() {
    for mode in ["sleep", "spin", "old-id", "stderr-flood"] {
        assert_costs_its_games(mode, "stall", 1);
    }
}

#[test]
fn a_bot_that_answers_late_loses_on_time() {
    assert_costs_its_games("late", "time", 1);
}

#[test]
fn a_bot_that_ends_loses_its_games_only() {
    for mode in ["crash", "exit", "closed"] {
        assert_costs_its_games(mode, "crash", 10);
    }
}

#[test]
fn a_bot_that_writes_rubbish_loses_its_games_only() {
    for mode in ["rubbish", "long-line", "many-lines"] {
        assert_costs_its_games(mode, "malformed", 10);
    }
    assert_costs_its_games("illegal", "illegal", 10);
}

#[test]
fn a_bot_that_does_not_get_ready_loses_its_games_only() {
    assert_costs_its_games("never-ready", "not_ready", 10);
}

#[test]
fn nothing_that_a_bot_started_is_left_behind() {
    assert_costs_its_games("children", "stall", 1);
    let left: Vec<PathBuf> = fs::read_dir("/proc")
        .expect("processes")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let line = fs::read(path.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).ends_with("hostile.py\0children\0")
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_bot_that_ignores_quit_is_not_waited_for() {
    let home = Home::new();
    let bot = hostile("deaf-to-quit");
    let begun = Instant::now();
    let rest = [
        "--start",
        "nim:3,4,5",
        "--pairs",
        "1",
        "--json",
        "--concurrency",
        "1",
    ];
    let ran = arena(&home, &["--bot", &bot, "--bot", "random"], &rest);
    assert_eq!(games(&ran).len(), 2);
    assert!(
        begun.elapsed() < Duration::from_secs(15),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_bot_that_never_greets_is_found_before_the_first_game() {
    let home = Home::new();
    let bot = hostile("never-greets");
    let rest = ["--pairs", "1", "--start-limit", "500ms", "--json"];
    let ran = arena(&home, &["--bot", &bot, "--bot", "random"], &rest);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.error()["message"]
            .as_str()
            .expect("words")
            .contains("flush"),
        "{ran:?}"
    );
}

#[test]
fn a_bot_that_fails_ten_times_in_a_row_plays_no_more() {
    let home = Home::new();
    let bot = hostile("illegal");
    let run = |concurrency| {
        let rest = [
            "--start",
            "nim:30,40,50",
            "--pairs",
            "10",
            "--seed",
            "3",
            "--faults",
            "3",
            "--json",
            "--concurrency",
            concurrency,
        ];
        arena(&home, &["--bot", &bot, "--bot", "random"], &rest)
    };
    let ran = run("1");
    let all = games(&ran);
    assert_eq!(all.len(), 20);
    let causes: Vec<&str> = all
        .iter()
        .map(|game| game["cause"].as_str().expect("a word"))
        .collect();
    assert_eq!(causes[..3], ["illegal"; 3]);
    assert_eq!(causes[3..], ["withdrawn"; 17]);
    assert!(run("4").stdout == ran.stdout);
    let strict = arena(
        &home,
        &["--bot", &bot, "--bot", "random"],
        &["--start", "nim:30,40,50", "--pairs", "10", "--strict"],
    );
    assert_eq!(strict.code, Some(1), "{strict:?}");
}

const JOURNALED: [&str; 10] = [
    "--pairs",
    "40",
    "--seed",
    "11",
    "--json",
    "--concurrency",
    "3",
    "--out",
    "out",
    "--order=random",
];

#[test]
fn an_arena_that_was_killed_is_resumed_without_a_lost_or_doubled_game() {
    let whole = arena(&Home::new(), &FOUR, &JOURNALED);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    for kill_after in [1, 40, 150] {
        let home = Home::new();
        let arguments: Vec<&str> = ["arena"].into_iter().chain(FOUR).chain(JOURNALED).collect();
        let mut running = home.start(&arguments);
        // The journal is ahead of what is told.
        for _ in 0..kill_after {
            running.says(r#""type":"game""#);
        }
        running.kill();
        let path = home.file("out/journal.ndjson");
        // As if the machine had stopped while a line was written.
        let mut journal = fs::read_to_string(&path).expect("a journal");
        journal.push_str(r#"{"arena":"#);
        fs::write(&path, &journal).expect("a journal");
        let resumed = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
        assert_eq!(resumed.code, Some(0), "{resumed:?}");
        assert!(resumed.stdout == whole.stdout, "killed after {kill_after}");
        let journal = fs::read_to_string(&path).expect("a journal");
        let numbers: Vec<u64> = lines(&journal)[1..]
            .iter()
            .map(|line| line["game"].as_u64().expect("a number"))
            .collect();
        let different: HashSet<u64> = numbers.iter().copied().collect();
        assert_eq!(numbers.len(), 480);
        assert_eq!(different.len(), 480);
        let table = fs::read_to_string(home.file("out/standings.csv")).expect("standings");
        assert_eq!(table.lines().count(), 5);
        let again = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
        assert!(again.stdout == whole.stdout, "nothing is missing any more");
    }
}

#[test]
fn ctrl_c_finishes_the_running_games_and_shows_how_to_go_on() {
    let home = Home::new();
    let bot = format!(
        "slow=cmd:python3 {}",
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cli/bots/slow.py")
            .display()
    );
    let mut running = home.start(&[
        "arena",
        "--bot",
        &bot,
        "--bot",
        "random",
        "--pairs",
        "500",
        "--seed",
        "2",
        "--json",
        "--out",
        "out",
        "--concurrency",
        "1",
    ]);
    running.says(r#""type":"game""#);
    running.signal(rustix::process::Signal::INT);
    running.mutters("grundy arena --resume out");
    let ended = running.ends_by_itself();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let journal = fs::read_to_string(home.file("out/journal.ndjson")).expect("a journal");
    assert!(journal.ends_with('\n') && journal.lines().count() > 1);
    assert!(!journal.contains(r#""cause":"crash""#));
}

#[test]
fn damaged_journals_are_refused_with_place_and_remedy() {
    let home = Home::new();
    let played = arena(
        &home,
        &FOUR,
        &["--pairs", "2", "--seed", "11", "--out", "out", "--json"],
    );
    assert_eq!(played.code, Some(0), "{played:?}");
    let path = home.file("out/journal.ndjson");
    let whole = fs::read_to_string(&path).expect("a journal");
    let resume = |text: &str| {
        fs::write(&path, text).expect("a journal");
        let ran = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let error = ran.error();
        assert!(error["hint"].is_string(), "{error}");
        error["message"].as_str().expect("words").to_owned()
    };
    let rows: Vec<&str> = whole.lines().collect();
    let torn = whole.replace(rows[4], &rows[4][..rows[4].len() / 2]);
    assert!(resume(&torn).contains("line 5"));
    let doubled = format!("{whole}{}\n", rows[3]);
    assert!(resume(&doubled).contains("twice"));
    let mark = lines(&whole)[0]["arena"]
        .as_str()
        .expect("a mark")
        .to_owned();
    let foreign = whole.replacen(rows[2], &rows[2].replace(&mark, "0123456789ab"), 1);
    assert!(resume(&foreign).contains("another arena"));
    let other_settings = whole.replacen(r#""pairs":2"#, r#""pairs":3"#, 1);
    assert!(resume(&other_settings).contains("settings"));
    let other_start = whole.replacen(rows[2], &rows[2].replace("nim:", "nim:1,"), 1);
    assert!(resume(&other_start).contains("the plan has"));
    // A deleted line is a game to be played again.
    let without = whole.replacen(&format!("{}\n", rows[4]), "", 1);
    fs::write(&path, without).expect("a journal");
    let ran = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
    assert!(ran.stdout == played.stdout, "{ran:?}");
    // An arena is not written over.
    let again = arena(&home, &FOUR, &["--pairs", "2", "--out", "out"]);
    assert_eq!(again.code, Some(3), "{again:?}");
}

#[test]
fn bad_arenas_are_refused_with_place_and_remedy() {
    let home = Home::new();
    let suite = written(&home, "suite.txt", "nim:3,5,7\n# a comment\nchess:e4\n");
    let typo = written(&home, "typo.toml", "command = \"./x\"\ncolour = 1\n");
    let empty = written(&home, "empty.toml", "name = \"x\"\n");
    for (arguments, code, words) in [
        (vec!["--bot", "random"], 3, "alone"),
        (vec!["--bot", "random", "--bot", "random"], 3, "two bots"),
        (vec!["--bot", "random", "--bot", "perfekt"], 3, "perfekt"),
        (
            vec!["--bot", "random", "--bot", "perfect", "--pairs", "0"],
            3,
            "--pairs 0",
        ),
        (
            vec!["--bot", "random", "--bot", "perfect", "--start", &suite],
            3,
            "line 3",
        ),
        (vec!["--bot", "random", "--bot", &typo], 3, "line 2"),
        (vec!["--bot", "random", "--bot", &empty], 3, "command"),
        (vec!["--bot", "random", "--bot", "no.toml"], 4, "no.toml"),
        (
            vec!["--bot", "random", "--bot", "cmd:./not-there"],
            1,
            "not-there",
        ),
        (
            vec!["--bot", "random", "--bot", "perfect", "--time", "0"],
            2,
            "100ms",
        ),
        (
            vec![
                "--bot",
                "random",
                "--bot",
                "perfect",
                "--sprt",
                "elo0=5,elo1=0",
            ],
            2,
            "elo1",
        ),
        (vec!["--resume", "nowhere"], 4, "nowhere"),
    ] {
        let ran = arena(&home, &arguments, &["--json"]);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        let error = ran.error();
        let told = format!("{} {}", error["message"], error["hint"]);
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
    let many: Vec<String> = (0..10_000).map(|bot| format!("b{bot}=random")).collect();
    let many: Vec<&str> = many.iter().flat_map(|bot| ["--bot", bot]).collect();
    let ran = arena(&home, &many, &["--json"]);
    assert_eq!(ran.code, Some(3), "{:?}", ran.error());
    let many = &many[..4_200];
    let ran = arena(&home, many, &["--json", "--pairs", "1"]);
    assert_eq!(
        ran.code,
        Some(3),
        "a round robin of 2,100 has too many games"
    );
}
